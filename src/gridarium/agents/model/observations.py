"""Observations of an agent in each state of a model: the array O, and observations by number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from gridarium.agents.model.dynamics import Dynamics
from gridarium.agents.model.state_store import ClockMatters
from gridarium.agents.perspective import observation_key, own_observations
from gridarium.engine.outcomes.clock_reading import ClockReading, clock_reading
from gridarium.engine.outcomes.interpreted import ObservationEnumerator
from gridarium.engine.threads.outputs import Arrays
from gridarium.rules.outcomes import NotEnumerable

if TYPE_CHECKING:
    from scipy.sparse import csr_array


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

    def matrix(self) -> csr_array:
        """As a `scipy.sparse.csr_array` [S, observations]; needs scipy."""
        return csr(self.probabilities, self.numbers, self.offsets, (len(self.offsets) - 1, len(self)))


def observations_of(dynamics: Dynamics, agent: int) -> Observations:
    """The observations of an agent in all states that have been met.

    Where random numbers are drawn meanwhile, probabilities are found as those of steps are.

    Raises:
        NotEnumerable: `dynamics.chance` is "exact", and probabilities cannot be found so.
        ClockMatters: what is perceived may depend on the tick, and `dynamics.clock` refuses that.
    """
    found = _ObservationTable()
    spec = dynamics.world.spec
    clock = clock_reading((spec.observation, *((s.likelihood, s.measure) for s in spec.sensors)))
    for outcomes in _certain(dynamics, agent, clock) or _enumerated(dynamics, agent, clock):
        found.add_state(outcomes)
    offsets = np.cumsum([0, *found.counts]).astype(np.int64)
    numbers, probabilities = np.array(found.numbers, np.int64), np.array(found.probabilities)
    return Observations(offsets, numbers, probabilities, found.arrays, found.known)


class _ObservationTable:
    def __init__(self) -> None:
        self.counts: list[int] = []
        self.numbers: list[int] = []
        self.probabilities: list[float] = []
        self.arrays: list[Arrays] = []
        self.known: dict[bytes, int] = {}

    def add_state(self, outcomes: list[tuple[float, Arrays]]) -> None:
        probabilities: dict[int, float] = {}
        for p, arrays in outcomes:
            number = self.known.setdefault(observation_key(arrays), len(self.arrays))
            if number == len(self.arrays):
                self.arrays.append(arrays)
            probabilities[number] = probabilities.get(number, 0.0) + p
        self.counts.append(len(probabilities))
        self.numbers += probabilities
        self.probabilities += probabilities.values()


Weighed = list[tuple[float, Arrays]]


def _certain(dynamics: Dynamics, agent: int, clock: ClockReading) -> list[Weighed] | None:
    """The observation in each state, if no random number is drawn; None if some is, or if rules may read the clock unmarked."""
    if clock.unmarked:
        return None
    dynamics.stepper.marks()
    seen = _each(dynamics, np.arange(len(dynamics)), agent)
    marks = dynamics.stepper.marks()
    _check_clock(dynamics, marks.clock_read)
    return None if marks.random_drawn else [[(1.0, arrays)] for arrays in seen]


def _enumerated(dynamics: Dynamics, agent: int, clock: ClockReading) -> Iterator[Weighed]:
    """The possible observations in each state."""
    enumerator = ObservationEnumerator(dynamics.world, agent)
    for i in range(len(dynamics)):
        yield _outcomes(dynamics, enumerator, i, agent, clock)
        _check_clock(dynamics, enumerator.clock_read or clock.data)


def _outcomes(
    dynamics: Dynamics, enumerator: ObservationEnumerator, i: int, agent: int, clock: ClockReading
) -> Weighed:
    if dynamics.chance != "sampled":
        try:
            return enumerator.enumerate(dynamics.state(i))
        except NotEnumerable:
            if dynamics.chance == "exact":
                raise
    dynamics.exact = False
    again = np.full(dynamics.samples, i)
    dynamics.stepper.marks()
    seen = _each(dynamics, again, agent)
    _check_clock(dynamics, clock.unmarked or dynamics.stepper.marks().clock_read)
    return [(1 / len(again), arrays) for arrays in seen]


def _check_clock(dynamics: Dynamics, clock_read: bool) -> None:
    if clock_read and dynamics.clock == "refuse":
        raise ClockMatters(
            f"what is perceived in {dynamics.world.name} depends on the tick, for which a rule asks; with clock='count' "
            "the tick is part of a state, with clock='ignore' it counts as 0"
        )


def _each(dynamics: Dynamics, chosen: npt.NDArray[np.int64], agent: int) -> list[Arrays]:
    """The observations of an agent in some states, one after the other."""
    rows = tuple(a[chosen] for a in dynamics.store.rows())
    own = own_observations(dynamics.stepper.observe(rows), agent, dynamics.world.spec.agents)
    return [{name: array[k] for name, array in own.items()} for k in range(len(chosen))]


def csr(
    probabilities: npt.NDArray[np.float64],
    columns: npt.NDArray[np.int64],
    offsets: npt.NDArray[np.int64],
    shape: tuple[int, int],
) -> csr_array:
    """A `scipy.sparse.csr_array`.

    Raises:
        ImportError: scipy is not installed.
    """
    try:
        from scipy.sparse import csr_array
    except ImportError as error:
        raise ImportError(
            "sparse matrices need scipy: pip install 'gridarium[planning]'; a model's own arrays do not"
        ) from error
    return csr_array((probabilities, columns, offsets), shape=shape)
