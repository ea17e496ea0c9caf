"""One world: functional steps, observations, pickling, planning copies."""

import copy
import pickle
import re

import numpy as np
import pytest

from gridarium.engine import World
from gridarium.world import Action, Agent, Exit, Floor, Grid, Orientation, Position, State, Wall
from gridarium.world.state import KEY
from gridarium.worlds import Description, DescriptionError, Spec, find
from tests.engine import worlds as w
from tests.engine.worlds import catalogue_world, troubled_world


@pytest.fixture(scope="module")
def world() -> World:
    return catalogue_world("KeyDoor-7x7", compiled=False)


@pytest.fixture(scope="module")
def pair() -> World:
    return catalogue_world("TwoAgents-DoorKey-8x8", compiled=False)


# making one


def test_a_world_is_made_from_a_name_a_file_a_description_or_a_spec(tmp_path, world):
    file = tmp_path / "mine.yaml"
    file.write_text(world.spec.description.to_yaml())
    described = Description.from_dict(world.spec.description.to_dict())
    for given in ("KeyDoor-7x7", "GV-Keydoor-7x7-v0", str(file), described, world.spec, world.composed):
        made = World(given, compiled=False)
        assert made.name == "KeyDoor-7x7"
        assert made.reset(5).identical(world.reset(5))


def looks_elsewhere(state, action):
    """Nothing that compiles."""
    print(state)


def test_a_world_without_a_name_is_called_by_its_file_or_its_first_rules(tmp_path, world, capsys):
    plain = world.spec.description.to_dict()
    del plain["name"]
    file = tmp_path / "mine.yaml"
    file.write_text(Description.from_dict(plain).to_yaml())
    assert World(str(file), compiled=False).composed.name == "mine"
    first = [looks_elsewhere, "move_agent", "turn_agent", "actuate_door"]
    for transitions, told in (
        (first[:2], "looks_elsewhere, move_agent"),
        (first, "looks_elsewhere, move_agent, turn_agent, ..."),
    ):
        made = Spec.build(shape=(3, 3), objects=[Floor, Wall], reset="empty", transitions=transitions)
        with pytest.warns(UserWarning, match=re.escape(f"unnamed ({told}) runs interpreted")):
            World(made).composed.prepare()
        assert f"compiling unnamed ({told}) ..." in capsys.readouterr().err


def test_a_world_runs_interpreted_where_numba_is_switched_off(monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    batch = World("Empty-4x4").batch(1)
    with pytest.warns(
        UserWarning, match="(?s)Empty-4x4 runs interpreted, .*switched off, by NUMBA_DISABLE_JIT"
    ):
        batch.reset(seed=0)
    assert batch.step([0]).rewards.shape == (1,)


def test_an_unknown_world_is_refused_with_names_that_are_near():
    with pytest.raises(ValueError, match="did you mean 'KeyDoor-7x7'"):
        World("KeyDoor-7x")
    with pytest.raises(FileNotFoundError):
        World("nowhere.yaml")
    with pytest.raises(TypeError, match="a world must be a name, .*not 5"):
        World(5)


def test_a_file_may_import_code_only_when_it_is_allowed_to(tmp_path):
    data = find("Empty-4x4").to_dict() | {"rewards": ["tests.engine.worlds:troubled_reward"]}
    file = tmp_path / "mine.yaml"
    file.write_text(Description.from_dict(data).to_yaml())
    with pytest.raises(DescriptionError, match="allow_imports=True"):
        World(str(file))


# stepping


def test_the_same_seed_gives_the_same_first_state(world):
    assert world.reset(3).identical(world.reset(3))
    assert not world.reset(3).identical(world.reset(4))
    assert not world.reset().identical(world.reset())


def test_a_world_remembers_nothing_from_one_call_to_the_next(world):
    state = world.reset(3)
    for call in (lambda: world.step(state, 4), world.reset, lambda: world.arrays(state)):
        call()
        assert world.reset().data[KEY] != state.data[KEY]
        assert world.reset().episode == 0
        assert world.reset(3).identical(state)


def test_a_step_takes_an_action_or_its_index_and_leaves_the_state_alone(world):
    state = world.reset(0)
    before = state.tobytes()
    for index, action in enumerate(world.actions):
        new, reward, terminal = world.step(state, action)
        assert (type(reward), type(terminal)) == (float, bool)
        assert new.identical(world.step(state, index)[0])
        assert new.identical(world.step(state, np.int8(index))[0])
        assert new.tick == 1
    assert state.tobytes() == before


def test_several_agents_take_one_action_each(pair):
    state = pair.reset(0)
    new, rewards, terminal = pair.step(state, [Action.TURN_LEFT, Action.MOVE_FORWARD])
    assert (rewards.shape, rewards.dtype, terminal.shape, terminal.dtype) == (
        (2,),
        np.float64,
        (2,),
        np.bool_,
    )
    assert new.identical(pair.step(state, (0, 2))[0])
    assert new.agents[0].action is Action.TURN_LEFT


@pytest.mark.parametrize(
    ("action", "error", "words"),
    [
        (8, ValueError, "action 8"),
        (-1, ValueError, "action -1"),
        (Action.UP, ValueError, "UP is not among this world's actions: MOVE_FORWARD, "),
        (1.0, TypeError, "not 1.0"),
        ("MOVE_FORWARD", TypeError, "an action is an Action or its index"),
        (None, TypeError, "not None"),
        (float("nan"), TypeError, "not nan"),
    ],
)
def test_what_is_no_action_is_refused(world, action, error, words):
    state = world.reset(0)
    with pytest.raises(error, match=words):
        world.step(state, action)


@pytest.mark.parametrize("actions", [0, [0], [0, 1, 2], [[0, 1]], []])
def test_one_action_for_each_agent_is_needed(pair, actions):
    with pytest.raises((ValueError, TypeError)):
        pair.step(pair.reset(0), actions)


def test_a_state_of_another_world_is_refused(world, pair):
    for other in (pair, catalogue_world("KeyDoor-5x5", compiled=False)):
        for call in (lambda s: world.step(s, 0), world.arrays, world.next_episode):
            with pytest.raises(ValueError, match="not th"):
                call(other.reset(0))
            with pytest.raises(TypeError, match="a state is needed, .*, not 5"):
                call(5)


def test_the_next_episode_is_another_one_of_the_same_seed(world):
    state = world.reset(2)
    following = world.next_episode(world.step(state, 4)[0])
    assert (following.episode, following.tick) == (1, 0)
    assert following.identical(world.next_episode(state))
    assert not following.identical(state)


# looking


def test_what_an_agent_sees_comes_as_objects_and_as_arrays(world):
    state = world.reset(0)
    seen, arrays = world.observe(state), world.arrays(state)
    assert isinstance(seen.grid, Grid)
    assert isinstance(seen.agent, Agent)
    for position in seen.grid.positions():
        thing = seen.grid[position]
        number = next(n for n, kind in world.spec.vocabulary.kinds.items() if kind is type(thing))
        triple = (number, thing.state_index, world.spec.vocabulary.number_of_color(thing.color))
        assert tuple(arrays["grid"][position.y, position.x]) == triple


def test_each_agent_sees_its_own(pair):
    state = pair.reset(0)
    arrays = pair.arrays(state)
    assert all(array.shape[0] == 2 for array in arrays.values())
    assert pair.observe(state, agent=1).agent.position == pair.observe(state, agent=0).agent.position
    assert arrays["grid"][0].tobytes() != arrays["grid"][1].tobytes()


def test_a_world_explains_itself(world):
    page = world.explain()
    assert "move_agent(state, action)" in page
    assert "reward_on" in page
    compile(page, "page", "exec")


# planning


def test_a_fork_of_a_state_has_a_future_of_its_own():
    world = catalogue_world("DynamicObstacles-8x8", compiled=False)
    state = world.reset(0)
    real = world.step(state, Action.TURN_LEFT)[0]
    assert world.step(state.copy(), Action.TURN_LEFT)[0].identical(real), "a copy sees the real future"
    futures = {world.step(state.fork(seed), Action.TURN_LEFT)[0].cells.tobytes() for seed in range(20)}
    assert len(futures) > 5
    assert state.fork(1) == state, "it is the same situation"
    assert not state.fork(1).identical(state)
    assert state.fork(1).identical(state.fork(1))
    assert not state.fork().identical(state.fork())
    assert not state.fork(1).identical(state.fork(2))


def test_a_planner_that_forks_does_not_change_the_real_world():
    world = catalogue_world("DynamicObstacles-8x8", compiled=False)
    state = world.reset(0)
    real = world.step(state, Action.TURN_LEFT)[0]
    branch = state.fork(7)
    for _ in range(5):
        branch = world.step(branch, Action.MOVE_FORWARD)[0]
    assert world.step(state, Action.TURN_LEFT)[0].identical(real)


# pickling


def test_a_world_pickles_by_its_description(world):
    world.reset(0)
    for twin in (
        pickle.loads(pickle.dumps(world)),
        copy.deepcopy(world),
        World(pickle.loads(pickle.dumps(world.composed))),
    ):
        assert twin.spec.description == world.spec.description
        state = world.reset(9)
        assert twin.reset(9).identical(state)
        assert twin.step(state, 1)[0].identical(world.step(state, 1)[0])
    assert len(pickle.dumps(world)) < 10_000
    assert b"numba" not in pickle.dumps(world)


def test_a_world_with_rules_of_ones_own_pickles_by_their_names():
    world = troubled_world(compiled=False)
    twin = pickle.loads(pickle.dumps(world))
    state = world.reset(1)
    state.trouble = w.VALUE
    with pytest.raises(ValueError, match="trouble at tick 0"):
        twin.step(state, 0)


def test_whether_it_runs_compiled_is_pickled_too(world):
    assert not pickle.loads(pickle.dumps(world)).composed.compiled


def test_states_pickle_bit_for_bit(pair):
    state = pair.reset(0).seen_by(1)
    again = pickle.loads(pickle.dumps(state))
    assert isinstance(again, State)
    assert again.identical(state)
    assert again.focus == 1
    assert pair.step(again, [0, 0])[0].identical(pair.step(state, [0, 0])[0])


def test_a_world_may_be_given_as_a_mapping():
    data = World("Empty-4x4").spec.description.to_dict()
    assert World(data, compiled=False).name == "Empty-4x4"
    with pytest.raises(TypeError, match="a name, a path, a mapping"):
        World(3)


def test_a_blank_state_is_filled_by_hand():
    world = World("KeyDoor-7x7", compiled=False)
    state = world.blank_state()
    assert state.grid.shape == world.spec.shape
    assert all(state.grid[p] == Floor() for p in state.grid.positions())
    state.grid[0, 1], state.grid[5, 5] = Wall(), Exit()
    state.agent.position, state.agent.orientation = Position(1, 1), Orientation.FORWARD
    assert world.step(state, Action.MOVE_FORWARD)[0].agent.position == Position(1, 1)
    assert len(World("TwoAgents-Empty-8x8", compiled=False).blank_state().agents) == 2


def test_a_state_of_another_size_is_refused():
    small, large = World("Empty-4x4", compiled=False), World("Empty-8x8", compiled=False)
    with pytest.raises(ValueError, match="the state has 4 x 4 cells, Empty-8x8 has 8 x 8"):
        large.observe(small.reset(0))


@pytest.mark.parametrize("name", ["KeyDoor-9x9", "TwoAgents-DoorKey-8x8", "TwoAgents-Empty-8x8"])
def test_any_transition_can_be_evaluated(name):
    """What `step` says of its own transitions; and of others, what the rules say."""
    world = World(name, compiled=False)
    rng = np.random.default_rng(0)
    state = world.reset(seed=1)
    for _ in range(60):
        action = rng.integers(len(world.actions), size=world.spec.agents).tolist()
        following, reward, terminal = world.step(state, action)
        copies = state.copy(), following.copy()
        for given in (action, [world.actions[a] for a in action]):
            again = world.evaluate_transition(state, given, following)
            assert np.array_equal(again[0], reward)
            assert np.array_equal(again[1], terminal)
        assert (state.identical(copies[0]), following.identical(copies[1])) == (True, True)
        state = following
    there = state.copy()
    for agent in there.agents:
        agent.position = next(p for p in there.grid.positions() if isinstance(there.grid[p], Exit))
    reward, terminal = world.evaluate_transition(state, [0] * world.spec.agents, there)
    assert np.all(terminal)
    assert np.all(np.asarray(reward) > 0)


def test_only_transitions_of_the_world_are_evaluated():
    world = World("KeyDoor-9x9", compiled=False)
    state = world.reset(seed=1)
    with pytest.raises(ValueError, match="action 99"):
        world.evaluate_transition(state, 99, state)
    with pytest.raises(ValueError, match="KeyDoor-9x9"):
        world.evaluate_transition(state, 0, World("Empty-8x8", compiled=False).reset(seed=0))
    with pytest.raises(TypeError):
        world.evaluate_transition(state, 0, None)
