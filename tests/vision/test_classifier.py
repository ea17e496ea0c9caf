"""The classifier that comes along, classifiers as files, and what filters get from them."""

import functools
import json
import pickle
import tempfile
import zipfile
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from gridarium import World
from gridarium.beliefs import BayesFilter, ParticleFilter, PlaceModel
from gridarium.vision import Classifier, ModelError, Quality, Scene, classes_on, disturb, ghost_subjects, read
from gridarium.vision.model_file import LARGEST
from gridarium.world import Dog, Flower, Position
from gridarium.worlds import loads, spec

SHIPPED = Classifier.load()
COUNT = 2500


def pictures(strength, count=COUNT, seed=11):
    rng = np.random.default_rng(seed)
    clean, labels = ghost_subjects().draw(count, rng)
    return disturb(clean, strength, rng), labels


@functools.cache
def noisy():
    return pictures(1.0)


class TestTheOneThatComesAlong:
    def test_it_is_right_about_clean_pictures(self):
        shown, labels = pictures(0.0, 500)
        assert Quality.of(SHIPPED.posteriors(shown, 0.0), labels).accuracy > 0.99

    @pytest.mark.exhaustive
    def test_it_is_as_good_as_its_card_says_and_not_always_right(self):
        level = next(level for level in SHIPPED.card.levels if level.strength == 1)
        assert 0.85 < level.accuracy < 0.95
        found = Quality.of(SHIPPED.posteriors(noisy()[0]), noisy()[1])
        hits = round(found.accuracy * COUNT)
        assert binomtest(hits, COUNT, level.accuracy).pvalue > 1e-4

    @pytest.mark.exhaustive
    def test_its_probabilities_are_calibrated(self):
        found = Quality.of(SHIPPED.posteriors(noisy()[0]), noisy()[1])
        assert found.calibration_error < 0.03
        hot = SHIPPED.network.scores(noisy()[0]) * 2
        worse = np.exp(hot) / np.exp(hot).sum(axis=1, keepdims=True)
        assert Quality.of(worse, noisy()[1]).log_loss > found.log_loss

    @pytest.mark.exhaustive
    def test_its_readings_come_as_often_as_its_table_says(self):
        table, said = SHIPPED.readings().table, read(SHIPPED.posteriors(noisy()[0]))
        for label in range(3):
            counts = np.bincount(said[label == noisy()[1]], minlength=12)
            wanted = table[label] * counts.sum()
            assert np.abs(counts - wanted).max() < 5 * np.sqrt(wanted.max())

    def test_between_strengths_it_goes_by_straight_lines(self):
        low, high, middle = (SHIPPED.readings(s).table for s in (1.0, 1.25, 1.125))
        assert middle == pytest.approx((low + high) / 2)
        assert SHIPPED.temperature(0.5) < SHIPPED.temperature(1.125) < SHIPPED.temperature(1.25)
        assert (SHIPPED.readings(9).table == SHIPPED.readings(2).table).all()

    def test_it_is_small(self):
        assert SHIPPED.network.parameters == 22931 and SHIPPED.class_names == ("dog", "flower", "background")


@pytest.mark.exhaustive
def test_a_likelihood_is_a_posterior_without_its_prior():
    card = SHIPPED.card.model_copy(update={"class_priors": (0.2, 0.2, 0.6)})
    skewed = Classifier(SHIPPED.network, card)
    shares = skewed.likelihoods(noisy()[0][:9])
    assert shares == pytest.approx(skewed.posteriors(noisy()[0][:9]) / [0.2, 0.2, 0.6])


class TestFilters:
    """Walks through the ghost world whose pictures are really taken."""

    world = World("GhostGrid-4x5", compiled=False)
    state = world.reset(0)
    model = PlaceModel(world, state)

    @pytest.mark.sampled(3)
    @pytest.mark.parametrize("form", ["likelihood", "reading", "answer"])
    def test_the_estimated_probability_is_how_often_it_is_right(self, form):
        rng, kinds = np.random.default_rng(5), (Dog, Flower)
        clean = np.array(
            [Scene.at(self.state, Position(*cell)).picture() for cell in self.model.places.cells]
        )
        places = rng.integers(len(clean), size=800)
        shown = disturb(clean[np.repeat(places, 3)], 1.0, rng)  # nobody moves; three pictures of each place
        shares = SHIPPED.posteriors(shown).reshape(800, 3, -1)
        sensor = SHIPPED.readings().sensor(*kinds, answers_only=form == "answer")
        classes, truth = classes_on(self.state.grid, *kinds), []
        for w, place in enumerate(places.tolist()):
            known = BayesFilter(self.model)
            for share in shares[w]:
                if form == "likelihood":
                    known.update((share / SHIPPED.class_priors)[classes])
                else:
                    known.update(sensor, int(read(share) if form == "reading" else share.argmax()))
            truth.append((known.grid[classes == 0].sum(), place in np.flatnonzero(classes.ravel() == 0)))
        sure, dog = np.array(truth).T
        assert abs((sure - dog).mean()) < 0.02
        assert (np.round(sure) == dog).mean() > 0.97 and np.log(np.where(dog, sure, 1 - sure)).mean() > -0.1

    def test_readings_run_in_worlds_and_particle_filters(self):
        sensor = SHIPPED.readings().sensor(Dog, Flower)
        assert sensor.count(self.state) == 12
        assert sensor.probabilities(self.state).sum() == pytest.approx(1)
        known = ParticleFilter(self.model, 400, seed=0)
        for _ in range(3):
            known.update(sensor, 3)  # surely a dog
        assert known.grid[0, 0] + known.grid[0, 4] > 0.95

    def test_the_entry_of_a_description_is_the_same_sensor(self):
        entry = json.dumps(SHIPPED.readings().entry(Dog, Flower))
        text = (files("gridarium.worlds.catalogue") / "GhostGrid.yaml").read_text(encoding="utf-8")
        told = spec(loads(text.replace("noisy_distance]", f"{entry}]")))
        assert told.sensors[1].probabilities(self.state) == pytest.approx(
            SHIPPED.readings().sensor(Dog, Flower).probabilities(self.state), abs=1e-4
        )


class TestFiles:
    def test_a_classifier_comes_back_as_it_was(self, tmp_path):
        SHIPPED.save(tmp_path / "model.npz")
        again = Classifier.load(tmp_path / "model.npz")
        assert again.card == SHIPPED.card
        assert (again.posteriors(noisy()[0][:5]) == SHIPPED.posteriors(noisy()[0][:5])).all()
        assert [f.name for f in tmp_path.iterdir()] == ["model.npz"]

    def test_equal_models_are_equal_files(self, tmp_path):
        for name in "ab":
            SHIPPED.save(tmp_path / name)
        assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()

    def test_a_missing_file(self):
        with pytest.raises(FileNotFoundError, match=r"there is no model file 'nowhere\.npz'"):
            Classifier.load("nowhere.npz")

    @pytest.mark.parametrize("share", [0.0, 0.2, 0.9, 0.999])
    def test_a_truncated_file(self, tmp_path, share):
        SHIPPED.save(tmp_path / "whole")
        data = (tmp_path / "whole").read_bytes()
        (tmp_path / "part").write_bytes(data[: int(share * len(data))])
        with pytest.raises(ModelError, match="is no vision model, or it is broken"):
            Classifier.load(tmp_path / "part")

    def test_changed_bytes(self, tmp_path):
        SHIPPED.save(tmp_path / "model")
        data = bytearray((tmp_path / "model").read_bytes())
        data[len(data) // 2] ^= 255
        (tmp_path / "model").write_bytes(data)
        with pytest.raises(ModelError):
            Classifier.load(tmp_path / "model")

    @given(st.binary(max_size=400), st.integers(0, 80_000))
    def test_any_bytes(self, data, place):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model.npz"
            SHIPPED.save(path)
            whole = bytearray(path.read_bytes())
            whole[place : place + len(data)] = data
            for given_bytes in (data, bytes(whole)):
                path.write_bytes(given_bytes)
                try:
                    assert Classifier.load(path).card == SHIPPED.card  # nothing that matters was hit
                except ModelError as error:
                    assert str(path) in str(error)

    def test_a_copy_is_as_good(self):
        again = pickle.loads(pickle.dumps(SHIPPED))
        assert (again.posteriors(noisy()[0][:3]) == SHIPPED.posteriors(noisy()[0][:3])).all()
        assert (again.readings(0.9).table == SHIPPED.readings(0.9).table).all()

    def test_a_foreign_file(self, tmp_path):
        np.savez(tmp_path / "other.npz", x=np.zeros(3))
        with pytest.raises(ModelError, match="is no vision model: it has no 'card'"):
            Classifier.load(tmp_path / "other.npz")
        (tmp_path / "text.npz").write_text("dog, flower")
        with pytest.raises(ModelError, match="is no vision model"):
            Classifier.load(tmp_path / "text.npz")

    def test_nothing_is_unpickled(self, tmp_path):
        np.savez(tmp_path / "evil.npz", card=np.array([print], object))
        with pytest.raises(ModelError, match="allow_pickle"):
            Classifier.load(tmp_path / "evil.npz")

    def test_what_would_be_huge_unpacked_is_not_unpacked(self, tmp_path):
        with zipfile.ZipFile(tmp_path / "bomb.npz", "w", zipfile.ZIP_DEFLATED) as packed:
            packed.writestr("card.npy", bytes(LARGEST + 1))
        with pytest.raises(ModelError, match="larger than a model may be, 64 MiB"):
            Classifier.load(tmp_path / "bomb.npz")

    @pytest.mark.parametrize(
        ("change", "words"),
        [
            ({"format": "gridarium-vision-9"}, "format: Input should be 'gridarium-vision-1'"),
            ({"size": 64}, r"weights of layer 4 are float32\[2048, 32\], not float32\[512, 32\]"),
            ({"classes": ["dog", "dog", "cat"]}, "two classes have the same name"),
            ({"classes": ["dog", "cat"]}, "class_priors are 2 numbers"),
            ({"class_priors": [0.5, 0.5, 0.5]}, "class_priors are 3 numbers that add up to 1"),
            ({"levels": []}, "levels: Tuple should have at least 1 item"),
            ({"color": "red"}, "color: Extra inputs are not permitted"),
            ({"layers": []}, "the last layer has an output for each of 3 classes"),
        ],
    )
    def test_a_card_that_does_not_fit(self, tmp_path, change, words):
        self.rewrite(tmp_path, lambda card, arrays: card.update(change))
        with pytest.raises(ModelError, match=words):
            Classifier.load(tmp_path / "model.npz")

    def test_missing_and_additional_arrays(self, tmp_path):
        self.rewrite(tmp_path, lambda card, arrays: arrays.pop("weights_2"))
        with pytest.raises(ModelError, match="do not fit together: weights_2"):
            Classifier.load(tmp_path / "model.npz")
        self.rewrite(tmp_path, lambda card, arrays: arrays.update(more=np.zeros(3)))
        with pytest.raises(ModelError, match="do not fit together: more"):
            Classifier.load(tmp_path / "model.npz")

    def rewrite(self, folder, edit):
        SHIPPED.save(folder / "model.npz")
        with np.load(folder / "model.npz") as read_back:
            arrays = dict(read_back)
        card = json.loads(str(arrays.pop("card")))
        edit(card, arrays)
        np.savez(folder / "model.npz", card=np.array(json.dumps(card)), **arrays)
