"""Why a world is compiled again that has been compiled before."""

import os
import time
from pathlib import Path
from typing import Any

import pytest

from gridarium import Spec, World
from gridarium.agents.planning.tree_search.program import search_program
from gridarium.compiled.cache import store
from gridarium.engine import composed_world, recompiling

PAGE = '"""Hall: its rules, composed."""\n\ndef reset(state, params): ...\n'
KNOWN = {
    "purpose": "for_arrays_of_cells",
    "Python": "3.11.4",
    "numba": "0.68.0",
    "Gridarium": "12ab",
    "rule wind": "77",
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GRIDARIUM_CACHE_DIR", str(tmp_path))
    return tmp_path


def keep(folder: Path, name: str, page: str, known: dict[str, str], age: float = 0.0) -> None:
    (folder / f"{name}.py").write_text(recompiling.noted(page, known) + "\ndef entry(): ...\n")
    os.utime(folder / f"{name}.py", (time.time() - age,) * 2)


def test_what_is_compiled_for_the_first_time_has_no_reason(folder: Path) -> None:
    assert recompiling.reason(PAGE, KNOWN) == ""
    keep(folder, "other", PAGE.replace("Hall", "Halls"), KNOWN)
    assert recompiling.reason(PAGE, KNOWN) == ""


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, ""),
        ({"rule wind": "78"}, "rule wind has changed"),
        ({"rule wind": "78", "rule rain": "5"}, "rule wind and rule rain have changed"),
        ({"Gridarium": "34cd", "rule wind": "78"}, "Gridarium has changed"),
        ({"numba": "0.68.1", "Python": "3.12.1"}, "Python and numba have changed"),
        ({"purpose": "for_pictures"}, "for pictures"),
        ({"purpose": "for_pictures", "rule wind": "78"}, "for pictures"),
    ],
)
def test_the_reason_is_what_has_changed(folder: Path, changes: dict[str, str], said: str) -> None:
    keep(folder, "a", PAGE, KNOWN)
    assert recompiling.reason(PAGE, {**KNOWN, **changes}) == said


def test_another_description_is_told_by_its_page(folder: Path) -> None:
    keep(folder, "a", PAGE, KNOWN)
    assert recompiling.reason(PAGE + "\ndef reward(): ...\n", KNOWN) == "its description has changed"


def test_the_program_that_was_compiled_last_counts(folder: Path) -> None:
    keep(folder, "a", PAGE, KNOWN, age=50)
    keep(folder, "b", PAGE, {**KNOWN, "rule wind": "78"}, age=10)
    keep(folder, "c", PAGE, KNOWN, age=90)
    assert recompiling.reason(PAGE, KNOWN) == "rule wind has changed"


def windy(source: str, module: str = __name__) -> World:
    scope: dict[str, Any] = {"__name__": module}
    exec(source, scope)
    spec = Spec.build(
        name="Windy",
        shape=(4, 4),
        objects=["Wall", "Floor", "Exit", *([scope["Fan"]] if "Fan" in scope else [])],
        reset="empty",
        transitions=["move_agent", scope["gust"]],
    )
    return World(spec)


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is said of each program that is to be compiled; nothing is, and its page is stored."""
    names: list[str] = []

    def compile_program(*_: Any, name: str, text: str, **__: Any) -> Any:
        names.append(name)
        store.save(f"{len(names):040}", b"", text)
        return lambda *_: 0

    monkeypatch.setattr(composed_world, "compile_program", compile_program)
    return names


def test_a_machine_says_it_and_keeps_what_it_takes_to_say_it(said: list[str]) -> None:
    for worth in (1, 1, 2):
        windy(f"def gust(state, action):\n    state.agent.busy = {worth}\n").composed.prepare()
    assert said == ["Windy", "Windy", "Windy again (rule gust has changed)"]


def test_the_same_rules_in_another_module_are_said_to_be_that(said: list[str]) -> None:
    gust = "def gust(state, action):\n    state.agent.busy = {worth}\n"
    fan = "from gridarium.world import GridObject\nclass Fan(GridObject): glyph = '~'\n"
    for module, worth in (("fan", 1), ("fan_as_main", 1), ("fan", 2)):
        windy(fan + gust.format(worth=worth), module).composed.prepare()
    assert said == [
        "Windy",
        "Windy again (the same rules in the module fan_as_main instead of fan)",
        "Windy again (rule gust and the module of its rules have changed)",
    ]


def test_another_program_of_a_world_is_compiled_for_its_purpose(said: list[str]) -> None:
    world = World("KeyDoor-5x5")
    pictures = World("KeyDoor-5x5", representation="rgb")
    for composed in (
        world.composed,
        pictures.composed,
        world.composed.with_per_world_params,
        composed_world.ComposedWorld(world.spec, observe="state"),
        composed_world.ComposedWorld(pictures.spec, observe_only=True),
        World("KeyDoor-5x5", representation="compact").composed,
    ):
        composed.prepare()
    again = "KeyDoor-5x5 again"
    assert said == [
        "KeyDoor-5x5",
        f"{again} (for pictures)",
        f"{again} (for arrays of cells of worlds with parameters of their own)",
        f"{again} (for arrays of cells of whole states)",
        f"{again} (for pictures in wrappers)",
        "KeyDoor-5x5",
    ]


def test_the_first_tree_search_of_a_world_is_not_said_to_be_one_more(said: list[str]) -> None:
    world = World("KeyDoor-5x5")
    world.composed.prepare()
    search_program(world.composed, observing=False).prepare()
    assert said == ["KeyDoor-5x5", "tree search in KeyDoor-5x5"]
