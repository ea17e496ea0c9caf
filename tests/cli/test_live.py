"""What `gridarium live` says before it serves."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from gridarium.cli import main
from gridarium.engine import Run
from gridarium.live import AgentBody, AgentBrain
from gridarium.live.worlds.trained_collector import TrainedCollector
from tests.live.worlds.following import following

pytest.importorskip("starlette", reason="the browser viewer needs gridarium[web]")

from gridarium.view.live_server import protocol

BUILD = """
from gridarium.live import HumanAgentBrain, WorldBuilder

def build(width=5):
    made = WorldBuilder((width, 4))
    made.add_human_agent((1, 1), HumanAgentBrain(), "Ann")
    return made

first, second = build(), build(6)

def world():
    return build().get_world(compiled=False)

def wrong():
    return 3
"""


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch):
    """The sessions that would be served, instead of serving them."""
    from gridarium.view.live_server import app
    from gridarium.view.web import serving

    sessions = []
    monkeypatch.setattr(app, "application", lambda session, **_: sessions.append(session))
    monkeypatch.setattr(serving, "serve", lambda app, on, *, largest: on.close())
    return sessions


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("worlds") / "my_live_world.py"
    file.write_text(BUILD)
    return file


def invoked(*arguments):
    return CliRunner().invoke(main, ["live", *map(str, arguments), "--interpreted", "--port", "0"])


def test_it_prints_a_link_for_everybody(served, file: Path) -> None:
    done = invoked(f"{file}:build", "--set", "width=7", "--speed", "4")
    assert done.exit_code == 0, done.output
    (session,) = served
    for who, seat in zip(("the experimenter", "watch everything", "play ann"), session.links, strict=True):
        line = next(line for line in done.output.splitlines() if line.startswith(f"  {who}  "))
        assert line.endswith(seat.path) and "http://127.0.0.1:" in line
    assert session.world.shape == (7, 4) and session.world.tick_duration == 0.25
    assert session.name == "my_live_world" and not session.running and "Other machines" not in done.output
    assert (
        session.command.startswith("gridarium live") and "--set width=7 --speed 4.0 --port" in session.command
    )


def test_links_of_agents_that_come_later_are_printed(served, file: Path, capsys) -> None:
    invoked(f"{file}:build")
    served[0].world.add_agent(AgentBrain(), AgentBody((2, 2), "Rex"))
    served[0].tick()
    assert capsys.readouterr().out.startswith("  watch rex  ")


def test_it_may_start_at_once_and_be_reached_by_others(served, file: Path) -> None:
    done = invoked(f"{file}:build", "--start", "--host", "0.0.0.0")
    assert (
        served[0].running and "Other machines reach it" in done.output and "http://127.0.0.1:" in done.output
    )


def test_a_function_may_return_a_world_and_an_option_says_what_errors_of_robots_do(
    served, file: Path, tmp_path: Path
) -> None:
    (tmp_path / "small.yaml").write_text("shape: [5, 4]\non_brain_error: remove\n")
    for world, options, does in (
        (f"{file}:world", (), "stop"),
        (f"{file}:world", ("--on-brain-error", "skip"), "skip"),
        (tmp_path / "small.yaml", (), "remove"),
        (tmp_path / "small.yaml", ("--on-brain-error", "stop"), "stop"),
    ):
        done = invoked(world, *options)
        assert done.exit_code == 0, done.output
        assert served[-1].world.on_brain_error == does


def test_worlds_come_along(served) -> None:
    done = invoked("tutorial")
    assert done.exit_code == 0, done.output
    assert served[0].name == "tutorial" and "play " in done.output


def test_arguments_have_the_types_of_the_world(served) -> None:
    done = invoked("bw4t", "--set", "rooms=2x1", "--set", "people=2", "--set", "wanted=2")
    assert done.exit_code == 0, done.output
    assert served[0].world.shape == (23, 24) and "play human_2" in done.output
    assert "kitchen" in CliRunner().invoke(main, ["live", "--help"]).output


def test_a_trained_teammate_is_put_into_the_world_by_one_command(served, file: Path, tmp_path: Path) -> None:
    network = tmp_path / "teammate.npz"
    following().save(network)
    done = invoked("bw4t", "--teammate", network)
    assert done.exit_code == 0, done.output
    (session,) = served
    assert isinstance(session.world.brains["robot_2"], TrainedCollector)
    assert str(network) in session.command
    (tmp_path / "other.npz").write_bytes(b"nothing")
    for arguments, why in (
        (("bw4t", "--teammate", tmp_path / "other.npz"), "no network for actions"),
        (("tutorial", "--teammate", network), "no parameter 'teammate'"),
    ):
        refused = invoked(*arguments)
        assert refused.exit_code == 1 and why in refused.output, refused.output


def test_yaml_files_are_worlds(served, tmp_path: Path) -> None:
    (tmp_path / "small.yaml").write_text("shape: [5, 4]\ncontents: []\n")
    done = invoked(tmp_path / "small.yaml")
    assert done.exit_code == 0, done.output
    assert served[0].world.shape == (5, 4)


@pytest.mark.parametrize(
    ("world", "arguments", "why"),
    [
        ("nothing", (), "there is no live world 'nothing'; there are bw4t"),
        ("tutorial", ("--set", "width=3"), "tutorial has no parameter 'width'; it has people"),
        ("tutorial", ("--set", "people=9"), "not for 9"),
        ("bw4t", ("--set", "people=two"), "--set people=two of bw4t: Input should be a valid integer"),
        ("bw4t", ("--set", "people=1.5"), "--set people=1.5 of bw4t: Input should be a valid integer"),
        ("bw4t", ("--set", "rooms=2"), "valid tuple; two numbers are written as 2x2"),
        ("bw4t", ("--set", "rooms=2,2"), "valid tuple; two numbers are written as 2x2"),
        ("bw4t", ("--set", "rooms=[1,2,3]"), "Tuple should have at most 2 items"),
        ("none.yaml", (), "there is no file none.yaml"),
        ("none.py", (), "there is no file none.py"),
        ("FILE", (), "has several builders"),
        ("FILE:third", (), "has no builder 'third'"),
        ("FILE:first", ("--set", "width=3"), "has no parameters to set"),
        ("FILE:wrong", (), "returned 3; a WorldBuilder or a GridWorld is needed"),
    ],
)
def test_what_cannot_be_opened_is_explained(served, file: Path, world: str, arguments, why: str) -> None:
    done = invoked(world.replace("FILE", str(file)), *arguments)
    assert done.exit_code == 1 and why in done.output and not served


@pytest.fixture
def played(served, monkeypatch: pytest.MonkeyPatch):
    """Sessions are not served; five ticks pass, in which Ann goes to the right at first."""
    from gridarium.view.web import serving

    def play(app, on, *, largest):
        on.close()
        brain = served[-1].world.brains.get("ann")
        if brain is not None:
            brain.request("MoveEast")
        for _ in range(5):
            served[-1].tick()

    monkeypatch.setattr(serving, "serve", play)
    return served


def test_the_run_is_kept_for_replay_and_the_world_goes_on_from_a_file(
    played, file: Path, tmp_path: Path
) -> None:
    run, saved = tmp_path / "ann.run", tmp_path / "ann.json"
    done = invoked(f"{file}:build", "--save", run, "--checkpoint", saved)
    assert done.exit_code == 0 and f"the run is in {run}" in done.output, done.output
    kept = Run.load(run)
    assert kept.steps == 5 and kept.verify(compiled=False)
    done = invoked(f"{file}:build", "--resume", saved)
    world = played[-1].world
    assert world.current_nr_ticks == 10 and world.registered_agents["ann"].location == (3, 1), done.output


def test_each_run_of_a_session_is_kept(played, file: Path, tmp_path: Path, capsys) -> None:
    invoked(f"{file}:build", "--save", tmp_path / "ann.run")
    played[0].control(protocol.ResetRun(type="reset"))
    played[0].tick()
    played[0].close()
    played[0].close()
    assert {each.name for each in tmp_path.iterdir()} == {"ann.run", "ann-2.run", "ann-3.run"}
    assert Run.load(tmp_path / "ann-3.run").steps == 1


def test_what_cannot_be_kept_is_said_before_it_begins_or_in_the_end(
    played, file: Path, tmp_path: Path
) -> None:
    done = invoked(f"{file}:build", "--checkpoint", tmp_path / "none" / "ann.json")
    assert done.exit_code == 1 and f"there is no folder {tmp_path / 'none'}" in done.output and not played
    (tmp_path / "no.json").write_text("{}")
    done = invoked(f"{file}:build", "--resume", tmp_path / "no.json")
    assert done.exit_code == 1 and "is not a saved world" in done.output


def test_what_loggers_have_kept_is_written_when_the_server_ends(played, tmp_path: Path) -> None:
    logs = "  - logger: {logger_class: LogActions, save_path: LOGS}\n".replace("LOGS", str(tmp_path / "logs"))
    agent = "  - human_agent: {name: Ann, location: [1, 1], agent_brain: HumanAgentBrain}\n"
    (tmp_path / "small.yaml").write_text(f"shape: [5, 4]\ncontents:\n{agent}{logs}")
    done = invoked(tmp_path / "small.yaml")
    assert done.exit_code == 0, done.output
    (log,) = (tmp_path / "logs").glob("*/*.csv")
    assert len(log.read_text().splitlines()) == 6
