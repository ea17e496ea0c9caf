"""Networks in files as teammates: what they observe in the live world is what they observed in training."""

import functools

import numpy as np
import pytest

from gridarium.agents import play
from gridarium.engine import World
from gridarium.live import ActionNetwork, AgentBrain
from gridarium.live.objects import CollectionDropOffTile
from gridarium.live.worlds import bw4t
from gridarium.live.worlds.bw4t import Block
from gridarium.live.worlds.collecting import VIEW, collecting
from gridarium.live.worlds.trained_collector import TrainedCollector
from gridarium.vision.model_file import ModelError
from tests.live.worlds.following import NAMES, following
from tests.live.worlds.playing import made, of_type, texts

TINY = {"people": 0, "rooms": (1, 1), "wanted": 1, "tick_duration": 0}


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("networks") / "teammate.npz"
    following().save(path)
    return path


def training_world(agents=1):
    builder = bw4t(agents=agents, **TINY)
    return World(collecting(builder.description(), wanted=1, time_limit=40), compiled=False)


@pytest.mark.exhaustive
def test_a_loaded_network_brings_the_blocks_in_the_live_world_and_a_random_one_does_not(file):
    world = made(bw4t(agents=1, teammate=file, **TINY))
    assert world.run(max_ticks=40) < 40 and world.is_done
    other = made(bw4t(agents=1, teammate=AgentBrain, **TINY))
    other.run(max_ticks=40)
    assert not other.is_done


@pytest.mark.exhaustive
def test_the_same_network_brings_the_blocks_in_the_training_world():
    played = play(training_world(), following(), seed=1)
    assert played.terminated and played.length < 40 and played.returns[0] > 30


def test_what_it_observes_is_what_agents_observe_in_training(file):
    world = made(bw4t(agents=2, teammate=file, **TINY))
    world.reset()
    training, brain = training_world(agents=2), world.brains["robot_2"]
    state = training.reset(1)
    brain.perceive(world)
    model = brain._world_to_think_in(world, brain.state)
    thought = brain._state_to_think_of(model, world, brain.state)
    for thing, other in zip(state.things, thought.things, strict=True):
        thing.colour = other.colour
    for i, colour in enumerate(thought.wanted):
        state.wanted[i] = colour
    assert np.array_equal(model.arrays(thought)[VIEW], training.arrays(state)[VIEW])


def test_it_knows_only_what_it_has_seen_or_heard_of(file):
    world = made(bw4t(agents=1, teammate=file, **TINY))
    brain, seen = world.brains["robot_1"], []
    for _ in range(12):
        world.step()
        state = brain._state_to_think_of(brain._model, world, brain.state)
        seen.append(sum(thing.seen for thing in state.things))
    assert seen[0] == 0 and 0 < seen[-1] <= 4 and seen == sorted(seen)


def test_it_tells_scripted_teammates_what_it_finds_and_brings(file):
    world = made(bw4t(agents=2, teammate=file, **TINY))
    assert world.run(max_ticks=60) < 60
    said = texts(world)
    assert any(text.startswith("I see ") and text.endswith(" in room_0.") for text in said)
    assert any(text.startswith("I bring number ") for text in said)


def test_it_does_not_report_what_lies_in_the_drop_zone(file):
    world = made(bw4t(agents=1, teammate=file, **{**TINY, "wanted": 2}))
    world.reset()
    block, (tile, *_) = of_type(world, Block)[0], of_type(world, CollectionDropOffTile)
    block.location = world.registered_agents["robot_1"].location = tile.location
    world.note_change()
    world.step()
    assert world.brains["robot_1"]._known == {block.obj_id} and texts(world) == []


def test_it_hears_where_blocks_are_and_who_brings_what():
    def wait(actions):
        return actions[0]

    world = made(bw4t(agents=2, teammate=functools.partial(TrainedCollector, wait), **TINY))
    world.run(max_ticks=60)
    brain = world.brains["robot_2"]
    assert len(brain._known) == 4 and world.is_done
    assert "I bring number 1" in " ".join(texts(world)) and brain._ranks == {"robot_1": 0}


def test_a_network_survives_its_file_byte_for_byte(file):
    one, other = following(), ActionNetwork.load(file)
    assert (one.view, one.names, one.draws) == (other.view, other.names, other.draws)
    assert all(np.array_equal(a, b) for a, b in zip(one.weights, other.weights, strict=True))
    assert all(np.array_equal(a, b) for a, b in zip(one.biases, other.biases, strict=True))


def test_a_network_that_draws_takes_likelier_actions_more_often():
    world = training_world()
    scores = np.zeros((1, len(NAMES)))
    drawn = ActionNetwork.of("x", NAMES, [(scores, np.log([4.0] + [1.0] * (len(NAMES) - 1)))], draws=True)
    actions = tuple(world.actions[i] for i in (0, 1))  # WAIT and MoveNorth
    rng = np.random.default_rng(0)
    waits = sum(drawn({"x": np.zeros(1)}, actions, rng) == actions[0] for _ in range(1000))
    assert 750 < waits < 850


@pytest.mark.parametrize(
    ("arrays", "why"),
    [
        ({"weights_0": np.zeros((3, 2), np.float32)}, "has the arrays weights_0"),
        ({"biases_0": np.zeros(3, np.float32)}, "weights and biases of the shapes"),
        ({"names": np.array(["A", "A"])}, "same name"),
        ({"names": np.array(["A", "B", "C"])}, "3 names of actions for 2 scores"),
        ({"weights_0": np.full((3, 2), np.nan, np.float32)}, "not a finite float"),
        ({"weights_0": np.zeros((3, 2))}, "not a finite float"),
        ({"weights_0": np.array([[None, None]])}, "or it is broken"),
    ],
)
def test_other_files_are_refused(tmp_path, arrays, why):
    whole = {
        "view": np.array("view"),
        "draws": np.array(False),
        "names": np.array(["A", "B"]),
        "weights_0": np.zeros((3, 2), np.float32),
        "biases_0": np.zeros(2, np.float32),
    }
    path = tmp_path / "other.npz"
    np.savez(path, **(arrays if why.startswith("has") else {**whole, **arrays}), allow_pickle=True)
    with pytest.raises(ModelError, match=why):
        TrainedCollector(path)


def test_networks_for_other_worlds_are_refused():
    network, actions = following(), training_world().actions
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match="observes 'view'; the world shows grid"):
        network({"grid": np.zeros(3)}, tuple(actions), rng)
    with pytest.raises(ValueError, match="inputs, not"):
        network({VIEW: np.zeros(3)}, tuple(actions), rng)
    with pytest.raises(ValueError, match="none of them is legal"):
        ActionNetwork.of(VIEW, ["JUMP"], [(np.zeros((3, 1)), np.zeros(1))])(
            {VIEW: np.zeros(3)}, tuple(actions), rng
        )
