"""Objects and the bodies of agents in live worlds."""

from gridarium.live.objects.agent_body import AgentBody
from gridarium.live.objects.env_object import EnvObject
from gridarium.live.objects.property_dict import PropertyDict
from gridarium.live.objects.standard_objects import (
    AreaTile,
    Battery,
    CollectionDropOffTile,
    CollectionTarget,
    Door,
    SmokeTile,
    SquareBlock,
    Wall,
)

__all__ = [
    "AgentBody",
    "AreaTile",
    "Battery",
    "CollectionDropOffTile",
    "CollectionTarget",
    "Door",
    "EnvObject",
    "PropertyDict",
    "SmokeTile",
    "SquareBlock",
    "Wall",
]
