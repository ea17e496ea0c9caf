"""Attributes that are checked when they are set."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any


class Setting:
    """An attribute that is checked when it is set; `settings_changed` of its owner then becomes True.

    It lies in its owner's dictionary and is read from there, at full speed.

    Args:
        check: `(name, value)` gives the value to keep, or raises.
    """

    if TYPE_CHECKING:

        def __get__(self, instance: Any, owner: type | None = None) -> Any: ...

    def __init__(self, check: Callable[[str, Any], Any]) -> None:
        self.check = check

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __set__(self, instance: Any, value: Any) -> None:
        instance.__dict__[self.name] = self.check(self.name, value)
        instance.settings_changed = True


class MapPart(Setting):
    """An array over the cells of its owner, which has `rows` and `cols`, checked when it is set.

    Args:
        check: `(name, value, rows, cols)` gives the array to keep, or raises.
    """

    check: Callable[..., Any]

    def __init__(self, check: Callable[[str, Any, int, int], Any]) -> None:
        self.check = check

    def __set__(self, instance: Any, value: Any) -> None:
        instance.__dict__[self.name] = self.check(self.name, value, instance.rows, instance.cols)


class Fixed(Setting):
    """An attribute that is set once.

    Args:
        reason: why it cannot be set again, and what to do.
    """

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def __set__(self, instance: Any, value: Any) -> None:
        if self.name in instance.__dict__:
            raise AttributeError(f"{self.name} cannot be set: {self.reason}")
        instance.__dict__[self.name] = value
