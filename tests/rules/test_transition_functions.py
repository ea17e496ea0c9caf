from functools import partial

import pytest

from gridarium.rules import transition_functions as t
from gridarium.rules.results import ActionResultCode
from gridarium.world.actions import Action
from gridarium.world.geometry import Orientation, Position
from gridarium.world.objects import Ball, Box, Door, Floor, Key, NoneGridObject, Wall
from tests.differential import random_states
from tests.maps import EDGED, RED, WORDS, YELLOW, becomes, picture, world

MOVES = (Action.MOVE_FORWARD, Action.MOVE_BACKWARD, Action.MOVE_LEFT, Action.MOVE_RIGHT)
COMPASS = {Action.UP: (-1, 0), Action.DOWN: (1, 0), Action.LEFT: (0, -1), Action.RIGHT: (0, 1)}
R = ActionResultCode


class TestMoving:
    @pytest.mark.parametrize("heading", "^v<>")
    @pytest.mark.parametrize("action", MOVES)
    def test_moves_are_relative_to_the_heading(self, heading, action):
        state = world(f"...\n.{heading}.\n...")
        t.move_agent(state, action)
        way = {
            Action.MOVE_FORWARD: Orientation.F,
            Action.MOVE_BACKWARD: Orientation.B,
            Action.MOVE_LEFT: Orientation.L,
            Action.MOVE_RIGHT: Orientation.R,
        }[action]
        step = Position.from_orientation(state.agent.orientation * way)
        assert state.agent.position == Position(1, 1) + step
        assert picture(state).count(heading) == 1

    @pytest.mark.parametrize("action", COMPASS)
    def test_compass_moves_are_relative_to_the_page_and_leave_the_heading(self, action):
        state = world("...\n.<.\n...")
        t.move_agent(state, action)
        assert state.agent.position == Position(1, 1) + Position(*COMPASS[action])
        assert state.agent.orientation is Orientation.LEFT

    @pytest.mark.parametrize("symbol", "#LCBb")
    def test_what_blocks_the_way_is_not_entered(self, symbol):
        assert becomes(t.move_agent, world(f">{symbol}"), Action.MOVE_FORWARD, f">{symbol}", result=R.BLOCKED)

    @pytest.mark.parametrize("symbol", ".EOKoT*~")
    def test_anything_else_is_entered_and_stays_where_it_is(self, symbol):
        state = world(f">{symbol}")
        kept = state.grid[0, 1]
        assert becomes(t.move_agent, state, Action.MOVE_FORWARD, ".>")
        assert state.grid[0, 1] == kept

    @pytest.mark.parametrize(
        ("heading", "corner"), [("^", (0, 0)), ("<", (0, 0)), ("v", (1, 1)), (">", (1, 1))]
    )
    def test_nobody_leaves_a_world_without_walls(self, heading, corner):
        state = world(f"{heading}.\n..")
        state.agent.position = Position(*corner)
        t.move_agent(state, Action.MOVE_FORWARD)
        assert state.agent.position == Position(*corner)
        assert state.agent.result == R.OUTSIDE

    def test_agents_block_each_other(self):
        assert becomes(t.move_agent, world("><"), Action.MOVE_FORWARD, "><", result=R.OCCUPIED)

    def test_an_agent_that_is_gone_blocks_nobody(self):
        state = world("><")
        state.agents[1].active = False
        assert becomes(t.move_agent, state, Action.MOVE_FORWARD, ".>")

    def test_walls_on_edges_block(self):
        state = world(">.", vocabulary=EDGED)
        state.grid.set_wall(Position(0, 0), Position(0, 1))
        assert becomes(t.move_agent, state, Action.MOVE_FORWARD, ">.", result=R.BLOCKED)

    @pytest.mark.parametrize("action", [a for a in Action if not a.is_move()] + [Action.WAIT])
    def test_other_actions_move_nobody(self, action):
        assert becomes(t.move_agent, world(">."), action, ">.")


class TestTurning:
    def test_a_turn_is_a_quarter(self):
        state = world("^")
        for heading in "<v>^":
            assert becomes(t.turn_agent, state, Action.TURN_LEFT, heading)
        for heading in ">v<^":
            assert becomes(t.turn_agent, state, Action.TURN_RIGHT, heading)

    @pytest.mark.parametrize("action", [*MOVES, *COMPASS, Action.ACTUATE, Action.PICK_N_DROP, Action.WAIT])
    def test_other_actions_turn_nobody(self, action):
        assert becomes(t.turn_agent, world(".>."), action, ".>.")


class TestPickingAndDropping:
    def test_what_can_be_held_is_picked_up(self):
        state = world(">K")
        assert becomes(t.pickndrop, state, Action.PICK_N_DROP, ">.")
        assert state.agent.grid_object == Key(YELLOW)

    def test_what_is_held_is_dropped_on_floor(self):
        state = world(">.", holds=Ball(RED))
        assert becomes(t.pickndrop, state, Action.PICK_N_DROP, ">b")
        assert state.agent.grid_object == NoneGridObject()

    def test_what_is_held_is_exchanged_for_what_can_be_held(self):
        state = world(">K", holds=Key(RED))
        assert becomes(t.pickndrop, state, Action.PICK_N_DROP, ">k")
        assert state.agent.grid_object == Key(YELLOW)

    def test_floor_gives_nothing(self):
        assert becomes(t.pickndrop, world(">."), Action.PICK_N_DROP, ">.", result=R.NOTHING_THERE)

    @pytest.mark.parametrize("symbol", "#LEBo*")
    def test_nothing_else_is_picked_up_or_covered(self, symbol):
        before = f">{symbol}"
        assert becomes(t.pickndrop, world(before), Action.PICK_N_DROP, before, result=R.NOT_HOLDABLE)
        state = world(before, holds=Key(RED))
        assert becomes(t.pickndrop, state, Action.PICK_N_DROP, before, result=R.NO_ROOM)
        assert state.agent.grid_object == Key(RED)

    def test_nothing_is_dropped_on_another_agent(self):
        state = world("><", holds=Key(RED))
        assert becomes(t.pickndrop, state, Action.PICK_N_DROP, "><", result=R.OCCUPIED)
        assert state.agent.grid_object == Key(RED)

    def test_nothing_is_dropped_out_of_the_world(self):
        state = world(".>", holds=Key(RED))
        assert becomes(t.pickndrop, state, Action.PICK_N_DROP, ".>", result=R.OUTSIDE)
        assert state.agent.grid_object == Key(RED)

    def test_nobody_reaches_through_a_wall_on_an_edge(self):
        state = world(">K", vocabulary=EDGED)
        state.grid.set_wall(Position(0, 0), Position(0, 1))
        assert becomes(t.pickndrop, state, Action.PICK_N_DROP, ">K", result=R.OUT_OF_REACH)

    @pytest.mark.parametrize("action", [a for a in Action if a != Action.PICK_N_DROP])
    def test_other_actions_pick_nothing_up(self, action):
        assert becomes(t.pickndrop, world(">K"), action, ">K")


@pytest.mark.parametrize("rule", [t.actuate_door, t.toggle_door])
class TestOpeningDoors:
    def test_a_closed_door_opens(self, rule):
        assert becomes(rule, world(">C"), Action.ACTUATE, ">O")

    def test_a_locked_door_takes_a_key_of_its_color_which_is_kept(self, rule):
        state = world(">L", holds=Key(YELLOW))
        assert becomes(rule, state, Action.ACTUATE, ">O")
        assert state.agent.grid_object == Key(YELLOW)

    @pytest.mark.parametrize("held", [None, Key(RED), Ball(YELLOW)])
    def test_nothing_else_unlocks_it(self, rule, held):
        assert becomes(rule, world(">L", holds=held), Action.ACTUATE, ">L", result=R.LOCKED)

    def test_it_keeps_its_color(self, rule):
        state = world(">.")
        state.grid[0, 1] = Door(Door.Status.CLOSED, RED)
        rule(state, Action.ACTUATE)
        assert state.grid[0, 1] == Door(Door.Status.OPEN, RED)

    def test_there_has_to_be_something(self, rule):
        assert becomes(rule, world(">."), Action.ACTUATE, ">.", result=R.NOTHING_THERE)
        assert becomes(rule, world("C>"), Action.ACTUATE, "C>", result=R.OUTSIDE)

    def test_nobody_reaches_through_a_wall_on_an_edge(self, rule):
        state = world("v\nC", vocabulary=EDGED)
        state.grid.set_wall(Position(0, 0), Position(1, 0))
        assert becomes(rule, state, Action.ACTUATE, "v\nC", result=R.OUT_OF_REACH)

    @pytest.mark.parametrize("action", [a for a in Action if a != Action.ACTUATE])
    def test_other_actions_open_nothing(self, rule, action):
        assert becomes(rule, world(">C"), action, ">C")


class TestClosingDoors:
    def test_in_gym_gridverse_an_open_door_stays_open(self):
        assert becomes(t.actuate_door, world(">O"), Action.ACTUATE, ">O")

    def test_in_minigrid_it_closes(self):
        assert becomes(t.toggle_door, world(">O"), Action.ACTUATE, ">C")

    def test_but_not_on_anybody(self):
        state = world("><")
        state.grid[0, 1] = Door(Door.Status.OPEN, YELLOW)
        assert becomes(t.toggle_door, state, Action.ACTUATE, "><", result=R.OCCUPIED)
        assert state.grid[0, 1].is_open


class TestBoxes:
    def test_a_box_gives_way_to_what_it_contains(self):
        assert becomes(t.actuate_box, world(">B"), Action.ACTUATE, ">K")

    def test_an_empty_box_leaves_floor(self):
        state = world(">.")
        state.grid[0, 1] = Box(Floor())
        assert becomes(t.actuate_box, state, Action.ACTUATE, ">.")

    @pytest.mark.parametrize("symbol", "#LK*")
    def test_nothing_else_changes(self, symbol):
        assert becomes(t.actuate_box, world(f">{symbol}"), Action.ACTUATE, f">{symbol}")

    def test_doors_and_boxes_go_together(self):
        both = partial(t.chain, transition_functions=(t.actuate_door, t.actuate_box))
        assert becomes(both, world(">B"), Action.ACTUATE, ">K")
        assert becomes(both, world(">C"), Action.ACTUATE, ">O")
        assert becomes(both, world(">L"), Action.ACTUATE, ">L", result=R.LOCKED)


def test_walls_are_never_walked_into():
    for state in random_states(WORDS, 30, fill=0.3):
        if not isinstance(state.grid[state.agent.position], Wall):
            for action in MOVES:
                t.move_agent(state, action)
                assert not isinstance(state.grid[state.agent.position], Wall)
