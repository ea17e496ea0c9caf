"""The outcome rules of the library."""

import pytest

from gridarium.engine import World
from gridarium.rules.outcome_functions import outcome_function_registry, survival
from gridarium.testing import check_rule


def test_survivors_win_unless_all_or_none_survive():
    world = World("TwoAgents-Empty-8x8", compiled=False)
    state = world.reset(0)
    assert [survival(state.seen_by(a)) for a in range(2)] == [0.0, 0.0]
    state.agents[0].active = False
    assert [survival(state.seen_by(a)) for a in range(2)] == [-1.0, 1.0]
    state.agents[1].active = False
    assert [survival(state.seen_by(a)) for a in range(2)] == [0.0, 0.0]


def test_survival_conforms():
    check_rule("survival", "outcome", world=World("TwoAgents-Empty-8x8", compiled=False), count=3)


def test_an_outcome_draws_no_random_numbers():
    def lucky(state, *, rng):
        return rng.random()

    with pytest.raises(TypeError, match=r"an outcome is not random; an outcome rule takes \(state"):
        outcome_function_registry.check_signature(lucky)
