"""A user's own module: an object, a color, an action and rules, as world files name them with `module:name`."""

from gridarium.rules.reset_functions import reset_function_registry
from gridarium.rules.reward_functions import reward_function_registry
from gridarium.rules.transition_functions import transition_function_registry
from gridarium.world import Action, Color, Floor, GridObject, Position

JUMP = Action.declare("JUMP_FAR")
MAUVE = Color("MAUVE", rgb=(183, 132, 167), mark="m")


class Coin(GridObject):
    """Lies about to be collected."""

    glyph = "c"
    colored = True


@reset_function_registry.register
def coins(state, *, number: int, rng):
    """Coins in the first row."""
    for x in range(number):
        state.grid[0, x] = Coin(MAUVE)
    for agent in state.agents:
        agent.position = Position(1, 0)


@transition_function_registry.register
def collect(state, action):
    """A coin under the agent is gone."""
    if isinstance(state.grid[state.agent.position], Coin):
        state.grid[state.agent.position] = Floor()


@reward_function_registry.register(name="coin_count")
def count_coins(state, action, next_state, *, weight: float = 1.0):
    """How many coins there are."""
    return weight * sum(isinstance(next_state.grid[p], Coin) for p in next_state.grid.positions())


def unregistered(state, action):
    """Not registered as a rule."""
