"""gym-gridverse's YAML files load unchanged."""

import warnings

import pytest

from gridarium.engine import World
from gridarium.env import GridariumEnv
from gridarium.world import Color
from gridarium.worlds import Description, DescriptionError, catalogue, loads, spec
from gridarium.worlds.files.yaml_io import read_text

TELEPORT = """\
state_space:
  objects: [ Wall, Floor, Exit, Telepod ]
  colors: [ NONE, RED ]

action_space:
  - MOVE_FORWARD
  - MOVE_BACKWARD
  - MOVE_LEFT
  - MOVE_RIGHT
  - TURN_LEFT
  - TURN_RIGHT

observation_space:
  objects: [ Wall, Floor, Exit, Telepod ]
  colors: [ NONE, RED ]

reset_function:
  name: teleport
  shape: [ 5, 5 ]

transition_functions:
  - name: move_agent
  - name: turn_agent
  - name: teleport

reward_functions:
  - name: reach_exit
    reward_on: 5.0
    reward_off: 0.0
  - name: getting_closer
    distance_function: manhattan
    object_type: Exit
    reward_closer: 0.2
    reward_further: -0.2
  - name: living_reward
    reward: -0.05

observation_function:
  name: partially_occluded
  area: [ [ -6, 0 ], [-3, 3 ] ]

terminating_function:
  name: reach_exit
"""
PROSE = ("name", "aliases", "description", "source")


def read(text: str) -> Description:
    return loads(text, source="gv.yaml")


def refusal(text: str) -> str:
    with pytest.raises(DescriptionError) as caught:
        read(text)
    return str(caught.value)


def test_a_file_means_the_same_as_the_catalogues_own() -> None:
    own = catalogue.description("Teleport-5x5").to_dict()
    assert read(TELEPORT).to_dict() == {key: value for key, value in own.items() if key not in PROSE}


def test_without_actions_there_are_gridverses_eight() -> None:
    text = TELEPORT[: TELEPORT.index("action_space")] + TELEPORT[TELEPORT.index("observation_space") :]
    assert len(spec(read(text)).actions) == 8


def test_objects_and_colors_of_both_spaces_are_known() -> None:
    text = TELEPORT.replace("[ Wall, Floor, Exit, Telepod ]", "[ Wall, Floor ]", 1).replace(
        "[ NONE, RED ]", "[ NONE ]", 1
    )
    described = read(text)
    assert described.objects == ("Wall", "Floor", "Exit", "Telepod")
    assert Color.RED in spec(described).vocabulary.colors.values()


def test_parameters_that_gridverse_ignores_are_ignored_with_a_warning() -> None:
    text = TELEPORT.replace("  shape: [ 5, 5 ]\n", "  shape: [ 5, 5 ]\n  random_agent: True\n")
    with pytest.warns(
        UserWarning, match="gv.yaml:20: teleport has no parameter 'random_agent'; it is ignored"
    ):
        described = read(text)
    assert described == read(TELEPORT)
    nested = TELEPORT.replace(
        "  name: reach_exit\n",
        "  name: reduce_any\n  terminating_functions:\n    - {name: reach_exit, x: 1}\n",
    )
    with pytest.warns(UserWarning, match="gv.yaml:45: reach_exit has no parameter 'x'; it is ignored"):
        read(nested)


def test_keys_of_both_formats_may_stand_together() -> None:
    with warnings.catch_warnings():
        described = read("name: Mine\n" + TELEPORT + "time_limit: 20\nrepresentation: compact\n")
    assert (described.name, described.time_limit, described.representation.name) == ("Mine", 20, "compact")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("  name: teleport\n", "  name: {}\n", "gv.yaml:18: reset_function.name: a text is expected, not {}"),
        ("object_type: Exit", "object_type: Exlt", "gv.yaml:32: reward_functions[1].object_type: unknown object 'Exlt'; did you mean 'Exit'? known: "),
        ("- name: turn_agent", "- name: trun_agent", "gv.yaml:23: transition_functions[1].name: unknown transition function 'trun_agent'; did you mean 'turn_agent'"),
        ("[ 5, 5 ]", "[ 5, 0 ]", "gv.yaml:19: reset_function.shape[1]: should be greater than or equal to 1, got 0"),
        ("  name: teleport\n", "  nam: teleport\n", "gv.yaml:17: reset_function: 'name' is missing"),
        ("terminating_function:\n  name: reach_exit", "terminating_function:\n  name: reach_exti", "gv.yaml:43: terminating_function.name: unknown terminating function 'reach_exti'"),
        ("  colors: [ NONE, RED ]", "  colors: [ NONE, REDD ]", "gv.yaml:3: state_space.colors[1]: unknown color 'REDD'; did you mean 'RED'?"),
        ("  colors: [ NONE, RED ]", "  colors: RED", "gv.yaml:3: state_space.colors: a list is expected"),
        ("  colors: [ NONE, RED ]", "  colours: [ RED ]", "gv.yaml:3: state_space.colours: unknown key; known: objects, colors"),
        ("  - MOVE_FORWARD", "  - MOVE_FORWARDS", "gv.yaml:6: action_space[0]: unknown action 'MOVE_FORWARDS'; did you mean 'MOVE_FORWARD'"),
        ("terminating_function:\n  name: reach_exit\n", "terminating_function:\n  name: reach_exit\nshape: [5, 5]\n", "gv.yaml:19: reset_function.shape: stands for 'shape', which is given as well"),
        ("reset_function:\n  name: teleport\n  shape: [ 5, 5 ]\n", "reset_function: 3\n", "gv.yaml:17: reset_function: a mapping is expected"),
        (TELEPORT[TELEPORT.index("transition_functions") : TELEPORT.index("reward_functions")], "", "gv.yaml:1: 'transition_functions' is missing"),
        ("area: [ [ -6, 0 ], [-3, 3 ] ]", "area: 7", "gv.yaml:40: observation_function.area: an area is [[ymin, ymax], [xmin, xmax]], not 7"),
    ],
)  # fmt: skip
def test_mistakes_are_named_as_they_stand_in_the_file(old: str, new: str, message: str) -> None:
    assert old in TELEPORT
    assert message in refusal(TELEPORT.replace(old, new, 1))


def test_a_mapping_means_the_same_as_the_text() -> None:
    data = read_text(TELEPORT).data
    described = Description.from_dict(data)
    assert described == read(TELEPORT)
    assert described.origin.data is None
    for world in (World(data, compiled=False), GridariumEnv(data, compiled=False).world):
        assert world.spec.description == described
    assert Description.from_dict({"name": "Mine", **data, "time_limit": 7}).time_limit == 7


def test_mistakes_in_a_mapping_are_named_as_they_stand_there() -> None:
    data = read_text(TELEPORT).data
    data["state_space"]["objects"] = "Wall"
    data["reset_function"] = 3
    with pytest.raises(DescriptionError) as raised:
        Description.from_dict(data)
    said = str(raised.value)
    assert (
        "state_space.objects: a list is expected" in said and "reset_function: a mapping is expected" in said
    )
    with pytest.raises(DescriptionError, match=r"^terminating_function\.name: .*'reach_exi'"):
        World(read_text(TELEPORT.replace("  name: reach_exit\n", "  name: reach_exi\n")).data)
