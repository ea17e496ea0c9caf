"""Shortest ways around obstacles."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridarium.agents import Chase, distances, first_step, play, random_action, values_by_position
from gridarium.engine import World
from gridarium.world import Action, Door, Exit, Orientation, Position, State, Wall
from tests.agents.worlds import COMPASS, chase

WAYS = [Position.from_orientation(Orientation(k)) for k in range(4)]
TOWARDS = dict(zip([Action.UP, Action.DOWN, Action.LEFT, Action.RIGHT], WAYS, strict=True))


@given(st.lists(st.booleans(), min_size=20, max_size=20), st.integers(0, 19))
def test_neighbours_distances_differ_by_one_at_most(walls, end) -> None:
    state = State.blank((4, 5))
    for i, wall in enumerate(walls):
        if wall and i != end:
            state.grid[i // 5, i % 5] = Wall()
    found = distances(state, Position(end // 5, end % 5))
    for p in state.grid.positions():
        here = found[p.y, p.x]
        around = [p + way for way in WAYS if state.grid.contains(p + way)]
        open_around = [found[q.y, q.x] for q in around if not state.grid[q].blocks_movement]
        known = [d for d in open_around if d >= 0]
        if here > 0:
            assert here == 1 + min(known)
        elif here < 0 and not state.grid[p].blocks_movement:
            assert not known


def test_walls_on_edges_are_gone_around() -> None:
    world = World("TaxiTown-5x5", compiled=False)
    state = world.reset(0)
    found = distances(state, Exit)
    assert found[0, 4] == 0 and found[0, 1] == 7  # down two rows past the wall, and up again


@pytest.mark.parametrize("name", ["TaxiTown-5x5", "GhostGrid-4x5"])
def test_following_first_steps_takes_as_many_as_the_distance(name: str) -> None:
    world = World(name, compiled=False)
    state = world.reset(0)
    found = distances(state, Exit)
    for p in state.grid.positions():
        here, count = p, 0
        while found[here.y, here.x] > 0:
            state.agent.position = here
            action = first_step(state, Exit, world.actions)
            here = here + TOWARDS[action]
            count += 1
        assert count == found[p.y, p.x]


def test_turns_count() -> None:
    world = World("Empty-4x4", compiled=False)
    state = world.reset(0)
    state.agent.orientation = Orientation.B if state.agent.orientation == Orientation.F else Orientation.F
    episode = play(world, [Chase()], seed=0)
    assert episode.success and all(a in world.actions for (a,) in episode.actions)


@pytest.mark.exhaustive
def test_the_ghost_arrives_at_one_who_stands_still_from_everywhere() -> None:
    world = World("GhostGrid-4x5", compiled=False)
    state = world.reset(0)
    for p in state.grid.positions():
        for q in state.grid.positions():
            there = state.seen_by(1)
            there.agents[0].position, there.agents[1].position = p, q
            length = distances(there, p)[q.y, q.x]
            step = first_step(there, p, world.actions)
            assert (step is None) == (p == q) and length >= 0
            if step is not None:
                ahead = q + TOWARDS[step]
                assert distances(there, p)[ahead.y, ahead.x] == length - 1


def test_a_chase_ends_with_a_catch() -> None:
    world = chase("^..\n...\nv..")
    still = play(world, [lambda: COMPASS.index(Action.LEFT), Chase()], seed=0, limit=50)
    assert still.terminated and still.returns[1] == 50


def test_a_closed_door_may_be_where_one_goes_but_not_what_one_goes_through() -> None:
    state = State.blank((1, 4))
    state.grid[0, 2] = Door(Door.Status.CLOSED, next(iter(state.vocabulary.colors.values())))
    state.agent.position = Position(0, 0)
    assert distances(state, Door).tolist() == [[2, 1, 0, 1]]
    assert distances(state, Position(0, 3)).tolist() == [[-1, -1, 1, 0]]
    assert first_step(state, Position(0, 3), (Action.RIGHT,)) is None


def test_one_must_be_there_to_be_chased() -> None:
    world = chase()
    with pytest.raises(ValueError, match="agent 1 cannot chase agent 4; other agents: 0"):
        play(world, [random_action, Chase(4)], seed=0, limit=5)


def test_distances_are_whole_numbers() -> None:
    assert distances(State.blank((2, 2)), Wall).dtype == np.int64


def test_its_value_is_how_far_it_still_is() -> None:
    world = chase("^..\n...\nv..")
    chaser = Chase()
    state = world.reset(0).seen_by(1)
    assert chaser.get_value(state) == -2.0 and chaser.get_action(state) == Action.UP
    state.agents[1].position = state.agents[0].position
    assert chaser.get_value(state) == 0.0 and chaser.get_action(state) is None
    values = values_by_position(Chase(Exit), world, world.reset(0))
    assert np.isnan(values).all()  # there is no exit


def test_turns_count_in_its_value_once_it_has_played() -> None:
    world = World("Empty-4x4", compiled=False)
    chaser, state = Chase(), world.reset(0)
    forward = first_step(state, Exit, world.actions)
    play(world, [chaser], seed=0)
    assert chaser.get_action(state) == forward
    steps = -chaser.get_value(state)
    assert steps == play(world, [chaser], seed=0).length
