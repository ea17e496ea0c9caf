"""Minimax and expectimax."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridarium.agents import Chase, Expectimax, Minimax, StateLimit, TabularModel, evaluate, following, play
from gridarium.agents.model.dynamics import Dynamics
from gridarium.agents.policy import random_action
from gridarium.engine import World
from gridarium.world import Action, Position
from gridarium.world.state import ENDED, TURN
from gridarium.worlds import Spec
from tests.agents.worlds import chase, from_yaml, ruled


def worth(state, agent):
    """Something that differs from state to state."""
    p, q = (state.agents[i].position for i in range(2))
    return float(3 * p.y + p.x - 2 * q.y + 5 * q.x) * (1 if agent == 0 else -1)


def exhaustive(world, state, depth, agent, discount):
    """The game's value by trying everything with the world's own step."""
    if state.data[ENDED]:
        return 0.0
    if depth == 0:
        return worth(state, agent)
    turn = int(state.data[TURN])
    values = []
    for action in range(4):
        after, rewards, _ = world.step(state, [action if i == turn else 0 for i in range(2)])
        values.append(rewards[agent] + discount * exhaustive(world, after, depth - 1, agent, discount))
    return max(values) if turn == agent else min(values)


@pytest.mark.exhaustive
@given(
    st.integers(0, 7),
    st.integers(0, 7),
    st.integers(0, 1),
    st.integers(1, 4),
    st.sampled_from([1.0, 0.7, 0.0]),
)
@settings(max_examples=25, deadline=None)
def test_minimax_is_exhaustive_search(p, q, agent, depth, discount) -> None:
    world = chase()
    state = world.reset(0)
    state.agents[0].position, state.agents[1].position = Position(p // 3, p % 3), Position(q // 3, q % 3)
    expected = exhaustive(world, state, depth, agent, discount)
    quick = Minimax(depth, world, agent, discount=discount, evaluate=worth)
    slow = Minimax(depth, world, agent, discount=discount, evaluate=worth, pruning=False)
    assert quick.get_value(state) == pytest.approx(expected)
    assert slow.get_values(state) == pytest.approx(quick.get_values(state))
    assert quick.searched <= slow.searched


def test_pruning_spares_work() -> None:
    world = chase()
    quick, slow = (Minimax(6, world, evaluate=worth, pruning=pruning) for pruning in (True, False))
    assert quick.get_values(world.reset(0)) == pytest.approx(slow.get_values(world.reset(0)))
    assert quick.searched < slow.searched


def test_who_looks_far_enough_is_not_caught() -> None:
    world = chase("^...\n....\n...v\n....")
    assert evaluate(world, [Minimax(4), Minimax(4)], episodes=1, limit=40).lengths[0] == 40
    assert play(world, [random_action, Minimax(4)], seed=0, limit=200).returns[1] == 50


def test_minimax_takes_chance_for_its_likeliest_outcome() -> None:
    world = from_yaml()
    values = Minimax(5, world, discount=1.0).get_values(world.reset(0))
    assert max(values.values()) == pytest.approx(1 - 5 * 0.04)  # five sure steps to the exit


@pytest.mark.parametrize("depth", [1, 2, 5])
def test_expectimax_is_value_iteration_for_so_many_ticks(depth: int) -> None:
    world = from_yaml()
    model = TabularModel.extract(world)
    values = np.zeros(len(model))
    for _ in range(depth):
        q = model.lookahead(values, 0.9)
        values = q.max(axis=1)
    state = world.reset(0)
    found = Expectimax(depth, world, discount=0.9).get_values(state)
    assert list(found.values()) == pytest.approx(q[model.index(state)].tolist())


def test_expectimax_weighs_what_others_do() -> None:
    world = chase("^.E\n...\n..v")
    certain = following(world, Chase(0))
    for others in ("random", certain):
        model = TabularModel.extract(world, others=others)
        values = np.zeros(len(model))
        for _ in range(4):
            values = model.lookahead(values, 0.9).max(axis=1)
        found = Expectimax(4, world, discount=0.9, others=others)
        assert found.get_value(world.reset(0)) == pytest.approx(values[model.index(world.reset(0))])


def test_where_agents_act_at_once_minimax_expects_to_be_seen() -> None:
    def meet(state, action):
        if state.focus == 1:
            state.met = int(state.agents[0].action == state.agents[1].action)

    world = ruled(
        meet,
        agents=2,
        map={"picture": "^v...E"},
        fields={"world": [{"name": "met", "type": "int"}]},
        rewards=[matching],
    )
    state = world.reset(0)
    assert Minimax(1, world).get_value(state) == -1
    assert Expectimax(1, world).get_value(state) == pytest.approx(0.75 - 0.25)


def matching(state, action, next_state):
    same = next_state.agents[0].action == next_state.agents[1].action
    if next_state.focus == 0:
        return -1.0 if same else 1.0
    return 1.0 if same else -1.0


def test_rewards_that_depend_on_the_tick_are_counted() -> None:
    world = ruled("move_agent", rewards=[{"name": "reach_exit_discounted", "horizon": 20}], time_limit=20)
    state = world.reset(0)
    reward = play(world, [lambda: Action.RIGHT], seed=0).returns[0]
    assert Expectimax(4, world, discount=1.0).get_value(state) == pytest.approx(reward)
    assert Minimax(4, world, discount=1.0).get_value(state) == pytest.approx(reward)


def test_it_forgets_when_there_is_too_much_to_remember() -> None:
    world = chase()
    small = Minimax(2, limit=40)
    large = Minimax(2)
    for seed in range(2):
        first, second = (play(world, [who, random_action], seed=seed, limit=30) for who in (small, large))
        assert first == second
    with pytest.raises(StateLimit):
        Minimax(4, world, limit=3).get_value(world.reset(0))


def test_it_can_be_of_use_only_in_a_world() -> None:
    with pytest.raises(RuntimeError, match="Minimax was given no world"):
        Minimax(2).get_value(World("FourByThree").reset(0))
    for wrong in ({"depth": 0}, {"discount": 1.2}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            Expectimax(**wrong)
    with pytest.raises(IndexError, match="agents are numbered from 0 to 1"):
        Minimax(2, chase(), 2)


Action.declare("TAKE_MATCHES")


def heap(state, action):
    """Take one to three matches; who takes the last one loses."""
    state.matches -= action.number + 1
    if state.matches <= 0:
        state.loser = state.agent.number
    state.trail = state.trail * 3 % 1009 + action.number


def fails_there(state, action):
    """An author's check that fails where pruning does not come."""
    assert state.trail != 16


def ends_there(state, action):
    """The same, by an exception that is no error."""
    if state.trail == 16:
        raise SystemExit


def won(state, action, next_state):
    return 0.0 if next_state.matches > 0 else -1.0 if next_state.loser == next_state.agent.number else 1.0


def over(state, action, next_state):
    return next_state.matches <= 0


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("rules", "depth", "limit", "most"),
    [([heap], 6, 90, 8), ([heap, fails_there], 5, 50_000, 9), ([heap, ends_there], 5, 50_000, 9)],
)
def test_what_is_found_out_in_advance_changes_no_decision(monkeypatch, rules, depth, limit, most):
    numbers = [{"name": "matches", "type": "int", "default": 9}, {"name": "loser", "type": "int"}]
    spec = Spec.build(
        objects=["Floor"], agents=[{"body": False}] * 2, turn_order="cycle", actions=[{"name": "TAKE_MATCHES", "over": 3}],
        fields={"world": [*numbers, {"name": "trail", "type": "int"}]}, transitions=rules, rewards=[won],
        terminations=[over],
    )  # fmt: skip
    world = World(spec, compiled=False)
    found = []
    for ahead in (False, True):
        monkeypatch.setattr(Dynamics, "together", ahead)
        monkeypatch.setattr(Dynamics, "cheap", ahead)
        decided = []
        for matches in (most, most + 4):
            state = world.reset(0)
            state.matches = matches
            decided.append(Minimax(depth, limit=limit)(world, state, 0))
        found.append(decided)
    assert found[0] == found[1]
