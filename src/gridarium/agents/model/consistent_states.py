"""States that agree with what an agent has perceived, where it does not see everything."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gridarium.agents.perspective import observation_keys, own_observations
from gridarium.engine import Autoreset, World
from gridarium.engine.arguments import check_agent, check_count
from gridarium.engine.outcomes.state_rows import Rows
from gridarium.engine.threads.memory import Snapshot
from gridarium.world import State
from gridarium.world.agent import ACTIVE
from gridarium.world.state import EPISODE_KEY, KEY, TICK

LONGEST_WAIT = 10_000
"""The maximum number of ticks until an agent is expected to decide again."""
TRIES = 16
"""The number of times that as many episodes as there are states are played again, until enough agree."""
LARGEST_KEY = np.iinfo(np.int64).max


class ConsistentStates:
    """States that agree with what an agent has perceived whenever it had to decide, drawn at random.

    They come from episodes that begin as the world's do, in which the agent acts as it has, and all others at random. Those that agree
    are kept and multiplied from decision to decision (a particle filter, as in Silver and Veness 2010). Where none is left, episodes are
    played again from the beginning; where none agrees either, `lost` says so, and the last observation is ignored.

    Args:
        world: the world.
        agent: the one that decides.
        count: the number of states.
        rng: for all chance.

    Attributes:
        lost: whether no state was found that agrees with the last observation.

    Raises:
        TypeError, ValueError, IndexError: a count that is not above 0, or no such agent.
    """

    def __init__(self, world: World, agent: int, rng: np.random.Generator, count: int = 512) -> None:
        check_agent(agent, world.spec.agents)
        check_count("count", count)
        self.world, self.agent, self.rng, self.count, self.lost = world, agent, rng, count, False
        options = {"autoreset": Autoreset.DISABLED, "shared": True, "observers": "all", "threads": 1}
        self._batch, self._eye = world.batch(count, **options), world.batch(1, **options)
        self._eye.reset(0)
        self._past: list[tuple[int, bytes, int]] = []

    def update(self, state: State) -> Rows | None:
        """Take in what the agent perceives in a state, in which it has to decide. Nothing else of the state is used, but its tick.

        A state that is not later than the last one begins another episode, or comes after moves that were taken back.

        Returns:
            rows of `count` states; None if in none of them the episode goes on.
        """
        self._eye.set_state(0, state)
        seen = self._keys(self._eye.observe(), 1)[0]
        tick = int(state.data[TICK])
        going_on = bool(self._past) and tick > self._past[-1][0]
        self._past = [one for one in self._past if one[0] < tick]
        found = self._matching(seen) if going_on and self._advance(self._past[-1][2]) else None
        for _ in range(TRIES):
            if found is not None:
                break
            found = self._matching(seen) if self._replay() else None
        self.lost = found is None
        if found is None:  # what would have to be believed instead
            found = np.flatnonzero(self._deciding())
        self._past.append((tick, seen, -1))
        if not len(found):
            return None
        self._choose(found)
        return tuple(array.copy() for array in self._batch.memory.arrays())

    def act(self, action: int) -> None:
        """Note the action, by its index, that the agent takes after the last update."""
        tick, seen, _ = self._past[-1]
        self._past[-1] = (tick, seen, action)

    def _replay(self) -> bool:
        """Play episodes with all that is known of the past; whether some agree with it."""
        keys = self.rng.integers(-LARGEST_KEY, LARGEST_KEY, self.count)
        self._batch.begin(np.arange(self.count), keys, np.zeros(self.count, np.int64))
        self._wait()
        for _, seen, action in self._past:
            found = self._matching(seen)
            if found is None:
                return False
            self._choose(found)
            self._advance(action)
        return True

    def _choose(self, found: npt.NDArray[np.int64]) -> None:
        """Go on with copies of some episodes, each with a future of its own."""
        chosen = self.rng.choice(found, self.count)
        self._batch.restore(Snapshot(*(array[chosen] for array in self._batch.memory.arrays())))
        data = self._batch.memory.data
        data[:, [KEY, EPISODE_KEY]] = self.rng.integers(-LARGEST_KEY, LARGEST_KEY, (self.count, 2))

    def _matching(self, seen: bytes) -> npt.NDArray[np.int64] | None:
        """The episodes in which the agent has to decide and perceives this; None if there are none."""
        same = np.array([key == seen for key in self._keys(self._batch.observe(), self.count)])
        found = np.flatnonzero(same & self._deciding())
        return found if len(found) else None

    def _deciding(self) -> npt.NDArray[np.bool_]:
        deciding: npt.NDArray[np.bool_] = self._batch.acting[:, self.agent] & ~self._batch.ended
        return deciding

    def _advance(self, action: int) -> bool:
        """Go on to the agent's next decision; whether there is one."""
        actions = self._batch.sample_actions(self.rng)
        actions[self._deciding(), self.agent] = action
        self._batch.step(actions)
        self._wait()
        return bool(self._deciding().any())

    def _wait(self) -> None:
        """Step the episodes in which others act, at random, until the agent has to decide in all in which it takes part."""
        for _ in range(LONGEST_WAIT):
            is_out = self._batch.memory.agent_rows[:, self.agent, ACTIVE] == 0
            still = np.flatnonzero(self._deciding() | self._batch.ended | is_out)
            if len(still) == self.count:
                return
            kept = Snapshot(*(array[still] for array in self._batch.memory.arrays()))
            self._batch.step(self._batch.sample_actions(self.rng))
            if len(still):
                self._batch.restore(kept, still)

    def _keys(self, arrays: dict[str, npt.NDArray[np.generic]], count: int) -> list[bytes]:
        return observation_keys(own_observations(arrays, self.agent, self.world.spec.agents), count)
