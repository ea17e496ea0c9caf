"""A particle filter over whole states of a world, whose model is the world's own step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.beliefs.belief import Evidence, Floats, Ints, check_measurement, entropy
from gridarium.beliefs.states.state_sensing import StateSensing
from gridarium.beliefs.weighted_particles import WeightedParticles
from gridarium.engine import World
from gridarium.engine.arguments import Seed, action_index, check_action_count, check_agent, floats
from gridarium.engine.outcomes.copies import Copies
from gridarium.engine.world import check_world
from gridarium.rules.sensors import Sensor
from gridarium.world import Action, State
from gridarium.world.agent import X, Y


class StateFilter(WeightedParticles):
    """A belief about whole states: many copies of a world, each with its own random numbers, weighted by measurements.

    It knows what everything may do that the rules make: doors, keys, obstacles, other agents.

    Args:
        world: the world; its compiled step moves the copies.
        particles: the number of copies.
        prior: the belief at first: a state, a list of states from which to draw, or None for first states of episodes.
        seed: of the filter's own random numbers. Copies never share the random keys of the states that they are made of.
        observer: the agent that measures.
        resampler, threshold: as of `ParticleFilter`.

    Attributes:
        weights, log_likelihood: as of `WeightedParticles`.

    Raises:
        TypeError: not a world, or not a number where one is needed.
        ValueError: no particles, no states, states of another world, or an unknown resampler.

    Example:
        >>> known = StateFilter(World("GhostGrid-4x5"), 1000, world.reset(0), seed=1)
        >>> known.predict([Action.LEFT, Action.UP])
        >>> known.update(world.spec.sensors[0], 2)
        >>> known.grid(agent=0)
    """

    def __init__(
        self,
        world: World,
        particles: int = 1000,
        prior: State | Iterable[State] | None = None,
        *,
        seed: Seed = None,
        observer: int = 0,
        resampler: str = "systematic",
        threshold: float = 0.5,
    ) -> None:
        check_world(world)
        super().__init__(particles, seed, resampler, threshold)
        check_agent(observer, world.spec.agents)
        self.world, self.observer = world, observer
        self._copies = Copies(world, particles)
        self._sensing: dict[Sensor, StateSensing] = {}
        self.reset(prior)

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_sensing": {}}  # these know addresses of the copies

    def reset(self, prior: State | Iterable[State] | None = None) -> None:
        """Start again.

        Raises:
            ValueError: no states, or states of another world.
        """
        if prior is None:
            self._copies.begin(self.rng)
        elif isinstance(prior, State):
            self._copies.fill(prior, self.rng)
        else:
            states = list(prior) if isinstance(prior, Iterable) else [prior]
            if not states or not all(isinstance(state, State) for state in states):
                raise ValueError(f"a prior is a state, a list of one or more, or None, not {prior!r}")
            self._copies.draw(states, self.rng)
        self._even(self._copies.n)

    def predict(self, action: Action | int | Sequence[Action | int] | Ints) -> None:
        """A tick passes.

        Args:
            action: an `Action` or its index; for several agents one for each, or int[particles, agents].

        Raises:
            ValueError: an action that does not exist.
            Exception: what a rule raises.
        """
        count = self._copies.n
        if isinstance(action, np.ndarray) and action.ndim == 2:
            self._copies.step(action)
            return
        given = list(action) if isinstance(action, list | tuple | np.ndarray) else [action]
        check_action_count(self.world.spec, len(given), action)
        indices = [action_index(self.world.actions, one) for one in given]
        self._copies.step(np.tile(np.array(indices, np.int64), (count, 1)))

    def update(self, given: Evidence, measurement: float | None = None) -> None:
        """Something was measured: weigh the copies by it.

        Args:
            given: a `Sensor`, or the likelihoods themselves, float[particles].
            measurement: of the sensor.

        Raises:
            Impossible: no copy explains it; the weights are as before.
            ValueError: what the sensor cannot measure; likewise.
        """
        if isinstance(given, Sensor):
            checked = check_measurement(given, measurement, self._copies.state(0).seen_by(self.observer))
            if given not in self._sensing:
                self._sensing[given] = StateSensing(self._copies, given, self.observer)
            given = self._sensing[given].likelihoods(checked)
        self.weigh(floats(given, "what weighs the copies, unless it is a Sensor,"))

    def state(self, i: int) -> State:
        """One of the copies."""
        return self._copies.state(i)

    def sample(self) -> State:
        """A copy drawn by the weights, with a future of its own: for planners."""
        chosen = int(self.rng.choice(len(self.weights), p=self.weights))
        return self._copies.state(chosen).fork(int(self.rng.integers(1 << 62)))

    def grid(self, agent: int = 0) -> Floats:
        """float64[height, width]: where an agent is.

        Raises:
            IndexError: there is no such agent.
            ValueError: it has no body, and so is nowhere.
        """
        check_agent(agent, self.world.spec.agents)
        if not self.world.spec.vocabulary.has_body(agent):
            raise ValueError(
                f"agent {agent} has no body, and so is in no cell; mean(...) tells about other numbers"
            )
        height, width = self.world.spec.shape
        agent_rows = self._copies.agent_rows[:, agent]
        cells = np.bincount(agent_rows[:, Y] * width + agent_rows[:, X], self.weights, height * width)
        return cells.astype(np.float64, copy=False).reshape(height, width)

    def entropy(self, agent: int = 0) -> float:
        """The entropy of an agent's cell, in bits."""
        return entropy(self.grid(agent))

    def mean(self, values: npt.ArrayLike) -> Floats:
        """The mean of float[particles, ...], such as numbers of the copies.

        Raises:
            ValueError: values of another number of particles.
        """
        given = floats(values, "what is averaged")
        if given.shape[:1] != self.weights.shape:
            raise ValueError(f"values are float[{len(self)}, ...], not {list(given.shape)}")
        return np.tensordot(self.weights, given, 1)

    @property
    def copies(self) -> Copies:
        """The copies themselves."""
        return self._copies

    def _keep(self, chosen: Ints) -> None:
        self._copies.choose(chosen, self.rng)
