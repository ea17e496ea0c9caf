"""The value classes of the domain: geometry, colors, objects, grid, agents, actions, state, observation."""

from gridarium.world.action_mask import ActionMask
from gridarium.world.actions import Action, get_next_position
from gridarium.world.agent import Agent, Agents
from gridarium.world.arcade_games import Square, Trail
from gridarium.world.colors import Color
from gridarium.world.field_array import Table, table
from gridarium.world.foraging import Basket, Food
from gridarium.world.geometry import (
    Area,
    DistanceFunction,
    Orientation,
    Position,
    Shape,
    Transform,
    distance_function_factory,
    get_manhattan_boundary,
)
from gridarium.world.grid import Grid, random_position
from gridarium.world.kitchen import (
    Counter,
    Dish,
    DishDispenser,
    Onion,
    OnionDispenser,
    Pot,
    ServingWindow,
    Soup,
)
from gridarium.world.objects import (
    Ball,
    Beacon,
    Block,
    Box,
    Crate,
    Door,
    Exit,
    Floor,
    Goal,
    GridObject,
    Hidden,
    Key,
    Lava,
    MovingObstacle,
    NoneGridObject,
    Passenger,
    Telepod,
    Wall,
    grid_object_registry,
)
from gridarium.world.state import Observation, State
from gridarium.world.tiles import Dog, Flower, Tile, TwoFlowers
from gridarium.world.vocabulary import Field, Vocabulary
from gridarium.world.warehouse import Shelf, StorageSpace, Workstation

__all__ = [
    "Action",
    "ActionMask",
    "Agent",
    "Agents",
    "Area",
    "Ball",
    "Basket",
    "Beacon",
    "Block",
    "Box",
    "Color",
    "Counter",
    "Crate",
    "Dish",
    "DishDispenser",
    "DistanceFunction",
    "Dog",
    "Door",
    "Exit",
    "Field",
    "Floor",
    "Flower",
    "Food",
    "Goal",
    "Grid",
    "GridObject",
    "Hidden",
    "Key",
    "Lava",
    "MovingObstacle",
    "NoneGridObject",
    "Observation",
    "Onion",
    "OnionDispenser",
    "Orientation",
    "Passenger",
    "Position",
    "Pot",
    "ServingWindow",
    "Shape",
    "Shelf",
    "Soup",
    "Square",
    "State",
    "StorageSpace",
    "Table",
    "Telepod",
    "Tile",
    "Trail",
    "Transform",
    "TwoFlowers",
    "Vocabulary",
    "Wall",
    "Workstation",
    "distance_function_factory",
    "get_manhattan_boundary",
    "get_next_position",
    "grid_object_registry",
    "random_position",
    "table",
]
