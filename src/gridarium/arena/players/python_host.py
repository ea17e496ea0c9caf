"""Runs the agent of a Python file as a player: `python python_host.py FILE [NAME]` speaks the arena's protocol.

It is run by its path, and needs only numpy; see docs/arena-protocol.md. What the agent prints goes to standard error.
"""

from __future__ import annotations

import importlib.util
import inspect
import json
import os
import sys
import traceback
import types
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

PROTOCOL = 1
"""The version of the messages."""
KNOWN = ("observation", "legal_actions", "seat", "players", "time_left", "rng", "game", "config")
"""The parameters that an agent may have."""
MODULE = "player_file"
"""The name of the agent's module, since files may have any names."""
NAMES = ("act", "Agent")
"""The function or class of a file that is its agent, unless another one is named."""


def bind_parameters(
    agent: Callable[..., Any], known: Collection[str]
) -> Callable[[Callable[[str], Any]], Any]:
    """An agent as a function of a getter of values by name; it is given those that are its parameters.

    Raises:
        TypeError: it is not callable, or has a parameter without default that is not known.
    """
    name = getattr(agent, "__name__", type(agent).__name__)
    if not callable(agent):
        raise TypeError(f"an agent is a function, or a class with the method __call__, which {name} is not")
    parameters = inspect.signature(agent).parameters.values()
    wanted = [p.name for p in parameters if p.default is p.empty]
    unknown = [p for p in wanted if p not in known]
    if unknown or any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in parameters):
        asked = f" asks for {', '.join(unknown)};" if unknown else ""
        raise TypeError(f"agent {name}:{asked} its parameters are some of {', '.join(known)}")
    return lambda value_of: agent(**{p: value_of(p) for p in wanted})


def make_agent(found: Any) -> Any:
    """An agent that can be called: an object of a class, or the function itself."""
    return found() if isinstance(found, type) else found


def _load(path: str, name: str) -> Any:
    place = Path(path).resolve()
    sys.path[0:1] = []  # the folder of this file
    sys.path.append(str(place.parent))  # last, since files of others in it may have the names of modules
    spec = importlib.util.spec_from_file_location(MODULE, place)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[MODULE] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for candidate in [name] if name else NAMES:
        if hasattr(module, candidate):
            return make_agent(getattr(module, candidate))
    raise AttributeError(f"{place.name} has no {name or ' and no '.join(NAMES)}")


def _observation(start: Mapping[str, Any], message: Mapping[str, Any]) -> dict[str, np.ndarray[Any, Any]]:
    """The arrays of a message."""
    shapes = start["observation"]
    return {name: _array(value, shapes[name]) for name, value in message["observation"].items()}


def _array(value: Any, shape: Sequence[int]) -> np.ndarray[Any, Any]:
    """An array of a message, with NaN for null."""
    array = np.array(value).reshape(shape)
    return array.astype(float) if array.dtype == object else array


def _values(start: Mapping[str, Any], rng: np.random.Generator, message: Mapping[str, Any]) -> dict[str, Any]:
    given = {
        "observation": _observation(start, message),
        "legal_actions": message["legal_actions"],
        "rng": rng,
    }
    told = {key: start[key] for key in ("seat", "players", "game", "config")}
    return given | told | {"time_left": message["time_left"]}


def main(path: str, name: str = "") -> None:
    """Answer the messages of standard input on standard output until it ends."""
    incoming, outgoing = os.fdopen(os.dup(0), "r"), os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # the agent reads nothing,
    os.dup2(2, 1)  # and prints to standard error
    sys.stdout = sys.stderr
    agent = _load(path, name)
    decide = bind_parameters(agent, KNOWN)
    start: dict[str, Any] = {}
    rng = np.random.default_rng(0)
    while line := incoming.readline():
        message = json.loads(line)
        answer: dict[str, Any] = {}
        if message["type"] == "begin":
            start, rng = message, np.random.default_rng(message["seed"])
            if hasattr(agent, "begin"):
                agent.begin()
            answer = {"type": "ready", "protocol": PROTOCOL}
        elif message["type"] == "act":
            action = decide(_values(start, rng, message).__getitem__)
            answer = {"type": "action", "action": action if isinstance(action, str) else repr(action)}
        elif message["type"] == "end" and hasattr(agent, "end"):
            agent.end(types.SimpleNamespace(**message | {"observation": _observation(start, message)}))
        if answer:
            print(json.dumps(answer), file=outgoing, flush=True)


def _explained(error: BaseException, path: str) -> str:
    """The traceback of an error, with the agent's line at its end, which is what results quote."""
    place = str(Path(path).resolve())
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == place]
    if isinstance(error, SyntaxError) and error.filename == place:
        lines = [error.lineno]
    where = f" ({Path(path).name}, line {lines[-1]})" if lines else ""
    return "".join(traceback.format_exception(error)).rstrip() + where


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except Exception as failure:
        sys.exit(_explained(failure, sys.argv[1]))
