"""Wrappers: observations in another form are what the world's own representations give."""

import copy
import functools
import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence
from hypothesis import given, settings
from hypothesis import strategies as st

from gridarium.env import GridariumEnv, GridariumVectorEnv, RecordEpisodes
from gridarium.env import wrappers as single
from gridarium.env.wrappers import (
    FlatObservation,
    FullObservation,
    MissionObservation,
    OneHotObservation,
    PartialObservation,
    RGBImageObservation,
    vector,
)
from gridarium.testing import check_vector_env
from gridarium.world import Area
from gridarium.worlds import DescriptionError, catalogue
from tests.env.worlds import SMALL, furnished

NEAR = Area((-2, 0), (-1, 1))
SEEN = {"name": "fully_transparent", "area": [[-2, 0], [-1, 1]]}
DESCRIPTION = catalogue.description(SMALL).to_dict()
OWN = {
    "OneHotObservation": {"representation": "symbolic"},
    "RGBImageObservation": {"representation": {"name": "rgb", "tile": 8}},
    "FullObservation": {"observe": "state"},
    "FlatObservation": {"representation": "symbolic"},
    "PartialObservation": {"world": DESCRIPTION | {"observation": SEEN}},
}
GIVEN = {"PartialObservation": {"area": NEAR, "rule": "fully_transparent"}}
NAMES = sorted(OWN)


def alone(name=None, world=SMALL, **options):
    env = GridariumEnv(**{"world": world, "compiled": False} | options)
    return env if name is None else getattr(single, name)(env, **GIVEN.get(name, {}))


def many(name=None, **options):
    envs = GridariumVectorEnv(**{"world": SMALL, "compiled": False, "max_episode_steps": 9} | options)
    return envs if name is None else getattr(vector, name)(envs, **GIVEN.get(name, {}))


def same(first, second):
    return data_equivalence(first, second, exact=True)


def formed(name, observation):
    """What a wrapper makes of the arrays of a representation."""
    if name == "RGBImageObservation":
        return observation["image"]
    if name == "FlatObservation":
        return np.concatenate([a.ravel() for a in observation.values()]).astype(np.float32)
    return observation


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32), actions=st.lists(st.integers(0, 5), max_size=25))
def test_what_is_observed_is_what_the_representation_gives(name, seed, actions):
    wrapped, own = alone(name), alone(**OWN[name])
    pairs = [(wrapped.reset(seed=seed)[0], own.reset(seed=seed)[0])]
    for action in actions:
        mine, its = wrapped.step(action), own.step(action)
        assert same(mine[1:], its[1:])
        pairs.append((mine[0], its[0]))
        if mine[2]:
            break
    for mine, its in pairs:
        assert mine in wrapped.observation_space
        assert same(mine, formed(name, its))


@pytest.mark.parametrize("name", NAMES)
def test_it_passes_gymnasiums_checks(name):
    env = alone(name)
    with pytest.warns(UserWarning, match="different from the unwrapped version"):
        check_env(env, skip_render_check=True)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", NAMES)
def test_many_worlds_are_observed_as_single_ones(name):
    check_vector_env(
        functools.partial(many, name), lambda: alone(name, max_episode_steps=9), num_envs=3, steps=40
    )


@pytest.mark.parametrize("name", NAMES)
def test_the_last_observation_of_an_episode_follows_its_own_parameters(name):
    wrapped, own = (
        GridariumVectorEnv(
            **{"world": SMALL, "num_envs": 2, "compiled": False, "autoreset_mode": "SameStep"} | options
        )
        for options in ({}, OWN[name])
    )
    wrapped = getattr(vector, name)(wrapped, **GIVEN.get(name, {}))
    for envs in (wrapped, own):
        envs.reset(seed=4, options={"parameters": {"time_limit": 2}})
    for _ in range(4):
        mine, its = wrapped.step([0, 4])[-1], own.step([0, 4])[-1]
        assert ("final_obs" in mine) == ("final_obs" in its)
        for one, other in zip(mine.get("final_obs", ()), its.get("final_obs", ()), strict=True):
            assert same(one, formed(name, other))


def test_a_wrapper_compiles_no_rule_of_the_world_again():
    env = GridariumEnv(SMALL)
    own = env.unwrapped.batch.composed
    for wrap in (RGBImageObservation, FullObservation, PartialObservation, OneHotObservation):
        observer = wrap(env).observer.composed
        shared = observer.shares_program(own)
        assert shared or observer.observe_only
        assert shared == (wrap in (OneHotObservation, PartialObservation))
    small = RGBImageObservation(env).observer.composed.program.run.keywords["run_world"]
    assert set(small.keywords) == {"vocabulary", "observe", "agents", "in_turn"}


def test_it_is_the_same_compiled_and_around_what_gymnasium_makes():
    env = FlatObservation(gymnasium.make(f"gridarium/{SMALL}-v0", max_episode_steps=20))
    plain = alone("FlatObservation")
    assert same(env.reset(seed=4)[0], plain.reset(seed=4)[0])
    for action in (0, 4, 0, 5, 0):
        assert same(env.step(action)[0], plain.step(action)[0])
    again = gymnasium.make(env.spec)
    assert same(again.reset(seed=4)[0], plain.reset(seed=4)[0])


def test_a_recipe_makes_the_wrapper_again():
    env = PartialObservation(gymnasium.make(f"gridarium/{SMALL}-v0"), NEAR, "fully_transparent")
    again = gymnasium.make(env.spec)
    assert again.observation_space == env.observation_space
    assert again.observation_space["grid"].shape == (3, 3, 3)


@pytest.mark.parametrize("change", [FullObservation, functools.partial(PartialObservation, area=NEAR)])
@pytest.mark.parametrize("form", [FlatObservation, OneHotObservation, RGBImageObservation])
def test_what_is_shown_and_how_come_in_either_order(form, change):
    one, other = form(change(alone())), change(form(alone()))
    assert one.observation_space == other.observation_space
    assert same(one.reset(seed=3)[0], other.reset(seed=3)[0])
    assert same(one.step(0)[0], other.step(0)[0])


def test_the_whole_and_back():
    back = PartialObservation(FullObservation(alone()))
    assert back.observation_space == alone().observation_space
    assert same(back.reset(seed=3)[0], alone().reset(seed=3)[0])


def test_a_whole_picture_shows_every_cell():
    env = RGBImageObservation(FullObservation(alone()), tile=5)
    assert env.reset(seed=0)[0].shape == (5 * 5, 5 * 5, 3)


def test_states_that_are_put_in_are_seen():
    env = alone("OneHotObservation")
    first = env.reset(seed=1)[0]
    kept = env.unwrapped.state
    env.step(4)
    env.unwrapped.state = kept
    assert same(env.observation(None), first)


def test_declared_numbers_are_the_last_in_a_vector():
    fields = {"agent": [{"name": "energy", "default": 7.5}]}
    spec = furnished.__wrapped__(fields=fields, representation={"name": "compact", "fields": ["energy"]})
    observation = FlatObservation(alone(world=spec)).reset(seed=0)[0]
    assert observation.dtype == np.float32
    assert observation[-1] == 7.5


@pytest.mark.parametrize(
    "options",
    [
        {"observe": "state"},
        {"observe": "both"},
        {"representation": {"name": "compact", "fields": ["position"]}},
    ],
)
@pytest.mark.parametrize("make", [alone, functools.partial(many, num_envs=2)])
def test_what_a_vector_shows_is_in_its_space_whatever_the_order_of_the_arrays(make, options):
    env = make(**options)
    env = FlatObservation(env) if make is alone else vector.FlatObservation(env)
    for seed in range(5):
        assert env.observation_space.contains(env.reset(seed=seed)[0])


def test_a_world_of_sensors_has_a_vector_and_no_cells():
    world = DESCRIPTION | {"sensors": [{"name": "walls_around"}], "representation": "sensors"}
    env = alone(world=world)
    flat = FlatObservation(env)
    assert same(flat.reset(seed=0)[0], env.reset(seed=0)[0]["sensors"].astype(np.float32))
    assert flat.observation_space.shape == env.observation_space["sensors"].shape
    for wrapper in (OneHotObservation, RGBImageObservation):
        with pytest.raises(ValueError, match="no cells"):
            wrapper(env)


def test_what_it_shows_is_the_callers_own():
    for env in (alone("FlatObservation"), many("FlatObservation", num_envs=3)):
        first = env.reset(seed=0)[0]
        kept = first.copy()
        env.step(env.action_space.sample())
        assert np.array_equal(first, kept)


def test_copies_and_pickles_go_on_alike():
    env = alone("FlatObservation")
    env.reset(seed=2)
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert same(other.step(0), copy.deepcopy(env).step(0))


def test_recordings_below_go_on(tmp_path):
    env = FlatObservation(RecordEpisodes(alone(), tmp_path, format="run"))
    env.reset(seed=0)
    env.step(0)
    env.close()
    assert [file.suffix for file in tmp_path.iterdir()] == [".run"]


def test_other_observations_and_other_worlds_are_refused():
    with pytest.raises(TypeError, match="Gridarium"):
        FlatObservation(gymnasium.make("CartPole-v1"))
    with pytest.raises(TypeError, match="Gridarium"):
        vector.FlatObservation(gymnasium.make_vec("CartPole-v1", num_envs=2))
    with pytest.raises(ValueError, match="come before it"):
        FlatObservation(gymnasium.wrappers.FlattenObservation(alone()))
    with pytest.raises(DescriptionError, match="raytrace"):
        PartialObservation(alone(), rule="raytrace")
    with pytest.raises(DescriptionError, match=r"an area is \[\[ymin, ymax\]"):
        PartialObservation(alone(), area=[-1, 0, -1, 1])


def test_an_area_may_be_lists_as_in_files():
    env = PartialObservation(alone(), area=[[-1, 0], [-1, 1]])
    assert env.reset(seed=0)[0]["grid"].shape[:2] == (2, 3)


def test_the_mission_is_a_text_among_the_arrays():
    env = MissionObservation(FullObservation(alone(world="Fetch-8x8")))
    for seed in range(3):
        observation, info = env.reset(seed=seed)
        assert observation in env.observation_space
        assert observation["mission"] == info["mission"] == env.unwrapped.world.mission(env.unwrapped.state)
        assert env.step(0)[0]["mission"] == observation["mission"]
        assert observation.keys() - {"mission"} == FullObservation(alone()).observation_space.keys()
    with pytest.warns(UserWarning, match="different from the unwrapped version"):
        check_env(env, skip_render_check=True)
    with pytest.raises(ValueError, match="KeyDoor-5x5 has no mission"):
        MissionObservation(alone())
    with pytest.raises(TypeError, match="dictionary"):
        MissionObservation(FlatObservation(alone(world="Fetch-8x8")))
    with pytest.raises(ValueError, match="come before it"):
        FlatObservation(env)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_missions_of_many_worlds_are_a_tuple_of_texts(mode):
    def envs():
        return GridariumVectorEnv("Fetch-8x8", 3, compiled=False, autoreset_mode=mode, max_episode_steps=3)

    wrapped, bare = vector.MissionObservation(envs()), envs()
    observations, infos = wrapped.reset(seed=3)
    bare.reset(seed=3)
    assert observations in wrapped.observation_space
    for _ in range(5):
        assert observations["mission"] == tuple(infos["mission"])
        observations, *_, infos = wrapped.step([0, 0, 0])
        its = bare.step([0, 0, 0])[-1]
        assert observations in wrapped.observation_space
        assert ("final_obs" in infos) == ("final_obs" in its)
        if "final_obs" in infos:
            lasts = infos["final_obs"]
            assert [last["mission"] for last in lasts] == list(its["final_info"]["mission"])
            assert all("mission" not in last for last in its["final_obs"])
    with pytest.raises(ValueError, match="KeyDoor-5x5 has no mission"):
        vector.MissionObservation(many())
    with pytest.raises(TypeError, match="dictionary"):
        vector.MissionObservation(vector.FlatObservation(envs()))


def test_every_wrapper_is_listed_for_single_environments_and_for_many():
    assert single.__all__ == vector.__all__ == sorted([*NAMES, "MissionObservation"])
