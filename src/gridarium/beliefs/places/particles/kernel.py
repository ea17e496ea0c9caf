"""The particle filter's inner loops: plain Python, run as it is or compiled like the kernel of the worlds.

All numbers lie in arrays whose addresses are in a frame (`FilterArg`); `run` does what the bits of its mode say, in order.
"""

from __future__ import annotations

from typing import Any

from gridarium.beliefs.places.particles.arguments import NUMBERS, FilterArg, FilterNumber
from gridarium.beliefs.places.particles.resampling_kernel import draw, injected_share, resample, weigh_places
from gridarium.compiled.data_types.primitives import copy_words, float64_at, int64_at
from gridarium.compiled.data_types.random import draw_float, draw_integer

PREDICT, UPDATE, RESAMPLE, FORCE, ESTIMATE, SCATTER, REDRAW = 1, 2, 4, 8, 16, 32, 64
"""The bits of a mode; FORCE resamples for any effective sample size. SCATTER and REDRAW come first."""
TINY = 1e-100
"""Sums of weights whose squares may be too small for a float."""


def run(frame: Any, slot: int, first: int, last: int, mode: int) -> int:
    """Scatter, redraw, predict with action `slot`, update, resample, estimate: those whose bits are set in `mode`."""
    numbers = float64_at(frame[FilterArg.NUMBERS], (NUMBERS,))
    if mode & SCATTER:
        scatter(frame, numbers)
    if mode & REDRAW:
        redraw(frame, numbers)
    if mode & PREDICT:
        predict(frame, slot)
    if mode & UPDATE:
        update(frame, numbers)
        if numbers[FilterNumber.TOTAL] <= 0.0:
            return 0
    if mode & RESAMPLE:
        numbers[FilterNumber.RESAMPLED] = 0.0
        share = injected_share(numbers)
        few = numbers[FilterNumber.EFFECTIVE] < numbers[FilterNumber.THRESHOLD] * frame[FilterArg.COUNT]
        if mode & FORCE != 0 or few or share > 0.0:
            resample(frame, numbers, share, weighed=mode & UPDATE != 0)
    if mode & ESTIMATE:
        estimate(frame, numbers)
    return 0


def scatter(frame: Any, numbers: Any) -> None:
    """Start again: as many particles at every place, those that are left over at some of the places, drawn at random."""
    count, places = int(frame[FilterArg.COUNT]), int(frame[FilterArg.PLACES])
    particles = int64_at(frame[FilterArg.PARTICLES], (count,))
    belief = float64_at(frame[FilterArg.BELIEF], (places,))
    order = int64_at(frame[FilterArg.GUIDE], (places,))
    scratch = int64_at(frame[FilterArg.SCRATCH], (2,))
    each, even, done = count // places, 1.0 / count, 0
    for place in range(places):
        belief[place], order[place] = each * even, place
        for _ in range(each):
            particles[done] = place
            done += 1
    for k in range(count - done):
        chosen = k + draw_integer(scratch, 0, places - k)
        place = int(order[chosen])
        order[chosen], order[k] = order[k], place
        particles[done + k] = place
        belief[place] += even
    level(frame, numbers)
    numbers[FilterNumber.SLOW] = numbers[FilterNumber.FAST] = 0.0


def redraw(frame: Any, numbers: Any) -> None:
    """Draw all particles again, from the likelihood alone."""
    places = int(frame[FilterArg.PLACES])
    copy_words(
        float64_at(frame[FilterArg.LIKELIHOOD], (places,)),
        float64_at(frame[FilterArg.PLACE_WEIGHTS], (places,)),
    )
    draw(frame, 0, int(frame[FilterArg.COUNT]))
    level(frame, numbers)
    weigh_places(frame, int(frame[FilterArg.BELIEF]))


def level(frame: Any, numbers: Any) -> None:
    """All weights alike."""
    count = int(frame[FilterArg.COUNT])
    weights = float64_at(frame[FilterArg.WEIGHTS], (count,))
    for i in range(count):
        weights[i] = 1.0 / count
    numbers[FilterNumber.TOTAL], numbers[FilterNumber.EFFECTIVE] = 1.0, float(count)


def predict(frame: Any, action: int) -> None:
    """Every particle moves, each with random numbers of its own."""
    places, ways = int(frame[FilterArg.PLACES]), int(frame[FilterArg.WAYS])
    particles = int64_at(frame[FilterArg.PARTICLES], (int(frame[FilterArg.MOST]),))
    targets = int64_at(frame[FilterArg.TARGETS], (int(frame[FilterArg.ACTIONS]) * places * ways,))
    edges = float64_at(frame[FilterArg.EDGES], (int(frame[FilterArg.ACTIONS]) * places * ways,))
    scratch = int64_at(frame[FilterArg.SCRATCH], (2,))
    begin = action * places * ways
    for i in range(int(frame[FilterArg.COUNT])):
        row = begin + int(particles[i]) * ways
        if ways > 1:
            u, passed = draw_float(scratch, 0), 0
            for way in range(ways - 1):  # to the end: leaving early, the processor guesses wrong too often
                passed += 1 if u >= edges[row + way] else 0
            row += passed
        particles[i] = targets[row]


def update(frame: Any, numbers: Any) -> None:
    """Weigh every particle by the likelihood at its place; the weights add up to 1 again. All 0: nothing is changed."""
    count, places = int(frame[FilterArg.COUNT]), int(frame[FilterArg.PLACES])
    particles = int64_at(frame[FilterArg.PARTICLES], (int(frame[FilterArg.MOST]),))
    weights = float64_at(frame[FilterArg.WEIGHTS], (int(frame[FilterArg.MOST]),))
    likelihood = float64_at(frame[FilterArg.LIKELIHOOD], (places,))
    products = float64_at(frame[FilterArg.BUFFER], (int(frame[FilterArg.MOST]),))
    total, squares = 0.0, 0.0
    for i in range(count):
        weight = weights[i] * likelihood[int(particles[i])]
        products[i] = weight
        total += weight
        squares += weight * weight
    numbers[FilterNumber.TOTAL] = total
    if total <= 0.0:
        return
    scale = 1.0
    if total < TINY:  # squares may be 0 then, and 1 / total infinite
        squares = 0.0
        for i in range(count):
            products[i] = products[i] / total
            squares += products[i] * products[i]
        numbers[FilterNumber.EFFECTIVE] = 1.0 / squares
    else:
        numbers[FilterNumber.EFFECTIVE] = total * total / squares
        scale = 1.0 / total
    belief = float64_at(frame[FilterArg.BELIEF], (places,))
    for place in range(places):
        belief[place] = 0.0
    for i in range(count):
        weight = products[i] * scale
        weights[i] = weight
        belief[int(particles[i])] += weight


def estimate(frame: Any, numbers: Any) -> None:
    """The mean place of the belief, and the place that is most probable, the first of equals."""
    places = int(frame[FilterArg.PLACES])
    belief = float64_at(frame[FilterArg.BELIEF], (places,))
    coordinates = float64_at(frame[FilterArg.COORDINATES], (places, 2))
    y, x, best = 0.0, 0.0, 0
    for place in range(places):
        share = belief[place]
        y += share * coordinates[place, 0]
        x += share * coordinates[place, 1]
        if share > belief[best]:
            best = place
    numbers[FilterNumber.MEAN_Y] = y
    numbers[FilterNumber.MEAN_X] = x
    numbers[FilterNumber.BEST] = float(best)
