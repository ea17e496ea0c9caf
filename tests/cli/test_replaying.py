"""`gridarium run --save` and `gridarium replay`, as somebody at a terminal meets them."""

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from gridarium.cli import main
from gridarium.engine import Recorder, Run, World


def gridarium(*arguments, fails=False):
    done = CliRunner().invoke(main, [str(a) for a in arguments])
    assert done.exit_code == (1 if fails else 0), done.output
    assert not done.exception or isinstance(done.exception, SystemExit), done.exception
    return done.output


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three episodes."""
    path = tmp_path_factory.mktemp("saved") / "walk.run"
    gridarium("run", "Empty-4x4", "-n", 3, "--seed", 5, "--max-ticks", 9, "--interpreted", "--save", path)
    return path


def replayed(*arguments, fails=False):
    return gridarium("replay", *arguments, "--interpreted", fails=fails)


def changed(path: Path, to: Path, **header) -> Path:
    """A run with another header."""
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(to, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            new.writestr(name, json.dumps(json.loads(data) | header) if name == "run.json" else data)
    return to


def test_all_episodes_are_saved(saved: Path) -> None:
    run = Run.load(saved)
    assert len(run.episodes()) == 3 and run.name == "Empty-4x4"
    assert all(episode.steps <= 9 for episode in run.episodes())


def test_agents_of_one_world_are_saved_together(tmp_path: Path) -> None:
    path = tmp_path / "pair.run"
    options = ("-n", 1, "--max-ticks", 4, "--interpreted", "--save", path)
    assert f"wrote {path}" in gridarium("run", "TwoAgents-Empty-8x8", *options)
    assert Run.load(path).agents == 2
    assert "agent 1: " in replayed(path, "--text")


def test_only_the_agents_whose_turn_it_was_are_said_to_have_done_something(tmp_path: Path) -> None:
    path = tmp_path / "turns.run"
    options = ("-n", 1, "--max-ticks", 4, "--interpreted", "--save", path)
    gridarium("run", "TicTacToe", *options)
    told = replayed(path, "--text")
    names = World("TicTacToe", compiled=False).spec.agent_names
    did = [line.partition(":")[0] for line in told.splitlines() if "Reward" in line]
    assert did == [name.replace("_", " ") for name in names] * 2


def test_it_says_what_is_in_a_run_and_that_it_is_the_same(saved: Path) -> None:
    told = replayed(saved)
    assert "Empty-4x4" in told and "recorded with Gridarium" in told and "replay exactly" in told
    assert told.count("  episode ") == 3


def test_it_writes_a_page_and_a_film(saved: Path, tmp_path: Path) -> None:
    pytest.importorskip("PIL")
    page, film = tmp_path / "walk.html", tmp_path / "walk.gif"
    told = replayed(saved, "--html", page, "--gif", film, "--episode", 1)
    frames = Run.load(saved).episodes()[1].steps + 1
    assert f"wrote {page}: {frames} frames" in told and f"wrote {film}: {frames} frames" in told
    assert "<svg" not in page.read_text()[:100] and film.read_bytes().startswith(b"GIF8")


def test_it_shows_a_run_as_text(saved: Path) -> None:
    told = replayed(saved, "--text", "--episode", 0)
    episode = Run.load(saved).episodes()[0]
    assert told.count("An episode begins.") == 1 and told.count("Reward ") == episode.steps
    assert "tick 1\n" in told


def test_what_cannot_be_done_again_is_not_shown(saved: Path, tmp_path: Path) -> None:
    run = Run.load(saved)
    object.__setattr__(run, "hashes", run.hashes + np.uint64(1))
    run.save(tmp_path / "other.run")
    told = replayed(tmp_path / "other.run", "--html", tmp_path / "x.html", fails=True)
    assert "the states differ after 0 steps" in told and "--unchecked" in told
    assert not (tmp_path / "x.html").exists()
    replayed(tmp_path / "other.run", "--html", tmp_path / "x.html", "--unchecked")
    assert (tmp_path / "x.html").exists()


def test_files_that_cannot_be_read_are_explained(saved: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.run"
    cut.write_bytes(saved.read_bytes()[:700])
    assert "not a Gridarium run, or is damaged" in replayed(cut, fails=True)
    newer = changed(saved, tmp_path / "newer.run", version=99, library="9.9")
    assert "a newer Gridarium (9.9) wrote it" in replayed(newer, fails=True)
    assert "No such file" in replayed(tmp_path / "nothing.run", fails=True)
    assert "cannot be read" in replayed(tmp_path, fails=True)


def test_a_page_replaces_only_pages_of_ours(saved: Path, tmp_path: Path) -> None:
    before = saved.read_bytes()
    assert "the name of a page ends in .html" in replayed(saved, "--html", saved, fails=True)
    assert saved.read_bytes() == before
    own = tmp_path / "own.html"
    own.write_text("<h1>Mine</h1>")
    assert "no page of Gridarium's" in replayed(saved, "--html", own, fails=True)
    assert own.read_text() == "<h1>Mine</h1>"
    for _ in range(2):
        assert "wrote" in replayed(saved, "--html", tmp_path / "new.html")


def test_a_film_rests_at_the_end_of_each_episode(saved: Path, tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    replayed(saved, "--film", tmp_path / "x.gif", "--theme", "dark", "--tile", 8)
    with image.open(tmp_path / "x.gif") as film:
        times = []
        for i in range(film.n_frames):
            film.seek(i)
            times.append(film.info["duration"])
    assert sum(t > 1000 for t in times) == len(Run.load(saved).episodes())


def test_what_is_not_there_is_named(saved: Path, tmp_path: Path) -> None:
    assert "worlds 0 to 0, no world 1" in replayed(saved, "--index", 1, fails=True)
    assert "episodes 0 to 2, no episode 3" in replayed(saved, "--episode", 3, fails=True)
    for option, name in (("--html", "x.html"), ("--film", "x.gif")):
        told = replayed(saved, option, tmp_path / "no" / name, fails=True)
        assert told == f"Error: {tmp_path}/no/{name} cannot be written: there is no folder {tmp_path}/no\n"
    saving = ("run", "Empty-4x4", "-n", 1, "--interpreted", "--save", tmp_path / "no" / "x.run")
    assert "cannot be written" in gridarium(*saving, fails=True)


def test_code_that_a_file_names_is_not_imported(saved: Path, tmp_path: Path) -> None:
    described = dict(Run.load(saved).description) | {"terminations": ["antigravity:geohash"]}
    strange = changed(saved, tmp_path / "strange.run", description=described)
    told = replayed(strange, fails=True)
    assert "cannot be made" in told and "--world" in told


def test_a_run_can_be_done_in_another_world(saved: Path) -> None:
    told = replayed(saved, "--world", "Empty-8x8", fails=True)
    assert "differ" in told
    assert "replay exactly" in replayed(saved, "--world", "Empty-4x4")
    assert "is 2, that of the run 1" in replayed(saved, "--world", "TwoAgents-Empty-8x8", fails=True)


def test_a_long_list_of_episodes_is_cut(tmp_path: Path) -> None:
    recorder = Recorder(World("Empty-4x4", compiled=False))
    for seed in range(12):
        recorder.reset(seed)
        recorder.step(0)
    recorder.run().save(tmp_path / "many.run")
    assert "and 2 further episodes" in replayed(tmp_path / "many.run")
