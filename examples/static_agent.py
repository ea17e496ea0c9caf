"""A terminating rule of your own: the episode ends when a step leaves the agent as it was.

The example of gym-gridverse's tutorial on terminating functions (Baisero and Katt 2021).
"""

from gridarium.rules.calling import RandomNumbers
from gridarium.rules.terminating_functions import terminating_function_registry
from gridarium.rules.transition_functions import move_agent, turn_agent
from gridarium.world import Action, Position, State, Wall


@terminating_function_registry.register
def static_agent(state: State, action: Action, next_state: State, *, rng: RandomNumbers = None) -> bool:
    """The agent has neither moved nor turned, nor taken or left anything."""
    return state.agent == next_state.agent


def main() -> None:
    state = State.blank((3, 3))
    state.agent.position = Position(2, 1)
    state.grid[1, 1] = Wall()
    print(state)
    for action in Action:
        next_state = state.copy()
        move_agent(next_state, action)
        turn_agent(next_state, action)
        print(f"{action.name:13} {'ends it' if static_agent(state, action, next_state) else 'goes on'}")


if __name__ == "__main__":
    main()
