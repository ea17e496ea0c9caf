"""The loggers that come along."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from gridarium.live.loggers.grid_world_logger import GridWorldLogger, Row
from gridarium.live.objects.agent_body import NEVER
from gridarium.live.world_interface import WorldInterface


class LogActions(GridWorldLogger):
    """For each agent, the action that it is performing, or has performed last; no tick where it has decided nothing yet."""

    columns: ClassVar[tuple[str, ...]] = ("agent_id", "action", "started_at_tick", "is_busy")

    def log(self, grid_world: WorldInterface, agent_data: Mapping[str, Mapping[str, Any]]) -> Sequence[Row]:
        """A row for each agent."""
        return [
            {
                "agent_id": agent_id,
                "action": body.current_action,
                "started_at_tick": None
                if body.current_action_started_at_tick == NEVER
                else body.current_action_started_at_tick,
                "is_busy": body.is_blocked,
            }
            for agent_id, body in grid_world.registered_agents.items()
        ]


class LogIdleAgents(GridWorldLogger):
    """For each agent, whether it is idle."""

    columns: ClassVar[tuple[str, ...]] = ("agent_id", "is_idle")

    def log(self, grid_world: WorldInterface, agent_data: Mapping[str, Mapping[str, Any]]) -> Sequence[Row]:
        """A row for each agent."""
        return [
            {"agent_id": agent_id, "is_idle": body.current_action is None}
            for agent_id, body in grid_world.registered_agents.items()
        ]


class LogDuration(GridWorldLogger):
    """The number of ticks that a world took, once, when it is done."""

    columns: ClassVar[tuple[str, ...]] = ("nr_ticks",)

    def __init__(
        self,
        log_strategy: int | str = GridWorldLogger.LOG_ON_LAST_TICK,
        save_path: str | Path = "logs",
        file_name: str = "",
        file_extension: str = ".csv",
        delimiter: str = ";",
    ) -> None:
        super().__init__(log_strategy, save_path, file_name, file_extension, delimiter)

    def log(self, grid_world: WorldInterface, agent_data: Mapping[str, Mapping[str, Any]]) -> Row:
        """A single row."""
        return {"nr_ticks": grid_world.current_nr_ticks}


class MessageLogger(GridWorldLogger):
    """Every message to every receiver, with the tick in which it was sent."""

    columns: ClassVar[tuple[str, ...]] = ("sent_at_tick", "message_id", "from_id", "to_id", "content")

    def __init__(
        self,
        log_strategy: int | str = 1,
        save_path: str | Path = "logs",
        file_name: str = "",
        file_extension: str = ".csv",
        delimiter: str = ";",
    ) -> None:
        super().__init__(log_strategy, save_path, file_name, file_extension, delimiter)
        self._next_tick = 0

    def begin(self) -> None:
        """Begin with the first tick again."""
        super().begin()
        self._next_tick = 0

    def log(self, grid_world: WorldInterface, agent_data: Mapping[str, Mapping[str, Any]]) -> Sequence[Row]:
        """A row for each message that was delivered since the last time."""
        sent = grid_world.message_manager.preprocessed_messages
        begin, self._next_tick = self._next_tick, grid_world.current_nr_ticks
        return [
            {
                "sent_at_tick": tick,
                "message_id": message.message_id,
                "from_id": message.from_id,
                "to_id": message.to_id,
                "content": message.content,
            }
            for tick in range(begin, self._next_tick)
            for message in sent.get(tick, ())
        ]
