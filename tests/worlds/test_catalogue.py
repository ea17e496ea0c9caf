"""The built-in worlds."""

import json
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from gridarium.world import GridObject, State, grid_object_registry
from gridarium.worlds import Description, DescriptionError, Spec, catalogue, json_schema, spec
from gridarium.worlds.files import yaml_io

GRIDVERSE = {
    *("GV-Crossing-5x5-v0", "GV-Crossing-7x7-v0", "GV-DynamicObstacles-5x5-v0", "GV-DynamicObstacles-7x7-v0"),
    *("GV-Empty-4x4-v0", "GV-Empty-8x8-v0", "GV-FourRooms-7x7-v0", "GV-FourRooms-9x9-v0"),
    *("GV-NineRooms-10x10-v0", "GV-NineRooms-13x13-v0", "GV-Keydoor-5x5-v0", "GV-Keydoor-7x7-v0"),
    *("GV-Keydoor-9x9-v0", "GV-Memory-5x5-v0", "GV-Memory-9x9-v0", "GV-MemoryFourRooms-7x7-v0"),
    *("GV-MemoryFourRooms-9x9-v0", "GV-MemoryNineRooms-10x10-v0", "GV-MemoryNineRooms-13x13-v0"),
    *("GV-Teleport-5x5-v0", "GV-Teleport-7x7-v0"),
}
DESCRIPTIONS = json.loads(Path(__file__).with_name("catalogue.json").read_text())
"""The plain data of every world, which results and recordings depend on."""


@pytest.fixture(params=catalogue.names())
def world(request: pytest.FixtureRequest) -> Description:
    return catalogue.description(request.param)


def test_all_of_gridverses_worlds_are_there() -> None:
    assert set(catalogue.aliases()) >= GRIDVERSE


def test_worlds_are_what_they_were(world: Description) -> None:
    assert json.loads(json.dumps(world.to_dict())) == DESCRIPTIONS[world.name]


def test_no_world_has_gone() -> None:
    assert set(DESCRIPTIONS) <= set(catalogue.names())


def test_names_are_in_order_small_before_large() -> None:
    names = catalogue.names()
    assert len(names) >= 33
    assert names.index("KeyDoor-9x9") < names.index("NineRooms-10x10") < names.index("NineRooms-13x13")
    assert not set(names) & set(catalogue.aliases())


@pytest.mark.sampled(4)
def test_each_world_is_complete_and_resolves(world: Description) -> None:
    assert world.name in catalogue.family(catalogue.path(world.name).stem).members
    assert world.description
    assert world.source
    resolved = spec(world)
    assert resolved.terminations or resolved.time_limit
    assert len(catalogue.path(world.name).read_text().splitlines()) <= 66  # a page


@pytest.mark.sampled(4)
def test_each_world_survives_yaml(world: Description) -> None:
    assert Description.from_dict(world.to_dict()) == world
    assert yaml_io.read_text(world.to_yaml()).data == world.to_dict()


@pytest.mark.sampled(6)
def test_each_world_can_begin(world: Description) -> None:
    resolved = spec(world)
    for seed in range(5):
        state = State.blank(resolved.shape, resolved.vocabulary, agents=resolved.agents)
        state.data[3] = seed
        resolved.reset(state, rng=state.stream(1))
        for i in range(resolved.agents):
            if world.agents[i].body:
                assert state.grid.contains(state.agents[i].position)
                assert not state.seen_by(i).blocked(state.agents[i].position)
            assert resolved.observation(state.seen_by(i)).grid.shape.width >= 1


def test_kinds_of_users_that_are_called_alike_are_not_those_of_the_catalogue(monkeypatch) -> None:
    own = type("Apple", (GridObject,), {"__module__": "__main__"}, register=False)
    kinds = [grid_object_registry["Apple"], own]
    monkeypatch.setitem(grid_object_registry._kinds, "Apple", kinds)
    resolved = spec(catalogue.description("Snake-7x7-2p"))
    assert kinds[0] in resolved.vocabulary.kinds.values() and own not in resolved.vocabulary.kinds.values()
    with pytest.raises(DescriptionError, match="several objects are called Apple"):
        Spec.build(shape=(2, 2), objects=["Floor", "Apple"], reset="empty", transitions=["move_agent"])


def test_worlds_of_one_family_differ_in_numbers_only() -> None:
    families = defaultdict(set)
    for name in catalogue.names():
        if any(alias in GRIDVERSE for alias in catalogue.description(name).aliases):
            lines = catalogue.description(name).to_yaml()
            families[catalogue.family(name).name].add(re.sub(r"\d+", "0", lines))
    assert all(len(shapes) == 1 for shapes in families.values())


@pytest.fixture(scope="module")
def schema() -> Any:
    return json_schema()


def test_each_world_fits_the_schema(world: Description, schema: Any) -> None:
    data = world.origin.data
    assert set(data) <= set(schema["properties"])
    assert set(schema["required"]) <= set(data)
