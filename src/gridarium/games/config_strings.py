"""Parameters of games as text: `19;4;-1;False`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from gridarium.worlds.parameters import parse_parameters

Cast = Callable[[str], Any]
REQUIRED = object()


class SimpleConfigParser:
    """Reads and writes values that are separated by semicolons.

    Args:
        types: for each value its type (int, float, str, bool), or `(type, default)`.

    Example:
        >>> parser = SimpleConfigParser((int, 19), (int, 4), (bool, False))
        >>> parser.parse("15;2")
        [15, 2, False]
        >>> parser.store(15, 2, True)
        '15;2;True'
    """

    def __init__(self, *types: Any) -> None:
        pairs = [given if isinstance(given, tuple) else (given, REQUIRED) for given in types]
        self._types = [kind for kind, _ in pairs]
        self._defaults = [default for _, default in pairs]

    def parse(self, config: str | None) -> list[Any]:
        """The values; missing or empty ones at the end have their defaults, and `None` in the text means None.

        Raises:
            ValueError: too many values, one of another type, or a missing one without default.
        """
        parts = (config or "").split(";") if config else []
        if len(parts) > len(self._types):
            raise ValueError(
                f"{config!r} has {len(parts)} values separated by ';', and at most {len(self._types)} are known"
            )
        found: list[Any] = []
        for i, (kind, default) in enumerate(zip(self._types, self._defaults, strict=True)):
            text = parts[i].strip() if i < len(parts) else ""
            if text == "None":
                found.append(None)
            elif text:
                found.append(_cast(kind, text, i, config))
            elif default is not REQUIRED:
                found.append(default)
            else:
                raise ValueError(f"{config!r}: value {i} ({kind.__name__}) is missing and has no default")
        return found

    def store(self, *values: Any) -> str:
        """The text from which `parse` reads these values.

        Raises:
            ValueError: too many values, or a text that contains a semicolon.
        """
        if len(values) > len(self._types):
            raise ValueError(f"{len(values)} values were given, and at most {len(self._types)} are known")
        if any(";" in str(value) for value in values):
            raise ValueError(f"a value must not contain ';': {values!r}")
        return ";".join(map(str, values))


def _cast(kind: Cast, text: str, i: int, config: str | None) -> Any:
    if kind is bool:
        if text.lower() not in ("true", "false", "1", "0"):
            raise ValueError(f"{config!r}: value {i} is True or False, not {text!r}")
        return text.lower() in ("true", "1")
    try:
        return kind(text)
    except ValueError:
        raise ValueError(f"{config!r}: value {i} is of type {kind.__name__}, not {text!r}") from None


def parameters_of(config: str) -> dict[str, Any]:
    """The parameters in a config string of the form `name=value;name=value`.

    Raises:
        ValueError: it has another form.
    """
    return parse_parameters(part for part in config.split(";") if part.strip())


def text_of(parameters: Mapping[str, Any]) -> str:
    """The config string that `parameters_of` reads.

    Raises:
        ValueError: a value that such a string cannot hold.
    """
    text = ";".join(f"{name}={json.dumps(value)}" for name, value in parameters.items())
    if parameters_of(text) != {name: _plain(value) for name, value in parameters.items()}:
        raise ValueError(f"these parameters cannot be written as a config string: {parameters!r}")
    return text


def _plain(value: Any) -> Any:
    return [*value] if isinstance(value, tuple) else value
