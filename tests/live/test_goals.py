"""Goals: when they are reached, and how far they are."""

import math

import pytest

from gridarium.live.brains import AgentBrain
from gridarium.live.builder import WorldBuilder
from gridarium.live.goals import (
    CollectionGoal,
    CollectionGoalV2,
    LimitedTimeGoal,
    WorldGoal,
    WorldGoalV2,
    has_properties,
    most_pairs,
)

RED, BLUE, GREEN = "#ff0000", "#0000ff", "#00ff00"
ZONE = [(x, 4) for x in range(4)]
HOME = (0, 0)


def collecting(wanted, blocks, in_order=False):
    """A world with a zone, blocks of these colors that lie elsewhere, and its goal."""
    builder = WorldBuilder((6, 6))
    for i, colour in enumerate(blocks):
        builder.add_object(
            HOME, f"block {i}", is_traversable=True, is_movable=True, visualize_colour=colour, number=i
        )
    builder.add_collection_goal(
        "zone", ZONE, [{"visualize_colour": c} for c in wanted], in_order, overwrite_goals=True
    )
    world = builder.get_world(compiled=False)
    world.reset()
    (goal,) = world.simulation_goal
    return world, goal


def bring(world, *numbers, to=ZONE[0]):
    for number in numbers:
        world.environment_objects[f"block_{number}"].location = to


class Never(WorldGoal):
    def goal_reached(self, grid_world):
        return False


class WithState(WorldGoalV2):
    def goal_reached(self, world_state, grid_world):
        assert world_state["World"] is not None
        return grid_world.current_nr_ticks == 1

    def get_progress(self, world_state, grid_world):
        return grid_world.current_nr_ticks / 2


def test_a_limited_world_runs_exactly_so_many_ticks():
    world = WorldBuilder((3, 3), simulation_goal=4, tick_duration=0).get_world(compiled=False)
    world.run()
    assert world.current_nr_ticks == 4


@pytest.mark.parametrize("ticks", [0, -3, math.inf])
def test_a_limit_of_nothing_or_infinity_is_never_reached(ticks):
    goal = LimitedTimeGoal(ticks)
    world = WorldBuilder((3, 3), simulation_goal=5).get_world(compiled=False)
    world.step()
    assert not goal.check(world)
    assert goal.progress(world) == 0


def test_the_progress_of_a_limit_goes_from_0_to_1():
    goal, world = LimitedTimeGoal(4), WorldBuilder((3, 3), simulation_goal=0).get_world(compiled=False)
    seen = []
    for _ in range(6):
        seen.append(goal.progress(world))
        world.step()
    assert seen == [0, 0.25, 0.5, 0.75, 1, 1]


def test_all_goals_of_a_list_must_hold():
    builder = WorldBuilder((3, 3), simulation_goal=[2, 5], tick_duration=0)
    world = builder.get_world(compiled=False)
    world.run()
    assert world.current_nr_ticks == 5


@pytest.mark.parametrize("bad", ["100", True, float("nan"), None])
def test_a_limit_that_is_not_a_number_is_refused(bad):
    with pytest.raises(ValueError, match="max_nr_ticks"):
        LimitedTimeGoal(bad)


def test_goals_with_a_world_state_are_asked_with_the_state_of_the_whole_world():
    builder = WorldBuilder((3, 3), simulation_goal=WithState(), tick_duration=0)
    builder.add_object((1, 1), "thing")
    world = builder.get_world(compiled=False)
    world.run()
    assert world.current_nr_ticks == 1
    assert world.simulation_goal[0].progress(world) == 0.5


def test_each_world_gets_a_copy_of_a_goal_in_which_nothing_is_reached():
    goal = Never()
    goal.is_done = True
    builder = WorldBuilder((3, 3), simulation_goal=goal)
    first, second = (w.simulation_goal[0] for w in builder.worlds(2, compiled=False))
    assert first is not second
    assert first is not goal
    assert not first.is_done


def test_a_goal_that_forgets_to_answer_is_an_error():
    class Forgetful(WorldGoal):
        def goal_reached(self, grid_world):
            pass

    with pytest.raises(TypeError, match=r"Forgetful.goal_reached returned None; True or False"):
        Forgetful().check(WorldBuilder((3, 3)).get_world(compiled=False))


def test_progress_outside_of_0_to_1_is_an_error():
    class Eager(Never):
        def get_progress(self, grid_world):
            return 2

    with pytest.raises(ValueError, match="0 to 1"):
        Eager().progress(WorldBuilder((3, 3)).get_world(compiled=False))


def test_two_red_blocks_are_not_a_red_and_a_blue_one():
    world, goal = collecting([RED, BLUE], [RED, RED, BLUE])
    bring(world, 0, 1)
    assert not goal.check(world)
    assert goal.progress(world) == 0.5
    bring(world, 2)
    assert goal.check(world)
    assert goal.progress(world) == 1


def test_more_than_is_wanted_does_no_harm():
    world, goal = collecting([RED, BLUE], [RED, RED, BLUE, BLUE])
    bring(world, 0, 1, 2, 3)
    assert goal.check(world)


def test_an_object_stands_for_one_wanted_object_also_where_it_could_for_several():
    world, goal = collecting([RED, RED], [RED, BLUE])
    bring(world, 0, 1)
    assert not goal.check(world)
    assert goal.progress(world) == 0.5


def test_what_is_taken_away_does_not_count_any_more():
    world, goal = collecting([RED, BLUE], [RED, BLUE])
    bring(world, 0)
    goal.check(world)
    bring(world, 0, to=HOME)
    assert not goal.check(world)
    assert goal.progress(world) == 0


def test_what_was_reached_stays_reached():
    world, goal = collecting([RED], [RED])
    bring(world, 0)
    assert goal.check(world)
    bring(world, 0, to=HOME)
    assert goal.check(world)


def in_turn(world, goal, *groups):
    """Bring groups of blocks, one in each tick; the progress after each."""
    seen = []
    for group in groups:
        bring(world, *group)
        goal.check(world)
        seen.append(goal.collected)
        world.step()
    return seen


def test_in_order_blocks_count_in_the_order_in_which_they_are_brought():
    world, goal = collecting([RED, BLUE, GREEN], [RED, BLUE, GREEN], in_order=True)
    assert in_turn(world, goal, [0], [1], [2]) == [1, 2, 3]
    assert goal.is_done


def test_in_order_a_block_that_is_not_next_is_in_the_way_until_it_is_taken_away():
    world, goal = collecting([RED, BLUE], [RED, BLUE], in_order=True)
    assert in_turn(world, goal, [1], [0]) == [0, 0]
    bring(world, 1, to=HOME)
    assert not goal.check(world)
    assert goal.collected == 1
    world.step()
    assert in_turn(world, goal, [1]) == [2]


def test_in_order_blocks_that_nobody_wants_are_not_in_the_way():
    world, goal = collecting([RED, BLUE], [RED, GREEN, BLUE], in_order=True)
    assert in_turn(world, goal, [0], [1], [2]) == [1, 1, 2]


def test_in_order_blocks_of_the_same_tick_have_no_order():
    world, goal = collecting([RED, BLUE, GREEN], [RED, BLUE, GREEN], in_order=True)
    assert in_turn(world, goal, [1, 0], [2]) == [2, 3]


def test_in_order_a_tick_with_a_block_too_many_ends_the_count():
    world, goal = collecting([RED, BLUE, GREEN], [RED, GREEN, BLUE], in_order=True)
    assert in_turn(world, goal, [0, 1], [2]) == [1, 1]


def test_agents_and_tiles_in_the_zone_do_not_count():
    builder = WorldBuilder((6, 6))
    builder.add_area(ZONE[0], 4, 1, "carpet", visualize_colour=RED)
    builder.add_agent(ZONE[1], AgentBrain, "Red", visualize_colour=RED)
    builder.add_collection_goal("zone", ZONE, [{"visualize_colour": RED}], overwrite_goals=True)
    world = builder.get_world(compiled=False)
    assert not world.simulation_goal[0].check(world)


def test_custom_properties_can_be_wanted():
    builder = WorldBuilder((6, 6))
    builder.add_object(ZONE[2], "sweet", is_traversable=True, is_candy=True)
    builder.add_collection_goal("zone", ZONE, [{"is_candy": True}], overwrite_goals=True)
    world = builder.get_world(compiled=False)
    assert world.simulation_goal[0].check(world)


def test_a_zone_that_is_not_there_is_an_error():
    goal = CollectionGoal("nowhere", "nowhere_target")
    with pytest.raises(ValueError, match="no CollectionDropOffTile"):
        goal.check(WorldBuilder((3, 3)).get_world(compiled=False))


@pytest.mark.parametrize("name", ["visualize_colour", "visualization_colour"])
def test_colors_are_wanted_under_either_name(name):
    properties = {"visualization": {"colour": "#FF0000", "size": 1.0}, "place": {"x": 1}}
    assert has_properties(properties, {name: RED, "visualize_size": 1.0, "place_x": 1})
    assert not has_properties(properties, {name: BLUE})
    assert not has_properties(properties, {"unknown": None})


def test_pairs_are_a_maximum_matching():
    assert most_pairs([[0, 1], [0], [1]]) == 2
    assert most_pairs([[0, 1], [0], [1, 2]]) == 3
    assert most_pairs([]) == 0


def test_random_orders_are_drawn_without_listing_them_all():
    colors = [{"visualize_colour": f"#0000{i:02x}"} for i in range(20)]
    order = CollectionGoalV2.get_random_order_property(colors, length=15)
    builder = WorldBuilder((6, 6))
    builder.add_collection_goal("zone", ZONE, order)
    drawn = []
    for world in builder.worlds(2, compiled=False):
        goal = world.simulation_goal[-1]
        goal.check(world)
        drawn.append([w["visualize_colour"] for w in goal.wanted])
    assert len(set(drawn[0])) == 15
    assert drawn[0] != drawn[1]


def test_what_is_in_the_way_can_be_dropped_on_every_cell_of_the_zone():
    """Also on the first one, where the invisible target lies."""

    class Porter(AgentBrain):
        def decide_on_action(self, state):
            if not self.agent_properties["is_carrying"]:
                return "GrabObject", {"object_id": "box", "grab_range": 1}
            return (
                ("DropObject", {"drop_range": 0}) if self.previous_action == "MoveEast" else ("MoveEast", {})
            )

    builder = WorldBuilder((6, 6), tick_duration=0)
    builder.add_object((1, 2), "box", is_movable=True, is_traversable=False)
    builder.add_agent((1, 3), Porter, "Porter")
    builder.add_collection_goal("zone", [(2, 3), (3, 3)], [{"name": "box"}], overwrite_goals=True)
    world = builder.get_world(compiled=False)
    world.run(max_ticks=5)
    assert world.is_done
    assert world.find("box").location == (2, 3)
