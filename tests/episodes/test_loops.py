"""The compiled functions do what the Python ones do, and each refuses what it cannot do."""

import importlib.util
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from gridarium.episodes import SingleAgentEpisode, loops
from gridarium.episodes.loops import alike_in_python, columns_in_python, pack_in_python, put_ones_in_python

ROOT = Path(__file__).parents[2]

compiled = pytest.mark.skipif(
    not loops.COMPILED, reason="the loops were not compiled: no C compiler, or no headers"
)

TYPES = st.sampled_from(
    [np.dtype(name) for name in ("u1", "i1", "?", "<i4", "<f4", ">f4", "<f8", "<i8", "c8")]
)
SHAPES = hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3)


@st.composite
def variants(draw, dtype, shape):
    """Arrays of a form, most of them, with all ways to lie in memory; and others."""
    array = draw(hnp.arrays(dtype, shape))
    return draw(
        st.sampled_from(
            [
                array,
                np.asfortranarray(array),
                np.repeat(array, 2, axis=0)[::2] if array.ndim else array,
                np.frombuffer(b"." + array.tobytes(), "u1")[1:].view(dtype).reshape(shape),  # nowhere aligned
            ]
        )
        if draw(st.integers(0, 9))
        else st.sampled_from(
            [
                array.view(np.ma.MaskedArray),
                array[None],
                np.zeros(array.shape, "f2"),
                array.tolist(),
                None,
                array[()],
            ]
        )
        | TYPES.flatmap(lambda other: hnp.arrays(other, SHAPES))
    )


LISTS = st.tuples(TYPES, SHAPES).flatmap(
    lambda form: st.tuples(st.lists(variants(*form), max_size=5), *map(st.just, form))
)


@compiled
@given(LISTS)
def test_arrays_are_found_alike_and_packed_as_in_python(case):
    values, dtype, shape = case
    assert [loops.alike(value, dtype, shape) for value in values] == [
        alike_in_python(value, dtype, shape) for value in values
    ]
    packed = loops.pack(values, dtype, shape)
    assert packed == pack_in_python(values, dtype, shape)
    if packed is None:
        assert not all(loops.alike(value, dtype, shape) for value in values)
    else:
        assert packed == b"".join(value.tobytes() for value in values)
        assert packed == loops.pack(values, dtype, shape, True) == pack_in_python(values, dtype, shape, True)


KEYS = st.lists(st.sampled_from(["a", "b", ("c", 1), 2]), unique=True, max_size=3).map(tuple)


@compiled
@given(KEYS, st.data())
def test_dicts_and_tuples_become_columns_as_in_python(keys, data):
    def most(good, *others):
        return good if data.draw(st.integers(0, 9)) else data.draw(st.sampled_from(others))

    values = [
        most(dict.fromkeys(keys, i), {}, {"a": i, "z": i}, None, [i], (i,), dict.fromkeys([*keys, "more"], i))
        for i in range(data.draw(st.integers(0, 4)))
    ]
    columns = loops.columns(values, dict, keys)
    assert columns == columns_in_python(values, dict, keys)
    if columns is not None:
        assert columns == [[value[key] for value in values] for key in keys]
        assert (
            columns == loops.columns(values, dict, keys, True) == columns_in_python(values, dict, keys, True)
        )
    n = len(keys)
    values = [most(tuple(range(i, i + n)), (), (i, i, i, i), None, {0: i}) for i in range(len(values))]
    columns = loops.columns(values, tuple, tuple(range(n)))
    assert columns == columns_in_python(values, tuple, tuple(range(n)))


INT64 = st.integers(-(2**63), 2**63 - 1) | st.integers(-3, 9)


@compiled
@given(st.lists(st.tuples(INT64, st.integers(1, 6)), min_size=1, max_size=3), st.data())
def test_ones_are_put_where_python_puts_them(pairs, data):
    bounds = np.array(pairs, np.int64).T.copy()
    inside = [st.integers(start, min(start + n, 2**63) - 1) for start, n in pairs]
    items = data.draw(st.lists(st.tuples(*inside) | st.tuples(*[INT64 for _ in pairs]), max_size=5))
    numbers = np.array(items, np.int64).reshape(len(items), len(pairs))
    if data.draw(st.booleans()):
        numbers = np.asfortranarray(numbers)
    ours, theirs = (np.zeros((len(items) + 3, int(bounds[1].sum())), np.float32) for _ in range(2))
    odd = loops.put_ones(numbers, bounds, ours, 2)
    assert odd == put_ones_in_python(numbers, bounds, theirs, 2)
    fit = [all(start <= x < start + n for x, (start, n) in zip(item, pairs)) for item in items]
    assert odd == (fit.index(False) if False in fit else -1)
    if odd < 0:
        assert ours.tolist() == theirs.tolist()
        assert ours.sum(axis=1).tolist() == [0, 0, *[len(pairs)] * len(items), 0]


F4, BOUNDS, VECTORS = np.dtype("f4"), np.array([[0], [4]]), np.zeros((3, 4), np.float32)


@compiled
@pytest.mark.parametrize(
    ("name", "arguments", "error"),
    [
        ("alike", (1, F4), TypeError),
        ("alike", (1, "f4", ()), TypeError),
        ("alike", (1, F4, [2]), TypeError),
        ("alike", (np.zeros(1, F4), F4, ("1",)), TypeError),
        ("alike", (np.zeros(1, F4), F4, (2**70,)), OverflowError),
        ("pack", ((), F4, ()), TypeError),
        ("pack", ([], F4), TypeError),
        ("pack", ([], F4, (), True, 1), TypeError),
        ("pack", ([np.zeros(1, F4)], F4, (None,)), TypeError),
        ("columns", ([], list, ()), TypeError),
        ("columns", ([], dict, []), TypeError),
        ("columns", ((), dict, ()), TypeError),
        ("columns", ([{"a": 1}], dict, ([],)), TypeError),
        ("put_ones", (np.zeros(1, int), BOUNDS, VECTORS), TypeError),
        ("put_ones", (np.zeros(1, int), BOUNDS.T, VECTORS, 0), ValueError),
        ("put_ones", (np.zeros(1, int), np.zeros((3, 0), int), VECTORS, 0), ValueError),
        ("put_ones", (np.zeros(1, int), BOUNDS, VECTORS.astype(float), 0), TypeError),
        ("put_ones", (np.zeros(1, int), BOUNDS, VECTORS[:, :2], 0), TypeError),
        ("put_ones", (np.zeros(1, int), BOUNDS, VECTORS[:, :2].copy(), 0), ValueError),
        ("put_ones", (np.zeros(1, float), BOUNDS, VECTORS, 0), TypeError),
        ("put_ones", (np.zeros(2, int), BOUNDS, VECTORS, 2), ValueError),
        ("put_ones", (np.zeros(1, int), BOUNDS, VECTORS, -1), ValueError),
        ("put_ones", (np.zeros(1, int), BOUNDS, VECTORS, 2**70), OverflowError),
        ("put_ones", (np.zeros(3, int), np.array([[0, 0], [2, 2]]), VECTORS, 0), ValueError),
    ],
)
def test_what_does_not_belong_together_is_refused(name, arguments, error):
    with pytest.raises(error):
        getattr(loops, name)(*arguments)
    assert not VECTORS.any()


@pytest.mark.parametrize("dtype", [np.dtype(object), np.dtypes.StringDType()])
def test_arrays_of_objects_are_left_to_others(dtype):
    for pack in (loops.pack, pack_in_python):
        for values in ([], [np.zeros(2, dtype)]):
            assert pack(values, dtype, (2,)) is None
            assert pack(values, dtype, (2,), True) is None
    thing = np.array(["a", "b"], dtype)
    episode = SingleAgentEpisode(
        observations=[thing, thing], actions=[0], rewards=[0.0], len_lookback_buffer=0
    )
    episode.to_numpy()
    episode.add_env_step(thing, 0, 0.0)
    assert episode.get_observations().tolist() == [["a", "b"]] * 3


@compiled
def test_lists_that_other_threads_change_while_they_are_packed_do_no_harm():
    crossed = np.ones((300, 300)).T  # copying it takes a while, and lets other threads run
    values, going = [crossed] * 6, True

    def change():
        while going:
            values.extend([crossed.copy("F")] * 6)
            time.sleep(1e-4)
            del values[3:]
            time.sleep(1e-4)
            values.extend([crossed.copy("F")] * 3)

    other = threading.Thread(target=change)
    other.start()
    try:
        for _ in range(200):
            packed = loops.pack(values, crossed.dtype, crossed.shape)
            assert packed is None or (np.frombuffer(packed) == 1.0).all()
    finally:
        going = False
        other.join()


@compiled
def test_keys_that_change_the_list_while_they_are_compared_do_no_harm():
    class Key:
        def __hash__(self):
            return 1

        def __eq__(self, other):
            values.clear()
            return True

    values = [{Key(): 1} for _ in range(9)]
    assert loops.columns(values, dict, (Key(),)) is None
    values = [{"a": 1}] * 9
    with pytest.raises(TypeError, match="unhashable"):
        loops.columns(values, dict, ([],))


@compiled
def test_nothing_is_kept_that_is_not_needed():
    array, item = np.zeros(2, F4), {"a": 1.5}
    before = [sys.getrefcount(thing) for thing in (array, item, item["a"], F4, BOUNDS, VECTORS, None)]
    for _ in range(100):
        loops.alike(array, F4, (2,))
        loops.pack([array, array[::-1]], F4, (2,))
        loops.pack([array, None], F4, (2,))
        loops.columns([item] * 3, dict, ("a",))
        loops.columns([item] * 3, dict, ("b",))
        loops.columns([item, None], dict, ("a",))
        loops.put_ones(np.zeros(1, int), BOUNDS, VECTORS.copy(), 0)
        loops.put_ones(np.full(1, 7), BOUNDS, VECTORS, 0)
    after = [sys.getrefcount(thing) for thing in (array, item, item["a"], F4, BOUNDS, VECTORS, None)]
    assert max(abs(a - b) for a, b in zip(after, before)) < 50


def test_arrays_with_masks_among_others_keep_them():
    plain, masked = np.array([1.0, 2.0]), np.ma.array([3.0, 4.0], mask=[False, True])
    episode = SingleAgentEpisode(observations=[plain], len_lookback_buffer=0)
    for i in range(40):
        episode.add_env_step(masked if i == 7 else plain, 0, 1.0, terminated=i == 39)
    assert isinstance(episode.get_observations(8), np.ma.MaskedArray)
    assert episode.get_observations(8).mask.tolist() == [False, True]


WITHOUT = """
import sys
sys.modules["gridarium.episodes._loops"] = None  # as if it had not been built
import pytest
from gridarium.episodes import loops
assert not loops.COMPILED
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", *sys.argv[1:]]))
"""


@pytest.mark.exhaustive
@pytest.mark.slow
def test_episodes_do_without_compiled_loops():
    room = ROOT / "tests/episodes"
    files = [
        room / "buffer/test_storage.py",
        room / "buffer/test_infinite_lookback_buffer.py",
        *(room / f"test_{name}.py" for name in ("adding_to_arrays", "get_actions", "bad_steps")),
    ]
    told = subprocess.run(  # noqa: PLW1510  # looked at below
        [sys.executable, "-c", WITHOUT, *map(str, files)], cwd=ROOT, capture_output=True, text=True
    )
    assert told.returncode == 0, told.stdout[-3000:] + told.stderr[-3000:]
    assert " passed" in told.stdout


@pytest.mark.skipif(not shutil.which(os.environ.get("CC", "cc")), reason="there is no C compiler")
def test_the_module_is_compiled_from_its_source_and_found_beside_it(tmp_path, monkeypatch):
    pytest.importorskip("hatchling", reason="it builds, and is among the development tools")
    monkeypatch.syspath_prepend(ROOT)
    compiled_module = importlib.import_module("hatch_build").compiled
    source = Path(shutil.copy(ROOT / "src/gridarium/episodes/_loops.c", tmp_path))
    built = compiled_module(source)
    assert built.parent == tmp_path
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([source.name, built.name])
    spec = importlib.util.spec_from_file_location("_loops", built)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.pack([np.ones(2, F4)] * 2, F4, (2,)) == np.ones(4, F4).tobytes()
    source.write_text("this is not C", encoding="ascii")
    before = built.read_bytes()
    with pytest.raises(Exception, match="failed|exit"):
        compiled_module(source)
    assert built.read_bytes() == before
