"""Rules for training agents that bring things: what is dealt, what collectors know, and what they are rewarded for."""

from collections import Counter

import pytest

from gridarium.engine import World
from gridarium.live.worlds import bw4t
from gridarium.live.worlds.collecting import VIEW, collecting
from gridarium.rules import collection_training as c
from gridarium.world import Position

RED, BLUE = 0xFF0000, 0x0000FF
WANTED_AT, UNSEEN_AT, ZONE_AT, WAY_AT = (c.OWN + k * c.WAY for k in range(c.TARGETS))


@pytest.fixture(scope="module")
def world():
    described = bw4t(agents=2, people=0, rooms=(1, 1), wanted=2).description()
    return World(collecting(described, wanted=2, time_limit=50), compiled=False)


@pytest.fixture
def zone(world):
    return world.spec.terminations[0].keywords["zone"]


@pytest.fixture
def state(world):
    """Red is wanted, then blue; the first two blocks are red, the others blue; nobody has seen them."""
    state = world.reset(seed=0)
    for thing, colour in zip(blocks(state), (RED, RED, BLUE, BLUE), strict=True):
        thing.colour = colour
    state.wanted[0], state.wanted[1] = RED, BLUE
    return state


def blocks(state):
    return [thing for thing in state.things if thing.holdable]


def view(world, state, agent=0):
    return world.arrays(state)[VIEW][agent]


def lay(thing, zone, arrived_at):
    thing.position, thing.arrived_at = Position(zone[0], zone[1]), arrived_at


def test_each_episode_deals_the_colors_and_what_is_wanted(world):
    states = [world.reset(seed) for seed in range(8)]
    dealt = [tuple(thing.colour for thing in blocks(state)) for state in states]
    assert len(set(dealt)) > 1 and len({tuple(state.wanted) for state in states}) > 1
    for state, colours in zip(states, dealt, strict=True):
        assert Counter(colours) == Counter(dealt[0])
        assert not Counter(state.wanted) - Counter(colours)


def test_more_things_than_there_are_are_not_wanted(world, state):
    described = bw4t(agents=2, people=0, rooms=(1, 1), wanted=2).description()
    description = collecting(described, wanted=60)
    with pytest.raises(ValueError, match="more things are wanted than there are movable ones"):
        World(description, compiled=False).reset(0)
    next(thing for thing in state.things if thing.holdable).colour = -1
    with pytest.raises(ValueError, match="needs a color"):
        c.deal_wanted(state)


def test_at_first_a_collector_knows_the_way_to_what_nobody_has_seen_and_to_the_zone(world, state):
    seen = view(world, state)
    assert seen[c.NOTHING] == 1 and seen[WANTED_AT] == 0 and seen[WAY_AT] == 0
    assert seen[UNSEEN_AT] == seen[ZONE_AT] == 1 and seen[UNSEEN_AT + 1] > seen[ZONE_AT + 1]
    assert seen[UNSEEN_AT + 3 : UNSEEN_AT + 11].sum() == 1


def test_what_is_within_two_cells_of_an_agent_has_been_seen(world, state):
    first = blocks(state)[0]
    state.agents[1].position = first.position + Position(
        0, 1
    )  # between the upper two; the lower ones are sqrt(5) away
    after, _, _ = world.step(state, [0, 0])
    assert [thing.seen for thing in blocks(after)] == [True, True, False, False]


def test_the_way_leads_to_a_known_thing_of_the_color_that_is_needed(world, state):
    red, other, *_ = blocks(state)
    other.seen = True
    state.agents[0].position = other.position + Position(0, -1)
    seen = view(world, state)
    assert seen[WANTED_AT : WANTED_AT + 3].tolist() == [1, 0.5, 0]
    assert seen[WANTED_AT + 3 : WANTED_AT + 11].tolist() == [0, 1, 0, 0, 0, 0, 0, 0]  # east
    state.agents[0].position = other.position
    assert view(world, state)[WANTED_AT : WANTED_AT + 3].tolist() == [1, 1, 1]
    red.carrier = state.agents[1]  # now the other agent brings red, and blue is needed
    assert view(world, state)[c.OTHER_HAS_NEXT] == 1 and view(world, state)[WANTED_AT] == 0


@pytest.mark.parametrize(("colour", "use"), [(RED, c.NEXT), (BLUE, c.LATER), (0x00FF00, c.USELESS)])
def test_a_collector_knows_what_the_thing_that_it_carries_is_for(world, state, colour, use):
    thing = blocks(state)[0]
    thing.colour, thing.carrier = colour, state.agents[0]
    seen = view(world, state)
    assert [k for k in range(4) if seen[k]] == [use]


def test_of_two_that_carry_what_is_wanted_once_the_second_one_s_is_useless(world, state):
    one, other, *_ = blocks(state)
    one.carrier, other.carrier = state.agents[0], state.agents[1]
    assert view(world, state, 0)[c.NEXT] == 1 and view(world, state, 1)[c.USELESS] == 1
    state.wanted[1] = RED
    assert view(world, state, 0)[c.NEXT] == 1 and view(world, state, 1)[c.LATER] == 1


def test_closed_doors_are_ways_straight_on_and_what_is_beside_them_can_be_opened(world, state):
    door = next(thing for thing in state.things if thing.blocks_movement)
    state.agents[0].position = door.position + Position(-1, -1)
    seen = view(world, state)
    assert seen[c.AT_DOOR] == 0 and seen[UNSEEN_AT + 3 + 1] == 1  # first east, not south-east into the door
    state.agents[0].position = door.position + Position(-1, 0)
    seen = view(world, state)
    assert seen[c.AT_DOOR] == 1 and seen[UNSEEN_AT + 3 + 2] == 1


def test_what_lies_in_the_zone_out_of_turn_is_known_as_in_the_way(world, state, zone):
    blue = blocks(state)[2]
    lay(blue, zone, 5)
    assert view(world, state)[WAY_AT] == 1
    state.wanted[0] = BLUE
    assert view(world, state)[WAY_AT] == 0 and view(world, state)[c.SHARE] == 0.5


def test_coming_closer_is_rewarded_and_going_back_costs_as_much(world, state, zone):
    there = state.copy()
    there.agents[0].position = state.agents[0].position + Position(1, 1)
    forth = c.come_closer(state, None, there, zone=zone)
    assert forth > 0 and forth == pytest.approx(-c.come_closer(there, None, state, zone=zone))


def test_each_stage_is_closer_than_the_one_before(state, zone):
    red = blocks(state)[0]
    ways = [c.steps_to_go(state, zone)]
    red.seen = True
    ways.append(c.steps_to_go(state, zone))
    red.carrier = state.agents[0]
    ways.append(c.steps_to_go(state, zone))
    state.agents[0].position = Position(zone[0], zone[1])
    ways.append(c.steps_to_go(state, zone))
    assert ways == sorted(ways, reverse=True) and ways[-1] == 0 and len(set(ways)) == 4


def test_what_lies_out_of_turn_is_fetched_first_with_empty_hands(state, zone):
    red, _, blue, other = blocks(state)
    red.carrier = state.agents[0]
    before = c.steps_to_go(state, zone)
    lay(other, zone, 5)
    carrying = c.steps_to_go(state, zone)
    red.position = state.agents[0].position
    empty = c.steps_to_go(state, zone)
    other.carrier = state.agents[0]
    assert before < empty < carrying and c.steps_to_go(state, zone) < empty
    assert blue.colour == other.colour


def test_bringing_is_rewarded_in_order_and_ends_the_episode(state, zone):
    empty, one, both = state, state.copy(), state.copy()
    for after in (one, both):
        lay(blocks(after)[0], zone, 5)
    lay(blocks(both)[2], zone, 9)
    assert c.bring_wanted(empty, None, one, zone=zone, reward=2.0) == 2.0
    assert c.bring_wanted(one, None, both, zone=zone) == 1.0
    assert [c.all_brought(empty, None, after, zone=zone) for after in (one, both)] == [False, True]
    assert c.steps_to_go(both, zone) == 0
