"""Nested data: dicts and tuples whose leaves are values or arrays; and the dtypes that hold values exactly.

NumPy does not keep large integers among floats, nor zeros at the end of texts.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from typing import Any, Literal, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from gridarium.episodes.errors import EpisodeError

NUMERIC = "biufc"
"""The kinds (`dtype.kind`) of numeric dtypes."""

EXACT = 2**53
"""A float64 holds every integer up to this one."""

MIN_FAST_INT, MAX_FAST_INT = -(2**30) + 1, 2**30 - 1
"""Python compares integers between these in one step."""


@cache
def holds(dtype: np.dtype[Any], other: np.dtype[Any]) -> bool:
    """Return whether a dtype holds every number of another dtype exactly. Other than numeric dtypes hold only themselves."""
    if dtype == other:
        return True
    if other.kind in "iu" and dtype.kind in "fc" and np.iinfo(other).max > _largest(dtype):
        return False
    return dtype.kind in NUMERIC and other.kind in NUMERIC and np.result_type(dtype, other) == dtype


def _largest(dtype: np.dtype[Any]) -> int:
    """Floats of a dtype hold every integer up to this one."""
    return int(2 ** (np.finfo(dtype).nmant + 1))


def check_exact(path: str, values: npt.NDArray[Any], dtype: np.dtype[Any]) -> None:
    """Check that integers keep their values in arrays of another dtype.

    Raises:
        EpisodeError: they would become floats, and one of them is too large for that.
    """
    if values.dtype.kind not in "iu" or dtype.kind not in "fc" or not values.size:
        return
    largest = _largest(dtype)
    for value in (int(values.min()), int(values.max())):
        if abs(value) > largest:
            raise EpisodeError(
                f"{path or 'data'}: the whole number {value} stands among numbers of type {dtype}, which hold whole "
                f"numbers only up to {largest}"
            )


def check_texts(path: str, values: Iterable[Any]) -> None:
    """Check that texts keep their values in an array.

    Raises:
        EpisodeError: one of them ends with a zero character, which NumPy takes for padding.
    """
    for value in values:
        if isinstance(value, (str, bytes)) and value and value[-1] in ("\0", 0):
            raise EpisodeError(
                f"{path or 'data'}: {value!r} ends with a zero character, which arrays of texts do not keep"
            )


def overwritten_dtypes(arrays: Sequence[npt.NDArray[Any]], others: Sequence[Any]) -> list[np.dtype[Any]]:
    """Return the dtypes of arrays after others are written into them; floats may be rounded to the stored dtype.

    Raises:
        EpisodeError: numbers that no common dtype holds exactly.
    """
    types: list[np.dtype[Any]] = []
    for array, other in zip(arrays, others, strict=True):
        types.append(common_dtype(array.dtype, other, round_floats=True))
        for values in (array, np.asarray(other)):
            check_exact("", values, types[-1])
    return types


def common_dtype(dtype: np.dtype[Any], new: Any, *, round_floats: bool = False) -> np.dtype[Any]:
    """Return the dtype that holds both. Integers that fit into the stored dtype do not widen it."""
    new = np.asarray(new)
    if dtype == new.dtype or (round_floats and dtype.kind == new.dtype.kind == "f"):
        return dtype
    if dtype.kind in "iu" and new.dtype.kind in "iu" and new.size:
        limits = np.iinfo(dtype)
        if limits.min <= int(new.min()) and int(new.max()) <= limits.max:
            return dtype
    return np.result_type(dtype, new.dtype)


Struct: TypeAlias = "dict[Any, Struct] | tuple[Struct, ...] | Any"
"""A leaf (a value or an array), or a dict or tuple of structs."""

Form = TypeVar("Form")
"""A struct of the form of another one."""


def batch(
    list_of_structs: list[Struct], *, individual_items_already_have_batch_dim: bool | Literal["auto"] = False
) -> Struct:
    """Join many structs to one struct of arrays with a leading axis.

    Leaves of different types get their common type (`numpy.result_type`); it is an error if that cannot hold all of them.

    Args:
        list_of_structs: n structs of the same form.
        individual_items_already_have_batch_dim: join the items along their own first axis instead of stacking them.
            "auto" means False: there is no special class of arrays here.

    Raises:
        EpisodeError: an empty list, or items of different forms (naming the leaf).
    """
    if not list_of_structs:
        raise EpisodeError("there is nothing to batch: the list is empty")
    joined = individual_items_already_have_batch_dim is True
    combine = np.concatenate if joined else np.stack

    def leaf(path: str, *values: Any) -> Any:
        if isinstance(values[0], (int, float, bool)) and not joined:
            with contextlib.suppress(ValueError):  # shapes that differ are reported below
                numbers = np.asarray(values)
                if numbers.dtype.kind in "biu" or all(isinstance(value, float) for value in values):
                    return numbers
        if any(isinstance(value, np.ma.MaskedArray) for value in values):
            raise EpisodeError(
                f"{path or 'items'}: masked arrays would lose their masks; fill them first (numpy.ma.filled)"
            )
        arrays = [np.asarray(value) for value in values]
        try:
            combined = combine(arrays)
        except ValueError as error:
            shapes = sorted({np.shape(value) for value in values})
            raise EpisodeError(f"{path or 'items'}: cannot be batched, the shapes are {shapes}") from error
        if not arrays[0].dtype.isnative and all(array.dtype == arrays[0].dtype for array in arrays):
            combined = combined.astype(arrays[0].dtype)  # NumPy makes it native
        if combined.dtype.kind in "US":
            check_texts(path, values)
        if combined.dtype.kind in "fc":
            for array in arrays:
                check_exact(path, array, combined.dtype)
        return combined

    return map_structs(leaf, *list_of_structs)


def unbatch(struct: Struct) -> list[Struct]:
    """Return the items of a struct of arrays: the inverse of `batch`.

    Raises:
        EpisodeError: leaves of different lengths.
    """
    return [map_structs(lambda _, leaf, i=i: leaf[i], struct) for i in range(length(struct))]


def length(struct: Struct) -> int:
    """Return the number of items in a struct of arrays; 0 if it has no leaves.

    Raises:
        EpisodeError: leaves of different lengths.
    """
    lengths = {path: len(leaf) for path, leaf in leaves(struct)}
    if len(set(lengths.values())) > 1:
        raise EpisodeError(f"leaves have different lengths: {lengths}")
    return next(iter(lengths.values()), 0)


def map_structs(function: Callable[..., Any], first: Form, *others: Struct, path: str = "") -> Form:
    """Apply `function(path, leaf, *leaves)` to the leaves at the same path of all structs.

    The first struct determines the form. A path is written as in Python: `['camera'][0]`.

    Raises:
        EpisodeError: another struct lacks a key, or has another form.
    """
    if not isinstance(first, (dict, tuple)):
        for other in others:
            if isinstance(other, (dict, tuple)):
                raise EpisodeError(f"{path or 'item'}: expected {_form(first)}, got {_form(other)}")
        return function(path, first, *others)  # type: ignore[no-any-return]
    keys = list(first) if isinstance(first, dict) else list(range(len(first)))
    for other in others:
        if not isinstance(other, type(first)) or len(other) != len(first):
            raise EpisodeError(f"{path or 'item'}: expected {_form(first)}, got {_form(other)}")
    try:
        mapped = [
            map_structs(function, first[k], *[other[k] for other in others], path=f"{path}[{k!r}]")
            for k in keys
        ]
    except KeyError as error:
        raise EpisodeError(f"{path or 'item'}: no entry {error} where the others have one") from error
    made = dict(zip(keys, mapped, strict=True)) if isinstance(first, dict) else tuple(mapped)
    return made  # type: ignore[return-value]


def leaves(struct: Struct, path: str = "") -> Iterator[tuple[str, Any]]:
    """Return the leaves with their paths, in order."""
    if isinstance(struct, dict):
        for key, value in struct.items():
            yield from leaves(value, f"{path}[{key!r}]")
    elif isinstance(struct, tuple):
        for i, value in enumerate(struct):
            yield from leaves(value, f"{path}[{i}]")
    else:
        yield path, struct


def equal(a: Struct, b: Struct, *, equal_nan: bool = False) -> bool:
    """Return whether two structs have the same form and the same values. NaN is equal to nothing, unless `equal_nan`."""
    alike = partial(equal, equal_nan=equal_nan)
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(alike(a[k], b[k]) for k in a)
    if isinstance(a, (tuple, list)):
        return type(a) is type(b) and len(a) == len(b) and all(map(alike, a, b))
    if isinstance(b, (dict, tuple, list)):
        return False
    numbers = equal_nan and np.asarray(a).dtype.kind in "fc" and np.asarray(b).dtype.kind in "fc"
    return bool(np.array_equal(a, b, equal_nan=numbers))


def _form(struct: Struct) -> str:
    if isinstance(struct, dict):
        return f"a dict with {sorted(map(repr, struct))}"
    if isinstance(struct, tuple):
        return f"a tuple of {len(struct)}"
    return f"a leaf of type {type(struct).__name__}"
