"""Threads and processes: several at work on one batch, on several, after a fork, under spawn."""

import gc
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from gridarium.engine import World
from gridarium.engine.kernel_args import KernelArg, Mode
from gridarium.engine.single_world import SingleWorld
from gridarium.engine.step.chunks import share_out
from gridarium.engine.step.validate_actions import actions_are_valid
from tests.engine import worlds as w
from tests.engine.worlds import assert_same, catalogue_world, everything, random_actions, troubled_world

N, STEPS = 600, 30


@pytest.fixture(scope="module")
def world() -> World:
    world = catalogue_world("DynamicObstacles-5x5")
    assert world.composed.compiled
    return world


@pytest.fixture(scope="module")
def actions(world):
    return random_actions(world, STEPS, N)


def finished(batch, actions):
    """The bytes in which a batch ends up."""
    for chosen in actions:
        batch.step(chosen)
    return b"".join(array.tobytes() for array in batch.snapshot().arrays())


def begun(world, threads, seed=0, n=N):
    batch = world.batch(n, threads=threads)
    batch.reset(seed)
    return batch


@pytest.mark.exhaustive
def test_large_batches_use_the_processors_that_there_are(world):
    assert world.batch(8).threads == 1
    assert world.batch(4096).threads == len(os.sched_getaffinity(0))
    assert world.batch(4, threads=9).threads == 4


@pytest.mark.parametrize("n", [1, 2, 15, 16, 17, 31, 33, 255, 513, 1000])
def test_no_world_is_left_out_or_stepped_twice(world, n):
    """Whatever the remainder when worlds are handed out in chunks."""
    batch = begun(world, 3, n=n)
    for tick in range(1, 4):
        before = batch.ticks
        ended = batch.ended
        result = batch.step(np.full(n, 4))
        assert (batch.ticks == np.where(ended, 0, before + 1)).all()
        assert (result.ticks == batch.ticks).all()
        assert tick
    batch.close()


def test_a_batch_steps_again_after_its_threads_have_gone_to_sleep(world, actions):
    batch, other = begun(world, 3), begun(world, 1)
    for chosen in actions[:8]:
        assert_same(everything(batch, batch.step(chosen)), everything(other, other.step(chosen)))
        threading.Event().wait(0.02)
    batch.close()


@pytest.mark.usefixtures("old_garbage_left_alone")
def test_closed_batches_leave_no_threads_behind(world):
    others = {*threading.enumerate()}

    def ours():
        return [t for t in threading.enumerate() if t.name.startswith("gridarium-") and t not in others]

    batches = [begun(world, 4) for _ in range(3)]
    assert len(ours()) >= 9
    for batch in batches[:2]:
        batch.close()
        batch.close()
    del batches, batch
    gc.collect()
    for _ in range(100):
        if not ours():
            break
        threading.Event().wait(0.02)
    assert not ours()


def test_a_closed_batch_is_stepped_by_one_thread(world, actions):
    batch, other = begun(world, 3), begun(world, 1)
    batch.step(actions[0]), other.step(actions[0])
    batch.close()
    assert batch.threads == 1
    assert finished(batch, actions) == finished(other, actions)


@pytest.mark.parametrize("helped", [True, False], ids=["helped", "alone"])
def test_a_step_that_is_interrupted_does_not_run_into_the_next_one(world, actions, monkeypatch, helped):
    batch, other = begun(world, 3), begun(world, 1)
    run = batch.composed.run

    def interrupted(frame, place, slot, first, last, mode):
        if mode is Mode.LEAD:
            assert actions_are_valid(frame)
            frame[KernelArg.MODE] = Mode.STEP
            share_out(frame)  # there is work for all, and the leading thread leaves it
            raise KeyboardInterrupt
        if slot > 0 and not helped:
            return 1
        return run(frame, place, slot, first, last, mode)

    for chosen in actions:
        monkeypatch.setattr(batch.composed, "run", interrupted)
        with pytest.raises(KeyboardInterrupt):
            batch.step(chosen)
        monkeypatch.undo()
        other.step(chosen)
        assert_same(everything(batch), everything(other))
    assert finished(batch, actions) == finished(other, actions)
    batch.close()


def test_several_python_threads_step_batches_of_their_own(world, actions):
    expected = [finished(begun(world, 1, seed), actions) for seed in range(4)]
    batches = [begun(world, threads, seed) for seed, threads in enumerate((1, 2, 1, 3))]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda batch: finished(batch, actions), batches))
    assert found == expected
    for batch in batches:
        batch.close()


def test_several_python_threads_share_a_world(world):
    """Its functions have no hidden state, whoever calls them."""

    def wander(seed):
        state = world.reset(seed)
        for action in random_actions(world, 60, 1, seed)[:, 0]:
            state = world.next_episode(state) if state.data[5] else world.step(state, action)[0]
        return state.tobytes()

    expected = [wander(seed) for seed in range(8)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(wander, range(8))) == expected


def test_two_python_threads_may_compose_and_compile_at_once():
    worlds = [World("DynamicObstacles-5x5") for _ in range(3)]
    with ThreadPoolExecutor(3) as pool:
        assert all(pool.map(lambda world: world.composed.compiled, worlds))


def test_a_failure_in_one_python_threads_batch_is_not_anothers():
    world = troubled_world(compiled=False)
    good, bad = world.batch(20), world.batch(20)
    good.reset(0), bad.reset(0)
    state = bad.state(3)
    state.trouble = w.VALUE
    bad.set_state(3, state)

    def fail():
        with pytest.raises(ValueError, match="trouble"):
            bad.step(np.zeros(20, int))
        return True

    with ThreadPoolExecutor(2) as pool:
        for _ in range(5):
            failing, fine = pool.submit(fail), pool.submit(good.step, np.zeros(20, int))
            assert failing.result()
            fine.result()


# processes


def in_child(batch, actions, pipe):
    pipe.send((batch.threads, finished(batch, actions)))
    batch.close()
    pipe.close()


def child_of(context, target, *arguments):
    mine, its = context.Pipe()
    process = context.Process(target=target, args=(*arguments, its))
    process.start()
    assert mine.poll(180), "the child process says nothing"
    answer = mine.recv()
    process.join(60)
    assert process.exitcode == 0
    return answer


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_after_a_fork_the_child_steps_alone_and_gives_the_same_bytes(world, actions):
    batch, other = begun(world, 3), begun(world, 1)
    for chosen in actions[:5]:
        batch.step(chosen), other.step(chosen)
    threads, found = child_of(multiprocessing.get_context("fork"), in_child, batch, actions)
    assert threads == 1
    assert found == finished(other, actions)
    assert found == finished(batch, actions), "the parent goes on as if nothing had happened"
    batch.close()


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_bare_fork_will_do_as_well(world, actions):
    batch = begun(world, 2)
    batch.step(actions[0])
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.write(writing, finished(batch, actions)[:4096])
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        found = pipe.read()
    assert os.waitpid(child, 0)[1] == 0
    assert found == finished(batch, actions)[:4096]
    batch.close()


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_failing_rule_is_reported_in_a_forked_child_too(actions):
    world = troubled_world(compiled=True)
    batch = world.batch(N, threads=2)
    batch.reset(0)
    state = batch.state(411)
    state.trouble = w.ZERO
    batch.step(np.zeros(N, int))
    batch.set_state(411, state)
    notes = child_of(multiprocessing.get_context("fork"), notes_of_a_failure, batch)
    assert f"in world 411 of {N} (Troubled), tick 0" in notes
    batch.close()


def notes_of_a_failure(batch, pipe):
    try:
        batch.step(np.zeros(N, int))
    except ZeroDivisionError as error:
        pipe.send(error.__notes__)


def from_scratch(name, seed, actions, pipe):
    pipe.send(finished(begun(World(name), 2, seed), actions))


@pytest.mark.exhaustive
@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_a_fresh_process_gives_the_same_bytes(world, actions, method):
    context = multiprocessing.get_context(method)
    found = child_of(context, from_scratch, "DynamicObstacles-5x5", 3, actions[:10])
    assert found == finished(begun(world, 1, 3), actions[:10])


def test_worlds_and_single_worlds_are_sent_to_a_fresh_process(world):
    single = SingleWorld(world.composed)
    single.reset(4)
    single.step(4)
    answer = child_of(multiprocessing.get_context("spawn"), step_what_is_sent, world, single)
    reward, state = single.step(5)[1], single.state
    assert answer == (world.step(world.reset(1), 4)[0].tobytes(), reward, state.tobytes())


def step_what_is_sent(world, single, pipe):
    state, reward = world.step(world.reset(1), 4)[0], single.step(5)[1]
    pipe.send((state.tobytes(), reward, single.state.tobytes()))


def test_a_pickle_holds_no_compiled_code(world):
    text = pickle.dumps(world)
    assert len(text) < 10_000
    assert b"numba" not in text
    code = (
        "import pickle, sys; world = pickle.loads(sys.stdin.buffer.read());"
        "assert 'numba' not in sys.modules; print(world.name)"
    )
    environment = {**os.environ, "PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", code], input=text, env=environment, capture_output=True, check=True, timeout=60
    )
    assert done.stdout.strip() == b"DynamicObstacles-5x5"


@pytest.mark.exhaustive
def test_a_batch_that_was_closed_goes_on_by_itself_and_takes_parameters():
    """Also if it is closed before a thread that was woken has begun."""
    world = catalogue_world("Empty-4x4")
    for _ in range(5):
        batch = world.batch(600, threads=4)
        batch.reset(0)
        batch.step(np.zeros(600, int))
        batch.close()
        batch.set_parameters({"time_limit": 50}, [0])
        assert batch.step(np.zeros(600, int)).ticks.shape == (600,)
