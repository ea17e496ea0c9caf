"""numba types of values known at compile time: part of the type, and empty at run time.

Importing this module imports numba.
"""

from __future__ import annotations

import hashlib
from typing import Any

from numba import types
from numba.core.datamodel import models
from numba.core.imputils import lower_constant
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    NativeValue,
    infer_getattr,
    lower_getattr_generic,
    register_model,
    typeof_impl,
    unbox,
)

from gridarium.compiled.data_types.value_class import Static


class StaticType(types.Opaque):
    """The numba type of one `Static` value; the value itself is empty at run time."""

    def __init__(self, content: Any) -> None:
        self.content = content
        digest = hashlib.blake2b(repr(content.__fingerprint__()).encode(), digest_size=6).hexdigest()
        super().__init__(name=f"static({digest})")

    @property
    def key(self) -> Any:
        """The key by which types are compared."""
        return self.content.__static_key__

    def __reduce__(self) -> Any:
        return StaticType, (self.content,)


@register_model(StaticType)
class _StaticModel(models.OpaqueModel):
    pass


@typeof_impl.register(Static)
def _typeof_static(content: Static, context: Any) -> StaticType:
    return StaticType(content)


@infer_getattr
class _StaticFields(AttributeTemplate):
    """Integers and bools of a static value are constants in compiled code."""

    key = StaticType

    def generic_resolve(self, static: Any, name: str) -> Any:
        found = getattr(static.content, name, None)
        if isinstance(found, bool):
            return types.boolean
        return types.int64 if isinstance(found, int) else None


@lower_getattr_generic(StaticType)
def _get_static(context: Any, builder: Any, static: Any, raw: Any, name: str) -> Any:
    found = getattr(static.content, name)
    return context.get_constant(types.boolean if isinstance(found, bool) else types.int64, found)


@lower_constant(StaticType)
def _static_constant(context: Any, builder: Any, static: Any, content: Any) -> Any:
    return context.get_dummy_value()


@unbox(StaticType)
def _unbox_static(static: Any, content: Any, context: Any) -> Any:
    return NativeValue(context.context.get_dummy_value())
