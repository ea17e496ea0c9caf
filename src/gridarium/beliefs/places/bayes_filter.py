"""The exact Bayes filter over places: forward filtering of a hidden Markov model."""

from __future__ import annotations

import math

from gridarium.beliefs.belief import Evidence, Floats, Impossible, Prior
from gridarium.beliefs.places.model import PlaceModel, check_model
from gridarium.beliefs.places.place_belief import PlaceBelief
from gridarium.world import Action, State


class BayesFilter(PlaceBelief):
    """The exact belief about an agent's place.

    Args:
        model: the world as the filter knows it.
        prior: the belief at first: None for a uniform one, a position, a state, or weights (see `Places.belief`).

    Attributes:
        log_likelihood: the log of the probability of everything measured so far (nats).

    Source: Russell and Norvig, Artificial Intelligence, filtering; Thrun, Burgard and Fox (2005), grid localisation.

    Example:
        >>> known = BayesFilter(PlaceModel(world))
        >>> known.predict(Action.LEFT)
        >>> known.update(world.spec.sensors[0], 2)
        >>> known.estimate().position
    """

    def __init__(self, model: PlaceModel, prior: Prior = None) -> None:
        check_model(model)
        self.model = model
        self.reset(prior)

    def reset(self, prior: Prior = None) -> None:
        """Start again."""
        self._belief: Floats = self.model.places.belief(prior)
        self.log_likelihood = 0.0

    @property
    def belief(self) -> Floats:
        """float64[places]: the probability of each."""
        return self._belief

    def predict(self, action: Action | int = 0) -> None:
        """The agent has acted.

        Raises:
            ValueError: the action does not exist.
        """
        self._belief = self.model.motion.predict(self.model.action(action), self._belief)

    def update(self, given: Evidence, measurement: float | None = None, state: State | None = None) -> None:
        """Something was measured; arguments as of `PlaceModel.likelihood`.

        Raises:
            Impossible: that cannot be; the belief is as before.
        """
        updated = self._belief * self.model.likelihood(given, measurement, state)
        total = float(updated.sum())
        if total <= 0:
            raise Impossible(
                f"a measurement of {measurement!r} has no probability at any place that is thought possible"
            )
        self._belief = updated / total
        self.log_likelihood += math.log(total)
