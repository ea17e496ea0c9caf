"""Where a server answers: options, sockets, and what is said about it."""

from __future__ import annotations

import contextlib
import socket
import threading
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import click

WITHOUT_WEB = "the browser viewer needs some libraries: pip install 'gridarium[web]'"

F = TypeVar("F", bound=Callable[..., Any])


def address_options(command: F) -> F:
    """Give a command the options that `address` takes: `port`, `host`, `hosts`; and `opens`, for `Address.serve`."""
    for option in (
        click.option("--open", "opens", is_flag=True, help="Open the page in the browser."),
        click.option("--allow-host", "hosts", multiple=True, metavar="NAME", help="A further name of this machine."),
        click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0 lets other machines in."),
        click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="0: any free one."),
    ):  # fmt: skip
        command = option(command)
    return command


@contextlib.contextmanager
def web_libraries() -> Iterator[None]:
    """Import what needs the optional libraries of the web.

    Raises:
        click.ClickException: one is missing.
    """
    try:
        yield
    except ImportError as error:
        raise click.ClickException(f"{WITHOUT_WEB} ({error.name} is missing)") from None


@dataclass(frozen=True)
class Address:
    """Where a server answers.

    Attributes:
        on: a socket that listens.
        host: as it was asked for.
        names: the names under which it may be addressed.
        elsewhere: whether other machines reach it.
        url: of its first page, for a browser on this machine.
    """

    on: socket.socket
    host: str
    names: frozenset[str]
    elsewhere: bool
    url: str

    @property
    def port(self) -> int:
        """The port on which it listens."""
        return int(self.on.getsockname()[1])

    def serve(self, app: Any, *, largest: int, opens: str | None = None) -> None:
        """Serve an application until Ctrl-C; messages of pages have at most `largest` bytes; opens a page in the browser."""
        from gridarium.view.web import serving

        if opens is not None:
            threading.Thread(target=webbrowser.open, args=[opens], daemon=True).start()
        serving.serve(app, self.on, largest=largest)


def address(host: str, port: int, further: Sequence[str] = ()) -> Address:
    """Listen.

    Args:
        host: a name or address of this machine; "0.0.0.0" for all that it has.
        port: 0 for any that is free.
        further: names of this machine under which it may be addressed.

    Raises:
        click.ClickException: this is not possible.
    """
    with web_libraries():
        from gridarium.view.web.origin_guard import LOCAL
        from gridarium.view.web.serving import listening

    try:
        on = listening(host, port)
    except OSError as error:
        if isinstance(error, socket.gaierror):
            raise click.ClickException(f"{host} is not a name or address: {error.strerror}") from error
        hint = "; choose another one with --port, or 0 for any" if port else ""
        raise click.ClickException(f"{host}, port {port}: {error.strerror}{hint}") from error
    elsewhere = host not in LOCAL
    names = {*LOCAL, *further, *([host, socket.gethostname().lower()] if elsewhere else [])}
    return Address(on, host, frozenset(names), elsewhere, f"http://{_shown(host)}:{on.getsockname()[1]}/")


def _shown(host: str) -> str:
    """Return the host under which a browser on this machine reaches the server."""
    if host in ("0.0.0.0", "::", ""):
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host
