"""Worlds to look at: replays as HTML pages and videos, and worlds that people play or run in the browser."""

from gridarium.view.replay.html import Player, replay_html, write_replay
from gridarium.view.replay.replay_data import ReplayBuilder, replay_of_run
from gridarium.view.replay.saving import save_run, save_video
from gridarium.view.replay.steps import ReplayStep, replay_steps

__all__ = [
    "Player",
    "ReplayBuilder",
    "ReplayStep",
    "replay_html",
    "replay_of_run",
    "replay_steps",
    "save_run",
    "save_video",
    "write_replay",
]
