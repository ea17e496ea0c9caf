"""Parses the text form of a state (see `state_text`) into a record, with the position of each entry."""

from __future__ import annotations

from typing import Any

from gridarium.world.objects import GridObject
from gridarium.world.text_form.agents import WrittenAgent, agents_on_map, read_agent
from gridarium.world.text_form.line import Place, SourcePositions, WrittenLine, misread, written_thing
from gridarium.world.text_form.map import NumberedRow, read_map
from gridarium.world.text_form.plain_data import FIELD_GROUPS, Path, read_vocabulary, shown
from gridarium.world.text_form.record import CLOCK
from gridarium.world.vocabulary import Vocabulary, everything

SECTIONS = ("map", "legend", "agents", "things", "world", "vocabulary")
GROUP_NAMES = ("world field", "agent field", "cell field", "thing field")

THING_CLAUSES = "at, carried by, or a field as in weight=3"


class Reader:
    """A parser for one text.

    Attributes:
        places: the positions of the record's entries in the text.
    """

    def __init__(self, text: str) -> None:
        self.places = SourcePositions()
        self._sections: dict[str, list[NumberedRow]] = {}
        self._split(text)

    def vocabulary(self) -> Vocabulary:
        """The vocabulary that the text describes; all kinds and colors if it describes none."""
        if "vocabulary" not in self._sections:
            return everything()
        record: dict[str, Any] = {}
        for line in self._lines("vocabulary"):
            self._vocabulary_line(line, record)
        return read_vocabulary(record, ("vocabulary",))

    def record(self, vocabulary: Vocabulary) -> dict[str, Any]:
        """The text as a record (see `gridarium.world.text_form.record`)."""
        picture = read_map(self._sections["map"], vocabulary.edges)
        legend = self._legend(vocabulary)
        if "agents" in self._sections:
            agents = self._agents(vocabulary, legend)
        else:
            agents = agents_on_map(picture, {*legend, *_glyphs(vocabulary)}, vocabulary.headings)
        record: dict[str, Any] = {"objects": list(legend.values()), "world": {"fields": {}}}
        record["cells"] = self._cells(picture.symbols, record["objects"], vocabulary, list(legend), agents)
        record["agents"] = [agent.record for agent in agents]
        if vocabulary.edges:
            record["walls"] = picture.walls
        for line in self._lines("world"):
            line.clauses(lambda line: self._world_clause(line, record))
        if "things" in self._sections:
            record["things"] = []
            for line in self._lines("things"):
                self._thing(line, record["things"], vocabulary)
        named = {name.rpartition(" ")[2]: name for name in self._sections if name.startswith("cell field")}
        record["cell_fields"] = {name: self._matrix(section) for name, section in named.items()}
        return record

    def _split(self, text: str) -> None:
        """Group the lines into sections, each under its heading: an unindented line with nothing else on it."""
        current: list[NumberedRow] | None = None
        for number, row in enumerate(text.splitlines(), 1):
            heading = " ".join(row.split())
            if heading and not row[0].isspace() and (path := _path_of(heading)):
                self.places.note(path, (number, 1))
                current = self._sections[heading] = []
            elif current is not None:
                current.append((number, row.rstrip()))
            elif heading:
                self.places.note(_path_of("map"), (number, 1))
                current = self._sections["map"] = [(number, row.rstrip())]
        if not any(row for _, row in self._sections.get("map", [])):
            raise misread(1, 1, "there is no map; write rows of symbols such as #, ., >")

    def _lines(self, section: str) -> list[WrittenLine]:
        return [WrittenLine(row, number) for number, row in self._sections.get(section, []) if row]

    def _entries(self, section: str) -> list[tuple[str, Place, WrittenLine]]:
        """The symbols at the beginning of a section's lines, and the remainder of these lines."""
        entries = []
        for number, row in self._sections.get(section, []):
            symbol, at = row.lstrip()[:1], len(row) - len(row.lstrip())
            if row[at + 1 : at + 2].strip():
                raise misread(number, at + 2, f"a space is needed after the symbol {symbol}")
            if row:
                entries.append((symbol, (number, at + 1), WrittenLine(row, number, at + 1)))
        return entries

    def _legend(self, vocabulary: Vocabulary) -> dict[str, dict[str, Any]]:
        legend: dict[str, dict[str, Any]] = {}
        for symbol, place, line in self._entries("legend"):
            self.places.note(("legend", symbol), place)
            self.places.note(("objects", len(legend)), line.place)
            legend[symbol] = line.thing(vocabulary)
            line.finish()
        return legend

    def _agents(self, vocabulary: Vocabulary, legend: dict[str, Any]) -> list[WrittenAgent]:
        agents: list[WrittenAgent] = []
        for symbol, place, line in self._entries("agents"):
            self.places.note(("legend", symbol), place)
            self.places.note(("agents", len(agents)), place)
            agents.append(WrittenAgent(symbol, place))
            read_agent(line, agents[-1], ("agents", len(agents) - 1), self.places, vocabulary)
        return agents

    def _thing(self, line: WrittenLine, things: list[dict[str, Any]], vocabulary: Vocabulary) -> None:
        """Parse the line of a thing: its number, its object, and clauses separated by commas."""
        path: Path = ("things", len(things))
        self.places.note(path, line.place)
        record: dict[str, Any] = {"number": line.value("a thing's number"), "object": line.thing(vocabulary)}
        things.append(record)

        def clause(line: WrittenLine) -> None:
            start, word = line.place, line.word(THING_CLAUSES)
            if line.accept("="):
                self.places.note((*path, "fields", word), start)
                record.setdefault("fields", {})[word] = line.value("a number")
            elif word == "at":
                record["position"] = [line.value("a row"), line.value("a column")]
            elif word == "carried" and line.accept("by"):
                record["carrier"] = line.value("an agent's number")
            else:
                raise misread(*start, f"{shown(word)} says nothing about a thing; there are {THING_CLAUSES}")

        if line.accept(","):
            line.clauses(clause)
        line.finish("a comma is needed here")

    def _cells(
        self,
        symbols: list[list[tuple[str, Place]]],
        things: list[dict[str, Any]],
        vocabulary: Vocabulary,
        legend: list[str],
        agents: list[WrittenAgent],
    ) -> list[list[int]]:
        """The object indices of the cells; objects that are missing from the legend are added to `things`."""
        numbers = {symbol: i for i, symbol in enumerate(legend)}
        glyphs, missing = _glyphs(vocabulary), {agent.symbol: agent for agent in agents}
        cells: list[list[int]] = [[] for _ in symbols]
        for y, row in enumerate(symbols):
            for x, (symbol, place) in enumerate(row):
                if (agent := missing.pop(symbol, None)) is not None:
                    agent.stand(y, x)
                    self._add(things, agent.below or {"kind": "Floor"}, place)
                    cells[y].append(len(things) - 1)
                    continue
                if symbol not in numbers:
                    if symbol in [agent.symbol for agent in agents]:
                        raise misread(*place, f"the agent {symbol} is on the map already")
                    if symbol not in glyphs:
                        raise misread(*place, _unclear(symbol, [*glyphs, *numbers, *missing], vocabulary))
                    self._add(things, glyphs[symbol], place)
                    numbers[symbol] = len(things) - 1
                cells[y].append(numbers[symbol])
        for agent in missing.values():
            agent.stay_away()
        return cells

    def _add(self, things: list[dict[str, Any]], thing: dict[str, Any], place: Place) -> None:
        self.places.note(("objects", len(things)), place)
        things.append(thing)

    def _matrix(self, section: str) -> list[list[Any]]:
        path = _path_of(section)
        matrix: list[list[Any]] = []
        for line in self._lines(section):
            numbers: list[Any] = []
            self.places.note((*path, len(matrix)), line.place)
            while not line.done:
                self.places.note((*path, len(matrix), len(numbers)), line.place)
                numbers.append(line.value("a number"))
            matrix.append(numbers)
        return matrix

    def _world_clause(self, line: WrittenLine, record: dict[str, Any]) -> None:
        start = line.place
        word = line.word("a name such as tick")
        if line.accept("="):
            self.places.note(("world", "fields", word), start)
            record["world"]["fields"][word] = line.value("a number")
        elif word in (*CLOCK, "focus"):
            self.places.note(("focus",) if word == "focus" else ("world", word), line.place)
            (record if word == "focus" else record["world"])[word] = line.value("a number")
        else:
            allowed = f"{', '.join(CLOCK)}, focus, or a field as in heat=3"
            raise misread(*start, f"{shown(word)} says nothing about the world; there are {allowed}")

    def _vocabulary_line(self, line: WrittenLine, record: dict[str, Any]) -> None:
        start = line.place
        word = line.word("kinds, colors, edges or a field")
        if word in ("kinds", "colors"):
            self.places.note(("vocabulary", word), start)
            names: list[str] = record.setdefault(word, [])
            while not names or line.accept(","):
                self.places.note(("vocabulary", word, len(names)), line.place)
                names.append(line.word("a name"))
        elif word == "edges":
            record["edges"] = True
        elif word == "bodiless":
            record["bodiless"] = line.value("a bit mask of agents")
        elif word == "action":
            self.places.note(("vocabulary", "actions", len(record.setdefault("actions", []))), start)
            over: dict[str, Any] = {}
            action = {"name": line.word("a name"), "over": over}
            if line.accept("takes"):
                action["duration"] = line.value("a number of ticks, or an argument")
            record["actions"].append(action)
            if "duration" in action and line.done:
                return
            if not line.accept("over"):
                raise line.fail("over and the ranges of arguments are needed here")
            while not over or line.accept(","):
                name = line.word("the name of an argument")
                over[name] = line.value("a range")
        elif word == "things":
            record["things"] = {"capacity": line.value("a number"), "kinds": []}
            if line.accept("carried"):
                record["things"]["carried"] = line.value("a number")
            while line.accept(","):
                record["things"]["kinds"].append(line.word("a kind"))
        elif f"{word} field" in GROUP_NAMES and line.accept("field"):
            group = FIELD_GROUPS[GROUP_NAMES.index(f"{word} field")]
            fields = record.setdefault(group, [])
            self.places.note(("vocabulary", group, len(fields)), line.place)
            fields.append({"name": line.word("a name"), "type": line.word("bool, int or float")})
            while not line.done:
                if line.accept("="):
                    fields[-1]["default"] = line.value("a number")
                    break
                fields[-1].setdefault("shape", []).append(line.value("a length"))
        else:
            allowed = f"kinds, colors, edges, bodiless, things, action, {', '.join(GROUP_NAMES)}"
            raise misread(*start, f"{shown(word)} says nothing about a vocabulary; there are {allowed}")
        line.finish()


def _path_of(heading: str) -> Path:
    """The path in the record for a section's lines; None if the text is not a heading."""
    words = heading.split()
    if words[:2] == ["cell", "field"] and len(words) == 3:
        return ("cell_fields", words[2])
    if heading not in SECTIONS:
        return ()
    return ({"map": "cells", "legend": "objects"}.get(heading, heading),)


def _glyphs(vocabulary: Vocabulary) -> dict[str, dict[str, Any]]:
    """Objects that a map can show without a legend: those that need at most a color, the first of each glyph."""
    found: dict[str, dict[str, Any]] = {}
    for kind in vocabulary.kinds.values():
        for glyph, thing in kind.objects_on_maps().items():
            status = {} if kind.Status is None else {"status": thing.status.name}
            found.setdefault(glyph, {"kind": kind.__name__, **status})
    return {glyph: record for glyph, record in found.items() if not glyph.isspace()}


def _unclear(symbol: str, known: list[str], vocabulary: Vocabulary) -> str:
    """Why a symbol is undefined or ambiguous, with a suggestion: a map shows neither status nor content."""
    kinds = [kind for kind in vocabulary.kinds.values() if kind.glyph == symbol]
    if not kinds:
        return f"{symbol} is undefined; defined symbols: {', '.join(known)}"
    lines = " or ".join(f"{symbol}  {written_thing(_first(kind))}" for kind in kinds)
    return f"{symbol} is ambiguous; define it under `legend`, such as {lines}"


def _first(kind: type[GridObject]) -> dict[str, Any]:
    """The record of an object of a kind, with its first status, without color, with Floor as its content."""
    first = {
        "status": getattr(kind.statuses()[0], "name", None),
        "color": "NONE",
        "content": {"kind": "Floor"},
    }
    return {"kind": kind.__name__, **{key: first[key] for key in kind.parameters()}}
