"""Snapshots of live worlds, and their form in files: plain data, from which nothing is executed."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from gridarium.live.decision_log import DecisionLog
from gridarium.live.objects import AgentBody, EnvObject
from gridarium.world import State
from gridarium.world.text_form.json import from_json
from gridarium.world.text_form.record import to_record

FORMAT = "gridarium live world 1"
TUPLE, SET, FLOAT, BYTES, ARRAY = "tuple", "set", "float", "bytes", "(array)"
"""The keys of mappings that stand for a tuple, a set, a number that is not finite, bytes, and an array, which JSON lacks."""


class SimulationGoal(Protocol):
    """What a world is done with."""

    def check(self, grid_world: Any) -> bool:
        """Whether it is reached."""

    def progress(self, grid_world: Any) -> float:
        """How far it is, from 0 to 1."""

    def as_rules(self, grid_world: Any) -> dict[str, Any] | None:
        """The keys of a description that end an episode as it does; None if there are none."""


@dataclass
class Pending:
    """An action that an agent is busy with.

    Attributes:
        name: the action.
        kwargs: its arguments.
        until: the tick at whose end it is done.
    """

    name: str
    kwargs: dict[str, Any]
    until: int


@dataclass(frozen=True)
class WorldSnapshot:
    """All that the future of a live world depends on, but for what its brains keep themselves.

    Attributes:
        core: the core's state.
        objects: the objects, their numbers, and what of them is kept in Python.
        agents: the bodies, their indices, what is kept in Python, and what they are busy with.
        rows: the bodies by their indices, also of agents that were removed.
        known: the numbers of the same agents among all that the world has ever had.
        goals: copies of the goals.
        decisions: those so far are the first `decided` ones; the world may have added others.
        decided: their number.
        tick: the number of ticks.
        messages: what was said.
        numbers: the state of the random numbers.
        seed: the one with which the episode began.
        rewards: of the last tick.
        done: whether the world is done.
    """

    core: State
    objects: list[tuple[EnvObject, int, dict[str, Any]]]
    agents: list[tuple[AgentBody, int, dict[str, Any], Pending | None]]
    rows: list[AgentBody]
    known: list[int]
    goals: list[SimulationGoal]
    decisions: DecisionLog
    decided: int
    tick: int
    messages: dict[str, Any]
    numbers: Any
    seed: int
    rewards: dict[str, float]
    done: bool


def plain(value: Any, what: str) -> Any:
    """A value as data for JSON; tuples are marked.

    Raises:
        TypeError: it is something else; the message says `what` has it.
    """
    if isinstance(value, np.bool_ | np.number):
        return plain(value.item(), what)
    if isinstance(value, float) and not math.isfinite(value):
        return {FLOAT: repr(value)}
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, tuple):
        return {TUPLE: [plain(item, what) for item in value]}
    if isinstance(value, bytes):
        return {BYTES: value.hex()}
    if isinstance(value, set | frozenset):
        return {SET: sorted((plain(item, what) for item in value), key=json.dumps)}
    if isinstance(value, list):
        return [plain(item, what) for item in value]
    if isinstance(value, Mapping) and all(
        isinstance(key, str) and key not in (TUPLE, SET, FLOAT, BYTES, ARRAY) for key in value
    ):
        return {key: plain(item, f"{what}, {key}") for key, item in value.items()}
    if isinstance(value, np.ndarray) and value.dtype.kind in "biufUS":
        return {ARRAY: [value.dtype.str, value.shape, plain(value.ravel().tolist(), what)]}
    raise TypeError(
        f"{what}: {value!r} cannot be saved; None, bools, numbers, texts, and lists, tuples, sets, dicts and arrays of these can"
    )


def unplain(data: Any) -> Any:
    """The value that `plain` has written."""
    if isinstance(data, dict):
        if set(data) == {TUPLE}:
            return tuple(unplain(item) for item in data[TUPLE])
        if set(data) == {SET}:
            return {unplain(item) for item in data[SET]}
        if set(data) == {FLOAT}:
            return float(data[FLOAT])
        if set(data) == {BYTES}:
            return bytes.fromhex(data[BYTES])
        if set(data) == {ARRAY}:
            dtype, shape, values = data[ARRAY]
            return np.array(unplain(values), dtype).reshape(shape)
        return {key: unplain(item) for key, item in data.items()}
    return [unplain(item) for item in data] if isinstance(data, list) else data


def snapshot_to_plain(snapshot: WorldSnapshot) -> dict[str, Any]:
    """A snapshot as data for JSON.

    Raises:
        TypeError: something is no plain data.
    """
    return {
        "format": FORMAT,
        "core": to_record(snapshot.core),
        "objects": [
            {"class": _class_name(type(obj)), "number": number, "kept": plain(kept, f"object {obj.obj_id}")}
            for obj, number, kept in snapshot.objects
        ],
        "agents": [
            {
                "id": body.obj_id,
                "kept": plain(
                    {key: value for key, value in kept.items() if key != "sense_capability"},
                    f"agent {body.obj_id}",
                ),
                "pending": None if pending is None else plain(vars(pending), f"agent {body.obj_id}"),
            }
            for body, _, kept, pending in snapshot.agents
        ],
        "rows": [body.obj_id for body in snapshot.rows],
        "goals": [plain(vars(goal), f"goal {type(goal).__name__}") for goal in snapshot.goals],
        "tick": snapshot.tick,
        "messages": plain(snapshot.messages, "the messages"),
        "numbers": plain(snapshot.numbers, "the random numbers"),
        "seed": snapshot.seed,
        "rewards": plain(snapshot.rewards, "the rewards"),
        "decisions": plain(snapshot.decisions[: snapshot.decided], "the decisions"),
        "done": snapshot.done,
    }


def snapshot_from_plain(data: Mapping[str, Any], fresh: WorldSnapshot) -> WorldSnapshot:
    """The snapshot in a file.

    Args:
        data: as `snapshot_to_plain` has written it.
        fresh: of a world of the same builder, whose objects, agents and goals are filled in.

    Raises:
        ValueError: the data is of another world, or an object's class is not defined here.
    """
    core = from_json(data["core"])
    known = {obj.obj_id: obj for obj, _, _ in fresh.objects}
    objects: list[tuple[EnvObject, int, dict[str, Any]]] = []
    for entry in data["objects"]:
        kept = unplain(entry["kept"])
        obj = known.get(kept["obj_id"])
        if obj is None or _class_name(type(obj)) != entry["class"]:
            cls = _object_class(entry["class"])
            obj = cls.__new__(cls)
        objects.append((obj, entry["number"], kept))
    ids = [body.obj_id for body in fresh.rows]
    if data["rows"] != ids or len(data["goals"]) != len(fresh.goals):
        raise ValueError(
            f"the file is of a world with other agents or goals; this one has the agents {', '.join(ids)}"
        )
    agents = []
    of_id = {body.obj_id: (body, index, kept) for body, index, kept, _ in fresh.agents}
    for entry in data["agents"]:
        body, index, kept = of_id[entry["id"]]
        pending = None if entry["pending"] is None else Pending(**unplain(entry["pending"]))
        agents.append((body, index, {**kept, **unplain(entry["kept"])}, pending))
    for goal, entry in zip(fresh.goals, data["goals"], strict=True):
        vars(goal).update(unplain(entry))
    numbers = unplain(data["numbers"])
    numbers["state"]["key"] = np.array(numbers["state"]["key"], np.uint32)
    return WorldSnapshot(
        core=core,
        objects=objects,
        agents=agents,
        rows=fresh.rows,
        known=fresh.known,
        goals=fresh.goals,
        decisions=(decisions := DecisionLog(unplain(data["decisions"]))),
        decided=len(decisions),
        tick=data["tick"],
        messages=unplain(data["messages"]),
        numbers=numbers,
        seed=data.get("seed", fresh.seed),
        rewards=unplain(data.get("rewards", {})),
        done=data["done"],
    )


def read_saved(path: str | Path, agent_ids: list[str], goals: int) -> dict[str, Any]:
    """The data of a saved world.

    Args:
        path: the file.
        agent_ids: the agents with which the world was made; others may have been added to it.
        goals: the number of its goals.

    Raises:
        ValueError: it is none, or one of another world.
    """
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path} is not a saved world: {error}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ValueError(f"{path} is not a saved world of the format {FORMAT!r}")
    rows, saved_goals = data.get("rows"), data.get("goals")
    if not isinstance(rows, list) or rows[: len(agent_ids)] != agent_ids or not isinstance(saved_goals, list):
        raise ValueError(f"{path} is damaged, or of a world without the agents {', '.join(agent_ids)}")
    if len(saved_goals) != goals:
        raise ValueError(f"{path} is of a world with {len(saved_goals)} goals; this one has {goals}")
    return data


def _class_name(cls: type) -> str:
    return f"{cls.__module__}:{cls.__qualname__}"


def _object_class(name: str) -> type[EnvObject]:
    """The class of objects with a name, among those that are defined already: nothing is imported."""
    waiting: list[type[EnvObject]] = [EnvObject]
    while waiting:
        cls = waiting.pop()
        if _class_name(cls) == name:
            return cls
        waiting += cls.__subclasses__()
    raise ValueError(f"the class {name} of an object is not defined here; import its module before loading")
