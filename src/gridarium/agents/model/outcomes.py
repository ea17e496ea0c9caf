"""The outcomes of a step: different next states with their probabilities."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


class Outcomes(NamedTuple):
    """The outcomes of a step: different next states, in the order in which random draws first lead there.

    Attributes:
        probability: float64[k], adding up to 1.
        next: int64[k]: numbers of states.
        rewards: float64[k, agents]: mean rewards of the steps that lead there.
    """

    probability: Floats
    next: Integers
    rewards: Floats


def merged(counts: Integers, probabilities: Floats, found: Integers, rewards: Floats) -> list[Outcomes]:
    """Outcomes of n steps from all ways in which draws can fall in each, some of which lead to the same state.

    Args:
        counts: int64[n]: how many ways each step has; they lie one step after the other.
        probabilities: float64[ways]: their probabilities.
        found: int64[ways]: the numbers of the states that they lead to.
        rewards: float64[ways, agents].
    """
    if (counts == 1).all():
        each = (slice(k, k + 1) for k in range(len(counts)))
        return [Outcomes(probabilities[own], found[own], rewards[own]) for own in each]
    whose = np.repeat(np.arange(len(counts)), counts)
    _, first, place = np.unique(
        whose * (found.max(initial=0) + 1) + found, return_index=True, return_inverse=True
    )
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    place, first = rank[place], first[order]
    total = np.bincount(place, probabilities).astype(np.float64)
    mean = np.empty((len(first), rewards.shape[1]))
    for agent in range(rewards.shape[1]):
        mean[:, agent] = np.bincount(place, probabilities * rewards[:, agent]) / total
    different = found[first]
    ends = np.cumsum(np.bincount(whose[first], minlength=len(counts))).tolist()
    return [
        Outcomes(total[begin:end], different[begin:end], mean[begin:end])
        for begin, end in zip([0, *ends], ends, strict=False)
    ]
