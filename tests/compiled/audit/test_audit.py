"""The cases of an audit that looked for silent differences: the same interpreted and compiled, or refused."""

from __future__ import annotations

import inspect
import math
import struct
import warnings
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numba
import numpy as np
import pytest

from gridarium.compiled.source_pass.source import Unsupported
from tests.compiled.audit import expressions, more_rules, rules
from tests.compiled.compiling import compiled_for
from tests.compiled.fuzz.trial import attempt
from tests.compiled.fuzz.world import REAL, WHOLE, WORDS

pytestmark = pytest.mark.slow

RULES = ("T_", "R_", "E_")


def cases(module: ModuleType, *beginnings: str) -> list[Any]:
    """The functions of a module."""
    names = [n for n, f in vars(module).items() if n.startswith(beginnings) and callable(f)]
    return [pytest.param(module, n, id=n) for n in names]


@pytest.mark.parametrize(("module", "name"), [*cases(rules, *RULES), *cases(more_rules, *RULES)])
@pytest.mark.sampled(64)
def test_a_rule_gives_the_same_bytes_or_is_refused(module: ModuleType, name: str) -> None:
    trial = attempt(getattr(module, name))
    assert trial.verdict != "differs", trial.detail


@pytest.mark.parametrize(("module", "name"), cases(expressions, "f"))
@pytest.mark.sampled(64)
def test_an_expression_gives_the_same_number_or_is_refused(module: ModuleType, name: str) -> None:
    function = getattr(module, name)
    try:
        compiled = compiled_for(WORDS, function)
        for numbers in awkward_numbers(function):
            difference = differing(function, compiled, numbers)
            assert difference is None, difference
    except (Unsupported, numba.core.errors.NumbaError):
        pass


def awkward_numbers(function: Callable[..., Any]) -> list[tuple[Any, ...]]:
    """Arguments; small ones where large ones would take too much time or memory."""
    rng = np.random.default_rng(5)
    text = inspect.getsource(function)
    small = any(word in text for word in ("**", "<<", "pow(", "reversed", "range", "while"))
    drawn = []
    for _ in range(200):
        a = int(WHOLE[rng.integers(len(WHOLE))]) if rng.random() < 0.7 else int(rng.integers(-50, 50))
        b = int(WHOLE[rng.integers(len(WHOLE))]) if rng.random() < 0.5 else int(rng.integers(-20, 20))
        x = REAL[rng.integers(len(REAL))] if rng.random() < 0.6 else 10 * rng.normal()
        y = REAL[rng.integers(len(REAL))] if rng.random() < 0.6 else 3 * rng.normal()
        if small:
            a, b = (n if abs(n) <= 70 else n % 67 for n in (a, b))
        drawn.append((a, b, float(x), float(y), bool(rng.random() < 0.5)))
    return drawn


def given_by(function: Callable[..., Any], numbers: tuple[Any, ...]) -> Any:
    """What a function returns or raises."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return function(*numbers)
        except (Unsupported, numba.core.errors.NumbaError):
            raise
        except Exception as error:
            return error


def differing(
    function: Callable[..., Any], compiled: Callable[..., Any], numbers: tuple[Any, ...]
) -> str | None:
    """What differs. Compiled code may raise where Python does not: the engine then runs the step interpreted."""
    again, given = given_by(compiled, numbers), given_by(function, numbers)
    if isinstance(again, Exception) or alike(given, again):
        return None
    return f"{numbers}: interpreted {given!r}, compiled {again!r}"


def alike(given: Any, again: Any) -> bool:
    """The same number, to the last bit, or tuples of these; a truth value counts as 0 or 1, and zero has no sign."""
    if isinstance(given, tuple) and isinstance(again, tuple):
        return len(given) == len(again) and all(map(alike, given, again))
    numbers = (bool, int, float, np.generic)
    if not (isinstance(given, numbers) and isinstance(again, numbers)):
        return type(given) is type(again) and given == again
    if all(isinstance(n, float | np.floating) for n in (given, again)):
        return struct.pack("d", given + 0.0) == struct.pack("d", again + 0.0) or (
            math.isnan(given) and math.isnan(again)
        )
    return bool(given == again)
