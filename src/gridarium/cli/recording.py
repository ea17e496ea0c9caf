"""`gridarium run --record`: the episodes of all policies as data."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from gridarium.agents import Episode
    from gridarium.engine import World
    from gridarium.episodes.disk import EpisodeWriter


def open_folder(world: World, folder: str) -> EpisodeWriter:
    """A writer of a world's episodes to a folder; what is there already stays.

    Raises:
        click.ClickException: a library is missing, the folder holds other episodes, or it cannot be written to.
    """
    try:
        from gridarium.episodes.disk import EpisodeWriter
    except ImportError as error:
        raise click.ClickException(str(error)) from error
    with _told(folder):
        return EpisodeWriter(folder, world=world.spec.description.to_dict())


def write_episodes(writer: EpisodeWriter, world: World, results: dict[str, list[Episode]]) -> None:
    """Write episodes, with their policy's name and their seed, and close the writer.

    Raises:
        click.ClickException: they cannot be written.
    """
    from gridarium.cli.running import run_of
    from gridarium.episodes.recording import episodes_of_run
    from gridarium.episodes.recording.names import place_of

    with _told(writer.path), writer:
        for policy, episodes in results.items():
            played = [episode for episode in episodes if episode.length > 0]
            block = episodes_of_run(run_of(world, played), world)
            seeds = [played[place_of(id_)[1]].seed for id_ in block.ids[:]]
            writer.add(block.labelled(policy, [{"seed": seed} for seed in seeds]))


@contextlib.contextmanager
def _told(folder: object) -> Iterator[None]:
    from gridarium.episodes.disk import DatasetError
    from gridarium.episodes.errors import EpisodeError

    try:
        yield
    except (DatasetError, EpisodeError) as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(f"{folder} cannot be written to: {error.strerror or error}") from error
