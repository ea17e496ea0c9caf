"""The ghost world's own rules: the prey's slippery move, which is recorded, and its color sensor.

What differs between environments are parameters of the rules, so that all environments share one compiled program.
The environment itself writes cells, walls and starting positions into the state.
"""

from __future__ import annotations

from gridarium.ghost.world.paths import ACTION_NAMES, MOVES
from gridarium.rules.calling import RandomNumbers, rng_or_default
from gridarium.rules.pursuit import PREY, move_past_agents
from gridarium.rules.transition_functions import slip
from gridarium.world import Action, Color, Position, State

TRAIL_BASE = 16
"""A trail is a number in this base: one digit for each move made in a turn, the number of its action."""
TRAIL_OF_MOVE = tuple(move.value for move in MOVES)
"""The trail of a single move, by the action's index."""
TRAIL_NAMES = {0: "stay"} | {
    trail: text
    for name, move in zip(ACTION_NAMES, TRAIL_OF_MOVE, strict=True)
    for trail, text in ((move, name), (move * TRAIL_BASE + move, f"{name}, {name}"))
}
"""The moves of each trail, as in `info["actual_action"]`."""
TRAIL, READING = 8, 9
"""The columns of the declared fields in an agent's row."""
READING_PARTS = 1 << 40
"""The resolution of the random number for the first reading."""


def empty_map(state: State, *, rng: RandomNumbers = None) -> None:
    """Begin with an empty map and everybody in its corner; the environment fills it.

    The first reading of the color sensor has to wait for the map: until then `reading` is a random number below
    `READING_PARTS`.
    """
    for k in range(len(state.agents)):
        state.agents[k].position = Position(0, 0)
    state.agents[0].reading = rng_or_default(state, rng).integers(READING_PARTS)


def prey_slips(
    state: State, action: Action, *, probability: float, sideways: float, rng: RandomNumbers = None
) -> None:
    """The prey moves on slippery ground (see the transition rule `slip`), and its trail records the moves.

    It slips perpendicularly with `sideways` 1, longitudinally with 0.
    """
    if state.focus == PREY:
        state.agent.trail = 0
        chance = rng_or_default(state, rng)
        if sideways > 0:
            slip(
                state, action, transition_function=recorded_move, probability=probability,
                slip_type="perpendicular", rng=chance,
            )  # fmt: skip
        else:
            slip(
                state, action, transition_function=recorded_move, probability=probability,
                slip_type="longitudinal", rng=chance,
            )  # fmt: skip


def recorded_move(state: State, action: Action) -> None:
    """As `move_past_agents`; the agent's trail records it."""
    state.agent.trail = state.agent.trail * TRAIL_BASE + action.value
    move_past_agents(state, action)


def prey_reads_color(state: State, action: Action, *, quality: float, rng: RandomNumbers = None) -> None:
    """After its move the prey reads the color of its cell: 0 none, 1 red, 2 green."""
    if state.focus == PREY:
        color = state.grid[state.agent.position].color
        true = 1 if color == Color.RED else 2 if color == Color.GREEN else 0
        state.agent.reading = noisy_color(true, quality, rng_or_default(state, rng).random())


def noisy_color(true: int, quality: float, u: float) -> int:
    """The color sensor's reading of a color, for a uniform number from [0, 1).

    It is right with probability `quality`; the other two colors are equally likely.
    """
    if u < quality:
        return true
    return (true + 1) % 3 if u < quality + (1.0 - quality) / 2 else (true + 2) % 3
