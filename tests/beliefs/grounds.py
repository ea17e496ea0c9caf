"""Worlds and models for tests of beliefs."""

import functools

from gridarium import Spec, World
from gridarium.beliefs import PlaceModel
from gridarium.rules.sensors import sensor
from gridarium.world import Dog, Flower


@functools.cache
def ghost_grid():
    """The ghost's world, interpreted, and a model of its agent."""
    world = World("GhostGrid-4x5", compiled=False)
    return world, PlaceModel(world, world.reset(0))


COLOR = ghost_grid()[0].spec.sensors[0]
VISION = sensor(
    "object_class",
    object_types=(Dog, Flower),
    confusion=((0.8, 0.1, 0.1), (0.1, 0.8, 0.1), (0.1, 0.1, 0.8)),
)


def corridor(picture=">...", *, transitions=("move_agent", "turn_agent"), **more):
    """A small world of one's own, interpreted."""
    given = {
        "objects": ["Floor", "Wall", "Exit", "Key", "Door", "MovingObstacle"],
        "colors": ["YELLOW"],
        "actions": ["MOVE_FORWARD", "TURN_LEFT", "PICK_N_DROP", "UP"],
        "map": {"picture": picture},
        "transitions": list(transitions),
        "observation": "full_grid",
    }
    return World(Spec.build(**(given | more)), compiled=False)
