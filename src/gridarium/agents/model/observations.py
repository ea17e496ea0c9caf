"""What an agent perceives in each state of a model: the array O, and observations by number."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.agents.dynamics import Dynamics
from gridarium.agents.enumerating import Onlooker
from gridarium.agents.problems import ClockMatters
from gridarium.agents.reading import reads_unseen
from gridarium.agents.sparse import csr
from gridarium.engine.outputs import Arrays
from gridarium.rules.chance import NotEnumerable


def observation_key(arrays: Arrays) -> bytes:
    """An observation of one agent as bytes, to tell it from others.

    Raises:
        TypeError: what is no observation.
    """
    if not isinstance(arrays, Mapping):
        raise TypeError(f"an observation is arrays by name, as an environment gives them, not {arrays!r}")
    return b"".join(arrays[name].tobytes() for name in sorted(arrays))


@dataclass(frozen=True, eq=False)
class Observations:
    """Probabilities of observations in states, as a sparse matrix of S rows (CSR).

    Attributes:
        offsets: int64[S + 1].
        numbers: int64[n]: of observations.
        probabilities: float64[n].
        arrays: each observation, as the arrays of the environment.
    """

    offsets: npt.NDArray[np.int64]
    numbers: npt.NDArray[np.int64]
    probabilities: npt.NDArray[np.float64]
    arrays: list[Arrays]
    known: dict[bytes, int] = field(repr=False)

    def __len__(self) -> int:
        return len(self.arrays)

    def likelihood(self, observation: Arrays) -> npt.NDArray[np.float64]:
        """float64[S]: how likely an observation is in each state; zeros for one that is not known."""
        number = self.known.get(observation_key(observation), -1)
        states = np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))
        chosen = self.numbers == number
        count = len(self.offsets) - 1
        return np.bincount(states[chosen], self.probabilities[chosen], count).astype(np.float64)

    def matrix(self) -> Any:
        """As a `scipy.sparse.csr_array` [S, observations]; needs scipy."""
        return csr(self.probabilities, self.numbers, self.offsets, (len(self.offsets) - 1, len(self)))


def observations_of(dynamics: Dynamics, agent: int) -> Observations:
    """What an agent perceives in all states that have been met.

    Where anything asks for random numbers meanwhile, probabilities are found as those of steps are.

    Raises:
        NotEnumerable: `dynamics.chance` is "exact", and probabilities cannot be found so.
        ClockMatters: what is perceived may depend on the tick, and `dynamics.clock` refuses that.
    """
    found = _Found()
    spec = dynamics.world.spec
    unseen = reads_unseen((spec.observation, *((s.likelihood, s.measure) for s in spec.sensors)))
    for leaves in _certain(dynamics, agent, unseen) or _branching(dynamics, agent, unseen):
        found.state(leaves)
    offsets = np.cumsum([0, *found.counts]).astype(np.int64)
    numbers, probabilities = np.array(found.numbers, np.int64), np.array(found.probabilities)
    return Observations(offsets, numbers, probabilities, found.arrays, found.known)


class _Found:
    def __init__(self) -> None:
        self.counts: list[int] = []
        self.numbers: list[int] = []
        self.probabilities: list[float] = []
        self.arrays: list[Arrays] = []
        self.known: dict[bytes, int] = {}

    def state(self, leaves: list[tuple[float, Arrays]]) -> None:
        shares: dict[int, float] = {}
        for p, arrays in leaves:
            number = self.known.setdefault(observation_key(arrays), len(self.arrays))
            if number == len(self.arrays):
                self.arrays.append(arrays)
            shares[number] = shares.get(number, 0.0) + p
        self.counts.append(len(shares))
        self.numbers += shares
        self.probabilities += shares.values()


Seen = list[tuple[float, Arrays]]


def _certain(dynamics: Dynamics, agent: int, unseen: bool) -> list[Seen] | None:
    """What is perceived in each state, if nothing asks for luck; None if that cannot be known so (it needs compiled rules)."""
    if not dynamics.world.machine.compiled or unseen:
        return None
    dynamics.stepper.asked()
    seen = _each(dynamics, np.arange(len(dynamics)), agent)
    asked = dynamics.stepper.asked()
    _check_clock(dynamics, asked.clock)
    return None if asked.luck else [[(1.0, arrays)] for arrays in seen]


def _branching(dynamics: Dynamics, agent: int, unseen: bool) -> Iterator[Seen]:
    """What can be perceived in each state."""
    onlooker = Onlooker(dynamics.world, agent)
    for i in range(len(dynamics)):
        yield _leaves(dynamics, onlooker, i, agent, unseen)
        _check_clock(dynamics, onlooker.clock_read)


def _leaves(dynamics: Dynamics, onlooker: Onlooker, i: int, agent: int, unseen: bool) -> Seen:
    if dynamics.chance != "sampled":
        try:
            return onlooker.outcomes(dynamics.state(i))
        except NotEnumerable:
            if dynamics.chance == "exact":
                raise
    dynamics.exact = False
    again = np.full(dynamics.samples, i)
    dynamics.stepper.asked()
    seen = _each(dynamics, again, agent)
    _check_clock(dynamics, unseen or dynamics.stepper.asked().clock)
    return [(1 / len(again), arrays) for arrays in seen]


def _check_clock(dynamics: Dynamics, asked: bool) -> None:
    if asked and dynamics.clock == "refuse":
        raise ClockMatters(
            f"what is perceived in {dynamics.world.name} depends on the tick, for which a rule asks; with clock='count' "
            "the tick is part of a state, with clock='ignore' it counts as 0"
        )


def _each(dynamics: Dynamics, chosen: npt.NDArray[np.int64], agent: int) -> list[Arrays]:
    """What an agent perceives in some states, one after the other."""
    rows = tuple(a[chosen] for a in dynamics.store.rows())
    seen = dynamics.stepper.observe(rows)
    own = seen if dynamics.world.spec.agents == 1 else {name: a[:, agent] for name, a in seen.items()}
    return [{name: array[k] for name, array in own.items()} for k in range(len(chosen))]
