"""Tabular models: every state that a small world can reach, as arrays T, R and O."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from gridarium.agents.behaviour import Others, behaviour
from gridarium.agents.model.dynamics import Chance, Clock, Dynamics
from gridarium.agents.model.extraction import Floats, Integers, explore, initial_states, table
from gridarium.agents.model.observations import Observations, csr, observations_of
from gridarium.agents.perspective import own_actions
from gridarium.engine import World
from gridarium.engine.arguments import check_agent, check_index, floats
from gridarium.engine.world import check_state, check_world
from gridarium.world import Action, State

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True, eq=False)
class TabularModel:
    """A world as one agent meets it, as arrays: S states and A actions (the agent's own, in the world's order).

    What comes of state s and action a is row `s * A + a` of a sparse matrix of S * A rows and S columns (CSR):
    entries `offsets[row]` to `offsets[row + 1]` of `successors` and `probabilities`. A state in which the episode is
    over leads to itself, without reward.

    Attributes:
        dynamics: the numbers of states (`index`, `state`).
        agent: the agent whose actions and rewards these are.
        actions: the A actions.
        offsets: int64[S * A + 1].
        successors: int64[n].
        probabilities: float64[n].
        rewards: R, float64[S, A]: expected.
        terminal: bool[S]: where the episode is over.
        start: float64[S]: the probability that an episode begins there.
        observations: O: what the agent perceives in each state.
    """

    dynamics: Dynamics
    agent: int
    actions: tuple[Action, ...]
    offsets: Integers
    successors: Integers
    probabilities: Floats
    rewards: Floats
    terminal: npt.NDArray[np.bool_]
    start: Floats
    observations: Observations = field(repr=False)

    @staticmethod
    def extract(
        world: World,
        start: State | Sequence[State] | None = None,
        *,
        agent: int = 0,
        others: Others = "random",
        limit: int = 20_000,
        chance: Chance = "auto",
        samples: int = 1000,
        clock: Clock = "refuse",
        seed: int = 0,
    ) -> TabularModel:
        """Find every state that can be reached, by stepping the world's own rules.

        Args:
            world: the world; its step is the model.
            start: first states of episodes, one or several that are equally likely. By default as the world's
                reset rule says: with their probabilities where these can be found, otherwise `samples` of them.
            agent: the one that decides.
            others: the model of the other agents.
            limit: the most states.
            chance: the method to find probabilities, see `Dynamics`.
            samples: the number of tries of a step (or a reset), where they are sampled.
            clock: whether the tick is part of a state: with "count" the time limit is part of the model.
            seed: of the samples.

        Raises:
            StateLimit: more than `limit` states.
            ClockMatters: rewards or results depend on the tick, and `clock` refuses that.
            NotEnumerable: `chance` is "exact", and probabilities cannot be found so.
            IndexError: there is no such agent.
            TypeError: not a world, or not a state.
            ValueError: no state to begin with, a behaviour that gives no probabilities, or a world that refuses illegal
                actions.

        Example:
            >>> model = TabularModel.extract(World("FourByThree"))
            >>> len(model), len(model.actions), model.dynamics.exact
            (11, 4, True)
        """
        check_world(world)
        check_agent(agent, world.spec.agents)
        if world.spec.has_masks and world.spec.illegal == "refuse":
            raise ValueError(
                f"a model has all actions in all states, and {world.name} refuses illegal ones; take a world in which they "
                'have no effect: World(..., illegal="ignore")'
            )
        dynamics = Dynamics(world, limit=limit, chance=chance, samples=samples, clock=clock, seed=seed)
        first, probabilities = initial_states(dynamics, start)
        mixes = explore(dynamics, agent, behaviour(world, others))
        rows, rewards, terminal = table(dynamics, agent, mixes)
        begin = np.bincount(first, probabilities, len(dynamics)).astype(np.float64)
        return TabularModel(
            dynamics,
            agent,
            own_actions(world, agent),
            *rows,
            rewards,
            terminal,
            begin,
            observations_of(dynamics, agent),
        )

    def __len__(self) -> int:
        return len(self.terminal)

    def __repr__(self) -> str:
        how = "exact" if self.dynamics.exact else f"{self.dynamics.samples} samples of each step"
        return (
            f"<TabularModel of {self.dynamics.world.name}: {len(self)} states, {len(self.actions)} actions, "
            f"{len(self.successors)} transitions, {len(self.observations)} observations, {how}>"
        )

    @property
    def world(self) -> World:
        """The world."""
        return self.dynamics.world

    def index(self, state: State) -> int:
        """The number of a state.

        Raises:
            KeyError: it cannot be reached from where the model began.
            TypeError: not a state.
        """
        check_state(state, self.world)
        found = self.dynamics.store.find(state)
        if found is None or found >= len(self):
            raise KeyError(f"the model of {self.world.name} has no such state:\n{state}")
        return found

    def has(self, state: State) -> bool:
        """Whether a state can be reached from where the model began.

        Raises:
            TypeError, ValueError: not a state of this kind of world.
        """
        check_state(state, self.world)
        found = self.dynamics.store.find(state)
        return found is not None and found < len(self)

    def state(self, i: int) -> State:
        """A state by its number: a copy, from the agent's point of view."""
        return self.dynamics.state(i, self.agent)

    def transitions(self, i: int, action: int) -> list[tuple[float, int]]:
        """(probability, next state) of an action, by its index among the model's actions.

        Raises:
            TypeError, IndexError: there is no such state or action.
        """
        check_index("states", i, len(self))
        check_index("actions", action, len(self.actions))
        row = i * len(self.actions) + action
        own = slice(self.offsets[row], self.offsets[row + 1])
        return list(zip(self.probabilities[own].tolist(), self.successors[own].tolist(), strict=True))

    @property
    def T(self) -> csr_array:  # noqa: N802 - the field's name
        """The transitions as a `scipy.sparse.csr_array` [S * A, S]; needs scipy."""
        shape = (len(self) * len(self.actions), len(self))
        return csr(self.probabilities, self.successors, self.offsets, shape)

    @property
    def R(self) -> Floats:  # noqa: N802
        """The expected rewards, float64[S, A]."""
        return self.rewards

    @property
    def O(self) -> csr_array:  # noqa: E743, N802
        """The probabilities of observations, as a `scipy.sparse.csr_array` [S, observations]; needs scipy."""
        return self.observations.matrix()

    def lookahead(self, values: Floats, discount: float) -> Floats:
        """float64[S, A]: the value of each action, given values float64[S] of next states.

        Raises:
            TypeError, ValueError: not values, or not as many.
        """
        weighted = self.probabilities * self._each(values, "the values of states")[self.successors]
        after = np.add.reduceat(weighted, self.offsets[:-1]).reshape(self.rewards.shape)
        result: Floats = self.rewards + discount * after
        return result

    def predict(self, belief: Floats, action: int) -> Floats:
        """float64[S]: where the world may be after an action, given float64[S] of where it was.

        Raises:
            TypeError, IndexError: there is no such action.
            TypeError, ValueError: not a belief, or one of another shape.
        """
        check_index("actions", action, len(self.actions))
        given = self._each(belief, "a belief")
        probabilities = np.zeros((len(self), len(self.actions)))
        probabilities[:, action] = given
        each = np.repeat(probabilities.ravel(), np.diff(self.offsets)) * self.probabilities
        return np.bincount(self.successors, each, len(self)).astype(np.float64)

    def _each(self, given: npt.ArrayLike, what: str) -> Floats:
        """A number for each state: float64[S]."""
        numbers = floats(given, what)
        if numbers.shape != (len(self),):
            raise ValueError(f"{what}: float[{len(self)}] is needed, not {list(numbers.shape)}")
        return numbers


def check_model(given: Any) -> None:
    """Refuse what is not a tabular model, and say how one is made.

    Raises:
        TypeError: otherwise.
    """
    if not isinstance(given, TabularModel):
        raise TypeError(f"a model is needed, as TabularModel.extract(world) gives it, not {given!r}")
