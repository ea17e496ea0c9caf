"""Things that a description places, and fields that agents begin with."""

from __future__ import annotations

import functools
from typing import Any

import pytest

from gridarium import Spec, World
from gridarium.world import State
from gridarium.worlds import Description, DescriptionError


def described(**changes: Any) -> Description:
    data: dict[str, Any] = {
        "objects": ["Wall", "Floor", "Exit", "Block", "Door"],
        "colors": ["RED"],
        "shape": [4, 6],
        "fields": {"agent": [{"name": "energy"}, {"name": "rank", "type": "int"}], "thing": ["weight"]},
        "things": {
            "capacity": 3,
            "placed": [
                {"name": "Door", "status": "CLOSED", "color": "RED", "at": [1, 2]},
                {"name": "Block", "color": "RED", "at": [1, 2], "fields": {"weight": 2.5}},
            ],
        },
        "agents": [{"fields": {"energy": 0.25}}, {"fields": {"rank": -3}}],
        "reset": "empty",
        "transitions": ["move_agent"],
    }
    return Description.from_dict({**data, **changes})


def test_things_are_placed_in_order_with_their_fields() -> None:
    state = World(described(), compiled=False).reset(0)
    assert [(type(t.object).__name__, (t.position.y, t.position.x), t.weight) for t in state.things] == [
        ("Door", (1, 2), 0.0),
        ("Block", (1, 2), 2.5),
    ]


@pytest.mark.exhaustive
def test_things_are_placed_by_a_program_also_where_none_has_fields() -> None:
    placed = [{"name": "Block", "color": "RED", "at": [1, 2]}]
    world = World(described(things={"capacity": 1, "placed": placed}), compiled=True)
    batch = world.batch(2)
    batch.reset(0)
    assert [(thing.position.y, thing.position.x) for thing in batch.state(1).things] == [(1, 2)]


def test_agents_begin_with_their_fields() -> None:
    state = World(described(), compiled=False).reset(0)
    assert [(agent.energy, agent.rank) for agent in state.agents] == [(0.25, 0), (0.0, -3)]


def lighter(state: State, *, by: float) -> None:
    for thing in state.things:
        thing.weight -= by
    state.agents[0].energy += 1.0


def test_reset_rules_change_in_order_what_was_set_up() -> None:
    given = {key: value for key, value in described().to_dict().items() if key != "modules"}
    changes = [functools.partial(lighter, by=0.5), functools.partial(lighter, by=1.0)]
    state = World(Spec.build(**given, after_reset=changes), compiled=False).reset(0)
    assert [thing.weight for thing in state.things] == [-1.5, 1.0]
    assert [agent.energy for agent in state.agents] == [2.25, 0.0]


def test_such_a_description_is_written_as_it_is_read() -> None:
    assert Description.from_dict(described().to_dict()) == described()


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"things": {"capacity": 1, "placed": [{"name": "Wall", "at": [0, 9]}]}}, "outside of 4 x 6 cells"),
        ({"things": {"capacity": 1, "placed": [{"name": "Wal", "at": [0, 0]}]}}, "did you mean"),
        ({"things": {"capacity": 1, "placed": [{"name": "Wall", "at": [0, 0]}] * 2}}, "room for 1"),
        ({"agents": [{"fields": {"energi": 1}}]}, "there is no such field"),
        ({"agents": [{"fields": {"rank": 0.5}}]}, "must be of type int"),
    ],
)
def test_mistakes_are_named_with_their_place(changes: dict[str, Any], problem: str) -> None:
    with pytest.raises(DescriptionError, match=problem):
        World(described(**changes), compiled=False)


def test_illegal_actions_are_attempted_where_a_world_says_so() -> None:
    map_ = {"picture": "####\n#0.#\n####", "legend": {"0": {"agent": 0}}}
    results = {}
    for illegal in ("ignore", "attempt"):
        given = described(
            legal=["can_move"], illegal=illegal, map=map_, reset=None, shape=None, agents=[{}], things=2,
            actions=["LEFT", "RIGHT"],
        )  # fmt: skip
        world = World(given, compiled=False)
        state, _, _ = world.step(world.reset(0), 0)
        results[illegal] = state.agents[0].result
        assert world.legal_actions(state) == [1]
    assert results["ignore"] != results["attempt"] == 1
