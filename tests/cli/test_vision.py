"""`gridarium vision`, as a user calls it."""

import json
import sys

import pytest
from click.testing import CliRunner

from gridarium.cli import main
from gridarium.vision import Classifier

FEW = ("--epochs", "1", "--pictures", "64", "--test", "40")


def run(*words):
    return CliRunner().invoke(main, ["vision", *map(str, words)])


class TestTrain:
    @pytest.fixture(autouse=True)
    def _torch(self):
        pytest.importorskip("torch")

    def test_a_model_and_how_it_went(self, tmp_path):
        done = run("train", "--out", tmp_path / "m", *FEW)
        assert done.exit_code == 0, done.output
        assert "1 epochs, the best was 1" in " ".join(done.output.split()) and "background" in done.output
        metrics = json.loads((tmp_path / "m" / "metrics.json").read_text())
        assert len(metrics["epochs"]) == 1 and "1.0" in metrics["strengths"]
        assert Classifier.load(tmp_path / "m" / "model.npz").card.training["seed"] == 0
        again = run("train", "--out", tmp_path / "m", *FEW)
        assert again.exit_code == 1 and "is there already; --overwrite replaces it" in again.output

    def test_plots(self, tmp_path):
        pytest.importorskip("matplotlib")
        assert run("train", "--out", tmp_path, *FEW).exit_code == 0
        assert {f.name for f in tmp_path.glob("*.png")} == {"calibration.png", "confusion.png", "curves.png"}

    def test_a_world_s_kinds(self, tmp_path):
        done = run("train", "--out", tmp_path, "--world", "KeyDoor-5x5", *FEW)
        assert done.exit_code == 0, done.output
        model = tmp_path / "model.npz"
        assert {"Wall", "Key", "Door", "background"} <= set(Classifier.load(model).class_names)
        assert run("evaluate", model, "--pictures", "20").exit_code == 0
        assert "object_types: [Wall, Exit, Door, Key" in run("sensor", model).output
        wrong = run("evaluate", model, "--world", "Empty-4x4")
        assert wrong.exit_code == 1 and "apart, Empty-4x4 has" in wrong.output


def test_training_without_torch_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    done = run("train", "--out", tmp_path / "new", *FEW)
    assert done.exit_code == 1 and "install gridarium[torch]" in done.output
    assert not (tmp_path / "new").exists()


def test_evaluate_shows_how_good_the_shipped_model_is():
    done = run("evaluate", "--pictures", "200", "-s", "0", "-s", "1")
    assert done.exit_code == 0, done.output
    assert "100.0 %" in done.output and "at 1: true" in done.output and "200 new" in done.output


def test_json_repeats():
    words = ("evaluate", "--pictures", "100", "-s", "0.5", "--json")
    first, again = (json.loads(run(*words).output) for _ in range(2))
    assert first == again and first["0.5"]["pictures"] == 100 and first["0.5"]["accuracy"] > 0.9


def test_a_plot_of_the_calibration(tmp_path):
    pytest.importorskip("matplotlib")
    done = run("evaluate", "--pictures", "100", "--plot", tmp_path / "c.svg")
    assert done.exit_code == 0 and (tmp_path / "c.svg").read_text().startswith("<?xml")


def test_a_sheet_of_pictures(tmp_path):
    image = pytest.importorskip("PIL.Image")
    done = run("show", tmp_path / "sheet.png", "--columns", "3", "-s", "0", "-s", "1")
    assert done.exit_code == 0, done.output
    with image.open(tmp_path / "sheet.png") as sheet:
        assert sheet.size == (60 + 3 * 102, 2 * 126)


def test_the_sensor_can_be_pasted_into_a_world():
    from gridarium.worlds import loads

    done = run("sensor", "--strength", "0.5")
    assert done.exit_code == 0 and "name: object_class" in done.output
    answers = run("sensor", "--answers-only").output
    rows = [line for line in answers.splitlines() if line.strip().startswith("- [")]
    assert len(rows) == 3 and all(row.count(",") == 2 for row in rows)
    with pytest.raises(ValueError) as told:
        loads(done.output)
    assert "sensors" not in str(told.value)  # all that is wrong is that there is no more of a world


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("evaluate", "nowhere.npz"), "there is no model file 'nowhere.npz'"),
        (("evaluate", "--world", "Nowhere"), "Nowhere"),
        (("evaluate", "-s", "3"), "0<=x<=2"),
        (("evaluate", "--pictures", "0"), "1<=x<=1000000"),
        (("show", "sheet.txt"), "cannot be written"),
        (("show", "no/such/folder/sheet.png", "--columns", "1"), "cannot be written"),
        (("train",), "--out"),
    ],
)
def test_mistakes_are_told(words, told):
    done = run(*words)
    assert done.exit_code != 0 and told in done.output
