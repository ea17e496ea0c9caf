"""Infos and custom data as JSON. NumPy arrays and numbers, tuples and bytes are restored with their types."""

from __future__ import annotations

import base64
import json
from typing import Any

import numpy as np

from gridarium.episodes.errors import DatasetError, EpisodeError

TAG = "!"
"""The key that marks a dict which represents another type."""
PLAIN = (str, int, float, bool, type(None))


def to_json(value: Any, where: str) -> str:
    """Encode a value as JSON; an empty text for an empty dict.

    Args:
        value: dicts with texts as keys, lists, tuples, texts, bytes, numbers, None, arrays of numbers.
        where: the name of the value, for errors.

    Raises:
        EpisodeError: another type, or a text with a lone surrogate (naming where).
    """
    if value == {} and type(value) is dict:
        return ""
    try:
        return json.dumps(_plain(value, where), separators=(",", ":"), ensure_ascii=False)
    except EpisodeError:
        raise
    except (ValueError, RecursionError) as error:
        raise EpisodeError(f"{where} cannot be written as JSON: {error}") from error


def from_json(text: str) -> Any:
    """Decode what `to_json` has encoded.

    Raises:
        DatasetError: not such a text.
    """
    if not text:
        return {}
    try:
        return _value(json.loads(text))
    except (ValueError, KeyError, TypeError, IndexError, RecursionError) as error:
        raise DatasetError(f"damaged data: {text[:80]!r} ({error})") from error


def text_of(value: Any, where: str) -> str:
    """Return a text that can be written.

    Raises:
        EpisodeError: it is not a text, or has a lone surrogate, which UTF-8 cannot encode (naming where).
    """
    if not isinstance(value, str):
        raise EpisodeError(f"{where}: {value!r} cannot be written; it has to be a text")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise EpisodeError(f"{where}: {value!r} cannot be written as UTF-8 ({error.reason})") from error
    return value


def _plain(value: Any, where: str) -> Any:
    if type(value) is str:
        return text_of(value, where)
    if type(value) in PLAIN:
        return value
    if type(value) is list:
        return [_plain(item, f"{where}[{i}]") for i, item in enumerate(value)]
    if isinstance(value, dict):
        for key in value:
            if type(key) is not str:
                raise EpisodeError(f"{where}: keys are texts, not {key!r}")
            text_of(key, f"{where}, a key")
        made = {key: _plain(item, f"{where}[{key!r}]") for key, item in value.items()}
        return {TAG: "dict", "items": list(made.items())} if TAG in made else made
    if isinstance(value, tuple):
        return {TAG: "tuple", "items": [_plain(item, f"{where}[{i}]") for i, item in enumerate(value)]}
    if isinstance(value, bytes):
        return {TAG: "bytes", "data": base64.b64encode(value).decode("ascii")}
    if isinstance(value, np.generic | np.ndarray) and value.dtype.kind in "biuf":
        kind = "array" if isinstance(value, np.ndarray) else "number"
        data = base64.b64encode(np.ascontiguousarray(value).tobytes()).decode("ascii")
        return {TAG: kind, "dtype": value.dtype.str, "shape": list(value.shape), "data": data}
    raise EpisodeError(
        f"{where}: {type(value).__name__} cannot be written as JSON; "
        "numbers, texts, bytes, None, arrays of numbers, lists, tuples and dicts can"
    )


def _value(plain: Any) -> Any:
    if isinstance(plain, list):
        return [_value(item) for item in plain]
    if not isinstance(plain, dict):
        return plain
    kind = plain.get(TAG)
    if kind is None:
        return {key: _value(item) for key, item in plain.items()}
    if kind == "dict":
        return {key: _value(item) for key, item in plain["items"]}
    if kind == "tuple":
        return tuple(_value(item) for item in plain["items"])
    data = base64.b64decode(plain["data"], validate=True)
    if kind == "bytes":
        return data
    dtype = np.dtype(plain["dtype"])
    if kind not in ("array", "number") or dtype.kind not in "biuf":
        raise ValueError(f"unknown kind of value: {kind!r}")
    array = np.frombuffer(data, dtype).reshape(plain["shape"]).copy()
    return array if kind == "array" else array[()]
