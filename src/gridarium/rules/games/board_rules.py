"""Rules that board games share. The field `winner` of the world is 0, or the number of the player that has won, from 1.

Source: Gridarium.
"""

from __future__ import annotations

from gridarium.rules.calling import UnusedRng
from gridarium.rules.legal_functions import legal_function_registry
from gridarium.rules.reward_functions import reward_function_registry
from gridarium.rules.terminating_functions import terminating_function_registry
from gridarium.world.action_arguments import ActionWithArguments
from gridarium.world.actions import Action
from gridarium.world.objects import Floor
from gridarium.world.state import State

PLACE = Action.declare("PLACE", "Place a piece in a cell.")


@legal_function_registry.register
def cell_is_free(state: State, action: ActionWithArguments) -> bool:
    """Pieces are placed on free cells."""
    return isinstance(state.grid[action.at], Floor)


@reward_function_registry.register
def win_or_lose(state: State, action: Action, next_state: State, *, rng: UnusedRng = None) -> float:
    """1 for the player that has won, -1 for all others; 0 as long as nobody has."""
    if next_state.winner == 0:
        return 0.0
    return 1.0 if next_state.winner == next_state.agent.number + 1 else -1.0


@terminating_function_registry.register
def won(state: State, action: Action, next_state: State, *, rng: UnusedRng = None) -> bool:
    """Somebody has won. A game that nobody wins ends when nobody can act."""
    return bool(next_state.winner != 0)
