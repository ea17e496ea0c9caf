"""Programs as players, over standard input and output; see docs/arena-protocol.md."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.arena.players import python_host
from gridarium.arena.players.agent_process import AgentProcess, Limits
from gridarium.arena.players.player import GameEnd, GameStart, MatchPlayer, PlayerFault, PlayerStatus, Turn
from gridarium.arena.players.python_host import PROTOCOL

LONGEST_ACTION = 1000
"""In characters."""
TO_SAY_GOODBYE = 1.0
"""The seconds that a program has to read the end of a game."""


class ProcessPlayer(MatchPlayer):
    """A program that plays over its standard input and output.

    It is started at the beginning of the first game and again after a fault, and plays all further games. One that does not begin a
    further game, for instance since it ends with each, is started again, which is no fault.

    Args:
        name: shown in results.
        command: the program and its arguments.
        folder: where it runs; by default the current folder.
        limits: of memory, processor time and messages.
    """

    in_parallel = True

    def __init__(
        self, name: str, command: Sequence[str], folder: Path | None = None, limits: Limits | None = None
    ) -> None:
        super().__init__(name)
        self.command, self.folder, self.limits = tuple(command), folder or Path.cwd(), limits or Limits()
        self._process: AgentProcess | None = None
        self._plays_once = False
        self._output = ""

    @classmethod
    def of_python_file(
        cls, name: str, file: Path, agent: str = "", limits: Limits | None = None
    ) -> ProcessPlayer:
        """The agent of a Python file, in a process of its own.

        Args:
            name: shown in results.
            file: the file.
            agent: the function or class; by default `act` or `Agent`.
            limits: of memory, processor time and messages.
        """
        host = str(Path(python_host.__file__).resolve())
        command = [sys.executable, host, str(file.resolve()), *([agent] if agent else [])]
        return cls(name, command, file.resolve().parent, limits)

    def begin(self, start: GameStart) -> None:
        """See `MatchPlayer.begin`."""
        if self._process is not None and not self._plays_once:
            self._process.forget_output()
            try:
                self._begin(start)
            except PlayerFault:
                self._plays_once = True
            else:
                return
        self._kill()
        self._process = AgentProcess(self.command, self.folder, self.limits)
        self._begin(start)

    def act(self, turn: Turn) -> str:
        """See `MatchPlayer.act`; a program that fails is killed."""
        deadline = None if turn.time_left is None else time.perf_counter() + turn.time_left
        message = {
            "type": "act",
            "ply": turn.ply,
            "time_left": turn.time_left,
            "legal_actions": turn.legal_actions,
            "observation": _plain(turn.observation),
        }
        try:
            answer = self._ask(message, deadline)
            action = answer.get("action")
            if answer.get("type") != "action" or not isinstance(action, str) or len(action) > LONGEST_ACTION:
                raise PlayerFault(
                    PlayerStatus.INVALID,
                    f'it answered with {_shown(answer)} instead of {{"type": "action", "action": "..."}}',
                )
        except PlayerFault:
            self._kill()
            raise
        return action

    def end(self, end: GameEnd) -> None:
        """See `MatchPlayer.end`."""
        if self._process is None:
            return
        message = {
            "type": "end",
            "returns": list(end.returns),
            "ranks": list(end.ranks),
            "statuses": [str(status) for status in end.statuses],
            "reasons": list(end.reasons),
            "observation": _plain(end.observation),
        }
        try:
            self._process.send(message, time.perf_counter() + TO_SAY_GOODBYE)
        except PlayerFault:
            self._kill()  # it is started again for the next game

    def close(self) -> None:
        """See `MatchPlayer.close`."""
        if self._process is not None:
            self._process.close()
            self._output, self._process = self._process.output, None

    @property
    def output(self) -> str:
        """See `MatchPlayer.output`; of the last process, in its last game."""
        return self._output if self._process is None else self._process.output

    def _begin(self, start: GameStart) -> None:
        """Tell the process of a game; one that does not answer well is killed."""
        deadline = time.perf_counter() + self.limits.start
        message = {
            "type": "begin",
            "protocol": PROTOCOL,
            "game": start.name,
            "config": start.config,
            "players": start.players,
            "seat": start.seat,
            "seed": start.seed,
            "time_per_move": start.time_per_move,
            "bank": start.bank,
            "observation": {name: list(shape) for name, shape in start.game.observation_shape.items()},
        }
        try:
            answer = self._ask(message, deadline)
            if answer.get("type") != "ready" or answer.get("protocol") != PROTOCOL:
                raise PlayerFault(
                    PlayerStatus.INVALID,
                    f'it answered the beginning with {_shown(answer)} instead of {{"type": "ready", "protocol": {PROTOCOL}}}',
                )
        except PlayerFault as fault:
            self._kill()
            if fault.status == PlayerStatus.TIMEOUT:
                raise PlayerFault(
                    PlayerStatus.TIMEOUT, f"it was not ready for the game within {self.limits.start:g} s"
                ) from None
            raise

    def _ask(self, message: Mapping[str, Any], deadline: float | None) -> dict[str, Any]:
        assert self._process is not None
        self._process.expect_silence()
        self._process.send(message, deadline)
        return self._process.receive(deadline)

    def _kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._output, self._process = self._process.output, None


def _plain(arrays: Mapping[str, npt.NDArray[Any]]) -> dict[str, Any]:
    return {name: _finite(np.asarray(array)).tolist() for name, array in arrays.items()}


def _finite(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """An array with None in the place of numbers that JSON does not have."""
    if array.dtype.kind != "f" or np.isfinite(array).all():
        return array
    found = array.astype(object)
    found[~np.isfinite(array)] = None
    return found


def _shown(answer: Mapping[str, Any]) -> str:
    text = repr(answer)
    return text if len(text) <= 120 else f"{text[:117]}..."
