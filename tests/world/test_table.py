"""Constant arrays of modules in rules, interpreted and compiled alike."""

import math
import pickle

import numpy as np
import pytest

from gridarium.compiled.cache.fingerprint import fingerprint
from gridarium.testing.differential import compare, run_compiled
from gridarium.world import Field, Floor, State, table
from gridarium.world.vocabulary import Vocabulary

LINES = table([[0, 1, 2], [3, 4, 5], [-6, 7, 1 << 62]])
WANTED = table([3, 4, 5])
SHARES = table([0.5, -0.0, float("inf")])
FLAGS = table(np.array([[[True, False], [False, False]]]))
MANY = table(np.arange(4000) * 3)


def look_up(state, action):
    """Items, parts, loops, lengths."""
    k = action.value % 3
    total = LINES[k, 1] + LINES[-1, 0]
    for line in LINES:
        if line[0] < 5:
            total += line[0] * 100
        for number in line:
            if number == 4:
                total += 1
    row = LINES[k]
    total += row[0] + len(row) + len(LINES) + LINES.size
    if 5 in LINES:
        total += 10_000
    if any(FLAGS[0, i, 0] for i in range(2)):
        total += 20_000
    state.total = total + MANY[action.value * 300]
    state.share = SHARES[k] * 2


def past_the_end(state, action):
    state.total = LINES[action.value, 0]


@pytest.fixture(scope="module")
def states():
    vocabulary = Vocabulary([Floor], world_fields=[Field("total", "int"), Field("share")])
    return [State.blank((1, 1), vocabulary)]


def test_rules_read_tables_alike(states):
    assert not any(isinstance(found, Exception) for found in compare("transition", look_up, states))


def test_indices_out_of_range_raise_in_both(states):
    assert any(isinstance(found, IndexError) for found in compare("transition", past_the_end, states))


def write(state, action):
    LINES[0, 0] = 1


def write_part(state, action):
    row = LINES[0]
    row[0] = 1


@pytest.mark.parametrize("rule", [write, write_part])
def test_tables_do_not_change(states, rule):
    with pytest.raises(TypeError, match="does not change"):
        rule(states[0], None)
    with pytest.raises(Exception, match="does not (change|support item assignment)"):
        run_compiled("transition", rule, states[0])
    assert LINES[0, 0] == 0


def test_items_are_python_numbers():
    assert [type(n) for n in (LINES[0, 0], SHARES[0], FLAGS[0, 0, 0])] == [int, float, bool]
    assert LINES.shape == (3, 3) and len(LINES) == 3 and [list(line) for line in LINES][1] == [3, 4, 5]


def test_tables_are_equal_by_content():
    assert table([[0, 1]]) == table(np.array([[0, 1]])) != table([[0, 2]])
    assert table([1]) != table([1.0]) and table([1]) != table([True])
    assert pickle.loads(pickle.dumps(LINES)) == LINES and hash(table([1])) == hash(table([1]))


NANS, MORE_NANS = table([math.nan, 1.0]), table([math.nan, 1.0])
ZEROS, MINUS_ZEROS = table([0.0, 1.0]), table([-0.0, 1.0])


def equal_rows(state, action, next_state):
    row, nans, zeros = LINES[1], NANS, ZEROS
    found = 0
    for k in range(3):
        if LINES[k] == WANTED:
            found += 1 << k
    return (
        found
        + 8 * (LINES[2] in (WANTED, row))
        + 16 * (row == WANTED)
        + 32 * (nans == MORE_NANS)
        + 64 * (zeros == MINUS_ZEROS)
        + 128 * (LINES[0] != WANTED)
    )


def first_item(k, numbers=WANTED):
    return numbers[k]


def items_of_defaults(state, action, next_state, *, more=SHARES):
    wanted = WANTED
    return first_item(1) + 10 * first_item(0, LINES[2]) + more[0] + 100 * (wanted == LINES[1])


def test_tables_are_defaults_of_parameters(states):
    assert items_of_defaults(None, None, None) == 4 - 60 + 0.5 + 100
    assert run_compiled("reward", items_of_defaults, states[0], next_state=states[0]) == 44.5


def test_rows_and_tables_are_equal_if_their_items_are(states):
    assert equal_rows(None, None, None) == 2 + 16 + 64 + 128
    assert run_compiled("reward", equal_rows, states[0], next_state=states[0]) == 2 + 16 + 64 + 128
    assert ZEROS == MINUS_ZEROS and hash(ZEROS) == hash(MINUS_ZEROS) and NANS != MORE_NANS
    assert fingerprint(ZEROS) != fingerprint(MINUS_ZEROS)


@pytest.mark.parametrize("wrong", [[], 3, "ab", [[1], [1, 2]], [None], [1j], np.array([1 << 63], np.uint64)])
def test_what_is_no_table_is_refused(wrong):
    with pytest.raises(ValueError, match="a table"):
        table(wrong)
