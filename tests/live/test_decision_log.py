"""What agents have decided: read like a list of dicts, kept in little memory."""

from __future__ import annotations

import tracemalloc
from typing import Any

import pytest

from gridarium.live import AgentBody, AgentBrain, GridWorld
from gridarium.live.decision_log import DecisionLog

TICKS: list[dict[str, Any]] = [
    {"a": ("MoveEast", {}), "b": (None, {})},
    {},
    {"b": ("Push", {"by": 1})},
    {"b": ("Push", {"by": True}), "a": ("Push", {"by": 1.0})},
    {"a": ("Push", {"by": [1]}), "b": ("Push", {"by": [1]})},
    {"a": ("MoveEast", {}), "b": (None, {})},
]


def test_a_log_reads_like_a_list_of_dicts() -> None:
    log = DecisionLog(TICKS)
    assert log == TICKS and repr([*log]) == repr(TICKS)  # 1, True and 1.0 are different arguments
    assert (len(log), log[-1], log[2:4]) == (6, TICKS[-1], TICKS[2:4])
    assert log != TICKS[:5]
    with pytest.raises(IndexError):
        log[6]


def test_what_is_done_to_decisions_later_does_not_change_the_log() -> None:
    arguments = {"by": 1}
    log = DecisionLog([{"a": ("Push", arguments)}])
    arguments["by"] = 2
    log[0]["a"][1]["by"] = 3
    assert log == [{"a": ("Push", {"by": 1})}]


def test_the_first_ticks_of_a_log_go_on_by_themselves() -> None:
    log = DecisionLog(TICKS)
    first = log.first(2)
    first.append({"c": ("Jump", {"by": 7})})
    assert first == [*TICKS[:2], {"c": ("Jump", {"by": 7})}]
    log.append({"c": ("Duck", {"by": 7})})
    assert log == [*TICKS, {"c": ("Duck", {"by": 7})}]
    assert log.first(0) == []


def test_a_tick_whose_adding_was_interrupted_leaves_nothing() -> None:
    class Interrupts(dict[str, Any]):
        def values(self) -> Any:
            yield "MoveEast", {}
            raise KeyboardInterrupt

    log = DecisionLog(TICKS[:1])
    with pytest.raises(KeyboardInterrupt):
        log.append(Interrupts(TICKS[0]))
    assert log == TICKS[:1]
    log.append(TICKS[2])
    assert log == [TICKS[0], TICKS[2]]


@pytest.mark.parametrize(
    "decision", [None, ("MoveEast", {}), ("GrabObject", {"object_id": "box", "grab_range": 1})]
)
def test_decisions_that_come_again_take_few_bytes(decision: Any) -> None:
    class Stubborn(AgentBrain):
        def decide_on_action(self, state: Any) -> Any:
            return decision

    agents = [(Stubborn(), AgentBody((i, 0), f"a{i}", is_traversable=True)) for i in range(10)]
    world = GridWorld((11, 1), [], agents, tick_duration=0, compiled=False)
    world.run(max_ticks=5)
    one = world.decisions[-1]
    tracemalloc.start()
    for _ in range(1000):
        world.decisions.append(one)
    grown, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert grown < 8 * 1000 * len(agents)
    assert world.decisions[-1] == one == dict.fromkeys((f"a{i}" for i in range(10)), decision or (None, {}))
