"""Worlds to look at: films of what happened, as HTML replays, and worlds that run in the browser."""

from gridarium.view.film import Filmer, film_of_run
from gridarium.view.html_replay import replay_html, write_replay
from gridarium.view.player import Player
from gridarium.view.saving import save_run
from gridarium.view.scenes import Scene, scenes, world_of

__all__ = [
    "Filmer",
    "Player",
    "Scene",
    "film_of_run",
    "replay_html",
    "save_run",
    "scenes",
    "world_of",
    "write_replay",
]
