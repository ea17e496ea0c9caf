"""The frame of a particle filter: the addresses of its arrays, and the parameters and results of its loops."""

from __future__ import annotations

from enum import IntEnum


class FilterArg(IntEnum):
    """Places in the frame. Those that name an array hold its address."""

    COUNT = 0
    MOST = 1
    PLACES = 2
    WAYS = 3
    ACTIONS = 4
    PARTICLES = 5
    BUFFER = 6
    WEIGHTS = 7
    TARGETS = 8
    EDGES = 9
    LIKELIHOOD = 10
    BELIEF = 11
    SCRATCH = 12
    NUMBERS = 13
    METHOD = 14
    LEAST = 15
    PLACE_WEIGHTS = 16
    GUIDE = 17
    COORDINATES = 18


FRAME_LENGTH = 19


class FilterNumber(IntEnum):
    """Places among the numbers, float64[15]: parameters, then results."""

    THRESHOLD = 0
    INJECTION = 1
    SLOW_RATE = 2
    FAST_RATE = 3
    ERROR = 4
    QUANTILE = 5
    SLOW = 6
    FAST = 7
    TOTAL = 8
    EFFECTIVE = 9
    RESAMPLED = 10
    INJECTED = 11
    MEAN_Y = 12
    MEAN_X = 13
    BEST = 14


NUMBERS = 15
