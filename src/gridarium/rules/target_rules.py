"""Rules for tasks with a target object (see `gridarium.rules.reset_functions.target`).

Source: the fetching tasks of MiniGrid (Chevalier-Boisvert et al. 2023).
"""

from __future__ import annotations

from gridarium.rules.calling import UnusedRng
from gridarium.rules.reset_functions.target import target
from gridarium.rules.reward_functions import reward_function_registry
from gridarium.rules.terminating_functions import terminating_function_registry
from gridarium.world.actions import Action
from gridarium.world.state import State


@reward_function_registry.register
def pick_up_target(
    state: State,
    action: Action,
    next_state: State,
    *,
    reward_on: float = 1.0,
    reward_off: float = 0.0,
    rng: UnusedRng = None,
) -> float:
    """`reward_on` when the agent has picked up the target, `reward_off` otherwise."""
    had = bool(state.agent.grid_object == target(state))
    has = bool(next_state.agent.grid_object == target(next_state))
    return float(reward_on if has and not had else reward_off)


@terminating_function_registry.register
def holds_target(state: State, action: Action, next_state: State, *, rng: UnusedRng = None) -> bool:
    """The agent holds the target."""
    return bool(next_state.agent.grid_object == target(next_state))
