"""`render_mode="human"`: a window, here under a driver that shows nothing."""

import copy
import pickle
import sys
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from gridarium.env import GridariumEnv, GridariumVectorEnv
from gridarium.env.human import HumanView, mosaic, mosaic_shape, short
from gridarium.env.rendering import rendered
from gridarium.world import Action, Exit

pygame = pytest.importorskip("pygame")


@pytest.fixture(autouse=True)
def nobody_sees_it(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


@pytest.fixture(autouse=True)
def in_no_time(monkeypatch):
    monkeypatch.setattr("gridarium.draw.motion.viewer.NAP", 0.0)
    for kind in (GridariumEnv, GridariumVectorEnv):
        monkeypatch.setattr(kind, "metadata", {**kind.metadata, "render_fps": 1e6})


def window(env):
    return env.unwrapped._human._viewer.window


def words(env):
    return window(env)._shown[1]


def close_by_hand(env):
    pygame.event.post(pygame.event.Event(pygame.WINDOWCLOSE, window=window(env)._window))


def test_gymnasium_finds_nothing_to_complain_about():
    env = gymnasium.make("gridarium/Empty-4x4-v0", render_mode="human", compiled=False)
    assert "human" in env.metadata["render_modes"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)
        env.reset(seed=0)
        env.step(0)
    env.close()


def test_what_is_wanted_is_said_of_a_world_alone():
    env = GridariumEnv("Fetch-8x8", "human", compiled=False)
    for seed in range(2):
        info = env.reset(seed=seed)[1]
        assert words(env).mission == info["mission"]
    env.close()
    envs = GridariumVectorEnv("Fetch-8x8", 2, "human", compiled=False, render_worlds=2)
    envs.reset(seed=0)
    assert envs._human._viewer.window._shown[1].mission == ""
    envs.close()


def test_reset_and_step_show_what_is_there_and_what_came_of_it():
    env = GridariumEnv("KeyDoor-5x5", "human", compiled=False, tile=20)
    env.reset(seed=0)
    shown = window(env)._shown[0].draw(20)
    assert np.array_equal(shown, rendered(env.world, env.state, "rgb_array", 20))
    assert dict(words(env).facts)["step"] == "0"
    total = 0.0
    for i in range(1, 6):
        _, reward, *_ = env.step(env.world.actions.index(Action.MOVE_FORWARD))
        total += reward
        facts = dict(words(env).facts)
        assert (facts["step"], facts["reward"], facts["action"]) == (str(i), f"{reward:g}", "move forward")
        assert facts["return"] == f"{total:g}"
    assert words(env).note == "Something is in the way."
    assert env.render() is None
    env.close()


def test_the_end_of_an_episode_is_told():
    env = GridariumEnv("Empty-4x4", "human", compiled=False, tile=8)
    env.reset(seed=0)
    state = env.state
    state.agent.position = next(p for p in state.grid.positions() if isinstance(state.grid[p], Exit))
    env.state = state
    assert env.step(4)[2]
    assert words(env).banner == "The episode is over"
    env.reset()
    assert words(env).banner == ""
    env.close()


@pytest.mark.parametrize("copies", [1, 2])
def test_outcomes_are_told_at_the_end(copies):
    described = GridariumEnv("Empty-4x4", compiled=False).world.spec.description.to_dict()
    described |= {"outcome": "survival", "time_limit": 1}
    if copies == 1:
        env = GridariumEnv(described, "human", compiled=False, tile=8)
    else:
        env = GridariumVectorEnv(described, copies, render_mode="human", compiled=False, tile=8)
    env.reset(seed=0)
    assert "outcome" not in str(words(env).facts)
    env.step(0 if copies == 1 else [0, 0])
    assert ("outcome", "0") in words(env).facts
    env.reset(seed=0)
    assert "outcome" not in str(words(env).facts)
    env.close()


def test_it_shows_the_same_world_and_changes_nothing():
    quiet = GridariumEnv("DynamicObstacles-5x5", compiled=False)
    shown = GridariumEnv("DynamicObstacles-5x5", "human", compiled=False, tile=8)
    for env in (quiet, shown):
        env.reset(seed=3)
    for action in (0, 1):
        assert str(quiet.step(action)) == str(shown.step(action))
        shown.render()
    assert quiet.state.identical(shown.state)
    shown.close()


def test_closing_the_window_does_not_disturb_the_program():
    env, other = (GridariumEnv("Empty-4x4", "human", compiled=False, tile=8) for _ in range(2))
    for each in (env, other):
        each.reset(seed=0)
    close_by_hand(env)
    for _ in range(3):
        env.step(4)
        other.step(4)
    assert not window(env).is_open and window(other).is_open
    assert env.render() is None
    env.reset()
    env.close()
    env.close()
    other.step(4)
    other.close()
    GridariumEnv("Empty-4x4", "human", compiled=False).close()


@pytest.mark.parametrize(
    "copied", [lambda e: pickle.loads(pickle.dumps(e)), copy.deepcopy], ids=["pickle", "deepcopy"]
)
def test_a_copy_opens_a_window_of_its_own(copied):
    env = GridariumEnv("Empty-4x4", "human", compiled=False, tile=8)
    env.reset(seed=0)
    twin = copied(env)
    twin.step(4)
    assert window(twin) is not window(env)
    env.close()
    assert window(twin).is_open
    twin.close()


def test_a_vector_environment_shows_its_first_worlds_side_by_side():
    envs = GridariumVectorEnv("Empty-4x4", 9, "human", compiled=False, tile=8, render_worlds=5)
    envs.reset(seed=0)
    envs.step(np.full(9, 4))
    scene, panel = window(envs)._shown
    assert (scene.rows, scene.columns) == (2 * 5 - 1, 3 * 5 - 1)
    picture = scene.draw(8)
    assert np.array_equal(picture[40:72, 40:72], rendered(envs.world, envs.batch.state(4), "rgb_array", 8))
    assert not picture[32:40].any() and not picture[40:, 80:].any()
    assert dict(panel.facts)["world 4"] == "return -0.05, turn left"
    assert envs.render() is None
    close_by_hand(envs)
    envs.step(np.full(9, 4))
    envs.step(np.full(9, 4))
    assert not window(envs).is_open
    envs.close()


def test_returns_begin_anew_with_each_episode():
    envs = GridariumVectorEnv(
        "Empty-4x4", 2, "human", compiled=False, tile=4, render_worlds=2, max_episode_steps=2
    )
    envs.reset(seed=0)
    view = envs._human
    for _ in range(2):
        envs.step(np.array([4, 4]))
    view.returns[:] = 7.0
    envs.step(np.array([4, 4]))
    assert view.returns.tolist() == [0.0, 0.0]
    envs.close()


@pytest.mark.parametrize("kind", ["parallel_env", "aec_env"])
@pytest.mark.parametrize("name", ["TwoAgents-Empty-8x8", "TwoAgents-FourRooms-9x9", "TwoAgents-Helper-8x8"])
def test_pettingzoo_environments_have_a_window_too(kind, name):
    pytest.importorskip("pettingzoo")
    import gridarium.env.pettingzoo_env as home

    env = getattr(home, kind)(name, render_mode="human", compiled=False, tile=8)
    env.reset(seed=0)
    inner = env.unwrapped
    inner = inner if hasattr(inner, "_human") else inner.env
    inner._human._viewer.pace.fps = 1e6
    if kind == "parallel_env":
        env.step(dict.fromkeys(env.agents, 0))
    else:
        env.step(0)
        env.step(0)
    facts = dict(words(inner).facts)
    assert int(facts["step"]) >= 1
    assert any("turn left" in value for value in facts.values())
    assert env.render() is None
    env.close()
    assert not window(inner).is_open


def test_without_pygame_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pygame", None)
    env = GridariumEnv("Empty-4x4", "human", compiled=False)
    with pytest.raises(ImportError, match=r"install gridarium\[window\]"):
        env.reset(seed=0)


def test_whole_numbers_are_exact_and_others_short():
    given = 1234567.0, -0.0, -3, 0.30000000000000004, 1234567.25, 1e300, float("inf"), -0.00001
    assert [short(n) for n in given] == ["1234567", "0", "-3", "0.3", "1.23457e+06", "1e+300", "inf", "0"]


def test_a_mosaic_is_about_square():
    world = GridariumEnv("Empty-4x4", compiled=False).world
    assert mosaic_shape(world, 1) == (4, 4)
    assert mosaic_shape(world, 2) == (4, 9)
    assert mosaic_shape(world, 4) == (9, 9)
    assert mosaic(world, [world.reset(0)] * 7, 3).shape == (14 * 3, 14 * 3, 3)


def test_outcomes_stand_beside_the_returns_of_several_agents():
    world = GridariumEnv("Empty-4x4", compiled=False).world
    view = HumanView(world, ["ann", "bob"], 4, 8.0)
    view._outcomes = np.array([1.0, np.nan])
    assert view._listed([1], ["wait", None], [0.0] * 2)[1:] == [
        ("ann", "return 0, outcome 1, wait"),
        ("bob", "return 0"),
    ]


def test_many_agents_are_listed_as_far_as_there_is_room():
    world = GridariumEnv("Empty-4x4", compiled=False).world
    view = HumanView(world, [f"world {i}" for i in range(40)], 4, 8.0)
    view._facts = view._listed([1] * 40, ["wait"] * 40, [0.0] * 40)
    assert len(view._facts) == 13
