"""Learning values in tables, from episodes of the composed world: Q-learning and SARSA."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from gridarium.agents.behaviour import Others
from gridarium.agents.learning.progress import (
    EpisodesInProgress,
    LearningCurve,
    Rate,
    greedy,
    rate_after,
)
from gridarium.agents.model.other_agents import OtherAgents
from gridarium.agents.perspective import observation_key, observation_keys, own_observations
from gridarium.engine import Autoreset, Batch, World
from gridarium.engine.arguments import check_count, check_shares, generator
from gridarium.engine.outcomes.state_rows import Rows, canonical_rows, row_keys, rows_of
from gridarium.engine.step.kernel import TERMINATED
from gridarium.engine.threads.outputs import Arrays
from gridarium.engine.world import check_state
from gridarium.world import Action, State
from gridarium.world.state import ENDED


class TableLearner:
    """Values of (state or observation, action) in a table that grows as new ones are seen.

    Args:
        world: the world.
        agent: the agent that learns.
        alpha: the learning rate, 0 to 1.
        discount: of rewards, for each tick, as for planners: where agents take turns, a decision lasts several.
        epsilon: the probability of a random action.
        on: the input of the table: the whole "state", or the "observation".
        others: the model of the other agents.
        worlds: the number of episodes that run side by side. Values learned in one of them serve all; with 1 it is the textbook's
            loop.
        seed: of the episodes and of what is tried.

    Attributes:
        q: float64[seen, actions]: the table.
        actions: its columns.
        episodes: the number of episodes that have ended.

    Raises:
        ValueError: a number out of its range.
    """

    def __init__(
        self,
        world: World,
        *,
        agent: int = 0,
        alpha: Rate = 0.1,
        discount: float = 0.99,
        epsilon: Rate = 0.1,
        on: Literal["state", "observation"] = "state",
        others: Others = "random",
        worlds: int = 16,
        seed: int = 0,
    ) -> None:
        for name, rate in (("alpha", alpha), ("discount", discount), ("epsilon", epsilon)):
            if not callable(rate):
                check_shares(**{name: rate})
        if on not in ("state", "observation"):
            raise ValueError(f"on is 'state' or 'observation', not {on!r}")
        check_count("worlds", worlds)
        self.world, self.agent, self.alpha, self.discount, self.epsilon = (
            world,
            agent,
            alpha,
            discount,
            epsilon,
        )
        self.on, self.worlds, self.episodes = on, worlds, 0
        self.other_agents = OtherAgents(world, agent, others)
        self.actions = tuple(world.actions[a] for a in self.other_agents.own)
        self._rng = generator(seed)
        self._q = np.zeros((64, len(self.actions)))
        self._rows: dict[bytes, int] = {}
        self._batch: Batch | None = None

    # learning

    def learn(self, episodes: int, *, limit: int | None = None) -> LearningCurve:
        """Play episodes and learn from them; called again, learning goes on.

        Args:
            episodes: the number of episodes that are to end.
            limit: the most ticks of an episode, besides the world's own time limit.

        Raises:
            Exception: what a rule raises.
        """
        check_count("episodes", episodes, 0)
        check_count("limit", 1 if limit is None else limit)
        batch, run = self._begin()
        returns: list[float] = []
        lengths: list[int] = []
        while len(returns) < episodes:
            self._decide(batch, run)
            result = batch.step(run.actions)
            rewards = result.rewards.reshape(batch.n, -1)[:, self.agent]
            run.gained += run.weight * rewards
            run.weight *= self.discount
            run.returns += rewards
            run.seen = self._table_rows(batch, result.observations)
            ended = batch.memory.data[:, ENDED] == TERMINATED
            over = batch.ended | (False if limit is None else batch.ticks >= limit)
            if over.any():
                self._finish(run, over, ended)
                returns += run.returns[over].tolist()
                lengths += batch.ticks[over].tolist()
                run.returns[over] = 0
                self.episodes += int(over.sum())
                observations = batch.reset(mask=over)
                run.seen = self._table_rows(batch, observations)
        return LearningCurve(np.array(returns), np.array(lengths, np.int64))

    def _begin(self) -> tuple[Batch, EpisodesInProgress]:
        if self._batch is None:
            self._batch = self.world.batch(
                self.worlds, autoreset=Autoreset.DISABLED, shared=True, threads=1, observers="all"
            )
            observations = self._batch.reset([int(k) for k in self._rng.integers(0, 1 << 62, self.worlds)])
        else:
            observations = self._batch.reset()
        return self._batch, EpisodesInProgress.of(self._batch, self._table_rows(self._batch, observations))

    def _decide(self, batch: Batch, run: EpisodesInProgress) -> None:
        """Learn from the last decision of those that decide now, and let them decide."""
        rows = batch.memory.arrays()
        deciding = self.other_agents.deciding(rows)
        seen = run.seen
        tried = self._rng.random(batch.n) < rate_after(self.epsilon, self.episodes)
        best = greedy(self._q[seen], self._rng)
        chosen = np.where(tried, self._rng.integers(len(self.actions), size=batch.n), best)
        ready = deciding & (run.decided >= 0)
        self._update_values(run, ready, run.gained + run.weight * self.bootstrap(self._q[seen], chosen))
        run.last[deciding], run.decided[deciding] = seen[deciding], chosen[deciding]
        run.gained[deciding], run.weight[deciding] = 0, 1
        run.actions[:] = self.other_agents.actions(rows, self.other_agents.own[chosen], self._rng)

    def _finish(
        self, run: EpisodesInProgress, over: npt.NDArray[np.bool_], ended: npt.NDArray[np.bool_]
    ) -> None:
        """Learn from episodes that are over; after one that was only cut off something might have followed."""
        beyond = np.where(ended, 0.0, run.weight * self._q[run.seen].max(axis=1))
        self._update_values(run, over & (run.decided >= 0), run.gained + beyond)
        run.decided[over] = -1
        run.gained[over], run.weight[over] = 0, 1

    def _update_values(
        self, run: EpisodesInProgress, chosen: npt.NDArray[np.bool_], targets: npt.NDArray[np.float64]
    ) -> None:
        """Move values towards targets; several targets of one value count as the same number of moves to their mean."""
        if not chosen.any():
            return
        cells = run.last[chosen] * len(self.actions) + run.decided[chosen]
        different, place = np.unique(cells, return_inverse=True)
        times = np.bincount(place)
        mean = np.bincount(place, targets[chosen]) / times
        share = 1 - (1 - rate_after(self.alpha, self.episodes)) ** times
        flat = self._q.reshape(-1)
        flat[different] += share * (mean - flat[different])

    def bootstrap(
        self, values: npt.NDArray[np.float64], chosen: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.float64]:
        """float64[n]: the value with which a target is bootstrapped, given the values [n, actions] of its actions and the chosen ones."""
        raise NotImplementedError

    # what has been learned

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.world.name}: {len(self._rows)} {self.on}s seen in {self.episodes} episodes>"

    @property
    def q(self) -> npt.NDArray[np.float64]:
        """The table: float64[seen, actions]."""
        return self._q[: len(self._rows)]

    def get_values(self, seen: State | Arrays) -> npt.NDArray[np.float64]:
        """float64[actions]: the values of all actions; zeros for what was never seen.

        Args:
            seen: a state, or with `on="observation"` the arrays that the agent perceives.

        Raises:
            TypeError, ValueError: neither, or a state of another kind of world.
        """
        row = self._rows.get(self._key(seen))
        return np.zeros(len(self.actions)) if row is None else self._q[row].copy()

    def knows(self, seen: State | Arrays) -> bool:
        """Whether learning came by this. Arguments and errors are those of `get_values`."""
        return self._key(seen) in self._rows

    def _key(self, seen: State | Arrays) -> bytes:
        if self.on == "state":
            if not isinstance(seen, State):
                raise TypeError(f"this table was learned on states, not on {seen!r}")
            check_state(seen, self.world)
            return row_keys(canonical_rows(rows_of(seen)))[0]
        if isinstance(seen, State):
            arrays = self.world.arrays(seen)
            several = self.world.spec.agents > 1
            seen = {name: a[self.agent] for name, a in arrays.items()} if several else arrays
        return observation_key(seen)

    def get_action(self, seen: State | Arrays) -> Action:
        """The best action, the first of equals."""
        best: Action = self.actions[int(self.get_values(seen).argmax())]
        return best

    def get_value(self, seen: State | Arrays) -> float:
        """The value of the best action."""
        return float(self.get_values(seen).max())

    def __call__(self, state: State, observation: Arrays) -> Action:
        """As a policy."""
        return self.get_action(state if self.on == "state" else observation)

    def decide_all(self, world: World, rows: Rows, observations: Arrays, agent: int) -> npt.NDArray[np.int64]:
        """int64[n]: the indices of the best actions in n worlds."""
        if self.on == "state":
            keys = row_keys(canonical_rows(rows))
        else:
            keys = observation_keys(observations, len(rows[0]))
        found = np.array([self._rows.get(key, -1) for key in keys])
        best = np.where(found < 0, 0, self._q[found].argmax(axis=1))
        chosen: npt.NDArray[np.int64] = self.other_agents.own[best]
        return chosen

    def _table_rows(self, batch: Batch, observations: Arrays) -> npt.NDArray[np.int64]:
        """int64[n]: the rows of the table for what the agent sees in each world."""
        if self.on == "state":
            keys = row_keys(canonical_rows(batch.memory.arrays()))
        else:
            own = own_observations(observations, self.agent, self.world.spec.agents)
            keys = observation_keys(own, batch.n)
        rows = np.array([self._rows.setdefault(key, len(self._rows)) for key in keys])
        while len(self._rows) > len(self._q):
            self._q = np.concatenate([self._q, np.zeros_like(self._q)])
        return rows


class QLearning(TableLearner):
    """Learns the values of acting best, whatever is tried meanwhile (Watkins 1989).

    Example:
        >>> learner = QLearning(World("FourByThree"), epsilon=0.2)
        >>> curve = learner.learn(2000)
        >>> learner.get_action(learner.world.reset(seed=0))
        Action.UP
    """

    def bootstrap(
        self, values: npt.NDArray[np.float64], chosen: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.float64]:
        """The value of the best next action."""
        return np.asarray(values.max(axis=1))


class Sarsa(TableLearner):
    """Learns the values of acting as it does, random tries included (Rummery and Niranjan 1994)."""

    def bootstrap(
        self, values: npt.NDArray[np.float64], chosen: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.float64]:
        """The value of the next action that is in fact chosen."""
        return values[np.arange(len(values)), chosen]
