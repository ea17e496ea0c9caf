"""Descriptions of a ghost world in words, for language models."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Phrases:
    """The phrases of a language."""

    header: str
    cell: str
    colors: tuple[str, str, str]
    items: dict[str, str]
    nothing: str
    text: str
    signs: dict[str, str] = field(default_factory=dict)


GERMAN = Phrases(
    header="Das Gitter hat {rows} Zeilen und {cols} Spalten; jede Zelle wird als (Zeile, Spalte) angegeben, ab (0, 0) links oben.",
    cell="Zelle ({row}, {col}): Farbe {color}; Gegenstände: {items}{text}.",
    colors=("weiß", "rot", "grün"),
    items={
        "dog": "Bild von einem Hund",
        "flower": "eine Blume",
        "two_flowers": "zwei Blumen",
        "one_note": "eine Note (klassische Musik und Klaviermusik)",
        "two_notes": "zwei Noten (Rockmusik)",
    },
    nothing="keine",
    text='; Beschriftung: "{text}"',
)
ENGLISH = Phrases(
    header="The grid has {rows} rows and {cols} columns; each cell is given as (row, column), from (0, 0) at the upper left.",
    cell="Cell ({row}, {col}): color {color}; items: {items}{text}.",
    colors=("white", "red", "green"),
    items={
        "dog": "a picture of a dog",
        "flower": "a flower",
        "two_flowers": "two flowers",
        "one_note": "one note (classical music and piano music)",
        "two_notes": "two notes (rock music)",
    },
    nothing="none",
    text='; written there: "{text}"',
    signs={"Ziel": "Goal", "Stopp": "Stop"},
)
LANGUAGES = {"de": GERMAN, "en": ENGLISH}


def sign(text: str, language: str) -> str:
    """The text of a cell in "en" or "de"; built-in layouts have German texts."""
    return LANGUAGES[language].signs.get(text, text)


def describe(grid: Any, language: str) -> str:
    """A line about the grid and one for each cell, row by row.

    Args:
        grid: object[rows, cols] of cells.
        language: "de" or "en".

    Raises:
        ValueError: an unknown language.
    """
    if language not in LANGUAGES:
        raise ValueError(f"language is one of {', '.join(LANGUAGES)}, got {language!r}")
    phrases = LANGUAGES[language]
    rows, cols = grid.shape
    lines = [phrases.header.format(rows=rows, cols=cols)]
    for row in range(rows):
        for col in range(cols):
            cell = grid[row, col]
            items = ", ".join(phrases.items.get(item, item) for item in cell["items"]) or phrases.nothing
            text = phrases.text.format(text=cell["text"]) if cell["text"] else ""
            lines.append(phrases.cell.format(
                row=row, col=col, color=phrases.colors[cell["colour"]], items=items, text=text
            ))  # fmt: skip
    return "\n".join(lines)
