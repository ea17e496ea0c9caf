"""One world as a Gymnasium environment."""

import copy
import math
import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import check_env, data_equivalence

from gridarium.env import GridariumEnv
from gridarium.env.registration import listed
from gridarium.world import Action
from gridarium.worlds import Description, DescriptionError, catalogue
from tests.compiled_worlds import INTERPRETED_AND_COMPILED
from tests.env.worlds import SMALL, crumbling, furnished, small

ID = f"gridarium/{SMALL}-v0"


@pytest.fixture
def env():
    return GridariumEnv(small())


def walk(env, steps, seed=0):
    """What an environment returns to the same random actions, episode after episode."""
    rng = np.random.default_rng(seed)
    returned = [env.reset(seed=seed)]
    for _ in range(steps):
        returned.append(env.step(int(rng.integers(env.action_space.n))))
        if returned[-1][2] or returned[-1][3]:
            returned.append(env.reset())
    return returned


def same(first, second):
    return data_equivalence(first, second, exact=True)


def test_its_episodes_are_the_worlds_own(env):
    world = small(compiled=False)
    state = world.reset(5)
    observation, info = env.reset(seed=5)
    assert same(observation, world.arrays(state))
    assert info == {"tick": 0, "result": 0}
    for action in (0, 4, 5, 6, 7, 1):
        state, reward, terminal = world.step(state, action)
        observation, mine, terminated, truncated, info = env.step(action)
        assert same(observation, world.arrays(state))
        assert (mine, terminated, truncated) == (reward, terminal, False)
        assert info == {"tick": state.tick, "result": state.agent.result}
        assert env.state.identical(state)


def test_a_step_returns_plain_python_numbers(env):
    env.reset(seed=0)
    _, reward, terminated, truncated, info = env.step(np.int64(0))
    assert (type(reward), type(terminated), type(truncated)) == (float, bool, bool)
    assert {type(value) for value in info.values()} == {int}


def test_without_a_seed_the_next_episode_of_the_same_stream_begins(env):
    env.reset(seed=3)
    first, second = env.reset()[0], env.reset()[0]
    env.reset(seed=3)
    assert same(env.reset()[0], first)
    assert same(env.reset()[0], second)
    state = small().reset(3)
    env.reset(seed=3)
    env.reset()
    assert env.state.identical(small().next_episode(state))


def test_never_seeded_environments_differ():
    boards = {
        GridariumEnv("FourRooms-9x9", compiled=False, observe="state").reset()[0]["grid"].tobytes()
        for _ in range(4)
    }
    assert len(boards) > 1


def test_observations_are_fresh_unless_they_are_shared():
    env, sharing = GridariumEnv(small()), GridariumEnv(small(), shared=True)
    first, _ = env.reset(seed=0)
    kept = copy.deepcopy(first)
    second = env.step(4)[0]
    assert same(first, kept)
    assert not any(np.shares_memory(first[name], second[name]) for name in first)
    first["grid"][...] = 99
    assert env.state.identical(small().step(small().reset(0), 4)[0])
    once, _ = sharing.reset(seed=0)
    again = sharing.step(4)[0]
    assert all(np.shares_memory(once[name], again[name]) for name in once)
    assert same(again, second)


@pytest.mark.parametrize(
    ("action", "error"),
    [(8, ValueError), (-1, ValueError), (1 << 70, ValueError), (0.0, TypeError), (math.nan, TypeError),
     (None, TypeError), ("0", TypeError), (np.array([0, 1]), TypeError)],
)  # fmt: skip
def test_what_is_no_action_is_refused_and_changes_nothing(env, action, error):
    env.reset(seed=0)
    env.step(4)
    before = env.state
    with pytest.raises(error):
        env.step(action)
    assert env.state.identical(before)


def test_stepping_before_a_reset_or_after_the_end_is_refused(env):
    with pytest.raises(RuntimeError, match="reset the world"):
        env.step(0)
    with pytest.raises(RuntimeError, match="no state before the first reset"):
        env.state  # noqa: B018
    ending = GridariumEnv(furnished(time_limit=2), compiled=False)
    ending.reset(seed=0)
    assert [ending.step(1)[3] for _ in range(2)] == [False, True]
    with pytest.raises(RuntimeError, match="the episode is over"):
        ending.step(1)
    ending.reset()
    ending.step(1)


@pytest.mark.parametrize("compiled", INTERPRETED_AND_COMPILED)
def test_a_rule_that_raises_does_so_here_and_leaves_the_world_as_it_was(compiled):
    env = GridariumEnv(crumbling(compiled=compiled))
    env.reset(seed=0)
    env.step(2)
    env.step(2)
    before = env.state
    with pytest.raises(ZeroDivisionError, match="the world has crumbled") as caught:
        env.step(1)
    assert "tick 2" in " ".join(caught.value.__notes__)
    assert env.state.identical(before)
    assert env.step(2)[4]["tick"] == 3


def test_whole_states_may_be_observed():
    env = GridariumEnv("Empty-4x4", compiled=False, observe="state")
    observation, _ = env.reset(seed=0)
    assert set(observation) == {"grid", "agent_id_grid", "item", "agent"}
    assert observation["grid"].shape == (4, 4, 3)
    assert observation in env.observation_space


def test_both_may_be_observed_side_by_side():
    both = GridariumEnv("Empty-4x4", compiled=False, observe="both")
    alone = GridariumEnv("Empty-4x4", compiled=False)
    states = GridariumEnv("Empty-4x4", compiled=False, observe="state")
    for mine, first, second in zip(*(walk(env, 20) for env in (both, alone, states)), strict=True):
        assert mine[0] in both.observation_space
        assert same(mine[0], first[0] | {f"state.{name}": array for name, array in second[0].items()})
    with pytest.raises(ValueError, match="'observation', 'state' or 'both'"):
        GridariumEnv("Empty-4x4", observe="everything")


def test_a_representation_may_be_chosen():
    env = GridariumEnv("Empty-4x4", compiled=False, representation={"name": "rgb", "tile": 3})
    assert env.observation_space["image"].shape == (21, 21, 3)
    assert env.reset(seed=0)[0] in env.observation_space
    assert set(GridariumEnv("Empty-4x4", representation="symbolic").observation_space) == {"grid", "item"}
    with pytest.raises(DescriptionError, match=r"representation.*'wild' is not among"):
        GridariumEnv("Empty-4x4", representation="wild")


def test_the_longest_episode_may_be_chosen():
    env = GridariumEnv("KeyDoor-7x7", max_episode_steps=2, compiled=False)
    env.reset(seed=0)
    assert [env.step(1)[3] for _ in range(2)] == [False, True]


def test_a_world_may_be_given_in_many_forms(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(catalogue.description("Empty-4x4").to_yaml())
    data = catalogue.description("Empty-4x4").to_dict()
    forms = ["Empty-4x4", str(path), path, data, Description.from_dict(data), furnished(), small()]
    names = [GridariumEnv(form, compiled=False).world.name for form in forms]
    assert names == [*["Empty-4x4"] * 5, "Furnished", SMALL]
    with pytest.raises(TypeError, match="a world must be a name"):
        GridariumEnv(3)
    with pytest.raises(ValueError, match=r"no world 'Emty-4x4'.*Empty-4x4"):
        GridariumEnv("Emty-4x4")


def test_an_agent_with_fewer_actions_has_a_smaller_space():
    spec = furnished(agents=1)
    data = spec.description.to_dict() | {"agents": [{"actions": ["TURN_RIGHT", "MOVE_FORWARD"]}]}
    env = GridariumEnv(Description.from_dict(data), compiled=False, allow_imports=True)
    assert env.world.actions == (Action.MOVE_FORWARD, Action.TURN_RIGHT)
    assert env.action_space.n == 2
    walk(env, 10)


def test_several_agents_need_another_kind_of_environment():
    with pytest.raises(ValueError, match=r"has 2 agents: .* made by gridarium\.env\.parallel_env"):
        GridariumEnv("TwoAgents-Empty-8x8")


def test_it_renders_text_and_pictures():
    text = GridariumEnv("Empty-4x4", "ansi", compiled=False)
    text.reset(seed=0)
    assert "####" in text.render()
    picture = GridariumEnv("Empty-4x4", "rgb_array", compiled=False, tile=5)
    picture.reset(seed=0)
    assert (picture.render().shape, picture.render().dtype) == ((20, 20, 3), np.uint8)
    assert GridariumEnv("Empty-4x4").render() is None
    with pytest.raises(ValueError, match="render_mode is None or one of human, ansi, rgb_array"):
        GridariumEnv("Empty-4x4", "video")
    with pytest.raises(RuntimeError, match="before the first reset"):
        GridariumEnv("Empty-4x4", "ansi", compiled=False).render()


def test_rendering_changes_nothing():
    quiet, drawn = (
        GridariumEnv("DynamicObstacles-5x5", compiled=False),
        GridariumEnv("DynamicObstacles-5x5", "rgb_array", compiled=False, tile=4),
    )
    for env in (quiet, drawn):
        env.reset(seed=1)
    for _ in range(3):
        drawn.render()
        assert same(quiet.step(4), drawn.step(4))


@pytest.mark.parametrize(
    "copied", [lambda env: pickle.loads(pickle.dumps(env)), copy.deepcopy], ids=["pickle", "deepcopy"]
)
def test_copies_have_the_same_future(copied):
    env = GridariumEnv(small(), "ansi")
    env.reset(seed=2)
    for action in (4, 0, 5):
        env.step(action)
    twin = copied(env)
    assert twin.render_mode == "ansi"
    assert twin.observation_space == env.observation_space
    assert twin.state.identical(env.state)
    for action in (0, 6, 7, 1, 2):
        assert same(env.step(action), twin.step(action))
    assert same(env.reset(), twin.reset())
    assert twin.np_random.integers(1 << 40) == env.np_random.integers(1 << 40)


def test_an_environment_that_has_not_begun_pickles_too():
    twin = pickle.loads(pickle.dumps(GridariumEnv(small())))
    assert same(twin.reset(seed=1), GridariumEnv(small()).reset(seed=1))


def test_a_state_can_be_put_in(env):
    env.reset(seed=0)
    env.step(4)
    kept = env.state
    first = [env.step(a) for a in (0, 5, 0)]
    env.state = kept
    assert all(same(a, b) for a, b in zip(first, [env.step(a) for a in (0, 5, 0)], strict=True))


def test_gymnasium_makes_it_by_its_id():
    env = gymnasium.make(ID)
    assert isinstance(env.unwrapped, GridariumEnv)
    assert same(walk(env, 30), walk(GridariumEnv(small()), 30))


def test_its_spec_survives_json():
    env = gymnasium.make(ID, representation={"name": "rgb", "tile": 4}, observe="state", compiled=False)
    again = EnvSpec.from_json(env.spec.to_json()).make()
    assert same(walk(env, 3), walk(again, 3))
    described = gymnasium.make(ID, world=catalogue.description("Empty-4x4").to_dict(), compiled=False)
    assert EnvSpec.from_json(described.spec.to_json()).make().unwrapped.world.name == "Empty-4x4"


def test_gymnasiums_wrappers_work():
    env = gymnasium.make(ID, max_episode_steps=5)
    env = gymnasium.wrappers.RecordEpisodeStatistics(env)
    env = gymnasium.wrappers.FlattenObservation(env)
    env.reset(seed=0)
    for _ in range(5):
        observation, _, _, truncated, info = env.step(4)
    assert observation in env.observation_space
    assert truncated
    assert info["episode"]["l"] == 5


@pytest.mark.sampled(4)
@pytest.mark.parametrize("observe", ["observation", "state", "both"])
@pytest.mark.parametrize("representation", ["default", "compact", "symbolic", "rgb"])
def test_gymnasiums_checker_is_content_with_every_representation(observe, representation):
    env = gymnasium.make(
        "gridarium/Empty-4x4-v0", compiled=False, observe=observe, representation=representation
    )
    check_env(env.unwrapped)


@pytest.mark.parametrize("id_", sorted(world.id for world in listed() if world.agents == 1))
@pytest.mark.sampled(9)
def test_gymnasiums_checker_is_content_with_every_world(id_):
    check_env(gymnasium.make(id_, compiled=False).unwrapped)


def test_gymnasiums_checker_is_content_with_a_compiled_world():
    check_env(gymnasium.make(ID).unwrapped)


def test_legal_actions_are_in_the_info():
    env = GridariumEnv("Empty-8x8", legal=["can_move"], compiled=False)
    _, info = env.reset(seed=0)
    rng = np.random.default_rng(0)
    for _ in range(60):
        assert info["action_mask"].dtype == np.int8
        assert np.array_equal(info["action_mask"], env.action_masks())
        assert info["action_mask"].tolist() == env.world.action_mask(env.state).tolist()
        _, _, ended, cut, info = env.step(rng.choice(np.flatnonzero(info["action_mask"])))
        assert info["result"] == 0
        if ended or cut:
            _, info = env.reset()
    assert "action_mask" not in GridariumEnv("Empty-8x8", compiled=False).reset(seed=0)[1]


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_know_parameters_and_legal_actions(copied):
    env = GridariumEnv("Empty-8x8", legal=["can_move"], compiled=False)
    env.reset(seed=1, options={"parameters": {"time_limit": 3}})
    for action in (0, 3):
        env.step(action)
    twin = copied(env)
    assert np.array_equal(twin.action_masks(), env.action_masks())
    assert np.array_equal(env.action_masks(), env.world.action_mask(env.state))
    assert twin.step(4)[2:4] == env.step(4)[2:4] == (False, True)
