"""Tron, as `tron`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from gridarium.engine import World
from gridarium.games.base_environment import Players, ranks_of
from gridarium.games.colosseum.numbering import Integers, owners, relative
from gridarium.games.config_strings import SimpleConfigParser
from gridarium.games.world_game import GameState, WorldGame
from gridarium.world.arcade_games import Trail
from gridarium.world.geometry import Orientation, Position
from gridarium.world.objects import Floor
from gridarium.worlds import catalogue

PARSER = SimpleConfigParser((int, 19), (int, 4), (int, -1), (bool, False), (bool, False))
DELTAS = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""Steps (x, y) north, east, south and west."""
RING_OFFSET, SPAWN_OFFSET = 1, 2
HEADINGS = (Orientation.FORWARD, Orientation.RIGHT, Orientation.BACKWARD, Orientation.LEFT)
"""The orientations that the directions stand for."""


def create_tron_config(*args: Any) -> str:
    """The config string of some parameters: `19;4;-1;False`."""
    return PARSER.store(*args)


def parse_tron_config(config: str) -> list[Any]:
    """Board size, number of players, observation window, and whether trails are removed; "" stands for the defaults."""
    return PARSER.parse(config)[:4]


def next_cell(x: int, y: int, direction: int, board_size: int | None = None) -> tuple[int, int]:
    """The cell (x, y) ahead in a direction: 0 north, 1 east, 2 south, 3 west; with a size, clamped to the board."""
    x, y = x + DELTAS[direction][0], y + DELTAS[direction][1]
    if board_size is None:
        return x, y
    return min(max(x, 0), board_size - 1), min(max(y, 0), board_size - 1)


def legacy_starts(
    size: int, players: int, ring_offset: int, offsets: Sequence[int] | Integers
) -> tuple[list[int], list[int]]:
    """Heads and directions at the beginning of a game as in 2020.

    The cells of the ring, row by row, were taken apart as for boards of odd size: on even ones the columns are exchanged and the
    numbers of cells and of directions differ, so that some players head for the edge.
    """
    last = size - 1 - ring_offset
    ring = [
        y * size + x
        for y in range(ring_offset, last + 1)
        for x in range(ring_offset, last + 1)
        if y in (ring_offset, last) or x in (ring_offset, last)
    ]
    side = 2 * (size // 2 - ring_offset)
    right, left = ring[side : 3 * side : 2], ring[side + 1 : 3 * side + 1 : 2]
    clockwise = np.array([*ring[:side], *right, *ring[: 3 * side - 1 : -1], *left[::-1]])
    inward = (np.arange(4 * side) // side + 2) % 4
    found: tuple[list[int], list[int]] = ([], [])
    for values, items in zip(found, (clockwise, inward), strict=True):
        for arc, offset in zip(np.array_split(items, players), offsets, strict=True):
            values.append(int(arc[max(0, min(len(arc) // 2 + int(offset), len(arc) - 1))]))
    return found


class TronGridEnvironment(WorldGame):
    """Tron on a square board; all players move at once: `forward` (or ""), `right` or `left`.

    Observations are int64, as the player counts: itself first, and the others in their order.

    - `board` [n, n]: 0 for free cells, 1 for the player's own trail, 2 and more for others. With an observation window w,
      [2 w + 1, 2 w + 1] around the player's head, with -1 outside the board.
    - `heads` [players]: `y * n + x`; with a window, -1 for those outside of it.
    - `directions` [players]: 0 north, 1 east, 2 south, 3 west; with a window, -1 for those outside of it.
    - `deaths` [players]: 0 for who drives; for others 1 + the number of the player who is its cause, counted as on the board.

    Args:
        config: `board_size;num_players;observation_window;remove_on_death;legacy`, by default `19;4;-1;False;False`; later ones
            can be left out. A window of -1 shows the whole board; with `remove_on_death`, the trails of players who are out vanish.
            With `legacy` players begin and move as in 2020: one after another (`tron_drive_in_order`), and on boards of even
            size two of four head for the edge.
        seed: see `WorldGame`.

    Raises:
        ValueError: a wrong parameter.
    """

    source = "Tron-19x19-4p"
    action_texts = ("forward", "right", "left")
    next_cell = staticmethod(next_cell)

    def __init__(self, config: str = "", *, seed: int = 0) -> None:
        size, players, window, remove, legacy = PARSER.parse(config)
        self.board_size, self.num_players, self.observation_window = size, players, window
        self.remove_on_death, self.legacy = remove, legacy
        super().__init__(config, seed=seed)

    @classmethod
    def create(  # type: ignore[override]
        cls,
        board_size: int = 19,
        num_players: int = 4,
        observation_window: int = -1,
        remove_on_death: bool = False,
        legacy: bool = False,
    ) -> Self:
        """The game with these parameters."""
        former = [legacy] if legacy else []
        return cls(create_tron_config(board_size, num_players, observation_window, remove_on_death, *former))

    @classmethod
    def parameters(cls, config: str) -> dict[str, Any]:
        """What is different in the world's description."""
        size, players, _, remove, legacy = PARSER.parse(config)
        rules = [
            "tron_drive_in_order" if legacy else "tron_drive",
            *(["tron_remove_trails"] if remove else []),
        ]
        name = f"Tron-{size}x{size}-{players}p"
        return {"name": name, "shape": [size, size], "agents": players, "transitions": rules}

    @classmethod
    def _open(cls, parameters: dict[str, Any]) -> World:
        return World({**catalogue.description(cls.source).to_dict(), **parameters}, compiled=cls.compiled)

    @staticmethod
    def observation_names() -> list[str]:
        """`board`, `heads`, `directions` and `deaths`."""
        return ["board", "heads", "directions", "deaths"]

    @property
    def observation_shape(self) -> dict[str, tuple[int, ...]]:
        """The shape of each array."""
        window, count = self.observation_window, self.num_players
        side = self.board_size if window < 0 else 2 * window + 1
        return {"board": (side, side), "heads": (count,), "directions": (count,), "deaths": (count,)}

    def new_state(
        self,
        num_players: int | None = None,
        ring_offset: int = RING_OFFSET,
        spawn_offset: int | Sequence[int] = SPAWN_OFFSET,
        *,
        seed: int | None = None,
    ) -> tuple[GameState, Players]:
        """The beginning of a game: players at equal distances on a ring along the edge, heading inward.

        Args:
            num_players: that of the config, if given.
            ring_offset: the number of cells between the ring and the edge.
            spawn_offset: how far players begin after the middle of their arc of the ring; with a pair (low, high), drawn
                for each player between these, both included.
            seed: of this draw; by default `self.seed`, which then counts up.

        Raises:
            ValueError: another number of players, or a board that is too small.
        """
        if (ring_offset, spawn_offset) == (RING_OFFSET, SPAWN_OFFSET) and not self.legacy:
            return super().new_state(num_players, seed=seed)
        count = self.check_players(num_players)
        low, high = (spawn_offset, spawn_offset) if isinstance(spawn_offset, int) else spawn_offset
        if self.legacy:
            drawn = np.random.default_rng(self._next_seed() if seed is None else seed)
            heads, directions = legacy_starts(
                self.board_size, count, ring_offset, drawn.integers(low, high, count, endpoint=True)
            )
            state = self.world.reset(0)
            for agent in state.agents:
                state.grid[agent.position] = Floor()
            for agent, head, direction in zip(state.agents, heads, directions, strict=True):
                agent.position, agent.orientation = (
                    Position(*divmod(head, self.board_size)),
                    HEADINGS[direction],
                )
                state.grid[agent.position] = Trail(agent.number)
            return GameState(state, (0.0,) * count, tuple(range(count))), list(range(count))
        begun = World(
            self.world.spec,
            compiled=False,
            ring_offset=ring_offset,
            spawn_offset=low,
            spread=high - low,
        ).reset(self._next_seed() if seed is None else seed)
        return GameState(begun, (0.0,) * count, tuple(range(count))), list(range(count))

    def generate_start_positions(
        self, ring_offset: int = RING_OFFSET, spawn_offset: int | Sequence[int] = SPAWN_OFFSET
    ) -> tuple[Integers, Integers]:
        """Heads and directions at the beginning of a game, see `new_state`: both int64[players]."""
        state, _ = self.new_state(None, ring_offset, spawn_offset)
        _, heads, directions, _ = self.arrays_of(state)
        return heads, directions

    def arrays_of(self, state: GameState) -> tuple[Integers, Integers, Integers, Integers]:
        """A state as ColosseumRL has it: board, heads, directions and deaths, with the players' own numbers."""
        agents = state.world.agents
        return (
            owners(state.world, Trail) + 1,
            np.array([agent.position.y * self.board_size + agent.position.x for agent in agents]),
            np.array([agent.orientation.quarter_turns for agent in agents]),
            np.array([agent.killer for agent in agents]),
        )

    def action_index(self, text: str) -> int:
        """The index of an action; "" is forward."""
        return super().action_index(text or "forward")

    def state_to_observation(self, state: GameState, player: int) -> dict[str, npt.NDArray[Any]]:
        """See the class."""
        board, heads, directions, deaths = self.arrays_of(state)
        count = self.num_players
        board = relative(board - 1, player, count) + 1
        heads, directions = np.roll(heads, -player), np.roll(directions, -player)
        deaths = relative(np.roll(deaths, -player) - 1, player, count) + 1
        if self.observation_window >= 0:
            w = self.observation_window
            y, x = divmod(int(heads[0]), self.board_size)
            board = np.pad(board, w, constant_values=-1)[y : y + 2 * w + 1, x : x + 2 * w + 1]
            ys, xs = np.divmod(heads, self.board_size)
            hidden = np.maximum(abs(ys - y), abs(xs - x)) > w
            heads, directions = np.where(hidden, -1, heads), np.where(hidden, -1, directions)
        return {"board": board, "heads": heads, "directions": directions, "deaths": deaths}

    def winners(self, state: GameState) -> Players:
        """The only player left; nobody if the last ones are out at the same time."""
        return [agent.number for agent in state.world.agents if agent.active]

    def compute_ranking(
        self, state: GameState, players: Players, winners: Players | None = None
    ) -> dict[int, int]:
        """Ranks by the length of trails: who is out later ranks better, and at the same time equally."""
        return ranks_of(players, [agent.length for agent in state.world.agents])
