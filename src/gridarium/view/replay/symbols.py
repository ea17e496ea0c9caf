"""The pictures of objects that a page needs, collected as they occur: SVG elements in the unit square, by theme."""

from __future__ import annotations

from functools import partial
from typing import Any

from gridarium.draw.boards import FLOOR
from gridarium.draw.drawings import agent_rgb
from gridarium.draw.shapes import Drawing
from gridarium.draw.svg.document import (
    agent_symbol,
    held_symbol,
    label_symbol,
    sign_symbol,
    stripe_opacity,
    symbol,
    within,
)
from gridarium.draw.svg.elements import hexadecimal
from gridarium.draw.themes import THEMES, Theme
from gridarium.world import Color, GridObject, Orientation
from gridarium.world.objects import NOTHING


class SymbolTable:
    """A growing list of pictures; an object's number is its place in it and never changes."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[GridObject, bool, GridObject | None, Drawing], int] = {}
        self._drawn: list[dict[str, str]] = []

    def __len__(self) -> int:
        return len(self._drawn)

    def number(
        self,
        thing: GridObject,
        *,
        held: bool = False,
        wall: GridObject | None = None,
        ground: Drawing = FLOOR,
        name: str = "",
    ) -> int:
        """The number of an object's picture, as it stands in a cell, as it is held, or as a sign on a wall.

        It has the object's name unless another one is given.
        """
        found = self._numbers.setdefault((thing, held, wall, ground), len(self._drawn))
        if found == len(self._drawn):
            name = name or (in_words(thing) if wall is None else f"Sign: {in_words(thing)}")
            in_cell = partial(_in_cell, ground=ground)
            draw = held_symbol if held else in_cell if wall is None else partial(sign_symbol, wall=wall)
            self._drawn.append(
                {"name": name} | {key: draw(thing, theme=look) for key, look in THEMES.items()}
            )
        return found

    def since(self, first: int) -> list[dict[str, str]]:
        """The pictures from a number on: {"name": words, "light": SVG elements, "dark": SVG elements}."""
        return self._drawn[first:]


def in_words(thing: GridObject) -> str:
    """An object for people: 'Door, locked, yellow'."""
    details = [thing.status.name] if thing.Status is not None else []
    details += [thing.color.name] if thing.colored and thing.color != Color.NONE else []
    words = [type(thing).__name__, *(detail.lower().replace("_", " ") for detail in details)]
    return ", ".join(words) + ("" if thing.content is NOTHING else f" with {in_words(thing.content)}")


def agent_pictures(number: int, *, numbered: bool, figure: Drawing | None = None) -> dict[str, Any]:
    """An agent that faces up, or is a figure that faces nowhere, and its number for each quarter turn clockwise, upright; by theme."""
    turned = sorted(Orientation, key=lambda orientation: orientation.quarter_turns)
    pictures: dict[str, Any] = {
        name: {
            "body": agent_symbol(number, theme, figure=figure),
            "labels": [
                label_symbol(number, way if figure is None else None, theme) if numbered else ""
                for way in turned
            ],
        }
        for name, theme in THEMES.items()
    }
    return pictures | {"color": hexadecimal(agent_rgb(number))}


def palette(theme: Theme) -> dict[str, Any]:
    """Return the parts of a theme that a page needs in addition to pictures."""
    return {
        "wall": hexadecimal(theme.mortar),
        "veil": hexadecimal(theme.darkness),
        "veiled": round(theme.veil / 255, 3),
        "striped": round(stripe_opacity(theme), 3),
        "floor": hexadecimal(theme.floor),
    }


def _in_cell(thing: GridObject, theme: Theme, ground: Drawing) -> str:
    drawn = symbol(thing, theme, ground)
    return drawn if thing.content is NOTHING else drawn + within(held_symbol(thing.content, theme))
