"""A game of cards for two players, who see their own hands: for tests of arrays that a world declares itself."""

from gridarium.engine import World
from gridarium.world import Action, Floor
from gridarium.worlds import Spec

SHOW = Action.declare("SHOW")


def deal(state, *, rng):
    """Three of six cards for each player."""
    cards = rng.permutation(6)
    for k in range(6):
        state.hand[k % 2, int(cards[k])] = True


def show(state, action):
    """The card lies on the table."""
    state.hand[state.agent.number, action.card] = False
    state.shown += 1


def has(state, action):
    """A player shows own cards only."""
    return state.hand[state.agent.number, action.card]


def my_hand(state, array):
    """The agent's own cards."""
    for card in range(6):
        array[card] = state.hand[state.agent.number, card]


def how_many(state, array, *, scale: int = 1):
    """The number of cards of each player."""
    for player in range(2):
        for card in range(6):
            if state.hand[player, card]:
                array[player] += scale


def glimpse(state, array, *, rng):
    """A random number, and how many cards have been shown."""
    array[0, 0] = rng.random()
    array[0, 1] = state.shown / 2


OBSERVATIONS = [
    {"name": "hand", "shape": [6], "type": "bool", "fill": my_hand},
    {"name": "count", "shape": ["agents"], "type": "uint8", "high": 3, "fill": how_many},
    {"name": "glimpse", "shape": [1, 2], "low": 0, "high": 3, "fill": glimpse},
    {"name": "me", "shape": ["agents"], "type": "int", "low": 0, "high": 1, "fill": "own_number"},
]


def cards(*, compiled=True, **changes):
    """The game; `changes` replace keys of its description."""
    described = {
        "name": "Cards",
        "objects": [Floor],
        "agents": [{"name": "ann", "body": False}, {"name": "bob", "body": False}],
        "turn_order": "cycle",
        "actions": [{"name": "SHOW", "over": {"card": 6}}],
        "fields": {
            "world": [
                {"name": "hand", "type": "bool", "shape": [2, 6]},
                {"name": "shown", "type": "int"},
            ]
        },
        "reset": deal,
        "transitions": [show],
        "legal": [has],
        "observations": OBSERVATIONS,
        "representation": "observations",
    }
    return World(Spec.build(**described | changes), compiled=compiled)
