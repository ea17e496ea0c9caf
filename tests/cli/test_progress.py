"""Long commands say how far they are, to whoever looks."""

import importlib
import io
import json
import sys

import pytest
import rich.console
from click.testing import CliRunner

from gridarium.cli import main
from gridarium.cli.bench import meter
from gridarium.cli.commands import bench
from gridarium.cli.shared.terminal import progress, waiting

HALL = """\
name: Hall
shape: [4, 5]
objects: [Wall, Floor, Exit]
reset: empty
transitions: [move_agent, turn_agent, 'busy_rules:hum']
rewards: [reach_exit]
terminations: [reach_exit]
"""
RULES = """\
from gridarium.rules.transition_functions import transition_function_registry

@transition_function_registry.register
def hum(state, action):
    pass
"""


@pytest.fixture
def written(monkeypatch):
    """What is written to a terminal."""

    def console(terminal):
        file = io.StringIO()
        made = rich.console.Console(file=file, force_terminal=terminal, width=100)
        monkeypatch.setattr("gridarium.cli.shared.terminal.Console", lambda stderr: made)
        return file

    return console


def invoke(monkeypatch, *arguments, terminal=True):
    """A command whose standard error is a terminal."""
    if terminal:
        monkeypatch.setenv("FORCE_COLOR", "1")
        monkeypatch.setenv("COLUMNS", "120")
    done = CliRunner().invoke(main, [str(a) for a in arguments])
    assert not done.exception, done.output
    return done


def test_a_bar_is_shown_on_a_terminal(written):
    told = written(True)
    with progress() as bar:
        assert list(bar.track(range(2), description="walking")) == [0, 1]
    assert "walking" in told.getvalue() and "2/2" in told.getvalue()


def test_what_takes_nobody_knows_how_long_is_named(written):
    told = written(True)
    with waiting("searching"):
        assert "searching" in told.getvalue()


def test_nothing_is_written_where_nobody_looks(written):
    told = written(False)
    with progress() as bar:
        list(bar.track(range(2), description="walking"))
    with waiting("searching"):
        pass
    assert told.getvalue() == ""


def test_a_quiet_bar_is_drawn_by_nobody_but_who_tells_it_something(written):
    told = written(True)
    with progress(quiet=True) as bar:
        task = bar.add_task("measuring", total=2)
        assert not bar.live.auto_refresh
        bar.update(task, description="pictures", refresh=True)
    assert "pictures" in told.getvalue()


@pytest.mark.parametrize("terminal", [True, False])
def test_what_is_printed_meanwhile_stays_on_standard_output_unless_that_is_the_terminal(
    written, monkeypatch, terminal
):
    told, out = written(True), io.StringIO()
    monkeypatch.setattr(out, "isatty", lambda: terminal)
    monkeypatch.setattr(sys, "stdout", out)
    with waiting("searching"):
        print("found")
    assert ("found" in told.getvalue()) == terminal
    assert ("found" in out.getvalue()) == (not terminal)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "hall.yaml").write_text(HALL)
    (tmp_path / "busy_rules.py").write_text(RULES)
    return tmp_path


@pytest.mark.exhaustive
@pytest.mark.slow
def test_checking_says_what_is_tried(folder, monkeypatch):
    done = invoke(monkeypatch, "check", "hall.yaml", "--worlds", 4, "--ticks", 10)
    for said in (
        "checking transition hum",
        "stepping 4 worlds",
        "11/11",
        "searching for the shortest way",
        "5/5",
    ):
        assert said in done.stderr
        assert said not in done.stdout
    assert "solved in" in done.stdout


def test_running_says_which_policy_plays_and_what_is_written(folder, monkeypatch):
    pytest.importorskip("pyarrow")
    given = ("run", "Empty-4x4", "-p", "scripted", "-n", 3, "--interpreted", "--json")
    done = invoke(monkeypatch, *given, "--record", "data", "--save", "a.run")
    for said in ("scripted", "3/3", "writing episodes to data", "recording the episodes for a.run"):
        assert said in done.stderr
    assert json.loads(done.stdout)["world"] == "Empty-4x4"


def test_without_a_terminal_standard_error_is_empty(folder, monkeypatch):
    done = invoke(monkeypatch, "run", "Empty-4x4", "-n", 3, "--interpreted", terminal=False)
    assert done.stderr == ""


def test_meters_say_what_has_been_measured(monkeypatch):
    def measure(report, plan):
        report.add(meter.Row("pictures", "small ones", "s", (1.0,)))

    for name in bench.SECTIONS:
        monkeypatch.setattr(
            importlib.import_module(f"gridarium.cli.bench.sections.{name}"), "measure", measure
        )
    done = invoke(monkeypatch, "bench", "--only", "pictures", "--only", "memory")
    assert "pictures: small ones" in done.stderr and "2/2" in done.stderr
    assert "pictures: small ones" not in done.stdout and "small ones" in done.stdout
