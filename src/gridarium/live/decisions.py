"""What agents decide: checked, as this world does it, and repeated."""

from __future__ import annotations

import copy
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


REMOVED, BUSY = "(removed)", "(busy)"
"""In the place of an action: the agent was removed, as its brain had failed; or it was busy, and so did not decide."""
INTERRUPTED = "(interrupted)"
"""In the place of an agent's id: Ctrl-C has ended the tick when a part of it had happened."""
PEOPLE = "(people)"
"""In the place of an agent's id: what people did who write messages themselves."""
PROPERTIES, MESSAGES = "(properties)", "(messages)"
"""Among the arguments of a decision: the properties of its body that the brain has changed, and the messages that it has sent, each
as (content, from_id, to_id)."""


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
        """The state as it is. Properties are changed and messages sent here, since busy agents do so, too.

        Raises:
            RemovedBefore: the agent was removed in this tick.
        """
        name, kwargs = self._decided()
        self.agent_properties.update(copy.deepcopy(kwargs.get(PROPERTIES, {})))
        self.messages_to_send = messages_of(kwargs)
        if name == REMOVED:
            raise RemovedBefore
        return state

    def decide_on_action(self, state: State) -> Decision:
        """What was decided in this tick."""
        name, kwargs = self._decided()
        return name, {key: value for key, value in kwargs.items() if key not in (PROPERTIES, MESSAGES)}

    def _decided(self) -> Decision:
        return self._decided_in(self._world_tick).get(self._whose, (None, {}))


def messages_of(kwargs: Mapping[str, Any]) -> list[Message]:
    """The messages among the arguments of a decision that is repeated."""
    return [Message(copy.deepcopy(content), *ids) for content, *ids in kwargs.get(MESSAGES, ())]


def said_in(decisions: Decisions) -> dict[int, str]:
    """What was said, a line for each message, by the number of ticks after which it is known."""
    said: dict[int, str] = {}
    for tick, decided in enumerate(decisions, 1):
        messages = [each for _, kwargs in decided.values() for each in messages_of(kwargs)]
        if messages:
            said[tick] = "\n".join(map(_line, messages))
    return said


def _line(message: Message) -> str:
    named = [message.to_id] if message.to_id is None or isinstance(message.to_id, str) else message.to_id
    return f"{message.from_id} to {', '.join(name or 'all' for name in named)}: {message}"


def note_besides(decided: dict[str, Decision], whose: str, what: str, noted: Any) -> None:
    """Add to what somebody decided what else was done.

    Args:
        decided: what was decided in this tick.
        whose: the id of an agent, which is busy if it did not decide, or `PEOPLE`.
        what: `PROPERTIES` or `MESSAGES`.
        noted: the properties, or the messages.
    """
    if what == MESSAGES:
        noted = [(each.content, each.from_id, each.to_id) for each in noted]
    name, kwargs = decided.get(whose, (None if whose == PEOPLE else BUSY, {}))
    decided[whose] = name, {**kwargs, what: copy.deepcopy(noted)}


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
                return name, {key: _kept(value) for key, value in kwargs.items()}
    raise TypeError(
        f"decide_on_action of agent {agent_id} returned {decision!r}; the name of an action or None, and a dict of its "
        "arguments, are needed"
    )


def _kept(value: Any) -> Any:
    """An argument as it is now: a copy, where a brain might go on changing it."""
    if type(value) is dict:
        return {key: _kept(item) for key, item in value.items()}
    if type(value) in (list, tuple, set):
        return type(value)(map(_kept, value))
    return value.copy() if isinstance(value, np.ndarray) else value


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
