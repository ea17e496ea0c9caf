"""Types and errors that all beliefs share."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.int64]


class Impossible(ValueError):
    """A measurement has no probability under a belief: the model does not fit the world."""
