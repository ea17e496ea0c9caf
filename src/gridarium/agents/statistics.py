"""Means of a few episodes with 95 % confidence intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

Z = 1.959963984540054
"""The normal distribution's 97.5 % quantile."""
_FIRST_T = (12.7062, 4.30265, 3.18245, 2.77645, 2.57058, 2.44691, 2.36462, 2.30600, 2.26216)
"""Student's 97.5 % quantiles for 1 to 9 degrees of freedom, where the expansion below is too coarse."""


@dataclass(frozen=True)
class ConfidenceInterval:
    """A mean and the ends of its interval; `low` and `high` are NaN where there is too little data for one."""

    mean: float
    low: float
    high: float

    def text(self, digits: int = 2) -> str:
        """`7.72 ± 0.29`, for an interval that lies evenly about the mean."""
        shown = f"{self.mean:.{digits}f}"
        return shown if math.isnan(self.low) else f"{shown} ± {self.high - self.mean:.{digits}f}"

    def span(self, digits: int = 2) -> str:
        """`0.72 (0.59 to 0.82)`."""
        return f"{self.mean:.{digits}f} ({self.low:.{digits}f} to {self.high:.{digits}f})"

    def percent(self) -> str:
        """`95 % (76 to 99)`."""
        return f"{100 * self.mean:.0f} % ({100 * self.low:.0f} to {100 * self.high:.0f})"

    def plain(self) -> dict[str, float | None]:
        """As numbers for JSON; what is unknown is None."""
        named = {"mean": self.mean, "low": self.low, "high": self.high}
        return {name: None if math.isnan(number) else number for name, number in named.items()}


def mean(numbers: Sequence[float]) -> ConfidenceInterval:
    """The mean of independent numbers, with Student's interval."""
    count = len(numbers)
    middle = math.fsum(numbers) / count
    if count < 2:
        return ConfidenceInterval(middle, math.nan, math.nan)
    spread = math.sqrt(math.fsum((x - middle) ** 2 for x in numbers) / (count - 1) / count)
    reach = student_quantile(count - 1) * spread
    return ConfidenceInterval(middle, middle - reach, middle + reach)


def proportion(hits: float, count: int) -> ConfidenceInterval:
    """A share of independent trials, with Wilson's score interval.

    For trials that may succeed in part (`hits` is their sum), such as draws, it is wider than needed.
    """
    share, square = hits / count, Z * Z / count
    centre = (share + square / 2) / (1 + square)
    reach = Z * math.sqrt(share * (1 - share) / count + square / (4 * count)) / (1 + square)
    return ConfidenceInterval(share, max(0.0, centre - reach), min(1.0, centre + reach))


def student_quantile(freedom: int) -> float:
    """Student's 97.5 % quantile, to four digits (Abramowitz and Stegun 1964, 26.7.5)."""
    if freedom <= len(_FIRST_T):
        return _FIRST_T[freedom - 1]
    terms = (
        Z,
        (Z**3 + Z) / 4,
        (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96,
        (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / 384,
    )
    return math.fsum(term / float(freedom) ** k for k, term in enumerate(terms))
