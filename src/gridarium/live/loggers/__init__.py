"""Logs of live worlds: tables with a row for each observation, as CSV or Parquet."""

from gridarium.live.loggers.built_in import LogActions, LogDuration, LogIdleAgents, MessageLogger
from gridarium.live.loggers.grid_world_logger import GridWorldLogger, Row

GridWorldLoggerV2 = GridWorldLogger
LogActionsV2 = LogActions
LogIdleAgentsV2 = LogIdleAgents
LogDurationV2 = LogDuration
MessageLoggerV2 = MessageLogger

__all__ = [
    "GridWorldLogger",
    "GridWorldLoggerV2",
    "LogActions",
    "LogActionsV2",
    "LogDuration",
    "LogDurationV2",
    "LogIdleAgents",
    "LogIdleAgentsV2",
    "MessageLogger",
    "MessageLoggerV2",
    "Row",
]
