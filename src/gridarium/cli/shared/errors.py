"""Errors of users' rules and policies: what, where, in which line; the whole traceback only on request."""

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


def summarized(error: BaseException) -> str:
    """An exception in a few lines: its text, its notes, and the line of the rule or policy.

    Exceptions without notes come from neither: for these the whole traceback is given.
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
def policy_noted(name: str, policy: Callable[..., Any]) -> Iterator[None]:
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
        error.add_note(f"policy {name}{line}")
        raise


class CommandGroup(click.Group):
    """A group of commands that refuses empty text and reports exceptions of rules and policies in a few lines.

    A shell gives an empty text for a variable that is not set.
    """

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is meant.

        Raises:
            click.UsageError: there is none, or one of its arguments or options is empty.
        """
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None and not isinstance(command, click.Group) and not ctx.resilient_parsing:
            inside = click.Context(command, info_name=name, parent=ctx)
            as_written = list(rest)  # texts, before they become paths and numbers
            given, _, _ = command.make_parser(inside).parse_args(as_written)
            for parameter in command.params:
                if _has_empty(given.get(parameter.name or "")):
                    raise click.BadParameter("it is empty", inside, parameter)
        return name, command, rest

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; warnings are shown in one line each.

        Raises:
            click.ClickException: in the place of what a rule or policy has raised, unless `--traceback` was given, and of why a
                planner cannot plan.
        """
        with warnings.catch_warnings():
            warnings.showwarning = _show  # type: ignore[assignment]
            try:
                return super().invoke(ctx)
            except Exception as error:
                if _explains_itself(error):
                    raise click.ClickException(str(error)) from error
                if ctx.find_root().params.get("traceback") or not getattr(error, "__notes__", None):
                    raise
                raise click.ClickException(summarized(error)) from error


def _has_empty(given: Any) -> bool:
    """Whether a text is empty, or one of several."""
    if isinstance(given, list | tuple):
        return any(map(_has_empty, given))
    return isinstance(given, str) and not given.strip()


def _explains_itself(error: Exception) -> bool:
    """Whether a planner or filter has said what it cannot do with a world."""
    from gridarium.agents.model.state_store import PlanningError
    from gridarium.rules.outcomes import NotEnumerable

    return isinstance(error, PlanningError | NotEnumerable)


def _show(message: Warning | str, *_: Any) -> None:
    click.echo(f"warning: {message}", err=True)
