"""What need not be hashed counts all the same once some of it has been replaced."""

from __future__ import annotations

import functools
import importlib.util
import sys
import types
from pathlib import Path
from typing import Any

import pytest

from gridarium.compiled.cache.fingerprint import fingerprint
from gridarium.compiled.cache.library_code import is_given, is_library
from gridarium.compiled.source_pass.source import home_of
from gridarium.rules import transition_functions
from gridarium.world import Agent


def stay(*given: Any) -> Any:
    return given[0]


def test_a_helper_that_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    rule = transition_functions.move_agent
    before = fingerprint(rule)
    name = next(n for n in rule.__code__.co_names if callable(rule.__globals__.get(n)))
    for new in (stay, functools.wraps(rule.__globals__[name])(stay)):
        with monkeypatch.context() as patch:
            patch.setitem(rule.__globals__, name, new)
            assert fingerprint(rule) != before
    assert fingerprint(rule) == before


def test_a_method_and_a_constant_that_are_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    from gridarium.world import agent

    before = fingerprint(Agent)
    for name in ("ACTIVE", "AGENT_FIELDS"):
        with monkeypatch.context() as patch:
            patch.setattr(agent, name, 7)
            assert fingerprint(Agent) != before
    monkeypatch.setattr(Agent, "position", property(lambda self: None))
    assert fingerprint(Agent) != before


@pytest.mark.parametrize(
    "module", ["math", "numpy", "numpy.random", "enum", "gridarium.rules.pursuit", "json"]
)
def test_what_comes_with_versions_is_given(module: str) -> None:
    assert is_given(module)


@pytest.mark.parametrize(
    "module", ["__main__", "rules", "tests.compiled", "hypothesis", "gridarium.ghost.env"]
)
def test_all_else_is_not(module: str) -> None:
    assert not is_given(module)


def test_a_module_of_ones_own_with_a_name_of_pythons(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    from gridarium.compiled.cache import library_code

    own = types.ModuleType("queue")
    own.__file__ = "/home/me/queue.py"
    monkeypatch.setitem(sys.modules, "queue", own)
    library_code._in_python.cache_clear()
    assert not is_given("queue")
    library_code._in_python.cache_clear()


def test_what_passes_itself_off_as_the_librarys_is_not() -> None:
    assert is_library(transition_functions.move_agent)
    assert not is_library(functools.wraps(transition_functions.move_agent)(lambda *given: None))


NAMESAKE = """
LEVEL = 1
class Calendar:
    LEAST = 2
class Month:
    def first(self):
        return LEVEL
def rule(x):
    return x + LEVEL
"""


@pytest.mark.parametrize("loaded", ["by its path", "in a folder"])
def test_a_file_with_the_name_of_a_module_of_python_is_its_authors(
    loaded: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    import calendar

    if loaded == "by its path":
        (tmp_path / "calendar.py").write_text(NAMESAKE)
        found = importlib.util.spec_from_file_location("calendar", tmp_path / "calendar.py")
        assert found is not None and found.loader is not None
        mine = importlib.util.module_from_spec(found)
        found.loader.exec_module(mine)
    else:  # which has no __init__.py; Python has that module on other systems only
        folder = "winsound" if "winsound" not in sys.builtin_module_names else "spwd"
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "rules.py").write_text(NAMESAKE)
        monkeypatch.syspath_prepend(tmp_path)
        mine = importlib.import_module(f"{folder}.rules")
        request.addfinalizer(lambda: [sys.modules.pop(name) for name in (folder, f"{folder}.rules")])
    for thing in (mine.rule, mine.Calendar, mine.Month, mine.Month.first):
        assert not is_given(home_of(thing)), thing
    before = fingerprint(mine.rule)
    monkeypatch.setattr(mine, "LEVEL", 3)
    assert fingerprint(mine.rule) != before
    for thing in (calendar.Calendar, calendar.leapdays, calendar.Calendar.iterweekdays):
        assert is_given(home_of(thing)), thing
