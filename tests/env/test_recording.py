"""Recording wrappers: chosen episodes as files that replay bit for bit."""

import pickle

import gymnasium
import numpy as np
import pytest

from gridarium.engine import Autoreset, Run, World
from gridarium.env import GridariumEnv, RecordBatch, RecordEpisodes, RecordVectorEpisodes
from gridarium.env.rendering import rendered
from gridarium.world import Action
from tests.env.worlds import crumbling

Image = pytest.importorskip("PIL.Image")
NAME = "Empty-4x4"
ID = f"gridarium/{NAME}-v0"


def made(**options):
    return gymnasium.make(ID, compiled=False, **options)


def made_vector(n=3, **options):
    return gymnasium.make_vec(
        ID, num_envs=n, vectorization_mode="vector_entry_point", compiled=False, **options
    )


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def last_frame(path):
    with Image.open(path) as picture:
        picture.seek(picture.n_frames - 1)
        return picture.n_frames, np.array(picture.convert("RGB"))


def play(env, episodes, steps=4, action=4):
    for seed in range(episodes):
        env.reset(seed=seed)
        for _ in range(steps):
            *_, terminated, truncated, _ = env.step(action)
            if terminated or truncated:
                break


def test_every_second_episode_is_a_picture_and_a_run(tmp_path):
    env = RecordEpisodes(made(), tmp_path / "films", every=2, format="webp", tile=5)
    play(env, 3)
    state = env.unwrapped.state
    env.close()
    stem = f"{NAME}-episode-00000"
    assert names(tmp_path / "films") == [f"{stem}0.run", f"{stem}0.webp", f"{stem}2.run", f"{stem}2.webp"]
    count, frame = last_frame(tmp_path / "films" / f"{stem}2.webp")
    assert count == 5
    assert np.array_equal(frame, rendered(env.unwrapped.world, state, "rgb_array", 5))
    run = Run.load(tmp_path / "films" / f"{stem}2.run")
    assert run.steps == 4 and run.verify(compiled=False)
    *_, last = run.replay(compiled=False)
    assert last.state().identical(state)


def test_the_wrapper_changes_nothing(tmp_path):
    bare, recorded = made(), RecordEpisodes(made(), tmp_path, format="run")
    rng = np.random.default_rng(0)
    for seed in (3, None):
        assert str(bare.reset(seed=seed)) == str(recorded.reset(seed=seed))
        for action in rng.integers(4, 6, size=5):
            assert str(bare.step(int(action))) == str(recorded.step(int(action)))
    assert recorded.spec is not None


def test_parameters_given_at_the_reset_are_in_the_runs(tmp_path):
    given = {"parameters": {"time_limit": 2}}
    env = RecordEpisodes(made(), tmp_path / "one", format="run")
    envs = RecordVectorEpisodes(made_vector(), tmp_path / "many", format="run")
    for recorded, action in ((env, 4), (envs, [4, 4, 4])):
        recorded.reset(seed=0, options=given)
        recorded.step(action)
        assert np.all(recorded.step(action)[3])
        recorded.close()
    for path in (
        tmp_path / "one" / f"{NAME}-episode-000000.run",
        tmp_path / "many" / f"{NAME}-world-0-episode-000000.run",
    ):
        run = Run.load(path)
        assert (run.steps, run.description["time_limit"]) == (2, 2)
        assert run.verify(compiled=False)


def test_parameters_set_during_an_episode_are_in_the_next_run(tmp_path):
    env = RecordEpisodes(made(), tmp_path, format="run")
    env.reset(seed=0)
    env.step(4)
    env.unwrapped.batch.set_parameters({"time_limit": 2})
    for _ in range(2):
        assert not env.step(4)[3]
    env.reset()
    env.step(4)
    assert env.step(4)[3]
    env.close()
    before, after = (Run.load(path) for path in sorted(tmp_path.iterdir()))
    assert before.description == env.unwrapped.world.spec.description.to_dict()
    assert (before.steps, after.steps, after.description["time_limit"]) == (3, 2, 2)
    assert before.verify(compiled=False) and after.verify(compiled=False)


def test_films_show_worlds_with_parameters_of_their_own(tmp_path):
    env = RecordEpisodes(made(), tmp_path, format="webp", tile=5)
    env.reset(seed=0)
    env.step(4)
    env.reset(seed=0, options={"parameters": {"time_limit": 2}})
    env.step(4)
    assert env.step(4)[3]
    env.close()
    stem = f"{NAME}-episode-00000"
    assert names(tmp_path) == [f"{stem}0.run", f"{stem}0.webp", f"{stem}1.run", f"{stem}1.webp"]
    assert last_frame(tmp_path / f"{stem}1.webp")[0] == 3


def test_the_end_of_an_episode_with_parameters_of_its_own_is_filmed_in_the_mode_same_step(tmp_path):
    world = World("DynamicObstacles-7x7", compiled=False)
    batch = world.batch(2, autoreset=Autoreset.SAME_STEP)
    env = RecordBatch(world, batch, tmp_path, worlds=(1,), format="webp", tile=5)
    batch.set_parameters({"time_limit": 3, "num_obstacles": 1})
    env.reset(seed=0)
    for _ in range(3):
        state = batch.state(1)
        result = env.step([4, 4])
    assert result.truncated.all()
    env.close()
    count, frame = last_frame(tmp_path / f"{world.name}-world-1-episode-000000.webp")
    ended = world.step(state, 4)[0]
    assert count == 4 and np.array_equal(frame, rendered(world, ended, "rgb_array", 5))


def test_a_trigger_chooses_episodes(tmp_path):
    env = RecordEpisodes(made(), tmp_path, trigger=lambda i: i in (1, 4), format="run")
    play(env, 6)
    env.close()
    assert names(tmp_path) == [f"{NAME}-episode-000001.run", f"{NAME}-episode-000004.run"]


def test_a_limit_from_outside_ends_a_recording(tmp_path):
    env = RecordEpisodes(made(max_episode_steps=3), tmp_path, format="gif", tile=4)
    play(env, 1, steps=9)
    assert names(tmp_path) == [f"{NAME}-episode-000000.gif", f"{NAME}-episode-000000.run"]
    assert Run.load(tmp_path / f"{NAME}-episode-000000.run").steps == 3
    env.close()


def test_rewards_are_the_worlds_own(tmp_path):
    inner = gymnasium.wrappers.TransformReward(made(), lambda r: r - 100)
    env = RecordEpisodes(inner, tmp_path, format="run")
    env.reset(seed=0)
    assert env.step(4)[1] == -100.05
    env.close()
    run = Run.load(tmp_path / f"{NAME}-episode-000000.run")
    assert run.rewards[-1].tolist() == [[-0.05]]
    assert run.verify(compiled=False)


def test_a_state_put_in_from_outside_is_part_of_the_run(tmp_path):
    env = RecordEpisodes(made(), tmp_path, format="run")
    env.reset(seed=0)
    env.step(4)
    env.unwrapped.state = env.unwrapped.world.reset(seed=77)
    env.step(5)
    state = env.unwrapped.state
    env.close()
    run = Run.load(tmp_path / f"{NAME}-episode-000000.run")
    assert run.verify(compiled=False)
    assert [s.at for s in run.starts] == [0, 1]
    assert list(run.replay(compiled=False))[-1].state().identical(state)


def test_files_have_their_names_only_when_they_are_complete(tmp_path):
    env = RecordEpisodes(made(), tmp_path, format="webp", tile=4)
    env.reset(seed=0)
    env.step(4)
    assert names(tmp_path) == [f"{NAME}-episode-000000.webp.part"]
    env.reset()
    assert f"{NAME}-episode-000000.webp" in names(tmp_path)
    env.close()  # the second episode has had no step
    assert len(names(tmp_path)) == 2


def test_an_earlier_recording_is_not_lost(tmp_path):
    for overwrite in (False, True):
        env = RecordEpisodes(made(), tmp_path, format="run", overwrite=overwrite)
        play(env, 1)
        env.close()
    with pytest.raises(FileExistsError, match="holds an earlier recording"):
        RecordEpisodes(made(), tmp_path, format="run")
    RecordEpisodes(made(), tmp_path, format="run", prefix="second").close()


def test_what_cannot_be_is_refused(tmp_path):
    with pytest.raises(ValueError, match="format is one of gif, webp, mp4, run, not 'avi'"):
        RecordEpisodes(made(), tmp_path, format="avi")
    with pytest.raises(ValueError, match="every is at least 1, got 0"):
        RecordEpisodes(made(), tmp_path, every=0)
    with pytest.raises(ValueError, match="give every or a trigger"):
        RecordEpisodes(made(), tmp_path, every=2, trigger=bool)
    with pytest.raises(TypeError, match="RecordVideo"):
        RecordEpisodes(gymnasium.make("CartPole-v1"), tmp_path)
    with pytest.raises(IndexError, match="worlds are numbered from 0 to 2; got 3"):
        RecordVectorEpisodes(made_vector(), tmp_path, worlds=(3,))
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        RecordEpisodes(made(), tmp_path / "file")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_chosen_worlds_of_a_vector_environment(tmp_path, mode):
    envs = made_vector(autoreset_mode=mode, max_episode_steps=5)
    envs = RecordVectorEpisodes(envs, tmp_path, worlds=(0, 2), every=2, format="webp", tile=4)
    rng = np.random.default_rng(1)
    envs.reset(seed=0)
    lengths, ended = [0, 0, 0], [[], [], []]
    for _ in range(30):
        _, _, terminated, truncated, infos = envs.step(rng.integers(6, size=3))
        over = terminated | truncated
        for i in range(3):
            ticks = infos["final_info"]["tick"] if mode == "SameStep" and over[i] else infos["tick"]
            lengths[i] = int(ticks[i])
            if over[i]:
                ended[i].append(lengths[i])
        if mode == "Disabled" and over.any():
            envs.reset(options={"reset_mask": over})
    envs.close()
    for i in (0, 2):
        for episode, length in enumerate(ended[i]):
            stem = tmp_path / f"{NAME}-world-{i}-episode-{episode:06d}"
            assert stem.with_suffix(".run").exists() == (episode % 2 == 0)
            if episode % 2 == 0:
                run = Run.load(stem.with_suffix(".run"))
                assert run.steps == length
                assert run.verify(compiled=False)
                assert last_frame(stem.with_suffix(".webp"))[1].shape == (16, 16, 3)
    assert not any("world-1" in name for name in names(tmp_path))


@pytest.mark.parametrize("autoreset", list(Autoreset))
def test_a_batch_with_several_agents(tmp_path, autoreset):
    world = World("TwoAgents-Empty-8x8", compiled=False)
    batch = RecordBatch(world, world.batch(2, autoreset=autoreset), tmp_path, worlds=(1,), format="run")
    rng = np.random.default_rng(0)
    batch.reset(seed=5)
    for _ in range(12):
        batch.step(rng.integers(3, size=(2, 2)))
    state = batch.batch.state(1)
    batch.close()
    run = Run.load(tmp_path / "TwoAgents-Empty-8x8-world-1-episode-000000.run")
    assert (run.steps, run.agents) == (12, 2)
    assert run.verify(compiled=False)
    assert list(run.replay(compiled=False))[-1].state().identical(state)


def test_a_rule_that_fails_leaves_a_run_that_replays(tmp_path):
    world = crumbling(compiled=False)
    env = RecordEpisodes(GridariumEnv(world), tmp_path, format="run")
    env.reset(seed=0)
    left = world.actions.index(Action.TURN_LEFT)
    env.step(left)
    env.step(left)
    with pytest.raises(ZeroDivisionError):
        env.step(left)
    env.step(world.actions.index(Action.TURN_RIGHT))
    env.close()
    (path,) = tmp_path.iterdir()
    assert Run.load(path).steps == 3
    assert Run.load(path).verify(world)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("autoreset", list(Autoreset))
def test_episodes_with_individual_parameters_are_recorded_with_these(tmp_path, autoreset):
    world = World("DynamicObstacles-5x5", compiled=False, time_limit=6)
    batch = RecordBatch(world, world.batch(2, autoreset=autoreset), tmp_path, worlds=(0, 1), format="run")
    batch.reset(3)
    batch.batch.set_parameters({"time_limit": 4}, [1])
    batch.batch.set_parameters({"time_limit": 3, "num_obstacles": 1}, [1])
    for _ in range(16):
        if batch.step([1, 1]).ended.all() and autoreset is Autoreset.DISABLED:
            batch.reset()
    batch.close()
    limits = {}
    for path in tmp_path.iterdir():
        run = Run.load(path)
        assert run.verify(compiled=False)
        assert run.steps <= run.description["time_limit"]
        limits[path.stem.removeprefix("DynamicObstacles-5x5-")] = run.description["time_limit"]
    assert limits["world-0-episode-000000"] == limits["world-1-episode-000000"] == 6
    assert limits["world-0-episode-000001"] == 6
    assert limits["world-1-episode-000001"] == 3
    assert batch.batch.parameters(0) == {}
    assert pickle.loads(pickle.dumps(batch.batch)).parameters(1) == {"time_limit": 3, "num_obstacles": 1}


def test_environments_may_share_a_folder(tmp_path):
    envs = [
        RecordEpisodes(GridariumEnv("Empty-8x8", compiled=False), tmp_path, format="run") for _ in range(2)
    ]
    for env in envs:
        env.reset(seed=0)
    for env in envs:
        env.step(0)
        env.close()
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "Empty-8x8-episode-000000-2.run", "Empty-8x8-episode-000000.run"
    ]  # fmt: skip


@pytest.mark.parametrize("prefix", ["run[1]", "what*"])
def test_files_of_before_are_found_whatever_their_prefix(tmp_path, prefix):
    env = RecordEpisodes(GridariumEnv("Empty-8x8", compiled=False), tmp_path, format="run", prefix=prefix)
    env.reset(seed=0)
    with pytest.raises(ValueError, match="option"):
        env.reset(options={"stat": 1})
    env.step(0)
    env.close()
    assert [file.name for file in tmp_path.iterdir()] == [f"{prefix}-episode-000000.run"]
    with pytest.raises(FileExistsError, match="holds an earlier recording"):
        RecordEpisodes(GridariumEnv("Empty-8x8", compiled=False), tmp_path, format="run", prefix=prefix)
    with pytest.raises(ValueError, match="a prefix is the begin of a file's name, not 'a/b'"):
        RecordEpisodes(GridariumEnv("Empty-8x8", compiled=False), tmp_path, format="run", prefix="a/b")
