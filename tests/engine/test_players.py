"""Players without a body: they act, and are nowhere."""

import pickle

import numpy as np
import pytest

from gridarium.draw import text
from gridarium.engine import Recorder, World
from gridarium.env import GridariumEnv, parallel_env
from gridarium.testing.worlds import check_resets, check_snapshots, check_spaces
from gridarium.world import Action, Floor, Position
from gridarium.world.geometry import Shape
from gridarium.world.text_form.json import from_json, to_json
from gridarium.world.text_form.state_text import from_text, to_text
from gridarium.worlds import Description, Spec
from gridarium.worlds.entries.problems import DescriptionError
from tests.compiled_worlds import INTERPRETED_AND_COMPILED
from tests.engine.board import PLAYERS, board, players

MIXED = [{"name": "walker"}, {"name": "overseer", "body": False}]


@pytest.mark.parametrize("compiled", INTERPRETED_AND_COMPILED)
def test_players_have_no_position_and_play(compiled):
    world = players(compiled=compiled)
    batch = world.batch(4)
    arrays = batch.reset(0)
    assert not arrays["agent_id_grid"].any()
    rng = np.random.default_rng(0)
    for _ in range(20):
        result = batch.step(batch.sample_actions(rng))
        assert not result.observations["agent_id_grid"].any()
        assert (batch.memory.agent_rows[:, :, :2] == -1).all()
    state = world.reset(0)
    assert [agent.position for agent in state.agents] == [Position(-1, -1)] * 2
    assert not any(state.occupied(p) for p in state.grid.positions())


def test_players_are_not_drawn():
    state = board(compiled=False, agents=PLAYERS).reset(0)
    assert text(state).splitlines()[1:4] == ["..."] * 3
    assert repr(state).splitlines()[1:] == ["...", "...", "..."]


def test_players_are_read_back():
    state = board(compiled=False, agents=PLAYERS).reset(0)
    for copy in (from_json(to_json(state)), from_text(to_text(state)), pickle.loads(pickle.dumps(state))):
        assert copy.identical(state) and copy.vocabulary == state.vocabulary


def test_runs_of_players_are_replayed():
    world = board(compiled=False, agents=PLAYERS)
    batch = world.batch(2)
    recorder = Recorder(batch)
    recorder.reset(0)
    rng = np.random.default_rng(0)
    for _ in range(12):
        recorder.step(batch.sample_actions(rng))
    recorder.run().replay()


def test_one_without_a_body_among_others():
    described = World("TwoAgents-Empty-8x8").spec.description.to_dict()
    world = World(described | {"agents": MIXED, "observation": "full_grid"}, compiled=False)
    state = world.reset(0)
    walker, overseer = state.agents
    assert state.grid.contains(walker.position) and overseer.position == Position(-1, -1)


@pytest.mark.parametrize("start", [{"start": [1, 2]}, {"orientation": "LEFT"}])
def test_another_one_has_a_start(start):
    state = board(compiled=False, agents=[{**MIXED[0], **start}, MIXED[1]]).reset(0)
    assert state.grid.contains(state.agents[0].position)
    assert state.agents[1].position == Position(-1, -1)


def test_the_pose_of_one_without_a_body_is_within_its_space():
    alone = board(compiled=False, agents=[MIXED[1]], turn_order="all")
    env = GridariumEnv(alone.spec, observe="state", compiled=False)
    observation, _ = env.reset(seed=0)
    assert not observation["agent"].any() and observation in env.observation_space


def test_what_an_agent_without_a_body_cannot_have():
    with pytest.raises(DescriptionError, match="has no 'start'"):
        board(agents=[{"body": False, "start": [0, 0]}, {}])
    described = World("TwoAgents-Empty-8x8").spec.description.to_dict()
    with pytest.raises(DescriptionError, match="sees nothing around it; full_grid"):
        World(described | {"agents": MIXED})
    with pytest.raises(DescriptionError, match="only the first 62 agents"):
        Spec.build(**{**_plain(), "agents": [{"body": False}] * 63})


def _plain():
    return {
        "shape": (3, 3),
        "objects": ["Floor"],
        "reset": "empty",
        "transitions": ["move_agent"],
        "observation": "full_grid",
    }


def remember(state, action):
    """Note what the agent has done."""
    state.agent.last = 1 if action == COOPERATE else 2


def pay(state, action, next_state):
    """The prisoner's dilemma."""
    other = next_state.agents[1 - next_state.agent.number].last
    if next_state.agent.last == 1:
        return 3.0 if other == 1 else 0.0
    return 5.0 if other == 1 else 1.0


COOPERATE = Action.declare("COOPERATE")
DEFECT = Action.declare("DEFECT")


def matrix(*, compiled=True, **changes):
    """A game without a board."""
    described = {
        "name": "Prisoners",
        "objects": [Floor],
        "agents": PLAYERS,
        "actions": ["COOPERATE", "DEFECT"],
        "fields": {"agent": [{"name": "last", "type": "int"}]},
        "transitions": [remember],
        "rewards": [pay],
        "time_limit": 5,
        "representation": {"name": "compact", "fields": ["last"]},
    }
    return World(Spec.build(**described | changes), compiled=compiled)


@pytest.mark.parametrize("compiled", INTERPRETED_AND_COMPILED)
def test_a_world_of_players_needs_no_shape(compiled):
    world = matrix(compiled=compiled)
    assert world.spec.shape == Shape(1, 1) and world.spec.description.shape is None
    batch = world.batch(2)
    batch.reset(0)
    result = batch.step(np.array([[0, 0], [0, 1]]))
    assert result.rewards.tolist() == [[3.0, 3.0], [0.0, 5.0]]
    assert result.observations["fields"][1].ravel().tolist() == [1.0, 2.0]
    for _ in range(5):
        result = batch.step(np.array([[0, 0], [0, 1]]))
    assert batch.episodes.tolist() == [1, 1]
    check_resets(world)
    check_spaces(world)
    check_snapshots(world)


def test_a_world_without_a_shape_is_written_and_shown_without_a_map():
    world = matrix(compiled=False)
    state, _, _ = world.step(world.reset(0), [0, 1])
    assert text(state) == "tick 1\n0  last=1\n1  last=2"
    for copy in (from_json(to_json(state)), from_text(to_text(state)), pickle.loads(pickle.dumps(state))):
        assert copy.identical(state)
    written = world.spec.description.to_dict()
    assert "shape" not in written and Description.from_dict(written) == world.spec.description
    assert state._repr_svg_()
    env = parallel_env(world)
    env.reset(seed=0)
    _, rewards, _, _, _ = env.step({"x": 0, "o": 1})
    assert rewards == {"x": 0.0, "o": 5.0}


def test_players_begin_blank_and_see_everything_unless_told_otherwise():
    assert matrix(compiled=False).spec.description.reset.name == "blank"
    assert matrix(compiled=False).spec.description.observation.name == "full_grid"
    with pytest.raises(DescriptionError, match="'shape' is missing"):
        matrix(agents=MIXED, reset="blank")
    with pytest.raises(DescriptionError, match="'reset' rule, a 'map' or 'maps'; none is given"):
        matrix(agents=2)
    assert matrix(compiled=False, shape=(3, 3)).spec.shape == Shape(3, 3)
