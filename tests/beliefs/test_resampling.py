"""Resampling: how often each particle survives."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridarium.beliefs import effective_sample_size, kld_sample_size
from gridarium.beliefs.resampling import RESAMPLERS

METHODS = pytest.mark.parametrize("method", RESAMPLERS.values(), ids=RESAMPLERS)
WEIGHTS = st.lists(st.floats(0, 1), min_size=1, max_size=30).filter(lambda w: sum(w) > 1e-3).map(np.array)


@METHODS
@given(weights=WEIGHTS, seed=st.integers(0, 99), size=st.one_of(st.none(), st.integers(1, 60)))
def test_indices_are_in_order_and_never_of_weight_zero(method, weights, seed, size):
    found = method(weights, seed, size)
    assert len(found) == (size or len(weights))
    assert (np.diff(found) >= 0).all() and found.min() >= 0 and found.max() < len(weights)
    assert (weights[found] > 0).all()


@pytest.mark.parametrize(("name", "off"), [("systematic", 1.0), ("residual", None), ("stratified", 2.0)])
@given(weights=WEIGHTS, seed=st.integers(0, 99))
def test_copies_are_close_to_what_the_weights_say(name, off, weights, seed):
    copies = np.bincount(RESAMPLERS[name](weights, seed), minlength=len(weights))
    wanted = len(weights) * weights / weights.sum()
    if off is None:
        assert (copies >= np.floor(wanted * (1 - 1e-9))).all()
    else:
        assert (np.abs(copies - wanted) < off + 1e-9).all()


@pytest.mark.sampled(4)
@METHODS
def test_all_are_unbiased(method):
    # 5 standard errors of a multinomial count, the most variable of the four
    weights, rounds = np.array([0.5, 0.3, 0.15, 0.05]), 4000
    rng = np.random.default_rng(2)
    copies = sum(np.bincount(method(weights, rng), minlength=4) for _ in range(rounds))
    assert np.abs(copies - 4 * rounds * weights).max() < 5 * np.sqrt(4 * rounds * 0.25)


@METHODS
def test_equal_seeds_give_equal_indices(method):
    weights = np.random.default_rng(1).random(50)
    assert (method(weights, 7) == method(weights, 7)).all()
    assert (method(weights, 7) != method(weights, 8)).any()


@METHODS
@pytest.mark.parametrize("weights", [[], [0.0, 0.0], [1.0, -1.0, 2.0], [np.nan, 1.0], [[1.0]]])
def test_what_are_no_weights_is_refused(method, weights):
    with pytest.raises(ValueError, match="weights are"):
        method(np.array(weights))
    with pytest.raises(ValueError, match="size is at least 1"):
        method(np.ones(3), 0, 0)


def test_the_effective_sample_size_is_that_of_equal_weights():
    assert effective_sample_size(np.ones(7)) == pytest.approx(7.0)
    assert effective_sample_size([1.0, 0.0, 0.0]) == pytest.approx(1.0)
    assert effective_sample_size([0.5, 0.5, 0.0]) == pytest.approx(2.0)


def test_kld_sampling_asks_for_the_number_in_foxs_paper():
    # half of the chi-squared quantile over the error (Wilson-Hilferty): 99 %, 20 bins: 36.19 / 0.1
    assert kld_sample_size(20, 0.05) == pytest.approx(36.19 / 0.1, rel=0.01)
    assert kld_sample_size(1) == 1
    assert kld_sample_size(100) > kld_sample_size(50) > kld_sample_size(50, 0.1)
    with pytest.raises(ValueError, match="above 0"):
        kld_sample_size(5, 0.0)
