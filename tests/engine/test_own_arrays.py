"""Arrays of observations that a world declares itself, and array rules fill; interpreted and compiled alike."""

import json
from functools import partial

import numpy as np
import pytest
from click.testing import CliRunner

from gridarium.agents import evaluate
from gridarium.cli.commands.explain import explain
from gridarium.engine import Autoreset, Recorder, World
from gridarium.env import GridariumEnv, GridariumVectorEnv, parallel_env
from gridarium.env.wrappers import FlatObservation, OneHotObservation
from gridarium.episodes.recording import BatchRecorder
from gridarium.testing import NotConforming, check_rule
from gridarium.testing.worlds import check_batches, check_compiled, check_snapshots, check_spaces
from gridarium.world import Position
from gridarium.worlds import Description, DescriptionError, Spec, load
from tests.compiled_worlds import INTERPRETED_AND_COMPILED
from tests.engine.cards import OBSERVATIONS, cards, glimpse, how_many, my_hand


@pytest.fixture(scope="module")
def compiled():
    return cards()


@pytest.fixture(scope="module")
def plain():
    return cards(compiled=False)


def test_agents_perceive_these_arrays_and_nothing_else(plain):
    arrays = plain.arrays(plain.reset(0))
    assert {name: (a.dtype, a.shape) for name, a in arrays.items()} == {
        "hand": (np.uint8, (2, 6)),
        "count": (np.uint8, (2, 2)),
        "glimpse": (np.float64, (2, 1, 2)),
        "me": (np.int64, (2, 2)),
    }
    assert (arrays["hand"].sum(axis=0) == 1).all()
    assert arrays["count"].tolist() == [[3, 3], [3, 3]] and arrays["me"].tolist() == [[1, 0], [0, 1]]
    assert arrays["glimpse"][0, 0, 0] != arrays["glimpse"][1, 0, 0]


def test_interpreted_compiled_in_batches_and_after_snapshots_they_are_the_same(compiled):
    check_compiled(compiled, 30)
    check_batches(compiled, 20)
    check_snapshots(compiled, 10)
    check_spaces(compiled, 20)


def test_their_items_are_zero_before(compiled):
    batch = compiled.batch(2, autoreset=Autoreset.SAME_STEP)
    batch.reset(0)
    rng = np.random.default_rng(0)
    for _ in range(20):
        done = batch.step(batch.sample_actions(rng))
        assert (
            done.observations["count"].sum(axis=-1) == 6 - 6 * done.observations["glimpse"][:, :, 0, 1] / 3
        ).all()
        assert (done.observations["me"].sum(axis=-1) == 1).all()
    last = done.final_observations["hand"][done.ended]
    assert not last.any()


@pytest.mark.parametrize("rule", [my_hand, how_many, glimpse])
def test_rules_conform(rule, plain):
    check_rule(rule, "array", world=plain, count=3, compiled=rule is glimpse)


def test_a_rule_that_changes_the_state_or_returns_something_does_not_conform():
    def cheat(state, array):
        state.shown += 1

    def give(state, array):
        return 1

    world = cards(
        compiled=False,
        observations=[{"name": n, "shape": [1], "fill": f} for n, f in (("a", cheat), ("b", give))],
    )
    with pytest.raises(NotConforming, match="it changed its inputs"):
        check_rule(cheat, "array", world=world, count=1, compiled=False)
    with pytest.raises(NotConforming, match="it must fill the array and return None, not 1"):
        check_rule(give, "array", world=world, count=1, compiled=False)
    with pytest.raises(NotConforming, match="give a world with an array that it fills"):
        check_rule(give, "array", count=1, compiled=False)


@pytest.mark.parametrize("is_compiled", INTERPRETED_AND_COMPILED)
def test_a_number_that_does_not_fit_into_a_byte_is_an_error(is_compiled):
    counts = {"name": "count", "shape": [2], "type": "uint8", "fill": partial(how_many, scale=100)}
    world = cards(compiled=is_compiled, observations=[counts])
    with pytest.raises(
        ValueError, match="count is an array of uint8: it holds numbers from 0 to 255, not 300"
    ):
        world.reset(0)
    assert (
        World(world.spec, compiled=is_compiled, scale=85)
        .arrays(cards(compiled=False).reset(0))["count"]
        .max()
        == 255
    )


def test_pettingzoo_shows_each_agent_its_own():
    env = parallel_env(cards(compiled=False))
    observations, _ = env.reset(seed=0)
    assert set(observations["ann"]) == {"hand", "count", "glimpse", "me", "action_mask"}
    assert observations["ann"]["hand"].tolist() == (1 - observations["bob"]["hand"]).tolist()
    assert env.observation_space("ann").contains(observations["ann"])


def neighbours(state, array):
    """Where walls are, and where the agent is."""
    for p in state.grid.positions():
        array[0, p] = state.grid[p].blocks_movement
    array[1, state.agent.position] = True


@pytest.fixture(scope="module")
def one_agent():
    arrays = [{"name": "map", "shape": [2, "height", "width"], "type": "bool", "fill": neighbours}]
    described = World("Empty-4x4").spec.description
    given = {key: part for key, part in described.to_dict().items() if key != "observations"}
    return World(Spec.build(**given, observations=arrays))


@pytest.mark.exhaustive
def test_environments_have_them_besides_those_of_the_representation(one_agent):
    env = GridariumEnv(one_agent)
    observation, _ = env.reset(seed=0)
    assert set(observation) == {"grid", "item", "agent_id_grid", "map"}
    assert observation["map"][1, 1, 1] == 1 and observation["map"].sum() == 13
    assert env.observation_space.contains(observation) and env.observation_space["map"].high.max() == 1
    assert FlatObservation(env).observation_space.shape[0] >= 32
    vector = GridariumVectorEnv(one_agent, 2)
    assert vector.reset(seed=0)[0]["map"].shape == (2, 2, 4, 4)
    both = GridariumEnv(one_agent, observe="both", compiled=False).reset(seed=0)[0]
    assert "map" in both and "state.map" not in both
    assert "map" not in GridariumEnv(one_agent, observe="state", compiled=False).reset(seed=0)[0]


def test_a_world_that_shows_only_its_arrays_is_drawn(one_agent):
    env = GridariumEnv(one_agent, "rgb_array", representation="observations", compiled=False)
    assert set(env.reset(seed=0)[0]) == {"map"} and env.render().shape == (128, 128, 3)
    with pytest.raises(ValueError, match="shows no cells"):
        OneHotObservation(env)


def test_parameters_of_array_rules_are_shared_by_the_worlds_of_a_batch(plain):
    world = World(plain.spec, compiled=False, scale=1)
    with pytest.raises(ValueError, match="scale of Cards cannot change between episodes"):
        world.batch(2).set_parameters({"scale": 2})


def test_shapes_follow_the_world(one_agent):
    larger = World(one_agent.spec, compiled=False, shape=(5, 6))
    assert larger.arrays(larger.reset(0))["map"].shape == (2, 5, 6)


def test_runs_and_recordings_have_them(plain):
    batch = plain.batch(2)
    recorder = Recorder(batch)
    recorder.reset(0)
    rng = np.random.default_rng(0)
    for _ in range(8):
        recorder.step(batch.sample_actions(rng))
    recorder.run().replay()
    episodes = BatchRecorder(plain.batch(2, observers="all"), agents="apart")
    episodes.reset(0)
    for _ in range(8):
        episodes.step(episodes.batch.sample_actions(rng))
    assert len(evaluate(plain, lambda observation, actions: actions[0], episodes=2)) == 2


def test_the_description_is_written_and_read(plain, tmp_path):
    (tmp_path / "own_cards.py").write_text(
        "from gridarium.rules.array_functions import array_function_registry\n"
        "@array_function_registry.register\n"
        "def here(state, array, *, value: int = 1):\n"
        '    """Where the agent is."""\n'
        "    array[state.agent.position] = value\n"
    )
    text = World("Empty-4x4").spec.description.to_yaml()
    text += "observations:\n  - {name: place, shape: [height, width], type: uint8, fill: 'own_cards:here'}\n"
    file = tmp_path / "world.yaml"
    file.write_text(text)
    world = World(file, allow_imports=True, compiled=False, value=7)
    assert world.arrays(world.reset(0))["place"][1, 1] == 7
    again = Description.from_dict(json.loads(json.dumps(world.spec.description.to_dict())))
    assert again == world.spec.description
    assert (
        Description.from_dict(world.spec.description.to_dict()).to_yaml() == world.spec.description.to_yaml()
    )
    said = CliRunner().invoke(explain, [str(file)]).output
    assert "def observe_place(state, array, params):" in said and "uint8[4 x 4]" in said
    file.write_text(text.replace("uint8", "uint16"))
    with pytest.raises(
        DescriptionError, match=r"world.yaml:17: .*'uint16' is not among: bool, uint8, int, float"
    ):
        load(file)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"name": "grid"}, "'grid' is the name of an array of a representation"),
        ({"shape": []}, "at least 1 needed"),
        ({"shape": ["depth"]}, "height, width, agents, things"),
        ({"shape": ["things"]}, "an array has 1 to 1,048,576 items, not 0"),
        ({"low": 0}, "an array of type bool has no bounds of its own"),
        ({"type": "uint8", "high": 256}, "the bounds of uint8 are from 0 to 255"),
        ({"type": "int", "low": 0.5}, "the bounds of int are whole numbers"),
        ({"fill": "my_hnad"}, "unknown array function 'my_hnad'"),
        ({"size": 3}, "unknown key 'size'"),
        ({"name": "count"}, "count is listed twice"),
    ],
)
def test_what_is_wrong_with_one_is_said(change, said):
    with pytest.raises(DescriptionError, match=said):
        cards(compiled=False, observations=[OBSERVATIONS[1], OBSERVATIONS[0] | change])


def test_a_world_that_shows_only_its_arrays_needs_some():
    with pytest.raises(
        DescriptionError, match="the world has no arrays of its own; list them as `observations`"
    ):
        cards(compiled=False, observations=[])


@pytest.mark.parametrize("is_compiled", INTERPRETED_AND_COMPILED)
def test_a_position_outside_is_no_index(plain, is_compiled):
    def nowhere(state, array):
        array[state.agent.position] = 1.0

    assert plain.reset(0).agent.position == Position(-1, -1)
    with pytest.raises(IndexError, match="outside the array"):
        cards(compiled=is_compiled, observations=[{"name": "a", "shape": [2, 2], "fill": nowhere}]).reset(0)
