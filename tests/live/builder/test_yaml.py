"""Builders as YAML: read, written, and refused with lines."""

import functools
import math
import sys

import pytest

from gridarium.live.brains import (
    AgentBrain,
    HumanAgentBrain,
    LanguageModelBrain,
    PatrollingAgentBrain,
    PlannerBrain,
    PolicyBrain,
)
from gridarium.live.builder import RandomOrder, RandomProperty, WorldBuilder, builder_from_dict, load_builder
from gridarium.live.goals import CollectionGoal, LimitedTimeGoal, WorldGoal
from gridarium.live.loggers import LogActions
from gridarium.live.objects import AgentBody, SquareBlock
from gridarium.live.perception import SenseCapability
from gridarium.worlds.entries.problems import DescriptionError

TEXT = """\
shape: [12, 8]
tick_duration: 0.1
simulation_goal: [100]
contents:
  - room: {name: hall, top_left_location: [0, 0], width: 5, height: 5, door_locations: [[2, 4]], with_area_tiles: true}
  - object:
      name: box
      location: [7, 2]
      callable_class: SquareBlock
      visualize_colour: {random: ['#ff0000', '#0000ff'], distribution: [3, 1]}
      probability: 0.5
  - agent:
      name: Guard
      location: [2, 2]
      agent_brain: {class: PatrollingAgentBrain, waypoints: [[2, 5], [2, 2]]}
      sense_capability: {AgentBody: 3, '*': null, line_of_sight: true}
      team: [guards, night]
  - collection_goal:
      name: zone
      collection_locs: [[7, 7]]
      collection_objects: {random_order: [{visualize_colour: '#ff0000'}, {visualize_colour: '#0000ff'}], length: 1}
"""


class Own(AgentBrain):
    def __init__(self, speed=1):
        super().__init__()
        self.speed = speed


class OwnGoal(WorldGoal):
    def __init__(self, size):
        super().__init__()
        if size < 0:
            raise ValueError("size is 0 or more")


def everything():
    """A builder with all that a file can hold."""
    builder = WorldBuilder((20, 20), 0, 3, [50, functools.partial(OwnGoal, size=2)], "#010203", "sky.png")
    builder.add_room((0, 0), 5, 5, "r", [(2, 4)], doors_open=RandomProperty([True, False]))
    builder.add_room(
        (6, 0), 5, 5, "q", wall_custom_properties={"brick": True}, wall_visualize_colour="#222222"
    )
    builder.add_object(
        (1, 1), "box", SquareBlock, tags=["a", {"b": RandomProperty([1, 2], None, False, True)}]
    )
    builder.add_object_prospect((2, 1), "maybe", 0.25, is_traversable=True)
    builder.add_multiple_objects([(12, 1), (13, 1)], "stones", is_movable=True)
    builder.add_area((1, 6), 2, 2, "lawn", visualize_opacity=0.5, wet=True)
    builder.add_smoke_area((4, 6), 2, 2, "smoke", smoke_thickness_multiplier=2)
    builder.add_line((8, 8), (12, 10), "fence", visualize_size=0.5)
    builder.add_agent((15, 1), Own, "A", SenseCapability({AgentBody: 2, None: math.inf}), team="t")
    builder.add_agent((15, 2), functools.partial(Own, speed=2), "B", possible_actions=["MoveNorth"])
    builder.add_agent_prospect((15, 3), Own, 0.5, "C")
    builder.add_human_agent((15, 4), HumanAgentBrain, key_action_map={"w": "MoveNorth"}, is_traversable=True)
    builder.add_goal(CollectionGoalOf)
    builder.add_collection_goal("z", [(1, 10), (2, 10)], RandomOrder([{"a": 1}, {"b": 2}]), in_order=True)
    builder.add_logger(LogActions, 2, "somewhere", delimiter=",")
    return builder


class CollectionGoalOf(LimitedTimeGoal):
    def __init__(self):
        super().__init__(9)


def contents_of(world):
    everybody = [*world.environment_objects.values(), *world.registered_agents.values()]
    return [(type(o), o.properties) for o in everybody]


def said(call):
    with pytest.raises(DescriptionError) as caught:
        call()
    return str(caught.value)


def test_a_file_becomes_a_builder():
    world = load_builder(TEXT).get_world(compiled=False)
    assert world.shape == (12, 8)
    body = world.registered_agents["guard"]
    assert body.teams == ["guards", "night"]
    assert body.sense_capability.line_of_sight
    assert isinstance(world.simulation_goal[1], CollectionGoal)


def test_what_is_written_reads_back_the_same():
    for text in (TEXT, everything().to_yaml()):
        builder = load_builder(text, allow_imports=True)
        again = load_builder(builder.to_yaml(), allow_imports=True)
        assert again.to_dict() == builder.to_dict()
        assert contents_of(again.get_world(compiled=False)) == contents_of(builder.get_world(compiled=False))


def test_a_builder_read_back_makes_the_same_worlds_as_the_one_written():
    builder = everything()
    again = load_builder(builder.to_yaml(), allow_imports=True)
    for one, other in zip(builder.worlds(3, compiled=False), again.worlds(3, compiled=False), strict=True):
        assert contents_of(one) == contents_of(other)
        assert len(one.simulation_goal) == len(other.simulation_goal) == 4
        assert [vars(a).get("delimiter") for a in one.loggers] == [","]


def test_all_problems_are_reported_with_their_lines(tmp_path):
    file = tmp_path / "bad.yaml"
    file.write_text(
        """\
shape: [5, 5]
contents:
  - object: {name: x}
  - objekt: {name: x}
  - object:
      name: x
      location: [1, 9]
      callable_class: Dor
  - object:
      name: x
      location: [1, 9]
  - agent: {name: x, location: [1, 2], agent_brain: PatrollingAgentBrain}
  - agent: {name: x, location: [1, 2], agent_brain: {class: PatrollingAgentBrain, waypoints: [], speed: 3}}
  - agent: {name: x, location: [1, 2], agent_brain: Door}
  - object: {name: x, location: [1, 2], weight: {random: []}}
  - object: {name: x, location: [1, 2], weight: {random: [1], often: 3}}
  - agent: {name: x, location: [1, 2], agent_brain: AgentBrain, sense_capability: {Wall: -1}}
  - goal: {world_goal: soon}
  - [room]
"""
    )
    lines = said(lambda: load_builder(file)).splitlines()
    found = [line.removeprefix(f"{file}:").partition(": contents")[0] for line in lines]
    assert found == ["3", "4", "5", "8", "9", "12", "13", "14", "15", "16", "17", "18", "19"]
    for part, line in {
        "'location' is missing": 0,
        "did you mean 'object'?": 1,
        "(1, 9) is outside the world of 5 x 5 cells": 2,
        "did you mean 'Door'?": 3,
        "[3].object: (1, 9) is outside the world of 5 x 5 cells": 4,
        "missing a required argument: 'waypoints'": 5,
        "unexpected keyword argument 'speed'": 6,
        "unknown class 'Door'": 7,
        "at least one value": 8,
        "unknown key 'often'": 9,
        "0 or more": 10,
        "unknown class 'soon'": 11,
        "a mapping with one key": 12,
    }.items():
        assert part in lines[line]


def test_a_problem_at_the_top_or_of_an_argument_hides_no_other():
    text = """\
shape: [14, x]
goals: 3
contents:
  - rom: {}
  - object: {name: x, location: [2, 1], visualize_colour: green, weight: {random: []}, probability: 7}
  - agent: {location: [1, 1], agent_brain: Foo, sense_capability: {Foo: 3}}
"""
    lines = said(lambda: load_builder(text)).splitlines()
    assert [line.split(":")[0] for line in lines] == [f"line {n}" for n in (1, 2, 4, 5, 5, 5, 6, 6, 6)]
    for words, line in {"shape[1]": 0, "'goals'": 1, "'name' is missing": 8}.items():
        assert words in " ".join(lines[line:])


@pytest.mark.parametrize(
    ("brain", "made"),
    [
        ("{class: PolicyBrain, policy: random}", PolicyBrain),
        ("{class: PlannerBrain, planner: scripted}", PlannerBrain),
        (
            "{class: LanguageModelBrain, client: {model: llama3.2, address: 'http://localhost:1/v1'}, reach: {grab_range: 2}}",
            LanguageModelBrain,
        ),
    ],
)
def test_a_file_makes_brains_around_policies_planners_and_language_models(brain, made):
    text = f"shape: [3, 3]\ncontents:\n  - agent: {{name: A, location: [0, 0], agent_brain: {brain}}}\n"
    builder = load_builder(load_builder(text).to_yaml())
    world = builder.get_world(compiled=False)
    assert type(world.brains["a"]) is made
    if made is LanguageModelBrain:
        client = world.brains["a"].client
        assert (client.llm, client.address) == ("llama3.2", "http://localhost:1/v1")
        assert world.brains["a"].reach.grab_range == 2


@pytest.mark.parametrize(
    ("brain", "message"),
    [
        ("{class: PolicyBrain, policy: nowhere.npz}", "no file 'nowhere.npz', and no policy of this name; there are random"),
        ("{class: PlannerBrain, planner: {depth: 3}}", "a policy is a function or a class"),
        ("{class: LanguageModelBrain, client: {class: LLMClient, model: m}}", "client has no 'class'; it has model, address"),
        ("{class: LanguageModelBrain, client: {address: 'http://x/v1'}}", "client needs 'model'"),
        ("{class: LanguageModelBrain, client: {model: m, address: x}}", "an address begins with http"),
        ("{class: LanguageModelBrain, client: llama}", "client speaks with a model: an object with chat_completion, or"),
        ("{class: LanguageModelBrain, client: {model: m, address: 'http://x'}, reach: {arm: 2}}", "'arm'"),
    ],
)  # fmt: skip
def test_what_a_brain_of_the_library_cannot_be_made_of_is_refused(brain, message):
    text = f"shape: [3, 3]\ncontents:\n  - agent: {{name: A, location: [0, 0], agent_brain: {brain}}}\n"
    assert message in said(lambda: load_builder(text))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("shap: [3, 3]\ncontents: []\n", "unknown key 'shap'; did you mean 'shape'?"),
        ("contents: []\n# none\n", "'shape' is missing"),
        ("- 3\n- 4\n", "a mapping with the keys shape"),
        ("shape: [3, 3]\ncontents: 3\n", "contents: a list is expected"),
        ("shape: [3, 3]\nsimulation_goal: {class: LimitedTimeGoal}\n", "missing a required argument"),
        ("shape: [3, 3]\nsimulation_goal: {class: LimitedTimeGoal, max_nr_ticks: x}\n", "max_nr_ticks"),
        ("shape: [3, x]\nrandom_seed: -1\n", "shape[1]"),
    ],
)
def test_what_is_wrong_at_the_top_is_reported(text, message):
    assert message in said(lambda: load_builder(text))


OWN = """\
shape: [4, 4]
contents:
  - agent: {name: A, location: [0, 0], agent_brain: 'own_brains:Quick'}
"""


@pytest.fixture
def own_modules(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "own_brains.py").write_text(
        "from gridarium.live.brains import AgentBrain\nclass Quick(AgentBrain): pass\nx = 3\n"
    )
    yield tmp_path
    sys.modules.pop("own_brains", None)


def test_files_import_modules_only_where_that_is_allowed(own_modules):
    assert "may not import code unless it is loaded with allow_imports=True" in said(
        lambda: load_builder(OWN)
    )
    assert "own_brains" not in sys.modules
    builder = load_builder(OWN, allow_imports=True)
    assert builder.to_dict()["contents"][0]["agent"]["agent_brain"] == "own_brains:Quick"


def test_modules_may_be_named_once(own_modules):
    text = OWN.replace("own_brains:Quick", "Quick") + "modules: [own_brains]\n"
    builder = load_builder(text, allow_imports=True)
    assert builder.to_dict()["modules"] == ["own_brains"]
    assert "modules[0]: own_brains is refused" in said(lambda: load_builder(text))


def test_what_is_not_a_class_of_brains_is_refused(own_modules):
    for name in ("own_brains:x", "own_brains:AgentBrains", "os:system"):
        assert "agent_brain" in said(
            lambda name=name: load_builder(OWN.replace("own_brains:Quick", name), allow_imports=True)
        )


def test_what_a_file_cannot_name_is_refused_with_its_place():
    class Local(AgentBrain):
        pass

    builder = WorldBuilder((9, 9), simulation_goal=OwnGoal(3))
    builder.add_agent((0, 0), Own(), "instance")
    builder.add_agent((1, 0), Local, "local class")
    builder.add_agent((2, 0), lambda: Own(), "function")
    builder.add_object((0, 1), "x", data=object())
    builder.add_object((0, 2), "x", data={"random": 3})
    text = said(builder.to_yaml)
    for place in ("simulation_goal[0]", *(f"contents[{i}]" for i in range(5))):
        assert place in text
    assert "functools.partial" in text
    builder.get_world(compiled=False)


def test_plain_data_of_python_is_as_good_as_a_file():
    builder = builder_from_dict(
        {"shape": (4, 4), "contents": [{"object": {"name": "x", "location": (1, 1), "size": (1, 2)}}]}
    )
    assert builder.to_dict()["contents"] == [{"object": {"location": [1, 1], "name": "x", "size": [1, 2]}}]


def test_brains_of_the_library_are_named_without_their_module():
    builder = WorldBuilder((4, 4))
    builder.add_agent((0, 0), functools.partial(PatrollingAgentBrain, waypoints=[(1, 1)]), "P")
    assert builder.to_dict()["contents"][0]["agent"]["agent_brain"] == {
        "class": "PatrollingAgentBrain",
        "waypoints": [[1, 1]],
    }


def test_a_random_property_of_several_objects_stays_one():
    builder = WorldBuilder((9, 9))
    dealt = RandomProperty(range(6), allow_duplicates=False, reset_each_world=True)
    for x in range(6):
        builder.add_object((x, 0), "card", value=dealt)
    data = builder.to_dict()
    assert data["random"]["random_1"]["random"] == list(range(6))
    assert {str(each["object"]["value"]) for each in data["contents"]} == {"{'random': 'random_1'}"}
    for world in builder_from_dict(data).worlds(2, compiled=False):
        assert sorted(o.properties["value"] for o in world.environment_objects.values()) == list(range(6))
    assert "unknown random property 'x'" in said(
        lambda: builder_from_dict({"shape": [2, 2], "contents": [{"object": {"v": {"random": "x"}}}]})
    )
    assert "random.x: a random property is expected" in said(
        lambda: builder_from_dict({"shape": [2, 2], "random": {"x": 3}})
    )


def test_problems_of_a_text_are_reported_with_their_lines():
    assert said(lambda: load_builder("shape: [5, 5]\ncontents: [\n")).startswith("line 3: ")
    assert said(lambda: load_builder("shape: [5, 5]\nsped: 1\n")).startswith(
        "line 2: sped: unknown key 'sped'"
    )
