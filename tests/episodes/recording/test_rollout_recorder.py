"""Many tracks at once give the episodes that recording each by itself would give."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridarium.episodes import EpisodeError, SingleAgentEpisode
from gridarium.episodes.recording import rollout_buffer, rollout_recorder
from gridarium.episodes.recording.schema import Column, EpisodeSchema

FORM = EpisodeSchema({"n": Column(np.dtype(np.int64), (2,))}, Column(np.dtype(np.uint8), ()), {})


class Slow:
    """One track, an object for each episode."""

    def __init__(self):
        self.ended, self.going = [], None

    def begin(self, seen):
        self.break_off()
        self.going = SingleAgentEpisode()
        self.going.add_env_reset(seen)

    def break_off(self):
        if self.going is not None and (len(self.going) or self.going.t_started):
            self.going.is_truncated = True
            self.ended.append(self.going)
        self.going = None

    def step(self, seen, action, reward, terminated, truncated):
        if self.going is None:
            return
        self.going.add_env_step(seen, action, reward, terminated=terminated, truncated=truncated)
        if terminated or truncated:
            self.ended.append(self.going)
            self.going = None

    def cut(self, lookback):
        if self.going is not None and len(self.going):
            self.ended.append(self.going)
            self.going = self.going.cut(lookback)


@settings(max_examples=80, deadline=None)
@given(
    data=st.data(),
    n=st.integers(1, 4),
    slots=st.integers(1, 7),
    mode=st.sampled_from(["next", "same", "off"]),
)
def test_they_agree_with_recording_each_by_itself(data, n, slots, mode):
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(rollout_buffer, "MIN_LENGTH", slots)
        patched.setattr(rollout_buffer, "MAX_LENGTH", slots)
        luck = np.random.default_rng(data.draw(st.integers(0, 1000)))
        _compare(luck, n, mode, steps=data.draw(st.integers(1, 40)))


def _compare(luck, n, mode, steps):
    fast, slow = rollout_recorder.RolloutRecorder(FORM, n), [Slow() for _ in range(n)]
    found, wanted = [], []

    def shown():
        return {"observations.n": luck.integers(0, 1 << 40, (n, 2))}

    seen = shown()
    fast.begin(seen)
    for k, one in enumerate(slow):
        one.begin({"n": seen["observations.n"][k]})
    over = np.zeros(n, bool)
    for _ in range(steps):
        begun = over if mode == "next" else np.zeros(n, bool)
        actions, rewards = luck.integers(0, 9, n), luck.normal(size=n)
        terminated = (luck.random(n) < 0.15) & ~begun
        truncated = (luck.random(n) < 0.1) & ~begun & ~terminated
        seen, last = shown(), shown()
        over = terminated | truncated
        renewed = {"next": begun, "same": over, "off": None}[mode]
        fast.step(
            {"actions": actions, "rewards": rewards},
            seen,
            terminated,
            truncated,
            renewed,
            last if mode == "same" else None,
        )
        for k, one in enumerate(slow):
            final = (last if mode == "same" and over[k] else seen)["observations.n"][k]
            one.step(
                {"n": final}, int(actions[k]), float(rewards[k]), bool(terminated[k]), bool(truncated[k])
            )
            if renewed is not None and renewed[k]:
                one.begin({"n": seen["observations.n"][k]})
        resets = luck.random(n) < 0.05
        if mode == "off":
            resets |= over
        if resets.any():
            again = shown()
            fast.begin(again, resets)
            over = over & ~resets
            for k in np.flatnonzero(resets):
                slow[k].begin({"n": again["observations.n"][k]})
        if luck.random() < 0.03:
            fast.break_off()
            for one in slow:
                one.break_off()
        if luck.random() < 0.2:
            ongoing, lookback = luck.random() < 0.5, int(luck.integers(0, 4))
            found += fast.take(ongoing=ongoing, lookback=lookback)
            for one in slow:
                if ongoing:
                    one.cut(lookback)
                wanted += one.ended
                one.ended = []
    found += fast.take(ongoing=True)
    for one in slow:
        one.cut(0)
        wanted += one.ended
    _same(found, wanted)


def _same(found, wanted):
    def told(episode):
        episode = SingleAgentEpisode.from_state(episode.get_state())
        parts = [b.data["n"] if b.finalized else [x["n"] for x in b.data] for b in [episode.observations]]
        actions, rewards = list(episode.actions.data), list(episode.rewards.data)
        flags = (
            episode.is_terminated,
            episode.is_truncated,
            episode.t_started,
            episode.t,
            episode.rewards.lookback,
        )
        return (np.array(parts[0]).tolist(), [int(a) for a in actions], [float(r) for r in rewards], flags)

    assert sorted(map(told, found)) == sorted(map(told, wanted))
    names = [(e.id_, e.t_started) for e in found]
    assert len(set(names)) == len(names)


def test_a_sink_gets_what_has_ended_in_blocks(monkeypatch):
    monkeypatch.setattr(rollout_buffer, "MIN_LENGTH", 4)
    monkeypatch.setattr(rollout_buffer, "MAX_LENGTH", 4)
    blocks = []
    fast = rollout_recorder.RolloutRecorder(FORM, 2, sink=blocks.append)
    seen = {"observations.n": np.zeros((2, 2), int)}
    fast.begin(seen)
    on, off = np.ones(2, bool), np.zeros(2, bool)
    for _ in range(10):
        fast.step({"actions": [0, 1], "rewards": [1.0, 2.0]}, seen, on, off, on, seen)
    fast.flush()
    assert [len(block) for block in blocks] == [8, 8, 4]
    assert [r for block in blocks for r in block.returns.tolist()] == [1.0, 2.0] * 10


def test_extras_are_the_same_in_every_step():
    fast = rollout_recorder.RolloutRecorder(FORM, 2)
    seen, off = {"observations.n": np.zeros((2, 2), int)}, np.zeros(2, bool)
    with pytest.raises(EpisodeError, match="reset the environment"):
        fast.step({}, seen, off, off)
    with pytest.raises(EpisodeError, match="reset the environment"):
        fast.extras({})
    fast.begin(seen)

    def step(logp):
        outputs = fast.extras({"logp": np.array(logp, np.float32)})
        fast.step({"actions": [0, 1], "rewards": [1.0, 2.0], **outputs}, seen, off, off)

    step([0.5, 0.25])
    with pytest.raises(EpisodeError, match=r"the extras \[\]: at the first step there were logp"):
        fast.extras({})
    with pytest.raises(EpisodeError, match=r"extras.logp: items have the shape \(1,\)"):
        step([[0.0], [0.0]])
    step([1.5, 1.25])
    block = fast.take(ongoing=True)
    assert block[1].get_extra_model_outputs("logp").tolist() == [0.25, 1.25]
    with pytest.raises(EpisodeError, match="0 or more"):
        fast.take(ongoing=True, lookback=-1)


def test_memory_is_used_again_only_when_nobody_looks():
    pool, forms = rollout_buffer.segment_pool(), [((64,), np.dtype(np.uint8))]
    (first,) = pool.get(forms).arrays
    view = first[3:5]
    place = first.ctypes.data
    del first
    assert pool.get(forms).arrays[0].ctypes.data != place
    del view
    held = [pool.get(forms).arrays[0] for _ in range(2)]
    assert place in {memory.ctypes.data for memory in held}


def test_long_tracks_do_not_hold_the_rows_of_short_ones(monkeypatch):
    monkeypatch.setattr(rollout_buffer, "MIN_LENGTH", 8)
    monkeypatch.setattr(rollout_buffer, "MAX_LENGTH", 8)
    n = 64
    fast = rollout_recorder.RolloutRecorder(FORM, n)
    seen, off = {"observations.n": np.zeros((n, 2), int)}, np.zeros(n, bool)
    short = np.arange(n) > 0
    fast.begin(seen)
    for _ in range(80):
        fast.step({"actions": np.zeros(n, int), "rewards": np.zeros(n)}, seen, short, off, short, seen)
        fast.take()
    rows = sum(len(segment.rows["rewards"]) for segment in fast._rollout.segments)
    assert len(fast._rollout.segments) == 11 and rows < 11 * 8 * n / 4
