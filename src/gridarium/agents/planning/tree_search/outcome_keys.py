"""Hashes of states and observations, that distinguish outcomes in a tree. Part of the kernel, plain Python."""

from __future__ import annotations

from typing import Any

from gridarium.agents.planning.tree_search.arguments import SearchArg
from gridarium.compiled.data_types.primitives import fixed, int64_at, outlined, uint8_at
from gridarium.compiled.data_types.random import episode_key
from gridarium.world.agent import ACTION, RESULT
from gridarium.world.state import TURN, State
from gridarium.world.vocabulary import DATA_FIELDS

PIECE = 7
"""Bytes that are hashed at once: as many as fit into a positive int64."""


@outlined
def hash_state(state: State) -> int:
    """A hash of a state except its random keys, time and last actions."""
    key = 0
    for y in range(state.cells.shape[0]):
        for x in range(state.cells.shape[1]):
            key = episode_key(key, int(state.cells[y, x]))
            for k in range(state.layers.shape[0]):
                key = episode_key(key, int(state.layers[k, y, x]))
    key = episode_key(key, int(state.data[TURN]))
    for i in range(DATA_FIELDS, state.data.shape[0]):
        key = episode_key(key, int(state.data[i]))
    for a in range(state.agent_rows.shape[0]):
        for i in range(state.agent_rows.shape[1]):
            if i not in (RESULT, ACTION):
                key = episode_key(key, int(state.agent_rows[a, i]))
    return key


@outlined
def hash_observation(frame: Any, row: int) -> int:
    """A hash of an agent's observation: row `row` of all output arrays."""
    count, key = fixed(frame, SearchArg.OUTPUT_COUNT), 0
    table = int64_at(fixed(frame, SearchArg.OUTPUT_TABLE), (count, 2))
    for k in range(count):
        size = int(table[k, 1])
        content = uint8_at(int(table[k, 0]) + row * size, (size,))
        for begin in range(0, size, PIECE):
            piece = 0
            for i in range(begin, min(begin + PIECE, size)):
                piece = piece << 8 | int(content[i])
            key = episode_key(key, piece)
    return key
