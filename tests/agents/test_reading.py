"""What the code of rules speaks of."""

import functools

from gridarium.agents.dynamics import Dynamics, draws
from gridarium.agents.enumerating import step_outcomes
from gridarium.agents.reading import ANYTHING, attributes_named
from tests.agents.worlds import ruled


def helper(state):
    return state.rng.random()


@functools.cache
def remembered(state):
    return helper(state)


def outer(state, action, *, rule=None):
    return remembered(state) if rule is None else rule(state)


def plain(state, action):
    state.agent.result = 0


def told_by_a_closure(inner):
    def rule(state, action):
        return inner(state)

    return rule


class Called:
    __name__ = "called"

    def __call__(self, state, action):
        return state.data[0]


def clocked(state, action):
    if state.tick > 1000 and state.rng.random() < 0.5:
        state.agent.result = 1


def test_functions_are_followed():
    assert {"rng", "remembered", "helper"} <= attributes_named([outer])
    assert "rng" in attributes_named([told_by_a_closure(helper)])
    assert "rng" in attributes_named([functools.partial(plain, rule=helper)])
    assert "rng" not in attributes_named([plain])


def test_what_has_no_code_may_speak_of_anything():
    assert attributes_named([Called()]) == {ANYTHING}


def test_a_rule_that_draws_by_a_helper_is_found_out():
    assert draws(ruled(outer)) and not draws(ruled(plain))


def test_it_is_noted_when_a_rule_asks_for_the_tick():
    for rule, asked in ((clocked, True), (plain, False)):
        world = ruled(rule)
        assert [o.clock_read for o in step_outcomes(world, world.reset(0), [0])] == [asked]
    assert len(Dynamics(ruled(clocked))) == 0
