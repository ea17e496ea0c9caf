"""Declared fields as an array: one function for all that lie side by side, in groups where there are many."""

import numpy as np
import pytest

from gridarium.engine.observe.fields import TOGETHER, field_writers
from tests.engine.test_program import build


def declared(count):
    return [{"name": f"f{i}", "type": "float" if i % 2 else "int", "default": i} for i in range(count)]


@pytest.mark.parametrize("count", [1, 6, TOGETHER, TOGETHER + 1, 5 * TOGETHER])
def test_fields_of_alternating_types_are_written_however_many_there_are(count):
    fields = declared(count)
    names = [field["name"] for field in fields]
    world = build(fields={"world": fields}, representation={"name": "default", "fields": names})
    written, writers = field_writers(world.spec.vocabulary, names)
    assert written == count
    assert len(writers) <= TOGETHER
    shown = world.arrays(world.reset(0))["fields"]
    np.testing.assert_array_equal(shown, np.arange(count, dtype=float))


def test_what_lies_side_by_side_is_written_by_one_function():
    fields = [
        {"name": "a", "shape": [2, 3]},
        {"name": "b"},
        {"name": "c", "type": "int"},
        {"name": "d", "type": "int"},
    ]
    vocabulary = build(fields={"world": fields}).spec.vocabulary
    assert [len(field_writers(vocabulary, names)[1]) for names in (["a", "b"], ["c", "d"], ["a", "c"], ["d", "c"])] == [
        1, 1, 2, 2,
    ]  # fmt: skip
