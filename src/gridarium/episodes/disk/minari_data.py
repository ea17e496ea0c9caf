"""Writing and reading datasets of Minari. Needs `gridarium[minari]`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from gridarium.episodes.buffer.structs import batch, map_structs
from gridarium.episodes.disk.dataset import EpisodeDataset
from gridarium.episodes.disk.writer import EpisodeWriter
from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.recording.episode_block import EpisodeMetadata, Spaces, make_episode
from gridarium.episodes.recording.schema import Columns, EpisodeSchema, cast_columns, schema_of_space
from gridarium.episodes.single_agent_episode import SingleAgentEpisode

try:
    import minari
    from minari.data_collector import EpisodeBuffer
except ImportError:  # pragma: no cover
    raise ImportError("datasets of Minari need minari; install gridarium[minari]") from None


TABLES = ("arrow", "parquet")
"""The formats of Minari that store a step as a row."""


def to_minari(data: EpisodeDataset, dataset_id: str, *, infos: bool = True, **options: Any) -> Any:
    """Write episodes as a new dataset of Minari.

    Args:
        data: episodes of one agent each, that begin at their first step. Extra model outputs and lookbacks are not
            written: Minari has no place for them.
        dataset_id: its name there, such as `gridarium/key-door-v0`.
        infos: whether infos are written; they need the same keys at every step. Numbers, booleans and arrays of them in any
            format; texts go to "arrow" and "parquet" only, and what is nested to "hdf5" only, as Minari reads them.
        options: as for `minari.create_dataset_from_buffers`, for instance `author` or `data_format`.

    Returns:
        The `MinariDataset`.

    Raises:
        EpisodeError: spaces that are not known, episodes of several agents, chunks, or infos that differ in their keys or
            that Minari could not read again. Nothing is written then.
        ValueError: there is a dataset of that name.
    """
    spaces = {"observation_space": data.observation_space, "action_space": data.action_space}
    if None in spaces.values():
        raise EpisodeError(f"{data.path}: Minari needs one space of observations and one of actions")
    in_tables = options.get("data_format") in TABLES
    buffers = [_buffer(episode, i, infos, in_tables) for i, episode in enumerate(data)]
    return minari.create_dataset_from_buffers(dataset_id, buffers, **(spaces | options))


def from_minari(dataset: Any, writer: EpisodeWriter) -> int:
    """Add the episodes of a dataset of Minari.

    Args:
        dataset: a `MinariDataset`, or the id of one that is installed here.
        writer: which they are added to.

    Returns:
        How many there were.

    Raises:
        EpisodeError: episodes that do not fit the schema of the writer's dataset.
        FileNotFoundError: no such dataset.
    """
    found = minari.load_dataset(dataset) if isinstance(dataset, str) else dataset
    spaces = found.observation_space, found.action_space
    schema = EpisodeSchema(schema_of_space(spaces[0]), schema_of_space(spaces[1]), {})
    count = 0
    for one in found.iterate_episodes():
        writer.add(_episode(one, schema, spaces, str(found.id)))
        count += 1
    return count


def _buffer(episode: Any, number: int, infos: bool, in_tables: bool) -> Any:
    if not isinstance(episode, SingleAgentEpisode):
        raise EpisodeError(f"{episode!r}: Minari has no episodes of several agents")
    if episode.t_started:
        raise EpisodeError(f"{episode!r} is a chunk: Minari has whole episodes only; join them with `find`")
    flags = np.zeros((2, len(episode)), np.bool_)
    if len(episode):
        flags[:, -1] = episode.is_terminated, episode.is_truncated or not episode.is_done
    kept = None
    if infos and any(episode.get_infos()):
        try:
            joined: Any = batch(episode.get_infos())
            kept = {key: _info(key, values, in_tables) for key, values in joined.items()}
        except EpisodeError as error:
            raise EpisodeError(
                f"episode {episode.id_}: infos that Minari cannot hold ({error}); leave them out with infos=False"
            ) from error
    return EpisodeBuffer(
        id=number,
        seed=episode.custom_data.get("seed"),
        observations=episode.get_observations(),
        actions=episode.get_actions(),
        rewards=list(episode.get_rewards()),
        terminations=flags[0].tolist(),
        truncations=flags[1].tolist(),
        infos=kept,
    )


def _info(key: str, values: Any, in_tables: bool) -> Any:
    """Return the values under a key of the infos, as Minari can write and read them.

    Raises:
        EpisodeError: it cannot.
    """
    if isinstance(values, (dict, tuple)):
        if in_tables:
            raise EpisodeError(f'{key!r} is nested, which only data_format="hdf5" holds')
        parts = values.items() if isinstance(values, dict) else enumerate(values)
        made = {name: _info(f"{key}.{name}", part, in_tables) for name, part in parts}
        return made if isinstance(values, dict) else tuple(made.values())
    if values.dtype.kind == "U" and not in_tables:
        raise EpisodeError(f'{key!r} holds texts, which data_format="arrow" and "parquet" hold')
    if values.dtype.kind not in "biufU":
        raise EpisodeError(f"{key!r} holds neither numbers nor texts")
    return (
        list(values) if in_tables and values.ndim == 1 else values
    )  # it reads back no array of single numbers


def _episode(one: Any, schema: EpisodeSchema, spaces: Spaces, origin: str) -> SingleAgentEpisode:
    steps = len(one.rewards)
    columns: Columns = {}
    for name, values in (
        ("observations", one.observations),
        ("actions", one.actions),
        ("rewards", one.rewards),
    ):
        columns |= cast_columns(
            name, schema.parts()[name], map_structs(lambda _, leaf: np.asarray(leaf), values)
        )
    for name, array in columns.items():
        if not name.startswith("observations"):
            columns[name] = np.concatenate([array, np.zeros((1, *array.shape[1:]), array.dtype)])
    metadata = EpisodeMetadata(
        ids=[f"{origin}-{one.id}"],
        t_started=np.zeros(1, np.int64),
        lookback=np.zeros(1, np.int64),
        terminated=np.array([steps > 0 and bool(one.terminations[-1])]),
        truncated=np.array([steps > 0 and bool(one.truncations[-1])]),
    )
    infos = list(_unstacked(one.infos, steps + 1)) if one.infos else None
    return make_episode(schema, metadata, 0, columns, infos, spaces)


def _unstacked(infos: dict[str, Any], n: int) -> Iterator[dict[str, Any]]:
    for i in range(n):
        yield map_structs(lambda _, leaf, i=i: leaf[i], infos)
