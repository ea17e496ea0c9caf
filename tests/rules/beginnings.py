"""How worlds begin, for the tests of reset rules."""

import numpy as np

from gridarium.rules import reset_functions as r
from gridarium.world.objects import (
    Exit,
    Wall,
)
from gridarium.world.state import State
from tests.maps import COLORS, WORDS, positions_of

SEEDS = range(40)
F = r.factory


def begun(rule, shape, *, seed=0, agents=1) -> State:
    state = State.blank(shape, WORDS, agents=agents)
    rule(state, rng=np.random.default_rng(seed))
    return state


def beginnings(rule, shape, *, agents=1):
    return [begun(rule, shape, seed=seed, agents=agents) for seed in SEEDS]


def exits_of(state):
    return [state.grid[p].color for p in positions_of(state, Exit)]


RULES = {
    "empty": (F("empty"), (6, 7)),
    "empty at random": (F("empty", random_agent=True, random_exit=True), (4, 5)),
    "rooms": (F("rooms", layout=(2, 3)), (9, 13)),
    "dynamic_obstacles": (F("dynamic_obstacles", num_obstacles=3), (7, 7)),
    "keydoor": (F("keydoor"), (6, 7)),
    "crossing": (F("crossing", num_rivers=4, object_type=Wall), (9, 9)),
    "lava_gap": (F("lava_gap"), (6, 7)),
    "teleport": (F("teleport"), (6, 6)),
    "memory": (F("memory", colors=COLORS), (7, 9)),
    "memory_rooms": (F("memory_rooms", layout=(2, 2), colors=COLORS, num_beacons=2, num_exits=3), (9, 9)),
    "multi_room": (F("multi_room", num_rooms=4, colors=COLORS, max_room_size=7), (17, 17)),
    "unlock": (F("unlock", colors=COLORS), (6, 11)),
    "unlock_pickup": (F("unlock_pickup", colors=COLORS), (6, 11)),
    "blocked_unlock_pickup": (F("blocked_unlock_pickup", colors=COLORS), (6, 11)),
    "fetch": (F("fetch", num_objects=4, colors=COLORS), (6, 7)),
    "go_to_door": (F("go_to_door", colors=COLORS), (6, 7)),
}
