"""The value classes of the domain: geometry, colors, objects, grid, agents, actions, state, observation."""

from gridarium.world.action_mask import ActionMask
from gridarium.world.actions import Action, get_next_position
from gridarium.world.agent import Agent, Agents
from gridarium.world.arcade_games import Apple, SnakeBody, Square, Trail
from gridarium.world.board_games import Mark, Pawn, Stone, Token
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
from gridarium.world.live_objects import AreaTile, DropOffTile, Item, Smoke
from gridarium.world.objects import (
    Ball,
    Beacon,
    Block,
    Box,
    Crate,
    Door,
    Evader,
    Exit,
    Floor,
    Goal,
    GridObject,
    Hidden,
    Key,
    Lava,
    MovingObstacle,
    NoneGridObject,
    Telepod,
    Wall,
    grid_object_registry,
)
from gridarium.world.state import Observation, State
from gridarium.world.taxi import Landmark, Passenger
from gridarium.world.tiles import Dog, Flower, Tile, TwoFlowers
from gridarium.world.vocabulary import Field, Vocabulary
from gridarium.world.warehouse import Shelf, StorageSpace, Workstation

__all__ = [
    "Action",
    "ActionMask",
    "Agent",
    "Agents",
    "Apple",
    "Area",
    "AreaTile",
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
    "DropOffTile",
    "Evader",
    "Exit",
    "Field",
    "Floor",
    "Flower",
    "Food",
    "Goal",
    "Grid",
    "GridObject",
    "Hidden",
    "Item",
    "Key",
    "Landmark",
    "Lava",
    "Mark",
    "MovingObstacle",
    "NoneGridObject",
    "Observation",
    "Onion",
    "OnionDispenser",
    "Orientation",
    "Passenger",
    "Pawn",
    "Position",
    "Pot",
    "ServingWindow",
    "Shape",
    "Shelf",
    "Smoke",
    "SnakeBody",
    "Soup",
    "Square",
    "State",
    "Stone",
    "StorageSpace",
    "Table",
    "Telepod",
    "Tile",
    "Token",
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
