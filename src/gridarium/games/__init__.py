"""Games between several players as pure functions of a state; worlds with several agents are games."""

from gridarium.games.base_environment import BaseEnvironment, GameError, IllegalAction
from gridarium.games.config_strings import SimpleConfigParser
from gridarium.games.registry import (
    ENVIRONMENT_CLASSES,
    available_environments,
    get_environment,
    register_environment,
)
from gridarium.games.world_game import GameState, WorldGame, game_class

__all__ = [
    "ENVIRONMENT_CLASSES",
    "BaseEnvironment",
    "GameError",
    "GameState",
    "IllegalAction",
    "SimpleConfigParser",
    "WorldGame",
    "available_environments",
    "game_class",
    "get_environment",
    "register_environment",
]
