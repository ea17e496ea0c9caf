"""Long commands say how far they are, to whoever looks."""

import io

import rich.console

from gridarium.cli.progress import progress


def shown(monkeypatch, terminal):
    """What is written while two things are done."""
    written = io.StringIO()
    console = rich.console.Console(file=written, force_terminal=terminal, width=80)
    monkeypatch.setattr(rich.console, "Console", lambda stderr: console)
    with progress() as bar:
        assert list(bar.track(range(2), description="walking")) == [0, 1]
    return written.getvalue()


def test_a_bar_is_shown_on_a_terminal(monkeypatch):
    told = shown(monkeypatch, terminal=True)
    assert "walking" in told and "2/2" in told


def test_nothing_is_written_where_nobody_looks(monkeypatch):
    assert shown(monkeypatch, terminal=False) == ""
