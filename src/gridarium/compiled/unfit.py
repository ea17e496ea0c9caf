"""Functions of Python and numpy that compiled code refuses, each with the reason."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np

from gridarium.compiled.source import home_of

ARRAY_MAKERS = frozenset(
    [
        "zeros",
        "ones",
        "full",
        "empty",
        "array",
        "asarray",
        "arange",
        "linspace",
        "zeros_like",
        "ones_like",
        "full_like",
        "empty_like",
        "eye",
        "copy",
    ]
)
INEXACT = (math.gamma, math.lgamma, math.hypot, math.dist)
UNKNOWN_TO_NUMBA = (
    *(math.comb, math.factorial, math.fmod, math.fsum, math.isclose, math.isqrt, math.lcm, math.modf),
    *(math.perm, math.prod, math.remainder, math.ulp, math.cbrt, np.clip),
)
NARROW = frozenset(f"{kind}{bits}" for kind in ("int", "uint", "float") for bits in (8, 16, 32)) | frozenset(
    ["half", "single", "intc", "uintc", "short", "ushort", "byte", "ubyte"]
)


def why_not(thing: Any) -> str | None:
    """Why a thing that a rule names cannot be used in compiled code, or None if it may be."""
    home, name = home_of(thing), getattr(thing, "__name__", "")
    module = home.split(".")[0]
    if home.startswith("numpy.random"):
        return "numpy's own random numbers would not repeat; take rng"
    if module == "random" or isinstance(getattr(thing, "__self__", None), random.Random):
        return "Python's own random numbers would not repeat; take rng"
    if module == "numpy" and name in ARRAY_MAKERS:
        return "an array cannot be made in compiled code; see `grid.mask()` and `rng.choice`"
    if module == "numpy" and name in NARROW:
        return f"np.{name}: numbers of compiled code have 64 bits"
    if thing in INEXACT:
        return f"math.{name} rounds otherwise in compiled code"
    if thing in UNKNOWN_TO_NUMBA:
        return f"{module}.{name} cannot be used in compiled code"
    return None
