"""Compiled twins of the agent's primitives."""

from __future__ import annotations

from typing import Any

import numba

from gridarium.compiled import intrinsics, lowering
from gridarium.world.agent import Agent

new_integers: Any = intrinsics.new_integers
lowering.register(Agent)


@numba.njit(**lowering.JIT_OPTIONS)  # type: ignore[untyped-decorator]
def copy_agent(agent: Any, scratch: Any) -> Any:
    """See `gridarium.world.agent.copy_agent`."""
    row = new_integers(scratch, agent.body.shape[0])
    for i in range(agent.body.shape[0]):
        row.items[i] = agent.body[i]
    return Agent(row.items, agent.vocabulary)
