"""Episodes of several agents on disk: what their agents' parts do not tell, as a row of the index."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from gridarium.episodes.disk.errors import DatasetError
from gridarium.episodes.disk.index import Kind, Rows
from gridarium.episodes.disk.values import from_json, to_json
from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.multi_agent import MultiAgentEpisode
from gridarium.episodes.space_states import space_to_state

if TYPE_CHECKING:
    from gridarium.episodes.disk.catalog import Entry
    from gridarium.episodes.disk.dataset import EpisodeDataset

ELSEWHERE = (
    "agent_episodes",
    "observation_space",
    "action_space",
    "custom_data",
    "agent_to_module_mapping_fn",
)
"""What of an episode's state lies in other places, or, as the function that chooses modules, cannot be kept."""
STEPS = "env_t_to_agent_t"
SKIPPED = MultiAgentEpisode.SKIP_ENV_TS_TAG


def row_of(episode: MultiAgentEpisode, returned: float | None = None) -> Rows:
    """The row of the index for an episode, without its agents' parts.

    Args:
        episode: its agents' own episodes may be missing.
        returned: what all agents were rewarded; by default what their episodes say.

    Raises:
        EpisodeError: agents' ids, hanging actions or custom data that cannot be written as JSON.
    """
    episode.validate()
    state = episode.get_state()
    steps = {agent: [kept["lookback"], list(_runs(kept["data"]))] for agent, kept in state.pop(STEPS).items()}
    plain = {
        key: list(value.items()) if isinstance(value, dict) else value
        for key, value in (state | {STEPS: steps}).items()
        if key not in ELSEWHERE
    }
    modules = {*episode._agent_to_module_mapping.values()}
    return {
        "id": [episode.id_],
        "kind": [Kind.SEVERAL],
        "steps": [len(episode)],
        "return": [float(episode.get_return()) if returned is None else returned],
        "terminated": [episode.is_terminated],
        "truncated": [episode.is_truncated],
        "t_started": [episode.env_t_started],
        "lookback": [0],
        "agent": [None],
        "module": [modules.pop() if len(modules) == 1 else None],
        "group": [None],
        "parent": [-1],
        "stream": [-1],
        "row": [0],
        "replay": [-1],
        "custom": [to_json(episode.custom_data, "custom_data") or None],
        "state": [to_json(plain, "state")],
    }


def assembled(dataset: EpisodeDataset, entry: Entry) -> MultiAgentEpisode:
    """The episode of a row, and the parts of its agents.

    Raises:
        DatasetError: something about it is damaged.
    """
    state = from_json(entry.state or "")
    try:
        members = [dataset.part_of(member) for member in dataset.catalog.members(entry)]
        for key, value in state.items():
            if isinstance(value, list):
                state[key] = dict(value)
        there = {member.agent_id for member in members}
        for agent, (_, runs) in state[STEPS].items():
            if agent not in there and any(first >= 0 for first, _ in runs):
                raise EpisodeError(f"the part of agent {agent!r} is missing")
        state[STEPS] = {
            agent: {"data": list(_steps(runs)), "lookback": lookback, "finalized": False, "space": None}
            for agent, (lookback, runs) in state[STEPS].items()
        }
        state |= {
            "agent_episodes": [(member.agent_id, member.get_state()) for member in members],
            "custom_data": entry.custom,
            "agent_to_module_mapping_fn": None,
        }
        for name in ("observation_space", "action_space"):
            known = [(m.agent_id, getattr(m, name)) for m in members if getattr(m, name) is not None]
            state[name] = [(agent, space_to_state(space)) for agent, space in known]
        return MultiAgentEpisode.from_state(state)
    except (KeyError, TypeError, ValueError, EpisodeError) as error:
        raise DatasetError(f"{dataset.path}: episode {entry.id} is damaged: {error}") from error


def _runs(steps: list[Any]) -> Iterator[list[int]]:
    """Steps of an agent as runs [first, how many]; -1 stands for those that it skipped."""
    numbers = np.array([-1 if step == SKIPPED else step + 1 for step in steps], np.int64)
    follows = np.diff(numbers) == (numbers[1:] > 0)
    begins = np.flatnonzero(np.concatenate([[True], ~follows]))[: len(numbers)].tolist()
    for begin, end in zip(begins, [*begins[1:], len(numbers)], strict=True):
        yield [int(numbers[begin]), int(end - begin)]


def _steps(runs: list[list[int]]) -> Iterator[Any]:
    for first, count in runs:
        yield from ([SKIPPED] * count if first < 0 else range(first - 1, first - 1 + count))
