"""Descriptions: short forms, defaults, round trips, and every structural mistake with its place."""

import copy
import keyword
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from gridarium.worlds import Description, DescriptionError, loads
from gridarium.worlds.files import yaml_io

WORLD = """\
name: Small
shape: [5, 6]
objects: [Floor, Wall, Exit, Key]
colors: [YELLOW]
reset: empty
transitions:
  - move_agent
  - turn_agent
rewards:
  - reach_exit
terminations: [reach_exit]
"""

words = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,8}", fullmatch=True)
values = st.booleans() | st.integers(-9, 9) | st.floats(-1e9, 1e9) | st.text("abc: #'\n[]{}1e.5", max_size=6)
entries = st.recursive(
    words | st.fixed_dictionaries({"name": words}, optional={"a": values, "b": st.lists(values, max_size=3)}),
    lambda inner: st.fixed_dictionaries(
        {"name": words, "inner": inner, "several": st.lists(inner, max_size=2)}
    ),
    max_leaves=4,
)
field_names = words.filter(lambda word: not word.startswith("_") and not keyword.iskeyword(word))
defaults = {"bool": st.booleans(), "int": st.integers(-9, 9), "float": st.floats(-1e9, 1e9)}
fields = st.lists(
    st.one_of(
        st.fixed_dictionaries({"name": field_names, "type": st.just(name)}, optional={"default": default})
        for name, default in defaults.items()
    ),
    max_size=2,
    unique_by=lambda f: f["name"],
)
actions = st.lists(words, min_size=1, max_size=4, unique=True)
descriptions = st.fixed_dictionaries(
    {
        "shape": st.tuples(st.integers(1, 9), st.integers(1, 9)).map(list),
        "objects": st.lists(words, min_size=1, max_size=4, unique=True),
        "reset": entries,
        "transitions": st.lists(entries, min_size=1, max_size=3),
    },
    optional={
        "description": st.text("ab c:#\n'\"", max_size=9),
        "colors": st.lists(words, max_size=3, unique=True),
        "fields": st.fixed_dictionaries({}, optional={"agent": fields, "world": fields, "cell": fields}),
        "rewards": st.lists(entries, max_size=2),
        "observation": entries,
        "agents": st.integers(1, 4) | st.just([{"name": "a", "orientation": "LEFT"}, {"start": [0, 0]}]),
        "turn_order": st.sampled_from(["all", "cycle", "rotating"]),
        "representation": st.sampled_from(["compact", {"name": "rgb", "tile": 16}]),
        "time_limit": st.integers(1, 99),
        "edges": st.booleans(),
    },
)


def refusal(text: str) -> str:
    with pytest.raises(DescriptionError) as caught:
        loads(text, source="file.yaml")
    return str(caught.value)


def changed(old: str, new: str) -> str:
    assert old in WORLD
    return WORLD.replace(old, new)


@settings(deadline=None)
@given(descriptions)
def test_descriptions_survive_dicts_and_yaml(data: dict[str, object]) -> None:
    described = Description.from_dict(data)
    assert Description.from_dict(described.to_dict()) == described
    again = Description.from_dict(yaml_io.read_text(described.to_yaml()).data)
    assert again == described
    assert hash(again) == hash(described)
    assert again.to_yaml() == described.to_yaml()


def test_short_forms_and_long_forms_are_equal() -> None:
    long = changed("  - move_agent", "  - {name: move_agent}")
    long = long.replace("colors: [YELLOW]", "colors: [{name: YELLOW}]").replace(
        "reset: empty", "reset:\n  name: empty"
    )
    assert loads(long + "agents: [{}]\nrepresentation: {name: default}\n") == loads(WORLD)


def test_what_has_its_default_is_not_written() -> None:
    assert (
        loads(WORLD + "time_limit: null\nedges: false\nagents: 1\nconflicts: order\n").to_yaml()
        == loads(WORLD).to_yaml()
    )
    assert loads(WORLD + "agents: 3\n").to_dict()["agents"] == 3
    assert loads(WORLD + "agents: [{name: ann}, {}]\n").to_dict()["agents"] == [{"name": "ann"}, {}]


def test_a_description_never_changes() -> None:
    described = loads(WORLD)
    with pytest.raises(ValidationError):
        described.version = 3  # type: ignore[misc]
    with pytest.raises(ValidationError):
        described.rewards[0].reward_on = 3.0  # type: ignore[attr-defined]
    described.to_dict()["objects"].append("Door")
    assert described.objects == ("Floor", "Wall", "Exit", "Key")


def test_descriptions_can_be_copied_pickled_and_used_as_keys() -> None:
    described = loads(WORLD)
    assert pickle.loads(pickle.dumps(described)) == copy.deepcopy(described) == described
    assert {described: 1}[loads(WORLD)] == 1
    assert described != loads(WORLD + "version: 1\n")
    assert described != "Small"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("name: Small", "nmae: Small", "file.yaml:1: nmae: unknown key 'nmae'; did you mean 'name'? known: name, version, "),
        ("name: Small", "name: a b", "file.yaml:1: name: letters, digits and underscores are expected (names also take . and -), not 'a b'"),
        ("name: Small", "name: 3", "file.yaml:1: name: a text is expected, not 3"),
        ("shape: [5, 6]\n", "", "file.yaml:1: 'shape' is missing: the height and width of the world"),
        ("[5, 6]", "[5]", "file.yaml:2: shape: entry 1 is missing"),
        ("[5, 6]", "[5, 0]", "file.yaml:2: shape[1]: should be greater than or equal to 1, got 0"),
        ("[5, 6]", "[5, 6.0]", "file.yaml:2: shape[1]: a whole number is expected, not 6.0"),
        ("[5, 6]", "[5, true]", "file.yaml:2: shape[1]: a whole number is expected, not True"),
        ("[5, 6]", "[5, 100000]", "file.yaml:2: shape[1]: should be less than or equal to 1024, got 100000"),
        ("[5, 6]", "5x6", "file.yaml:2: shape: a list is expected, not '5x6'"),
        ("[Floor, Wall, Exit, Key]", "[]", "file.yaml:3: objects: at least 1 needed, got 0"),
        ("[Floor, Wall, Exit, Key]", "[Floor, Wall, Wall]", "file.yaml:3: objects[2]: Wall is listed twice"),
        ("objects: [Floor, Wall, Exit, Key]\n", "", "file.yaml:1: 'objects' is missing"),
        ("[YELLOW]", "[YELLOW, YELLOW]", "file.yaml:4: colors[1].name: YELLOW is listed twice"),
        ("[YELLOW]", "[{name: PINK, rgb: [1, 2]}]", "file.yaml:4: colors[0].rgb: entry 2 is missing"),
        ("[YELLOW]", "[{name: PINK, rgb: [1, 2, 300]}]", "file.yaml:4: colors[0].rgb[2]: should be less than or equal to 255, got 300"),
        ("[YELLOW]", "[{name: PINK, mark: p}]", "file.yaml:4: colors[0]: a new color needs 'rgb' as well"),
        ("reset: empty\n", "", "file.yaml:1: a world has a 'reset' rule, a 'map' or 'maps'; none is given"),
        ("reset: empty", "reset: [empty]", "file.yaml:5: reset: a name or a mapping is expected, not ('empty',)"),
        ("reset: empty", "reset: {nam: empty}", "file.yaml:5: reset: 'name' is missing"),
        ("reset: empty", "reset: {name: empty, x: [{a: 1}]}", "file.yaml:5: reset.x[0]: 'name' is missing"),
        ("  - turn_agent", "  -", "file.yaml:8: transitions[1]: a name or a mapping is expected, not None"),
        ("  - turn_agent", "  - {name: ''}", "file.yaml:8: transitions[1].name: a longer text is expected, not ''"),
        ("rewards:\n  - reach_exit\n", "rewards:\n", "file.yaml:9: rewards: a list is expected, not None"),
        ("terminations", "agents: 0\nterminations", "file.yaml:11: agents: 1 to 255 agents are possible, got 0"),
        ("terminations", "agents: 1000000000\nterminations", "file.yaml:11: agents: 1 to 255 agents are possible"),
        ("terminations", "agents: [{start: [9, 1]}]\nterminations", "file.yaml:11: agents[0].start: outside the grid of 5 x 6"),
        ("terminations", "agents: [{actions: [FLY]}]\nterminations", "file.yaml:11: agents[0].actions[0]: 'FLY' is not among the world's actions: MOVE_FORWARD, "),
        ("terminations", "agents: [{actions: []}]\nterminations", "file.yaml:11: agents[0].actions: an agent needs at least one action"),
        ("terminations", "agents: [{name: a}, {name: a}]\nterminations", "file.yaml:11: agents[1].name: a is listed twice"),
        ("terminations", "agents: [{orientation: NORTH}]\nterminations", "file.yaml:11: agents[0].orientation: 'NORTH' is not among: FORWARD, BACKWARD, LEFT, RIGHT"),
        ("terminations", "turn_order: any\nterminations", "file.yaml:11: turn_order: 'any' is not among: all, cycle, rotating"),
        ("terminations", "actions: [{name: DROP, over: {thing: thingz}}]\nterminations", "file.yaml:11: actions[0].over.thing: 'thingz' is not among: cells, rows, columns, agents, things"),
        ("terminations", "actions: [{name: DROP, over: {n: 0}}]\nterminations", "file.yaml:11: actions[0].over.n: should be greater than or equal to 1, got 0"),
        ("terminations", "time_limit: 0\nterminations", "file.yaml:11: time_limit: should be greater than or equal to 1, got 0"),
        ("terminations", "time_limit: 1.5\nterminations", "file.yaml:11: time_limit: a whole number is expected, not 1.5"),
        ("terminations", "representation: rbg\nterminations", "file.yaml:11: representation.name: 'rbg' is not among: default, no-overlap, compact, symbolic, rgb"),
        ("terminations", "fields: {agent: [{name: e, type: real}]}\nterminations", "file.yaml:11: fields.agent[0].type: 'real' is not among: bool, int, float"),
        ("terminations", "fields: {agent: [{name: e}, {name: e}]}\nterminations", "file.yaml:11: fields.agent[1].name: e is listed twice"),
        ("terminations", "fields: {agent: [{name: e, default: twenty}]}\nterminations", "file.yaml:11: fields.agent[0].default: a number is expected, not 'twenty'"),
        ("terminations", "fields: {agent: [{name: e, type: int, default: 0.5}]}\nterminations", "file.yaml:11: fields.agent[0]: field e: its default must be of type int, not 0.5"),
        ("terminations", "representation: {fields: [e]}\nterminations", "file.yaml:11: representation.fields[0]: 'e' is not a declared field of the world or of its agents; known: none"),
        ("terminations", "fields: {agents: []}\nterminations", "file.yaml:11: fields.agents: unknown key 'agents'; did you mean 'agent'? known: world, agent, cell"),
        ("terminations", "map: {picture: '...'}\nterminations", "file.yaml:11: map: a world has a 'reset' rule, a 'map' or 'maps'; reset and map are given"),
    ],
)  # fmt: skip
def test_each_mistake_is_named_with_file_line_and_place(old: str, new: str, message: str) -> None:
    assert refusal(changed(old, new)).startswith(message)


def test_all_mistakes_are_named_at_once_in_the_order_of_the_file() -> None:
    text = changed("[5, 6]", "[0, 6]").replace("reset: empty", "reste: empty") + "agents: 0\n"
    lines = refusal(text).splitlines()
    assert [line.split(":")[1] for line in lines] == ["2", "5", "12"]


def test_without_a_file_the_place_alone_is_named() -> None:
    with pytest.raises(DescriptionError, match=r"^shape\[0\]: should be greater") as caught:
        Description.from_dict({**loads(WORLD).to_dict(), "shape": [0, 1]})
    assert caught.value.problems[0].path == ("shape", 0)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([1, 2], r"^a description must be a mapping, not a list"),
        ("name", r"^a description must be a mapping, not a str"),
        ({"name": object()}, r"^name: is a object; a description holds numbers, texts, lists and mappings"),
        ({"time_limit": float("nan")}, r"time_limit: nan is not a finite number"),
        ({"time_limit": 1 << 70}, r"time_limit: a number that does not fit into 64 bits"),
        ({3: 4}, r"^a key must be a string, not 3"),
        ({"description": "x" * 30_000}, r"description: a text of 30000 characters; at most 20000"),
    ],
)
def test_only_plain_data_describes_a_world(given: object, message: str) -> None:
    with pytest.raises(DescriptionError, match=message):
        Description.from_dict(given)  # type: ignore[arg-type]


def test_data_that_contains_itself_is_refused() -> None:
    endless: dict[str, object] = {}
    endless["reset"] = endless
    with pytest.raises(DescriptionError, match="nested deeper than 24 levels"):
        Description.from_dict(endless)


def test_a_field_by_its_name_alone_is_a_number_that_begins_at_zero() -> None:
    (field,) = loads(changed("terminations", "fields: {agent: [energy]}\nterminations")).fields.agent
    assert (field.name, field.type, field.default) == ("energy", "float", 0)
