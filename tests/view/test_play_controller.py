"""What keys do to a game, and what is said about it."""

import numpy as np
import pytest

from gridarium import World, draw
from gridarium.agents import random_action
from gridarium.draw.tables import FACE_DOWN
from gridarium.view.play.controller import PlayController, ViewMode
from gridarium.view.play.keyboard import Keyboard
from gridarium.view.play.session import PlaySession
from gridarium.world import Action
from tests.engine.board import board
from tests.view.pawns import coins, pawns

KEYDOOR = World("KeyDoor-5x5", compiled=False)
TWO = World("TwoAgents-DoorKey-8x8", compiled=False)
PAWNS, COINS = pawns(), coins()
FOUR = World("ConnectFour", compiled=False)


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


def hot_seat(world, **options):
    return PlayController(PlaySession(world, people=2, **options), Keyboard(world, agents=(0, 1)))


def names(game):
    """What has been done, tick by tick, by those whose turn it was."""
    actions = game.session.game.world.actions
    return [actions[step[tick % 2]].name for tick, step in enumerate(game.session.game.actions)]


class TestChoosing:
    def test_two_people_click_in_turns(self):
        game = hot_seat(PAWNS)
        assert game.panel().banner == "White's turn" and game.panel().prompt == "Move: choose a start."
        assert game.click((4, 2)) and game.session.game.steps == 0
        assert game.panel().prompt == "MOVE((4, 2), …): choose an end."
        game.point((3, 3))
        assert game.panel().prompt == "MOVE((4, 2), (3, 3))"
        assert game.click((3, 3)) and game.panel().banner == "Black's turn"
        assert dict(game.panel().facts) | {
            "white": "return 0, move((4, 2), (3, 3))",
            "black": "return 0",
        } == dict(game.panel().facts)
        game.click((1, 0))
        game.click((2, 0))
        assert names(game) == ["MOVE((4, 2), (3, 3))", "MOVE((1, 0), (2, 0))"]

    def test_what_is_not_legal_is_refused_in_words_and_nothing_is_lost(self):
        game = hot_seat(PAWNS)
        game.click((4, 2))
        assert (
            game.click((5, 5))
            and "The cell (5, 5) is not possible now; MOVE((4, 2), (3, 1))" in game.panel().note
        )
        assert game.choice.begun and game.session.game.steps == 0

    def test_escape_takes_back_a_part_before_it_leaves(self):
        game = hot_seat(PAWNS)
        game.click((4, 2))
        assert ("esc", "choose again") in game.panel().keys
        game.press("escape")
        assert not game.choice.begun and not game.leaving
        game.press("escape")
        assert game.leaving

    def test_an_action_is_typed(self):
        game = hot_seat(PAWNS)
        for key in ("4", "space", "2", "backspace", "1"):
            game.press(key)
        assert game.panel().prompt == ": 4 1_"
        game.press("return")
        assert game.line is None and game.choice.text == "MOVE((4, 1), …)"
        for key in "Move(4,1)(3,1)":
            game.press(key)
        game.press("return")
        assert names(game) == ["MOVE((4, 1), (3, 1))"]
        game.press(":")
        game.press("r")  # a letter, not a command
        game.press("escape")
        assert game.session.game.steps == 1 and game.line is None

    def test_outcomes_are_shown_at_the_end(self):
        described = KEYDOOR.spec.description.to_dict() | {"outcome": "survival", "time_limit": 1}
        game = controller(World(described, compiled=False))
        assert game.press("left") and game.panel().banner == "Time is up: Outcome 0"
        points = FOUR.spec.description.to_dict() | {"outcome": "score", "time_limit": 1}
        points["fields"]["agent"] = [*points["fields"]["agent"], {"name": "score", "default": 2.5}]
        game = hot_seat(World(points, compiled=False, allow_imports=True))
        game.press("3")
        assert game.panel().banner == "Time is up: A draw (red 2.5, yellow 2.5)"

    def test_a_column_is_its_number(self):
        game = hot_seat(FOUR)
        for key in "3344556":
            game.press(key)
        assert game.session.game.steps == 7 and game.panel().banner == "Red has won"
        assert dict(game.panel().facts)["red"] == "return 1, drop(6)"
        assert game.choice is None and not game.click((0, 0))
        game.press("3")
        assert game.session.game.steps == 7
        game.press("backspace")
        assert game.session.game.steps == 6 and game.panel().banner == "Red's turn"

    def test_the_arrow_keys_point_and_space_chooses(self):
        game = hot_seat(FOUR)
        game.press("space")
        assert game.session.game.steps == 0
        game.press("up")
        assert game.pointed == (3, 3)
        game.press("left")
        assert game.pointed == (3, 2) and game.panel(mouse=False).prompt == "DROP(2)"
        game.press("space")
        assert names(game) == ["DROP(2)"]

    def test_the_picture_shows_what_can_be_chosen(self):
        game = hot_seat(PAWNS)
        plain = draw.rgb(game.session.game.state, 8)
        differs = (game.picture(8) != plain).any(axis=2).reshape(6, 8, 6, 8).any(axis=(1, 3))
        assert np.array_equal(differs, game.choice.cells)
        game.click((4, 0))
        differs = (game.picture(8) != plain).any(axis=2).reshape(6, 8, 6, 8).any(axis=(1, 3))
        assert np.array_equal(differs, game.choice.cells | game.choice.picked)

    def test_against_a_policy_one_plays_one_agent(self):
        session = PlaySession(FOUR, people=[1], policy=random_action)
        game = PlayController(session, Keyboard(FOUR, agents=(1,)))
        assert session.game.steps == 1 and game.panel().banner == "Yellow's turn: yours"
        banners = []
        session.before_policies = lambda: banners.append(game.panel().banner)
        game.press("3")
        assert session.game.steps == 3 and banners == ["Red thinks ..."]

    def test_two_people_choose_at_once_each_with_their_keys(self):
        game = PlayController(PlaySession(COINS, people=2), Keyboard(COINS, ("arrows", "wasd")))
        assert game.panel().prompt == "ann: Choose what to do."
        assert game.panel().choices == ("take", "help", "put")
        game.press("f")  # bob's key
        assert game.panel().prompt == "bob: Put: choose a piece."
        assert game.pick(3) and game.pick(1) and game.session.awaited == [0]
        game.press("up")
        ann, bob = game.session.game.actions[0]
        assert [COINS.actions[i].name for i in (ann, bob)] == ["UP", "PUT(3, 1)"]

    def test_keys_of_what_is_not_legal_are_not_shown(self):
        game = hot_seat(board(compiled=False))
        assert [meaning for _, meaning in game.keyboard.actions_help()] == ["place", "resign"]
        assert [meaning for _, meaning in game.keyboard.actions_help(game.offered)] == ["place"]
        key = next(key for key, meaning in game.keyboard.actions_help() if meaning == "resign")
        assert game.press(key) and "RESIGN is not allowed now" in game.panel().note

    def test_a_choice_outlives_a_tick_of_a_live_game(self):
        session = PlaySession(COINS, people=1, policy=lambda actions: Action.WAIT, live=True)
        game = PlayController(session, Keyboard(COINS, live=True))
        game.press("a")
        session.tick()
        assert game.choice.text == "TAKE(…)"
        assert game.click((0, 1))
        session.tick()
        assert session.game.now.actions[0] == COINS.actions.parse("TAKE(0)")


def test_a_person_sees_its_own_cards_only_until_the_game_is_over():
    game = controller(World("KuhnPoker-2p", compiled=False), policy=random_action, seed=3)
    own, other = (agent.card for agent in game.session.game.state.agents)
    facts = dict(game.panel().facts)
    names = ("Jack", "Queen", "King")
    assert (facts["card"], facts["stakes"], facts["pot"]) == (names[own], "1, 1", "2")
    for _ in range(3):
        scene, _, hidden = game.shown()
        assert not hidden and (scene.agent.seat, scene.agent.card) == (0, own)
        assert [agent.card for agent in scene.agents] == [own, FACE_DOWN]
        assert names[own] in draw.text(scene) and names[other] not in draw.text(scene)
        game.press("v")
    while not game.session.game.over:
        game.press("a")
        game.session.tick()
    scene, *_ = game.shown()
    assert [agent.card for agent in scene.agents] == [own, other]
