"""Episodes and rounds of the ghost world in one call. Plain Python, run as it is or compiled together with the world's rules.

All that is played with lies in arrays whose addresses are in a row, the deal; `run` does what the bits of its mode say, in
order.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from gridarium.beliefs import particle_kernel
from gridarium.beliefs.particle_frame import FRAME_LENGTH
from gridarium.beliefs.particle_frame import At as FilterAt
from gridarium.beliefs.particle_kernel import ESTIMATE, PREDICT, RESAMPLE, SCATTER, UPDATE
from gridarium.compiled.primitives import (
    copy_words,
    float64_at,
    int64_at,
    outlined,
    uint8_at,
    uint16_at,
    uint32_at,
)
from gridarium.engine.frame import At, Mode
from gridarium.ghost.rules import LUCK, READING, TRAIL, misread
from gridarium.ghost.ways import DOWN, LEFT, RIGHT, UP, by_sight
from gridarium.world.agent import ACTIVE, X, Y

BEGIN, SET_OUT, MOVE, ANSWER, LEARN = 64, 128, 256, 512, 1024
"""What a call does: the engine's world begins its next episode; map and pieces are set out, and the agent reads its first
color; somebody moves; the ghosts do, by shortest ways; the filter learns. Smaller modes are the engine's."""
UNKNOWN = -2
"""Stands in tables of distances where nobody has looked yet."""


class Deal(IntEnum):
    """Places in the row that says what is played with, and from `MOVER` on what came of it. `..._ARRAY` hold addresses."""

    CELLS = 0
    COLUMNS = 1
    GHOSTS = 2
    FILTER = 3
    LIKELIHOOD_ARRAY = 4
    NEXT_ARRAY = 5
    FAR_ARRAY = 6
    QUEUE_ARRAY = 7
    COLOUR_ARRAY = 8
    GROUND_ARRAY = 9
    WALL_ARRAY = 10
    START_ARRAY = 11
    NUMBER_ARRAY = 12
    MOVER = 13
    OVER = 14
    DISTANCE = 15
    NEAREST = 16
    TRAIL = 17
    READING = 18


DEAL_LENGTH = 19


class Number(IntEnum):
    """Places among the real numbers: how likely the color sensor is right, and what the agent has got."""

    QUALITY = 0
    REWARD = 1


NUMBERS = 2


def run(frame: Any, slot: int, first: int, last: int, mode: int, *, world: Any) -> int:
    """As the engine's kernel, or what the bits of a larger mode say: `first` is the address of the deal.

    With `MOVE` `slot` is an action, and `last` is whose.
    """
    if mode < BEGIN:
        call(frame, slot, first, last, mode, world=world)
        return 0
    deal = int64_at(first, (DEAL_LENGTH,))
    if mode & BEGIN:
        call(frame, 0, 0, 1, int(Mode.RESET), world=world)
    if mode & SET_OUT:
        set_out(frame, deal)
    if mode & MOVE:
        play(frame, deal, slot, last, mode & ANSWER != 0, world=world)
    tell(frame, deal)
    if mode & LEARN:
        learn(deal, slot, mode & SET_OUT != 0)
    return 0


@outlined
def call(frame: Any, slot: int, first: int, last: int, mode: int, *, world: Any) -> int:
    """What the engine's kernel does: somebody's turn, or the beginning of an episode."""
    done: int = world(frame, slot, first, last, mode)
    return done


def set_out(frame: Any, deal: Any) -> None:
    """The map as it is, everybody at their starts, and the agent's first reading by the luck that waits for it."""
    cells, agents = int(deal[Deal.CELLS]), int(frame[At.AGENTS])
    words = int(frame[At.LAYERS]) * cells
    copy_words(uint32_at(deal[Deal.GROUND_ARRAY], (cells,)), uint32_at(frame[At.CELL_ARRAY], (cells,)))
    copy_words(int64_at(deal[Deal.WALL_ARRAY], (words,)), int64_at(frame[At.LAYER_ARRAY], (words,)))
    bodies = int64_at(frame[At.BODY_ARRAY], (agents, int(frame[At.BODY])))
    starts = int64_at(deal[Deal.START_ARRAY], (agents, 2))
    for k in range(agents):
        bodies[k, Y] = starts[k, 0]
        bodies[k, X] = starts[k, 1]
        bodies[k, ACTIVE] = 1 if k == 0 or deal[Deal.GHOSTS] > 0 else 0
    colour = int64_at(deal[Deal.COLOUR_ARRAY], (cells,))[cell_of(frame, deal, 0)]
    quality = float64_at(deal[Deal.NUMBER_ARRAY], (NUMBERS,))[Number.QUALITY]
    bodies[0, READING] = misread(int(colour), quality, int(bodies[0, READING]) / LUCK)


def play(frame: Any, deal: Any, action: int, mover: int, answer: bool, *, world: Any) -> None:
    """Somebody's turn; then, if there is to be an answer, those of the ghosts, until the agent is caught."""
    agents = int(frame[At.AGENTS])
    chosen = uint16_at(frame[At.ACTION_ARRAY], (agents,))
    rewards = float64_at(frame[At.REWARDS], (agents,))
    chosen[mover] = action
    call(frame, 0, 0, 1, int(Mode.STEP), world=world)
    reward = rewards[0]
    if answer:
        agent = cell_of(frame, deal, 0)
        far = distances(deal, agent)
        while mover < deal[Deal.GHOSTS] and not is_over(frame):
            mover += 1
            chosen[mover] = towards(deal, far, cell_of(frame, deal, mover), agent)
            call(frame, 0, 0, 1, int(Mode.STEP), world=world)
            reward += rewards[0]
    deal[Deal.MOVER] = mover
    float64_at(deal[Deal.NUMBER_ARRAY], (NUMBERS,))[Number.REWARD] = reward


def is_over(frame: Any) -> bool:
    """Whether the episode has ended."""
    return bool(uint8_at(frame[At.TERMINATED], (1,))[0] != 0)


def tell(frame: Any, deal: Any) -> None:
    """How things stand: which ghost is nearest is the first of equals, and it is -1 away if there is no way to any."""
    far = distances(deal, cell_of(frame, deal, 0))
    deal[Deal.OVER] = 1 if is_over(frame) else 0
    deal[Deal.DISTANCE] = far[cell_of(frame, deal, 1)]
    deal[Deal.NEAREST] = 1
    for ghost in range(2, int(frame[At.AGENTS])):
        distance = int(far[cell_of(frame, deal, ghost)])
        if distance >= 0 and (deal[Deal.DISTANCE] < 0 or distance < deal[Deal.DISTANCE]):
            deal[Deal.DISTANCE] = distance
            deal[Deal.NEAREST] = ghost
    agent = int64_at(frame[At.BODY_ARRAY], (int(frame[At.BODY]),))
    deal[Deal.TRAIL] = agent[TRAIL]
    deal[Deal.READING] = agent[READING]


def cell_of(frame: Any, deal: Any, piece: int) -> int:
    """The number of the cell where a piece is."""
    body = int64_at(frame[At.BODY_ARRAY] + piece * frame[At.BODY] * 8, (2,))
    return int(body[0]) * int(deal[Deal.COLUMNS]) + int(body[1])


def towards(deal: Any, far: Any, here: int, target: int) -> int:
    """As `ChaseGhostAgent`: the first action of a shortest way, the lowest of equals; by sight where there is none."""
    following = int64_at(deal[Deal.NEXT_ARRAY] + here * 32, (4,))
    if far[here] > 0:
        for action in range(4):
            if far[int(following[action])] == far[here] - 1:
                return action
    columns = int(deal[Deal.COLUMNS])
    return by_sight(
        target // columns - here // columns, target % columns - here % columns,
        following[UP] != here, following[RIGHT] != here, following[DOWN] != here, following[LEFT] != here,
    )  # fmt: skip


def distances(deal: Any, target: int) -> Any:
    """int64[cells]: how many moves it is from each cell to one; a row of a table that is filled where somebody looks."""
    cells = int(deal[Deal.CELLS])
    far = int64_at(deal[Deal.FAR_ARRAY] + target * cells * 8, (cells,))
    if far[target] == UNKNOWN:
        survey(deal, target, far)
    return far


def survey(deal: Any, target: int, far: Any) -> None:
    """How many moves it is from each cell to one, breadth first; -1 where there is no way."""
    cells = int(deal[Deal.CELLS])
    following = int64_at(deal[Deal.NEXT_ARRAY], (cells, 4))
    queue = int64_at(deal[Deal.QUEUE_ARRAY], (cells,))
    for cell in range(cells):
        far[cell] = -1
    far[target], queue[0] = 0, target
    taken, waiting = 0, 1
    while taken < waiting:
        here = int(queue[taken])
        taken += 1
        for action in range(4):
            there = int(following[here, action])
            if far[there] < 0:
                far[there] = far[here] + 1
                queue[waiting] = there
                waiting += 1


def learn(deal: Any, action: int, begins: bool) -> None:
    """The filter's step, by the color that the agent has read: it begins anew, or predicts and resamples."""
    cells = int(deal[Deal.CELLS])
    told = int64_at(deal[Deal.FILTER], (FRAME_LENGTH,))
    row = int(deal[Deal.READING]) * cells * 8
    likely = float64_at(deal[Deal.LIKELIHOOD_ARRAY] + row, (cells,))
    copy_words(likely, float64_at(told[FilterAt.LIKELIHOOD], (cells,)))
    steps = SCATTER | UPDATE | ESTIMATE if begins else PREDICT | UPDATE | RESAMPLE | ESTIMATE
    particle_kernel.run(told, action, 0, 0, steps)
