"""What need not be hashed counts all the same once some of it has been replaced."""

from __future__ import annotations

import functools
import types
from typing import Any

import pytest

from gridarium.compiled.cache.fingerprint import fingerprint
from gridarium.compiled.cache.library_code import is_given, is_library
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
