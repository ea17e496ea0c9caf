"""The source pass, where the rules in `snippets` do not reach: what is bound, unrolled, kept apart, refused."""

from __future__ import annotations

import enum
import functools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.core.errors import TypingError

from gridarium.compiled.data_types.value_class import value
from gridarium.compiled.source_pass.resolver import Resolver, unwrap_partial, word_number
from gridarium.compiled.source_pass.source import Unsupported
from tests.compiled import compiling
from tests.compiled.compiling import both, compiled


@value
class Spot:
    y: int
    x: int


class Mode(enum.Enum):
    SLOW = 1
    FAST = 2


HOME = Spot(3, 4)
ROW = (3, 1, 2)
GRID = ((1, 2), (3, 4))
BASE = 10


def square(x: int) -> int:
    return x * x


def cube(x: int) -> int:
    return x * square(x)


def negative(x: int, *, by: int = 1) -> int:
    return -x * by


# bound parameters


def chosen(x: int, *, function: Any, mode: str = "slow", spot: Spot = HOME, flag: bool = False) -> int:
    total = function(x) + spot.y
    if mode == "fast":
        total += 100
    elif mode != "slow":
        total += undefined_anywhere  # type: ignore[name-defined]  # noqa: F821
    if flag:
        total = total * 2
    return total + spot.x


class TestBoundParameters:
    def test_functions_words_values_and_truths(self) -> None:
        assert both(chosen, 3, function=square, mode="slow") == 16
        assert both(chosen, 3, function=cube, mode="fast", flag=True) == 264
        assert both(chosen, 3, function=functools.partial(negative, by=2), spot=Spot(1, 1), mode="slow") == -4
        assert both(chosen, 3, function=lambda x: x + BASE, mode="slow") == 20

    def test_branches_that_are_settled_are_not_compiled(self) -> None:
        assert both(chosen, 3, function=square, mode="slow") == 16
        with pytest.raises(Unsupported, match="the name 'undefined_anywhere' is not defined"):
            compiled(chosen, function=square, mode="odd")

    def test_and_and_or_settle_a_branch_by_what_comes_before(self) -> None:
        assert both(joined, 3, loud=False, quiet=True) == 13
        for loud, quiet in ((True, True), (False, False)):
            with pytest.raises(Unsupported, match="the name 'undefined_anywhere' is not defined"):
                compiled(joined, loud=loud, quiet=quiet)

    def test_text_that_a_settled_operand_gives_is_not_taken_for_its_truth(self) -> None:
        for function in (last_of_and, last_of_or):
            with pytest.raises((Unsupported, TypingError)):
                compiled(function, loud=False, mode="")(1)

    def test_what_is_asked_before_a_settled_operand_is_asked(self) -> None:
        for loud in (True, False):
            for x in (1, 0):
                outcomes = {attempt_at(function, x) for function in both_ways(asked_first, loud=loud)}
                assert outcomes == {"ZeroDivisionError" if x == 0 else 0 if loud else 1}

    def test_a_bound_parameter_may_be_assigned(self) -> None:
        assert both(reassigned, 3, most=5) == 9

    def test_partials_within_partials(self) -> None:
        inner = functools.partial(negative, by=2)
        assert unwrap_partial(functools.partial(inner, by=3)) == (negative, {"by": 3})
        assert compiled(functools.partial(inner, by=3))(5) == -15

    def test_positional_partials_are_refused(self) -> None:
        with pytest.raises(Unsupported, match="a partial with positional arguments; name them"):
            compiled(chosen, function=functools.partial(negative, 3))

    def test_unknown_parameters_are_refused(self) -> None:
        with pytest.raises(Unsupported, match="it has no parameter colour"):
            compiled(functools.partial(negative, colour=3))

    def test_equal_bindings_of_different_types_are_kept_apart(self) -> None:
        from gridarium.compiled.numba_backend.linker import Linker

        linker = Linker(Resolver())
        made = [linker.link(functools.partial(quotient, pair=pair)) for pair in ((7, 2), (7.0, 2), (True, 2))]
        assert [repr(f(1)) for f in made] == ["4", "4.0", "1"]


def joined(x: int, *, loud: bool, quiet: bool) -> int:
    if loud and undefined_anywhere(x):  # type: ignore[name-defined]  # noqa: F821
        x += 100
    if quiet or undefined_anywhere(x):  # type: ignore[name-defined]  # noqa: F821
        x += 10
    return x


def last_of_and(x: int, *, loud: bool, mode: str) -> bool:
    return (x > 0 and (loud or mode)) == False  # noqa: E712


def last_of_or(x: int, *, loud: bool, mode: str) -> bool:
    return (x > 5 or (not loud and mode)) in (True, 5)


def asked_first(x: int, *, loud: bool) -> int:
    if 1 // x > 5 or loud:
        return 0
    return 1


def both_ways(function: Any, **bound: Any) -> tuple[Any, Any]:
    return functools.partial(function, **bound), compiled(function, **bound)


def attempt_at(function: Any, x: int) -> Any:
    try:
        return function(x)
    except ZeroDivisionError as error:
        return type(error).__name__


def reassigned(x: int, *, most: int) -> int:
    most = most + 1
    return x + most


def quotient(x: int, *, pair: tuple[Any, Any]) -> Any:
    return x + pair[0] // pair[1]


# fixed sequences


def unrolled(x: int, *, functions: Any) -> int:
    total = 0
    for function in functions:
        total = 10 * total + function(x)
    for i, function in enumerate(functions):
        total += i * function(x)
    return total


def reduced(x: int, *, functions: Any) -> tuple[bool, bool, int, int, int]:
    return (
        any(function(x) > 8 for function in functions),
        all(function(x) > 8 for function in functions),
        sum(function(x) for function in functions),
        min(function(x) for function in functions),
        max(function(x) for function in functions),
    )


class TestFixedSequences:
    @pytest.mark.parametrize(
        "functions", [(square,), (square, cube, negative), (functools.partial(negative, by=4), square)]
    )
    def test_loops_over_functions_are_unrolled(self, functions: Any) -> None:
        for x in (0, 2, 3):
            both(unrolled, x, functions=functions)
            both(reduced, x, functions=functions)

    def test_constants_of_the_module(self) -> None:
        for x in (1, 3, 9):
            both(constants, x)


def constants(x: int) -> int:
    total = HOME.y + GRID[1][0] * 100 + BASE
    for n in ROW:
        total = 2 * total + n
    if x in ROW and x not in (7, 8) and Spot(3, 4) == HOME:
        total += 1000
    return total + (Mode.FAST.value if x == Mode.SLOW.value else -1) + len(ROW)


# names


def same_names(square: int) -> int:
    return cube(square) + other_square(square)


def other_square(x: int) -> int:
    square = x + 1  # a variable called as a function elsewhere
    return square * 2


def factor(x: int) -> int:
    return x * 2


def two_of_one_name(x: int) -> int:
    return factor(x) + 10 * compiling_names.factor(x)


class _Module:
    """Stands for another module with a function of the same name."""

    @staticmethod
    def factor(x: int) -> int:
        return x * 7


compiling_names = _Module


class TestNames:
    def test_a_variable_called_like_a_function(self) -> None:
        assert both(same_names, 3) == 35

    def test_two_functions_of_one_name(self) -> None:
        assert both(two_of_one_name, 1) == 72

    def test_a_function_that_is_called_like_what_it_calls(self) -> None:
        def inner(x: int) -> int:
            return x + 1

        def make(function: Any) -> Any:
            def inner(x: int) -> int:
                return 2 * function(x)

            return inner

        assert compiled(make(inner))(3) == 8

    def test_words_are_numbers(self) -> None:
        assert word_number("fast") != word_number("slow")
        assert both(compare_words, 1) == 2


def compare_words(x: int) -> int:
    word = "fast" if x > 0 else "slow"
    return 2 if word == "fast" else 3


# identity


def is_none(x: int) -> int:
    found = None
    for i in range(x):
        if i == 3:
            found = i
    return 1 if found is None else 2


def is_spot(x: int) -> bool:
    return Spot(x, x) is HOME


def are_same(x: int) -> bool:
    spot = Spot(x, x)
    return spot is not Spot(x, x)


class TestIdentity:
    def test_with_none(self) -> None:
        assert [both(is_none, x) for x in (2, 5)] == [1, 2]

    def test_between_values_it_cannot_be_known(self) -> None:
        import numba

        with pytest.raises(Unsupported, match="`is` asks for one and the same object; write =="):
            compiled(is_spot)
        with pytest.raises(numba.core.errors.TypingError, match="`is` asks for one and the same object"):
            compiled(are_same)(1)


# refused


def first(x: int) -> int:
    return second(x)


def second(x: int) -> int:
    return first(x) if x else 0


def itself(x: int) -> int:
    return itself(x - 1) if x else 0


def calls_refused(x: int) -> int:
    return refused(x)


def refused(x: int) -> int:
    items = [x]
    return items[0]


def no_name(x: int) -> int:
    return x + nobody  # type: ignore[name-defined]  # noqa: F821


def no_attribute(x: int) -> int:
    return x + Mode.MEDIUM.value  # type: ignore[attr-defined]


def dictionary(x: int) -> int:
    return PRICES[x]


PRICES = {1: 2}


def stars(x: int) -> int:
    return square(*(x,))


def long_break(x: int) -> int:
    for function in (square, cube):
        if function(x) > 4:
            break
    return x


def deep(x: int) -> int:
    def inside(y: int) -> int:
        return y

    return inside(x)


def own_random(x: int) -> int:
    return int(np.random.default_rng(0).integers(x))


LINES = Path(__file__).read_text().splitlines()


@pytest.mark.parametrize(
    ("rule", "function", "line", "reason"),
    [
        (itself, "itself", "def itself(x: int) -> int:", "it calls itself"),
        (first, "first", "def first(x: int) -> int:", "it calls itself"),
        (calls_refused, "refused", "    items = [x]", "a list cannot be built in compiled code"),
        (no_name, "no_name", "    return x + nobody", "the name 'nobody' is not defined"),
        (no_attribute, "no_attribute", "    return x + Mode.MEDIUM.value", "Mode has no attribute 'MEDIUM'"),
        (dictionary, "dictionary", "    return PRICES[x]", "PRICES is a dict"),
        (stars, "stars", "    return square(*(x,))", r"a call with \* or \*\*"),
        (
            long_break,
            "long_break",
            "    for function in (square, cube):",
            "break, continue or else in a loop over a fixed",
        ),
        (
            deep,
            "deep",
            "    def inside(y: int) -> int:",
            "a function inside a function; move it to the top of the file",
        ),
        (
            own_random,
            "own_random",
            "    return int(np.random",
            "numpy's own random numbers would not repeat; take rng",
        ),
    ],
)
def test_what_is_refused_is_named_with_function_file_line_and_reason(
    rule: Any, function: str, line: str, reason: str
) -> None:
    with pytest.raises(Unsupported, match=reason) as caught:
        compiled(rule)
    error = caught.value
    assert (error.function, error.filename) == (function, __file__)
    assert LINES[error.line - 1].startswith(line), (error.line, LINES[error.line - 1])


def test_a_resolver_that_knows_nothing() -> None:
    resolver = Resolver()
    assert resolver.constant(HOME) is None
    assert resolver.callable(square) is None
    assert compiling.both(square, 3) == 9


# how much is compiled

MANY = tuple(range(40))
TOO_MANY = tuple(range(1001))
HUNDRED = tuple(functools.partial(negative, by=n) for n in range(100))
FEW = HUNDRED[:3]


def over_many_numbers(x: int) -> int:
    total = 0
    for n in MANY:
        if n > 30 + x:
            break
        total += n * x
    return total + sum(n * x for n in MANY) + max(n - x for n in MANY)


def searched_in_too_many(x: int) -> bool:
    return x in TOO_MANY


def item_of_too_many(x: int) -> int:
    return TOO_MANY[x]


def too_many_copies(x: int) -> int:
    total = 0
    for f in HUNDRED:
        for g in FEW:
            total += f(x) + g(x)
    for f in HUNDRED:
        for n in ROW:
            total += f(n)
    return total


def test_a_loop_over_many_numbers_is_a_loop() -> None:
    for x in (0, 3):
        both(over_many_numbers, x)


def doubled(x: int) -> int:
    return 2 * x


def squared(x: int) -> int:
    return x * x


def reduced_by_each(x: int) -> tuple[int, int, bool, int]:
    """Reductions that use the variable of a loop over functions, which is written out."""
    total = most = found = 0
    every = True
    for f in (doubled, squared):
        for n in (2, 3):
            total = 10 * total + sum(f(k) * n for k in range(x) if f(k) > 1)
        most += max(f(k) for k in range(x))
        found += next((k for k in range(x) if f(k) > 6), 99)
        every = every and any(f(k) == 4 for k in range(x))
    return total, most, every, found


def test_what_a_loop_that_is_written_out_stands_for_is_known_in_reductions() -> None:
    for x in (1, 3, 5):
        both(reduced_by_each, x)


def reduced_by_its_own_name(k: int) -> tuple[int, int, int]:
    n = 4
    most = max((n for n in range(k) if n > 1), default=7)
    return sum(k * j for k in range(k) for j in range(k)), most, sum(n for n in range(n)) + n


def test_the_sequence_of_a_reduction_may_have_the_name_of_its_items() -> None:
    for x in (0, 2, 5):
        both(reduced_by_its_own_name, x)


@pytest.mark.parametrize(
    ("function", "why"),
    [
        (searched_in_too_many, r"a search in 1001 items; make a table\(...\) of them"),
        (item_of_too_many, r"a constant of 1001 items; make an array of it by table\(...\)"),
        (too_many_copies, r"written out more than 256 times; loop over a table\(...\)"),
    ],
)
def test_what_would_take_too_long_to_compile_is_refused(function: Any, why: str) -> None:
    with pytest.raises(Unsupported, match=why):
        compiled(function)


def test_helpers_that_call_helpers_twice_are_not_all_inlined(tmp_path: Path) -> None:
    from gridarium.compiled.numba_backend.linker import LARGE_WITH_CALLEES, SIZE

    helpers = [f"def f{k}(n):\n    return f{k - 1}(n) + f{k - 1}(n + 1)\n" for k in range(1, 15)]
    module = compiling.imported(tmp_path, "def f0(n):\n    return n + 1\n" + "".join(helpers))
    linker = compiling.linker()
    sizes = [getattr(linker.link(getattr(module, f"f{k}")), SIZE) for k in range(15)]
    assert 0 < sizes[1] < sizes[2]
    assert 0 in sizes
    assert max(sizes) < LARGE_WITH_CALLEES
