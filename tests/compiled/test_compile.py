"""Programs compiled, kept and loaded: in fresh processes, after every change, with damaged files, several at once."""

from __future__ import annotations

import functools
import json
import os
import re
import subprocess
import sys
import textwrap
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gridarium.compiled.cache import library_code, store
from gridarium.compiled.compile import CompileError, cached_program, compile_program
from gridarium.compiled.data_types.primitives import trusted
from gridarium.compiled.source_pass.resolver import Resolver
from gridarium.engine.composed_world import FACTOR_LOST
from gridarium.engine.world import World
from gridarium.worlds import Spec
from tests.compiled.compiling import imported

LENGTH = 8


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A private folder of compiled programs."""
    monkeypatch.setenv("GRIDARIUM_CACHE_DIR", str(tmp_path / "programs"))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "numba"))
    return tmp_path / "programs"


@trusted
def weigh(frame: Any, slot: int, first: int, last: int, mode: int, *, factor: int = 1) -> int:
    total = 0
    for i in range(first, last):
        total += int(frame[i]) * factor
    frame[slot] = total
    if mode == 3:
        raise ValueError("mode 3")
    return total


def built(run: Any = weigh, **options: Any) -> Any:
    options = {"name": "tiny", "text": '"""A page."""', "frame_length": LENGTH, "quiet": True} | options
    return compile_program(run, Resolver(), **options)


def called(entry: Any, mode: int = 0) -> tuple[int, list[int]]:
    frame = np.arange(LENGTH)
    return entry(frame.__array_interface__["data"][0], 7, 2, 5, mode), frame.tolist()


WEIGHED = (9, [0, 1, 2, 3, 4, 5, 6, 9])


class TestPrograms:
    def test_it_does_what_the_rules_do(self, place: Path) -> None:
        assert called(built()) == WEIGHED
        frame = np.arange(LENGTH)
        assert (weigh(frame, 7, 2, 5, 0), frame.tolist()) == WEIGHED
        assert called(built(functools.partial(weigh, factor=3)))[0] == 27

    def test_that_a_rule_raised_is_noticed(self, place: Path) -> None:
        entry = built()
        with pytest.raises(RuntimeError, match="a rule raised an exception"):
            called(entry, mode=3)
        assert called(entry) == WEIGHED

    def test_it_is_kept_with_a_page_that_shows_its_rules(self, place: Path, tmp_path: Path) -> None:
        built()
        files = {path.suffix: path for path in place.iterdir()}
        assert set(files) == {".bin", ".py", ".lock"}
        assert len({path.stem for path in files.values()}) == 1
        assert files[".py"].read_text().startswith('"""A page."""\n')
        assert not (tmp_path / "numba").exists()

    def test_compiling_is_announced_and_loading_is_not(
        self, place: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        built(quiet=False)
        assert re.fullmatch(r"gridarium: compiling tiny \.\.\. \d+\.\d s\n", capsys.readouterr().err)
        assert called(built(quiet=False)) == WEIGHED
        assert capsys.readouterr().err == ""
        store.clear()
        built()
        assert capsys.readouterr().err == ""


# damaged, missing and forbidden folders


def shortened(content: bytes) -> list[bytes]:
    return [b"", content[:1], content[: store.CHECKSUM], content[: len(content) // 2], content[:-1]]


class TestDamage:
    def test_what_is_cut_short_or_altered_is_compiled_again(self, place: Path, capsys: Any) -> None:
        built()
        path = next(place.glob("*.bin"))
        whole = path.read_bytes()
        middle = len(whole) // 2
        altered = whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :]
        for damaged in (whole[: len(whole) // 2], altered):
            path.write_bytes(damaged)
            assert called(built(quiet=False)) == WEIGHED
            assert "compiling tiny" in capsys.readouterr().err
            assert store.load(path.stem) is not None
        for damaged in shortened(whole):
            path.write_bytes(damaged)
            assert store.load(path.stem) is None

    def test_what_cannot_be_understood_is_compiled_again(self, place: Path) -> None:
        import pickle

        built()
        key = next(place.glob("*.bin")).stem
        for nonsense in (
            b"",
            b"nonsense",
            pickle.dumps(None),
            pickle.dumps((1, 2)),
            pickle.dumps(tuple(range(9))),
        ):
            store.save(key, nonsense, "")
            assert called(built()) == WEIGHED
            assert store.load(key) != nonsense

    def test_the_page_is_not_needed(self, place: Path, capsys: Any) -> None:
        built()
        for path in (*place.glob("*.py"), *place.glob("*.lock")):
            path.unlink()
        assert called(built(quiet=False)) == WEIGHED
        assert capsys.readouterr().err == ""

    @pytest.mark.parametrize("forbidden", ["others", "somebody else", "read only", "a file"])
    def test_a_folder_that_cannot_be_used(
        self, forbidden: str, place: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        if forbidden == "a file":
            place.write_text("")
        else:
            place.mkdir(mode={"others": 0o777, "read only": 0o500}.get(forbidden, 0o700))
        if forbidden == "others":
            place.chmod(0o777)
        if forbidden == "somebody else":
            monkeypatch.setattr(os, "getuid", lambda: place.stat().st_uid + 1)
        if forbidden == "read only" and os.getuid() == 0:
            monkeypatch.setattr(os, "access", lambda _, mode: not mode & os.W_OK)
        reason = {
            "others": "can be written to by others",
            "somebody else": "belongs to another user",
            "read only": "cannot be written to",
            "a file": "cannot be created: File exists",
        }[forbidden]
        with pytest.warns(
            UserWarning, match=rf"tiny: the compiled program is not cached on disk \({place} {reason}"
        ):
            entry = built()
        assert called(entry) == WEIGHED
        assert forbidden == "a file" or list(place.iterdir()) == []

    def test_what_is_in_a_folder_that_can_only_be_read_is_loaded(
        self, place: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
    ) -> None:
        built()
        kept = sorted(place.iterdir())
        monkeypatch.setattr(os, "access", lambda _, mode: not mode & os.W_OK)
        assert called(built(quiet=False)) == WEIGHED
        assert capsys.readouterr().err == "" and sorted(place.iterdir()) == kept

    def test_a_full_disk(self, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def full(*_: Any) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(store, "_write", full)
        with pytest.warns(UserWarning, match=rf"not cached on disk \({place}: No space left on device\)"):
            assert called(built()) == WEIGHED

    def test_what_has_no_content_is_not_kept_and_says_so(self, place: Path) -> None:
        class Box:
            size = 3

        box = Box()

        def boxed(frame: Any, slot: int, first: int, last: int, mode: int) -> int:
            return first + box.size

        with pytest.warns(
            UserWarning, match=r"depends on box\.size in boxed: a Box, whose content cannot be hashed\)"
        ):
            assert called(built(boxed))[0] == 5
        assert not list(place.glob("*.bin"))


# rules that cannot be compiled


def builds_text(frame: Any, slot: int, first: int, last: int, mode: int) -> int:
    message = f"from {first} to {last}"
    return len(message)


def misspells(frame: Any, slot: int, first: int, last: int, mode: int) -> int:
    return int(frame.lenght)


def test_a_rule_that_cannot_be_compiled_is_named_in_a_few_lines(place: Path) -> None:
    for run, line, reason in (
        (builds_text, 'message = f"from {first} to {last}"', "text cannot be made in compiled code"),
        (misspells, "return int(frame.lenght)", "array has no attribute 'lenght'"),
    ):
        with pytest.raises(CompileError) as caught:
            built(run)
        said = str(caught.value)
        number = next(
            i for i, text in enumerate(Path(__file__).read_text().splitlines(), 1) if text.strip() == line
        )
        assert said.startswith(f"{run.__name__} ({__file__}, line {number}): "), said
        assert reason in said
        assert len(said.splitlines()) <= 8
    assert not list(place.glob("*.bin"))


def whispers(state: Any, action: Any) -> None:
    message = f"agent at {state.agent.position}"
    state.agent.result = len(message)


@pytest.mark.parametrize("twice", ["(whole{0}, whole{0})", "whole{0} + whole{0}", "Pair(whole{0}, whole{0})"])
def test_what_doubles_from_statement_to_statement_is_refused(twice: str, place: Path, tmp_path: Path) -> None:
    lines = [
        "from gridarium.compiled.data_types.value_class import value",
        "@value\nclass Pair:\n    one: object\n    other: object",
        "def nest(frame, slot, first, last, mode):\n    whole0 = (first, last)",
        *(f"    whole{k + 1} = {twice.format(k)}" for k in range(40)),
        "    return 0 if whole40 is None else 1\n",
    ]
    rule = imported(tmp_path, "\n".join(lines)).nest
    with pytest.raises(CompileError, match="a tuple or value has at most 10000 numbers, with all"):
        built(rule)


def test_a_world_then_runs_interpreted_with_one_warning(place: Path) -> None:
    spec = Spec.build(
        name="Whispering",
        shape=(4, 4),
        objects=["Wall", "Floor", "Exit"],
        colors=[],
        actions=["MOVE_FORWARD", "TURN_LEFT"],
        reset="empty",
        transitions=["move_agent", whispers],
        observation={"name": "fully_transparent", "area": [[-1, 0], [-1, 1]]},
    )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        world = World(spec)
        state = world.reset(seed=0)
        for index in (0, 1, 0):
            state, _, _ = world.step(state, index)
        world.batch(2).reset(0)
    assert not world.composed.compiled
    assert state.agent.result == len(f"agent at {state.agent.position}")
    assert len(caught) == 1
    said = str(caught[0].message)
    assert said.startswith(f"Whispering runs interpreted, {FACTOR_LOST} slower, because its rules")
    assert re.search(r"whispers \(.*test_compile.py, line \d+\): text cannot be made in compiled code", said)
    assert len(said.splitlines()) <= 8


# fresh processes

RULES = {
    "third.py": "LIMIT = 3\n",
    "helping.py": "def helper(x):\n    return x + 1\n",
    "spots.py": """
        from gridarium.compiled.data_types.value_class import value
        @value
        class Spot:
            y: int
            @property
            def far(self):
                return self.y > 5
        """,
    "program.py": """
        import functools, linecache
        import third
        from helping import helper
        from spots import Spot
        def make(bonus):
            def closed(x):
                return x + bonus
            return closed
        closed = make(100)
        CELL = "def typed(x):\\n    return x * 10000\\n"
        linecache.cache["<cell>"] = (len(CELL), None, CELL.splitlines(True), "<cell>")
        scope = {}
        exec(compile(CELL, "<cell>", "exec"), scope)
        typed = scope["typed"]
        def run(frame, slot, first, last, mode, *, times=1):
            total = helper(first) if first > third.LIMIT else 0
            total += 1000 if Spot(last).far else 0
            return (total + closed(first)) * times + typed(mode)
        run = functools.partial(run, times=2)
        """,
}
SHARED_NAMES = """
    from gridarium.compiled.data_types.primitives import outlined
    @outlined
    def weigh(x):
        return x * NUMBER
    def run(frame, slot, first, last, mode):
        return weigh(first)
"""
"""A program with a function that is called, not inlined, as large ones are."""
RAISES = """
    def run(frame, slot, first, last, mode):
        if first < last:
            raise ValueError("too early")
        return 0
"""
CHANGES: dict[str, tuple[str, str, str, int]] = {
    "nothing": ("third.py", "LIMIT", "LIMIT", 2 * (5 + 1000 + 104) + 20000),
    "a helper": ("helping.py", "x + 1", "x + 2", 2 * (6 + 1000 + 104) + 20000),
    "a constant in a third module": ("third.py", "3", "4", 2 * (1000 + 104) + 20000),
    "a property": ("spots.py", "> 5", "> 6", 2 * (5 + 104) + 20000),
    "a closure's value": ("program.py", "make(100)", "make(200)", 2 * (5 + 1000 + 204) + 20000),
    "a rule in a notebook": ("program.py", "x * 10000", "x * 20000", 2 * (5 + 1000 + 104) + 40000),
    "a partial's parameter": ("program.py", "times=2", "times=3", 3 * (5 + 1000 + 104) + 20000),
}
PROGRAM = """
import contextlib, importlib, io, json, pathlib, sys
import numpy as np
from gridarium.compiled.compile import compile_program
from gridarium.compiled.source_pass.resolver import Resolver
found = {}
start = list(sys.path)
for place in [pathlib.Path(n).resolve() for n in sys.argv[1:]] or sorted(pathlib.Path.cwd().iterdir()):
    for name in ("third", "helping", "spots", "program"):
        sys.modules.pop(name, None)
    sys.path[:] = [str(place), *start]
    importlib.invalidate_caches()
    program = importlib.import_module("program")
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        entry = compile_program(program.run, Resolver(), name=place.name, text="", frame_length=8)
    frame = np.zeros(8, np.int64)
    try:
        result = entry(frame.__array_interface__["data"][0], 0, 4, 6, 2)
    except RuntimeError as error:
        result = str(error)
    found[place.name] = [result, "compiling" in said.getvalue()]
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def processes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[dict[str, Any]]]:
    """What two processes, one after the other, get from the program after each change, and whether they compiled it."""
    root = tmp_path_factory.mktemp("changed")
    for name, (changed, old, new, _) in CHANGES.items():
        (root / name).mkdir()
        for file, text in RULES.items():
            lines = textwrap.dedent(text)
            assert file != changed or lines.count(old) == 1, (name, lines)
            (root / name / file).write_text(lines.replace(old, new) if file == changed else lines)
    environment = {**os.environ, "GRIDARIUM_CACHE_DIR": str(tmp_path_factory.mktemp("programs"))}
    yield [json.loads(_printed(root, environment)) for _ in range(2)]


def _printed(folder: Path, environment: dict[str, str], *names: str) -> str:
    command = [sys.executable, "-B", "-c", PROGRAM, *names]
    return subprocess.run(
        command, check=True, capture_output=True, text=True, cwd=folder, env=environment
    ).stdout


class TestProcesses:
    @pytest.mark.parametrize("change", list(CHANGES))
    def test_every_change_is_compiled_and_right(self, change: str, processes: list[dict[str, Any]]) -> None:
        assert processes[0][change] == [CHANGES[change][3], True]

    @pytest.mark.parametrize("change", list(CHANGES))
    def test_a_second_process_loads_it(self, change: str, processes: list[dict[str, Any]]) -> None:
        assert processes[1][change] == [CHANGES[change][3], False]

    @pytest.mark.exhaustive
    def test_several_at_once_compile_once(self, tmp_path: Path, place: Path) -> None:
        name = "nothing"
        (tmp_path / "rules" / name).mkdir(parents=True)
        for file, text in RULES.items():
            (tmp_path / "rules" / name / file).write_text(textwrap.dedent(text))
        command = [sys.executable, "-B", "-c", PROGRAM]
        running = [
            subprocess.Popen(command, cwd=tmp_path / "rules", stdout=subprocess.PIPE, text=True)
            for _ in range(3)
        ]
        found = [json.loads(process.communicate(timeout=300)[0])[name] for process in running]
        assert [value for value, _ in found] == [CHANGES[name][3]] * 3
        assert sum(compiled for _, compiled in found) == 1
        assert store.contents()[0] == 1

    @pytest.mark.exhaustive
    def test_that_a_rule_raised_is_noticed_in_a_process_that_loads_it(
        self, tmp_path: Path, place: Path
    ) -> None:
        (tmp_path / "rules" / "raises").mkdir(parents=True)
        (tmp_path / "rules" / "raises" / "program.py").write_text(textwrap.dedent(RAISES))
        found = [json.loads(_printed(tmp_path / "rules", {**os.environ}))["raises"] for _ in range(2)]
        assert found[0][0] == found[1][0]
        assert "a rule raised an exception" in found[0][0]
        assert [compiled for _, compiled in found] == [True, False]

    def test_programs_of_several_processes_keep_to_themselves(self, tmp_path: Path, place: Path) -> None:
        wanted = {"ten": 10 * 4, "hundred": 100 * 4}
        for name, number in (("ten", "10"), ("hundred", "100")):
            (tmp_path / "rules" / name).mkdir(parents=True)
            text = textwrap.dedent(SHARED_NAMES).replace("NUMBER", number)
            (tmp_path / "rules" / name / "program.py").write_text(text)
        environment = {**os.environ}
        apart = [json.loads(_printed(tmp_path / "rules", environment, name)) for name in wanted]
        assert apart == [{name: [value, True]} for name, value in wanted.items()]
        for order in (("ten", "hundred"), ("hundred", "ten")):
            together = json.loads(_printed(tmp_path / "rules", environment, *order))
            assert together == {name: [value, False] for name, value in wanted.items()}


def test_nothing_is_compiled_or_loaded_once_the_library_was_replaced(
    place: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    built()
    assert cached_program(weigh, Resolver(), LENGTH) is not None
    file = tmp_path / "library" / "rules" / "moving.py"
    file.parent.mkdir(parents=True)
    for room in library_code.COMPILED_ROOMS:
        (tmp_path / "library" / room).mkdir(exist_ok=True)
    file.write_text("REWARD = -1")
    monkeypatch.setattr(library_code, "LIBRARY", tmp_path / "library")
    monkeypatch.setattr(library_code, "_STAMPS", library_code._stamps())
    assert cached_program(weigh, Resolver(), LENGTH) is not None
    file.write_text("REWARD = -2.5")
    assert cached_program(weigh, Resolver(), LENGTH) is None
    with pytest.raises(CompileError, match="own files have changed since this process began; start it again"):
        built()
