"""Array rules: they fill one named array of an agent's observation.

Source: information state tensors in OpenSpiel, named observations of players in ColosseumRL.
"""

from __future__ import annotations

from gridarium.rules.registry import FunctionRegistry
from gridarium.world import State
from gridarium.world.field_array import FieldArray

array_function_registry = FunctionRegistry("array", ("state", "array"))
"""Array rules, `(state, array)`: write into an array what the agent in focus perceives; its items are 0 before.

A world lists its arrays under `observations`, each with a name, a shape, a type and such a rule. They read the state only.
"""


@array_function_registry.register
def own_number(state: State, array: FieldArray) -> None:
    """1 at the agent's own number, in an array with one item for each agent."""
    array[state.agent.number] = 1
