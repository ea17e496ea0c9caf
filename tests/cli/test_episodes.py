"""`gridarium run --record` and `gridarium episodes`."""

import json
import re

import pytest
from click.testing import CliRunner

from gridarium.cli import main
from gridarium.engine import World

pytest.importorskip("pyarrow")
from gridarium.episodes.disk import EpisodeWriter
from gridarium.episodes.recording import BatchRecorder


def gridarium(*arguments, fails=False):
    done = CliRunner().invoke(main, [str(a) for a in arguments])
    assert done.exit_code == (1 if fails else 0), done.output
    assert not done.exception or isinstance(done.exception, SystemExit), done.exception
    return done.output


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cli") / "data"
    command = (
        "run", "Empty-4x4", "-p", "random", "-p", "scripted", "-n", "6", "--max-ticks", "30", "--interpreted",
        "--record", str(folder), "--json",
    )  # fmt: skip
    done = CliRunner().invoke(main, command)
    assert f"wrote {folder}" in done.stderr
    return folder, json.loads(done.stdout)


def test_data_about_all_of_a_folder_are_shown_but_name_no_policy(tmp_path):
    world = World("Empty-4x4", compiled=False)
    recorder = BatchRecorder(world.batch(2))
    recorder.reset(seed=0)
    for _ in range(3):
        recorder.step([0, 0])
    block = recorder.take(ongoing=True)
    with EpisodeWriter(tmp_path / "data", metadata={"policy": "[best] one", "course": 7}) as writer:
        writer.add(block)
        writer.add(block.labelled("turning"))
    told = gridarium("episodes", tmp_path / "data").splitlines()
    assert "policy: [best] one" in told and "course: 7" in told
    found = json.loads(gridarium("episodes", tmp_path / "data", "--json"))
    assert found["metadata"] == {"policy": "[best] one", "course": 7}
    assert {name: of["episodes"] for name, of in found["policies"].items()} == {"(none)": 2, "turning": 2}


def test_what_was_played_is_what_is_recorded(folder):
    path, told = folder
    found = json.loads(gridarium("episodes", path, "--json"))
    assert found["world"] == "Empty-4x4" and found["episodes"] == 12
    for policy in ("random", "scripted"):
        played = told["policies"][policy]["episodes"]
        kept = [one for one in found["each"] if one["policy"] == policy]
        assert [one["length"] for one in kept] == [one["length"] for one in played]
        assert [one["return"] for one in kept] == pytest.approx([sum(one["returns"]) for one in played])
        assert [one["terminated"] for one in kept] == [one["terminated"] for one in played]
        assert found["policies"][policy]["return"]["mean"] == pytest.approx(
            told["policies"][policy]["return"]["mean"]
        )
    from gridarium.episodes.disk import EpisodeDataset

    data = EpisodeDataset(path)
    assert [episode.custom_data["seed"] for episode in data] == [*range(6)] * 2
    assert all(episode.is_done for episode in data)


def test_tables_and_bars(folder):
    told = gridarium("episodes", folder[0], "-n", 2)
    assert re.search(r"12 episodes, \d+ steps in\s+Empty-4x4", told)
    assert re.search(r"^scripted +6 ", told, re.M) and "and 10 further episodes" in told
    assert re.search(r"^returns +\S+ [▁-█ ]{40} \S+$", told, re.M)
    assert "further" not in gridarium("episodes", folder[0], "-n", 12)


def test_episodes_that_are_there_already_are_spoken_of(tmp_path):
    first, second = (
        gridarium("run", "Empty-4x4", "-n", 2, "--interpreted", "--seed", seed, "--record", tmp_path)
        for seed in (0, 2)
    )
    assert "already" not in first
    assert f"{tmp_path} holds 2 episodes already; further ones are added" in second


@pytest.mark.sampled(2)
@pytest.mark.parametrize("world", ["Empty-4x4", "TwoAgents-Empty-8x8"])
def test_no_episode_is_recorded_twice(tmp_path, world):
    def run(*more, **options):
        command = ("run", world, "--max-ticks", 2, "--interpreted", "--record", tmp_path)
        return gridarium(*command, *more, **options)

    run("-n", 3)
    told = run("-n", 4, "--seed", 1, fails=True)
    assert "holds 2 of these 4 episodes of random already (seeds 1 to 4)" in told
    assert "choose another folder, or begin with --seed 3" in told and "mean return" not in told
    run("-n", 1, "--seed", 3)
    run("-n", 3, "-p", "scripted")
    found = json.loads(gridarium("episodes", tmp_path, "--json"))
    assert {name: of["episodes"] for name, of in found["policies"].items()} == {"random": 4, "scripted": 3}


def test_more_is_added_and_other_worlds_are_not(folder, tmp_path):
    path = tmp_path / "more"
    for seed in range(2):
        gridarium("run", "Empty-4x4", "-n", 1, "--seed", seed, "--interpreted", "--record", path)
    assert json.loads(gridarium("episodes", path, "--json"))["episodes"] == 2
    told = gridarium("run", "Empty-8x8", "-n", 1, "--interpreted", "--record", path, fails=True)
    assert "holds episodes of another world (Empty-4x4)" in told and "mean return" not in told  # told at once


def test_agents_of_a_world_make_one_episode(tmp_path):
    gridarium("run", "TwoAgents-Empty-8x8", "-n", 2, "--max-ticks", 4, "--interpreted", "--record", tmp_path)
    found = json.loads(gridarium("episodes", tmp_path, "--json"))
    assert (found["episodes"], found["steps"], found["each"][0]["policy"]) == (2, 8, "random")


def test_a_full_disk_costs_no_results(tmp_path, monkeypatch):
    import errno

    from gridarium.episodes.disk.parts import PartFiles

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(PartFiles, "write", full)
    told = gridarium("run", "Empty-4x4", "-n", 1, "--interpreted", "--record", tmp_path, fails=True)
    assert "mean return" in told and "No space left" in told and not list(tmp_path.iterdir())


def test_what_was_played_is_written_while_others_are_played(tmp_path, monkeypatch):
    from gridarium.agents import play
    from gridarium.agents.policy import assign_policies
    from gridarium.cli.shared import episode_saver
    from gridarium.cli.shared.open_policy import open_policy
    from gridarium.engine import World
    from gridarium.episodes.disk import EpisodeDataset

    world = World("Empty-4x4", compiled=False)
    episodes = [
        play(world, assign_policies(open_policy("random"), 1), seed=seed, limit=9) for seed in range(3)
    ]
    monkeypatch.setattr(episode_saver, "SECONDS", 0.0)
    with episode_saver.EpisodeSaver(world, str(tmp_path), ["random", "other"], range(3)) as keep:
        for done, episode in enumerate(episodes, 1):
            keep("random" if done < 3 else "other", episode)
            data = EpisodeDataset(tmp_path)
            assert data.lengths.tolist() == [one.length for one in episodes[:done]]
    assert [e.module_id for e in EpisodeDataset(tmp_path)] == ["random", "random", "other"]


def test_what_was_played_before_an_error_is_kept(tmp_path):
    (tmp_path / "policies.py").write_text(
        "class Tiring:\n"
        "    begun = 0\n"
        "    def begin(self):\n"
        "        self.begun += 1\n"
        "        if self.begun == 3:\n"
        "            raise ValueError('tired')\n"
        "    def __call__(self):\n"
        "        return 0\n"
    )
    done = CliRunner().invoke(
        main,
        [
            "run", "Empty-4x4", "-p", f"{tmp_path / 'policies.py'}:Tiring", "-n", "4", "--max-ticks", "5",
            "--interpreted", "--record", str(tmp_path / "data"),
        ],
    )  # fmt: skip
    assert done.exit_code == 1
    assert json.loads(gridarium("episodes", tmp_path / "data", "--json"))["episodes"] == 2


def test_plots_are_pictures(folder, tmp_path):
    pytest.importorskip("matplotlib")
    for ending in ("png", "svg"):
        file = tmp_path / f"plot.{ending}"
        assert f"wrote {file}" in gridarium("episodes", folder[0], "--plot", file)
        assert file.stat().st_size > 1000
    assert "cannot be written" in gridarium(
        "episodes", folder[0], "--plot", tmp_path / "plot.xyz", fails=True
    )


def test_folders_without_episodes_are_told(tmp_path):
    assert "0 episodes" in " ".join(gridarium("episodes", tmp_path).split())  # a writer has not got far yet
    assert "there is no such folder" in gridarium("episodes", tmp_path / "nowhere", fails=True)
    (tmp_path / "file").write_text("")
    assert "there are no episodes in this folder" in gridarium("episodes", tmp_path, fails=True)
    told = gridarium("run", "Empty-4x4", "-n", 1, "--interpreted", "--record", tmp_path / "file", fails=True)
    assert "cannot be written to" in told and "is a file" in told
    assert "this is a file" in gridarium("episodes", tmp_path / "file", fails=True)
