"""What is said about a rule that cannot be compiled: the rule, its file, its line, and why, in words of its author."""

from __future__ import annotations

import inspect
import re
from typing import Any

import numba
import pytest

from gridarium.compiled.data_types.primitives import trusted
from gridarium.compiled.numba_backend.error_messages import explain
from gridarium.compiled.source_pass.source import Unsupported
from gridarium.world import Action, Box, Color, Door, Field, Key, State, Vocabulary, Wall
from tests.compiled.compiling import compiled_for, places_of, state_at
from tests.compiled.mistakes import MISTAKES

WORDS = Vocabulary([Wall, Door, Key, Box], [Color.RED], agent_fields=[Field("energy", "int")])


@trusted
def call(places, *, rule):  # type: ignore[no-untyped-def]
    state = state_at(places, WORDS)
    rule(state, Action(int(state.data[0])))
    return 0


@pytest.mark.parametrize(("rule", "reason"), [pytest.param(*m, id=m[0].__name__) for m in MISTAKES])
@pytest.mark.sampled(4)
def test_a_mistake_is_told_in_words_of_its_author(rule: Any, reason: str) -> None:
    with pytest.raises((Unsupported, numba.core.errors.NumbaError)) as caught:
        compiled_for(WORDS, call, rule=rule)(places_of(State.blank((3, 3), WORDS)))
    said = str(caught.value) if isinstance(caught.value, Unsupported) else explain(str(caught.value))
    assert re.search(reason, said), said
    lines, first = inspect.getsourcelines(rule)
    marked = first + next(i for i, line in enumerate(lines) if line.rstrip().endswith("# <-"))
    assert re.match(rf"{rule.__name__} \(\S+mistakes.py, line {marked}\): ", said), said
    assert len(said.splitlines()) <= 8
    assert all(len(line) < 250 for line in said.splitlines()), said
    for word in ("int64", "gridarium.", "Literal", "numba", "choose", " at 0x", "Traceback"):
        assert word not in said, said


class TestExplaining:
    def test_what_it_does_not_know_is_passed_on(self) -> None:
        message = "Failed in rule mode pipeline (step: x)\n\nSomething new went wrong\n\nDuring: Pass y"
        assert explain(message) == "a rule\n  Something new went wrong"
        assert explain("") == "a rule"

    def test_numbas_own_files_are_no_place(self) -> None:
        message = 'File "/x/numba/core/y.py", line 3:\n'
        assert explain(message).startswith("a rule")

    def test_a_users_file_comes_before_the_librarys(self) -> None:
        message = f'File "{explain.__code__.co_filename}", line 3:\n\nDuring: typing of call at /tmp/my rules.py (12)\n'
        assert explain(message).startswith("a rule (/tmp/my rules.py, line 12)")

    def test_reasons_are_told_once_and_not_all(self) -> None:
        unknown = [f"Unknown attribute '{name}' of type int64\n" for name in "aabcde"]
        assert explain("".join(unknown)).splitlines()[1:] == [
            "  int has no attribute 'a'",
            "  int has no attribute 'b'",
            "  int has no attribute 'c'",
        ]

    def test_types_are_called_what_users_call_them(self) -> None:
        inner = "p.q.Grid(view(uint32, 2d), p.q.Words(a, (b, c)), static(12ab))"
        message = f"Unknown attribute 'x' of type UniTuple(int64 x 2)\nInvalid use of {inner} with parameters ({inner})\n"
        assert explain(message).splitlines()[1:] == [
            "  tuple of 2 int has no attribute 'x'",
            "  Grid cannot be called with (Grid)",
        ]
