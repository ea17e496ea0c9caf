"""A memory of states beside that of a brain's own state."""

from __future__ import annotations

from gridarium.live.objects.property_dict import PropertyDict
from gridarium.live.perception.memory import ObjectMemory
from gridarium.live.perception.state import WORLD, State


class StateTracker:
    """Remembers what an agent has perceived, for some ticks; `State(memorize_for_ticks=...)` does so by itself.

    Args:
        agent_id: the agent.
        knowledge_decay: for how many ticks something that is not perceived any more is known, see `ObjectMemory`. A share of 1
            that is forgotten in each tick is taken too: 0.1 stands for 10 ticks. 0 or less forgets nothing.
        fov_occlusion: whether what is out of sight is not seen; that is a property of the agent's `SenseCapability` here,
            which has to say the same.

    Raises:
        TypeError: not a number.

    Source: MATRX, `matrx.agents.agent_utils.state_tracker`.
    """

    def __init__(self, agent_id: str, knowledge_decay: float = 10, fov_occlusion: bool = True) -> None:
        self.agent_id, self.fov_occlusion = agent_id, fov_occlusion
        self._updates = 0
        self._memory = ObjectMemory(0)
        self._memorized = State(agent_id)
        self.set_knowledge_decay(knowledge_decay)

    def set_knowledge_decay(self, knowledge_decay: float) -> None:
        """Set for how long things are known, see the class; also those that are remembered already."""
        self._memory.ticks = _ticks(knowledge_decay)

    def update(self, state: State) -> State:
        """Remember what is in a state, once in a tick; return it with what is remembered from before."""
        self._updates += 1
        seen = state.as_dict()
        world: PropertyDict | None = seen.pop(WORLD, None)
        now = self._updates if world is None else world["nr_ticks"]
        known = self._memory.recall(now, seen, state.would_perceive)
        self._memorized = State(self.agent_id)
        self._memorized.state_update(known if world is None else {**known, WORLD: world})
        return self._memorized

    def get_memorized_state(self) -> State:
        """What the agent has perceived and not forgotten."""
        return self._memorized


FOREVER = 1 << 62


def _ticks(decay: float) -> int:
    if isinstance(decay, bool) or not isinstance(decay, int | float):
        raise TypeError(f"knowledge_decay is a number of ticks, not {decay!r}")
    if decay <= 0:
        return FOREVER
    return round(1 / decay) if decay < 1 else int(decay)
