"""What `gridarium serve` says before it serves."""

import socket
import sys

import pytest
from click.testing import CliRunner

import gridarium.view.server
from gridarium.cli import main

pytest.importorskip("starlette", reason="the browser viewer needs gridarium[web]")


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch):
    """What would be served, instead of serving it."""
    from gridarium.view.web import serving

    kept = []

    def serve(app, on, *, largest):
        kept.append((app, on.getsockname()))
        on.close()

    monkeypatch.setattr(serving, "serve", serve)
    return kept


def invoked(*arguments):
    return CliRunner().invoke(main, ["serve", *map(str, arguments)])


def test_it_says_where_the_world_is(served) -> None:
    done = invoked("Empty-4x4", "--interpreted", "--port", 0)
    assert done.exit_code == 0, done.output
    assert f"Empty-4x4 is at http://127.0.0.1:{served[0][1][1]}/" in done.output
    assert "steer it" not in done.output


def test_it_warns_when_others_can_reach_it(served) -> None:
    done = invoked("Empty-4x4", "--interpreted", "--port", 0, "--host", "0.0.0.0")
    assert "Whoever reaches this machine" in done.output and "http://127.0.0.1:" in done.output


def test_policies_are_offered_and_the_first_one_is_chosen(served, monkeypatch: pytest.MonkeyPatch) -> None:
    from gridarium.view.server import app as server

    sessions = []
    monkeypatch.setattr(server, "application", lambda session, **_: sessions.append(session))
    policy = "gridarium.agents:random_action"
    done = invoked("TwoAgents-Empty-8x8", "--interpreted", "--port", 0, "-p", policy, "-p", "scripted")
    assert done.exit_code == 0, done.output
    assert sessions[0].policies.chosen == [policy, policy]
    assert {"me", "random", "scripted", policy} <= set(sessions[0].hello()["policies"][0])


def test_pages_know_how_to_start_it_again(served, monkeypatch: pytest.MonkeyPatch) -> None:
    from gridarium.view.server import app as server

    sessions = []
    monkeypatch.setattr(server, "application", lambda session, **_: sessions.append(session))
    invoked("Empty-4x4", "--interpreted", "--port", 0, "-p", "scripted")
    port = served[0][1][1]
    assert sessions[0].hello()["command"] == f"gridarium serve Empty-4x4 -p scripted --port {port}"
    invoked("Empty-4x4", "--interpreted", "--port", 0, "-p", "scripted", "--host", "0.0.0.0")
    assert "scripted" not in sessions[1].hello()["command"], "strangers need not know what lies here"


def test_a_port_that_is_taken_is_named(served) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = invoked("Empty-4x4", "--interpreted", "--port", port)
    assert done.exit_code == 1 and f"port {port}" in done.output and "--port" in done.output


def test_a_host_that_is_not_this_machine_is_named(served) -> None:
    done = invoked("Empty-4x4", "--interpreted", "--host", "203.0.113.1")
    assert done.exit_code == 1 and "203.0.113.1" in done.output


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "gridarium.view.server.app", raising=False)
    monkeypatch.delattr(gridarium.view.server, "app", raising=False)
    monkeypatch.delitem(sys.modules, "gridarium.view.web.serving", raising=False)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    done = invoked("Empty-4x4")
    assert done.exit_code == 1 and "pip install 'gridarium[web]'" in done.output and "uvicorn" in done.output
