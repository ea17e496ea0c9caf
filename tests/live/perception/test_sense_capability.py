"""What an agent perceives, by type, distance and line of sight."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridarium.live.perception import SenseCapability, State, create_sense_capability
from gridarium.live.perception.line_of_sight import RAYS, cells_in_sight
from gridarium.rules.visibility_functions import raytracing
from gridarium.world import Position, Wall
from gridarium.world import State as CoreState
from tests.compiled_worlds import INTERPRETED_AND_COMPILED
from tests.live.standin import AgentBody, Door, EnvObject, RedBlock, SquareBlock, StandIn


def perceived(sense, *objects):
    world = StandIn(AgentBody("me", (0, 0), sense), *objects, shape=(20, 20))
    return [*sense.visible(world, world.registered_agents["me"])]


def test_the_range_is_a_straight_distance_and_inclusive():
    sense = SenseCapability({None: 5})
    assert perceived(sense, SquareBlock("a", (3, 4)), SquareBlock("b", (4, 4))) == ["a", "me"]


@pytest.mark.parametrize("anything", [None, "*"])
def test_none_and_the_star_stand_for_all_other_classes(anything):
    sense = SenseCapability({Door: 2, anything: 9})
    found = perceived(sense, Door("near", (2, 0)), Door("far", (3, 0)), SquareBlock("block", (9, 0)))
    assert found == ["near", "block", "me"]


def test_classes_that_are_not_listed_are_not_perceived_without_a_range_for_all_others():
    assert perceived(SenseCapability({Door: 9}), Door("door", (1, 0)), SquareBlock("b", (1, 0))) == [
        "door",
        "me",
    ]


def test_a_subclass_has_the_range_of_its_listed_class_and_not_that_of_all_others():
    sense = SenseCapability({SquareBlock: 2, None: math.inf})
    assert perceived(sense, RedBlock("far", (3, 0)), RedBlock("near", (2, 0))) == ["near", "me"]


def test_the_most_special_of_several_classes_counts():
    sense = SenseCapability({EnvObject: 10, SquareBlock: 2, RedBlock: 5})
    found = perceived(sense, Door("d", (9, 0)), SquareBlock("s", (3, 0)), RedBlock("r", (4, 0)))
    assert found == ["d", "r", "me"]


def test_an_agent_that_perceives_nothing_else_perceives_itself():
    assert perceived(SenseCapability({}), SquareBlock("b", (0, 0))) == ["me"]
    assert perceived(SenseCapability({AgentBody: 0}), AgentBody("other", (1, 0))) == ["me"]


def test_objects_come_before_agents():
    sense = SenseCapability({None: 3})
    assert perceived(sense, AgentBody("other", (1, 0)), SquareBlock("b", (2, 0))) == ["b", "me", "other"]


def test_what_is_perceived_follows_the_body():
    body = AgentBody("me", (0, 0), SenseCapability({None: 1}))
    world = StandIn(body, SquareBlock("b", (5, 0)))
    assert [*body.sense_capability.visible(world, body)] == ["me"]
    body.location = (4, 0)
    world.changed()
    assert [*body.sense_capability.visible(world, body)] == ["b", "me"]


def test_walls_hide_what_is_behind_them():
    walls = [SquareBlock(f"wall{y}", (2, y), opaque=True) for y in range(5)]
    sense = SenseCapability({None: math.inf}, line_of_sight=True)
    found = perceived(sense, *walls, SquareBlock("hidden", (4, 0)), SquareBlock("open", (1, 3)))
    assert "hidden" not in found and {"wall0", "open"} <= {*found}


def test_the_range_limits_also_what_is_in_sight():
    sense = SenseCapability({None: 2}, line_of_sight=True)
    assert perceived(sense, SquareBlock("far", (3, 0)), SquareBlock("near", (2, 0))) == ["near", "me"]


@pytest.mark.parametrize("compiled", INTERPRETED_AND_COMPILED)
@given(height=st.integers(1, 8), width=st.integers(1, 8), data=st.data())
def test_sight_is_that_of_the_rule_raytracing(compiled, height, width, data):
    state = CoreState.blank((height, width))
    walls = data.draw(st.lists(st.booleans(), min_size=height * width, max_size=height * width))
    opaque = np.array(walls).reshape(height, width)
    for y, x in np.argwhere(opaque).tolist():
        state.grid[Position(y, x)] = Wall()
    y, x = data.draw(st.integers(0, height - 1)), data.draw(st.integers(0, width - 1))
    rule = raytracing(state.grid, Position(y, x))
    expected = [[bool(rule[i, j]) for j in range(width)] for i in range(height)]
    assert cells_in_sight(opaque, y, x, compiled=compiled).tolist() == expected


@given(st.integers(0, 5), st.lists(st.booleans(), min_size=42, max_size=42), st.integers(0, 41))
def test_within_a_radius_sight_is_that_in_the_square_around_the_viewer(radius, walls, place):
    opaque = np.array(walls).reshape(6, 7)
    y, x = divmod(place, 7)
    top, left = max(0, y - radius), max(0, x - radius)
    square = np.s_[top : y + radius + 1, left : x + radius + 1]
    found = cells_in_sight(opaque, y, x, radius)
    assert np.array_equal(found[square], cells_in_sight(opaque[square].copy(), y - top, x - left))
    assert found.sum() == found[square].sum()
    assert np.array_equal(found, cells_in_sight(opaque, y, x, radius, compiled=True))


@pytest.mark.parametrize("compiled", [False, True])
def test_rays_are_compiled_where_the_world_is_and_not_needed_until_they_are(compiled, monkeypatch):
    asked = []
    monkeypatch.setattr(RAYS, "get", lambda: asked.append("compiled rays"))  # not ready yet: None
    body = AgentBody("me", (0, 0), sense=SenseCapability({None: math.inf}, line_of_sight=True))
    walls = [SquareBlock(f"wall{y}", (2, y), opaque=True) for y in range(17)]
    world = StandIn(body, *walls, SquareBlock("hidden", (4, 0)), shape=(17, 17), compiled=compiled)
    assert "hidden" not in body.sense_capability.visible(world, body)
    assert asked == ["compiled rays"] * compiled


def test_would_perceive_agrees_with_what_is_perceived():
    sense = SenseCapability({SquareBlock: 4, AgentBody: 2, None: 3}, line_of_sight=True)
    me = AgentBody("me", (4, 4), sense)
    walls = [SquareBlock(f"wall{x}", (x, 6), opaque=True) for x in range(10)]
    for x, y in np.ndindex(10, 10):
        for thing in (RedBlock("t", (x, y)), Door("t", (x, y)), AgentBody("t", (x, y))):
            world = StandIn(me, *walls, thing)
            state = State("me").look(world)
            assert state.would_perceive(thing.cached_properties) == ("t" in state)


def test_two_lists_make_a_capability():
    made = create_sense_capability([Door, None], [3, None])
    assert made.get_capabilities() == {Door: 3.0, "*": math.inf}
    assert create_sense_capability([], []).get_capabilities() == {"*": math.inf}


def test_the_capabilities_are_a_copy():
    made = SenseCapability({None: 3})
    made.get_capabilities()["*"] = 9
    assert made.get_capabilities() == {"*": 3.0}


def test_what_is_no_capability_is_refused():
    with pytest.raises(TypeError, match="a class of objects, None or"):
        SenseCapability({"Door": 3})
    with pytest.raises(TypeError, match="the range for .* is a number"):
        SenseCapability({Door: "3"})
    for number in (-1, math.nan):
        with pytest.raises(ValueError, match="0 or more"):
            SenseCapability({None: number})
    with pytest.raises(ValueError, match="1 classes and 0 ranges"):
        create_sense_capability([Door], [])
