"""What random programs are made of: names, numbers, kinds, functions; and what stands at their top."""

HEADER = """\
import functools
import math

import numpy as np

from gridarium.compiled.data_types.value_class import value
from gridarium.compiled.data_types.vectors import new_floats, new_integers
from gridarium.world import Action, Ball, Box, Color, Door, Exit, Floor, Key, Orientation, Position, Wall
from tests.compiled.fuzz.world import BigLamp, Ice, Lamp
"""
PAIR = """\
@value
class Pair:
    first: int
    second: float

    @property
    def total(self):
        return self.first * self.second

    def __add__(self, other):
        return Pair(self.first + other.first, self.second + other.second)
"""
OWN = """\
@value
class Own:
    held: object

    def __getitem__(self, k):
        return self.held

    def __iter__(self):
        yield self.held

    def __neg__(self):
        return self.held

    def __mul__(self, other):
        return self.held
"""
NAMES = {
    "whole": ("n", "k", "count", "best"),
    "real": ("x", "heat", "weight", "far"),
    "truth": ("hit", "seen", "near"),
    "place": ("p", "q", "target"),
    "wholes": ("counts", "order"),
    "reals": ("levels", "noise"),
    "truths": ("hits", "marks"),
    "mask": ("mask",),
    "pair": ("pair",),
    "tuple": ("parts",),
    "thing": ("thing",),
}
ODD_NAMES = (
    "__total",
    "__item",
    "__count",
    "__best",
    "__found",
    "_count",
    "_owner",
    "_state",
    "id",
    "iter",
    "same",
    "power",
)
SHADOWED = ("sum", "max", "min", "abs", "round", "len")
LARGE = (
    "2**31",
    "2**53 + 1",
    "-(2**53) - 1",
    "2**62 + 12345",
    "2**63 - 1",
    "-(2**63)",
    "10**15 + 7",
    "4611686018427387904",
)
SPECIAL = (
    "-0.0",
    "math.inf",
    "-math.inf",
    "math.nan",
    "1e300",
    "5e-324",
    "1e16",
    "9007199254740993.0",
    'float("inf")',
)
KINDS = (
    "Wall",
    "Floor",
    "Key",
    "Door",
    "Ball",
    "Box",
    "Lamp",
    "BigLamp",
    "Ice",
    "(Key, Ball)",
    "Wall | Exit",
)
MADE = ("Floor()", "Wall()", "Exit()", "Key(Color.RED)", "Ball(Color.BLUE)", "Door(Door.Status.OPEN, Color.GREEN)",
        "Lamp(Lamp.Status.ON)", "BigLamp(Lamp.Status.OFF)", "Ice(Ice.Status.BROKEN, Color.RED)", "Box(Key(Color.RED))")  # fmt: skip
MATH = ("sqrt", "sin", "cos", "exp", "log", "tanh", "atan", "fabs", "tan", "asin", "acos", "sinh", "cosh", "log2",
        "log10", "log1p", "expm1", "atanh", "asinh", "acosh", "degrees", "radians", "erf", "exp2", "cbrt", "erfc")  # fmt: skip
NUMPY = ("sqrt", "abs", "sin", "exp", "tanh", "log1p", "floor", "sign", "square", "log", "ceil", "cos", "rint", "expm1",
         "log10", "cbrt", "arctan", "sinh", "radians", "trunc")  # fmt: skip
CONSTANTS = {
    "whole": ("3", "-1", "7", "2**40", "True"),
    "real": ("0.5", "2.5", "-0.0", "math.pi", "1e-3"),
    "truth": ("True", "False"),
    "whole+numpy": ("np.uint8(200)", "np.int32(2**31 - 1)", "np.int64(7)", "np.int8(-3)", "np.bool_(True)"),
    "real+numpy": ("np.float32(0.1)", "np.float64(0.3)", "np.sqrt(2)", "np.pi"),
    "tuple": ("(1, 2, 3)", "(0, -1, 5, 2)", "(True, False, 3)", "((0, 1), (1, 0), (0, -1))[1]"),
    "real tuple": ("(0.5, 1.5)", "(1, 0.5, -0.0)", "(0.1, 0.2, 0.3)"),
    "tuple+numpy": ("(np.int64(3), np.int64(4))", "tuple(np.arange(3))", "(np.uint8(250), np.uint8(9))"),
    "real tuple+numpy": ("(np.float32(0.1), np.float32(0.7))", "tuple(np.linspace(0, 1, 5))"),
}  # fmt: skip
