"""`check_object` is content with good kinds of objects and says what is wrong with others."""

import pytest

from gridarium.testing import NotConforming, check_object
from gridarium.world import GridObject, Hidden, grid_object_registry
from tests.testing import broken

BUILT_IN = [grid_object_registry.from_name(name) for name in grid_object_registry.names()]
BUILT_IN = [
    kind
    for kind in BUILT_IN
    if kind.__module__ == "gridarium.world.objects" and kind.__name__ not in ("Hidden", "NoneGridObject")
]


@pytest.mark.parametrize("kind", BUILT_IN)
def test_built_in_kinds_pass(kind):
    check_object(kind, compiled=False)


def test_a_kind_of_ones_own_passes():
    check_object(broken.Ice)


@pytest.mark.parametrize(
    ("kind", "words"),
    [(broken.Ghost, "blocks_movement is True interpreted, False compiled"), (broken.Mirror, "equals a wall"),
     (Hidden, "a subclass of GridObject for cells"), (GridObject, "a subclass"), (int, "a subclass")],
)  # fmt: skip
def test_what_is_wrong_is_said(kind, words):
    with pytest.raises(NotConforming, match=words):
        check_object(kind, compiled=False)
