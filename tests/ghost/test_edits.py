"""Maps, pieces and settings may be edited in any way: the next step knows, or refuses with the place of the mistake."""

import copy
import pickle
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridarium.ghost import AgentInterface, CustomGridEnv

LEFT, DOWN, RIGHT, UP = range(4)
HERE = (1, 0)


def cell(colour=0, items=(), is_goal=False, text=""):
    return {"colour": colour, "items": list(items), "is_goal": is_goal, "is_start": False, "text": text}


def begun(**options):
    env = CustomGridEnv(None, slip_probability=0.0, color_sensor_quality=1.0, use_ghost=False, **options)
    env.reset(seed=0)
    env.agent_pos = list(HERE)
    return env


def plain(env):
    """The cells as rows of dictionaries of nobody else's."""
    return [[{**c, "items": list(c["items"])} for c in row] for row in env.grid]


def by_assigning_an_array(env):
    env.grid = np.array(plain(env), object)
    env.grid[HERE].update(cell(2, ["dog"]))


def by_assigning_rows(env):
    rows = plain(env)
    rows[1][0] = cell(2, ["dog"])
    env.grid = rows


def by_exchanging(env):
    env.grid[0, 0]["items"], (env.grid[0, 0], env.grid[HERE]) = ["dog"], (env.grid[HERE], env.grid[0, 0])


WAYS = {
    "an item": lambda env: env.grid.__setitem__(HERE, cell(2, ["dog"])),
    "flat": lambda env: env.grid.flat.__setitem__(5, cell(2, ["dog"])),
    "a view": lambda env: env.grid[1].__setitem__(0, cell(2, ["dog"])),
    "copyto": lambda env: np.copyto(env.grid, np.full((4, 5), cell(2, ["dog"]), object)),
    "fill": lambda env: env.grid.fill(cell(2, ["dog"])),
    "put": lambda env: np.put(env.grid, [5], [cell(2, ["dog"])]),
    "place": lambda env: np.place(env.grid, np.arange(20).reshape(4, 5) == 5, [cell(2, ["dog"])]),
    "reverse": lambda env: (env.grid[2, 4].update(cell(2, ["dog"])), env.grid.__setitem__(..., env.grid[::-1, ::-1].copy())),
    "a new array": by_assigning_an_array,
    "rows": by_assigning_rows,
    "an exchange": by_exchanging,
    "its keys": lambda env: (env.grid[HERE].__setitem__("colour", 2), env.grid[HERE]["items"].append("dog")),
    "update": lambda env: env.grid[HERE].update(colour=2, items=["dog"]),
    "|=": lambda env: env.grid[HERE].__ior__({"colour": 2, "items": ["dog"]}),
}  # fmt: skip


@pytest.mark.parametrize("write", WAYS.values(), ids=WAYS)
def test_however_a_cell_is_written_the_next_step_knows(write):
    env = begun()
    env.step(LEFT)
    write(env)
    observation, _, _, _, info = env.step(LEFT)
    assert observation["current_cell"]["colour"] == info["color_measurement"] == 2
    assert observation["current_cell"]["has_item"].tolist() == [1, 0, 0]
    env.grid[HERE]["colour"], env.grid[HERE]["items"] = 1, ["flower"]
    observation = env.step(LEFT)[0]
    assert observation["current_cell"]["colour"] == 1
    assert observation["current_cell"]["has_item"].tolist() == [0, 1, 0]
    env.grid[HERE]["items"].clear()
    assert env.step(LEFT)[0]["current_cell"]["has_item"].tolist() == [0, 0, 0]


def test_a_cell_that_is_written_stays_its_writers():
    env, mine, words = begun(), cell(1), ["flower"]
    env.grid[HERE] = mine
    assert env.step(LEFT)[4]["color_measurement"] == 1
    mine["colour"] = 2
    assert env.step(LEFT)[4]["color_measurement"] == 2
    mine["items"].append("dog")
    assert env.step(LEFT)[0]["current_cell"]["has_item"].tolist() == [1, 0, 0]
    env.grid[1, 1]["items"] = words
    env.step(LEFT)
    words.append("two_notes")
    assert env.grid[1, 1]["items"] is words
    env.agent_pos = [1, 1]
    assert env._get_obs()["current_cell"]["has_item"].tolist() == [0, 1, 1]


def test_walls_may_be_rows_of_zeros_and_ones():
    env = begun()
    env.walls_vertical = [[0, 0, 0, 0, 0], [1, 0, 0, 0, 0], [0] * 5, [0] * 5]
    env.step(RIGHT)
    assert env.agent_pos == [1, 0]
    env.walls_vertical[1, 0] = False
    env.step(RIGHT)
    assert env.agent_pos == [1, 1]


def test_an_interface_learns_of_a_new_grid():
    interface = AgentInterface(render=False, slip_probability=0.0, color_sensor_quality=1.0, use_ghost=False)
    interface.reset(seed=0)
    rows = [[cell() for _ in range(5)] for _ in range(4)]
    rows[0][1]["colour"] = 2
    interface.env.grid = rows
    info = interface.step(LEFT)[3]
    assert (info["color_measurement"], info["estimated_pos"]["cell_pos"]) == (2, [0, 1])
    rows[0][1]["colour"], rows[0][0]["colour"] = 0, 1
    assert interface.step(LEFT)[3]["color_measurement"] == 0


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_of_an_edited_world_is_edited_by_itself(again):
    env = begun()
    env.grid = plain(env)
    env.grid[HERE]["colour"] = 1
    twin = again(env)
    twin.grid[HERE]["colour"] = 2
    assert [w.step(LEFT)[4]["color_measurement"] for w in (env, twin)] == [1, 2]


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("colour", 7, "colour is 0 (none), 1 (red) or 2 (green), got 7"),
        ("colour", 1.0, "colour is 0 (none), 1 (red) or 2 (green), got 1.0"),
        ("colour", "red", "got 'red'"),
        ("colour", True, "got True"),
        ("items", "dog", "items is a list of words, such as ['dog'], got 'dog'"),
        ("items", None, "got None"),
        ("items", [1], "got [1]"),
        ("is_goal", "no", "is_goal is True or False, got 'no'"),
        ("text", "a long way off", "text is a word of at most 10 characters"),
        ("text", "Ж", "'Ж' in the text 'Ж' cannot be observed"),
        ("text", 5, "got 5"),
    ],
)
def test_a_cell_that_is_none_is_refused_with_its_place_until_it_is_mended(name, value, words):
    env = begun()
    usual, before = env.grid[1, 2][name], repr((env.agent_pos, env.info, env.step_count))
    env.grid[1, 2][name] = value
    for use in (lambda: env.step(RIGHT), lambda: env.reset(seed=3), env._get_obs):
        with pytest.raises(ValueError, match=r"the cell \[1, 2\]: .*" + re.escape(words)):
            use()
    assert repr((env.agent_pos, env.info, env.step_count)) == before
    env.grid[1, 2][name] = usual
    env.step(RIGHT)
    assert env.agent_pos == [1, 1]


@pytest.mark.parametrize("junk", [None, 5, "dog", ["dog"]])
def test_what_is_no_cell_is_refused(junk):
    env = begun()
    env.grid[0, 3] = junk
    with pytest.raises(ValueError, match=r"the cell \[0, 3\] is a dictionary with colour, items"):
        env.step(RIGHT)
    env.grid[0, 3] = {"colour": 0, "items": []}
    with pytest.raises(ValueError, match=r"the cell \[0, 3\] lacks is_goal, is_start, text"):
        env.step(RIGHT)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("grid", 5, "grid is an array, or a list of rows, of 4 x 5 cells"),
        ("grid", np.zeros((4, 5)), "which are dictionaries; got float64[4, 5]"),
        ("grid", [[cell()] * 5] * 3, "of 4 x 5 cells"),
        ("grid", [[cell()] * 5, [cell()] * 4], "of 4 x 5 cells"),
        ("walls_vertical", None, "walls_vertical is bool[4, 5]; got None"),
        ("walls_horizontal", np.zeros((5, 4), bool), "walls_horizontal is bool[4, 5]; got bool[5, 4]"),
        ("walls_horizontal", np.full((4, 5), 2), "got int64[4, 5]"),
        ("slip_probability", "often", "slip_probability is a number from 0 to 1, got 'often'"),
        ("slip_type", "sideways", "'longitudinal' or 'perpendicular', got 'sideways'"),
        ("time_limit", 2.5, "time_limit is None, or a number of steps from 1 on, got 2.5"),
        ("ghost_pos", [4, 0], "ghost_pos [4, 0] is outside the grid of 4 x 5 cells"),
        ("ghost_pos", 5, "ghost_pos is [row, column], got 5"),
        ("ghost_start_pos", None, "ghost_start_pos is [row, column], got None"),
    ],
)
def test_what_cannot_be_is_refused_at_once(name, value, words):
    env = begun()
    before = getattr(env, name)
    with pytest.raises(ValueError, match=re.escape(words)):
        setattr(env, name, value)
    assert getattr(env, name) is before


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("agent_pos", None, "agent_pos is [row, column], got None"),
        ("agent_pos", [1.0, 0], "agent_pos is [row, column], got [1.0, 0]"),
        ("agent_pos", [-1, 0], "agent_pos [-1, 0] is outside the grid of 4 x 5 cells"),
        ("ghost_positions", 5, "ghost_positions has a place for each ghost, 1 in all; got 5"),
        ("ghost_positions", [[0, 0], [1, 1]], "1 in all"),
        ("ghost_positions", [[0, 9]], "ghost_positions[0] [0, 9] is outside"),
        ("current_turn", "agent", "current_turn is a whole number from 0 on, got 'agent'"),
        ("current_turn", 2, "current_turn is 0, or a ghost's number up to 1"),
    ],
)
def test_pieces_that_cannot_be_where_they_are_stop_the_next_step(name, value, words):
    env = begun()
    usual = getattr(env, name)
    setattr(env, name, value)
    with pytest.raises(ValueError, match=re.escape(words)):
        env.step(RIGHT)
    setattr(env, name, usual)
    env.step(RIGHT)
    assert env.agent_pos == [1, 1]


def test_a_grid_keeps_its_size():
    env = begun()
    with pytest.raises(AttributeError, match=r"rows cannot be set: the layout says how large a grid is"):
        env.rows = 6
    assert env.rows == 4


@pytest.mark.exhaustive
@settings(max_examples=40, deadline=None)
@given(st.data())
def test_any_edits_are_noticed(data):
    """A world that is edited in any ways sees what a new world with the same map sees."""
    env = begun()
    for _ in range(data.draw(st.integers(1, 6))):
        place = data.draw(st.tuples(st.integers(0, 3), st.integers(0, 4)))
        colour, other = (
            data.draw(st.integers(0, 2)),
            data.draw(st.tuples(st.integers(0, 3), st.integers(0, 4))),
        )
        edit = data.draw(st.sampled_from(["key", "cell", "flat", "move", "all", "nothing"]))
        if edit == "key":
            env.grid[place]["colour"] = colour
        elif edit == "cell":
            env.grid[place] = cell(colour)
        elif edit == "flat":
            env.grid.flat[place[0] * 5 + place[1]] = env.grid[other]
        elif edit == "move":
            env.grid[place], env.grid[other] = env.grid[other], env.grid[place]
        elif edit == "all":
            env.grid = np.array([[cell(colour) for _ in range(5)] for _ in range(4)], object)
        new = begun()
        new.grid = plain(env)
        assert repr(env._get_obs()) == repr(new._get_obs())
        assert repr(env.step(LEFT)[0]) == repr(new.step(LEFT)[0])
        env.resume()  # a goal may have come under the agent


class TestAGoalUnderTheAgent:
    """It counts from the agent's own next turn on: who is there after it has reached the goal."""

    @pytest.mark.parametrize("move", ["set_goal", "agent_pos"])
    def test_a_ghosts_turn_does_not_end_the_episode(self, move):
        env = CustomGridEnv(None, slip_probability=0.0)
        env.reset(seed=0)
        env.step(RIGHT)
        if move == "set_goal":
            env.set_goal(env.agent_pos)
        else:
            env.agent_pos = [3, 1]
        _, reward, terminated, _, info = env.step(-1)
        assert (reward, terminated, "reached_goal" in info) == (0.0, False, False)
        stays = UP if move == "set_goal" else DOWN
        _, reward, terminated, _, info = env.step(stays)
        assert (reward, terminated, info["reached_goal"]) == (100.0, True, True)

    def test_who_leaves_it_has_not_reached_it(self):
        env = begun()
        env.set_goal(HERE)
        assert env.step(DOWN)[1:3] == (-1.0, False)

    def test_the_ghost_still_catches_there(self):
        env = CustomGridEnv(None, slip_probability=0.0)
        env.reset(seed=0)
        env.step(RIGHT)
        env.set_goal(env.agent_pos)
        env.ghost_pos = [0, 4]
        _, reward, terminated, _, info = env.step(LEFT)
        assert (reward, terminated, info["caught_by_ghost"]) == (-50.0, True, True)
        assert "reached_goal" not in info

    @pytest.mark.parametrize("ghost", [None, "random"])
    def test_a_round_counts_alike(self, ghost):
        from gridarium.ghost.agents import RandomGhostAgent

        interface = AgentInterface(
            render=False, slip_probability=0.0, ghost_agent_class=RandomGhostAgent if ghost else None
        )
        interface.reset(seed=0)
        interface.env.set_goal((0, 2))
        assert interface.step(UP)[1:3] == (100.0, True)
