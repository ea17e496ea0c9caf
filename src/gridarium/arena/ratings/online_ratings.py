"""Ratings that follow results one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

NEEDED = "ratings that follow results need openskill: pip install 'gridarium[arena]'"


@dataclass(frozen=True)
class Rating:
    """A player's rating.

    Attributes:
        mu: the estimate of the player's strength; new players have 25.
        sigma: its standard deviation; new players have 25/3.
    """

    mu: float
    sigma: float

    @property
    def ordinal(self) -> float:
        """A strength that the player has with a probability of 99.9 %: mu - 3 sigma."""
        return self.mu - 3 * self.sigma


class OnlineRatings:
    """Bayesian ratings of the Plackett-Luce model, for any number of players in a match (Weng and Lin 2011; openskill).

    An update takes only the last match into account, so results in another order give other ratings; `fit_strengths` estimates from all
    matches at once.

    Raises:
        ImportError: openskill is not installed.

    Example:
        >>> ratings = OnlineRatings()
        >>> ratings.update(["a", "b"], [0, 1])
        >>> ratings["a"].mu > ratings["b"].mu
        True
    """

    def __init__(self) -> None:
        try:
            from openskill.models import PlackettLuce
        except ImportError as error:
            raise ImportError(NEEDED) from error
        self._model = PlackettLuce()
        self._ratings: dict[str, Rating] = {}

    def __getitem__(self, name: str) -> Rating:
        """The rating of a player; that of a new one if it has not played."""
        new = self._model.rating()
        return self._ratings.get(name, Rating(new.mu, new.sigma))

    def update(self, names: Sequence[str], ranks: Sequence[int]) -> None:
        """Rate the players of a match.

        Args:
            names: the players; who plays against itself is not rated.
            ranks: of each, from 0 for the best; equal ones are ties.

        Raises:
            ValueError: another number of ranks.
        """
        if len(names) != len(ranks):
            raise ValueError(f"a rank for each of {len(names)} players is needed; got {len(ranks)}")
        if len({*names}) < len(names) or len(names) < 2:
            return
        before = [self._model.rating(mu=self[name].mu, sigma=self[name].sigma) for name in names]
        after = self._model.rate([[rating] for rating in before], ranks=[float(rank) for rank in ranks])
        for name, (rating,) in zip(names, after, strict=True):
            self._ratings[name] = Rating(rating.mu, rating.sigma)
