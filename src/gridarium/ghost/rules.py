"""What the ghost world adds to the rules of pursuit: the one who is pursued slips, and it is noted how, and reads a color.

Numbers that differ between environments are parameters of the rules themselves, so that all environments share one
compiled program. Cells, walls and starts are written into the state by the environment.
"""

from __future__ import annotations

from gridarium.rules.calling import RandomNumbers, luck
from gridarium.rules.pursuit import QUARRY, move_past_agents
from gridarium.rules.transition_functions import slip
from gridarium.world import Action, Color, Position, State

TRAIL_BASE = 16
"""A trail is written in this base: one digit for each move made in a tick, the number of its action."""
TRAIL, READING = 8, 9
"""Where an agent's row has its declared fields."""
LUCK = 1 << 40
"""In how many parts the luck of the first reading is cut."""


def lay_out(state: State, *, rng: RandomNumbers = None) -> None:
    """Begin with an empty map and everybody in its corner; the environment does the rest.

    The color sensor's first reading has to wait for the map: until then `reading` is the luck that it will have, a whole
    number below `LUCK`.
    """
    for k in range(len(state.agents)):
        state.agents[k].position = Position(0, 0)
    state.agents[0].reading = luck(state, rng).integers(LUCK)


def quarry_slips(
    state: State, action: Action, *, probability: float, sideways: float, rng: RandomNumbers = None
) -> None:
    """The pursued agent moves on slippery ground (see the transition rule `slip`); its trail says what became of it.

    It slips perpendicularly with `sideways` 1, longitudinally with 0.
    """
    if state.focus == QUARRY:
        state.agent.trail = 0
        chance = luck(state, rng)
        if sideways > 0:
            slip(
                state, action, transition_function=noted_move, probability=probability,
                slip_type="perpendicular", rng=chance,
            )  # fmt: skip
        else:
            slip(
                state, action, transition_function=noted_move, probability=probability,
                slip_type="longitudinal", rng=chance,
            )  # fmt: skip


def noted_move(state: State, action: Action) -> None:
    """As `move_past_agents`, and added to the agent's trail."""
    state.agent.trail = state.agent.trail * TRAIL_BASE + action.value
    move_past_agents(state, action)


def quarry_reads_color(state: State, action: Action, *, quality: float, rng: RandomNumbers = None) -> None:
    """After its move the pursued agent reads the color of its cell."""
    if state.focus == QUARRY:
        state.agent.reading = read_color(state, quality=quality, rng=rng)


def read_color(state: State, *, quality: float, rng: RandomNumbers = None) -> int:
    """The number of the color under the agent: 0 none, 1 red, 2 green; with equal chances one of the others otherwise."""
    color = state.grid[state.agent.position].color
    true = 1 if color == Color.RED else 2 if color == Color.GREEN else 0
    return misread(true, quality, luck(state, rng).random())


def misread(true: int, quality: float, u: float) -> int:
    """What the color sensor says of a color, for a uniform number from [0, 1)."""
    if u < quality:
        return true
    return (true + 1) % 3 if u < quality + (1.0 - quality) / 2 else (true + 2) % 3
