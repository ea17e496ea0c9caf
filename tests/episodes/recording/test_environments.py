"""Recorders for environments: what they record is what single environments do."""

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from gridarium.engine import Autoreset, World
from gridarium.episodes import EpisodeError
from gridarium.episodes.recording import BatchRecorder, EpisodeRecorder, VectorEpisodeRecorder
from gridarium.world import Exit, Floor, Wall
from gridarium.worlds import Description, Spec, find


class Counting(gym.Env):
    """Observes how many steps were taken, perhaps in an array that it uses again; ends after a drawn number of steps."""

    def __init__(self, nested=False, again=False):
        self.again = again
        box = gym.spaces.Box(-np.inf, np.inf, (2,), np.float64)
        self.nested = nested
        self.observation_space = (
            gym.spaces.Dict(a=box, b=gym.spaces.Tuple([gym.spaces.Discrete(99)])) if nested else box
        )
        self.action_space = gym.spaces.Discrete(5)
        self.array = np.zeros(2)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.t, self.length = 0, int(self.np_random.integers(1, 7))
        return self.seen(), {"length": self.length}

    def step(self, action):
        self.t += 1
        over = self.t == self.length
        return (
            self.seen(),
            float(action),
            over and self.length % 2 == 0,
            over and self.length % 2 == 1,
            {"t": self.t},
        )

    def seen(self):
        self.array[:] = self.t, self.length
        array = self.array if self.again else self.array.copy()
        return {"a": array, "b": (self.t,)} if self.nested else array


def check(episode, nested=False):
    """An episode of `Counting` from its first to its last observation."""
    seen = episode.get_observations()
    seen = seen if isinstance(seen, (list, np.ndarray)) else seen["a"]
    if nested and isinstance(seen, list):
        seen = [item["a"] for item in seen]
    length = len(episode)
    assert np.array_equal(np.array(seen), [[t, length] for t in range(length + 1)])
    assert episode.is_terminated == (length % 2 == 0) and episode.is_truncated == (length % 2 == 1)
    assert episode.get_return() == sum(episode.get_actions())


class TestSingle:
    @pytest.mark.parametrize("nested", [False, True])
    def test_episodes_are_whole(self, nested):
        env = EpisodeRecorder(Counting(nested, again=True))
        for k in range(5):
            env.reset(seed=k)
            while not env.episode.is_done:
                env.step(env.action_space.sample(), {"logp": 0.5})
        found = env.take()
        assert len(found) == 5 and env.take() == []
        for k, episode in enumerate(found):
            check(episode, nested)
            episode.validate(spaces=True)
            assert episode.custom_data == {"seed": k} and episode.get_infos(-1) == {"t": len(episode)}
            assert set(episode.get_extra_model_outputs("logp")) == {0.5}

    def test_broken_off_ones_are_truncated(self):
        kept = []
        env = EpisodeRecorder(gym.make("CartPole-v1"), sink=kept.append, infos=False)
        for k in range(2):
            env.reset(seed=k)
            env.step(0)
            env.step(1)
        env.reset()
        env.close()
        assert [(len(e), e.is_truncated, e.is_terminated) for e in kept] == [(2, True, False)] * 2

    def test_chunks_go_on(self):
        env = EpisodeRecorder(gym.make("CartPole-v1"))
        env.reset(seed=0)
        for t in range(6):
            env.step(t % 2)
            if t == 2:
                (first,) = env.take(ongoing=True, lookback=1)
        (second,) = env.take(ongoing=True)
        assert (first.t, second.t_started, second.t, second.rewards.lookback) == (3, 3, 6, 1)
        first.concat_episode(second)
        assert len(first) == 6


class TestVector:
    @pytest.mark.parametrize("mode", AutoresetMode)
    @pytest.mark.parametrize("nested", [False, True])
    def test_final_observations_are_those_of_the_ended_episodes(self, mode, nested):
        inner = gym.vector.SyncVectorEnv([lambda: Counting(nested)] * 4, autoreset_mode=mode)
        env = VectorEpisodeRecorder(inner)
        env.reset(seed=3)
        env.action_space.seed(0)
        for _ in range(40):
            _, _, terminated, truncated, _ = env.step(env.action_space.sample())
            if mode is AutoresetMode.DISABLED and (terminated | truncated).any():
                env.reset(options={"reset_mask": terminated | truncated})
        block = env.take()
        assert len(block) > 20 and block.steps == block.lengths.sum() == block.rows.sum() - len(block)
        for episode in block:
            check(episode, nested)
            episode.validate(spaces=True)
        assert block.returns.tolist() == [episode.get_return() for episode in block]
        env.close()

    @pytest.mark.parametrize("mode", AutoresetMode)
    def test_infos_are_those_of_each_world(self, mode):
        inner = gym.vector.SyncVectorEnv([Counting] * 3, autoreset_mode=mode)
        env = VectorEpisodeRecorder(gym.wrappers.vector.RecordEpisodeStatistics(inner), infos=True)
        env.reset(seed=3)
        over = np.zeros(3, bool)
        for _ in range(30):
            _, _, terminated, truncated, _ = env.step(env.action_space.sample())
            over |= terminated | truncated
            if mode is AutoresetMode.DISABLED and over.any():
                env.reset(options={"reset_mask": over})
            over[:] = False  # the same array, each time
        env.reset()  # breaks off what is going on
        block = env.take()
        assert len(block) > 10
        for episode in block:
            length = len(episode)
            told = episode.get_infos()
            drawn = int(episode.get_observations(0)[1])
            assert told[0]["length"] == drawn and "t" not in told[0]
            assert [info["t"] for info in told[1:]] == list(range(1, length + 1))
            if mode is AutoresetMode.NEXT_STEP and length == drawn:
                assert told[-1]["episode"]["l"] == length

    def test_some_infos_or_none(self):
        for wanted, kept in ((False, {}), (["t"], {"t": 1})):
            env = VectorEpisodeRecorder(gym.vector.SyncVectorEnv([Counting] * 2), infos=wanted)
            env.reset(seed=1)
            for _ in range(3):
                env.step(env.action_space.sample())
            episode = env.take(ongoing=True)[0]
            assert episode.get_infos(0) == {} and episode.get_infos(1) == kept

    def test_a_mode_is_needed(self):
        inner = gym.vector.SyncVectorEnv([Counting])
        inner.metadata = {}
        with pytest.raises(EpisodeError, match="has no autoreset mode"):
            VectorEpisodeRecorder(inner)

    def test_texts_are_refused(self):
        class Words(Counting):
            def __init__(self):
                super().__init__()
                self.action_space = gym.spaces.Text(3)

        with pytest.raises(EpisodeError, match="actions: texts"):
            VectorEpisodeRecorder(gym.vector.SyncVectorEnv([Words]))


@pytest.fixture(scope="module")
def world():
    return World(Description.from_dict(find("Empty-8x8").to_dict() | {"time_limit": 9}), compiled=False)


class TestBatch:
    def test_masks_are_of_the_states_in_which_actions_were_chosen(self):
        batch = World("TicTacToe-2p", compiled=False).batch(2, observers="all")
        recorder = BatchRecorder(batch, masks=True, agents="apart")
        recorder.reset(seed=0)
        seen = []
        for _ in range(5):
            seen.append((batch.turns, np.array(batch.masks)))
            recorder.step(np.tile(batch.masks.argmax(axis=1)[:, None], 2))
        for episode in recorder.take(ongoing=True):
            e, _, agent = map(int, episode.id_.split("-")[1:])
            for mask, (turns, masks) in zip(
                episode.get_extra_model_outputs("action_mask"), seen, strict=True
            ):
                assert mask.tolist() == (masks[e].tolist() if turns[e] == agent else [True] * 9)

    def test_masks_of_a_world_without_legal_rules_are_refused(self, world):
        with pytest.raises(EpisodeError, match="no legal rules"):
            BatchRecorder(world.batch(2), masks=True)

    @pytest.mark.parametrize("mode", Autoreset)
    def test_they_are_what_single_worlds_do(self, world, mode):
        recorder = BatchRecorder(world.batch(3, autoreset=mode), results=True)
        luck = np.random.default_rng(1)
        recorder.reset(seed=5)
        for _ in range(32):
            result = recorder.step(luck.integers(0, len(world.actions), 3))
            if mode is Autoreset.DISABLED and recorder.batch.ended.any():
                recorder.reset(mask=recorder.batch.ended)
        assert result.ticks.shape == (3,)
        block = recorder.take()
        assert len(block) >= 9
        for episode in block:
            episode.validate(spaces=True)
            _, index, number = episode.id_.split("-")
            alone = world.batch(1, autoreset=Autoreset.DISABLED)
            seen = [alone.reset(5 + int(index))]
            for _ in range(int(number)):
                seen = [alone.reset()]
            results = []
            for action in episode.get_actions():
                step = alone.step([int(action)])
                seen.append(step.observations)
                results.append(int(step.results[0]))
            for name, array in episode.get_observations().items():
                assert np.array_equal(array, [one[name][0] for one in seen])
            assert bool(alone.ended[0]) and episode.is_done
            assert episode.get_extra_model_outputs("result").tolist() == results

    def test_what_a_step_returns_is_the_record_and_cannot_be_written_to(self, world):
        recorder = BatchRecorder(world.batch(3))
        recorder.reset(seed=1)
        luck, seen, earned = np.random.default_rng(0), [], []
        for _ in range(40):
            result = recorder.step(luck.integers(0, len(world.actions), 3))
            seen.append(result.observations["grid"])
            earned.append(result.rewards)
        with pytest.raises(ValueError, match="read-only"):
            seen[0][:] = 0
        block = recorder.take()
        first = next(e for e in block if e.id_.endswith("-1-0"))
        assert np.array_equal(
            first.get_observations(slice(1, None))["grid"], [g[1] for g in seen[: len(first)]]
        )
        assert first.get_rewards().tolist() == [r[1] for r in earned[: len(first)]]
        held = [g.copy() for g in seen]
        for _ in range(40):  # memory that somebody looks at is not used again
            recorder.step(luck.integers(0, len(world.actions), 3))
            recorder.take(ongoing=True)
        assert all(np.array_equal(a, b) for a, b in zip(seen, held, strict=True))

    def test_bad_extras_step_nothing(self, world):
        recorder = BatchRecorder(world.batch(2))
        with pytest.raises(EpisodeError, match="reset the environment"):
            recorder.step([0, 0])
        recorder.reset(0)
        for wrong in (np.zeros(3), 0.5, np.zeros((1, 2))):
            with pytest.raises(EpisodeError, match="extras.logp: 2 items are needed"):
                recorder.step([0, 0], {"logp": wrong})
        recorder.step([0, 0], {"logp": np.zeros(2)})
        with pytest.raises(EpisodeError, match="logp"):
            recorder.step([0, 0])
        with pytest.raises(EpisodeError, match="extras.logp: 2 items are needed"):
            recorder.step([0, 0], {"logp": np.zeros(1)})
        assert recorder.batch.ticks.tolist() == [1, 1]

    def test_worlds_that_are_under_way_go_on_as_chunks(self, world):
        batch = world.batch(2)
        batch.reset(0)
        batch.step([0, 0])
        recorder = BatchRecorder(batch)
        for _ in range(3):
            recorder.step([0, 0])
        block = recorder.take(ongoing=True)
        assert block.metadata.t_started.tolist() == [1, 1] and block.lengths.tolist() == [3, 3]

    @pytest.mark.parametrize("wrong", [[99, 0], [0], [0.5, 0]])
    def test_a_step_that_is_refused_leaves_no_trace(self, world, wrong):
        recorder = BatchRecorder(world.batch(2))
        recorder.reset(0)
        recorder.step([0, 0])
        with pytest.raises((ValueError, TypeError)):
            recorder.step(wrong)
        recorder.step([0, 0])
        block = recorder.take(ongoing=True)
        assert block.lengths.tolist() == [2, 2] and not block.metadata.truncated.any()

    def test_a_rule_that_fails_breaks_episodes_off_and_loses_none(self):
        def trip(state, action):
            if state.tick == 1:
                raise ValueError("tripped")

        given = {
            "objects": [Floor, Exit, Wall],
            "actions": ["LEFT"],
            "reset": "empty",
            "rewards": ["reach_exit"],
        }
        world = World(
            Spec.build(name="Trap", shape=(4, 4), transitions=[trip], observation="full_grid", **given),
            compiled=False,
        )
        recorder = BatchRecorder(world.batch(2))
        recorder.reset(0)
        recorder.step([0, 0])
        with pytest.raises(ValueError, match="tripped"):
            recorder.step([0, 0])
        block = recorder.take(ongoing=True)
        assert block.lengths.tolist() == [1, 1] and block.metadata.truncated.tolist() == [True, True]

    def test_agents_apart_have_episodes_of_their_own(self):
        several = World(
            Description.from_dict(find("TwoAgents-Empty-8x8").to_dict() | {"time_limit": 6}), compiled=False
        )
        recorder = BatchRecorder(several.batch(2, autoreset=Autoreset.SAME_STEP), agents="apart")
        recorder.reset(0)
        for _ in range(13):
            recorder.step(np.zeros((2, 2), int))
        block = recorder.take()
        assert len(block) == 8 and set(block.metadata.agents) == set(several.spec.agent_names)
        assert len(set(block.metadata.groups[:])) == 4 and len(set(block.metadata.ids[:])) == 8
        assert all(len(episode) == 6 and episode.is_truncated for episode in block)
