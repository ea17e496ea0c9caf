"""States without the solid wall around what matters."""

from gridarium.draw import cropped, rgb
from gridarium.world import Exit, Position, State, Wall
from tests.draw.scenes import PLAIN, two_rooms


def solid(height: int, width: int) -> State:
    state = State.blank((height, width), PLAIN)
    for p in state.grid.positions():
        state.grid[p] = Wall()
    return state


def test_one_row_of_wall_is_left_on_each_side() -> None:
    state = solid(9, 12)
    state.grid[4, 5] = Exit()
    state.agent.position = Position(3, 7)
    before = state.copy()
    small = cropped(state)
    assert state.identical(before)
    assert small.grid.shape.as_tuple == (4, 5)
    assert small.grid[2, 1] == Exit() and small.agent.position == Position(1, 3)
    assert (rgb(small, 8) == rgb(state, 8)[16:48, 32:72]).all()


def test_what_reaches_the_edge_stays() -> None:
    assert cropped(two_rooms()).identical(two_rooms())


def test_an_agent_that_is_gone_does_not_matter() -> None:
    state = solid(5, 5)
    state.grid[2, 2] = Exit()
    state.agent.active = False
    assert cropped(state).grid.shape.as_tuple == (3, 3)


def test_walls_everywhere_are_left_as_they_are() -> None:
    state = solid(3, 4)
    state.agent.active = False
    assert cropped(state).identical(state)
