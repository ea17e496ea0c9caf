"""What masks of legal actions cost: of plain legal rules, and of rules that fill masks; in a game of Blokus's size.

python benchmarks/masks/measure.py --json masks.json

The board has 20 x 20 cells and 91 oriented pieces, 36,401 actions with passing. One thread, a batch of 64 worlds, arrays
shared, processor seconds. Without legal rules, an observation is what is left when masks are subtracted.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from gridarium.compiled.data_types.vectors import new_integers
from gridarium.engine import World
from gridarium.rules.legal_functions import legal_function_registry
from gridarium.world import Action, ActionMask, Floor, GridObject, State, table
from gridarium.worlds import Spec

PLACE, PASS = Action.declare("PLACE"), Action.declare("PASS")
SIDE, WORLDS, MARKS = 20, 64, 30


def oriented_pieces() -> list[list[tuple[int, int]]]:
    """The polyominoes of one to five cells in all orientations."""
    level = {frozenset({(0, 0)})}
    found = set(level)
    for _ in range(4):
        level = {larger for piece in level for larger in _grown(piece)}
        found |= level
    return sorted((sorted(piece) for piece in found), key=lambda piece: (len(piece), piece))


def _grown(piece: frozenset[tuple[int, int]]) -> set[frozenset[tuple[int, int]]]:
    found = set()
    for y, x in piece:
        for cell in ((y, x + 1), (y, x - 1), (y + 1, x), (y - 1, x)):
            if cell not in piece:
                top, left = (min(c[k] for c in (*piece, cell)) for k in range(2))
                found.add(frozenset((a - top, b - left) for a, b in (*piece, cell)))
    return found


PIECES = oriented_pieces()
CODES = table([sum((p[k % len(p)][0] * 8 + p[k % len(p)][1]) << 6 * k for k in range(5)) for p in PIECES])
"""The cells of each piece, five times six bits, read once a piece; smaller pieces repeat theirs."""


class Mine(GridObject):
    """A cell of the first player's pieces."""


class Theirs(GridObject):
    """A cell of the second player's."""


def some_marks(state: State) -> None:
    """Begin with some cells taken."""
    for i in range(MARKS):
        state.grid[i * 7 % SIDE, i * 11 % SIDE] = Mine() if i % 2 == 0 else Theirs()


def nothing(state: State, action: Action) -> None:
    """No placement: what is measured are masks."""


def is_free(state: State, action: Action) -> bool:
    """A plain rule that looks at one cell."""
    return not action.is_a(PLACE) or isinstance(state.grid[action.at], Floor)


@legal_function_registry.register(fills=PLACE)
def fits(state: State, mask: ActionMask) -> None:
    """A piece lies on free cells, touches an own one at a corner and none at an edge: rows of bits."""
    full = (1 << SIDE) - 1
    taken, mine = new_integers(state.scratch, SIDE), new_integers(state.scratch, SIDE)
    good, corners = new_integers(state.scratch, SIDE + 4), new_integers(state.scratch, SIDE + 4)
    for y in range(SIDE):
        for x in range(SIDE):
            cell = state.grid[y, x]
            if not isinstance(cell, Floor):
                taken[y] |= 1 << x
                if isinstance(cell, Mine):
                    mine[y] |= 1 << x
    for y in range(SIDE):
        above = mine[y - 1] if y > 0 else 0
        below = mine[y + 1] if y + 1 < SIDE else 0
        good[y] = full & ~(taken[y] | above | below | mine[y] << 1 | mine[y] >> 1)
        corners[y] = above << 1 | above >> 1 | below << 1 | below >> 1
    rows = mask.of(PLACE).rows
    for piece in range(len(CODES)):
        code = CODES[piece]
        for y in range(SIDE):
            fitting, touching = full, 0
            for k in range(5):
                dy, dx = code >> (6 * k + 3) & 7, code >> (6 * k) & 7
                fitting &= good[y + dy] >> dx
                touching |= corners[y + dy] >> dx
            rows[piece, y] = fitting & touching


def world(*legal: Callable[..., Any]) -> World:
    return World(
        Spec.build(
            name="BlokusMasks",
            shape=(SIDE, SIDE),
            objects=[Floor, Mine, Theirs],
            agents=2,
            turn_order="cycle",
            actions=[{"name": "PLACE", "over": {"piece": len(PIECES), "at": "cells"}}, "PASS"],
            reset=some_marks,
            transitions=[nothing],
            legal=list(legal),
            observation="full_grid",
            representation="compact",
        )
    )


def microseconds(do: Callable[[], Any], seconds: float) -> list[float]:
    """The time of one world in each of five windows, sorted."""
    windows = []
    for _ in range(5):
        count, started = 0, time.process_time()
        while time.process_time() - started < seconds:
            do()
            count += 1
        windows.append((time.process_time() - started) / count / WORLDS * 1e6)
    return sorted(windows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--json", help="the file that figures are written to")
    parser.add_argument("--seconds", type=float, default=0.5, help="of a window")
    given = parser.parse_args()
    rows = []
    for name, legal in (("no legal rule", []), ("plain rule, local", [is_free]), ("rule that fills", [fits])):
        for masks in ("bytes", "bits") if legal else ("bytes",):
            batch = world(*legal).batch(WORLDS, masks=masks, shared=True, threads=1)
            batch.reset(0)
            passing = np.full((WORLDS, 2), len(batch.composed.spec.actions) - 1)
            observing = microseconds(batch.observe, given.seconds)
            stepping = microseconds(lambda b=batch, a=passing: b.step(a), given.seconds)
            rows.append({"rule": name, "masks": masks, "observe": observing, "step": stepping})
            print(
                f"{name:20} {masks:6} observe {observing[2]:6.2f} us ({observing[0]:.2f} to {observing[-1]:.2f})   "
                f"step {stepping[2]:6.2f} us ({stepping[0]:.2f} to {stepping[-1]:.2f})   "
                f"{1000 * observing[2] / len(batch.composed.spec.actions):.2f} ns an action",
                flush=True,
            )
    if given.json:
        Path(given.json).write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
