"""Parameters of worlds: what of a description may be given anew, by which names, and what is refused."""

import pickle
from functools import partial

import numpy as np
import pytest

from gridarium.engine import World
from gridarium.world import Area, Color, Exit, Key, Position, Shape
from gridarium.worlds import DescriptionError, Spec, load, open_spec, parameter_names, with_parameters
from tests.worlds import custom_rules

OBSTACLES, LAVA = "DynamicObstacles-5x5", "FourByThree"
COINS = """\
objects: [Floor, 'tests.worlds.custom_rules:Coin']
shape: [3, 4]
colors: ['tests.worlds.custom_rules:MAUVE']
actions: [MOVE_FORWARD, 'tests.worlds.custom_rules:JUMP']
reset: {name: 'tests.worlds.custom_rules:coins', number: 3}
transitions: ['tests.worlds.custom_rules:collect']
"""


def refusal(world, **given) -> str:
    with pytest.raises(DescriptionError) as caught:
        with_parameters(open_spec(world), given)
    return str(caught.value)


def test_a_world_is_given_another_shape_and_time_limit() -> None:
    world = World("DoorKey-5x5", shape=(7, 9), time_limit=50, compiled=False)
    assert world.spec.shape == world.reset(0).grid.shape == Shape(7, 9)
    assert (world.spec.time_limit, world.composed.time_limit, world.name) == (50, 50, "DoorKey-5x5")
    assert World("DoorKey-5x5", time_limit=None, compiled=False).spec.time_limit is None
    assert World("DoorKey-5x5", compiled=False).spec.shape == Shape(5, 5)


def test_parameters_of_rules_are_given_where_the_description_leaves_them_out_as_well() -> None:
    made = with_parameters(open_spec(OBSTACLES), {"num_obstacles": 3, "random_agent": True})
    assert made.reset.keywords == {"num_obstacles": 3, "random_agent": True}
    doors = with_parameters(open_spec("DoorKey-5x5"), {"reward_on": 2, "horizon": 10})
    assert doors.rewards[0].keywords == {"reward_on": 2.0, "horizon": 10.0}
    assert doors.description.to_dict()["rewards"] == [
        {"name": "reach_exit_discounted", "horizon": 10, "reward_on": 2}
    ]


def test_what_several_rules_have_is_named_with_the_rule_or_its_place() -> None:
    made = with_parameters(open_spec(OBSTACLES), {"bump_into_wall.reward": -3.0})
    assert [rule.keywords.get("reward") for rule in made.rewards] == [None, -1.0, -3.0, None, -0.05]
    lava = with_parameters(open_spec(LAVA), {"rewards[1].reward_on": -9.0, "probability": 0.5})
    assert [rule.keywords.get("reward_on") for rule in lava.rewards] == [1.0, -9.0, None]
    assert lava.transitions[0].rule.keywords["probability"] == 0.5
    message = refusal(LAVA, reward_on=1.0)
    assert message == (
        "FourByThree with reward_on=1.0: 'reward_on' is a parameter of several rules; "
        "write rewards[0].reward_on or rewards[1].reward_on"
    )


def test_parameters_of_rules_within_rules_and_of_the_observation_are_among_them() -> None:
    given = {"discounted.horizon": 7.0, "area": Area((-2, 0), (-1, 1)), "representation": "compact"}
    made = with_parameters(open_spec("Fetch-8x8"), given)
    assert made.rewards[0].keywords["horizon"] == 7.0
    assert made.observation.keywords == {"area": Area((-2, 0), (-1, 1))}
    assert made.representation.name == "compact"
    inner = {"name": "discounted", "reward_function": "reach_exit", "horizon": 5.0}
    spec = open_spec({**open_spec("DoorKey-5x5").description.to_dict(), "rewards": [inner]})
    changed = with_parameters(spec, {"reach_exit.reward_on": 4.0})
    assert changed.rewards[0].keywords["reward_function"].keywords == {"reward_on": 4.0}


def test_all_that_can_be_given_is_listed_by_the_shortest_name_that_means_no_other() -> None:
    spec = open_spec(OBSTACLES)
    names = parameter_names(spec)
    assert {"shape", "time_limit", "num_obstacles", "bump_into_wall.reward", "area"} <= {*names}
    assert len({*names}) == len(names)
    data = spec.description.to_dict()
    assert "shape" not in parameter_names(open_spec(LAVA)), "that of a map is that of its picture"
    for name in ("name", "objects", "reset", "rewards", "reward", "map_number"):
        assert name not in names
        assert f"there is no parameter {name!r}; " in refusal(OBSTACLES, **{name: 1}) or name == "reward"
    assert spec.description.to_dict() == data


def test_all_mistakes_are_told_with_what_was_given_and_what_there_is() -> None:
    message = refusal("DoorKey-5x5", time_limits=3, sharpe=2)
    first, second = message.splitlines()
    assert first.startswith(
        "DoorKey-5x5 with time_limits=3, sharpe=2: there is no parameter 'time_limits'; did you"
    )
    assert "did you mean 'shape'? known: shape, time_limit, agents, " in second
    assert second.endswith("observation, representation, reward_on, decay, horizon, area")
    assert refusal("DoorKey-5x5", shape=(0, 7)).startswith("DoorKey-5x5 with shape=[0, 7]: shape[0]: ")
    assert "horizon: a number is expected, not 'far'" in refusal("DoorKey-5x5", horizon="far")
    assert "probability: a probability is between 0 and 1, got 2" in refusal(LAVA, probability=2.0)
    with pytest.raises(TypeError, match="cannot be written in a description"):
        World("DoorKey-5x5", horizon=object(), compiled=False)
    with pytest.raises(TypeError, match="parameters cannot be given with a ComposedWorld"):
        World(World("DoorKey-5x5", compiled=False).composed, shape=(7, 7))


def test_the_lines_of_a_file_are_not_blamed_for_what_is_given_in_its_place(tmp_path) -> None:
    file = tmp_path / "doors.yaml"
    file.write_text(open_spec("DoorKey-5x5").description.to_yaml())
    assert (
        refusal(load(file), agents=0)
        == "DoorKey-5x5 with agents=0: agents: 1 to 255 agents are possible, got 0"
    )
    assert open_spec(file, parameters={"shape": [6, 6]}).shape == Shape(6, 6)


@pytest.mark.parametrize("name", ["DoorKey-5x5", "KuhnPoker"])
def test_too_many_agents_are_refused_before_there_is_a_list_of_them(name: str) -> None:
    assert "agents: 1 to 255 agents are possible" in refusal(open_spec(name), agents=10**12)


def test_a_value_of_the_wrong_form_is_answered_with_the_present_one() -> None:
    message = "DoorKey-5x5 with shape=7: shape: a list is expected, not 7; so far it is [5, 5]"
    assert refusal(open_spec("DoorKey-5x5"), shape=7) == message


def gather(state, *, number: int, kind=Key, rng) -> None:  # type: ignore[no-untyped-def]
    """A rule that is in no registry."""
    state.grid[Position(0, number)] = kind(Color.NONE) if kind is Key else kind()


def test_rules_of_ones_own_stay_what_they_are() -> None:
    spec = Spec.build(
        shape=(3, 6),
        objects=["Floor", Key, Exit],
        reset=partial(gather, number=1),
        transitions=["move_agent"],
    )
    made = with_parameters(spec, {"number": 4, "shape": (2, 5)})
    assert made.reset.func is spec.reset.func is gather
    state = World(made, compiled=False).reset(0)
    assert isinstance(state.grid[0, 4], Key) and state.grid.shape == Shape(2, 5)
    again = with_parameters(pickle.loads(pickle.dumps(made)), {"number": 2})
    assert again.reset.keywords == {"number": 2}
    with pytest.raises(DescriptionError, match="gather cannot be written to a file: it is not registered"):
        made.description.to_yaml()


def test_modules_that_were_allowed_to_be_imported_need_no_second_permission(tmp_path) -> None:
    file = tmp_path / "coins.yaml"
    file.write_text(COINS)
    spec = open_spec(file, allow_imports=True)
    made = with_parameters(spec, {"number": 2})
    assert made.reset.func is custom_rules.coins and made.reset.keywords == {"number": 2}
    assert made.actions == spec.actions and made.vocabulary == spec.vocabulary
    with pytest.raises(DescriptionError, match="may not import code"):
        with_parameters(open_spec("Empty-4x4"), {"observation": "tests.worlds.custom_rules:look"})


def test_numbers_of_numpy_will_do_and_no_parameters_change_nothing() -> None:
    spec = open_spec("DoorKey-5x5")
    assert with_parameters(spec, {}) is spec
    assert with_parameters(spec, {"time_limit": np.int64(9)}).time_limit == 9
