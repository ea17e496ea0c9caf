"""Where episodes are broken off: each counts as truncated, and none has a step missing."""

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from gridarium.engine import World
from gridarium.episodes import EpisodeError
from gridarium.episodes.disk import EpisodeDataset, EpisodeWriter
from gridarium.episodes.recording import (
    BatchRecorder,
    EpisodeRecorder,
    ParallelEpisodeRecorder,
    VectorEpisodeRecorder,
)

BOX = gym.spaces.Box(-1e3, 1e3, (1,), np.float32)


class Steps(gym.Env):
    """Observes how many steps were taken, and ends after four."""

    observation_space = action_space = BOX

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.t = 0
        return np.array([0], np.float32), {}

    def step(self, action):
        self.t += 1
        return np.array([self.t], np.float32), float(action[0]), False, self.t == 4, {}


class Faulty(gym.vector.VectorWrapper):
    """Does to the result of one step or reset what it is told to."""

    fault = None

    def reset(self, **given):
        return self._spoilt(self.env.reset(**given))

    def step(self, actions):
        return self._spoilt(self.env.step(actions))

    def _spoilt(self, result):
        fault, self.fault = self.fault, None
        return result if fault is None else fault(result)


def _raises(result):
    raise OSError("lost")


FAULTS = {
    "it raises": _raises,
    "observations of another shape": lambda result: (np.zeros((2, 3)), *result[1:]),
    "too few observations": lambda result: (result[0][:1], *result[1:]),
    "rewards of another shape": lambda result: (result[0], np.zeros((2, 1)), *result[2:]),
    "too few flags": lambda result: (*result[:2], result[2][:1], *result[3:]),
    "flags of another shape": lambda result: (*result[:3], result[3][:, None], result[4]),
    "too few values": lambda result: result[:4],
}


def _vector(mode=AutoresetMode.NEXT_STEP, **given):
    faulty = Faulty(gym.vector.SyncVectorEnv([Steps] * 2, autoreset_mode=mode))
    return VectorEpisodeRecorder(faulty, **given), faulty


def _facts(block):
    """Of each episode its first step, its steps, and how it ended."""
    metadata = zip(block.metadata.t_started, block.lengths, block.metadata.truncated, strict=True)
    return [(int(first), int(steps), bool(truncated)) for first, steps, truncated in metadata]


def _whole(block):
    """Whether no episode has a step missing."""
    seen = (e.get_observations()[:, 0].tolist() for e in block)
    return all(steps == list(range(len(steps))) for steps in seen)


@pytest.mark.parametrize("change", ["step", "reset"])
@pytest.mark.parametrize("recorded_first", [False, True])
def test_ctrl_c_between_a_step_of_a_batch_and_its_recording(change, recorded_first, monkeypatch):
    recorder = BatchRecorder(World("KeyDoor-5x5", compiled=False).batch(3))
    turning = [4] * 3
    recorder.reset(0)
    recorder.step(turning)
    name = f"record_{change}"
    record = getattr(recorder._recorder, name)

    def interrupted(*given, **options):
        if recorded_first:
            record(*given, **options)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(recorder._recorder, name, interrupted)
        with pytest.raises(KeyboardInterrupt):
            recorder.step(turning) if change == "step" else recorder.reset(1)
    for _ in range(2):
        recorder.step(turning)
    recorder.reset(2)
    counted = {"step": {(0, 1 + recorded_first, True), (2, 2, True)}, "reset": {(0, 1, True), (0, 2, True)}}
    assert set(_facts(recorder.take())) - {(0, 0, True)} == counted[change]


class TestActions:
    @pytest.mark.parametrize("kind", [np.float64, np.float16, np.int64, np.uint8, np.bool_])
    def test_numbers_of_any_type_are_recorded_in_that_of_the_space(self, kind):
        env, _ = _vector()
        env.reset(seed=0)
        for given in (np.ones((2, 1), kind), np.zeros((2, 1), np.float32), [[1], [0.5]]):
            env.step(given)
        block = env.take(ongoing=True)
        assert block[1].get_actions().dtype == np.float32
        assert block[1].get_actions()[:, 0].tolist() == [1.0, 0.0, 0.5]

    @pytest.mark.parametrize(
        "wrong",
        [
            np.full((2, 1), 1e300),
            np.zeros((1, 1)),
            np.zeros(2),
            {"a": np.zeros((2, 1))},
            np.zeros((2, 1), complex),
        ],
    )
    def test_others_are_refused_before_the_step(self, wrong):
        env, _ = _vector()
        env.reset(seed=0)
        env.step(np.ones((2, 1)))
        with pytest.raises(EpisodeError, match="actions"):
            env.step(wrong)
        env.step(np.ones((2, 1)))
        block = env.take(ongoing=True)
        assert [one.t for one in env.env.env.envs] == [2, 2]
        assert _facts(block) == [(0, 2, False)] * 2 and _whole(block)

    def test_floats_are_no_choices(self):
        env = VectorEpisodeRecorder(gym.make_vec("CartPole-v1", num_envs=2, vectorization_mode="sync"))
        env.reset(seed=0)
        with pytest.raises(EpisodeError, match="actions: values of type float64 do not fit"):
            env.step(np.zeros(2))


class TestFaults:
    @pytest.mark.sampled(3)
    @pytest.mark.parametrize("mode", AutoresetMode)
    @pytest.mark.parametrize("fault", FAULTS)
    @pytest.mark.parametrize("before", [0, 1, 3, 4])
    def test_a_step_that_cannot_be_recorded_breaks_off(self, mode, fault, before):
        env, faulty = _vector(mode)
        env.reset(seed=0)
        act = np.ones((2, 1))

        def step():
            over = np.logical_or(*env.step(act)[2:4])
            if mode is AutoresetMode.DISABLED and over.any():
                env.reset(options={"reset_mask": over})

        for _ in range(before):
            step()
        faulty.fault = FAULTS[fault]
        with pytest.raises((EpisodeError, OSError, TypeError)):
            step()
        if mode is AutoresetMode.DISABLED:
            env.reset()
        for _ in range(12):
            step()
        block = env.take(ongoing=True)
        assert _whole(block) and len(block) > 2
        assert {steps for _, steps, done in _facts(block) if done} <= {before, 4}
        assert sum(steps == before for _, steps, _ in _facts(block)) >= (2 if before else 0)

    def test_a_reset_that_cannot_be_recorded_breaks_off(self):
        env, faulty = _vector()
        env.reset(seed=0)
        env.step(np.ones((2, 1)))
        faulty.fault = lambda result: (np.zeros((2, 3)), *result[1:])
        with pytest.raises(EpisodeError, match="observations"):
            env.reset()
        env.step(np.ones((2, 1)))
        assert _facts(env.take(ongoing=True)) == [(0, 1, True)] * 2


class TestClosing:
    @pytest.mark.parametrize("mode", AutoresetMode)
    def test_what_is_going_on_goes_to_the_sink(self, mode):
        kept = []
        env, _ = _vector(mode, sink=kept.append)
        env.reset(seed=0)
        for _ in range(3):
            env.step(np.ones((2, 1)))
        env.close()
        assert [_facts(block) for block in kept] == [[(0, 3, True)] * 2]

    def test_or_waits_to_be_taken(self):
        env, _ = _vector()
        env.reset(seed=0)
        env.step(np.ones((2, 1)))
        env.close()
        assert _facts(env.take()) == [(0, 1, True)] * 2

    def test_nothing_is_given_where_nothing_was_done(self):
        for begun in (False, True):
            kept = []
            env, _ = _vector(sink=kept.append)
            if begun:
                env.reset()
            env.close()
            assert kept == []


class TestAfterTaking:
    """An episode of which all was taken while it went on is told to be truncated by a last chunk without a step."""

    @pytest.mark.parametrize("lookback", [0, 1])
    @pytest.mark.parametrize("end", ["reset", "close"])
    def test_of_one_environment(self, lookback, end, tmp_path):
        env = EpisodeRecorder(Steps())
        env.reset(seed=0)
        for _ in range(2):
            env.step(np.ones(1, np.float32))
        found = env.take(ongoing=True, lookback=lookback) + env.take(ongoing=True)
        getattr(env, end)()
        found += env.take()
        assert [(len(e), e.t_started, e.is_truncated) for e in found] == [(2, 0, False), (0, 2, True)]
        self._kept(found, tmp_path)

    @pytest.mark.parametrize("lookback", [0, 1])
    @pytest.mark.parametrize("end", ["reset", "close"])
    def test_of_vectors(self, lookback, end, tmp_path):
        env, _ = _vector()
        env.reset(seed=0)
        for _ in range(2):
            env.step(np.ones((2, 1)))
        first = env.take(ongoing=True, lookback=lookback)
        getattr(env, end)()
        second = env.take()
        assert _facts(first) == [(0, 2, False)] * 2 and _facts(second) == [(2, 0, True)] * 2
        assert first.metadata.ids[:] == second.metadata.ids[:] and second.returns.tolist() == [0, 0]
        assert second.metadata.lookback.tolist() == [lookback] * 2
        self._kept([first[0], second[0]], tmp_path / "objects")
        self._kept([first, second], tmp_path / "blocks")

    @pytest.mark.parametrize("agents", ["together", "apart"])
    def test_of_batches_of_several_agents(self, agents, tmp_path):
        batch = World("TwoAgents-Empty-8x8", compiled=False).batch(2)
        recorder = BatchRecorder(batch, agents=agents)
        recorder.reset(0)
        for _ in range(3):
            recorder.step(np.zeros((2, 2), int))
        first = recorder.take(ongoing=True)
        recorder.reset(1)
        second = recorder.take()
        assert second.lengths.tolist() == [0] * len(first)
        assert all(episode.is_truncated and not episode.is_terminated for episode in second)
        self._kept([first, second], tmp_path, agents=2 if agents == "together" else 1)

    def test_of_parallel_environments(self, tmp_path):
        pytest.importorskip("pettingzoo")
        from gridarium.env import parallel_env

        env = ParallelEpisodeRecorder(parallel_env("TwoAgents-Empty-8x8", compiled=False))
        env.reset(seed=0)
        for _ in range(2):
            env.step(dict.fromkeys(env.agents, 0))
        found = env.take(ongoing=True)
        env.reset(seed=1)
        found += env.take()
        env.close()
        assert [(len(e), e.is_truncated) for e in found] == [(2, False), (0, True)]
        self._kept(found, tmp_path, agents=2)

    def test_but_not_where_it_had_ended(self):
        env = EpisodeRecorder(Steps())
        env.reset(seed=0)
        for t in range(4):
            env.step(np.ones(1, np.float32))
            if t == 1:
                env.take(ongoing=True)
        env.reset()
        env.close()
        assert [(len(e), e.is_truncated) for e in env.take()] == [(2, True)]

    def _kept(self, found, folder, agents=1):
        """On disk the chunks make one episode that was truncated."""
        with EpisodeWriter(folder) as writer:
            for one in found:
                writer.add(one)
        data = EpisodeDataset(folder)
        whole = data.find(data[0].id_)
        assert whole.is_truncated and len(whole) == len(data[0]) > 0
        batches = list(data.batches(2, seed=0))
        assert sum(len(batch["rewards"]) for batch in batches) == data.steps * agents
