"""States and observations for a terminal."""

import re

from gridarium.draw import text
from gridarium.world import (
    Color,
    Door,
    Field,
    Floor,
    Hidden,
    Key,
    Observation,
    Orientation,
    Position,
    State,
    Vocabulary,
    Wall,
)
from tests.differential import random_states
from tests.draw.test_atlas import EDGES, WORDS

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def key_and_door() -> State:
    words = Vocabulary([Floor, Wall, Door, Key], [Color.RED, Color.BLUE], world_fields=[Field("heat")])
    state = State.blank((3, 5), words)
    for p in state.grid.area.positions("border"):
        state.grid[p] = Wall()
    state.grid[1, 3] = Door(Door.Status.LOCKED, Color.RED)
    state.grid[1, 2] = Key(Color.BLUE)
    state.agent.position, state.agent.orientation = Position(1, 1), Orientation.RIGHT
    state.agent.grid_object = Key(Color.RED)
    state.data[0] = 7
    return state


def test_a_state_as_text() -> None:
    assert text(key_and_door()) == "\n".join(
        [
            "tick 7  heat=0.0",
            "#####",
            "#>KD#",
            "#####",
            ">  facing RIGHT, holds Key(RED)",
            "#  Wall",
            "K  Key(BLUE)",
            "D  Door(LOCKED, RED)",
        ]
    )


def test_an_observation_as_text() -> None:
    state = key_and_door()
    state.grid[0, 0] = Hidden()
    state.agent.drop()
    lines = text(Observation(state.grid, state.agent)).splitlines()
    assert lines[:4] == ["?####", "#>KD#", "#####", ">  facing RIGHT"]


def test_several_agents_are_numbered() -> None:
    state = State.blank((1, 3), WORDS, agents=3)
    state.agents[1].position = Position(0, 2)
    lines = text(state).splitlines()
    assert lines[1:5] == ["0.1", "0  facing FORWARD", "1  facing FORWARD", "2  at 0 0, facing FORWARD"]


def test_colors_are_those_of_the_objects() -> None:
    colored = text(key_and_door(), color=True)
    assert "\x1b[38;2;203;84;84mD\x1b[0m" in colored
    assert "\x1b[38;2;84;110;203mK\x1b[0m" in colored
    assert "\x1b[1;38;2;214;40;96m>\x1b[0m" in colored


def test_colors_add_nothing_but_colors() -> None:
    for words in (WORDS, EDGES):
        for state in random_states(words, 5, agents=2):
            assert ESCAPE.sub("", text(state, color=True)) == text(state)
            assert "\x1b" not in text(state)
