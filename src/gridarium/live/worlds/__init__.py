"""Live worlds that come along, each with scripted teammates and places for people."""

from collections.abc import Callable

from gridarium.live.builder import CatalogueBuilder, WorldBuilder
from gridarium.live.worlds.bw4t import bw4t
from gridarium.live.worlds.keys import KEYS
from gridarium.live.worlds.kitchen import KITCHEN_KEYS, kitchen
from gridarium.live.worlds.search_and_rescue import RESCUE_KEYS, search_and_rescue
from gridarium.live.worlds.tutorial import tutorial

live_worlds: dict[str, Callable[..., WorldBuilder | CatalogueBuilder]] = {
    "bw4t": bw4t,
    "kitchen": kitchen,
    "search-and-rescue": search_and_rescue,
    "tutorial": tutorial,
}
"""The worlds by their names: functions that return a builder."""

__all__ = [
    "KEYS",
    "KITCHEN_KEYS",
    "RESCUE_KEYS",
    "bw4t",
    "kitchen",
    "live_worlds",
    "search_and_rescue",
    "tutorial",
]
