"""Game trees and positions, for the tests of board games."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np

from gridarium.engine import Autoreset, World
from gridarium.engine.threads.memory import Snapshot
from gridarium.world import State
from gridarium.world.vocabulary import AGENT_FIELDS


class Level(NamedTuple):
    """The different positions at a depth of a game tree.

    Attributes:
        counts: int64[positions]: the sequences of moves that lead to each.
        over: bool[positions]: whether the game has ended.
        masks: bool[positions, actions]: the legal moves, none where it has ended.
    """

    counts: np.ndarray
    over: np.ndarray
    masks: np.ndarray

    @property
    def next_sequences(self) -> int:
        """The number of sequences that are longer by a move."""
        return int((self.counts * self.masks.sum(axis=1)).sum())


def tree(world: World) -> Iterator[Level]:
    """The depths of a game tree from 0 on; the positions of each are the worlds of one batch."""
    batch = world.batch(1, autoreset=Autoreset.DISABLED, threads=1)
    batch.reset(seed=0)
    kept, counts, masks = np.zeros(1, np.int64), np.ones(1, np.int64), batch.masks
    while len(kept):
        snapshot, over = batch.snapshot(), batch.ended[kept]
        level = Level(counts, over, masks[kept] & ~over[:, None])
        yield level
        parents, actions = np.nonzero(level.masks)
        batch = world.batch(max(len(parents), 1), autoreset=Autoreset.DISABLED, threads=1)
        if len(parents):
            batch.restore(Snapshot(*(array[kept[parents]] for array in snapshot.arrays())))
            masks = batch.step(np.repeat(actions[:, None], world.spec.agents, 1)).masks
        kept, inverse = distinct(batch.snapshot()) if len(parents) else (parents, parents)
        counts = np.bincount(inverse, counts[parents]).astype(np.int64)


def distinct(snapshot: Snapshot) -> tuple[np.ndarray, np.ndarray]:
    """The index of one world for each position, and the position of each world; what agents did last does not count.

    Positions are told apart by sums of 64 bits with random weights.
    """
    fields, rng = snapshot.agent_rows[..., AGENT_FIELDS:], np.random.default_rng(0)
    keys = np.zeros(len(fields), np.int64)
    for part in (snapshot.cells, snapshot.layers, snapshot.data, fields):
        numbers = part.reshape(len(part), -1).astype(np.int64)
        keys += numbers @ rng.integers(-(1 << 62), 1 << 62, numbers.shape[1])
    _, kept, inverse = np.unique(keys, return_index=True, return_inverse=True)
    return kept, inverse


def sequences(world: World, depth: int) -> list[int]:
    """The number of sequences of moves of each length up to a depth (perft)."""
    return [level.next_sequences for level in islice(tree(world), depth)]


def play(
    world: World, moves: str | Sequence[str], state: State | None = None
) -> tuple[State, list[float], bool]:
    """The state after some moves in turn, the rewards of the last one, and whether the game is over."""
    state, rewards, over = world.reset(0) if state is None else state, [], False
    for move in moves.split() if isinstance(moves, str) else moves:
        assert not over
        action = world.actions.parse(move)
        assert action in world.legal_actions(state), move
        state, got, ended = world.step(state, [action] * world.spec.agents)
        rewards, over = got.tolist(), bool(ended.all())
    return state, rewards, over


def rows(state: State) -> str:
    """The cells as text, row by row."""
    return "\n".join(
        "".join(state.grid[y, x].map_glyph for x in range(state.grid.width)) for y in range(state.grid.height)
    )


class PlainGo:
    """Go by flood fills and a set of all boards so far, with positional superko and without suicide."""

    def __init__(self, height: int, width: int) -> None:
        self.height, self.width, self.turn = height, width, 1
        self.board = [0] * (height * width)
        self.seen = {tuple(self.board)}
        self.repetitions = 0

    def neighbors(self, i: int) -> list[int]:
        y, x = divmod(i, self.width)
        near = ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1))
        return [v * self.width + u for v, u in near if 0 <= v < self.height and 0 <= u < self.width]

    def region(self, board: list[int], start: int) -> tuple[set[int], set[int]]:
        """The cells connected with one of the same color, and the colors around them."""
        cells, waiting, around = {start}, [start], set()
        while waiting:
            for j in self.neighbors(waiting.pop()):
                if board[j] != board[start]:
                    around.add(board[j])
                elif j not in cells:
                    cells.add(j)
                    waiting.append(j)
        return cells, around

    def after(self, i: int) -> list[int] | None:
        """The board after a stone; None for suicide."""
        board = [*self.board]
        board[i] = self.turn
        for j in self.neighbors(i):
            if board[j] == 3 - self.turn:
                cells, around = self.region(board, j)
                if 0 not in around:
                    for k in cells:
                        board[k] = 0
        return board if 0 in self.region(board, i)[1] else None

    def legal_moves(self) -> list[int]:
        """The cells, and passing as the last one; notes how many moves are forbidden since they repeat a board."""
        boards = {i: self.after(i) for i, color in enumerate(self.board) if color == 0}
        fine = [i for i, board in boards.items() if board is not None and tuple(board) not in self.seen]
        self.repetitions = sum(board is not None for board in boards.values()) - len(fine)
        return [*fine, len(self.board)]

    def play(self, move: int) -> None:
        if move < len(self.board):
            board = self.after(move)
            assert board is not None
            self.board = board
            self.seen.add(tuple(board))
        self.turn = 3 - self.turn

    def lead(self) -> int:
        """Black's area less white's."""
        total = 0
        for i, color in enumerate(self.board):
            owners = {color} if color else self.region(self.board, i)[1]
            total += (owners == {1}) - (owners == {2})
        return total
