"""`gridarium schema`: the JSON Schema of world files."""

from __future__ import annotations

import json

import click

from gridarium.worlds import json_schema


@click.command("schema")
def schema() -> None:
    """Write the JSON Schema of world files, with which editors complete and check them.

    \b
    gridarium schema > world.schema.json
    Then, as the first line of a world file:
    # yaml-language-server: $schema=world.schema.json
    """  # noqa: D301 (click reads the backspace: the next lines are not wrapped)
    click.echo(json.dumps(json_schema(), indent=2))
