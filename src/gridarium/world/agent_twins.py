"""Compiled twins of the agent's primitives."""

from __future__ import annotations

from typing import Any

import numba

from gridarium.compiled import lowering
from gridarium.compiled.intrinsics import new_integers
from gridarium.world.agent import Agent

lowering.register(Agent)


@numba.njit(**lowering.JIT_OPTIONS)  # type: ignore[untyped-decorator]
def copy_agent(agent: Any, scratch: Any) -> Any:
    row = new_integers(scratch, agent.body.shape[0])
    for i in range(agent.body.shape[0]):
        row.items[i] = agent.body[i]
    return Agent(row.items, agent.vocabulary)
