"""Rules for pursuit: agent 0 tries to reach an object, all other agents try to catch it.

Agents may share a cell; the description's `turn_order` determines who moves.

Source: the teaching world CustomGridEnv (GhostGrid); after Pac-Man's ghosts (Berkeley's CS188).
"""

from __future__ import annotations

from gridarium.rules.calling import RandomNumbers, UnusedRng, call_rule, rng_or_default
from gridarium.rules.results import ActionResultCode
from gridarium.rules.reward_functions import reward_function_registry
from gridarium.rules.terminating_functions import terminating_function_registry
from gridarium.rules.transition_functions import TransitionFunction, transition_function_registry
from gridarium.world.actions import Action, get_next_position
from gridarium.world.objects import Exit, GridObject
from gridarium.world.state import State

__for_rules__ = True

PREY = 0
"""The index of the prey."""


@transition_function_registry.register
def move_past_agents(state: State, action: Action, *, rng: UnusedRng = None) -> None:
    """As `move_agent`, but other agents do not block: several may share a cell."""
    if not (action.is_move() or action.is_compass()):
        return
    here = state.agent.position
    there = get_next_position(here, state.agent.orientation, action)
    if not state.grid.contains(there):
        state.agent.result = ActionResultCode.OUTSIDE
    elif state.grid[there].blocks_movement or state.grid.has_wall(here, there):
        state.agent.result = ActionResultCode.BLOCKED
    else:
        state.agent.position = there
        state.agent.result = ActionResultCode.SUCCESS


@transition_function_registry.register(scope="inner")
def for_prey(
    state: State, action: Action, *, transition_function: TransitionFunction, rng: RandomNumbers = None
) -> None:
    """Apply another rule to the prey only."""
    if state.focus == PREY:
        call_rule(transition_function, (state, action), rng_or_default(state, rng))


@transition_function_registry.register(scope="inner")
def for_predators(
    state: State, action: Action, *, transition_function: TransitionFunction, rng: RandomNumbers = None
) -> None:
    """Apply another rule to all agents except the prey."""
    if state.focus != PREY:
        call_rule(transition_function, (state, action), rng_or_default(state, rng))


@reward_function_registry.register
def pursuit(
    state: State,
    action: Action,
    next_state: State,
    *,
    object_type: type[GridObject] = Exit,
    reward_step: float = -1.0,
    reward_caught: float = -50.0,
    reward_reached: float = 100.0,
    reward_predator: float = 50.0,
    rng: UnusedRng = None,
) -> float:
    """The rewards of a pursuit.

    For the prey: `reward_caught` once it is caught; otherwise, if it has acted (it WAITs when it is not its
    turn), `reward_reached` on an object of the type and `reward_step` elsewhere. For each predator:
    `reward_predator` when the prey is caught. 0 in all other cases.
    """
    caught = is_caught(next_state)
    if state.focus != PREY:
        return float(reward_predator if caught else 0.0)
    if caught:
        return float(reward_caught)
    if action == Action.WAIT:
        return 0.0
    return float(
        reward_reached if isinstance(next_state.grid[next_state.agent.position], object_type) else reward_step
    )


@terminating_function_registry.register
def pursuit_over(
    state: State,
    action: Action,
    next_state: State,
    *,
    object_type: type[GridObject] = Exit,
    rng: UnusedRng = None,
) -> bool:
    """The prey is caught, or has acted and is on an object of the type. The same for all agents.

    So reaching an object ends the episode if and only if `pursuit` rewards it: not in a predator's turn.
    """
    if is_caught(next_state):
        return True
    prey = next_state.agents[PREY]
    chosen = action if state.focus == PREY else prey.action
    return chosen != Action.WAIT and isinstance(next_state.grid[prey.position], object_type)


def is_caught(state: State) -> bool:
    """Whether an active predator shares the prey's cell."""
    return any(
        state.agents[i].active and state.agents[i].position == state.agents[PREY].position
        for i in range(1, len(state.agents))
    )
