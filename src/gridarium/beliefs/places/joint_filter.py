"""A particle filter over the places of several agents at once, for measurements that concern all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from gridarium.beliefs.belief import Evidence, Floats, Ints, Prior
from gridarium.beliefs.places.model import PlaceModel, check_model
from gridarium.beliefs.places.place_belief import Estimate, estimate
from gridarium.beliefs.weighted_particles import WeightedParticles
from gridarium.engine.arguments import Seed, check_agent, floats
from gridarium.rules.limits import is_list
from gridarium.world import Action, State


class JointParticleFilter(WeightedParticles):
    """A belief about the places of several agents together: each particle is a place for each of them.

    Args:
        models: one for each agent that is tracked, of one world.
        particles: their number.
        priors: the belief about each at first (see `Places.belief`); uniform by default.
        seed: of the filter's own random numbers.
        resampler, threshold: as of `ParticleFilter`.

    Attributes:
        particles: int64[particles, agents]: the numbers of their places.
        weights, log_likelihood: as of `WeightedParticles`.

    Raises:
        ValueError: no models, no particles, or an unknown resampler.

    Source: the joint particle filter of Berkeley's Ghostbusters (CS188); a dynamic Bayes network's particles.
    """

    def __init__(
        self,
        models: Sequence[PlaceModel],
        particles: int = 600,
        priors: Sequence[Prior] | None = None,
        *,
        seed: Seed = None,
        resampler: str = "systematic",
        threshold: float = 0.5,
    ) -> None:
        super().__init__(particles, seed, resampler, threshold)
        if not isinstance(models, Sequence) or not models:
            raise ValueError(f"a joint filter tracks at least one agent: a list of models, not {models!r}")
        for model in models:
            check_model(model)
        if priors is not None and len(priors) != len(models):
            raise ValueError(f"one prior for each model is needed, {len(models)} in all; got {len(priors)}")
        self.models = tuple(models)
        known = [None] * len(models) if priors is None else priors
        beliefs = [model.places.belief(prior) for model, prior in zip(models, known, strict=True)]
        self.particles: Ints = np.stack(
            [self.rng.choice(len(belief), particles, p=belief) for belief in beliefs], axis=1
        )

    def predict(self, actions: Sequence[Action | int] | None = None) -> None:
        """Every agent has acted.

        Args:
            actions: of each agent; by default each does the only thing that its motion knows (see `Motion.under`).

        Raises:
            ValueError: too few or too many actions, or one that does not exist.
        """
        given = [0] * len(self.models) if actions is None else actions
        if not is_list(given) or len(given) != len(self.models):
            raise ValueError(f"an action of each agent is needed, {len(self.models)} in all; got {actions!r}")
        indices = [model.action(action) for model, action in zip(self.models, given, strict=True)]
        for j, (model, index) in enumerate(zip(self.models, indices, strict=True)):
            motion = model.motion
            edges = np.cumsum(motion.probabilities[index], axis=1)[:, :-1]
            here = self.particles[:, j]
            ways = (self.rng.random(len(here))[:, None] >= edges[here]).sum(axis=1)
            self.particles[:, j] = motion.targets[index][here, ways]

    def update(
        self, agent: int, given: Evidence, measurement: float | None = None, state: State | None = None
    ) -> None:
        """Something was measured of one of the agents, known by its number among the tracked ones.

        The other arguments are those of `PlaceModel.likelihood`.

        Raises:
            Impossible: no particle explains it; they are as before.
        """
        check_agent(agent, len(self.models))
        likelihood = self.models[agent].likelihood(given, measurement, state)
        self.weigh(likelihood[self.particles[:, agent]])

    def update_jointly(self, likelihood: Callable[[Ints], npt.ArrayLike]) -> None:
        """Something was measured that concerns all of them.

        Args:
            likelihood: gives float[particles] for the particles' cells, int64[particles, agents, 2] (y and x).

        Raises:
            Impossible: no particle explains it; they are as before.
        """
        self.weigh(floats(likelihood(self.positions), "what the function gives"))

    @property
    def positions(self) -> Ints:
        """int64[particles, agents, 2]: y and x."""
        columns = [model.places.positions[self.particles[:, j]] for j, model in enumerate(self.models)]
        return np.stack(columns, axis=1)

    def belief(self, agent: int) -> Floats:
        """float64[places]: what is known of one of the agents alone.

        Raises:
            IndexError: there is no such agent.
        """
        check_agent(agent, len(self.models))
        places = len(self.models[agent].places)
        return np.bincount(self.particles[:, agent], self.weights, places).astype(np.float64, copy=False)

    def grid(self, agent: int) -> Floats:
        """float64[height, width]: the same by cells."""
        return self.models[agent].places.grid(self.belief(agent))

    def estimate(self, agent: int) -> Estimate:
        """The estimate of the place of one of the agents."""
        return estimate(self.models[agent].places, self.belief(agent))

    def _keep(self, chosen: Ints) -> None:
        self.particles = self.particles[chosen]
