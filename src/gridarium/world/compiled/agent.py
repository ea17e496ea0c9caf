"""Compiled implementations of the agent's primitives."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from gridarium.compiled.numba_backend import intrinsics, value_types
from gridarium.world.agent import Agent, Agents

scratch_array: Any = intrinsics.scratch_array
take_scratch: Any = intrinsics.take_scratch
copy_words: Any = intrinsics.copy_words
_AGENT_TYPE, _AGENTS_TYPE = value_types.register(Agent), value_types.register(Agents)


@numba.njit(**value_types.JIT_OPTIONS)
def copy_agent(agent: Any, scratch: Any) -> Any:
    """See `gridarium.world.agent.copy_agent`."""
    count = agent.agent_row.shape[0]
    row = scratch_array(scratch, take_scratch(scratch, count), (count,), np.int64)
    copy_words(agent.agent_row, row)
    return Agent(row, agent.vocabulary, agent.number)


def is_agent(thing: Any) -> bool:
    """See `gridarium.world.agent.is_agent`."""
    raise NotImplementedError


@value_types.overload_of(is_agent)
def _is_agent(thing: Any) -> Any:
    return (lambda thing: True) if isinstance(thing, _AGENT_TYPE) else (lambda thing: False)


def are_agents(thing: Any) -> bool:
    """See `gridarium.world.agent.are_agents`."""
    raise NotImplementedError


@value_types.overload_of(are_agents)
def _are_agents(thing: Any) -> Any:
    return (lambda thing: True) if isinstance(thing, _AGENTS_TYPE) else (lambda thing: False)
