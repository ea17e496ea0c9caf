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
from numba.core.postproc import PostProcessor
from numba.core.registry import cpu_target
from numba.core.targetconfig import TargetConfig
from numba.core.types.functions import BaseFunction
from numba.np import arraymath, linalg

from gridarium.compiled.compile import CompileError, compile_program
from gridarium.compiled.data_types.primitives import trusted
from gridarium.compiled.numba_backend import fast_compile, pipeline
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


def twice_as_many(x: int) -> int:
    return x * 2


class TestWhereTheLeanWayFails:
    @pytest.mark.parametrize("step", ["finalize", "_optimize_final_module"])
    def test_worlds_compile_in_numbas_ordinary_way(self, monkeypatch: Any, step: str) -> None:
        monkeypatch.setattr(fast_compile.InnerLibrary, step, changed)
        with pytest.warns(UserWarning, match=r"fast compilation does not work with numba .*no such"):
            assert called(built(weigh)) == WEIGHED
        with warnings.catch_warnings():  # it has been said
            warnings.simplefilter("error")
            assert called(built(double)) == (4, [0, 1, 2, 3, 4, 5, 6, 4])

    def test_a_program_that_calls_what_was_not_linked_is_none(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """It would call the address 0."""
        all_of_it = fast_compile.InnerLibrary._everything_called
        monkeypatch.setattr(
            fast_compile.InnerLibrary,
            "_everything_called",
            lambda self: [] if self.is_outermost else all_of_it(self),
        )
        with pytest.warns(UserWarning, match=r"fast compilation does not work.*was not linked"):
            assert called(built(weigh)) == WEIGHED

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
        monkeypatch.setattr(fast_compile.InnerLibrary, "finalize", changed)
        with pytest.raises(CompileError, match="nothing"):
            built(misspelt)
        assert pipeline.fast_compilation() is fast_compile


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


USERS = ("numba_backend/fast_compile", "numba_backend/emitting", "compile", "numba_backend/serialized")


class TestWhatIsTakenFromNumbasInside:
    @pytest.mark.parametrize("name", pipeline.INSIDE)
    def test_it_is_there(self, name: str) -> None:
        module, _, path = name.partition(":")
        thing: Any = importlib.import_module(module)
        for part in path.split("."):
            thing = getattr(thing, part)

    def test_it_is_all_that_fast_compilation_imports(self) -> None:
        listed = {name.partition(":")[0] for name in pipeline.INSIDE}
        documented = {"numba.core", "numba.core.errors", "numba.core.cgutils"}
        for name in (
            *USERS,
            "numba_backend/pipeline",
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


@given(st.lists(st.lists(st.integers(0, 1000), max_size=4), min_size=1, max_size=30))
def test_what_calls_is_linked_before_what_it_calls(calls: list[list[int]]) -> None:
    """LLVM leaves out what nothing calls that has been linked before it."""
    libraries: list[Any] = [fast_compile.InnerLibrary.__new__(fast_compile.InnerLibrary) for _ in calls]
    for k, (library, called) in enumerate(zip(libraries, calls, strict=True)):
        later = len(libraries) - k - 1
        library._linking_libraries = [libraries[k + 1 + n % later] for n in called if later]
    ordered = libraries[0]._everything_called()
    reached, waiting = set(), [libraries[0]]
    while waiting:
        new = {id(x): x for x in waiting.pop()._linking_libraries if id(x) not in reached}
        reached |= new.keys()
        waiting += new.values()
    assert sorted(map(id, ordered)) == sorted(reached)
    place = {id(library): k for k, library in enumerate(ordered)}
    for library in ordered:
        assert all(place[id(library)] < place[id(called)] for called in library._linking_libraries)
