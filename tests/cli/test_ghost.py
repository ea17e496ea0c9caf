import re

import pytest
from click.testing import CliRunner

from gridarium.cli import main
from gridarium.ghost.drawing.text import LEGEND


def run(*arguments):
    return CliRunner().invoke(main, ["ghost", *arguments])


def test_an_episode_with_its_estimates():
    done = run("--seed", "3")
    assert done.exit_code == 0, done.output
    assert "round 1: " in done.output and "estimated (" in done.output
    assert done.output.splitlines()[-1].startswith(("goal reached after", "caught by a ghost after"))
    assert run("--seed", "3").stdout == done.stdout


def test_the_marks_of_its_pictures_are_explained_once():
    told = run("--seed", "3").stdout
    assert told.splitlines()[0] == LEGEND and told.count("G ghost") == 1
    for mark in "AGX?*rg|-dfwnm":
        assert re.search(rf"(^|[ ;,]){re.escape(mark)} \w", LEGEND), mark
    assert "G ghost" not in run("-q").stdout


@pytest.mark.parametrize("ending", [".png", ".gif"])
def test_pictures_are_written(tmp_path, ending):
    pytest.importorskip("PIL")
    file = tmp_path / f"episode{ending}"
    done = run("-q", "--film", str(file))
    assert done.exit_code == 0, done.output
    assert file.stat().st_size > 1000 and f"wrote {file}" in done.output


@pytest.mark.parametrize(("look", "shape"), [("plain", (500, 400)), ("original", (500, 585))])
def test_pictures_have_the_look_that_is_asked_for(tmp_path, look, shape):
    image = pytest.importorskip("PIL.Image")
    file = tmp_path / "episode.png"
    assert run("-q", "--film", str(file), "--look", look).exit_code == 0
    with image.open(file) as drawn:
        assert drawn.size == shape


def test_the_agent_can_look():
    done = run("--seed", "3", "--vision", "1")
    assert done.exit_code == 0 and "; seen: " in done.output
    assert run("--seed", "3", "--vision", "1").stdout == done.stdout
    assert run("-q", "--vision", "3").exit_code != 0


@pytest.mark.parametrize("agent", ["random", "minimax", "expectimax", "q-learning"])
def test_all_agents_play(agent):
    done = run("-q", "--agent", agent, "--ghost", "random", "--knowledge", "estimated")
    assert done.exit_code == 0, done.output
    assert len(done.stdout.splitlines()) == 1


def test_lessons_are_not_shown_in_the_window(monkeypatch):
    pytest.importorskip("pygame")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    waited = []
    monkeypatch.setattr("time.sleep", waited.append)
    done = run("-q", "--agent", "q-learning", "--window")
    assert done.exit_code == 0, done.output
    rounds = int(done.output.split(" after ")[1].split()[0])
    assert len(waited) <= 2 * rounds


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nowhere",), "no layout 'nowhere'"),
        (("--slip", "2"), "0<=x<=1"),
        (("--film", "film.txt"), ".gif, .webp, .mp4"),
        (("--particles", "0"), "particles"),
    ],
)
def test_mistakes_are_told(arguments, words):
    done = run(*arguments)
    assert done.exit_code != 0
    assert words in done.output


@pytest.mark.parametrize(("look", "shape"), [("plain", (400, 500, 3)), ("original", (585, 500, 3))])
def test_windows_have_the_look_that_is_asked_for(monkeypatch, look, shape):
    pytest.importorskip("pygame")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr("time.sleep", lambda _: None)
    shown = []
    monkeypatch.setattr(
        "gridarium.ghost.renderer.PictureWindow.show", lambda _, picture: shown.append(picture)
    )
    done = run("-q", "--window", "--look", look)
    assert done.exit_code == 0, done.output
    assert len(shown) > 1 and {picture.shape for picture in shown} == {shape}
