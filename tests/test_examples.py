"""The user's file with an object, rules, a world and an agent, run as its reader would run it."""

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from gridarium.agents import Planner, play
from gridarium.cli import main
from gridarium.engine import World
from gridarium.world import Action

EXAMPLE = Path(__file__).parent.parent / "examples" / "own_world.py"


@pytest.fixture(scope="module")
def example():
    sys.path.insert(0, str(EXAMPLE.parent))
    import own_world

    yield own_world
    sys.path.remove(str(EXAMPLE.parent))


def test_ice_cracks_and_then_breaks(example):
    world = World(example.thin_ice, compiled=False)
    state = world.reset(seed=1)
    start = state.agent.position
    assert state.grid[start] == example.Ice(example.Ice.Status.SMOOTH)
    state, _, terminal = world.step(state, Action.DOWN)
    assert state.grid[start].status == example.Ice.Status.CRACKED and not terminal
    state, reward, terminal = world.step(state, Action.DOWN)
    assert state.grid[start].status == example.Ice.Status.BROKEN and terminal and reward == 0


@pytest.mark.exhaustive
def test_its_agent_and_the_planner_play_it(example):
    world = World(example.thin_ice)
    hurried = [play(world, [example.hurried], seed=seed) for seed in range(20)]
    planned = [play(world, [Planner()], seed=seed) for seed in range(5)]
    assert 0 < sum(e.success for e in hurried) < 20
    assert sum(e.success for e in planned) >= 4


@pytest.mark.exhaustive
@pytest.mark.slow
def test_it_is_the_same_interpreted_and_compiled(monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    done = CliRunner().invoke(main, ["check", str(EXAMPLE), "--worlds", "16", "--ticks", "100"])
    assert done.exit_code == 0, done.output
    assert "the same, bit for bit (1,600 steps" in done.output


@pytest.mark.slow
def test_the_file_runs_by_itself(capsys):
    runpy.run_path(str(EXAMPLE), run_name="__main__")
    assert capsys.readouterr().out.startswith("tick 0\n~~~~~E\n")


def test_a_breakpoint_in_a_rule_stops_there(tmp_path):
    text = EXAMPLE.read_text().replace(
        "def crack(state, action):\n", "def crack(state, action):\n    breakpoint()\n"
    )
    (tmp_path / "own_world.py").write_text(text)
    code = (
        "import own_world; from gridarium.engine import World\n"
        "w = World(own_world.thin_ice, compiled=False); w.step(w.reset(0), 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path, input="p state.tick\nc\n", env={**os.environ, "PYTHONBREAKPOINT": "pdb.set_trace"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "crack()" in done.stdout and "(Pdb) 0" in done.stdout
