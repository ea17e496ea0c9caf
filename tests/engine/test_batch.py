"""Batches: reset, step, seeds, masks, automatic resets, snapshots, sharing."""

import contextlib
import functools
import pickle
import signal
import threading

import numpy as np
import pytest

from gridarium.engine import Autoreset, Batch, World
from gridarium.world import Action, Floor, Position, Shape
from gridarium.worlds import Spec
from tests.compiled_worlds import INTERPRETED_AND_COMPILED
from tests.engine.worlds import (
    arena,
    assert_same,
    catalogue_world,
    everything,
    random_actions,
    troubled_world,
)

N, LIMIT = 5, 7


@pytest.fixture(scope="module")
def world() -> World:
    """One agent, episodes of at most 7 ticks."""
    return troubled_world(compiled=False)


@pytest.fixture(scope="module")
def calm() -> World:
    """One agent, episodes without end."""
    return catalogue_world("KeyDoor-7x7", compiled=False)


@pytest.fixture(scope="module")
def pair() -> World:
    """Two agents."""
    return catalogue_world("TwoAgents-DoorKey-8x8", compiled=False)


def begun(world, n=N, seed=0, **options):
    batch = world.batch(n, **options)
    batch.reset(seed)
    return batch


# shapes


def test_arrays_have_an_agent_axis_where_there_are_several_agents(calm, pair):
    for world, lead in ((calm, (N,)), (pair, (N, 2))):
        batch = world.batch(N)
        observations = batch.reset(0)
        result = batch.step(random_actions(world, 1, N)[0])
        for given in (observations, result.observations):
            assert {name: (a.shape, a.dtype) for name, a in given.items()} == {
                o.name: (lead + o.shape, np.dtype(o.dtype)) for o in world.composed.outputs
            }
        assert (result.rewards.shape, result.rewards.dtype) == (lead, np.float64)
        assert (result.terminated.shape, result.terminated.dtype) == (lead, np.bool_)
        assert (result.truncated.shape, result.truncated.dtype) == (lead, np.bool_)
        assert (result.ticks.shape, result.ticks.tolist()) == ((N,), [1] * N)
        assert result.results.shape == lead
        assert result.final_observations is None


def test_a_step_gives_fresh_arrays_unless_they_are_shared(calm):
    for shared in (False, True):
        batch = begun(calm, shared=shared)
        first, second = batch.step([0] * N), batch.step([0] * N)
        pairs = [(first.rewards, second.rewards), (first.terminated, second.terminated)]
        pairs += [(first.observations[k], second.observations[k]) for k in first.observations]
        assert all(np.shares_memory(a, b) == shared for a, b in pairs)


@pytest.mark.parametrize("name", ["KeyDoor-5x5", "TwoAgents-Empty-8x8", "TicTacToe-2p"])
def test_arrays_that_the_caller_has_released_are_used_again_and_no_others(name):
    batch = begun(catalogue_world(name, compiled=False), n=1)

    def place():
        return batch.step(batch.sample_actions(np.random.default_rng(0))).rewards.__array_interface__["data"][
            0
        ]

    first = place()
    assert {place() for _ in range(6)} == {first}
    held = batch.step(batch.sample_actions(np.random.default_rng(0)))
    assert held.rewards.__array_interface__["data"][0] == first and first not in {place() for _ in range(6)}
    del held
    assert first in {place() for _ in range(2)}


def test_one_agent_may_be_given_actions_with_or_without_an_agent_axis(calm):
    one, other = begun(calm), begun(calm)
    chosen = random_actions(calm, 1, N)[0]
    assert_same(everything(one, one.step(chosen)), everything(other, other.step(chosen[:, None])))


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.int64, np.uint64])
def test_any_type_of_whole_numbers_will_do_for_actions(calm, dtype):
    one, other = begun(calm), begun(calm)
    chosen = random_actions(calm, 1, N)[0]
    assert_same(everything(one, one.step(chosen)), everything(other, other.step(chosen.astype(dtype))))
    assert_same(everything(one, one.step(chosen)), everything(other, other.step(chosen.tolist())))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"n": 0}, "number of worlds is at least 1, got 0"),
        ({"n": -3}, "number of worlds is at least 1, got -3"),
        ({"n": 2, "threads": 0}, "between 1 and"),
        (
            {"n": 2, "autoreset": "next_step"},
            "autoreset must be one of Autoreset.NEXT_STEP, .* got 'next_step'",
        ),
        ({"n": 2, "autoreset": 1}, "autoreset must be one of Autoreset.NEXT_STEP, .* got 1"),
    ],
)
def test_a_batch_that_cannot_be_is_refused(calm, options, words):
    with pytest.raises(ValueError, match=words):
        calm.batch(**options)


@pytest.mark.parametrize("number", ["8", 8.0, np.float64(3), None, True, [1]])
def test_what_is_no_whole_number_is_refused_where_one_is_needed(calm, number):
    with pytest.raises(TypeError, match="the number of worlds is a whole number, got "):
        calm.batch(number)
    if number is not None:
        with pytest.raises(TypeError, match="threads is a whole number, got "):
            calm.batch(2, threads=number)


def test_numbers_of_numpy_will_do(calm):
    assert calm.batch(np.int64(3), threads=np.int32(1)).n == 3


def test_a_batch_is_made_of_a_composed_world(calm):
    for given in (calm, calm.spec, "FourByThree"):
        with pytest.raises(
            TypeError, match="a batch is created by World.batch, or from a ComposedWorld, not from"
        ):
            Batch(given, 3)


def test_a_world_of_a_batch_is_known_by_its_number(calm):
    batch = begun(calm)
    state, kept = batch.state(0), batch.snapshot()
    assert batch.state(-1).identical(batch.state(N - 1))
    for wrong, kind in (("a", TypeError), (1.0, TypeError), (N, IndexError)):
        for attempt in (lambda i: batch.state(i), lambda i: batch.set_state(i, state)):
            with pytest.raises(kind, match="must be a whole number|there are 5 worlds, got 5"):
                attempt(wrong)
    for wrong in ("a", N):
        with pytest.raises(IndexError, match=f"worlds are numbered from 0 to {N - 1}; got "):
            batch.restore(kept, wrong)
    with pytest.raises(TypeError, match="arrays to write into are given as an OutputTarget, not 3"):
        batch.step([0] * N, into=3)


# seeds


def test_one_seed_gives_each_world_its_own(calm):
    batch = begun(calm, seed=10)
    for i in range(N):
        assert batch.state(i).identical(calm.reset(10 + i))
    assert len({batch.state(i).cells.tobytes() for i in range(N)}) > 1


@pytest.mark.parametrize("kind", [list, tuple, np.array, lambda s: np.array(s, np.uint32)])
def test_a_list_gives_each_world_the_seed_it_names(calm, kind):
    seeds = [5, 1, 5, 0, 77]
    batch = begun(calm, seed=kind(seeds))
    for i, seed in enumerate(seeds):
        assert batch.state(i).identical(calm.reset(seed))
    assert batch.keys[0] == batch.keys[2] != batch.keys[1]


def test_seeds_may_be_as_large_as_one_likes(calm):
    huge = 12345678901234567890123456789012345678901234567890
    batch = begun(calm, 2, seed=huge)
    assert batch.state(0).identical(calm.reset(huge))
    assert batch.state(1).identical(calm.reset(huge + 1))
    assert begun(calm, 2, seed=[2**64, 0]).keys.tolist() != begun(calm, 2, seed=[0, 0]).keys.tolist()


def test_without_a_seed_the_operating_system_chooses_and_then_the_stream_goes_on(calm):
    batch = calm.batch(N)
    batch.reset()
    assert len(set(batch.keys.tolist())) == N
    keys = batch.keys
    assert calm.batch(1).reset() is not None
    batch.reset()
    assert batch.keys.tolist() == keys.tolist()
    assert batch.episodes.tolist() == [1] * N


def test_a_seed_among_none_begins_that_world_anew_and_goes_on_with_the_others(calm):
    batch = begun(calm, 3, seed=4)
    batch.reset([None, 9, None])
    assert batch.episodes.tolist() == [1, 0, 1]
    assert batch.state(1).identical(calm.reset(9))
    assert batch.state(2).identical(calm.next_episode(calm.reset(6)))


def test_the_episodes_of_a_seed_come_in_the_same_order_again(calm):
    batch, again = begun(calm), begun(calm)
    for _ in range(3):
        assert_same(batch.reset(), again.reset())
    batch.reset(0)
    assert_same(everything(batch), everything(begun(calm)))


@pytest.mark.parametrize("compiled", [False, True])
def test_refused_actions_are_not_kept(compiled):
    batch = catalogue_world("Empty-4x4", compiled=compiled).batch(N)
    batch.reset(0)
    batch.step([1] * N)
    for refused in ([0, 0, 0, 0, 65535], [-1, 0, 0, 0, 0]):
        with pytest.raises(ValueError, match="is none of its|is not among its"):
            batch.step(refused)
        assert batch.memory.actions.ravel().tolist() == [1] * N


def test_seeds_of_worlds_that_do_not_begin_are_not_asked_for(calm):
    batch = begun(calm)
    batch.reset([7, -1, -1, None, -1], np.array([True, False, False, True, False]))
    assert batch.state(0).identical(calm.reset(7))


@pytest.mark.parametrize(
    "seed", [0, 5, (1 << 63) - 2, (1 << 64) - 2, 1 << 64, 1 << 200, np.int8(3), np.uint64(7)]
)
def test_one_seed_counts_up_through_the_worlds(calm, seed):
    one, each = calm.batch(N), calm.batch(N)
    one.reset(seed)
    each.reset([int(seed) + i for i in range(N)])
    assert_same(everything(one), everything(each))
    assert one.state(N - 1).identical(calm.reset(int(seed) + N - 1))


@pytest.mark.parametrize(
    ("seed", "error", "words"),
    [
        (-1, ValueError, "a seed must not be negative, got -1"),
        ([0, 1, 2, 3, -4], ValueError, "not be negative, got -4"),
        (True, TypeError, "a seed must be a whole number, not True"),
        ([0, 1, False, 3, 4], TypeError, "not False"),
        (1.5, TypeError, "not 1.5"),
        ([0, 1, 2, 3, 4.0], TypeError, "not 4.0"),
        ("5", TypeError, "not '5'"),
        (np.nan, TypeError, "not nan"),
        ([0, 1], ValueError, "one seed for each of 5 worlds is needed, got 2"),
        ([], ValueError, "got 0"),
        ({1, 2, 3, 4, 5}, TypeError, "a seed must be a whole number"),
    ],
)
def test_what_is_no_seed_is_refused_and_changes_nothing(calm, seed, error, words):
    batch = begun(calm)
    batch.step([0] * N)
    before = everything(batch)
    with pytest.raises(error, match=words):
        batch.reset(seed)
    assert_same(before, everything(batch))
    with pytest.raises(error, match=words):
        calm.batch(N).reset(seed)


# masks


def test_a_mask_says_which_worlds_begin(calm):
    batch, other = begun(calm), begun(calm)
    chosen = random_actions(calm, 1, N)[0]
    batch.step(chosen), other.step(chosen)
    mask = np.array([True, False, False, True, False])
    observations = batch.reset(mask=mask)
    assert batch.episodes.tolist() == [1, 0, 0, 1, 0]
    assert batch.ticks.tolist() == [0, 1, 1, 0, 1]
    assert_same(everything(batch), everything(other), worlds=~mask)
    assert_same(observations, batch.observe())


def test_an_empty_mask_begins_nothing(calm):
    batch = begun(calm)
    before = everything(batch)
    batch.reset(3, mask=np.zeros(N, np.bool_))
    assert_same(before, everything(batch))


def test_seeds_are_counted_by_world_also_under_a_mask(calm):
    batch = begun(calm)
    batch.reset(50, mask=np.arange(N) == 3)
    assert batch.state(3).identical(calm.reset(53))
    batch.reset([7, 7, 7, 7, 8], mask=np.arange(N) == 4)
    assert batch.state(4).identical(calm.reset(8))


@pytest.mark.parametrize("mask", [[True] * 4, np.ones(N), np.ones((N, 1), np.bool_), True, [0, 1]])
def test_a_mask_of_another_shape_or_type_is_refused(calm, mask):
    with pytest.raises(ValueError, match=r"a mask must be bool\[5\]"):
        begun(calm).reset(mask=mask)


def test_worlds_may_begin_one_after_the_other_but_all_must_have_begun(calm):
    batch = calm.batch(2)
    with pytest.raises(RuntimeError, match="reset the batch before stepping it"):
        batch.step([0, 0])
    batch.reset(0, mask=np.array([True, False]))
    with pytest.raises(RuntimeError, match="reset the batch before stepping it"):
        batch.step([0, 0])
    batch.reset(0, mask=np.array([False, True]))
    batch.step([0, 0])


# automatic resets


def ending(world, mode, steps, **options):
    """A batch after so many steps on the spot."""
    batch = begun(world, seed=3, autoreset=mode, **options)
    results = [batch.step(np.ones(N, int)) for _ in range(steps)]
    return batch, results


@pytest.mark.parametrize("mode", list(Autoreset))
def test_an_episode_ends_at_the_time_limit(world, mode):
    batch, results = ending(world, mode, LIMIT)
    assert not any(r.truncated.any() or r.terminated.any() for r in results[:-1])
    assert results[-1].truncated.all()
    assert not results[-1].terminated.any()
    assert results[-1].ticks.tolist() == [LIMIT] * N
    assert batch.ended.all() == (mode is not Autoreset.SAME_STEP)


def test_in_the_next_step_an_ended_world_only_begins(world):
    batch, results = ending(world, Autoreset.NEXT_STEP, LIMIT)
    last = batch.step(np.ones(N, int))
    assert_same(last.observations, batch.observe())
    assert last.rewards.tolist() == [0.0] * N
    assert last.ticks.tolist() == [0] * N
    assert last.results.tolist() == [0] * N
    assert not last.truncated.any()
    assert not last.terminated.any()
    assert batch.episodes.tolist() == [1] * N
    assert batch.state(2).identical(world.next_episode(world.reset(5)))
    assert results[-1].final_observations is None


def test_in_the_same_step_an_ended_world_begins_and_its_final_observation_is_kept(world):
    batch, results = ending(world, Autoreset.SAME_STEP, LIMIT)
    _, others = ending(world, Autoreset.DISABLED, LIMIT)
    for mine, other in zip(results, others, strict=True):
        for name in ("rewards", "terminated", "truncated", "ticks", "results"):
            np.testing.assert_array_equal(getattr(mine, name), getattr(other, name))
    assert_same(results[-1].final_observations, others[-1].observations)
    assert_same(results[-1].observations, batch.observe())
    assert batch.episodes.tolist() == [1] * N
    assert batch.ticks.tolist() == [0] * N
    assert batch.state(2).identical(world.next_episode(world.reset(5)))


def test_only_worlds_that_end_get_a_final_observation():
    world = catalogue_world("Teleport-5x5", compiled=False)
    batch = begun(world, 12, seed=1, autoreset=Autoreset.SAME_STEP)
    other = begun(world, 12, seed=1, autoreset=Autoreset.DISABLED)
    for chosen in random_actions(world, 60, 12):
        mine, theirs = batch.step(chosen), other.step(chosen)
        over = theirs.terminated | theirs.truncated
        np.testing.assert_array_equal(mine.terminated, theirs.terminated)
        if over.any() and not over.all():
            break
        other.reset(mask=over)
    assert_same(mine.final_observations, theirs.observations, worlds=over)
    assert_same(mine.observations, theirs.observations, worlds=~over)
    assert (mine.observations["grid"][over] != theirs.observations["grid"][over]).any()


def test_the_three_modes_pass_through_the_same_states():
    world = catalogue_world("DynamicObstacles-5x5", compiled=False)
    actions = random_actions(world, 60, 1)
    seen = {}
    for mode in Autoreset:
        batch, seen[mode] = begun(world, 1, seed=8, autoreset=mode), []
        for chosen in actions:
            if batch.ended[0]:
                batch.step([0]) if mode is Autoreset.NEXT_STEP else batch.reset()
            batch.step(chosen)
            is_over = batch.ended[0] or batch.ticks[0] == 0
            seen[mode].append("over" if is_over else batch.state(0).tobytes())
    assert seen[Autoreset.NEXT_STEP] == seen[Autoreset.SAME_STEP] == seen[Autoreset.DISABLED]
    assert seen[Autoreset.NEXT_STEP].count("over") > 3


def test_without_automatic_reset_an_ended_world_stays_ended_until_it_is_reset(world):
    batch, _ = ending(world, Autoreset.DISABLED, LIMIT)
    assert batch.ended.all()
    batch.reset(mask=np.arange(N) < 2)
    assert batch.ended.tolist() == [False, False, True, True, True]


def test_an_ended_world_waits_whatever_it_is_asked_to_do(world):
    batch, results = ending(world, Autoreset.DISABLED, LIMIT)
    last = results[-1]
    assert (last.terminated | last.truncated).all() and last.truncated.any()
    states = [batch.state(i) for i in range(N)]
    for _ in range(3):
        result = batch.step(random_actions(world, 1, N)[0])
        for name in ("terminated", "truncated"):
            np.testing.assert_array_equal(getattr(result, name), getattr(last, name))
        assert_same(result.observations, last.observations)
        assert result.rewards.tolist() == [0.0] * N
        assert result.ticks.tolist() == result.results.tolist() == [0] * N
        assert all(batch.state(i).identical(state) for i, state in enumerate(states))
    batch.reset(mask=np.arange(N) < 2)
    result = batch.step([1] * N)
    assert result.ticks.tolist() == [1, 1, 0, 0, 0]
    assert result.ended.tolist() == [False, False, True, True, True]
    with pytest.raises(ValueError, match="action 99"):
        batch.step([99] * N)


def test_flags_of_several_agents_combine_and_are_of_one_kind_for_each():
    world = World("TwoAgents-DoorKey-8x8", time_limit=4, compiled=False)
    batch = begun(world, 3, autoreset=Autoreset.DISABLED)
    for tick, chosen in enumerate(random_actions(world, 6, 3)):
        result = batch.step(chosen)
        assert result.terminated.shape == result.truncated.shape == (3, 2)
        assert not (result.terminated & result.truncated).any()
        assert (result.terminated | result.truncated).all() == result.ended.all() == (tick >= 3)
    assert result.truncated.all()


def test_who_has_terminated_earlier_is_not_truncated_with_the_others():
    world = arena((4, 3), (0, 0), episode_ends="all_agents", time_limit=3)
    batch = begun(world, 2, autoreset=Autoreset.DISABLED)
    flags, right = [], [a.name for a in world.actions].index("RIGHT")
    for _ in range(5):
        result = batch.step([[right, right]] * 2)
        flags.append((result.terminated[0].tolist(), result.truncated[0].tolist(), bool(result.ended[0])))
    assert flags == [
        ([True, False], [False, False], False),
        ([True, False], [False, False], False),
        *[([True, False], [False, True], True)] * 3,
    ]


# states and snapshots


def test_a_state_is_a_copy_and_can_be_put_back(calm):
    batch = begun(calm)
    state = batch.state(1)
    state.agent.position = state.agent.position
    state.cells[0, 0] = 0
    assert batch.state(1).cells[0, 0] != 0
    kept = batch.state(-1)
    batch.set_state(1, kept)
    assert batch.state(1).identical(kept)
    chosen = np.full(N, 5)
    batch.step(chosen)
    assert batch.state(1).identical(batch.state(N - 1))


def test_any_world_will_do_for_a_state_of_the_same_kind_only(calm, world, pair):
    batch = begun(calm)
    before = everything(batch)
    wrong = [
        (pair.reset(0), "objects, colors and fields|shape"),
        (world.reset(0), "objects, colors and fields"),
        (
            catalogue_world("KeyDoor-5x5", compiled=False).reset(0),
            r"shape \(5, 5\) is not the world's \(7, 7\)",
        ),
    ]
    for state, words in wrong:
        with pytest.raises(ValueError, match=words):
            batch.set_state(0, state)
    assert_same(before, everything(batch))


@pytest.mark.parametrize("i", [N, -N - 1, 1000])
def test_there_is_no_state_of_a_world_that_is_not_there(calm, i):
    batch = begun(calm)
    with pytest.raises(IndexError, match="there are 5 worlds"):
        batch.state(i)
    with pytest.raises(IndexError):
        batch.set_state(i, calm.reset(0))


def test_a_state_may_start_a_batch_that_was_never_reset(calm):
    batch = calm.batch(2)
    batch.set_state(0, calm.reset(1))
    with pytest.raises(RuntimeError, match="reset the batch"):
        batch.step([0, 0])
    batch.set_state(1, calm.reset(2))
    batch.step([0, 0])


def test_a_snapshot_holds_what_it_held_when_it_was_taken(calm):
    batch = begun(calm)
    snapshot, before = batch.snapshot(), everything(batch)
    for chosen in random_actions(calm, 5, N):
        batch.step(chosen)
    batch.restore(snapshot)
    assert_same(before, everything(batch))
    batch.step([0] * N)
    batch.restore(pickle.loads(pickle.dumps(snapshot)))
    assert_same(before, everything(batch))


def test_a_snapshot_may_go_into_some_of_the_worlds(calm):
    batch, other = begun(calm, 4), begun(calm, 2, seed=70)
    batch.restore(other.snapshot(), [3, 1])
    assert batch.state(3).identical(other.state(0))
    assert batch.state(1).identical(other.state(1))
    assert batch.state(0).identical(calm.reset(0))


def test_a_snapshot_of_another_size_or_kind_is_refused(calm, world):
    batch = begun(calm)
    before = everything(batch)
    for wrong in (begun(calm, 4).snapshot(), begun(world).snapshot()):
        with pytest.raises(ValueError, match="another size or kind"):
            batch.restore(wrong)
    for call in (batch.restore, lambda s: batch.set_state(0, s)):
        with pytest.raises(TypeError, match=", not (to )?5"):
            call(5)
    assert_same(before, everything(batch))


def test_a_batch_can_be_pickled_in_the_middle_of_an_episode(calm):
    batch = begun(calm, autoreset=Autoreset.SAME_STEP)
    for chosen in random_actions(calm, 5, N):
        batch.step(chosen)
    again = pickle.loads(pickle.dumps(batch))
    assert isinstance(again, Batch)
    assert again.autoreset is Autoreset.SAME_STEP
    for chosen in random_actions(calm, 5, N, seed=1):
        assert_same(everything(batch, batch.step(chosen)), everything(again, again.step(chosen)))
    assert pickle.loads(pickle.dumps(calm.batch(2))).n == 2


def test_worlds_of_one_kind_and_many_sizes_run_one_after_the_other():
    for size in (4, 6, 11):
        world = World(
            Spec.build(
                shape=(size, size + 1),
                objects=["Floor", "Wall", "Exit"],
                actions=[Action.MOVE_FORWARD, Action.TURN_LEFT],
                reset=functools.partial(_empty, random_agent=True),
                transitions=["move_agent", "turn_agent"],
                terminations=["reach_exit"],
            ),
            compiled=False,
        )
        batch = begun(world)
        batch.step([0] * N)
        assert batch.state(0).grid.shape == Shape(size, size + 1)


def _empty(state, *, random_agent: bool, rng):
    from gridarium.rules.reset_functions import empty

    empty(state, random_agent=random_agent, rng=rng)


def test_ctrl_c_at_no_moment_leaves_a_batch_in_use(calm):
    batch = calm.batch(1)
    batch.reset(0)
    before, interrupts = signal.signal(signal.SIGALRM, signal.default_int_handler), 0
    try:
        for k in range(2000):
            with contextlib.suppress(KeyboardInterrupt):
                signal.setitimer(signal.ITIMER_REAL, 1e-6 * (1 + k % 40))
                interrupts += 1
                for _ in range(100):
                    batch.step([0])
                    batch.observe()
                interrupts -= 1
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert interrupts > 1000
    batch.step([0])


def test_a_lock_that_ctrl_c_has_left_behind_is_taken_again(calm):
    batch = calm.batch(1)
    batch.reset(0)
    for ask in (lambda: batch.step([0]), lambda: batch.reset(1), batch.observe):
        batch._used.acquire()
        ask()
        assert not batch._used.locked()


def test_a_second_thread_is_refused_and_the_first_goes_on():
    inside, go_on = threading.Event(), threading.Event()

    def lingers(state, action):
        inside.set()
        go_on.wait(60)

    batch = arena((1, 1), transitions=[lingers], compiled=False).batch(1)
    batch.reset(0)
    first = threading.Thread(target=batch.step, args=([0],))
    first.start()
    inside.wait(60)
    for ask in (lambda: batch.step([0]), lambda: batch.reset(1), batch.observe):
        with pytest.raises(RuntimeError, match="use a separate batch for each thread"):
            ask()
    go_on.set()
    first.join()
    assert batch.ticks.tolist() == [1]
    batch.step([0])
    assert batch.ticks.tolist() == [2]


def test_a_snapshot_of_a_world_with_other_fields_is_refused():
    """The arrays have the same shapes, and other meanings."""
    common = {
        "shape": (2, 2),
        "objects": [Floor],
        "actions": ["WAIT"],
        "reset": "blank",
        "transitions": ["move_agent"],
    }
    numbers = [{"name": f"n{k}", "type": "int"} for k in range(9)]
    one = World(Spec.build(name="Numbers", fields={"world": numbers}, **common), compiled=False).batch(2)
    other = World(Spec.build(name="Things", things={"capacity": 1}, **common), compiled=False).batch(2)
    one.reset(0), other.reset(0)
    assert one.memory.data.shape == other.memory.data.shape
    before = other.snapshot()
    for kept in (one.snapshot(), pickle.loads(pickle.dumps(one.snapshot()))):
        with pytest.raises(ValueError, match="objects, colors and fields are not those of Things"):
            other.restore(kept)
    assert np.array_equal(other.memory.data, before.data)


@pytest.mark.parametrize("compiled", INTERPRETED_AND_COMPILED)
def test_where_the_reset_rule_raises_in_one_world_the_others_begin_in_the_given_states(compiled):
    def begins_or_not(state, *, rng):
        if rng.random() < 0.5:
            raise ValueError("no room")

    def stays(state, action):
        pass

    spec = Spec.build(
        name="Begins",
        shape=(3, 3),
        objects=[Floor],
        actions=["WAIT"],
        reset=begins_or_not,
        transitions=[stays],
    )
    world = World(spec, compiled=compiled)
    given, batch = world.blank_state(), world.batch(8)
    given.agent.position = Position(2, 1)
    with pytest.raises(ValueError, match="no room"):
        batch.reset(1, state=given)
    assert 0 < len(batch.failed) < 8
    for i in {*range(8)} - {*batch.failed}:
        assert batch.state(i).agent.position == Position(2, 1) and batch.episodes[i] == 0
