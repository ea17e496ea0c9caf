"""Random numbers: the same interpreted and compiled, numpy's names and meaning, and statistically sound.

Seeds are fixed, so nothing here can fail by chance. The statistical tests reject at a probability of one in a million,
so that the draws of a sound generator pass for practically every seed, not only for these.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from gridarium.compiled.data_types.normal import normal_quantile
from gridarium.compiled.data_types.primitives import float64_at, int64_at, trusted
from gridarium.compiled.data_types.random import (
    GOLDEN,
    MASK,
    SCRATCH_WORDS,
    Rng,
    begin_stream,
    count_draw,
    episode_key,
    mix,
    stream_key,
    world_key,
)
from gridarium.world import State
from gridarium.world.state import PURPOSE
from tests.compiled.compiling import compiled

ALPHA = 1e-6


def rng(seed: int = 0) -> Rng:
    scratch = np.zeros(SCRATCH_WORDS, np.int64)
    scratch[2] = world_key(seed)
    return Rng(scratch, 2)


def both_generators() -> list[Any]:
    return [rng(), np.random.default_rng(0)]


class TestNumpysMeaning:
    """One rule takes either generator."""

    @pytest.mark.parametrize("generator", both_generators())
    def test_integers(self, generator: Any) -> None:
        assert {int(generator.integers(3)) for _ in range(100)} == {0, 1, 2}
        assert {int(generator.integers(5, 8)) for _ in range(100)} == {5, 6, 7}
        assert {int(generator.integers(-2, 1)) for _ in range(100)} == {-2, -1, 0}
        assert {int(generator.integers(2, endpoint=True)) for _ in range(100)} == {0, 1, 2}
        assert {int(generator.integers(5, 6, endpoint=True)) for _ in range(100)} == {5, 6}
        assert {int(generator.integers(7, 7, endpoint=True)) for _ in range(3)} == {7}
        several = generator.integers(3, 9, size=200)
        assert (several.shape, several.dtype, set(several.tolist())) == ((200,), np.int64, set(range(3, 9)))
        assert generator.integers(0, 9, 4).shape == (4,)
        assert generator.integers(9, size=0).shape == (0,)
        assert abs(generator.integers(-(1 << 61), 1 << 61)) <= 1 << 61
        assert 0 <= generator.integers(np.int64(1 << 40)) < 1 << 40

    @pytest.mark.parametrize("generator", both_generators())
    @pytest.mark.parametrize("range_", [(0,), (-1,), (3, 3), (5, 2)])
    def test_an_empty_range(self, generator: Any, range_: tuple[int, ...]) -> None:
        with pytest.raises(ValueError, match=r"low >= high|high <= 0"):
            generator.integers(*range_)

    @pytest.mark.parametrize("generator", both_generators())
    def test_random(self, generator: Any) -> None:
        assert 0.0 <= generator.random() < 1.0
        several = generator.random(50)
        assert (several.shape, several.dtype) == ((50,), np.float64)
        assert generator.random(size=3).max() < 1.0
        assert generator.random((2, 3)).shape == (2, 3)

    @pytest.mark.parametrize("generator", both_generators())
    def test_uniform(self, generator: Any) -> None:
        assert isinstance(generator.uniform(), float)
        assert generator.uniform(2.0, 2.0) == 2.0
        several = generator.uniform(-3, 5, (40, 2))
        assert (several.shape, several.dtype) == ((40, 2), np.float64)
        assert -3 <= several.min() < 0 and 3 < several.max() < 5
        assert generator.uniform(high=0.5, size=9).max() < 0.5
        with pytest.raises(ValueError, match=r"high < low|high - low < 0"):
            generator.uniform(1.0, 0.0)

    @pytest.mark.parametrize("generator", both_generators())
    def test_arrays_have_any_number_of_axes(self, generator: Any) -> None:
        for size in ((2, 3), (4,), (2, 1, 3), (0, 5), (), [2, 2], np.int64(3)):
            wanted = np.empty(size).shape
            assert generator.integers(9, size=size).shape == wanted
            assert generator.random(size).shape == generator.normal(size=size).shape == wanted
            assert generator.choice(20, size=size).shape == wanted
            assert generator.choice([0.5, 2.5], size, p=[0.5, 0.5]).shape == wanted
            assert generator.choice(20, size=size, replace=False).shape == wanted
        with pytest.raises(ValueError, match="negative dimensions"):
            generator.integers(9, size=(2, -1))
        with pytest.raises(TypeError):
            generator.integers(9, size=2.5)
        mask = generator.integers(2, size=(8, 8)).astype(bool)
        assert mask.dtype == bool and mask.any() and not mask.all()

    @pytest.mark.parametrize("generator", both_generators())
    def test_choice(self, generator: Any) -> None:
        assert {int(generator.choice(3)) for _ in range(100)} == {0, 1, 2}
        assert {int(generator.choice([4, 6])) for _ in range(100)} == {4, 6}
        assert {int(generator.choice((4, 6))) for _ in range(100)} == {4, 6}
        assert {float(generator.choice(np.array([0.5, 2.5]))) for _ in range(100)} == {0.5, 2.5}
        assert set(generator.choice(4, size=100).tolist()) == set(range(4))
        assert set(generator.choice([5, 7, 9], 100).tolist()) == {5, 7, 9}
        assert sorted(generator.choice(4, size=4, replace=False).tolist()) == [0, 1, 2, 3]
        assert sorted(generator.choice(np.array([0.5, 2.5]), size=2, replace=False).tolist()) == [0.5, 2.5]
        assert generator.choice(4, size=0, replace=False).shape == (0,)

    @pytest.mark.parametrize("generator", both_generators())
    def test_choosing_with_probabilities(self, generator: Any) -> None:
        assert {int(generator.choice(3, p=(0.5, 0, 0.5))) for _ in range(100)} == {0, 2}
        assert {str(generator.choice(["a", "b", "c"], p=np.array([0.0, 1.0, 0.0]))) for _ in range(9)} == {
            "b"
        }
        assert set(generator.choice(3, (5, 20), p=[0.5, 0.5, 0]).ravel().tolist()) == {0, 1}
        assert set(generator.choice(4, 3, False, [0.2, 0, 0.2, 0.6]).tolist()) == {0, 2, 3}
        assert generator.choice(1, p=[1]) == 0

    @pytest.mark.parametrize("generator", both_generators())
    @pytest.mark.parametrize(
        ("p", "reason"),
        [
            ([0.5, 0.5], "for 3 things|same size"),
            ([0.5, 0.5, 0.5], "add up to 1|sum to 1"),
            ([1.5, -0.5, 0.0], "not be negative|not non-negative"),
            ([math.nan, 0.5, 0.5], "not be negative|NaN"),
        ],
    )
    def test_what_is_no_distribution(self, generator: Any, p: list[float], reason: str) -> None:
        with pytest.raises(ValueError, match=reason):
            generator.choice(3, p=p)
        with pytest.raises(ValueError, match=reason):
            generator.choice(3, size=2, p=p)

    @pytest.mark.parametrize("generator", both_generators())
    def test_more_than_are_possible_without_replacement(self, generator: Any) -> None:
        with pytest.raises(ValueError, match=r"probability 0|[Ff]ewer non-zero"):
            generator.choice(3, size=3, replace=False, p=[0.5, 0.5, 0.0])

    @pytest.mark.parametrize("generator", both_generators())
    def test_choosing_from_nothing_and_too_much(self, generator: Any) -> None:
        for a in (0, [], -1):
            with pytest.raises(ValueError):
                generator.choice(a)
        with pytest.raises(ValueError, match="without replacement|larger sample than population"):
            generator.choice(3, size=4, replace=False)

    @pytest.mark.parametrize("generator", both_generators())
    def test_choosing_things(self, generator: Any) -> None:
        from gridarium.world import Position

        things = [Position(y, 0) for y in range(4)]
        assert generator.choice(things) in things
        assert {*generator.choice(things, size=4, replace=False)} == set(things)

    @pytest.mark.parametrize("generator", both_generators())
    def test_permutation_and_shuffle(self, generator: Any) -> None:
        assert sorted(generator.permutation(6).tolist()) == list(range(6))
        given = np.array([3, 1, 2])
        assert sorted(generator.permutation(given).tolist()) == [1, 2, 3]
        assert given.tolist() == [3, 1, 2]
        for items in (np.arange(10), list(range(10))):
            generator.shuffle(items)
            assert list(items) != list(range(10))
            assert sorted(items) == list(range(10))
        rows = np.arange(20).reshape(10, 2)
        generator.shuffle(rows)
        assert sorted(rows.tolist()) == np.arange(20).reshape(10, 2).tolist()

    @pytest.mark.parametrize("generator", both_generators())
    def test_normal(self, generator: Any) -> None:
        assert isinstance(generator.normal(), float)
        assert generator.normal(5.0, 0.0) == 5.0
        assert abs(generator.normal(loc=100.0, scale=0.01) - 100) < 1
        assert generator.normal(0.0, 1.0, 20).shape == generator.normal(size=20).shape == (20,)
        with pytest.raises(ValueError, match="scale < 0"):
            generator.normal(0.0, -1.0)

    def test_plain_numbers_come_out(self) -> None:
        drawn = (rng().integers(np.int64(9)), rng().random(), rng().choice(3), rng().normal())
        assert [type(n) for n in drawn] == [int, float, int, float]

    def test_ranges_have_a_largest_size(self) -> None:
        assert rng().integers(-(1 << 62), (1 << 62) - 1) < 1 << 62
        with pytest.raises(ValueError, match="there is no range from"):
            rng().integers(-(1 << 63), (1 << 63) - 1)


@trusted
def every_method(scratch, key, ints, floats, *, spans):  # type: ignore[no-untyped-def]
    scratch[0] = 0
    scratch[2] = key
    scratch[3] = 0
    generator = Rng(scratch, 2)
    n = 0
    for span in spans:
        ints[n] = generator.integers(span)
        ints[n + 1] = generator.integers(-span, span // 2 + 1)
        ints[n + 2] = generator.integers(span, endpoint=True)
        n += 3
    for i in generator.integers(-5, 5, size=7):
        ints[n] += i * 11
    for i in generator.choice(9, 5):
        ints[n] = ints[n] * 10 + i
    drawn = generator.choice(9, size=5, replace=False)
    for i in range(len(drawn)):
        ints[n + 1] = ints[n + 1] * 10 + drawn[i]
    for i in generator.permutation(8):
        ints[n + 2] = ints[n + 2] * 10 + i
    generator.shuffle(drawn)
    for i in drawn:
        ints[n + 3] = ints[n + 3] * 10 + i
    for i in generator.choice((3, 5, 7), size=6):
        ints[n + 4] = ints[n + 4] * 10 + i
    for i in generator.permutation(drawn[1:4]):
        ints[n + 4] = ints[n + 4] * 10 + i
    ints[n + 5] = generator.choice((13, 17)) + 100 * generator.choice(drawn) + 10000 * generator.choice(5)
    drawn[-1] = 99
    ints[n + 6] = drawn[len(drawn) - 1] + drawn.size + 1000 * (99 in drawn) + 2000 * (98 in drawn)
    floats[0] = generator.random()
    floats[1] = generator.normal()
    floats[2] = generator.normal(3.0, 0.5)
    n = 3
    for u in generator.random(5):
        floats[n] = u
        n += 1
    for u in generator.normal(1.0, 2.0, size=5):
        floats[n] = u
        n += 1
    for u in generator.choice(generator.random(4), size=3, replace=False):
        floats[n] = u
        n += 1


SPANS = (
    1,
    2,
    3,
    6,
    7,
    100,
    (1 << 31) - 1,
    1 << 31,
    (1 << 31) + 1,
    (1 << 32) - 1,
    1 << 32,
    (1 << 32) + 1,
    3 << 60,
)


def test_compiled_draws_are_the_same_bit_for_bit() -> None:
    run = compiled(_at_places, spans=SPANS)
    for seed in range(200):
        outcomes = []
        for call in (functools.partial(_at_places, spans=SPANS), run):
            arrays = (np.zeros(SCRATCH_WORDS, np.int64), np.zeros(50, np.int64), np.zeros(20))
            call(np.array([a.__array_interface__["data"][0] for a in arrays]), world_key(seed))
            outcomes.append(
                [arrays[0][3].tolist(), arrays[1].tolist(), [x.hex() for x in arrays[2].tolist()]]
            )
        assert outcomes[0] == outcomes[1], seed


@trusted
def _at_places(places, key, *, spans):  # type: ignore[no-untyped-def]
    scratch, ints = int64_at(places[0], (SCRATCH_WORDS,)), int64_at(places[1], (50,))
    every_method(scratch, key, ints, float64_at(places[2], (20,)), spans=spans)


@trusted
def tables(scratch, ints, floats):  # type: ignore[no-untyped-def]
    generator = Rng(scratch, 2)
    n = 0
    for size in ((2, 3), (3, 2)):
        for number in (
            generator.integers(9, size=size),
            generator.choice((3, 5, 7), size, p=(0.25, 0, 0.75)),
        ):
            for y in range(number.shape[0]):
                for x in range(len(number[y])):
                    ints[n] = number[y, x] + 100 * number[-1, x] + 10000 * number[y][-1]
                    n += 1
    cube = generator.uniform(-1, 3.5, (2, 2, 2))
    cube[1, -2, 1] = 9
    n = 0
    for table in cube:
        for row in table:
            for number in row:
                floats[n] = number
                n += 1
    floats[n] = cube.size + cube.shape[0] + (9 in cube)
    for few in generator.choice(9, 4, replace=False, p=EVEN):
        floats[n + 1] = floats[n + 1] * 10 + few
    for few in generator.choice(9, (4,), replace=False):
        floats[n + 1] = floats[n + 1] * 10 + few
    lit = cube < 1.5
    lit[0, 0, 0] = True
    whole = cube.astype(int)
    back = (cube.astype(bool) if lit[1, 1, 1] else cube >= 0.5).astype(float)
    even = generator.integers(3, size=5) == 1
    for y in range(2):
        floats[n + 2] += lit[y, 0, 1] + 3 * (not lit[y, y, 0]) + 10 * whole[y, 1, 0] + 100 * back[y, 1, 1]
        floats[n + 2] += even[y] * 1000
    floats[n + 3] = generator.choice(4, p=(0.1, 0.2, 0.3, 0.4)) + generator.choice((0.5, 7.5), p=(0.5, 0.5))


EVEN = (0.125, 0.125, 0, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125)


@trusted
def _tables_at(places):  # type: ignore[no-untyped-def]
    ints, floats = int64_at(places[1], (50,)), float64_at(places[2], (20,))
    tables(int64_at(places[0], (SCRATCH_WORDS,)), ints, floats)


def test_compiled_arrays_are_the_same_bit_for_bit() -> None:
    run = compiled(_tables_at)
    for seed in range(50):
        outcomes = []
        for call in (_tables_at, run):
            arrays = (np.zeros(SCRATCH_WORDS, np.int64), np.zeros(50, np.int64), np.zeros(20))
            arrays[0][2] = world_key(seed)
            call(np.array([a.__array_interface__["data"][0] for a in arrays]))
            outcomes.append([arrays[0][3], arrays[1].tolist(), arrays[2].tolist()])
        assert outcomes[0] == outcomes[1], seed


@trusted
def keys(key: int, episode: int, tick: int, purpose: int, agent: int) -> tuple[int, int]:
    return episode_key(key, episode), stream_key(key, tick, purpose, agent)


def test_compiled_keys_are_the_same() -> None:
    run = compiled(keys)
    draw = np.random.default_rng(3)
    for _ in range(500):
        key, episode, tick = (
            draw.integers(-(1 << 63), 1 << 63),
            draw.integers(1 << 40),
            draw.integers(1 << 31),
        )
        place = (int(key), int(episode), int(tick), int(draw.integers(1 << 15)), int(draw.integers(64)))
        assert run(*place) == keys(*place)


@trusted
def counted_twice(scratch, key, tick, purpose, agent):  # type: ignore[no-untyped-def]
    begin_stream(scratch, 2, key, tick, purpose, agent)
    count_draw(scratch, 2)
    first, number = scratch[2], scratch[3]
    count_draw(scratch, 2)
    return first, number, scratch[2], scratch[3]


def test_a_stream_has_its_key_when_it_is_first_drawn_from() -> None:
    run = compiled(counted_twice)
    for tick, purpose, agent in itertools.product(
        (0, 1, (1 << 31) - 1, 1 << 31, 1 << 40), (0, 3200), (0, 63)
    ):
        key = stream_key(-12345, tick, purpose, agent)
        for call in (counted_twice, run):
            scratch = np.zeros(SCRATCH_WORDS, np.int64)
            found = call(scratch, -12345, tick, purpose, agent)
            assert [*map(int, found)] == [key, 1, key, 2], (tick, purpose, agent)


@trusted
def refused(scratch, key, what):  # type: ignore[no-untyped-def]
    generator = Rng(scratch, 2)
    if what == 0:
        return generator.integers(0)
    if what == 1:
        return generator.integers(3, 3)
    if what == 2:
        return generator.integers(-(1 << 62), 1 << 62)
    if what == 3:
        return len(generator.choice(3, size=4, replace=False))
    if what == 4:
        return len(generator.integers(3, size=-1))
    if what == 5:
        return int(generator.normal(0.0, -1.0))
    drawn = generator.permutation(4)
    if what == 6:
        return drawn[4]
    if what == 7:
        drawn[-5] = 1
    return key


@trusted
def _refused_at(place, key, what):  # type: ignore[no-untyped-def]
    return refused(int64_at(place, (SCRATCH_WORDS,)), key, what)


def test_compiled_errors_are_the_same() -> None:
    run = compiled(_refused_at)
    scratch = np.zeros(SCRATCH_WORDS, np.int64)
    place = scratch.__array_interface__["data"][0]
    assert run(place, 5, 8) == 5
    for what in range(8):
        with pytest.raises((ValueError, IndexError)):
            _refused_at(place, 5, what)
        with pytest.raises(Exception, match="raised by a rule|range|negative"):
            run(place, 5, what)


class TestStreams:
    def test_the_same_coordinates_give_the_same_draws(self) -> None:
        state = State.blank((3, 3))
        first = [state.stream(PURPOSE["transition"]).integers(1 << 40) for _ in range(3)]
        assert len(set(first)) == 1
        assert state.copy().stream(PURPOSE["transition"]).integers(1 << 40) == first[0]
        generator = state.stream(PURPOSE["transition"])
        assert len({generator.integers(1 << 40) for _ in range(100)}) == 100

    def test_drawing_changes_no_state(self) -> None:
        state = State.blank((3, 3))
        before = state.copy()
        for purpose in range(9):
            state.stream(purpose).permutation(5)
            state.rng.random()
        assert state.identical(before)

    def test_observing_twice_changes_nothing(self) -> None:
        state = State.blank((3, 3))
        observed = [state.stream(PURPOSE["observation"]).random() for _ in range(2)]
        moved = state.stream(PURPOSE["transition"]).random()
        assert observed[0] == observed[1]
        assert State.blank((3, 3)).stream(PURPOSE["transition"]).random() == moved

    def test_streams_keep_out_of_the_memory_of_arrays(self) -> None:
        state = State.blank((3, 3))
        for rule in range(0, 200, 7):
            for purpose in range(9):
                generator = state.stream(purpose + 16 * rule)
                assert 2 <= generator.slot < 31

    def test_two_streams_do_not_disturb_each_other(self) -> None:
        state = State.blank((3, 3))
        wanted = {p: [g.random() for _ in range(5)] for p in (1, 2, 5) for g in [state.stream(p)]}
        streams = {p: state.stream(p) for p in wanted}
        drawn: dict[int, list[float]] = {p: [] for p in wanted}
        for _, (p, stream) in itertools.product(range(5), streams.items()):
            drawn[p].append(stream.random())
        assert drawn == wanted

    def test_no_two_coordinates_share_a_stream(self) -> None:
        places = itertools.product(
            [0, 1, 2, 1 << 20, 1 << 30], [0, 1, 2, 8, 16, 24, 255, 256, 1000], range(4)
        )
        made = [stream_key(12345, *place) for place in places]
        assert len(set(made)) == len(made)

    @pytest.mark.exhaustive
    @given(st.integers(0, 1 << 200))
    def test_seeds_of_any_size_make_keys(self, seed: int) -> None:
        assert -(1 << 63) <= world_key(seed) < 1 << 63
        assert world_key(seed) == world_key(np.uint64(seed) if seed < 1 << 64 else seed)
        assert world_key(seed) != world_key(seed + 1)
        assert world_key(seed) != world_key(seed + (1 << 64))

    def test_no_seed_gives_another_key_each_time(self) -> None:
        assert len({world_key(None) for _ in range(20)}) == 20

    @pytest.mark.parametrize(
        ("seed", "error"), [(-1, ValueError), (1.5, TypeError), ("7", TypeError), (True, TypeError)]
    )
    def test_a_seed_is_a_whole_number_that_is_not_negative(self, seed: Any, error: type[Exception]) -> None:
        with pytest.raises(error, match="a seed must"):
            world_key(seed)


# statistics

N = 100_000


def fits(counts: Iterable[int], expected: Any = None) -> None:
    """Observed counts against expected ones (all equal if not given), by chi-square."""
    observed = np.array(list(counts))
    p = stats.chisquare(observed, None if expected is None else np.asarray(expected) * observed.sum()).pvalue
    assert ALPHA < p < 1 - ALPHA, f"p = {p}"


def uniform(drawn: Any) -> None:
    p = stats.kstest(drawn, "uniform").pvalue
    assert p > ALPHA, f"p = {p}"


@functools.cache
def _words(seed: int) -> Any:
    """The first N outputs of a stream, all at once."""
    counters = np.arange(1, N + 1, dtype=np.uint64)
    return _mix_all(np.uint64(world_key(seed) & MASK) + counters * np.uint64(GOLDEN))


def _mix_all(bits: Any) -> Any:
    with np.errstate(over="ignore"):
        bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return bits ^ (bits >> np.uint64(31))


class TestSoundness:
    def test_a_stream_is_what_the_tests_below_look_at(self) -> None:
        generator = rng(7)
        assert [generator.random() for _ in range(5)] == (
            (_words(7)[:5] >> np.uint64(11)) * 2.0**-53
        ).tolist()

    @pytest.mark.parametrize("span", [2, 3, 5, 6, 10, 37, 100, 1000])
    def test_integers_are_uniform(self, span: int) -> None:
        generator = rng(span)
        counts = Counter(generator.integers(span) for _ in range(20_000))
        fits([counts[i] for i in range(span)])

    @pytest.mark.parametrize("span", [3 << 30, (1 << 32) - 1, (1 << 32) + 1, 3 << 40, 3 << 61])
    def test_integers_of_awkward_spans_are_uniform(self, span: int) -> None:
        generator = rng(span % 1000)
        drawn = [generator.integers(span) for _ in range(20_000)]
        fits(np.histogram(np.array(drawn) / span, 96, (0, 1))[0])
        fits(np.bincount(np.array(drawn) % 3, minlength=3))

    def test_random_is_uniform_and_its_bits_are_fair(self) -> None:
        words = _words(0)
        uniform((words >> np.uint64(11)) * 2.0**-53)
        for bit in range(64):
            ones = int(((words >> np.uint64(bit)) & np.uint64(1)).sum())
            assert stats.binomtest(ones, N).pvalue > ALPHA, bit

    @pytest.mark.parametrize("lag", [1, 2, 3, 10, 64])
    def test_random_has_no_memory(self, lag: int) -> None:
        u = (_words(1) >> np.uint64(11)) * 2.0**-53
        assert stats.pearsonr(u[:-lag], u[lag:]).pvalue > ALPHA
        pairs = np.histogram2d(u[:-lag:2], u[lag::2], 16, ((0, 1), (0, 1)))[0]
        fits(pairs.ravel())

    @pytest.mark.sampled(3)
    @pytest.mark.parametrize("axis", ["world", "episode", "tick", "purpose", "agent"])
    def test_neighbouring_streams_are_independent(self, axis: str) -> None:
        first = [_first_draw(axis, i) for i in range(20_000)]
        uniform(first)
        assert stats.pearsonr(first[:-1], first[1:]).pvalue > ALPHA
        fits(np.histogram2d(first[:-1:2], first[1::2], 8, ((0, 1), (0, 1)))[0].ravel())
        second = [_first_draw(axis, i, skipped=1) for i in range(20_000)]
        assert stats.pearsonr(first, second).pvalue > ALPHA
        assert stats.pearsonr(first[1:], second[:-1]).pvalue > ALPHA

    def test_every_bit_of_the_mixer_depends_on_every_other(self) -> None:
        inputs = np.random.default_rng(5).integers(0, 1 << 64, 20_000, np.uint64)
        before = _mix_all(inputs)
        for flipped in range(64):
            change = before ^ _mix_all(inputs ^ np.uint64(1 << flipped))
            flips = np.array([((change >> np.uint64(bit)) & np.uint64(1)).mean() for bit in range(64)])
            assert np.abs(flips - 0.5).max() < 0.03, flipped

    @pytest.mark.exhaustive
    @given(st.integers(0, MASK))
    def test_the_mixer_is_the_one_that_is_tested(self, bits: int) -> None:
        assert mix(bits) == int(_mix_all(np.array([bits], np.uint64))[0])

    def test_normal_is_normal_far_into_its_tails(self) -> None:
        generator = rng(11)
        drawn = np.array([generator.normal() for _ in range(50_000)])
        assert stats.kstest(drawn, "norm").pvalue > ALPHA
        for limit in (2.0, 3.0, 3.5):
            beyond = int((np.abs(drawn) > limit).sum())
            assert stats.binomtest(beyond, len(drawn), 2 * stats.norm.sf(limit)).pvalue > ALPHA, limit

    def test_the_quantile_of_every_draw_is_finite_and_exact(self) -> None:
        smallest = 2.0**-53
        largest = ((1 << 52) - 1 + 0.5) * 2.0**-52
        assert 0 < smallest < largest < 1
        for p in [smallest, 1e-12, 1e-5, 0.024, 0.1, 0.5, 0.77, 0.99, largest]:
            assert normal_quantile(p) == pytest.approx(stats.norm.ppf(p), rel=1e-14, abs=1e-15)
        assert normal_quantile(smallest) == -normal_quantile(largest)

    def test_choice_without_replacement_takes_every_subset_equally_often(self) -> None:
        generator = rng(13)
        counts = Counter(tuple(generator.choice(5, size=3, replace=False).tolist()) for _ in range(12_000))
        assert len(counts) == math.perm(5, 3)
        fits(counts.values())

    def test_choice_follows_its_probabilities(self) -> None:
        generator, p = rng(21), [0.1, 0.0, 0.25, 0.65]
        counts = np.bincount(generator.choice(4, 20_000, p=p), minlength=4)
        assert counts[1] == 0
        assert stats.chisquare(counts[[0, 2, 3]], 20_000 * np.array([0.1, 0.25, 0.65])).pvalue > ALPHA

    def test_weighted_choice_without_replacement_is_one_choice_after_another(self) -> None:
        generator, p = rng(23), [0.5, 0.3, 0.2]
        counts = Counter(tuple(generator.choice(3, 2, False, p).tolist()) for _ in range(12_000))
        pairs = list(itertools.permutations(range(3), 2))
        wanted = [12_000 * p[a] * p[b] / (1 - p[a]) for a, b in pairs]
        assert stats.chisquare([counts[pair] for pair in pairs], wanted).pvalue > ALPHA

    def test_uniform_is_uniform(self) -> None:
        uniform((rng(25).uniform(-2.0, 6.0, 20_000) + 2.0) / 8.0)

    def test_permutation_and_shuffle_take_every_order_equally_often(self) -> None:
        generator = rng(17)
        orders = Counter(tuple(generator.permutation(4).tolist()) for _ in range(10_000))
        shuffled: Counter[tuple[int, ...]] = Counter()
        for _ in range(10_000):
            items = [0, 1, 2, 3]
            generator.shuffle(items)
            shuffled[tuple(items)] += 1
        for counts in (orders, shuffled):
            assert len(counts) == 24
            fits(counts.values())

    def test_choice_with_replacement_takes_every_pair_equally_often(self) -> None:
        generator = rng(19)
        counts = Counter(tuple(generator.choice(4, size=2).tolist()) for _ in range(10_000))
        assert len(counts) == 16
        fits(counts.values())


def _first_draw(axis: str, i: int, skipped: int = 0) -> float:
    key = world_key(i if axis == "world" else 0)
    episode = episode_key(key, i if axis == "episode" else 0)
    place = (i if axis == "tick" else 0, i if axis == "purpose" else 0, i if axis == "agent" else 0)
    start = stream_key(episode, *place) & MASK
    return float((mix((start + (1 + skipped) * GOLDEN) & MASK) >> 11) * 2.0**-53)
