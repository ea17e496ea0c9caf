"""`gridarium serve`: a running world in the browser."""

from __future__ import annotations

import json
import shlex
import socket
import threading
import webbrowser
from pathlib import Path
from typing import Any

import click

from gridarium.cli.shared.open_policy import open_policy
from gridarium.cli.shared.open_world import begin_interpreted, open_world, set_option

WITHOUT_WEB = "the browser viewer needs some libraries: pip install 'gridarium[web]'"
BUILT_IN = ("random", "scripted")


@click.command("serve")
@click.argument("world")
@set_option
@click.option(
    "--policy", "-p", "policies", multiple=True, metavar="POLICY",
    help="A name (random, scripted, chase, mcts, ...), module:name or file.py:name: offered on the page; the first one is chosen.",
)  # fmt: skip
@click.option(
    "--seed", default=0, show_default=True, type=click.IntRange(min=0), help="Of the first episode."
)
@click.option(
    "--speed", default=4.0, show_default=True, type=click.FloatRange(0.25, 60), help="Ticks a second."
)
@click.option("--paused", is_flag=True, help="Wait until somebody lets time go on.")
@click.option(
    "--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="0: any free one."
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="0.0.0.0 lets other machines in, without a password.",
)
@click.option("--allow-host", "hosts", multiple=True, metavar="NAME", help="A further name of this machine.")
@click.option("--open", "opens", is_flag=True, help="Open the page in the browser.")
@click.option("--interpreted", is_flag=True, help="Run the rules as plain Python.")
def serve(
    world: str,
    parameters: dict[str, Any],
    policies: tuple[str, ...],
    seed: int,
    speed: float,
    paused: bool,
    port: int,
    host: str,
    hosts: tuple[str, ...],
    opens: bool,
    interpreted: bool,
) -> None:
    """Show WORLD running in the browser: pause, step, speed, seed, choice of policy, and play from the keyboard.

    WORLD is the name of a catalogue world, a YAML file, or a Python file that makes a world. All pages that are open
    look at the same world. Ctrl-C ends it.
    """
    try:
        from gridarium.view.server import app as server
        from gridarium.view.server.origin_guard import LOCAL
        from gridarium.view.server.session import Session
    except ImportError as error:
        raise click.ClickException(f"{WITHOUT_WEB} ({error.name} is missing)") from None

    chosen: dict[str, Any] = {}
    for given in policies:
        bare = Path(given).name  # a page need not know where a file lies
        chosen[given if bare in chosen else bare] = open_policy(given)
    begin_interpreted()
    opened = open_world(world, compiled=not interpreted, parameters=parameters)
    own = {name: policy for name, policy in chosen.items() if name not in BUILT_IN}
    elsewhere = host not in LOCAL
    on = _listening(server, host, port)
    command = _command(
        *((Path(world).name, ()) if elsewhere else (world, policies)), parameters, on.getsockname()[1]
    )
    session = Session(opened, own, seed=seed, speed=speed, playing=not paused, command=command)
    try:
        for agent in range(opened.spec.agents if chosen else 0):
            session.policies.choose(agent, next(iter(chosen)))
    except TypeError as error:  # it does not take what policies are given
        raise click.ClickException(str(error)) from error
    names = {*LOCAL, *hosts, *([host, socket.gethostname().lower()] if elsewhere else [])}
    place = f"http://{_shown(host)}:{on.getsockname()[1]}/"
    click.echo(f"{opened.name} is at {place} (Ctrl-C ends it)")
    if elsewhere:
        click.echo("Whoever reaches this machine can look at it and steer it.")
    if opens:
        threading.Thread(target=webbrowser.open, args=[place], daemon=True).start()
    server.serve(server.application(session, hosts=names, any_address=elsewhere), on)


def _command(world: str, policies: tuple[str, ...], parameters: dict[str, Any], port: int) -> str:
    """Return the shell command that starts the server at the same address."""
    chosen = [part for policy in policies for part in ("-p", policy)]
    given = [part for name, value in parameters.items() for part in ("--set", f"{name}={json.dumps(value)}")]
    return shlex.join(["gridarium", "serve", world, *given, *chosen, "--port", str(port)])


def _listening(server: Any, host: str, port: int) -> socket.socket:
    try:
        made: socket.socket = server.listening(host, port)
    except OSError as error:
        if isinstance(error, socket.gaierror):
            raise click.ClickException(f"{host} is not a name or address: {error.strerror}") from error
        hint = "; choose another one with --port, or 0 for any" if port else ""
        raise click.ClickException(f"{host}, port {port}: {error.strerror}{hint}") from error
    return made


def _shown(host: str) -> str:
    """Return the host under which a browser on this machine reaches the server."""
    if host in ("0.0.0.0", "::", ""):
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host
