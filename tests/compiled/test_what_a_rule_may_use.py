"""Every snippet gives the same interpreted and compiled, or is refused for the stated reason; the page says so too."""

import inspect
import re

import numba
import pytest

from docs.make_what_a_rule_may_use import PAGE, page
from gridarium.compiled.numba_backend.error_messages import explain
from gridarium.compiled.source_pass.source import Unsupported
from gridarium.world import Action, Field, Vocabulary
from tests.compiled.snippets import SNIPPETS, Lantern, Snippet
from tests.differential import check, random_states
from tests.maps import COLORS, KINDS

WORDS = Vocabulary(
    (*KINDS, Lantern),
    COLORS,
    world_fields=[Field("heat", "float", 1.5)],
    agent_fields=[Field("energy", "int", 9)],
    cell_fields=[Field("scent", "float", 0.0)],
)
ACTIONS = (Action.MOVE_FORWARD, Action.TURN_LEFT, Action.WAIT)


def outcomes(snippet):
    kind = "transition" if len(leading(snippet)) == 2 else "reward"
    return check(kind, snippet.rule, random_states(WORDS, 5), actions=ACTIONS)


def leading(snippet):
    parameters = inspect.signature(snippet.rule).parameters.values()
    return [p for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]


def cases(*, refused):
    return [pytest.param(s, id=s.rule.__name__) for s in SNIPPETS if bool(s.refused) == refused]


@pytest.mark.parametrize("snippet", cases(refused=False))
@pytest.mark.sampled(4)
def test_it_gives_the_same_interpreted_and_compiled(snippet: Snippet) -> None:
    outcomes(snippet)


@pytest.mark.parametrize("snippet", cases(refused=True))
def test_it_is_refused_for_the_stated_reason(snippet: Snippet) -> None:
    with pytest.raises((Unsupported, numba.core.errors.NumbaError)) as caught:
        outcomes(snippet)
    error = caught.value
    told = str(error) if isinstance(error, Unsupported) else explain(str(error))
    assert re.search(snippet.refused, told), told
    assert len(told.splitlines()) <= 8


@pytest.mark.parametrize("name", ["by_zero", "strict", "too_far"])
def test_some_raise_in_both(name: str) -> None:
    snippet = next(s for s in SNIPPETS if s.rule.__name__ == name)
    assert any(isinstance(outcome, Exception) for outcome in outcomes(snippet))


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text() == page(), "run: python -m docs.make_what_a_rule_may_use"
