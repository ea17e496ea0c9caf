"""A world as a graph that is found out while one walks on it: states by number, outcomes with probabilities."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from gridarium.agents.enumerating import step_outcomes
from gridarium.agents.problems import CannotPlan
from gridarium.agents.reading import ANYTHING, attributes_named
from gridarium.agents.stepper import LARGEST_BATCH, Stepper
from gridarium.agents.store import Rows, Store, joined, rows_of, state_at
from gridarium.engine import World
from gridarium.engine.kernel import RUNNING, TRUNCATED
from gridarium.rules.calling import takes_rng
from gridarium.rules.chance import NotEnumerable
from gridarium.world import State
from gridarium.world.agent import ACTIVE
from gridarium.world.state import ENDED, TICK, TURN

Chance: TypeAlias = Literal["auto", "exact", "sampled"]
"""How probabilities are found: "exact" by trying every way that luck can go; "sampled" by counting; "auto" exact where
that is possible."""
Clock: TypeAlias = Literal["refuse", "count", "ignore"]
"""Whether the tick tells states apart: "count" says yes. Otherwise the time limit is left out, and where a step's rewards
or results depend on the tick, "refuse" says so (not where outcomes are sampled), and "ignore" takes those of the
first tick."""
Joint: TypeAlias = tuple[int, ...]
"""The index of each agent's action."""
LATER = 7919
"""Ticks after which a step is tried again, to see whether the time matters; a prime, to meet few rules' rhythm."""


class ClockMatters(CannotPlan):
    """The same step has other rewards or other results at another tick."""


class Outcomes(NamedTuple):
    """What can come of a step: different next states.

    Attributes:
        probability: float64[k], adding up to 1.
        next: int64[k]: numbers of states.
        rewards: float64[k, agents]: mean rewards of the steps that lead there.
    """

    probability: npt.NDArray[np.float64]
    next: npt.NDArray[np.int64]
    rewards: npt.NDArray[np.float64]


class Dynamics:
    """The states of a world that have been met, and what comes of steps from them; all of it is remembered.

    Args:
        world: the world.
        limit: how many different states there may be.
        chance: how probabilities are found.
        samples: how often a step is tried, where they are sampled.
        clock: whether the tick tells states apart.
        seed: of the samples.

    Attributes:
        exact: whether all probabilities found so far are exact; otherwise their standard error is at most
            0.5 / sqrt(samples).
    """

    def __init__(
        self,
        world: World,
        *,
        limit: int = 50_000,
        chance: Chance = "auto",
        samples: int = 1000,
        clock: Clock = "refuse",
        seed: int = 0,
    ) -> None:
        if chance not in ("auto", "exact", "sampled"):
            raise ValueError(f"chance is 'auto', 'exact' or 'sampled', not {chance!r}")
        if samples < 1:
            raise ValueError(f"samples is at least 1, got {samples}")
        if clock not in ("refuse", "count", "ignore"):
            raise ValueError(f"clock is 'refuse', 'count' or 'ignore', not {clock!r}")
        self.world, self.chance, self.samples, self.clock = world, chance, samples, clock
        self.store = Store(world, limit=limit, clock=clock == "count")
        self.stepper = Stepper(world, np.random.default_rng(seed))
        self.exact = True
        self._certain = not draws(world)
        self._secretive = bool(
            attributes_named(_rules(world)) & {"data", ANYTHING}
        )  # may read the tick unseen
        self._known: dict[tuple[int, Joint], Outcomes] = {}
        self._joints: dict[int, list[Joint]] = {}
        self._own = [[a for a, has in enumerate(mask) if has] for mask in world.spec.action_masks]

    def __len__(self) -> int:
        return len(self.store)

    def index(self, state: State) -> int:
        """The number of a state; a new one if it has not been met.

        Raises:
            StateLimit: there would be too many.
        """
        return int(self.store.add(rows_of(state))[0])

    def state(self, i: int, focus: int = 0) -> State:
        """A state by its number."""
        return self.store.state(i, focus)

    def over(self, i: int) -> bool:
        """Whether the episode is over in a state."""
        return bool(self.store.rows()[2][i, ENDED] != RUNNING)

    def acting(self, i: int) -> tuple[int, ...]:
        """The agents that act in a state: all that are active, or the one whose turn it is."""
        _, _, data, bodies = self.store.rows()
        active = [agent for agent in range(bodies.shape[1]) if bodies[i, agent, ACTIVE]]
        if self.world.spec.turn_order != "cycle" or not active:
            return tuple(active)
        turn = int(data[i, TURN])
        return (min(active, key=lambda agent: (agent - turn) % bodies.shape[1]),)

    def joints(self, i: int) -> list[Joint]:
        """Every choice of actions of those that act in a state (the others' first action stands for none)."""
        if i not in self._joints:
            acting = self.acting(i)
            self._joints[i] = list(
                itertools.product(*(own if a in acting else own[:1] for a, own in enumerate(self._own)))
            )
        return self._joints[i]

    @property
    def together(self) -> bool:
        """Whether many steps found out at once cost less than one by one."""
        return self._certain or self.chance == "sampled"

    def outcomes(self, i: int, joint: Joint) -> Outcomes:
        """What can come of a step."""
        if (i, joint) not in self._known:
            self.prepare([(i, joint)])
        return self._known[i, joint]

    def prepare(self, pairs: Iterable[tuple[int, Joint]]) -> None:
        """Find out what comes of many steps at once.

        Raises:
            StateLimit: too many states.
            ClockMatters: the time matters, and `clock` refuses that.
            NotEnumerable: `chance` is "exact" and a rule's is not of that kind.
        """
        wanted = [pair for pair in dict.fromkeys(pairs) if pair not in self._known]
        if not wanted:
            return
        if self._certain:
            self._step_certain(wanted)
        elif self.chance == "sampled":
            self._step_sampled(wanted)
        else:
            self._step_exact(wanted)

    def _step_certain(self, pairs: Sequence[tuple[int, Joint]]) -> None:
        chosen, actions = np.array([i for i, _ in pairs]), np.array([joint for _, joint in pairs])
        rows = tuple(a[chosen] for a in self.store.rows())
        result = self.stepper.step(rows, actions)
        found = self._add(result.rows)
        if self.clock == "refuse":
            again = self.stepper.step(_later(rows), actions)
            same = (self._add(again.rows) == found) & (again.rewards == result.rewards).all(axis=1)
            if not same.all():
                self._refuse(pairs[int(np.argmin(same))])
        for k, pair in enumerate(pairs):
            self._known[pair] = Outcomes(np.ones(1), found[k : k + 1], result.rewards[k : k + 1])

    def _step_exact(self, pairs: Sequence[tuple[int, Joint]]) -> None:
        for pair in pairs:
            i, joint = pair
            try:
                found, clock_read = self._leaves(
                    rows := tuple(a[i : i + 1] for a in self.store.rows()), joint
                )
            except NotEnumerable:
                if self.chance == "exact":
                    raise
                self._step_sampled([pair])
                continue
            if (
                self.clock == "refuse"
                and (clock_read or self._secretive)
                and not _alike(found, self._leaves(_later(rows), joint)[0])
            ):
                self._refuse(pair)
            self._known[pair] = found

    def _leaves(self, rows: Rows, joint: Joint) -> tuple[Outcomes, bool]:
        """What can come of one step, and whether a rule has asked for the tick."""
        leaves = step_outcomes(self.world, state_at(self.world, rows, 0), joint)
        found = self._add(joined([rows_of(leaf.state) for leaf in leaves]))
        rewards = np.array([leaf.rewards for leaf in leaves])
        if len(leaves) == 1:
            return Outcomes(np.ones(1), found, rewards), leaves[0].clock_read
        return _merged(np.array([leaf.probability for leaf in leaves]), found, rewards), leaves[0].clock_read

    def _step_sampled(self, pairs: Sequence[tuple[int, Joint]]) -> None:
        self.exact = False
        share = max(1, LARGEST_BATCH // self.samples)
        for first in range(0, len(pairs), share):
            portion = pairs[first : first + share]
            chosen = np.repeat([i for i, _ in portion], self.samples)
            actions = np.repeat([joint for _, joint in portion], self.samples, axis=0)
            result = self.stepper.step(tuple(a[chosen] for a in self.store.rows()), actions)
            found = self._add(result.rows)
            for k, pair in enumerate(portion):
                own = slice(k * self.samples, (k + 1) * self.samples)
                evenly = np.full(self.samples, 1 / self.samples)
                self._known[pair] = _merged(evenly, found[own], result.rewards[own])

    def _add(self, rows: Rows) -> npt.NDArray[np.int64]:
        if self.clock != "count":
            data = rows[2].copy()
            data[data[:, ENDED] == TRUNCATED, ENDED] = RUNNING
            rows = (*rows[:2], data, rows[3])
        return self.store.add(rows)

    def _refuse(self, pair: tuple[int, Joint]) -> None:
        names = ", ".join(self.world.actions[a].name for a in pair[1])
        raise ClockMatters(
            f"what {names} brings in {self.world.name} depends on the tick; with clock='count' the tick is part "
            f"of a state, with clock='ignore' it counts as 0. It was found here:\n{self.state(pair[0])}"
        )


def draws(world: World) -> bool:
    """Whether any rule that moves, rewards or ends a world may draw random numbers."""
    if world.spec.agents > 1 and world.spec.conflicts == "random":
        return True
    rules = _rules(world)
    return any(map(takes_rng, rules)) or bool(attributes_named(rules) & {"rng", ANYTHING})


def _rules(world: World) -> list[Any]:
    spec = world.spec
    return [rule for rule, _ in spec.transitions] + [*spec.rewards, *spec.terminations]


def _later(rows: Rows) -> Rows:
    data = rows[2].copy()
    data[:, TICK] += LATER * rows[3].shape[1]
    return (*rows[:2], data, rows[3])


def _merged(
    probability: npt.NDArray[np.float64], found: npt.NDArray[np.int64], rewards: npt.NDArray[np.float64]
) -> Outcomes:
    """Each different next state once."""
    different, place = np.unique(found, return_inverse=True)
    total = np.bincount(place, probability).astype(np.float64)
    sums = np.stack([np.bincount(place, probability * column) for column in rewards.T], axis=1)
    return Outcomes(total, different, sums / total[:, None])


def _alike(one: Outcomes, other: Outcomes) -> bool:
    return all(
        a.shape == b.shape and np.allclose(a, b, rtol=0, atol=1e-9) for a, b in zip(one, other, strict=True)
    )
