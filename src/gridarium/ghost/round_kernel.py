"""A round of the ghost world in one call. Plain Python, run as it is or compiled together with the world's rules."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from gridarium.beliefs import particle_kernel
from gridarium.beliefs.particle_kernel import ESTIMATE, PREDICT, RESAMPLE, UPDATE
from gridarium.compiled.primitives import float64_at, int64_at, outlined, uint8_at, uint16_at
from gridarium.engine.frame import At, Mode
from gridarium.ghost.rules import READING
from gridarium.ghost.ways import DOWN, LEFT, RIGHT, UP, by_sight

ROUND = 64
"""The mode of a round; lower ones are those of the engine."""
UNKNOWN = -2
"""Stands in tables of distances where nobody has looked yet."""


class Deal(IntEnum):
    """Places in the row that says what is played with, and then what came of it. `..._ARRAY` hold addresses."""

    CELLS = 0
    COLUMNS = 1
    GHOSTS = 2
    FILTER = 3
    LIKELIHOOD_ARRAY = 4
    NEXT_ARRAY = 5
    FAR_ARRAY = 6
    QUEUE_ARRAY = 7
    REWARD_ARRAY = 8
    TURN = 9
    DISTANCE = 10


DEAL_LENGTH = 11


def run(frame: Any, slot: int, first: int, last: int, mode: int, *, world: Any) -> int:
    """As the engine's kernel. In mode `ROUND` a round: `slot` is the agent's action, at address `first` lies the deal."""
    if mode != ROUND:
        turn(frame, slot, first, last, mode, world=world)
        return 0
    deal = int64_at(first, (DEAL_LENGTH,))
    play(frame, deal, slot, world=world)
    if deal[Deal.FILTER] != 0:
        learn(frame, deal, slot)
    return 0


@outlined
def turn(frame: Any, slot: int, first: int, last: int, mode: int, *, world: Any) -> int:
    """What the engine's kernel does: somebody's turn, or the beginning of an episode."""
    done: int = world(frame, slot, first, last, mode)
    return done


def play(frame: Any, deal: Any, action: int, *, world: Any) -> None:
    """The agent's turn, and until it is caught or there, those of the ghosts, which take shortest ways."""
    agents = int(frame[At.AGENTS])
    chosen = uint16_at(frame[At.ACTION_ARRAY], (agents,))
    rewards = float64_at(frame[At.REWARDS], (agents,))
    ended = uint8_at(frame[At.TERMINATED], (agents,))
    chosen[0] = action
    turn(frame, 0, 0, 1, int(Mode.STEP), world=world)
    reward, mover = rewards[0], 0
    agent = cell_of(frame, deal, 0)
    far = int64_at(deal[Deal.FAR_ARRAY] + agent * int(deal[Deal.CELLS]) * 8, (int(deal[Deal.CELLS]),))
    if far[agent] == UNKNOWN:
        survey(deal, agent, far)
    while mover < deal[Deal.GHOSTS] and ended[0] == 0:
        mover += 1
        chosen[mover] = towards(deal, far, cell_of(frame, deal, mover), agent)
        turn(frame, 0, 0, 1, int(Mode.STEP), world=world)
        reward += rewards[0]
    float64_at(deal[Deal.REWARD_ARRAY], (1,))[0] = reward
    deal[Deal.TURN] = mover
    deal[Deal.DISTANCE] = nearest(frame, deal, far, agents)


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


def nearest(frame: Any, deal: Any, far: Any, agents: int) -> int:
    """How far the nearest ghost is, -1 where there is no way to any."""
    found = -1
    for ghost in range(1, agents):
        distance = int(far[cell_of(frame, deal, ghost)])
        if distance >= 0 and (found < 0 or distance < found):
            found = distance
    return found


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


def learn(frame: Any, deal: Any, action: int) -> None:
    """The filter's step: prediction, update by the color that the agent has read, resampling, estimate."""
    cells = int(deal[Deal.CELLS])
    told = int64_at(deal[Deal.FILTER], (particle_kernel.FRAME_LENGTH,))
    reading = int(int64_at(frame[At.BODY_ARRAY] + READING * 8, (1,))[0])
    likely = float64_at(deal[Deal.LIKELIHOOD_ARRAY] + reading * cells * 8, (cells,))
    likelihood = float64_at(told[particle_kernel.At.LIKELIHOOD], (cells,))
    for cell in range(cells):
        likelihood[cell] = likely[cell]
    particle_kernel.run(told, action, 0, 0, PREDICT | UPDATE | RESAMPLE | ESTIMATE)
