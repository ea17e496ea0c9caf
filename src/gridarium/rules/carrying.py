"""Rules for things that agents pick up and put down (see `gridarium.world.things`).

Source: Gridarium; picking up and putting down as in MATRX and in Dietterich's taxi problem (2000).
"""

from __future__ import annotations

from gridarium.rules.calling import UnusedRng
from gridarium.rules.results import ActionResultCode
from gridarium.rules.transition_functions import transition_function_registry
from gridarium.world.actions import Action
from gridarium.world.state import State

PICK_UP = Action.declare("PICK_UP", "Pick up a thing in the agent's cell.")
PUT_DOWN = Action.declare("PUT_DOWN", "Put a carried thing down in the agent's cell.")


@transition_function_registry.register
def pick_up_thing(state: State, action: Action, *, rng: UnusedRng = None) -> None:
    """PICK_UP takes the topmost thing of the agent's cell that can be held, if the agent has room for it."""
    if action != PICK_UP:
        return
    found = -1
    for thing in state.things_at(state.agent.position):
        if thing.holdable:
            found = thing.number
    if found < 0:
        state.agent.result = ActionResultCode.NOTHING_THERE
    elif not state.can_carry(state.agent):
        state.agent.result = ActionResultCode.NO_ROOM
    else:
        state.things[found].carrier = state.agent


@transition_function_registry.register
def put_down_thing(state: State, action: Action, *, rng: UnusedRng = None) -> None:
    """PUT_DOWN lays the carried thing with the highest number down in the agent's cell."""
    if action != PUT_DOWN:
        return
    found = -1
    for thing in state.carried_by(state.agent):
        found = thing.number
    if found < 0:
        state.agent.result = ActionResultCode.NOTHING_THERE
    else:
        state.things[found].position = state.agent.position
