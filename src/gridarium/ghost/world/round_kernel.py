"""Episodes and rounds of the ghost world in one call. Plain Python, run as it is or compiled together with the world's rules.

All arguments are arrays whose addresses are in one row, the round arguments; `run` does what the bits of its mode say, in
order.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from gridarium.beliefs.places.particles import kernel as particle_kernel
from gridarium.beliefs.places.particles.arguments import FRAME_LENGTH, FilterArg
from gridarium.beliefs.places.particles.kernel import ESTIMATE, PREDICT, RESAMPLE, SCATTER, UPDATE
from gridarium.compiled.data_types.primitives import (
    copy_words,
    float64_at,
    int64_at,
    outlined,
    uint8_at,
    uint16_at,
    uint32_at,
)
from gridarium.engine.kernel_args import KernelArg, Mode
from gridarium.ghost.world.paths import DOWN, LEFT, RIGHT, UP, fill_distances, first_move, greedy_move
from gridarium.ghost.world.rules import READING, READING_PARTS, TRAIL, noisy_color
from gridarium.world.agent import ACTIVE, X, Y

BEGIN, SET_UP, MOVE, MOVE_GHOSTS, FILTER = 64, 128, 256, 512, 1024
"""Bits of a mode. `BEGIN`: the engine's world begins its next episode. `SET_UP`: the map and the starting positions are
written, and the agent reads its first color. `MOVE`: one agent or ghost moves. `MOVE_GHOSTS`: the ghosts that follow move
by shortest paths. `FILTER`: the particle filter takes its step. Smaller modes are the engine's."""
UNKNOWN = -2
"""In tables of distances: not computed yet."""


class RoundArg(IntEnum):
    """Places in the row of round arguments; from `MOVER` on results. `..._ARRAY` and `FILTER` hold addresses."""

    CELLS = 0
    COLUMNS = 1
    GHOSTS = 2
    FILTER = 3
    LIKELIHOOD_ARRAY = 4
    NEXT_ARRAY = 5
    DISTANCE_ARRAY = 6
    QUEUE_ARRAY = 7
    COLOUR_ARRAY = 8
    MAP_ARRAY = 9
    WALL_ARRAY = 10
    START_ARRAY = 11
    FLOAT_ARRAY = 12
    MOVER = 13
    OVER = 14
    DISTANCE = 15
    NEAREST = 16
    TRAIL = 17
    READING = 18


ARGS_LENGTH = 19


class FloatArg(IntEnum):
    """Places among the real numbers: the color sensor's quality, and the agent's reward."""

    QUALITY = 0
    REWARD = 1


FLOATS_LENGTH = 2


def run(frame: Any, slot: int, first: int, last: int, mode: int, *, world: Any) -> int:
    """As the engine's kernel, or what the bits of a larger mode say: `first` is the address of the round arguments.

    With `MOVE` `slot` is an action, and `last` is the number of the agent that moves.
    """
    if mode < BEGIN:
        call(frame, slot, first, last, mode, world=world)
        return 0
    args = int64_at(first, (ARGS_LENGTH,))
    if mode & BEGIN:
        call(frame, 0, 0, 1, int(Mode.RESET), world=world)
    if mode & SET_UP:
        set_up(frame, args)
    if mode & MOVE:
        play(frame, args, slot, last, mode & MOVE_GHOSTS != 0, world=world)
    write_results(frame, args)
    if mode & FILTER:
        run_filter(args, slot, mode & SET_UP != 0)
    return 0


@outlined
def call(frame: Any, slot: int, first: int, last: int, mode: int, *, world: Any) -> int:
    """The engine's kernel: a turn, or the beginning of an episode."""
    done: int = world(frame, slot, first, last, mode)
    return done


def set_up(frame: Any, args: Any) -> None:
    """Write the map and the starting positions; make the agent's first reading of the random number that waits for it."""
    cells, agents = int(args[RoundArg.CELLS]), int(frame[KernelArg.AGENT_COUNT])
    words = int(frame[KernelArg.LAYER_COUNT]) * cells
    copy_words(
        uint32_at(args[RoundArg.MAP_ARRAY], (cells,)), uint32_at(frame[KernelArg.CELL_ARRAY], (cells,))
    )
    copy_words(
        int64_at(args[RoundArg.WALL_ARRAY], (words,)), int64_at(frame[KernelArg.LAYER_ARRAY], (words,))
    )
    agent_rows = int64_at(frame[KernelArg.AGENT_ROW_ARRAY], (agents, int(frame[KernelArg.AGENT_ROW_LENGTH])))
    starts = int64_at(args[RoundArg.START_ARRAY], (agents, 2))
    for k in range(agents):
        agent_rows[k, Y] = starts[k, 0]
        agent_rows[k, X] = starts[k, 1]
        agent_rows[k, ACTIVE] = 1 if k == 0 or args[RoundArg.GHOSTS] > 0 else 0
    colour = int64_at(args[RoundArg.COLOUR_ARRAY], (cells,))[cell_of(frame, args, 0)]
    quality = float64_at(args[RoundArg.FLOAT_ARRAY], (FLOATS_LENGTH,))[FloatArg.QUALITY]
    agent_rows[0, READING] = noisy_color(int(colour), quality, int(agent_rows[0, READING]) / READING_PARTS)


def play(frame: Any, args: Any, action: int, mover: int, move_ghosts: bool, *, world: Any) -> None:
    """A turn; with `move_ghosts` also those of the ghosts that follow, until the agent is caught."""
    agents = int(frame[KernelArg.AGENT_COUNT])
    chosen = uint16_at(frame[KernelArg.ACTION_ARRAY], (agents,))
    rewards = float64_at(frame[KernelArg.REWARD_ARRAY], (agents,))
    chosen[mover] = action
    call(frame, 0, 0, 1, int(Mode.STEP), world=world)
    reward = rewards[0]
    if move_ghosts:
        agent = cell_of(frame, args, 0)
        far = distances(args, agent)
        while mover < args[RoundArg.GHOSTS] and not is_over(frame):
            mover += 1
            chosen[mover] = chase(args, far, cell_of(frame, args, mover), agent)
            call(frame, 0, 0, 1, int(Mode.STEP), world=world)
            reward += rewards[0]
    args[RoundArg.MOVER] = mover
    float64_at(args[RoundArg.FLOAT_ARRAY], (FLOATS_LENGTH,))[FloatArg.REWARD] = reward


def is_over(frame: Any) -> bool:
    """Whether the episode has ended."""
    return bool(uint8_at(frame[KernelArg.TERMINATED_ARRAY], (1,))[0] != 0)


def write_results(frame: Any, args: Any) -> None:
    """Write the results. Of equally near ghosts the first counts; the distance is -1 if there is no path to any."""
    far = distances(args, cell_of(frame, args, 0))
    args[RoundArg.OVER] = 1 if is_over(frame) else 0
    args[RoundArg.DISTANCE] = far[cell_of(frame, args, 1)]
    args[RoundArg.NEAREST] = 1
    for ghost in range(2, int(frame[KernelArg.AGENT_COUNT])):
        distance = int(far[cell_of(frame, args, ghost)])
        if distance >= 0 and (args[RoundArg.DISTANCE] < 0 or distance < args[RoundArg.DISTANCE]):
            args[RoundArg.DISTANCE] = distance
            args[RoundArg.NEAREST] = ghost
    agent = int64_at(frame[KernelArg.AGENT_ROW_ARRAY], (int(frame[KernelArg.AGENT_ROW_LENGTH]),))
    args[RoundArg.TRAIL] = agent[TRAIL]
    args[RoundArg.READING] = agent[READING]


def cell_of(frame: Any, args: Any, agent: int) -> int:
    """The number of the cell of the agent (0) or a ghost."""
    agent_row = int64_at(
        frame[KernelArg.AGENT_ROW_ARRAY] + agent * frame[KernelArg.AGENT_ROW_LENGTH] * 8, (2,)
    )
    return int(agent_row[Y]) * int(args[RoundArg.COLUMNS]) + int(agent_row[X])


def chase(args: Any, far: Any, here: int, target: int) -> int:
    """The move of a `ChaseGhostAgent`: along a shortest path, greedy where there is none."""
    following = int64_at(args[RoundArg.NEXT_ARRAY] + here * 32, (4,))
    action = first_move(following, far, here)
    if action >= 0:
        return action
    columns = int(args[RoundArg.COLUMNS])
    return greedy_move(
        target // columns - here // columns, target % columns - here % columns,
        following[UP] != here, following[RIGHT] != here, following[DOWN] != here, following[LEFT] != here,
    )  # fmt: skip


def distances(args: Any, target: int) -> Any:
    """int64[cells]: the number of moves from each cell to a cell; a row of a table that is filled on demand."""
    cells = int(args[RoundArg.CELLS])
    far = int64_at(args[RoundArg.DISTANCE_ARRAY] + target * cells * 8, (cells,))
    if far[target] == UNKNOWN:
        following = int64_at(args[RoundArg.NEXT_ARRAY], (cells, 4))
        fill_distances(following, cells, target, far, int64_at(args[RoundArg.QUEUE_ARRAY], (cells,)))
    return far


def run_filter(args: Any, action: int, begins: bool) -> None:
    """The filter's step with the color that was read: it starts again, or predicts and resamples."""
    cells = int(args[RoundArg.CELLS])
    frame = int64_at(args[RoundArg.FILTER], (FRAME_LENGTH,))
    row = int(args[RoundArg.READING]) * cells * 8
    likelihood = float64_at(args[RoundArg.LIKELIHOOD_ARRAY] + row, (cells,))
    copy_words(likelihood, float64_at(frame[FilterArg.LIKELIHOOD], (cells,)))
    steps = SCATTER | UPDATE | ESTIMATE if begins else PREDICT | UPDATE | RESAMPLE | ESTIMATE
    particle_kernel.run(frame, action, 0, 0, steps)
