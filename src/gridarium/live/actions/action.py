"""Actions of agents in live worlds as classes: whether they are possible, what they do, how long they take."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any, ClassVar

from gridarium.live.actions.action_result import ActionResult
from gridarium.live.world_interface import WorldInterface

GIVEN = ("self", "grid_world", "agent_id", "world_state")
"""The parameters that the world fills in."""
DURATION = ("action_duration", "duration_in_ticks")
"""The arguments by which an agent chooses how long an action takes; the second is deprecated."""
_named: dict[str, type[Action]] = {}
_versions = [0]


class Action:
    """The effect of an action on the world. Override `is_possible` and `mutate` in a subclass, whose name is the action's.

    The class is found by its name wherever it is defined, also after a world was made; of two with one name the later one.
    Its constructor must work without arguments.

    Args:
        duration_in_ticks: for how many ticks after that of the decision the agent is busy, 0 or more. While it is busy, its
            brain perceives and does not decide. An agent may say otherwise with the argument `action_duration`: `return
            "MoveNorth", {"action_duration": 3}`.

    Raises:
        ValueError: a duration below 0.

    Source: MATRX 2.3.3, whose program has the default 0, too, though its documentation says 1 in words.

    Example:
        >>> class Vanish(Action):
        ...     def mutate(self, grid_world, agent_id, world_state, **kwargs):
        ...         grid_world.remove_from_grid(agent_id)
        ...         return ActionResult(ActionResult.ACTION_SUCCEEDED, True)
    """

    is_abstract: ClassVar[bool] = True
    """Whether it is only there to be extended, and is none of the actions of a world."""

    replaces: ClassVar[bool] = False
    """Whether it has taken the name of another class, and does not say itself which action of the core does the same."""

    def __init_subclass__(cls, abstract: bool = False, **_: Any) -> None:
        cls.is_abstract = abstract
        cls.replaces = cls.__name__ in _named and "core_index" not in vars(cls)
        _named[cls.__name__] = cls
        _versions[0] += 1

    def __init__(self, duration_in_ticks: int = 0) -> None:
        if int(duration_in_ticks) != duration_in_ticks or duration_in_ticks < 0:
            raise ValueError(f"an action takes 0 or more ticks, not {duration_in_ticks!r}")
        self.duration_in_ticks = int(duration_in_ticks)

    def is_possible(
        self, grid_world: WorldInterface, agent_id: str, world_state: Any, **kwargs: Any
    ) -> ActionResult:
        """Whether the action is possible now, as far as can be said without doing it; changes nothing.

        Args:
            grid_world: the world.
            agent_id: who would act.
            world_state: the `State` of the whole world, not of what the agent perceives.
            kwargs: the arguments that the agent has given. Where a method names arguments without a default, the world checks that
                they are given before it asks.

        Returns:
            The expected result; by default that it will succeed.
        """
        return ActionResult(ActionResult.ACTION_SUCCEEDED, True)

    def mutate(
        self, grid_world: WorldInterface, agent_id: str, world_state: Any, **kwargs: Any
    ) -> ActionResult:
        """Change the world. Called if the action was possible, when its duration has passed; it may still fail.

        Args:
            grid_world: the world, to be changed.
            agent_id: as for `is_possible`.
            world_state: likewise.
            kwargs: likewise.

        Returns:
            The actual result, which the agent's brain gets as `previous_action_result`.
        """
        raise NotImplementedError(f"{type(self).__name__} does not override mutate")

    @classmethod
    def core_index(cls, grid_world: WorldInterface, agent_id: str, kwargs: dict[str, Any]) -> int:
        """The index of the core's action that does the same; -1 if only this class can do it. Arguments left open may be filled in."""
        return -1

    @classmethod
    def result_of(cls, code: int, kwargs: Mapping[str, Any], agent_id: str) -> ActionResult:
        """The result for a code of the core (`gridarium.rules.results`), where the core has done the action."""
        raise NotImplementedError(f"{cls.__name__} is no action of the core")

    @classmethod
    def missing_arguments(cls, kwargs: Mapping[str, Any]) -> list[str]:
        """The arguments without a default that are not given."""
        return [name for name in _required(cls) if name not in kwargs]


def find_action(name: str) -> type[Action] | None:
    """The class of an action by its name; None if there is none, or it is abstract."""
    found = _named.get(name)
    return None if found is None or found.is_abstract else found


def actions_version() -> int:
    """Changes when a class is defined."""
    return _versions[0]


def all_actions() -> list[str]:
    """The names of all actions, in alphabetical order."""
    return sorted(name for name, cls in _named.items() if not cls.is_abstract)


_requirements: dict[type[Action], tuple[str, ...]] = {}


def _required(cls: type[Action]) -> tuple[str, ...]:
    found = _requirements.get(cls)
    if found is None:
        names = dict.fromkeys(
            p.name
            for method in (cls.is_possible, cls.mutate)
            for p in inspect.signature(method).parameters.values()
            if p.name not in GIVEN
            and p.default is p.empty
            and p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)
        )
        found = _requirements[cls] = tuple(names)
    return found
