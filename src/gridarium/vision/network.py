"""A small convolutional network in plain arrays: pictures in, a number for each class out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view
from pydantic import BaseModel, ConfigDict, Field

Floats = npt.NDArray[np.float32]
Shape = tuple[int, ...]
AT_ONCE = 32
"""The number of pictures processed together: as many as stay in a core's cache."""


class Layer(BaseModel):
    """A layer; all but the last are followed by max(x, 0).

    Attributes:
        kind: "conv", over squares of `width` pixels with zeros around the picture, or "dense", over everything.
        outputs: how many channels or numbers it makes.
        width: of a square, odd.
        stride: how many pixels lie between two squares.
        pool: of so many by so many results only the largest is kept.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)
    kind: Literal["conv", "dense"]
    outputs: int = Field(ge=1, le=4096)
    width: Literal[1, 3, 5, 7] = 3
    stride: int = Field(default=1, ge=1, le=8)
    pool: int = Field(default=1, ge=1, le=8)

    def shrunk(self, size: int) -> int:
        """The side of its result, from the side of its input."""
        return -(-size // self.stride) // self.pool


def hidden_layers() -> tuple[Layer, ...]:
    """The usual network, up to its last layer: 23,000 numbers for pictures of 32 pixels."""
    return (
        Layer(kind="conv", outputs=8, width=5, stride=2),
        Layer(kind="conv", outputs=16, pool=2),
        Layer(kind="conv", outputs=32, pool=2),
        Layer(kind="dense", outputs=32),
    )


def weight_shapes(layers: Sequence[Layer], size: int) -> list[tuple[Shape, Shape]]:
    """The shapes of each layer's weights, [inputs, outputs], and biases, [outputs], for pictures of a size.

    Raises:
        ValueError: no layers, a conv after a dense one, a conv at the end, or nothing is left of the picture.
    """
    kinds = [layer.kind for layer in layers]
    if not kinds or kinds != sorted(kinds) or kinds[-1] != "dense":
        raise ValueError(f"a network is conv layers, then dense ones, at least one; not {kinds}")
    side, channels = size, 3
    found: list[tuple[Shape, Shape]] = []
    for layer in layers:
        if layer.kind == "conv":
            inputs, side = channels * layer.width**2, layer.shrunk(side)
            if side < 1:
                raise ValueError(f"nothing is left of pictures of {size} pixels after layer {len(found) + 1}")
        else:
            inputs, side = channels * side**2, 1
        found.append(((inputs, layer.outputs), (layer.outputs,)))
        channels = layer.outputs
    return found


@dataclass(frozen=True, eq=False)
class Network:
    """Layers and their numbers.

    Attributes:
        layers: what is done, in order.
        size: the side of pictures in pixels.
        weights: for each layer float32[inputs, outputs]; the inputs of a conv are channel, row, column of a square,
            those of the first dense layer row, column, channel.
        biases: for each layer float32[outputs].

    Raises:
        ValueError: arrays of other shapes or types, or with not a number.
    """

    layers: tuple[Layer, ...]
    size: int
    weights: tuple[Floats, ...]
    biases: tuple[Floats, ...]

    def __post_init__(self) -> None:
        shapes = weight_shapes(self.layers, self.size)
        if not len(shapes) == len(self.weights) == len(self.biases):
            raise ValueError(
                f"{len(shapes)} layers have {len(self.weights)} weights and {len(self.biases)} biases"
            )
        for i, (wanted, *given) in enumerate(zip(shapes, self.weights, self.biases, strict=True), 1):
            for what, shape, array in zip(("weights", "biases"), wanted, given, strict=True):
                if array.shape != shape or array.dtype != np.float32:
                    raise ValueError(
                        f"{what} of layer {i} are float32{list(shape)}, not {array.dtype}{list(array.shape)}"
                    )
                if not np.isfinite(array).all():
                    raise ValueError(f"{what} of layer {i} contain something that is not a finite number")

    @property
    def parameters(self) -> int:
        """The number of parameters."""
        return sum(array.size for array in (*self.weights, *self.biases))

    def scores(self, pictures: Any) -> Floats:
        """The outputs of the last layer.

        Args:
            pictures: float32[n, size, size, 3], between 0 and 1.

        Returns:
            float32[n, outputs].

        Raises:
            ValueError: pictures of another shape.
        """
        given = np.asarray(pictures, np.float32)
        if given.shape[1:] != (self.size, self.size, 3):
            raise ValueError(f"pictures are float[n, {self.size}, {self.size}, 3], not {list(given.shape)}")
        if len(given) <= AT_ONCE:
            return self._scores(given)
        parts = (given[i : i + AT_ONCE] for i in range(0, len(given), AT_ONCE))
        return np.concatenate([self._scores(part) for part in parts])

    def _scores(self, x: Floats) -> Floats:
        last = len(self.layers) - 1
        for i, layer in enumerate(self.layers):
            if layer.kind == "conv":
                x = _squares(x, layer) @ self.weights[i] + self.biases[i]
                x = _pooled(x, layer.pool)
            else:
                x = x.reshape(len(x), self.weights[i].shape[0]) @ self.weights[i] + self.biases[i]
            if i < last:
                np.maximum(x, 0, out=x)
        return x


def _squares(x: Floats, layer: Layer) -> Floats:
    """float32[n, rows, columns, channels * width * width]: all squares that a layer looks at."""
    n, size, _, channels = x.shape
    width, margin = layer.width, layer.width // 2
    padded = np.zeros((n, size + 2 * margin, size + 2 * margin, channels), np.float32)
    padded[:, margin : margin + size, margin : margin + size] = x
    windows = sliding_window_view(padded, (width, width), (1, 2))[:, :: layer.stride, :: layer.stride]
    return windows.reshape(n, windows.shape[1], windows.shape[2], channels * width * width)


def _pooled(x: Floats, pool: int) -> Floats:
    """The largest of each `pool` x `pool` numbers; what is left over at the lower and right edges is dropped."""
    if pool == 1:
        return x
    rows, columns = x.shape[1] // pool, x.shape[2] // pool
    cut = x[:, : rows * pool, : columns * pool]
    found = cut[:, ::pool, ::pool]
    for k in range(1, pool * pool):
        found = np.maximum(found, cut[:, k // pool :: pool, k % pool :: pool])
    return found
