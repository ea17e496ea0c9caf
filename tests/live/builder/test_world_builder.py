"""The builder: what it adds to worlds, and what it refuses."""

import functools
import threading
import time
from collections import Counter

import numpy as np
import pytest

from gridarium.live.brains import AgentBrain, HumanAgentBrain, PatrollingAgentBrain
from gridarium.live.builder import RandomProperty, WorldBuilder, get_distance, get_room_locations
from gridarium.live.goals import CollectionGoal, LimitedTimeGoal, WorldGoalV2
from gridarium.live.objects import AreaTile, Door, EnvObject, SmokeTile, Wall
from gridarium.worlds.entries.problems import DescriptionError


@pytest.fixture
def builder():
    return WorldBuilder((12, 10), tick_duration=0)


class Still(AgentBrain):
    def filter_observations(self, state):
        return state

    def decide_on_action(self, state):
        return None, {}


class Crate(EnvObject):
    """Needs a weight and takes nothing else."""

    def __init__(self, location, name, weight, is_movable=True):
        super().__init__(location, name, class_callable=Crate, is_movable=is_movable, weight=weight)


def objects(world):
    return list(world.environment_objects.values())


def places(world, kind):
    return {o.location for o in objects(world) if type(o) is kind}


def refused(call, *said):
    with pytest.raises(DescriptionError) as caught:
        call()
    for part in said:
        assert part in str(caught.value)


# objects


def test_objects_have_what_they_were_given(builder):
    builder.add_object(
        [3, 2.0], "Red box", is_movable=True, visualize_colour="#ff0000", visualize_size=0.5, owner="Bob"
    )
    (box,) = objects(builder.get_world(compiled=False))
    assert (box.location, box.obj_name, box.obj_id) == ((3, 2), "Red box", "Red_box")
    assert (box.is_movable, box.visualize_colour, box.visualize_size) == (True, "#ff0000", 0.5)
    assert box.properties["owner"] == "Bob"


def test_ids_are_unique(builder):
    for x in range(3):
        builder.add_object((x, 0), "box")
    assert [o.obj_id for o in objects(builder.get_world(compiled=False))] == ["box", "box_1", "box_2"]


def test_objects_of_own_classes_get_their_arguments(builder):
    builder.add_object((1, 1), "crate", Crate, weight=RandomProperty([7]))
    (crate,) = objects(builder.get_world(compiled=False))
    assert type(crate) is Crate
    assert crate.properties["weight"] == 7


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "Crate requires 'weight'"),
        ({"weight": 1, "colour": "red"}, "Crate does not take 'colour'"),
        ({"weight": 1, "visualize_size": 1.0}, "Crate does not take 'visualize_size'"),
    ],
)
def test_arguments_that_a_class_does_not_take_are_refused_at_once(builder, arguments, said):
    refused(lambda: builder.add_object((1, 1), "crate", Crate, **arguments), "add_object('crate')", said)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"location": (12, 0)}, "(12, 0) is outside the world of 12 x 10 cells"),
        ({"location": (-1, 0)}, "outside"),
        ({"location": (1.5, 0)}, "a whole number is expected, not 1.5"),
        ({"location": "ab"}, "location: a list is expected"),
        ({"location": (1, 2, 3)}, "location"),
        ({"name": ""}, "name"),
        ({"name": "  "}, "name"),
        ({"callable_class": dict}, "a class of EnvObject is expected"),
        ({"is_traversable": "yes"}, "is_traversable: true or false is expected"),
        ({"visualize_opacity": 1.5}, "visualize_opacity"),
        ({"visualize_size": 0}, "visualize_size"),
        ({"visualize_colour": "red"}, "visualize_colour: a color such as #4286f4 is expected, got 'red'"),
        ({"visualize_colour": RandomProperty(["#ff0000", "red"])}, "visualize_colour"),
        (
            {"visualize_shape": "circle"},
            "visualize_shape: 0 (square), 1 (triangle), 2 (circle), 'img' or the path of an image is expected",
        ),
        ({"visualize_shape": RandomProperty([1, 9])}, "visualize_shape"),
        ({"visualize_color": "#ff0000"}, "unknown argument 'visualize_color'; known: visualize_size"),
        ({"probability": 1.5}, "probability"),
        ({"isAgent": True}, "the world itself says 'isAgent', as it does name, obj_id"),
    ],
)
def test_impossible_objects_are_refused(builder, arguments, said):
    given = {"location": (0, 0), "name": "box", **arguments}
    refused(lambda: builder.add_object(**given), said)
    assert builder.object_settings == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"shape": (0, 5)}, "shape[0]"),
        ({"shape": 5}, "shape"),
        ({"shape": (2000, 5)}, "1024"),
        ({"tick_duration": "fast"}, "tick_duration"),
        ({"tick_duration": float("nan")}, "tick_duration"),
        ({"random_seed": -1}, "random_seed"),
        ({"random_seed": 1.5}, "random_seed"),
        ({"simulation_goal": "soon"}, "a number of ticks or a WorldGoal"),
        ({"visualization_bg_clr": "grey"}, "visualization_bg_clr"),
    ],
)
def test_impossible_worlds_are_refused(arguments, said):
    refused(lambda: WorldBuilder(**{"shape": (5, 5), **arguments}), "WorldBuilder", said)


def test_several_objects_share_values_or_have_their_own(builder):
    builder.add_multiple_objects(
        [(0, 0), (1, 0), (2, 0)],
        callable_classes=[None, Door, Crate],
        custom_properties=[None, None, {"weight": 2}],
    )
    builder.add_multiple_objects(
        [(0, 1), (1, 1)], names="stone", visualize_colours=["#111111", "#222222"], is_movable=True
    )
    names = [(o.obj_name, type(o)) for o in objects(builder.get_world(compiled=False))]
    assert names == [("EnvObject", EnvObject), ("Door", Door), ("Crate", Crate)] + 2 * [("stone", EnvObject)]
    refused(lambda: builder.add_multiple_objects([(0, 1), (1, 1)], names=["a"]), "1 values for 2 locations")


def test_prospects_are_there_in_their_part_of_the_worlds(builder):
    for x in range(12):
        builder.add_object_prospect((x, 0), "often", 0.7)
        builder.add_object_prospect((x, 1), "always", 1.0)
        builder.add_object_prospect((x, 2), "never", 0.0)
        builder.add_agent_prospect((x, 3), Still, 0.5, name=f"maybe {x}")
    found = Counter()
    for world in builder.worlds(10, compiled=False):
        everybody = [*world.environment_objects.values(), *world.registered_agents.values()]
        found.update(o.obj_name.partition(" ")[0] for o in everybody)
    assert 65 < found["often"] < 103
    assert 40 < found["maybe"] < 80
    assert (found["always"], found["never"]) == (120, 0)


def test_what_can_be_changed_belongs_to_one_world(builder):
    load = ["apple"]
    builder.add_object((0, 0), "cart", load=load)
    first, second = (objects(w)[0] for w in builder.worlds(2, compiled=False))
    first.properties["load"].append("pear")
    assert second.properties["load"] == load == ["apple"]


# areas, lines, rooms


def test_an_area_has_a_tile_in_each_cell(builder):
    builder.add_area((2, 3), 2, 3, "lawn", visualize_colour="#00ff00", is_wet=True)
    world = builder.get_world(compiled=False)
    assert places(world, AreaTile) == {(x, y) for x in (2, 3) for y in (3, 4, 5)}
    assert all(o.properties["is_wet"] for o in objects(world))
    refused(lambda: builder.add_area((2, 3), 0, 3, "x"), "width")
    refused(lambda: builder.add_area((11, 9), 2, 1, "x"), "(12, 9) is outside")


def test_smoke_is_where_it_is_put_and_alike_in_all_worlds(builder):
    builder.add_smoke_area((5, 2), 4, 3, "smoke", smoke_thickness_multiplier=0.5)
    first, second = builder.worlds(2, compiled=False)
    assert places(first, SmokeTile) == {(x, y) for x in range(5, 9) for y in range(2, 5)}
    opacities = [o.visualize_opacity for o in objects(first)]
    assert opacities == [o.visualize_opacity for o in objects(second)]
    assert len(set(opacities)) > 5
    assert all(0 <= o <= 1 for o in opacities)


@pytest.mark.parametrize(
    ("end", "cells"),
    [
        ((2, 2), {(2, 2)}),
        ((5, 2), {(2, 2), (3, 2), (4, 2), (5, 2)}),
        ((2, 0), {(2, 2), (2, 1), (2, 0)}),
        ((4, 4), {(2, 2), (3, 3), (4, 4)}),
        ((6, 4), {(2, 2), (3, 3), (4, 3), (5, 4), (6, 4)}),
    ],
)
def test_lines_have_both_ends(builder, end, cells):
    builder.add_line((2, 2), end, "fence", Wall)
    found = places(builder.get_world(compiled=False), Wall)
    assert len(found) == len(cells)
    assert {(2, 2), end} <= found
    assert found == cells or end == (6, 4)


def test_a_room_has_walls_all_around_and_doors_in_them(builder):
    builder.add_room(
        (1, 1),
        5,
        4,
        "hall",
        door_locations=[(3, 1), (1, 2)],
        doors_open=True,
        area_visualize_colour="#dddddd",
    )
    world = builder.get_world(compiled=False)
    inside = set(get_room_locations((1, 1), 5, 4))
    assert inside == {(x, y) for x in (2, 3, 4) for y in (2, 3)}
    assert places(world, Door) == {(3, 1), (1, 2)}
    assert places(world, AreaTile) == inside
    around = {(x, y) for x in range(1, 6) for y in range(1, 5)} - inside
    assert places(world, Wall) == around - {(3, 1), (1, 2)}
    assert {o.properties["room_name"] for o in objects(world)} == {"hall"}
    assert all(o.properties["is_open"] for o in objects(world) if type(o) is Door)
    assert world.get_env_object("hall_-_wall@(1,_1)").obj_name == "hall - wall@(1, 1)"


def test_impossible_rooms_are_refused(builder):
    refused(lambda: builder.add_room((0, 0), 2, 5, "r"), "width")
    refused(lambda: builder.add_room((0, 0), 5, 5, "r", [(2, 2)]), "the door at (2, 2) is not in the walls")
    refused(lambda: builder.add_room((9, 0), 5, 5, "r"), "outside")


def test_two_things_that_nothing_can_share_a_cell_with_cannot_be_in_one(builder):
    builder.add_object((1, 1), "first", is_traversable=False)
    builder.add_object((1, 1), "second", is_traversable=False)
    with pytest.raises(ValueError, match="second"):
        builder.get_world(compiled=False)


# agents


def test_teams_keep_their_names_and_an_agent_may_be_in_several(builder):
    builder.add_agent((0, 0), Still, "A", team="red")
    builder.add_agent((1, 0), Still, "B", team=["red", "blue"])
    builder.add_agent((2, 0), Still, "C")
    builder.add_human_agent((3, 0), HumanAgentBrain, "D", team="blue")
    world = builder.get_world(compiled=False)
    assert world.teams == {"red": ["a", "b"], "blue": ["b", "d"], "c_team": ["c"]}
    assert world.registered_agents["b"].teams == ["red", "blue"]


def test_ids_of_agents_are_unique_also_where_only_their_case_differs(builder):
    builder.add_agent((0, 0), Still, "Bob")
    builder.add_agent((1, 0), Still, "bob")
    assert list(builder.get_world(compiled=False).registered_agents) == ["bob", "bob_1"]


def test_names_of_agents_are_unique(builder):
    builder.add_agent((0, 0), Still, "Bob")
    refused(lambda: builder.add_agent((1, 0), Still, "Bob"), "an agent of this name already")


def test_several_agents_get_names(builder):
    builder.add_multiple_agents([Still, Still], [(0, 0), (1, 0)], custom_properties={"strong": True})
    builder.add_team([Still, Still], [(2, 0), (3, 0)], "rescue", names=["Ann", "Ben"])
    builder.add_team([Still], [(4, 0)], "rescue")
    world = builder.get_world(compiled=False)
    assert list(world.registered_agents) == ["agent_1", "agent_2", "ann", "ben", "agent_3"]
    assert world.teams["rescue"] == ["ann", "ben", "agent_3"]
    assert world.registered_agents["agent_2"].properties["strong"]


def test_people_have_keys(builder):
    builder.add_human_agent((0, 0), HumanAgentBrain(grab_range=2), key_action_map={"w": "MoveNorth"})
    body = builder.get_world(compiled=False).registered_agents["humanagent"]
    assert body.is_human_agent
    assert not body.is_traversable
    assert body.key_action_map == {"w": "MoveNorth"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"agent_brain": 3}, "an AgentBrain, a class of it or a function"),
        ({"agent_brain": dict}, "a class of AgentBrain is expected"),
        ({"agent_brain": HumanAgentBrain}, "use add_human_agent"),
        ({"sense_capability": 3}, "a SenseCapability is expected"),
        ({"team": ""}, "team"),
        ({"team": []}, "team"),
        ({"possible_actions": "MoveNorth"}, "possible_actions: a list is expected"),
        ({"location": (0, 99)}, "outside"),
    ],
)
def test_impossible_agents_are_refused(builder, arguments, said):
    given = {"location": (0, 0), "agent_brain": Still, "name": "A", **arguments}
    refused(lambda: builder.add_agent(**given), said)
    assert builder.agent_settings == []


@pytest.mark.parametrize("form", ["class", "function", "instance"])
def test_each_world_has_brains_of_its_own(builder, form):
    made = []

    class Noted(Still):
        def __init__(self):
            super().__init__()
            self.seen = []

        def decide_on_action(self, state):
            self.seen.append(state["World"]["nr_ticks"])
            made.append(self)
            return None, {}

    source = {"class": Noted, "function": lambda: Noted(), "instance": Noted()}[form]
    builder.add_agent((0, 0), source, "A")
    for world in builder.worlds(2, compiled=False):
        world.run(max_ticks=2)
    first, second = made[0], made[2]
    assert first is not second
    assert first is not source
    assert first.seen == second.seen == [0, 1]


def test_a_brain_that_cannot_be_copied_says_what_to_do(builder):
    brain = Still()
    brain.lock = threading.Lock()
    builder.add_agent((0, 0), brain, "Locked")
    with pytest.raises(TypeError, match="'Locked' cannot be copied .* give its class"):
        builder.get_world(compiled=False)


def test_a_function_that_makes_no_brain_is_an_error(builder):
    builder.add_agent((0, 0), lambda: 3, "A")
    with pytest.raises(TypeError, match="made 3, which is not an AgentBrain"):
        builder.get_world(compiled=False)


def seeds(builder):
    """The seeds of the agents in three worlds."""
    drawn = []

    class Drawing(Still):
        def decide_on_action(self, state):
            drawn.append(self.rnd_seed)
            return None, {}

    builder.add_agent((0, 0), Drawing, "A")
    builder.add_agent((1, 0), Drawing, "B")
    for world in builder.worlds(3, compiled=False):
        world.run(max_ticks=1)
    return drawn


def test_seeds_differ_between_agents_and_worlds_and_are_the_same_again():
    first, again = (seeds(WorldBuilder((3, 3), 0, random_seed=5)) for _ in range(2))
    assert first == again
    assert len(set(first)) == 6
    assert not set(first) & set(seeds(WorldBuilder((3, 3), 0, random_seed=6)))


# worlds


def test_worlds_are_numbered_and_as_many_as_wanted(builder):
    assert [w.world_id for w in builder.worlds(2, compiled=False)] == ["world_1", "world_2"]
    assert [w.world_id for w in builder.worlds(nr_of_worlds=1, compiled=False)] == ["world_3"]
    assert builder.worlds_created == 3
    for bad in (0, 1.5, "2"):
        refused(lambda bad=bad: builder.worlds(bad), "nr_of_worlds")


def test_a_world_with_nothing_in_it_can_be_run(builder):
    world = builder.get_world(compiled=False)
    world.run(max_ticks=3)
    assert world.current_nr_ticks == 3


def test_what_is_random_is_the_same_for_the_same_seed():
    def drawn():
        builder = WorldBuilder((20, 20), random_seed=4)
        for x in range(20):
            builder.add_object_prospect((x, 0), "box", 0.5, weight=RandomProperty(range(50)))
        return [
            [(o.location, o.properties["weight"]) for o in objects(w)]
            for w in builder.worlds(3, compiled=False)
        ]

    first = drawn()
    assert first == drawn()
    assert first[0] != first[1]


def test_2500_objects_are_built_in_time_proportional_to_their_number():
    def cost(side):
        begin = time.process_time()
        builder = WorldBuilder((side, side))
        builder.add_room((0, 0), side, side, "all", with_area_tiles=True)
        for x in range(1, side - 1, 8):
            builder.add_multiple_objects([(x, y) for y in range(1, side - 1)], "box", is_movable=True)
        built = len(builder.get_world(compiled=False).environment_objects)
        return (time.process_time() - begin) / built

    cost(10)
    assert cost(50) < 4 * cost(25)


def test_rooms_side_by_side_share_a_wall_and_a_door_in_it():
    for first, second in (([(4, 2)], None), (None, [(4, 2)]), ([(4, 2)], [(4, 2)])):
        builder = WorldBuilder((9, 5))
        builder.add_room((0, 0), 5, 5, "left", door_locations=first)
        builder.add_room((4, 0), 5, 5, "right", door_locations=second)
        made = objects(builder.get_world(compiled=False))
        assert len({o.location for o in made}) == len(made) == 27
        (door,) = (o for o in made if isinstance(o, Door))
        assert door.location == (4, 2)


def test_misspelt_arguments_of_agents_are_no_properties(builder):
    for given, meant in (("sense_capabilities", "sense_capability"), ("possible_action", "possible_actions")):
        refused(
            lambda given=given: builder.add_agent((1, 1), AgentBrain, "Ann", **{given: 1}),
            f"unknown argument '{given}'; known: {meant}",
        )
    refused(
        lambda: builder.add_agent((1, 1), AgentBrain, "Ann", is_carrying=[]),
        "the world itself says 'is_carrying'",
    )


def test_builders_and_worlds_say_what_is_in_them():
    builder = WorldBuilder((5, 4))
    builder.add_object((1, 1), "box")
    builder.add_agent((2, 2), AgentBrain, "Bob")
    assert repr(builder) == "<WorldBuilder of 5 x 4 cells: 1 objects, 1 agents>"
    world = builder.get_world(compiled=False)
    world.step()
    assert repr(world) == "<GridWorld world_1, tick 1: 1 objects, agents bob>"


# goals


def test_goals_may_be_numbers_goals_and_functions(builder):
    class Own(WorldGoalV2):
        def goal_reached(self, world_state, grid_world):
            return True

    builder.add_goal(Own())
    builder.add_goal(Own)
    builder.add_goal(5)
    builder.add_goal(functools.partial(LimitedTimeGoal, 7))
    assert [type(g) for g in builder.get_world(compiled=False).simulation_goal] == [
        Own,
        Own,
        LimitedTimeGoal,
        LimitedTimeGoal,
    ]
    builder.add_goal(9, overwrite=True)
    (goal,) = builder.get_world(compiled=False).simulation_goal
    assert goal.max_nr_ticks == 9
    refused(lambda: builder.add_goal("x"), "world_goal")


def test_a_goal_that_is_added_takes_the_place_of_the_default_but_not_of_one_that_was_given():
    builder = WorldBuilder((5, 5))
    (goal,) = builder.get_world(compiled=False).simulation_goal
    assert goal.max_nr_ticks == 1000
    assert "simulation_goal" not in builder.to_dict()
    builder.add_goal(3)
    (goal,) = builder.get_world(compiled=False).simulation_goal
    assert goal.max_nr_ticks == 3
    builder.add_goal(4)
    assert len(builder.get_world(compiled=False).simulation_goal) == 2
    given = WorldBuilder((5, 5), simulation_goal=1000)
    given.add_goal(3)
    assert len(given.get_world(compiled=False).simulation_goal) == 2


def test_a_collection_goal_may_have_a_single_cell(builder):
    builder.add_collection_goal("zone", (3, 3), [{"is_block": True}], overwrite_goals=True)
    world = builder.get_world(compiled=False)
    assert isinstance(world.simulation_goal[0], CollectionGoal)
    assert {o.location for o in objects(world)} == {(3, 3)}


@pytest.mark.parametrize("wanted", [[], {}, ["red"], [{}], RandomProperty([[], [{"a": 1}]]), 3])
def test_a_collection_goal_must_want_something(builder, wanted):
    refused(lambda: builder.add_collection_goal("zone", [(3, 3)], wanted), "collection_objects")


def test_a_collection_goal_needs_a_cell(builder):
    refused(lambda: builder.add_collection_goal("zone", [], [{"a": 1}]), "collection_locs")


def test_patrolling_agents_can_be_made_of_a_partial(builder):
    builder.add_agent((0, 0), functools.partial(PatrollingAgentBrain, waypoints=[(2, 0), (0, 0)]), "P")
    world = builder.get_world(compiled=False)
    world.run(max_ticks=2)
    assert world.registered_agents["p"].location == (2, 0)


def test_numbers_of_numpy_are_numbers(builder):
    builder.add_object(np.array([1, 2]), "box", visualize_size=np.float64(0.5), is_movable=np.bool_(True))
    assert objects(builder.get_world(compiled=False))[0].location == (1, 2)


def test_distances_are_straight_lines():
    assert get_distance((0, 0), (3, 4)) == 5


def test_what_an_error_of_a_brain_does_is_an_argument_of_the_builder_and_of_each_world():
    builder = WorldBuilder((4, 4), on_brain_error="skip")
    assert builder.get_world(compiled=False).on_brain_error == "skip"
    assert builder.get_world(compiled=False, on_brain_error="remove").on_brain_error == "remove"
    assert builder.to_dict()["on_brain_error"] == "skip"
    with pytest.raises(ValueError, match="on_brain_error"):
        WorldBuilder((4, 4), on_brain_error="ignore")
    with pytest.raises(ValueError, match="stop, skip or remove, not 'ignore'"):
        builder.get_world(compiled=False).on_brain_error = "ignore"
