"""What keys do to a game, and what is said about it."""

import numpy as np
import pytest

from gridarium import World, draw
from gridarium.view.play.controller import PlayController, ViewMode
from gridarium.view.play.keyboard import Keyboard
from gridarium.view.play.session import PlaySession

KEYDOOR = World("KeyDoor-5x5", compiled=False)
TWO = World("TwoAgents-DoorKey-8x8", compiled=False)


def controller(world=KEYDOOR, schemes=("arrows",), folder=".", endings=("run",), **options):
    live = options.get("live", False)
    session = PlaySession(world, people=len(schemes), **options)
    return PlayController(session, Keyboard(world, schemes, live=live), folder=folder, endings=endings)


def test_keys_act_and_commands_are_carried_out():
    game = controller()
    first = game.session.game.state
    assert game.press("left") and game.press("left")
    assert game.session.game.steps == 2
    assert dict(game.panel().facts)["action"] == "turn left"
    assert not game.press("x")
    game.press("backspace")
    assert game.session.game.steps == 1
    game.press("r")
    assert game.session.game.state.identical(first)
    game.press("n")
    assert game.session.game.seed == 1
    assert not game.leaving
    game.press("escape")
    assert game.leaving


def test_it_says_what_came_of_an_action():
    game = controller()
    assert game.panel().note == "" and "action" not in dict(game.panel().facts)
    for _ in range(4):
        game.press("up")
    assert game.panel().note == "Something is in the way."
    assert dict(game.panel().facts)["reward"] == f"{game.session.game.now.rewards[0]:g}"
    game.press("r")
    game.press("backspace")
    assert game.panel().note == "There is nothing to take back."


def test_it_says_who_is_waited_for():
    game = controller(TWO, ("arrows", "wasd"))
    assert game.panel().banner == "Waiting for agent_0 and agent_1"
    game.press("left")
    assert game.panel().banner == "Waiting for agent_1"
    assert dict(game.panel().facts)["agent_0"] == "return 0, has chosen"
    game.press("d")
    assert dict(game.panel().facts)["agent_1"] == "return 0, turn right"


def test_views_go_round_and_the_picture_follows():
    game = controller()
    pictures = []
    for view in game.views:
        assert game.views[game.view] == view
        pictures.append(game.picture(4))
        game.press("v")
    assert game.view == 0
    state, view = game.session.game.state, KEYDOOR.observe(game.session.game.state)
    assert np.array_equal(pictures[0], draw.rgb(state, 4, view=view))
    assert np.array_equal(pictures[1], draw.rgb(state, 4, view=view, hide_unseen=True))
    assert np.array_equal(pictures[2], draw.rgb(view, 4))
    assert np.array_equal(pictures[3], draw.rgb(state, 4))


def test_with_two_agents_one_looks_through_the_eyes_of_either():
    game = controller(TWO, ("arrows", "wasd"))
    assert [v.agent for v in game.views] == [0, 0, 0, 1, 1]
    for _ in range(4):
        game.press("v")
    assert game.views[game.view] == ViewMode("as {agent} sees it", 1)
    assert dict(game.panel().facts)["view"] == "as agent_1 sees it"
    assert np.array_equal(game.picture(4), draw.rgb(TWO.observe(game.session.game.state, 1), 4))


def test_saved_games_do_not_replace_each_other(tmp_path):
    game = controller(folder=tmp_path / "games", endings=("run", "html"))
    game.press("left")
    game.press("t")
    assert game.panel().note == "Saved as KeyDoor-5x5-seed-0 (run, html)."
    game.press("t")
    names = sorted(p.name for p in (tmp_path / "games").iterdir())
    assert names == [f"KeyDoor-5x5-seed-0{n}.{e}" for n in ("-2", "") for e in ("html", "run")]


def test_a_game_that_cannot_be_saved_goes_on(tmp_path):
    (tmp_path / "file").write_text("")
    game = controller(folder=tmp_path / "file")
    game.press("t")
    assert game.panel().note.startswith("It could not be saved:")
    assert game.press("left") and game.session.game.steps == 1


def test_the_speed_of_a_live_game_can_be_changed():
    game = controller(live=True, policy=lambda actions: actions[0])
    assert game.interval == 1 / 4
    game.press("+")
    assert dict(game.panel().facts)["speed"] == "8 a second"
    game.press("-")
    game.press("-")
    assert game.interval == 1 / 2
    game.press("p")
    assert game.panel().banner == "Paused"


@pytest.mark.parametrize("live", [True, False])
def test_the_end_is_told(live):
    from gridarium.agents import shortest_plan

    game = controller(World("Empty-4x4", compiled=False))
    for action in shortest_plan(game.session.game.world, game.session.game.state):
        game.session.choose(0, action)
    assert game.panel().banner == "The episode is over"
    game.press("up")
    assert "begin again" in game.panel().note
