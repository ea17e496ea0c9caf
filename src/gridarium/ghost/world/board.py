"""The world of an environment in the engine: one compiled program for all layouts, sizes and numbers."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gridarium.engine.kernel import RUNNING
from gridarium.engine.machine import Machine
from gridarium.engine.solo import Solo
from gridarium.ghost.round_kernel import BEGIN, SET_OUT
from gridarium.ghost.rounds import Ground, RoundMachine, Rounds
from gridarium.ghost.rules import lay_out, quarry_reads_color, quarry_slips
from gridarium.rules.pursuit import for_pursuers, move_past_agents, pursuit, pursuit_over
from gridarium.world import Color, Dog, Exit, Floor, Flower, GridObject, State, Tile, TwoFlowers
from gridarium.world.agent import ACTIVE
from gridarium.world.geometry import Position
from gridarium.world.state import ENDED, TURN
from gridarium.worlds import Spec

ACTIONS = ["LEFT", "DOWN", "RIGHT", "UP", "WAIT"]
COLORS = (Color.NONE, Color.RED, Color.GREEN)
PICTURES: dict[str, type[Tile]] = {"dog": Dog, "two_flowers": TwoFlowers, "flower": Flower}
NOTES = {"two_notes": Tile.Status.TWO_NOTES, "one_note": Tile.Status.ONE_NOTE}


class Numbers(NamedTuple):
    """What the rules of a ghost world are told."""

    slip: float
    sideways: float
    quality: float
    step: float
    caught: float
    reached: float


@functools.lru_cache(256)
def machine(rows: int, cols: int, ghosts: int, numbers: Numbers) -> Machine:
    """A ghost world, ready to be run; its map is empty."""
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
        reset=lay_out,
        transitions=[
            partial(quarry_slips, probability=numbers.slip, sideways=numbers.sideways),
            partial(for_pursuers, transition_function=move_past_agents),
            partial(quarry_reads_color, quality=numbers.quality),
        ],
        rewards=[
            partial(
                pursuit,
                reward_step=numbers.step,
                reward_caught=numbers.caught,
                reward_reached=numbers.reached,
            )
        ],
        terminations=[pursuit_over],
        observation={"name": "fully_transparent", "area": ((0, 0), (0, 0))},
    )
    return RoundMachine(spec)


def thing(colour: int, items: Sequence[str], is_goal: bool) -> GridObject:
    """The object that stands for a cell: of what lies there the first picture and the notes."""
    color = COLORS[colour]
    if is_goal:
        return Exit(color)
    kind = next((PICTURES[item] for item in items if item in PICTURES), Tile)
    status = next((status for name, status in NOTES.items() if name in items), Tile.Status.PLAIN)
    if kind is Tile and status == Tile.Status.PLAIN and colour == 0:
        return Floor()
    return kind(status, color)


class Board:
    """One ghost world in the engine, whose map and pieces can be written at any time.

    Args:
        machine: of the world.

    Attributes:
        bodies: int64[agents, 10]: where everybody is, and the agent's trail and reading.
        places: int64[agents, 2]: of them, where everybody is.
        view: the state, sharing the engine's memory.
    """

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._solo = Solo(machine, shared=True)
        memory = self._memory = self._solo._batch.memory
        self.view: State = memory.view(0)
        self.bodies, self._data = memory.bodies[0], memory.data[0]
        self.places = self.bodies[:, :2]
        self._run: Any = None

    def begin(self, rounds: Rounds, seed: int | None = None, *, steps: int = SET_OUT) -> None:
        """Begin an episode, the one of the seed, or the next one; `steps` are bits of `round_kernel`."""
        if self._solo.started and seed is None:
            steps |= BEGIN
        else:
            self._start(seed)
        self.run(rounds, steps)

    def run(self, rounds: Rounds, steps: int, action: int = 0, mover: int = 0) -> None:
        """Somebody's turn, and what else the bits of `round_kernel` say."""
        try:
            self._run(self._memory.place, action, rounds.place, mover, steps)
        except Exception as error:
            self._solo._failed(error, 0)  # type: ignore[arg-type]

    def on(self, machine: Machine) -> Board:
        """The same world, with other numbers in its rules."""
        return _restored(machine, self._memory.arrays())

    def __reduce__(self) -> Any:
        return _restored, (self.machine, tuple(a.copy() for a in self._memory.arrays()))

    def write_map(self, things: Sequence[GridObject], walls: Sequence[tuple[int, int]]) -> Ground:
        """Write what is in each cell, and walls between cells, given by their numbers; gives a copy of the map."""
        memory = self._memory
        memory.layers[0] = 0
        grid, cols = self.view.grid, self.machine.shape.width
        for i, item in enumerate(things):
            grid[Position(*divmod(i, cols))] = item
        for a, b in walls:
            grid.set_wall(Position(*divmod(a, cols)), Position(*divmod(b, cols)))
        return Ground(memory.cells[0].copy(), memory.layers[0].copy())

    def write_pieces(self, places: Sequence[Sequence[int]], turn: int, *, ghosts_active: bool) -> None:
        """Write where everybody is, whose turn it is, and whether ghosts take part."""
        self.places[:] = places
        self.bodies[1:, ACTIVE] = ghosts_active
        self._data[TURN] = turn

    def resume(self) -> None:
        """Go on with an episode that has ended."""
        self._data[ENDED] = RUNNING

    def snapshot(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """A copy of what turns change: the pieces and the clock."""
        return self.bodies.copy(), self._data.copy()

    def restore(self, snapshot: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]) -> None:
        """Go back to a snapshot."""
        self.bodies[:], self._data[:] = snapshot

    # inside

    def _start(self, seed: int | None) -> None:
        self._solo.reset(seed)
        self._run = self.machine.prepare() or self._interpreted

    def _interpreted(self, place: int, slot: int, first: int, last: int, mode: int) -> int:
        """What stands in for the compiled program where there is none, or none yet."""
        came = int(self.machine.program.run(self._memory.frame, slot, first, last, mode))
        self._run = self.machine.prepare() or self._interpreted
        return came


def _restored(machine: Machine, arrays: Sequence[npt.NDArray[Any]]) -> Board:
    made = Board(machine)
    made._start(0)
    for mine, given in zip(made._memory.arrays(), arrays, strict=True):
        mine[:] = given
    return made
