"""Resampling particles: plain Python, run as it is or compiled. See `kernel`."""

from __future__ import annotations

import math
from typing import Any

from gridarium.beliefs.places.particles.arguments import FilterArg, FilterNumber
from gridarium.compiled.data_types.primitives import float64_at, int64_at
from gridarium.compiled.data_types.random import draw_float, draw_integer

SYSTEMATIC, STRATIFIED, MULTINOMIAL, RESIDUAL = range(4)


def resample(frame: Any, numbers: Any, share: float, *, weighed: bool) -> None:
    """New particles of equal weight, chosen by the weights; a share of them anywhere.

    Which of the particles at a place survive makes no difference, so it is places that are chosen, by their weights in the
    weights: where these are `weighed`, the belief.
    """
    before = int(frame[FilterArg.COUNT])
    particles = int64_at(frame[FilterArg.PARTICLES], (int(frame[FilterArg.MOST]),))
    weights = float64_at(frame[FilterArg.WEIGHTS], (int(frame[FilterArg.MOST]),))
    scratch = int64_at(frame[FilterArg.SCRATCH], (2,))
    method, count = int(frame[FilterArg.METHOD]), wanted_count(frame, numbers)
    if method == RESIDUAL:
        draw(frame, keep_whole(frame, before, count), count)
    elif method == MULTINOMIAL:
        weigh_places(frame, int(frame[FilterArg.PLACE_WEIGHTS]))
        draw(frame, 0, count)
    else:
        if not weighed:
            weigh_places(frame, int(frame[FilterArg.PLACE_WEIGHTS]))
        walk(
            frame,
            int(frame[FilterArg.BELIEF if weighed else FilterArg.PLACE_WEIGHTS]),
            count,
            method == STRATIFIED,
        )
    injected, even = 0, 1.0 / count
    for i in range(count):
        weights[i] = even
    if share > 0.0:
        for i in range(count):
            if draw_float(scratch, 0) < share:
                particles[i] = draw_integer(scratch, 0, int(frame[FilterArg.PLACES]))
                injected += 1
    frame[FilterArg.COUNT] = count
    numbers[FilterNumber.EFFECTIVE] = float(count)
    numbers[FilterNumber.RESAMPLED] = 1.0
    numbers[FilterNumber.INJECTED] = float(injected)


def injected_share(numbers: Any) -> float:
    """The share of the particles to be put at random places (Thrun, Burgard and Fox 2005, augmented MCL)."""
    share = float(numbers[FilterNumber.INJECTION])
    if numbers[FilterNumber.FAST_RATE] > 0.0:
        total = numbers[FilterNumber.TOTAL]
        if numbers[FilterNumber.SLOW] == 0.0:
            numbers[FilterNumber.SLOW] = total
            numbers[FilterNumber.FAST] = total
        numbers[FilterNumber.SLOW] += numbers[FilterNumber.SLOW_RATE] * (total - numbers[FilterNumber.SLOW])
        numbers[FilterNumber.FAST] += numbers[FilterNumber.FAST_RATE] * (total - numbers[FilterNumber.FAST])
        if numbers[FilterNumber.SLOW] > 0.0:
            share = max(share, 1.0 - numbers[FilterNumber.FAST] / numbers[FilterNumber.SLOW])
    return share


def wanted_count(frame: Any, numbers: Any) -> int:
    """The number of particles that is needed (Fox 2003); the present one where it is fixed."""
    if numbers[FilterNumber.ERROR] <= 0.0:
        return int(frame[FilterArg.COUNT])
    belief = float64_at(frame[FilterArg.BELIEF], (int(frame[FilterArg.PLACES]),))
    bins = 0
    for place in range(int(frame[FilterArg.PLACES])):
        if belief[place] > 0.0:
            bins += 1
    wanted = 1.0
    if bins > 1:
        spread = 2.0 / (9.0 * (bins - 1))
        root = 1.0 - spread + math.sqrt(spread) * numbers[FilterNumber.QUANTILE]
        wanted = (bins - 1) / (2.0 * numbers[FilterNumber.ERROR]) * root * root * root
    return max(int(frame[FilterArg.LEAST]), min(int(frame[FilterArg.MOST]), math.ceil(wanted)))


def weigh_places(frame: Any, address: int) -> None:
    """Write the share of each place in the weights to float64[places]."""
    count, places = int(frame[FilterArg.COUNT]), int(frame[FilterArg.PLACES])
    particles = int64_at(frame[FilterArg.PARTICLES], (count,))
    weights = float64_at(frame[FilterArg.WEIGHTS], (count,))
    place_weights = float64_at(address, (places,))
    for place in range(places):
        place_weights[place] = 0.0
    for i in range(count):
        place_weights[int(particles[i])] += weights[i]


def keep_whole(frame: Any, before: int, count: int) -> int:
    """Copy each particle as often as its weight is worth in whole; returns the number of copies.

    They come first; the remainders of the weights are added up by places.
    """
    most, places = int(frame[FilterArg.MOST]), int(frame[FilterArg.PLACES])
    particles = int64_at(frame[FilterArg.PARTICLES], (most,))
    buffer = int64_at(frame[FilterArg.BUFFER], (most,))
    weights = float64_at(frame[FilterArg.WEIGHTS], (most,))
    place_weights = float64_at(frame[FilterArg.PLACE_WEIGHTS], (places,))
    for place in range(places):
        place_weights[place] = 0.0
    done = 0
    for i in range(before):
        worth, place = weights[i] * count, int(particles[i])
        copies = min(int(worth * (1.0 + 1e-12)), count - done)
        place_weights[place] += max(worth - copies, 0.0)
        for _ in range(copies):
            buffer[done] = place
            done += 1
    for i in range(done):
        particles[i] = buffer[i]
    return done


def draw(frame: Any, first: int, last: int) -> None:
    """Put particles `first` to `last` at places drawn independently by their weights.

    The guide says for each of as many equal parts of [0, 1) at which place to begin looking (Chen and Asau 1974).
    """
    places = int(frame[FilterArg.PLACES])
    particles = int64_at(frame[FilterArg.PARTICLES], (int(frame[FilterArg.MOST]),))
    place_weights = float64_at(frame[FilterArg.PLACE_WEIGHTS], (places,))
    guide = int64_at(frame[FilterArg.GUIDE], (places,))
    scratch = int64_at(frame[FilterArg.SCRATCH], (2,))
    total = 0.0
    for place in range(places):
        total += place_weights[place]
        place_weights[place] = total
    here = 0
    for part in range(places):
        while here < places - 1 and place_weights[here] <= part * total / places:
            here += 1
        guide[part] = here
    for i in range(first, last):
        u = draw_float(scratch, 0)
        place = int(guide[int(u * places)])
        while place < places - 1 and place_weights[place] <= u * total:
            place += 1
        particles[i] = place


def walk(frame: Any, address: int, count: int, stratified: bool) -> None:
    """Choose places at equal distances along float64[places], their weights, from one random offset or each from its own."""
    places = int(frame[FilterArg.PLACES])
    particles = int64_at(frame[FilterArg.PARTICLES], (count,))
    place_weights = float64_at(address, (places,))
    scratch = int64_at(frame[FilterArg.SCRATCH], (2,))
    last, step = places - 1, 1.0 / count
    while last > 0 and place_weights[last] <= 0.0:
        last -= 1
    offset, place, edge = draw_float(scratch, 0), 0, place_weights[0]
    for j in range(count):
        point = (j + offset) * step
        while edge <= point and place < last:
            place += 1
            edge += place_weights[place]
        particles[j] = place
        if stratified:
            offset = draw_float(scratch, 0)
