"""The possible places of an agent: the cells of a map, with headings where these matter, numbered from 0."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from gridarium.beliefs.belief import Floats, Ints, Prior
from gridarium.engine.arguments import floats
from gridarium.engine.batch_arguments import check_is_state
from gridarium.rules.limits import is_list
from gridarium.world import Action, Position, State
from gridarium.world.agent import ORIENTATION, X, Y


@dataclass(frozen=True, eq=False)
class Places:
    """The places at which an agent may be.

    Attributes:
        state: the world around it, with the agent somewhere; never changed.
        agent: the agent whose places these are.
        positions: int64[places, 2]: y and x.
        headings: int64[places]: numbers of orientations; those of the state where headings do not matter.
        cells: y and x of each place.
        coordinates: float64[places, 2]: the same.
        one_heading: whether headings do not matter, so that there is one place for each free cell, row by row.
    """

    state: State
    agent: int
    positions: Ints
    headings: Ints
    cells: tuple[tuple[int, int], ...] = field(init=False, repr=False)
    coordinates: Floats = field(init=False, repr=False)
    one_heading: bool = field(init=False, repr=False)
    _numbers: dict[tuple[int, int, int], int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        cells = tuple((y, x) for y, x in self.positions.tolist())
        object.__setattr__(self, "cells", cells)
        object.__setattr__(self, "coordinates", self.positions.astype(np.float64))
        object.__setattr__(self, "one_heading", len(set(cells)) == len(cells))
        rows = zip(*self.positions.T.tolist(), self.headings.tolist(), strict=True)
        object.__setattr__(self, "_numbers", {row: i for i, row in enumerate(rows)})

    @staticmethod
    def of(state: State, actions: Sequence[Action], agent: int = 0) -> Places:
        """The cells that do not block, each with four headings if some action is relative to the heading.

        Args:
            state: the map; what stands in it besides agents is taken to stay as it is.
            actions: the actions that the agent has.
            agent: the agent.

        Raises:
            IndexError: there is no such agent.
            TypeError: not a state.
            ValueError: no cell is free.
        """
        check_is_state(state)
        kept = state.copy().seen_by(agent)
        free = [p.yx for p in kept.grid.positions() if not kept.grid[p].blocks_movement]
        if not free:
            raise ValueError("no cell of this world is free: an agent can be nowhere")
        turns = any(action.is_move() or action.is_turn() for action in actions)
        headings = [0, 1, 2, 3] if turns else [int(kept.agent_rows[agent, ORIENTATION])]
        rows = np.array([(y, x, heading) for y, x in free for heading in headings], np.int64)
        return Places(kept, agent, rows[:, :2].copy(), rows[:, 2].copy())

    def __len__(self) -> int:
        return len(self.headings)

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width of the map."""
        return self.state.grid.shape.as_tuple

    @property
    def ground(self) -> State:
        """A copy of the world in which the agent can be put at places, the others where they are."""
        return self.state.copy()

    def put(self, state: State, place: int) -> None:
        """Put the agent of a state at a place."""
        agent_row = state.agent_rows[self.agent]
        agent_row[Y], agent_row[X] = self.positions[place]
        agent_row[ORIENTATION] = self.headings[place]

    def number(self, y: int, x: int, heading: int) -> int:
        """The number of a place.

        Raises:
            ValueError: an agent cannot be there.
        """
        try:
            return self._numbers[y, x, heading]
        except KeyError:
            raise ValueError(f"the agent cannot be at ({y}, {x}) with heading {heading}") from None

    def place_of(self, state: State) -> int:
        """The number of the place at which the agent of a state is.

        Raises:
            ValueError: it is not at one of the places.
        """
        agent_row = state.agent_rows[self.agent]
        return self.number(int(agent_row[Y]), int(agent_row[X]), int(agent_row[ORIENTATION]))

    def at(self, position: Position | tuple[int, int]) -> Ints:
        """int64[k]: the places in a cell, one for each heading.

        Raises:
            TypeError: not a position.
            ValueError: an agent cannot be there.
        """
        if not isinstance(position, Position) and not (is_list(position) and len(position) == 2):
            raise TypeError(f"a position is needed, or its y and x, not {position!r}")
        y, x = position.yx if isinstance(position, Position) else position
        found = np.flatnonzero((self.positions == (y, x)).all(axis=1))
        if not found.size:
            raise ValueError(f"the agent cannot be at ({y}, {x}), which is blocked or outside the map")
        return found

    def belief(self, given: Prior = None) -> Floats:
        """float64[places]: a belief from what is known.

        Args:
            given: None for nothing (all places alike), a position or a state for certainty about the cell (or, of a
                state, the place), or weights: float[places] or float[height, width].

        Raises:
            ValueError: weights of another shape, negative, infinite, or all zero.
        """
        belief = np.zeros(len(self))
        if given is None:
            belief[:] = 1.0
        elif isinstance(given, State):
            belief[self.place_of(given)] = 1.0
        elif isinstance(given, Position) or (isinstance(given, tuple) and len(given) == 2):
            belief[self.at(given)] = 1.0
        else:
            belief[:] = self._weights(floats(given, "a belief, unless it is a position or a state,"))
        belief /= belief.sum()
        return belief

    def grid(self, belief: npt.ArrayLike) -> Floats:
        """float64[height, width]: the probability of each cell."""
        cells = self.positions[:, 0] * self.shape[1] + self.positions[:, 1]
        height, width = self.shape
        return (
            np.bincount(cells, belief, height * width).astype(np.float64, copy=False).reshape(height, width)
        )

    def _weights(self, given: Floats) -> Floats:
        if given.shape == self.shape:
            given = given[self.positions[:, 0], self.positions[:, 1]]
        if given.shape != (len(self),):
            height, width = self.shape
            raise ValueError(
                f"a belief is float[{len(self)}] or float[{height}, {width}], not {list(given.shape)}"
            )
        if not (np.isfinite(given).all() and (given >= 0).all() and given.sum() > 0):
            raise ValueError("the weights of a belief are finite and not negative, and some are above 0")
        return given
