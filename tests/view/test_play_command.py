"""`gridarium play`."""

import sys

import pytest
from click.testing import CliRunner

from gridarium.arena import GameSource
from gridarium.cli import main
from gridarium.cli.shared.open_world import open_world


@pytest.fixture(autouse=True)
def nobody_sees_it(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


def play(*arguments, fails=False):
    result = CliRunner().invoke(main, ["play", *map(str, arguments), "--interpreted"])
    assert (result.exit_code != 0) == fails, result.output
    return result.output


@pytest.fixture
def pressed(monkeypatch):
    """The keys that are pressed in the next window, one after another."""
    keys = []

    def next_key(window):
        return [keys.pop(0)] if keys else ["escape"]

    pytest.importorskip("pygame")
    monkeypatch.setattr("gridarium.draw.motion.window.Window.pressed", next_key)
    return keys


def test_one_plays_in_a_window_and_leaves(pressed, tmp_path):
    pressed += ["left", "right", "backspace", "t"]
    told = play("KeyDoor-5x5", "--seed", 3, "--save-to", tmp_path / "games", "--tile", 16)
    assert told == "KeyDoor-5x5, seed 3: 1 steps, return -0.05\n"
    assert (tmp_path / "games" / "KeyDoor-5x5-seed-3.run").exists()


def test_two_play_or_one_with_a_partner(pressed):
    pressed += ["left", "d"]
    assert "1 steps, return 0, 0" in play("TwoAgents-Empty-8x8")
    pressed += ["w", "w"]
    assert "2 steps" in play("TwoAgents-Empty-8x8", "--keys", "wasd", "-p", "random")


def test_one_can_watch_a_policy(monkeypatch):
    pytest.importorskip("pygame")
    calls = iter(range(200))
    monkeypatch.setattr(
        "gridarium.draw.motion.window.Window.pressed", lambda window: ["escape"] if next(calls) > 60 else []
    )
    told = play("Empty-4x4", "--people", 0, "-p", "scripted", "--rate", 100)
    assert "seed 0: 0 steps" not in told


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("Emty-4x4",), "did you mean 'Empty-4x4'"),
        (
            ("Empty-4x4", "--keys", "arrows", "--keys", "wasd"),
            "Empty-4x4 has one agent, and keys for 2 people",
        ),
        (("Empty-4x4", "--people", 2), "Empty-4x4 has one agent, and keys for 2 people"),
        (("TwoAgents-Empty-8x8", "--keys", "vi", "--people", 2), "--keys was given 1 times for 2 people"),
        (("TwoAgents-Empty-8x8", "--keys", "vi", "--keys", "vi"), "keys of their own"),
        (("Empty-4x4", "--rate", 3), "has no action WAIT"),
        (("Empty-4x4", "-p", "clever"), "random, scripted"),
        (("Empty-4x4", "--terminal"), "have to be a terminal"),
    ],
)
def test_what_is_wrong_is_said(arguments, message):
    assert message in " ".join(play(*arguments, fails=True).split())


def test_without_pygame_it_says_what_to_do(monkeypatch):
    monkeypatch.setitem(sys.modules, "pygame", None)
    told = " ".join(play("Empty-4x4", fails=True).split())
    assert "install gridarium[window]; or play in the terminal: --terminal" in told


FOUR = "ConnectFour"


def test_two_play_a_game_with_moves_to_choose(pressed):
    for options in ((), ("--keys", "vi")):
        pressed += [*"3344556"]
        assert "7 steps, return 1, -1" in play(FOUR, *options)


@pytest.mark.parametrize("player", ["random", "greedy", "mcts:simulations=5", "minimax:depth=1", "bot.py"])
def test_one_plays_against_players_of_matches(pressed, player, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").write_text("def act(legal_actions):\n    return legal_actions[-1]\n")
    pressed += ["3"]
    assert "3 steps, return 0, 0" in play(FOUR, "--against", player, "--agent", "yellow")


def test_illegal_actions_of_players_are_refused(pressed, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wrong.py").write_text("def act():\n    return 'HOP'\n")
    pressed += ["3"]
    assert "1 steps, return 0, 0" in play(FOUR, "--against", "wrong.py")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("Empty-4x4", "--against", "random"), "has one agent, so there is nobody to play against"),
        ((FOUR, "--against", "random", "--people", 2), "give it without --people"),
        (
            (FOUR, "--against", "clever"),
            "'clever' is no player; one is a built-in player (random, greedy, mcts",
        ),
        ((FOUR, "--against", "exact:limit=9"), "exact:limit=9 cannot solve ConnectFour"),
        ((FOUR, "-a", "green", "--against", "random"), "has the agents red, yellow, not green"),
        (("CollectBlocks-13x13-3ag", "--people", 5), "there are keys for 3 people, not for 5"),
        ((FOUR, "--people", 3), "ConnectFour has 2 agents, and keys for 3 people"),
    ],
)
def test_what_is_wrong_with_opponents_is_said(arguments, message):
    assert message in " ".join(play(*arguments, fails=True).split())


NIM = "tests.arena.games:Nim"


def plain(*arguments, typed="", exit_code=0):
    result = CliRunner().invoke(main, ["play", *map(str, arguments)], input=typed)
    assert result.exit_code == exit_code, result.output
    return result.output


def test_games_in_plain_python_are_played_as_text():
    told = plain(NIM, typed="3\n3\n9\n3\n")  # 9 cannot be taken
    assert "stones: [9]\nplayer 0 can choose 1, 2, 3" in told and "'9' is none of these" in told
    assert "player 0: return 0.5, has won\nplayer 1: return -0.5" in told
    assert plain(NIM, typed="q\n").endswith("player 0 (q to leave): q\n"), "quietly"


def test_games_in_plain_python_are_played_against_players():
    told = plain("test", "--against", "random", "--agent", 1, typed="0\n" * 99 + "q\n")
    assert "player 1 can choose 0, 1, 2" in told and "player 0" not in told
    told = plain("tests.arena.games:Auction", "--against", "greedy", typed="2\n" * 3)
    assert "player 0: return 6" in told and "greedy: return 6" in told
    assert "has the players 0 to 1, not 2" in plain(NIM, "--agent", 2, exit_code=1)
    assert "--set is for worlds" in plain(NIM, "--set", "size=3", exit_code=1)


@pytest.mark.parametrize(("name", "agents"), [("blokus", 4), ("rps_3p", 3), ("kuhn_poker", 2), ("tron", 4)])
def test_names_of_games_are_the_same_worlds_as_in_matches(name, agents):
    world = open_world(name, compiled=False)
    assert world.spec.agents == agents
    assert world.name == GameSource(name).open().world.name
