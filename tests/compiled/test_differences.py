"""The known differences between interpreted and compiled code are what the documentation says, and no less."""

from typing import Any

import pytest

from gridarium.compiled.data_types.primitives import trusted
from gridarium.world import Floor, Position, State, Vocabulary
from tests.compiled.compiling import compiled_for, places_of, state_at
from tests.compiled.differences import DIFFERENCES, Difference

WORDS = Vocabulary([Floor])


@trusted
def judged(places, *, rule, vocabulary):  # type: ignore[no-untyped-def]
    return rule(state_at(places, vocabulary))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("difference", [pytest.param(d, id=d.rule.__name__) for d in DIFFERENCES])
def test_it_gives_what_is_written_or_raises(difference: Difference) -> None:
    state = State.blank((3, 3), WORDS)
    state.agent.position = Position(1, 1)
    _is(difference.rule(state), difference.interpreted)
    compiled = compiled_for(WORDS, judged, rule=difference.rule, vocabulary=WORDS)
    with pytest.raises((ValueError, ArithmeticError)):
        compiled(places_of(state))


def _is(given: Any, written: Any) -> None:
    assert (type(given), given) == (type(written), written)
