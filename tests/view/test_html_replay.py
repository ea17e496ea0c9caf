"""Replays as HTML files: whole, harmless, and written as a whole or not at all."""

import json
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridarium.engine import Recorder, World
from gridarium.view import Player, ReplayBuilder, replay_html, write_replay
from gridarium.view.replay.html import script_safe


@pytest.fixture(scope="module")
def world() -> World:
    return World("Empty-4x4", compiled=False)


@pytest.fixture
def builder(world: World) -> ReplayBuilder:
    builder = ReplayBuilder(world, title="</title><script>alert(1)</script>")
    builder.add(world.reset(0), text="</script><!-- \u2028 @@REPLAY@@ & <b>")
    return builder


class Page(HTMLParser):
    """The elements of a page, and the text in its scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags, self.scripts, self.attributes = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data) -> None:
        if self.tags and self.tags[-1] == "script":
            self.scripts[-1] += data


def test_the_data_in_a_page_are_those_of_the_replay(builder: ReplayBuilder) -> None:
    page = Page(replay_html(builder))
    assert json.loads(page.scripts[0]) == json.loads(builder.json())


def test_nothing_in_a_replay_becomes_markup(builder: ReplayBuilder) -> None:
    page = Page(replay_html(builder))
    assert page.tags.count("script") == 2 and "b" not in page.tags
    assert page.tags.count("title") == 1


def test_a_page_needs_nothing_from_elsewhere(builder: ReplayBuilder) -> None:
    text = replay_html(builder)
    links = [value for name, value in Page(text).attributes if name in ("src", "href")]
    assert not links
    assert set(re.findall(r"https?://[^\s\"'`]+", text)) == {"http://www.w3.org/2000/svg"}
    assert "default-src 'none'" in text and "@@TITLE" not in text


def test_a_run_is_written_as_well(world: World, tmp_path) -> None:
    recorder = Recorder(world)
    recorder.reset(1)
    recorder.step(0)
    write_replay(recorder.run(), tmp_path / "run.html", world=world, title="A walk")
    replay = json.loads(Page((tmp_path / "run.html").read_text()).scripts[0])
    assert len(replay["frames"]) == 2 and replay["header"]["title"] == "A walk"


def test_a_replay_as_plain_data_too(builder: ReplayBuilder) -> None:
    assert replay_html(json.loads(builder.json())) == replay_html(builder)


def test_a_file_that_cannot_be_written_is_as_before(builder: ReplayBuilder, tmp_path) -> None:
    with pytest.raises(FileNotFoundError):
        write_replay(builder, tmp_path / "nowhere" / "x.html")
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError):
        write_replay(builder, tmp_path / "folder")
    assert [p.name for p in tmp_path.iterdir()] == ["folder"]


@given(st.recursive(st.text() | st.integers() | st.none(), st.lists))
def test_data_in_a_script_are_the_same_and_end_nothing(data) -> None:
    text = script_safe(data)
    assert json.loads(text) == data
    assert not set(text) & set("<>&\u2028\u2029")


def test_in_a_notebook_a_replay_is_a_frame_without_rights(builder: ReplayBuilder) -> None:
    shown = Page(Player(builder, height=300)._repr_html_())
    given = dict(shown.attributes)
    assert shown.tags == ["iframe"] and given["height"] == "300" and given["sandbox"] == "allow-scripts"
    assert given["srcdoc"] == replay_html(builder)


def test_a_player_has_a_height(builder: ReplayBuilder) -> None:
    with pytest.raises(ValueError, match="a height of 0 pixels"):
        Player(builder, height=0)
