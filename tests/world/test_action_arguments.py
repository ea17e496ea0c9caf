"""Actions with arguments: their text, their indices, what rules read, and what is refused."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridarium.world import Action, Position, Shape
from gridarium.world.action_arguments import NO_ARGUMENTS, Actions, ActionTable, Argument, few

PLACE, MOVE, SAY = (Action.declare(name) for name in ("PLACE", "MOVE", "SAY"))
TABLE = ActionTable(
    {
        PLACE.value: (Argument("piece", 91), Argument("at", "cells")),
        MOVE.value: (Argument("start", "cells"), Argument("end", "cells")),
        SAY.value: (Argument("number", 8),),
    }
)
SHAPE = Shape(3, 4)
ACTIONS = Actions([Action.WAIT, PLACE, MOVE, SAY], TABLE, SHAPE, 2)


def test_indices_run_through_the_actions_as_listed_the_last_argument_fastest():
    assert len(ACTIONS) == 1 + 91 * 12 + 12 * 12 + 8
    names = [action.name for action in ACTIONS]
    assert names[:3] == ["WAIT", "PLACE(0, (0, 0))", "PLACE(0, (0, 1))"]
    assert names[13] == "PLACE(1, (0, 0))"
    assert names[-8:] == [f"SAY({n})" for n in range(8)]
    assert len({*names}) == len(names)


@given(st.integers(0, len(ACTIONS) - 1))
def test_the_text_of_an_action_reads_back(index):
    action = ACTIONS[index]
    assert ACTIONS.index(action) == index
    assert ACTIONS.parse(action.name) == index
    assert ACTIONS.parse(f" {action.name} ".replace("((", "(").replace("))", ")")) == index
    assert pickle.loads(pickle.dumps(action)) == action
    assert action == ACTIONS[index] and action is ACTIONS[index]


def test_arguments_are_read_by_name():
    move = ACTIONS[ACTIONS.parse("MOVE((2, 3), (0, 1))")]
    assert move.is_a(MOVE) and not move.is_a(PLACE)
    assert (move.start, move.end) == (Position(2, 3), Position(0, 1))
    assert move.arguments == {"start": Position(2, 3), "end": Position(0, 1)}
    place = ACTIONS[ACTIONS.parse("PLACE(90, 2, 0)")]
    assert (place.piece, place.at) == (90, Position(2, 0))
    assert Action.WAIT.is_a(Action.WAIT)


def test_an_argument_that_an_action_does_not_have_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no argument piece"):
        _ = ACTIONS[ACTIONS.parse("MOVE(0, 0, 1, 1)")].piece
    with pytest.raises(AttributeError, match="has no 'there'; arguments are: piece, at, start, end, number"):
        _ = ACTIONS[1].there


def test_an_action_with_arguments_never_equals_the_bare_one_so_that_is_refused():
    with pytest.raises(TypeError, match=r"PLACE takes arguments: write action\.is_a\(PLACE\)"):
        _ = ACTIONS[1] == PLACE
    assert ACTIONS[1] != Action.WAIT
    assert ACTIONS[1] != Action.WAIT
    assert PLACE not in ACTIONS and Action.WAIT in ACTIONS


def test_an_action_without_its_arguments_is_not_among_the_actions():
    with pytest.raises(ValueError, match=r"PLACE takes arguments, as in PLACE\(0, \(0, 0\)\)"):
        ACTIONS.index(PLACE)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("PLACE(2)", r"wrong arguments; write PLACE\(piece, y, x\)"),
        ("WAIT(2)", "wrong arguments; write WAIT"),
        ("FLY(2)", "no action 'FLY'; there are WAIT, PLACE, MOVE, SAY$"),
        ("MOVE(1, 1, 3, 9)", "not among"),
        ("SAY(-1)", "not among"),
        ("SAY(8)", "not among"),
        ("a b", "an action is written as"),
    ],
)
def test_text_that_is_no_action_is_refused(text, message):
    with pytest.raises(ValueError, match=message):
        ACTIONS.parse(text)


def test_text_with_an_action_of_another_world_names_those_of_this_one():
    with pytest.raises(ValueError, match="no action 'MOVE_FORWARD'; there are") as caught:
        ACTIONS.parse("MOVE_FORWARD")
    assert str(caught.value).partition("there are ")[2].split(", ") == [a.name for a in ACTIONS.listed]


def test_a_message_names_a_few_actions():
    assert few("ABC") == "A, B, C" and few(map(str, range(64))) == "0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 54 more"


def test_one_name_has_one_meaning_in_all_actions_of_a_world():
    with pytest.raises(ValueError, match="'at' has the range 'cells' in one action and 4 in another"):
        ActionTable({1: (Argument("at", "cells"),), 2: (Argument("at", 4),)})


def test_arguments_that_do_not_fit_are_refused():
    three = tuple(Argument(name, "cells") for name in ("one", "two", "three"))
    with pytest.raises(ValueError, match="at most 37 bits"):
        ActionTable({1: three})
    with pytest.raises(ValueError, match="at most 65,536 actions"):
        Actions([MOVE], TABLE, Shape(17, 16), 1)
    with pytest.raises(ValueError, match="at most 256 x 256 cells"):
        Actions([PLACE], TABLE, Shape(1, 257), 1)


def test_arguments_that_never_meet_share_their_bits():
    many = {n: (Argument(f"from_{n}", "cells"), Argument(f"to_{n}", "cells")) for n in range(20)}
    assert max(ActionTable(many).shifts.values()) < 60


def test_without_arguments_actions_are_what_they_were():
    plain = Actions([Action.WAIT, Action.LEFT], NO_ARGUMENTS, SHAPE, 1)
    assert tuple(plain) == (Action.WAIT, Action.LEFT) == plain[:]
    assert np.array_equal(plain.values, [Action.WAIT.value, Action.LEFT.value])
    assert not plain.take_arguments and ACTIONS.take_arguments


@pytest.mark.parametrize("name", ["table", "name", "value", "is_a"])
def test_an_argument_that_is_called_as_an_attribute_of_actions_is_refused(name):
    with pytest.raises(
        ValueError, match=f"the argument '{name}' needs another name: an action has a {name} already"
    ):
        ActionTable({SAY.value: (Argument(name, 8),)})
