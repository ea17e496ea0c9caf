"""The world of an environment in the engine: one compiled program for all layouts, sizes and numbers."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy.typing as npt

from gridarium.engine.machine import Machine
from gridarium.engine.solo import Solo
from gridarium.ghost.round_kernel import ROUND
from gridarium.ghost.rounds import RoundMachine, Rounds
from gridarium.ghost.rules import LUCK, READING, lay_out, quarry_reads_color, quarry_slips
from gridarium.rules.pursuit import for_pursuers, move_past_agents, pursuit, pursuit_over
from gridarium.world import Color, Dog, Exit, Floor, Flower, GridObject, State, Tile, TwoFlowers
from gridarium.world.agent import ACTIVE
from gridarium.world.geometry import Position
from gridarium.world.state import TURN
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
        view: the state, sharing the engine's memory.
    """

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._solo = Solo(machine, shared=True)
        self._memory = self._solo._batch.memory
        self.view: State = self._memory.view(0)
        self._ground: tuple[npt.NDArray[Any], npt.NDArray[Any]] | None = None

    def begin(self, seed: int | None) -> None:
        """Begin an episode: the one of the seed, or the next one. The pieces have to be written."""
        self._solo.reset(seed)
        memory = self._memory
        if self._ground is not None:
            memory.cells[0], memory.layers[0] = self._ground
        self.bodies, self._data = memory.bodies[0], memory.data[0]
        self._actions = memory.actions[0]
        self._rewards, self._terminated = self._solo._rewards, self._solo._terminated
        self._run: Any = self._solo._entry
        self._place = memory.place

    def on(self, machine: Machine) -> Board:
        """The same world, with other numbers in its rules."""
        return _restored(machine, self._memory.arrays(), self._ground)

    def __reduce__(self) -> Any:
        return _restored, (self.machine, tuple(a.copy() for a in self._memory.arrays()), self._ground)

    def write_map(self, things: Sequence[GridObject], walls: Sequence[tuple[int, int]]) -> None:
        """Write what is in each cell, and walls between cells, given by their numbers."""
        memory = self._memory
        memory.layers[0] = 0
        grid, cols = self.view.grid, self.machine.shape.width
        for i, item in enumerate(things):
            grid[Position(*divmod(i, cols))] = item
        for a, b in walls:
            grid.set_wall(Position(*divmod(a, cols)), Position(*divmod(b, cols)))
        self._ground = memory.cells[0].copy(), memory.layers[0].copy()

    def write_pieces(self, places: Sequence[Sequence[int]], turn: int, *, ghosts_active: bool) -> None:
        """Write where everybody is, whose turn it is, and whether ghosts take part."""
        self.bodies[:, :2] = places
        self.bodies[1:, ACTIVE] = ghosts_active
        self._data[TURN] = turn

    def tick(self, mover: int, action: int) -> float:
        """Somebody's turn; gives the agent's reward."""
        self._actions[mover] = action
        try:
            self._run(self._place, 0, 0, 1, 0)
        except Exception as error:
            self._solo._failed(error, 0)  # type: ignore[arg-type]
        return float(self._rewards.item(0))

    def play(self, rounds: Rounds, action: int) -> None:
        """A whole round, the agent's turn first."""
        if not self.machine.compiled:
            self.machine.program.run(self._memory.frame, action, rounds.place, 0, ROUND)
            return
        try:
            self._run(self._place, action, rounds.place, 0, ROUND)
        except Exception as error:
            self._solo._failed(error, 0)  # type: ignore[arg-type]

    @property
    def over(self) -> bool:
        """Whether the last tick has ended the episode."""
        return bool(self._terminated.item(0))

    def luck(self) -> float:
        """The uniform number by which the color sensor reads before the first move."""
        return int(self.bodies.item(READING)) / LUCK


def _restored(machine: Machine, arrays: Sequence[npt.NDArray[Any]], ground: Any) -> Board:
    made = Board(machine)
    made.begin(0)
    for mine, given in zip(made._memory.arrays(), arrays, strict=True):
        mine[:] = given
    made._ground = ground
    return made
