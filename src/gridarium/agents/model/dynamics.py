"""A world as a graph that is explored step by step: states by number, outcomes with probabilities."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from gridarium.agents.model.outcomes import Outcomes, merged
from gridarium.agents.model.state_store import ClockMatters, StateStore
from gridarium.agents.model.stepper import LARGEST_BATCH, Stepper
from gridarium.agents.perspective import own_action_indices
from gridarium.engine import World
from gridarium.engine.acting import acting_agents
from gridarium.engine.arguments import check_count, check_index, generator
from gridarium.engine.outcomes.compiled import OutcomeBatch
from gridarium.engine.outcomes.copies import LARGEST_KEY
from gridarium.engine.outcomes.enumerator import StepEnumerator
from gridarium.engine.outcomes.state_rows import Rows, row_keys, rows_of
from gridarium.engine.step.kernel import RUNNING, TRUNCATED
from gridarium.engine.world import check_state, check_world
from gridarium.world import State
from gridarium.world.state import ENDED

Chance: TypeAlias = Literal["auto", "exact", "sampled"]
"""The method to find probabilities: "exact" by enumerating all outcomes; "sampled" by counting; "auto" exact where that is
possible."""
Clock: TypeAlias = Literal["refuse", "count", "ignore"]
"""Whether the tick tells states apart: "count" says yes. Otherwise the time limit is left out, and where a rule asks for
the tick, "refuse" says so, and "ignore" takes the outcomes of the first tick. The number of the episode is always 0, and with
"refuse" nobody may ask for it either."""
Joint: TypeAlias = tuple[int, ...]
"""The index of each agent's action."""
MAX_OUTCOMES, MIN_TOGETHER = 4096, 32
"""About so many outcomes are in memory at once, or those of so many steps: each may have thousands."""


class Dynamics:
    """The states of a world that have been met, and the outcomes of steps from them; both are remembered.

    Args:
        world: the world.
        limit: the largest number of different states.
        chance: the method to find probabilities.
        samples: the number of tries of a step, where probabilities are sampled.
        clock: whether the tick tells states apart.
        seed: of the samples.

    Attributes:
        exact: whether all probabilities found so far are exact; otherwise their standard error is at most
            0.5 / sqrt(samples).
        own_actions: for each agent, the indices of its actions.

    Raises:
        TypeError, ValueError: not a world, a number that is not above 0, or an unknown word.
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
        check_world(world)
        if chance not in ("auto", "exact", "sampled"):
            raise ValueError(f"chance is 'auto', 'exact' or 'sampled', not {chance!r}")
        check_count("samples", samples)
        check_count("limit", limit)
        if clock not in ("refuse", "count", "ignore"):
            raise ValueError(f"clock is 'refuse', 'count' or 'ignore', not {clock!r}")
        self.world, self.chance, self.samples, self.clock = world, chance, samples, clock
        self.store = StateStore(world, limit=limit, clock=clock == "count")
        self.stepper = Stepper(world, generator(seed))
        self._sample_key = self.stepper.rng.bytes(32)
        self.exact = True
        self._enumerator = StepEnumerator(world)
        self._max_outcomes = MAX_OUTCOMES // MIN_TOGETHER
        self._known: dict[tuple[int, Joint], Outcomes] = {}
        self._over: dict[int, bool] = {}
        self._acting: dict[int, tuple[int, ...]] = {}
        self._joints: dict[int, list[Joint]] = {}
        self.own_actions = [own_action_indices(world, agent) for agent in range(world.spec.agents)]

    def __len__(self) -> int:
        return len(self.store)

    def index(self, state: State) -> int:
        """The number of a state; a new one if it has not been met.

        Raises:
            StateLimit: there would be too many.
        """
        check_state(state, self.world)
        return int(self.store.add(rows_of(state))[0])

    def state(self, i: int, focus: int = 0) -> State:
        """A state by its number."""
        return self.store.state(i, focus)

    def over(self, i: int) -> bool:
        """Whether the episode is over in a state."""
        if i not in self._over:
            self._over[i] = bool(self.store.rows()[2][i, ENDED] != RUNNING)
        return self._over[i]

    def acting(self, i: int) -> tuple[int, ...]:
        """The agents that act in a state: all that are active, or the one whose turn it is."""
        if i not in self._acting:
            self._acting[i] = self._find_acting(i)
        return self._acting[i]

    def _find_acting(self, i: int) -> tuple[int, ...]:
        _, _, data, agent_rows = self.store.rows()
        acting = acting_agents(self.world.spec.turn_order, data[i : i + 1], agent_rows[i : i + 1])[0]
        return tuple(np.flatnonzero(acting).tolist())

    def joints(self, i: int) -> list[Joint]:
        """Every choice of legal actions of those that act in a state (the first action of all others stands for none)."""
        if i not in self._joints:
            acting = self.acting(i)
            legal = self._legal(i) if self.world.spec.has_masks else self.own_actions
            self._joints[i] = list(
                itertools.product(
                    *(
                        legal[a] if a in acting and legal[a] else own[:1]
                        for a, own in enumerate(self.own_actions)
                    )
                )
            )
        return self._joints[i]

    def _legal(self, i: int) -> list[list[int]]:
        """The indices of the legal actions of each agent; where agents act in turns, those of the one whose turn it is."""
        mask = self.world.action_mask(self.state(i))
        rows = mask if mask.ndim == 2 else itertools.repeat(mask, self.world.spec.agents)
        return [np.flatnonzero(row).tolist() for row in rows]

    @property
    def together(self) -> bool:
        """Whether many steps found out at once cost less than one by one."""
        return self.chance == "sampled" or self._enumerator.compiled

    @property
    def cheap(self) -> bool:
        """Whether steps cost so little that some may be found out in vain, if others are found out together with them."""
        return self._enumerator.compiled or (self.together and self.world.composed.ready)

    def outcomes(self, i: int, joint: Joint) -> Outcomes:
        """The outcomes of a step.

        Raises:
            IndexError: there is no such state.
            Exception: as `prepare`.
        """
        if (i, joint) not in self._known:
            check_index("states", i, len(self))
            self.prepare([(i, joint)])
        return self._known[i, joint]

    def prepare(self, pairs: Iterable[tuple[int, Joint]]) -> None:
        """Find the outcomes of many steps at once.

        Raises:
            StateLimit: too many states.
            ClockMatters: a rule asks for the time, and `clock` refuses that.
            NotEnumerable: `chance` is "exact", and a rule's random draws have no small number of branches.
        """
        wanted = [pair for pair in dict.fromkeys(pairs) if pair not in self._known]
        if not wanted:
            return
        if self.chance == "sampled":
            self._step_sampled(wanted)
        else:
            self._step_exact(wanted)

    def _step_exact(self, pairs: Sequence[tuple[int, Joint]]) -> None:
        left = list(pairs)
        while left:
            together = max(MIN_TOGETHER, MAX_OUTCOMES // self._max_outcomes)
            portion, left = left[:together], left[together:]
            rows, actions = self._chosen(portion)
            found = self._enumerator.enumerate(rows, actions)
            if found.refused and self.chance == "exact":
                raise next(iter(found.refused.values()))
            if found.clock_read and self.clock == "refuse":
                self._refuse(
                    portion[next(k for k in range(len(portion)) if self._reads_clock(rows, actions, k))]
                )
            self._max_outcomes = max(1, int(found.counts.max()))
            self._known.update(
                (pair, now) for pair, now in zip(portion, self._merged(found), strict=True) if len(now.next)
            )
            self._step_sampled([portion[k] for k in found.refused])

    def _reads_clock(self, rows: Rows, actions: npt.NDArray[np.int64], k: int) -> bool:
        """Whether a rule asks for the tick in the k-th of some steps."""
        own = slice(k, k + 1)
        return self._enumerator.enumerate(tuple(a[own] for a in rows), actions[own]).clock_read

    def _merged(self, found: OutcomeBatch) -> list[Outcomes]:
        return merged(found.counts, found.probabilities, self._add(found.rows), found.rewards)

    def _chosen(self, pairs: Sequence[tuple[int, Joint]]) -> tuple[Rows, npt.NDArray[np.int64]]:
        """The states and actions of some steps."""
        states = [i for i, _ in pairs]
        return tuple(a[states] for a in self.store.rows()), np.array([joint for _, joint in pairs], np.int64)

    def _step_sampled(self, pairs: Sequence[tuple[int, Joint]]) -> None:
        share = max(1, LARGEST_BATCH // self.samples)
        for first in range(0, len(pairs), share):
            self.exact = False
            portion = pairs[first : first + share]
            states, actions = self._chosen(portion)
            rows = tuple(np.repeat(a, self.samples, axis=0) for a in states)
            self.stepper.marks()
            keys = self._random_keys(states, portion)
            result = self.stepper.step(rows, np.repeat(actions, self.samples, axis=0), keys)
            if self.clock == "refuse" and (
                self.stepper.marks().clock_read or self._enumerator.clock_unmarked
            ):
                self._refuse(portion[0])
            evenly = np.full(len(result.rewards), 1 / self.samples)
            counts = np.full(len(portion), self.samples)
            self._known.update(
                zip(portion, merged(counts, evenly, self._add(result.rows), result.rewards), strict=True)
            )

    def _random_keys(self, states: Rows, pairs: Sequence[tuple[int, Joint]]) -> npt.NDArray[np.int64]:
        """int64[pairs * samples, 2]: random keys for the samples of some steps, whatever was sampled before."""
        keys = []
        for state, (_, joint) in zip(row_keys(states), pairs, strict=True):
            digest = hashlib.blake2b(bytes(state) + repr(joint).encode(), key=self._sample_key).digest()
            own = np.random.default_rng(int.from_bytes(digest))
            keys.append(own.integers(-LARGEST_KEY, LARGEST_KEY, (self.samples, 2)))
        return np.concatenate(keys)

    def _add(self, rows: Rows) -> npt.NDArray[np.int64]:
        if self.clock != "count":
            data = rows[2].copy()
            data[data[:, ENDED] == TRUNCATED, ENDED] = RUNNING
            rows = (*rows[:2], data, rows[3])
        return self.store.add(rows)

    def _refuse(self, pair: tuple[int, Joint]) -> None:
        names = ", ".join(self.world.actions[a].name for a in pair[1])
        raise ClockMatters(
            f"what {names} brings in {self.world.name} depends on the tick, for which a rule asks; with clock='count' "
            f"the tick is part of a state, with clock='ignore' it counts as 0. It was found here:\n{self.state(pair[0])}"
        )
