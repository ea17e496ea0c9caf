"""Array views for compiled rules: just an address and a shape.

numba's own array carries a reference count, strides and sizes, eleven words for three dimensions, and wraps negative
indices. Rules pass a state of five arrays to every function they call, so a small array makes compiling and running
faster. Reading returns an int64 (or a float64) for any width in memory, like `int(...)` around a read in plain Python.
"""

from __future__ import annotations

import functools
import operator
from typing import Any

from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_global, signature
from numba.extending import infer_getattr, lower_builtin, lower_getattr_generic, register_model

from gridarium.compiled.numba_backend.arithmetic import is_real
from gridarium.compiled.numba_backend.struct_model import WholeStructModel


class ViewType(types.Type):
    """A C-contiguous array of `ndim` dimensions at an address."""

    def __init__(self, dtype: Any, ndim: int) -> None:
        self.dtype, self.ndim = dtype, ndim
        super().__init__(name=f"view({dtype}, {ndim}d)")

    @property
    def read(self) -> Any:
        """The type of an element when read."""
        if isinstance(self.dtype, types.Boolean):
            return types.boolean
        return types.float64 if isinstance(self.dtype, types.Float) else types.int64


@register_model(ViewType)
class _ViewModel(WholeStructModel):
    def __init__(self, manager: Any, view: ViewType) -> None:
        sizes = [(f"size{k}", types.int64) for k in range(view.ndim)]
        super().__init__(manager, view, [("data", types.CPointer(view.dtype)), *sizes])


@infer_getattr
class _ViewAttributes(AttributeTemplate):
    key = ViewType

    def resolve_shape(self, view: ViewType) -> Any:
        return types.UniTuple(types.int64, view.ndim)


@lower_getattr_generic(ViewType)
def _get_attribute(context: Any, builder: Any, view: ViewType, raw: Any, name: str) -> Any:
    _, *sizes = cgutils.unpack_tuple(builder, raw)
    return context.make_tuple(builder, types.UniTuple(types.int64, view.ndim), sizes)


def _indices(index: Any) -> int | None:
    """The number of dimensions that an index removes, or None if it is not an index."""
    if isinstance(index, types.Integer):
        return 1
    if isinstance(index, types.BaseTuple) and all(isinstance(i, types.Integer) for i in index):
        return len(index)
    return None


@infer_global(operator.getitem)
class _Get(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        view, index = args
        if not isinstance(view, ViewType) or (taken := _indices(index)) is None or taken > view.ndim:
            return None
        wide = types.int64 if isinstance(index, types.Integer) else types.UniTuple(types.int64, taken)
        return signature(
            view.read if taken == view.ndim else ViewType(view.dtype, view.ndim - taken), view, wide
        )


@infer_global(operator.setitem)
class _Set(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        view, index, given = args
        if not isinstance(view, ViewType) or _indices(index) != view.ndim:
            return None
        if view.read == types.int64 and is_real(given):
            return None  # which would be truncated
        wide = types.int64 if isinstance(index, types.Integer) else types.UniTuple(types.int64, view.ndim)
        return signature(types.none, view, wide, view.read)


def _locate(context: Any, builder: Any, view: ViewType, raw: Any, index_type: Any, index: Any) -> Any:
    """The pointer to the first element selected by an index, and the remaining sizes."""
    data, *sizes = cgutils.unpack_tuple(builder, raw)
    given = [index] if isinstance(index_type, types.Integer) else cgutils.unpack_tuple(builder, index)
    offset = given[0]
    for k in range(1, view.ndim):
        offset = builder.mul(offset, sizes[k])
        if k < len(given):
            offset = builder.add(offset, given[k])
    return builder.gep(data, [offset]), sizes[len(given) :]


@lower_builtin(operator.getitem, ViewType, types.Integer)
@lower_builtin(operator.getitem, ViewType, types.BaseTuple)
def _get(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    view, index_type = sig.args
    pointer, sizes = _locate(context, builder, view, args[0], index_type, args[1])
    if sizes:
        return make_view(context, builder, sig.return_type, pointer, sizes)
    return context.cast(builder, context.unpack_value(builder, view.dtype, pointer), view.dtype, view.read)


@lower_builtin(operator.setitem, ViewType, types.Integer, types.Any)
@lower_builtin(operator.setitem, ViewType, types.BaseTuple, types.Any)
def _set(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    view, index_type, given = sig.args
    pointer, _ = _locate(context, builder, view, args[0], index_type, args[1])
    context.pack_value(builder, view.dtype, context.cast(builder, args[2], given, view.dtype), pointer)
    return context.get_dummy_value()


def make_view(context: Any, builder: Any, view: ViewType, pointer: Any, sizes: list[Any]) -> Any:
    """A view from a typed pointer and its sizes."""
    return cgutils.pack_struct(builder, [pointer, *sizes])


def view_at(context: Any, builder: Any, view: ViewType, address: Any, sizes: list[Any]) -> Any:
    """A view from an address given as an integer."""
    pointer = builder.inttoptr(address, context.get_data_type(view.dtype).as_pointer())
    return make_view(context, builder, view, pointer, sizes)


def data_pointer(context: Any, builder: Any, array_type: Any, raw: Any) -> Any:
    """The pointer to the first element of a view or of a numba array."""
    if isinstance(array_type, ViewType):
        return builder.extract_value(raw, 0)
    return context.make_array(array_type)(context, builder, raw).data


def element_count(context: Any, builder: Any, array_type: Any, raw: Any) -> Any:
    """The number of elements of a view or a numba array."""
    if not isinstance(array_type, ViewType):
        return context.make_array(array_type)(context, builder, raw).nitems
    _, *sizes = cgutils.unpack_tuple(builder, raw)
    return functools.reduce(builder.mul, sizes)
