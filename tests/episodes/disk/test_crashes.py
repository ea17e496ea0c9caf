"""Whatever happens to a writer, what it has flushed is there, once."""

import copy
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from gridarium.episodes import MultiAgentEpisode

from .making import episode

pytest.importorskip("pyarrow")
from gridarium.episodes.disk import EpisodeDataset, EpisodeWriter, leftovers

WRITER = textwrap.dedent(
    """
    import os, signal, sys, time
    import numpy as np
    from gridarium.episodes import MultiAgentEpisode, SingleAgentEpisode
    from gridarium.episodes.disk import EpisodeWriter

    def alone(name):
        return SingleAgentEpisode(
            name, observations=[np.arange(4.0) + t for t in range(6)], actions=[0] * 5, rewards=[1.0] * 5,
            len_lookback_buffer=0,
        )

    def together(name):
        both = {"a": np.arange(4.0), "b": np.arange(2.0)}
        made = MultiAgentEpisode(name)
        made.add_env_reset(observations=both)
        made.add_env_step(both, {"a": 0, "b": 1}, {"a": 1.0, "b": 1.0}, terminateds={"b": True})
        for t in range(2, 6):
            made.add_env_step({"a": np.arange(4.0) + t}, {"a": 0}, {"a": 1.0})
        return made

    def write(folder, run, ready):
        with EpisodeWriter(folder + "-apart") as writer:  # so that nothing is loaded later
            writer.add([alone("first"), together("second")])
        os.write(ready, b".")
        with EpisodeWriter(folder) as writer:
            for flush in range(10**6):
                for k in range(3):
                    writer.add((together if k == 1 else alone)(f"{run}-{flush}-{k}"))
                writer.flush()
                os.write(1, f"{run} {flush}\\n".encode())

    folder, runs, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    luck = np.random.default_rng(seed)
    for run in range(runs):  # forked, so that all is imported only once
        told, ready = os.pipe()
        child = os.fork()
        if child == 0:
            write(folder, run, ready)
        os.read(told, 1)
        time.sleep(luck.uniform(0.0, 0.06))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    """
)


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork and SIGKILL")
@pytest.mark.parametrize("kills", [15, pytest.param(50, marks=pytest.mark.exhaustive)])
def test_a_writer_killed_at_many_moments_loses_nothing_that_it_flushed(tmp_path, kills):
    done = subprocess.run(
        [sys.executable, "-c", WRITER, str(tmp_path), str(kills), "7"],
        capture_output=True,
        text=True,
        check=True,
    )
    told = [tuple(map(int, line.split())) for line in done.stdout.splitlines()]
    flushed = {f"{run}-{flush}-{k}" for run, flush in told for k in range(3)}
    data = EpisodeDataset(tmp_path)
    found = data.ids
    assert len(set(found)) == len(found) and len({run for run, _ in told}) > kills // 2
    assert flushed <= set(found)
    unannounced = (
        set(found) - flushed
    )  # on disk, but killed before it could say so: at most one flush of each run
    assert len(unannounced) <= 3 * kills
    for one in data:
        several = isinstance(one, MultiAgentEpisode)
        assert len(one) == 5 and several == one.id_.endswith("-1")
        whole = one.agent_episodes["a"] if several else one
        assert whole.get_observations(-1).tolist() == [5.0, 6.0, 7.0, 8.0]
        assert not several or len(one.agent_episodes["b"]) == 1
    kept = set(tmp_path.iterdir()) - set(leftovers(tmp_path))
    assert len(kept) == 3 * len(data.stems)  # an index, and the rows of two forms


KILLED = textwrap.dedent(
    """
    import pathlib, sys, time
    sys.path.insert(0, sys.argv[2])
    from making import episode
    from gridarium.engine import Recorder, World
    from gridarium.episodes.disk import EpisodeWriter, parts

    def hangs(*given):
        print("writing", flush=True)
        time.sleep(1000)

    writer = EpisodeWriter(sys.argv[1])
    if sys.argv[3] == "rows":
        parts.checksum = hangs
        writer.add(episode(3, "lost"))
        writer.flush()
    elif sys.argv[3] == "index":
        parts.PartFiles.finish = hangs
        writer.add(episode(3, "lost"))
        writer.flush()
    else:
        pathlib.Path.replace = hangs
        world = World("EmptyRandom-5x5", compiled=False)
        recorder = Recorder(world)
        recorder.reset(0)
        writer.add_run(recorder.run(), world=world)
    """
)


@pytest.mark.sampled(3)
@pytest.mark.skipif(sys.platform == "win32", reason="needs locks and SIGKILL")
@pytest.mark.parametrize(
    ("at", "left"),
    [("rows", ".steps-0.parquet.part"), ("index", ".steps-0.parquet"), ("run", ".run.part.part")],
)
def test_the_next_writer_removes_what_a_killed_one_left_but_nothing_of_a_living_one(tmp_path, at, left):
    here = str(Path(__file__).parent)
    command = [sys.executable, "-c", KILLED, str(tmp_path), here, at]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as other:
        try:
            assert other.stdout.readline() == "writing\n"
            written = sorted(tmp_path.iterdir())
            assert [path.name.partition(".")[2] for path in written] == [left[1:], "writing"]
            assert len(EpisodeDataset(tmp_path)) == 0
            with EpisodeWriter(tmp_path) as writer:
                writer.add(episode(3, "kept"))
            assert set(written) < set(tmp_path.iterdir())
        finally:
            other.kill()
    assert list(leftovers(tmp_path)) == written
    EpisodeWriter(tmp_path)
    assert not list(leftovers(tmp_path))
    assert EpisodeDataset(tmp_path).ids == ["kept"]
    assert len(EpisodeDataset(tmp_path)[0]) == 3


FULL = textwrap.dedent(
    """
    import resource, signal, sys
    sys.path.insert(0, sys.argv[2])
    from making import episode
    from gridarium.episodes import MultiAgentEpisode
    from gridarium.episodes.disk import EpisodeDataset, EpisodeWriter

    folder = sys.argv[1]
    writer = EpisodeWriter(folder)
    writer.add(episode(3, "first"))
    writer.flush()
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, most))  # no file can be larger, as on a full disk
    several = MultiAgentEpisode("fourth", observations=[{"a": 0}, {"a": 1}], actions=[{"a": 1}], rewards=[{"a": 1.0}])
    writer.add([episode(400, "second", seed=1), episode(500, "third", seed=2), several])
    try:
        writer.flush()
    except OSError as error:
        print(error)
    print(EpisodeDataset(folder).ids, sorted(p.name for p in writer.path.glob("*.part")))
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    writer.close()
    print(EpisodeDataset(folder).ids)
    """
)


@pytest.mark.skipif(sys.platform == "win32", reason="needs resource limits")
def test_on_a_full_disk_nothing_is_half_written_and_nothing_is_lost(tmp_path):
    here = str(Path(__file__).parent)
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path), here], capture_output=True, text=True, check=True
    )
    error, between, after = done.stdout.splitlines()
    assert "3 episodes are not written yet; they are kept, flush again" in error and str(tmp_path) in error
    assert between == "['first'] []" and after == "['first', 'second', 'third', 'fourth']"


def test_a_failing_write_leaves_no_files(tmp_path, monkeypatch):
    from gridarium.episodes.disk import write_buffer

    writer = EpisodeWriter(tmp_path)
    writer.add(episode(3))
    original = write_buffer.pq.write_table

    def full(table, path, **options):
        original(table, path, **options)
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(write_buffer.pq, "write_table", full)
        with pytest.raises(OSError, match="1 episodes are not written yet"):
            writer.flush()
    assert not list(tmp_path.iterdir())
    writer.close()
    assert len(EpisodeDataset(tmp_path)) == 1


def test_large_additions_are_written_at_once(tmp_path):
    with EpisodeWriter(tmp_path, flush_bytes=2000) as writer:
        for n in range(8):
            writer.add(episode(20, f"e{n}"))
        assert writer.episodes >= 6
    assert EpisodeDataset(tmp_path).ids == [f"e{n}" for n in range(8)]


def test_two_writers_share_a_folder(tmp_path):
    writers = [EpisodeWriter(tmp_path) for _ in range(2)]
    for n in range(3):
        for k, writer in enumerate(writers):
            writer.add(episode(2, f"{k}-{n}"))
            writer.flush()
    assert sorted(EpisodeDataset(tmp_path).ids) == sorted(f"{k}-{n}" for k in range(2) for n in range(3))


def test_copies_of_a_writer_write_files_of_their_own(tmp_path):
    """So do those of forked processes, which have copies."""
    writer = EpisodeWriter(tmp_path / "data")
    twin = copy.deepcopy(writer)
    for one, name in ((writer, "a"), (twin, "b")):
        one.add(episode(3, name))
        one.close()
    assert sorted(found.id_ for found in EpisodeDataset(tmp_path / "data")) == ["a", "b"]
