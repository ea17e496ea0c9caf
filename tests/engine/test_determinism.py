"""The same description, seed and actions give the same bytes, however they are run."""

import hashlib
import random
import subprocess
import sys

import numpy as np
import pytest

from gridarium.engine import Autoreset, World
from gridarium.world.state import ENDED, EPISODE
from tests.engine.worlds import TWO_OF_DIVERSE, assert_same, catalogue_world, everything, random_actions

STEPS, FEW, MANY = 240, 5, 600
SEEDS = [7 * i for i in range(MANY)]


def advance(batch, step, chosen, first=0):
    """Step a batch; now and then some of its worlds begin anew before. Its worlds are numbered from `first`."""
    if step % 75 == 74:
        batch.reset(mask=(np.arange(batch.n) + first + step) % 2 == 0)
    return everything(batch, batch.step(chosen))


def rollout(batch, actions, seeds, first=0):
    """All that happens in a batch: one dictionary of arrays for each step."""
    batch.reset(seeds)
    history = [everything(batch)]
    history += [advance(batch, step, chosen, first) for step, chosen in enumerate(actions)]
    batch.close()
    return history


@pytest.fixture(scope="module", params=TWO_OF_DIVERSE)
def name(request):
    return request.param


@pytest.fixture(scope="module")
def actions(name):
    return random_actions(catalogue_world(name, compiled=False), STEPS, MANY)


@pytest.fixture(scope="module")
def interpreted(name, actions):
    """A few worlds, run as plain Python."""
    batch = catalogue_world(name, compiled=False).batch(FEW)
    return rollout(batch, actions[:, :FEW], SEEDS[:FEW])


def assert_same_history(one, other, worlds=slice(None)):
    assert len(one) == len(other)
    for step, (mine, others) in enumerate(zip(one, other, strict=True)):
        assert_same(mine, others, f"after {step} steps", worlds)


def test_interpreted_and_compiled_give_the_same_bytes(name, actions, interpreted):
    world = catalogue_world(name)
    assert world.composed.compiled
    assert_same_history(interpreted, rollout(world.batch(FEW), actions[:, :FEW], SEEDS[:FEW]))


@pytest.mark.sampled(5)
def test_programs_do_the_same_however_much_they_are_optimised(
    name, actions, interpreted, tmp_path, monkeypatch
):
    from numba.core import config

    monkeypatch.setattr(config, "OPT", type(config.OPT)(0 if config.OPT else 3))
    monkeypatch.setenv("GRIDARIUM_CACHE_DIR", str(tmp_path))
    world = World(name)
    assert world.composed.compiled
    assert_same_history(interpreted, rollout(world.batch(FEW), actions[:, :FEW], SEEDS[:FEW]))


def test_episodes_begin_in_what_is_compared_and_end_in_most_of_it(name, interpreted):
    assert (interpreted[-1]["data"][:, EPISODE] > 0).all()
    ended = any(moment["terminated"].any() for moment in interpreted[1:])
    assert ended or name in ("KeyDoor-7x7", "TwoAgents-Helper-8x8"), "random agents do not find the key"


def test_a_world_does_not_care_who_else_is_in_its_batch(name, actions, interpreted):
    for i in (0, FEW - 1):
        alone = catalogue_world(name).batch(1)
        history = rollout(alone, actions[:, i : i + 1], [SEEDS[i]], first=i)
        picked = [{key: array[i : i + 1] for key, array in moment.items()} for moment in interpreted]
        assert_same_history(picked, history)


def test_any_number_of_threads_gives_the_same_bytes(name, actions, interpreted):
    world = catalogue_world(name)
    batches = [world.batch(MANY, threads=threads) for threads in (1, 2, 5)]
    for batch in batches:
        batch.reset(SEEDS)
    for step, chosen in enumerate(actions):
        serial, *parallel = [advance(batch, step, chosen) for batch in batches]
        for each in parallel:
            assert_same(serial, each, f"in step {step}")
        assert_same(
            {key: array[:FEW] for key, array in serial.items()}, interpreted[step + 1], f"in step {step}"
        )
    for batch in batches:
        batch.close()


def test_one_state_after_the_other_gives_what_a_batch_gives(name, actions, interpreted):
    world = catalogue_world(name)
    state = world.reset(SEEDS[0])
    for step in range(74):
        moment, following = interpreted[step], interpreted[step + 1]
        parts = [moment[key][0].tobytes() for key in ("cells", "layers", "data", "bodies")]
        assert state.tobytes() == b"".join(parts), f"after {step} steps"
        if state.data[ENDED]:
            state = world.next_episode(state)
            continue
        given = state.tobytes()
        following_state, reward, terminal = world.step(state, actions[step, 0])
        assert state.tobytes() == given, "the given state changes"
        np.testing.assert_array_equal(reward, following["rewards"][0])
        np.testing.assert_array_equal(terminal, following["terminated"][0])
        for key, array in world.arrays(following_state).items():
            np.testing.assert_array_equal(array, following[key][0])
        state = following_state


def test_a_snapshot_leads_to_the_same_future(name, actions):
    world = catalogue_world(name)
    batch, other = world.batch(FEW), world.batch(FEW)
    batch.reset(SEEDS[:FEW])
    other.reset(99)
    for chosen in actions[:150, :FEW]:
        batch.step(chosen)
    snapshot = batch.snapshot()
    first = [everything(batch, batch.step(chosen)) for chosen in actions[150:, :FEW]]
    for again in (batch, other):
        again.restore(snapshot)
        second = [everything(again, again.step(chosen)) for chosen in actions[150:, :FEW]]
        assert_same_history(first, second)


def test_looking_at_a_world_does_not_change_its_future(name, actions, interpreted):
    batch = catalogue_world(name).batch(FEW)
    batch.reset(SEEDS[:FEW])
    for step, chosen in enumerate(actions[:60, :FEW]):
        seen = batch.observe()
        batch.snapshot(), batch.state(0), batch.ended, batch.ticks, repr(batch.state(1))
        batch.state(0).rng.random()
        for key, array in batch.observe().items():
            np.testing.assert_array_equal(array, seen[key])
        assert_same(interpreted[step + 1], advance(batch, step, chosen), f"in step {step}")


def test_an_episode_depends_on_its_key_and_number_alone(name, actions):
    batch, other = catalogue_world(name).batch(2), catalogue_world(name).batch(3)
    batch.reset(5)
    for _ in range(20):
        batch.reset()
    assert batch.episodes.tolist() == [20, 20]
    other.reset(1000)
    other.begin([2, 0], batch.keys, batch.episodes)
    assert other.state(2).identical(batch.state(0))
    assert other.state(0).identical(batch.state(1))
    assert other.episodes.tolist() == [20, 0, 20]


def test_global_random_state_is_neither_read_nor_written():
    world = World("DynamicObstacles-5x5", compiled=False)
    ends = []
    for seed in (1, 2):
        random.seed(seed)
        np.random.seed(seed)
        before = (random.getstate(), np.random.get_state()[1].tobytes())
        batch = world.batch(4)
        batch.reset(3)
        for chosen in random_actions(world, 30, 4):
            batch.step(chosen)
        assert before == (random.getstate(), np.random.get_state()[1].tobytes())
        ends.append(batch.snapshot().cells.tobytes())
    assert ends[0] == ends[1]


def test_another_process_with_another_hash_seed_gives_the_same_bytes():
    code = (
        "from tests.engine.test_determinism import fingerprint_of_a_run; import sys;"
        "print(fingerprint_of_a_run())"
    )
    seen = set()
    for hash_seed in ("1", "2"):
        environment = {
            **__import__("os").environ,
            "PYTHONHASHSEED": hash_seed,
            "PYTHONPATH": ":".join(sys.path),
        }
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        )
        seen.add(done.stdout.strip())
    assert seen == {fingerprint_of_a_run()}


def fingerprint_of_a_run() -> str:
    world = World("MemoryFourRooms-7x7", compiled=False)
    history = rollout(world.batch(3, autoreset=Autoreset.SAME_STEP), random_actions(world, 40, 3), [1, 2, 3])
    digest = hashlib.blake2b()
    for moment in history:
        for key in sorted(moment):
            digest.update(key.encode() + moment[key].tobytes())
    return digest.hexdigest()
