"""The base of brains: what decides for an agent."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, MutableMapping
from typing import Any, ClassVar, TypeAlias

import numpy as np

from gridarium.live.actions import ActionResult, find_action
from gridarium.live.brains.moves import MOVES
from gridarium.live.messages import Message
from gridarium.live.perception import SenseCapability, State
from gridarium.live.world_interface import WorldInterface

Decision: TypeAlias = "tuple[str | None, dict[str, Any]]"
"""The class name of an action, None to idle, and its keyword arguments."""
MOST_MESSAGES_KEPT = 1000
"""So many of the last messages are kept for a brain that does not clear `received_messages` itself."""


Ask: TypeAlias = Callable[[str, Mapping[str, Any]], ActionResult]
"""`(action, keyword arguments)`: whether an action of one's own is possible now."""


class AgentBrain:
    """Decides for an agent. Subclasses override the hooks; by default it makes a random possible move.

    In a world of the catalogue without moves it takes any possible action without arguments.

    The hooks are `initialize`, `filter_observations`, `decide_on_action`, `get_log_data` and
    `create_context_menu_for_other`.

    Args:
        memorize_for_ticks: for how many ticks things that are not perceived any more are known, see `State`.

    Attributes:
        agent_id: the agent's id.
        agent_name: its name.
        action_set: the names of the actions that it has.
        sense_capability: what it perceives.
        agent_properties: its properties; what a brain changes here, the world changes in the agent's body after the
            decision.
        rnd_seed: the seed of `rnd_gen`.
        rnd_gen: random numbers of its own, which begin anew with each world and each `reset` of it.
        previous_action: the name of the last action, None if it idled.
        previous_action_result: what came of it.
        messages_to_send: what it sends in this tick, see `send_message`.
        received_messages: what others have sent to it: `Message` objects, the newest last. A brain that has read them
            clears the list; otherwise the last 1,000 are kept.

    Raises:
        TypeError, ValueError: not a number of ticks.

    Source: MATRX, `matrx.agents.agent_brain`.

    Example:
        >>> class Eastward(AgentBrain):
        ...     def decide_on_action(self, state):
        ...         return "MoveEast", {}
    """

    wants_user_input: ClassVar[bool] = False
    """Whether the world gives it the keys that a person has pressed."""

    def __init__(self, memorize_for_ticks: int | None = None) -> None:
        self.agent_id = self.agent_name = ""
        self.action_set: list[str] = []
        self.sense_capability: SenseCapability | None = None
        self.agent_properties: MutableMapping[str, Any] = {}
        self.rnd_seed = 0
        self.key_action_map: dict[str, str] = {}
        self.memorize_for_ticks = memorize_for_ticks
        self._ask: Ask | None = None
        self._state = State(None, memorize_for_ticks)
        self._begin()

    def setup(
        self,
        *,
        agent_id: str,
        agent_name: str,
        action_set: Iterable[str],
        sense_capability: SenseCapability | None,
        agent_properties: MutableMapping[str, Any],
        rnd_seed: int,
        ask: Ask,
        key_action_map: Mapping[str, str] | None = None,
    ) -> None:
        """Give the brain its body; called by the world, before `initialize`.

        Args:
            agent_id: see the attributes, as for the others.
            agent_name: the agent's name.
            action_set: the names of its actions.
            sense_capability: what it perceives.
            agent_properties: its properties.
            rnd_seed: of its random numbers.
            ask: says whether an action of this agent is possible.
            key_action_map: the action of each key, for brains of people.

        Raises:
            TypeError: a subclass does not call this class's constructor.
        """
        if not hasattr(self, "_ask"):
            raise TypeError(f"{type(self).__name__}.__init__ does not call super().__init__()")
        self.agent_id, self.agent_name, self.rnd_seed = agent_id, agent_name, rnd_seed
        self.action_set, self.sense_capability = list(action_set), sense_capability
        self.agent_properties, self.key_action_map = agent_properties, dict(key_action_map or {})
        self._ask = ask
        has = set(self.action_set)
        self._moves = [name for name in MOVES if name in has] or [
            n for n in self.action_set if find_action(n) is None
        ]
        self._state = State(agent_id, self.memorize_for_ticks)
        self._begin()

    def _begin(self) -> None:
        self.previous_action: str | None = None
        self.previous_action_result: ActionResult | None = None
        self.messages_to_send: list[Message] = []
        self.received_messages: list[Message] = []
        self.rnd_gen = np.random.RandomState(self.rnd_seed)
        self._state.forget_all()

    # hooks

    def initialize(self) -> None:
        """Called when a world begins, and begins again: the place to set up what depends on the agent's body.

        By default the brain forgets messages, results and what it knows, and its random numbers begin anew.
        """
        self._begin()

    def filter_observations(self, state: State) -> State:
        """Called in every tick, also while the agent is busy: return what of its perception the agent is to know.

        Args:
            state: what its sense capability lets it perceive, and what it remembers.

        Returns:
            The state, by default as it is.
        """
        return state

    def decide_on_action(self, state: State) -> Decision:
        """Called in every tick in which the agent is not busy: choose an action.

        Args:
            state: what the agent knows, after `filter_observations`.

        Returns:
            The class name of one of its actions, or None to idle; and the keyword arguments of the action, among which
            `action_duration` says for how many ticks it keeps the agent busy.
        """
        for i in self.rnd_gen.permutation(len(self._moves)):
            if self.is_action_possible(self._moves[i])[0]:
                return self._moves[i], {}
        return None, {}

    def get_log_data(self) -> dict[str, Any]:
        """Called by loggers: what is to be logged of the agent's thoughts, by name."""
        return {}

    def create_context_menu_for_other(
        self, agent_id_who_clicked: str, clicked_object_id: str | None, click_location: tuple[int, int]
    ) -> list[dict[str, Any]]:
        """Called when another agent's person asks what this agent can be told to do.

        Args:
            agent_id_who_clicked: the agent of that person.
            clicked_object_id: the object that was clicked; None for the floor.
            click_location: the cell that was clicked, (x, y).

        Returns:
            Options: "OptionText", which is shown, and "Message", which is sent to this agent when the option is chosen. By
            default one for each action, with its name as the content of the message.
        """
        return self._menu(agent_id_who_clicked)

    def _menu(self, from_id: str) -> list[dict[str, Any]]:
        return [
            {
                "OptionText": f"Do action: {action}",
                "Message": Message(content=action, from_id=from_id, to_id=self.agent_id),
            }
            for action in self.action_set
        ]

    # what a brain can use

    def is_action_possible(
        self, action: str, action_kwargs: Mapping[str, Any] | None = None
    ) -> tuple[bool, ActionResult]:
        """Ask the world whether an action would be possible now; other agents may come first.

        Args:
            action: the class name of an action.
            action_kwargs: its keyword arguments.

        Returns:
            Whether it is possible, and the result that says why.

        Raises:
            RuntimeError: the brain has no body yet.
        """
        if self._ask is None:
            raise RuntimeError(f"this {type(self).__name__} is in no world yet, and so has nothing to ask")
        answer = self._ask(action, {} if action_kwargs is None else action_kwargs)
        return answer.succeeded, answer

    def send_message(self, message: Message) -> None:
        """Send a message at the end of this tick.

        Raises:
            TypeError: not a `Message`.
            ValueError: it says that it is from somebody else.
        """
        if not isinstance(message, Message):
            raise TypeError(f"a Message is sent, not {message!r}")
        if message.from_id != self.agent_id:
            raise ValueError(f"agent {self.agent_id} cannot send a message from {message.from_id}")
        self.messages_to_send.append(message)

    @property
    def state(self) -> State:
        """What the agent knows; it is brought up to date in each tick, and keeps what it remembers.

        Assigning another one loses what is remembered, which is warned of.
        """
        return self._state

    @state.setter
    def state(self, new: State) -> None:
        if not isinstance(new, State):
            raise TypeError(f"the state of a brain is a State, not {new!r}")
        if new is not self._state:
            warnings.warn(
                f"agent {self.agent_id} is given another State; what the last one remembers is lost",
                stacklevel=2,
            )
        self._state = new

    def perceive(self, world: WorldInterface) -> None:
        """Called by the world in each tick: bring the state up to date."""
        self._state.look(world)
        if len(self.received_messages) > MOST_MESSAGES_KEPT:
            del self.received_messages[:-MOST_MESSAGES_KEPT]
