"""Playing in a real terminal, by tmux."""

import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gridarium.view.play.controller import PlayController
from gridarium.view.play.keyboard import Keyboard
from gridarium.view.play.session import PlaySession
from gridarium.view.play.terminal import NoTerminal, play_in_terminal
from tests.view.test_play_session import KEYDOOR

needs_tmux = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")
PATIENCE = 60
PLAY = f"{sys.executable} -m gridarium play KeyDoor-9x9 --terminal --interpreted"


class Terminal:
    """A shell in tmux, of 80 x 24 characters, on a server of its own."""

    def __init__(self, folder):
        self.socket = str(folder / "tmux")
        self.tmux(
            "-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", "-c", str(folder), "-e", "PS1=ready> ", "-e", "HISTFILE=",
            "bash", "--norc", "--noprofile",
        )  # fmt: skip
        self.wait("ready>")

    def tmux(self, *arguments):
        return subprocess.run(
            ["tmux", "-S", self.socket, *arguments], capture_output=True, text=True, check=True
        ).stdout

    def screen(self):
        return self.tmux("capture-pane", "-p")

    def press(self, *keys):
        self.tmux("send-keys", *keys)

    def type(self, line):
        self.tmux("send-keys", "-l", line)
        self.press("Enter")

    def wait(self, *parts, gone=None):
        """Until the screen shows all parts and is at rest, since a capture may fall into the middle of drawing."""
        end, shown = time.monotonic() + PATIENCE, ""
        while time.monotonic() < end:
            before, shown = shown, self.screen()
            complete = all(part in shown for part in parts) and (gone is None or gone not in shown)
            if complete and shown == before:
                return shown
            time.sleep(0.05)
        raise AssertionError(f"{parts} did not come:\n{shown}")

    def wait_for_prompt(self):
        """Until the shell waits for a command."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if [line for line in self.screen().splitlines() if line][-1] == "ready>":
                return
            time.sleep(0.05)
        raise AssertionError(f"there is no prompt:\n{self.screen()}")

    def is_in_order(self):
        """Whether the terminal echoes and reads by lines again, in the normal screen with a cursor."""
        self.wait_for_prompt()
        self.type(
            "clear; stty -a | tr -s ' ;' '\\n' | grep -xE -- '-?(echo|icanon|onlcr)' | sort | tr '\\n' ' '; echo e''nd"
        )
        shown = self.wait(" end\n")
        assert "echo icanon onlcr end" in shown, shown
        assert self.tmux("display-message", "-p", "#{alternate_on} #{cursor_flag}").strip() == "0 1"

    def close(self):
        self.tmux("kill-server")


@pytest.fixture
def terminal(tmp_path_factory):
    made = Terminal(tmp_path_factory.mktemp("t"))
    yield made
    made.close()


@needs_tmux
def test_a_game_from_the_first_key_to_the_last(terminal):
    terminal.type(PLAY)
    first = terminal.wait("step 0", "esc leave")
    assert "<  facing left" in first and "return 0" in first
    terminal.press("Right")
    terminal.wait("step 1", "action turn right", "#^#", "^  facing up")
    terminal.press("Up")
    moved = terminal.wait("step 2", "action move forward")
    rows = [
        [i for i, line in enumerate(shown.splitlines()) if line[1:2] in "<^" and line[:1] == "#"]
        for shown in (first, moved)
    ]
    assert rows == [[4], [3]]
    terminal.press("BSpace")
    terminal.press("BSpace")
    again = terminal.wait("step 0")
    assert again.splitlines()[3:] == first.splitlines()[3:]
    terminal.press("n")
    terminal.wait("seed 1")
    terminal.press("Escape")
    terminal.wait("KeyDoor-9x9, seed 1: 0 steps, return 0", "ready>")
    terminal.is_in_order()


@needs_tmux
def test_a_move_is_pointed_at_or_typed(terminal):
    terminal.type(f"{sys.executable} -m gridarium play ConnectFour --terminal --interpreted")
    terminal.wait("Red's turn", "Drop: choose a column.", "DROP(0), DROP(1)")
    terminal.press("Up", "Left")
    terminal.wait("DROP(2)\n")
    terminal.press("Space")
    terminal.wait("Yellow's turn", "red return 0, drop(2)")
    terminal.tmux("send-keys", "-l", "DROP(4")
    terminal.wait(": DROP(4_")
    terminal.press("Enter", "Escape")
    terminal.wait("ConnectFour, seed 0: 2 steps")


@needs_tmux
def test_it_follows_the_size_of_the_terminal(terminal):
    terminal.type(PLAY)
    terminal.wait("step 0")
    terminal.tmux("resize-window", "-x", "40", "-y", "10")
    terminal.wait("The terminal has 40 x 10")
    terminal.press("Right")
    terminal.tmux("resize-window", "-x", "100", "-y", "30")
    terminal.wait("step 1", "esc leave")
    terminal.press("Escape")
    terminal.wait("1 steps, return")


@needs_tmux
@pytest.mark.parametrize("how", ["ctrl-c", "term", "exception"])
def test_the_terminal_is_in_order_afterwards(terminal, tmp_path, how):
    if how == "exception":
        (tmp_path / "clumsy.py").write_text(CLUMSY)
        terminal.type(f"{sys.executable} {tmp_path / 'clumsy.py'}")
    else:
        terminal.type(f"{PLAY} & echo $! > {tmp_path / 'pid'}; fg > /dev/null")
    terminal.wait("step 0")
    if how == "ctrl-c":
        terminal.press("C-c")
    elif how == "term":
        subprocess.run(["kill", Path(tmp_path / "pid").read_text().strip()], check=True)
    else:
        terminal.press("Left")
        terminal.wait("LookupError: the keyboard has burst")
    terminal.wait("ready>")
    terminal.is_in_order()


CLUMSY = """
from gridarium import World
from gridarium.view.play.controller import PlayController
from gridarium.view.play.session import PlaySession
from gridarium.view.play.terminal import play_in_terminal
from gridarium.view.play.keyboard import Keyboard

class Burst(Keyboard):
    def meaning(self, key):
        raise LookupError("the keyboard has burst")

world = World("KeyDoor-5x5", compiled=False)
play_in_terminal(PlayController(PlaySession(world), Burst(world)))
"""


@needs_tmux
def test_a_poor_terminal_has_no_colors_but_works(terminal):
    terminal.type(f"TERM=vt100 {PLAY}")
    terminal.wait("step 0", "esc leave")
    terminal.press("d")
    terminal.press("Escape")
    terminal.wait("0 steps")


@needs_tmux
@pytest.mark.parametrize("kind", ["dumb", "nonsense"])
def test_a_terminal_that_can_too_little_is_refused(terminal, kind):
    terminal.type(f"TERM={kind} {PLAY}")
    shown = terminal.wait("Error:", "ready>")
    assert kind in " ".join(shown.split())
    terminal.is_in_order()


def test_without_a_terminal_it_says_so():
    controller = PlayController(PlaySession(KEYDOOR), Keyboard(KEYDOOR))
    with pytest.raises(NoTerminal, match="have to be a terminal"):
        play_in_terminal(controller)


def test_without_curses_it_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "curses", None)
    controller = PlayController(PlaySession(KEYDOOR), Keyboard(KEYDOOR))
    with pytest.raises(NoTerminal, match="usual on Windows"):
        play_in_terminal(controller)
