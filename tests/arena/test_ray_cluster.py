"""Tournaments on a cluster of Ray: two nodes on this machine. Needs ray."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from gridarium.arena import GameSource, MatchSettings, Tournament

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore"),  # of Ray's own modules and processes
]
NIM = MatchSettings(GameSource("tests.arena.games:Nim", "12"))
ROOT = Path(__file__).parents[2]
PLAYERS = {"random": "random", "greedy": "greedy", "node": "cluster_player:act"}
NODE = """
import os, pathlib, time, ray

def act(legal_actions):
    time.sleep(0.05)
    pathlib.Path(os.environ["NODES"], ray.get_runtime_context().get_node_id()).touch()
    return legal_actions[0]
"""


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The address of a cluster of two nodes with a processor each, and where players note their node."""
    pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    folder = tmp_path_factory.mktemp("ray")
    (folder / "cluster_player.py").write_text(NODE)
    noted = folder / "nodes"
    noted.mkdir()
    paths = os.pathsep.join(
        [str(ROOT / "src"), str(ROOT), str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]
    )
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (("PYTHONPATH", paths), ("NODES", str(noted)), ("RAY_USAGE_STATS_ENABLED", "0")):
            patch.setenv(name, value)
        patch.syspath_prepend(str(folder))
        size = 100 << 20  # bytes of each node's store of objects
        cluster = Cluster(
            initialize_head=True,
            head_node_args={"num_cpus": 1, "object_store_memory": size, "include_dashboard": False},
        )
        cluster.add_node(num_cpus=1, object_store_memory=size)
        yield cluster.address, noted
        cluster.shutdown()


def moves(result) -> list[list[str]]:
    return [[move.action for move in one.result.moves] for one in result.played]


def test_a_cluster_plays_the_same_tournament_on_both_nodes(nodes, tmp_path) -> None:
    address, noted = nodes
    seen: list[tuple[int, int]] = []
    made = Tournament(
        NIM, PLAYERS, seed=5, games=6, store=str(tmp_path / "results.sqlite"), workers=1, cluster=address
    )
    result = made.run(lambda one, done, count: seen.append((done, count)))
    made.close()
    assert seen == [(i, 18) for i in range(1, 19)]
    assert len([*noted.iterdir()]) == 2
    assert {seat.status for one in result.played for seat in one.result.seats} == {"DONE"}
    players = {**PLAYERS, "node": "tests.arena.test_ray_cluster:first"}
    alone = Tournament(NIM, players, seed=5, games=6, workers=1).run()
    assert moves(result) == moves(alone)


def first(legal_actions: list[str]) -> str:
    """What the player of the cluster does."""
    return legal_actions[0]


def test_an_address_without_a_cluster_is_refused() -> None:
    pytest.importorskip("ray")
    made = Tournament(NIM, PLAYERS, seed=5, workers=1, cluster="127.0.0.1:1")
    with pytest.raises(ValueError, match="no cluster of Ray at 127.0.0.1:1"):
        made.run()
    made.close()


def test_a_cluster_needs_ray(monkeypatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    made = Tournament(NIM, PLAYERS, seed=5, workers=1, cluster="auto")
    with pytest.raises(ImportError, match=r"pip install 'gridarium\[ray\]'"):
        made.run()
    made.close()
