"""Snake, compared with Battlesnake's rules written another way: bodies as lists of cells."""

import numpy as np
import pytest

from gridarium import World
from gridarium.world import Apple, Floor, Position, SnakeBody

MOVES = {0: (-1, 0), 1: (1, 0), 2: (0, -1), 3: (0, 1)}
UP, DOWN, LEFT, RIGHT = MOVES


def apples_of(state):
    return {p.yx for p in state.grid.positions() if isinstance(state.grid[p], Apple)}


def parts_of(state, player):
    return {
        p.yx
        for p in state.grid.positions()
        if isinstance(state.grid[p], SnakeBody) and state.grid[p].player == player
    }


class Model:
    """Battlesnake's standard rules: a body begins with the head, and its last cells may be the same."""

    def __init__(self, state):
        self.size = state.grid.height
        self.bodies = {a.number: [a.position.yx] * 3 for a in state.agents}
        self.health = dict.fromkeys(self.bodies, 100)

    def step(self, moves, apples):
        """Move, and return the apples that are left."""
        for k, body in self.bodies.items():
            head = (body[0][0] + MOVES[moves[k]][0], body[0][1] + MOVES[moves[k]][1])
            body[:] = [head, *body[:-1]]
            self.health[k] -= 1
            if head in apples:
                self.health[k] = 100
                body.append(body[-1])
        apples = apples - {body[0] for body in self.bodies.values()}
        for k, body in list(self.bodies.items()):
            inside = all(0 <= n < self.size for n in body[0])
            if self.health[k] <= 0 or not inside:
                del self.bodies[k]
        out = [k for k in self.bodies if self._collides(k)]
        for k in out:
            del self.bodies[k]
        return apples

    def _collides(self, k):
        head, length = self.bodies[k][0], len(self.bodies[k])
        return any(
            head in body[1:] or (j != k and head == body[0] and length <= len(body))
            for j, body in self.bodies.items()
        )


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("name", "games"), [("Snake-7x7-2p", 15), ("Snake-11x11-4p", 8)])
def test_games_are_those_of_the_model(name, games):
    rng = np.random.default_rng(0)
    world, longest = World(name, compiled=False), 0
    for seed in range(games):
        state, ended = world.reset(seed), np.zeros(1, bool)
        model = Model(state)
        while not ended.all():
            moves = [_sensible(state, agent, rng) for agent in state.agents]
            apples = apples_of(state)
            state, _, ended = world.step(state, moves)
            left = model.step(moves, apples)
            assert {agent.number for agent in state.agents if agent.active} == set(model.bodies)
            assert left <= apples_of(state) and len(apples_of(state)) <= max(len(left) + 1, 1)
            for k, body in model.bodies.items():
                agent = state.agents[k]
                assert (agent.health, agent.length) == (model.health[k], len(body))
                assert agent.position.yx == body[0] and (agent.tail_y, agent.tail_x) == body[-1]
                assert parts_of(state, k) == set(body)
            longest = max(longest, *(agent.length for agent in state.agents))
        assert ended.all() == (state.snakes_left <= 1)
        assert sum(map(len, (parts_of(state, k) for k in range(len(state.agents))))) == sum(
            len(set(body)) for body in model.bodies.values()
        )
    assert longest > 5


def _sensible(state, agent, rng):
    """Mostly a move to a free cell, best to an apple."""
    cells = {k: agent.position + Position(*step) for k, step in MOVES.items()}
    free = [
        k for k, p in cells.items() if state.grid.contains(p) and not isinstance(state.grid[p], SnakeBody)
    ]
    eaten = [k for k in free if isinstance(state.grid[cells[k]], Apple)]
    return int(rng.choice(list(MOVES) if rng.random() < 0.03 else eaten or free or list(MOVES)))


def test_beginnings_are_fair():
    world, seen = World("Snake-11x11-4p", compiled=False), set()
    for seed in range(30):
        state = world.reset(seed)
        places = [agent.position.yx for agent in state.agents]
        seen.add(frozenset(places))
        apples = apples_of(state)
        assert (5, 5) in apples and len(apples) == 5
        for y, x in places:
            near = [(j, i) for j, i in apples if abs(j - y) == abs(i - x) == 1]
            assert len(near) == 1 and near[0] not in {(0, 0), (0, 10), (10, 0), (10, 10)}
            assert max(abs(near[0][0] - 5), abs(near[0][1] - 5)) == 5
    assert seen == {frozenset({(1, 1), (1, 9), (9, 1), (9, 9)}), frozenset({(1, 5), (5, 1), (5, 9), (9, 5)})}


def duel(first, second, lengths=(3, 3)):
    """Two snakes that lie curled up in one cell each."""
    world = World("Snake-7x7-2p", food_chance=0.0, minimum_food=0, compiled=False)
    state = world.reset(0)
    for p in state.grid.positions():
        state.grid[p] = Floor()
    for agent, place, length in zip(state.agents, (first, second), lengths, strict=True):
        agent.position, agent.length, agent.growth = Position(*place), length, length - 1
        agent.tail_y, agent.tail_x = place
        state.grid[place] = SnakeBody(4 * agent.number)
    return world, state


@pytest.mark.parametrize(("lengths", "rewards"), [((3, 3), [0, 0]), ((3, 4), [-1, 1]), ((5, 4), [1, -1])])
def test_of_two_heads_the_longer_one_stays(lengths, rewards):
    world, state = duel((3, 2), (3, 4), lengths)
    state, given, ended = world.step(state, [RIGHT, LEFT])
    assert list(given) == rewards and ended.all()
    assert len(parts_of(state, 0)) == 2 * (rewards[0] == 1)


def test_snakes_starve_and_may_follow_a_tail():
    world, state = duel((1, 1), (5, 5))
    state.agents[1].health = 4
    for move in (RIGHT, DOWN, LEFT):
        state, _, ended = world.step(state, [move, UP])
        assert not ended.any()
    assert parts_of(state, 0) == {(1, 2), (2, 2), (2, 1)}
    state, rewards, ended = world.step(
        state, [UP, UP]
    )  # 5 x 5 is left; the fourth tick is the last without an apple
    assert list(rewards) == [1, -1] and ended.all() and not parts_of(state, 1)


def test_rewards_for_apples_may_be_added():
    world = World("Snake-7x7-2p", reward_food=0.5, compiled=False)
    state = world.reset(0)
    state.grid[state.agents[0].position + Position(0, 1)] = Apple()
    state, rewards, _ = world.step(state, [RIGHT, UP])
    assert list(rewards) == [0.5, 0.0] and state.agents[0].length == 4


@pytest.mark.parametrize(("given", "message"), [({"agents": 5}, "2 to 4"), ({"size": 6}, "at least 7 x 7")])
def test_boards_must_have_room(given, message):
    with pytest.raises(ValueError, match=message):
        World("Snake", **given, compiled=False).reset()
