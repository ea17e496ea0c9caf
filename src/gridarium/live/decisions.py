"""What agents decide: checked, as this world does it, and repeated."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from gridarium.live.actions import Action, ActionResult
from gridarium.live.actions.action import DURATION, GIVEN
from gridarium.live.brains import AgentBrain
from gridarium.live.messages import Message
from gridarium.live.perception import State

Decision: TypeAlias = tuple[str | None, dict[str, Any]]
"""The name of an action, or None, and its arguments."""
Decisions: TypeAlias = Sequence[Mapping[str, Decision]]
"""For each tick what each agent decided that was not busy."""


REMOVED = "(removed)"
"""In the place of an action: the agent was removed, as its brain had failed."""


class RemovedBefore(Exception):
    """An agent was removed in this tick when what is repeated happened first."""


@dataclass
class KnownAction:
    """An action by its name, as this world does it.

    Attributes:
        cls: its class; None for an action of the core alone.
        duration: its duration where the agent does not say otherwise.
        plain: the core's index where it takes no arguments, else -1.
        results: the results of the core by their codes, where there are no arguments.
    """

    name: str
    cls: type[Action] | None
    duration: int
    plain: int
    results: dict[int, ActionResult] = field(default_factory=dict)


class RepeatingBrain(AgentBrain):
    """Decides what was decided before.

    Args:
        decided: what was decided in a tick, by the ids of agents.
        agent_id: whose brain it is.
    """

    def __init__(self, decided: Callable[[int], Mapping[str, Decision]], agent_id: str) -> None:
        super().__init__()
        self._decided_in, self._whose, self._world_tick = decided, agent_id, 0

    def perceive(self, world: Any) -> None:
        """Look at the clock only."""
        self._world_tick = world.current_nr_ticks

    def filter_observations(self, state: State) -> State:
        """The state as it is.

        Raises:
            RemovedBefore: the agent was removed in this tick.
        """
        if self._decided()[0] == REMOVED:
            raise RemovedBefore
        return state

    def decide_on_action(self, state: State) -> Decision:
        """What was decided in this tick."""
        name, kwargs = self._decided()
        return name, dict(kwargs)

    def _decided(self) -> Decision:
        return self._decided_in(self._world_tick).get(self._whose, (None, {}))


def checked_decision(agent_id: str, decision: Any) -> Decision:
    """A decision, as a name and arguments.

    Raises:
        TypeError: it is something else.
        ValueError: it says for how long the action takes, but not as a number of ticks.
    """
    if decision is None or isinstance(decision, str):
        return decision, {}
    if isinstance(decision, tuple) and len(decision) == 2:
        name, kwargs = decision
        if name is None or isinstance(name, str):
            if not kwargs and (type(kwargs) is dict or kwargs is None or isinstance(kwargs, Mapping)):
                return name, {}
            if isinstance(kwargs, Mapping):
                if taken := [key for key in kwargs if not isinstance(key, str) or key in GIVEN]:
                    raise TypeError(
                        f"agent {agent_id} gave {name} the argument {taken[0]!r}, which no action takes"
                    )
                duration_of(kwargs, 0)
                return name, dict(kwargs)
    raise TypeError(
        f"decide_on_action of agent {agent_id} returned {decision!r}; the name of an action or None, and a dict of its "
        "arguments, are needed"
    )


def check_messages(sent: Sequence[object]) -> None:
    """Check that a brain sends messages only.

    Raises:
        TypeError: it sends something else.
    """
    for each in sent:
        if not isinstance(each, Message):
            raise TypeError(f"agents send instances of Message, not {each!r}")


def duration_of(kwargs: Mapping[str, Any], default: int) -> int:
    """For how many ticks after this one an action keeps its agent busy.

    Raises:
        ValueError: not a number of ticks.
    """
    for key in reversed(DURATION):
        if key in kwargs:
            given = kwargs[key]
            if isinstance(given, int | np.integer) and given >= 0:
                return int(given)
            raise ValueError(f"{key} is a number of ticks, 0 or more, not {given!r}")
    return default


def without_deprecated(kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that an action gets: all but the deprecated name of its duration."""
    return {key: value for key, value in kwargs.items() if key != DURATION[1]}
