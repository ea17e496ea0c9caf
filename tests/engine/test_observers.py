"""`observers: acting`: a step of a batch observes only the agent that acts next."""

import pickle

import numpy as np
import pytest

from gridarium.agents import evaluate, random_action
from gridarium.engine import Autoreset, World
from gridarium.engine.single_world import SingleWorld
from gridarium.env import aec_env
from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.recording import BatchRecorder
from gridarium.testing.worlds import check_batches, check_snapshots, check_spaces
from gridarium.worlds import DescriptionError
from tests.compiled_worlds import INTERPRETED_AND_COMPILED
from tests.engine.board import board

HELPER = "TwoAgents-Helper-8x8"
N = 8


@pytest.fixture(scope="module", params=INTERPRETED_AND_COMPILED)
def world(request):
    return World(HELPER, observers="acting", time_limit=30, compiled=request.param)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("autoreset", list(Autoreset))
def test_the_observation_is_that_of_the_agent_that_acts_next(world, autoreset):
    batches = [world.batch(N, autoreset=autoreset, observers=observers) for observers in (None, "all")]
    acting, everybody = (batch.reset(3) for batch in batches)
    rng = np.random.default_rng(0)
    ended = 0
    for _ in range(70):
        turns = batches[0].turns
        for name, array in acting.items():
            assert array.shape == (N, *everybody[name].shape[2:])
            assert np.array_equal(array, everybody[name][np.arange(N), turns])
        one, other = (batch.step(chosen) for chosen in [batches[0].sample_actions(rng)] for batch in batches)
        assert np.array_equal(one.rewards, other.rewards) and np.array_equal(one.terminated, other.terminated)
        acting, everybody = one.observations, other.observations
        over = np.flatnonzero(one.ended)
        ended += len(over)
        if one.final_observations is not None and len(over):
            for name, array in one.final_observations.items():
                alike = (array[over, None] == other.final_observations[name][over]).reshape(len(over), 2, -1)
                assert alike.all(axis=2).any(axis=1).all()
    assert ended > 0


def test_an_agent_that_has_left_is_not_observed(world):
    batch, everybody = world.batch(1), world.batch(1, observers="all")
    for b in (batch, everybody):
        b.reset(0)
        state = b.state(0)
        state.agents[0].active = False
        b.set_state(0, state)
    assert batch.turns.tolist() == [1]
    seen, all_seen = batch.observe(), everybody.observe()
    for name, array in seen.items():
        assert np.array_equal(array[0], all_seen[name][0, 1])


def test_worlds_with_legal_rules_observe_who_has_the_turn():
    for compiled in (False, True):
        world = board(compiled=compiled, observers="acting")
        batches = [world.batch(N), world.batch(N, observers="all")]
        for batch in batches:
            batch.reset(1)
        rng = np.random.default_rng(0)
        for _ in range(30):
            chosen = batches[0].sample_actions(rng)
            one, other = (batch.step(chosen) for batch in batches)
            assert np.array_equal(one.masks, other.masks)
            for name, array in one.observations.items():
                assert np.array_equal(array, other.observations[name][np.arange(N), batches[0].turns])


def test_it_conforms(world):
    check_spaces(world, 20)
    check_batches(world, 20)
    check_snapshots(world, 20)


def test_arrays_of_a_state_are_those_of_the_agent_that_acts_next(world):
    state = world.reset(0)
    for name, array in world.arrays(state).items():
        assert np.array_equal(array, SingleWorld(world.composed).reset(0)[name][0])


def test_a_single_world_and_environments_observe_all_agents(world):
    single = SingleWorld(world.composed)
    for array in single.reset(0).values():
        assert array.shape[0] == 2
    env = aec_env(world)
    env.reset(seed=0)
    for name in env.possible_agents:
        assert env.observe(name) in env.observation_space(name)


def test_policies_play_in_it(world):
    assert evaluate(world, random_action, episodes=2, limit=20).returns.shape == (2, 2)


def test_a_batch_keeps_who_is_observed(world):
    batch = world.batch(2, observers="all")
    batch.reset(0)
    copy = pickle.loads(pickle.dumps(batch))
    for name, array in copy.observe().items():
        assert np.array_equal(array, batch.observe()[name])


@pytest.mark.sampled(3)
@pytest.mark.parametrize("autoreset", list(Autoreset))
def test_where_nothing_is_observed_all_else_is_the_same(world, autoreset):
    batches = [world.batch(N, autoreset=autoreset, observers=observers) for observers in ("none", "all")]
    assert batches[0].reset(3) == {} and batches[1].reset(3)
    rng = np.random.default_rng(0)
    for _ in range(70):
        chosen = batches[1].sample_actions(rng)
        one, other = (batch.step(chosen) for batch in batches)
        assert one.observations == {} and not one.final_observations
        for mine, its in zip(one[1:6], other[1:6], strict=True):
            assert np.array_equal(mine, its)
        if autoreset is Autoreset.DISABLED and one.ended.any():
            for batch in batches:
                batch.reset(mask=one.ended)
    assert batches[0].observe() == {}
    for mine, its in zip(*(batch.snapshot().arrays() for batch in batches), strict=True):
        assert np.array_equal(mine, its)
    assert pickle.loads(pickle.dumps(batches[0])).observe() == {}


def test_a_recording_needs_the_observations_of_all_agents(world):
    with pytest.raises(EpisodeError, match="create the batch as world.batch"):
        BatchRecorder(world.batch(2))
    with pytest.raises(EpisodeError, match="create the batch as world.batch"):
        BatchRecorder(world.batch(2, observers="none"))
    BatchRecorder(world.batch(2, observers="all")).reset(0)


def test_what_is_refused():
    with pytest.raises(DescriptionError, match="acting goes with turn_order: cycle"):
        World(HELPER, observers="acting", turn_order="all")
    with pytest.raises(
        ValueError, match="observers must be 'all', 'none', or 'acting' in worlds whose description says so"
    ):
        World(HELPER, compiled=False).batch(1, observers="acting")
    assert World("Empty-8x8", observers="acting", compiled=False).batch(1).reset(0)
