"""What is asked of the agents of a batch, looked at before anything changes: part of the kernel, plain Python like it.

When it refuses, `refusing` says why.
"""

from __future__ import annotations

from typing import Any

from gridarium.compiled.primitives import fixed, int64_at, outlined, uint16_at
from gridarium.engine.frame import At


def taken(frame: Any) -> bool:
    """Whether all actions are among their agents' actions.

    If so they are written down as small numbers: threads wait for what another core has just written.
    """
    worlds, agents, count = fixed(frame, At.WORLDS), fixed(frame, At.AGENTS), fixed(frame, At.ACTIONS)
    asked = int64_at(fixed(frame, At.ASKED_ARRAY), (worlds * agents,))
    chosen = uint16_at(fixed(frame, At.ACTION_ARRAY), (worlds * agents,))
    table = int64_at(fixed(frame, At.ACTION_TABLE), (agents * count,))
    odd = 0
    for i in range(worlds * agents):
        odd |= int(asked[i] < 0) | int(asked[i] >= count)
    for i in range(agents * count):
        odd |= int(table[i] < 0)  # an agent does not have all actions: look closely
    if odd != 0 and not each_is_allowed(frame):
        return False
    for i in range(worlds * agents):
        chosen[i] = asked[i]
    return True


@outlined
def each_is_allowed(frame: Any) -> bool:
    """Whether every action is among its own agent's actions."""
    agents, count = fixed(frame, At.AGENTS), fixed(frame, At.ACTIONS)
    asked = int64_at(fixed(frame, At.ASKED_ARRAY), (fixed(frame, At.WORLDS), agents))
    table = int64_at(fixed(frame, At.ACTION_TABLE), (agents, count))
    for e in range(fixed(frame, At.WORLDS)):
        for a in range(agents):
            index = int(asked[e, a])
            if not 0 <= index < count or table[a, index] < 0:
                return False
    return True
