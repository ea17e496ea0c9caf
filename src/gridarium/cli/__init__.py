"""The `gridarium` command."""

from __future__ import annotations

import click

from gridarium import __version__
from gridarium.cli.command_group import LazyGroup

COMMANDS = {
    "demo": ("gridarium.cli.commands.demo:demo", "A short tour."),
    "list": ("gridarium.cli.commands.list_worlds:list_worlds", "The worlds of the catalogue."),
    "gallery": (
        "gridarium.cli.commands.gallery:gallery",
        "A picture of every world, and a page that shows them.",
    ),
    "play": ("gridarium.cli.commands.play:play", "Play a world yourself."),
    "run": ("gridarium.cli.commands.run:run", "Episodes with a policy, and a table of results."),
    "match": ("gridarium.cli.commands.match:match", "Games between players, with clocks."),
    "tournament": (
        "gridarium.cli.commands.tournament:tournament",
        "A tournament between players: tables, ratings, a page.",
    ),
    "episodes": ("gridarium.cli.commands.episodes:episodes", "What is in a folder of recorded episodes."),
    "replay": ("gridarium.cli.commands.replay:replay", "A recorded run: what is in it, checked, and shown."),
    "serve": ("gridarium.cli.commands.serve:serve", "A running world in the browser."),
    "live": (
        "gridarium.cli.commands.live:live",
        "A live world in the browser: several people, each with a link.",
    ),
    "rules": (
        "gridarium.cli.commands.rules:rules",
        "The rules that worlds can have; of one, its parameters, source and uses.",
    ),
    "explain": (
        "gridarium.cli.commands.explain:explain",
        "What a world is made of, its rules as one page of Python.",
    ),
    "check": ("gridarium.cli.commands.check:check", "Whether a world or rules of your own are in order."),
    "beliefs": (
        "gridarium.cli.commands.beliefs:beliefs",
        "Filters that find out where an agent is, compared on random walks.",
    ),
    "ghost": ("gridarium.cli.commands.ghost:ghost", "An episode of the ghost world, with a particle filter."),
    "vision": (
        "gridarium.cli.commands.vision:vision",
        "Classifiers of pictures of cells: train, judge, look.",
    ),
    "bench": ("gridarium.cli.commands.bench:bench", "How fast this machine is."),
    "cache": ("gridarium.cli.commands.cache:cache", "Where compiled programs are kept; remove them."),
    "schema": ("gridarium.cli.commands.schema:schema", "The JSON Schema of world files."),
}
"""For each command its place and what it does."""


@click.group(cls=LazyGroup, lazy_commands=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="gridarium")
@click.option("--traceback", is_flag=True, help="Where a rule raises, show every frame.")
def main(traceback: bool) -> None:
    """Grid worlds for agents and people, with rules that are plain Python functions and run compiled."""
