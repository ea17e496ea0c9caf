"""The kitchen as a live world: cooks that serve soups, alone and with people."""

import pytest

from gridarium.engine import World
from gridarium.live.builder import CatalogueBuilder
from gridarium.live.worlds import kitchen
from gridarium.worlds import catalogue

LAYOUTS = [name.partition("-")[2] for name in catalogue.names() if name.startswith("Kitchen-")]


def earned(world, ticks=400):
    """What a team earns; each cook gets the rewards of both."""
    total = 0.0
    for _ in range(ticks):
        if world.step():
            break
        total += world.rewards["agent_0"]
    return total


@pytest.mark.sampled(4)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_two_robots_serve_soups_in_every_layout(layout):
    world = kitchen(layout, people=0, tick_duration=0).get_world(compiled=False)
    assert earned(world) >= 100
    assert world.step()
    assert world.current_nr_ticks == 400


def test_a_robot_serves_soups_beside_a_person_who_idles():
    world = kitchen("AsymmetricAdvantages", people=1, tick_duration=0).get_world(compiled=False)
    assert earned(world) > 0


def test_a_person_takes_an_onion_to_the_pot_with_keys():
    world = kitchen(people=1, tick_duration=0).get_world(compiled=False)
    world.reset()
    person, robot = world.registered_agents
    world.remove_from_grid(robot)
    for key in ["w", "ArrowLeft", " ", "d", "ArrowUp", "q"]:
        world.put_user_input(person, [key])
        world.step()
    pots = [o for o in world.environment_objects.values() if o.properties.get("kind") == "Pot"]
    assert [pot.properties["status"] for pot in pots] == ["ONIONS_1"]


def test_worlds_of_a_builder_are_numbered_and_trained_on_by_their_description():
    builder = kitchen(people=0)
    assert [w.world_id for w in builder.worlds(2, compiled=False)] == ["world_1", "world_2"]
    assert World(builder.description(), compiled=False).name == "Kitchen-CrampedRoom"
    assert builder.description(action_masks=True, time_limit=7).time_limit == 7


def test_each_agent_needs_a_brain():
    with pytest.raises(ValueError, match="has 2 agents; 0 brains are given"):
        CatalogueBuilder("Kitchen-CrampedRoom", [])
