import numpy as np
import pytest

from gridarium.ghost import AgentInterface, CustomGridEnv, TaskPlanner
from gridarium.ghost.drawing.sprites import write
from gridarium.ghost.renderer import PygameRenderer, sensor_lines
from gridarium.ghost.world.layout import names


@pytest.fixture
def env():
    made = CustomGridEnv("rgb_array")
    made.reset(seed=0)
    return made


def differs(a, b):
    """The rows and columns of cells (100 pixels) in which two pictures differ; row 4 and 5 are the panel."""
    return {(y // 100, x // 100) for y, x in np.argwhere((a != b).any(axis=2)).tolist()}


def test_the_picture_has_the_familiar_size(env):
    picture = env.render()
    assert (picture.shape, picture.dtype) == ((585, 500, 3), np.uint8)
    assert (picture[:3] == 0).all() and (picture[-3:] == 0).all()
    assert (picture[250, 200] == 0).all() or (picture[250, 198] == 0).all()


def test_only_what_moves_is_drawn_anew(env):
    before = env.render()
    env.agent_pos = [1, 0]
    cells = {cell for cell in differs(before, env.render()) if cell[0] < 4}
    assert cells == {(0, 2), (1, 0)}
    env.ghost_pos = [1, 0]
    together = env.render()
    assert (together[100:200, 0:100] == (230, 30, 30)).all(axis=2).any()


def test_a_ghost_that_takes_no_part_is_not_drawn(env):
    before = env.render()
    env.use_ghost = False
    assert (3, 4) in differs(before, env.render())


def test_what_is_believed_is_drawn(env):
    before = env.render()
    env.info |= {"particles": [[2, 0]] * 20, "show_particles": True}
    assert {c for c in differs(before, env.render()) if c[0] < 4} == {(2, 0)}
    env.info["show_particles"] = False
    assert {c for c in differs(before, env.render()) if c[0] < 4} == set()


def test_values_are_drawn_in_every_cell(env):
    before = env.render()
    env.info["agent_values"] = TaskPlanner(env, use_llm=False).value_iteration((3, 1))
    assert {c for c in differs(before, env.render()) if c[0] < 4} == {
        (r, c) for r in range(4) for c in range(5)
    }
    env.info = {"q_values": np.full((4, 5, 4), 7.0)}
    assert (1, 3) in differs(before, env.render())


def test_the_panel_tells_what_the_sensors_say(env):
    before = env.render()
    env.info |= {
        "cnn_prediction": ("dog", 0.97),
        "estimated_pos": {"cell_pos": [1, 2], "float_pos": [1.0, 2.0]},
    }
    changed = np.argwhere((before != env.render()).any(axis=2))
    assert changed[:, 0].min() > 400 and changed[:, 1].min() > 325


@pytest.mark.parametrize("layout", names())
def test_every_layout_can_be_drawn(layout):
    env = CustomGridEnv("rgb_array", layout=layout)
    env.reset(seed=0)
    picture = env.render()
    assert picture.shape[1] >= 500 and max(picture.shape) < 1000
    assert env.render() is not picture


def test_no_picture_without_a_mode():
    env = CustomGridEnv(None)
    env.reset(seed=0)
    assert env.render() is None
    assert env.picture().shape == (585, 500, 3)
    env.close()


def test_a_text():
    env = CustomGridEnv("ansi", slip_probability=0.0)
    env.reset(seed=0)
    lines = env.render().splitlines()
    assert lines[0] == "gd  |r    . A  .    .d"
    assert lines[-1].endswith(".*G")


def test_windows_leave_each_other_alone(monkeypatch):
    pytest.importorskip("pygame")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    envs = [CustomGridEnv("human") for _ in range(2)]
    for env in envs:
        env.reset(seed=0)
        assert env.render() is None
    envs[0].close()
    envs[0].close()
    envs[1].step(0)
    assert envs[1].render() is None
    envs[1].close()


def test_drawing_waits_for_nobody():
    interface = AgentInterface(render=True, step_delay=10_000)
    interface.reset(seed=0)
    assert interface.step(0)[3]["show_particles"] is True


def test_the_renderer_can_be_used_by_itself(env):
    painter = PygameRenderer(4, 5, "rgb_array")
    walls = env.walls_horizontal, env.walls_vertical
    picture = painter.render([0, 2], [3, 4], env.grid, *walls, 0, 0, env.info, True)
    assert (picture == env.render()).all()
    painter.close()


COLORS = {
    "white": (255, 255, 255),
    "yellow": (255, 220, 100),
    "cyan": (100, 220, 220),
    "orange": (255, 180, 100),
}


def written(picture, line, column):
    """The color of a line of the panel, in one of its three columns of 150 pixels and more."""
    top, left = 440 + round(23.5 * line), (12, 160, 330)[column]
    part = picture[top : top + 20, left : left + 140].reshape(-1, 3)
    return {name for name, rgb in COLORS.items() if (part == rgb).all(axis=1).any()}


def test_the_panel_is_written_in_the_familiar_colors(env):
    env.info["estimated_pos"] = {"cell_pos": [1, 2], "float_pos": [1.0, 2.0]}
    env.agent_pos = [3, 1]
    picture = env.render()
    assert [written(picture, line, 0) for line in range(3)] == [{"white"}, {"cyan"}, {"yellow"}]
    assert [written(picture, line, 1) for line in range(3)] == [{"white"}, {"white"}, {"yellow"}]
    assert [written(picture, line, 2) for line in range(2)] == [{"white"}, {"orange"}]


def test_the_sensor_says_white_where_there_is_no_color(env):
    env.info = {"color_measurement": 0}
    lines = sensor_lines(env.info)
    assert [text for text, _ in lines] == ["Sensor: White"]


def test_tails_of_letters_are_drawn():
    def rows(text):
        out = np.full((100, 100, 3), 255, np.uint8)
        write(out, text, 0.1, 0.5, 0.2, (0, 0, 0))
        return np.flatnonzero((out < 255).any(axis=(1, 2)))

    assert rows("g").max() - rows("A").max() >= 5  # a third of a capital's height is 7


def test_the_sign_of_a_collision_stands_inside_its_ring(env):
    env.ghost_pos = list(env.agent_pos)
    red = (env.render()[:100, 200:300] == (230, 30, 30)).all(axis=2)
    y, x = np.indices(red.shape)
    away = np.hypot(y - 49.5, x - 49.5)
    assert red[away < 38].any()
    assert not red[(away > 38) & (away < 39)].any()
