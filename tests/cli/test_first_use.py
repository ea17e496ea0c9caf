"""The first use of a world: something is shown before anything is compiled, and short commands compile nothing."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from gridarium.beliefs.places.particles.memory import LOOPS
from gridarium.cli import main
from gridarium.compiled import background
from gridarium.compiled.background import Compilable
from gridarium.compiled.cache import store
from gridarium.compiled.numba_backend import pipeline
from gridarium.engine import World, compiling_in_background
from gridarium.view.play.controller import PlayController
from gridarium.view.play.keyboard import Keyboard
from gridarium.view.play.session import PlaySession
from gridarium.view.play.text_page import page
from gridarium.view.server.session import Session

ROUNDS = 5


class Endless:
    """A process that compiles for ever."""

    def __init__(self, work: Any) -> None:
        self.ended = self

    def poll(self) -> bool:
        return False


@pytest.fixture
def events(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What happens with an empty folder of compiled programs: processes that start, compilation here."""
    happened: list[str] = []

    def start(work: Any) -> Endless:
        happened.append("a process starts")
        return Endless(work)

    def compile_here(*_: Any) -> Any:
        happened.append("compilation")
        pytest.fail("compiled before anything was shown")

    monkeypatch.setenv("GRIDARIUM_CACHE_DIR", str(tmp_path / "cache"))
    unused = vars(Compilable("unused", lambda: None, lambda: None))
    for name in ("entry", "_settled", "_looked", "_process", "_first_use"):
        monkeypatch.setattr(LOOPS, name, unused[name])
    monkeypatch.setattr(background, "_Process", start)
    monkeypatch.setattr(pipeline, "fast_compilation", compile_here)
    monkeypatch.setattr(pipeline, "ordinary", compile_here)
    return happened


def gridarium(*arguments: Any) -> str:
    done = CliRunner().invoke(main, [str(a) for a in arguments])
    assert done.exit_code == 0, (done.output, done.exception)
    return done.output


@pytest.mark.parametrize("delay", [0.0, 3600.0])
def test_results_are_there_before_any_compilation_has_ended(
    events: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, delay: float
) -> None:
    monkeypatch.setattr(background, "LOAD_DELAY", delay)
    monkeypatch.setattr(background, "START_DELAY", delay)
    file = tmp_path / "walk.run"
    assert "mean return" in gridarium("run", "Empty-4x4", "-n", ROUNDS, "--max-ticks", 9, "--save", file)
    assert "replay exactly" in gridarium("replay", file, "--text")
    assert "round 1: " in gridarium("ghost", "--agent", "random")
    assert events == (["a process starts"] * len(events) if delay == 0 else [])
    assert bool(events) == (delay == 0)
    assert not list(store.folder().glob("*.bin"))


def test_nothing_waits_for_the_import_of_numba(tmp_path: Path) -> None:
    """It would take a quarter of the time until something moves."""
    (tmp_path / f"{0:040}.bin").touch()  # the program of another world
    code = (
        "import sys; from gridarium.cli import main\n"
        "main(['run', 'Empty-4x4', '-n', '1', '--max-ticks', '3'], standalone_mode=False)\n"
        "print('numba' in sys.modules)"
    )
    environment = {**os.environ, "GRIDARIUM_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert "mean return" in done.stdout and done.stdout.endswith("False\n")


@pytest.mark.parametrize("delay", [0.0, 3600.0])
def test_a_game_is_drawn_and_played_before_any_compilation_has_ended(
    events: list[str], monkeypatch: pytest.MonkeyPatch, delay: float
) -> None:
    monkeypatch.setattr(background, "LOAD_DELAY", delay)
    monkeypatch.setattr(background, "START_DELAY", delay)
    with compiling_in_background():
        world = World("Empty-4x4")
        controller = PlayController(PlaySession(world, seed=0), Keyboard(world), rate=4.0, folder=Path())
        assert page(controller, 40, 100)
        controller.press("up")
        assert controller.session.game.steps == 1
        served = Session(World("Empty-4x4"))
        served.tick()
        assert served.game.steps == 1
    assert bool(events) == (delay == 0) and "compilation" not in events
