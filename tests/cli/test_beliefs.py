"""`gridarium beliefs`, as a user calls it."""

import json
from importlib import import_module

import pytest
from click.testing import CliRunner

from gridarium.cli import main
from gridarium.cli.commands.beliefs import EXAMPLES

FEW = ("--walks", "5", "--steps", "4", "--interpreted")


def run(*words):
    return CliRunner().invoke(main, ["beliefs", *words])


def test_a_table_compares_the_filters():
    result = run("GhostGrid-4x5", "-n", "20", "-n", "50", *FEW)
    assert result.exit_code == 0, result.output
    lines = [line for line in result.output.splitlines() if "%" in line and "us" in line]
    assert [line.split("  ")[0] for line in lines] == ["exact", "20 particles", "50 particles"]
    assert "20 places, 4.32 bits" in result.output and "color(" in result.output


def test_json_has_the_same_and_repeats():
    words = ("GhostGrid-4x5", "-n", "30", "--json", *FEW)
    first, again = (json.loads(run(*words).stdout) for _ in range(2))
    assert first["filters"].keys() == {"exact", "30 particles"}
    assert len(first["filters"]["exact"]["right"]) == 5
    for name in first["filters"]:
        assert first["filters"][name]["truth"] == again["filters"][name]["truth"]


def test_sensors_can_be_chosen():
    words = ("Empty-4x4", "-n", "20", "-s", "{name: noisy_position, noise: 0.0}", "-s", "walls_around", *FEW)
    result = run(*words)
    assert result.exit_code == 0, result.output
    assert "noisy_position(noise=0.0), walls_around(quality=0.9)" in result.output


def test_a_world_without_sensors_gets_one():
    assert "walls_around(quality=0.9)" in run("Empty-4x4", "-n", "20", *FEW).output


def test_a_belief_is_drawn(tmp_path):
    path = tmp_path / "belief.svg"
    result = run("GhostGrid-4x5", "-n", "20", "--picture", str(path), *FEW)
    assert result.exit_code == 0 and f"wrote {path}" in result.output.replace("\n", "")
    assert path.read_text().startswith("<svg")


def test_curves_are_plotted(tmp_path):
    pytest.importorskip("matplotlib")
    path = tmp_path / "curves.png"
    assert run("GhostGrid-4x5", "-n", "20", "--plot", str(path), *FEW).exit_code == 0
    assert path.read_bytes()[:4] == b"\x89PNG"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["GhostGrid-4x5", "-s", "colour"], "did you mean 'color'"),
        (["GhostGrid-4x5", "-s", "{name: color}"], "color needs colors"),
        (["GhostGrid-4x5", "-s", "["], "sensor '['"),
        (["Empty-4x4", "-s", "noisy_distance"], "does not fit Empty-4x4: agents are numbered from 0 to 0"),
        (["DynamicObstacles-5x5"], "move_obstacles changes the whole world"),
        (["DynamicObstacles-5x5"], "rules only move the agent, such as Empty-8x8"),
        (["GhostGrid-4x5", "--plot", "x.gif"], "--plot ends in .png, .svg, .pdf"),
        (["GhostGrid-4x5", "-n", "0"], "0 is not in the range"),
        (["GhostGrid-4x5", "--picture", "/nowhere/x.svg"], "cannot be written"),
    ],
)
def test_what_is_wrong_is_said(words, said):
    result = run(*words, *FEW)
    assert result.exit_code != 0 and "Traceback" not in result.output
    assert said in " ".join(result.output.split())


def test_a_world_is_refused_before_anything_is_compiled(monkeypatch):
    monkeypatch.setattr("gridarium.engine.composed_world.cached_program", None)  # the first to be called
    result = run("DynamicObstacles-7x7", "--walks", "5")
    assert result.exit_code != 0 and "changes the whole world" in " ".join(result.output.split())


@pytest.mark.parametrize("name", EXAMPLES)
def test_worlds_that_are_named_as_examples_work(name):
    assert run(name, "-n", "10", "--walks", "1", "--steps", "1", "--interpreted").exit_code == 0


def test_rules_are_not_compiled_for_a_few_walks(monkeypatch):
    monkeypatch.setattr("gridarium.engine.composed_world.cached_program", None)  # the first to be called
    assert run("GhostGrid-4x5", "-n", "10", "--walks", "3", "--steps", "2").exit_code == 0
    monkeypatch.setattr(import_module("gridarium.cli.commands.beliefs"), "MOST_INTERPRETED", 5)
    assert isinstance(run("GhostGrid-4x5", "-n", "10", "--walks", "3", "--steps", "2").exception, TypeError)
