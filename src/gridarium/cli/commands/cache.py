"""`gridarium cache`: the folder of compiled programs."""

from __future__ import annotations

import click

from gridarium.compiled.cache import store


@click.command("cache")
@click.option("--clear", is_flag=True, help="Remove all compiled programs.")
def cache(clear: bool) -> None:
    """Show where compiled programs are kept and how much they take; --clear removes them.

    The place is $GRIDARIUM_CACHE_DIR, or gridarium under $XDG_CACHE_HOME or ~/.cache.
    """
    if clear:
        click.echo(f"removed {_counted(store.clear())} from {store.folder()}")
        return
    count, size = store.contents()
    click.echo(f"place     {store.folder()}\nprograms  {count}\nsize      {size / 2**20:.1f} MiB")
    if (reason := store.usable()) is not None:
        click.echo(f"not used: {reason}; programs are compiled in memory, in each process again")


def _counted(count: int) -> str:
    return f"{count} program{'' if count == 1 else 's'}"
