"""Brains that do what they are told, and small worlds of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from gridarium.live import AgentBody, AgentBrain, EnvObject, GridWorld, State

Decision = Any


class Scripted(AgentBrain):
    """Decides what is listed, one after another, then idles; and notes what it is asked and told."""

    def __init__(self, decisions: Iterable[Decision] = ()) -> None:
        super().__init__()
        self.listed = list(decisions)
        self.asked: list[int] = []
        self.filtered: list[int] = []
        self.results: list[Any] = []

    def filter_observations(self, state: State) -> State:
        self.filtered.append(state["World"]["nr_ticks"])
        return state

    def decide_on_action(self, state: State) -> Decision:
        tick = state["World"]["nr_ticks"]
        self.asked.append(tick)
        self.results.append(self.previous_action_result)
        return self.listed[len(self.asked) - 1] if len(self.asked) <= len(self.listed) else (None, {})


def world_of(
    *agents: tuple[tuple[int, int], Iterable[Decision]],
    objects: Sequence[EnvObject] = (),
    shape: tuple[int, int] = (7, 6),
    body: dict[str, Any] | None = None,
    **options: Any,
) -> GridWorld:
    """A world with an agent for each (location, decisions); their ids are a0, a1, ..."""
    made = [
        (Scripted(decisions), AgentBody(location, f"a{i}", **{"is_traversable": True, **(body or {})}))
        for i, (location, decisions) in enumerate(agents)
    ]
    return GridWorld(shape, objects, made, **{"compiled": False, "tick_duration": 0, **options})


def last_result(world: GridWorld, agent_id: str = "a0") -> Any:
    """What came of an agent's last action."""
    return world.brains[agent_id].previous_action_result
