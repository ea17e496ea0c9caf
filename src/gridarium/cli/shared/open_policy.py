"""Opens the policies that are named on the command line."""

from __future__ import annotations

from typing import Any

import click

from gridarium.agents.named_policies import POLICIES
from gridarium.cli.shared.importing import import_file, import_module


def open_policy(given: str) -> Any:
    """Open a policy: a name such as `random` (see `gridarium.agents.named_policies`), `module:name`, or `file.py:name`.

    Args:
        given: what the user wrote.

    Raises:
        click.ClickException: there is no such policy.
    """
    if given in POLICIES:
        return POLICIES[given]
    stem, _, name = given.rpartition(":")
    if not stem or not name:
        raise click.ClickException(
            f"a policy is {', '.join(POLICIES)}, module:name or file.py:name, not {given!r}"
        )
    module = import_file(stem) if stem.endswith(".py") else import_module(stem)
    if not callable(getattr(module, name, None)):
        raise click.ClickException(f"{stem} has no function or class {name!r}")
    return getattr(module, name)
