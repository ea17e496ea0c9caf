"""Replays as HTML files: whole, harmless, and written as a whole or not at all."""

import json
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridarium.engine import Recorder, World
from gridarium.view import Filmer, Player, replay_html, write_replay
from gridarium.view.html_replay import script_safe


@pytest.fixture(scope="module")
def world() -> World:
    return World("Empty-4x4", compiled=False)


@pytest.fixture
def filmer(world: World) -> Filmer:
    filmer = Filmer(world, title="</title><script>alert(1)</script>")
    filmer.add(world.reset(0), text="</script><!-- \u2028 @@FILM@@ & <b>")
    return filmer


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


def test_the_film_in_a_page_is_the_film(filmer: Filmer) -> None:
    page = Page(replay_html(filmer))
    assert json.loads(page.scripts[0]) == json.loads(filmer.json())


def test_nothing_in_a_film_becomes_markup(filmer: Filmer) -> None:
    page = Page(replay_html(filmer))
    assert page.tags.count("script") == 2 and "b" not in page.tags
    assert page.tags.count("title") == 1


def test_a_page_needs_nothing_from_elsewhere(filmer: Filmer) -> None:
    text = replay_html(filmer)
    links = [value for name, value in Page(text).attributes if name in ("src", "href")]
    assert not links
    assert set(re.findall(r"https?://[^\s\"'`]+", text)) == {"http://www.w3.org/2000/svg"}
    assert "default-src 'none'" in text and "@@TITLE" not in text


def test_a_run_is_written_as_well(world: World, tmp_path) -> None:
    recorder = Recorder(world)
    recorder.reset(1)
    recorder.step(0)
    write_replay(recorder.run(), tmp_path / "run.html", world=world, title="A walk")
    film = json.loads(Page((tmp_path / "run.html").read_text()).scripts[0])
    assert len(film["frames"]) == 2 and film["header"]["title"] == "A walk"


def test_a_film_as_plain_data_too(filmer: Filmer) -> None:
    assert replay_html(json.loads(filmer.json())) == replay_html(filmer)


def test_a_file_that_cannot_be_written_is_as_before(filmer: Filmer, tmp_path) -> None:
    with pytest.raises(FileNotFoundError):
        write_replay(filmer, tmp_path / "nowhere" / "x.html")
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError):
        write_replay(filmer, tmp_path / "folder")
    assert [p.name for p in tmp_path.iterdir()] == ["folder"]


@given(st.recursive(st.text() | st.integers() | st.none(), st.lists))
def test_data_in_a_script_are_the_same_and_end_nothing(data) -> None:
    text = script_safe(data)
    assert json.loads(text) == data
    assert not set(text) & set("<>&\u2028\u2029")


def test_in_a_notebook_a_replay_is_a_frame_without_rights(filmer: Filmer) -> None:
    shown = Page(Player(filmer, height=300)._repr_html_())
    given = dict(shown.attributes)
    assert shown.tags == ["iframe"] and given["height"] == "300" and given["sandbox"] == "allow-scripts"
    assert given["srcdoc"] == replay_html(filmer)


def test_a_player_has_a_height(filmer: Filmer) -> None:
    with pytest.raises(ValueError, match="a height of 0 pixels"):
        Player(filmer, height=0)
