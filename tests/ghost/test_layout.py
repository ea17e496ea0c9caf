import warnings

import pytest

from gridarium.ghost import CustomGridEnv, load_layout
from gridarium.ghost.world.layout import names
from gridarium.worlds import DescriptionError

SMALL = """
name: small
picture: |
  S .|G
    -
  r g Q
cells:
  S: {start: true, text: Hi}
  Q: {ghost: true, items: [dog]}
payoff: {step: -0.5, caught: -7, reached: 3}
time_limit: 9
"""


def test_a_layout_of_ones_own(tmp_path):
    file = tmp_path / "small.yaml"
    file.write_text(SMALL)
    env = CustomGridEnv(None, slip_probability=0.0, layout=file)
    env.reset(seed=0)
    assert (env.rows, env.cols, env.time_limit, env.start_pos, env.ghost_pos) == (2, 3, 9, [0, 0], [1, 2])
    assert env.grid[0, 2]["is_goal"] and env.grid[1, 2]["items"] == ["dog"]
    assert env.walls_vertical.tolist() == [[False, True, False], [False] * 3]
    assert env.walls_horizontal.tolist() == [[False, True, False], [False] * 3]
    assert env.step(2)[1] == -0.5
    assert env.get_reward_structure()["reached_goal"] == 3


@pytest.mark.parametrize("name", names())
def test_what_comes_along_can_be_won(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        layout = load_layout(name)
    assert layout.name == name
    assert load_layout(layout) is layout


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            SMALL.replace("Q: {", "Q: {colur: red, "),
            "cells.Q.colur: unknown key 'colur'; did you mean 'colour'",
        ),
        (SMALL.replace("[dog]", "[cat]"), "cat"),
        (SMALL.replace("S .|G", "S ?|G"), "'\\?' has no meaning"),
        (SMALL.replace("S .|G", ". .|G"), "exactly one cell is a start"),
        (SMALL.replace("g Q", "g ."), "at least one cell has a ghost"),
        (SMALL.replace("S .|G", "S .xG"), "line 1, column 4: | or a space belongs between cells, not 'x'"),
        (
            "picture: |\n  S . G\n  . . Q\ncells: {S: {start: true}, Q: {ghost: true}}",
            "line 2, column 1: every second line is for walls; - or a space belongs between cells, not '.'",
        ),
        (SMALL.replace("r g Q", "r g"), "row of 2 cells"),
        (SMALL.replace("time_limit: 9", "time_limit: 0"), "time_limit"),
        (SMALL.replace("name: small", "name: !!python/name:os.system"), "tag"),
        ("- 1\n- 2\n", "a layout is a mapping"),
        ("picture: ''\nname: a\n", "empty"),
    ],
)
def test_what_is_wrong_with_a_layout_is_told(text, words):
    with pytest.raises(DescriptionError, match=words):
        load_layout(text)


def test_mistakes_in_a_file_have_lines(tmp_path):
    file = tmp_path / "bad.yaml"
    file.write_text(SMALL.replace("Q: {", "Q: {colur: red, "))
    with pytest.raises(DescriptionError, match=r"bad.yaml:9: cells.Q.colur"):
        load_layout(file)


def test_a_goal_out_of_reach_is_doubted():
    walled = SMALL.replace("  r g Q", "  r g Q").replace("    -\n", "    - -\n")
    with pytest.warns(
        UserWarning, match=r"the goal \(0, 2\) cannot be reached from the start \(0, 0\): walls are all"
    ):
        load_layout(walled)
    with pytest.warns(UserWarning, match="no cell is a goal"):
        load_layout(SMALL.replace("|G", "|."))
