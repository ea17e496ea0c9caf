"""The pages in a real browser: a world that runs, and replays opened from a file."""

from pathlib import Path

import pytest

from gridarium.agents import Planner, play
from gridarium.draw.boards import LINE_WIDTH
from gridarium.engine import Recorder, World
from gridarium.view import Player, ReplayBuilder, write_replay
from tests.view.browser import Browser, Server, needs_chromium

pytestmark = [needs_chromium, pytest.mark.slow]

TICK = "Number(document.querySelector('.clock').innerText.match(/Tick (\\d+)/)[1])"
LONG = "a_policy_with_a_name_that_is_longer_than_a_phone_is_wide"
READY = "document.querySelector('.clock')"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory):
    browser = Browser(tmp_path_factory.mktemp("chromium"))
    yield browser
    browser.close()


@pytest.fixture(autouse=True)
def plain(browser: Browser):
    """Each test begins with the same screen, and ends without complaints of the browser."""
    browser.look()
    yield
    lost = [line for line in browser.complaints() if "ERR_CONNECTION" not in line]
    browser.open("about:blank")
    assert not lost


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("policies")
    (folder / f"{LONG}.py").write_text("def spin():\n    return 4\n")
    policy = f"{folder / LONG}.py:spin"
    server = Server("Empty-4x4", "--interpreted", "--paused", "--speed", "8", "--seed", "1", "-p", policy)
    yield server
    server.kill()


@pytest.fixture
def page(browser: Browser, server: Server) -> Browser:
    """The page of a world at the beginning of episode 1, paused, its agent acting at random."""
    browser.open(server.address)
    browser.wait(READY)
    browser.choose("#policy-0", "random")
    browser.js("part('seed').value = 1")
    browser.click("#begin button[type=submit]")
    browser.wait(f"{TICK} === 0 && !part('play').hidden && part('seed').value === '1'")
    return browser


class TestLive:
    def test_the_world_is_shown(self, page: Browser) -> None:
        assert page.text("#title") == "Empty-4x4" and page.js("document.title") == "Empty-4x4"
        assert page.text("#policies").startswith("Policy of Agent")
        assert page.js("document.querySelectorAll('.world use[href]').length") >= 16
        assert page.js("document.querySelector('.world').getBoundingClientRect().width") > 300
        described = page.js("document.querySelector('.world title').textContent")
        assert described.startswith("Empty-4x4, tick 0. Agent at row 2, column 1, faces")
        assert "Exit" in page.text("#legend")

    def test_time_goes_on_and_stops_by_the_space_bar(self, page: Browser) -> None:
        page.press("SPACE")
        page.wait(f"{TICK} >= 2")
        assert page.text("#play") == "Pause"
        page.press("SPACE")
        page.wait("part('play').innerText === 'Play'")
        assert "Result" in page.text("#status") and "Reward" in page.text("#status")

    def test_single_ticks_and_taking_back(self, page: Browser) -> None:
        page.press(".", ".")
        page.wait(f"{TICK} === 2")
        page.press("BACKSPACE")
        page.wait(f"{TICK} === 1")
        page.press("r")
        page.wait(f"{TICK} === 0")
        page.press("n")
        page.wait("part('seed').value === '2'")

    def test_speed_has_keys_and_buttons(self, page: Browser) -> None:
        page.press("+")
        page.wait("part('speed').innerText === '15 ticks/s'")
        page.click("#slower")
        page.wait("part('speed').innerText === '8 ticks/s'")

    def test_a_person_plays_from_the_keyboard(self, page: Browser) -> None:
        page.choose("#policy-0", "me")
        page.wait("!part('act').hidden && part('play').hidden")
        assert "↑" in page.text("#action-keys") and "move forward" in page.text("#action-keys")
        page.press("ARROW_LEFT")
        page.wait(f"{TICK} === 1 && part('status').innerText.includes('Turn left')")
        page.press("d", "ARROW_UP")
        page.wait(f"{TICK} === 3 && part('status').innerText.includes('Move forward')")
        page.click("#act button:first-child")
        page.wait(f"{TICK} === 4")
        page.press("BACKSPACE", "BACKSPACE")
        page.wait(f"{TICK} === 2")

    def test_the_end_is_said_in_words_and_so_is_what_to_do(self, page: Browser) -> None:
        page.choose("#policy-0", "scripted")
        page.click("#again")
        page.press("SPACE")
        page.wait("document.querySelector('.end').innerText === 'The episode is over.'")
        page.choose("#policy-0", "me")
        page.wait("part('play').hidden")
        page.press("ARROW_UP")
        page.wait("!part('error').hidden")
        assert page.text("#error-text") == "the episode is over: begin again first"
        page.click("#dismiss")
        assert page.js("part('error').hidden")
        page.press("r")
        page.wait(f"{TICK} === 0")
        page.click("#again")

    @pytest.mark.parametrize("who", ["random", "me"])
    def test_all_of_it_is_seen_on_a_small_screen(self, page: Browser, who: str) -> None:
        page.look(width=1280, height=720)
        page.choose("#policy-0", who)
        page.wait(f"part('play').hidden === {str(who == 'me').lower()}")
        assert page.js("document.documentElement.scrollHeight") <= 720
        assert page.js("document.documentElement.scrollWidth") <= 1280

    def test_four_agents_are_seen_on_a_small_screen(self, browser: Browser) -> None:
        server = Server("Tron-15x15-4p-near", "--interpreted", "--paused")
        try:
            browser.look(width=1280, height=720)
            browser.open(server.address)
            browser.wait(READY)
            bottoms = (
                "['world', 'status', 'policy-3', 'plot'].map((id) => part(id).getBoundingClientRect().bottom)"
            )
            assert browser.js("document.documentElement.scrollHeight") <= 720
            assert all(0 < bottom <= 720 for bottom in browser.js(bottoms))
            assert browser.js("document.querySelector('#status .scrolled').scrollWidth") <= browser.js(
                "document.querySelector('#status .scrolled').clientWidth"
            )
        finally:
            server.kill()

    def test_what_is_not_seen_is_darkened_on_request(self, page: Browser) -> None:
        veil = "document.querySelectorAll('.world > path')[1].getAttribute('d')"
        assert page.js(veil)
        page.press("v")
        page.wait(f"{veil} === ''")
        page.choose("#shade", "0")
        page.wait(f"{veil} !== ''")

    def test_a_reload_loses_nothing(self, page: Browser) -> None:
        page.press(".", ".", ".")
        page.wait(f"{TICK} === 3")
        status, picture = page.text("#status"), page.js("document.querySelector('.world').innerHTML")
        plot = page.js("document.querySelector('.plot .line').getAttribute('d')")
        page.driver.refresh()
        page.wait(READY)
        assert page.text("#status") == status
        assert page.js("document.querySelector('.world').innerHTML") == picture
        assert page.js("document.querySelector('.plot .line').getAttribute('d')") == plot

    def test_two_pages_show_the_same(self, page: Browser, server: Server) -> None:
        first = page.driver.current_window_handle
        page.driver.switch_to.new_window("tab")
        page.open(server.address)
        page.wait(READY)
        page.press(".")
        page.wait(f"{TICK} === 1")
        page.driver.close()
        page.driver.switch_to.window(first)
        page.wait(f"{TICK} === 1")

    def test_a_lost_connection_comes_back_and_nothing_is_missing(self, page: Browser) -> None:
        page.press(".")
        page.wait(f"{TICK} === 1")
        page.js("(live.connection.socket.close(), live.connection.now(), true)")
        page.wait("live.connection.connected")
        page.press(".")
        page.wait(f"{TICK} === 2")
        assert page.js("live.plot.rewards.length") == 3

    def test_light_and_dark_follow_the_system_until_one_is_chosen(self, page: Browser) -> None:
        background = "getComputedStyle(document.body).backgroundColor"
        floor = "document.querySelector('.world rect').getAttribute('fill')"
        light = page.js(background), page.js(floor)
        page.look(dark=True)
        page.wait("document.documentElement.dataset.theme === 'dark'")
        assert page.js(background) != light[0] and page.js(floor) != light[1]
        page.click("#appearance")
        assert (page.js(background), page.js(floor)) == light
        page.js("localStorage.clear()")

    def test_it_fits_on_a_phone(self, page: Browser) -> None:
        page.choose("#policy-0", f"{LONG}.py:spin")
        for width in (1000, 800, 360):
            page.look(width=width, height=740)
            assert page.js("document.documentElement.scrollWidth") <= width
        small = (
            "[...document.querySelectorAll('main button')].filter(b => b.offsetParent && b.offsetHeight < 40)"
        )
        assert page.js(f"{small}.length") == 0

    def test_everything_that_can_be_used_has_a_name(self, page: Browser) -> None:
        page.choose("#policy-0", "me")
        page.wait("!part('act').hidden")
        nameless = (
            "[...document.querySelectorAll('button, select, input')].filter(e => "
            "!(e.getAttribute('aria-label') || e.innerText || (e.labels && e.labels.length))).map(e => e.id)"
        )
        assert page.js(nameless) == []


def test_when_the_server_is_gone_the_page_says_so_and_goes_on_when_it_is_back(browser: Browser) -> None:
    server = Server("Empty-4x4", "--interpreted", "--paused", "--seed", "1")
    try:
        browser.open(server.address)
        browser.wait(READY)
        browser.press(".")
        browser.wait(f"{TICK} === 1")
        session = browser.js("live.session")
        server.kill()
        browser.wait("!part('lost').hidden")
        assert "The server does not answer" in browser.text("#lost")
        assert f"gridarium serve Empty-4x4 --port {server.port}" in browser.text("#lost")
        assert browser.js("part('main').inert") and browser.js(
            "document.querySelectorAll('.world use').length"
        )
        browser.press(".")
        server.start()
        browser.wait("part('lost').hidden")
        browser.wait(f"{TICK} === 0 && live.session !== '{session}'")
        assert "this is another run" in browser.text("#notice")
        browser.press(".")
        browser.wait(f"{TICK} === 1")
    finally:
        server.kill()


def test_moves_are_chosen_by_clicks_numbers_and_text(browser: Browser) -> None:
    server = Server("ConnectFour", "--interpreted", "--paused")
    try:
        browser.open(server.address)
        browser.wait("document.querySelector('.clock')")
        for agent in (0, 1):
            browser.choose(f"#policy-{agent}", "me")
        browser.wait("part('turn').innerText === \"Red's turn:\" && live.choice.agent === 0")
        browser.click_cell(2, 5, only_point=True)
        browser.wait("part('asked').innerText === 'DROP(5)'")
        assert browser.js("document.querySelectorAll('.choice .pointed').length") == 6
        browser.click_cell(2, 5)
        browser.wait(f"{TICK} === 1 && live.choice.agent === 1")
        browser.press("3")
        browser.wait(f"{TICK} === 2 && part('status').innerText.includes('Drop(3)')")
        browser.press("ARROW_LEFT", "SPACE")  # beside the column where the mouse is
        browser.wait(f"{TICK} === 3 && part('status').innerText.includes('Drop(4)')")
        browser.click("#typed")
        browser.press(*"drop 9", "ENTER")
        browser.wait("part('error-text').innerText.startsWith('drop 9 is not possible now; DROP(0)')")
        assert browser.js("[part('views').hidden, part('act').hidden, part('choice').hidden]") == [
            True,
            True,
            False,
        ]
        browser.look(width=360, height=740)
        assert browser.js("document.documentElement.scrollWidth") <= 360
    finally:
        server.kill()


def test_buttons_can_be_used_when_it_is_the_persons_turn(browser: Browser) -> None:
    server = Server("KuhnPoker-2p", "--interpreted", "--paused", "--speed", "0.25")
    try:
        browser.look()
        browser.open(server.address)
        browser.wait("document.querySelector('.clock')")
        browser.choose("#policy-1", "me")
        browser.wait("part('turn').innerText === \"First's turn\" && part('act').innerText.includes('Bet')")
        assert browser.js("document.querySelectorAll('#act button:not(:disabled)').length") == 0
        browser.wait(f"{TICK} === 1 && document.querySelectorAll('#act button:not(:disabled)').length === 2")
    finally:
        server.kill()


class TestReplay:
    @pytest.fixture(scope="class")
    @classmethod
    def file(cls, tmp_path_factory: pytest.TempPathFactory) -> Path:
        world = World("KeyDoor-5x5", compiled=False)
        recorder = Recorder(world)
        for seed in (1, 2):
            episode = play(world, [Planner()], seed=seed)
            recorder.reset(seed)
            for (action,) in episode.actions:
                recorder.step(world.actions.index(action))
        path = tmp_path_factory.mktemp("replay") / "replay & more.html"
        write_replay(recorder.run(), path, world=world, title="Two <b>keys</b>")
        return path

    @pytest.fixture
    def replay(self, browser: Browser, file: Path) -> Browser:
        browser.open(file.as_uri())
        browser.wait(READY)
        return browser

    def test_it_opens_from_a_file(self, replay: Browser) -> None:
        assert replay.text("#title") == "Two <b>keys</b>"
        assert replay.js("document.querySelectorAll('.world use[href]').length") >= 25
        assert replay.text("#place").startswith("0 of ")

    def test_it_plays_to_the_end_and_once_more(self, replay: Browser) -> None:
        replay.press(*"+++++++")
        assert replay.text("#speed") == "60 ticks/s" and replay.js("part('faster').disabled")
        replay.press("SPACE")
        replay.wait("part('next').disabled")
        assert replay.text(".end") == "The episode is over." and replay.text("#play") == "Play"
        replay.press("SPACE")
        replay.wait("part('next').disabled && part('play').innerText === 'Play'")

    def test_whole_numbers_are_exact_and_others_short(self, replay: Browser) -> None:
        given = "1234567", "-9007199254740991", "-0", "0.12345678", "1234567.25"
        assert [replay.js(f"plainNumber({number})") for number in given] == [
            "1234567", "−9007199254740991", "0", "0.1235", "1234570",
        ]  # fmt: skip

    def test_one_can_go_anywhere(self, replay: Browser) -> None:
        last = replay.js("Number(part('slider').max)")
        replay.press("ARROW_RIGHT", "ARROW_RIGHT", "ARROW_LEFT")
        assert replay.js("Number(part('slider').value)") == 1 and replay.js(TICK) == 1
        replay.press("END")
        assert replay.js("Number(part('slider').value)") == last
        replay.press("PAGE_UP")
        assert replay.js(TICK) == 0 and "episode 2 of 2" in replay.text("#place")
        replay.press("HOME")
        replay.click("#next")
        replay.press("SPACE")
        assert replay.text("#play") == "Pause"
        replay.click("#play")

    def test_back_and_forth_is_the_same_picture(self, replay: Browser) -> None:
        picture = "document.querySelector('.world').innerHTML + part('status').innerHTML"
        forth = []
        for _ in range(replay.js("Number(part('slider').max)")):
            forth.append(replay.js(picture))
            replay.press("ARROW_RIGHT")
        for before in reversed(forth):
            replay.press("ARROW_LEFT")
            assert replay.js(picture) == before

    def test_the_plot_is_a_way_to_a_frame(self, replay: Browser) -> None:
        from selenium.webdriver import ActionChains

        plot = replay.driver.find_element("css selector", ".plot")
        ActionChains(replay.driver).move_to_element_with_offset(
            plot, plot.size["width"] // 2 - 12, 0
        ).click().perform()
        assert replay.js("part('slider').value === part('slider').max")
        assert replay.js("document.querySelector('.plot .line').getAttribute('d').split('M').length") == 3

    def test_what_is_not_seen_is_darkened_on_request(self, replay: Browser) -> None:
        veil = "document.querySelectorAll('.world > path')[1].getAttribute('d')"
        assert replay.js(veil)
        replay.press("v")
        assert replay.js(veil) == ""

    def test_it_fits_on_a_phone(self, replay: Browser) -> None:
        replay.look(width=360, height=740, dark=True)
        assert replay.js("document.documentElement.scrollWidth") <= 360
        replay.wait("document.documentElement.dataset.theme === 'dark'")

    def test_one_that_was_cut_off_says_so(self, browser: Browser, file: Path, tmp_path: Path) -> None:
        text = file.read_text(encoding="utf-8")
        (tmp_path / "cut.html").write_text(text[: len(text) // 2], encoding="utf-8")
        browser.open((tmp_path / "cut.html").as_uri())
        browser.wait("getComputedStyle(document.getElementById('note')).visibility === 'visible'")
        assert "the end of its file is missing" in browser.text("#note")

    def test_it_plays_in_a_notebooks_cell(self, browser: Browser, tmp_path: Path) -> None:
        world = World("Empty-4x4", compiled=False)
        builder = ReplayBuilder(world)
        for seed in range(3):
            builder.add(world.reset(seed))
        (tmp_path / "cell.html").write_text(f"<h1>A notebook</h1>{Player(builder)._repr_html_()}")
        browser.open((tmp_path / "cell.html").as_uri())
        browser.driver.switch_to.frame(0)
        browser.wait(READY)
        browser.click("#next")
        assert browser.js("Number(part('slider').value)") == 1

    def test_an_empty_one_and_one_in_a_newer_format_say_so(self, browser: Browser, tmp_path: Path) -> None:
        replay = ReplayBuilder(World("Empty-4x4", compiled=False)).data()
        write_replay(replay, tmp_path / "empty.html")
        browser.open((tmp_path / "empty.html").as_uri())
        assert browser.text("#note") == "There is nothing in this replay."
        write_replay(replay | {"version": 99}, tmp_path / "newer.html")
        browser.open((tmp_path / "newer.html").as_uri())
        assert "format that its page cannot read" in browser.text("#note")


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A replay of two moves in a game of two."""
    world = World("ConnectFour", compiled=False)
    builder, state = ReplayBuilder(world), world.reset(1)
    builder.add(state)
    for moves in ((0, 0), (0, 1)):
        state, rewards, _ = world.step(state, moves)
        builder.add(state, actions=moves, rewards=rewards)
    path = tmp_path_factory.mktemp("game") / "game.html"
    write_replay(builder, path)
    return path


@pytest.mark.parametrize("width", [1280, 600, 360])
def test_words_of_the_table_are_whole_and_who_waited_has_no_result(
    browser: Browser, game: Path, width: int
) -> None:
    broken = (  # words that take more than one line
        "[...document.querySelectorAll('#status td, #status th')].flatMap(({ firstChild: text }) => "
        "[...(text?.data ?? '').matchAll(/\\S+/g)].filter((word) => { const range = new Range(); "
        "range.setStart(text, word.index); range.setEnd(text, word.index + word[0].length); "
        "return range.getClientRects().length > 1; }).map(([word]) => word))"
    )
    browser.look(width=width, height=900)
    browser.open(game.as_uri())
    browser.wait(READY)
    browser.click("#next")
    rows = browser.text("#status table").split("\n")
    assert "Result\tThe action succeeded.\t–" in rows and rows[1].endswith("\t–")
    assert browser.js(broken) == []
    browser.look()


def test_curves_say_whose_they_are(browser: Browser, game: Path) -> None:
    browser.open(game.as_uri())
    browser.wait(READY)
    names = browser.js("[...document.querySelectorAll('.curves li')].map((entry) => entry.innerText)")
    assert names == ["Red", "Yellow"]
    strokes = "['stroke', 'stroke-dasharray'].map((name) => path.getAttribute(name))"
    drawn, listed = (
        browser.js(f"[...document.querySelectorAll('{where} path.line')].map((path) => {strokes})")
        for where in ("#plot > svg", ".curves")
    )
    assert drawn == listed and drawn[0] != drawn[1]


def test_a_plain_board_has_no_lines_at_two_of_its_edges(browser: Browser, game: Path, tmp_path: Path) -> None:
    world = World("Empty-4x4", compiled=False)
    builder = ReplayBuilder(world)
    builder.add(world.reset(0))
    write_replay(builder, tmp_path / "plain.html")
    for page, cut, width in ((tmp_path / "plain.html", LINE_WIDTH, 4), (game, 0, 7)):
        browser.open(page.as_uri())
        browser.wait(READY)
        edges = browser.js(
            "(({ x, y, width }) => [x, y, x + width])(document.querySelector('.world').viewBox.baseVal)"
        )
        assert edges == [cut, cut, width]


def test_each_episode_of_a_replay_has_its_title(browser: Browser, tmp_path: Path) -> None:
    world = World("Empty-4x4", compiled=False)
    builder = ReplayBuilder(world, title=["first <b>", "second"])
    for seed in range(2):
        builder.add(world.reset(seed))
    write_replay(builder, tmp_path / "two.html")
    browser.open((tmp_path / "two.html").as_uri())
    browser.wait(READY)
    assert browser.text("#title") == "first <b>"
    browser.click("#last")
    assert browser.text("#title") == "second"


def test_a_replay_says_what_is_wanted(browser: Browser, tmp_path: Path) -> None:
    world = World("Fetch-8x8", compiled=False)
    builder, state = ReplayBuilder(world), world.reset(3)
    builder.add(state)
    write_replay(builder, tmp_path / "fetch.html")
    browser.open((tmp_path / "fetch.html").as_uri())
    browser.wait(READY)
    assert browser.text(".mission") == f"Mission: {world.mission(state)}"
    assert "Sign: Key, purple" in browser.text("#legend")
