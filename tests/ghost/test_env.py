import copy
import pickle
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from hypothesis import given, settings
from hypothesis import strategies as st

from gridarium import World
from gridarium.env.registration import GHOST_ID
from gridarium.ghost import CustomGridEnv
from gridarium.ghost.world.layout import names
from gridarium.world import Action, Position

LEFT, DOWN, RIGHT, UP = range(4)
SURE = {"render_mode": None, "slip_probability": 0.0}


def begun(agent=None, ghost=None, **options):
    env = CustomGridEnv(**{**SURE, **options})
    env.reset(seed=0)
    env.agent_pos = agent or env.agent_pos
    env.ghost_pos = ghost or env.ghost_pos
    return env


def walk(env, seed, actions):
    """Everything that an environment says during a walk."""
    said = [env.reset(seed=seed)]
    for action in actions:
        said.append(env.step(action))
        if said[-1][2] or said[-1][3]:
            said.append(env.reset())
    return repr(said)


def test_the_usual_layout_is_the_classic_one():
    env = begun()
    assert [[cell["colour"] for cell in row] for row in env.grid] == [
        [2, 1, 0, 0, 0], [0, 2, 0, 0, 2], [1, 2, 0, 1, 0], [1, 0, 2, 0, 0],
    ]  # fmt: skip
    assert np.argwhere(env.walls_horizontal).tolist() == [[0, 3], [1, 2], [1, 3], [2, 3]]
    assert np.argwhere(env.walls_vertical).tolist() == [[0, 0], [1, 2], [2, 1], [2, 2], [3, 1]]
    goals = [(r, c) for r in range(4) for c in range(5) if env.grid[r, c]["is_goal"]]
    assert (goals, env.start_pos, env.ghost_start_pos) == ([(3, 1), (3, 4)], [0, 2], [3, 4])
    assert env.grid[0, 4]["items"] == ["dog", "two_notes"]
    assert [env.grid[p]["text"] for p in ((0, 2), (3, 1), (3, 4))] == ["Start", "Ziel", "Stopp"]


def test_it_is_the_world_of_the_catalogue():
    env, world = begun(), World("GhostGrid-4x5", compiled=False)
    state = world.reset(seed=0)
    assert [state.agents[0].position.yx, state.agents[1].position.yx] == [(0, 2), (3, 4)]
    for row in range(4):
        for col in range(5):
            for there in ([row + 1, col], [row, col + 1]):
                inside = there[0] < 4 and there[1] < 5
                can = inside and not state.grid.has_wall(Position(row, col), Position(*there))
                assert env._is_move_valid([row, col], there) == can
    assert world.actions == (Action.LEFT, Action.DOWN, Action.RIGHT, Action.UP)


@pytest.mark.parametrize("layout", names())
def test_gymnasium_finds_nothing_to_complain_about(layout):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make(GHOST_ID, layout=layout)
        check_env(env.unwrapped, skip_render_check=True)
        picture = gymnasium.make(GHOST_ID, layout=layout, render_mode="rgb_array")
        check_env(picture.unwrapped)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(names()), st.booleans())
def test_every_observation_is_in_its_space(seed, layout, use_ghost):
    env = CustomGridEnv(None, layout=layout, use_ghost=use_ghost)
    observation, _ = env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    for _ in range(30):
        assert env.observation_space.contains(observation)
        observation, _, terminated, truncated, _ = env.step(int(rng.integers(4)))
        if terminated or truncated:
            observation, _ = env.reset()


def test_an_observation_tells_what_is_near():
    observation = begun([0, 0], [2, 1])._get_obs()
    cell = observation["current_cell"]
    assert (cell["colour"], cell["has_item"].tolist(), cell["is_goal"], cell["text"]) == (2, [1, 0, 0], 0, "")
    assert observation["neighbors"] == {
        "up": {"accessible": 0, "colour": 0}, "right": {"accessible": 0, "colour": 1},
        "down": {"accessible": 1, "colour": 0}, "left": {"accessible": 0, "colour": 0},
    }  # fmt: skip
    assert observation["ghost_relative_pos"].tolist() == [2, 1]
    assert observation["ghost_distance"] == 3
    seen = begun([0, 0], [2, 1])._get_ghost_obs()
    assert seen["agent_relative_pos"].tolist() == [-2, -1]
    assert "text" not in seen["current_cell"]


@pytest.mark.parametrize(
    ("agent", "ghost", "action", "reward", "flag"),
    [
        ([2, 1], [0, 0], DOWN, 100.0, "reached_goal"),
        ([2, 1], [1, 1], UP, -50.0, "caught_by_ghost"),
        ([2, 1], [3, 1], DOWN, -50.0, "caught_by_ghost"),
        ([2, 1], [0, 0], UP, -1.0, None),
        ([0, 0], [3, 4], RIGHT, -1.0, None),
    ],
)
def test_what_a_move_is_worth(agent, ghost, action, reward, flag):
    env = begun(agent, ghost)
    _, got, terminated, truncated, info = env.step(action)
    assert (got, terminated, truncated) == (reward, flag is not None, False)
    assert {k for k in info if k in ("reached_goal", "caught_by_ghost")} == ({flag} if flag else set())


def test_the_ghost_moves_after_the_agent_and_costs_nothing_until_it_catches():
    env = begun([0, 3], [1, 4])
    env.step(UP)
    assert env.get_current_turn() == "ghost"
    assert env.step(UP)[1:3] == (0.0, False)
    env.step(LEFT)
    env.agent_pos = [0, 3]
    _, reward, terminated, _, info = env.step(LEFT)
    assert (reward, terminated, info["mover"], info["caught_by_ghost"]) == (-50.0, True, "ghost", True)


def test_a_ghost_walks_over_goals_and_may_stay():
    env = begun([0, 0], [3, 0])
    env.step(UP)
    assert env.step(RIGHT)[2] is False
    env.step(UP)
    env.step(-1)
    assert env.ghost_pos == [3, 1]


def test_agents_may_pass_each_other():
    env = begun([0, 2], [0, 4], slip_probability=1.0)
    while env.agent_pos != [0, 4]:
        env.agent_pos, env.ghost_pos, env.current_turn = [0, 2], [0, 3], 0
        assert env.step(RIGHT)[2] is False
    assert env.step(LEFT)[2] is False
    assert env.ghost_pos == [0, 2]


def test_after_the_end_only_a_new_goal_lets_it_go_on():
    env = begun([2, 1], [0, 0])
    assert env.step(DOWN)[2]
    with pytest.raises(RuntimeError, match="the episode is over"):
        env.step(DOWN)
    env.set_goal((2, 0))
    assert env.get_current_turn() == "agent"
    assert env.step(LEFT)[2] is False
    env.step(-1)
    assert env.step(UP)[1] == 100.0
    assert sum(cell["is_goal"] for cell in env.grid.flat) == 1
    env.reset()
    assert env.grid[2, 0]["is_goal"]


def test_without_a_ghost_it_is_always_the_agents_turn():
    env = begun([2, 0], [2, 1], use_ghost=False)
    for action in (RIGHT, UP, DOWN):
        _, reward, terminated, _, _ = env.step(action)
        assert (reward, terminated, env.get_current_turn(), env.ghost_pos) == (-1.0, False, "agent", [2, 1])


def five_sigma(count, n, p):
    return abs(count - n * p) <= 5 * (n * p * (1 - p)) ** 0.5 + 1e-9


@pytest.mark.parametrize(
    ("slip_type", "expected"),
    [
        ("longitudinal", {"right": 0.7, "stay": 0.15, "right, right": 0.15}),
        ("perpendicular", {"right": 0.7, "up": 0.15, "down": 0.15}),
    ],
)
def test_it_slips_as_often_as_it_should(slip_type, expected):
    """Each count is within five standard deviations: a false alarm in about two of a million runs."""
    env = begun(use_ghost=False, slip_probability=0.3, slip_type=slip_type)
    counts, n, wrong = {}, 4000, 0
    for _ in range(n):
        env.agent_pos = [1, 0]
        info = env.step(RIGHT)[4]
        counts[info["actual_action"]] = counts.get(info["actual_action"], 0) + 1
        assert info["slipped"] == (info["actual_action"] != "right")
        wrong += info["color_measurement"] != env.grid[tuple(env.agent_pos)]["colour"]
    assert counts.keys() == expected.keys()
    assert all(five_sigma(counts[name], n, p) for name, p in expected.items())
    assert five_sigma(wrong, n, 0.2)


def test_the_helper_slips_alike():
    env = begun(slip_probability=0.4, slip_type="perpendicular")
    drawn = [env._apply_slip(UP) for _ in range(3000)]
    for moves, p in (([UP], 0.6), ([LEFT], 0.2), ([RIGHT], 0.2)):
        assert five_sigma(sum(m == moves for m, _ in drawn), 3000, p)
    env.deterministic = True
    assert env._apply_slip(UP) == ([UP], False)


def test_a_double_step_is_checked_wall_by_wall_and_judged_at_its_end():
    env = begun([1, 1], [3, 3], slip_probability=1.0)
    while env.agent_pos == [1, 1]:
        env.current_turn = 0
        _, reward, _, _, info = env.step(DOWN)
    assert (env.agent_pos, reward, info["actual_action"]) == ([3, 1], 100.0, "down, down")
    env = begun([1, 0], [2, 4], slip_probability=1.0)
    while env.agent_pos == [1, 0]:
        env.current_turn = 0
        env.step(UP)
    assert env.agent_pos == [0, 0]


def test_deterministic_is_about_moving_only():
    env = begun(slip_probability=1.0, deterministic=True, use_ghost=False, color_sensor_quality=0.0)
    for _ in range(20):
        _, _, terminated, _, info = env.step(UP)
        assert (info["actual_action"], info["slipped"], terminated) == ("up", False, False)
        assert info["color_measurement"] != 0


def test_infos_are_the_callers_own():
    env = begun()
    infos = [env.step(UP)[4], env.step(UP)[4], env.step(LEFT)[4]]
    kept = copy.deepcopy(infos)
    infos[0].clear()
    env.step(LEFT)
    assert infos[1:] == kept[1:]
    assert kept[1]["intended_action"] == "up" and kept[1]["mover"] == "ghost"
    env.info["agent_values"] = "mine"
    assert env.step(UP)[4]["agent_values"] == "mine"


def test_edits_of_the_map_are_noticed():
    env = begun([1, 0], [3, 4], use_ghost=False)
    env.grid[1, 1]["is_goal"] = True
    assert env.step(RIGHT)[1] == 100.0
    env.reset()
    env.grid[0, 2]["items"].append("dog")
    assert env._get_obs()["current_cell"]["has_item"].tolist() == [1, 0, 0]
    env.grid[0, 1] = {"colour": 2, "items": [], "is_goal": True, "is_start": False, "text": ""}
    assert env._get_obs()["neighbors"]["left"]["colour"] == 2
    env.walls_vertical[0, 1] = True
    assert env.step(LEFT)[1] == -1.0
    env.walls_vertical = np.zeros((4, 5), bool)
    assert env.step(LEFT)[1] == 100.0
    env.reset()
    env.grid[1, 2]["colour"] = 7
    with pytest.raises(ValueError, match=r"the cell \[1, 2\]: colour is 0"):
        env.step(LEFT)


def test_edits_of_the_rules_are_noticed():
    env = begun([1, 0], use_ghost=False)
    env.slip_probability, env.slip_type = 1.0, "perpendicular"
    assert env.step(RIGHT)[4]["slipped"]
    env.color_sensor_quality = 1.0
    assert all(
        env.step(UP)[4]["color_measurement"] == env.grid[tuple(env.agent_pos)]["colour"] for _ in range(9)
    )


def test_starts_may_be_set():
    env = CustomGridEnv(**SURE)
    env.start_pos, env.ghost_start_pos = [1, 1], [0, 0]
    env.reset()
    assert (env.agent_pos, env.ghost_pos) == ([1, 1], [0, 0])
    env.start_pos = [4, 0]
    with pytest.raises(ValueError, match=r"start_pos \[4, 0\] is outside the grid of 4 x 5"):
        env.reset()


@pytest.mark.parametrize("action", [4, -1, 17, -5])
def test_actions_that_are_none_change_nothing(action):
    env = begun()
    before = pickle.dumps([env.agent_pos, env.step_count, env.info])
    with pytest.raises(ValueError, match="0 left, 1 down, 2 right, 3 up"):
        env.step(action)
    assert pickle.dumps([env.agent_pos, env.step_count, env.info]) == before
    with pytest.raises(TypeError):
        env.step("left")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"slip_probability": 1.5}, "slip_probability is a number from 0 to 1, got 1.5"),
        ({"color_sensor_quality": -0.1}, "color_sensor_quality"),
        ({"slip_type": "sideways"}, "'longitudinal' or 'perpendicular', got 'sideways'"),
        ({"render_mode": "svg"}, "render_mode is None, or one of"),
        ({"deterministic": "yes"}, "deterministic is True or False"),
        ({"time_limit": 0}, "time_limit"),
        ({"layout": "teaching"}, "did you mean 'teaching-4x5'"),
    ],
)
def test_arguments_are_checked(options, words):
    with pytest.raises(ValueError, match=words):
        CustomGridEnv(**{**SURE, **options})


def test_it_has_to_be_reset_first():
    with pytest.raises(RuntimeError, match="reset"):
        CustomGridEnv(**SURE).step(0)


def test_time_runs_out_when_the_round_is_over():
    env = begun([0, 0], [3, 4], time_limit=2)
    ends = [env.step(action)[2:4] for action in (UP, -1, UP, -1)]
    assert ends == [(False, False)] * 3 + [(False, True)]
    with pytest.raises(RuntimeError):
        env.step(UP)


ACTIONS = np.random.default_rng(3).integers(0, 4, 200).tolist()


@pytest.mark.exhaustive
def test_equal_seeds_give_equal_walks_whatever_is_drawn():
    plain, drawn, other = CustomGridEnv(None), CustomGridEnv("rgb_array"), CustomGridEnv(None)
    said = walk(plain, 5, ACTIONS)
    render, drawn.step = drawn.render, _stepping(drawn)
    assert walk(drawn, 5, ACTIONS) == said
    assert render().shape == (585, 500, 3)
    assert walk(other, 6, ACTIONS) != said


def _stepping(env):
    step = env.step

    def drawing(action):
        env.render()
        return step(action)

    return drawing


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_goes_on_alike_and_by_itself(again):
    env = CustomGridEnv(None)
    env.reset(seed=1)
    env.step(LEFT)
    twin = again(env)
    twin_says = [repr(twin.step(a)) for a in (UP, DOWN, RIGHT)]
    assert [repr(env.step(a)) for a in (UP, DOWN, RIGHT)] == twin_says
    twin.grid[0, 0]["colour"] = 1
    assert env.grid[0, 0]["colour"] == 2
    twin.reset()
    assert twin._get_cell_info(0, 0)["colour"] == 1


def test_the_helpers_of_old():
    env = begun([0, 2], [3, 4])
    here = [0, 0]
    assert env._move_entity(here, RIGHT) is here
    assert env._move_entity(here, -1) is here
    assert env._move_entity(here, DOWN) == [1, 0]
    assert env._is_move_valid([1, 1], [1, 1]) and not env._is_move_valid([0, 0], [-1, 0])
    assert env._calculate_shortest_path_distance((2, 2), [3, 0]) == 13
    assert env._calculate_shortest_path_distance((2, 2), [2, 2]) == 0
    assert env.calculate_reward(caught_by_ghost=True) == (-50, True, {"caught_by_ghost": True})
    assert env.calculate_reward() == (-1, False, {})
    assert type(env.calculate_reward()[0]) is float
    assert env._get_cell_info(-1, 0) is None and env._get_cell_info(4, 4) is None
    env.move_ghost(UP)
    assert (env.ghost_pos, env.current_turn) == ([2, 4], 0)
    assert env.get_reward_structure() == {
        "step_penalty": -1, "caught_by_ghost": -50, "reached_goal": 100, "slip_probability": 0.0,
        "terminal_states": ["caught_by_ghost", "reached_goal"],
    }  # fmt: skip


def test_the_grid_in_words():
    env = begun()
    german, english = env.get_grid_description(), env.get_grid_description("en")
    assert len(german.splitlines()) == len(english.splitlines()) == 21
    assert "klassische Musik und Klaviermusik" in german and "Rockmusik" in german
    assert "Startpunkt" not in german and "Zielpunkt" not in german
    assert 'written there: "Ziel"' in english
    with pytest.raises(ValueError, match="de, en"):
        env.get_grid_description("fr")


def test_several_ghosts_take_turns():
    env = CustomGridEnv(None, layout="halls-12x12", slip_probability=0.0)
    env.reset(seed=0)
    env.step(DOWN)
    for k in range(3):
        assert env.current_turn == k + 1
        before = [list(p) for p in env.ghost_positions]
        env.step(UP if env.ghost_positions[k][0] else DOWN)
        moved = [a != b for a, b in zip(before, env.ghost_positions, strict=True)]
        assert not any(moved[:k] + moved[k + 1 :])
    assert env.get_current_turn() == "agent"
    env.ghost_positions[1] = list(env.agent_pos)
    env.current_turn = 3
    assert env.step(-1)[4]["caught_by_ghost"]


def test_a_goal_may_lie_on_a_picture_which_stays():
    env = begun([0, 3], [3, 0], use_ghost=False, deterministic=True)
    env.set_goal((0, 4))
    observation, reward, terminated, _, _ = env.step(RIGHT)
    assert (reward, terminated) == (100.0, True)
    assert observation["current_cell"]["has_item"].tolist() == [1, 0, 1]
    assert observation["current_cell"]["is_goal"] == 1
    env.set_goal((0, 2))
    assert env.grid[0, 4]["items"] == ["dog", "two_notes"]
    assert env.step(LEFT)[2] is False


def test_a_goal_out_of_reach_is_doubted():
    env = begun([0, 2], [3, 4])
    env.walls_vertical[0, 0] = env.walls_horizontal[0, 0] = True
    with pytest.warns(
        UserWarning, match=r"goal \(0, 0\) cannot be reached from the agent at \(0, 2\): walls are all"
    ):
        env.set_goal((0, 0))
    assert env.grid[0, 0]["is_goal"] and env.step(DOWN)[1] == -1.0


@pytest.mark.parametrize("action", ["left", 1.0, None])
def test_an_action_is_a_whole_number(action):
    with pytest.raises(TypeError, match="0 left, 1 down, 2 right, 3 up; got"):
        begun([0, 2], [3, 4]).step(action)


def test_positions_may_be_arrays_and_tuples():
    env = CustomGridEnv(None, slip_probability=0.0)
    env.reset(seed=0)
    env.agent_pos, env.ghost_pos = np.array([1, 1]), (0, 4)
    assert env._get_obs()["ghost_relative_pos"].tolist() == [-1, 3]
    env.step(1)
    assert (env.agent_pos, env.ghost_pos) == ([2, 1], [0, 4])
