"""The pictures of objects that a page needs, collected as they occur: SVG elements in the unit square, by theme."""

from __future__ import annotations

from typing import Any

from gridarium.draw.drawings import agent_rgb
from gridarium.draw.elements import hexadecimal
from gridarium.draw.elements import number as short
from gridarium.draw.svg import HELD, agent_symbol, held_symbol, label_symbol, symbol
from gridarium.draw.themes import THEMES, Theme
from gridarium.world import Color, GridObject, Orientation
from gridarium.world.objects import NOTHING


class Symbols:
    """A growing list of pictures; an object's number is its place in it and never changes."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[GridObject, bool], int] = {}
        self._drawn: list[dict[str, str]] = []

    def __len__(self) -> int:
        return len(self._drawn)

    def number(self, thing: GridObject, *, held: bool = False) -> int:
        """The number of an object's picture, as it stands in a cell or as it is held."""
        found = self._numbers.setdefault((thing, held), len(self._drawn))
        if found == len(self._drawn):
            draw = held_symbol if held else _in_cell
            pictures = {name: draw(thing, theme) for name, theme in THEMES.items()}
            self._drawn.append({"name": in_words(thing), **pictures})
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


def agent_pictures(number: int, *, numbered: bool) -> dict[str, Any]:
    """An agent that faces up, and its number for each quarter turn clockwise, upright; by theme."""
    turned = sorted(Orientation, key=lambda orientation: orientation.quarter_turns)
    pictures: dict[str, Any] = {
        name: {
            "body": agent_symbol(number, theme),
            "labels": [label_symbol(number, way, theme) if numbered else "" for way in turned],
        }
        for name, theme in THEMES.items()
    }
    return pictures | {"color": hexadecimal(agent_rgb(number))}


def palette(theme: Theme) -> dict[str, Any]:
    """What a page needs of a theme besides pictures."""
    return {
        "wall": hexadecimal(theme.mortar),
        "veil": hexadecimal(theme.darkness),
        "veiled": round(theme.veil / 255, 3),
        "floor": hexadecimal(theme.floor),
    }


def _in_cell(thing: GridObject, theme: Theme) -> str:
    if thing.content is NOTHING:
        return symbol(thing, theme)
    inset = short((1 - HELD) / 2)
    content = held_symbol(thing.content, theme)
    return (
        f'{symbol(thing, theme)}<g transform="translate({inset} {inset}) scale({short(HELD)})">{content}</g>'
    )
