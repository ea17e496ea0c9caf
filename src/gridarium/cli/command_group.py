"""Groups of commands: they load a command when it runs, refuse empty arguments, and report errors in a few lines."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Mapping
from typing import Any

import click
from click.shell_completion import CompletionItem

from gridarium.cli.shared.errors import summarize
from gridarium.compiled.garbage import not_collected


class CommandGroup(click.Group):
    """A group of commands that refuses empty text and reports exceptions of rules and policies in a few lines.

    A shell passes an empty text for a variable that is not set.
    """

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the arguments name.

        Raises:
            click.UsageError: there is no such command, or one of its arguments or options is empty.
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
            click.ClickException: instead of what a rule or policy has raised, unless `--traceback` was given, and
                instead of the reason why a planner cannot plan.
        """
        with warnings.catch_warnings():
            warnings.showwarning = _show  # type: ignore[assignment]
            try:
                return super().invoke(ctx)
            except (click.ClickException, click.exceptions.Exit, click.Abort):
                raise
            except Exception as error:
                if _explains_itself(error):
                    raise click.ClickException(str(error)) from error
                if ctx.find_root().params.get("traceback") or not getattr(error, "__notes__", None):
                    raise
                raise click.ClickException(summarize(error)) from error


class LazyGroup(CommandGroup):
    """A group that imports the module of a command only when that command is used.

    Listing its commands imports none of them, so each comes with its line of the list.

    Args:
        lazy_commands: for each command its place, `module:name`, and what it does.
        arguments, options: as for `click.Group`.
    """

    def __init__(self, *arguments: Any, lazy_commands: Mapping[str, tuple[str, str]], **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.lazy_commands = lazy_commands

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return sorted(self.lazy_commands)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command; None if there is none of this name."""
        if cmd_name not in self.lazy_commands:
            return None
        module, _, name = self.lazy_commands[cmd_name][0].partition(":")
        with not_collected():  # a tenth of an import's time: new modules have no garbage
            command: click.Command = getattr(importlib.import_module(module), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands for `--help`."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, self.lazy_commands[name][1]) for name in self.list_commands(ctx)])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands and options that begin with what was typed."""
        return [
            *(
                CompletionItem(name, help=self.lazy_commands[name][1])
                for name in self.list_commands(ctx)
                if name.startswith(incomplete)
            ),
            *click.Command.shell_complete(self, ctx, incomplete),
        ]


def _has_empty(given: Any) -> bool:
    """Return whether a string, or one of several, is empty."""
    if isinstance(given, list | tuple):
        return any(map(_has_empty, given))
    return isinstance(given, str) and not given.strip()


def _explains_itself(error: Exception) -> bool:
    """Return whether an error is the message of a planner or filter about a world that it cannot handle."""
    from gridarium.agents.model.state_store import PlanningError  # late, since `--help` needs neither
    from gridarium.rules.outcomes import NotEnumerable

    return isinstance(error, PlanningError | NotEnumerable)


def _show(message: Warning | str, *_: Any) -> None:
    click.echo(f"warning: {message}", err=True)
