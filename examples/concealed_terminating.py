"""A terminating rule with parameters of its own: what the agent sees decides whether the episode ends.

The example of gym-gridverse's tutorial on terminating functions (Baisero and Katt 2021). The tutorial's text says that
the episode ends when no such object is visible; the function as printed there, and here, is true when one is. The rule
`concealed` of `gridarium.rules.terminating_functions` does what the text says.
"""

from functools import partial

from gridarium.rules.calling import RandomNumbers
from gridarium.rules.observation_functions import ObservationFunction, partially_occluded
from gridarium.rules.terminating_functions import concealed, terminating_function_registry
from gridarium.world import Action, Area, Exit, GridObject, Orientation, Position, State, Wall


@terminating_function_registry.register
def concealed_terminating(
    state: State,
    action: Action,
    next_state: State,
    *,
    object_type: type[GridObject],
    observation_function: ObservationFunction,
    rng: RandomNumbers = None,
) -> bool:
    """An object of a type is seen."""
    observation = observation_function(next_state)
    return any(
        isinstance(observation.grid[position], object_type) for position in observation.grid.area.positions()
    )


def main() -> None:
    state = State.blank((3, 5))
    state.agent.position = Position(1, 2)
    state.grid[1, 0], state.grid[1, 3], state.grid[1, 4] = Exit(), Wall(), Exit()
    print(state)
    ahead = partial(partially_occluded, area=Area((-2, 0), (-1, 1)))
    as_printed = partial(concealed_terminating, object_type=Exit, observation_function=ahead)
    as_described = partial(concealed, object_type=Exit, observation_function=ahead)
    for orientation in Orientation:
        state.agent.orientation = orientation
        seen = as_printed(state, Action.WAIT, state)
        hidden = as_described(state, Action.WAIT, state)
        print(f"facing {orientation.name:8} concealed_terminating: {seen!s:5}  concealed: {hidden}")


if __name__ == "__main__":
    main()
