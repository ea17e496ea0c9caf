"""A batch of worlds as a Gymnasium vector environment."""

import copy
import functools
import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode

from gridarium import Spec, World
from gridarium.env import GridariumEnv, GridariumVectorEnv
from gridarium.testing import check_vector_env
from gridarium.world import Floor
from tests.env.worlds import SMALL, crumbling, small

ID = f"gridarium/{SMALL}-v0"


def same(first, second):
    return data_equivalence(first, second, exact=True)


def walk(envs, steps, seed=0):
    rng = np.random.default_rng(seed)
    returned = [envs.reset(seed=seed)]
    for _ in range(steps):
        returned.append(envs.step(rng.integers(envs.single_action_space.n, size=envs.num_envs)))
    return returned


@pytest.mark.parametrize("mode", AutoresetMode)
def test_it_does_what_as_many_single_environments_do(mode):
    make = functools.partial(gymnasium.make_vec, ID, max_episode_steps=12)
    single = functools.partial(gymnasium.make, ID, max_episode_steps=12, disable_env_checker=True)
    check_vector_env(make, single, steps=120, modes=[mode])


def test_whatever_is_observed():
    options = {"world": "Empty-4x4", "compiled": False, "observe": "both", "representation": "symbolic"}
    check_vector_env(
        functools.partial(GridariumVectorEnv, **options),
        functools.partial(GridariumEnv, **options),
        num_envs=3,
        steps=60,
    )


def test_the_number_of_threads_does_not_matter():
    walks = [walk(GridariumVectorEnv(small(), 256, threads=threads, autoreset_mode="SameStep", max_episode_steps=9), 40)
             for threads in (1, 2)]  # fmt: skip
    for first, second in zip(*walks, strict=True):
        assert same(first, second)


def test_its_modes_may_be_given_by_value():
    assert (
        GridariumVectorEnv(small(), 2, autoreset_mode="Disabled").metadata["autoreset_mode"]
        is AutoresetMode.DISABLED
    )
    with pytest.raises(ValueError, match="Never"):
        GridariumVectorEnv(small(), 2, autoreset_mode="Never")
    assert "autoreset_mode" not in GridariumVectorEnv.metadata


def test_infos_are_arrays_with_masks():
    envs = GridariumVectorEnv(small(), 3)
    _, infos = envs.reset(seed=0)
    assert {key: value.tolist() for key, value in infos.items()} == {
        "tick": [0] * 3, "_tick": [True] * 3, "result": [0] * 3, "_result": [True] * 3,
    }  # fmt: skip
    infos = envs.step([0, 0, 4])[4]
    assert infos["tick"].tolist() == [1, 1, 1]
    assert infos["result"].tolist() == [envs.batch.state(i).agent.result for i in range(3)]


def test_final_observations_and_infos_are_of_the_episodes_that_ended():
    envs = GridariumVectorEnv(small(), 4, autoreset_mode="SameStep", max_episode_steps=3)
    alone = GridariumEnv(small())
    envs.reset(seed=[0, 1, 2, 3])
    for _ in range(2):
        assert "final_obs" not in envs.step([4] * 4)[4]
    observations, _, terminated, truncated, infos = envs.step([4] * 4)
    assert truncated.all()
    assert not terminated.any()
    alone.reset(seed=2)
    for _ in range(3):
        last, *_, info = alone.step(4)
    assert same(infos["final_obs"][2], last)
    assert infos["_final_obs"].all()
    assert {key: value[2] for key, value in infos["final_info"].items()} == {
        "tick": info["tick"], "_tick": True, "result": info["result"], "_result": True,
    }  # fmt: skip
    assert infos["tick"].tolist() == [0] * 4
    assert same({name: array[2] for name, array in observations.items()}, alone.reset()[0])


@pytest.mark.parametrize(
    ("actions", "error"),
    [([0, 0, 8], ValueError), ([0, -1, 0], ValueError), ([0, 0], ValueError), ([[0], [0]], ValueError),
     ([0.0, 1.0, 2.0], TypeError), ([np.nan] * 3, TypeError), (None, TypeError), (["a"] * 3, TypeError)],
)  # fmt: skip
def test_what_are_no_actions_is_refused_and_changes_nothing(actions, error):
    envs = GridariumVectorEnv(small(), 3)
    envs.reset(seed=0)
    before = [envs.batch.state(i) for i in range(3)]
    with pytest.raises(error):
        envs.step(actions)
    assert all(envs.batch.state(i).identical(state) for i, state in enumerate(before))


def test_stepping_too_early_or_after_the_end_is_refused():
    with pytest.raises(RuntimeError, match="reset"):
        GridariumVectorEnv(small(), 2).step([0, 0])
    envs = GridariumVectorEnv(small(), 3, autoreset_mode="Disabled", max_episode_steps=2)
    envs.reset(seed=0)
    envs.reset(seed=[5, None, None], options={"reset_mask": np.array([True, False, False])})
    envs.step([4] * 3)
    envs.reset(options={"reset_mask": np.array([False, True, False])})
    assert envs.step([4] * 3)[3].tolist() == [True, False, True]
    with pytest.raises(RuntimeError, match=r"\[0, 2\] are over"):
        envs.step([4] * 3)
    envs.reset(options={"reset_mask": np.array([True, False, True])})
    assert envs.step([4] * 3)[4]["tick"].tolist() == [1, 2, 1]


@pytest.mark.parametrize(
    ("mask", "error"),
    [(np.ones(2, bool), ValueError), (np.zeros(3, bool), ValueError), ([True] * 3, TypeError), (np.ones(3), TypeError)],
)  # fmt: skip
def test_what_is_no_mask_is_refused(mask, error):
    envs = GridariumVectorEnv(small(), 3)
    envs.reset(seed=0)
    with pytest.raises(error, match="reset_mask"):
        envs.reset(options={"reset_mask": mask})


def test_the_number_of_seeds_must_be_right():
    with pytest.raises(ValueError, match="one seed for each of 3 worlds"):
        GridariumVectorEnv(small(), 3).reset(seed=[1, 2])


@pytest.mark.sampled(2)
@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_rule_that_raises_in_one_world_leaves_the_others_stepped(compiled, threads):
    envs = GridariumVectorEnv(crumbling(compiled=compiled), 40, threads=threads)
    envs.reset(seed=0)
    envs.step([2] * 40)
    envs.step([2] * 40)
    with pytest.raises(ZeroDivisionError, match="crumbled") as caught:
        envs.step([1 if i == 17 else 2 for i in range(40)])
    assert "world 17 of 40" in " ".join(caught.value.__notes__)
    assert [envs.batch.state(i).tick for i in (16, 17, 18)] == [3, 2, 3]


def test_arrays_are_shared_only_on_request():
    envs = GridariumVectorEnv(small(), 3, shared=True)
    first, _ = envs.reset(seed=0)
    second = envs.step([4] * 3)[0]
    assert all(np.shares_memory(first[name], second[name]) for name in first)
    fresh = walk(GridariumVectorEnv(small(), 3), 20)
    shared = [copy.deepcopy(part) for part in _each(GridariumVectorEnv(small(), 3, shared=True), 20)]
    assert all(same(a, b) for a, b in zip(fresh, shared, strict=True))


def _each(envs, steps, seed=0):
    rng = np.random.default_rng(seed)
    yield envs.reset(seed=seed)
    for _ in range(steps):
        yield envs.step(rng.integers(envs.single_action_space.n, size=envs.num_envs))


def test_it_renders_its_first_worlds():
    envs = GridariumVectorEnv("Empty-4x4", 3, "rgb_array", compiled=False, tile=4)
    envs.reset(seed=0)
    (frame,) = envs.render()
    assert frame.shape == (16, 16, 3)
    texts = GridariumVectorEnv("Empty-4x4", 3, "ansi", compiled=False, render_worlds=5)
    texts.reset(seed=0)
    assert [type(text) for text in texts.render()] == [str] * 3
    assert GridariumVectorEnv("Empty-4x4", 3).render() is None


def test_it_pickles_with_its_future():
    envs = GridariumVectorEnv(small(), 5, autoreset_mode="SameStep", threads=2)
    walk(envs, 15)
    twin = pickle.loads(pickle.dumps(envs))
    assert twin.batch.threads == envs.batch.threads
    assert twin.metadata == envs.metadata
    for step in range(20):
        actions = (np.arange(5) + step) % 8
        assert same(envs.step(actions), twin.step(actions))


def test_once_closed_it_is_not_used_again():
    envs = GridariumVectorEnv(small(), 600, threads=2)
    envs.reset(seed=0)
    envs.close()
    envs.close()
    for call in (lambda: envs.step(np.zeros(600, int)), envs.reset):
        with pytest.raises(gymnasium.error.ClosedEnvironmentError):
            call()


def test_gymnasium_makes_it_in_all_its_ways():
    native = gymnasium.make_vec(ID, num_envs=3)
    assert isinstance(native, GridariumVectorEnv)
    sync = gymnasium.make_vec(ID, num_envs=3, vectorization_mode="sync")
    for mine, its in zip(walk(native, 25), walk(sync, 25), strict=True):
        assert same(mine, its)


def test_gymnasiums_wrappers_work():
    envs = gymnasium.make_vec(ID, num_envs=3, autoreset_mode="SameStep", max_episode_steps=4)
    envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(envs)
    envs = gymnasium.wrappers.vector.DictInfoToList(envs)
    envs.reset(seed=0)
    for _ in range(4):
        *_, infos = envs.step(np.full(3, 4))
    assert [info["episode"]["l"] for info in infos] == [4] * 3


def test_several_agents_are_refused():
    with pytest.raises(ValueError, match="has 2 agents"):
        GridariumVectorEnv("TwoAgents-Empty-8x8", 2)


def test_an_autoreset_mode_that_there_is_not_is_told():
    with pytest.raises(ValueError, match=r'autoreset_mode is one of .*"NextStep".* got .next_step.'):
        GridariumVectorEnv("Empty-4x4", 1, autoreset_mode="next_step", compiled=False)


def test_legal_actions_are_in_the_infos():
    envs = GridariumVectorEnv("Empty-8x8", 5, legal=["can_move"], compiled=False)
    _, infos = envs.reset(seed=0)
    for _ in range(20):
        masks = infos["action_mask"]
        assert masks.shape == (5, envs.single_action_space.n) and infos["_action_mask"].all()
        _, _, _, _, infos = envs.step(
            np.where(masks, np.random.default_rng(0).random(masks.shape), -1).argmax(1)
        )
        assert not infos["result"].any()


def test_the_masks_of_a_final_info_are_those_of_the_end():
    single = GridariumEnv("Empty-8x8", legal=["can_move"], time_limit=3, compiled=False)
    envs = GridariumVectorEnv(
        "Empty-8x8",
        2,
        legal=["can_move"],
        time_limit=3,
        autoreset_mode=AutoresetMode.SAME_STEP,
        compiled=False,
    )
    single.reset(seed=0)
    envs.reset(seed=0)
    for _ in range(3):
        info, infos = single.step(4)[4], envs.step(np.array([4, 4]))[4]
    assert infos["final_info"]["action_mask"].tolist() == [info["action_mask"].tolist()] * 2
    assert infos["action_mask"].tolist() == envs.batch.masks.tolist()


def test_missions_are_told_also_where_another_world_raises_when_an_episode_begins():
    def deal(state, *, rng):
        state.goal = rng.integers(1000)

    def fail(state, action):
        if state.goal < 0:
            raise ValueError("no such goal")

    described = Spec.build(
        name="Goals", shape=(2, 2), objects=[Floor], actions=["WAIT"], reset=deal, transitions=[fail], time_limit=2,
        fields={"world": [{"name": "goal", "type": "int"}]}, mission="go to {goal}",
    )  # fmt: skip
    envs, wait = GridariumVectorEnv(World(described, compiled=False), 2, threads=1), np.zeros(2, np.int64)
    envs.reset(seed=0)
    envs.step(wait)
    envs.reset(options={"reset_mask": np.array([False, True])})
    envs.step(wait)
    envs.batch.memory.view(1).goal = -1
    with pytest.raises(ValueError, match="no such goal"):
        envs.step(wait)
    envs.batch.memory.view(1).goal = 5
    _, _, _, _, infos = envs.step(wait)
    assert infos["tick"].tolist()[0] == 1
    assert infos["mission"][0] == f"go to {envs.batch.state(0).goal}"
