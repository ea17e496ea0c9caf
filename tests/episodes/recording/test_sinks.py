"""A sink that raises costs neither a step nor an episode: it is told at the next call, and what it refused is kept."""

import contextlib

import gymnasium as gym
import numpy as np
import pytest

from gridarium.engine import World
from gridarium.episodes.recording import BatchRecorder, VectorEpisodeRecorder, rollout_buffer
from gridarium.worlds import Description, find
from tests.episodes.recording.sinks import Refuses
from tests.episodes.recording.test_breaking_off import Steps

ACT = np.ones((2, 1))


@pytest.fixture(autouse=True)
def _short_reels(monkeypatch):
    monkeypatch.setattr(rollout_buffer, "MIN_LENGTH", 6)
    monkeypatch.setattr(rollout_buffer, "MAX_LENGTH", 6)


OPEN = []


@pytest.fixture(autouse=True)
def _closed_in_the_end():
    """Older vector environments close themselves when they are forgotten, which may be in another test."""
    yield
    while OPEN:
        with contextlib.suppress(OSError):
            OPEN.pop().close()


def vector_recorder(sink):
    env = VectorEpisodeRecorder(gym.vector.SyncVectorEnv([Steps] * 2), sink=sink)
    OPEN.append(env)
    env.reset(seed=0)
    return env, lambda: env.step(ACT)


def batch_recorder(sink):
    description = Description.from_dict(find("Empty-8x8").to_dict() | {"time_limit": 4})
    recorder = BatchRecorder(World(description, compiled=False).batch(2), sink=sink)
    recorder.reset(seed=0)
    return recorder, lambda: recorder.step(np.ones(2, int))


RECORDERS = pytest.mark.parametrize("make", [vector_recorder, batch_recorder])


def stepped_until_refused(recorder, step):
    """Step as long as nothing is told; how many steps were taken."""
    for steps in range(100):
        try:
            assert len(step()) > 1
        except OSError as error:
            return steps, error
    raise AssertionError("nothing was refused")


@RECORDERS
def test_the_step_is_made_and_the_next_one_tells(make):
    sink = Refuses()
    recorder, step = make(sink)
    steps, error = stepped_until_refused(recorder, step)
    assert steps == 6  # as many as are kept together
    assert "2 episodes" in error.__notes__[0] and "`take` gives it" in error.__notes__[0]
    block = recorder.take(ongoing=True)
    assert block.steps == 2 * (steps - 1)  # one of the steps began the next episodes
    assert [len(episode) for episode in block][:2] == [4, 4]
    assert step() is not None  # it was told, and goes on


@RECORDERS
def test_what_was_refused_is_not_handed_over_again(make):
    sink = Refuses()
    recorder, step = make(sink)
    stepped_until_refused(recorder, step)
    sink.full = False
    for _ in range(6):
        step()
    recorder.flush(ongoing=True)
    refused = recorder.take()
    assert len(refused) == 2
    ids = [*refused.metadata.ids[:], *[i for block in sink.kept for i in block.metadata.ids[:]]]
    assert len(ids) == len(set(ids)) > 3


@RECORDERS
def test_a_reset_and_a_flush_tell_as_well(make):
    sink = Refuses()
    recorder, step = make(sink)
    for _ in range(6):
        step()
    with pytest.raises(OSError, match="the disk is full"):
        recorder.reset(seed=1)
    for _ in range(12):
        recorder._recorder.sink_errors = type(recorder._recorder.sink_errors)()  # somebody looks away
        step()
    with pytest.raises(OSError, match="the disk is full"):
        recorder.flush(ongoing=True)
    sink.full = False
    recorder.flush(ongoing=True)
    assert sink.kept == []
    assert min(recorder.take().lengths) > 0


@RECORDERS
def test_several_refusals_are_told_together(make):
    recorder, step = make(Refuses())
    for _ in range(6):
        step()
    with pytest.raises(OSError, match="the disk is full") as told:
        recorder.flush(ongoing=True)
    assert "the sink has raised 2 times" in told.value.__notes__[-1]
    assert recorder.take().lengths.tolist()[:2] == [4, 4]


@RECORDERS
def test_without_a_sink_a_flush_loses_nothing(make):
    recorder, step = make(None)
    for _ in range(5):
        step()
    recorder.flush()
    recorder.flush()
    assert recorder.take().lengths.tolist() == [4, 4]
    assert len(recorder.take()) == 0


def test_closing_tells_after_the_environments_are_closed():
    env, step = vector_recorder(Refuses())
    step()
    with pytest.raises(OSError, match="the disk is full"):
        env.close()
    assert env.unwrapped.closed
    assert env.take().lengths.tolist() == [1, 1]
    env.close()


def test_what_stops_a_program_is_not_kept_back():
    given = []

    def interrupted(block):
        given.append(block)
        if len(given) == 1:
            raise KeyboardInterrupt

    env, step = vector_recorder(interrupted)
    with pytest.raises(KeyboardInterrupt):
        for _ in range(6):
            step()
    env.close()
