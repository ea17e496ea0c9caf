"""Actions: gym-gridverse's eight, compass moves, waiting, and declared ones."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys

import pytest

from gridarium.world import Action, Orientation, Position, Vocabulary, get_next_position
from gridarium.world.actions import in_words, move_orientation, name_in_words
from tests.compiled.compiling import compiled_for

JUMP = Action.declare("JUMP_OF_TESTS")
HERE = Position(5, 5)
ALL = [Action(i) for i in range(13)] + [JUMP]


def test_gridverses_eight_keep_their_numbers() -> None:
    names = [
        "MOVE_FORWARD",
        "MOVE_BACKWARD",
        "MOVE_LEFT",
        "MOVE_RIGHT",
        "TURN_LEFT",
        "TURN_RIGHT",
        "ACTUATE",
        "PICK_N_DROP",
    ]
    assert [a.name for a in Action] == names
    assert [a.value for a in Action] == list(range(8))
    assert len(Action) == 8


def test_actions_have_names_for_people() -> None:
    assert in_words(Action.PICK_N_DROP) == "pick up / drop"
    assert [in_words(a) for a in (Action.MOVE_FORWARD, Action.UP, JUMP)] == [
        "move forward",
        "up",
        "jump of tests",
    ]
    words = {
        "MoveSouthEast": "move south east",
        "OpenDoorAction": "open door",
        "GrabObject(3)": "grab(3)",
        "DROP(0)": "drop(0)",
    }
    assert {name: name_in_words(name) for name in words} == words


def test_every_action_is_of_one_sort() -> None:
    sorts = {a.name: (a.is_move(), a.is_turn(), a.is_compass()) for a in ALL}
    for name, sort in sorts.items():
        wanted = (name.startswith("MOVE"), name.startswith("TURN"), name in ("LEFT", "DOWN", "RIGHT", "UP"))
        assert sort == wanted, name


def test_moves_are_relative_to_the_heading() -> None:
    def ends(orientation: Orientation) -> list[tuple[int, int]]:
        moves = (Action.MOVE_FORWARD, Action.MOVE_RIGHT, Action.MOVE_BACKWARD, Action.MOVE_LEFT)
        return [(get_next_position(HERE, orientation, a) - HERE).yx for a in moves]

    clockwise = [(-1, 0), (0, 1), (1, 0), (0, -1)]
    assert ends(Orientation.F) == clockwise
    assert ends(Orientation.R) == clockwise[1:] + clockwise[:1]
    assert ends(Orientation.B) == clockwise[2:] + clockwise[:2]
    assert ends(Orientation.L) == clockwise[3:] + clockwise[:3]


def test_compass_moves_are_relative_to_the_page() -> None:
    steps = {Action.LEFT: (0, -1), Action.DOWN: (1, 0), Action.RIGHT: (0, 1), Action.UP: (-1, 0)}
    for action, step in steps.items():
        assert {(get_next_position(HERE, o, action) - HERE).yx for o in Orientation} == {step}
        assert Position.from_orientation(move_orientation(action)).yx == step


def test_other_actions_lead_nowhere() -> None:
    for action in ALL:
        if not (action.is_move() or action.is_compass()):
            assert {get_next_position(HERE, o, action) for o in Orientation} == {HERE}


def test_a_declared_action_is_one_like_others() -> None:
    assert Action.declare("JUMP_OF_TESTS") is JUMP is Action["JUMP_OF_TESTS"] is Action(JUMP.value)
    assert (JUMP.name, repr(JUMP)) == ("JUMP_OF_TESTS", "Action.JUMP_OF_TESTS")
    assert JUMP not in list(Action)
    assert JUMP.value > 12


def test_its_number_depends_on_its_name_alone() -> None:
    text = "from gridarium.world import Action; Action.declare('OTHER'); print(Action.declare('JUMP_OF_TESTS').value)"
    printed = subprocess.run([sys.executable, "-c", text], check=True, capture_output=True, text=True).stdout
    assert int(printed) == JUMP.value


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("WAIT", "WAIT is a built-in action"),
        ("go there", "a word such as JUMP, not 'go there'"),
        ("", "not ''"),
    ],
)
def test_names_that_cannot_be_declared(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Action.declare(name)


def test_two_names_of_one_number_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridarium.world.actions.zlib.crc32", lambda _: JUMP.value - (1 << 20))
    with pytest.raises(ValueError, match="HOP and JUMP_OF_TESTS get the same number; rename one of them"):
        Action.declare("HOP")


def test_unknown_names_are_answered_with_the_known_ones() -> None:
    with pytest.raises(KeyError, match="no action 'FLY'; there are MOVE_FORWARD"):
        Action["FLY"]


def test_copies_are_the_same_one() -> None:
    for action in ALL:
        assert copy.copy(action) is copy.deepcopy(action) is pickle.loads(pickle.dumps(action)) is action


def sort_of(number: int, heading: int) -> tuple[int, int, int, int]:
    action = Action(number)
    q = get_next_position(Position(5, 5), Orientation(heading), action)
    sort = action.is_move() + 2 * action.is_turn() + 4 * action.is_compass()
    return (
        q.y,
        q.x,
        sort,
        10 * (action is JUMP) + (action == Action.WAIT) + 100 * (action in (Action.UP, JUMP)),
    )


def test_compiled_actions_are_the_same() -> None:
    compiled = compiled_for(Vocabulary([]), sort_of)
    for action in ALL:
        for heading in range(4):
            assert compiled(action.value, heading) == sort_of(action.value, heading)
