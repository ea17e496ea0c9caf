"""Live worlds that come along, each with scripted teammates and places for people."""

from collections.abc import Callable

from gridarium.live.builder import WorldBuilder
from gridarium.live.worlds.bw4t import bw4t
from gridarium.live.worlds.keys import KEYS

live_worlds: dict[str, Callable[..., WorldBuilder]] = {"bw4t": bw4t}
"""The worlds by their names: functions that return a builder."""

__all__ = ["KEYS", "bw4t", "live_worlds"]
