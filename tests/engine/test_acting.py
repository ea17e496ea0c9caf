"""`turn_order: chosen`: rules say which agents act next, in a set."""

import pickle

import numpy as np
import pytest

from gridarium.agents import evaluate, random_action
from gridarium.engine import Autoreset, Recorder, World
from gridarium.engine.outcomes.interpreted import reset_outcomes, step_outcomes
from gridarium.engine.single_world import SingleWorld
from gridarium.env import aec_env, parallel_env
from gridarium.testing.worlds import check_batches, check_masks, check_snapshots
from gridarium.view.game import Game
from gridarium.world import Action, Floor
from gridarium.world.acting_agents import ActingAgents, bits_of, turn_of
from gridarium.world.text_form.json import from_json, to_json
from gridarium.world.text_form.state_text import from_text, to_text
from gridarium.worlds import DescriptionError, Spec
from tests.compiled_worlds import INTERPRETED_AND_COMPILED
from tests.engine.board import board

RAISE, PASS = Action.declare("RAISE"), Action.declare("PASS")
PLAYERS = [{"name": name, "body": False} for name in "abc"]
N = 6


def bid(state, action):
    """Who passes does not act again; who raises twice in a row acts alone next."""
    if action == PASS:
        state.acting.discard(state.agent.number)
    elif action == RAISE:
        state.agent.bid += 1
        if state.agent.bid == 2:
            state.turn = state.agent.number
        elif state.agent.bid == 4:
            state.acting.fill()
            for number in state.acting:
                if number == state.agent.number and len(state.acting) > 1:
                    state.acting.discard(number)


def may_raise(state, action):
    """At most five raises."""
    return action != RAISE or state.agent.bid < 5


def second_only(state, action):
    """The first agent cannot act."""
    return state.agent.number == 1


def pays(state, action, next_state):
    """What an agent has raised, while it acts."""
    return float(next_state.agent.bid) if next_state.agent.number in next_state.acting else 0.0


def auction(*, compiled=True, **changes):
    """An auction without a board."""
    described = {
        "name": "Auction",
        "objects": [Floor],
        "agents": PLAYERS,
        "turn_order": "chosen",
        "actions": ["RAISE", "PASS"],
        "fields": {"agent": [{"name": "bid", "type": "int"}]},
        "transitions": [bid],
        "legal": [may_raise],
        "rewards": [pays],
        "time_limit": 30,
        "representation": {"name": "compact", "fields": ["bid"]},
    }
    return World(Spec.build(**described | changes), compiled=compiled)


@pytest.fixture(scope="module", params=INTERPRETED_AND_COMPILED)
def world(request):
    return auction(compiled=request.param)


def test_those_in_the_set_act_and_the_others_do_not(world):
    batch = world.batch(1)
    batch.reset(0)
    assert batch.acting.tolist() == [[True] * 3]
    assert batch.masks.all()
    result = batch.step(np.array([[0, 1, 0]]))
    assert batch.acting.tolist() == [[True, False, True]]
    assert result.masks.tolist() == [[[True, True], [False, False], [True, True]]]
    batch.step(np.array([[1, 0, 0]]))  # b's action does not count; c acts alone after its second raise
    assert [agent.bid for agent in batch.state(0).agents] == [1, 0, 2]
    assert batch.state(0).turn == 2 and batch.acting.tolist() == [[False, False, True]]
    assert world.acting(batch.state(0)) == [2]
    assert world.legal_actions(batch.state(0), 0) == [] and world.legal_actions(batch.state(0), 2) == [0, 1]


def test_the_game_is_over_when_nobody_acts(world):
    state = world.reset(0)
    for k in range(3):
        state, _, terminal = world.step(state, [(int(a > k) and 0) or 1 for a in range(3)])
        if terminal.all():
            break
    assert terminal.all()
    without = auction(compiled=False, legal=[])
    state, _, terminal = without.step(without.reset(0), [1, 1, 1])
    assert not terminal.any() and without.acting(state) == []


SLOW = {"actions": [{"name": "RAISE", "duration": 2}, "PASS", "WAIT"]}


def only_the_last(state, action):
    """PASS lets only the last agent act."""
    if action == RAISE:
        state.agent.bid += 1
    elif action == PASS:
        state.turn = 2


def test_time_passes_for_busy_agents_that_are_not_chosen():
    world = auction(compiled=False, transitions=[only_the_last], **SLOW)
    state, _, _ = world.step(world.reset(0), [0, 1, 2])
    assert world.acting(state) == [2] and [agent.busy for agent in state.agents] == [1, 0, 0]
    state, _, _ = world.step(state, [1, 0, 2])  # those that are not chosen do nothing new
    assert [agent.bid for agent in state.agents] == [1, 0, 0] and world.acting(state) == [2]
    assert [agent.busy for agent in state.agents] == [0, 0, 0]


@pytest.mark.exhaustive
@pytest.mark.parametrize("changes", [{}, SLOW], ids=["", "slow"])
@pytest.mark.parametrize("autoreset", [Autoreset.NEXT_STEP, Autoreset.SAME_STEP])
def test_interpreted_and_compiled_give_the_same_bytes(autoreset, changes):
    batches = [auction(compiled=c, **changes).batch(N, autoreset=autoreset) for c in (False, True)]
    rng = [np.random.default_rng(3) for _ in batches]
    for batch in batches:
        batch.reset(1)
    ends = 0
    for _ in range(60):
        one, other = (b.step(b.sample_actions(r)) for b, r in zip(batches, rng, strict=True))
        assert np.array_equal(one.masks, other.masks) and np.array_equal(one.rewards, other.rewards)
        for mine, its in zip(*(b.snapshot().arrays() for b in batches), strict=True):
            assert mine.tobytes() == its.tobytes()
        ends += int(one.ended.sum())
    assert ends > 5


def test_it_conforms(world):
    check_masks(world, 30)
    check_batches(world, 20)
    check_snapshots(world, 20)


def test_states_with_several_that_act_are_written_and_read(world):
    state, _, _ = world.step(world.reset(0), [0, 1, 0])
    assert sorted(state.acting) == [0, 2] and state.turn < 0
    for copy in (from_json(to_json(state)), from_text(to_text(state)), pickle.loads(pickle.dumps(state))):
        assert copy.identical(state)
    recorder = Recorder(world.batch(2))
    recorder.reset(0)
    rng = np.random.default_rng(0)
    for _ in range(12):
        recorder.step(recorder.driven.sample_actions(rng))
    recorder.run().verify(world)


def test_environments_ask_those_that_act(world):
    env = parallel_env(world)
    env.reset(seed=0)
    env.step({"a": 0, "b": 1, "c": 0})
    observations, rewards, _, _, _ = env.step({"a": 1, "c": 0})
    assert rewards == {"a": 0.0, "b": 0.0, "c": 2.0} and observations["b"]["action_mask"].tolist() == [1, 1]
    with pytest.raises(ValueError, match="the action of c is missing"):
        env.step({"a": 0})
    turns = aec_env(world)
    turns.reset(seed=0)
    for name in ("a", "b", "c"):
        assert turns.agent_selection == name
        turns.step(0)
    single = SingleWorld(world.composed)
    single.reset(0)
    assert single.acting == [0, 1, 2]
    assert Game(world, [random_action] * 3).acting == [0, 1, 2]


def test_planners_and_policies_see_who_acts():
    world = auction(compiled=False)
    for each in (world, board(compiled=False, legal=[second_only])):
        ((_, first),) = reset_outcomes(each)
        assert first.turn == each.reset(0).turn and sorted(first.acting) == each.acting(each.reset(0))
    state = world.reset(0)
    for chosen in ([0, 1, 0], [1, 1, 0]):
        (outcome,) = step_outcomes(world, state, chosen)
        state, _, _ = world.step(state, chosen)
        assert outcome.state == state and outcome.state.turn == state.turn
    assert evaluate(world, random_action, episodes=2, limit=10).returns.shape == (2, 3)


def test_the_set():
    data = np.zeros(3, np.int64)
    acting = ActingAgents(data, 1, 5)
    assert sorted(acting) == [0] and 0 in acting and 7 not in acting
    acting.fill()
    assert len(acting) == 5 and acting == {0, 1, 2, 3, 4}
    for number in (0, 1, 4, 4):
        acting.discard(number)
    assert sorted(acting) == [2, 3] and data[1] < 0
    acting.discard(3)
    assert data.tolist() == [0, 2, 0] and repr(acting) == "ActingAgents([2])"
    acting.clear()
    assert sorted(acting) == [] and len(acting) == 0
    acting.add(4)
    assert data[1] == 4
    for wrong in (-1, 5):
        with pytest.raises(IndexError, match="agents are numbered from 0 to 4"):
            acting.add(wrong)
    assert all(bits_of(turn_of(bits)) == bits for bits in (*range(64), (1 << 62) - 1))


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("turn_order", ["cycle", "all", "rotating"])
@pytest.mark.sampled(4)
def test_a_set_is_refused_where_rules_do_not_choose_who_acts(turn_order, compiled):
    def everybody(state, action):
        state.acting.fill()

    batch = board(compiled=compiled, transitions=[everybody], turn_order=turn_order).batch(1)
    batch.reset(0)
    with pytest.raises(
        ValueError, match=r"state\.acting is edited by rules of worlds with turn_order: chosen"
    ):
        batch.step(np.zeros((1, 2), np.int64))


def test_a_set_of_more_than_62_agents_is_refused():
    acting = ActingAgents(np.zeros(1, np.int64), 0, 63)
    for use in (
        acting.fill,
        lambda: acting.add(62),
        lambda: acting.discard(0),
        lambda: list(acting),
        lambda: 3 in acting,
    ):
        with pytest.raises(ValueError, match="a set of at most 62 agents; there are 63"):
            use()


def test_at_most_62_agents():
    with pytest.raises(DescriptionError, match="rules choose who acts among at most 62 agents"):
        auction(
            agents=[{"body": False}] * 62 + [{}] * 2, shape=(3, 3), reset="blank", observation="full_grid"
        )
