"""`gridarium live`: a live world in the browser, for several people."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gridarium.cli.shared.address import Address, address, address_options, web_libraries
from gridarium.cli.shared.open_world import begin_interpreted, set_option

if TYPE_CHECKING:
    from gridarium.view.live_server.access import Seat


@click.command("live")
@click.argument("world")
@set_option
@click.option(
    "--speed", type=click.FloatRange(0.02, 50), help="Ticks a second; by default the world's own speed."
)
@click.option(
    "--teammate",
    type=click.Path(exists=True, dir_okay=False),
    help="The file of a trained network, which plays a robot (in bw4t; see examples/live_teammate.py).",
)
@click.option("--start", is_flag=True, help="Let time go on at once, without waiting for the experimenter.")
@click.option(
    "--media",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder of pictures that objects may name as their img_name.",
)
@click.option(
    "--save",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="The file to which the run is written in the end, for `gridarium replay`; those after a reset get numbers.",
)
@click.option(
    "--checkpoint",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="The file to which the world is written in the end, for --resume.",
)
@click.option(
    "--resume",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The file of a checkpoint, from which the world goes on.",
)
@click.option(
    "--on-brain-error",
    type=click.Choice(["stop", "skip", "remove"]),
    help="What an error of a robot does: time stops, it does nothing in that tick, or it is removed; by default the world's own.",
)
@address_options
@click.option("--interpreted", is_flag=True, help="Run the core's rules as plain Python.")
def live(
    world: str,
    parameters: dict[str, Any],
    speed: float | None,
    teammate: str | None,
    start: bool,
    media: Path | None,
    save: Path | None,
    checkpoint: Path | None,
    resume: Path | None,
    on_brain_error: str | None,
    port: int,
    host: str,
    hosts: tuple[str, ...],
    opens: bool,
    interpreted: bool,
) -> None:
    """Run the live world WORLD in the browser, for an experimenter, players, and watchers.

    WORLD is the name of a world that comes along (bw4t, kitchen, search-and-rescue, tutorial), a YAML file, or a Python file that
    makes a WorldBuilder: file.py or file.py:name. A link is printed for everybody; who has it is who it says. Ctrl-C
    ends it.
    """
    with web_libraries():
        from gridarium.view.live_server import app as server
        from gridarium.view.live_server.protocol import LARGEST
        from gridarium.view.live_server.session import LiveSession
    from gridarium.cli.shared.open_live import KeptRuns, open_live_world

    begin_interpreted()
    if teammate is not None:
        parameters = {**parameters, "teammate": teammate}
    kept = KeptRuns(save, checkpoint)
    opened = open_live_world(world, parameters, compiled=not interpreted, resume=resume)
    if on_brain_error is not None:
        opened.on_brain_error = on_brain_error
    if speed is not None:
        opened.tick_duration = 1 / speed
    at = address(host, port, hosts)
    given = [part for name, value in parameters.items() for part in ("--set", f"{name}={json.dumps(value)}")]
    options = {
        "--speed": speed,
        "--media": media,
        "--on-brain-error": on_brain_error,
        "--save": save,
        "--checkpoint": checkpoint,
        "--resume": resume,
        "--port": at.port,
    }
    given += [str(part) for name, value in options.items() if value is not None for part in (name, value)]
    command = shlex.join(["gridarium", "live", world, *given])

    def show(seat: Seat) -> None:
        click.echo(f"  {_whose(seat):28} {_link(at, seat)}")

    name = Path(world.partition(":")[0]).stem
    session = LiveSession(
        opened, name=name, playing=start, media=media, command=command, announce=show, keep=kept
    )
    click.echo(f"{world} runs at {at.url} (Ctrl-C ends it). Who has a link is who it says:")
    for seat in session.links:
        show(seat)
    click.echo(
        f"Scripts steer it with the experimenter's token, the last part of that link: see {at.url}api/"
    )
    if at.elsewhere:
        click.echo("Other machines reach it: give them these links with this machine's name.")
    app = server.application(session, hosts=at.names, any_address=at.elsewhere)
    try:
        at.serve(app, largest=LARGEST, opens=_link(at, session.links.experimenter) if opens else None)
    finally:
        session.close()


def _whose(seat: Seat) -> str:
    """Whose link it is, in words."""
    who = seat.agent_id or ("everything" if seat.role == "watcher" else "")
    return {"experimenter": "the experimenter", "player": f"play {who}", "watcher": f"watch {who}"}[seat.role]


def _link(at: Address, seat: Seat) -> str:
    return f"{at.url.rstrip('/')}{seat.path}"
