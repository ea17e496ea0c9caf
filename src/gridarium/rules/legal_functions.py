"""Legal rules: which actions an agent may take now.

Source: legal actions as in OpenSpiel, action masks as in PettingZoo.
"""

from __future__ import annotations

from gridarium.rules.legal_registry import LegalFunctionRegistry
from gridarium.world import Action, State, get_next_position

legal_function_registry = LegalFunctionRegistry()
"""Legal rules, `(state, action) -> bool`: whether the agent in focus may take the action now; and those that fill masks.

Several are joined by *and*. They change nothing, and draw no random numbers. Masks of actions ask them for every action, so
a rule that looks at a few cells is the one to write (a nanosecond or two for each action).
"""


@legal_function_registry.register
def can_move(state: State, action: Action) -> bool:
    """A move is legal if the cell that it leads to is not blocked; other actions always are."""
    if not (action.is_move() or action.is_compass()):
        return True
    here = state.agent.position
    return state.can_step(here, get_next_position(here, state.agent.orientation, action))
