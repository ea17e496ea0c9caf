"""The index rules, against a slow model of them."""

import numpy as np
import pytest
from gymnasium.spaces import Discrete
from hypothesis import given
from hypothesis import strategies as st

from gridarium.episodes import InfiniteLookbackBuffer
from tests.episodes.model import Model

BOUNDS = st.none() | st.integers(-12, 12)
FILLS = st.none() | st.integers(-3, 20)
STEPS = st.sampled_from([1, 1, 1, 2, 3, -1, -2])


@st.composite
def buffers(draw):
    """A buffer of numbers, how it is stored by chance, and its model."""
    items = draw(st.lists(st.integers(0, 20), max_size=8))
    lookback = draw(st.integers(0, len(items)))
    space = draw(st.sampled_from([None, Discrete(21)]))
    written = draw(st.integers(0, len(items)))
    buffer = InfiniteLookbackBuffer(items[:written], written, space)
    if written:
        buffer.write_tail()
    for item in items[written:]:
        buffer.append(item)
    buffer.lookback = lookback
    if items and draw(st.booleans()):
        buffer.finalize()
    return buffer, Model(items, lookback)


def plain(found, buffer):
    assert isinstance(found, np.ndarray if buffer.finalized else list)
    return [int(item) for item in found]


@given(buffers(), BOUNDS, BOUNDS, STEPS, st.booleans(), FILLS)
def test_slices(pair, start, stop, step, from_zero, fill):
    buffer, model = pair
    found = buffer.get(slice(start, stop, step), neg_index_as_lookback=from_zero, fill=fill)
    assert plain(found, buffer) == model.slice(start, stop, step, from_zero, fill)


@given(buffers(), st.integers(-12, 12), st.booleans(), FILLS)
def test_single_indices(pair, i, from_zero, fill):
    buffer, model = pair
    try:
        wanted = model.one(i, from_zero, fill)
    except IndexError:
        with pytest.raises(IndexError, match=f"index {i} out of range"):
            buffer.get(i, neg_index_as_lookback=from_zero)
    else:
        found = buffer.get(i, neg_index_as_lookback=from_zero, fill=fill)
        assert int(found) == wanted
        assert np.ndim(found) == 0


@given(buffers(), st.lists(st.integers(-12, 12), max_size=4), st.booleans(), st.integers(-3, 20))
def test_lists_of_indices(pair, indices, from_zero, fill):
    buffer, model = pair
    found = buffer.get(indices, neg_index_as_lookback=from_zero, fill=fill)
    assert plain(found, buffer) == [model.one(i, from_zero, fill) for i in indices]


@given(buffers())
def test_no_index_is_everything_after_the_lookback(pair):
    buffer, model = pair
    assert plain(buffer.get(), buffer) == model.items[model.lookback :]
    assert plain(buffer.data, buffer) == model.items
    assert (len(buffer), buffer.len_incl_lookback()) == (len(buffer.get()), len(model.items))


@given(buffers(), BOUNDS, BOUNDS, STEPS, st.booleans())
def test_setting_a_slice_writes_where_getting_reads(pair, start, stop, step, from_zero):
    buffer, model = pair
    where = slice(start, stop, step)
    n = len(model.slice(start, stop, step, from_zero, None))
    positions = InfiniteLookbackBuffer(list(range(len(model.items))), model.lookback)
    written = positions.get(where, neg_index_as_lookback=from_zero)
    buffer.set([15] * n, at_indices=where, neg_index_as_lookback=from_zero)
    wanted = [15 if at in written else item for at, item in enumerate(model.items)]
    assert plain(buffer.data, buffer) == wanted
    with pytest.raises(IndexError):
        buffer.set([15] * (n + 1), at_indices=where, neg_index_as_lookback=from_zero)
    assert plain(buffer.data, buffer) == wanted


@pytest.mark.parametrize("indices", [(0, 1), np.array([[0, 1]]), np.array([0.0]), 1.0, "1"])
@pytest.mark.parametrize("finalized", [False, True])
def test_indices_are_ints_lists_and_slices(indices, finalized):
    buffer = InfiniteLookbackBuffer([1, 2, 3])
    if finalized:
        buffer.finalize()
    with pytest.raises(AssertionError, match="indices are an int"):
        buffer.get(indices)
    with pytest.raises(AssertionError, match="indices are an int"):
        buffer.set([1], at_indices=indices)


@pytest.mark.parametrize("finalized", [False, True])
@pytest.mark.parametrize(
    ("given", "plain"), [(np.int32(-1), -1), (np.array(1), 1), (np.array([0, 2]), [0, 2])]
)
def test_indices_may_be_numpys(finalized, given, plain):
    buffer = InfiniteLookbackBuffer([1, 2, 3])
    if finalized:
        buffer.finalize()
    assert np.array_equal(buffer.get(given), buffer.get(plain))
    buffer.set(7 if isinstance(plain, int) else [7, 7], at_indices=given)
    assert np.all(np.equal(buffer.get(plain), 7))


def test_a_step_of_zero_is_refused():
    with pytest.raises(ValueError, match="cannot be zero"):
        InfiniteLookbackBuffer([1]).get(slice(None, None, 0))


def test_counting_back_reaches_through_the_lookback():
    buffer = InfiniteLookbackBuffer([0, 1, 2, 3, 4, 5], lookback=2)
    assert [buffer.get(i) for i in (0, -1, -6)] == [2, 5, 0]
    assert buffer.get(-1, neg_index_as_lookback=True) == 1
    for i in (-7, 4):
        with pytest.raises(IndexError):
            buffer.get(i)


@pytest.mark.parametrize("finalized", [False, True])
def test_reaching_back_beyond_the_lookback_never_wraps_around(finalized):
    buffer = InfiniteLookbackBuffer([0, 1, 2, 3, 4, 5], lookback=2)
    if finalized:
        buffer.finalize()
    with pytest.raises(IndexError):
        buffer.get(-3, neg_index_as_lookback=True)


def test_how_much_is_filled_does_not_depend_on_the_step():
    assert InfiniteLookbackBuffer([1, 2, 3, 4]).get(slice(0, 8, 2), fill=0) == [1, 3, 0, 0, 0, 0]


def test_a_slice_that_reaches_over_both_ends_is_filled_at_both():
    assert InfiniteLookbackBuffer([1, 2]).get(slice(-4, 5), fill=0) == [0, 0, 1, 2, 0, 0, 0]
