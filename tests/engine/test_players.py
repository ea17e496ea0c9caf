"""Players without a body: they act, and are nowhere."""

import pickle

import numpy as np
import pytest

from gridarium.draw import text
from gridarium.engine import Recorder, World
from gridarium.world import Position
from gridarium.world.text_form.json import from_json, to_json
from gridarium.world.text_form.state_text import from_text, to_text
from gridarium.worlds import Spec
from gridarium.worlds.entries.problems import DescriptionError
from tests.engine.board import board

PLAYERS = [{"name": "x", "body": False}, {"name": "o", "body": False}]
MIXED = [{"name": "walker"}, {"name": "overseer", "body": False}]


@pytest.mark.parametrize("compiled", [False, True])
def test_players_have_no_position_and_play(compiled):
    world = board(compiled=compiled, agents=PLAYERS)
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
