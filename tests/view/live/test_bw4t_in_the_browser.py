"""Two people and two programs play Blocks World for Teams to the end, in browsers of their own."""

import contextlib
import threading
import time
import urllib.request

import pytest

pytest.importorskip("uvicorn", reason="the browser viewer needs gridarium[web]")

import uvicorn

from gridarium.live.worlds import bw4t
from gridarium.view.live_server.app import application
from gridarium.view.live_server.session import LiveSession
from gridarium.view.web.serving import listening
from tests.view.browser import Browser, needs_chromium

pytestmark = [needs_chromium, pytest.mark.slow]

TEAM = {"agents": 2, "people": 2, "wanted": 3, "tick_duration": 0.08}


@pytest.fixture
def session():
    """A session that is served by a thread, with the address of the server."""
    session = LiveSession(bw4t(**TEAM).get_world(compiled=False), name="bw4t")
    on = listening("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(application(session), log_level="warning", ws="websockets-sansio"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [on]}, daemon=True)
    thread.start()
    session.url = f"http://127.0.0.1:{on.getsockname()[1]}"
    yield session
    server.should_exit = True
    thread.join(10)


def me(who: str, what: str) -> str:
    return f"page.stage.objects.get('{who}').{what}"


def opened(browser: Browser, session, who: str) -> Browser:
    """The page of somebody."""
    seat = next(seat for seat in session.links if seat.agent_id == who)
    browser.look()
    browser.open(session.url + seat.path)
    browser.wait(f"page.stage && page.stage.objects.has('{who}')")
    return browser


def walk(page: Browser, who: str, keys: str) -> None:
    """Press keys one after another, each as soon as the step before was done."""
    place = f"{me(who, 'x')} + 1000 * {me(who, 'y')}"
    for key in keys:
        before = page.js(place)
        page.press(key)
        page.wait(f"{place} !== {before}")


def fetch_white_block(page: Browser, who: str, way: str) -> None:
    """Go to a door, open it, go in, and take the white block, which nobody wants."""
    walk(page, who, way)
    page.press("r")
    page.wait("[...page.stage.objects.values()].some("
              f"(o) => o.type === 'Door' && o.x === {me(who, 'x')} && o.more.is_open === 'yes')")  # fmt: skip
    walk(page, who, "sssssd")
    page.press("q")
    page.wait(f"{me(who, 'agent.carrying.length')} === 1")


def test_two_people_and_two_programs_play_to_the_end_and_the_log_replays_to_the_same_state(
    session, tmp_path
) -> None:
    from selenium.common.exceptions import WebDriverException

    one, two = Browser(tmp_path / "one"), Browser(tmp_path / "two")
    third = None
    try:
        opened(one, session, "human_1"), opened(two, session, "human_2")
        two.js("page.chat.say('I look into room 2')")
        token = {"Authorization": f"Bearer {session.links.experimenter.token}"}
        start = urllib.request.Request(f"{session.url}/api/start", method="POST", headers=token)
        urllib.request.urlopen(start, timeout=10).close()
        one.wait(
            "page.chat.messages.get(0)?.some((m) => m.text === 'I look into room 2' && m.sender === 'human_2')"
        )
        fetch_white_block(one, "human_1", "ddddddss")
        with contextlib.suppress(WebDriverException):
            one.driver.execute_cdp_cmd("Browser.crash", {})
        fetch_white_block(two, "human_2", "d" * 19 + "ss")
        seat = next(seat for seat in session.links if seat.agent_id == "human_1")
        for _ in range(100):
            if not seat.pages:
                break
            time.sleep(0.1)
        assert seat.pages == 0, "the killed browser is gone"
        third = opened(Browser(tmp_path / "three"), session, "human_1")
        assert third.js(
            f"[{me('human_1', 'x')}, {me('human_1', 'y')}, {me('human_1', 'agent.carrying.length')}]"
        ) == [8, 8, 1]
        assert "I look into room 2" in third.js("JSON.stringify([...page.chat.messages])")
        third.press("e")
        third.wait(f"{me('human_1', 'agent.carrying.length')} === 0")
        for page in (two, third):
            page.wait("page.status.state === 'done' && part('goals').innerText.includes('reached')")
            assert page.complaints() == []
    finally:
        for browser in filter(None, (one, two, third)):
            browser.close()
    again = bw4t(**TEAM).get_world(compiled=False)
    again.replay(session.world.decisions)
    assert again.core_state.tobytes() == session.world.core_state.tobytes()
