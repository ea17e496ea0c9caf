from functools import partial

import pytest

from gridarium.rules import observation_functions as o
from gridarium.rules import terminating_functions as t
from gridarium.world.actions import Action
from gridarium.world.geometry import Area, Position
from gridarium.world.objects import Beacon, Door, Exit, Key, Lava, MovingObstacle, Telepod
from gridarium.world.state import State
from tests.differential import check, random_states
from tests.maps import EDGED, RED, YELLOW, world

STAY = Action.WAIT
AHEAD = partial(o.partially_occluded, area=Area((-2, 0), (-1, 1)))


def ends(rule, before, after=None, action=STAY):
    """Whether a step between two worlds ends the episode; the answer is always a bool."""
    state = world(before, vocabulary=EDGED) if isinstance(before, str) else before
    next_state = (
        state if after is None else world(after, vocabulary=EDGED) if isinstance(after, str) else after
    )
    over = rule(state, action, next_state)
    assert type(over) is bool
    return over


class TestPlaces:
    def test_an_exit_ends_it(self):
        assert ends(t.reach_exit, ".", "E")
        assert not ends(t.reach_exit, "E", ".")

    def test_a_moving_obstacle_ends_it(self):
        assert ends(t.bump_moving_obstacle, ".", "o")
        assert not ends(t.bump_moving_obstacle, "o", ".")

    def test_any_type_of_object_may_end_it(self):
        assert ends(partial(t.overlap, object_type=Lava), ".", "~")
        assert not ends(partial(t.overlap, object_type=Lava), ".", "T")
        assert ends(partial(t.overlap, object_type=(Lava, Telepod)), ".", "T")

    @pytest.mark.parametrize("action", [Action.MOVE_FORWARD, Action.RIGHT])
    def test_a_move_against_a_wall_ends_it(self, action):
        assert ends(t.bump_into_wall, ">#", action=action)
        assert not ends(t.bump_into_wall, ">.", action=action)
        assert not ends(t.bump_into_wall, ">", action=action)
        assert not ends(t.bump_into_wall, ">#", action=Action.TURN_LEFT)

    def test_walls_on_edges_are_walls(self):
        state = world(">.\n..", vocabulary=EDGED)
        state.grid.set_wall(Position(0, 0), Position(0, 1))
        assert ends(t.bump_into_wall, state, action=Action.MOVE_FORWARD)
        assert not ends(t.bump_into_wall, state, action=Action.WAIT)


class TestSeeing:
    def test_concealed_is_true_while_no_such_object_is_seen(self):
        rule = partial(t.concealed, object_type=Exit, observation_function=AHEAD)
        assert not ends(rule, "E..\n.^.")
        assert ends(rule, "E..\n...\n...\n.^.")
        assert ends(rule, ".E.\n###\n.^.")
        assert ends(rule, ".^.\n.E.")


class TestTime:
    def test_the_limit_is_a_number_of_steps(self):
        state = world(".")
        for tick, over in ((0, False), (4, False), (5, True), (6, True)):
            state.data[0] = tick
            assert ends(partial(t.time_limit, ticks=5), state) is over


class TestThings:
    def test_what_is_held_may_end_it(self):
        empty, red = world(">"), world(">", holds=Key(RED))
        assert ends(partial(t.holds, object_type=Key), empty, red)
        assert not ends(partial(t.holds, object_type=Key), red, empty)
        assert ends(partial(t.holds, object_type=Key, color=RED), red)
        assert not ends(partial(t.holds, object_type=Key, color=YELLOW), red)

    def test_collecting_everything_may_end_it(self):
        assert ends(partial(t.no_objects_left, object_type=Beacon), "*", ".")
        assert not ends(partial(t.no_objects_left, object_type=Beacon), ".", "..*")

    def test_a_door_that_opens_may_end_it(self):
        assert ends(t.opened, "^LO", "^OO")
        assert not ends(t.opened, "^OO", "^LO")
        assert not ends(t.opened, "^OL", "^OC"), "it is unlocked, but shut"
        assert not ends(t.opened, "^LO", "^.O"), "it is gone"
        assert not ends(partial(t.opened, object_type=Key), "^L", "^O")


class TestReducing:
    PARTS = (t.reach_exit, t.bump_into_wall)

    @pytest.mark.parametrize(
        ("picture", "one", "both"), [("..", False, False), ("E.", True, False), ("E#", True, True)]
    )
    def test_several_rules_become_one(self, picture, one, both):
        state = world(picture, vocabulary=EDGED)
        state.agent.orientation = world(">").agent.orientation
        forward = Action.MOVE_FORWARD
        assert ends(partial(t.reduce_any, terminating_functions=self.PARTS), state, action=forward) is one
        assert ends(partial(t.reduce_all, terminating_functions=self.PARTS), state, action=forward) is both
        for reduction, over in ((any, one), (all, both)):
            rule = partial(t.reduce, terminating_functions=self.PARTS, reduction=reduction)
            assert ends(rule, state, action=forward) is over


RULES = {
    "overlap": partial(t.overlap, object_type=(Door, Telepod)),
    "reach_exit": t.reach_exit,
    "bump_moving_obstacle": t.bump_moving_obstacle,
    "bump_into_wall": t.bump_into_wall,
    "concealed": partial(
        t.concealed,
        object_type=Key,
        observation_function=partial(o.fully_transparent, area=Area((-2, 0), (-1, 1))),
    ),
    "time_limit": partial(t.time_limit, ticks=1),
    "holds": partial(t.holds, object_type=Key),
    "holds a color": partial(t.holds, object_type=Key, color=RED),
    "no_objects_left": partial(t.no_objects_left, object_type=Exit),
    "opened": t.opened,
    "reduce": partial(t.reduce, terminating_functions=TestReducing.PARTS, reduction=all),
    "reduce_any": partial(t.reduce_any, terminating_functions=TestReducing.PARTS),
    "reduce_all": partial(t.reduce_all, terminating_functions=TestReducing.PARTS),
}


@pytest.mark.parametrize("name", RULES)
@pytest.mark.sampled(8)
def test_compiled_terminations_are_the_interpreted_ones(name):
    states = random_states(EDGED, 15, agents=2, seed=4)
    for state in states[::2]:
        state.data[0] = 2
    outcomes = check("terminating", RULES[name], states)
    assert {type(outcome) for outcome in outcomes} == {bool}


def test_stepping_into_an_obstacles_cell_is_a_bump_even_if_it_moves_away():
    before = State.blank((1, 3))
    before.grid[0, 1] = MovingObstacle()
    after = before.copy()
    after.agent.position = Position(0, 1)
    after.grid.swap(Position(0, 1), Position(0, 2))
    assert t.bump_moving_obstacle(before, Action.MOVE_RIGHT, after)
    assert not t.bump_moving_obstacle(before, Action.WAIT, before)
