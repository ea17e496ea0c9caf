"""Simulates a bad camera: it shifts, turns, blurs, darkens and covers pictures, and adds noise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Bad = npt.NDArray[np.float64]
REACH = 3
"""The radius of the blur in pixels."""
AT_ONCE = 32
"""The number of pictures processed together: as many as stay in a core's cache."""


@dataclass(frozen=True)
class Camera:
    """The disturbances at a strength of 1; they are proportional to the strength.

    Each picture is bad to a degree of its own, between 0 and all of this.

    Attributes:
        shift: how far it is moved, as a share of its side.
        turn: how far it is rotated, in degrees.
        zoom: how much larger or smaller it is, as a logarithm.
        dim: how much contrast is lost, as a logarithm.
        light: how much brighter or darker it is, of 1.
        shade: the same, but changing from one side to the other.
        tint: the same, for each color channel by itself.
        covers: how many spots lie on it, on average.
        spot: the largest radius of a spot, as a share of the side.
        blur: the standard deviation of the blur, as a share of the side.
        noise: the standard deviation of the noise, of 1.
    """

    shift: float = 0.18
    turn: float = 24.0
    zoom: float = 0.24
    dim: float = 1.5
    light: float = 0.24
    shade: float = 0.24
    tint: float = 0.15
    covers: float = 1.8
    spot: float = 0.28
    blur: float = 0.06
    noise: float = 0.24


CAMERA = Camera()


def disturb(
    pictures: npt.NDArray[np.uint8],
    strength: float | npt.NDArray[np.float64],
    rng: np.random.Generator,
    camera: Camera = CAMERA,
) -> Floats:
    """Take pictures with a bad camera.

    Args:
        pictures: uint8[n, size, size, 3].
        strength: how bad, of all or float[n] of each; 0 leaves them as they are.
        rng: random numbers.
        camera: what a strength of 1 is.

    Returns:
        float32[n, size, size, 3], between 0 and 1.

    Raises:
        ValueError: pictures of another shape, or a strength that is negative or infinite.
    """
    given = np.asarray(pictures)
    if given.ndim != 4 or given.shape[1] != given.shape[2] or given.shape[3] != 3 or given.dtype != np.uint8:
        raise ValueError(f"pictures are uint8[n, size, size, 3], not {given.dtype}{list(given.shape)}")
    asked = np.broadcast_to(np.asarray(strength, np.float64), len(given))
    if not (np.isfinite(asked).all() and (asked >= 0).all()):
        raise ValueError(f"a strength is a number from 0 on, got {strength!r}")
    out = given.astype(np.float32) / np.float32(255)
    if asked.any():
        for i in range(0, len(out), AT_ONCE):
            part = slice(i, i + AT_ONCE)
            out[part] = _taken(out[part], asked[part], rng, camera)
    return out


def _taken(pictures: Floats, strengths: Bad, rng: np.random.Generator, camera: Camera) -> Floats:
    bad = strengths * rng.random(len(pictures)) ** 0.5  # more bad pictures than good ones
    out = _lit(_moved(pictures, bad, rng, camera), bad, rng, camera)
    _cover(out, bad, rng, camera)
    out = _blurred(out, camera.blur * bad * out.shape[1])
    out += rng.standard_normal(out.shape, np.float32) * _each(camera.noise * bad)
    return np.clip(out, 0, 1, out=out)


def _each(numbers: Bad) -> Floats:
    """float32[n, 1, 1, 1]: a number for each picture."""
    return numbers.astype(np.float32)[:, None, None, None]


def _moved(pictures: Floats, bad: Bad, rng: np.random.Generator, camera: Camera) -> Floats:
    """Shifted, rotated and scaled about the middle, read between pixels; beyond the edge the edge goes on."""
    n, size = pictures.shape[:2]
    turn, zoom, dy, dx = rng.uniform(-1, 1, (4, n)) * bad
    angle, scale = np.radians(camera.turn) * turn, np.exp(camera.zoom * zoom)
    middle, far = (size - 1) / 2, camera.shift * size
    y, x = (axis.ravel().astype(np.float32) - np.float32(middle) for axis in np.mgrid[:size, :size])
    cos, sin, down, aside = (
        part.astype(np.float32)[:, None]
        for part in (np.cos(angle) * scale, np.sin(angle) * scale, middle + far * dy, middle + far * dx)
    )
    rows = np.clip(cos * y - sin * x + down, 0, size - 1.001)
    columns = np.clip(sin * y + cos * x + aside, 0, size - 1.001)
    top, left = rows.astype(np.int32), columns.astype(np.int32)
    low, right = (rows - top)[..., None], (columns - left)[..., None]
    flat = pictures.reshape(n * size * size, 3)
    first = top * size + left + np.arange(n, dtype=np.int32)[:, None] * (size * size)
    above, below = (
        flat.take(first + k, axis=0) * (1 - right) + flat.take(first + k + 1, axis=0) * right
        for k in (0, size)
    )
    moved: Floats = above * (1 - low) + below * low
    return moved.reshape(pictures.shape)


def _lit(pictures: Floats, bad: Bad, rng: np.random.Generator, camera: Camera) -> Floats:
    """With less contrast, in another light, which may come from one side and have a color."""
    n, size = pictures.shape[:2]
    contrast = np.exp(-camera.dim * bad * rng.random(n))
    light, shade_y, shade_x = rng.uniform(-1, 1, (3, n)) * bad
    tint = rng.uniform(-1, 1, (n, 3)) * bad[:, None]
    ramp = np.linspace(-1, 1, size, dtype=np.float32)
    lit = _each(camera.light * light) + (camera.tint * tint).astype(np.float32)[:, None, None, :]
    lit = lit + _each(camera.shade * shade_y) * ramp[:, None, None]
    lit = lit + _each(camera.shade * shade_x) * ramp[None, :, None]
    middle = np.float32(0.5)
    found: Floats = (pictures - middle) * _each(contrast) + middle + lit
    return found


def _cover(pictures: Floats, bad: Bad, rng: np.random.Generator, camera: Camera) -> None:
    """Lay round spots of any color on them."""
    n, size = pictures.shape[:2]
    counts = rng.poisson(camera.covers * bad)
    which = np.repeat(np.arange(n), counts)
    places = (rng.random((len(which), 2)) * size).tolist()
    radii = (size * camera.spot * np.sqrt(bad[which]) * rng.random(len(which))).tolist()
    colors = rng.random((len(which), 3), np.float32)
    for i, (y, x), radius, color in zip(which.tolist(), places, radii, colors, strict=True):
        top, left = max(0, int(y - radius)), max(0, int(x - radius))
        part = pictures[i, top : int(y + radius) + 1, left : int(x + radius) + 1]
        rows, columns = np.ogrid[top : top + part.shape[0], left : left + part.shape[1]]
        part[(rows - y) ** 2 + (columns - x) ** 2 <= radius**2] = color


def _blurred(pictures: Floats, deviations: Bad) -> Floats:
    """Blurred by a normal distribution, along one axis after the other."""
    steps = np.arange(-REACH, REACH + 1)
    weights = np.exp(-0.5 * (steps / np.maximum(deviations, 1e-3)[:, None]) ** 2)
    weights /= weights.sum(axis=1, keepdims=True)
    size = pictures.shape[1]
    within = np.clip(np.arange(-REACH, size + REACH), 0, size - 1)
    for axis in (1, 2):
        padded = pictures.take(within, axis)
        pictures = np.zeros_like(pictures)
        for k in range(len(steps)):
            pictures += padded[(slice(None),) * axis + (slice(k, k + size),)] * _each(weights[:, k])
    return pictures
