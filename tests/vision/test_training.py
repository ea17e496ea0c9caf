"""Training, which needs PyTorch."""

import numpy as np
import pytest

from gridarium.vision import Classifier, Quality, Subjects, ghost_subjects
from gridarium.vision.training import STRENGTHS, Settings, sample, train
from gridarium.world import Color, Dog, Flower, Tile

FEW = {"epochs": 2, "pictures": 256, "validation": 20, "test": 60, "batch": 16}
EASY = Subjects(
    "easy", {"dog": (Dog(Tile.Status.PLAIN, Color.RED),), "flower": (Flower(Tile.Status.PLAIN, Color.GREEN),)}
)


def test_samples_are_disturbed_pictures_and_their_classes():
    shown, labels = sample(EASY, 40, np.linspace(0, 1, 40), np.random.default_rng(0))
    assert shown.shape == (40, 32, 32, 3) and set(labels.tolist()) == {0, 1}
    red = shown[:5, :, :, 0].mean(axis=(1, 2)) > shown[:5, :, :, 1].mean(axis=(1, 2))
    assert (red == (labels[:5] == 0)).all()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"epochs": 0}, "epochs is above 0"),
        ({"rate": -1.0}, "rate is above 0"),
        ({"priors": (0.5, 0.2)}, "priors are above 0 and add up to 1"),
        ({"priors": (1.0, 0.0)}, "priors are above 0"),
    ],
)
def test_settings_that_make_no_sense_are_refused(given, words):
    with pytest.raises(ValueError, match=words):
        Settings(**given)


class TestWithTorch:
    @pytest.fixture(autouse=True)
    def _torch(self):
        self.torch = pytest.importorskip("torch")

    def test_it_learns_and_says_how_well(self):
        seen = []
        done = train(EASY, Settings(**FEW | {"epochs": 3}), seen.append)
        assert seen == done.epochs and [e.number for e in seen] == [1, 2, 3]
        assert seen[-1].validation_loss < seen[0].training_loss
        assert tuple(done.qualities) == STRENGTHS and done.qualities[0.0].accuracy > 0.9
        assert done.epochs[done.best - 1].validation_loss == min(e.validation_loss for e in seen)
        card = done.classifier.card
        assert (
            card.classes == ("dog", "flower") and card.subjects == "easy" and card.training["epochs_run"] == 3
        )
        assert sum(map(sum, card.levels[0].readings)) == 60

    def test_equal_settings_give_equal_classifiers_and_leave_other_randomness_alone(self):
        before = self.torch.random.get_rng_state()
        first, again, other = (train(EASY, Settings(**FEW, seed=seed)).classifier for seed in (3, 3, 4))
        assert (self.torch.random.get_rng_state() == before).all()
        for a, b, c in zip(first.network.weights, again.network.weights, other.network.weights):
            assert (a == b).all() and (a != c).any()
        assert first.card == again.card

    def test_plain_arrays_say_what_torch_says(self):
        from gridarium.vision.network import Layer, hidden_layers
        from gridarium.vision.training import _module, _network

        layers = (*hidden_layers(), Layer(kind="dense", outputs=3))
        for size in (32, 27):
            module = _module(layers, size)
            shown = np.random.default_rng(0).random((5, size, size, 3), np.float32)
            wanted = module(self.torch.from_numpy(shown).permute(0, 3, 1, 2)).detach().numpy()
            assert _network(module, layers, size).scores(shown) == pytest.approx(wanted, abs=1e-5)

    def test_it_stops_when_it_does_not_get_better(self):
        done = train(EASY, Settings(**FEW | {"epochs": 30, "rate": 1e-12, "patience": 2, "pictures": 32}))
        assert len(done.epochs) < 30

    def test_priors_are_those_of_the_pictures(self):
        done = train(EASY, Settings(**FEW, priors=(0.9, 0.1)))
        assert done.classifier.class_priors == (0.9, 0.1)
        assert done.qualities[1.0].confusion[0].sum() > 40
        with pytest.raises(ValueError, match="there are 2 classes"):
            train(EASY, Settings(priors=(0.2, 0.3, 0.5)))

    def test_a_rate_that_breaks_everything_is_told(self):
        with pytest.raises(ValueError, match="never finite|finite number"):
            train(EASY, Settings(**FEW | {"rate": 1e30}))

    def test_a_trained_classifier_can_be_saved(self, tmp_path):
        done = train(ghost_subjects(), Settings(**FEW))
        done.classifier.save(tmp_path / "m.npz")
        shown, labels = sample(ghost_subjects(), 30, 0.5, np.random.default_rng(0))
        found = Quality.of(Classifier.load(tmp_path / "m.npz").posteriors(shown, 0.5), labels)
        assert found.count == 30


def test_without_torch_it_says_what_to_install(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ImportError, match=r"install gridarium\[torch\]"):
        train(EASY, Settings(**FEW))
