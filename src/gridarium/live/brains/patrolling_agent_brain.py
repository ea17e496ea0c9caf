"""An agent that walks from waypoint to waypoint for ever."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gridarium.live.brains.agent_brain import AgentBrain, Decision
from gridarium.live.brains.navigator import Navigator
from gridarium.live.perception import State


class PatrollingAgentBrain(AgentBrain):
    """Visits waypoints in turn, and begins again after the last one. It waits while it cannot go on.

    Args:
        waypoints: cells (x, y).
        move_speed: for how many ticks each move keeps it busy.

    Attributes:
        navigator: chooses the moves; `navigator.unreachable` says whether it waits.

    Raises:
        TypeError: not cells.

    Source: MATRX, `matrx.agents.agent_types.patrolling_agent`.
    """

    def __init__(self, waypoints: Iterable[Sequence[int]], move_speed: int = 0) -> None:
        super().__init__()
        self.waypoints, self.move_speed = list(waypoints), move_speed
        self.initialize()

    def initialize(self) -> None:
        """See the base class; begins with the first waypoint."""
        super().initialize()
        self.navigator = Navigator(self.agent_id, self.action_set, is_circular=True)
        self.navigator.add_waypoints(self.waypoints)

    def decide_on_action(self, state: State) -> Decision:
        """Choose the next move of the round."""
        move = self.navigator.get_move_action(state)
        return (None, {}) if move is None else (move, {"action_duration": self.move_speed})
