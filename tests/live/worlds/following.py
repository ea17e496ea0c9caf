"""A network that follows ways, as one that was trained does: made by hand, for tests."""

import numpy as np

from gridarium.live import ActionNetwork
from gridarium.live.worlds.collecting import VIEW
from gridarium.rules import collection_training as c

STEPS = ("North", "East", "South", "West", "NorthEast", "SouthEast", "SouthWest", "NorthWest")
NAMES = ("WAIT", *(f"Move{step}" for step in STEPS), "OpenDoorAction", "GrabObject", "DropObject")


def following() -> ActionNetwork:
    """Brings what is known, else searches. Each hidden unit is near 1 where all inputs that it asks for are 1, else near -1."""
    units: list[tuple[list[int], list[int], int]] = [([c.AT_DOOR], [], NAMES.index("OpenDoorAction"))]
    wanted, unseen, zone = (c.OWN + k * c.WAY for k in (c.WANTED_THING, c.UNSEEN_THING, c.ZONE))
    units.append(([c.NOTHING, wanted + 2], [], NAMES.index("GrabObject")))
    units.append(([c.NEXT, c.IN_ZONE], [], NAMES.index("DropObject")))
    for d in range(8):
        units.append(([zone + 3 + d], [c.NOTHING], 1 + d))
        units.append(([c.NOTHING, wanted + 3 + d], [], 1 + d))
        units.append(([c.NOTHING, unseen + 3 + d], [wanted], 1 + d))
    first = np.zeros((c.SIZE, len(units)))
    biases = np.zeros(len(units))
    second = np.zeros((len(units), len(NAMES)))
    for k, (given, absent, action) in enumerate(units):
        first[given, k], first[absent, k] = 8, -8
        biases[k] = -8 * len(given) + 4
        second[k, action] = 3 if k == 0 else 1
    scores = second.sum(axis=0)  # so that what no unit asks for has a score of 0
    scores[0] = 0.5
    return ActionNetwork.of(VIEW, NAMES, [(first, biases), (second, scores)])
