"""`gridarium match` and `gridarium tournament`, as somebody at a terminal meets them."""

import contextlib
import io
import itertools
import json
import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from gridarium.arena import (
    GameSource,
    MatchResult,
    PlayedMatch,
    PlayerStatus,
    ScheduledMatch,
    SeatResult,
    TournamentResult,
    run_of_matches,
)
from gridarium.cli import main
from gridarium.cli.commands.tournament import show
from gridarium.cli.shared.terminal import short_names
from gridarium.engine import Run
from gridarium.games import GameError

NIM, BOARD = "tests.arena.games:Nim", "tests.arena.games:Board"


def gridarium(*arguments, fails=False):
    done = CliRunner().invoke(main, [str(a) for a in arguments])
    assert done.exit_code == (1 if fails else 0), done.output
    assert not done.exception or isinstance(done.exception, SystemExit), done.exception
    return done.output


@pytest.fixture
def players(tmp_path: Path) -> Path:
    folder = tmp_path / "class"
    folder.mkdir()
    (folder / "first.py").write_text("def act(legal_actions):\n    return legal_actions[0]\n")
    broken = folder / "<b>oken.sh"
    broken.write_text("#!/bin/sh\necho '<script>' >&2\nexit 3\n")
    broken.chmod(0o755)
    return folder


def test_a_match_is_played_and_written(tmp_path):
    path = tmp_path / "results.json"
    told = gridarium("match", NIM, "greedy", "random", "-n", 4, "--seed", 7, "--json", path)
    assert f"{NIM}, 4 games, seed 7" in told
    data = json.loads(path.read_text())
    results = [MatchResult.from_json(json.dumps(match)) for match in data["matches"]]
    assert [result.seed for result in results] == [7, 7, 8, 8]
    assert [[seat.name for seat in result.seats] for result in results] == [
        ["greedy", "random"], ["random", "greedy"],
    ] * 2  # fmt: skip
    wins = [sum(r.seats[w].name == name for r in results for w in r.winners) for name in ("greedy", "random")]
    for name, won in zip(("greedy", "random"), wins):
        assert re.search(rf"{name} .*  {won} +0 +{4 - won} ", told)


def test_equal_players_and_parameters(tmp_path):
    path = tmp_path / "results.json"
    gridarium("match", NIM, "random", "random", "--config", "5", "--seed", 1, "--json", path)
    (match,) = json.loads(path.read_text())["matches"]
    assert match["config"] == "5"
    assert sum(int(move["action"]) for move in match["moves"]) == 5
    assert [seat["name"] for seat in match["seats"]] == ["random", "random (2)"]


def test_faults_are_told(players):
    told = gridarium("match", NIM, players / "first.py", "random", f"'{players / '<b>oken.sh'}'", "--time", 5)
    assert "<b>oken: ERROR, its process ended with exit status 3: <script>" in " ".join(told.split())


def test_what_players_print_is_shown_with_their_faults_and_otherwise_spoken_of(tmp_path):
    talking, failing = tmp_path / "talking.py", tmp_path / "failing.py"
    talking.write_text("def act(legal_actions):\n    print('fine')\n    return legal_actions[0]\n")
    failing.write_text(
        "def act(legal_actions):\n    print('\\033[31m[b]here\\n' * 9 + 'x' * 201)\n    return 'nonsense'\n"
    )
    told = gridarium("match", NIM, talking, failing, "--time", 5)
    assert "failing: INVALID, it chose 'nonsense', which is not legal" in " ".join(told.split())
    assert told.count("  | ?[31m[b]here\n") == 4 and "fine" not in told
    assert f"  | {'x' * 200} ...\n" in told
    assert "--json FILE keeps what players print, as output: here talking, failing" in told
    assert "--json" not in gridarium("match", NIM, "random", "random")


def test_what_is_wrong_is_said_in_a_line(tmp_path):
    for arguments, problem in [
        ((NIM, "random"), "is a game of 2 to 4 players, not 1"),
        ((NIM, "random", "nobody"), "'nobody' is no player; one is a built-in player"),
        ((NIM, "random", "minimax"), "minimax plays worlds"),
        (("nothing", "random"), "no game is called 'nothing'"),
        (("nowhere:x", "random", "random"), "No module named 'nowhere'"),
        ((NIM, "random", "random", "--config", "x"), "value 0 is of type int"),
        ((NIM, "random", "random", "--replay", tmp_path / "a.run"), "only matches in worlds have replays"),
        ((NIM, "random", "random", "--json", tmp_path / "no" / "a"), "there is no folder"),
        (
            (BOARD, "random", "random", "--replay", "a.txt"),
            "ends in .run, .html, .gif, .webp, .mp4, not '.txt'",
        ),
        ((BOARD, "random", "random", "--replay", tmp_path / "no" / "a.gif"), "there is no folder"),
    ]:
        told = gridarium("match", *arguments, fails=True)
        assert told.startswith("Error: ")  # before anything is played
        assert problem in told


def test_what_a_game_of_ones_own_raises_is_shown_as_it_is(tmp_path):
    broken, wrong = tmp_path / "broken_game.py", tmp_path / "wrong_game.py"
    broken.write_text("from gridarium.games import *\n1 / 0\n")
    told = gridarium("match", broken, "random", "random", fails=True)
    assert f"broken_game.py cannot be imported: ZeroDivisionError: division by zero ({broken}:2)" in told
    wrong.write_text(
        "from tests.arena.games import Nim\nclass Wrong(Nim):\n    def returns(self, state):\n        return [] + 1\n"
    )
    told = gridarium("match", wrong, "random", "random", "--seed", 1, fails=True)
    assert (
        "Error: match 1 (random, random (2); seed 1): Wrong.returns (wrong_game.py:4) raised TypeError"
        in told
    )
    done = CliRunner().invoke(main, ["--traceback", "match", str(wrong), "random", "random"])
    assert isinstance(done.exception, GameError) and isinstance(done.exception.__cause__.__cause__, TypeError)


def test_matches_that_were_played_before_the_game_raised_are_shown_and_written(tmp_path):
    path = tmp_path / "results.json"
    arguments = (f"{NIM[:-3]}RarelyBroken", "random", "greedy")
    told = gridarium("match", *arguments, "-n", 30, "--seed", 2, "--json", path, fails=True)
    played = len(json.loads(path.read_text())["matches"])
    assert 0 < played < 30 and f"RarelyBroken, {played} game" in told
    seats = "random, greedy" if played % 2 == 0 else "greedy, random"
    assert (
        f"Error: match {played + 1} ({seats}; seed {2 + played // 2}): RarelyBroken.next_state (games.py:"
        in told
    )
    assert "raised KeyError: 'a rare mistake'" in told


def test_a_tournament_plays_all_matches_in_which_the_game_does_not_raise(tmp_path):
    path, page = tmp_path / "results.json", tmp_path / "page.html"
    arguments = (
        f"{NIM[:-3]}RarelyBroken",
        "random",
        "chance=random",
        "-n",
        160,
        "--db",
        tmp_path / "results.sqlite",
    )
    told = gridarium(
        "tournament", *arguments, "--seed", 1, "--workers", 1, "--json", path, "--html", page, fails=True
    )
    written = json.loads(path.read_text())
    missing = {*range(160)} - {match["number"] for match in written["matches"]}
    assert len(missing) > 5 and f"{160 - len(missing)} matches" in told and page.is_file()
    assert re.search(rf"Error: match {min(missing) + 1} \(.*; seed \d+\): RarelyBroken.next_state", told)
    assert f"and in {len(missing) - 5} further matches" in told
    again = gridarium("tournament", *arguments, "--workers", 2, fails=True)
    assert f"{160 - len(missing)} of 160 matches are already there" in again
    assert again[again.index("Error: ") :].count("\n") == 6


def test_arrays_of_another_shape_are_the_mistake_of_the_game(players):
    arguments = (f"{NIM[:-3]}Misshapen", players / "first.py", "random")
    for told in (
        gridarium("match", *arguments, fails=True),
        gridarium("tournament", *arguments, "--workers", 1, fails=True),
    ):
        assert "Misshapen.state_to_observation: 'stones' has shape (1,), observation_shape says (2,)" in told
        assert "ERROR" not in told


def test_games_in_plain_python_are_checked_and_told_where_a_world_is_needed(tmp_path):
    own, wrong = tmp_path / "own_nim.py", tmp_path / "wrong_shape.py"
    own.write_text("from tests.arena.games import Nim\nclass Own(Nim):\n    pass\n")
    wrong.write_text("from tests.arena.games import Misshapen\nclass Wrong(Misshapen):\n    pass\n")
    assert gridarium("check", own).splitlines() == ["game        Own: in order", "result      in order"]
    assert "game 'Wrong': Wrong, 2 players, seed 0, ply 0: player 0 sees" in gridarium(
        "check", wrong, fails=True
    )
    for command, game in itertools.product(("run", "explain", "serve"), (own, "test")):
        told = gridarium(command, game, fails=True)
        assert (
            f"{game} is a game in plain Python and no world: it is for gridarium match, play and tournament"
            in told
        )


def test_a_game_without_all_methods_is_told_which(tmp_path):
    file = tmp_path / "half_a_game.py"
    file.write_text(
        "from gridarium.games import BaseEnvironment\n"
        "class Half(BaseEnvironment):\n    min_players = max_players = 2\n"
        "    def valid_actions(self, state, player):\n        return []\n"
    )
    for arguments in (
        ("match", file, "random", "random"), ("match", f"{file}:Half", "random", "random"), ("play", file),
        ("check", file),
    ):  # fmt: skip
        told = gridarium(*arguments, fails=True)
        assert "Half lacks the methods is_valid_action, new_state, next_state, observation_names, " in told


@pytest.fixture(autouse=True)
def _path(monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))


def test_a_match_in_a_world_has_a_replay(tmp_path):
    path, page = tmp_path / "games.run", tmp_path / "games.html"
    results = tmp_path / "results.json"
    for target in (path, page):
        gridarium(
            "match",
            BOARD,
            "random",
            "greedy",
            "-n",
            2,
            "--seed",
            3,
            "--replay",
            target,
            "--json",
            results,
        )
    matches = [MatchResult.from_json(json.dumps(m)) for m in json.loads(results.read_text())["matches"]]
    run = run_of_matches(GameSource(BOARD).open(), matches)
    assert [episode.steps for episode in run.episodes()] == [len(match.moves) for match in matches]
    returns = [sum(match.seats[seat].returned for match in matches) for seat in range(2)]
    assert run.rewards[-1].tolist() == [returns]
    assert Run.load(path).actions.tolist() == run.actions.tolist()
    assert f"<title>{run.name}</title>" in page.read_text()
    titles = [
        "Match 1: random (agent_0), greedy (agent_1)", "Match 2: greedy (agent_0), random (agent_1)",
    ]  # fmt: skip
    assert json.dumps(titles, separators=(",", ":")) in page.read_text()


def test_a_tournament_of_a_folder(players, tmp_path):
    page, data = tmp_path / "page.html", tmp_path / "data.json"
    options = (
        "--db",
        tmp_path / "results.sqlite",
        "--html",
        page,
        "--json",
        data,
        "--workers",
        1,
        "--replays",
        2,
        "--time",
        5,
    )
    (players / "eva").write_text("#!/bin/sh\nexit\n")  # as after an upload
    told = gridarium("tournament", BOARD, players, "tree=mcts:simulations=20", "--seed", 1, *options)
    left_out, *shown = told.splitlines()
    assert left_out == f"left out of {players}: eva (not executable: chmod +x {players / 'eva'})"
    assert "round-robin, 6 matches" in told
    assert "wrote" in told and "and 2 replays" in told
    table = [line.split() for line in told.splitlines() if re.match(r"[123] ", line)]
    assert [row[1] for row in table[:3]] == ["tree", "first", "<b>oken"]
    assert told.count("points against each other") == 1
    written = json.loads(data.read_text())
    assert [s["faults"] for s in written["standings"]] == [0, 0, 4]
    assert len(written["matches"]) == 6
    text = page.read_text()
    assert "<b>" not in text and "<script" not in text and "&lt;b&gt;oken" in text
    links = re.findall(r'href="([^"]+)"', text)
    assert [Path(link).name for link in links] == ["match-4.html", "match-5.html"]
    assert all((tmp_path / link).is_file() for link in links)
    replay = (tmp_path / links[-1]).read_text()
    assert re.search(r"<title>Match 6: .* \(.*\), .* \(.*\)</title>", replay)
    again = gridarium("tournament", BOARD, players, "tree=mcts:simulations=20", *options, "--replays", 9)
    assert "and 6 replays" in again  # all of them, where there are fewer than asked for
    assert again.splitlines()[1] == "6 of 6 matches are already there"
    assert again.splitlines()[2:10] == shown[:8]
    faults = [line for line in told.splitlines() if "<b>oken: " in line]
    assert len(faults) == 1 and "(4 matches)" in " ".join(told.split())


def test_tables_of_a_tournament_can_be_read_in_80_columns():
    players = (
        "random",
        "first=random",
        "a=mcts:simulations=50",
        "mcts:simulations=200",
        "mcts:simulations=201",
    )
    played = []
    games = itertools.count()
    for pair in itertools.permutations(range(5), 2):
        scheduled = ScheduledMatch(next(games), 0, len(played) // 2, pair, 1)
        seats = tuple(SeatResult(players[p], PlayerStatus.DONE, "", 0.0, p % 2, 0.0, 0.0) for p in pair)
        played.append(PlayedMatch(scheduled, MatchResult("x", "", 1, seats, ())))
    result = TournamentResult(
        "test", "round-robin", players, tuple(played), (4.0, 4.0, 4.0, 10 / 3, 11.33333)
    )
    told = printed(show, result)
    lines = told.splitlines()
    assert max(map(len, lines)) <= 80 and "11.33333" not in told
    assert "points against each other" in told
    standings = [line.split() for line in lines[2:7]]
    assert standings[0][0] == "1" and len({row[1] for row in standings}) == 5
    assert [line.split() for line in lines if line.split()[:1] == ["player"]][1:] == [["player", *"ABCDE"]]


def test_a_title_is_one_line_above_a_narrow_table():
    seats = tuple(SeatResult(name, PlayerStatus.DONE, "", 0.0, 0, 0.0, 0.0) for name in ("a", "b"))
    match = PlayedMatch(ScheduledMatch(0, 0, 0, (0, 1), 1), MatchResult("x", "", 1, seats, ()))
    told = printed(show, TournamentResult("[red]test", "round-robin", ("a", "b"), (match,), (0.5, 0.5)))
    lines = [line.rstrip() for line in told.splitlines()]
    assert "points against each other" in lines and lines[0] == "[red]test, round-robin, 1 matches"


def test_equal_players_share_a_place():
    seats = tuple(SeatResult(name, PlayerStatus.DONE, "", 0.0, 0, 0.0, 0.0) for name in ("a", "b"))
    match = PlayedMatch(ScheduledMatch(0, 0, 0, (0, 1), 1), MatchResult("x", "", 1, seats, ()))
    told = printed(show, TournamentResult("test", "round-robin", ("a", "b"), (match,), (0.5, 0.5)))
    assert [line.split()[0] for line in told.splitlines()[2:4]] == ["1=", "1="]


def test_names_are_shortened_in_the_middle_or_numbered():
    assert short_names(["random", "mcts:simulations=50", "mcts:simulations=200"], 15) == [
        "random", "mcts:si…ions=50", "mcts:si…ons=200",
    ]  # fmt: skip
    assert short_names(["x" * 30 + "a" + "y" * 30, "x" * 30 + "b" + "y" * 30], 3) == [
        "xxxxxxx…#1",
        "xxxxxxx…#2",
    ]


def printed(tell, *arguments):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "80")
        done = io.StringIO()
        with contextlib.redirect_stdout(done):
            tell(*arguments)
    return done.getvalue()


def test_wrong_tournaments_are_refused(players, tmp_path):
    (tmp_path / "empty").mkdir()
    for arguments, problem in [
        ((tmp_path / "empty",), "has no Python file and no program"),
        ((f"{tmp_path}/none/", "random"), f"there is no file or folder {tmp_path}/none/"),
        (("nobody", "random"), "tournaments also take folders"),
        (("random", "random"), "two players are called random"),
        (("random", "nobody"), "'nobody' is no player"),
        (("random",), "at least 2 players"),
        (("a=random", "b=random", "--rounds", 3), "rounds cannot be given"),
    ]:
        assert problem in gridarium("tournament", NIM, *arguments, "--workers", 1, fails=True)
