"""How uncertain a belief is."""

from __future__ import annotations

from typing import Any

import numpy as np

from gridarium.engine.arguments import floats


def entropy(belief: Any) -> float:
    """The entropy of a belief in bits: 0 for certainty, log2(places) for no idea.

    Raises:
        TypeError: not an array of numbers.
    """
    known = floats(belief, "a belief").ravel()
    known = known[known > 0]
    return max(0.0, float(-(known * np.log2(known)).sum()))
