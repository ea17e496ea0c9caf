"""Scenes with everything that a picture can show."""

from gridarium.testing.states import random_states
from gridarium.world import (
    Agent,
    Area,
    Box,
    Color,
    Door,
    Exit,
    Floor,
    Grid,
    Hidden,
    Key,
    Lava,
    Observation,
    Orientation,
    Position,
    State,
    Vocabulary,
    Wall,
)
from tests.draw.kinds import CUSTOM, PINK

KINDS = (Floor, Wall, Exit, Door, Key, Box, Lava, *CUSTOM)
PLAIN = Vocabulary((Floor, Wall, Exit, Door, Key), [Color.RED, Color.YELLOW])
RICH = Vocabulary(KINDS, [Color.RED, Color.YELLOW, PINK], edges=True)


def states(vocabulary: Vocabulary, count: int = 4, agents: int = 1) -> list[State]:
    """Random ones."""
    return list(random_states(vocabulary, count, (4, 6), agents=agents, seed=agents))


def look(state: State) -> Observation:
    """The 3 x 5 cells ahead of the agent in focus, some of them unseen."""
    agent = state.agent
    grid = state.grid.subgrid(agent.transform * Area((-2, 0), (-2, 2))) * agent.orientation
    grid[0, 0] = grid[1, 4] = Hidden()
    seen = Agent(agent.agent_row.copy(), state.vocabulary, 0)
    seen.position, seen.orientation = Position(2, 2), Orientation.FORWARD
    return Observation(grid, seen)


def two_rooms() -> State:
    """Two agents, the second one in a room behind a wall on an edge, with a box that holds a key."""
    state = State.blank((2, 4), RICH, agents=2)
    state.grid.set_wall(Position(0, 1), Position(0, 2))
    state.grid[0, 0] = Door(Door.Status.LOCKED, Color.YELLOW)
    state.grid[1, 3] = Box(Key(Color.RED))
    state.agents[0].position, state.agents[0].orientation = Position(0, 1), Orientation.LEFT
    state.agents[0].grid_object = Key(Color.YELLOW)
    state.agents[1].position = Position(0, 3)
    return state


def left_half(state: State) -> Observation:
    """What is in the two columns on the left, the first agent facing left in its own frame."""
    cells = Grid.from_shape(state.grid.shape.as_tuple, vocabulary=state.vocabulary)
    for p in state.grid.positions():
        cells[p] = state.grid[p] if p.x < 2 else Hidden()
    return Observation(cells, Agent(state.agent_rows[0].copy(), state.vocabulary, 0))
