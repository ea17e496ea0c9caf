"""Tron: where players begin, who is out, and what they get. All of it does not depend on seats."""

import numpy as np
import pytest

from gridarium import World
from gridarium.rules.games.tron import tron_remove_trails
from gridarium.testing.differential import compare
from gridarium.world import Action, Floor, Orientation, Position, Trail
from gridarium.worlds import catalogue

AHEAD, RIGHT, LEFT = range(3)
HEADINGS = {
    "^": Orientation.FORWARD,
    ">": Orientation.RIGHT,
    "v": Orientation.BACKWARD,
    "<": Orientation.LEFT,
}


def tron(agents, size=7):
    return World("Tron", shape=(size, size), agents=agents, compiled=False)


def scene(players, trails=(), size=7):
    """A world and a state with players (y, x, heading) and trails (y, x, player)."""
    world = tron(len(players), size)
    state = world.blank_state()
    state.players_left = len(players)
    for agent, (y, x, heading) in zip(state.agents, players, strict=True):
        agent.position, agent.orientation, agent.length = Position(y, x), HEADINGS[heading], 1
        state.grid[y, x] = Trail(agent.number)
    for y, x, player in trails:
        state.grid[y, x] = Trail(player)
    return world, state


@pytest.mark.parametrize("size", [9, 10, 15, 19, 20])
def test_nobody_begins_heading_for_the_edge(size):
    for count in range(2, 9):
        state = tron(count, size).reset(seed=0)
        places = [agent.position for agent in state.agents]
        for agent in state.agents:
            ahead = agent.position
            for _ in range(size // 2 - 1):
                ahead += Position.from_orientation(agent.orientation)
                assert state.grid.contains(ahead)
        assert len(set(places)) == count == state.grid.count(Trail) == state.players_left


@pytest.mark.parametrize("size", [15, 20])
def test_beginnings_of_two_and_four_are_alike_from_all_sides(size):
    first, *others = tron(4, size).reset(seed=0).agents
    middle = Position(size - 1, size - 1)
    for quarters, agent in enumerate(others, 1):
        turn = (Orientation.FORWARD, Orientation.RIGHT, Orientation.BACKWARD, Orientation.LEFT)[quarters]
        offset = first.position + first.position - middle
        assert agent.position + agent.position - middle == offset.turned(turn)
        assert agent.orientation == first.orientation * turn
    first, second = tron(2, size).reset(seed=0).agents
    assert second.position == middle - first.position


def test_places_may_be_drawn():
    world = World("Tron", spread=3, compiled=False)
    assert len({world.reset(seed).agents[0].position for seed in range(40)}) == 4


@pytest.mark.parametrize(
    ("players", "trails", "killers"),
    [
        ([(3, 1, ">"), (3, 5, "<")], [], [0, 0]),
        ([(3, 2, ">"), (3, 4, "<")], [], [2, 1]),  # the same cell
        ([(3, 2, ">"), (3, 3, "<")], [], [2, 1]),  # each other's
        ([(3, 2, ">"), (3, 3, "v")], [], [2, 0]),  # a head that moves on
        ([(3, 3, "v"), (3, 2, ">")], [], [0, 1]),
        ([(0, 2, "^"), (3, 3, "v")], [], [1, 0]),  # the edge
        ([(3, 2, ">"), (5, 5, "^")], [(3, 3, 0)], [1, 0]),  # a trail of one's own
        ([(3, 2, ">"), (5, 5, "^")], [(3, 3, 1)], [2, 0]),
        ([(3, 2, ">"), (3, 4, "<"), (2, 3, "v")], [], [2, 1, 1]),
    ],
)
def test_who_is_out(players, trails, killers):
    world, state = scene(players, trails)
    after, rewards, ended = world.step(state, [AHEAD] * len(players))
    left = killers.count(0)
    assert [agent.killer for agent in after.agents] == killers
    assert [agent.active for agent in after.agents] == [killer == 0 for killer in killers]
    assert list(rewards) == [(10.0 if left == 1 else 1.0) if killer == 0 else -1.0 for killer in killers]
    assert list(ended) == [left <= 1 or killer != 0 for killer in killers]
    assert after.grid.count(Trail) == len(players) + len(trails) + left


def test_turns_are_relative_to_the_heading():
    world, state = scene([(3, 1, ">"), (3, 5, "^")])
    after, _, _ = world.step(state, [LEFT, RIGHT])
    assert [(a.position.yx, a.orientation) for a in after.agents] == [
        ((2, 1), Orientation.FORWARD),
        ((3, 6), Orientation.RIGHT),
    ]


def test_who_is_out_stays_out_and_its_trail_stays():
    world, state = scene([(0, 2, "^"), (3, 3, "v"), (6, 6, "<")])
    state, _, ended = world.step(state, [AHEAD] * 3)
    assert list(ended) == [True, False, False]
    state, rewards, ended = world.step(state, [AHEAD] * 3)
    assert list(rewards) == [0.0, 1.0, 1.0] and list(ended) == [True, False, False]
    assert state.grid[0, 2] == Trail(0) and [agent.length for agent in state.agents] == [1, 3, 3]


def test_seats_do_not_matter():
    """Games with the seats exchanged are the same games."""
    rng = np.random.default_rng(0)
    world = tron(3)
    for _ in range(20):
        state, order = world.reset(seed=0), rng.permutation(3)
        other = world.reset(seed=0)
        for seat, agent in zip(order, state.agents, strict=True):
            other.agents[seat].transform = agent.transform
            other.grid[agent.position] = Trail(int(seat))
        while True:
            actions = rng.integers(3, size=3)
            swapped = np.zeros(3, int)
            swapped[order] = actions
            state, rewards, ended = world.step(state, actions)
            other, others_rewards, _ = world.step(other, swapped)
            assert list(others_rewards[order]) == list(rewards)
            for seat, agent in zip(order, state.agents, strict=True):
                assert other.agents[seat].transform == agent.transform
            if ended.all():
                break
        assert sum(agent.length for agent in state.agents) == state.grid.count(Trail)


def test_the_near_view_is_turned_to_the_heading():
    world = World("Tron-15x15-4p-near", compiled=False)
    state = world.reset(seed=0)
    for agent in range(4):
        view = world.observe(state, agent)
        assert (view.grid.height, view.grid.width) == (11, 11) and isinstance(view.grid[5, 5], Trail)
        assert all(isinstance(view.grid[y, 5], Floor) for y in range(5))


@pytest.mark.parametrize(("given", "message"), [({"agents": 9}, "2 to 8"), ({"size": 4}, "at least 5 x 5")])
def test_boards_must_have_room(given, message):
    with pytest.raises(ValueError, match=message):
        World("Tron", **given, compiled=False).reset()


def test_trails_are_removed_with_their_players():
    """Of three players, the first one turns back into its own trail; compiled, the same trails are removed."""
    data = catalogue.description("Tron-15x15-4p").to_dict()
    data |= {"agents": 3, "transitions": ["tron_drive", "tron_remove_trails"]}
    world = World(data, compiled=False)
    state, states = world.reset(seed=0), []
    for _ in range(4):
        assert trails(state) == {0, 1, 2}
        states.append(state)
        state, *_ = world.step(state, [RIGHT, AHEAD, AHEAD])
    assert [agent.active for agent in state.agents] == [False, True, True]
    assert state.grid.count(Trail) == state.agents[1].length + state.agents[2].length
    for before, out in zip(states, ([], [1], [0, 2], [0, 1, 2]), strict=True):
        for agent in out:
            before.agents[agent].active = False
    removed = compare("transition", tron_remove_trails, states, actions=[Action.WAIT], every_agent=False)
    assert [trails(after) for after in removed] == [{0, 1, 2}, {0, 2}, {1}, set()]


def trails(state):
    """The players of whom there is a trail."""
    return {cell.state_index for row in state.grid.objects for cell in row if isinstance(cell, Trail)}


def test_who_is_out_later_has_the_better_outcome():
    world, state = scene([(1, 1, "^"), (1, 3, "^"), (1, 5, "^"), (3, 3, "^")])
    for agent, length in zip(state.agents, (4, 7, 4, 2), strict=True):
        agent.length = length
    assert world.outcomes(state).tolist() == [0.0, 1.0, 0.0, -1.0]
    assert world.outcomes(state).sum() == 0.0
