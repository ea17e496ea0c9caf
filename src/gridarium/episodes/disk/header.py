"""What a part of a dataset says about itself: format, version, columns, spaces, and whatever its users have added."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import gymnasium as gym
import numpy as np

from gridarium.episodes.disk.bounds import Bounds
from gridarium.episodes.disk.errors import DatasetError
from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.recording.block import Spaces
from gridarium.episodes.recording.forms import Column, EpisodeForm, Form
from gridarium.episodes.space_states import space_from_state, space_to_state
from gridarium.version import __version__

FORMAT, VERSION = "gridarium episodes", 2
MOST_BYTES = 1 << 26
KINDS = "biufU"


@dataclass(frozen=True, eq=False)
class Stream:
    """Episodes of one form, such as those of all agents that perceive alike.

    Attributes:
        form: of their items.
        spaces: of observations and actions, None where they are not known.
    """

    form: EpisodeForm
    spaces: Spaces

    @cached_property
    def bounds(self) -> Bounds:
        """What the spaces allow."""
        return Bounds(self.spaces)

    def same(self, other: Stream) -> bool:
        """Whether episodes of both can lie in one file."""
        return self.form == other.form and self.spaces == other.spaces


@dataclass(frozen=True, eq=False)
class Header:
    """What a part of a dataset says.

    Attributes:
        streams: the forms that its episodes have.
        agents: the stream of each agent, by its id as JSON; an empty text for episodes that are no agent's.
        world: the description of the world that they happened in, as plain data; empty if that is not known.
        metadata: what users keep with the dataset.
        library: the version of Gridarium that wrote it.
        files: the checksums of the part's other files, by how their names end; None in format 1, which had none.
    """

    streams: tuple[Stream, ...]
    agents: Mapping[str, int] = field(default_factory=dict)
    world: Mapping[str, Any] = field(default_factory=dict)
    metadata: Mapping[str, Any] = field(default_factory=dict)
    library: str = __version__
    files: Mapping[str, str] | None = None

    def write(self) -> bytes:
        """As JSON.

        Raises:
            EpisodeError: a space that has no such form.
        """
        plain = {
            "format": FORMAT,
            "version": VERSION,
            "library": self.library,
            "streams": [_stream_to_plain(stream) for stream in self.streams],
            "agents": dict(self.agents),
            "world": self.world,
            "metadata": self.metadata,
            "files": dict(self.files or {}),
        }
        try:
            return json.dumps(plain, separators=(",", ":"), ensure_ascii=False).encode()
        except (TypeError, ValueError) as error:
            raise EpisodeError(f"the world's description and the metadata are plain data: {error}") from error

    @staticmethod
    def read(data: bytes | None) -> Header:
        """What `write` wrote.

        Raises:
            DatasetError: something else, a damaged header, or one of another version.
        """
        if data is None:
            raise DatasetError("it has no header of Gridarium's episodes")
        if len(data) > MOST_BYTES:
            raise DatasetError(f"its header is larger than {MOST_BYTES} bytes")
        try:
            plain = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise DatasetError(f"its header is damaged: {error}") from error
        if not isinstance(plain, dict) or plain.get("format") != FORMAT:
            raise DatasetError("its header does not say that it holds Gridarium's episodes")
        _check_version(plain.get("version"), plain.get("library"))
        try:
            streams = tuple(_stream_from_plain(stream) for stream in plain["streams"])
            agents = {str(agent): streams.index(streams[i]) for agent, i in plain["agents"].items()}
            kept = dict(plain["world"]), dict(plain["metadata"])
            files = None if plain["version"] == 1 else dict(plain["files"])
            return Header(streams, agents, *kept, str(plain["library"]), files)
        except (LookupError, TypeError, ValueError, AttributeError, AssertionError) as error:
            raise DatasetError(f"its header is damaged: {type(error).__name__}: {error}") from error


def _check_version(version: Any, library: Any) -> None:
    if type(version) is not int or version < 1:
        raise DatasetError(f"its format has no version, but {version!r}")
    if version > VERSION:
        raise DatasetError(
            f"a newer Gridarium ({library}) wrote it, in format {version}; this one ({__version__}) reads "
            f"formats 1 to {VERSION}: update Gridarium"
        )


def _stream_to_plain(stream: Stream) -> dict[str, Any]:
    form = stream.form
    return {
        "observations": _form_to_plain(form.observations),
        "actions": _form_to_plain(form.actions),
        "extras": [[key, _form_to_plain(part)] for key, part in form.extras.items()],
        "spaces": [None if space is None else space_to_state(space) for space in stream.spaces],
    }


def _stream_from_plain(plain: dict[str, Any]) -> Stream:
    form = EpisodeForm(
        _form_from_plain(plain["observations"]),
        _form_from_plain(plain["actions"]),
        {key: _form_from_plain(part) for key, part in plain["extras"]},
    )
    form.columns()
    spaces: list[gym.Space[Any] | None] = [
        None if space is None else space_from_state(space) for space in plain["spaces"]
    ]
    return Stream(form, (spaces[0], spaces[1]))


def _form_to_plain(form: Form) -> Any:
    if isinstance(form, dict):
        return {"dict": [[key, _form_to_plain(part)] for key, part in form.items()]}
    if isinstance(form, tuple):
        return {"tuple": [_form_to_plain(part) for part in form]}
    return {"dtype": "text" if form.dtype.kind == "U" else form.dtype.name, "shape": list(form.shape)}


def _form_from_plain(plain: Any) -> Form:
    if "dict" in plain:
        return {key: _form_from_plain(part) for key, part in plain["dict"]}
    if "tuple" in plain:
        return tuple(_form_from_plain(part) for part in plain["tuple"])
    dtype = np.dtype("U1" if plain["dtype"] == "text" else plain["dtype"])
    shape = tuple(plain["shape"])
    if dtype.kind not in KINDS or not all(type(side) is int and side >= 0 for side in shape):
        raise DatasetError(f"no column is {dtype}{list(shape)}")
    return Column(dtype, shape)
