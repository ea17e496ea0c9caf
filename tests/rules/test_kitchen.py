"""Kitchens, compared with episodes of overcooked_ai and in scenes of their own.

`recorded/kitchen.json` was made once with overcooked_ai at 739950a (March 2025): cooks that mostly work, partly act at random,
for 200 ticks, in both kinds of kitchens. A tick is written as the actions; position, heading and hands of the two cooks;
status and remaining time of the pots; what is on counters; and, if there are any, the sparse and the shaped rewards.
"""

import json
from pathlib import Path

import numpy as np
import pytest

from gridarium import World
from gridarium.rules.results import ActionResultCode as R
from gridarium.world import Counter, Dish, NoneGridObject, Onion, Orientation, Position, Pot, Soup
from gridarium.worlds import catalogue

RECORDED = json.loads((Path(__file__).parent / "recorded" / "kitchen.json").read_text())
HEADINGS = (Orientation.FORWARD, Orientation.BACKWARD, Orientation.RIGHT, Orientation.LEFT)
ON_COUNTER = ".od123"


def written(world, state):
    """Cooks, pots and counters as in the recording."""
    cooks = "".join(
        f"{a.position.y}{a.position.x}{HEADINGS.index(a.orientation)}{held(a.grid_object)}"
        for a in state.agents
    )
    cells = [(p, state.grid[p]) for p in state.grid.positions()]
    pots = [cell.state_index for _, cell in cells if isinstance(cell, Pot)]
    times = [f":{time}" if time else "" for time in state.cooking]
    shown = ",".join(f"{pot}{time}" for pot, time in zip(pots, times, strict=False))
    counters = [
        f"{p.y}{p.x}{ON_COUNTER[cell.state_index]}"
        for p, cell in cells
        if isinstance(cell, Counter) and cell.state_index
    ]
    return [cooks, shown, ",".join(counters)]


def held(thing):
    if isinstance(thing, Soup):
        return str(thing.state_index + 1)
    return {NoneGridObject: ".", Onion: "o", Dish: "d"}[type(thing)]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("episode", RECORDED, ids=lambda e: f"{e['world']}, auto_cook={e['auto_cook']}")
def test_episodes_are_those_of_the_original(episode):
    shaped = World(episode["world"], auto_cook=episode["auto_cook"], weight=1.0, compiled=False)
    sparse = World(episode["world"], auto_cook=episode["auto_cook"], compiled=False)
    state, total = shaped.reset(0), 0
    for tick in episode["ticks"]:
        actions, *expected = tick.split(" ")
        rewards = [int(n) for n in expected[3].split("/")] if len(expected) > 3 else [0, 0, 0, 0]
        chosen = [int(a) for a in actions]
        after, got, _ = shaped.step(state, chosen)
        assert written(shaped, after) == expected[:3], tick
        earned = sum(rewards[:2])
        assert list(got) == [earned + rewards[2], earned + rewards[3]], tick
        assert list(sparse.step(state, chosen)[1]) == [earned, earned]
        state, total = after, total + earned
    if episode["auto_cook"]:
        assert total > 0


def kitchen(**given):
    world = World("Kitchen-CrampedRoom", compiled=False, **given)
    return world, world.reset(0)


def step(world, state, *actions):
    return world.step(state, [world.actions.parse(name) for name in actions])


def test_the_layouts_are_those_of_the_original():
    first = [
        str(World(name, compiled=False).reset(0)).split("\n", 1)[1]
        for name in catalogue.family("Kitchen").members
    ]
    assert first[0] == "XXUXX\nO..1O\nX0..X\nXRXSX"
    assert [len(picture.split()) * len(picture.split()[0]) for picture in first] == [20, 25, 25, 40, 45]


def test_cooks_turn_before_they_walk_and_are_stopped_by_counters():
    world, state = kitchen()
    after, _, _ = step(world, state, "LEFT", "RIGHT")
    assert [a.position.yx for a in after.agents] == [(2, 1), (1, 3)]
    assert [a.orientation for a in after.agents] == [Orientation.LEFT, Orientation.RIGHT]
    assert [a.result for a in after.agents] == [R.BLOCKED, R.BLOCKED]


@pytest.mark.parametrize(
    ("places", "actions"),
    [([(1, 1), (1, 3)], ("RIGHT", "LEFT")), ([(1, 1), (1, 2)], ("RIGHT", "LEFT")), ([(1, 1), (1, 2)], ("RIGHT", "WAIT"))],
    ids=["the same cell", "exchanging cells", "one stands"],
)  # fmt: skip
def test_if_two_collide_nobody_moves_but_all_turn(places, actions):
    world, state = kitchen()
    for agent, place in zip(state.agents, places, strict=True):
        agent.position = Position(*place)
    after, _, _ = step(world, state, *actions)
    assert [a.position.yx for a in after.agents] == places
    assert after.agents[0].orientation == Orientation.RIGHT and after.agents[0].result == R.CONFLICT


def test_one_may_follow_the_other():
    world, state = kitchen()
    state.agents[0].position, state.agents[1].position = Position(1, 1), Position(1, 2)
    after, _, _ = step(world, state, "RIGHT", "RIGHT")
    assert [a.position.yx for a in after.agents] == [(1, 2), (1, 3)]


def test_only_soups_of_three_onions_earn_something():
    world, state = kitchen(auto_cook=False, weight=1.0)
    cook = state.agents[0]
    cook.position, cook.orientation = Position(2, 3), Orientation.BACKWARD
    for onions, reward in ((1, 0.0), (2, 0.0), (3, 20.0)):
        cook.grid_object = Soup(onions - 1)
        after, rewards, _ = step(world, state, "ACTUATE", "WAIT")
        assert list(rewards) == [reward, reward] and isinstance(after.agents[0].grid_object, NoneGridObject)
    cook.grid_object = Dish()
    after, rewards, _ = step(world, state, "ACTUATE", "WAIT")
    assert list(rewards) == [0, 0] and after.agents[0].result == R.FAILED


def test_shaped_rewards_can_be_lowered_and_go_to_each_cook():
    world, state = kitchen(weight=0.5)
    state.agents[1].position, state.agents[1].grid_object = Position(1, 2), Onion()
    after, rewards, _ = step(world, state, "WAIT", "ACTUATE")
    assert list(rewards) == [0.0, 1.5] and after.grid[0, 2] == Pot(Pot.Status.ONIONS_1)


def test_pots_cook_for_twenty_ticks():
    world, state = kitchen()
    state.grid[0, 2] = Pot(Pot.Status.ONIONS_2)
    state.agents[1].position, state.agents[1].grid_object = Position(1, 2), Onion()
    state, _, _ = step(world, state, "WAIT", "ACTUATE")
    for left in range(19, 0, -1):
        assert (state.grid[0, 2].status, state.cooking[0]) == (Pot.Status.COOKING_3, left)
        state, _, _ = step(world, state, "WAIT", "WAIT")
    assert (state.grid[0, 2].status, state.cooking[0]) == (Pot.Status.READY_3, 0)


def test_cooks_see_pots_time_and_what_the_other_holds():
    world, state = kitchen()
    state.agents[1].grid_object, state.cooking[0] = Onion(), 7
    assert world.observe(state, 0).grid[1, 3] == Onion()
    batch = world.batch(1)
    assert batch.reset(0)["fields"].shape == (1, 2, 2)


@pytest.mark.exhaustive
def test_rules_do_the_same_compiled():
    world = World("Kitchen-CrampedRoom", weight=1.0)
    batches = [world.batch(6), World(world.spec, compiled=False).batch(6)]
    assert world.composed.compiled
    for batch in batches:
        batch.reset(3)
    recorded = [tick.split(" ")[0] for e in RECORDED if e["world"] == world.name for tick in e["ticks"]]
    rng, total = np.random.default_rng(0), 0.0
    for tick in recorded:
        actions = rng.integers(6, size=(6, 2))
        actions[:3] = [int(a) for a in tick]
        one, two = (batch.step(actions) for batch in batches)
        assert (one.rewards == two.rewards).all()
        assert all((one.observations[name] == two.observations[name]).all() for name in one.observations)
        total += one.rewards.sum()
    assert total > 0
