"""Resolving: what a description's names stand for, and every name that stands for nothing."""

import dataclasses
import pickle
import sys

import pytest

from gridarium.rules.reset_functions import empty
from gridarium.rules.transition_functions import move_agent, move_obstacles, with_probability
from gridarium.world import Action, Area, Color, Exit, Field, Key, Orientation, Position, Shape, State
from gridarium.worlds import Description, DescriptionError, Spec, catalogue, loads, spec
from tests.worlds import custom_rules
from tests.worlds.test_description import WORLD

CUSTOM = """\
shape: [3, 4]
objects: [Floor, 'tests.worlds.custom_rules:Coin']
colors: ['tests.worlds.custom_rules:MAUVE']
actions: [MOVE_FORWARD, 'tests.worlds.custom_rules:JUMP', JUMP_FAR_2]
reset: {name: 'tests.worlds.custom_rules:coins', number: 3}
transitions: ['tests.worlds.custom_rules:collect']
rewards: ['tests.worlds.custom_rules:count_coins']
terminations: [{name: overlap, object_type: 'tests.worlds.custom_rules:Coin'}]
""".replace(", JUMP_FAR_2", "")


def made(text: str) -> Spec:
    return spec(loads(text))


def begun(world: Spec, seed: int = 1) -> State:
    state = State.blank(world.shape, world.vocabulary, agents=world.agents)
    state.data[3] = seed
    world.reset(state, rng=state.stream(1))
    return state


def refusal(text: str, *, allow_imports: bool = False) -> str:
    with pytest.raises(DescriptionError) as caught:
        loads(text, source="file.yaml", allow_imports=allow_imports)
    return str(caught.value)


def changed(old: str, new: str) -> str:
    assert old in WORLD
    return WORLD.replace(old, new)


def test_names_are_resolved_and_parameters_bound() -> None:
    text = changed(
        "  - reach_exit\n", "  - {name: getting_closer, distance_function: manhattan, object_type: Exit}\n"
    )
    text = text.replace("reset: empty", "reset: {name: empty, random_agent: true}")
    text += (
        "observation: {name: from_visibility, area: [[-2, 0], [-1, 1]], visibility_function: raytracing}\n"
    )
    world = made(text)
    assert world.shape == Shape(5, 6)
    assert world.reset.func is empty
    assert world.reset.keywords == {"random_agent": True}
    assert world.transitions[0].rule.func is move_agent
    assert world.rewards[0].keywords == {
        "distance_function": Position.manhattan_distance,
        "object_type": Exit,
    }
    assert world.observation.keywords["area"] == Area((-2, 0), (-1, 1))
    assert world.observation.keywords["visibility_function"].func.__name__ == "raytracing"
    assert world.vocabulary.colors == {0: Color.NONE, 4: Color.YELLOW}
    assert Key in world.vocabulary.kinds.values()
    assert world.name == "Small"
    assert repr(world) == "<Spec Small: 5 x 6, 1 agent>"


def test_whole_numbers_serve_as_floats_and_stay_exact_elsewhere() -> None:
    world = made(changed("  - reach_exit\n", "  - {name: reach_exit, reward_on: 5}\n"))
    assert type(world.rewards[0].keywords["reward_on"]) is float


def test_nested_rules_are_resolved_and_scopes_follow_them() -> None:
    text = changed(
        "  - turn_agent",
        "  - {name: with_probability, transition_function: move_obstacles, probability: 0.5}",
    )
    world = made(text.replace("Exit, Key", "Exit, MovingObstacle"))
    nested = world.transitions[1].rule
    assert nested.func is with_probability
    assert nested.keywords["transition_function"].func is move_obstacles
    assert [t.scope for t in world.transitions] == ["agent", "world"]


def test_actions_are_numbered_in_order_and_agents_may_lack_some() -> None:
    world = made(
        WORLD
        + "actions: [UP, MOVE_FORWARD, {name: SING, declare: true}]\nagents: [{actions: [SING, UP]}, {name: bob}]\n"
    )
    assert world.actions == (Action.UP, Action.MOVE_FORWARD, Action.declare("SING"))
    assert world.action_masks == ((True, False, True), (True, True, True))
    assert world.agent_names == ("agent_0", "bob")
    assert world.agents == 2


def test_the_default_is_gridverses_eight_actions_and_its_view() -> None:
    world = made(WORLD)
    assert world.actions == tuple(Action)
    assert world.observation.keywords["area"] == Area((-6, 0), (-3, 3))


def test_fields_and_colors_are_declared() -> None:
    text = changed("[YELLOW]", "[{name: TEAL, rgb: [0, 128, 128], mark: t}]")
    text += "fields:\n  agent: [{name: energy, default: 10.5}]\n  world: [{name: heat, type: int}]\n  cell: [{name: wet, type: bool, default: true}]\n"
    vocabulary = made(text).vocabulary
    assert vocabulary.agent_fields == (Field("energy", "float", 10.5),)
    assert vocabulary.world_fields == (Field("heat", "int", 0),)
    assert vocabulary.cell_fields == (Field("wet", "bool", True),)
    assert [c.name for c in vocabulary.colors.values()] == ["NONE", "TEAL"]


def test_agents_may_start_where_the_description_says() -> None:
    text = WORLD + "agents: [{start: [3, 2], orientation: LEFT}, {}, {orientation: BACKWARD}]\n"
    state = begun(made(text))
    assert state.agents[0].position == Position(3, 2)
    assert state.agents[0].orientation == Orientation.LEFT
    assert state.agents[2].orientation == Orientation.BACKWARD


def test_an_agent_cannot_start_in_a_wall_or_on_another() -> None:
    with pytest.raises(ValueError, match=r"agent 0 cannot start at Position\(y=0, x=2\): something is there"):
        begun(made(WORLD + "agents: [{start: [0, 2]}]\n"))
    with pytest.raises(ValueError, match="agent 0 cannot start"):
        begun(made(WORLD + "agents: [{start: [2, 2]}, {start: [2, 2]}]\n"))


def test_the_rest_is_passed_on() -> None:
    world = made(
        WORLD
        + "turn_order: rotating\nconflicts: nobody\nepisode_ends: all_agents\nrewards_to: team\ntime_limit: 9\n"
        + "representation: {name: rgb, tile: 16}\n"
    )
    given = (world.turn_order, world.conflicts, world.episode_ends, world.rewards_to, world.time_limit)
    assert given == ("rotating", "nobody", "all_agents", "team", 9)
    assert (world.representation.name, world.representation.tile) == ("rgb", 16)


def test_a_resolved_world_is_frozen_and_can_be_pickled() -> None:
    world = made(WORLD)
    with pytest.raises(dataclasses.FrozenInstanceError):
        world.time_limit = 3  # type: ignore[misc]
    again = pickle.loads(pickle.dumps(world))
    assert again.description == world.description
    assert again.vocabulary == world.vocabulary
    assert again.reset.func is world.reset.func


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("  - reach_exit\n", "  - reach_exti\n", "file.yaml:10: rewards[0].name: unknown reward function 'reach_exti'; did you mean 'reach_exit'? known: "),
        ("  - reach_exit\n", "  - reward_on: 3\n    name: reach_exti\n", "file.yaml:11: rewards[0].name: unknown reward function 'reach_exti'; did you mean 'reach_exit'? known: "),
        ("  - reach_exit\n", "  - name: reach_exit\n    reward_onn: 3\n", "file.yaml:11: rewards[0].reward_onn: reach_exit has no parameter 'reward_onn'; did you mean 'reward_on'? known: reward_on, reward_off"),
        ("  - reach_exit\n", "  - {name: reach_exit, reward_on: five}\n", "file.yaml:10: rewards[0].reward_on: a number is expected, not 'five'"),
        ("  - reach_exit\n", "  - {name: reach_exit, reward_on: true}\n", "file.yaml:10: rewards[0].reward_on: a number is expected, not True"),
        ("  - reach_exit\n", "  - overlap\n", "file.yaml:10: rewards[0]: overlap needs object_type; its parameters: object_type: "),
        ("  - reach_exit\n", "  - {name: overlap, object_type: Exlt}\n", "file.yaml:10: rewards[0].object_type: unknown object 'Exlt'; did you mean 'Exit'? known: "),
        ("  - reach_exit\n", "  - {name: overlap, object_type: 3}\n", "file.yaml:10: rewards[0].object_type: the name of an object is expected, not 3"),
        ("  - reach_exit\n", "  - {name: overlap, object_type: Door}\n", "file.yaml:10: rewards[0].object_type: Door is not among the world's objects: NoneGridObject, "),
        ("  - reach_exit\n", "  - {name: getting_closer, object_type: Exit, distance_function: manhatten}\n", "file.yaml:10: rewards[0].distance_function: no distance function 'manhatten'; there are manhattan, euclidean"),
        ("  - turn_agent\n", "  - {name: chain, transition_functions: [move_agent, trun_agent]}\n", "file.yaml:8: transitions[1].transition_functions[1].name: unknown transition function 'trun_agent'; did you mean 'turn_agent'? known: "),
        ("  - turn_agent\n", "  - {name: chain, transition_functions: move_agent}\n", "file.yaml:8: transitions[1].transition_functions: a list of one or more is expected, not 'move_agent'"),
        ("  - turn_agent\n", "  - {name: chain, transition_functions: [turn_agent, move_obstacles]}\n", "file.yaml:8: transitions[1]: chain mixes rules for each agent with rules for the whole world"),
        ("reset: empty", "reset: {name: empty, random_agent: 1}", "file.yaml:5: reset.random_agent: true or false is expected, not 1"),
        ("reset: empty", "reset: {name: rooms, layout: [2, 2, 2]}", "file.yaml:5: reset.layout: rows and columns are expected, two whole numbers, not [2, 2, 2]"),
        ("reset: empty", "reset: {name: rooms, layout: [0, 2]}", "file.yaml:5: reset.layout: rows and columns are at least 1, got [0, 2]"),
        ("reset: empty", "reset: {name: memory, colors: [RED]}", "file.yaml:5: reset.colors[0]: RED is not among the world's colors: NONE, YELLOW"),
        ("reset: empty", "reset: {name: dynamic_obstacles, num_obstacles: 1.0}", "file.yaml:5: reset.num_obstacles: a whole number is expected, not 1.0"),
        ("reset: empty", "reset: {name: empty, random_agent: {name: empty}}", "file.yaml:5: reset.random_agent: true or false is expected"),
        ("[Floor, Wall, Exit, Key]", "[Floor, Wal]", "file.yaml:3: objects[1]: unknown object 'Wal'; did you mean 'Wall'? known: "),
        ("[Floor, Wall, Exit, Key]", "[Wall, Exit, Key]", "file.yaml:3: objects: Floor is missing: every world has it"),
        ("[YELLOW]", "[YELOW]", "file.yaml:4: colors[0]: unknown color 'YELOW'; did you mean 'YELLOW'? known: NONE, RED, "),
        ("[YELLOW]", "[{name: YELLOW, rgb: [0, 0, 0]}]", "file.yaml:4: colors[0]: a color YELLOW with rgb (222, 190, 60) exists already"),
        ("terminations", "actions: [UP, SPIN]\nterminations", "file.yaml:11: actions[1]: unknown action 'SPIN'; known: MOVE_FORWARD, "),
        ("terminations", "actions: [{name: UP, declare: true}]\nterminations", "file.yaml:11: actions[0].name: UP is a built-in action"),
        ("terminations", "actions: [{name: a b, declare: true}]\nterminations", "file.yaml:11: actions[0].name: an action's name is a word such as JUMP, not 'a b'"),
        ("terminations", "observation: {name: partially_occluded, area: [[0, -6], [0, 0]]}\nterminations", "file.yaml:11: observation.area: ymin 0 is above ymax -6"),
        ("terminations", "observation: {name: partially_occluded, area: [[0, 1]]}\nterminations", "file.yaml:11: observation.area: an area is [[ymin, ymax], [xmin, xmax]], not "),
        ("terminations", "observation: {name: partially_occluded, area: [[0, 1], [0, x]]}\nterminations", "file.yaml:11: observation.area[1]: lower and upper bound are expected, two whole numbers, not [0, 'x']"),
        ("terminations", "observation: {name: from_visibility, area: [[0, 1], [0, 0]], visibility_function: xray}\nterminations", "file.yaml:11: observation.visibility_function.name: unknown visibility function 'xray'"),
        ("terminations", "observation: {name: from_visibility, area: [[0, 1], [0, 0]], visibility_function: 3}\nterminations", "file.yaml:11: observation.visibility_function: a name is expected, not 3"),
        ("terminations", "observation: {name: from_visibility, area: [[0, 1], [0, 0]], visibility_function: ''}\nterminations", "file.yaml:11: observation.visibility_function: a name is expected, not an empty text"),
    ],
)  # fmt: skip
def test_each_wrong_name_is_refused_with_its_place(old: str, new: str, message: str) -> None:
    assert refusal(changed(old, new)).startswith(message)


def test_an_unknown_action_is_answered_with_how_to_declare_it() -> None:
    told = refusal(changed("terminations", "actions: [UP, SPIN]\nterminations"))
    assert told.endswith("; a new one is {name: SPIN, declare: true}")


def test_all_wrong_names_are_listed_at_once() -> None:
    text = (
        changed("  - reach_exit\n", "  - reach_exti\n")
        .replace("turn_agent", "trun_agent")
        .replace("Key", "Keey")
    )
    assert [line.split(":")[1] for line in refusal(text).splitlines()] == ["3", "8", "10"]


def test_a_description_without_a_file_gives_the_place_alone() -> None:
    data = {**loads(WORLD).to_dict(), "rewards": ["reach_exti"]}
    with pytest.raises(DescriptionError, match=r"^rewards\[0\].name: unknown reward function"):
        spec(Description.from_dict(data))


def test_module_names_are_honoured_only_on_request() -> None:
    text = refusal(CUSTOM)
    assert len(text.splitlines()) == 7
    assert text.startswith(
        "file.yaml:2: objects[1]: tests.worlds.custom_rules:Coin is refused: a description may not import code"
    )
    world = spec(loads(CUSTOM, allow_imports=True), allow_imports=True)
    assert world.reset.func is custom_rules.coins
    assert world.actions[1] is custom_rules.JUMP
    assert world.vocabulary.colors[5] == custom_rules.MAUVE
    assert world.terminations[0].keywords == {"object_type": custom_rules.Coin}
    assert (
        spec(world.description).reset.func is custom_rules.coins
    )  # the same, with the permission that it was given
    with pytest.raises(DescriptionError, match="refused"):
        spec(Description.from_dict(world.description.to_dict()))


def test_nothing_is_imported_without_permission() -> None:
    refusal(changed("reset: empty", "reset: this:d"))
    assert "this" not in sys.modules


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("os:system", "reset.name: os:system is not registered as a reset function"),
        ("no.such_module:x", "reset.name: no.such_module cannot be imported: ModuleNotFoundError: No module named 'no'"),
        ("tests.worlds.custom_rules:nothing", "reset.name: tests.worlds.custom_rules has no 'nothing'"),
        ("tests.worlds.custom_rules:conis", "reset.name: tests.worlds.custom_rules has no 'conis'; did you mean 'coins'?"),
        ("tests.worlds.custom_rules:collect", "reset.name: tests.worlds.custom_rules:collect is not registered as a reset function; this module registers: coins"),
        ("tests.worlds.custom_rules:unregistered", "reset.name: tests.worlds.custom_rules:unregistered is not registered as a reset function; this module registers: coins"),
        ("a b:c", "reset.name: 'a b:c' is not of the form module:name"),
        ("os:path.join", "reset.name: 'os:path.join' is not of the form module:name"),
        (":c", "reset.name: ':c' is not of the form module:name"),
    ],
)  # fmt: skip
def test_a_module_name_must_stand_for_a_registered_rule(name: str, reason: str) -> None:
    assert (
        refusal(changed("reset: empty", f"reset: '{name}'"), allow_imports=True) == f"file.yaml:5: {reason}"
    )


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("Key]", "'os:path']", "file.yaml:3: objects[3]: os:path is not a kind of objects"),
        ("[YELLOW]", "['os:sep']", "file.yaml:4: colors[0]: os:sep is not a color"),
        ("terminations", "actions: ['tests.worlds.custom_rules:MAUVE']\nterminations", "file.yaml:11: actions[0]: tests.worlds.custom_rules:MAUVE is not an action"),
    ],
)  # fmt: skip
def test_a_module_name_must_stand_for_the_right_thing(old: str, new: str, reason: str) -> None:
    assert refusal(changed(old, new), allow_imports=True) == reason


def test_sensors_are_made_ready_to_measure() -> None:
    world = made(WORLD + "sensors: [walls_around, {name: noisy_position, noise: 0.5}]\n")
    assert [repr(sensor) for sensor in world.sensors] == [
        "walls_around(quality=0.9)",
        "noisy_position(noise=0.5)",
    ]
    assert 0 <= world.sensors[0].read(begun(world)) < 16
    assert spec(Description.from_dict(world.description.to_dict())).description == world.description


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("sensors: [sonar]", "unknown sensor function 'sonar'"),
        ("sensors: [{name: walls_around, quality: high}]", "a number is expected"),
        ("sensors: [{name: color}]", "color needs colors"),
    ],
)
def test_wrong_sensors_are_told(line: str, said: str) -> None:
    assert said in refusal(WORLD + line + "\n")


@pytest.mark.parametrize("probability", [-0.2, 1.5])
def test_what_is_no_probability_is_refused_with_its_line(probability: float) -> None:
    slip = f"{{name: slip, transition_function: move_agent, probability: {probability}}}"
    said = refusal("shape: [2, 2]\nobjects: [Floor]\nreset: empty\n" + f"transitions: [{slip}]\n")
    assert f"a probability is between 0 and 1, got {probability}" in said and "file.yaml:4" in said


def test_a_word_that_is_none_of_those_declared_is_refused_with_its_line() -> None:
    slip = "{name: slip, transition_function: move_agent, probability: 0.1, slip_type: sideways}"
    said = refusal("shape: [2, 2]\nobjects: [Floor]\nreset: empty\n" + f"transitions: [{slip}]\n")
    assert "slip takes as slip_type 'longitudinal' or 'perpendicular', not 'sideways'" in said
    assert "file.yaml:4" in said


@pytest.mark.parametrize(
    ("changes", "headings"),
    [
        ({}, False),
        ({"observation": {"name": "fully_transparent", "area": [[-1, 1], [-1, 1]]}}, False),
        ({"observation": {"name": "fully_transparent", "area": [[-2, 0], [-1, 1]]}}, True),
        ({"actions": ["UP", "DOWN", "TURN_LEFT"]}, True),
        ({"actions": ["UP", "DOWN", "WAIT"]}, False),
    ],
)
def test_agents_have_a_heading_where_it_matters(changes, headings):
    data = catalogue.description("FourByThree").to_dict() | changes
    assert spec(Description.from_dict(data)).vocabulary.headings is headings
    assert spec(catalogue.description("KeyDoor-5x5")).vocabulary.headings
