"""Compiled twins of the agent's primitives."""

from __future__ import annotations

from typing import Any

import numba

from gridarium.compiled import intrinsics, lowering
from gridarium.world.agent import Agent, Agents

new_integers: Any = intrinsics.new_integers
_AGENT_TYPE, _AGENTS_TYPE = lowering.register(Agent), lowering.register(Agents)


@numba.njit(**lowering.JIT_OPTIONS)  # type: ignore[untyped-decorator]
def copy_agent(agent: Any, scratch: Any) -> Any:
    """See `gridarium.world.agent.copy_agent`."""
    row = new_integers(scratch, agent.body.shape[0])
    for i in range(agent.body.shape[0]):
        row.items[i] = agent.body[i]
    return Agent(row.items, agent.vocabulary)


def is_agent(thing: Any) -> bool:
    """See `gridarium.world.agent.is_agent`."""
    raise NotImplementedError


@lowering.twin_of(is_agent)
def _is_agent(thing: Any) -> Any:
    return (lambda thing: True) if isinstance(thing, _AGENT_TYPE) else (lambda thing: False)


def are_agents(thing: Any) -> bool:
    """See `gridarium.world.agent.are_agents`."""
    raise NotImplementedError


@lowering.twin_of(are_agents)
def _are_agents(thing: Any) -> Any:
    return (lambda thing: True) if isinstance(thing, _AGENTS_TYPE) else (lambda thing: False)
