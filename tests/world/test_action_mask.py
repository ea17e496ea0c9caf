"""Masks of actions: items, rows and whole actions; what a rule that fills them may not do."""

import numpy as np
import pytest

from gridarium.world import Action, Position
from gridarium.world.action_arguments import Actions, ActionTable, Argument
from gridarium.world.action_mask import MaskRows, as_bools, blank_mask, spread_bits
from gridarium.world.geometry import Shape

PLACE, GIVE, PASS = (Action.declare(name) for name in ("PLACE", "GIVE", "PASS"))
SHAPE = Shape(4, 45)


@pytest.fixture
def actions():
    declared = {
        PLACE.value: (Argument("piece", 3), Argument("at", "cells")),
        GIVE.value: (Argument("agent", "agents"), Argument("amount", 100)),
    }
    return Actions((Action.WAIT, PLACE, GIVE, PASS), ActionTable(declared), SHAPE, 2)


def test_only_filled_actions_begin_as_illegal(actions):
    found = as_bools(blank_mask(actions, [PLACE, GIVE]))
    assert np.flatnonzero(found).tolist() == [0, len(actions) - 1]
    assert as_bools(blank_mask(actions, [])).all()
    assert not as_bools(blank_mask(actions, list(actions.listed))).any()


def test_items_are_those_of_the_actions_with_these_arguments(actions):
    mask = blank_mask(actions, [PLACE, GIVE])
    places = mask.of(PLACE)
    places[2, 3, 44] = True
    places[1, Position(0, 7)] = True
    mask.of(GIVE)[1, 99] = True
    wanted = ["WAIT", "PLACE(1, (0, 7))", "PLACE(2, (3, 44))", "GIVE(1, 99)", "PASS"]
    assert [actions[i].name for i in np.flatnonzero(as_bools(mask))] == wanted
    assert places[2, Position(3, 44)] and not places[2, 3, 43]
    places[2, 3, 44] = False
    assert not places[2, 3, 44] and places[1, 0, 7]


def test_rows_set_and_read_all_values_of_the_last_axis(actions):
    mask = blank_mask(actions, [PLACE])
    rng = np.random.default_rng(0)
    rows = mask.of(PLACE).rows
    wanted = rng.integers(1 << 45, size=(3, 4)).tolist()
    for _ in range(2):  # the second time over what was there
        for piece in range(3):
            for y in range(4):
                rows[piece, y] = wanted[piece][y]
    found = as_bools(mask)[1 : 1 + 3 * 4 * 45].reshape(3, 4, 45)
    for piece in range(3):
        for y in range(4):
            assert sum(int(bit) << x for x, bit in enumerate(found[piece, y])) == wanted[piece][y]
            assert rows[piece, y] == wanted[piece][y]
    assert isinstance(rows, MaskRows)


def test_a_whole_action_is_filled_and_asked_at_once(actions):
    mask = blank_mask(actions, [PLACE, GIVE, PASS])
    places = mask.of(PLACE)
    assert not places.any() and places.size == 540
    places.fill(True)
    assert places.any() and as_bools(mask).sum() == 541
    places.fill(False)
    mask.of(PASS).fill(not places.any())
    assert np.flatnonzero(as_bools(mask)).tolist() == [0, len(actions) - 1]
    assert mask.of(PASS).any() and not mask.of(GIVE).any()


def test_an_action_that_is_not_filled_has_no_part(actions):
    mask = blank_mask(actions, [PLACE])
    with pytest.raises(
        ValueError, match="GIVE is not among the actions that this rule is registered to fill"
    ):
        mask.of(GIVE)
    with pytest.raises(ValueError, match="ACTUATE is not among"):
        mask.of(Action.ACTUATE)


@pytest.mark.parametrize(
    ("place", "error", "said"),
    [
        ((0, 1), IndexError, "3 numbers are needed, two of them for a position; got 2"),
        ((0, Position(1, 1), 1), IndexError, "got 4"),
        ((3, 0, 0), IndexError, "3 is not between 0 and 2"),
        ((0, -1, 0), IndexError, "-1 is not between 0 and 3"),
        ((0, Position(4, 0)), IndexError, "4 is not between 0 and 3"),
        ((0, 0.0, 0), TypeError, "float"),
    ],
)
def test_arguments_out_of_range_are_errors(actions, place, error, said):
    places = blank_mask(actions, [PLACE]).of(PLACE)
    with pytest.raises(error, match=said):
        places[place] = True
    with pytest.raises(error, match=said):
        places[place]


def test_rows_that_do_not_fit_are_errors(actions):
    mask = blank_mask(actions, [PLACE, GIVE, PASS])
    with pytest.raises(ValueError, match="a row of 45 values has bits 0 to 44"):
        mask.of(PLACE).rows[0, 0] = 1 << 45
    with pytest.raises(ValueError, match="a row of 45 values"):
        mask.of(PLACE).rows[0, 0] = -1
    with pytest.raises(TypeError):
        mask.of(PLACE).rows[0, 0] = 1.0
    with pytest.raises(IndexError, match="rows have at most 62 values, and here 100"):
        mask.of(GIVE).rows[0] = 1
    with pytest.raises(IndexError, match="without arguments has no rows"):
        mask.of(PASS).rows[0] = 1


def test_bits_become_bytes(actions):
    mask = blank_mask(actions, [PLACE])
    mask.of(PLACE)[2, 3, 44] = True
    row = np.zeros(len(actions), np.uint8)
    spread_bits(mask.words, row)
    assert np.array_equal(row, as_bools(mask))
