"""Array rules: they fill one named array of an agent's observation.

Source: information state tensors in OpenSpiel, named observations of players in ColosseumRL.
"""

from __future__ import annotations

from gridarium.rules.registry import FunctionRegistry
from gridarium.world import Position, State
from gridarium.world.field_array import FieldArray

array_function_registry = FunctionRegistry("array", ("state", "array"))
"""Array rules, `(state, array)`: write into an array what the agent in focus perceives; its items are 0 before.

A world lists its arrays under `observations`, each with a name, a shape, a type and such a rule. They read the state only.
"""


@array_function_registry.register
def own_number(state: State, array: FieldArray) -> None:
    """1 at the agent's own number, in an array with one item for each agent."""
    array[state.agent.number] = 1


@array_function_registry.register
def local_counts(state: State, array: FieldArray) -> None:
    """For each cell of a square around the agent: whether it blocks movement, the number of agents, the number of things.

    The shape is [n, n, 3] with an odd n, rows from the top. What is outside of the grid blocks movement; the agent itself
    is one of the agents.

    Source: the observations of pursuit (Gupta et al. 2017).
    """
    radius, here = array.shape[0] // 2, state.agent.position
    corner = Position(here.y - radius, here.x - radius)
    for y in range(array.shape[0]):
        for x in range(array.shape[1]):
            p = Position(corner.y + y, corner.x + x)
            if not state.grid.contains(p) or state.grid[p].blocks_movement:
                array[y, x, 0] = 1
    for agent in state.agents:
        _count_in(array, agent.position - corner, 1)
    for thing in state.things:
        _count_in(array, thing.position - corner, 2)


def _count_in(array: FieldArray, p: Position, channel: int) -> None:
    if 0 <= p.y < array.shape[0] and 0 <= p.x < array.shape[1]:
        array[p.y, p.x, channel] += 1
