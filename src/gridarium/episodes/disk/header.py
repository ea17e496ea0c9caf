"""The header of a part of a dataset: format, version, columns, spaces, the world, and metadata of users."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import gymnasium as gym
import numpy as np
import numpy.typing as npt

from gridarium.episodes.buffer.encoders import space_struct
from gridarium.episodes.buffer.spaces import SIMPLE, Flags, SpaceBounds, space_from_state, space_to_state
from gridarium.episodes.errors import DatasetError, EpisodeError
from gridarium.episodes.recording.episode_block import EpisodeBlock, Spaces
from gridarium.episodes.recording.schema import Column, Columns, EpisodeSchema, Schema, named_leaves
from gridarium.version import __version__

HINT = "if that is as it should be, give the writer other spaces, or check_spaces=False"


class ColumnBounds:
    """The bounds of the columns of observations and actions, by their spaces.

    Args:
        spaces: of one observation and of one action; None has no bounds.
    """

    def __init__(self, spaces: Spaces) -> None:
        self._columns = {
            name: SpaceBounds(leaf) if isinstance(leaf, SIMPLE) else _TextBounds(leaf)
            for part, space in zip(("observations", "actions"), spaces, strict=True)
            if space is not None
            for name, leaf in named_leaves(part, space_struct(space))
        }

    def check(self, block: EpisodeBlock, columns: Columns) -> None:
        """Check the columns of a block.

        Raises:
            EpisodeError: a value is outside (naming episode, leaf, step, value and space).
        """
        for name, allowed in self._columns.items():
            if name not in columns:
                raise EpisodeError(f"{name}: only in the space, not in the data")
            outside = allowed.outside(columns[name])
            if outside is None:
                continue
            ends = np.cumsum(block.rows)
            if not name.startswith("observations"):
                outside[ends - 1] = False  # no action follows the last observation
            if outside.any():
                row = int(outside.argmax())
                which = int(np.searchsorted(ends, row, "right"))
                step = row - int((ends - block.rows + block.metadata.lookback)[which])
                text = allowed.describe(columns[name][row])
                raise EpisodeError(f"episode {block.ids[which]}: {name} at step {step}{text} ({HINT})")


class _TextBounds:
    """The bounds of a space of texts: each distinct text is checked once."""

    def __init__(self, space: gym.Space[Any]) -> None:
        self._space = space

    def outside(self, values: npt.NDArray[Any]) -> Flags | None:
        odd = [value for value in np.unique(values).tolist() if not self._space.contains(value)]
        return np.isin(values, odd) if odd else None

    def describe(self, value: Any) -> str:
        return f": {value.item()!r} is outside {self._space}"


FORMAT, VERSION = "gridarium episodes", 2
MAX_BYTES = 1 << 26
KINDS = "biufU"


@dataclass(frozen=True, eq=False)
class Stream:
    """Episodes with one schema, such as those of all agents that observe alike.

    Attributes:
        schema: of their items.
        spaces: of observations and actions, None where they are not known.
    """

    schema: EpisodeSchema
    spaces: Spaces

    @cached_property
    def bounds(self) -> ColumnBounds:
        """The bounds by the spaces."""
        return ColumnBounds(self.spaces)

    def same(self, other: Stream) -> bool:
        """Return whether episodes of both can be in one file."""
        return self.schema == other.schema and self.spaces == other.spaces


@dataclass(frozen=True, eq=False)
class Header:
    """The header of a part of a dataset.

    Attributes:
        streams: the schemas and spaces of its episodes.
        agents: the stream of each agent, by its id as JSON; an empty text for episodes without an agent.
        world: the description of the world, as plain data; empty if it is not known.
        metadata: of users.
        library: the version of Gridarium that wrote it.
        files: the checksums of the part's other files, by the ends of their names; None in format 1, which had none.
    """

    streams: tuple[Stream, ...]
    agents: Mapping[str, int] = field(default_factory=dict)
    world: Mapping[str, Any] = field(default_factory=dict)
    metadata: Mapping[str, Any] = field(default_factory=dict)
    library: str = __version__
    files: Mapping[str, str] | None = None

    def write(self) -> bytes:
        """Encode the header as JSON.

        Raises:
            EpisodeError: a space that cannot be written as JSON.
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
        """Decode a header that `write` has encoded.

        Raises:
            DatasetError: not a header, a damaged one, or one of another version.
        """
        if data is None:
            raise DatasetError("it has no header of Gridarium's episodes")
        if len(data) > MAX_BYTES:
            raise DatasetError(f"its header is larger than {MAX_BYTES} bytes")
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
    schema = stream.schema
    return {
        "observations": _form_to_plain(schema.observations),
        "actions": _form_to_plain(schema.actions),
        "extras": [[key, _form_to_plain(part)] for key, part in schema.extras.items()],
        "spaces": [None if space is None else space_to_state(space) for space in stream.spaces],
    }


def _stream_from_plain(plain: dict[str, Any]) -> Stream:
    schema = EpisodeSchema(
        _form_from_plain(plain["observations"]),
        _form_from_plain(plain["actions"]),
        {key: _form_from_plain(part) for key, part in plain["extras"]},
    )
    schema.columns()
    spaces: list[gym.Space[Any] | None] = [
        None if space is None else space_from_state(space) for space in plain["spaces"]
    ]
    return Stream(schema, (spaces[0], spaces[1]))


def _form_to_plain(schema: Schema) -> Any:
    if isinstance(schema, dict):
        return {"dict": [[key, _form_to_plain(part)] for key, part in schema.items()]}
    if isinstance(schema, tuple):
        return {"tuple": [_form_to_plain(part) for part in schema]}
    return {"dtype": "text" if schema.dtype.kind == "U" else schema.dtype.name, "shape": list(schema.shape)}


def _form_from_plain(plain: Any) -> Schema:
    if "dict" in plain:
        return {key: _form_from_plain(part) for key, part in plain["dict"]}
    if "tuple" in plain:
        return tuple(_form_from_plain(part) for part in plain["tuple"])
    dtype = np.dtype("U1" if plain["dtype"] == "text" else plain["dtype"])
    shape = tuple(plain["shape"])
    if dtype.kind not in KINDS or not all(type(side) is int and side >= 0 for side in shape):
        raise DatasetError(f"no column is {dtype}{list(shape)}")
    return Column(dtype, shape)
