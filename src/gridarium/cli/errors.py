"""Errors of users' rules and policies as people want to read them: what, where, in which line; the frames only on request."""

from __future__ import annotations

import contextlib
import inspect
import linecache
import re
import traceback
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import click


def told(error: BaseException) -> str:
    """An exception in a few lines: its text, the notes that have been added, and the line of the rule or policy.

    Exceptions without notes come from neither: of these the frames are shown.
    """
    notes: list[str] = list(getattr(error, "__notes__", ()))
    if not notes:
        return "".join(traceback.format_exception(error)).rstrip()
    lines = [f"{type(error).__name__}: {error}", *notes]
    for note in notes:
        place = re.search(r", ([^,]+):(\d+)$", note) if note.startswith(("rule ", "policy ")) else None
        if place is not None:
            lines.append(f"    {linecache.getline(place[1], int(place[2])).strip()}")
    return "\n".join(lines)


@contextlib.contextmanager
def blamed(what: str, policy: Callable[..., Any]) -> Iterator[None]:
    """Note that a policy was playing when an exception came, and the line in its file where there is one."""
    try:
        yield
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        try:
            home = inspect.getsourcefile(inspect.unwrap(policy))
        except TypeError:
            home = None
        line = next((f", {f.filename}:{f.lineno}" for f in reversed(frames) if f.filename == home), "")
        error.add_note(f"policy {what}{line}")
        raise


class Tidy(click.Group):
    """A group of commands that tells exceptions of rules and policies in a few lines, and warnings in one."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command.

        Raises:
            click.ClickException: in the place of what a rule or policy has raised, unless `--traceback` was given, and of why a
                planner cannot plan.
        """
        with warnings.catch_warnings():
            warnings.showwarning = _show  # type: ignore[assignment]
            try:
                return super().invoke(ctx)
            except Exception as error:
                if _is_told(error):
                    raise click.ClickException(str(error)) from error
                if ctx.params.get("traceback") or not getattr(error, "__notes__", None):
                    raise
                raise click.ClickException(told(error)) from error


def _is_told(error: Exception) -> bool:
    """Whether a planner or filter has said what it cannot do with a world."""
    from gridarium.agents.problems import CannotPlan
    from gridarium.rules.chance import NotEnumerable

    return isinstance(error, CannotPlan | NotEnumerable)


def _show(message: Warning | str, *_: Any) -> None:
    click.echo(f"warning: {message}", err=True)
