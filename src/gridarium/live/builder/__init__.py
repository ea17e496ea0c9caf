"""Building live worlds, from Python and from YAML."""

from gridarium.live.builder.catalogue_builder import CatalogueBuilder
from gridarium.live.builder.geometry import get_distance, get_room_locations
from gridarium.live.builder.loading import builder_from_dict, load_builder
from gridarium.live.builder.world_builder import Brain, WorldBuilder
from gridarium.live.random_property import RandomOrder, RandomProperty

__all__ = [
    "Brain",
    "CatalogueBuilder",
    "RandomOrder",
    "RandomProperty",
    "WorldBuilder",
    "builder_from_dict",
    "get_distance",
    "get_room_locations",
    "load_builder",
]
