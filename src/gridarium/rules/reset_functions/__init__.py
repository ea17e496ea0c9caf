"""Reset rules: `(state, *, <parameters>, rng)` fills a cleared state to begin an episode.

The state arrives with its shape, all floor, its agents at (0, 0) facing FORWARD with empty hands. A rule draws walls
and objects and places all agents: the first as documented, further ones on other free floor cells and with headings,
all drawn at random.
"""

from gridarium.rules.reset_functions.crossing import crossing, lava_gap
from gridarium.rules.reset_functions.maps import from_map, starting_at
from gridarium.rules.reset_functions.memory import memory, memory_rooms
from gridarium.rules.reset_functions.multi_room import multi_room
from gridarium.rules.reset_functions.open_space import blank, dynamic_obstacles, empty, teleport
from gridarium.rules.reset_functions.protocol import ResetFunction, factory, reset_function_registry
from gridarium.rules.reset_functions.rooms import rooms
from gridarium.rules.reset_functions.target import fetch, go_to_door, target
from gridarium.rules.reset_functions.two_rooms import blocked_unlock_pickup, keydoor, unlock, unlock_pickup

__all__ = [
    "ResetFunction",
    "blank",
    "blocked_unlock_pickup",
    "crossing",
    "dynamic_obstacles",
    "empty",
    "factory",
    "fetch",
    "from_map",
    "go_to_door",
    "keydoor",
    "lava_gap",
    "memory",
    "memory_rooms",
    "multi_room",
    "reset_function_registry",
    "rooms",
    "starting_at",
    "target",
    "teleport",
    "unlock",
    "unlock_pickup",
]
