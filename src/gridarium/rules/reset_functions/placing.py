"""Finding free cells for objects and agents."""

from __future__ import annotations

from typing import Any

from gridarium.compiled.data_types.primitives import for_rules
from gridarium.world.cell import encode
from gridarium.world.geometry import Area, Orientation, Position
from gridarium.world.objects import Floor
from gridarium.world.state import State
from gridarium.world.vocabulary import Vocabulary


@for_rules
def check_shape(state: State, height: int, width: int) -> None:
    """Check that the grid is large enough.

    Raises:
        ValueError: it is not; the message gives the smallest possible size.
    """
    if state.grid.height < height or state.grid.width < width:
        raise ValueError(
            f"a grid of {state.grid.height} x {state.grid.width} is too small for this reset rule; "
            f"it needs at least {height} x {width}"
        )


@for_rules
def draw_free(state: State, part: Area, agents: int, rng: Any) -> Position:
    """Draw uniformly a floor cell of an area on which none of the first `agents` agents stands.

    Raises:
        ValueError: there is no such cell.
    """
    count = sum(_is_free(state, p, agents) for p in part.positions("all"))
    if count == 0:
        raise ValueError(f"no free floor is left in {part} for all objects and agents; make the grid larger")
    left = rng.integers(count)
    for p in part.positions("all"):
        if _is_free(state, p, agents):
            if left == 0:
                return p
            left -= 1
    raise AssertionError("unreachable")


@for_rules
def put(state: State, thing: Any, part: Area, rng: Any) -> None:
    """Put an object on a free cell of an area before any agent is placed."""
    state.grid[draw_free(state, part, 0, rng)] = thing


@for_rules
def put_at(state: State, thing: Any, p: Position) -> None:
    """Put an object into a cell; if the world lists its kind among its things, as a thing that lies there."""
    if state.vocabulary.thing_mask != 0 and is_among(state.vocabulary.thing_mask, thing, state.vocabulary):
        state.add(thing, p)
    else:
        state.grid[p] = thing


def is_among(kinds: int, thing: Any, vocabulary: Vocabulary) -> bool:
    """Whether an object has one of the kinds of a bit mask."""
    return kinds >> (encode(thing, vocabulary) & 255) & 1 != 0


@for_rules
def start_agent(state: State, position: Position, orientation: Orientation) -> None:
    """Set the pose of the first agent."""
    agent = state.agents[0]
    agent.position = position
    agent.orientation = orientation


@for_rules
def place_agents(state: State, first: int, part: Area, rng: Any) -> None:
    """Place the agents from index `first` on random free cells of an area, with random headings."""
    for i in range(first, len(state.agents)):
        agent = state.agents[i]
        agent.position = draw_free(state, part, i, rng)
        agent.orientation = Orientation(rng.integers(4))


def _is_free(state: State, p: Position, agents: int) -> bool:
    if state.vocabulary.has_things and len(state.things_at(p)) > 0:
        return False
    return isinstance(state.grid[p], Floor) and not any(state.agents[i].position == p for i in range(agents))
