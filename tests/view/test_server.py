"""The server: pages from the package, sockets for viewers, nobody from another site, and no harm from nonsense."""

import json
import time
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="the browser viewer needs gridarium[web]")
pytest.importorskip("uvicorn", reason="the browser viewer needs gridarium[web]")
pytest.importorskip("httpx2", reason="Starlette's test client needs httpx2")

from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from gridarium.engine import Run, World
from gridarium.view.server import app
from gridarium.view.server.app import FILES, application
from gridarium.view.server.session import Session
from gridarium.view.web import clock_runner
from gridarium.view.web.origin_guard import OriginGuard
from gridarium.view.web.serving import PAGE

HERE = "http://127.0.0.1:8000"
SOCKET = "ws://127.0.0.1:8000/session"


@pytest.fixture(scope="module")
def world() -> World:
    return World("KeyDoor-5x5", compiled=False)


@pytest.fixture
def session(world: World) -> Session:
    return Session(world, {"broken": lambda: 1 / 0}, seed=1, speed=60)


@pytest.fixture
def client(session: Session):
    with TestClient(application(session), base_url=HERE) as client:
        yield client


class Viewer:
    """A socket, and what has come through it."""

    def __init__(self, socket) -> None:
        self.socket = socket

    def say(self, **message) -> "Viewer":
        self.socket.send_text(json.dumps(message))
        return self

    def hear(self, kind: str) -> dict:
        while (message := self.socket.receive_json())["type"] != kind:
            pass
        return message


@pytest.fixture
def connect(client: TestClient):
    def connected(**headers):
        return client.websocket_connect(SOCKET, headers={"origin": HERE, **headers})

    return connected


class TestFiles:
    def test_the_page_and_all_that_it_needs_are_there(self, client: TestClient) -> None:
        page = client.get("/")
        assert page.status_code == 200 and "<main" in page.text
        for name in FILES:
            assert f'"{name}"' in page.text
            got = client.get(f"/{name}")
            assert got.status_code == 200 and got.text == (PAGE / name).read_text()

    @pytest.mark.parametrize(
        "path", ["/nothing.js", "/..%2fserver.py", "/%2e%2e/server.py", "/replay.html", "/a/b"]
    )
    def test_nothing_else_is(self, client: TestClient, path: str) -> None:
        assert client.get(path).status_code == 404

    def test_pages_may_load_only_what_is_here(self, client: TestClient) -> None:
        policy = client.get("/").headers["content-security-policy"]
        assert (
            "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
        )


class TestEpisodes:
    @pytest.fixture
    def stepped(self, client: TestClient, connect) -> TestClient:
        with connect() as socket:
            viewer = Viewer(socket)
            viewer.hear("sync")
            for kind in ("step", "step", "back", "step", "step"):
                viewer.say(type=kind)
                viewer.hear("sync" if kind == "back" else "frame")
        return client

    def test_an_episode_can_be_kept_as_a_run(self, stepped: TestClient, tmp_path: Path) -> None:
        got = stepped.get("/episode.run")
        assert got.status_code == 200
        assert got.headers["content-disposition"].endswith("KeyDoor-5x5-seed-1.run")
        (tmp_path / "kept.run").write_bytes(got.content)
        run = Run.load(tmp_path / "kept.run")
        assert run.steps == 3 and run.verify(compiled=False)

    def test_an_episode_can_be_kept_as_a_page(self, stepped: TestClient) -> None:
        got = stepped.get("/episode.html")
        assert got.status_code == 200 and "gridarium replay" in got.text

    def test_other_forms_are_not_there(self, client: TestClient) -> None:
        got = client.get("/episode.exe")
        assert got.status_code == 404 and "html or run" in got.text

    def test_what_does_not_follow_from_a_seed_is_not_saved(self, client: TestClient, connect) -> None:
        with connect() as socket:
            viewer = Viewer(socket)
            viewer.say(type="state")
            state = viewer.hear("state")["state"]
            viewer.say(type="set_state", state=state)
            viewer.hear("sync")
        got = client.get("/episode.run")
        assert got.status_code == 409 and "a state was set by hand" in got.text


class TestViewers:
    def test_a_viewer_is_told_all_there_is(self, connect) -> None:
        with connect() as socket:
            viewer = Viewer(socket)
            hello = viewer.hear("hello")
            assert hello["header"]["name"] == "KeyDoor-5x5" and hello["protocol"] == 1
            assert viewer.hear("status")["seed"] == 1
            assert viewer.hear("sync")["frame"]["tick"] == 0

    def test_time_goes_on_by_itself(self, connect) -> None:
        with connect() as socket:
            viewer = Viewer(socket)
            viewer.hear("sync")
            viewer.say(type="play")
            assert [viewer.hear("frame")["frame"]["tick"] for _ in range(5)] == [1, 2, 3, 4, 5]
            viewer.say(type="pause")
            while viewer.hear("status")["playing"]:
                pass

    def test_all_viewers_see_what_one_does(self, connect) -> None:
        with connect() as one, connect() as other:
            for socket in (one, other):
                Viewer(socket).hear("sync")
            Viewer(one).say(type="step")
            assert Viewer(other).hear("frame") == Viewer(one).hear("frame")

    def test_the_world_goes_on_from_where_a_lost_viewer_left_it(self, connect) -> None:
        with connect() as socket:
            viewer = Viewer(socket)
            first = viewer.hear("hello")["session"]
            viewer.hear("sync")
            for _ in range(3):
                viewer.say(type="step")
                viewer.hear("frame")
        with connect() as socket:
            viewer = Viewer(socket)
            assert viewer.hear("hello")["session"] == first
            sync = viewer.hear("sync")
            assert sync["frame"]["tick"] == 3 and len(sync["history"]["rewards"]) == 3

    @pytest.mark.parametrize(
        "nonsense", ["", "{", "[]", '{"type": "dance"}', '{"type": "speed", "value": -1}', "[" * 9999]
    )
    def test_nonsense_is_answered_and_does_no_harm(self, connect, nonsense: str) -> None:
        with connect() as socket:
            viewer = Viewer(socket)
            viewer.hear("sync")
            socket.send_text(nonsense)
            assert "not understood" in viewer.hear("error")["text"]
            assert viewer.say(type="step").hear("frame")["frame"]["tick"] == 1

    def test_bytes_are_read_as_text_is(self, connect) -> None:
        with connect() as socket:
            viewer = Viewer(socket)
            viewer.hear("sync")
            socket.send_bytes(b"\xff\x00")
            assert "not understood" in viewer.hear("error")["text"]
            socket.send_bytes(b'{"type": "step"}')
            assert viewer.hear("frame")["frame"]["tick"] == 1

    def test_errors_go_to_who_made_them(self, connect) -> None:
        with connect() as one, connect() as other:
            Viewer(one).say(type="act", action="MOVE_FORWARD").hear("error")
            Viewer(other).say(type="step")
            kinds = []
            while not kinds or kinds[-1] != "frame":
                kinds.append(other.receive_json()["type"])
            assert "error" not in kinds

    def test_a_policy_that_fails_is_reported_to_all(self, connect) -> None:
        with connect() as one, connect() as other:
            Viewer(one).say(type="policy", agent=0, name="broken").say(type="play")
            for socket in (one, other):
                assert "ZeroDivisionError" in Viewer(socket).hear("error")["text"]

    def test_there_is_a_limit_to_viewers(self, connect, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(app, "MOST_CLIENTS", 1)
        with connect(), connect() as second, pytest.raises(WebSocketDisconnect) as closed:
            second.receive_json()
        assert "close one of them" in closed.value.reason

    def test_a_quiet_server_says_that_it_is_there(self, connect, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(clock_runner, "QUIET", 0.01)
        with connect() as socket:
            assert Viewer(socket).hear("alive") == {"type": "alive"}

    def test_while_a_policy_thinks_others_are_served(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(clock_runner, "BUSY_AFTER", 0.01)
        thinking = []

        def slow():
            thinking.append(True)
            while len(thinking) < 2:
                time.sleep(0.001)
            return 0

        session = Session(world, {"slow": slow}, seed=1)
        with (
            TestClient(application(session), base_url=HERE) as client,
            client.websocket_connect(SOCKET) as one,
        ):
            Viewer(one).say(type="policy", agent=0, name="slow").say(type="step")
            while not thinking:
                time.sleep(0.001)
            with client.websocket_connect(SOCKET) as other:
                assert Viewer(other).hear("sync")["frame"]["tick"] == 0
                assert Viewer(one).hear("busy")
                Viewer(other).say(type="speed", value=7)
                while Viewer(other).hear("status")["speed"] != 7:
                    pass
                thinking.append(True)
                assert Viewer(other).hear("frame")["frame"]["tick"] == 1


class TestStrangers:
    @pytest.mark.parametrize(
        "headers",
        [
            {"origin": "http://evil.example"},
            {"origin": "http://127.0.0.1:9999"},
            {"origin": "http://localhost:8000"},
            {"origin": "null"},
            {"origin": "http://evil.example", "host": "evil.example"},
            {"origin": "http://127.0.0.1:8000.evil.example"},
            {"host": "evil.example:8000", "origin": "http://evil.example:8000"},
            {"host": ""},
        ],
    )
    def test_pages_of_other_sites_get_no_socket(self, connect, headers) -> None:
        with pytest.raises(WebSocketDisconnect), connect(**headers):
            pass

    def test_nor_a_page_under_another_name(self, client: TestClient) -> None:
        got = client.get("/", headers={"host": "evil.example"})
        assert got.status_code == 403 and "--allow-host" in got.text

    def test_programs_that_are_no_browser_name_no_origin(self, client: TestClient) -> None:
        with client.websocket_connect(SOCKET) as socket:
            assert socket.receive_json()["type"] == "hello"

    @pytest.mark.parametrize(
        ("headers", "allowed"),
        [
            ({"host": "127.0.0.1:8000"}, True),
            ({"host": "localhost"}, True),
            ({"host": "[::1]:8000", "origin": "http://[::1]:8000"}, True),
            ({"host": "LOCALHOST:8000", "origin": "http://localhost:8000"}, True),
            ({"host": "192.168.0.5:8000"}, False),
            ({"host": "localhost.evil.example"}, False),
            ({"host": "[::1"}, False),
            ({"host": "127.0.0.1:port"}, False),
            ({}, False),
        ],
    )
    def test_who_is_here(self, headers, allowed: bool) -> None:
        assert OriginGuard(None).allows(headers) is allowed

    def test_a_server_for_others_may_be_addressed_by_numbers_but_not_by_any_name(self) -> None:
        guard = OriginGuard(None, frozenset({"lab"}), any_address=True)
        assert guard.allows({"host": "192.168.0.5:8000", "origin": "http://192.168.0.5:8000"})
        assert guard.allows({"host": "lab:8000"})
        assert not guard.allows({"host": "evil.example:8000"})
