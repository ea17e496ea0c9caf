"""The ghost world in the library's own drawing style."""

import numpy as np
import pytest

from gridarium import draw
from gridarium.ghost import CustomGridEnv, plain
from gridarium.ghost.dashboard import Dashboard
from gridarium.ghost.planning.tasks import cell_words, read_task
from gridarium.ghost.world.descriptions import sign

CELL = 100


@pytest.fixture
def env():
    env = CustomGridEnv(render_mode=None, deterministic=True)
    env.reset(seed=0)
    return env


def differing(first, second):
    """The rows and columns of cells in which two pictures differ."""
    rows, columns = np.nonzero((first != second).any(axis=2))
    return sorted({(y // CELL, x // CELL) for y, x in zip(rows.tolist(), columns.tolist())})


def test_it_is_the_map_as_the_library_draws_it(env):
    drawn = draw.rgb(env.state.grid, CELL)
    assert plain.picture(env, {}).shape == drawn.shape == (400, 500, 3)
    signs, pieces = [(0, 2), (3, 1), (3, 4)], [tuple(env.agent_pos), tuple(env.ghost_pos)]
    assert differing(plain.picture(env, {}), drawn) == sorted({*signs, *pieces})


def test_everybody_is_where_they_are(env):
    before = plain.picture(env, {})
    here = tuple(env.agent_pos)
    env.agent_pos = [2, 2]
    assert differing(plain.picture(env, {}), before) == sorted([here, (2, 2)])
    env.agent_pos = [1, 4]  # off every sign
    seen = plain.picture(env, {})
    env.agent_pos = list(here)  # who stands on a sign hides it
    assert (plain.picture(env, {}) == before).all() and (seen != before).any()
    env.agent_pos = [2, 2]
    env.ghost_pos = [2, 2]
    met = plain.picture(env, {})
    env.use_ghost = False
    assert differing(plain.picture(env, {}), met) == [(2, 2)]


def test_edits_of_the_map_show(env):
    before = plain.picture(env, {})
    env.grid[1, 0]["colour"] = 2
    assert differing(plain.picture(env, {}), before) == [(1, 0)]


def test_signs_are_in_the_users_language(env):
    assert [sign(text, "en") for text in ("Start", "Ziel", "Stopp", "Pool")] == [
        "Start",
        "Goal",
        "Stop",
        "Pool",
    ]
    assert sign("Ziel", "de") == "Ziel"
    env.use_ghost = False  # it stands on one
    english, german = (plain.picture(env, {}, language) for language in ("en", "de"))
    assert differing(english, german) == [(3, 1), (3, 4)]


def test_particles_and_values_stand_where_they_belong(env):
    before = plain.picture(env, {})
    assert differing(plain.picture(env, {"particles": [(1, 3), (1, 3), (2, 0)]}), before) == [(1, 3), (2, 0)]
    values = np.full((4, 5), np.nan)
    values[1, 0] = 64
    for key in ("agent_values", "ghost_values"):
        assert differing(plain.picture(env, {key: values}), before) == [(1, 0)]
    q_values = np.zeros((4, 5, 4))
    q_values[2, 2] = [1, 9, 2, 3]
    assert differing(plain.picture(env, {"q_values": q_values}), before) == [(2, 2)]
    turned = q_values[..., ::-1]
    assert differing(
        plain.picture(env, {"q_values": turned}), plain.picture(env, {"q_values": q_values})
    ) == [(2, 2)]


def test_a_crowd_of_particles_leaves_the_things_in_its_cell_visible(env):
    crowd = {"particles": [(1, 3), (1, 2)] * 80}  # a flower, and a cell with nothing in it
    flower, nothing = (
        plain.picture(env, crowd)[CELL : 2 * CELL, x * CELL : (x + 1) * CELL].astype(int) for x in (3, 2)
    )
    alone = plain.picture(env, {})[CELL : 2 * CELL, 3 * CELL : 4 * CELL].astype(int)
    petals = (alone.min(axis=2) > 240)[20:80, 20:80]
    assert petals.sum() > 300
    assert (np.abs(flower - nothing)[20:80, 20:80][petals].max(axis=1) > 2).mean() > 0.9
    faded = np.abs(flower - alone)[20:80, 20:80][petals]
    assert faded.max() <= 128


def test_values_do_not_lie_on_the_agent(env):
    row, column = env.agent_pos
    values = np.full((4, 5), np.nan)
    values[row, column] = 64
    written = (plain.picture(env, {"agent_values": values}) != plain.picture(env, {})).any(axis=2)
    columns = np.nonzero(written[row * CELL : (row + 1) * CELL])[1] - column * CELL
    assert columns.min() >= 0 and columns.max() < 0.46 * CELL  # the head is in the middle
    heights = np.nonzero(written)[0] - row * CELL
    assert heights.max() < 0.3 * CELL


def test_tasks_are_read_in_both_languages(env):
    for word in ("Ziel", "Goal", "the goal"):
        assert read_task(word, env).places == [(3, 1)], word
    for word in ("Stopp", "stop"):
        assert read_task(word, env).places == [(3, 4)], word
    assert cell_words(env.grid[3, 1], "en") == 'white, "Goal"'
    desk = Dashboard(seed=0)
    desk.plan("Goal", and_back=False)
    assert '"Goal"' in str(desk.waypoints)
    desk.set(language="de")
    desk.plan("Goal", and_back=False)
    assert '"Ziel"' in str(desk.waypoints)


def test_a_look_or_a_language_that_there_is_not_is_refused():
    with pytest.raises(ValueError, match="look is one of plain, original, got 'fancy'"):
        Dashboard(look="fancy")
    with pytest.raises(ValueError, match="language is one of de, en, got 'fr'"):
        Dashboard(language="fr")
