"""Reading tasks in English and German without a language model: coordinates, and the contents of cells."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from gridarium.ghost.env import CustomGridEnv
from gridarium.ghost.world.descriptions import LANGUAGES, sign
from gridarium.ghost.world.paths import Place

COORDINATES = re.compile(r"[(\[]\s*(\d+)\s*[,;]\s*(\d+)\s*[)\]]")
BREAKS = re.compile(
    r"[,;.\n]|\bthen\b|\bafterwards\b|\bdann\b|\bdanach\b|\banschließend\b|\bfinally\b|\bzuletzt\b"
)
WORDS = re.compile(r"[^\W\d_]+")
MEANINGS: dict[str, tuple[str, ...]] = {
    "dog": ("dog", "dogs", "hund", "hunde", "hundebild"),
    "two_flowers": ("flowers", "blumen"),
    "flower": ("flower", "blume"),
    "one_note": ("piano", "classical", "klavier", "klaviermusik", "klassische", "klassik"),
    "two_notes": ("rock", "rockmusik"),
    "red": ("red", "rot", "rote", "roten"),
    "green": ("green", "grün", "grüne", "grünen"),
    "goal": ("goal", "goals"),
    "start": ("start", "startpunkt"),
}
"""The words for properties of a cell."""
JOINING = {"and", "und", "to", "zu", "the", "back", "zurück"}
"""Words that do not name a place by themselves."""
COLORS = ("white", "red", "green")


@dataclass
class TaskReading:
    """The result of reading a task.

    Attributes:
        places: (row, column) of the cells, in the order of the task.
        notes: parts that were not understood, or that fit several cells.
    """

    places: list[Place] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def read_task(task: str, env: CustomGridEnv) -> TaskReading:
    """The cells that a task names.

    Parts of a task are separated by commas, semicolons, full stops, "then", "dann". Each names a cell by its coordinates
    or its contents: "the dog with rock music, then the piano, (3, 4), Ziel". Of several cells that fit, the one nearest to
    the agent is taken, the first one of equals.

    Args:
        task: the text.
        env: the environment.
    """
    found = TaskReading()
    facts = {divmod(i, env.cols): _facts(cell) for i, cell in enumerate(env.grid.flat)}
    here = env.agent_pos
    for part in _parts(task):
        if (pair := COORDINATES.search(part)) is not None:
            place = int(pair[1]), int(pair[2])
            if env.paths.contains(place):
                found.places.append(place)
            else:
                found.notes.append(f"{place} is outside the grid of {env.rows} x {env.cols} cells")
            continue
        said = _words(part)
        texts = {text for known in facts.values() for text in known if text.startswith('"')}
        wanted = {fact for fact, words in MEANINGS.items() if said & set(words)}
        wanted |= {text for text in texts if text.strip('"') in said}
        if '"start"' in wanted:
            wanted.discard("start")
        fitting = [place for place, known in facts.items() if wanted <= known]
        if not wanted:
            found.notes.append(f"nothing known in {part!r}")
        elif not fitting:
            found.notes.append(f"no cell fits {part!r}")
        else:
            nearest = min(fitting, key=lambda place: _far(env, here, place))
            found.places.append(nearest)
            if len(fitting) > 1:
                found.notes.append(f"{part!r} fits {len(fitting)} cells; the nearest is {nearest}")
    return found


def cell_words(cell: dict[str, Any], language: str = "de") -> str:
    """The contents of a cell in a few English words; its text in a language, see `sign`."""
    things = [item.replace("_", " ") for item in cell["items"]]
    text = [f'"{sign(cell["text"], language)}"'] if cell["text"] else []
    return ", ".join([COLORS[cell["colour"]], *things, *text])


def _parts(task: str) -> list[str]:
    """The parts of a task; a pair of coordinates is a part."""
    kept = COORDINATES.sub(lambda pair: f";({pair[1]}|{pair[2]});", task)
    parts = (re.sub(r"\((\d+)\|(\d+)\)", r"(\1, \2)", part).strip() for part in BREAKS.split(kept))
    return [part for part in parts if COORDINATES.search(part) or _words(part) - JOINING]


def _words(part: str) -> set[str]:
    return {word.casefold() for word in WORDS.findall(part)}


def _facts(cell: dict[str, Any]) -> set[str]:
    """The properties of a cell: items, color, goal, start, and its text in quotes."""
    facts = {*cell["items"], COLORS[cell["colour"]]}
    facts |= {name for name in ("goal", "start") if cell[f"is_{name}"]}
    if cell["text"]:
        facts |= {f'"{sign(cell["text"], language).casefold()}"' for language in LANGUAGES}
    return facts


def _far(env: CustomGridEnv, here: Any, place: Place) -> float:
    distance = env.paths.distance(here, place)
    return float("inf") if distance < 0 else distance
