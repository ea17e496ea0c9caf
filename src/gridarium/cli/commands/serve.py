"""`gridarium serve`: a running world in the browser."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import click

from gridarium.cli.shared.address import address, address_options, web_libraries
from gridarium.cli.shared.open_policy import open_policy
from gridarium.cli.shared.open_world import begin_interpreted, open_world, set_option

BUILT_IN = ("random", "scripted")


@click.command("serve")
@click.argument("world")
@set_option
@click.option(
    "--policy", "-p", "policies", multiple=True, metavar="POLICY",
    help="A name (random, scripted, chase, mcts, ...), module:name or file.py:name: offered on the page; the first one is chosen.",
)  # fmt: skip
@click.option(
    "--seed", default=0, show_default=True, type=click.IntRange(min=0), help="Seed of the first episode."
)
@click.option(
    "--speed", default=4.0, show_default=True, type=click.FloatRange(0.25, 60), help="Ticks a second."
)
@click.option("--paused", is_flag=True, help="Wait until somebody lets time go on.")
@address_options
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
    with web_libraries():
        from gridarium.view.server import app as server
        from gridarium.view.server.protocol import LARGEST
        from gridarium.view.server.session import Session

    chosen: dict[str, Any] = {}
    for given in policies:
        bare = Path(given).name  # a page need not know where a file lies
        chosen[given if bare in chosen else bare] = open_policy(given)
    begin_interpreted()
    opened = open_world(world, compiled=not interpreted, parameters=parameters)
    own = {name: policy for name, policy in chosen.items() if name not in BUILT_IN}
    at = address(host, port, hosts)
    command = _command(*((Path(world).name, ()) if at.elsewhere else (world, policies)), parameters, at.port)
    session = Session(opened, own, seed=seed, speed=speed, playing=not paused, command=command)
    try:
        for agent in range(opened.spec.agents if chosen else 0):
            session.policies.choose(agent, next(iter(chosen)))
    except TypeError as error:  # it does not take what policies are given
        raise click.ClickException(str(error)) from error
    click.echo(f"{opened.name} is at {at.url} (Ctrl-C ends it)")
    if at.elsewhere:
        click.echo("Whoever reaches this machine can look at it and steer it.")
    app = server.application(session, hosts=at.names, any_address=at.elsewhere)
    at.serve(app, largest=LARGEST, opens=at.url if opens else None)


def _command(world: str, policies: tuple[str, ...], parameters: dict[str, Any], port: int) -> str:
    """Return the shell command that starts the server at the same address."""
    chosen = [part for policy in policies for part in ("-p", policy)]
    given = [part for name, value in parameters.items() for part in ("--set", f"{name}={json.dumps(value)}")]
    return shlex.join(["gridarium", "serve", world, *given, *chosen, "--port", str(port)])
