"""Agents: views of their rows in a state, so that assigning to them changes the state."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from gridarium.world import (
    Action,
    Agent,
    Color,
    Door,
    Field,
    Key,
    Lava,
    NoneGridObject,
    Orientation,
    Position,
    State,
    Transform,
    Vocabulary,
)

WORDS = Vocabulary(
    [Key, Door],
    [Color.RED],
    agent_fields=[Field("energy", "int", 100), Field("mood", "float", 0.5), Field("wet", "bool")],
)
KEY = Key(Color.RED)


def agent() -> Agent:
    return State.blank((5, 5), WORDS).agent


def test_it_begins_at_the_corner_holding_nothing() -> None:
    it = agent()
    assert (it.position, it.orientation, it.grid_object) == (Position(0, 0), Orientation.F, NoneGridObject())
    assert (it.active, it.result, it.busy, it.action) == (True, 0, 0, Action.MOVE_FORWARD)
    assert (it.energy, it.mood, it.wet) == (100, 0.5, False)


def test_what_is_assigned_is_read() -> None:
    it = agent()
    it.position, it.orientation, it.grid_object = Position(3, 1), Orientation.L, KEY
    it.active, it.result, it.busy = False, 7, 2
    it.energy -= 1
    it.mood = 2
    it.wet = "yes"
    assert (it.position, it.orientation, it.grid_object) == (Position(3, 1), Orientation.L, KEY)
    assert (it.active, it.result, it.busy, it.energy, it.mood, it.wet) == (False, 7, 2, 99, 2.0, True)
    assert [type(x) for x in (it.active, it.result, it.energy, it.mood, it.wet)] == [
        bool,
        int,
        int,
        float,
        bool,
    ]
    it.drop()
    assert it.grid_object == NoneGridObject()


def test_its_pose_is_position_and_orientation() -> None:
    it = agent()
    it.transform = Transform(Position(2, 2), Orientation.R)
    assert (it.position, it.orientation) == (Position(2, 2), Orientation.R)
    assert it.transform == Transform(Position(2, 2), Orientation.R)
    assert it.front() == Position(2, 3)


def test_the_state_sees_what_an_agent_is_assigned() -> None:
    state = State.blank((5, 5), WORDS, agents=2)
    one = state.agents[1]
    one.position = Position(4, 4)
    assert state.seen_by(1).agent.position == Position(4, 4)
    assert state.agent.position == Position(0, 0)


@pytest.mark.parametrize("name", ["enegry", "front", "action", "agent_row", "x"])
def test_only_some_things_can_be_assigned(name: str) -> None:
    own = "position, orientation, transform, grid_object, active, result, busy"
    with pytest.raises(
        AttributeError, match=f"agent.{name} cannot be assigned; there are {own}, .*energy, mood, wet"
    ):
        setattr(agent(), name, 1)


@pytest.mark.parametrize(("name", "wrong"), [("position", (1, 1)), ("orientation", 2), ("transform", None)])
def test_a_pose_is_assigned_by_its_own_kind_of_value(name: str, wrong: Any) -> None:
    one = agent()
    before = one.transform
    with pytest.raises(TypeError, match=rf"agent\.{name} takes a value of type {name.capitalize()}, not "):
        setattr(one, name, wrong)
    assert one.transform == before


def test_unknown_names_are_answered_with_the_known_ones() -> None:
    with pytest.raises(
        AttributeError, match=r"agent.enegry is not known; .*the world declares: energy, mood, wet"
    ):
        agent().enegry  # noqa: B018
    assert not hasattr(agent(), "_private")


def test_it_holds_what_the_world_knows() -> None:
    with pytest.raises(ValueError, match="Lava is not among this world's objects"):
        agent().grid_object = Lava()


@pytest.mark.parametrize(
    "edit",
    [
        lambda it: setattr(it, "position", Position(0, 1)),
        lambda it: setattr(it, "orientation", Orientation.B),
        lambda it: setattr(it, "grid_object", KEY),
        lambda it: setattr(it, "active", False),
        lambda it: setattr(it, "energy", 1),
        lambda it: setattr(it, "mood", 0.25),
    ],
)
def test_equality_covers_pose_object_and_fields(edit: Any) -> None:
    one, other = agent(), agent()
    assert one == other
    assert hash(one) == hash(other)
    edit(other)
    assert one != other
    edit(one)
    assert one == other
    assert hash(one) == hash(other)


def test_equality_leaves_out_what_it_has_just_done() -> None:
    one, other = agent(), agent()
    other.result, other.busy = 3, 0
    other.agent_row[7] = Action.ACTUATE.value
    assert one == other


def test_it_is_nothing_else() -> None:
    for other in (None, 5, "agent", Position(0, 0), [0] * 11):
        assert agent() != other
    assert State.blank((5, 5), WORDS).agents != [agent()]
    assert State.blank((5, 5), WORDS).agents != None  # noqa: E711


def test_one_can_be_made_outside_a_state() -> None:
    it = Agent.at(Position(1, 2), Orientation.L, KEY, WORDS)
    assert (it.position, it.orientation, it.grid_object, it.active) == (
        Position(1, 2),
        Orientation.L,
        KEY,
        True,
    )
    assert Agent.at(Position(1, 2)).grid_object == NoneGridObject()
    assert it.energy == 100


def test_it_is_shown_with_its_fields() -> None:
    it = agent()
    it.active = False
    said = "Agent(Position(y=0, x=0), Orientation.FORWARD, NoneGridObject(), energy=100, mood=0.5, wet=False, gone)"
    assert repr(it) == said
    assert repr(State.blank((1, 1), Vocabulary([])).agents) == (
        "[Agent(Position(y=0, x=0), Orientation.FORWARD, NoneGridObject())]"
    )


def test_it_is_pickled_as_an_agent_of_its_own() -> None:
    it = agent()
    it.position = Position(1, 1)
    copied = pickle.loads(pickle.dumps(it))
    assert copied == it
    copied.position = Position(0, 0)
    assert copied != it


@pytest.mark.parametrize("i", [-1, 2, 100])
def test_agents_are_numbered_from_zero(i: int) -> None:
    state = State.blank((5, 5), WORDS, agents=2)
    with pytest.raises(IndexError, match=f"agents are numbered from 0 to 1; got {i}"):
        state.agents[i]
    with pytest.raises(IndexError, match=f"agents are numbered from 0 to 1; got {i}"):
        state.seen_by(i)
    assert len(state.agents) == len(list(state.agents)) == 2
