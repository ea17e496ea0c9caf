"""The drawings of what lies on a table in games without a grid: cards, chips, hands, payoffs."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

from gridarium.draw.boards import SEAM
from gridarium.draw.drawings import agent_rgb
from gridarium.draw.shapes import RGB, WHITE, Disc, Label, Line, Point, Rectangle, Ring, Shape

INK: RGB = (28, 30, 38)
IVORY: RGB = (252, 250, 244)
BACK: RGB = (52, 82, 160)
BACK_LINES: RGB = (150, 172, 224)
CHIP: RGB = (206, 54, 60)
CHIP_EDGE: RGB = (246, 214, 206)
GOLD: RGB = (250, 206, 46)
STONE: RGB = (134, 136, 144)
STEEL: RGB = (206, 212, 222)
HANDLE: RGB = (214, 66, 66)
PAPER_LINES: RGB = (160, 176, 206)
CARD_RATIO = 1.4
"""The height of a card, by its width."""
MOST_ACROSS = 4
"""The maximum number of players side by side; more sit in two rows."""
MOST_CELLS = 6
"""The maximum number of choices, and of matrices, that are drawn beside each other."""

Box = tuple[float, float, float, float]
"""Left, upper, right and lower end."""


def seats(count: int, top: float) -> list[Box]:
    """The places of players below `top`, in one row or two."""
    rows = 1 if count <= MOST_ACROSS else 2
    across, height = math.ceil(count / rows), (0.97 - top) / rows
    width = min(0.94 / across, 0.4)
    left = 0.5 - width * across / 2
    return [
        (
            left + width * (i % across) + 0.01,
            top + height * (i // across) + 0.01,
            left + width * (i % across + 1) - 0.01,
            top + height * (i // across + 1) - 0.01,
        )
        for i in range(count)
    ]


def seat(box: Box, number: int, *, acts: bool) -> Iterator[Shape]:
    """The place of a player with its number; framed while it is the player's turn."""
    x0, y0, x1, y1 = box
    if acts:
        yield Rectangle(x0, y0, x1, y1, GOLD, 0.03)
        x0, y0, x1, y1 = x0 + 0.01, y0 + 0.01, x1 - 0.01, y1 - 0.01
    yield Rectangle(x0, y0, x1, y1, SEAM, 0.025)
    radius = min(0.045, (y1 - y0) / 11)
    x, y = x0 + 1.3 * radius, y0 + 1.3 * radius
    yield Disc(x, y, radius, agent_rgb(number))
    yield Label(str(number), x, y, radius, WHITE, 1 / 5)


def card(x: float, y: float, height: float, face: str | None, color: RGB = INK) -> Iterator[Shape]:
    """A card around a place, with its rank (None for one that lies face down)."""
    half, tall, round_ = height / CARD_RATIO / 2, height / 2, height / 12
    yield Rectangle(x - half, y - tall, x + half, y + tall, INK, round_)
    edge = height / 60
    yield Rectangle(x - half + edge, y - tall + edge, x + half - edge, y + tall - edge, IVORY, round_)
    if face is None:
        edge = height / 16
        yield Rectangle(x - half + edge, y - tall + edge, x + half - edge, y + tall - edge, BACK, round_ / 2)
        for k in (1, 2, 3):
            dy = tall - edge - k * (height - 2 * edge) / 4
            yield Line(
                ((x - half + 2 * edge, y + dy), (x + half - 2 * edge, y + dy)), height / 50, BACK_LINES
            )
    else:
        yield Label(face, x, y, 0.42 * height / max(1, len(face)) ** 0.5, color, 1 / 6)


def empty_place(x: float, y: float, height: float) -> Iterator[Shape]:
    """The outline of a card that is not there yet."""
    half, tall = height / CARD_RATIO / 2, height / 2
    corners = ((x - half, y - tall), (x + half, y - tall), (x + half, y + tall), (x - half, y + tall))
    yield Line((*corners, corners[0]), 0.01, SEAM)


def chips(x: float, y: float, radius: float, count: int) -> Iterator[Shape]:
    """A stack of chips on a place, with their number at its right."""
    for k in range(count):
        up = y - 0.28 * radius * k
        yield Disc(x, up, radius, CHIP_EDGE)
        yield Disc(x, up, 0.86 * radius, CHIP)
        yield Ring(x, up, 0.5 * radius, 0.12 * radius, CHIP_EDGE)
    yield Label(str(count), x + 2.4 * radius, y, 1.3 * radius, WHITE, 1 / 6)


def hand(x: float, y: float, size: float, shape: int) -> Iterator[Shape]:
    """A rock (1), a sheet of paper (2), scissors (3), or a question mark (0), as large as twice `size`."""
    if shape == 0:
        yield Label("?", x, y, size, WHITE, 1 / 6)
    elif shape == 1:
        yield Disc(x - 0.1 * size, y + 0.1 * size, 0.8 * size, INK)
        yield Disc(x - 0.1 * size, y + 0.1 * size, 0.76 * size, STONE)
        yield Disc(x + 0.35 * size, y + 0.2 * size, 0.6 * size, STONE)
        yield Disc(x - 0.25 * size, y - 0.2 * size, 0.28 * size, STEEL)
    elif shape == 2:
        yield Rectangle(x - 0.66 * size, y - 0.86 * size, x + 0.66 * size, y + 0.86 * size, INK)
        yield Rectangle(x - 0.63 * size, y - 0.83 * size, x + 0.63 * size, y + 0.83 * size, IVORY)
        for k in range(5):
            at = y + (k - 2) * 0.28 * size
            yield Line(((x - 0.46 * size, at), (x + 0.46 * size, at)), 0.05 * size, PAPER_LINES)
    else:
        for side in (-1, 1):
            tip, ring = (x + 0.42 * side * size, y - 0.9 * size), (x - 0.42 * side * size, y + 0.62 * size)
            yield Line((ring, tip), 0.14 * size, STEEL)
            yield Ring(*ring, 0.26 * size, 0.13 * size, HANDLE)
        yield Disc(x, y - 0.13 * size, 0.07 * size, INK)


def payoff_table(payoffs: Sequence[Sequence[float]], chosen: Sequence[int], choices: int) -> Iterator[Shape]:
    """A matrix of payoffs: rows are the first player's choices, columns the second's, matrices side by side the others'.

    Args:
        payoffs: [choices ** players, players], the last player's choice the fastest.
        chosen: what each player has chosen, from 1; 0 where it has not.
        choices: how many each player has.
    """
    players = len(chosen)
    pages = choices ** (players - 2)
    if choices > MOST_CELLS or pages > MOST_CELLS:
        yield Label(f"{players} players, {choices} choices", 0.5, 0.5, 0.05, WHITE)
        return
    across = math.ceil(math.sqrt(pages))
    down = math.ceil(pages / across)
    all_chosen = all(chosen)
    for page in range(pages):
        others = [page // choices ** (players - 3 - k) % choices for k in range(players - 2)]
        width, height = 0.94 / across, 0.94 / down
        left, top = 0.03 + width * (page % across), 0.03 + height * (page // across)
        head = 0.16 * min(width, height)
        side_x, side_y = (width - head - 0.02) / choices, (height - head - 0.02) / choices
        small = min(0.055, 0.5 * head)
        for number, other in enumerate(others, 2):
            yield from _choice(left + (2 * number - 3) * head / 2, top + head / 2, small, number, other)
        for i in range(choices):
            yield from _choice(left + head / 2, top + head + side_y * (i + 0.5), small, 0, i)
            yield from _choice(left + head + side_x * (i + 0.5), top + head / 2, small, 1, i)
        for row, column in itertools.product(range(choices), repeat=2):
            place = (row * choices + column) * pages + page
            x0, y0 = left + head + side_x * column, top + head + side_y * row
            picked = all_chosen and [row, column, *others] == [choice - 1 for choice in chosen]
            if picked:
                yield Rectangle(x0, y0, x0 + side_x, y0 + side_y, GOLD, 0.02)
            margin = 0.012 if picked else 0.004
            inner = (x0 + margin, y0 + margin, x0 + side_x - margin, y0 + side_y - margin)
            yield Rectangle(*inner, IVORY, 0.016)
            for player in range(players):
                y = y0 + side_y * (player + 1) / (players + 1)
                size = min(side_x / 5, side_y / (1.8 * players + 1), 0.06)
                yield Label(
                    f"{payoffs[place][player]:.2f}", x0 + side_x / 2, y, size, agent_rgb(player), 1 / 5
                )


def _choice(x: float, y: float, size: float, player: int, choice: int) -> Iterator[Shape]:
    """The number of a player's choice, in its color."""
    yield Disc(x, y, size, agent_rgb(player))
    yield Label(str(choice), x, y, size, WHITE, 1 / 5)


def middle(box: Box) -> Point:
    """The point in the middle of a place."""
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
