"""States written as JSON."""

import json
import math
from typing import Any

import pytest
from hypothesis import given

from gridarium.engine import World
from gridarium.world import Box, Color, Door, Field, Floor, Key, Position, State, Vocabulary, Wall
from gridarium.world.text_form.json import from_json, to_json
from gridarium.world.text_form.plain_data import InvalidData
from gridarium.worlds import Spec
from tests.world.written_states import states


@given(states())
def test_a_state_is_read_back_as_it_was_written(state: State) -> None:
    text = to_json(state)
    again = from_json(text)
    assert again.identical(state)
    assert again.vocabulary == state.vocabulary
    assert again.focus == state.focus
    assert to_json(again) == text


@pytest.mark.exhaustive
@given(states())
def test_a_world_that_is_known_need_not_be_described(state: State) -> None:
    record = json.loads(to_json(state))
    del record["vocabulary"]
    assert from_json(record, state.vocabulary).identical(state)


def small() -> dict[str, Any]:
    return {
        "objects": [{"kind": "Floor"}, {"kind": "Door", "status": "LOCKED", "color": "RED"}],
        "cells": [[0, 1]],
        "agents": [{"position": [0, 0], "orientation": "RIGHT"}],
    }


def test_objects_cells_and_agents_are_enough() -> None:
    state = from_json(small())
    assert state.grid[0, 1] == Door(Door.Status.LOCKED, Color.RED)
    assert state.agent.position == Position(0, 0)
    assert state.tick == 0


def test_what_boxes_hold_is_written() -> None:
    state = State.blank((1, 1))
    state.grid[0, 0] = Box(Key(Color.BLUE))
    assert json.loads(to_json(state))["objects"] == [
        {"kind": "Box", "content": {"kind": "Key", "color": "BLUE"}}
    ]


def test_floats_that_json_lacks_are_words() -> None:
    vocabulary = Vocabulary([Floor], world_fields=[Field("heat"), Field("cold")])
    state = State.blank((1, 1), vocabulary)
    state.heat, state.cold = math.inf, math.nan
    assert json.loads(to_json(state))["world"]["fields"] == {"heat": "inf", "cold": "nan"}


@pytest.mark.parametrize(
    ("path", "new", "message"),
    [
        (["objects"], [], "objects: at least one object"),
        (["objects", 0], {"kind": "Flour"}, r"objects\[0\].kind: 'Flour' is not among NoneGridObject, "),
        (["objects", 0], {"kind": "Floor", "color": "RED"}, r"objects\[0\].color: Floor takes no color"),
        (["objects", 0], {"kind": "Door"}, r"objects\[0\]: Door needs a status: OPEN, CLOSED, LOCKED"),
        (["objects", 0], {"kind": "Box"}, r"objects\[0\]: Box needs a content"),
        (["objects", 0], {"kind": "Box", "content": {"kind": "Hidden"}}, "cannot contain"),
        (["objects", 0], "Floor", r"objects\[0\]: a mapping is needed here, not 'Floor'"),
        (["objects", 1, "status"], "AJAR", r"objects\[1\].status: 'AJAR' is not among OPEN, CLOSED, LOCKED"),
        (["objects", 1, "color"], "PINK", r"objects\[1\].color: 'PINK' is not among NONE, RED"),
        (["cells"], [], "cells: at least one row"),
        (["cells"], [[0, 1], [0]], r"cells\[1\]: 2 entries are needed here, not 1"),
        (["cells", 0, 1], 2, r"cells\[0\]\[1\]: 2 is not from 0 to 1"),
        (["cells", 0, 1], True, r"cells\[0\]\[1\]: a whole number is needed here, not True"),
        (["walls"], [[0, 1]], "walls: this world has no walls on edges"),
        (["agents"], [], "agents: at least one agent"),
        (["agents", 0, "orientation"], "UP", r"agents\[0\].orientation: 'UP' is not among FORWARD, BACKWARD"),
        (["agents", 0, "position"], [1, 0], r"position: \[1, 0\] is outside the grid of 1 x 2"),
        (["agents", 0, "action"], "FLY", r"agents\[0\].action: no action 'FLY'; there are MOVE_FORWARD"),
        (
            ["agents", 0, "actoin"],
            "FLY",
            r"agents\[0\].actoin: 'actoin' is unknown here; known are: position",
        ),
        (["agents", 0, "fields"], {"energy": 1}, r"fields.energy: 'energy' is unknown here; known are: none"),
        (["focus"], 1, "focus: 1 is not from 0 to 0"),
        (["world"], {"tick": 1 << 63}, "world.tick: 9223372036854775808 is not from"),
        (["world"], {"key": 5}, "world.key: 0x and up to 16 hexadecimal digits are needed here, not 5"),
        (["vocabulary"], {"kinds": ["Floor", "Wool"]}, r"vocabulary.kinds\[1\]: no object 'Wool'"),
        (["vocabulary"], {"kinds": ["Floor", "Door"], "colors": ["PINK"]}, r"colors\[0\]: no color 'PINK'"),
    ],
)
def test_what_does_not_fit_is_named_with_its_key(path: list[Any], new: Any, message: str) -> None:
    record: Any = small()
    place = record
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = new
    with pytest.raises(InvalidData, match=message):
        from_json(json.dumps(record))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"cells": \n]}', "line 2, column 1: this is not JSON"),
        ('{"cells": [], "cells": []}', "cells: given twice"),
        ("[" * 100_000, "nested too deeply"),
        ("[]", "the whole: a mapping is needed here"),
        ("{}", "the whole: objects is missing"),
    ],
)
def test_what_is_no_state_is_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        from_json(text)


def test_numbers_must_suit_their_fields() -> None:
    vocabulary = Vocabulary([Floor, Wall, Door], [Color.RED], agent_fields=[Field("energy", "int")])
    record = small()
    record["agents"][0]["fields"] = {"energy": 1.5}
    with pytest.raises(
        InvalidData, match=r"agents\[0\].fields.energy: a whole number is needed here, not 1.5"
    ):
        from_json(record, vocabulary)


def test_built_in_actions_that_take_time_are_read_back() -> None:
    described = Spec.build(
        name="Slow", map={"picture": "^."}, objects=[Floor], actions=["WAIT", {"name": "TURN_RIGHT", "duration": 2}],
        transitions=["turn_agent"],
    )  # fmt: skip
    state = World(described, compiled=False).blank_state()
    again = from_json(to_json(state))
    assert again == state
    assert again.vocabulary.action_table.durations == state.vocabulary.action_table.durations
    data = json.loads(to_json(state))
    data["vocabulary"]["actions"][0]["over"] = {"column": "columns"}
    with pytest.raises(InvalidData, match="TURN_RIGHT is a built-in action"):
        from_json(json.dumps(data))
