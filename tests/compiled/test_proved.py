"""Every operator and function that users' rules may use gives what Python gives, to the last bit, or raises."""

from __future__ import annotations

import importlib.util
import itertools
import math
import random
import struct
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numba
import pytest

from gridarium.compiled.numba_backend import numeric_semantics
from gridarium.compiled.source_pass.source import Unsupported
from gridarium.world import Color, Vocabulary, Wall
from tests.compiled.compiling import compiled, compiled_for

WHOLE = (0, 1, -1, 2, 3, -3, 7, -7, 10, 62, 63, 64, -64, 100, 2**31, 2**53 - 1, 2**53, 2**53 + 1, -(2**53) - 1,
         2**62 + 12345, 2**63 - 1, -(2**63), -(2**63) + 1)  # fmt: skip
REAL = (0.0, -0.0, 1.0, -1.0, 0.5, 2.5, -2.5, 3.0, -7.0, 0.1, 1e-300, 1e300, -1e300, 1e16, 2.0**53, 2.0**53 + 2.0,
        2.0**63, -(2.0**63), 709.9, 5e-324, math.pi, math.inf, -math.inf, math.nan)  # fmt: skip
TRUTH = (True, False)
KINDS: dict[str, tuple[Any, ...]] = {"int": WHOLE, "float": REAL, "bool": TRUTH}
OPERATORS = ("+", "-", "*", "/", "//", "%", "**", "<<", ">>", "&", "|", "^", "<", "<=", ">", ">=", "==", "!=")
OF_TWO = ("min(a, b)", "max(a, b)", "divmod(a, b)", "a and b", "a or b", "(a, b)[0]")
OF_ONE = (
    "-a",
    "+a",
    "~a",
    "not a",
    "abs(a)",
    "int(a)",
    "float(a)",
    "bool(a)",
    "round(a)",
    "(a > 1) + (a > 0)",
)
GROWING = ("a ** b", "a << b")
"""What takes Python all memory for large numbers on the right."""
MANY = 3000


def module(tmp_path: Path, functions: dict[str, str]) -> dict[str, Callable[..., Any]]:
    """Functions written to a file, as users write them: name to `parameters: expression`."""
    lines = ["import math\n"]
    for name, text in functions.items():
        given, _, body = text.partition(": ")
        lines.append(f"def {name}({given}):\n    return {body}\n")
    path = tmp_path / f"expressions_{abs(hash(tuple(functions)))}.py"
    path.write_text("\n".join(lines))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = made
    spec.loader.exec_module(made)
    return {name: getattr(made, name) for name in functions}


def outcome(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """What a function gives, or the exception that it raises."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # ~ of a truth value, from Python 3.12 on
            return function(*arguments)
    except (ArithmeticError, ValueError, TypeError, RuntimeError) as error:
        assert not isinstance(error, numba.core.errors.NumbaError), error
        return error


def bits(number: Any) -> Any:
    """What tells numbers apart: the value, and for floats their bits; a zero has no sign, as where it is kept."""
    if isinstance(number, tuple):
        return tuple(map(bits, number))
    if isinstance(number, float) and not math.isnan(number):
        return struct.pack("<d", number + 0.0)
    return "nan" if number != number else int(number)


def as_float(number: Any) -> Any:
    return tuple(map(as_float, number)) if isinstance(number, tuple) else float(number)


def same(python: Any, its: Any) -> bool:
    """Whether compiled code gives what Python gives; where a variable may be either, a float equal to a whole number."""
    if isinstance(its, float) and isinstance(python, int):
        return int(its) == python and abs(python) <= 2**53
    return type(python) is not complex and bits(python) == bits(its)


def compare(function: Callable[..., Any], cases: Iterator[tuple[Any, ...]]) -> int:
    """Run a function on cases, interpreted and compiled; how many of them gave a number both times."""
    run, given = compiled(function), 0
    for case in cases:
        python, its = outcome(function, case), outcome(run, case)
        if isinstance(its, Exception):
            continue  # the step is then run interpreted
        assert not isinstance(python, Exception), f"{case}: Python raises {python!r}, compiled {its!r}"
        assert same(python, its), f"{case}: Python gives {python!r}, compiled {its!r}"
        given += 1
    return given


def refused(error: Exception) -> bool:
    return isinstance(error, Unsupported) or "gridarium:" in str(error)


@pytest.mark.parametrize("text", [*(f"a {o} b" for o in OPERATORS), *OF_TWO])
@pytest.mark.sampled(12)
def test_of_two_numbers(text: str, tmp_path: Path) -> None:
    (function,) = module(tmp_path, {"f": f"a, b: {text}"}).values()
    given = 0
    for first, second in itertools.product(KINDS.values(), repeat=2):
        few = [n for n in second if text not in GROWING or not 200 < abs(n) < math.inf]
        try:
            given += compare(function, itertools.product(first, few))
        except numba.core.errors.TypingError as error:
            assert "gridarium:" in str(error) or "No implementation" in str(error)
    assert given > 4


@pytest.mark.sampled(20)
@pytest.mark.parametrize("text", OF_ONE)
def test_of_one_number(text: str, tmp_path: Path) -> None:
    (function,) = module(tmp_path, {"f": f"a: {text}"}).values()
    given = 0
    for numbers_of_a_kind in KINDS.values():
        try:
            given += compare(function, ((n,) for n in numbers_of_a_kind))
        except numba.core.errors.TypingError as error:
            assert refused(error) or "No implementation" in str(error)
    assert given > 4


NAMED = sorted(f.__name__ for f in numeric_semantics.FUNCTIONS if getattr(math, f.__name__, None) is f)


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.sampled(6)
def test_of_math(name: str, tmp_path: Path) -> None:
    of_two = name in ("atan2", "copysign", "fmod", "gcd", "pow")
    text = f"a, b: math.{name}(float(a), float(b))" if of_two and name != "gcd" else f"a: math.{name}(a)"
    (function,) = module(tmp_path, {"f": "a, b: math.gcd(a, b)" if name == "gcd" else text}).values()
    luck = random.Random(name)
    wild = [struct.unpack("<d", luck.randbytes(8))[0] for _ in range(MANY)]
    near = [luck.uniform(-9, 9) for _ in range(MANY)]
    some: list[Any] = [*REAL, *wild, *near]
    whole = [*WHOLE, *(luck.getrandbits(64) - 2**63 for _ in range(300))]
    if name == "gcd":
        assert compare(function, itertools.product(whole[:60], whole[:60])) > 1000
    elif of_two:
        pairs = [
            *itertools.product(REAL, REAL),
            *zip(wild, near),
            *zip(near, wild),
            *zip(near, reversed(near)),
        ]
        assert compare(function, iter(pairs)) > 300
    else:
        assert compare(function, ((x,) for x in some)) > 300
        assert compare(function, ((n,) for n in whole)) > 0
        assert compare(function, ((t,) for t in TRUTH)) > 0


def test_powers_of_floats(tmp_path: Path) -> None:
    (function,) = module(tmp_path, {"f": "a, b: float(a) ** b"}).values()
    luck = random.Random(3)
    pairs = [
        (luck.uniform(0, 99), luck.choice((2.0, 3.0, 0.5, -1.5, luck.uniform(-9, 9)))) for _ in range(MANY)
    ]
    assert compare(function, iter(pairs)) > 2000


def test_sums_of_floats(tmp_path: Path) -> None:
    texts = {
        "f": "a, b, n: sum(a * 0.1 for _ in range(n)) + sum((b / 3 for _ in range(n)), 0.25)",
        "g": "a, b, n: sum(a * 0.1 for _ in range(n)) + sum((b / 3 for _ in range(n)), 7)",
    }
    luck = random.Random(4)
    for function in module(tmp_path, texts).values():
        cases = ((luck.uniform(-1e3, 1e3), luck.uniform(-1, 1), luck.randrange(12)) for _ in range(300))
        assert compare(function, cases) == 300


MIXED = {
    "kept": "a, b, x, s: (a if s else x) + b",
    "of_three": "a, b, x, s: (a if s else x) * b - a",
    "power": "a, b, x, s: (a if s else x) ** 3",
    "to_a_large_one": "a, b, x, s: max(-1, min(x, -1.5)) ** b",
    "to_infinity": "a, b, x, s: ((a if s else x) ** math.nan, x ** math.inf, (a if s else x) ** 1e19)[b % 3]",
    "rest": "a, b, x, s: (a if s else x) % (b if b else 5)",
    "least": "a, b, x, s: min(a, x, b) + max(b, x)",
    "angle": "a, b, x, s: math.atan2(float(-(a % 1 if s else x)), -1.0)",
    "sign": "a, b, x, s: math.copysign(2.0, (0 if s else x) * -1)",
    "both": "a, b, x, s: divmod(a, 2 if s else x)[0]",
    "negative": "a, b, x, s: -(a if s else x) * 3",
}


@pytest.mark.parametrize("name", MIXED)
@pytest.mark.sampled(3)
def test_of_whole_numbers_and_floats_in_one_variable(name: str, tmp_path: Path) -> None:
    function = module(tmp_path, MIXED)[name]
    luck = random.Random(5)
    cases = (
        (luck.choice(WHOLE), luck.choice(WHOLE), luck.choice(REAL), luck.random() < 0.5) for _ in range(4000)
    )
    try:
        assert compare(function, cases) > 500
    except numba.core.errors.TypingError as error:
        assert "may be a whole number in Python" in str(error)


def colors_of(c: Any) -> bool:
    return c == Color.RED


def of_a_color(c: Any) -> Any:
    return c + 1


def through_a_helper(n: int) -> bool:
    return colors_of(COLORS[n % 2])


def number_through_a_helper(n: int) -> Any:
    return of_a_color(COLORS[n % 2])


def compared_with_a_number(n: int) -> bool:
    return same_as(COLORS[n % 2], n)


def same_as(a: Any, b: Any) -> bool:
    return bool(a == b)


def truth_of_one(n: int) -> int:
    return 1 if either(n) else 2


def either(n: int) -> Any:
    return COLORS[0] if n > 1 else COLORS[1]


def text_in_order(n: int) -> bool:
    return WORDS[n % 2] < WORDS[0]


def in_a_tuple(n: int) -> bool:
    return (COLORS[n % 2], n) == (0, 0)


COLORS = (Color.RED, Color.BLUE)
WORDS = ("slow", "fast")


def test_colors_are_compared_wherever_they_went() -> None:
    vocabulary = Vocabulary([Wall], list(COLORS))
    assert [compiled_for(vocabulary, through_a_helper)(n) for n in range(3)] == [True, False, True]
    for rule in (number_through_a_helper, compared_with_a_number, truth_of_one, text_in_order, in_a_tuple):
        with pytest.raises((Unsupported, numba.core.errors.TypingError)):
            compiled_for(vocabulary, rule)(1)
