"""Schemas: how the items of an episode are spread over columns, one for each leaf, named by its path.

A schema is a struct (dicts and tuples) whose leaves are columns. The item `{"camera": ..., "pose": (..., ...)}` of the
observations has the columns `observations.camera`, `observations.pose.0` and `observations.pose.1`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import gymnasium as gym
import numpy as np
import numpy.typing as npt

from gridarium.episodes.buffer.structs import Struct, check_exact
from gridarium.episodes.errors import EpisodeError

Array = npt.NDArray[Any]
Integers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Columns = dict[str, Array]
"""Arrays of rows by the names of columns."""

STORABLE_KINDS = "biufU"
"""The kinds (`dtype.kind`) that columns hold: booleans, integers, floats, texts."""


@dataclass(frozen=True)
class Column:
    """A leaf.

    Attributes:
        dtype: of its numbers; the width of texts is irrelevant.
        shape: of one item.
    """

    dtype: np.dtype[Any]
    shape: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.dtype.name if self.dtype.kind != 'U' else 'text'}{list(self.shape) or ''}"

    @property
    def nbytes(self) -> int:
        """Bytes of one item."""
        return self.dtype.itemsize * int(np.prod(self.shape))

    def cast(self, values: Any, name: str, *, rounded: bool = False) -> Array:
        """Values with a leading axis, in the column's dtype.

        Args:
            values: numbers, booleans or texts.
            name: of the column.
            rounded: whether columns of floats accept numbers that they do not hold exactly.

        Raises:
            EpisodeError: another shape, or numbers that the dtype does not hold.
        """
        array = np.asarray(values)
        if array.shape[1:] != self.shape:
            raise EpisodeError(f"{name}: items have the shape {array.shape[1:]}, the column is {self}")
        if array.dtype == self.dtype:
            return array
        if "U" in (array.dtype.kind, self.dtype.kind):
            if array.dtype.kind == self.dtype.kind:
                return array
        elif np.can_cast(array.dtype, self.dtype, "safe") or not array.size:
            if not rounded:
                check_exact(name, array, self.dtype)  # for NumPy int64 to float64 is safe, too
            return array.astype(self.dtype)
        elif rounded and array.dtype.kind in "iubf" and self.dtype.kind == "f":
            with np.errstate(over="ignore"):
                near = array.astype(self.dtype)
            if not (np.isinf(near) & np.isfinite(array)).any():
                return near
        elif array.dtype.kind in "iub" and self.dtype.kind in "iu":
            limits = np.iinfo(self.dtype)
            if limits.min <= int(array.min()) and int(array.max()) <= limits.max:
                return array.astype(self.dtype)
        raise EpisodeError(
            f"{name}: values of type {array.dtype} do not fit into the column, which is {self}"
        )


Schema: TypeAlias = "Column | dict[Any, Schema] | tuple[Schema, ...]"
"""A column, or a dict or tuple of schemas."""


def named_leaves(name: str, struct: Struct) -> Iterator[tuple[str, Any]]:
    """Return the leaves of a struct with the names of their columns, in order.

    Raises:
        EpisodeError: a key that is neither a text nor an integer.
    """
    if isinstance(struct, dict):
        for key, part in struct.items():
            yield from named_leaves(child_path(name, key), part)
    elif isinstance(struct, tuple):
        for i, part in enumerate(struct):
            yield from named_leaves(f"{name}.{i}", part)
    else:
        yield name, struct


def require_rows(name: str, struct: Struct, n: int) -> None:
    """Check that each leaf of a struct is an array of n items.

    Raises:
        EpisodeError: one is not (naming its column).
    """
    for path, leaf in named_leaves(name, struct):
        if np.shape(leaf)[:1] != (n,):
            raise EpisodeError(
                f"{path}: {n} items are needed, one for each track; the shape is {np.shape(leaf)}"
            )


def build_struct(name: str, schema: Schema, leaf: Callable[[str], Any]) -> Struct:
    """Return the struct of a schema with `leaf(name of the column)` in the place of each column."""
    if isinstance(schema, dict):
        return {key: build_struct(child_path(name, key), part, leaf) for key, part in schema.items()}
    if isinstance(schema, tuple):
        return tuple(build_struct(f"{name}.{i}", part, leaf) for i, part in enumerate(schema))
    return leaf(name)


def schema_of(name: str, struct: Struct) -> Schema:
    """Return the schema of the items of a struct of arrays with a leading axis.

    Raises:
        EpisodeError: a leaf that no column holds (naming it).
    """
    arrays = dict(named_leaves(name, struct))
    for path, array in arrays.items():
        if not isinstance(array, np.ndarray) or not array.ndim or array.dtype.kind not in STORABLE_KINDS:
            kind = f"an array of {array.dtype}" if isinstance(array, np.ndarray) else repr(type(array))
            raise EpisodeError(f"{path}: no column holds {kind}; booleans, numbers and texts can be stored")
    return build_struct(name, struct, lambda path: Column(arrays[path].dtype, arrays[path].shape[1:]))


def schema_of_space(space: gym.Space[Any]) -> Schema:
    """Return the schema of the items of a space.

    Raises:
        EpisodeError: a kind of space whose items have no fixed form.
    """
    if isinstance(space, gym.spaces.Dict):
        return {key: schema_of_space(part) for key, part in space.spaces.items()}
    if isinstance(space, gym.spaces.Tuple):
        return tuple(schema_of_space(part) for part in space.spaces)
    if isinstance(space, gym.spaces.Text):
        return Column(np.dtype("U1"), ())
    if space.dtype is None or space.shape is None:
        raise EpisodeError(f"items of {space} have no fixed form")
    return Column(np.dtype(space.dtype), tuple(map(int, space.shape)))


def cast_columns(name: str, schema: Schema, struct: Struct, *, rounded: bool = False) -> Columns:
    """Return the arrays of a struct as columns of a schema; `rounded` as for `Column.cast`.

    Raises:
        EpisodeError: the struct has other leaves, or a leaf does not fit (naming it).
    """
    wanted, given = dict(named_leaves(name, schema)), dict(named_leaves(name, struct))
    odd = wanted.keys() ^ given.keys()
    if odd:
        first = sorted(odd)[0]
        raise EpisodeError(f"{first}: only in the {'data' if first in given else 'columns'}")
    return {path: column.cast(given[path], path, rounded=rounded) for path, column in wanted.items()}


def child_path(name: str, key: Any) -> str:
    """Return the path of the entry under a key of a dict.

    Raises:
        EpisodeError: a key that is neither a text nor an integer.
    """
    if not isinstance(key, str | int) or isinstance(key, bool):
        raise EpisodeError(f"{name}: keys are texts or whole numbers, not {key!r}")
    return f"{name}.{str(key).replace('~', '~0').replace('.', '~1')}"


@dataclass(frozen=True)
class EpisodeSchema:
    """The schemas of all that an episode holds.

    Attributes:
        observations, actions: schemas of one item.
        extras: of the extra model outputs, by their keys.
    """

    observations: Schema
    actions: Schema
    extras: Mapping[str, Schema]

    def parts(self) -> dict[str, Schema]:
        """Return the schemas by the name with which their columns begin."""
        extras = {"extras": dict(self.extras)} if self.extras else {}
        return {
            "observations": self.observations,
            "actions": self.actions,
            "rewards": REWARDS,
            **extras,
        }

    def columns(self) -> dict[str, Column]:
        """Return all columns of numbers, in order.

        Raises:
            EpisodeError: two leaves with one name.
        """
        pairs = [pair for name, schema in self.parts().items() for pair in named_leaves(name, schema)]
        named = dict(pairs)
        if len(named) < len(pairs):
            raise EpisodeError("two leaves have the same path: a key is both a text and a number")
        return named

    @property
    def row_bytes(self) -> int:
        """Bytes of the numbers of one step."""
        return max(1, sum(column.nbytes for column in self.columns().values()))


REWARDS = Column(np.dtype(np.float64), ())
