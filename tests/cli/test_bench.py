"""The meters of `gridarium bench`; what they measure is not tested, only that they measure."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.peers import compare
from gridarium.cli.bench.loops import made
from gridarium.cli.bench.meter import Measurement, Ratio, Report, Row, in_turn, machine, rates
from gridarium.cli.bench.report_tables import number
from gridarium.cli.bench.sections import memory, startup
from gridarium.cli.commands.bench import bench

TINY = Measurement(seconds=0.01, windows=2, steps=1000, trials=1)


def test_windows_are_taken_in_turn() -> None:
    taken = []

    def chunk(name):
        return lambda: taken.append(name) or 10

    first, second = in_turn([chunk("a"), chunk("b")], TINY)
    assert len(first) == len(second) == 2
    assert all(wall > 0 and cpu > 0 for wall, cpu in first)
    order = [name for name, before in zip(taken, [None, *taken], strict=False) if name != before]
    assert order == ["a", "b"] * 3


def test_a_row_knows_its_median_and_becomes_json() -> None:
    row = rates("s", "c", [(3.0, 4.0), (1.0, 2.0), (2.0, 3.0)], worlds=8)
    assert (row.median, row.cpu_median) == (2.0, 3.0)
    report = Report([row, Row("s", "d", "s", (1.5,))], [Ratio("r", 2.0, 1.8)])
    plain = json.loads(json.dumps(report.plain()))
    assert plain["rows"][0]["worlds"] == 8 and "threads" not in plain["rows"][1]
    assert plain["machine"]["cores"] == machine()["cores"]


def test_starting_is_measured_in_fresh_processes() -> None:
    assert 0 < startup._seconds(startup.IMPORT, "") < 60


@pytest.mark.exhaustive
def test_memory_in_use_is_known() -> None:
    assert memory._resident() > 1 << 20


def test_peers_that_are_missing_are_left_out(tmp_path: Path) -> None:
    said: list[str] = []
    report = Report()
    compare.measure_peers(report, TINY, tmp_path, said.append, only="")
    assert not report.rows and len(said) == len(compare.MATCHES)
    assert "minigrid is left out" in said[0]


def test_numbers_are_short() -> None:
    assert [number(x) for x in (1234567.0, 123.4, 9.876, 0.012)] == ["1,234,567", "123", "9.88", "0.01"]


def test_a_file_that_cannot_be_written_is_refused_before_anything_is_measured(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = CliRunner().invoke(bench, ["--quick", "--json", str(tmp_path / "file" / "x.json")])
    assert done.exit_code == 1
    assert f"cannot be written: there is no folder {tmp_path / 'file'}" in done.output
    assert "measuring" not in done.output
    nothing = ["--json", str(tmp_path / "x.json")]
    assert CliRunner().invoke(compare.main, nothing).exit_code == 0
    assert json.loads((tmp_path / "x.json").read_text())["rows"] == []


def test_worlds_are_measured_with_other_parameters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    monkeypatch.setattr(memory, "measure", lambda report, plan: seen.append(plan))
    file = tmp_path / "all.json"
    arguments = ("--quick", "--only", "memory", "--set", "shape=5x6", "--json", str(file))
    done = CliRunner().invoke(bench, arguments)
    assert done.exit_code == 0, done.output
    assert "all worlds with shape=[5, 6]" in done.output
    assert json.loads(file.read_text())["parameters"] == {"shape": [5, 6]}
    assert made(memory.WORLD, seen[0].parameters).spec.shape.as_tuple == (5, 6)
    assert seen[0] == Measurement.quick({"shape": [5, 6]})


def test_a_parameter_that_no_world_has_is_refused() -> None:
    done = CliRunner().invoke(bench, ["--quick", "--only", "memory", "--set", "sharpe=5x6"])
    assert done.exit_code == 1 and "did you mean 'shape'?" in done.output
