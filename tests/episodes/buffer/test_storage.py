"""Items come back as they went in, however they are stored."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from gridarium.episodes import EpisodeError, InfiniteLookbackBuffer
from gridarium.episodes.buffer.storage import BLOCK, Storage
from tests.episodes.spaces import NESTED, same, samples

SCALARS = (
    st.integers(-(2**70), 2**70)
    | st.integers(-5, 5)
    | st.floats()
    | st.booleans()
    | st.none()
    | st.text(max_size=3)
    | st.integers(0, 5).map(np.int32)
    | st.floats(width=32).map(np.float32)
)
ARRAYS = hnp.arrays(
    st.sampled_from([np.uint8, np.float32, np.int64]), hnp.array_shapes(min_dims=0, max_dims=2, max_side=2)
)
ITEMS = st.recursive(
    SCALARS | ARRAYS,
    lambda inner: st.dictionaries(st.sampled_from("ab"), inner, max_size=2) | st.tuples(inner, inner),
    max_leaves=4,
)
MIXED = st.lists(ITEMS, max_size=6) | ITEMS.flatmap(lambda item: st.lists(st.just(item), max_size=6))


@given(MIXED, st.data())
def test_items_come_back_as_they_were(items, data):
    storage = Storage()
    for item in items:
        storage.tail.append(item)
        if data.draw(st.booleans()):
            storage.write()
    assert same(storage.items(0, len(storage)), items)
    for at, item in enumerate(items):
        assert same(storage.item(at), item)
        assert same(storage.items(at, len(items), 2), items[at::2])
    if items:
        at = data.draw(st.integers(0, len(items) - 1))
        storage.replace([at], [data.draw(ITEMS)])
        storage.replace([at], [items[-1]])
        assert same(storage.items(0, len(storage)), [*items[:at], items[-1], *items[at + 1 :]])
        storage.delete(at)
        assert same(storage.items(0, len(storage)), items[:at] + items[at + 1 :])


@given(st.lists(st.integers(0, 9), max_size=9), st.data())
def test_a_part_is_what_the_list_says(items, data):
    storage = Storage.from_items(items)
    storage.tail[:] = items[: data.draw(st.integers(0, len(items)))]
    storage.write()
    storage.tail.extend(items[len(storage) :])
    start = data.draw(st.integers(0, len(items)))
    stop = data.draw(st.integers(start, len(items)))
    part = storage.part(start, stop, shared=False)
    assert part.items(0, len(part)) == items[start:stop]
    part.tail.append(7)
    part.write()
    assert part.items(0, len(part)) == [*items[start:stop], 7]
    assert storage.items(0, len(storage)) == items


def test_many_items_take_little_more_than_their_bytes():
    items = samples(NESTED, 10) * 300
    raw = sum(leaf.nbytes for item in items for leaf in (item["kind"], item["picture"], *item["rest"]))
    buffer = InfiniteLookbackBuffer()
    for item in items:
        buffer.append(item)
    buffer.write_tail(trim=True)
    assert not buffer.tail
    assert sum(array.nbytes for array in buffer.storage.arrays) <= 1.15 * raw
    assert same(buffer.data, items)


def test_growing_copies_little():
    buffer, places = InfiniteLookbackBuffer(), set()
    for i in range(40 * BLOCK):
        buffer.append(float(i))
        if buffer.storage.arrays:
            places.add(buffer.storage.arrays[0].ctypes.data)
    assert len(places) <= 8
    assert buffer.get([0, -1]) == [0.0, 40.0 * BLOCK - 1]


def test_finalizing_costs_no_copy():
    buffer = InfiniteLookbackBuffer()
    for i in range(BLOCK):
        buffer.append(float(i))
    array = buffer.storage.arrays[0]
    buffer.finalize()
    assert np.shares_memory(buffer.data, array)
    assert np.shares_memory(buffer.get(slice(3, 9)), array)


def test_what_was_given_is_not_written_to():
    given_list, given_array = [1, 2, 3], np.array([1, 2, 3])
    InfiniteLookbackBuffer(given_list).append(4)
    assert given_list == [1, 2, 3]
    shared = InfiniteLookbackBuffer(given_array)
    shared.append(4)
    shared.set(9, at_indices=0)
    assert given_array.tolist() == [1, 2, 3]
    assert shared.data.tolist() == [9, 2, 3, 4]


def test_an_item_got_does_not_change_later():
    buffer = InfiniteLookbackBuffer([np.zeros(2), np.ones(2)])
    buffer.write_tail()
    first = buffer.get(0)
    buffer.set(np.full(2, 5.0), at_indices=0)
    assert first.tolist() == [0, 0]


@pytest.mark.parametrize(
    ("item", "leaf"),
    [
        ({"a": np.zeros(3), "b": 1.0}, r"\['a'\]"),
        ({"a": np.zeros(2)}, "another form|has no|expected"),
        (np.zeros(2), "another form|expected"),
    ],
)
def test_items_that_fit_no_array_are_refused(item, leaf):
    buffer = InfiniteLookbackBuffer([{"a": np.zeros(2), "b": 1.0}] * 3)
    buffer.finalize()
    with pytest.raises(EpisodeError, match=leaf):
        buffer.extend([item])
    assert buffer.data["b"].tolist() == [1.0] * 3


def test_arrays_widen_rather_than_cut_off():
    buffer = InfiniteLookbackBuffer(np.array([1, 2], np.uint8))
    buffer.extend([3])
    assert buffer.data.dtype == np.uint8
    buffer.extend([300])
    assert buffer.data.tolist() == [1, 2, 3, 300]
    buffer.extend([0.5])
    assert buffer.data.tolist() == [1, 2, 3, 300, 0.5]


def test_what_others_see_is_not_written_to_after_a_pop():
    array = np.arange(5)
    buffer = InfiniteLookbackBuffer(array)
    seen = buffer.get()
    buffer.pop()
    buffer.append(77)
    assert buffer.get().tolist() == [0, 1, 2, 3, 77]
    assert array.tolist() == seen.tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("steps", [BLOCK + 1, BLOCK + 200, 2 * BLOCK])
def test_no_room_is_kept_where_nothing_more_is_expected(steps):
    for end in (lambda buffer: buffer.write_tail(trim=True), lambda buffer: buffer.finalize()):
        buffer = InfiniteLookbackBuffer()
        for i in range(steps):
            buffer.append(float(i))
        end(buffer)
        kept = len(buffer.storage.arrays[0])
        assert kept == steps or (
            buffer.finalized and kept == 2 * steps
        )  # that was written before it was known
        for i in range(steps, steps + 5):
            buffer.append(float(i))
        assert np.asarray(buffer.get()).tolist() == [float(i) for i in range(steps + 5)]
