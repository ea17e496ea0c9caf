"""The properties of an object, by name: read only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NoReturn

READ_ONLY = "gridarium: a world is copied"
"""The key in the memo of `copy.deepcopy` with which what is perceived in a copied world stays read only."""


class PropertyDict(dict[str, Any]):
    """The properties of an object as it was at one moment: a dict that cannot be changed.

    The same dict is given to all who perceive the object. `dict(properties)` and `copy.deepcopy(properties)` are dicts that
    can be changed, without effect on the world.

    Raises:
        TypeError: somebody tries to change it.
    """

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError(
            "what is perceived is read only; dict(properties) is a copy that can be changed, and an agent changes its "
            "own properties by its agent_properties"
        )

    __setitem__ = __delitem__ = clear = pop = popitem = setdefault = update = __ior__ = _refuse

    def __deepcopy__(self, memo: dict[Any, Any]) -> dict[str, Any]:
        from copy import deepcopy

        copied = {name: deepcopy(value, memo) for name, value in self.items()}
        return PropertyDict(copied) if READ_ONLY in memo else copied

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return PropertyDict, (dict(self),)


def read_only(properties: Mapping[str, Any]) -> PropertyDict:
    """Properties as a `PropertyDict`; those that are one already are returned themselves."""
    return properties if isinstance(properties, PropertyDict) else PropertyDict(properties)


def frozen(value: Any) -> Any:
    """A value with mappings that cannot be changed, and copies of its lists."""
    if isinstance(value, Mapping):
        return PropertyDict({key: frozen(item) for key, item in value.items()})
    return [frozen(item) for item in value] if isinstance(value, list) else value
