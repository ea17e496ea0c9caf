"""Families: one world in several sizes, those that come along and others."""

import numpy as np
import pytest

from gridarium import World
from gridarium.world import MovingObstacle, Shape
from gridarium.worlds import DescriptionError, catalogue, find, open_spec


def made(name, **given):
    return open_spec(name, parameters=given)


def test_every_world_is_in_one_family() -> None:
    members = [name for family in catalogue.families() for name in catalogue.family(family).members]
    assert sorted(members) == sorted(catalogue.names())
    assert len(catalogue.families()) < 60


def test_a_family_is_its_first_member_which_is_the_smallest_but_in_tron() -> None:
    for name in catalogue.families():
        family = catalogue.family(name)
        cells = [height * width for height, width in family.sizes.values()]
        assert cells == sorted(cells) or name == "Tron"
        assert find(name) == catalogue.description(family.members[0]) == find(f"gridarium/{name}-v0")


@pytest.mark.parametrize("size", [9, (9, 9), [9, 9], np.int64(9), Shape(9, 9)], ids=repr)
def test_a_size_is_the_side_of_a_square_or_a_pair(size) -> None:
    assert made("KeyDoor", size=size).description == catalogue.description("KeyDoor-9x9")


@pytest.mark.parametrize("name", [n for n in catalogue.families() if catalogue.description(n).reset])
def test_a_member_is_what_its_familys_size_makes(name) -> None:
    family = catalogue.family(name)
    for shape in set(family.sizes.values()):
        member = next(name for name, known in family.sizes.items() if known == shape)
        assert family.with_size(shape) == catalogue.description(member)


def test_other_sizes_are_as_the_largest_member_that_is_not_larger() -> None:
    assert made("Crossing", size=9).reset.keywords["num_rivers"] == 2
    assert made("DynamicObstacles", size=6).reset.keywords["num_obstacles"] == 1
    assert made("DynamicObstacles", size=(12, 7)).reset.keywords["num_obstacles"] == 2
    assert made("KeyDoor", size=(4, 5)).time_limit is None
    described = made("KeyDoor", size=(8, 11)).description
    assert (described.name, described.aliases, described.shape) == ("KeyDoor-8x11", (), (8, 11))
    assert described.source.endswith("gv_keydoor.7x7.yaml; here 8 x 11")


def test_numbers_that_follow_from_the_size_do() -> None:
    for name, each in (
        ("DoorKey", 10),
        ("EmptyRandom", 4),
        ("LavaGap", 4),
        ("LavaCrossing", 4),
        ("Fetch", 5),
    ):
        world = made(name, size=(9, 13))
        assert world.time_limit == world.rewards[0].keywords["horizon"] == each * 9 * 13
    assert made("DoorKey", size=9, time_limit=50).time_limit == 50
    assert made("Memory", size=15).rewards[0].keywords["horizon"] == 5 * 225


def test_further_parameters_are_given_with_a_size() -> None:
    world = World("DynamicObstacles", size=9, num_obstacles=6, compiled=False)
    state = world.reset(seed=1)
    assert made("Fetch", size=12, area=((-11, 11), (-11, 11))).observation.keywords["area"].height == 23
    assert state.grid.shape == Shape(9, 9) and state.grid.count(MovingObstacle) == 6


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("KeyDoor", {"size": 2}, "KeyDoor with size=2: .* at least 4 x 5; the sizes that come along are 5 x 5, 7 x 7, 9 x 9"),
        ("Crossing", {"size": 8}, "odd height and width, not 8 x 8; the sizes that come along are 5 x 5, 7 x 7"),
        ("KeyDoor", {"size": True}, "size is the side of a square, or a pair"),
        ("KeyDoor", {"size": "9x9"}, "size is the side of a square, or a pair"),
        ("KeyDoor", {"size": (3, 4, 5)}, "size is the side of a square, or a pair"),
        ("KeyDoor", {"size": 1025}, "from 1 to 1024"),
        ("KeyDoor", {"size": 7, "shape": (7, 7)}, "size and shape are the same"),
        ("KeyDoor", {"size": 7, "time_limits": 3}, "did you mean 'time_limit'"),
        ("KeyDoor-9x9", {"size": 7}, "KeyDoor-9x9 has one size; write 'KeyDoor' with a size, or give its shape"),
        ("TaxiTown", {"size": 7}, "drawn as a map and has one size, 5 x 5"),
    ],
)  # fmt: skip
def test_other_sizes_are_refused(name, given, message) -> None:
    with pytest.raises(DescriptionError, match=message):
        made(name, **given)


def test_capitals_and_hyphens_do_not_matter() -> None:
    for name in ("key-door-9x9", "keydoor_9X9", "KEYDOOR-9x9", "gridarium/keydoor-9x9-v0"):
        assert catalogue.canonical(name) == "KeyDoor-9x9"
    assert catalogue.canonical("two-agents-door-key") == "TwoAgents-DoorKey-8x8"
    assert catalogue.canonical("key-door-8x8") is None


def test_an_unknown_family_is_refused_with_the_nearest() -> None:
    with pytest.raises(ValueError, match="no world 'KeyDor'.*KeyDoor"):
        made("KeyDor", size=9)
    with pytest.raises(ValueError, match="no world 'KeyDoor-8x8' in the catalogue"):
        catalogue.family("KeyDoor-8x8")
