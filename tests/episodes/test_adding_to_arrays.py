"""What is added to arrays is there as it was given, whatever came before, and whenever it is written."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridarium.episodes import EpisodeError, InfiniteLookbackBuffer, SingleAgentEpisode
from gridarium.episodes.buffer.storage import BLOCK
from gridarium.episodes.buffer.structs import holds

PLACES = (
    lambda n: np.full(2, n, np.float32),
    lambda n: np.full(2, n, np.float64),
    lambda n: np.full(2, n, np.int32),
    lambda n: np.full(2, n, ">f4"),
    lambda n: np.full(4, n, np.float32)[::2],
    lambda n: np.asfortranarray(np.full((1, 2), n, np.float32))[0],
)
NUMBERS = (int, float, np.int8, np.int64, np.uint64, np.float32, lambda n: np.array(n), lambda n: 2**31 + n)
STEPS = st.lists(
    st.tuples(st.sampled_from(PLACES), st.sampled_from(NUMBERS), st.sampled_from(NUMBERS), st.booleans()),
    min_size=1,
    max_size=12,
)


def begun(first, *, nested):
    episode = SingleAgentEpisode()
    for n in range(2):
        place, number, action, _ = first
        item = {"at": place(n), "number": number(n)} if nested else place(n)
        if n:
            episode.add_env_step(item, action(n), 1.0, extra_model_outputs={"value": number(n)})
        else:
            episode.add_env_reset(item)
    return episode.to_numpy()


@given(STEPS, st.booleans())
def test_steps_of_any_types_come_back_with_their_values(steps, nested):
    episode = begun(steps[0], nested=nested)
    seen, acted = [steps[0][0](n) for n in range(2)], [steps[0][2](1)]
    numbers = [steps[0][1](n) for n in range(2)]
    for n, (place, number, action, read) in enumerate(steps):
        observation = {"at": place(n), "number": number(n)} if nested else place(n)
        episode.add_env_step(observation, action(n), float(n), extra_model_outputs={"value": number(n)})
        seen, acted, numbers = [*seen, place(n)], [*acted, action(n)], [*numbers, number(n)]
        if read:
            assert episode.get_rewards(-1) == n
            assert episode.get_actions(-1) == action(n)
    got = episode.get_observations()
    assert np.array_equal(got["at"] if nested else got, np.stack(seen))
    assert not nested or got["number"].tolist() == [float(number) for number in numbers]
    assert episode.get_actions().tolist() == [float(action) for action in acted]
    assert episode.get_extra_model_outputs("value").tolist() == [float(number) for number in numbers[1:]]


@pytest.mark.parametrize("fitting", [0, 3, BLOCK - 3])
@pytest.mark.parametrize(
    "item",
    [np.zeros((2, 2), np.float32), np.zeros(1, np.float32), np.zeros(4, "M8[s]"), b"text" * 4],
    ids=["other axes", "shorter", "times", "text"],
)
def test_as_many_bytes_are_not_enough(fitting, item):
    buffer = InfiniteLookbackBuffer(np.ones((1, 4), np.float32))
    for _ in range(fitting):
        buffer.append(np.ones(4, np.float32))
    with pytest.raises(EpisodeError, match=r"shape|not a number"):
        buffer.append(item)
    buffer.append(np.ones(4, np.int32))
    assert buffer.get().tolist() == [[1.0] * 4] * (fitting + 2)


def test_only_what_was_written_is_widened():
    """Memory kept for growing may hold anything: its signalling NaNs would warn of an invalid cast."""
    for widen in (
        lambda buffer: buffer.append(np.ones(4, np.int32)),
        lambda buffer: buffer.set(np.ones((1, 4), np.int32), at_indices=[0]),
    ):
        buffer = InfiniteLookbackBuffer(np.ones((1, 4), np.float32))
        for _ in range(BLOCK):
            buffer.append(np.ones(4, np.float32))
        storage = buffer.storage
        spare = storage.arrays[0][storage.written :]
        assert len(spare)
        spare.view(np.uint32)[:] = 0x7F800001
        widen(buffer)
        assert buffer.get().dtype == np.float64 and (buffer.get() == 1).all()


def test_what_was_exchanged_after_it_was_added_is_noticed():
    episode = begun((PLACES[0], int, int, False), nested=True)
    observation = {"at": np.zeros(2, np.float32), "number": 1}
    episode.add_env_step(observation, 1, 1.0, extra_model_outputs={"value": 1})
    observation["at"] = np.zeros(3, np.float32)
    with pytest.raises(EpisodeError, match=r"\['at'\]: shape \(3,\)|shapes are"):
        episode.get_observations()


@pytest.mark.parametrize("dtype", [">i4", "<i4", "U2", "i1", "f4"])
def test_arrays_of_any_type_take_single_values(dtype):
    given = np.array([1, 2], dtype)
    buffer = InfiniteLookbackBuffer(given)
    more = [np.dtype(dtype).type(n) for n in (3, 444 if dtype == "U2" else 44)]
    for value in more:
        buffer.append(value)
    assert buffer.get().tolist() == [*given.tolist(), *(value.item() for value in more)]


@pytest.mark.parametrize("item", [{"a": 1}, 0, (), [], None])
def test_empty_dicts_are_joined_by_empty_dicts_only(item):
    buffer = InfiniteLookbackBuffer([{}, {}])
    buffer.finalize()
    with pytest.raises(EpisodeError, match="another form"):
        buffer.append(item)
    buffer.append({})
    assert len(buffer) == 3


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda e: pickle.loads(pickle.dumps(e))])
@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize(
    ("action", "wanted"), [(np.ones((1, 2), np.float32), None), (np.ones(2, np.int32), [1.0, 1.0])]
)
def test_arrays_beside_lists_are_not_taken_for_checked(copied, late, action, wanted):
    episode = SingleAgentEpisode(
        observations=[0, 1],
        actions=InfiniteLookbackBuffer(np.zeros((1, 2), np.float32)),
        rewards=[1.0],
        len_lookback_buffer=0,
    )
    episode = copied(episode)
    for _ in range(3):
        episode.add_env_step(2, np.zeros(2, np.float32), 1.0)
    if late:
        assert len(episode.get_actions()) == 4
        episode.actions.append(np.zeros(2, np.float32))
        episode.actions.pop()
    episode.add_env_step(3, action, 1.0)
    if wanted is None:
        with pytest.raises(EpisodeError, match=r"shapes? .*\(1, 2\)"):
            episode.get_actions()
    else:
        assert episode.get_actions(-1).tolist() == wanted


def test_a_form_is_that_of_the_arrays_that_are_there():
    episode = begun((PLACES[0], int, int, False), nested=False)
    add = {"action": 1, "reward": 1.0, "extra_model_outputs": {"value": 1}}
    episode.add_env_step(np.zeros(2, np.float32), **add)
    episode.observations = InfiniteLookbackBuffer(np.zeros((3, 4), np.float32))
    with pytest.raises(EpisodeError, match=r"shape \(2,\) where \(4,\) is stored"):
        episode.add_env_step(np.zeros(2, np.float32), **add)
    episode.add_env_step(np.ones(4, np.float32), **add)
    episode.observations.set(np.full((4, 4), 0.1), at_indices=slice(None))
    episode.add_env_step(np.ones(4, np.float32), **add)
    assert episode.get_observations(-1).tolist() == [1.0] * 4


@pytest.mark.parametrize(
    ("stored", "number"),
    [
        (1.0, np.float32(0.5)),
        (1.0, np.float64(0.5)),
        (1.0, 2),
        (1.0, True),
        (1.0, np.array(3)),
        (1, np.int64(7)),
        (1, np.uint8(7)),
        (np.float32(1), np.float16(0.5)),
        (np.float64(1), 0.5),
        (np.int64(1), 7),
    ],
    ids=repr,
)
def test_numbers_that_the_arrays_hold_wait_like_others_of_their_type(stored, number):
    if type(number) is np.ndarray:
        number = number.astype(np.float32)
    buffer = InfiniteLookbackBuffer([stored, stored])
    buffer.finalize()
    for _ in range(3):
        buffer.append(number)
    assert len(buffer.storage.tail) == 3
    dtype = buffer.get().dtype
    assert buffer.get().tolist() == [stored, stored, number, number, number]
    assert dtype == np.asarray(stored).dtype


@pytest.mark.parametrize(
    ("dtype", "held", "not_held"),
    [
        ("f8", "f8 f4 f2 i4 u4 i1 ?", "i8 u8 c8 M8[s] U1"),
        ("f4", "f4 f2 i2 u2 ?", "f8 i4 u4 i8"),
        ("i8", "i8 i4 u4 ?", "u8 f2 U1"),
        ("U3", "U3", "U2 U4 i1"),
        ("c16", "c8 f8 i4", "i8 U1"),
        ("?", "?", "i1 f2"),
    ],
)
def test_a_type_holds_what_it_gives_back_exactly(dtype, held, not_held):
    assert [one for one in held.split() if not holds(np.dtype(dtype), np.dtype(one))] == []
    assert [one for one in not_held.split() if holds(np.dtype(dtype), np.dtype(one))] == []
