"""`gridarium schema`: the JSON Schema of world files."""

from __future__ import annotations

import json

import click


@click.command("schema", short_help="The JSON Schema of world files.")
def schema() -> None:
    r"""Write the JSON Schema of world files, with which editors complete and check them.

    \b
    gridarium schema > world.schema.json
    Then, as the first line of a world file:
    # yaml-language-server: $schema=world.schema.json
    """
    from gridarium.worlds import json_schema

    click.echo(json.dumps(json_schema(), indent=2))
