"""Pictures of cells, and what a bad camera makes of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridarium import World, draw
from gridarium.vision import Camera, Scene, Subjects, classes_on, disturb, ghost_subjects, subjects_of
from gridarium.vision.cell_pictures import ABOVE, BELOW, LEFT, RIGHT
from gridarium.world import Color, Dog, Floor, Flower, Position, Tile, TwoFlowers

WORLD = World("GhostGrid-4x5", compiled=False)
STATE = WORLD.reset(0)
DOG, FLOWER = Position(0, 0), Position(1, 3)


def clean(count=1, thing=None):
    return np.stack([Scene(thing or Dog(Tile.Status.PLAIN, Color.RED)).picture()] * count)


class TestScenes:
    def test_a_cell_is_seen_as_the_world_is_drawn_without_its_agents(self):
        whole = draw.rgb(STATE, 32)
        for place in (DOG, FLOWER, Position(0, 4), Position(3, 1)):
            shown = Scene.at(STATE, place).picture()
            part = whole[32 * place.y : 32 * place.y + 32, 32 * place.x : 32 * place.x + 32]
            assert (shown[3:-3, 3:-3] == part[3:-3, 3:-3]).all()

    def test_walls_stand_at_their_sides(self):
        assert Scene.at(STATE, DOG).walls == RIGHT
        assert Scene.at(STATE, Position(2, 2)).walls == LEFT | RIGHT | ABOVE
        edge = {ABOVE: np.s_[0, 16], RIGHT: np.s_[16, -1], BELOW: np.s_[-1, 16], LEFT: np.s_[16, 0]}
        for side in edge:
            shown = Scene(Floor(), "", side).picture()
            dark = {s for s, where in edge.items() if (shown[where] == draw.LIGHT.mortar).all()}
            assert dark == {side}

    def test_texts_are_written(self):
        plain, written = (Scene(Floor(), text).picture() for text in ("", "Start"))
        assert 20 < (plain != written).any(axis=2).sum() < 200

    def test_a_place_outside_is_refused(self):
        with pytest.raises(IndexError):
            Scene.at(STATE, Position(4, 0))

    def test_classes_lie_where_their_things_are(self):
        found = classes_on(STATE.grid, Dog, Flower)
        assert found.shape == (4, 5)
        assert np.argwhere(found == 0).tolist() == [[0, 0], [0, 4]]
        assert np.argwhere(found == 1).tolist() == [[1, 3]]


class TestSubjects:
    def test_what_is_drawn_is_what_is_asked_for(self):
        subjects = ghost_subjects()
        assert subjects.classes == ("dog", "flower", "background") and subjects.kinds == (Dog, Flower)
        shown, labels = subjects.draw(300, np.random.default_rng(0), priors=(0.5, 0.5, 0.0))
        assert shown.shape == (300, 32, 32, 3) and shown.dtype == np.uint8
        assert set(labels.tolist()) == {0, 1} and 100 < labels.sum() < 200

    def test_equal_seeds_give_equal_pictures(self):
        first, again = (ghost_subjects().draw(20, np.random.default_rng(4)) for _ in range(2))
        assert (first[0] == again[0]).all() and (first[1] == again[1]).all()

    def test_two_flowers_are_background(self):
        kinds = {type(thing) for thing in ghost_subjects().things["background"]}
        assert TwoFlowers in kinds and Flower not in kinds and Dog not in kinds

    def test_any_world_has_subjects(self):
        found = subjects_of(World("DoorKey-5x5", compiled=False).spec.vocabulary, "DoorKey-5x5")
        assert {"Door", "Key", "Wall"} < set(found.classes) and found.classes[-1] == "background"
        doors = {(door.status.name, door.color.name) for door in found.things["Door"]}
        assert len(doors) == len(found.things["Door"]) > 3

    def test_one_class_is_none(self):
        with pytest.raises(ValueError, match="at least two classes"):
            Subjects("nothing", {"floor": (Floor(),)})


class TestDisturbing:
    @given(st.floats(0, 3), st.integers(0, 2**32), st.integers(1, 5), st.sampled_from((8, 17, 32)))
    def test_pictures_stay_pictures(self, strength, seed, count, size):
        before = np.stack([Scene(Floor(), "Hi").picture(size)] * count)
        kept = before.copy()
        found = disturb(before, strength, np.random.default_rng(seed))
        assert found.shape == before.shape and found.dtype == np.float32
        assert (found >= 0).all() and (found <= 1).all()
        assert (before == kept).all()

    def test_strength_0_changes_nothing(self):
        assert (disturb(clean(), 0, np.random.default_rng(0)) == clean().astype(np.float32) / 255).all()

    def test_more_strength_changes_more(self):
        before = clean(200)
        off = [
            np.abs(disturb(before, s, np.random.default_rng(0)) - before / 255).mean()
            for s in (0.25, 0.5, 1, 2)
        ]
        assert off == sorted(off) and off[0] > 0.01

    def test_strengths_may_differ(self):
        found = disturb(clean(2), np.array([0.0, 1.0]), np.random.default_rng(0))
        off = np.abs(found - clean(2) / 255).max(axis=(1, 2, 3))
        assert off[0] < 0.01
        assert off[1] > 0.1

    def test_equal_seeds_give_equal_pictures_and_others_others(self):
        one, same, other = (disturb(clean(3), 1, np.random.default_rng(s)) for s in (1, 1, 2))
        assert (one == same).all() and (one != other).any()
        assert (one[0] != one[1]).any()

    @pytest.mark.parametrize("kind", [n for n in Camera.__dataclass_fields__ if n != "spot"])
    def test_each_kind_of_disturbance_does_something(self, kind):
        nothing = dict.fromkeys(Camera.__dataclass_fields__, 0.0)
        only = Camera(**{**nothing, kind: getattr(Camera(), kind), "spot": 0.25})
        none = Camera(**nothing)
        before = clean(4)
        still, moved = (disturb(before, 1.0, np.random.default_rng(3), camera) for camera in (none, only))
        assert np.abs(still - before / 255).max() < 1e-2
        assert np.abs(moved - still).mean() > 1e-3

    @pytest.mark.parametrize("strength", [-0.1, float("nan"), float("inf")])
    def test_other_strengths_are_refused(self, strength):
        with pytest.raises(ValueError, match="a strength is"):
            disturb(clean(), strength, np.random.default_rng(0))

    @pytest.mark.parametrize("shape", [(32, 32, 3), (1, 32, 16, 3), (1, 32, 32, 4)])
    def test_other_shapes_are_refused(self, shape):
        with pytest.raises(ValueError, match=r"pictures are uint8\[n, size, size, 3\]"):
            disturb(np.zeros(shape, np.uint8), 1, np.random.default_rng(0))
