"""Tokens of one line of a state's text form: words, numbers, quoted words and `Kind(STATUS, COLOR)`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from gridarium.world.text_form.plain_data import Path, shown
from gridarium.world.vocabulary import Vocabulary

Place = tuple[int, int]
"""Line and column, both counted from 1."""

_TOKEN = re.compile(
    r'\s*(?:(?P<quoted>"(?:[^"\\]|\\.)*")|(?P<sign>[(),=])|(?P<word>[^\s(),="]+)|(?P<wrong>"))'
)
_PLAIN = re.compile(r'[^\s(),="]+')


class WrittenLine:
    """A line as tokens, read from left to right. Errors give line and column.

    Args:
        text: the whole line.
        number: its number, counted from 1.
        start: the index of the first character to read.
    """

    def __init__(self, text: str, number: int, start: int = 0) -> None:
        self.number = number
        self._at = 0
        self._tokens: list[tuple[str, str, int]] = []
        for match in _TOKEN.finditer(text, start):
            kind = match.lastgroup or ""
            column = match.start(kind) + 1
            if kind == "wrong":
                raise misread(number, column, "a quotation mark that is never closed")
            self._tokens.append((kind, match.group(kind), column))
        self._tokens.append(("end", "", len(text) + 1))

    @property
    def place(self) -> Place:
        """Line and column of the next token."""
        return self.number, self._tokens[self._at][2]

    @property
    def done(self) -> bool:
        """Whether nothing is left."""
        return self._tokens[self._at][0] == "end"

    def fail(self, reason: str) -> ValueError:
        """An error at the next token."""
        return misread(*self.place, reason)

    def accept(self, sign: str) -> bool:
        """Consume a sign or word if it is the next token."""
        kind, text, _ = self._tokens[self._at]
        found = kind in ("sign", "word") and text == sign
        self._at += found
        return found

    def word(self, what: str) -> str:
        """Read the next word or quoted word."""
        kind, text, _ = self._tokens[self._at]
        if kind not in ("word", "quoted"):
            raise self.fail(f"{what} is needed here, not {shown(text) if text else 'the end of the line'}")
        if kind == "quoted":
            try:
                text = str(json.loads(text))
            except ValueError:
                raise self.fail(f"{text} cannot be read; within quotation marks JSON's rules hold") from None
        self._at += 1
        return text

    def value(self, what: str) -> Any:
        """Read the next word, converted to a number or bool where possible, or a list of such as in `(1, (2, 3))`."""
        if self.accept("("):
            items = [self.value(what)]
            while self.accept(","):
                items.append(self.value(what))
            if not self.accept(")"):
                raise self.fail("a comma or a closing bracket is needed here")
            return items
        text = self.word(what)
        if text in ("true", "false"):
            return text == "true"
        for read in (int, float):
            if text.lstrip("+-")[:1].isdigit() and not text.startswith("0x"):
                try:
                    return read(text)
                except ValueError:
                    continue
        return text

    def thing(self, vocabulary: Vocabulary) -> dict[str, Any]:
        """Read the next object, as in `Door(LOCKED, YELLOW)`, as a record (see `plain_data.object_record`)."""
        kinds = {kind.__name__: kind for kind in vocabulary.kinds.values()}
        before = self._at
        name = self.word("an object")
        if name not in kinds:
            self._at = before
            raise self.fail(f"{shown(name)} is not among this world's objects: {', '.join(kinds)}")
        takes = kinds[name].parameters()
        record: dict[str, Any] = {"kind": name}
        if not self.accept("("):
            return record
        for key in takes:
            record[key] = self.thing(vocabulary) if key == "content" else self.word(f"a {key}")
            if not self.accept(","):
                break
        if not self.accept(")"):
            only = f"only {', '.join(takes)}" if takes else "nothing in brackets"
            raise self.fail(f"a closing bracket is needed here; {name} takes {only}")
        return record

    def clauses(self, read: Callable[[WrittenLine], None]) -> None:
        """Iterate over the parts separated by commas."""
        while not self.done:
            read(self)
            if self.accept(","):
                continue
            self.finish("a comma is needed here")

    def finish(self, otherwise: str = "nothing more is expected here") -> None:
        """Raise an error unless the whole line has been read."""
        if not self.done:
            raise self.fail(otherwise)


class SourcePositions:
    """The position in the source text of each entry of a record."""

    def __init__(self) -> None:
        self._known: dict[Path, Place] = {}

    def note(self, path: Path, place: Place) -> None:
        """Store the position of an entry that may occur only once.

        Raises:
            ValueError: the entry occurred before.
        """
        if path in self._known:
            raise misread(
                *place, f"{path[-1]} is said a second time; the first was in line {self._known[path][0]}"
            )
        self._known[path] = place

    def find(self, path: Path) -> Place:
        """The position of an entry, or of the nearest enclosing one."""
        around = (path[:length] for length in range(len(path), 0, -1))
        return next((self._known[outer] for outer in around if outer in self._known), (1, 1))


def misread(line: int, column: int, reason: str) -> ValueError:
    """Create an error for a position in a text."""
    return ValueError(f"line {line}, column {column}: {reason}")


def written(word: str) -> str:
    """Format a word, quoted where it would not be read as a single word."""
    return word if _PLAIN.fullmatch(word) else json.dumps(word)


def written_thing(record: dict[str, Any]) -> str:
    """Format an object's record as `Kind(STATUS, COLOR)`."""
    inner = [written(record[key]) for key in ("status", "color") if key in record]
    if "content" in record:
        inner.append(written_thing(record["content"]))
    return written(record["kind"]) + (f"({', '.join(inner)})" if inner else "")


def written_value(value: Any) -> str:
    """Format a number, a bool or lists of such as `WrittenLine.value` reads it."""
    if isinstance(value, list):
        return f"({', '.join(map(written_value, value))})"
    return str(value).lower() if isinstance(value, bool) else str(value)
