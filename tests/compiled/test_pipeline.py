"""Fast compilation, numba's ordinary way where it fails, and other numba code beside us."""

from __future__ import annotations

import ast
import importlib
import sys
import warnings
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba.core import base, event
from numba.core.codegen import JITCodeLibrary
from numba.core.errors import TypingError
from numba.core.postproc import PostProcessor
from numba.core.registry import cpu_target
from numba.core.targetconfig import TargetConfig
from numba.core.types.functions import BaseFunction
from numba.np import arraymath, linalg

from gridarium.compiled.compile import CompileError, compile_program
from gridarium.compiled.data_types.primitives import trusted
from gridarium.compiled.numba_backend import fast_compile, lowering, pipeline
from gridarium.compiled.numba_backend.linker import Linker
from gridarium.compiled.source_pass.resolver import Resolver
from gridarium.compiled.source_pass.source import LIBRARY

LENGTH = 8
WEIGHED = (9, [0, 1, 2, 3, 4, 5, 6, 9])


@pytest.fixture(autouse=True)
def nothing_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRIDARIUM_CACHE_DIR", str(tmp_path / "programs"))
    monkeypatch.setattr(pipeline, "_trouble", [])


@numba.njit
def doubled(x: int) -> Any:
    return min(x, 1000) * 2


@numba.njit
def lower(one: int, other: int) -> int:
    return min(one, other)


@trusted
def nothing_is_true(frame: Any, slot: int, first: int, last: int, mode: int) -> int:
    return 1 if bool(None) else 0


@trusted
def among_many(frame: Any, slot: int, first: int, last: int, mode: int) -> int:
    x = int(frame[first])
    total = 0
    many = (x, 1, x, 2, x, 3, x, 4, x, 5, x, 6, x, 7, x, 8, x, 9, x, 1, x, 2, x, 3, x, 4, x, 5, x, 6, x, 7, x, 8)  # fmt: skip
    for y in many:  # Python 3.14 makes no tuple of one that is looped over at once
        total += y
    frame[slot] = total
    return 0


@trusted
def weigh(frame: Any, slot: int, first: int, last: int, mode: int) -> int:
    total = 0
    for i in range(first, last):
        total += int(frame[i])
    frame[slot] = total
    return total


@trusted
def double(frame: Any, slot: int, first: int, last: int, mode: int) -> int:
    frame[slot] = int(doubled(first))
    return min(last, int(frame[slot]))


@trusted
def least(frame: Any, slot: int, first: int, last: int, mode: int) -> int:
    return min(first, last, slot)


@trusted
def least_of_five(frame: Any, slot: int, first: int, last: int, mode: int) -> int:
    total = 0
    for i in range(first, last):
        total += min(first, last, slot, mode, i)
    return total


@trusted
def least_and_misspelt(frame: Any, slot: int, first: int, last: int, mode: int) -> int:
    return min(first, last, slot).nothing  # type: ignore[attr-defined,no-any-return]


def misspelt(frame: Any, slot: int, first: int, last: int, mode: int) -> int:
    return first.nothing  # type: ignore[attr-defined]


def built(run: Any) -> Any:
    return compile_program(
        run, Resolver(), name="tiny", text='"""A page."""', frame_length=LENGTH, quiet=True
    )


def called(entry: Any) -> tuple[int, list[int]]:
    frame = np.arange(LENGTH)
    return entry(frame.__array_interface__["data"][0], 7, 2, 5, 0), frame.tolist()


def changed(*given: Any) -> Any:
    raise AttributeError("numba has no such thing")


def no_types(*given: Any) -> Any:
    raise TypingError("there is no such type")


def twice_as_many(x: int) -> int:
    return x * 2


@pytest.mark.usefixtures("optimised")
class TestWhereTheLeanWayFails:
    @pytest.mark.parametrize("step", ["finalize", "_optimize_final_module"])
    def test_worlds_compile_in_numbas_ordinary_way(self, monkeypatch: Any, step: str) -> None:
        monkeypatch.setattr(fast_compile.ProgramLibrary, step, changed)
        with pytest.warns(UserWarning, match=r"fast compilation does not work with numba .*no such"):
            assert called(built(weigh)) == WEIGHED
        with warnings.catch_warnings():  # it has been said
            warnings.simplefilter("error")
            assert called(built(double)) == (4, [0, 1, 2, 3, 4, 5, 6, 4])

    def test_so_they_do_if_numba_takes_the_failure_for_one_of_types(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(fast_compile.ProgramLibrary, "finalize", no_types)
        with pytest.warns(UserWarning, match=r"fast compilation does not work"):
            assert called(built(weigh)) == WEIGHED

    def test_types_of_rules_that_do_not_fit_are_told_at_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(pipeline, "ordinary", changed)
        with pytest.raises(CompileError, match="nothing"):
            built(misspelt)
        assert called(built(weigh)) == WEIGHED

    def test_a_program_that_calls_what_was_not_linked_is_none(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """It would call the address 0."""
        monkeypatch.setattr(fast_compile.InnerFunctions, "all_called", lambda self: [self])
        with pytest.warns(UserWarning, match=r"fast compilation does not work.*was not linked"):
            assert called(built(weigh)) == WEIGHED

    def test_tuples_of_many_items_are_compiled_fast(self) -> None:
        assert called(built(among_many))[0] == 0
        assert pipeline.fast_compilation() is fast_compile

    def test_a_rule_that_cannot_be_lowered_is_to_blame(self) -> None:
        with pytest.raises(CompileError, match="None is no truth value"):
            built(nothing_is_true)
        assert pipeline.fast_compilation() is fast_compile

    def test_it_need_not_even_be_importable(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "gridarium.compiled.numba_backend.fast_compile", None)
        with pytest.warns(UserWarning, match="compile more slowly"):
            assert called(built(weigh)) == WEIGHED

    def test_rules_are_verified_all_the_same(self) -> None:
        with pipeline.ordinary():
            product = Linker(Resolver()).link(twice_as_many)
            assert product(4) == 8
            with pytest.raises(OverflowError):
                product(2**62)

    def test_rules_that_are_wrong_are_still_told(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(fast_compile.ProgramLibrary, "finalize", changed)
        with pytest.raises(CompileError, match="nothing"):
            built(misspelt)
        assert pipeline.fast_compilation() is fast_compile


class TestFunctionsOfSeveralPrograms:
    def test_those_of_a_program_that_does_not_compile_are_used_by_the_next(self) -> None:
        """numba remembers its `min` of three integers; it lies among the functions of the first program that calls it."""
        with pytest.raises(CompileError, match="nothing"):
            built(least_and_misspelt)
        assert called(built(least)) == (2, [*range(LENGTH)])

    @pytest.mark.usefixtures("optimised")
    def test_of_a_function_whose_lowering_fails_nothing_is_left(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Its module is read all the same, for `min` of five integers."""
        lower_block = lowering.RuleLower.lower_block

        def fails_in_a_loop(self: Any, block: Any) -> None:
            lower_block(self, block)
            if self.func_ir.func_id.func_name == "least_of_five" and len(self.blocks) > 1:
                raise MemoryError

        monkeypatch.setattr(lowering.RuleLower, "lower_block", fails_in_a_loop)
        with pytest.warns(UserWarning, match="fast compilation does not work with numba .*MemoryError"):
            assert called(built(least_of_five))[0] == 0
        monkeypatch.undo()
        monkeypatch.setattr(pipeline, "_trouble", [])
        assert called(built(least_of_five))[0] == 0


class TestOtherNumbaCode:
    def test_a_function_that_a_rule_calls_first_is_numbas_own(self) -> None:
        assert called(built(double)) == (4, [0, 1, 2, 3, 4, 5, 6, 4])
        assert doubled(21) == 42
        assert all(type(made.library) is JITCodeLibrary for made in doubled.overloads.values())
        assert lower(3, -4) == -4

    def test_numba_is_afterwards_as_it_was(self) -> None:
        contexts = (cpu_target.target_context, cpu_target.typing_context)
        shared = (BaseFunction, PostProcessor, TargetConfig, base, event, linalg)
        before = [sorted(vars(context)) for context in contexts], [dict(vars(owner)) for owner in shared]
        built(weigh)
        with pytest.raises(CompileError):
            built(misspelt)
        after = [sorted(vars(context)) for context in contexts], [dict(vars(owner)) for owner in shared]
        assert after == before
        assert cpu_target.target_context.codegen()._library_class is JITCodeLibrary
        assert arraymath.ensure_blas is linalg.ensure_blas


USERS = ("numba_backend/fast_compile", "numba_backend/lowering", "compile", "numba_backend/machine_code")


class TestWhatIsTakenFromNumbasInside:
    @pytest.mark.parametrize("name", pipeline.INSIDE)
    def test_it_is_there(self, name: str) -> None:
        module, _, path = name.partition(":")
        thing: Any = importlib.import_module(module)
        for part in path.split("."):
            thing = getattr(thing, part)

    def test_it_is_all_that_fast_compilation_imports(self) -> None:
        listed = {name.partition(":")[0] for name in pipeline.INSIDE}
        documented = {"numba.core", "numba.core.compiler", "numba.core.errors", "numba.core.cgutils"}
        for name in (
            *USERS,
            "numba_backend/pipeline",
            "numba_backend/mixed_numbers",
            "numba_backend/type_rules",
            "numba_backend/arithmetic",
        ):
            tree = ast.parse((LIBRARY / "compiled" / f"{name}.py").read_text())
            for node in ast.walk(tree):
                if isinstance(node, ast.ImportFrom) and str(node.module).startswith("numba.core"):
                    assert {node.module} <= listed | documented, (name, node.lineno)

    @pytest.mark.parametrize("name", USERS)
    def test_it_is_all_that_is_not_for_everybody(self, name: str) -> None:
        tree = list(ast.walk(ast.parse((LIBRARY / "compiled" / f"{name}.py").read_text())))
        asked = {n.attr for n in tree if isinstance(n, ast.Attribute) and n.attr.startswith("_")}
        ours = {n.attr for n in tree if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store)}
        ours |= {n.name for n in tree if isinstance(n, ast.FunctionDef)}
        listed = {path.replace(":", ".").rpartition(".")[2] for path in pipeline.INSIDE} | set(
            pipeline.ATTRIBUTES
        )
        assert {a for a in asked - ours if not a.startswith("__")} <= listed


@pytest.mark.exhaustive
@given(st.lists(st.lists(st.integers(0, 1000), max_size=4), min_size=1, max_size=30))
def test_what_calls_is_linked_before_what_it_calls(calls: list[list[int]]) -> None:
    """LLVM leaves out what nothing calls that has been linked before it."""
    generator = cpu_target.target_context.codegen()
    programs = [fast_compile.InnerFunctions(generator, f"program_{k}") for k in range(len(calls))]
    for k, (program, called) in enumerate(zip(programs, calls, strict=True)):
        later = len(programs) - k - 1
        program.calls = {programs[k + 1 + n % later]: None for n in called if later}
    ordered = programs[0].all_called()
    reached, waiting = {programs[0]}, [programs[0]]
    while waiting:
        new = set(waiting.pop().calls) - reached
        reached |= new
        waiting += new
    assert ordered[0] is programs[0] and set(ordered) == reached and len(ordered) == len(reached)
    place = {program: k for k, program in enumerate(ordered)}
    for program in ordered:
        assert all(place[program] < place[called] for called in program.calls)
