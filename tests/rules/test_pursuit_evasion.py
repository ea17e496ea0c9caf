"""Pursuit and evasion, compared with episodes of PettingZoo's pursuit and in scenes of its own.

`recorded/pursuit_evasion.json` was made once with PettingZoo 1.27.0: pursuers that go for an evader, or act at random. A tick
has the actions; row and column of each pursuer and of each evader that is left, as hexadecimal digits; the rewards, one for all
where they are shared; the numbers of evaders that are gone, where they have changed; and a checksum of all observations.
"""

import json
import zlib
from pathlib import Path

import numpy as np
import pytest

from gridarium import World
from gridarium.rules.results import ActionResultCode as R
from gridarium.world import Evader, Position, Wall

RECORDED = json.loads((Path(__file__).parent / "recorded" / "pursuit_evasion.json").read_text())
SURROUND, CATCH = "Pursuit-16x16-surround", "Pursuit-16x16-catch2"


def read(places):
    """Positions from pairs of hexadecimal digits."""
    return [(int(y, 16), int(x, 16)) for y, x in zip(places[::2], places[1::2], strict=True)]


def world_of(x_size=16, y_size=16, n_pursuers=8, n_evaders=30, shared_reward=True, **parameters):
    """The world that PettingZoo's arguments describe."""
    described = World(SURROUND, compiled=False).spec.description.to_dict()
    described["rewards"] = ["mean_earned" if shared_reward else "earned"]
    return World(
        described,
        shape=(y_size, x_size),
        agents=n_pursuers,
        num_evaders=n_evaders,
        compiled=False,
        **parameters,
    )


def begun(world, pursuers, evaders):
    """A state with pursuers and evaders at given positions."""
    state = world.reset(0)
    for agent, place in zip(state.agents, pursuers, strict=True):
        agent.position = Position(*place)
    for thing in state.things:
        state.remove(thing)
    for place in evaders:
        state.add(Evader(), Position(*place))
    return state


def seen(world, state):
    return zlib.crc32(world.arrays(state)["view"].tobytes())


@pytest.mark.sampled(3)
@pytest.mark.parametrize("episode", RECORDED, ids=range(len(RECORDED)))
def test_episodes_are_those_of_the_original(episode):
    world = world_of(**episode["given"])
    pursuers, evaders = map(read, episode["start"])
    state = begun(world, pursuers, evaders)
    assert seen(world, state) == episode["seen"]
    gone = []
    for tick in episode["ticks"]:
        before = {thing.number: thing.position for thing in state.things}
        state, rewards, ended = world.step(state, [int(a) for a in tick["a"]])
        assert [agent.position.yx for agent in state.agents] == read(tick["p"])
        assert rewards == pytest.approx(np.broadcast_to(tick["w"], len(rewards)), abs=1e-12)
        gone = tick.get("g", gone)
        assert [k for k in range(len(evaders)) if not state.things[k].exists] == gone
        for thing in state.things:
            assert Position.manhattan_distance(thing.position, before[thing.number]) <= 1
            assert not state.grid[thing.position].blocks_movement
        for thing, place in zip(state.things, read(tick["e"]), strict=True):  # their moves are random
            assert Position.manhattan_distance(Position(*place), before[thing.number]) <= 1
            thing.position = Position(*place)
        assert seen(world, state) == tick["o"]
        assert ended.all() == ended.any() == (len(state.things) == 0)
    assert not gone or len(state.things) < len(evaders)


def scene(pursuers, evaders, **given):
    world = world_of(n_pursuers=len(pursuers), n_evaders=len(evaders), **given)
    return world, begun(world, pursuers, evaders)


def step(world, state, *actions):
    return world.step(state, [world.actions.parse(name) for name in actions])


@pytest.mark.exhaustive
def test_pursuers_and_evaders_begin_apart_and_outside_of_the_walls():
    for seed in range(20):
        state = World(SURROUND, compiled=False).reset(seed)
        walls = [p.yx for p in state.grid.positions() if state.grid[p] == Wall()]
        assert walls == [(y, x) for y in range(4, 13) for x in range(5, 12)]
        for group in (list(state.agents), list(state.things)):
            places = [each.position for each in group]
            assert not {p.yx for p in places} & set(walls)
            assert all(
                Position.manhattan_distance(p, q) > 1 for i, p in enumerate(places) for q in places[:i]
            )
    with pytest.raises(ValueError, match="no cell is left that is not adjacent"):
        World(SURROUND, shape=(5, 5), compiled=False).reset(0)


def test_an_evader_in_a_corner_is_caught_by_two():
    world, state = scene([(0, 1), (2, 0), (9, 9)], [(0, 0), (15, 15)], shared_reward=False, tag_reward=0.0)
    after, rewards, _ = step(world, state, "WAIT", "UP", "WAIT")
    assert [thing.number for thing in after.things] == [1]
    assert rewards.tolist() == [4.9, 4.9, -0.1]
    after, rewards, _ = step(world, state, "WAIT", "WAIT", "WAIT")
    assert len(after.things) == 2 and rewards.tolist() == [-0.1] * 3


def test_evaders_are_tagged_after_each_move_of_the_tick():
    world, state = scene(
        [(2, 2), (9, 0)], [(2, 4), (2, 4)], shared_reward=False, urgency_reward=0.0, tag_reward=1.0
    )
    _, rewards, _ = step(world, state, "RIGHT", "WAIT")
    assert rewards.tolist() == [2.0, 0.0]  # adjacent after both moves
    _, rewards, _ = step(world, begun(world, [(9, 0), (2, 2)], [(2, 4), (2, 4)]), "WAIT", "RIGHT")
    assert rewards.tolist() == [0.0, 1.0]  # after the second
    _, rewards, _ = step(world, begun(world, [(0, 0), (9, 0)], [(0, 0)]), "WAIT", "WAIT")
    assert rewards.tolist() == [2.0, 0.0]  # its own cell for each that is missing


def test_several_catch_together_in_one_cell():
    world, state = scene(
        [(2, 2), (2, 4), (0, 0)], [(2, 3), (9, 0)], surround=False, shared_reward=False, tag_reward=0.0
    )
    after, rewards, _ = step(world, state, "RIGHT", "LEFT", "WAIT")
    assert [thing.number for thing in after.things] == [1] and rewards.tolist() == [4.9, 4.9, -0.1]
    after, _, _ = step(world, state, "RIGHT", "WAIT", "WAIT")
    assert len(after.things) == 2
    assert World(CATCH, compiled=False).spec.description.to_dict()["transitions"][1]["surround"] is False


def test_walls_and_edges_stop_pursuers():
    world, state = scene([(0, 0), (4, 4)], [(15, 15)])
    after, _, _ = step(world, state, "LEFT", "RIGHT")
    assert [agent.position.yx for agent in after.agents] == [(0, 0), (4, 4)]
    assert [agent.result for agent in after.agents] == [R.OUTSIDE, R.BLOCKED]
