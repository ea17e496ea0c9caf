"""The server of live worlds: pages by links, nobody from another site, and no harm from hostile messages."""

import asyncio
import json
import os
import signal
import threading
import time
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="the browser viewer needs gridarium[web]")
pytest.importorskip("uvicorn", reason="the browser viewer needs gridarium[web]")
pytest.importorskip("httpx2", reason="Starlette's test client needs httpx2")

from pydantic import TypeAdapter
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from gridarium.view.live_server import app, protocol
from gridarium.view.live_server.app import FILES, application
from gridarium.view.live_server.session import LiveSession, PageCursor
from gridarium.view.web.clock_runner import PageClient
from gridarium.view.web.serving import PAGE, listening, serve
from tests.view.live.small_world import Page, seats, small_world

HERE = "http://127.0.0.1:8000"
BOSS = {"authorization": "Bearer secret-experimenter"}
SCRIPT = "<img src=x onerror=alert(1)><script>alert(2)</script>"


@pytest.fixture
def session(tmp_path: Path) -> LiveSession:
    (tmp_path / "media").mkdir()
    (tmp_path / "media" / "cat.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    (tmp_path / "secret.png").write_bytes(b"png")
    return LiveSession(small_world(), seats(), media=tmp_path / "media")


@pytest.fixture
def client(session: LiveSession):
    with TestClient(application(session), base_url=HERE) as client:
        yield client


@pytest.fixture
def connect(client: TestClient):
    def connected(token: str, **headers):
        address = f"ws://127.0.0.1:8000/p/{token}/session"
        return client.websocket_connect(address, headers={"origin": HERE, **headers})

    return connected


class TestPages:
    def test_a_link_opens_a_page_and_all_that_it_needs(self, client: TestClient) -> None:
        page = client.get("/p/secret-ann/")
        assert page.status_code == 200 and "<main" in page.text and "secret" not in page.text
        for name in FILES:
            assert f'"{name}"' in page.text
            got = client.get(f"/p/secret-ann/{name}")
            assert got.status_code == 200 and got.text == (PAGE / name).read_text()

    @pytest.mark.parametrize("token", ["ann", "secret-an", "SECRET-ANN", "secret-ann%00", "%F0%9F%98%80"])
    def test_others_lead_nowhere(self, client: TestClient, connect, token: str) -> None:
        assert client.get(f"/p/{token}/").status_code == 404
        with pytest.raises(WebSocketDisconnect) as closed, connect(token) as socket:
            socket.receive_text()
        assert closed.value.code == app.NOT_FOUND

    @pytest.mark.parametrize("path", ["/p/secret-ann/nothing.js", "/p/secret-ann/..%2fsession.py", "/p/secret-ann/live.html", "/agent_world.html", "/p/"])  # fmt: skip
    def test_nothing_else_is_there(self, client: TestClient, path: str) -> None:
        assert client.get(path).status_code == 404

    def test_pages_run_only_scripts_from_here(self, client: TestClient) -> None:
        headers = client.get("/p/secret-ann/").headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "script-src 'self'" in policy and "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy and headers["referrer-policy"] == "no-referrer"
        html = (PAGE / "agent_world.html").read_text()
        assert "style=" not in html and " on" not in html.replace(" one", "").replace(" only", "").replace(
            " on ", ""
        )
        for name in FILES:
            text = (PAGE / name).read_text()
            assert "eval(" not in text and (name == "renderer.js" or "innerHTML" not in text)

    def test_pictures_come_from_the_folder_and_run_nothing(self, client: TestClient) -> None:
        got = client.get("/p/secret-ann/media/cat.svg")
        assert got.status_code == 200 and "sandbox" in got.headers["content-security-policy"]
        for path in (
            "/p/secret-ann/media/..%2fsecret.png",
            "/p/secret-ann/media/dog.png",
            "/p/wrong/media/cat.svg",
        ):
            assert client.get(path).status_code == 404

    def test_the_first_page_tells_nothing(self, client: TestClient) -> None:
        assert client.get("/").text == app.LANDING


class TestStrangers:
    @pytest.mark.parametrize(
        "headers",
        [
            {"origin": "http://evil.example"},
            {"origin": "http://127.0.0.1:9999"},
            {"origin": "null"},
            {"host": "evil.example:8000", "origin": "http://evil.example:8000"},
        ],
    )
    def test_pages_of_other_sites_get_nothing_even_with_a_link(
        self, client: TestClient, connect, headers
    ) -> None:
        with pytest.raises(WebSocketDisconnect), connect("secret-experimenter", **headers):
            pass
        assert client.get("/p/secret-ann/", headers=headers).status_code == 403
        assert client.post("/api/start", headers={**BOSS, **headers}).status_code == 403


class TestPeople:
    def test_several_people_take_part_each_as_themselves(self, connect) -> None:
        with (
            connect("secret-ann") as one,
            connect("secret-bob") as two,
            connect("secret-experimenter") as three,
        ):
            ann, bob, boss = Page(one), Page(two), Page(three)
            for page in (ann, bob, boss):
                page.tick()
            assert "bob" not in ann.objects and "ann" not in bob.objects and {"ann", "bob"} <= {*boss.objects}
            ann.say(type="keys", keys=["d"])
            ann.say(type="say", room=1, text=SCRIPT)
            ann.say(type="read", room=1, index=0)
            ann.hear("rooms")
            boss.say(type="step")
            assert ann.tick()["tick"] == 1 and ann.objects["ann"]["x"] == 2
            said = bob.hear("messages")["messages"]
            assert [(each["sender"], each["text"]) for each in said] == [("ann", SCRIPT)]

    def test_time_goes_on_by_itself(self, connect, client: TestClient) -> None:
        with connect("secret-watcher") as socket:
            page = Page(socket)
            client.post("/api/start", headers=BOSS)
            for _ in range(5):
                page.tick()
            client.post("/api/pause", headers=BOSS)
            assert page.hear("status", lambda status: not status["playing"])["state"] == "paused"

    def test_one_who_comes_back_is_where_they_were(self, connect, client: TestClient) -> None:
        with connect("secret-ann") as socket:
            page = Page(socket)
            page.tick()
            page.say(type="click", x=2, y=1)
            page.say(type="menu", x=0, y=0)
            page.hear("menu")
            client.post("/api/step", headers=BOSS)
            page.tick()
            assert page.objects["ann"]["x"] == 2
        client.post("/api/step", headers=BOSS)
        with connect("secret-ann") as socket:
            page = Page(socket)
            assert page.tick()["tick"] == 2 and page.objects["ann"]["x"] == 2

    def test_experimenters_see_who_is_there(self, connect) -> None:
        def pages(people):
            return {link["agent"]: link["pages"] for link in people["links"] if link["role"] == "player"}

        with connect("secret-experimenter") as boss:
            page = Page(boss)
            page.hear("people", lambda people: pages(people) == {"ann": 0, "bob": 0})
            with connect("secret-ann"):
                page.hear("people", lambda people: pages(people) == {"ann": 1, "bob": 0})
            page.hear("people", lambda people: pages(people) == {"ann": 0, "bob": 0})

    @pytest.mark.parametrize(
        ("limit", "who"), [("MOST_CLIENTS", "secret-bob"), ("MOST_OF_A_LINK", "secret-ann")]
    )
    def test_there_is_a_limit_to_pages(self, connect, monkeypatch: pytest.MonkeyPatch, limit, who) -> None:
        monkeypatch.setattr(app, limit, 1)
        with connect("secret-ann") as first:
            Page(first).tick()
            with pytest.raises(WebSocketDisconnect) as closed, connect(who) as second:
                second.receive_text()
            assert closed.value.code == 1013


class TestHostile:
    @pytest.fixture(scope="class")
    @classmethod
    def ann(cls):
        """An open page, and the session, for messages that change nothing."""
        session = LiveSession(small_world(), seats())
        with (
            TestClient(application(session), base_url=HERE) as client,
            client.websocket_connect("ws://127.0.0.1:8000/p/secret-ann/session") as socket,
        ):
            page = Page(socket)
            page.tick()
            yield page, session

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "{",
            "null",
            "[]",
            '"keys"',
            "{}",
            '{"type": "nonsense"}',
            '{"type": "keys"}',
            '{"type": "keys", "keys": []}',
            '{"type": "keys", "keys": ["w", 1]}',
            '{"type": "keys", "keys": "w"}',
            json.dumps({"type": "keys", "keys": ["w"] * 9}),
            '{"type": "keys", "keys": ["w"], "agent": "bob"}',  # for another agent
            '{"type": "say", "room": 0, "text": "x", "from": "bob"}',  # forged senders
            '{"type": "say", "room": 0, "text": "x", "from_id": "bob"}',
            '{"type": "say", "room": 0, "text": "x", "sender": "god"}',
            '{"type": "say", "room": 0, "text": ""}',
            '{"type": "say", "room": "0", "text": "x"}',
            '{"type": "say", "room": 0, "text": {"py/object": "os.system"}}',
            json.dumps({"type": "say", "room": 0, "text": "x" * 2001}),
            '{"type": "say", "to": ["bob"], "text": "x"}',
            '{"type": "click", "x": -1, "y": 0}',
            '{"type": "click", "x": 1e400, "y": 0}',
            '{"type": "click", "x": 1.5, "y": 0}',
            json.dumps({"type": "click", "x": 10**40, "y": 0}),
            '{"type": "choose", "menu": 0, "option": -1}',
            '{"type": "choose", "menu": 0, "option": 0, "action": "RemoveObject"}',
            '{"type": "act", "action": "RemoveObject", "arguments": {"object_id": "bob"}}',
            '{"type": "speed", "tick_duration": 0}',
            '{"type": "speed", "tick_duration": NaN}',
            '{"type": "read", "room": 0, "index": true}',
            "[" * 5000,
            '{"type": "keys", "keys": ["w"]}' + " " * 20000,
        ],
    )
    def test_what_is_no_message_of_the_protocol_is_refused_and_changes_nothing(self, ann, text: str) -> None:
        page, session = ann
        before = session.world.core_state.tobytes()
        page.socket.send_text(text)
        assert page.hear("error")["text"]
        page.say(type="menu", x=1, y=2)
        assert page.hear("menu")["options"], "the page goes on"
        session._hand_over()  # what would be done in the next tick
        assert not session.world._entities.agents["ann"].keys and not session.world._from_people
        assert session.world.core_state.tobytes() == before

    def test_bytes_that_are_no_text_are_refused(self, connect) -> None:
        with connect("secret-ann") as socket:
            page = Page(socket)
            socket.send_bytes(b"\xff\xfe\x00")
            assert "not understood" in page.hear("error")["text"]

    def test_errors_do_not_repeat_what_was_sent(self, connect) -> None:
        with connect("secret-ann") as socket:
            page = Page(socket)
            page.say(type="keys", keys=[SCRIPT + "x" * 99])
            assert "script" not in page.hear("error")["text"]

    def test_who_sends_much_is_listened_to_more_slowly(
        self, connect, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(app, "MOST_PER_SECOND", 20)
        with connect("secret-ann") as socket:
            page = Page(socket)
            page.tick()
            begin = time.monotonic()
            for _ in range(30):
                page.say(type="menu", x=1, y=2)
            for _ in range(30):
                page.hear("menu")
            assert time.monotonic() - begin > 0.3

    def test_a_page_that_is_slow_gets_the_newest_picture_and_no_queue(self, session: LiveSession) -> None:
        class SlowSocket:
            """Takes nothing before it is told to."""

            def __init__(self) -> None:
                self.sent, self.may = [], asyncio.Event()

            async def receive(self):
                await asyncio.sleep(60)

            async def send_text(self, text: str) -> None:
                await self.may.wait()
                self.sent.append(json.loads(text))

        async def watch() -> list:
            seat, cursor, socket = session.links.find("secret-ann"), PageCursor(), SlowSocket()
            session.join(seat)
            session.show(seat)
            client = PageClient(socket, None, lambda: session.news(seat, cursor))
            serving = asyncio.create_task(client.serve())
            for _ in range(50):
                await asyncio.sleep(0)
                session.tick()
                client.send_soon([])
            socket.may.set()
            for _ in range(1000):
                await asyncio.sleep(0.001)
                if any(each.get("tick") == 50 for each in socket.sent):
                    break
            serving.cancel()
            return [each["tick"] for each in socket.sent if each["type"] == "picture"]

        ticks = asyncio.run(watch())
        assert len(ticks) <= 2 and ticks[-1] == 50


class TestInterface:
    def test_it_needs_the_experimenter_s_token(self, client: TestClient) -> None:
        paths = client.get("/openapi.json").json()["paths"]
        assert len(paths) >= 11
        for path, methods in paths.items():
            for method in methods:
                place = path.replace("{agent_id}", "ann")
                for given in ("", "Bearer wrong", "Basic secret-experimenter", "secret-experimenter"):
                    got = client.request(method, place, headers={"authorization": given})
                    assert got.status_code == 401 and got.headers["www-authenticate"] == "Bearer"
                for token in ("secret-ann", "secret-watcher"):
                    got = client.request(method, place, headers={"authorization": f"Bearer {token}"})
                    assert got.status_code == 403

    def test_time_is_steered(self, session: LiveSession, client: TestClient) -> None:
        post = lambda path, **body: client.post(f"/api/{path}", json=body, headers=BOSS)  # noqa: E731
        assert post("step").json() == {"state": "paused", "tick": 1}
        assert post("speed", tick_duration=2.0).status_code == 200 and session.world.tick_duration == 2
        assert post("start").json()["state"] == "running" and post("pause").json()["state"] == "paused"
        assert post("stop").json()["state"] == "stopped"
        assert post("start").status_code == 409 and "reset it first" in post("start").json()["error"]
        assert post("reset", seed=5).json() == {"state": "paused", "tick": 0} and session.world.rnd_seed == 5

    @pytest.mark.parametrize(
        "body", [{}, {"tick_duration": "1"}, {"tick_duration": 1.0, "more": 1}, {"tick_duration": 1e9}]
    )
    def test_bodies_that_are_not_understood_are_refused(self, client: TestClient, body) -> None:
        assert client.post("/api/speed", json=body, headers=BOSS).status_code == 422

    def test_bodies_that_are_too_long_are_refused(self, client: TestClient) -> None:
        got = client.post("/api/messages", content=b"x" * 20000, headers=BOSS)
        assert (
            got.status_code == 413
            and client.post("/api/messages", content=b"{", headers=BOSS).status_code == 422
        )

    def test_the_world_and_its_state_are_read(self, client: TestClient) -> None:
        get = lambda path: client.get(f"/api/{path}", headers=BOSS)  # noqa: E731
        world = get("world").json()
        assert (world["width"], world["height"], world["tick"], world["state"]) == (12, 6, 0, "paused")
        assert [agent["agent_id"] for agent in world["agents"]] == ["ann", "bob", "robot"]
        assert {*get("state").json()["objects"]} >= {"ann", "bob", "robot", "wall"}
        ann = get("state/ann").json()["objects"]
        assert {*ann} == {"ann", "Door", "mat", "box"} and ann["box"]["is_movable"] is True
        assert get("state/god").status_code == 404 and get("state/__import__('os')").status_code == 404
        assert len(get("links").json()["links"]) == 5

    def test_messages_are_read_and_written(self, client: TestClient) -> None:
        say = lambda **body: client.post("/api/messages", json=body, headers=BOSS)  # noqa: E731
        assert say(text="to all").status_code == 200 and say(text="to ann", to="ann").status_code == 200
        assert say(text="x", to="nobody").status_code == 409 and say(text="").status_code == 422
        assert say(text="x", sender="ann").status_code == 422
        client.post("/api/step", headers=BOSS)
        rooms = client.get("/api/messages", headers=BOSS).json()["rooms"]
        said = {room["name"]: [(m["sender"], m["text"]) for m in room["messages"]] for room in rooms}
        assert said["Global"] == [("experimenter", "to all")]
        assert said["ann__experimenter"] == [("experimenter", "to ann")]

    def test_its_description_is_one_of_openapi(self, client: TestClient) -> None:
        described = client.get("/openapi.json").json()
        assert described["openapi"].startswith("3.1") and described["security"] == [{"experimenter": []}]
        text = json.dumps(described)
        schemas = described["components"]["schemas"]
        for part in text.split('"$ref": "#/components/schemas/')[1:]:
            assert part.partition('"')[0] in schemas
        ids = [
            operation["operationId"]
            for methods in described["paths"].values()
            for operation in methods.values()
        ]
        assert len({*ids}) == len(ids) and "secret" not in text

    def test_there_is_a_page_for_it(self, client: TestClient) -> None:
        page = client.get("/api/")
        assert page.status_code == 200 and "unsafe" not in page.headers["content-security-policy"]
        for name in ("api.js", "api.css", "common.css", "appearance.js", "renderer.js"):
            assert f'"files/{name}"' in page.text and client.get(f"/api/files/{name}").status_code == 200
        assert client.get("/api/files/live.js").status_code == 404


def test_every_message_of_pages_says_who_may_send_it() -> None:
    kinds = TypeAdapter(protocol.Message).json_schema()["$defs"]
    assert {model.__name__ for model in protocol.SENDERS} == {*kinds}


@pytest.mark.usefixtures("keyboard")
def test_ctrl_c_ends_the_server_also_while_pages_are_open(session: LiveSession) -> None:
    websockets = pytest.importorskip("websockets.sync.client")
    on, ended, failed = listening("127.0.0.1", 0), threading.Event(), []

    def press() -> None:
        address = f"127.0.0.1:{on.getsockname()[1]}"
        try:
            with websockets.connect(
                f"ws://{address}/p/secret-ann/session", origin=f"http://{address}", proxy=None
            ) as page:
                page.recv(timeout=30)
                os.kill(os.getpid(), signal.SIGINT)
                if not ended.wait(30):
                    failed.append("Ctrl-C did not end it")
        except Exception as error:
            failed.append(error)
        if not ended.is_set():  # so that the tests go on
            os.kill(os.getpid(), signal.SIGINT)

    pressing = threading.Thread(target=press)
    pressing.start()
    serve(application(session), on, largest=1000)
    ended.set()
    pressing.join()
    assert not failed
