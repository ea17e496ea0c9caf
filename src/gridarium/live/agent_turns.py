"""The turns of agents in a tick: they perceive, decide, and begin what they have decided upon; and what failures of theirs do."""

from __future__ import annotations

import contextlib
import functools
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from gridarium.live.action_execution import ActionExecution, Due, LiveAgent
from gridarium.live.brains import AgentBrain
from gridarium.live.decisions import (
    REMOVED,
    Decision,
    KnownAction,
    RemovedBefore,
    RepeatingBrain,
    check_messages,
    checked_decision,
    duration_of,
)
from gridarium.live.entity_registry import EntityRegistry
from gridarium.live.objects.own_properties import OwnProperties
from gridarium.live.perception import State
from gridarium.live.saving import Pending
from gridarium.live.world_interface import WorldInterface

MOST_SEED = 1_000_000
_LOG = logging.getLogger(__name__)
Turn: TypeAlias = tuple[LiveAgent, str | None, dict[str, Any], KnownAction | None, bool]
"""An agent, what it has decided upon with its arguments, what is known of that, and whether the agent stays in the world."""


class BrainFailure(RuntimeError):
    """A brain has raised an exception, or decided upon something that is no action."""


class ActionFailure(RuntimeError):
    """The class of an action has raised an exception; everything else of the tick has happened."""


class AgentTurns:
    """The turns of the agents of a live world.

    Args:
        world: the world.
        execution: does its actions.
        on_error: what an exception of a brain or an action does, see `GridWorld`.

    Attributes:
        errors: the exceptions so far, as (tick, agent id, exception), the last thousand.

    Raises:
        ValueError: an unknown `on_error`.
    """

    def __init__(self, world: WorldInterface, execution: ActionExecution, on_error: str) -> None:
        self._world, self._execution, self.on_error = world, execution, on_error
        self.errors: list[tuple[int, str, Exception]] = []

    @property
    def on_error(self) -> str:
        """What an exception of a brain or an action does."""
        return self._on_error

    @on_error.setter
    def on_error(self, new: str) -> None:
        if new not in ("stop", "skip", "remove"):
            raise ValueError(f"on_brain_error is stop, skip or remove, not {new!r}")
        self._on_error = new

    def begin(self, agents: Sequence[LiveAgent], seed: int) -> None:
        """Give brains their bodies and random numbers, and let them perceive; agents whose brains fail go, if `on_error` says so.

        Raises:
            BrainFailure: the world is to stop.
        """
        seeds = np.random.RandomState(seed)
        for agent in agents:
            self.set_up(agent, int(seeds.randint(1, MOST_SEED)))
        for agent in agents:
            try:
                agent.brain.initialize()
                self.perceive(agent)
            except Exception as error:
                if not self.contain(agent, error):
                    self._world.remove_from_grid(agent.agent_id)

    def set_up(self, agent: LiveAgent, seed: int) -> None:
        """Give a brain its body, and a seed for its random numbers."""
        agent.properties = OwnProperties(agent.body)
        agent.brain.setup(
            agent_id=agent.agent_id,
            agent_name=agent.body.obj_name,
            action_set=agent.body.action_set,
            sense_capability=agent.body.sense_capability,
            agent_properties=agent.properties,
            rnd_seed=seed,
            key_action_map=agent.body.key_action_map,
            ask=functools.partial(self._execution.is_possible, agent.agent_id),
        )

    @contextlib.contextmanager
    def repeating(
        self, entities: EntityRegistry, decided_in: Callable[[int], Mapping[str, Decision]]
    ) -> Iterator[None]:
        """Context in which the agents do what was decided before, also those that are added, and failing actions do not stop the world.

        Args:
            entities: the agents of the world.
            decided_in: what was decided in a tick, by the ids of agents.
        """
        kept = [(agent, agent.brain, agent.properties) for agent in entities.known]
        added: list[tuple[LiveAgent, AgentBrain]] = []

        def repeat(agent: LiveAgent) -> None:
            agent.brain = RepeatingBrain(decided_in, agent.agent_id)

        def add(agent: LiveAgent) -> None:
            added.append((agent, agent.brain))
            repeat(agent)

        policy = self.on_error
        self.on_error = "skip" if policy == "stop" else policy
        entities.agent_added = add
        try:
            for agent in entities.known:
                repeat(agent)
            yield
        finally:
            self.on_error, entities.agent_added = policy, None
            for agent, brain in added:
                seed, agent.brain = agent.brain.rnd_seed, brain
                self.set_up(agent, seed)
                brain.initialize()
            for agent, brain, properties in kept:
                agent.brain, agent.properties = brain, properties

    def perceive(self, agent: LiveAgent) -> State:
        """Let an agent perceive; returns what its brain has left of that.

        Raises:
            TypeError: it has left no state.
        """
        agent.brain.perceive(self._world)
        state: State | None = agent.brain.filter_observations(agent.brain.state)
        if state is None:
            raise TypeError(
                f"filter_observations of agent {agent.agent_id} returned None; the state is needed"
            )
        return state

    def decide(self, agent: LiveAgent) -> Turn:
        """Let an agent perceive and, unless it is busy, decide. Nothing changes, so that all perceive the same world."""
        brain, choice = agent.brain, None
        name: str | None = None
        kwargs: dict[str, Any] = {}
        stays = True
        try:
            state = self.perceive(agent)
            if agent.pending is None:
                if brain.wants_user_input:
                    keys, agent.keys = agent.keys, []
                    decision = brain.decide_on_action(state, keys)  # type: ignore[call-arg]
                else:
                    decision = brain.decide_on_action(state)
                name, kwargs = checked_decision(agent.agent_id, decision)
                choice = None if name is None else self._execution.choice(name)
            check_messages(brain.messages_to_send)
        except RemovedBefore:
            stays = False
        except Exception as error:
            name, kwargs, choice, stays = None, {}, None, self.contain(agent, error)
        return agent, name, kwargs, choice, stays

    def begin_actions(
        self, turns: Sequence[Turn]
    ) -> tuple[dict[str, Decision], list[Due], dict[str, dict[str, Any]]]:
        """Let agents begin what they have decided upon.

        Returns:
            Their decisions; what is to be done in this tick; and the properties of their bodies that their brains have changed, by
            their ids.
        """
        tick = self._world.current_nr_ticks
        decided: dict[str, Decision] = {}
        due: list[Due] = []
        changed = {a.agent_id: a.properties.changed for a, _, _, _, _ in turns if a.properties.changed}
        if changed:
            turns = [self._change_properties(turn) if turn[0].properties.changed else turn for turn in turns]
        for agent, name, kwargs, choice, stays in turns:
            if not stays:
                decided[agent.agent_id] = REMOVED, {}
                self._world.remove_from_grid(agent.agent_id)
                continue
            pending = agent.pending
            if pending is not None:
                if pending.until <= tick:
                    agent.pending = None
                    due.append((agent, pending.name, pending.kwargs, self._execution.choice(pending.name)))
                continue
            duration = 0
            if choice is not None:
                duration = duration_of(kwargs, choice.duration) if kwargs else choice.duration
            decided[agent.agent_id] = name, kwargs
            body = agent.body
            body.current_action, body.current_action_args = name, kwargs
            body.current_action_duration, body.current_action_started_at_tick = duration, tick
            if name is not None and duration > 0:
                agent.pending = Pending(name, kwargs, tick + duration)
                body.is_blocked = True
                agent.brain.previous_action = name
            else:
                due.append((agent, name, kwargs, choice))
        return decided, due, changed

    def _change_properties(self, turn: Turn) -> Turn:
        """Change what an agent's brain has changed of its body; an agent whose brain has failed at it idles, or goes."""
        agent, _, _, _, stays = turn
        changed, agent.properties.changed = agent.properties.changed, {}
        try:
            for key, value in changed.items():
                agent.body.change_property(key, value)
        except Exception as error:
            return agent, None, {}, None, self.contain(agent, error) and stays
        return turn

    def contain(self, agent: LiveAgent, error: Exception) -> bool:
        """Note an exception of a brain; returns whether its agent stays, as `on_error` says.

        Raises:
            BrainFailure: the world is to stop.
        """
        text = self._noted(agent, error, "the brain", self._world.current_nr_ticks)
        if self.on_error == "stop":
            raise BrainFailure(text) from error
        return self.on_error == "skip"

    def contain_actions(self, tick: int) -> None:
        """Note the exceptions of actions in a tick that has passed, and remove their agents, if `on_error` says so.

        Raises:
            ActionFailure: there were some, and the world is to stop.
        """
        failures = self._execution.failures
        texts = [self._noted(agent, error, f"the action {action}", tick) for agent, action, error in failures]
        if self.on_error == "remove":
            for agent, _, _ in failures:
                self._world.remove_from_grid(agent.agent_id)
        if self.on_error == "stop" and texts:
            raise ActionFailure("\n".join(texts)) from failures[0][2]

    def _noted(self, agent: LiveAgent, error: Exception, what: str, tick: int) -> str:
        """Add an exception to the errors, and log it unless it is raised; returns it in words."""
        self.errors = [*self.errors[-999:], (tick, agent.agent_id, error)]
        text = f"{what} of agent {agent.agent_id} failed in tick {tick}: {type(error).__name__}: {error}"
        if self.on_error != "stop":
            comes = "idles" if self.on_error == "skip" else "is removed"
            _LOG.error("%s; the agent %s", text, comes, exc_info=error)
        return text
