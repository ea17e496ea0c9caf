"""Colors: names with a shade and a mark."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys

import pytest

from gridarium.world import Color

TEAL = Color("TEAL_OF_TESTS", rgb=(0, 128, 128), mark="t")


def test_gridverses_colors_keep_their_numbers() -> None:
    assert [(c.name, c.value) for c in Color][:5] == [
        ("NONE", 0),
        ("RED", 1),
        ("GREEN", 2),
        ("BLUE", 3),
        ("YELLOW", 4),
    ]
    assert [c.value for c in Color] == list(range(8))


def test_marks_tell_the_built_in_colors_apart() -> None:
    assert len({c.mark for c in Color}) == len(list(Color))


def test_a_declared_color_is_found_by_its_name_and_has_no_number_of_its_own() -> None:
    assert Color["TEAL_OF_TESTS"] is TEAL
    assert TEAL.value is None
    assert TEAL not in list(Color)
    assert repr(TEAL) == "Color.TEAL_OF_TESTS"


def test_declaring_a_color_again_gives_the_same_color() -> None:
    again = Color("TEAL_OF_TESTS", rgb=(0, 128, 128))
    assert again == TEAL
    assert hash(again) == hash(TEAL)
    assert Color["TEAL_OF_TESTS"] is TEAL


def test_two_shades_cannot_share_a_name() -> None:
    with pytest.raises(ValueError, match=r"a color TEAL_OF_TESTS with rgb \(0, 128, 128\) exists already"):
        Color("TEAL_OF_TESTS", rgb=(1, 2, 3))
    with pytest.raises(ValueError, match="a color RED with rgb"):
        Color("RED", rgb=(255, 0, 0))


@pytest.mark.parametrize("color", [Color.RED, TEAL])
def test_there_is_only_one_of_each_color(color: Color) -> None:
    assert pickle.loads(pickle.dumps(color)) is color
    assert copy.deepcopy(color) is color
    assert Color(color.name, rgb=color.rgb) is color
    assert Color(color.name, rgb=color.rgb).mark == color.mark != "?"


def test_a_hash_is_the_same_in_every_process() -> None:
    code = "from gridarium.world import Color; print(hash(Color.RED))"
    found = {
        subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True,
                       env={**os.environ, "PYTHONHASHSEED": seed}).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert found == {f"{hash(Color.RED)}\n"}


@pytest.mark.parametrize("rgb", [(1, 2), (1, 2, 256), (-1, 0, 0)])
def test_a_shade_is_three_bytes(rgb: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="color ODD: rgb is three numbers from 0 to 255"):
        Color("ODD", rgb=rgb)  # type: ignore[arg-type]


def test_a_refused_color_leaves_no_trace() -> None:
    with pytest.raises(ValueError, match="the mark is one character, got 'xy'"):
        Color("ODD", rgb=(1, 2, 3), mark="xy")
    with pytest.raises(KeyError, match="no color 'ODD'; there are NONE, RED"):
        Color["ODD"]


def test_a_color_cannot_be_changed() -> None:
    with pytest.raises(AttributeError, match=r"a color cannot be changed \(rgb\)"):
        TEAL.rgb = (0, 0, 0)
    assert TEAL.rgb == (0, 128, 128)


@pytest.mark.parametrize("color", [Color.RED, TEAL])
def test_copies_are_equal(color: Color) -> None:
    assert copy.copy(color) is copy.deepcopy(color) is color
    assert pickle.loads(pickle.dumps(color)) == color
    assert pickle.loads(pickle.dumps(color)).value == color.value


def test_a_color_is_nothing_else() -> None:
    assert Color.RED != 1
    assert Color.RED != "RED"
    assert Color.RED != None  # noqa: E711
