"""The `gridarium` command."""

from __future__ import annotations

import click

from gridarium import __version__
from gridarium.cli.commands.beliefs import beliefs
from gridarium.cli.commands.bench import bench
from gridarium.cli.commands.cache import cache
from gridarium.cli.commands.check import check
from gridarium.cli.commands.demo import demo
from gridarium.cli.commands.episodes import episodes
from gridarium.cli.commands.explain import explain
from gridarium.cli.commands.gallery import gallery
from gridarium.cli.commands.ghost import ghost
from gridarium.cli.commands.list_worlds import list_worlds
from gridarium.cli.commands.play import play
from gridarium.cli.commands.replay import replay
from gridarium.cli.commands.rules import rules
from gridarium.cli.commands.run import run
from gridarium.cli.commands.schema import schema
from gridarium.cli.commands.serve import serve
from gridarium.cli.commands.vision import vision
from gridarium.cli.shared.errors import CommandGroup


@click.group(cls=CommandGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="gridarium")
@click.option("--traceback", is_flag=True, help="Where a rule raises, show every frame.")
def main(traceback: bool) -> None:
    """Grid worlds for agents and people, with rules that are plain Python functions and run compiled."""


for command in (
    demo,
    list_worlds,
    gallery,
    play,
    run,
    episodes,
    replay,
    serve,
    rules,
    explain,
    check,
    beliefs,
    ghost,
    vision,
    bench,
    cache,
    schema,
):
    main.add_command(command)
