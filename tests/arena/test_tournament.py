"""Tournaments: stored, resumed, in parallel."""

import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from gridarium.arena import GameSource, MatchSettings, Tournament, tournament_page
from gridarium.arena.tournaments import worker
from gridarium.arena.tournaments.result_store import ResultStore
from tests.arena.processes import runs
from tests.view.browser import Browser, needs_chromium

NIM = MatchSettings(GameSource("tests.arena.games:Nim", "12"))
PLAYERS = {"random": "random", "greedy": "greedy", "chance": "random"}
ROOT = Path(__file__).parents[2]


def tournament(**changes):
    return Tournament(NIM, **{"players": PLAYERS, "seed": 5, "workers": 1, **changes})


def moves(result):
    return [[move.action for move in one.result.moves] for one in result.played]


def test_everyone_sits_everywhere_with_the_same_seeds():
    result = tournament(games=4).run()
    assert len(result.played) == 12
    pair = [one.match for one in result.played[:4]]
    assert [match.seats for match in pair] == [(0, 1), (1, 0)] * 2
    assert pair[0].seed == pair[1].seed != pair[2].seed == pair[3].seed
    assert [one.result.seed for one in result.played] == [one.match.seed for one in result.played]
    assert [seat.name for seat in result.played[0].result.seats] == ["random", "greedy"]


def test_tables_add_up():
    result = tournament(games=10).run()
    table = result.standings()
    assert [standing.place for standing in table] == [1, 2, 3]
    assert table[0].name == "greedy"
    for standing in table:
        assert standing.wins + standing.draws + standing.losses == 20
        assert standing.points == standing.score == standing.wins + standing.draws / 2
        assert standing.rating.low < standing.rating.mean < standing.rating.high
    cross = result.cross_table()
    assert all(cross[a, b][0] + cross[b, a][0] == cross[a, b][1] == 10 for a, b in cross)
    assert sum(points for points, _ in cross.values()) == 30


def test_equal_seeds_give_equal_tournaments_in_any_number_of_processes():
    alone = tournament().run()
    assert moves(tournament().run()) == moves(alone)
    assert moves(tournament(seed=6).run()) != moves(alone)
    seen = []
    together = tournament(workers=2).run(
        lambda one, done, count: seen.append((one.match.number, done, count))
    )
    assert moves(together) == moves(alone)
    assert sorted(number for number, _, _ in seen) == [*range(6)]
    assert [(done, count) for _, done, count in seen] == [(i, 6) for i in range(1, 7)]


@pytest.mark.parametrize("form", ["swiss", "single-elimination", "double-elimination", "ladder"])
def test_all_formats_are_played(form):
    result = tournament(form=form, games=1, rounds=3 if form == "ladder" else None).run()
    assert len(result.standings()) == 3
    assert result.form == form


def test_a_stored_tournament_is_read_and_not_played_again(tmp_path):
    place = str(tmp_path / "results.sqlite")
    first = tournament(store=place).run()
    seen = []
    again = tournament(store=place, seed=None).run(lambda *given: seen.append(given))
    assert again == first
    assert seen == []
    other = tournament(store=place, name="another", seed=6).run()
    assert moves(other) != moves(first)
    with pytest.raises(ValueError, match=r"'tournament' with other settings(.|\n)*games: 2 there, 4 here"):
        tournament(store=place, games=4)
    with pytest.raises(ValueError, match="does another process run this tournament"):
        ResultStore(place).add(1, first.played[0].match, first.played[0].result)


def test_the_page_shows_what_places_follow_from():
    swiss = tournament(players=dict.fromkeys("abcde", "random"), form="swiss", rounds=3).run()
    assert any(standing.score != standing.points for standing in swiss.standings())
    page = tournament_page(swiss)
    assert "<th>score</th>" in page and "score (points, and those of a win" in page
    scores = [standing.score for standing in swiss.standings()]
    assert scores == sorted(scores, reverse=True)
    for other in ("ladder", "round-robin"):
        assert "<th>score</th>" not in tournament_page(tournament(form=other).run())
    assert "Places are by rating." in tournament_page(tournament(form="ladder", rounds=2).run())


def test_the_page_of_an_elimination_has_its_bracket():
    result = tournament(players=dict.fromkeys("abcde", "random"), form="single-elimination").run()
    page = tournament_page(result)
    bracket = page[page.index("<h2>Bracket</h2>") : page.index("</section>", page.index("<h2>Bracket</h2>"))]
    assert bracket.count("class=won") == 4 == sum(map(len, result.encounters()))
    assert re.findall(r"Round \d", bracket) == ["Round 1", "Round 2", "Round 3"]
    assert "Bracket" not in tournament_page(tournament().run())


@needs_chromium
@pytest.mark.slow
def test_the_page_is_legible_in_a_narrow_window(tmp_path):
    bot = tmp_path / "bot.sh"
    bot.write_text("#!/bin/sh\necho I cannot play this game, and say so at some length >&2\nexit 1\n")
    bot.chmod(0o755)
    players = {"broken": str(bot), **dict.fromkeys("abcd", "random")}
    page = tmp_path / "results.html"
    page.write_text(tournament_page(tournament(players=players, form="single-elimination").run()))
    browser = Browser(tmp_path / "chromium")
    try:
        browser.look(width=500)
        browser.open(page.as_uri())
        heights = browser.js(
            "[...document.querySelectorAll('td.reason')].map((cell) => cell.clientHeight / 24)"
        )
        assert max(heights) < 4, "lines"
        assert browser.js("document.documentElement.scrollWidth") <= 500
        tops = browser.js(
            "[...document.querySelectorAll('.round h3')].map((name) => name.getBoundingClientRect().top)"
        )
        assert len(tops) == 3 and len({*tops}) == 1
        assert (
            browser.js("document.querySelector('td.reason').closest('tbody').rows[0].cells[0].innerText")
            == "1"
        )
    finally:
        browser.close()


def test_the_page_draws_the_course_of_ratings():
    result = tournament(games=4).run()
    course = result.course()
    assert [matches for matches, _ in course] == list(range(1, 13))
    ratings = {standing.player: standing.rating.mean for standing in result.standings()}
    assert course[-1][1] == pytest.approx([ratings[player] for player in range(3)])
    assert tournament_page(result).count("<polyline") == 3


def test_a_tournament_knows_how_much_of_it_is_there(tmp_path):
    store = str(tmp_path / "results.sqlite")
    swiss = tournament(players=dict.fromkeys("abcd", "random"), form="swiss", rounds=2, store=store)
    assert swiss.progress() == (0, 4)

    def interrupt(played, done, count):
        if (played.match.round, done) == (1, 3):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        swiss.run(interrupt)
    assert swiss.progress() == (7, 8)
    swiss.run()
    assert swiss.progress() == (8, 8)
    swiss.close()


PLAYS_FIRST = """while read -r line; do
    case "$line" in
        '{"type":"begin"'*) echo "a game" >&2; echo '{"type":"ready","protocol":1}' ;;
        '{"type":"act"'*) ACT; echo '{"type":"action","action":"1"}' ;;
        '{"type":"end"'*) END ;;
    esac
done
"""


def program(path: Path, *, act: str = ":", end: str = ":") -> str:
    """A program that plays, and writes a line to a file beside it whenever it is started."""
    path.write_text(
        f"#!/bin/sh\necho $$ >> {path}.starts\n" + PLAYS_FIRST.replace("ACT", act).replace("END", end)
    )
    path.chmod(0o755)
    return f"'{path}'"


def starts(path: Path) -> list[str]:
    return Path(f"{path}.starts").read_text().split()


def test_processes_are_kept_for_the_next_match_unless_they_have_failed(tmp_path):
    good, bad, once = (tmp_path / name for name in ("good", "bad", "once"))
    players = {
        "good": program(good), "bad": program(bad, act="exit 3"), "once": program(once, end="sleep 0.02; exit 0"),
    }  # fmt: skip
    result = tournament(players=players, games=4).run()
    faults = {standing.name: standing.faults for standing in result.standings()}
    assert faults == {"good": 0, "bad": 8, "once": 0}
    counts = {path.name: len(starts(path)) for path in (good, bad, once)}
    assert counts["good"] < 4 and counts["bad"] == 8, counts
    assert [seat.output for one in result.played for seat in one.result.seats if seat.name == "good"] == [
        "a game\n"
    ] * 8
    assert not any(runs(pid) for path in (good, bad, once) for pid in starts(path))


def test_kept_processes_are_replaced_after_a_while(tmp_path, monkeypatch):
    monkeypatch.setattr(worker, "MOST_GAMES", 3)
    path = tmp_path / "good"
    tournament(players={"good": program(path), "random": "random"}, games=6).run()
    assert len(starts(path)) == 2


def test_wrong_tournaments_are_refused(tmp_path):
    with pytest.raises(ValueError, match="there is no format 'knockout'; there are round-robin, swiss"):
        tournament(form="knockout")
    with pytest.raises(ValueError, match="is a game of 2 to 4 players, not 5"):
        tournament(seats=5)
    with pytest.raises(
        ValueError, match="two players, and this one has .; round-robin, swiss and ladder are for any number"
    ):
        tournament(form="single-elimination", seats=3)
    (tmp_path / "text").write_text("no database, but long enough to be looked at as one\n" * 30)
    with pytest.raises(ValueError, match="cannot be opened as a database"):
        tournament(store=str(tmp_path / "text"))


def test_a_failing_player_does_not_end_a_tournament(tmp_path):
    bot = tmp_path / "bot.sh"
    bot.write_text("#!/bin/sh\necho broken >&2\nexit 1\n")
    bot.chmod(0o755)
    table = tournament(players={"greedy": "greedy", "broken": str(bot)}, games=2).run().standings()
    assert [(s.name, s.wins, s.losses, s.faults) for s in table] == [("greedy", 2, 0, 0), ("broken", 0, 2, 2)]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks into /proc")
def test_nothing_is_left_of_a_killed_tournament(tmp_path):
    """Not even players who do not notice that nobody needs them any more."""
    bot, told = tmp_path / "bot.sh", tmp_path / "told"
    bot.write_text(f"#!/bin/sh\necho $$ >> {told}\nsleep 60\n")
    bot.chmod(0o755)
    script = tmp_path / "run.py"
    script.write_text(
        "from gridarium.arena import *\n"
        'if __name__ == "__main__":\n'
        '    settings = MatchSettings(GameSource("tests.arena.games:Nim"))\n'
        f'    Tournament(settings, {{"a": {str(bot)!r}, "b": {str(bot)!r}}}, workers=2).run()\n'
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    process = subprocess.Popen([sys.executable, script], env=environment, start_new_session=True)
    deadline = time.monotonic() + 60
    while not told.exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.kill()
    process.wait()
    while any(map(runs, told.read_text().split())):
        assert time.monotonic() < deadline
        time.sleep(0.01)


SCRIPT = """
import sys, time
from gridarium.arena import *
from tests.arena.games import Nim

def slow(legal_actions, rng):
    time.sleep(0.002)
    return legal_actions[int(rng.integers(len(legal_actions)))]

if __name__ == "__main__":
    settings = MatchSettings(GameSource("tests.arena.games:Nim", "12"))
    players = {name: "slow_player:slow" for name in "abcde"}
    made = Tournament(settings, players, seed=5, games=int(sys.argv[3]), store=sys.argv[1], workers=int(sys.argv[2]))
    made.run(lambda one, done, count: print(one.match.number, flush=True))
    print("over", flush=True)
"""


@pytest.mark.parametrize(("most", "games"), [(3, 4), pytest.param(50, 50, marks=pytest.mark.exhaustive)])
def test_a_killed_tournament_is_resumed_and_nothing_is_lost_or_played_twice(tmp_path, most, games):
    """Killed at any moment, again and again; what was reported as played is kept, and each match is stored once."""
    (tmp_path / "slow_player.py").write_text(textwrap.dedent(SCRIPT))
    place, rng = tmp_path / "results.sqlite", random.Random(4)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT), str(tmp_path)])}
    reported, over, kills = [], False, 0
    while not over:
        process = subprocess.Popen(
            [sys.executable, tmp_path / "slow_player.py", place, "1" if kills else "2", str(games)],
            stdout=subprocess.PIPE, text=True, env=environment, cwd=tmp_path, start_new_session=True,
        )  # fmt: skip
        wanted = 6 + rng.randrange(6) if kills < most else 10_000
        for line in process.stdout:
            over = line == "over\n"
            reported += [] if over else [int(line)]
            wanted -= 1
            if wanted == 0:
                time.sleep(rng.random() * 0.01)
                os.kill(process.pid, signal.SIGKILL)
                kills += 1
        process.stdout.close()
        process.wait()
        with sqlite3.connect(place) as connection:
            stored = [number for (number,) in connection.execute("select number from matches")]
        connection.close()
        assert {*reported} <= {*stored}
    assert kills == most
    assert len({*reported}) == len(reported)
    assert sorted(stored) == [*range(10 * games)]
    with sqlite3.connect(place) as connection:
        texts = [
            json.loads(text) for (text,) in connection.execute("select result from matches order by number")
        ]
    connection.close()
    players = dict.fromkeys("abcde", "random")
    alone = tournament(players=players, games=games, seed=5).run()
    assert [[move["action"] for move in text["moves"]] for text in texts] == moves(alone)


def test_the_order_of_players_is_part_of_a_tournament(tmp_path):
    """Results know players by their numbers."""
    store = str(tmp_path / "results.db")
    first = tournament(store=store)
    first.run()
    first.store.close()
    backwards = dict(reversed(PLAYERS.items()))
    with pytest.raises(ValueError, match="a tournament 'tournament' with other settings"):
        tournament(store=store, players=backwards)
