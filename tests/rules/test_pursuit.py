"""Rules for pursuit: one agent flees, all others pursue it."""

from functools import partial

import pytest

from gridarium import World
from gridarium.rules import pursuit as p
from gridarium.rules import transition_functions as t
from gridarium.rules.results import ActionResultCode as R
from gridarium.world.actions import Action
from gridarium.world.geometry import Position
from gridarium.world.vocabulary import Vocabulary
from tests.differential import check, random_states
from tests.maps import GREEN, RED, WORDS, picture, world

PLAIN = Vocabulary([*WORDS.kinds.values()], [RED, GREEN], edges=True)
SLIPPING = partial(t.slip, transition_function=p.move_past_agents, probability=0.5)
TRANSITIONS = {
    "move_past_agents": p.move_past_agents,
    "for_prey": partial(p.for_prey, transition_function=SLIPPING),
    "for_predators": partial(p.for_predators, transition_function=SLIPPING),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("rule", TRANSITIONS.values(), ids=TRANSITIONS)
def test_moves_are_the_same_interpreted_and_compiled(rule):
    states = random_states(PLAIN, 12, agents=2, fill=0.3)
    check("transition", rule, states, actions=(Action.MOVE_LEFT, Action.UP, Action.RIGHT, Action.WAIT))


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("kind", "rule"), [("reward", p.pursuit), ("terminating", p.pursuit_over)])
def test_judgements_are_the_same_interpreted_and_compiled(kind, rule):
    states = random_states(PLAIN, 20, (2, 3), agents=3, fill=0.3)
    outcomes = check(kind, rule, states, actions=(Action.UP, Action.WAIT))
    assert len(set(outcomes)) > 1


def test_agents_are_not_in_the_way_but_walls_are():
    state = world(">>#")
    p.move_past_agents(state, Action.MOVE_FORWARD)
    assert state.agent.position == Position(0, 1) and state.agent.result == R.SUCCESS
    p.move_past_agents(state, Action.RIGHT)
    assert state.agent.position == Position(0, 1) and state.agent.result == R.BLOCKED
    p.move_past_agents(state, Action.UP)
    assert state.agent.result == R.OUTSIDE


def test_rules_for_some_agents_only():
    state = world(">.\n>.")
    for i in range(2):
        p.for_prey(state.seen_by(i), Action.RIGHT, transition_function=t.move_agent)
    assert picture(state) == ".>\n>."
    for i in range(2):
        p.for_predators(state.seen_by(i), Action.RIGHT, transition_function=t.move_agent)
    assert picture(state) == ".>\n.>"


def ghost_world(prey, ghost, *, compiled=False):
    w = World("GhostGrid-4x5", compiled=compiled)
    state = w.reset(0)
    state.agents[0].position, state.agents[1].position = Position(*prey), Position(*ghost)
    return w, state


LEFT, DOWN, RIGHT, UP = range(4)


def until_moved(w, state, actions):
    """The step with luck in which the agent goes exactly one cell."""
    for seed in range(100):
        after, rewards, terminal = w.step(state.fork(seed), actions)
        before, now = state.agents[0].position, after.agents[0].position
        if abs(before.y - now.y) + abs(before.x - now.x) == 1:
            return after, rewards.tolist(), terminal.tolist()
    raise AssertionError("always slipped")


class TestTheGhostGrid:
    def test_a_step_costs_one_and_the_turn_passes(self):
        w, state = ghost_world((0, 2), (3, 4))
        after, rewards, terminal = until_moved(w, state, (RIGHT, UP))
        assert rewards == [-1.0, 0.0] and terminal == [False, False]
        assert after.agents[1].position == Position(3, 4)
        after, rewards, _ = w.step(after, (RIGHT, UP))
        assert rewards.tolist() == [0.0, 0.0] and after.agents[1].position == Position(2, 4)

    def test_the_exit_is_worth_a_hundred(self):
        w, state = ghost_world((3, 0), (0, 4))
        _, rewards, terminal = until_moved(w, state, (RIGHT, UP))
        assert rewards == [100.0, 0.0] and terminal == [True, True]

    def test_walking_into_the_ghost_costs_fifty_also_on_an_exit(self):
        w, state = ghost_world((3, 3), (3, 4))
        _, rewards, terminal = until_moved(w, state, (RIGHT, UP))
        assert rewards == [-50.0, 50.0] and terminal == [True, True]

    def test_being_caught_in_the_ghosts_turn_costs_51_in_that_round(self):
        w, state = ghost_world((0, 2), (0, 4))
        state, first, _ = until_moved(w, state, (RIGHT, UP))
        _, second, terminal = w.step(state, (LEFT, LEFT))
        assert first[0] + second[0] == -51.0 and terminal.all()

    def test_the_ghost_does_not_slip_and_may_walk_over_exits(self):
        w, state = ghost_world((0, 2), (2, 4))
        state.data[4] = 1  # its turn
        for seed in range(50):
            after, _, terminal = w.step(state.fork(seed), (UP, DOWN))
            assert after.agents[1].position == Position(3, 4) and not terminal.any()

    def test_an_exit_counts_in_the_agents_own_turn_only(self):
        w, state = ghost_world((3, 1), (0, 4))
        state.data[4] = 1  # the ghost's turn
        after, rewards, terminal = w.step(state, (UP, UP))
        assert rewards.tolist() == [0.0, 0.0] and not terminal.any()
        _, rewards, terminal = w.step(after, (DOWN, UP))  # against the border
        assert rewards.tolist() == [100.0, 0.0] and terminal.all()

    @pytest.mark.parametrize(
        ("here", "open_ways"),
        [((1, 3), [RIGHT]), ((2, 3), [RIGHT]), ((2, 2), [DOWN]), ((0, 0), [DOWN]), ((3, 1), [LEFT, UP])],
    )
    def test_walls_stand_where_they_should(self, here, open_ways):
        w, state = ghost_world((0, 2), here)
        state.data[4] = 1
        moved = [a for a in range(4) if w.step(state, (UP, a))[0].agents[1].position != Position(*here)]
        assert moved == open_ways
