"""One world stepped over and over: what environments are made of."""

import ctypes
import dataclasses
import functools
import pickle

import numpy as np
import pytest

from gridarium import World
from gridarium.compiled import compiled_program
from gridarium.compiled.numba_backend import machine_code
from gridarium.engine import Autoreset
from gridarium.engine.kernel_args import Mode
from gridarium.engine.single_world import SingleWorld
from gridarium.rules.observation_functions import full_grid
from tests.engine.worlds import REWARD, ZERO, catalogue_world, random_actions, troubled_world


@pytest.fixture(params=["interpreted", "compiled", "compiled, without C"])
def composed(request, monkeypatch):
    if request.param == "compiled, without C":
        monkeypatch.setattr(machine_code, "CompiledProgram", compiled_program.ProgramByCtypes)
        return troubled_world.__wrapped__(compiled=True).composed  # not one that has its program already
    return troubled_world(compiled=request.param != "interpreted").composed


@pytest.fixture(scope="module")
def calm():
    return catalogue_world("KeyDoor-7x7", compiled=False).composed


def test_a_single_world_does_what_a_batch_of_one_does(composed):
    single = SingleWorld(composed)
    batch = troubled_world(compiled=False).batch(1, autoreset=Autoreset.DISABLED)
    for episode in range(6):
        seed = 4 if episode in (0, 3) else None
        for name, array in single.reset(seed).items():
            np.testing.assert_array_equal(array, batch.reset(seed)[name][0] if name == "grid" else array)
        over = False
        for action in random_actions(troubled_world(compiled=False), 7, 1, seed=episode)[:, 0]:
            observation, reward, terminated, truncated = single.step(int(action))
            result = batch.step([action])
            assert (type(reward), type(terminated), type(truncated)) == (float, bool, bool)
            assert (reward, terminated, truncated) == (
                result.rewards[0],
                result.terminated[0],
                result.truncated[0],
            )
            for name, array in observation.items():
                np.testing.assert_array_equal(array, result.observations[name][0])
            assert single.state.identical(batch.state(0))
            assert single.tick == batch.ticks[0]
            assert single.result == result.results[0]
            over = terminated or truncated
            if over:
                break
        assert over


@pytest.mark.parametrize("composed", ["compiled", "compiled, without C"], indirect=True)
def test_a_program_takes_whole_numbers_and_tells_that_a_rule_raised(composed):
    single = SingleWorld(composed)
    single.reset(0)
    batch = single.batch
    program, frame_address = composed.prepare(), batch.memory.frame_address
    assert type(program) is machine_code.CompiledProgram
    call = program.with_frame(frame_address)
    assert call(0, 1, int(Mode.OBSERVE)) == program(frame_address, 0, 0, 1, int(Mode.OBSERVE)) == 0
    in_c = type(program) is not compiled_program.ProgramByCtypes
    for run in (call, functools.partial(program, frame_address, 0)):
        for given in ((0, 1), (0, 1, "2"), (0, 1, 2.0), (0, 1, 2, 3)):
            with pytest.raises(TypeError if in_c else (TypeError, ctypes.ArgumentError)):
                run(*given)
        if in_c:  # ctypes takes the lowest 64 bits
            with pytest.raises(OverflowError):
                run(0, 1, 2**64)
        with pytest.raises(TypeError):
            run(0, 1, mode=2)
        single.reset(0)
        single.view.trouble = ZERO
        with pytest.raises(RuntimeError, match="a rule raised an exception"):
            run(0, 1, int(Mode.STEP))


def test_an_exception_keeps_its_cause():
    single = SingleWorld(troubled_world(compiled=True).composed)
    single.reset(0)
    single.view.trouble = REWARD
    with pytest.raises(KeyError, match="reward") as caught:
        single.step(0)
    assert isinstance(caught.value.__cause__, LookupError)


def test_several_agents_are_stepped_together():
    world = catalogue_world("TwoAgents-DoorKey-8x8", compiled=False)
    single, batch = SingleWorld(world.composed), world.batch(1, autoreset=Autoreset.DISABLED)
    single.reset(1), batch.reset(1)
    for chosen in random_actions(world, 30, 1):
        observation, rewards, terminated, truncated = single.step_all(chosen[0])
        result = batch.step(chosen)
        np.testing.assert_array_equal(rewards, result.rewards[0])
        np.testing.assert_array_equal(terminated, result.terminated[0])
        np.testing.assert_array_equal(truncated, result.truncated[0])
        for name, array in observation.items():
            np.testing.assert_array_equal(array, result.observations[name][0])
    with pytest.raises(ValueError, match="one action for each agent is needed, 2 in all"):
        single.step_all([0])


def test_observations_are_fresh_unless_they_are_shared(composed):
    for shared in (False, True):
        single = SingleWorld(composed, shared=shared)
        first = single.reset(0)
        second = single.step(1)[0]
        assert all(np.shares_memory(first[name], second[name]) == shared for name in first)


@pytest.mark.parametrize(
    ("action", "error"),
    [
        (3, ValueError),
        (-1, ValueError),
        (1.0, TypeError),
        (np.nan, TypeError),
        ("1", TypeError),
        (None, TypeError),
        ([1], TypeError),
    ],
)
def test_what_is_no_action_changes_nothing(composed, action, error):
    single = SingleWorld(composed)
    single.reset(0)
    before = single.state
    with pytest.raises(error, match=r"^(an )?action "):
        single.step(action)
    assert single.state.identical(before)
    single.step(np.int64(1))


def test_before_the_first_reset_and_after_the_end_there_is_nothing_to_step(composed):
    single = SingleWorld(composed)
    with pytest.raises(RuntimeError, match="reset the world before stepping it"):
        single.step(1)
    with pytest.raises(RuntimeError, match="no state before the first reset"):
        _ = single.state
    single.reset(0)
    for _ in range(7):
        truncated = single.step(1)[3]
    assert truncated
    before = single.state
    with pytest.raises(RuntimeError, match="the episode is over"):
        single.step(1)
    assert single.state.identical(before)
    single.reset()
    single.step(1)


def test_a_seed_that_is_none_changes_nothing(composed):
    single = SingleWorld(composed)
    single.reset(0)
    before = single.state
    for seed, error in ((-1, ValueError), (True, TypeError), (0.5, TypeError)):
        with pytest.raises(error):
            single.reset(seed)
        assert single.state.identical(before)


def test_states_and_snapshots_can_be_put_in(composed):
    single, other = SingleWorld(composed), SingleWorld(composed)
    single.reset(0)
    single.step(1)
    snapshot, state = single.snapshot(), single.state
    future = [single.step(action)[1] for action in (0, 1, 2, 0)]
    other.restore(snapshot)
    assert [other.step(action)[1] for action in (0, 1, 2, 0)] == future
    other.state = state
    assert [other.step(action)[1] for action in (0, 1, 2, 0)] == future
    third = pickle.loads(pickle.dumps(single))
    assert third.state.identical(single.state)


def test_looking_changes_nothing(composed):
    single = SingleWorld(composed)
    first = single.reset(0)
    before = single.state
    for name, array in single.observe().items():
        np.testing.assert_array_equal(array, first[name])
    assert single.state.identical(before)


def test_a_game_is_played_move_by_move_as_by_steps_of_all_agents() -> None:
    fast, slow = (SingleWorld(World("TicTacToe-2p", compiled=False).composed) for _ in range(2))
    rng = np.random.default_rng(0)
    for seed in range(5):
        fast.reset(seed), slow.reset(seed)
        over = False
        while not over:
            legal = fast.legal
            assert legal == tuple(np.flatnonzero(slow.action_masks[slow.turn]))
            action = int(rng.choice(legal))
            over = fast.act(action)
            *_, terminated, _ = slow.step_all([action, action])
            assert fast.state.identical(slow.state)
            assert over == terminated.all() == fast.ended
        before = fast.state
        fast.act(0)
        assert fast.state.identical(before)  # nothing happens after the end


def test_a_move_that_cannot_be_is_refused() -> None:
    world = SingleWorld(World("TicTacToe-2p", compiled=False).composed)
    with pytest.raises(RuntimeError, match="reset the world"):
        world.act(0)
    world.reset(0)
    with pytest.raises(ValueError, match="action 9 is not among this world's 9 actions"):
        world.act(9)
    together = SingleWorld(World("Tron-15x15-2p", compiled=False).composed)
    together.reset(0)
    with pytest.raises(RuntimeError, match="do not act one after another"):
        together.act(0)


def test_nobody_observes_a_move_that_is_made_without_looking() -> None:
    def look(state):  # type: ignore[no-untyped-def]
        if state.tick > 0:
            raise ValueError("nobody looks")
        return full_grid(state)

    spec = dataclasses.replace(World("TicTacToe-2p", compiled=False).spec, observation=look)
    world = SingleWorld(World(spec, compiled=False).composed)
    world.reset(0)
    world.act(0)
    with pytest.raises(ValueError, match="nobody looks"):
        world.observe()
    assert world.state.tick == 1
