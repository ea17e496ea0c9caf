"""`gridarium schema`: the JSON Schema of world files."""

from __future__ import annotations

import json

import click

from gridarium.worlds import json_schema


@click.command("schema")
def schema() -> None:
    r"""Write the JSON Schema of world files, with which editors complete and check them.

    \b
    gridarium schema > world.schema.json
    Then, as the first line of a world file:
    # yaml-language-server: $schema=world.schema.json
    """
    click.echo(json.dumps(json_schema(), indent=2))
