"""`gridarium run --record`: the episodes of all policies as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from gridarium.agents import Episode
    from gridarium.engine import World


def write_episodes(world: World, results: dict[str, list[Episode]], folder: str) -> None:
    """Write episodes to a folder; what is there already stays. Episodes have their policy's name and their seed.

    Raises:
        click.ClickException: a library is missing, the folder holds other episodes, or it cannot be written to.
    """
    from gridarium.cli.running import run_of

    try:
        from gridarium.episodes.disk import DatasetError, EpisodeWriter
        from gridarium.episodes.errors import EpisodeError
        from gridarium.episodes.recording import episodes_of_run
        from gridarium.episodes.recording.names import place_of
    except ImportError as error:
        raise click.ClickException(str(error)) from error

    try:
        with EpisodeWriter(folder, world=world.spec.description.to_dict()) as writer:
            for policy, episodes in results.items():
                played = [episode for episode in episodes if episode.length > 0]
                block = episodes_of_run(run_of(world, played), world)
                seeds = [played[place_of(id_)[1]].seed for id_ in block.ids[:]]
                writer.add(block.labelled(policy, [{"seed": seed} for seed in seeds]))
    except (DatasetError, EpisodeError) as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(f"{folder} cannot be written to: {error.strerror}") from error
