"""Players by the texts that stand for them."""

from __future__ import annotations

import inspect
import os
import shlex
import shutil
from pathlib import Path
from typing import Any

from gridarium.agents.named_policies import POLICIES
from gridarium.arena.importing import import_named
from gridarium.arena.players.agent_process import Limits
from gridarium.arena.players.function_player import FunctionPlayer
from gridarium.arena.players.named_players import BUILTIN
from gridarium.arena.players.onnx_player import ONNXPlayer
from gridarium.arena.players.player import MatchPlayer
from gridarium.arena.players.policy_player import PolicyPlayer
from gridarium.arena.players.process_player import ProcessPlayer
from gridarium.arena.players.sb3_player import SB3Player
from gridarium.worlds.parameters import parse_parameters

FROM_FILES: dict[str, type[ONNXPlayer | SB3Player]] = {"onnx": ONNXPlayer, "sb3": SB3Player}
"""The kinds of networks from files, by what stands before the file."""
FORMS = "a built-in player ({names}), onnx:FILE, sb3:FILE, module:name, a Python file (bot.py or bot.py:name), or a program with its arguments; tournaments also take folders of files and programs"


def player_names() -> list[str]:
    """The names of built-in players."""
    return [*BUILTIN, *(name for name in POLICIES if name not in BUILTIN)]


def player_name(text: str) -> str:
    """The name of a player for which none is given: that of its file, or the text that stands for it."""
    head, _, rest = text.partition(":")
    if head in FROM_FILES:
        return Path(rest.partition(",")[0]).stem
    if head.endswith(".py"):
        return Path(head).stem
    command = _command(text)
    return Path(command[0]).stem if command and text not in player_names() and _program(command[0]) else text


def open_player(text: str, *, name: str = "", limits: Limits | None = None) -> MatchPlayer:
    """The player that a text stands for; this can import modules and start programs.

    Args:
        text: one of

            - a built-in player, `random`, `greedy`, `mcts`, `minimax`, `expectimax`, `exact`, `cfr`, with settings as in
              `mcts:simulations=400` or `minimax:depth=3`; in worlds without legal rules also the other policies of
              `gridarium run -p`, such as `chase`;
            - a network from a file: `onnx:model.onnx` (see `ONNXPlayer`), `sb3:model.zip,sample=true` (see `SB3Player`);
            - `module:name`: a function or class, which is called in this process (see `FunctionPlayer`);
            - a Python file, run in a process of its own: `bot.py`, or `bot.py:name` for one of its functions;
            - any program with its arguments, which speaks the arena's protocol: `./bot --level 3`.

        name: shown in results; by default the text, or the name of the file.
        limits: of processes.

    Raises:
        ValueError: it is none of these, or has a setting that the player does not have.
        ImportError, AttributeError: a library for the file is not installed, or the module cannot be imported, or does not have the name.
    """
    name = name or player_name(text)
    head, _, rest = text.partition(":")
    if head in BUILTIN:
        return BUILTIN[head](name, **_settings(BUILTIN[head], text))
    if head in FROM_FILES:
        path, _, settings = rest.partition(",")
        kind = FROM_FILES[head]
        if not Path(path).is_file():
            raise ValueError(f"there is no file {path}")
        return kind(name, Path(path), **_settings(kind, f"{head}:{settings}"))
    if text in POLICIES:
        return PolicyPlayer(name, POLICIES[text])
    if head.endswith(".py"):
        file = Path(head)
        if not file.is_file():
            raise ValueError(f"there is no file {head}")
        return ProcessPlayer.of_python_file(name, file, rest, limits)
    command = _command(text)
    if command and (program := _program(command[0])):
        return ProcessPlayer(name, [program, *command[1:]], limits=limits)
    if command and (Path(command[0]).exists() or "/" in command[0]):
        raise ValueError(_no_program(command[0]))
    if rest:
        return FunctionPlayer(name, import_named(text))
    raise ValueError(f"{text!r} is no player; one is {FORMS.format(names=', '.join(player_names()))}")


def players_in(folder: Path) -> dict[str, str]:
    """The players in a folder, by name: its Python files and programs, as texts for `open_player`.

    Raises:
        ValueError: two files have the same name except for its ending.
    """
    found: dict[str, str] = {}
    for file in filter(_is_player, _shown_in(folder)):
        if file.stem in found:
            raise ValueError(f"two players in {folder} are called {file.stem}; rename one of the files")
        found[file.stem] = str(file) if file.suffix == ".py" else shlex.quote(str(file))
    return found


def left_out_of(folder: Path) -> list[str]:
    """What a folder has besides its players, each with the reason why it is none; without hidden files and those that begin with `_`."""
    return [
        f"{file.name} ({'a folder' if file.is_dir() else _how_to_run(file)})"
        for file in _shown_in(folder)
        if not _is_player(file)
    ]


def _shown_in(folder: Path) -> list[Path]:
    return sorted(file for file in folder.iterdir() if not file.name.startswith((".", "_")))


def _is_player(file: Path) -> bool:
    return file.is_file() and (file.suffix == ".py" or os.access(file, os.X_OK))


def _how_to_run(file: Path) -> str:
    return f"not executable: chmod +x {shlex.quote(str(file))}"


def _no_program(word: str) -> str:
    """Why a path stands for no program."""
    file = Path(word)
    if file.is_dir():
        return f"{word} is a folder: name a file in it"
    return f"{word} is {_how_to_run(file)}" if file.exists() else f"there is no file or folder {word}"


def _settings(kind: type[MatchPlayer], text: str) -> dict[str, Any]:
    """The settings in the text of a built-in player."""
    settings = parse_parameters(part for part in text.partition(":")[2].split(",") if part)
    parameters = inspect.signature(kind).parameters.values()
    known = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY]
    for name in settings:
        if name not in known:
            raise ValueError(f"{text}: the settings are {', '.join(known) or 'none'}, and not {name}")
    return settings


def _command(text: str) -> list[str]:
    """A program and its arguments."""
    try:
        return shlex.split(text)
    except ValueError as error:
        raise ValueError(f"{text!r} is no player: {error}") from None


def _program(word: str) -> str | None:
    place = Path(word)
    if place.is_file() and os.access(place, os.X_OK):
        return str(place.resolve())
    return shutil.which(word) if "/" not in word else None
