"""What can come of one step, of a reset or of a look at the world, exactly: each outcome with its probability."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.engine import World
from gridarium.engine.checking import action_index, check_agent, check_state, check_world
from gridarium.engine.frame import At, Autoreset
from gridarium.engine.kernel import RUNNING, TERMINATED, TRUNCATED
from gridarium.engine.memory import Memory
from gridarium.engine.outputs import Arrays
from gridarium.rules.chance import Explorer
from gridarium.rules.luck import BranchingState
from gridarium.world import State
from gridarium.world.agent import ACTION, RESULT
from gridarium.world.state import ENDED, EPISODE, TICK, TURN, clear

MOST_BEGINNINGS = 512
"""First states of an episode, beyond which sampling is the better way: to fill a world takes longer than a step."""


@dataclass(frozen=True)
class StepOutcome:
    """One thing that can come of a step.

    Attributes:
        probability: of it.
        state: the next one.
        rewards: float64[agents].
        terminated: bool[agents]: who has ended.
        truncated: whether the time limit has ended the episode.
        clock_read: whether a rule has asked for the tick or the episode, on any way that luck can go.
    """

    probability: float
    state: State
    rewards: npt.NDArray[np.float64]
    terminated: npt.NDArray[np.bool_]
    truncated: bool
    clock_read: bool


def step_outcomes(world: World, state: State, actions: Sequence[int]) -> list[StepOutcome]:
    """Everything that can come of a step; the probabilities add up to 1.

    The rules are run interpreted, once for each way that luck can go, whatever `world.machine.compiled` is.

    Args:
        world: the world.
        state: where; unchanged.
        actions: each agent's action, or its index.

    Raises:
        NotEnumerable: a rule's chance has no small number of branches: sample instead.
        TypeError, ValueError: no world, a state of another kind, or an action that an agent does not have.
        StaleProgramError: the world is compiled, and what its rules read has changed since.
        Exception: what a rule raises.
    """
    check_world(world)
    check_state(state, world)
    world.machine.check()
    machine, tick = world.machine, _parts(world)["tick"]
    chosen = _actions(world, actions)
    explorer = Explorer()
    before = BranchingState.of(state.seen_by(0), explorer)
    before.data[ENDED] = RUNNING

    def walk() -> tuple[Any, ...]:
        after = before.copy()
        after.bodies[:, ACTION], after.bodies[:, RESULT] = chosen, 0
        rewards, terminated = np.zeros(machine.agents), np.zeros(machine.agents, np.uint8)
        ended = tick(before, after, machine.numbers, rewards, terminated)
        late = not ended and 0 < machine.time_limit <= after.data[TICK]
        after.data[ENDED] = TERMINATED if ended else TRUNCATED if late else RUNNING
        return after.plain(state.focus), rewards, terminated.astype(np.bool_), late

    leaves = explorer.leaves(walk)
    asked = explorer.clock_read
    return [
        StepOutcome(p, after, rewards, terminated, late, asked)
        for p, (after, rewards, terminated, late) in leaves
    ]


def reset_outcomes(world: World) -> list[tuple[float, State]]:
    """Every first state of an episode, with its probability.

    Raises:
        NotEnumerable: there are too many: sample instead.
        TypeError: no world.
        StaleProgramError: the world is compiled, and what its rules read has changed since.
        Exception: what the reset rule raises.
    """
    check_world(world)
    world.machine.check()
    machine, reset, explorer = world.machine, _parts(world)["reset"], Explorer()
    blank = State.blank(machine.shape, machine.vocabulary, machine.agents)

    def walk() -> State:
        state = BranchingState.of(blank, explorer)
        state.data[EPISODE] = state.data[TICK] = state.data[TURN] = state.data[ENDED] = 0
        clear(state)
        reset(state, machine.numbers)
        return state.plain(0)

    return explorer.leaves(walk, MOST_BEGINNINGS)


def observation_outcomes(world: World, state: State, agent: int = 0) -> list[tuple[float, Arrays]]:
    """Everything that an agent can perceive in a state, as arrays by name, with its probability.

    Raises:
        NotEnumerable: there is too much: sample instead.
        TypeError, ValueError, IndexError: no world, a state of another kind, or no such agent.
        StaleProgramError: the world is compiled, and what its rules read has changed since.
        Exception: what the observation rule raises.
    """
    check_world(world)
    check_state(state, world)
    check_agent(agent, world.spec.agents)
    world.machine.check()
    return Onlooker(world, agent).outcomes(state)


class Onlooker:
    """Sees what an agent can perceive in states, interpreted.

    Attributes:
        clock_read: whether a rule has asked any state for its tick or episode.
    """

    def __init__(self, world: World, agent: int) -> None:
        self._machine, self._agent, self.clock_read = world.machine, agent, False
        self._memory = Memory(world.machine, 1, 1, Autoreset.DISABLED, shared=True)

    def outcomes(self, state: State) -> list[tuple[float, Arrays]]:
        """See `observation_outcomes`."""
        machine, memory, agent, explorer = self._machine, self._memory, self._agent, Explorer()
        write: Callable[..., None] = machine.program.representation.write
        named = memory.outputs.observations

        def walk() -> Arrays:
            seen = BranchingState.of(state, explorer).seen_by(agent)
            write(memory.frame, int(At.OUTPUT), agent, seen, machine.numbers)
            return {n: (a[0] if machine.agents == 1 else a[0, agent]).copy() for n, a in named.items()}

        try:
            return explorer.leaves(walk)
        finally:
            self.clock_read |= explorer.clock_read


def _actions(world: World, given: Sequence[Any]) -> list[int]:
    """The numbers of the actions that the agents have been told to do."""
    agents = world.spec.agents
    if isinstance(given, str) or not isinstance(given, Sequence | np.ndarray) or len(given) != agents:
        raise ValueError(f"{world.name} takes an action of each agent, {agents} in all; got {given!r}")
    chosen = [
        int(world.machine.action_table[a, action_index(world.actions, one)]) for a, one in enumerate(given)
    ]
    if min(chosen) < 0:
        raise ValueError(f"agent {chosen.index(-1)} of {world.name} has no such action: {given!r}")
    return chosen


def _parts(world: World) -> dict[str, Any]:
    """The composed functions of a world by the names that the kernel gives them."""
    parts: dict[str, Any] = world.machine.program.run.keywords["world"].keywords  # type: ignore[attr-defined]
    return parts
