"""The world of an environment in the engine: one compiled program for all layouts, sizes and settings."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gridarium.engine.composed_world import ComposedWorld
from gridarium.engine.kernel_args import Mode
from gridarium.engine.single_world import SingleWorld
from gridarium.engine.step.kernel import RUNNING
from gridarium.ghost.world.round_kernel import BEGIN, SET_UP
from gridarium.ghost.world.rounds import ComposedGhostWorld, MapArrays, RoundArguments
from gridarium.ghost.world.rules import empty_map, prey_reads_color, prey_slips
from gridarium.rules.pursuit import for_predators, move_past_agents, pursuit, pursuit_over
from gridarium.world import Color, Dog, Exit, Floor, Flower, GridObject, State, Tile, TwoFlowers
from gridarium.world.agent import ACTIVE
from gridarium.world.geometry import Position
from gridarium.world.state import ENDED, TURN
from gridarium.worlds import Spec

ACTIONS = ["LEFT", "DOWN", "RIGHT", "UP", "WAIT"]
COLORS = (Color.NONE, Color.RED, Color.GREEN)
PICTURES: dict[str, type[Tile]] = {"dog": Dog, "two_flowers": TwoFlowers, "flower": Flower}
NOTES = {"two_notes": Tile.Status.TWO_NOTES, "one_note": Tile.Status.ONE_NOTE}


class RuleParameters(NamedTuple):
    """The parameters of the rules of a ghost world."""

    slip: float
    sideways: float
    quality: float
    step: float
    caught: float
    reached: float


@functools.lru_cache(256)
def compose_board(rows: int, cols: int, ghosts: int, parameters: RuleParameters) -> ComposedWorld:
    """A ghost world, ready to run; its map is empty."""
    spec = Spec.build(
        name="GhostWorld",
        shape=(rows, cols),
        edges=True,
        objects=[Floor, Exit, Tile, Dog, Flower, TwoFlowers],
        colors=list(COLORS[1:]),
        fields={"agent": [{"name": "trail", "type": "int"}, {"name": "reading", "type": "int"}]},
        actions=ACTIONS,
        agents=1 + ghosts,
        turn_order="cycle",
        reset=empty_map,
        transitions=[
            partial(prey_slips, probability=parameters.slip, sideways=parameters.sideways),
            partial(for_predators, transition_function=move_past_agents),
            partial(prey_reads_color, quality=parameters.quality),
        ],
        rewards=[
            partial(
                pursuit,
                reward_step=parameters.step,
                reward_caught=parameters.caught,
                reward_reached=parameters.reached,
            )
        ],
        terminations=[pursuit_over],
        observation={"name": "fully_transparent", "area": ((0, 0), (0, 0))},
    )
    return ComposedGhostWorld(spec)


def cell_object(colour: int, items: Sequence[str], is_goal: bool) -> GridObject:
    """The object that represents a cell in the engine: its first picture, and notes."""
    color = COLORS[colour]
    if is_goal:
        return Exit(color)
    kind = next((PICTURES[item] for item in items if item in PICTURES), Tile)
    status = next((status for name, status in NOTES.items() if name in items), Tile.Status.PLAIN)
    if kind is Tile and status == Tile.Status.PLAIN and colour == 0:
        return Floor()
    return kind(status, color)


BoardSnapshot = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]
"""Copies of the pieces, and of the clock and whose turn it is."""


class Board:
    """A ghost world in the engine, whose map and pieces can be written at any time.

    Args:
        composed: of the world.

    Attributes:
        agent_rows: int64[agents, 10]: positions and flags, and the agent's trail and reading.
        positions: int64[agents, 2]: of the agent and the ghosts, a view.
        state: the engine's state, sharing its memory.
    """

    def __init__(self, composed: ComposedWorld) -> None:
        self.composed = composed
        self._single = SingleWorld(composed, shared=True)
        memory = self._memory = self._single.batch.memory
        self.state: State = memory.view(0)
        self.agent_rows, self._data = memory.agent_rows[0], memory.data[0]
        self.positions = self.agent_rows[:, :2]
        self._run: Callable[[int, int, int, int, int], int] | None = None

    def begin(self, rounds: RoundArguments, seed: int | None = None, *, mode: int = SET_UP) -> None:
        """Begin the episode of a seed, or the next one; `mode` has bits of `round_kernel`."""
        if self._single.started and seed is None:
            mode |= BEGIN
        else:
            self._start(seed)
        self.run(rounds, mode)

    def run(self, rounds: RoundArguments, mode: int, action: int = 0, mover: int = 0) -> None:
        """Run a turn of agent `mover`, and what else the bits of `round_kernel` in `mode` say."""
        try:
            self._run(self._memory.frame_address, action, rounds.address, mover, mode)  # type: ignore[misc]
        except Exception as error:
            self._single.fail(error, Mode.STEP)

    def with_composed(self, composed: ComposedWorld) -> Board:
        """The same world with another composed world, one with other rule parameters."""
        return _restored(composed, self._memory.arrays())

    def __reduce__(self) -> Any:
        return _restored, (self.composed, tuple(a.copy() for a in self._memory.arrays()))

    def write_map(self, objects: Sequence[GridObject], walls: Sequence[tuple[int, int]]) -> MapArrays:
        """Write the object of each cell, and walls between pairs of cells, given by number; returns a copy of the map."""
        memory = self._memory
        memory.layers[0] = 0
        grid, cols = self.state.grid, self.composed.shape.width
        for i, item in enumerate(objects):
            grid[Position(*divmod(i, cols))] = item
        for a, b in walls:
            grid.set_wall(Position(*divmod(a, cols)), Position(*divmod(b, cols)))
        return MapArrays(memory.cells[0].copy(), memory.layers[0].copy())

    def write_pieces(self, positions: Sequence[Sequence[int]], turn: int, *, ghosts_active: bool) -> None:
        """Write all positions, whose turn it is, and whether ghosts take part."""
        self.positions[:] = positions
        self.agent_rows[1:, ACTIVE] = ghosts_active
        self._data[TURN] = turn

    def resume(self) -> None:
        """Let an episode that has ended continue."""
        self._data[ENDED] = RUNNING

    def snapshot(self) -> BoardSnapshot:
        """A copy of everything that turns change: pieces and clock."""
        return self.agent_rows.copy(), self._data.copy()

    def restore(self, snapshot: BoardSnapshot) -> None:
        """Return to a snapshot."""
        self.agent_rows[:], self._data[:] = snapshot

    def load(self, arrays: Sequence[npt.NDArray[Any]]) -> None:
        """Take over the arrays of another board's memory."""
        self._start(0)
        for mine, given in zip(self._memory.arrays(), arrays, strict=True):
            mine[:] = given

    def _start(self, seed: int | None) -> None:
        self._single.reset(seed)
        self._run = self.composed.prepare() or self._interpreted

    def _interpreted(self, address: int, slot: int, first: int, last: int, mode: int) -> int:
        """Runs the program interpreted where it is not compiled, or not yet."""
        done = int(self.composed.program.run(self._memory.frame, slot, first, last, mode))
        self._run = self.composed.prepare() or self._interpreted
        return done


def _restored(composed: ComposedWorld, arrays: Sequence[npt.NDArray[Any]]) -> Board:
    board = Board(composed)
    board.load(arrays)
    return board
