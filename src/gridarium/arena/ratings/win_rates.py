"""Tables of win rates, from which players are rated."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def check_win_rates(given: npt.ArrayLike, *, strict: bool = False) -> npt.NDArray[np.float64]:
    """The table as float64[n, n].

    Args:
        given: the share of points of each player against each other one.
        strict: whether 0 and 1 are excluded.

    Raises:
        ValueError: it is not square, has other numbers than from 0 to 1, or those of two players do not add up to 1.
    """
    rates = np.asarray(given, np.float64)
    if rates.ndim != 2 or rates.shape[0] != rates.shape[1] or not len(rates):
        raise ValueError(f"win rates are a square table, not of the shape {rates.shape}")
    rates = rates.copy()
    np.fill_diagonal(rates, 0.5)
    inside = (rates > 0) & (rates < 1) if strict else (rates >= 0) & (rates <= 1)
    if not inside.all():
        raise ValueError(f"win rates are between 0 and 1{', both excluded' if strict else ''}")
    if not np.allclose(rates + rates.T, 1.0):
        raise ValueError("the win rates of two players against each other add up to 1")
    return rates
