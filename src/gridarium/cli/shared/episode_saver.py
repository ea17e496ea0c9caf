"""Writes the episodes that `gridarium run --record` plays to a folder, as data."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Collection, Iterator
from time import monotonic
from types import TracebackType
from typing import Self

import click

from gridarium.agents import Episode
from gridarium.cli.shared.output_files import run_of
from gridarium.cli.shared.terminal import waiting
from gridarium.engine import World
from gridarium.episodes.disk import DatasetError, EpisodeDataset, EpisodeWriter
from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.recording import episodes_of_run
from gridarium.episodes.recording.episode_boundaries import parse_episode_id

SECONDS = 5.0
"""The seconds between two writes: at most this much is lost if a run is killed."""


class EpisodeSaver:
    """Writes episodes to a folder while others are played, with their policy's name and their seed.

    Episodes that are already in the folder are kept. Episodes played before an error, or before Ctrl-C, are written as
    well. Failed writes, for instance because the disk is full, are retried at the end, and reported only then.

    Args:
        world: the world.
        folder: the folder; it is created if it is missing.
        policies: the names of the policies that will be played.
        seeds: of the episodes that each of them will play.

    Raises:
        click.ClickException: the folder holds episodes of another world, or some with one of these policies and seeds, or it
            cannot be written to.
    """

    def __init__(self, world: World, folder: str, policies: Collection[str], seeds: range) -> None:
        with _reported(folder):
            self._writer = EpisodeWriter(folder, world=world.spec.description.to_dict())
            before = EpisodeDataset(folder)
            _refuse_repeated(before, policies, seeds)
            if count := len(before):
                click.echo(f"{folder} holds {count} episodes already; further ones are added", err=True)
        self._world = world
        self._waiting: list[Episode] = []
        self._policy, self._written = "", monotonic()

    def __call__(self, policy: str, episode: Episode) -> None:
        """Add an episode of a policy."""
        if policy != self._policy:
            self._add()
        self._policy = policy
        if episode.length > 0:
            self._waiting.append(episode)
        if monotonic() - self._written >= SECONDS:
            with contextlib.suppress(click.ClickException):
                self._write()
            self._written = monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with waiting(f"writing episodes to {self._writer.path}"):
            self._write()

    def _write(self) -> None:
        self._add()
        with _reported(self._writer.path):
            self._writer.flush()

    def _add(self) -> None:
        """Pass the episodes of one policy to the writer."""
        played, self._waiting = self._waiting, []
        if played:
            block = episodes_of_run(run_of(self._world, played), self._world)
            seeds = [played[parse_episode_id(id_)[1]].seed for id_ in block.ids[:]]
            with _reported(self._writer.path):
                self._writer.add(block.labelled(self._policy, [{"seed": seed} for seed in seeds]))


def _refuse_repeated(data: EpisodeDataset, policies: Collection[str], seeds: range) -> None:
    """Check that no episode would be in a folder twice, which makes intervals narrower than the data allow.

    Raises:
        click.ClickException: one would be; the message says which, and what to do.
    """
    recorded: dict[str, list[int]] = {}
    for policy, custom in zip(data.catalog.texts("module"), data.catalog.texts("custom"), strict=True):
        if policy in policies and isinstance(seed := json.loads(custom or "{}").get("seed"), int):
            recorded.setdefault(policy, []).append(seed)
    for policy, own in recorded.items():
        if count := len(set(own).intersection(seeds)):
            raise click.ClickException(
                f"{data.path} holds {count} of these {len(seeds)} episodes of {policy} already (seeds {seeds[0]} to "
                f"{seeds[-1]}), and would count them twice: choose another folder, or begin with --seed "
                f"{max(map(max, recorded.values())) + 1}"
            )


@contextlib.contextmanager
def _reported(folder: object) -> Iterator[None]:
    try:
        yield
    except (DatasetError, EpisodeError) as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(f"{folder} cannot be written to: {error.strerror or error}") from error
