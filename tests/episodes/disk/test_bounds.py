"""A writer refuses what lies outside the declared spaces, and keeps nothing of it."""

import gymnasium as gym
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from gridarium.engine import World
from gridarium.episodes import EpisodeError, MultiAgentEpisode, SingleAgentEpisode
from gridarium.episodes.buffer.spaces import SpaceBounds
from gridarium.episodes.disk import EpisodeDataset, EpisodeWriter
from gridarium.episodes.recording import BatchRecorder, block_of

spaces = gym.spaces
SEEN = spaces.Dict(
    view=spaces.Box(0, 9, (2, 2), np.uint8),
    pose=spaces.Tuple([spaces.Box(-1.0, np.array([1.0, 2.0], np.float32), dtype=np.float32)]),
    word=spaces.Text(3, min_length=0, charset="ab"),
)


def episode(name="walk", steps=4, **options):
    """Everything lies inside."""
    made = SingleAgentEpisode(
        name, observation_space=SEEN, action_space=spaces.Discrete(3, start=1), **options
    )
    made.add_env_reset(observation())
    for t in range(steps):
        made.add_env_step(observation(), 1 + t % 3, 0.0, truncated=t == steps - 1)
    return made


def observation(view=5, pose=(0.5, 1.5), word="ab"):
    return {
        "view": np.full((2, 2), view, np.uint8),
        "pose": (np.array(pose, np.float32),),
        "word": word,
    }


def test_what_lies_inside_is_written_also_where_zero_is_no_action(tmp_path):
    with EpisodeWriter(tmp_path) as writer:
        writer.add([episode("a"), episode("b").to_numpy(), episode("c", steps=0)])
    assert [e.id_ for e in EpisodeDataset(tmp_path)] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"view": 10}, r"observations\.view at step 3, entry \(0, 0\): 10 is outside Box"),
        ({"pose": (0.5, 2.5)}, r"observations\.pose\.0 at step 3, entry \(1,\): 2\.5 is outside Box"),
        ({"pose": (0.5, np.nan)}, r"entry \(1,\): nan is outside Box"),
        ({"word": "abc"}, r"observations\.word at step 3: 'abc' is outside Text"),
    ],
)
@pytest.mark.parametrize("numpy", [False, True])
def test_an_observation_outside_its_space_is_named(tmp_path, wrong, told, numpy):
    odd = episode("odd")
    odd.set_observations(new_data=observation(**wrong), at_indices=3)
    if numpy:
        odd.to_numpy()
    with EpisodeWriter(tmp_path) as writer:
        writer.add(episode("first"))
        with pytest.raises(EpisodeError, match=r"episode odd: .*" + told):
            writer.add([episode("second"), odd])
    assert [e.id_ for e in EpisodeDataset(tmp_path)] == ["first"]


def test_an_action_outside_its_space_is_named(tmp_path):
    odd = episode("odd")
    odd.set_actions(new_data=0, at_indices=2)
    with (
        EpisodeWriter(tmp_path) as writer,
        pytest.raises(EpisodeError, match=r"odd: actions at step 2: 0 is outside Discrete\(3, start=1\)"),
    ):
        writer.add(odd)


def test_steps_are_counted_after_the_lookback(tmp_path):
    odd = episode("odd")
    odd.set_actions(new_data=9, at_indices=1)
    chunk = odd.slice(slice(2, None), len_lookback_buffer=2)
    with EpisodeWriter(tmp_path) as writer, pytest.raises(EpisodeError, match="actions at step -1: 9"):
        writer.add(chunk)


def test_the_check_can_be_left_out(tmp_path):
    odd = episode("odd")
    odd.set_actions(new_data=9, at_indices=1)
    with EpisodeWriter(tmp_path, check_spaces=False) as writer:
        writer.add(odd)
    assert EpisodeDataset(tmp_path)[0].get_actions(1) == 9


def test_the_spaces_that_the_writer_is_given_count(tmp_path):
    plain = SingleAgentEpisode(
        "plain", observations=[0, 5], actions=[7], rewards=[0.0], len_lookback_buffer=0
    )
    for added in (plain, block_of([plain])):
        with (
            EpisodeWriter(tmp_path, action_space=spaces.Discrete(7)) as writer,
            pytest.raises(EpisodeError, match="plain: actions at step 0: 7"),
        ):
            writer.add(added)
    with EpisodeWriter(tmp_path) as writer:
        writer.add(plain)  # nothing is declared


def test_each_agent_has_its_own_spaces(tmp_path):
    made = MultiAgentEpisode("duo", action_space={"a": spaces.Discrete(9), "b": spaces.Discrete(2)})
    made.add_env_reset(observations={"a": 0, "b": 0})
    made.add_env_step({"a": 1, "b": 1}, {"a": 5, "b": 5}, {"a": 0.0, "b": 0.0}, terminateds={"__all__": True})
    with (
        EpisodeWriter(tmp_path) as writer,
        pytest.raises(EpisodeError, match="actions at step 0: 5 .* Discrete.2"),
    ):
        writer.add(made)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("world", ["KeyDoor-5x5", "DynamicObstacles-5x5"])
def test_what_batches_record_lies_inside(tmp_path, world):
    recorder = BatchRecorder(World(world).batch(8))
    recorder.reset(0)
    luck = np.random.default_rng(0)
    for _ in range(40):
        recorder.step(luck.integers(0, 3, 8))
    block = recorder.take(ongoing=True)
    with EpisodeWriter(tmp_path) as writer:
        writer.add(block)
    assert writer.steps == block.steps > 100


BOXES = st.sampled_from(
    [
        spaces.Box(0, 255, (3,), np.uint8),
        spaces.Box(0, 7, (3,), np.uint8),
        spaces.Box(np.array([0, 1, 2], np.uint8), np.array([9, 9, 255], np.uint8), dtype=np.uint8),
        spaces.Box(-1.0, 1.0, (3,), np.float32),
        spaces.Box(-np.inf, np.inf, (3,), np.float32),
        spaces.Box(-np.inf, np.array([0, 1, np.inf], np.float32), dtype=np.float32),
        spaces.Box(-3, np.inf, (3,), np.float64),
        spaces.MultiBinary(3),
        spaces.MultiDiscrete([2, 3, 4], start=[0, 1, -2]),
    ]
)


@given(st.data(), BOXES)
def test_outside_is_what_the_space_does_not_contain(data, space):
    kind = np.dtype(space.dtype)
    elements = st.floats(width=32, allow_nan=True) if kind.kind == "f" else st.integers(0, 10)
    values = data.draw(hnp.arrays(kind, (data.draw(st.sampled_from([0, 1, 3, 130])), 3), elements=elements))
    expected = [not space.contains(value) for value in values]
    found = SpaceBounds(space).outside(values)
    assert (found.tolist() if found is not None else [False] * len(values)) == expected
    for value, odd in zip(values, expected, strict=True):
        if odd:
            assert str(space) in SpaceBounds(space).describe(value)
