"""Reset rules for tasks: remembering, unlocking, fetching."""

from collections import Counter

import pytest

from gridarium.rules import reset_functions as r
from gridarium.world.colors import Color
from gridarium.world.geometry import Position
from gridarium.world.objects import (
    Ball,
    Beacon,
    Door,
    Exit,
    Floor,
    Key,
)
from tests.maps import BLUE, COLORS, GREEN, RED, picture, positions_of, reachable
from tests.rules.beginnings import F, beginnings, begun, exits_of


class TestMemory:
    def test_beacons_have_the_color_of_one_of_two_exits(self):
        good_sides = Counter()
        for state in beginnings(F("memory", colors=(RED, GREEN, BLUE)), (6, 7)):
            exits, beacons = positions_of(state, Exit), positions_of(state, Beacon)
            assert exits == [Position(1, 1), Position(1, 5)] and beacons == [Position(4, 1), Position(4, 5)]
            (color,) = {state.grid[p].color for p in beacons}
            assert len(set(exits_of(state))) == 2 and color in exits_of(state)
            good_sides[exits_of(state).index(color)] += 1
        assert min(good_sides[0], good_sides[1]) > 10

    def test_the_corridor_joins_both_ends(self):
        state = begun(F("memory", colors=(RED, GREEN)), (6, 7))
        walkable = [row.replace("E", "?").replace("*", "?") for row in picture(state).split()]
        assert walkable == ["#######", "#?...?#", "###.###", "###^###", "#?...?#", "#######"]

    def test_the_order_of_colors_is_what_counts(self):
        first = begun(F("memory", colors=(RED, GREEN)), (5, 5))
        other = begun(F("memory", colors=(GREEN, RED)), (5, 5))
        assert exits_of(first) == exits_of(other)[::-1]

    @pytest.mark.parametrize(
        ("shape", "colors", "reason"),
        [
            ((5, 6), (RED, GREEN), "an odd width, not 6"),
            ((4, 5), (RED, GREEN), "at least 5 x 5"),
            ((5, 5), (RED,), "at least 2 colors"),
            ((5, 5), (RED, GREEN, Color.NONE), "NONE cannot be among the colors"),
        ],
    )
    def test_impossible_ones_are_refused(self, shape, colors, reason):
        with pytest.raises(ValueError, match=reason):
            begun(F("memory", colors=colors), shape)


class TestMemoryRooms:
    def test_exactly_one_exit_has_the_color_of_the_beacons(self):
        rule = F("memory_rooms", layout=(2, 2), colors=COLORS, num_beacons=2, num_exits=3)
        for state in beginnings(rule, (7, 7)):
            beacons = [state.grid[p].color for p in positions_of(state, Beacon)]
            assert len(beacons) == 2 and len(set(beacons)) == 1
            assert len(set(exits_of(state))) == 3 and exits_of(state).count(beacons[0]) == 1

    @pytest.mark.parametrize(
        ("changed", "reason"),
        [
            ({"num_exits": 1}, "2 exits, not 1 and 1"),
            ({"num_beacons": 0}, "1 beacon"),
            ({"num_exits": 5}, "at least 5 colors"),
            ({"colors": (RED, GREEN, Color.NONE)}, "NONE cannot be among the colors"),
        ],
    )
    def test_impossible_ones_are_refused(self, changed, reason):
        parameters = {"layout": (2, 2), "colors": COLORS, "num_beacons": 1, "num_exits": 2} | changed
        with pytest.raises(ValueError, match=reason):
            begun(F("memory_rooms", **parameters), (9, 9))


class TestMultiRoom:
    @pytest.mark.sampled(4)
    @pytest.mark.parametrize(("num_rooms", "size"), [(1, 6), (2, 4), (4, 5), (6, 10)])
    def test_closed_doors_part_the_agents_from_the_exit(self, num_rooms, size):
        rule = F("multi_room", num_rooms=num_rooms, colors=COLORS, max_room_size=size)
        for state in beginnings(rule, (25, 25), agents=2):
            doors = positions_of(state, Door)
            assert len(doors) == num_rooms - 1
            assert all(state.grid[p].status == Door.Status.CLOSED for p in doors)
            (goal,) = positions_of(state, Exit)
            assert goal in reachable(state) and (num_rooms == 1) == (goal in reachable(state, through=()))
            assert state.agents[1].position in reachable(state, through=())
            assert reachable(state) == set(positions_of(state, (Floor, Door, Exit)))

    def test_two_doors_of_a_room_differ_in_color(self):
        rule = F("multi_room", num_rooms=3, colors=(RED, GREEN), max_room_size=6)
        for state in beginnings(rule, (15, 15)):
            assert {state.grid[p].color for p in positions_of(state, Door)} == {RED, GREEN}

    def test_one_color_will_do(self):
        state = begun(F("multi_room", num_rooms=3, colors=(BLUE,), max_room_size=6), (15, 15))
        assert {state.grid[p].color for p in positions_of(state, Door)} == {BLUE}

    @pytest.mark.parametrize(
        ("changed", "reason"),
        [
            ({"num_rooms": 9}, "could not place 9 rooms of 4 to 4 cells into 8 x 8"),
            ({"num_rooms": 0}, "at least 1 room"),
            ({"max_room_size": 3}, "of up to 3"),
            ({"colors": ()}, "at least 1 colors"),
        ],
    )
    def test_impossible_ones_are_refused(self, changed, reason):
        parameters = {"num_rooms": 2, "colors": COLORS, "max_room_size": 4} | changed
        with pytest.raises(ValueError, match=reason):
            begun(F("multi_room", **parameters), (8, 8))


class TestTwoRooms:
    @pytest.mark.parametrize("name", ["unlock", "unlock_pickup", "blocked_unlock_pickup"])
    def test_the_key_of_the_locked_door_is_on_the_agent_s_side(self, name):
        colors = set()
        for state in beginnings(F(name, colors=COLORS), (6, 11), agents=2):
            (door,), (key,) = positions_of(state, Door), positions_of(state, Key)
            assert door.x == 5 and state.grid[door] == Door(Door.Status.LOCKED, state.grid[key].color)
            assert key.x < 5 and all(agent.position.x < 5 for agent in state.agents)
            colors.add(state.grid[key].color)
        assert colors == set(COLORS)

    def test_a_ball_behind_the_door_is_wanted(self):
        for state in beginnings(F("unlock_pickup", colors=COLORS), (6, 11)):
            shown, ball = positions_of(state, Ball)
            assert shown == Position(0, 0) and ball.x > 5
            assert r.target(state) == state.grid[ball]

    def test_so_may_be_a_key(self):
        state = begun(F("unlock_pickup", colors=(RED, GREEN), object_type=Key), (6, 11))
        assert isinstance(r.target(state), Key) and len(positions_of(state, Key)) == 3

    def test_a_ball_of_another_color_lies_before_the_door(self):
        for state in beginnings(F("blocked_unlock_pickup", colors=(RED, GREEN)), (4, 7)):
            (door,) = positions_of(state, Door)
            before = state.grid[door.y, door.x - 1]
            assert isinstance(before, Ball) and before.color != r.target(state).color

    def test_it_takes_two_colors(self):
        with pytest.raises(ValueError, match="at least 2 colors, got 1"):
            begun(F("blocked_unlock_pickup", colors=(RED,)), (6, 11))


class TestFetch:
    def test_one_of_the_objects_is_wanted(self):
        for state in beginnings(F("fetch", num_objects=5, colors=COLORS), (6, 6)):
            things = [state.grid[p] for p in positions_of(state, (Key, Ball)) if p != Position(0, 0)]
            assert len(things) == 5 and r.target(state) in things

    def test_there_has_to_be_one(self):
        with pytest.raises(ValueError, match="at least 1 object to fetch, not 0"):
            begun(F("fetch", num_objects=0, colors=COLORS), (6, 6))


class TestGoToDoor:
    def test_each_wall_has_a_door_of_another_color_and_one_is_wanted(self):
        for state in beginnings(F("go_to_door", colors=COLORS), (5, 6)):
            doors = positions_of(state, Door)[1:]
            assert len({state.grid[p].color for p in doors}) == 4
            assert r.target(state) in [state.grid[p] for p in doors]
            sides = [p.y == 0 for p in doors], [p.x == 0 for p in doors]
            assert [sum(side) for side in sides] == [1, 1]

    def test_it_takes_four_colors(self):
        with pytest.raises(ValueError, match="at least 4 colors, got 3"):
            begun(F("go_to_door", colors=(RED, GREEN, BLUE)), (5, 6))
