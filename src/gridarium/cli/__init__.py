"""The `gridarium` command."""

from __future__ import annotations

import click

from gridarium import __version__
from gridarium.cli.beliefs import beliefs
from gridarium.cli.bench.command import bench
from gridarium.cli.caching import cache
from gridarium.cli.checking import check
from gridarium.cli.demo import demo
from gridarium.cli.episodes import episodes
from gridarium.cli.errors import CommandGroup
from gridarium.cli.explaining import explain
from gridarium.cli.gallery import gallery
from gridarium.cli.ghost import ghost
from gridarium.cli.listing import list_worlds
from gridarium.cli.playing import play
from gridarium.cli.replaying import replay
from gridarium.cli.rules import rules
from gridarium.cli.running import run
from gridarium.cli.schema import schema
from gridarium.cli.serving import serve
from gridarium.cli.vision import vision


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
