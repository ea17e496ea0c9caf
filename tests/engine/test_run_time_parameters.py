"""Parameters of single worlds of a batch, set between episodes; first states that are given."""

import enum
import pickle
from functools import partial

import numpy as np
import pytest

from gridarium.engine import Autoreset, Recorder, World
from gridarium.engine.single_world import SingleWorld
from gridarium.world import Color, Door, Floor, MovingObstacle
from gridarium.worlds import Spec
from tests.compiled_worlds import INTERPRETED_AND_COMPILED
from tests.engine.worlds import assert_same, catalogue_world, everything, random_actions, troubled_world

OBSTACLES, N = "DynamicObstacles-5x5", 4


@pytest.fixture(params=INTERPRETED_AND_COMPILED)
def world(request):
    """Interpreted and compiled."""
    return catalogue_world(OBSTACLES, compiled=request.param)


def obstacles(batch) -> list[int]:
    grids = [batch.state(i).grid for i in range(batch.n)]
    return [sum(isinstance(grid[p], MovingObstacle) for p in grid.positions()) for grid in grids]


def test_each_world_has_its_own_from_its_next_episode_on(world) -> None:
    batch = world.batch(N)
    batch.reset(0)
    assert obstacles(batch) == [1] * N
    batch.set_parameters({"num_obstacles": 3}, [1])
    batch.set_parameters({"num_obstacles": 2, "time_limit": 2}, np.array([False, False, True, False]))
    before = [batch.state(i) for i in range(N)]
    batch.set_parameters({"num_obstacles": 0}, 3)
    assert all(batch.state(i).identical(state) for i, state in enumerate(before))
    batch.reset(mask=np.array([True, True, True, False]))
    assert obstacles(batch) == [1, 3, 2, 1]
    batch.reset()
    assert obstacles(batch) == [1, 3, 2, 0]
    batch.set_parameters({"num_obstacles": 1})
    batch.reset(0)
    assert obstacles(batch) == [1] * N


def test_each_world_has_its_own_time_limit(world) -> None:
    batch = world.batch(N, autoreset=Autoreset.SAME_STEP)
    batch.reset(7, parameters={"num_obstacles": 0})
    batch.set_parameters({"time_limit": 2}, [0])
    batch.set_parameters({"time_limit": 3}, [2])
    batch.reset()
    turns = np.full(N, [a.name for a in world.actions].index("TURN_LEFT"))
    cut = [batch.step(turns).truncated.tolist() for _ in range(6)]
    assert [[step[i] for step in cut] for i in range(N)] == [
        [False, True, False, True, False, True],
        [False] * 6,
        [False, False, True, False, False, True],
        [False] * 6,
    ]


def test_worlds_that_begin_by_themselves_and_threads_take_them_too(world) -> None:
    batch = world.batch(N, threads=2)
    batch.reset(1, parameters={"time_limit": 3, "num_obstacles": 0})
    batch.set_parameters({"num_obstacles": 3}, [0, 3])
    turns = np.full(N, [a.name for a in world.actions].index("TURN_LEFT"))
    for _ in range(4):
        assert obstacles(batch) == [0] * N
        batch.step(turns)
    assert obstacles(batch) == [3, 0, 0, 3]
    batch.close()


def test_a_world_with_a_parameter_is_as_one_that_was_made_with_it(world) -> None:
    given = {"num_obstacles": 3, "bump_into_wall.reward": -2.5}
    alone, batch = World(OBSTACLES, compiled=False, **given).batch(N), world.batch(N)
    batch.reset(3, parameters=given)
    alone.reset(3)
    for chosen in random_actions(world, 60, N):
        mine, its = batch.step(chosen), alone.step(chosen)
        np.testing.assert_array_equal(mine.rewards, its.rewards)
        assert_same(everything(batch), everything(alone))


def test_they_are_pickled_with_the_batch(world) -> None:
    batch = world.batch(N)
    batch.reset(0)
    batch.set_parameters({"num_obstacles": 3}, [1])
    copied = pickle.loads(pickle.dumps(batch))
    assert obstacles(copied) == [1] * N
    copied.reset()
    assert obstacles(copied) == [1, 3, 1, 1]


REFUSED = [
    ({"num_obstacle": 1}, "there is no parameter 'num_obstacle'; did you mean 'num_obstacles'?"),
    ({"num_obstacles": "many"}, "num_obstacles: a whole number is expected, not 'many'"),
    (
        {"shape": (4, 4)},
        "shape of DynamicObstacles-5x5 cannot change between episodes: create another world",
    ),
    ({"random_agent": True}, "these can: time_limit, num_obstacles, "),
    ({"area": ((-2, 0), (-1, 1))}, "area of DynamicObstacles-5x5 cannot change"),
    ({"time_limit": 3, "representation": "rgb"}, "representation of DynamicObstacles-5x5 cannot change"),
]


@pytest.mark.parametrize(("given", "message"), REFUSED)
def test_what_cannot_be_set_is_refused_and_nothing_has_changed(given, message) -> None:
    batch = catalogue_world(OBSTACLES, compiled=False).batch(N)
    batch.reset(0)
    before = everything(batch)
    for refuse in (lambda: batch.set_parameters(given), lambda: batch.reset(1, parameters=given)):
        with pytest.raises(ValueError) as caught:
            refuse()
        assert message in str(caught.value)
    assert_same(everything(batch), before)
    assert not batch.memory.per_world_params


def test_parameters_are_a_mapping_and_worlds_are_there() -> None:
    batch = catalogue_world(OBSTACLES, compiled=False).batch(N)
    with pytest.raises(TypeError, match="parameters must be a mapping"):
        batch.set_parameters([("time_limit", 3)])
    with pytest.raises(IndexError, match="worlds are numbered from 0 to 3; got 4"):
        batch.set_parameters({"time_limit": 3}, 4)


def test_a_reset_rule_that_fails_leaves_the_episode_with_its_own_parameters() -> None:
    batch = catalogue_world(OBSTACLES, compiled=False).batch(1)
    batch.reset(0)
    before = batch.state(0)
    with pytest.raises(ValueError):
        batch.reset(parameters={"num_obstacles": 100})
    assert batch.state(0).identical(before)
    assert batch.memory.params[0].tolist() == batch.composed.params.tolist()


def test_they_are_not_recorded_as_runs_which_have_one_description() -> None:
    recorder = Recorder(catalogue_world(OBSTACLES, compiled=False).batch(2))
    recorder.reset(0)
    recorder.driven.set_parameters({"time_limit": 3}, [0])
    with pytest.raises(ValueError, match="individual parameters cannot be recorded as runs"):
        recorder.run()


# first states


def test_episodes_begin_in_given_states_with_the_randomness_of_their_own_seeds() -> None:
    world = troubled_world(compiled=False)
    start = world.reset(seed=40)
    for action in random_actions(world, 3, 1)[:, 0]:
        start, _, _ = world.step(start, action)
    batch = world.batch(3)
    seen = batch.reset(5, state=start)
    assert_same(seen, batch.observe())
    plain = world.batch(3)
    plain.reset(5)
    for i in range(3):
        state = batch.state(i)
        assert state == start
        assert (state.tick, state.episode) == (0, 0)
        assert batch.keys[i] == plain.keys[i]
    assert not batch.ended.any()


def test_each_world_may_begin_in_a_state_of_its_own_and_the_others_go_on() -> None:
    world = troubled_world(compiled=False)
    batch = world.batch(3)
    batch.reset(0)
    before, states = batch.state(1), [world.reset(seed=i) for i in (7, 8, 9)]
    batch.reset(mask=np.array([True, False, True]), state=states)
    assert batch.state(0) == states[0] and batch.state(2) == states[2]
    assert batch.state(1).identical(before)
    with pytest.raises(ValueError, match="one for each of 3 worlds is needed, got 2"):
        batch.reset(state=states[:2])
    with pytest.raises(TypeError, match="a state is needed"):
        batch.reset(state="here")
    with pytest.raises(ValueError, match="are not those of Troubled"):
        batch.reset(state=catalogue_world("KeyDoor-7x7", compiled=False).reset(0))
    assert batch.state(1).identical(before)


def test_an_episode_that_has_ended_in_a_state_begins_anew_in_it() -> None:
    world = troubled_world(compiled=False)
    single = SingleWorld(world.composed)
    single.reset(0)
    while not single.state.data[5]:
        single.step(1)
    single.reset(state=single.state)
    assert single.tick == 0
    single.step(1)
    assert single.tick == 1


def test_a_value_of_another_type_is_told_as_that() -> None:
    def pay(state, action, next_state, *, each):
        return each

    described = Spec.build(
        name="Pay", shape=(2, 2), objects=[Floor], actions=["WAIT"], transitions=["move_agent"], reset="empty",
        rewards=[partial(pay, each=0.5)],
    )  # fmt: skip
    batch = World(described, compiled=False).batch(2)
    for other in (1, True, None):
        with pytest.raises(ValueError, match=f"each={other}: Pay was made with another type of value there"):
            batch.set_parameters({"each": other, "time_limit": 5})
    batch.set_parameters({"each": 1.0})


class Pace(enum.IntEnum):
    SLOW = 0
    FAST = 1


def test_members_of_enums_stay_what_they_are() -> None:
    def pay(state, action, next_state, *, pace=Pace.SLOW, status=Door.Status.OPEN):
        locked = Door(Door.Status.LOCKED, Color.RED).status is status
        return float(pace is Pace.FAST) + 10 * (pace == Pace.FAST) + 100 * locked

    described = Spec.build(
        name="Pace", shape=(2, 2), objects=[Floor, Door], colors=[Color.RED], actions=["WAIT"], reset="blank",
        transitions=["move_agent"], rewards=[partial(pay, pace=Pace.FAST, status=Door.Status.LOCKED)],
    )  # fmt: skip
    batch = World(described, compiled=False).batch(1)
    batch.reset(0)
    assert batch.step([0]).rewards.tolist() == [111.0]
