"""The adapter for Stable-Baselines3."""

import numpy as np
import pytest

from gridarium.agents import evaluate, play
from gridarium.engine import World
from gridarium.env import GridariumEnv
from gridarium.world import Action, Exit, Field, Floor, Wall
from gridarium.worlds import Spec, find
from tests.env.worlds import SMALL, small

pytest.importorskip("stable_baselines3")
from gridarium.env.sb3 import GridariumVecEnv


def test_policies_get_kinds_statuses_colors_and_the_agent_one_hot():
    env = GridariumVecEnv(SMALL, 3)
    env.seed(0)
    observations = env.reset()
    single = GridariumEnv(SMALL, representation="symbolic")
    for i in range(3):
        arrays, _ = single.reset(seed=i)
        assert observations[i].tolist() == [*arrays["grid"].ravel(), *arrays["item"]]
    assert observations[0] in env.observation_space


def test_channels_come_first_and_what_is_held_is_a_constant_channel():
    env = GridariumVecEnv(SMALL, 2, view="channels")
    env.seed(0)
    observations = env.reset()
    arrays, _ = GridariumEnv(SMALL, representation="symbolic").reset(seed=1)
    channels = arrays["grid"].shape[2]
    assert observations.shape[1:] == env.observation_space.shape
    assert np.array_equal(observations[1, :channels], arrays["grid"].transpose(2, 0, 1))
    assert (observations[1, channels:] == arrays["item"][:, None, None]).all()


def tired(state, action):
    state.agent.energy -= 0.5


def telling(representation):
    """A corridor in which one gets tired, with a compass of sorts."""
    return Spec.build(
        objects=[Floor, Wall, Exit],
        actions=[Action.LEFT, Action.RIGHT],
        fields={"agent": [Field("energy", "float", 5.0)]},
        map={"picture": "^..E"},
        transitions=["move_agent", tired],
        observation="full_grid",
        sensors=[{"name": "walls_around"}],
        representation=representation,
    )


@pytest.mark.parametrize("view", ["flat", "channels"])
def test_fields_and_sensors_that_a_world_shows_are_not_left_out(view):
    world = telling({"name": "default", "fields": ["energy"], "sensors": True})
    env = GridariumVecEnv(world, 2, view=view)
    env.seed(0)
    env.reset()
    env.step_async(np.array([1, 1]))
    observations, *_ = env.step_wait()
    single = GridariumEnv(world)
    single.reset(seed=0)
    arrays, *_ = single.step(1)
    told = np.concatenate([arrays["fields"], arrays["sensors"]]).astype(np.float32)
    assert told[0] == 4.5
    seen = observations[0] if view == "flat" else observations[0][:, 0, 0]
    assert seen[-len(told) :].tolist() == told.tolist()
    assert observations.dtype == env.observation_space.dtype == np.float32
    assert env.observation_space.contains(observations[0])


def test_a_world_that_shows_its_sensors_only_shows_no_cells():
    env = GridariumVecEnv(telling("sensors"), 2)
    env.seed(0)
    arrays, _ = GridariumEnv(telling("sensors")).reset(seed=0)
    assert env.reset()[0].tolist() == arrays["sensors"].astype(np.float32).tolist()
    with pytest.raises(ValueError, match="shows no cells; use view"):
        GridariumVecEnv(telling("sensors"), 2, view="channels")


def test_no_view_is_taken_for_an_image():
    from stable_baselines3.common.preprocessing import is_image_space

    for view in ("flat", "channels"):
        assert not is_image_space(GridariumVecEnv(small().spec, 1, view=view).observation_space)
    assert set(GridariumVecEnv(small(), 1, view="dict").observation_space.spaces) == {
        "grid",
        "agent_id_grid",
        "item",
    }


def test_an_episode_that_is_cut_off_says_so_and_keeps_its_last_observation():
    env = GridariumVecEnv(SMALL, 2, max_episode_steps=3)
    single = GridariumEnv(SMALL, representation="symbolic")
    env.seed(7)
    env.reset()
    single.reset(seed=8)
    for step in range(3):
        observations, rewards, ended, infos = env.step(np.array([4, 4]))
        last, reward, *_ = single.step(4)
        assert rewards[1] == np.float32(reward)
        assert ended.tolist() == [step == 2] * 2
        assert infos[1] == {} or step == 2
    assert infos[1]["TimeLimit.truncated"] is True
    assert infos[1]["terminal_observation"].tolist() == [*last["grid"].ravel(), *last["item"]]
    following, _ = single.reset()
    assert observations[1].tolist() == [*following["grid"].ravel(), *following["item"]]


def test_an_episode_that_the_rules_end_is_not_cut_off():
    data = find("Empty-4x4").to_dict() | {
        "terminations": ["reach_exit", {"name": "reduce_any", "terminating_functions": ["reach_exit"]}]
    }
    env = GridariumVecEnv(data, 8, compiled=False)
    env.seed(0)
    env.reset()
    rng = np.random.default_rng(0)
    for _ in range(200):
        _, _, ended, infos = env.step(rng.integers(env.action_space.n, size=8))
        if ended.any():
            break
    assert all(infos[i]["TimeLimit.truncated"] is False for i in np.flatnonzero(ended))
    assert ended.any()


def test_what_belongs_to_single_environments_is_refused():
    env = GridariumVecEnv(small(), 2)
    assert env.get_attr("render_mode") == [None, None]
    assert env.env_is_wrapped(object) == [False, False]
    assert not env.has_attr("nothing")
    for call in (lambda: env.set_attr("world", 1), lambda: env.env_method("step")):
        with pytest.raises(AttributeError, match="worlds of a batch"):
            call()
    with pytest.raises(ValueError, match="view is"):
        GridariumVecEnv(small(), 2, view="square")
    with pytest.raises(ValueError, match="representation of its own"):
        GridariumVecEnv(small(), 2, representation="compact")
    with pytest.raises(ValueError, match="2 agents"):
        GridariumVecEnv("TwoAgents-Empty-8x8", 2)


def test_pictures_of_all_worlds_can_be_had():
    env = GridariumVecEnv("Empty-4x4", 4, render_mode="rgb_array", tile=4, compiled=False)
    env.reset()
    assert env.render().shape == (32, 32, 3)


@pytest.mark.slow
def test_ppo_learns_a_small_world():
    import torch
    from stable_baselines3 import PPO
    from stable_baselines3.common.vec_env import VecMonitor

    torch.set_num_threads(1)
    env = VecMonitor(GridariumVecEnv("Empty-4x4", 32, max_episode_steps=30))
    options = {"n_steps": 32, "batch_size": 256, "n_epochs": 4, "learning_rate": 2e-3, "gamma": 0.95}
    model = PPO("MlpPolicy", env, **options, seed=0, device="cpu")
    model.learn(1024)
    early = np.mean([episode["r"] for episode in model.ep_info_buffer])
    model.learn(12_000)
    late = np.mean([episode["r"] for episode in model.ep_info_buffer])
    assert late > max(early, 4.0)


@pytest.mark.slow
def test_maskable_ppo_takes_legal_actions_only():
    pytest.importorskip("sb3_contrib")
    from examples.sb3_legal_actions import train

    model, env = train(20_000)
    assert env.world.spec.illegal == "refuse"  # an illegal action would have raised an error
    assert evaluate(env.world, env.policy(model), episodes=200, seed=1).returns.mean() > 0.6


def test_masks_are_those_of_single_environments_through_wrappers_too():
    from stable_baselines3.common.vec_env import VecMonitor

    world = World("Empty-4x4", legal=["can_move"], compiled=False)
    options = {"max_episode_steps": 4, "compiled": False}
    env = VecMonitor(GridariumVecEnv(world, 2, **options))
    single = GridariumEnv(world, **options)
    assert env.has_attr("action_masks")
    env.seed(3)
    env.reset()
    single.reset(seed=4)
    for _ in range(10):
        masks = np.stack(env.env_method("action_masks"))
        assert masks.shape == (2, env.action_space.n) and masks.dtype == bool
        assert masks[1].tolist() == single.action_masks().tolist()
        assert np.array_equal(env.env_method("action_masks", indices=1), masks[1:])
        _, _, ended, _ = env.step(masks.argmax(1))
        single.step(masks[1].argmax())
        if ended[1]:
            single.reset()
    assert not masks.all()


def test_where_there_are_no_legal_rules_all_actions_are_legal():
    env = GridariumVecEnv(small(), 3)
    assert env.action_masks().tolist() == [[True] * env.action_space.n] * 3


def test_models_that_take_masks_get_them_where_there_are_legal_rules():
    class Model:
        def predict(self, observations, deterministic, action_masks=None):
            given.append(action_masks)
            return np.array([0]), None

    for legal in ([], ["can_move"]):
        env, given = GridariumVecEnv(World("Empty-4x4", legal=legal, compiled=False), 1), []
        play(env.world, env.policy(Model()), seed=0, limit=1)
        env.seed(0)
        env.reset()
        assert given[0] is None if not legal else np.array_equal(given[0], env.action_masks())


@pytest.mark.parametrize("view", ["flat", "channels", "dict"])
def test_a_model_is_a_policy_in_the_world_that_shows_what_it_learned_from(view):
    env = GridariumVecEnv(SMALL, 3, view=view)
    seen = []

    class Model:
        def predict(self, observations, deterministic):
            seen.append((observations, deterministic))
            return np.array([1]), None

    played = play(env.world, env.policy(Model(), deterministic=False), seed=2, limit=3)
    assert {actions[0] for actions in played.actions} == {env.world.actions[1]}
    env.seed(2)
    first = env.reset()
    observations, deterministic = seen[0]
    assert deterministic is False
    if view == "dict":
        assert {name: array[0].tolist() for name, array in observations.items()} == {
            name: array[0].tolist() for name, array in first.items()
        }
    else:
        assert observations[0].tolist() == first[0].tolist()


@pytest.mark.slow
def test_the_example_trains_a_teammate_that_plays_in_a_live_world(tmp_path):
    from examples.live_teammate import ticks_with, train

    tiny = {"rooms": (1, 1), "wanted": 1}
    network, curve = train(8192, limit=40, worlds=32, **tiny)
    network.save(tmp_path / "teammate.npz")
    assert network.draws and "GrabObject" in network.names and curve[-1][0] >= 8192
    (ticks,) = ticks_with(tmp_path / "teammate.npz", worlds=1, compiled=False, **tiny)
    assert ticks < 100


def test_agents_that_share_a_policy_are_environments_of_their_own():
    env = GridariumVecEnv("TwoAgents-Empty-8x8", 3, shared_policy=True, view="dict", max_episode_steps=2)
    alone = env.world.batch(3)
    own = [list(map(bool, mask)) for mask in env.world.spec.action_masks]
    assert env.num_envs == 6 and env.action_masks().tolist() == own * 3
    env.seed(7)
    first = env.reset()
    expected = alone.reset([7, 9, 11])
    assert np.array_equal(first["grid"], expected["grid"].reshape(6, *expected["grid"].shape[2:]))
    actions = np.argmax(env.action_masks(), axis=1)
    for last in (False, True):
        seen, rewards, ended, infos = env.step(actions)
        step = alone.step(actions.reshape(3, 2))
        assert np.array_equal(rewards, step.rewards.reshape(-1).astype(np.float32))
        assert ended.tolist() == [last] * 6
        if last:
            assert all(info["TimeLimit.truncated"] for info in infos)
            assert infos[3]["terminal_observation"]["grid"].shape == seen["grid"][3].shape
        else:
            assert np.array_equal(seen["grid"], step.observations["grid"].reshape(seen["grid"].shape))


def test_agents_that_take_turns_share_no_policy():
    with pytest.raises(ValueError, match="take turns"):
        GridariumVecEnv(
            World("TwoAgents-Empty-8x8", turn_order="cycle", compiled=False), 2, shared_policy=True
        )
