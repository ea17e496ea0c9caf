"""Matches between players of every kind."""

import json
import shutil
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest

from gridarium.arena import (
    CannotPlay,
    FunctionPlayer,
    GameSource,
    Match,
    MatchResult,
    PlayerStatus,
    ProcessPlayer,
    RandomPlayer,
    left_out_of,
    open_player,
    player_names,
    players_in,
    run_of_matches,
)
from gridarium.arena.players.policy_player import PolicyPlayer
from gridarium.engine import World
from gridarium.games import WorldGame, game_class
from tests.arena.games import Auction, Board, Nim
from tests.engine.board import board
from tests.games.interpreted import interpreted

ROOT = Path(__file__).parents[2]
LOGGING = """
read line
printf '%s\\n' "$line" >> log
printf '{"type":"ready","protocol":1}\\n'
while read line; do
    printf '%s\\n' "$line" >> log
    case "$line" in *act*) printf '{"type":"action","action":"1"}\\n';; esac
done
"""


@pytest.fixture(scope="module")
def world_game():
    return Board()


def test_equal_seeds_give_equal_matches():
    def played(seed):
        return Match(Auction(), [RandomPlayer("a"), RandomPlayer("b")], seed=seed).run()

    def chosen(result):
        return [(move.ply, move.seat, move.action) for move in result.moves]

    assert chosen(played(3)) == chosen(played(3))
    assert any(chosen(played(3)) != chosen(played(seed)) for seed in range(4, 8))
    drawn = Match(Auction(), [RandomPlayer("a"), RandomPlayer("b")]).run()
    assert chosen(drawn) == chosen(played(drawn.seed))


def test_results_have_a_json_form():
    result = Match(Nim(), [RandomPlayer("a"), RandomPlayer("<b>")], seed=3, name="nim", config="9").run()
    assert MatchResult.from_json(result.to_json()) == result
    assert (result.game, result.config, result.seed, result.truncated) == ("nim", "9", 3, False)
    assert [seat.name for seat in result.seats] == ["a", "<b>"]
    for text in ("", "[]", "{}", '{"format": 2}', result.to_json().replace("DONE", "GONE")):
        with pytest.raises(ValueError, match="not the result of a match"):
            MatchResult.from_json(text)


def test_points_are_the_share_of_beaten_seats():
    def points(*bids):
        players = [FunctionPlayer(str(bid), lambda seat: str(bids[seat])) for bid in bids]
        result = Match(Auction(), players, seed=0).run()
        return result.points, result.winners

    assert points(2, 1, 0) == ([1.0, 0.5, 0.0], [0])
    assert points(1, 1, 0) == ([0.75, 0.75, 0.0], [0, 1])
    assert points(1, 1, 1) == ([0.5, 0.5, 0.5], [])
    assert points(0, 2) == ([0.0, 1.0], [1])


def test_long_matches_are_cut_off():
    result = Match(Nim("30"), [RandomPlayer("a"), RandomPlayer("b")], most_plies=3).run()
    assert result.truncated
    assert len(result.moves) == 3
    assert (result.points, result.winners) == ([0.5, 0.5], [])


def test_wrong_matches_are_refused():
    one = RandomPlayer("a")
    with pytest.raises(ValueError, match="Nim is a game of 2 to 4 players, not 1"):
        Match(Nim(), [one])
    with pytest.raises(ValueError, match="a player sits in one seat"):
        Match(Nim(), [one, one])
    with pytest.raises(ValueError, match="bank"):
        Match(Nim(), [one, RandomPlayer("b")], bank=-1.0)


def test_messages_are_as_documented(tmp_path):
    logger = ProcessPlayer("logger", ["/bin/sh", "-c", LOGGING], folder=tmp_path)
    result = Match(Nim("4"), [logger, FunctionPlayer("two", lambda seat: "2")], seed=1, name="nim").run()
    logger.close()
    begin, first, second, end = map(json.loads, (tmp_path / "log").read_text().splitlines())
    seed = begin.pop("seed")
    assert 0 <= seed < 1 << 32
    assert begin == {
        "type": "begin", "protocol": 1, "game": "nim", "config": "", "players": 2, "seat": 0,
        "time_per_move": 1.0, "bank": 10.0, "observation": {"stones": [1]},
    }  # fmt: skip
    assert first["time_left"] == 11.0
    assert second.pop("time_left") == pytest.approx(11.0)
    assert second == {"type": "act", "ply": 2, "legal_actions": ["1"], "observation": {"stones": [1]}}
    assert end == {
        "type": "end", "returns": [0.5, -0.5], "ranks": [0, 1], "statuses": ["DONE", "DONE"], "reasons": ["", ""],
        "observation": {"stones": [0]},
    }  # fmt: skip
    assert result.winners == [0]


def test_everyone_learns_the_result():
    class Listener:
        def __call__(self, legal_actions):
            return legal_actions[0]

        def end(self, end):
            self.heard = end

    listeners = [Listener(), Listener()]
    Match(Nim(), [FunctionPlayer(str(i), listener) for i, listener in enumerate(listeners)]).run()
    for listener in listeners:
        assert listener.heard.observation == {"stones": np.array([0])}
        assert listener.heard.statuses == (PlayerStatus.DONE, PlayerStatus.DONE)
        assert sorted(listener.heard.ranks) == [0, 1]


def test_the_documented_shell_script_plays(tmp_path):
    page = (ROOT / "docs" / "arena-protocol.md").read_text()
    script = tmp_path / "bot.sh"
    script.write_text("#!/bin/sh\n" + page.partition("```sh\n")[2].partition("```")[0])
    script.chmod(0o755)
    player = open_player(str(script))
    result = Match(Nim("9"), [player, RandomPlayer("r")], seed=1, time_per_move=5.0).run()
    player.close()
    assert result.seats[0].status == "DONE", result.seats[0].reason
    assert {move.action for move in result.moves if move.seat == 0} == {"1"}


def test_a_match_can_be_watched():
    def failing(legal_actions, rng):
        return "" if rng.random() < 0.3 else legal_actions[0]

    players = [FunctionPlayer("failing", failing), RandomPlayer("b"), RandomPlayer("c")]
    match, seen = Match(Nim("30"), players, seed=1), []
    result = match.run(lambda state: seen.append((state, [str(status) for status in match.statuses])))
    assert [state[0] for state, _ in seen][:1] == [30]
    assert len(seen) == result.plies + 1
    assert seen[0][1] == ["ACTIVE"] * 3
    assert seen[-1][1] == ["INVALID", "ACTIVE", "ACTIVE"]
    assert match.statuses == ["INVALID", "DONE", "DONE"]


def test_moves_that_the_game_has_not_seen_are_no_moves():
    wrong = FunctionPlayer("wrong", lambda seat: "9")
    result = Match(Auction(), [RandomPlayer("a"), wrong], seed=1).run()
    assert (result.moves, result.plies, result.winners) == ((), 0, [0])


def test_what_json_does_not_have_is_null(tmp_path):
    class Vague(Nim):
        def state_to_observation(self, state, player):
            return {"stones": np.array([np.inf])}

    file = tmp_path / "vague_bot.py"
    file.write_text(
        "def act(observation, legal_actions):\n"
        "    return legal_actions[0] if str(observation['stones'][0]) == 'nan' else ''\n"
    )
    player = open_player(str(file))
    assert Match(Vague(), [player, RandomPlayer("r")], time_per_move=5.0).run().seats[0].status == "DONE"
    player.close()


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_programs_in_two_languages_play_several_games(tmp_path):
    program = tmp_path / "middle_bot"
    subprocess.run(["cc", "-o", program, ROOT / "examples" / "bots" / "middle_bot.c"], check=True)
    players = [open_player(str(program)), open_player(str(ROOT / "examples" / "bots" / "random_bot.py"))]
    assert [player.name for player in players] == ["middle_bot", "random_bot"]
    for seed in range(3):
        result = Match(Nim("20"), players, seed=seed, time_per_move=5.0).run()
        assert [seat.status for seat in result.seats] == ["DONE", "DONE"]
    for player in players:
        player.close()


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    "text", ["random", "greedy", "mcts:simulations=30", "mcts:seconds=0.01", "expectimax"]
)
def test_builtin_players_play_worlds(world_game, text):
    result = Match(world_game, [open_player(text), open_player("random")], seed=1, time_per_move=None).run()
    assert [seat.status for seat in result.seats] == ["DONE", "DONE"], result
    assert result.seats[0].name == text
    assert text in player_names() or ":" in text


def test_a_policy_decides_once_before_its_clock_runs():
    game = interpreted(game_class("TwoAgents-Empty-8x8"))("time_limit=5")
    called = []

    def policy(state, actions, rng):
        called.append((state.tick, int(rng.integers(1 << 30))))
        time.sleep(0.4 if len(called) == 1 else 0)
        return actions[0]

    players = [PolicyPlayer("policy", policy), RandomPlayer("r")]
    results = [Match(game, players, seed=1, time_per_move=0.3, bank=0.0).run() for _ in range(2)]
    assert [result.seats[0].status for result in results] == ["DONE", "DONE"]
    assert len(called) == 1 + sum(move.seat == 0 for result in results for move in result.moves)
    assert called[0][1] == called[1][1]


def test_greedy_players_take_what_they_can_get():
    result = Match(Auction(), [open_player("greedy"), open_player("random")], seed=1).run()
    assert [move.action for move in result.moves if move.seat == 0] == ["2", "2", "2"]


@pytest.mark.exhaustive
def test_tree_search_beats_random_players(world_game):
    players = [open_player("mcts:simulations=40"), open_player("random")]
    points = [Match(world_game, players, seed=seed, time_per_move=None).run().points[0] for seed in range(3)]
    assert sum(points) >= 2.5


def test_policies_of_worlds_choose_actions_or_indices(world_game):
    for policy in (lambda actions: actions[0], lambda world, state: world.legal_actions(state, 0)[0]):
        result = Match(world_game, [FunctionPlayer("p", policy), RandomPlayer("r")], seed=1).run()
        assert result.seats[0].status == "DONE", result.seats[0].reason


class TwoAgents(WorldGame):
    @classmethod
    def _open(cls, parameters):
        return World("TwoAgents-Empty-8x8", time_limit=6, compiled=False)


@pytest.mark.exhaustive
@pytest.mark.parametrize("kind", [Board, TwoAgents])
def test_matches_in_worlds_are_runs(kind):
    """Of players who act in turns, and at the same time."""
    game = kind()
    results = [Match(game, [RandomPlayer("a"), open_player("greedy")], seed=seed).run() for seed in range(2)]
    run = run_of_matches(game, results)
    assert [episode.steps for episode in run.episodes()] == [r.plies for r in results]
    assert run.rewards[-1].tolist() == [[sum(r.seats[seat].returned for r in results) for seat in range(2)]]
    assert run.verify(game.world)
    with pytest.raises(ValueError, match="only matches in worlds have replays"):
        run_of_matches(Nim(), results)


def test_players_of_a_folder(tmp_path):
    (tmp_path / "one.py").write_text("def act(legal_actions): return legal_actions[0]\n")
    (tmp_path / "notes.txt").write_text("no player")
    (tmp_path / "_helper.py").write_text("")
    program = tmp_path / "two bots.sh"
    program.write_text("#!/bin/sh\nexit\n")
    program.chmod(0o755)
    (tmp_path / "nested").mkdir()
    found = players_in(tmp_path)
    assert [*found] == ["one", "two bots"]
    assert left_out_of(tmp_path) == [
        "nested (a folder)",
        f"notes.txt (not executable: chmod +x {tmp_path / 'notes.txt'})",
    ]
    assert [type(open_player(text)) for text in found.values()] == [ProcessPlayer, ProcessPlayer]
    shutil.copy(tmp_path / "one.py", tmp_path / "one")
    (tmp_path / "one").chmod(0o755)
    with pytest.raises(ValueError, match="two players in .* are called one"):
        players_in(tmp_path)


def test_games_come_from_files_and_modules(tmp_path):
    assert GameSource("tests.arena.games:Nim", "5").open().new_state()[0] == (5, 0, 2)
    file = tmp_path / "own_game.py"
    file.write_text("from tests.arena.games import Nim\nclass Own(Nim):\n    pass\n")
    assert type(GameSource(str(file)).open()).__name__ == "Own"
    assert type(GameSource(f"{file}:Nim").open()) is Nim
    for name, problem in [
        ("nothing_like_it", "no game is called 'nothing_like_it'"),
        ("KeyDoor-9x9", "KeyDoor-9x9 has a single agent, and is no game"),
        ("nowhere.yaml", r"there is no file nowhere\.yaml"),
        ("tests.arena.games:np", "neither a subclass of BaseEnvironment nor a world"),
    ]:
        with pytest.raises(ValueError, match=problem):
            GameSource(name).open()


PATIENCE = 60
MEETING = """\
import pathlib, time

asked = 0

def act(legal_actions):
    global asked
    asked += 1
    place = pathlib.Path({place!r})
    (place / f"asked-{{asked}}-{name}").touch()
    while len([*place.glob(f"asked-{{asked}}-*")]) < 3:
        time.sleep(0.01)
    time.sleep(0.2)
    return legal_actions[0]
"""


@pytest.mark.exhaustive
def test_programs_that_act_at_the_same_time_think_at_the_same_time(tmp_path):
    """In each of three rounds each waits until all have been asked, and then for another 0.2 s."""
    players = []
    for name in ("first", "second", "third"):
        bot = tmp_path / f"{name}.py"
        bot.write_text(MEETING.format(place=str(tmp_path), name=name))
        players.append(open_player(str(bot)))
    result = Match(Auction(), players, seed=1, time_per_move=PATIENCE).run()
    for player in players:
        player.close()
    assert [seat.status for seat in result.seats] == ["DONE"] * 3
    assert all(seat.seconds >= 0.55 for seat in result.seats)
    assert len([*tmp_path.glob("asked-*")]) == 9


def test_a_fault_of_one_who_acts_with_others_leaves_their_actions(tmp_path):
    good, bad = tmp_path / "good.py", tmp_path / "bad.py"
    good.write_text("def act(legal_actions):\n    return '2'\n")
    bad.write_text("def act(legal_actions):\n    return '7'\n")
    players = [open_player(str(bad)), open_player(str(good)), RandomPlayer("random")]
    result = Match(Auction(), players, seed=1).run()
    for player in players:
        player.close()
    assert [seat.status for seat in result.seats] == ["INVALID", "DONE", "DONE"]
    assert [move.action for move in result.moves if move.seat == 1] == ["2", "2", "2"]
    assert all(move.forced for move in result.moves if move.seat == 0)


def test_messages_call_a_world_by_its_name():
    game = game_class(board(compiled=False).spec, "my_file")()
    with pytest.raises(CannotPlay, match="exact cannot solve own game: Board is too large: 3 moves"):
        Match(game, [open_player("exact:limit=3", name="exact"), RandomPlayer("r")], name="own game").run()


def test_a_match_is_played_once():
    match = Match(Nim("5"), [open_player("random"), open_player("random")], seed=1)
    result = match.run()
    with pytest.raises(RuntimeError, match="a match is played once"):
        match.run()
    assert len(result.moves) >= 2
