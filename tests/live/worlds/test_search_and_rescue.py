"""Search and rescue: everybody in the team is needed."""

import pytest

from gridarium.live.worlds import search_and_rescue
from gridarium.live.worlds.search_and_rescue import Rubble
from tests.live.worlds.playing import made, of_type


@pytest.mark.sampled(4)
@pytest.mark.parametrize("missing", ["nobody", "digger", "scout", "carrier"])
def test_everybody_is_needed_to_rescue_the_victims(missing):
    world = made(search_and_rescue(people=0, victims=2, tick_duration=0))
    world.reset()
    if missing != "nobody":
        world.remove_from_grid(missing)
    world.run(max_ticks=130)
    assert world.is_done == (missing == "nobody")


@pytest.mark.exhaustive
def test_all_rubble_is_removed_and_it_takes_time():
    world = made(search_and_rescue(people=0, victims=8, tick_duration=0))
    world.reset()
    body, busy = world.registered_agents["digger"], 0
    while not world.step():
        busy += body.is_blocked
    assert not of_type(world, Rubble)
    assert busy >= 4 * 6
