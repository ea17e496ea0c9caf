"""The registry of legal rules: those that answer for one action, and those that fill a mask of actions.

A plain rule says whether the agent in focus may take an action now:

    @legal_function_registry.register
    def is_free(state, action):
        return isinstance(state.grid[action.at], Floor)

Where answers depend on search, a rule fills the mask of an action at once; its items are False before. There is an axis for
each argument, and two for a position:

    @legal_function_registry.register(fills=PLACE)
    def fits(state, mask):
        places = mask.of(PLACE)
        for p in corners(state):
            places[piece, p] = True
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from gridarium.rules.registry import FunctionRegistry
from gridarium.world.actions import Action

Fills: TypeAlias = bool | str | Action | Iterable[str | Action]


class LegalFunctionRegistry(FunctionRegistry):
    """The legal rules by name; see `FunctionRegistry`."""

    def __init__(self) -> None:
        super().__init__("legal", ("state", "action"))
        self._fills: dict[Callable[..., Any], tuple[str, ...]] = {}

    def register(
        self,
        function: Any = None,
        *,
        name: str | None = None,
        scope: str | None = None,
        fills: Fills = False,
    ) -> Any:
        """Add a legal rule; also usable as a decorator, with and without arguments. Returns the function.

        Args:
            function: `(state, action, *, <parameters>)`, whether the action is legal; or `(state, mask, *, <parameters>)`,
                which fills an `ActionMask`.
            name: its name, by default the function's own.
            scope: legal rules have none.
            fills: the actions that the rule fills, or their names; True for all actions of a world.

        Raises:
            TypeError: the function does not follow the protocol, or `fills` names no actions.
            ValueError: another function has the name.
        """
        if function is None:
            return functools.partial(self.register, name=name, scope=scope, fills=fills)
        names = () if isinstance(fills, bool) else _names(fills)
        super().register(function, name=name, scope=scope)
        if fills is not False:
            self._fills[function] = names
        return function

    def fills(self, rule: Callable[..., Any] | str) -> tuple[str, ...] | None:
        """The names of the actions that a rule fills, none if it fills all of a world's; None for plain rules."""
        function = self._resolve(rule)
        return self._fills.get(function.func if isinstance(function, functools.partial) else function)


def _names(fills: str | Action | Iterable[str | Action]) -> tuple[str, ...]:
    listed = (fills,) if isinstance(fills, str | Action) else tuple(fills)
    if not listed or not all(isinstance(action, str | Action) for action in listed):
        raise TypeError(f"fills takes True, an action or several, not {fills!r}")
    return tuple(action.name if isinstance(action, Action) else action for action in listed)
