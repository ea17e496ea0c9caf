"""Problems in a description, each with its place; all are reported at once."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

Path = tuple[str | int, ...]
"""A path in a description: keys and list indices from the top."""


@dataclass(frozen=True)
class Problem:
    """One problem in a description.

    Attributes:
        path: its path from the top of the description.
        message: the problem, and what is allowed.
        line: the line in the file or text, counted from 1, or 0 if there is none.
    """

    path: Path
    message: str
    line: int = 0

    def text(self, source: str = "") -> str:
        """`file:line: path: message`, as far as known."""
        line = f":{self.line}" if source else f"line {self.line}"
        location = source + (line if self.line else "")
        return ": ".join(part for part in (location, format_path(self.path), self.message) if part)


class DescriptionError(ValueError):
    """A world's description is invalid. The message lists every problem with file, line and path.

    Attributes:
        problems: all problems.
        source: the file that the description came from, or an empty string.
    """

    def __init__(self, problems: Iterable[Problem], source: str = "") -> None:
        self.problems, self.source = tuple(problems), source
        super().__init__("\n".join(p.text(source) for p in self.problems))

    def __reduce__(self) -> tuple[type[DescriptionError], tuple[tuple[Problem, ...], str]]:
        return DescriptionError, (self.problems, self.source)


class EntryProblem(Exception):
    """A problem that aborts the reading of one part; the reader of the whole description collects these.

    Attributes:
        problem: the problem.
        once: whether problems with the same message are merged into one.
    """

    def __init__(self, path: Path, message: str, *, once: bool = False) -> None:
        self.problem, self.once = Problem(path, message), once
        super().__init__(message)


class Collector:
    """Collects the problems of several parts: `with problems: ...` suppresses an `EntryProblem` and records it."""

    def __init__(self) -> None:
        self.found: list[Problem] = []
        self._again: Counter[str] = Counter()

    def __enter__(self) -> Collector:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if not isinstance(error, EntryProblem):
            return False
        if error.once and any(error.problem.message == known.message for known in self.found):
            self._again[error.problem.message] += 1
        else:
            self.found.append(error.problem)
        return True

    def add(self, path: Path, message: str) -> None:
        """Record a problem without raising it."""
        self.found.append(Problem(path, message))

    def raise_if_any(self) -> None:
        """Raise a `DescriptionError` if any problem was recorded."""
        if self.found:
            raise DescriptionError(map(self._with_mentions, self.found))

    def _with_mentions(self, problem: Problem) -> Problem:
        again = self._again[problem.message]
        return (
            replace(problem, message=f"{problem.message} (mentioned {again + 1} times)") if again else problem
        )


def format_path(path: Path) -> str:
    """Format a path: `rewards[1].name`."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def closest_names(name: object, allowed: Iterable[str], *, most: int = 3) -> list[str]:
    """The names that are closest to an unknown one, ignoring case."""
    names = {n.lower(): n for n in allowed}
    asked = str(name).lower()
    near = difflib.get_close_matches(asked, names, most)
    near += [n for n in names if n.startswith(asked[:6]) and n not in near]
    return [names[n] for n in near[:most]]


def suggest(name: object, allowed: Iterable[str], *, limit: int = 30) -> str:
    """`did you mean 'x'? known: x, y, z`: a suggestion for an unknown name."""
    listed = list(allowed)
    near = difflib.get_close_matches(str(name), listed, 1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    more = f", and {len(listed) - limit} more" if len(listed) > limit else ""
    return f"{hint}known: {', '.join(listed[:limit]) or 'none'}{more}"


def format_value(value: Any) -> str:
    """Format a value for a message."""
    text = repr(list(value)) if isinstance(value, tuple) else repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
