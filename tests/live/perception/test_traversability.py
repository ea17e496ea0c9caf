"""Maps of where an agent can go."""

import pytest

from gridarium.live.perception import State, get_traversability_map, get_weighted_traversability_map
from tests.live.standin import AgentBody, SquareBlock, StandIn

OBJECTS = [
    AgentBody("me", (0, 0)),
    SquareBlock("wall", (1, 0), is_traversable=False),
    SquareBlock("mud", (2, 1), traversability_penalty=0.4),
    SquareBlock("swamp", (2, 1), traversability_penalty=0.7),
    SquareBlock("rock", (0, 1), is_traversable=False, traversability_penalty=0.1),
]
STATE = State("me").look(StandIn(*OBJECTS, shape=(3, 2)))


def test_one_is_a_blocked_cell_or_a_free_one():
    found, there = get_traversability_map(STATE)
    assert found.tolist() == [[0, 1], [1, 0], [0, 0]]
    assert get_traversability_map(STATE, inverted=False)[0].tolist() == [[1, 0], [0, 1], [1, 1]]
    assert there == [[["me"], ["rock"]], [["wall"], []], [[], ["mud", "swamp"]]]


def test_a_cell_weighs_as_much_as_its_worst_object():
    found, there = get_weighted_traversability_map(STATE)
    assert found.tolist() == [[0, 1], [1, 0], [0, 0.7]]
    assert there[2][1] == ["mud", "swamp"]


def test_a_penalty_is_from_0_to_1():
    state = State("me").look(
        StandIn(AgentBody("me", (0, 0)), SquareBlock("x", (1, 1), traversability_penalty=3))
    )
    with pytest.raises(ValueError, match="penalty of x is from 0 to 1"):
        get_weighted_traversability_map(state)
