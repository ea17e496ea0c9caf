"""The script that makes random draws branch does exactly what the enumerator of interpreted rules does."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridarium.compiled.data_types import branching
from gridarium.compiled.data_types.branching import (
    MAX_FORKS,
    MAX_NUMBERS,
    PROBABILITY,
    SCRIPT_WORDS,
    BranchingNumber,
)
from gridarium.compiled.data_types.primitives import get_float
from gridarium.compiled.data_types.random import POOL_START
from gridarium.rules.outcomes.enumerator import OutcomeEnumerator
from gridarium.rules.outcomes.random_number import RandomNumber, UniformInterval

SLOT = 2
KNOWN = st.one_of(st.floats(-0.5, 1.5), st.integers(-1, 2))
QUESTIONS = st.lists(
    st.tuples(st.integers(1, 3), st.one_of(st.integers(1, 6), KNOWN.map(lambda t: ("below", t)))), max_size=5
)
"""Each asks one of three numbers: which of so many parts it lies in, or whether it is below a threshold."""


def blank():
    return np.zeros(POOL_START + SCRIPT_WORDS, np.int64)


def walks(script, walk):
    """(probability, what `walk` returned) for each way that luck can go."""
    found, going = [], True
    branching.begin_tree(script)
    while going:
        branching.begin_walk(script)
        result = walk()
        found.append((get_float(script, PROBABILITY), result))
        going = branching.next_walk(script)
    return found


def asked_of_script(questions):
    script = blank()

    def walk():
        answers = []
        for which, question in questions:
            script[SLOT], script[SLOT + 1] = 77, which - 1
            place = branching.draw(script, SLOT)
            if isinstance(question, tuple):
                answers.append(bool(branching.below(script, place, float(question[1]))))
            else:
                answers.append(int(branching.part(script, place, question)))
        return answers

    return walks(script, walk)


def asked_of_enumerator(questions):
    enumerator = OutcomeEnumerator()

    def walk():
        answers = []
        for which, question in questions:
            u = enumerator.interval(bytes([77, which]))
            below = isinstance(question, tuple)
            answers.append(u.below(float(question[1])) if below else u.part(question))
        return answers

    return enumerator.enumerate(walk)


@given(QUESTIONS)
def test_it_finds_the_same_ways_with_the_same_probabilities(questions) -> None:
    found = asked_of_script(questions)
    assert found == asked_of_enumerator(questions)
    assert sum(share for share, _ in found) == pytest.approx(1)


@given(st.floats(0.01, 0.99), st.floats(-2, 2), st.floats(-2, 2).filter(lambda s: abs(s) > 0.01))
def test_numbers_are_computed_with_as_those_of_interpreted_rules(threshold, offset, scale) -> None:
    script, enumerator = blank(), OutcomeEnumerator()

    def compare(u):
        return u * scale + offset < threshold, (u - offset) * scale >= threshold, u + 0.5 > threshold

    def scripted():
        script[SLOT : SLOT + 2] = 5, 0
        return compare(BranchingNumber(script, branching.draw(script, SLOT), 0.0, 1.0))

    assert walks(script, scripted) == enumerator.enumerate(
        lambda: compare(RandomNumber(UniformInterval(enumerator.fork)))
    )


def test_the_next_walk_takes_the_next_branch_of_the_last_fork() -> None:
    script = blank()
    taken = walks(script, lambda: (int(branching.fork(script, 2)), int(branching.fork(script, 3))))
    assert [pair for _, pair in taken] == [(i, j) for i in range(2) for j in range(3)]


def test_what_it_has_no_room_for_raises() -> None:
    script = blank()
    branching.begin_walk(script)
    for _ in range(MAX_FORKS):
        branching.fork(script, 2)
    with pytest.raises(ValueError, match="too many forks"):
        branching.fork(script, 2)
    for _ in range(MAX_NUMBERS):
        branching.draw(script, SLOT)
    with pytest.raises(ValueError, match="too many random numbers"):
        branching.draw(script, SLOT)
    with pytest.raises(ValueError, match="out of too many"):
        branching.part(script, branching.NUMBERS + 2, branching.MAX_BRANCHES + 1)


def test_numbers_without_a_small_number_of_branches_raise() -> None:
    script = blank()
    with pytest.raises(ValueError, match="not random"):
        BranchingNumber(script, 0, 0.5, 0.0).is_below(0.3)
    for offset, scale in ((0.5, 2.0), (0.0, -2.0), (0.0, 2.5)):
        with pytest.raises(ValueError, match="not a whole number of parts"):
            BranchingNumber(script, 0, offset, scale).part()
