"""What all reset rules have in common, and worlds that are one open space or rooms."""

import pytest

from gridarium.rules import reset_functions as r
from gridarium.rules.reset_functions.maps import setting_fields
from gridarium.world.geometry import Orientation, Position
from gridarium.world.objects import (
    Ball,
    Beacon,
    Door,
    Exit,
    Floor,
    Key,
    Lava,
    MovingObstacle,
    NoneGridObject,
    Telepod,
    Wall,
)
from gridarium.world.state import clear
from tests.differential import blank_states
from tests.maps import RED, WORDS, YELLOW, picture, positions_of, reachable, same_picture
from tests.rules.beginnings import RULES, F, beginnings, begun

every_rule = pytest.mark.parametrize(("rule", "shape"), RULES.values(), ids=RULES)


class TestAll:
    @pytest.mark.sampled(4)
    @every_rule
    @pytest.mark.parametrize("agents", [1, 3])
    def test_agents_stand_apart_on_floor_with_empty_hands(self, rule, shape, agents):
        for state in beginnings(rule, shape, agents=agents):
            places = [agent.position for agent in state.agents]
            assert len(set(places)) == agents
            for agent in state.agents:
                assert type(state.grid[agent.position]) is Floor
                assert agent.grid_object == NoneGridObject() and agent.active

    @pytest.mark.sampled(4)
    @every_rule
    def test_walls_surround_the_world(self, rule, shape):
        gates = (Wall, Door, Ball, Key) if rule.func in (r.go_to_door, r.fetch) else (Wall, Ball)
        for state in beginnings(rule, shape):
            assert all(isinstance(state.grid[p], gates) for p in state.grid.area.positions("border"))
            inside = state.grid.area.height * state.grid.area.width - len(positions_of(state, Wall))
            assert inside > 2

    @pytest.mark.sampled(4)
    @every_rule
    def test_every_exit_key_and_ball_can_be_walked_up_to(self, rule, shape):
        for state in beginnings(rule, shape, agents=2):
            for p in positions_of(state, (Exit, Key, Ball, Beacon, Telepod)):
                if p == Position(0, 0):
                    continue  # shows what is wanted
                near = {p + Position.from_orientation(o) for o in Orientation}
                assert near & reachable(state), picture(state)

    @pytest.mark.sampled(4)
    @every_rule
    def test_randomness_decides_the_beginning(self, rule, shape):
        assert begun(rule, shape, seed=3).identical(begun(rule, shape, seed=3))
        if rule.func is not r.empty or rule.keywords:
            assert len({picture(state) for state in beginnings(rule, shape)}) > 1

    @every_rule
    def test_without_random_numbers_the_state_s_own_are_used(self, rule, shape):
        first, second = blank_states(WORDS, 2, shape)
        again = first.copy()
        rule(first)
        rule(second)
        rule(again)
        assert again.identical(first)

    def test_a_crowd_is_refused(self):
        with pytest.raises(ValueError, match="no free floor is left"):
            begun(F("empty"), (4, 4), agents=4)


class TestEmpty:
    def test_the_agent_looks_along_the_wall_and_the_exit_is_in_the_far_corner(self):
        assert same_picture(begun(F("empty"), (4, 5)), "#####\n#>..#\n#..E#\n#####")

    def test_agent_and_exit_may_be_anywhere(self):
        states = beginnings(F("empty", random_agent=True, random_exit=True), (4, 4))
        cells = {Position(y, x) for y in (1, 2) for x in (1, 2)}
        assert {state.agent.position for state in states} == cells
        assert {positions_of(state, Exit)[0] for state in states} == cells
        assert {state.agent.orientation for state in states} == set(Orientation)

    def test_the_exit_is_not_where_the_agent_starts(self):
        for state in beginnings(F("empty", random_exit=True), (4, 4)):
            assert state.agent.position == Position(1, 1)
            assert positions_of(state, Exit) != [Position(1, 1)]

    def test_too_small_a_world_is_refused(self):
        with pytest.raises(ValueError, match=r"3 x 7 is too small .* at least 4 x 4"):
            begun(F("empty"), (3, 7))


class TestRooms:
    def test_four_rooms_are_joined_by_four_openings(self):
        for state in beginnings(F("rooms", layout=(2, 2)), (7, 9)):
            lines = [Position(3, x) for x in range(1, 8)] + [Position(y, 4) for y in range(1, 6)]
            openings = [p for p in lines if not isinstance(state.grid[p], Wall)]
            assert len(openings) == 4 and Position(3, 4) not in openings
            assert len(positions_of(state, Exit)) == 1

    def test_one_room_is_a_plain_space(self):
        for state in beginnings(F("rooms", layout=(1, 1)), (4, 4)):
            assert len(positions_of(state, Wall)) == 12

    @pytest.mark.parametrize(("layout", "shape"), [((3, 1), (6, 9)), ((1, 5), (9, 10)), ((0, 1), (9, 9))])
    def test_rooms_without_cells_are_refused(self, layout, shape):
        with pytest.raises(ValueError, match="rooms do not fit into"):
            begun(F("rooms", layout=layout), shape)

    def test_the_smallest_rooms_have_one_cell(self):
        state = begun(F("rooms", layout=(2, 2)), (5, 5))
        assert len(reachable(state)) == 8


class TestDynamicObstacles:
    def test_there_are_as_many_as_asked_for(self):
        for n in (0, 1, 6):
            state = begun(F("dynamic_obstacles", num_obstacles=n), (5, 5))
            assert len(positions_of(state, MovingObstacle)) == n
            assert state.agent.position == Position(1, 1) and state.agent.orientation is Orientation.RIGHT

    def test_too_many_are_refused(self):
        with pytest.raises(ValueError, match="no free floor"):
            begun(F("dynamic_obstacles", num_obstacles=8), (5, 5))


class TestKeydoor:
    def test_door_and_wall_part_agent_and_key_from_the_exit(self):
        for state in beginnings(F("keydoor"), (6, 8), agents=2):
            (door,), (key,) = positions_of(state, Door), positions_of(state, Key)
            assert 2 <= door.x <= 5
            assert state.grid[door] == Door(Door.Status.LOCKED, YELLOW) and state.grid[key] == Key(YELLOW)
            assert key.x < door.x and all(agent.position.x < door.x for agent in state.agents)
            assert positions_of(state, Exit) == [Position(4, 6)]
            assert Position(4, 6) not in reachable(state, through=())

    def test_the_agent_never_starts_on_the_key(self):
        for state in beginnings(F("keydoor"), (4, 5)):
            assert state.agent.position not in positions_of(state, Key)

    def test_too_narrow_a_world_is_refused(self):
        with pytest.raises(ValueError, match="at least 4 x 5"):
            begun(F("keydoor"), (9, 4))


class TestCrossing:
    def test_rivers_run_on_even_lines_with_one_opening_for_each_crossing_of_the_path(self):
        for state in beginnings(F("crossing", num_rivers=3, object_type=Lava), (7, 9)):
            lava = positions_of(state, Lava)
            assert all(p.y % 2 == 0 or p.x % 2 == 0 for p in lava)
            assert same_picture_at(state, Position(1, 1), ">") and positions_of(state, Exit) == [
                Position(5, 7)
            ]

    @pytest.mark.parametrize("num_rivers", [1, 2, 3, 4, 5, 6])
    def test_the_exit_can_be_reached_dry_foot(self, num_rivers):
        for state in beginnings(F("crossing", num_rivers=num_rivers, object_type=Wall), (9, 9)):
            assert Position(7, 7) in reachable(state)

    def test_more_rivers_than_fit_are_all_that_fit(self):
        drawn = [
            [
                positions_of(state, Lava)
                for state in beginnings(F("crossing", num_rivers=n, object_type=Lava), (5, 7))
            ]
            for n in (3, 4, 100)
        ]
        assert drawn[0] == drawn[1] == drawn[2]
        assert all(len(places) == 5 + 2 * 3 - 2 - 3 for places in drawn[0])

    def test_one_river_has_one_opening(self):
        for state in beginnings(F("crossing", num_rivers=1, object_type=Lava), (5, 5)):
            assert len(positions_of(state, Lava)) == 2

    @pytest.mark.parametrize(
        ("shape", "num_rivers", "reason"),
        [
            ((6, 7), 1, "odd height and width, not 6 x 7"),
            ((3, 7), 1, "at least 5 x 5"),
            ((5, 5), 0, "at least 1 river, not 0"),
        ],
    )
    def test_impossible_ones_are_refused(self, shape, num_rivers, reason):
        with pytest.raises(ValueError, match=reason):
            begun(F("crossing", num_rivers=num_rivers, object_type=Wall), shape)


def same_picture_at(state, p, symbol):
    return picture(state).split()[p.y][p.x] == symbol


class TestLavaGap:
    def test_a_column_has_one_gap(self):
        for state in beginnings(F("lava_gap"), (5, 6)):
            (column,) = {p.x for p in positions_of(state, Lava)}
            assert 2 <= column <= 3 and len(positions_of(state, Lava)) == 2
            assert state.agent.position == Position(1, 1) and positions_of(state, Exit) == [Position(3, 4)]

    def test_it_may_be_of_something_else(self):
        assert not positions_of(begun(F("lava_gap", object_type=Wall), (5, 6)), Lava)


class TestTeleport:
    def test_two_red_telepods_lie_somewhere(self):
        states = beginnings(F("teleport"), (4, 4), agents=1)
        for state in states:
            assert [state.grid[p] for p in positions_of(state, Telepod)] == [Telepod(RED)] * 2
        assert {state.agent.orientation for state in states} == {Orientation.RIGHT, Orientation.BACKWARD}


class TestDeclaredFields:
    """The rules by which maps set them write into rows, so their columns are checked."""

    @pytest.mark.parametrize("values", [(10**9, 8, 1), (-1, 8, 1), (0, 10**9, 1), (0, 0, 1)])
    def test_nothing_else_is_set(self, values):
        (state,) = blank_states(WORDS, 1, (3, 3))
        with pytest.raises(IndexError):
            setting_fields(state, reset_function=clear, values=values)
