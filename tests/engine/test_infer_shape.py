"""What is wrong with an observation rule is said when a world is composed, with its place."""

from functools import partial
from pathlib import Path

import pytest

from gridarium import Spec, World
from gridarium.rules.observation_functions import from_visibility
from gridarium.world import Area
from gridarium.worlds import DescriptionError

HALL = """\
name: Hall
shape: [4, 5]
objects: [Wall, Floor, Exit]
reset: empty
transitions: [move_agent]
observation: {name: partially_occluded, area: AREA}
"""


def blind(state):
    raise KeyError("no eyes")


def bare(state):
    return state.grid


def forgetful(state):
    """Forgets to return."""


def seen_by(rule):
    given = {"shape": (4, 5), "objects": ["Wall", "Floor", "Exit"], "transitions": ["move_agent"]}
    return Spec.build(name="Hall", reset="empty", observation=rule, **given)


def test_a_rule_that_raises_is_named_with_its_line():
    with pytest.raises(
        DescriptionError, match=r"observation: rule blind, .*test_infer_shape\.py:\d+ cannot"
    ) as caught:
        World(seen_by(blind), compiled=False)
    assert "KeyError: 'no eyes'" in str(caught.value)
    assert isinstance(caught.value.__cause__, KeyError)


@pytest.mark.parametrize(("rule", "told"), [(bare, "a Grid"), (forgetful, "None .is a `return` missing")])
def test_a_rule_returns_an_observation(rule, told):
    place = rf"\({__file__}:{rule.__code__.co_firstlineno}\)"
    with pytest.raises(
        DescriptionError, match=rf"{rule.__name__} {place} returned {told}.*must return an Obs"
    ):
        World(seen_by(rule), compiled=False)


def test_rules_of_ones_own_that_one_of_the_librarys_is_given_are_named_too():
    def keen(grid, position):
        """Forgets to return."""

    rule = partial(from_visibility, area=Area((-1, 0), (0, 0)), visibility_function=keen)
    with pytest.raises(
        DescriptionError, match=r"rule from_visibility with .*keen \(.*test_infer_shape\.py:\d+\) cannot"
    ):
        World(seen_by(rule), compiled=False)


def test_an_area_without_the_agent_is_refused_with_the_line(tmp_path: Path):
    place = tmp_path / "hall.yaml"
    place.write_text(HALL.replace("AREA", "[[-9, -7], [-3, 3]]"))
    with pytest.raises(DescriptionError, match=r"hall\.yaml:6: observation: rule partially_occluded cannot"):
        World(str(place), compiled=False)


def test_an_area_has_its_limits(tmp_path: Path):
    place = tmp_path / "hall.yaml"
    place.write_text(HALL.replace("AREA", "[[-900000, 0], [-3, 3]]"))
    with pytest.raises(DescriptionError, match=r"yaml:6: observation\.area: an area is at most 2048 cells"):
        World(place, compiled=False)
