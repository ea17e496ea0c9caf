"""Files of classifiers: a network's parameters and a card that describes them. Nothing in them is executed."""

from __future__ import annotations

import json
import os
import zipfile
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from gridarium.engine.runs.whole_file import replacing
from gridarium.vision.network import Layer, Network
from gridarium.vision.readings import LEVELS

LARGEST = 64 << 20
"""Bytes of a model, unpacked."""
CARD = "card"
Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0)]


class ModelError(ValueError):
    """Not a model file, or a model that does not fit."""


class _Closed(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Level(_Closed):
    """The quality of a classifier at one strength of disturbance.

    Attributes:
        strength: of the disturbance.
        temperature: by which its scores are divided, found on other pictures than the rest.
        accuracy, log_loss, calibration_error: see `Quality`.
        readings: how often each class (rows) gave each reading (columns).
    """

    strength: Annotated[float, Field(ge=0)]
    temperature: Annotated[float, Field(gt=0)]
    accuracy: Share
    log_loss: Annotated[float, Field(ge=0)]
    calibration_error: Share
    readings: tuple[tuple[Count, ...], ...]


class Card(_Closed):
    """The description of a model.

    Attributes:
        format: which kind of file.
        subjects: what it tells apart: "ghost", or a world's name.
        classes: what they are called.
        class_priors: how frequent they were in training.
        size: the side of pictures in pixels.
        layers: of the network.
        levels: how it does at rising strengths.
        training: how it was made.
    """

    format: Literal["gridarium-vision-1"] = "gridarium-vision-1"
    subjects: Annotated[str, Field(max_length=200)]
    classes: Annotated[tuple[Annotated[str, Field(min_length=1, max_length=200)], ...], Field(min_length=2)]
    class_priors: tuple[Annotated[float, Field(gt=0, le=1)], ...]
    size: Annotated[int, Field(ge=8, le=256)]
    layers: tuple[Layer, ...]
    levels: Annotated[tuple[Level, ...], Field(min_length=1)]
    training: dict[str, int | float | str | None] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _fits(self) -> Card:
        n = len(self.classes)
        if len(set(self.classes)) < n:
            raise ValueError("two classes have the same name")
        if len(self.class_priors) != n or abs(sum(self.class_priors) - 1) > 1e-6:
            raise ValueError(f"class_priors are {n} numbers that add up to 1, not {self.class_priors}")
        if not self.layers or self.layers[-1].outputs != n:
            raise ValueError(f"the last layer has an output for each of {n} classes")
        if any(a.strength >= b.strength for a, b in pairwise(self.levels)):
            raise ValueError("the strengths of levels rise")
        for level in self.levels:
            if len(level.readings) != n or any(len(row) != n * LEVELS for row in level.readings):
                raise ValueError(f"readings are {n} rows of {n * LEVELS} counts")
        return self


def save_model(path: str | os.PathLike[str], network: Network, card: Card) -> None:
    """Write a model; an existing file is replaced only once all of it is written.

    Raises:
        OSError: it cannot be written.
    """
    arrays = {f"weights_{i}": array for i, array in enumerate(network.weights)}
    arrays |= {f"biases_{i}": array for i, array in enumerate(network.biases)}
    text = json.dumps(card.model_dump(), separators=(",", ":"))
    with replacing(path) as unfinished, unfinished.open("wb") as file:
        np.savez(file, **{CARD: np.array(text)}, **arrays)  # type: ignore[arg-type]


def load_model(path: str | os.PathLike[str]) -> tuple[Network, Card]:
    """Read a model.

    Raises:
        FileNotFoundError: there is no such file.
        ModelError: it is not a model, broken, or its parts do not fit together; with what is wrong.
    """
    arrays = read_arrays(path, "vision model")
    if CARD not in arrays or arrays[CARD].dtype.kind != "U" or arrays[CARD].ndim:
        raise ModelError(f"{path} is no vision model: it has no {CARD!r} that says what it is")
    try:
        card = Card.model_validate_json(str(arrays[CARD]))
        names = [[f"{what}_{i}" for i in range(len(card.layers))] for what in ("weights", "biases")]
        missing = {name for row in names for name in row} ^ (arrays.keys() - {CARD})
        if missing:
            raise ValueError(f"its card and its arrays do not fit together: {', '.join(sorted(missing))}")
        weights, biases = (tuple(arrays[name] for name in row) for row in names)
        return Network(card.layers, card.size, weights, biases), card
    except ValidationError as error:
        raise ModelError(f"{path} has a card that is not in order:\n{_listed(error)}") from error
    except ValueError as error:
        raise ModelError(f"{path}: {error}") from error


def read_arrays(path: str | os.PathLike[str], what: str) -> dict[str, Any]:
    """All arrays of an npz file; what would be large, or would have to be executed, is refused.

    Args:
        path: the file.
        what: it is to be, for messages.

    Raises:
        FileNotFoundError: there is no such file.
        ModelError: it is no file of arrays, or too large.
    """
    if not Path(path).is_file():
        raise FileNotFoundError(f"there is no model file {str(path)!r}")
    try:
        with zipfile.ZipFile(path) as packed:
            if sum(info.file_size for info in packed.infolist()) > LARGEST:
                raise ModelError(f"{path} is larger than a model may be, {LARGEST >> 20} MiB")
        with np.load(path, allow_pickle=False) as read:
            return {name: read[name] for name in read.files}
    except ModelError:
        raise
    except Exception as error:  # numpy raises many kinds of them on broken files, down to those of tokenize
        raise ModelError(f"{path} is no {what}, or it is broken: {error}") from error


def _listed(error: ValidationError) -> str:
    lines = (f"  {'.'.join(map(str, part['loc'])) or 'card'}: {part['msg']}" for part in error.errors())
    return "\n".join(lines)
