"""What agents perceive of a live world: sense capabilities, states with queries, memory, maps of where one can go."""

from gridarium.live.objects.property_dict import PropertyDict
from gridarium.live.perception.memory import ObjectMemory
from gridarium.live.perception.sense_capability import Capability, SenseCapability, create_sense_capability
from gridarium.live.perception.state import State
from gridarium.live.perception.state_tracker import StateTracker
from gridarium.live.perception.traversability import (
    get_traversability_map,
    get_weighted_traversability_map,
)

__all__ = [
    "Capability",
    "ObjectMemory",
    "PropertyDict",
    "SenseCapability",
    "State",
    "StateTracker",
    "create_sense_capability",
    "get_traversability_map",
    "get_weighted_traversability_map",
]
