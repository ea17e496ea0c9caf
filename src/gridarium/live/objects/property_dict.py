"""Properties as agents perceive them: a dict that cannot be changed."""

from __future__ import annotations

from typing import Any, NoReturn


class PropertyDict(dict[str, Any]):
    """The properties of an object at one moment. Several agents share it, so it refuses to be changed: `dict(p)` is a copy."""

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError(
            "perceived properties cannot be changed: dict(properties) makes a copy; an action changes the world"
        )

    __setitem__ = __delitem__ = __ior__ = update = pop = popitem = clear = setdefault = _refuse  # type: ignore[assignment]

    def __reduce__(self) -> Any:
        return PropertyDict, (dict(self),)

    def __copy__(self) -> dict[str, Any]:
        return dict(self)

    def __deepcopy__(self, memo: Any) -> dict[str, Any]:
        import copy

        return {key: copy.deepcopy(value, memo) for key, value in self.items()}
