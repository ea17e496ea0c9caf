"""The particle filter's inner loops: plain Python, run as it is or compiled like the kernel of the worlds.

All numbers lie in arrays whose addresses are in a frame (`At`); `run` does what the bits of its mode say, in order.
"""

from __future__ import annotations

import math
from enum import IntEnum
from typing import Any

from gridarium.compiled.primitives import float64_at, int64_at
from gridarium.compiled.random import draw_float, draw_integer


class At(IntEnum):
    """Places in the frame. Those that name an array hold its address."""

    COUNT = 0
    MOST = 1
    PLACES = 2
    WAYS = 3
    ACTIONS = 4
    PARTICLES = 5
    SPARE = 6
    WEIGHTS = 7
    TARGETS = 8
    EDGES = 9
    LIKELIHOOD = 10
    BELIEF = 11
    SCRATCH = 12
    NUMBERS = 13
    METHOD = 14
    LEAST = 15
    SHARES = 16
    GUIDE = 17
    COORDINATES = 18


FRAME_LENGTH = 19


class Number(IntEnum):
    """Places among the numbers, float64[15]: what the filter is told, then what it tells."""

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
PREDICT, UPDATE, RESAMPLE, FORCE, ESTIMATE = 1, 2, 4, 8, 16
"""What a call does; with FORCE it resamples whatever the effective sample size is."""
SYSTEMATIC, STRATIFIED, MULTINOMIAL, RESIDUAL = range(4)


def run(frame: Any, slot: int, first: int, last: int, mode: int) -> int:
    """Predict with action `slot`, update, resample, estimate: those whose bits are set in `mode`."""
    numbers = float64_at(frame[At.NUMBERS], (NUMBERS,))
    if mode & PREDICT:
        predict(frame, slot)
    if mode & UPDATE:
        update(frame, numbers)
        if numbers[Number.TOTAL] <= 0.0:
            return 0
    if mode & RESAMPLE:
        numbers[Number.RESAMPLED] = 0.0
        share = injected_share(numbers)
        few = numbers[Number.EFFECTIVE] < numbers[Number.THRESHOLD] * frame[At.COUNT]
        if mode & FORCE != 0 or few or share > 0.0:
            resample(frame, numbers, share)
    if mode & ESTIMATE:
        estimate(frame, numbers)
    return 0


def predict(frame: Any, action: int) -> None:
    """Every particle moves, each with luck of its own."""
    places, ways = int(frame[At.PLACES]), int(frame[At.WAYS])
    particles = int64_at(frame[At.PARTICLES], (int(frame[At.MOST]),))
    targets = int64_at(frame[At.TARGETS], (int(frame[At.ACTIONS]) * places * ways,))
    edges = float64_at(frame[At.EDGES], (int(frame[At.ACTIONS]) * places * ways,))
    scratch = int64_at(frame[At.SCRATCH], (2,))
    begin = action * places * ways
    for i in range(int(frame[At.COUNT])):
        row = begin + int(particles[i]) * ways
        if ways > 1:
            u = draw_float(scratch, 0)
            last = row + ways - 1
            while row < last and u >= edges[row]:
                row += 1
        particles[i] = targets[row]


def update(frame: Any, numbers: Any) -> None:
    """Weigh every particle by the likelihood at its place; the weights add up to 1 again. All 0: nothing is changed."""
    count, places = int(frame[At.COUNT]), int(frame[At.PLACES])
    particles = int64_at(frame[At.PARTICLES], (int(frame[At.MOST]),))
    weights = float64_at(frame[At.WEIGHTS], (int(frame[At.MOST]),))
    likelihood = float64_at(frame[At.LIKELIHOOD], (places,))
    products = float64_at(frame[At.SPARE], (int(frame[At.MOST]),))
    total, squares = 0.0, 0.0
    for i in range(count):
        weight = weights[i] * likelihood[int(particles[i])]
        products[i] = weight
        total += weight
        squares += weight * weight
    numbers[Number.TOTAL] = total
    if total <= 0.0:
        return
    numbers[Number.EFFECTIVE] = total * total / squares
    belief = float64_at(frame[At.BELIEF], (places,))
    for place in range(places):
        belief[place] = 0.0
    scale = 1.0 / total
    for i in range(count):
        weight = products[i] * scale
        weights[i] = weight
        belief[int(particles[i])] += weight


def injected_share(numbers: Any) -> float:
    """Which share of the particles is to be put anywhere (Thrun, Burgard and Fox 2005, augmented MCL)."""
    share = float(numbers[Number.INJECTION])
    if numbers[Number.FAST_RATE] > 0.0:
        total = numbers[Number.TOTAL]
        if numbers[Number.SLOW] == 0.0:
            numbers[Number.SLOW] = total
            numbers[Number.FAST] = total
        numbers[Number.SLOW] += numbers[Number.SLOW_RATE] * (total - numbers[Number.SLOW])
        numbers[Number.FAST] += numbers[Number.FAST_RATE] * (total - numbers[Number.FAST])
        if numbers[Number.SLOW] > 0.0:
            share = max(share, 1.0 - numbers[Number.FAST] / numbers[Number.SLOW])
    return share


def resample(frame: Any, numbers: Any, share: float) -> None:
    """New particles of equal weight, chosen by the weights; a share of them anywhere."""
    most, before = int(frame[At.MOST]), int(frame[At.COUNT])
    particles = int64_at(frame[At.PARTICLES], (most,))
    weights = float64_at(frame[At.WEIGHTS], (most,))
    scratch = int64_at(frame[At.SCRATCH], (2,))
    method, count = int(frame[At.METHOD]), wanted_count(frame, numbers)
    if method >= MULTINOMIAL:
        kept = keep_whole(frame, before, count, method == RESIDUAL)
        draw(frame, kept, count)
    else:
        walk(frame, before, count, method == STRATIFIED)
    injected, even = 0, 1.0 / count
    for i in range(count):
        weights[i] = even
    if share > 0.0:
        for i in range(count):
            if draw_float(scratch, 0) < share:
                particles[i] = draw_integer(scratch, 0, int(frame[At.PLACES]))
                injected += 1
    frame[At.COUNT] = count
    numbers[Number.EFFECTIVE] = float(count)
    numbers[Number.RESAMPLED] = 1.0
    numbers[Number.INJECTED] = float(injected)


def wanted_count(frame: Any, numbers: Any) -> int:
    """How many particles are needed (Fox 2003); as many as now where their number is fixed."""
    if numbers[Number.ERROR] <= 0.0:
        return int(frame[At.COUNT])
    belief = float64_at(frame[At.BELIEF], (int(frame[At.PLACES]),))
    bins = 0
    for place in range(int(frame[At.PLACES])):
        if belief[place] > 0.0:
            bins += 1
    wanted = 1.0
    if bins > 1:
        spread = 2.0 / (9.0 * (bins - 1))
        root = 1.0 - spread + math.sqrt(spread) * numbers[Number.QUANTILE]
        wanted = (bins - 1) / (2.0 * numbers[Number.ERROR]) * root * root * root
    return max(int(frame[At.LEAST]), min(int(frame[At.MOST]), math.ceil(wanted)))


def keep_whole(frame: Any, before: int, count: int, residual: bool) -> int:
    """How many particles are certain: where `residual`, as many copies of each as its weight is worth in whole.

    They come first; the shares of the places in what is left of the weights are noted.
    """
    most, places = int(frame[At.MOST]), int(frame[At.PLACES])
    particles = int64_at(frame[At.PARTICLES], (most,))
    spare = int64_at(frame[At.SPARE], (most,))
    weights = float64_at(frame[At.WEIGHTS], (most,))
    shares = float64_at(frame[At.SHARES], (places,))
    for place in range(places):
        shares[place] = 0.0
    if not residual:
        for i in range(before):
            shares[int(particles[i])] += weights[i]
        return 0
    done = 0
    for i in range(before):
        worth, place = weights[i] * count, int(particles[i])
        copies = min(int(worth * (1.0 + 1e-12)), count - done)
        shares[place] += max(worth - copies, 0.0)
        for _ in range(copies):
            spare[done] = place
            done += 1
    for i in range(done):
        particles[i] = spare[i]
    return done


def draw(frame: Any, first: int, last: int) -> None:
    """Put particles `first` to `last` at places drawn independently by their shares.

    Which of the particles at a place survives makes no difference, so places are drawn, not particles. The guide says for
    each of as many equal parts of [0, 1) at which place to begin looking (Chen and Asau 1974).
    """
    places = int(frame[At.PLACES])
    particles = int64_at(frame[At.PARTICLES], (int(frame[At.MOST]),))
    shares = float64_at(frame[At.SHARES], (places,))
    guide = int64_at(frame[At.GUIDE], (places,))
    scratch = int64_at(frame[At.SCRATCH], (2,))
    total = 0.0
    for place in range(places):
        total += shares[place]
        shares[place] = total
    here = 0
    for part in range(places):
        while here < places - 1 and shares[here] <= part * total / places:
            here += 1
        guide[part] = here
    for i in range(first, last):
        u = draw_float(scratch, 0)
        place = int(guide[int(u * places)])
        while place < places - 1 and shares[place] <= u * total:
            place += 1
        particles[i] = place


def walk(frame: Any, before: int, count: int, stratified: bool) -> None:
    """Choose particles at equal distances along their weights, from one random offset or each from one of its own."""
    most = int(frame[At.MOST])
    particles = int64_at(frame[At.PARTICLES], (most,))
    spare = int64_at(frame[At.SPARE], (most,))
    weights = float64_at(frame[At.WEIGHTS], (most,))
    scratch = int64_at(frame[At.SCRATCH], (2,))
    offset, i, edge = draw_float(scratch, 0), 0, weights[0]
    for j in range(count):
        point = (j + offset) / count
        while edge <= point and i < before - 1:
            i += 1
            edge += weights[i]
        spare[j] = particles[i]
        if stratified:
            offset = draw_float(scratch, 0)
    for j in range(count):
        particles[j] = spare[j]


def estimate(frame: Any, numbers: Any) -> None:
    """The mean place of the belief, and the place that is most probable, the first of equals."""
    places = int(frame[At.PLACES])
    belief = float64_at(frame[At.BELIEF], (places,))
    coordinates = float64_at(frame[At.COORDINATES], (places, 2))
    y, x, best = 0.0, 0.0, 0
    for place in range(places):
        share = belief[place]
        y += share * coordinates[place, 0]
        x += share * coordinates[place, 1]
        if share > belief[best]:
            best = place
    numbers[Number.MEAN_Y] = y
    numbers[Number.MEAN_X] = x
    numbers[Number.BEST] = float(best)
