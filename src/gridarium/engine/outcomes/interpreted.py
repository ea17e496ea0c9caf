"""Exact, interpreted enumeration of the outcomes of one step, of a reset or of an observation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.compiled.data_types.random import OWN_STREAM
from gridarium.engine.arguments import action_index, check_action_count, check_agent
from gridarium.engine.kernel_args import Autoreset, KernelArg
from gridarium.engine.outcomes.clock_reading import clock_reading_of
from gridarium.engine.outcomes.kernel import run_tick
from gridarium.engine.step.kernel import RUNNING, TRUNCATED
from gridarium.engine.step.turns import settle_turn
from gridarium.engine.threads.memory import Memory
from gridarium.engine.threads.outputs import Arrays
from gridarium.engine.world import World, check_state, check_world
from gridarium.rules.outcomes.enumerator import OutcomeEnumerator, without_branching
from gridarium.world import State
from gridarium.world.state import ENDED, EPISODE, TICK, TURN, clear, remove_bodies

MAX_FIRST_STATES = 512
"""The maximum number of initial states; beyond it, sampling is better: a reset takes longer than a step."""


@dataclass(frozen=True)
class StepOutcome:
    """One outcome of a step.

    Attributes:
        probability: its probability.
        state: the next state.
        rewards: float64[agents].
        terminated: bool[agents]: the agents whose episode has ended.
        truncated: whether the time limit has ended the episode.
        clock_read: whether a rule has read the tick or the episode, for any random draws.
    """

    probability: float
    state: State
    rewards: npt.NDArray[np.float64]
    terminated: npt.NDArray[np.bool_]
    truncated: bool
    clock_read: bool


def step_outcomes(world: World, state: State, actions: Sequence[int]) -> list[StepOutcome]:
    """Enumerate all outcomes of a step; their probabilities add up to 1.

    The rules are run interpreted, once per combination of random draws.

    Args:
        world: the world.
        state: the state, which is not modified.
        actions: each agent's action, or its index.

    Raises:
        NotEnumerable: a rule's random draws do not have a small number of branches: sample instead.
        TypeError, ValueError: not a world, a state of another kind, or an unavailable action.
        StaleProgramError: the world is compiled, and a global that its rules read has changed since.
        Exception: raised by a rule.
    """
    check_world(world)
    check_state(state, world)
    world.composed.check()
    composed, tick = world.composed, world.composed.program.parts["tick"]
    chosen = np.array(_action_numbers(world, actions))
    enumerator = OutcomeEnumerator()
    first = enumerator.branching(state.seen_by(0))
    first.data[ENDED] = RUNNING
    first.scratch[0] = first.scratch[OWN_STREAM] = 0

    def run() -> tuple[State, npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
        before, copy = first.copy(), first.copy()
        arrays = copy.cells, copy.layers, copy.data, copy.agent_rows
        after = State(*arrays, before.scratch, copy.focus, copy.vocabulary)  # streams go on, as in a step
        rewards, terminated = np.zeros(composed.agents), np.zeros(composed.agents, np.uint8)
        run_tick(
            before, after, chosen, composed.params, rewards, terminated, composed.action_table,
            composed.time_limit, tick=tick,
        )  # fmt: skip
        return without_branching(after, state.focus), rewards, terminated.astype(np.bool_)

    found = enumerator.enumerate(run)
    clock_read = enumerator.clock_read or clock_reading_of(composed).data
    return [
        StepOutcome(p, after, rewards, terminated, bool(after.data[ENDED] == TRUNCATED), clock_read)
        for p, (after, rewards, terminated) in found
    ]


def reset_outcomes(world: World, most: int = MAX_FIRST_STATES) -> list[tuple[float, State]]:
    """Enumerate the initial states of an episode, with their probabilities.

    Args:
        world: the world.
        most: the number of ways in which draws may fall.

    Raises:
        NotEnumerable: there are more: sample instead.
        TypeError: not a world.
        StaleProgramError: the world is compiled, and a global that its rules read has changed since.
        Exception: raised by the reset rule.
    """
    check_world(world)
    world.composed.check()
    composed, parts, enumerator = world.composed, world.composed.program.parts, OutcomeEnumerator()
    blank = State.blank(composed.shape, composed.vocabulary, composed.agents)

    def run() -> State:
        state = enumerator.branching(blank)
        state.data[EPISODE] = state.data[TICK] = state.data[TURN] = state.data[ENDED] = 0
        if composed.spec.turn_order == "chosen":
            state.acting.fill()
        clear(state)
        parts["reset"](state, composed.params)
        remove_bodies(state)
        if parts["has_legal"]:
            turns = {name: parts[name] for name in ("in_turn", "chosen", "can_act")}
            settle_turn(state, composed.params, composed.action_table, **turns)
        return without_branching(state, 0)

    return enumerator.enumerate(run, most)


def observation_outcomes(world: World, state: State, agent: int = 0) -> list[tuple[float, Arrays]]:
    """Enumerate the observations of an agent in a state, as arrays by name, with their probabilities.

    Raises:
        NotEnumerable: there are too many: sample instead.
        TypeError, ValueError, IndexError: not a world, a state of another kind, or no such agent.
        StaleProgramError: the world is compiled, and a global that its rules read has changed since.
        Exception: raised by the observation rule.
    """
    check_world(world)
    check_state(state, world)
    check_agent(agent, world.spec.agents)
    world.composed.check()
    return ObservationEnumerator(world, agent).enumerate(state)


class ObservationEnumerator:
    """Enumerates the observations of an agent in states.

    Attributes:
        clock_read: whether a rule has read the tick or episode of any state.
    """

    def __init__(self, world: World, agent: int) -> None:
        self._composed, self._agent, self.clock_read = world.composed, agent, False
        self._memory = Memory(world.composed, 1, 1, Autoreset.DISABLED, shared=True)

    def enumerate(self, state: State) -> list[tuple[float, Arrays]]:
        """See `observation_outcomes`."""
        composed, memory, agent, enumerator = self._composed, self._memory, self._agent, OutcomeEnumerator()
        write: Callable[..., None] = composed.program.representation.write
        named, shown = memory.outputs.observations, state.showing_things()
        one = composed.observed_agents == 1

        def run() -> Arrays:
            observer = enumerator.branching(shown).seen_by(agent)
            write(memory.frame, int(KernelArg.OUTPUT_ARRAYS), 0 if one else agent, observer, composed.params)
            return {name: (array[0] if one else array[0, agent]).copy() for name, array in named.items()}

        try:
            return enumerator.enumerate(run)
        finally:
            self.clock_read |= enumerator.clock_read


def _action_numbers(world: World, given: Sequence[Any]) -> list[int]:
    """The numbers of the actions of all agents, given as actions or their indices."""
    listed = isinstance(given, Sequence | np.ndarray) and not isinstance(given, str)
    check_action_count(world.spec, len(given) if listed else None, given)
    chosen = [
        int(world.composed.action_table[a, action_index(world.actions, one)]) for a, one in enumerate(given)
    ]
    if min(chosen) < 0:
        raise ValueError(f"agent {chosen.index(-1)} of {world.name} has no such action: {given!r}")
    return chosen
