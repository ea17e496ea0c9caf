"""The pages of live worlds in a real browser: two people, a program and an experimenter in one world."""

import re
from pathlib import Path

import pytest

from tests.view.browser import Browser, Server, needs_chromium

pytestmark = [needs_chromium, pytest.mark.slow]

BUILD = """
from gridarium.live import AgentBrain, HumanAgentBrain, Message, SenseCapability, SquareBlock, WorldBuilder

KEYS = {"w": "MoveNorth", "d": "MoveEast", "s": "MoveSouth", "a": "MoveWest", "g": "GrabObject", "q": "DropObject"}


class Greeter(AgentBrain):
    def decide_on_action(self, state):
        if state["World"]["nr_ticks"] == 1:
            self.send_message(Message("<img src=x onerror=document.title=1> hello", self.agent_id, "crew"))
        return None, {}


def build():
    builder = WorldBuilder((12, 8), tick_duration=0.1, simulation_goal=5000)
    near = SenseCapability({None: 4})
    for name, place in (("Ann", (2, 2)), ("Bob", (9, 5))):
        builder.add_human_agent(
            place, HumanAgentBrain(), name, near, team="crew", key_action_map=KEYS, possible_actions=[*KEYS.values()]
        )
    builder.add_agent((6, 6), Greeter(), "Robot <i>one</i>", team="crew")
    builder.add_object((3, 3), "<b>box</b>", SquareBlock, is_movable=True, visualize_colour="#d02020")
    builder.add_line((0, 0), (11, 0), "wall")
    return builder
"""
READY = "page.stage && page.stage.objects.size"
CELL = "page.stage.svg.getScreenCTM()"


class People:
    """The pages of all, in tabs of one browser."""

    def __init__(self, browser: Browser, folder: Path) -> None:
        (folder / "crew.py").write_text(BUILD)
        self.browser = browser
        self.server = Server(f"{folder / 'crew.py'}:build", "--interpreted", command="live")
        lines = self.server.read_lines(6)
        self.links = {m[1].strip(): m[2] for line in lines if (m := re.match(r"  (.*?)  +(http\S+)", line))}
        self.tabs: dict[str, str] = {}

    def at(self, who: str) -> Browser:
        """The page of somebody, opened if it is not."""
        if who in self.tabs:
            self.browser.driver.switch_to.window(self.tabs[who])
            return self.browser
        self.browser.driver.switch_to.new_window("tab")
        self.tabs[who] = self.browser.driver.current_window_handle
        self.browser.look()
        self.browser.open(self.links[who])
        self.browser.wait(READY)
        return self.browser

    def close(self, who: str) -> None:
        self.at(who).driver.close()
        del self.tabs[who]
        self.browser.driver.switch_to.window(next(iter(self.tabs.values())))


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory):
    browser = Browser(tmp_path_factory.mktemp("chromium"))
    people = People(browser, tmp_path_factory.mktemp("world"))
    yield people
    browser.close()
    people.server.kill()


def me(who: str) -> str:
    return f"page.stage.objects.get('{who}')"


def point(page: Browser, x: int, y: int, act: str = "click") -> None:
    """Use the mouse at a cell."""
    from selenium.webdriver import ActionChains

    left, top = page.js(f"(m => [m.a * {x + 0.5} + m.e, m.d * {y + 0.5} + m.f])({CELL})")
    chain = ActionChains(page.driver)
    chain.w3c_actions.pointer_action.move_to_location(round(left), round(top))
    chain.perform()
    if act:
        getattr(ActionChains(page.driver), act)().perform()


def test_two_people_a_program_and_an_experimenter_share_a_world(people: People) -> None:
    boss = people.at("the experimenter")
    assert boss.text("#title") == "crew"
    boss.click("#play")
    boss.wait("page.tick > 2 && part('play').innerText === 'Pause'")
    assert boss.js("[...document.querySelectorAll('.initial')].map((e) => e.textContent).sort()") == [
        "A",
        "B",
        "R",
    ]
    assert boss.js("document.querySelectorAll('.person').length") == 2
    ann = people.at("play ann")
    assert ann.js("part('time').hidden && part('links').hidden")
    assert ann.js("[...page.stage.objects.keys()].includes('bob')") is False, "too far away"
    ann.press("d")
    ann.wait(f"{me('ann')}.x === 3")
    point(ann, 3, 3)  # the box, below
    ann.wait(f"{me('ann')}.agent.carrying.length === 1")
    assert ann.text("#carries").split() == ["Carries", "<b>box</b>"]
    assert ann.js("document.querySelectorAll('.load').length") == 1
    bob = people.at("play bob")
    bob.press("w")
    bob.wait(f"{me('bob')}.y === 4")


@pytest.mark.parametrize("size", [1, 0.6])
@pytest.mark.parametrize("label", ["H", "H1"])
def test_labels_stand_in_their_triangles_apart_from_the_outline(
    people: People, label: str, size: float
) -> None:
    page = people.at("the experimenter")
    looks = f"{{color: '#92f442', shape: 1, size: {size}, agent: {{label: '{label}', human: true, carrying: []}}}}"
    text, triangle, halo = page.js(
        "(() => { const group = svgElement('g', {}, page.stage.svg); const body = svgElement('g', {class: 'person'}, group); "
        f"body.append(...pictureOf({looks})); decorate(group, {looks}, false); const label = group.querySelector('.initial'); "
        "const found = [label, body].map((each) => { const { left, right, bottom } = each.getBoundingClientRect(); "
        "return [left, right, bottom]; }); const { stroke, strokeWidth, paintOrder } = getComputedStyle(label); "
        "group.remove(); return [...found, [stroke, parseFloat(strokeWidth) > 0, paintOrder]]; })()"
    )
    assert triangle[0] < text[0] < text[1] < triangle[1] and text[2] < triangle[2]
    assert halo == ["rgb(146, 244, 66)", True, "stroke"], "in the color of the body, behind the letters"


def test_what_fails_says_why_above_the_agent(people: People) -> None:
    page = people.at("play bob")
    page.press("q")
    page.wait("part('toast').innerText === 'Drop: nothing is carried'")
    assert page.js("part('toast').getBoundingClientRect().bottom <= page.stage.placeOf('bob').top")


def test_tooltips_say_what_something_is_as_text(people: People) -> None:
    page = people.at("the experimenter")
    point(page, 6, 6, "")
    page.wait("!part('tip').hidden")
    assert "Robot <i>one</i>" in page.text("#tip") and "a program" in page.text("#tip")
    point(page, 11, 7, "")
    page.wait("part('tip').hidden")


def test_right_click_offers_what_is_possible_and_the_keyboard_chooses(people: People) -> None:
    ann = people.at("play ann")
    point(ann, 3, 2, "context_click")
    ann.wait("!part('menu').hidden")
    assert "Drop: <b>box</b>" in ann.text("#menu")
    ann.press("ARROW_DOWN", "ENTER")
    ann.wait(f"part('menu').hidden && {me('ann')}.agent.carrying.length === 0")
    point(ann, 9, 7, "context_click")
    ann.wait("part('menu').innerText.includes('nothing can be done')")
    ann.press("ESCAPE")
    ann.wait("part('menu').hidden")


def test_a_long_press_does_the_same_on_a_touch_screen(people: People) -> None:
    ann = people.at("play ann")
    ann.js(
        "(m => page.stage.svg.dispatchEvent(new PointerEvent('pointerdown', {pointerType: 'touch', bubbles: true, "
        f"clientX: m.a * 2.5 + m.e, clientY: m.d * 2.5 + m.f}})))({CELL})"
    )
    ann.wait("!part('menu').hidden && part('menu').innerText.includes('Move west')")
    ann.press("ESCAPE")


def test_what_is_said_is_text_and_unread_until_it_was_seen(people: People) -> None:
    ann = people.at("play ann")
    ann.wait("page.chat.messages.get(1)?.length")
    assert ann.js("page.chat.open") == 0, "one stays in the room for all until one leaves it"
    ann.js("document.querySelector('.rooms button[title=\"Team crew\"]').click()")
    ann.wait("part('said').innerText.includes('hello')")
    assert "<img src=x onerror=document.title=1> hello" in ann.text("#said")
    assert ann.js("document.querySelectorAll('#said img').length") == 0
    ann.click("#text")
    ann.press(*"w ad", "ENTER")  # keys that would be moves otherwise
    ann.wait("part('said').innerText.includes('w ad')")
    bob = people.at("play bob")
    bob.wait("page.chat.messages.get(1)?.some((m) => m.text === 'w ad' && m.sender === 'ann')")
    bob.choose("#write-to", "ann")
    bob.press(*"secret", "ENTER")
    bob.wait("page.chat.rooms.some((r) => r.kind === 'private') && part('said').innerText.includes('secret')")
    ann = people.at("play ann")
    ann.wait("page.chat.rooms.some((r) => r.name === 'bob' && r.unread === 1)")
    ann.wait("document.querySelector('.rooms .unread') && document.title.startsWith('(')")
    ann.js("[...document.querySelectorAll('.rooms button')].find(b => b.innerText.startsWith('bob')).click()")
    ann.wait("!document.querySelector('.rooms .unread') && part('said').innerText.includes('secret')")
    boss = people.at("the experimenter")
    assert "secret" in str(boss.js("[...page.chat.messages.values()]")) and boss.js("page.chat.open") == 0
    assert "secret" not in str(people.at("watch robot_<i>one</i>").js("[...page.chat.messages.values()]"))


def test_one_is_told_where_one_cannot_write_and_nothing_that_was_written_is_lost(people: People) -> None:
    boss = people.at("the experimenter")
    assert not boss.js("part('say').hidden") and boss.js("part('read-only').hidden")
    boss.js("document.querySelector('.rooms button[title=\"Team crew\"]').click()")
    assert boss.js("part('say').hidden") and "nly members of a team" in boss.text("#read-only")
    boss.js("page.chat.say('five minutes left')")
    boss.wait("part('text').value === 'five minutes left' && page.chat.waiting.length === 0")
    assert "only members of a team" in boss.text("#error-text")
    boss.js("document.querySelector('.rooms button').click()")
    boss.click("#text")
    boss.press("ENTER")
    boss.wait(
        "page.chat.messages.get(0)?.some((m) => m.text === 'five minutes left') && part('text').value === ''"
    )
    boss.press("ESCAPE")  # keys steer the world again
    watcher = people.at("watch robot_<i>one</i>")
    assert watcher.js("part('say').hidden") and watcher.text("#read-only") == "Watchers do not write"


def test_who_leaves_is_idle_and_comes_back_where_they_were(people: People) -> None:
    ann = people.at("play ann")
    place = ann.js(f"[{me('ann')}.x, {me('ann')}.y]")
    people.close("play ann")
    boss = people.at("the experimenter")
    boss.wait("part('link-list').innerText.includes('ann\\nnot here')")
    tick = boss.js("page.tick")
    boss.wait(f"page.tick > {tick + 3}")
    assert people.at("play ann").js(f"[{me('ann')}.x, {me('ann')}.y]") == place


def test_experimenters_have_the_clock(people: People) -> None:
    boss = people.at("the experimenter")
    boss.press("SPACE")
    boss.wait("part('play').innerText === 'Start' && part('clock').innerText.includes('paused')")
    tick = boss.js("page.tick")
    boss.press(".")
    boss.wait(f"page.tick === {tick + 1}")
    boss.press("-")
    boss.wait("part('speed').innerText === '5 ticks/s'")
    boss.press("+", "SPACE")
    boss.wait("part('speed').innerText === '10 ticks/s' && part('play').innerText === 'Pause'")


def test_it_fits_on_a_phone_and_names_what_can_be_used(people: People) -> None:
    small = "[...document.querySelectorAll('main button')].filter(b => b.offsetParent && b.offsetHeight < 40).length"
    nameless = (
        "[...document.querySelectorAll('button, select, input')].filter(e => !(e.getAttribute('aria-label') || "
        "e.innerText || (e.labels && e.labels.length))).map(e => e.id)"
    )
    for who in ("play ann", "the experimenter"):
        page = people.at(who)
        for width, height in ((390, 844), (800, 600), (1280, 720)):
            page.look(width=width, height=height)
            assert page.js("document.documentElement.scrollWidth") <= width
            if width == 390:
                assert page.js(small) == 0
        assert page.js(nameless) == []
        page.look()


def test_after_a_reset_all_pages_show_the_beginning(people: People) -> None:
    people.at("the experimenter").click("#reset")
    for who in ("the experimenter", "play ann", "play bob"):
        page = people.at(who)
        page.wait("page.tick === 0 && page.hello.run === 1")
        assert page.js(f"{me('bob')}?.y ?? 5") == 5


def test_the_interface_for_scripts_has_a_page(people: People) -> None:
    page = people.at("the experimenter")
    page.driver.switch_to.new_window("tab")
    page.open(f"{people.server.address}api/")
    page.wait("document.querySelectorAll('section').length > 15")
    assert "POST /api/pause" in page.text("main")
    page.driver.close()


def test_browsers_had_nothing_to_complain_of(people: People) -> None:
    assert people.at("play ann").complaints() == []


def test_when_the_server_is_gone_or_is_another_run_the_page_says_so(people: People) -> None:
    page = people.at("play bob")
    people.server.kill()
    page.wait("!part('lost').hidden && part('main').inert")
    assert "does not answer" in page.text("#lost")
    people.server.start()
    page.wait("part('lost-text').innerText.includes('This link leads nowhere')")
