"""Environments refuse what they cannot be made of or told, and say what they can."""

import gymnasium
import pytest

from gridarium.engine import World
from gridarium.env import GridariumEnv, GridariumVectorEnv, RecordBatch, RecordVectorEpisodes
from gridarium.env.pettingzoo_env import aec_env, parallel_env
from gridarium.worlds import find

WORLD = World("FourByThree", compiled=False)
PAIR = World("GhostGrid-4x5", compiled=False)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """A world with two agents, in a file whose name is not the world's."""
    path = tmp_path_factory.mktemp("worlds") / "mine.yaml"
    path.write_text(find("GhostGrid-4x5").to_yaml(), encoding="utf-8")
    return path


def test_a_world_of_several_agents_is_told_what_it_is_for_as_it_was_given(file):
    for given in (file, str(file)):
        with pytest.raises(ValueError, match="GhostGrid-4x5 has 2 agents: a world for PettingZoo") as refusal:
            GridariumEnv(given)
        assert f"parallel_env({str(file)!r}) or aec_env({str(file)!r})" in str(refusal.value)
        with pytest.raises(ValueError, match="step a batch of it") as refusal:
            GridariumVectorEnv(given)
        assert f"World({str(file)!r}).batch(n)" in str(refusal.value)
    with pytest.raises(ValueError, match=r"parallel_env\(world\) or aec_env\(world\)"):
        GridariumEnv(PAIR)


def test_what_a_refusal_suggests_works(file):
    with pytest.raises(ValueError, match="made by gridarium.env") as refusal:
        gymnasium.make("gridarium/FourByThree-v0", world=str(file))
    assert f"gridarium.env.parallel_env({str(file)!r})" in str(refusal.value)
    assert parallel_env(str(file), compiled=False).possible_agents == ["agent", "ghost"]
    assert World(str(file), compiled=False).batch(2).n == 2


@pytest.mark.parametrize("make", [GridariumEnv, GridariumVectorEnv, parallel_env, aec_env])
def test_a_cell_has_a_whole_number_of_pixels(make):
    world = PAIR if make in (parallel_env, aec_env) else WORLD
    with pytest.raises(TypeError, match="tile, the pixels of a cell, is a whole number, got 'a'"):
        make(world, tile="a")
    with pytest.raises(ValueError, match="tile, the pixels of a cell, is at least 1, got -3"):
        make(world, tile=-3)


def test_numbers_of_worlds_are_whole_and_above_0():
    for wrong in ("a", 2.0):
        with pytest.raises(TypeError, match="num_envs is a whole number, got"):
            GridariumVectorEnv(WORLD, wrong)
        with pytest.raises(TypeError, match="render_worlds is a whole number, got"):
            GridariumVectorEnv(WORLD, 2, render_worlds=wrong)
    with pytest.raises(ValueError, match="num_envs is at least 1, got 0"):
        GridariumVectorEnv(WORLD, 0)
    with pytest.raises(ValueError, match="render_worlds is at least 1, got 0"):
        GridariumVectorEnv(WORLD, 2, render_worlds=0)


def test_options_of_a_reset_have_names():
    env = GridariumVectorEnv(WORLD, 2)
    with pytest.raises(TypeError, match="options are given by their names, as {'reset_mask': ...}, not as 3"):
        env.reset(options=3)


@pytest.mark.parametrize("make", [parallel_env, aec_env])
def test_who_asks_for_an_agent_that_is_none_is_told_which_there_are(make):
    env = make(PAIR)
    env.reset(seed=0)
    for ask in (env.observation_space, env.action_space):
        with pytest.raises(KeyError, match="no agent 'eve'; there are agent, ghost"):
            ask("eve")
    if make is aec_env:
        with pytest.raises(KeyError, match="no agent 'eve'; there are agent, ghost"):
            env.observe("eve")
        with pytest.raises(TypeError, match="agent's action is the index of one, not 'UP'"):
            env.step("UP")


def test_recordings_refuse_what_they_cannot_do_and_leave_no_folder(tmp_path):
    folder, batch = tmp_path / "films", WORLD.batch(2)
    for arguments, options, words in (
        ((3, batch, folder), {}, "a World is needed, not 3"),
        (("FourByThree", batch, folder), {}, "a World is needed"),
        ((WORLD, WORLD, folder), {}, "a batch is needed, as World.batch makes it"),
        ((WORLD, batch, 3), {}, "a folder is a path, not 3"),
        ((WORLD, batch, folder), {"every": "a"}, "every is a whole number, got 'a'"),
        ((WORLD, batch, folder), {"tile": "a"}, "tile is a whole number, got 'a'"),
        ((WORLD, batch, folder), {"fps": "a"}, "fps is a number, got 'a'"),
        ((WORLD, batch, folder), {"trigger": 3}, "trigger is a function, got 3"),
        ((WORLD, batch, folder), {"worlds": 1}, "worlds are a list of their numbers, not 1"),
        ((WORLD, batch, folder), {"worlds": ("a",)}, "an index of worlds must be a whole number, got 'a'"),
    ):
        with pytest.raises(TypeError, match=words):
            RecordBatch(*arguments, **options)
    with pytest.raises(TypeError, match="only Gridarium's worlds can be recorded"):
        RecordVectorEpisodes(3, folder)
    assert not folder.exists()
