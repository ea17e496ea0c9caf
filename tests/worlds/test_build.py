"""Worlds written in Python: functions and classes in the place of names."""

import sys
from functools import partial

import pytest

from gridarium.rules.observation_functions import from_visibility
from gridarium.rules.reward_functions import getting_closer, overlap
from gridarium.rules.transition_functions import chain, move_agent, turn_agent
from gridarium.rules.visibility_functions import raytracing
from gridarium.world import (
    Action,
    Area,
    Box,
    Color,
    Door,
    Field,
    Floor,
    GridObject,
    Key,
    Orientation,
    Position,
    Shape,
    Wall,
)
from gridarium.worlds import Description, DescriptionError, Spec, spec
from tests.worlds import custom_rules
from tests.worlds.custom_rules import JUMP, MAUVE, Coin, coins, collect, unregistered


def plain_reset(state, *, thing, rng=None):
    state.grid[0, 0] = thing


def build(**changes: object) -> Spec:
    given: dict[str, object] = {
        "name": "Coins",
        "shape": Shape(4, 5),
        "objects": [Floor, Wall, Coin],
        "colors": [MAUVE, Color.RED],
        "actions": [Action.MOVE_FORWARD, JUMP],
        "reset": partial(coins, number=3),
        "transitions": [move_agent, "turn_agent", collect, unregistered],
        "rewards": [partial(overlap, object_type=Coin, reward_on=2.0)],
    }
    return Spec.build(**given | changes)


def test_functions_classes_and_values_may_stand_for_names() -> None:
    world = build()
    assert world.shape == Shape(4, 5)
    assert world.reset.func is coins
    assert [t.rule.func for t in world.transitions] == [move_agent, turn_agent, collect, unregistered]
    assert world.rewards[0].keywords == {"object_type": Coin, "reward_on": 2.0}
    assert world.actions == (Action.MOVE_FORWARD, JUMP)


class Worth:
    """A reward with a setting, called like a function."""

    def __init__(self, each: float) -> None:
        self.each = each

    def __call__(self, state, action, next_state):
        return self.each


def test_objects_that_can_be_called_are_rules_too() -> None:
    world = build(rewards=[Worth(2.0), partial(Worth(3.0))])
    assert [rule(None, None, None) for rule in world.rewards] == [2.0, 3.0]
    assert world.rewards[0].func.__self__.each == 2.0


def test_a_rule_made_from_text_is_a_rule_too() -> None:
    scope: dict[str, object] = {}
    exec("def made(state, action, next_state):\n    return 5.0\n", scope)
    world = build(rewards=[scope["made"]])
    assert world.rewards[0](None, None, None) == 5.0
    assert world.description.to_dict()["rewards"] == [":made"]


def test_the_description_names_built_in_things_plainly_and_own_things_by_module() -> None:
    data = build().description.to_dict()
    assert data["objects"] == ["Floor", "Wall", "tests.worlds.custom_rules:Coin"]
    assert data["colors"] == [{"name": "MAUVE", "rgb": [183, 132, 167], "mark": "m"}, "RED"]
    assert data["actions"] == ["MOVE_FORWARD", {"name": "JUMP_FAR", "declare": True}]
    assert data["reset"] == {"name": "tests.worlds.custom_rules:coins", "number": 3}
    assert data["transitions"][:2] == ["move_agent", "turn_agent"]


def test_the_description_of_registered_rules_can_be_loaded_again() -> None:
    world = build(transitions=[move_agent, collect])
    again = spec(Description.from_dict(world.description.to_dict()), allow_imports=True)
    assert again.description == world.description
    assert again.reset.func is custom_rules.coins
    assert again.vocabulary == world.vocabulary


def test_what_a_file_cannot_name_is_not_written_to_one() -> None:
    def inner(state, action, next_state, *, far: int):
        return 1.0

    assert "tests.worlds.custom_rules:collect" in build(transitions=[collect]).description.to_yaml()
    nested = partial(chain, transition_functions=(move_agent, unregistered))
    described = build(transitions=[nested], rewards=[partial(inner, far=2), Worth(1.0)]).description
    assert described.to_dict()["rewards"][0]["far"] == 2
    with pytest.raises(DescriptionError) as caught:
        described.to_yaml()
    assert str(caught.value).splitlines() == [
        "transitions[0].transition_functions[1]: tests.worlds.custom_rules:unregistered cannot be written to a file: "
        "it is not registered; put @transition_function_registry.register before its def",
        "rewards[0].name: tests.worlds.test_build:test_what_a_file_cannot_name_is_not_written_to_one.<locals>.inner "
        "cannot be written to a file: it is not at the top level of a module; move it there",
        "rewards[1]: tests.worlds.test_build:Worth.__call__ cannot be written to a file: it is not at the top "
        "level of a module; move it there",
    ]


def test_what_stands_in_the_script_that_runs_is_not_written_either(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Coin, "__module__", "__main__")
    monkeypatch.setattr(sys.modules["__main__"], "Coin", Coin, raising=False)
    with pytest.raises(
        DescriptionError, match=r"objects\[2\]: __main__:Coin .* in the script that runs; move it"
    ):
        build(transitions=[collect]).description.to_yaml()


def test_rules_within_rules_and_values_of_all_kinds_are_written_down() -> None:
    world = build(
        transitions=[partial(chain, transition_functions=(move_agent, partial(turn_agent)))],
        rewards=[partial(getting_closer, distance_function=Position.euclidean_distance, object_type=Coin)],
        observation=partial(from_visibility, area=Area((-2, 0), (-1, 1)), visibility_function=raytracing),
        agents=[{"start": Position(2, 1), "orientation": Orientation.LEFT}, {"actions": [JUMP]}],
        fields={"agent": [Field("energy", "float", 3.0)]},
    )
    assert world.transitions[0].rule.keywords["transition_functions"][1].func is turn_agent
    assert world.rewards[0].keywords["distance_function"] is Position.euclidean_distance
    assert world.description.to_dict()["observation"] == {
        "name": "from_visibility", "area": [[-2, 0], [-1, 1]], "visibility_function": "raytracing",
    }  # fmt: skip
    assert world.action_masks == ((True, True), (False, True))
    assert world.vocabulary.agent_fields == (Field("energy", "float", 3.0),)


def test_objects_may_be_parameters() -> None:
    def reset(state, *, start_object, rng=None):
        state.grid[0, 0] = start_object

    door = Door(Door.Status.LOCKED, Color.RED)
    world = build(reset=partial(reset, start_object=Box(door)), objects=[Floor, Coin, Box, Door])
    assert world.reset.keywords == {"start_object": Box(door)}
    assert world.description.reset.parameters["start_object"].name == "Box"


def test_two_functions_of_one_name_are_kept_apart() -> None:
    def make(number):
        def rule(state, action):
            return number

        return rule

    first, second = make(1), make(2)
    world = build(transitions=[first, second, first])
    assert [t.rule.func for t in world.transitions] == [first, second, first]


def test_what_does_not_follow_its_protocol_or_cannot_be_written_is_refused() -> None:
    with pytest.raises(TypeError, match=r"a reward rule takes \(state, action, next_state, "):
        build(rewards=[collect])
    with pytest.raises(TypeError, match="bind a rule's parameters by keyword"):
        build(rewards=[partial(overlap, 3)])
    with pytest.raises(TypeError, match="cannot be written in a description"):
        build(reset=partial(plain_reset, thing=object()))
    with pytest.raises(DescriptionError, match="Key is not among the world's objects"):
        build(rewards=[partial(overlap, object_type=Key)])
    with pytest.raises(DescriptionError, match="unknown key 'reword'; did you mean 'rewards'"):
        build(reword=[])


def paints(
    state,
    action,
    *,
    wanted: Color,
    home: Position,
    kinds: tuple[type[GridObject], ...],
    facing: Orientation | None = None,
):
    pass


def paints_untyped(state, action, *, wanted):
    pass


def test_parameters_of_a_rule_get_their_types_by_name_or_by_annotation():
    given = {"wanted": Color.RED, "home": Position(0, 1), "kinds": (Coin, Wall), "facing": Orientation.L}
    made = build(transitions=[partial(paints, **given)])
    assert made.transitions[0].rule.keywords == given
    with pytest.raises(
        TypeError, match=r"paints_untyped: what wanted=.*RED.* declare its type, wanted: Color$"
    ):
        build(transitions=[partial(paints_untyped, wanted=Color.RED)])
    build(transitions=[partial(paints_untyped, wanted=3)])


def test_positions_beyond_all_grids_are_refused() -> None:
    """Distances to them would not fit into 64 bits."""

    def pay(state, action, next_state, *, home: Position):
        return Position.euclidean_distance(home, next_state.agent.position)

    common = {"name": "Far", "shape": (2, 2), "objects": [Floor], "actions": ["WAIT"], "reset": "blank"}
    with pytest.raises(
        DescriptionError, match=r"rewards\[0\].home: y and x are smaller than 2\*\*30, got \[4000000000, 0\]"
    ):
        Spec.build(**common, transitions=["move_agent"], rewards=[partial(pay, home=Position(4 * 10**9, 0))])
