"""What sinks raise: told at the next call, since in the middle of a step its result would be lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Refusals:
    """Hands episodes to a sink, and remembers what it raises until that is told."""

    def __init__(self) -> None:
        self._errors: list[Exception] = []

    def takes(self, sink: Callable[[Any], object], given: Any, called: str) -> bool:
        """Whether a sink takes what it is given; `called` tells what that is."""
        try:
            sink(given)
        except Exception as error:
            error.add_note(
                f"the sink was given {called}; a recorder keeps what its sink refuses: `take` gives it"
            )
            self._errors.append(error)
            return False
        return True

    def tell(self) -> None:
        """Raise the first of what was raised since the last time.

        Raises:
            Exception: of any type.
        """
        errors, self._errors = self._errors, []
        if len(errors) > 1:
            errors[0].add_note(f"the sink has raised {len(errors)} times since this was last told")
        if errors:
            raise errors[0]
