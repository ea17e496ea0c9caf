"""What changes between two programs of one process: nothing that was compiled for the first is taken for the second."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gridarium.compiled.compile import CompileError, compile_program
from gridarium.compiled.data_types.primitives import trusted
from gridarium.compiled.data_types.value_class import value
from gridarium.compiled.source_pass.resolver import Resolver
from gridarium.world import Floor, GridObject, Vocabulary, Wall
from gridarium.world.cell import Cell
from tests.compiled.compiling import compiled_for

LIMIT = 1


def weighed(x: int) -> int:
    return x * LIMIT


@value
class Pair:
    """Its members read a global, through a helper or at once."""

    a: int
    b: int

    @property
    def total(self) -> int:
        return (self.a + self.b) * LIMIT

    def weighed(self) -> int:
        return weighed(self.a)

    def __add__(self, other: Any) -> Any:
        return Pair(self.a + other.a * LIMIT, self.b)

    def more(self, step: int = 1) -> int:
        return self.a + step


@value
class Holder:
    """Reads no global itself."""

    pair: Any

    def total(self) -> int:
        return self.pair.total


def rule(frame: Any, slot: int, first: int, last: int, mode: int) -> int:
    pair = Pair(first, last)
    if mode == 0:
        return pair.total
    if mode == 1:
        return pair.weighed()
    if mode == 2:
        return (pair + pair).a
    if mode == 3:
        return Holder(pair).total()
    return pair.more()


def outcomes(run: Any) -> list[int]:
    frame = np.arange(8)
    return [run(frame.__array_interface__["data"][0], 0, 2, 3, mode) for mode in range(5)]


@pytest.fixture
def agree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Compile anew, and make sure that compiled is as interpreted."""
    monkeypatch.setenv("GRIDARIUM_CACHE_DIR", str(tmp_path))

    def check() -> list[int]:
        found = outcomes(rule)
        for _ in ("compiled", "loaded"):
            program = compile_program(
                rule, Resolver(), name="changing", text='"""A page."""', frame_length=8, quiet=True
            )
            assert outcomes(program) == found
        return found

    return check


def test_a_global_that_members_read(agree: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    before = agree()
    monkeypatch.setitem(globals(), "LIMIT", 5)
    assert agree() == [25, 10, 12, 25, 3] != before
    monkeypatch.setitem(globals(), "LIMIT", 1)
    assert agree() == before


def test_a_helper_that_a_method_calls(agree: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    agree()

    def tenfold(x: int) -> int:
        return x * 10

    monkeypatch.setitem(globals(), "weighed", tenfold)
    assert agree()[1] == 20


def test_members_that_are_replaced(agree: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    agree()
    monkeypatch.setattr(Pair, "total", property(lambda self: self.a * 100))
    monkeypatch.setattr(Pair, "weighed", lambda self: self.b * 7)
    monkeypatch.setattr(Pair, "__add__", lambda self, other: Pair(self.b + other.b, 0))
    assert agree()[:4] == [200, 21, 6, 200]


def test_members_that_are_called_in_another_way(agree: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    agree()
    monkeypatch.setattr(Pair, "more", lambda self, step=2: self.a + step)
    with pytest.raises(CompileError, match="Pair.more is called in another way .* start a new process"):
        agree()
    monkeypatch.setattr(Pair, "more", property(lambda self: self.a))
    with pytest.raises(CompileError, match="Pair.more is called in another way"):
        compile_program(rule, Resolver(), name="changing", text="", frame_length=8, quiet=True)


def test_what_cannot_be_hashed_is_compiled_anew_each_time(
    agree: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Amount:
        def __init__(self, size: int) -> None:
            self.size = size

    for size in (3, 4):
        amount = Amount(size)
        monkeypatch.setattr(Pair, "total", property(lambda self: self.a * amount.size))  # noqa: B023
        with pytest.warns(UserWarning, match="is not cached on disk"):
            assert agree()[0] == 2 * size


class Medal(GridObject):
    glyph = "c"


class Pearl(GridObject):
    glyph = "g"


@value
class Taste:
    """A value class that knows kinds."""

    bonus: int

    def likes(self, thing: Any) -> int:
        return self.bonus if isinstance(thing, Pearl) else 0


@pytest.mark.parametrize("kinds", [[Pearl], [Medal, Pearl], [Wall, Pearl, Medal], [Floor, Medal]])
def test_kinds_have_the_numbers_of_the_world_that_is_compiled(kinds: list[type[GridObject]]) -> None:
    vocabulary = Vocabulary(kinds)

    @trusted
    def taste(word: int) -> int:
        return Taste(7).likes(Cell(word))

    run = compiled_for(vocabulary, taste)
    assert [run(vocabulary.encode(kind())) for kind in kinds] == [7 if kind is Pearl else 0 for kind in kinds]


PROGRAM = """
    import sys
    sys.path.insert(0, {root!r})
    import numpy as np
    import tests.compiled.test_changes as changes
    from gridarium.compiled.compile import compile_program
    def run(limit):
        changes.LIMIT = limit
        found = compile_program(
            changes.rule, changes.Resolver(), name="changing", text="", frame_length=8, quiet=False
        )
        assert changes.outcomes(found) == changes.outcomes(changes.rule)
    for limit in {limits}:
        run(limit)
    """


def test_another_process_loads_what_it_would_have_compiled(tmp_path: Path) -> None:
    root = str(Path(__file__).parents[2])
    said = []
    for limits in ((1, 5), (5, 1)):
        text = textwrap.dedent(PROGRAM.format(root=root, limits=limits))
        ran = subprocess.run(
            [sys.executable, "-c", text],
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, "GRIDARIUM_CACHE_DIR": str(tmp_path)},
        )
        said.append(ran.stderr.count("compiling changing"))
    assert said == [2, 0]
