"""Does the data of an episode belong together?"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from gridarium.episodes.checking import misfit
from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.structs import batch

if TYPE_CHECKING:
    from gridarium.episodes.buffer import InfiniteLookbackBuffer
    from gridarium.episodes.single_agent_episode import SingleAgentEpisode


def validate(episode: SingleAgentEpisode, *, spaces: bool) -> None:
    """Check lengths (after the lookback), and, if wanted, that values lie in their spaces.

    Raises:
        EpisodeError: what does not belong, and why.
    """
    observations = len(episode.observations)
    steps = max(observations - 1, 0)
    for name, buffer in episode.buffers().items():
        wanted = observations if name in ("observations", "infos") else steps
        if len(buffer) != wanted:
            raise EpisodeError(
                f"episode {episode.id_}: {observations} observations need {wanted} {name}, there are {len(buffer)}"
            )
    if spaces:
        for name, buffer in (("observations", episode.observations), ("actions", episode.actions)):
            if buffer.space is not None and len(buffer):
                wrong = _outside(buffer, name)
                if wrong is not None:
                    raise EpisodeError(f"episode {episode.id_}: {wrong}")


def _outside(buffer: InfiniteLookbackBuffer, name: str) -> str | None:
    """What is wrong with items that do not lie in their space, at which leaf and step."""
    values = buffer.get()
    if buffer.finalized:
        return misfit(buffer.space_struct, values, path=name)
    try:
        return misfit(buffer.space_struct, batch(values), path=name)
    except EpisodeError as error:  # items of different forms: one of them is to blame
        for step, value in enumerate(values):
            wrong = misfit(buffer.space_struct, batch([value]), path=name)
            if wrong is not None:
                return f"{wrong.replace(' at step 0', '')}, at step {step}"
        return f"{name}: {error}"


@contextmanager
def told_of(episode: SingleAgentEpisode, name: str) -> Iterator[None]:
    """Let errors tell which data of which episode they are about."""
    try:
        yield
    except EpisodeError as error:
        raise EpisodeError(f"episode {episode.id_}: {name}: {error}") from error
