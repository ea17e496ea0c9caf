"""Validates the actions of a batch before any world changes; part of the kernel, plain Python like it.

`batch_arguments.refuse` raises the error for invalid actions.
"""

from __future__ import annotations

from typing import Any

from gridarium.compiled.data_types.primitives import fixed, int64_at, uint16_at
from gridarium.engine.kernel_args import KernelArg


def actions_are_valid(frame: Any) -> bool:
    """Whether all actions are among their agents' actions.

    If so, they are stored as small integers, since threads wait for data that another core has just written.
    """
    worlds, agents, count = (
        fixed(frame, KernelArg.WORLD_COUNT),
        fixed(frame, KernelArg.AGENT_COUNT),
        fixed(frame, KernelArg.ACTION_COUNT),
    )
    requested = int64_at(fixed(frame, KernelArg.REQUESTED_ACTION_ARRAY), (worlds * agents,))
    chosen = uint16_at(fixed(frame, KernelArg.ACTION_ARRAY), (worlds * agents,))
    odd = fixed(frame, KernelArg.ACTIONS_DIFFER)  # then each is looked up
    for i in range(worlds * agents):
        odd |= int(requested[i] < 0) | int(requested[i] >= count)
    if odd != 0:
        table = int64_at(fixed(frame, KernelArg.ACTION_TABLE), (agents, count))
        for i in range(worlds * agents):
            if not 0 <= requested[i] < count or table[i % agents, requested[i]] < 0:
                return False
    for i in range(worlds * agents):
        chosen[i] = requested[i]
    return True
