"""Parses the agents of a state's text form: their lines, or the arrows on its map."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field
from typing import Any

from gridarium.world.geometry import ORIENTATION_NAMES
from gridarium.world.glyphs import AGENT, ARROWS
from gridarium.world.text_form.line import Place, SourcePositions, WrittenLine, misread
from gridarium.world.text_form.map import Map
from gridarium.world.text_form.plain_data import Path, shown
from gridarium.world.vocabulary import Vocabulary

CLAUSES = "at, facing, holds, on, gone, result, busy, action, pending, or a field as in energy=3"


@dataclass
class WrittenAgent:
    """An agent as described by its line.

    Attributes:
        symbol: its symbol on the map.
        place: line and column of that symbol.
        record: see `gridarium.world.text_form.record`; its position may be left to the map.
        below: the record of the object it stands on, if given.
    """

    symbol: str
    place: Place
    record: dict[str, Any] = field(default_factory=dict)
    below: dict[str, Any] | None = None

    def stand(self, y: int, x: int) -> None:
        """Set the position to the one on the map.

        Raises:
            ValueError: the agent's line gives another position.
        """
        said = self.record.setdefault("position", [y, x])
        if said != [y, x]:
            raise misread(*self.place, f"{self.symbol} is at {y} {x} on the map, not at {said[0]} {said[1]}")

    def stay_away(self) -> None:
        """Record that the agent is not on the map.

        Raises:
            ValueError: its position is not given elsewhere.
        """
        if "position" not in self.record:
            raise misread(*self.place, f"{self.symbol} is not on the map; say where it is, as in `at 1 2`")
        if self.below is not None:
            raise misread(*self.place, f"{self.symbol} is not on the map, so it cannot stand on anything")


def agents_on_map(picture: Map, objects: Container[str], headings: bool) -> list[WrittenAgent]:
    """Return an agent for every arrow on a map.

    Args:
        picture: the map.
        objects: symbols that represent objects.
        headings: whether headings matter; otherwise `@` is an agent as well, which faces FORWARD.

    Raises:
        ValueError: there are none.
    """
    symbols = ARROWS if headings else ARROWS + AGENT
    found = [
        WrittenAgent(
            symbol, place, {"position": [y, x], "orientation": _heading(symbol) or ORIENTATION_NAMES[0]}
        )
        for y, row in enumerate(picture.symbols)
        for x, (symbol, place) in enumerate(row)
        if symbol in symbols and symbol not in objects
    ]
    if not found:
        first = picture.symbols[0][0][1]
        raise misread(*first, f"no agent is on the map; put one of {' '.join(symbols)} on it")
    return found


def read_agent(
    line: WrittenLine, agent: WrittenAgent, path: Path, places: SourcePositions, vocabulary: Vocabulary
) -> None:
    """Parse the line of an agent, a list of clauses separated by commas."""
    line.clauses(lambda line: _clause(line, agent, path, places, vocabulary))
    heading = _heading(agent.symbol)
    facing = agent.record.setdefault("orientation", heading)
    if facing is None:
        ways = ", ".join(f"`facing {name}`" for name in ORIENTATION_NAMES)
        raise misread(*agent.place, f"say where {agent.symbol} faces: {ways}")
    if heading not in (None, facing):
        raise misread(*agent.place, f"{agent.symbol} faces {heading}, not {facing}")


def _heading(symbol: str) -> str | None:
    return ORIENTATION_NAMES[ARROWS.index(symbol)] if symbol in ARROWS else None


def _clause(
    line: WrittenLine, agent: WrittenAgent, path: Path, places: SourcePositions, vocabulary: Vocabulary
) -> None:
    start = line.place
    word = line.word(CLAUSES)
    if line.accept("="):
        places.note((*path, "fields", word), start)
        agent.record.setdefault("fields", {})[word] = line.value("a number")
        return
    places.note((*path, {"at": "position", "facing": "orientation"}.get(word, word)), line.place)
    match word:
        case "at":
            agent.record["position"] = [line.value("a row"), line.value("a column")]
        case "facing":
            agent.record["orientation"] = line.word("a heading")
        case "holds":
            agent.record["holds"] = line.thing(vocabulary)
        case "on":
            agent.below = line.thing(vocabulary)
        case "gone":
            agent.record["active"] = False
        case "result" | "busy":
            agent.record[word] = line.value("a whole number")
        case "action" | "pending":
            name = line.value("an action")
            agent.record[word] = f"Action({name})" if isinstance(name, int) else name
        case _:
            raise misread(*start, f"{shown(word)} says nothing about an agent; there are {CLAUSES}")
