"""Other libraries, and an earlier prototype, in turn with us: each in a process of its own, by the meter of `gridarium bench`.

    python benchmarks/peers/install.py                                   # into .peers/
    python benchmarks/peers/compare.py --peers .peers --json peers.json
    python benchmarks/peers/compare.py --prototype FOLDER                # FOLDER holds a keydoor.py

Ratios are of steps per processor second, one thread against one. A peer that is not installed is left out.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click

from gridarium import World
from gridarium.cli.bench.loops import PLAIN_VIEW, batch_loop, gym_loop, legal_moves, made
from gridarium.cli.bench.meter import Chunk, Measurement, Ratio, Report, rates, window
from gridarium.cli.bench.sections.pictures import RENDERED, TILE, render_loop
from gridarium.cli.commands.bench import FOLDER, json_option, measure_and_show, quick_option

DRIVERS = Path(__file__).parent
SECTION = "others, in turn with us"
SLICES = 4
"""Into so many a window is cut: the speed of a shared machine changes within seconds."""
Windows = list[tuple[float, float]]


@dataclass(frozen=True)
class Match:
    """A case of a peer, and the case of ours that it is held against.

    Attributes:
        peer: the driver, `run_<peer>.py`, and the folder with its environment.
        case: the driver's case (all that have this in their name).
        ours: makes our loop.
        label: what ours is.
        goal: how many times as fast we should be, in steps per processor second.
        worlds: the size of the peer's batch; 1 for an environment behind `step`.
        seconds: an allowance of start-up time, after which the driver is given up.
    """

    peer: str
    case: str
    label: str
    ours: Callable[[], Chunk]
    goal: float | None
    worlds: int = 1
    seconds: float = 300.0


def _environment(name: str) -> Callable[[], Chunk]:
    def make() -> Chunk:
        from gridarium.env.gym_env import GridariumEnv

        return gym_loop(GridariumEnv(name))

    return make


def _batch(given: dict[str, Any] | str, *, shared: bool = False, **parameters: Any) -> Callable[[], Chunk]:
    """A batch of 1,024; with shared arrays against those who share theirs."""
    return lambda: batch_loop(made(given, parameters), 1024, 1, shared=shared)


def _games(name: str) -> Callable[[], Chunk]:
    """Legal games of a batch of 1,024, drawn beforehand and played again and again; of each, board and mask are read."""

    def make() -> Chunk:
        batch = World(name).batch(1024, threads=1, shared=True)
        board = batch.composed.outputs[0].name
        moves = legal_moves(batch, 256)

        def chunk() -> int:
            batch.reset(seed=0)
            seen = 0
            for chosen in moves:
                result = batch.step(chosen)
                seen += int(result.observations[board].reshape(1024, -1)[:, 1].sum())
                seen += int(result.masks[:, 2].sum())
            return 1024 * len(moves)

        return chunk

    return make


PROTOTYPE_LIKE: dict[str, Any] = {
    "name": "KeyDoor-9x9-like-the-prototype",
    "shape": [9, 9],
    "objects": ["Wall", "Floor", "Exit", "Door", "Key"],
    "colors": ["YELLOW"],
    "reset": "keydoor",
    "transitions": ["move_agent", "turn_agent", "actuate_door", "pickndrop"],
    "rewards": [{"name": "reach_exit", "reward_on": 1.0}, {"name": "living_reward", "reward": -0.01}],
    "terminations": ["reach_exit"],
    "time_limit": 500,
    "observation": {"name": "partially_occluded", "area": [[-6, 0], [-3, 3]]},
}
PROTOTYPE = Match(
    "prototype",
    "keydoor",
    "KeyDoor-9x9, the prototype's rewards, shared arrays",
    _batch(PROTOTYPE_LIKE, shared=True),
    1.8,
    worlds=1024,
)
MATCHES = (
    Match("minigrid", "MiniGrid-DoorKey-8x8", "DoorKey-8x8", _environment("DoorKey-8x8"), 20.0),
    Match("minigrid", "MiniGrid-Empty-8x8", "EmptyRandom-8x8", _environment("EmptyRandom-8x8"), 20.0),
    Match(
        "minigrid",
        "render MiniGrid-LavaCrossingS9N2",
        f"render() of {RENDERED}, {TILE} px a cell",
        lambda: render_loop(RENDERED, {}),
        20.0,
    ),
    Match("multigrid", "MultiGrid-Empty-8x8", "EmptyRandom-8x8", _environment("EmptyRandom-8x8"), 2.0),
    Match("multigrid", "MultiGrid-RedBlueDoors-8x8", "DoorKey-8x8", _environment("DoorKey-8x8"), 2.0),
    Match("envpool", "MiniGrid-DoorKey-8x8", "DoorKey-8x8", _batch("DoorKey-8x8"), 25.0, worlds=1024),
    Match(
        "puffer",
        "ocean grid",
        "Maze-9x9, plain 11x11 view, shared arrays",
        _batch(PLAIN_VIEW, shared=True),
        1.0,
        worlds=1024,
    ),
    Match("xland", "occluded MiniGrid-DoorKey-8x8", "DoorKey-8x8", _batch("DoorKey-8x8"), 10.0, worlds=1024),
    *(
        Match(peer, case, f"{name}, 1,024 worlds", _batch(name), 100.0)
        for peer, case, name in (
            ("lbforaging", "Foraging-8x8-2p-3f", "Foraging-8x8-2p-3f"),
            ("lbforaging", "Foraging-10x10-3p-3f", "Foraging-10x10-3p-3f"),
            ("overcooked", "cramped_room", "Kitchen-CrampedRoom"),
            ("overcooked", "asymmetric_advantages", "Kitchen-AsymmetricAdvantages"),
            ("pursuit", "pursuit surround", "Pursuit-16x16-surround"),
            ("pursuit", "pursuit catch2", "Pursuit-16x16-catch2"),
            ("rware", "rware-tiny-2ag", "Warehouse-tiny-2ag"),
            ("rware", "rware-tiny-4ag", "Warehouse-tiny-4ag"),
            ("rware", "rware-small-4ag", "Warehouse-small-4ag"),
        )
    ),
    *(
        Match("jaxmarl", case, name, _batch(name), 5.0, worlds=1024, seconds=600.0)
        for case, name in (
            ("cramped_room", "Kitchen-CrampedRoom"),
            ("asymm_advantages", "Kitchen-AsymmetricAdvantages"),
            ("coord_ring", "Kitchen-CoordinationRing"),
            ("forced_coord", "Kitchen-ForcedCoordination"),
            ("counter_circuit", "Kitchen-CounterCircuit"),
        )
    ),
    Match(
        "jumanji",
        "RobotWarehouse-v0",
        "Warehouse-small-4ag, 8 requests",
        _batch("Warehouse-small-4ag", requests=8),
        100.0,
        worlds=1024,
        seconds=600.0,
    ),
    *(
        Match(
            "puffer",
            f"ocean rware {size}",
            f"Warehouse-{size}, shared arrays",
            _batch(f"Warehouse-{size}", shared=True),
            1.0,
            worlds=1024,
        )
        for size in ("tiny-2ag", "tiny-4ag", "small-4ag")
    ),
    *(
        Match("pgx", case, f"{name}, shared arrays", _games(name), 4.0, worlds=1024)
        for case, name in (
            ("tic_tac_toe", "TicTacToe-2p"),
            ("connect_four", "ConnectFour"),
            ("go_9x9", "Go-9x9"),
        )
    ),
    Match(
        "navix",
        "categorical_first_person Navix-DoorKey",
        "DoorKey-8x8",
        _batch("DoorKey-8x8"),
        10.0,
        worlds=1024,
    ),
)


def measure_prototype(report: Report, plan: Measurement, folder: Path) -> None:
    """The prototype in `folder`, a batch on one thread."""
    _compare(report, plan, PROTOTYPE, [sys.executable, str(DRIVERS / "run_prototype.py"), str(folder)])


def measure_peers(
    report: Report, plan: Measurement, folder: Path, say: Callable[[str], None], only: str
) -> None:
    """Every peer that is installed in `folder`, by its driver beside this file; `only` is part of its name and case."""
    for match in MATCHES:
        if only not in f"{match.peer} {match.case}":
            continue
        python, driver = folder / match.peer / "bin" / "python", DRIVERS / f"run_{match.peer}.py"
        if not python.exists():
            say(f"{match.peer} is left out: there is no {python}")
            continue
        try:
            _compare(report, plan, match, [str(python), str(driver)])
        except (subprocess.SubprocessError, ValueError, OSError) as error:
            say(f"{match.peer}, {match.case}: {_short(error)}")


def _compare(report: Report, plan: Measurement, match: Match, driver: list[str]) -> None:
    """Short windows of ours and theirs in turn; a ratio is the median of those of neighbours."""
    seconds, windows = plan.seconds / SLICES, plan.windows * SLICES
    ours = match.ours()
    ours()
    window(ours, plan.seconds)
    more = ["--in-turn", "--only", match.case, "--seconds", str(seconds), "--windows", str(windows)]
    more += ["--worlds", str(match.worlds)] if match.worlds > 1 else []
    mine: Windows = []
    rows = _drive([*driver, *more], match, lambda: mine.append(window(ours, seconds)))
    report.add(rates(SECTION, f"ours: {match.label}", mine, worlds=match.worlds, threads=1))
    for row in rows:
        theirs = list(zip(row["wall"], row["cpu"], strict=True))
        if row["case"].startswith("benchmark_step"):  # it has a clock of its own, and does not wait for ours
            continue
        report.add(rates(SECTION, f"{match.peer}: {row['case']}", theirs, worlds=match.worlds, threads=1))
        beside, mine = mine[:windows], mine[windows:]
        ratio = statistics.median(our[1] / their[1] for our, their in zip(beside, theirs, strict=True))
        name = f"ours ({match.label}) against {match.peer} {row['case']}"
        report.ratios.append(Ratio(name, ratio, match.goal))


def _drive(driver: list[str], match: Match, before_window: Callable[[], None]) -> list[dict[str, Any]]:
    """Run a driver to its end, `before_window` before each window of its; return the rows that it reports.

    Raises:
        ValueError: the driver failed, or was stopped as it did not begin to measure in `match.seconds`.
    """
    with (
        tempfile.TemporaryFile("w+") as errors,
        subprocess.Popen(
            driver, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True
        ) as peer,
    ):
        assert peer.stdin is not None
        assert peer.stdout is not None
        late = threading.Timer(match.seconds, peer.kill)
        late.start()
        try:
            line = peer.stdout.readline()
            while line == "ready\n":
                late.cancel()
                before_window()
                print(file=peer.stdin, flush=True)
                line = peer.stdout.readline()
        except BaseException:
            peer.kill()
            raise
        finally:
            late.cancel()
        if peer.wait() == 0:
            rows: list[dict[str, Any]] = json.loads(line)["rows"]
            return rows
        errors.seek(0)
        raise ValueError(errors.read() or f"stopped after {match.seconds:g} s without a window")


def _short(error: Exception) -> str:
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[-1][:200]


@click.command()
@quick_option
@json_option
@click.option("--peers", type=FOLDER, help="The folder in which install.py has installed peers.")
@click.option(
    "--only", default="", help="Only the peers' cases that have this in the peer's name and theirs."
)
@click.option("--prototype", type=FOLDER, help="The prototype's folder.")
def main(quick: bool, into: Path | None, peers: Path | None, only: str, prototype: Path | None) -> None:
    """Measure others in turn with us."""
    todo = {}
    if prototype is not None:
        todo["the prototype"] = partial(measure_prototype, folder=prototype)
    if peers is not None:
        warn = partial(click.secho, fg="yellow", err=True)
        todo["peers"] = partial(measure_peers, folder=peers, say=warn, only=only)
    measure_and_show(todo, quick, into)


if __name__ == "__main__":
    main()
