"""Functions that several programs share: which, with the same results, and how many are kept."""

from __future__ import annotations

import functools
import math
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from gridarium.compiled import compile as compiling
from gridarium.compiled.compile import CompileError, compile_program
from gridarium.compiled.data_types.primitives import trusted
from gridarium.compiled.data_types.value_class import value
from gridarium.compiled.numba_backend import pipeline
from gridarium.compiled.numba_backend.compiled_functions import CompiledFunctions
from gridarium.compiled.numba_backend.default_values import identity
from gridarium.compiled.numba_backend.linker import Linker
from gridarium.compiled.source_pass.resolver import Resolver
from gridarium.world.objects import Door, Exit, Floor, Key, Wall
from tests.engine.worlds import arena, assert_same, everything, random_actions


@pytest.fixture(autouse=True)
def functions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CompiledFunctions:
    """No functions yet, and a private folder of compiled programs."""
    monkeypatch.setenv("GRIDARIUM_CACHE_DIR", str(tmp_path / "programs"))
    monkeypatch.setattr(compiling, "functions", CompiledFunctions(most=100))
    return compiling.functions


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The names of the functions that are compiled and not shared, in their order."""
    names: list[str] = []
    new = Linker._new_dispatcher

    def counted(self: Any, function: Any, inline: bool) -> Any:
        names.append(function.__name__)
        return new(self, function, inline)

    monkeypatch.setattr(Linker, "_new_dispatcher", counted)
    return names


def result_of(run: Any, first: int = 2) -> int:
    """What a program returns, compiled and interpreted."""
    entry = compile_program(run, Resolver(), name="tiny", text="", frame_length=8, quiet=True)
    frame = np.arange(8)
    found = entry(frame.__array_interface__["data"][0], 7, first, 5, 0)
    assert found == run(np.arange(8), 7, first, 5, 0)
    return found


FACTOR = 3


def scaled(x: int, *, by: int = 2) -> int:
    return x * by


def tripled(x: int) -> int:
    return scaled(x) * FACTOR


def sign(x: float, *, of: float) -> float:
    return math.copysign(1.0, of) * x


@numba.njit
def multiplied(x: int) -> int:
    return x * FACTOR


@trusted
def run_multiplied(frame: Any, slot: int, first: int, last: int, mode: int) -> int:
    return int(multiplied(first))


def run_sum(frame: Any, slot: int, first: int, last: int, mode: int) -> int:
    return tripled(first) + tripled(last)


def run_difference(frame: Any, slot: int, first: int, last: int, mode: int) -> int:
    return tripled(first) - tripled(last)


def misspelt(frame: Any, slot: int, first: int, last: int, mode: int) -> int:
    return tripled(first) + first.nothing  # type: ignore[attr-defined]


@value
class Spot:
    y: int

    def far(self) -> bool:
        return self.y > FACTOR


def run_far(frame: Any, slot: int, first: int, last: int, mode: int) -> int:
    return tripled(first) + int(Spot(first).far())


class TestWhatIsShared:
    def test_a_later_program_compiles_only_what_is_new(self, made: list[str]) -> None:
        assert result_of(run_sum) == 42
        assert made == ["scaled", "tripled", "run_sum"]
        made.clear()
        assert result_of(run_difference) == -18
        assert made == ["run_difference"]

    @pytest.mark.exhaustive
    def test_worlds_share_most_of_their_functions(self, made: list[str]) -> None:
        worlds = [arena((0, 0), (1, 1), time_limit=n, shape=(5, 5 + n), compiled=True) for n in (3, 4)]
        assert all(world.composed.compiled for world in worlds[:1])
        first = len(made)
        assert worlds[1].composed.compiled
        assert len(made) - first < first / 5

    @pytest.mark.exhaustive
    def test_other_kinds_do_not_matter_to_functions_without_kinds(self, made: list[str]) -> None:
        few = {"objects": [Floor, Wall, Exit]}
        more = {"objects": [Floor, Wall, Door, Key, Exit], "colors": ["RED"]}
        first, second = (arena((0, 0), compiled=True, **options) for options in (few, more))
        assert first.composed.compiled
        number = len(made)
        assert second.composed.compiled
        assert len(made) - number < number / 2
        for world, options in ((first, few), (second, more)):
            compiled, interpreted = world.batch(3), arena((0, 0), **options).batch(3)
            assert_same(compiled.reset(5), interpreted.reset(5))
            for actions in random_actions(world, 20, 3):
                taken = compiled.step(actions), interpreted.step(actions)
                assert_same(everything(compiled, taken[0]), everything(interpreted, taken[1]))

    def test_a_changed_constant_is_another_function(
        self, made: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert result_of(run_sum) == 42
        made.clear()
        monkeypatch.setitem(globals(), "FACTOR", 5)
        assert result_of(run_sum) == 70
        assert made == ["tripled", "run_sum"]

    def test_a_changed_helper_is_another_function(
        self, made: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert result_of(run_sum) == 42
        made.clear()
        monkeypatch.setitem(globals(), "scaled", functools.partial(scaled, by=10))
        assert result_of(run_sum) == 210
        assert made == ["scaled", "tripled", "run_sum"]

    def test_a_value_class_whose_methods_changed_is_compiled_again(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert result_of(run_far, first=4) == 25
        monkeypatch.setitem(globals(), "FACTOR", 4)
        assert result_of(run_far, first=4) == 32

    def test_functions_that_numba_compiles_again(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert result_of(run_multiplied) == 6
        monkeypatch.setitem(globals(), "FACTOR", 4)
        multiplied.recompile()
        assert result_of(run_multiplied) == 8

    def test_parameters_that_are_equal_in_python_only(self) -> None:
        for one, other in ((0.0, -0.0), (-0.0, 0.0), (1.0, True)):
            signs = [functools.partial(sign, of=one), functools.partial(sign, of=other)]
            run = functools.partial(run_signs, first_sign=signs[0], second_sign=signs[1])
            assert result_of(run) == 10 * math.copysign(1, one) + math.copysign(1, other)

    def test_what_is_bound_to_a_function_is_part_of_it(self) -> None:
        for sums in (1, 2):
            run = functools.partial(run_bound, helper=functools.partial(scaled, by=sums))
            assert result_of(run) == 2 * sums

    def test_a_program_of_shared_functions_is_kept_under_the_same_key(self, tmp_path: Path) -> None:
        places = tmp_path / "programs"
        result_of(run_sum)
        result_of(run_difference)
        shared = {path.name for path in places.glob("*.bin")}
        for path in places.iterdir():
            path.unlink()
        for run in (run_difference, run_sum):
            compiling.functions.clear()
            result_of(run)
        assert {path.name for path in places.glob("*.bin")} == shared


def run_signs(
    frame: Any, slot: int, first: int, last: int, mode: int, *, first_sign: Any, second_sign: Any
) -> int:
    return int(first_sign(1.0)) * 10 + int(second_sign(1.0))


def run_bound(frame: Any, slot: int, first: int, last: int, mode: int, *, helper: Any) -> int:
    return int(helper(first))


class TestHowLong:
    def test_no_more_functions_are_kept_than_that(
        self, monkeypatch: pytest.MonkeyPatch, made: list[str]
    ) -> None:
        few = CompiledFunctions(most=2)
        monkeypatch.setattr(compiling, "functions", few)
        for run, found in ((run_sum, 42), (run_difference, -18), (run_far, 12), (run_sum, 42)):
            assert result_of(run) == found
            assert len(few) <= 2
        assert made.count("scaled") > 1

    def test_functions_used_last_are_kept(self) -> None:
        few, linked = CompiledFunctions(most=3), []
        linker = Linker(Resolver(), inner=True, shared=few)
        for by in (1, 2, 3, 1, 4):
            linker._linked.clear()
            linked.append(linker.link(functools.partial(scaled, by=by)))
        few.trim()
        linker._linked.clear()
        assert linker.link(functools.partial(scaled, by=1)) is linked[0] is linked[3]
        assert linker.link(functools.partial(scaled, by=2)) is not linked[1]

    def test_argument_types_count(self) -> None:
        few = CompiledFunctions(most=3)
        linked = Linker(Resolver(), shared=few).link(scaled)
        assert (linked(2), linked(2.5)) == (4, 5.0)
        assert len(few) == 2

    def test_nothing_is_kept_of_a_program_that_could_not_be_compiled(
        self, functions: CompiledFunctions
    ) -> None:
        result_of(run_sum)
        assert len(functions)
        with pytest.raises(CompileError, match="nothing"):
            result_of(misspelt)
        assert not len(functions)
        assert result_of(run_difference) == -18

    @pytest.mark.usefixtures("optimised")
    def test_numbas_standard_pipeline_shares_none(
        self, functions: CompiledFunctions, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        result_of(run_sum)
        number = len(functions)
        monkeypatch.setattr(pipeline, "_trouble", ["changed"])
        assert result_of(run_difference) == -18
        assert len(functions) == number

    def test_threads_may_compile_at_once(self) -> None:
        found: list[int] = []
        runs = (run_sum, run_difference, run_far)
        threads = [threading.Thread(target=lambda run=run: found.append(result_of(run))) for run in runs]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(found) == [-18, 12, 42]


def test_identity_tells_apart_what_compiled_code_does() -> None:
    different = (
        0.0,
        -0.0,
        0,
        False,
        np.float32(0.0),
        np.float32(-0.0),
        np.float64(0.0),
        "0",
        None,
        (0,),
        (0.0,),
    )
    assert len({identity(thing) for thing in different}) == len(different)
    assert identity((1, (2.0, "a"))) == identity((1, (2.0, "a")))
    assert identity(float("nan")) == identity(float("nan"))
    assert identity(Spot(1)) == identity(Spot(1)) != identity(Spot(2))
    assert identity([1]) != identity([1])


@pytest.mark.exhaustive
def test_a_color_may_be_a_default_in_the_first_function_that_a_process_compiles(tmp_path):
    program = """
from gridarium.testing.differential import compare
from gridarium.world import Color, Floor, Key, State, Vocabulary

def keep(state, *, color=Color.YELLOW):
    state.grid[0, 0] = Key(color)

compare("reset", keep, [State.blank((1, 2), Vocabulary([Floor, Key], [Color.YELLOW]))])
"""
    file = tmp_path / "first.py"
    file.write_text(program)
    subprocess.run([sys.executable, str(file)], check=True)
