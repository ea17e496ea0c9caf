"""Players that fail, each in a real process: no match hangs or breaks, and the result says what happened."""

import time
from pathlib import Path

import pytest

from gridarium.arena import (
    CannotPlay,
    FunctionPlayer,
    Limits,
    Match,
    PlayerStatus,
    ProcessPlayer,
    RandomPlayer,
    TimeControl,
    open_player,
)
from gridarium.arena.clock import Clock
from gridarium.games import GameError
from tests.arena.games import Auction, Nim
from tests.arena.processes import runs

READY = """printf '{"type":"ready","protocol":1}\\n'; read line; """
QUICKLY = 0.3
"""Seconds for a move in which a player does not answer in time."""
QUICK = Limits(start=5.0, grace=0.2)
TAKE_ONE = """printf '{"type":"action","action":"1"}\\n'; """

TWICE = """printf '{"type":"action","action":"1"}\\n{"type":"action","action":"1"}\\n'; """


def shell(script, limits=QUICK):
    return ProcessPlayer("bot", ["/bin/sh", "-c", "read line; " + script], limits=limits)


def against_random(bot, *, per_move=5.0):
    match = Match(Nim("30"), [bot, RandomPlayer("random")], seed=1, time_per_move=per_move, bank=0.0)
    started = time.perf_counter()
    result = match.run()
    bot.close()
    assert time.perf_counter() - started < 30
    assert result.seats[1].status == PlayerStatus.DONE
    return result


FAULTS = {
    "crashes at once": ("echo no such luck >&2; exit 3", "ERROR", "ended with exit status 3: no such luck"),
    "crashes in color": ("printf '\\033[31mred\\n' >&2; exit 3", "ERROR", "exit status 3: ?[31mred"),
    "crashes in a move": (READY + "exit 0", "ERROR", "ended with exit status 0"),
    "is killed": (READY + "kill -9 $$", "ERROR", "ended by SIGKILL"),
    "closes its output": (READY + "exec >&-; sleep 60", "ERROR", "closed its standard output"),
    "closes its input": (READY + "exec <&-; " + TAKE_ONE + "sleep 60", "ERROR", "closed its standard input"),
    "is silent": (READY + "sleep 60", "TIMEOUT", "did not answer in time"),
    "is busy for ever": (READY + "while :; do :; done", "TIMEOUT", "did not answer in time"),
    "ignores signals": (READY + "trap '' TERM INT HUP; sleep 60", "TIMEOUT", "did not answer in time"),
    "prints a word": ("echo hello; sleep 60", "INVALID", "b'hello', which is not a JSON object"),
    "prints bytes": (READY + "printf '\\377\\376{\\n'; sleep 60", "INVALID", "is not a JSON object"),
    "answers twice": (READY + TWICE + "sleep 60", "INVALID", "without being asked"),
    "prints without end": (READY + "yes | tr -d '\\n'", "INVALID", "more than 65536 bytes"),
    "prints lines without end": ("yes", "INVALID", "b'y', which is not"),
    "nests too deep": (READY + "yes '[' | head -n 9999 | tr -d '\\n'; echo", "INVALID", "not a JSON object"),
    "complains without end": (READY + "yes complaint >&2", "TIMEOUT", "did not answer in time"),
    "speaks another version": ("""printf '{"type":"ready","protocol":9}\\n'; read line""", "INVALID", "'protocol': 9"),
    "chooses what is illegal": (READY + """printf '{"type":"action","action":"7"}\\n'; read line""", "INVALID", "'7', which is not legal"),
    "chooses no text": (READY + """printf '{"type":"action","action":[1]}\\n'; read line""", "INVALID", "answered with"),
    "is not ready": ("sleep 60", "TIMEOUT", "was not ready for the game within 0.3 s"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_failing_program_loses(fault):
    script, status, reason = FAULTS[fault]
    bot = shell(script, Limits(start=0.3, grace=0.05) if fault == "is not ready" else QUICK)
    seat, other = against_random(bot, per_move=QUICKLY if status == "TIMEOUT" else 5.0).seats
    assert seat.status == status
    assert reason in seat.reason
    assert (seat.rank, other.rank) == (1, 0)
    assert len(seat.output) < 20_000


def test_a_program_without_file_fails():
    result = against_random(ProcessPlayer("bot", ["/nowhere/bot"], limits=QUICK))
    assert (result.seats[0].status, result.winners) == ("ERROR", [1])


def test_what_it_complains_is_kept_up_to_a_limit():
    result = against_random(
        shell(READY + "yes complaint >&2", Limits(output=100, grace=0.05)), per_move=QUICKLY
    )
    output = result.seats[0].output
    assert output.startswith("complaint\ncomplaint\n")
    assert output.endswith("bytes more]")
    assert len(output) < 150


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks into /proc")
def test_no_process_is_left_behind(tmp_path):
    told = tmp_path / "pids"
    against_random(shell(f"sleep 60 & echo $! $$ > {told}; {READY} sleep 60"), per_move=QUICKLY)
    deadline = time.monotonic() + 5
    while any(map(runs, told.read_text().split())):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def python_bot(folder, text, **limits):
    file = folder / "bot.py"
    file.write_text(text)
    return ProcessPlayer.of_python_file("bot", file, limits=Limits(grace=0.2, **limits))


def test_a_python_file_that_eats_memory_fails(tmp_path):
    bot = python_bot(tmp_path, "def act(legal_actions):\n    return len(bytearray(1 << 30))\n", memory=700)
    seat = against_random(bot).seats[0]
    assert (seat.status, seat.rank) == ("ERROR", 1)
    assert "MemoryError" in seat.reason
    assert "bot.py" in seat.output


def test_a_program_that_eats_processor_time_is_killed():
    bot = shell(READY + "while :; do :; done", Limits(cpu=1, grace=0.05))
    seat = against_random(bot, per_move=30.0).seats[0]
    assert (seat.status, seat.reason) == ("ERROR", "its process was ended by SIGKILL")


def test_classes_of_python_files_learn_the_result(tmp_path):
    bot = python_bot(
        tmp_path,
        "class Agent:\n"
        "    def begin(self):\n        self.moves = 0\n"
        "    def __call__(self, legal_actions):\n        self.moves += 1\n        return legal_actions[0]\n"
        "    def end(self, result):\n"
        "        with open('result', 'a') as file:\n"
        "            print(self.moves, result.ranks, result.observation['stones'].tolist(), file=file)\n",
    )
    results = [Match(Nim("9"), [bot, RandomPlayer("r")], seed=s, time_per_move=5.0).run() for s in (1, 2)]
    bot.close()
    assert (tmp_path / "result").read_text().splitlines() == [
        f"{sum(move.seat == 0 for move in r.moves)} {[seat.rank for seat in r.seats]} [0]" for r in results
    ]


def test_python_files_have_any_names_and_neighbours(tmp_path):
    """A class hands in what it likes."""
    (tmp_path / "random.py").write_text("raise RuntimeError('imported by somebody else')\n")
    (tmp_path / "helper.py").write_text("CHOICE = 0\n")
    file = tmp_path / "1st try.py"
    file.write_text(
        "import random, dataclasses, helper\n"
        "@dataclasses.dataclass\nclass Agent:\n    n: int = helper.CHOICE\n"
        "    def __call__(self, legal_actions):\n        return legal_actions[self.n + 0 * random.randrange(2)]\n"
    )
    seat = against_random(open_player(str(file))).seats[0]
    assert (seat.name, seat.status) == ("1st try", "DONE"), seat.reason


def test_a_python_file_may_print_and_is_not_given_secrets(tmp_path, monkeypatch):
    monkeypatch.setenv("ARENA_SECRET", "swordfish")
    bot = python_bot(
        tmp_path,
        "import os, sys\n"
        "def act(legal_actions, observation, seat):\n"
        "    print(os.environ.get('ARENA_SECRET'), observation['stones'].shape, seat, sys.stdin.read())\n"
        "    return legal_actions[-1]\n",
    )
    result = against_random(bot)
    assert result.seats[0].status == "DONE"
    assert result.seats[0].output.startswith("None (1,) 0 \n")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("def act(position): pass\n", "asks for position"),
        ("x = 1\n", "bot.py has no act and no Agent"),
        ("x = 1\ndef act(:\n", "SyntaxError: invalid syntax (bot.py, line 2)"),
        ("def act():\n    return 1\\\n    / 0\n", "ZeroDivisionError: division by zero (bot.py, line 2)"),
        ("class Agent:\n    def act(self): pass\n", "a class with the method __call__, which Agent is not"),
        ("def act(seat): return 5\n", "'5', which is not legal"),
    ],
)
def test_python_files_that_are_no_agents_fail(tmp_path, text, reason):
    assert reason in against_random(python_bot(tmp_path, text)).seats[0].reason


def raising(legal_actions):
    raise KeyError("lost")


def leaving(legal_actions):
    raise SystemExit


def slow(legal_actions):
    time.sleep(1.2 * QUICKLY)
    return legal_actions[0]


def stubborn(legal_actions):
    return "7"


@pytest.mark.parametrize(
    ("agent", "status", "reason"),
    [
        (raising, "ERROR", "raised KeyError: 'lost'"),
        (leaving, "ERROR", "raised SystemExit"),
        (slow, "TIMEOUT", "has no time left"),
        (stubborn, "INVALID", "'7', which is not legal"),
        (lambda seat: 3, "INVALID", "chose 3, which is not the text of an action"),
        (lambda view: "1", "ERROR", "asks for view, and this game is not a world"),
    ],
)
def test_functions_fail_too(agent, status, reason):
    seat = against_random(FunctionPlayer("agent", agent), per_move=QUICKLY).seats[0]
    assert seat.status == status
    assert reason in seat.reason


def test_the_game_goes_on_while_two_players_are_left():
    bots = [shell(READY + "exit 1"), RandomPlayer("a"), RandomPlayer("b")]
    result = Match(Nim("30"), bots, seed=1, time_per_move=1.0).run()
    assert [seat.status for seat in result.seats] == ["ERROR", "DONE", "DONE"]
    assert result.seats[0].rank == 2
    forced = [move for move in result.moves if move.seat == 0]
    assert len(forced) > 1
    assert all(move.forced and move.action == "1" for move in forced)
    assert sorted(seat.rank for seat in result.seats[1:]) in ([0, 0], [0, 1])


def test_who_fails_later_ranks_higher():
    later = shell(READY + TAKE_ONE + "read line; exit 1")
    result = Match(Nim("30"), [shell("exit 1"), later, RandomPlayer("r")], seed=1, time_per_move=1.0).run()
    assert [seat.rank for seat in result.seats] == [2, 1, 0]
    assert result.winners == [2]


def test_all_may_fail():
    result = Match(Auction(), [shell("exit 1"), shell("exit 1")], time_per_move=1.0).run()
    assert [seat.rank for seat in result.seats] == [0, 0]
    assert result.winners == []
    assert result.moves == ()


def test_a_program_that_has_failed_begins_the_next_game_anew():
    once = shell(READY + TAKE_ONE + "exit 0")
    for _ in range(2):
        result = Match(Nim("30"), [once, RandomPlayer("r")], time_per_move=1.0).run()
        assert [move.action for move in result.moves if move.seat == 0] == ["1"]
        assert result.seats[0].status == "ERROR"


def test_time_beyond_that_of_a_move_comes_from_the_bank():
    clock = Clock(TimeControl(per_move=2.0, bank=5.0))
    assert clock.time_left == 7.0
    assert [clock.spend(seconds) for seconds in (1.0, 6.0, 3.0)] == [True, True, True]
    assert (clock.used, clock.bank, clock.time_left) == (10.0, 0.0, 2.0)
    assert not clock.spend(2.1)
    assert clock.bank == 0.0
    unlimited = Clock(TimeControl(per_move=None))
    assert unlimited.time_left is None
    assert unlimited.spend(1e6)


def test_who_uses_up_the_bank_loses():
    def pensive(legal_actions):
        time.sleep(0.12)
        return legal_actions[0]

    players = [FunctionPlayer("pensive", pensive), RandomPlayer("r")]
    result = Match(Nim("30"), players, time_per_move=0.05, bank=0.2).run()
    assert (result.seats[0].status, result.seats[0].bank) == ("TIMEOUT", 0.0)
    assert len([move for move in result.moves if move.seat == 0]) <= 2


@pytest.mark.parametrize("method", ["valid_actions", "state_to_observation"])
def test_what_the_game_raises_is_no_fault_of_a_player_that_asks_it(method):
    class Raising(Nim):
        pass

    def raising(self, state, player):
        return {}["nowhere"] if player else getattr(Nim, method)(self, state, player)

    setattr(Raising, method, raising)
    asking = FunctionPlayer("asking", lambda legal_actions, observation: legal_actions[0])
    with pytest.raises(
        GameError, match=r"Raising\.raising \(test_faults.py:\d+\) raised KeyError: 'nowhere'"
    ):
        Match(Raising(), [RandomPlayer("r"), asking]).run()


def test_players_are_described_by_texts(tmp_path):
    with pytest.raises(ValueError, match="'nobody' is no player; one is a built-in player"):
        open_player("nobody")
    with pytest.raises(ValueError, match=r"there is no file nobody\.py"):
        open_player("nobody.py")
    (tmp_path / "bot").write_text("#!/bin/sh\nexit\n")
    for text, problem in [
        (f"{tmp_path}/bot --level 3", f"{tmp_path}/bot is not executable: chmod \\+x {tmp_path}/bot"),
        (f"{tmp_path}/missing", f"there is no file or folder {tmp_path}/missing"),
        (f"{tmp_path}/", f"{tmp_path}/ is a folder: name a file in it"),
    ]:
        with pytest.raises(ValueError, match=problem):
            open_player(text)
    with pytest.raises(TypeError, match="asks for position"):
        FunctionPlayer("x", lambda position: "")
    with pytest.raises(
        ValueError, match="mcts:width=3: the settings are simulations, seconds, .* and not width"
    ):
        open_player("mcts:width=3")
    with pytest.raises(ValueError, match="random:x=1: the settings are none, and not x"):
        open_player("random:x=1")
    with pytest.raises(ValueError, match="is no player: No closing quotation"):
        open_player('./bot "')
    with pytest.raises(CannotPlay, match="plays worlds, and Nim is a game in plain Python"):
        Match(Nim(), [open_player("minimax:depth=2"), RandomPlayer("r")]).run()
