"""States and observations for a terminal."""

import re

import numpy as np
import pytest

from gridarium import World
from gridarium.draw import text
from gridarium.draw.drawings import AGENT_COLORS
from gridarium.draw.visibility import only_seen
from gridarium.rules import ActionResultCode
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
from gridarium.world.state import seen_from
from tests.differential import random_states
from tests.draw.scenes import two_rooms
from tests.draw.test_atlas import EDGES, WORDS

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def key_and_door() -> State:
    vocabulary = Vocabulary([Floor, Wall, Door, Key], [Color.RED, Color.BLUE], world_fields=[Field("heat")])
    state = State.blank((3, 5), vocabulary)
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
            ">  facing right, holds Key(RED)",
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
    assert lines[:4] == ["?####", "#>KD#", "#####", ">  facing right"]


def test_several_agents_are_numbered() -> None:
    state = State.blank((1, 3), WORDS, agents=3)
    state.agents[1].position = Position(0, 2)
    lines = text(state).splitlines()
    assert lines[1:5] == ["0^. 1^", "0  facing up", "1  facing up", "2  at 0 0, facing up"]


def test_several_agents_show_where_they_face_between_walls_on_edges_too() -> None:
    state = two_rooms()
    state.grid.set_wall(Position(0, 1), Position(1, 1))
    assert text(state).splitlines()[1:4] == ["D  0<|.  1^", "  +--+  +", ".  .  .  B"]


@pytest.mark.parametrize(
    ("orientation", "word"),
    list(zip(Orientation, ("up", "down", "left", "right"), strict=True)),
)
def test_headings_are_those_of_the_map(orientation: Orientation, word: str) -> None:
    state = State.blank((1, 1), WORDS)
    state.agent.orientation = orientation
    assert text(state).splitlines()[2] == f"{'^v<>'[orientation.value]}  facing {word}"


def test_what_came_of_an_action_is_said_in_words_unless_it_worked() -> None:
    state = State.blank((1, 1), WORDS)
    for result, said in (
        (0, ""),
        (ActionResultCode.BLOCKED, ", last action: Something is in the way"),
        (99, ", last action: Result 99"),
    ):
        state.agent.result = result
        assert text(state).splitlines()[2] == f"^  facing up{said}"
    state.agent.result, state.agent.busy = 0, 1
    assert "busy for 1 more tick" in text(state)


def test_an_observation_says_whose_it_is() -> None:
    state = State.blank((1, 2), WORDS, agents=3)
    view = seen_from(Observation(state.grid, state.agents[2]), 2, 3)
    assert text(view).splitlines()[1] == "^  agent 2, facing up"
    assert ";2;{};{};{}m^".format(*AGENT_COLORS[2]) in text(view, color=True)


def test_players_without_a_body_have_a_line_if_there_is_something_to_say() -> None:
    four, cards = (World(name, compiled=False) for name in ("ConnectFour", "LeducPoker"))
    state = four.reset(seed=1)
    view = four.observe(state, 1)
    for scene in (state, view, only_seen(state, np.ones((6, 7), np.bool_), four.observe(state, 0))):
        assert text(scene).splitlines()[-1] == ".  Floor" and text(scene).count("\n") == 6 + isinstance(
            scene, State
        )
    assert text(cards.reset(seed=1)).splitlines()[-1].startswith("1  card ")
    assert any(line.startswith("1  ") for line in text(cards.observe(cards.reset(seed=1), 1)).splitlines())


def test_players_without_a_body_are_not_gone_where_nobody_sees_the_board() -> None:
    state = World("ConnectFour", compiled=False).reset(seed=1)
    assert all(agent.active for agent in only_seen(state, np.zeros((6, 7), np.bool_)).agents)


def test_a_grid_as_text() -> None:
    assert text(key_and_door().grid).splitlines()[:3] == ["#####", "#.KD#", "#####"]


def test_only_what_can_be_seen_is_shown() -> None:
    with pytest.raises(TypeError, match="a state, an observation or a grid, not int"):
        text(3)


def test_colors_are_those_of_the_objects() -> None:
    colored = text(key_and_door(), color=True)
    assert "\x1b[38;2;203;84;84mD\x1b[0m" in colored
    assert "\x1b[38;2;84;110;203mK\x1b[0m" in colored
    assert "\x1b[1;38;2;214;40;96m>\x1b[0m" in colored


def test_colors_add_nothing_but_colors() -> None:
    for vocabulary in (WORDS, EDGES):
        for state in random_states(vocabulary, 5, agents=2):
            assert ESCAPE.sub("", text(state, color=True)) == text(state)
            assert "\x1b" not in text(state)


def test_the_target_of_an_episode_is_a_sign_with_the_mission_above() -> None:
    world = World("Fetch-8x8", compiled=False)
    state = world.reset(0)
    lines = text(state, mission=world.mission(state)).split("\n")
    assert lines[:3] == ["tick 0", "mission: fetch a grey ball", "?#######"]
    assert lines[-1] == "?  sign: Ball(GREY)"
    assert sum(line.endswith("Ball(GREY)") for line in lines) == 2  # the one to fetch is a thing of its own
    seen = text(world.observe(state)).split("\n")
    assert seen[-1] == "!  sign: Ball(GREY)"  # "?" is what is hidden


@pytest.mark.parametrize(("name", "first"), [("FourByThree", "@"), ("GhostGrid-4x5", "0")])
def test_where_headings_do_not_matter_there_are_no_arrows(name: str, first: str) -> None:
    state = World(name, compiled=False).reset(seed=0)
    shown = text(state)
    assert not set("^<>") & set(shown)
    agents = [line for line in shown.splitlines() if line.startswith(f"{first}  ") or line == first]
    assert len(agents) == 1 and "facing" not in agents[0]
