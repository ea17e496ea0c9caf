"""What can come of one step, of a reset or of a look at the world, exactly: each outcome with its probability."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.engine import World
from gridarium.engine.frame import At, Autoreset
from gridarium.engine.kernel import RUNNING, TERMINATED, TRUNCATED
from gridarium.engine.memory import Memory
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
        clock_read: whether a rule has asked for the tick of any of the states that may come.
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
        actions: the index of each agent's action.

    Raises:
        NotEnumerable: a rule's chance has no small number of branches: sample instead.
        Exception: what a rule raises.
    """
    machine, tick = world.machine, _parts(world)["tick"]
    explorer = Explorer()
    before = BranchingState.of(state.seen_by(0), explorer)
    before.data[ENDED] = RUNNING

    def walk() -> tuple[Any, ...]:
        after = before.copy()
        for agent, action in enumerate(actions):
            after.bodies[agent, ACTION] = machine.action_table[agent, action]
            after.bodies[agent, RESULT] = 0
        rewards, terminated = np.zeros(machine.agents), np.zeros(machine.agents, np.uint8)
        ended = tick(before, after, machine.numbers, rewards, terminated)
        after.data[TICK] += 1
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
        Exception: what the reset rule raises.
    """
    machine, reset, explorer = world.machine, _parts(world)["reset"], Explorer()
    blank = State.blank(machine.shape, machine.vocabulary, machine.agents)

    def walk() -> State:
        state = BranchingState.of(blank, explorer)
        state.data[EPISODE] = state.data[TICK] = state.data[TURN] = state.data[ENDED] = 0
        clear(state)
        reset(state, machine.numbers)
        return state.plain(0)

    return explorer.leaves(walk, MOST_BEGINNINGS)


def observation_outcomes(world: World, state: State, agent: int = 0) -> list[tuple[float, dict[str, Any]]]:
    """Everything that an agent can perceive in a state, as arrays by name, with its probability.

    Raises:
        NotEnumerable: there is too much: sample instead.
        Exception: what the observation rule raises.
    """
    machine, explorer = world.machine, Explorer()
    write: Callable[..., None] = machine.program.representation.write
    memory = Memory(machine, 1, 1, Autoreset.DISABLED, shared=True)
    named = memory.outputs.observations

    def walk() -> dict[str, Any]:
        seen = BranchingState.of(state, explorer).seen_by(agent)
        write(memory.frame, int(At.OUTPUT), agent, seen, machine.numbers)
        return {n: (a[0] if machine.agents == 1 else a[0, agent]).copy() for n, a in named.items()}

    return explorer.leaves(walk)


def _parts(world: World) -> dict[str, Any]:
    """The composed functions of a world by the names that the kernel gives them."""
    parts: dict[str, Any] = world.machine.program.run.keywords["world"].keywords  # type: ignore[attr-defined]
    return parts
