"""The world that rules are tried in: kinds of its own, declared fields of each type, states with awkward numbers."""

from __future__ import annotations

import enum
import math

import numpy as np

from gridarium.testing.states import random_states
from gridarium.world import (
    Action,
    Ball,
    Box,
    Color,
    Door,
    Exit,
    Field,
    Floor,
    GridObject,
    Key,
    State,
    Vocabulary,
    Wall,
)


class Lamp(GridObject, register=False):
    class Status(enum.IntEnum):
        OFF = 0
        ON = 1

    reach = 3
    weights = (1, 2, 5)

    @property
    def lit(self):
        return self.status == Lamp.Status.ON

    @property
    def power(self):
        return 2.5 if self.status == Lamp.Status.ON else 0


class BigLamp(Lamp, register=False):
    reach = 7

    @property
    def power(self):
        return 10


class Ice(GridObject, register=False):
    class Status(enum.IntEnum):
        SMOOTH = 0
        BROKEN = 1
        GONE = 2

    blocks_movement = {Status.BROKEN}
    colored = True


SHAPE = (5, 6)
WORDS = Vocabulary(
    (Wall, Floor, Exit, Door, Key, Ball, Box, Lamp, BigLamp, Ice),
    (Color.RED, Color.GREEN, Color.BLUE, Color.YELLOW),
    world_fields=[Field("h"), Field("g"), Field("n", "int"), Field("m", "int"), Field("flag", "bool")],
    agent_fields=[Field("energy", "float", 20.0), Field("steps", "int"), Field("hot", "bool")],
    cell_fields=[Field("scent"), Field("visits", "int")],
    edges=True,
)
ACTIONS = (Action.TURN_LEFT, Action.MOVE_FORWARD, Action.ACTUATE, Action.WAIT)

WHOLE = (0, 1, -1, 2, 3, 7, -7, 10, 63, 64, 65, -3, 100, 2**31, 2**53 + 1, -(2**53) - 1, 2**62 + 12345, 10**15 + 7,
         2**63 - 1, -(2**63))  # fmt: skip
REAL = (0.0, -0.0, 1.0, -1.0, 0.5, 2.5, -2.5, 1.5, 1e-300, 1e300, -1e300, math.inf, -math.inf, math.nan, 3.7, -3.7, 0.1,
        1e16, 9007199254740992.0, 709.9, 2.0, -7.0, 5e-324, 123.456, 0.3)  # fmt: skip
"""Numbers at which arithmetic goes wrong, besides ordinary ones."""


def awkward_states(count: int) -> list[State]:
    """States with two agents whose fields hold small numbers in one half of them, awkward ones in the other."""
    states = random_states(WORDS, count, SHAPE, agents=2)
    rng = np.random.default_rng(7)
    for i, state in enumerate(states):
        for name, step in (("n", 1), ("m", 7)):
            awkward = WHOLE[i // 2 * step % len(WHOLE)]
            setattr(state, name, awkward if i % 2 else int(rng.integers(-9, 30)))
        for name, step in (("h", 1), ("g", 7)):
            awkward = REAL[i // 2 * step % len(REAL)]
            setattr(state, name, awkward if i % 2 else float(rng.integers(-9, 30)) / 4)
        state.flag = i % 3 == 0
        state.data[0] = 13 * i
        for agent in state.agents:
            agent.energy = REAL[rng.integers(len(REAL))] if i % 4 == 3 else float(rng.integers(40)) / 8
            agent.steps, agent.hot = int(rng.integers(-5, 9)), rng.random() < 0.5
        for p in state.grid.positions():
            state.grid.set_number("scent", p, float(rng.integers(-4, 9)) / 8)
            state.grid.set_number("visits", p, int(rng.integers(-4, 9)))
    return states
