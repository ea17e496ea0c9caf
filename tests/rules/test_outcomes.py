"""What may come of random rules, listed exactly."""

from collections import Counter, defaultdict
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridarium.rules import transition_functions as t
from gridarium.rules.outcomes import NotEnumerable, outcomes, slip_outcomes
from gridarium.rules.pursuit import for_prey
from gridarium.world.actions import Action
from tests.maps import picture, world

MOVES = [Action(i) for i in (0, 1, 2, 3, 8, 9, 10, 11)]
UP, LEFT, RIGHT, WAIT = Action.UP, Action.LEFT, Action.RIGHT, Action.WAIT


def slipping(probability, slip_type="longitudinal", inner=t.move_agent):
    return partial(t.slip, transition_function=inner, probability=probability, slip_type=slip_type)


def pictures(rule, state, action):
    """What a rule may make of a state: picture -> probability."""
    found = defaultdict(float)
    for share, after in outcomes(rule, state, action):
        found[picture(after)] += share
    return dict(found)


class TestSlip:
    def test_longitudinally_one_stays_or_goes_twice(self):
        assert slip_outcomes(UP, 0.2) == [(0.8, (UP,)), (0.1, ()), (0.1, (UP, UP))]

    def test_perpendicularly_one_goes_to_a_side(self):
        assert slip_outcomes(UP, 0.5, "perpendicular") == [(0.5, (UP,)), (0.25, (LEFT,)), (0.25, (RIGHT,))]

    @pytest.mark.parametrize("slip_type", ["longitudinal", "perpendicular"])
    def test_only_moves_slip_and_only_with_a_chance(self, slip_type):
        assert slip_outcomes(Action.TURN_LEFT, 0.5, slip_type) == [(1.0, (Action.TURN_LEFT,))]
        assert slip_outcomes(UP, 0.0, slip_type) == [(1.0, (UP,))]
        assert len(slip_outcomes(UP, 1.0, slip_type)) == 2

    @given(st.sampled_from(MOVES), st.floats(0, 1), st.sampled_from(["longitudinal", "perpendicular"]))
    def test_probabilities_add_up(self, action, probability, slip_type):
        assert sum(p for p, _ in slip_outcomes(action, probability, slip_type)) == pytest.approx(1.0)

    @pytest.mark.parametrize("probability", [-0.1, 1.1, float("nan")])
    def test_what_is_no_probability_is_refused(self, probability):
        with pytest.raises(ValueError, match="between 0 and 1"):
            slip_outcomes(UP, probability)
        with pytest.raises(ValueError, match="between 0 and 1"):
            slipping(probability)(world(">."), UP)

    def test_another_word_is_refused(self):
        with pytest.raises(ValueError, match="longitudinal or perpendicular, not 'sideways'"):
            slip_outcomes(UP, 0.1, "sideways")

    @pytest.mark.parametrize("slip_type", ["longitudinal", "perpendicular"])
    @pytest.mark.parametrize("action", MOVES)
    def test_the_listed_moves_are_what_the_rule_makes(self, action, slip_type):
        start = world("...\n.^#\n...")
        expected = defaultdict(float)
        for share, moves in slip_outcomes(action, 0.3, slip_type):
            state = start.copy()
            for move in moves:
                t.move_agent(state, move)
            expected[picture(state)] += share
        assert pictures(slipping(0.3, slip_type), start, action) == pytest.approx(expected)

    @pytest.mark.parametrize("slip_type", ["longitudinal", "perpendicular"])
    @pytest.mark.parametrize("action", MOVES)
    @pytest.mark.sampled(9)
    def test_the_rule_does_what_is_listed_as_often_as_listed(self, action, slip_type):
        # chi-squared with at most 2 degrees of freedom; 1e-4 of such tests would fail by chance: seeds are fixed
        rule, rng, count = slipping(0.4, slip_type), np.random.default_rng(5), 3000
        expected = pictures(rule, world("...\n.^#\n..."), action)
        counts = Counter()
        for _ in range(count):
            state = world("...\n.^#\n...")
            rule(state, action, rng=rng)
            counts[picture(state)] += 1
        assert counts.keys() == expected.keys()
        squared = sum((counts[k] - count * p) ** 2 / (count * p) for k, p in expected.items())
        assert squared < 18.4


class TestOthers:
    def test_a_rule_without_chance_has_one_outcome(self):
        ((share, after),) = outcomes(t.move_agent, world(">."), RIGHT)
        assert share == 1.0 and picture(after) == ".>"

    def test_a_rule_that_may_happen(self):
        rule = partial(t.with_probability, transition_function=t.move_agent, probability=0.25)
        assert pictures(rule, world(">."), RIGHT) == pytest.approx({".>": 0.25, ">.": 0.75})

    def test_chances_of_a_chain_multiply(self):
        rule = partial(t.chain, transition_functions=(slipping(0.5), t.turn_agent, slipping(0.5)))
        found = outcomes(rule, world(">...."), RIGHT)
        assert len(found) == 9
        assert sum(p for p, _ in found) == pytest.approx(1.0)
        assert max(after.agent.position.x for _, after in found) == 4

    def test_slipping_inside_slipping(self):
        found = outcomes(slipping(0.5, inner=slipping(0.5)), world(">...."), RIGHT)
        assert sum(p for p, _ in found) == pytest.approx(1.0)
        assert max(after.agent.position.x for _, after in found) == 4

    def test_rules_for_some_agents_stay_so(self):
        rule = partial(for_prey, transition_function=slipping(1.0))
        state = world(">.\n>.")
        assert pictures(rule, state.seen_by(1), RIGHT) == {picture(state): 1.0}

    def test_a_rule_of_ones_own_needs_to_declare_nothing(self):
        def stumble(state, action):
            if state.rng.random() < 0.125:
                t.turn_agent(state, Action.TURN_LEFT)

        assert pictures(stumble, world(">"), WAIT) == pytest.approx({"^": 0.125, ">": 0.875})

    def test_the_state_is_left_alone(self):
        state = world(">.")
        before = state.tobytes()
        outcomes(slipping(0.5), state, RIGHT)
        assert state.tobytes() == before

    def test_a_rule_whose_chance_cannot_be_listed_is_named(self):
        def drift(state, action, *, rng):
            if rng.normal() > 0:
                t.move_agent(state, action)

        with pytest.raises(
            NotEnumerable, match="transition rule drift cannot be enumerated: a normal number"
        ):
            outcomes(drift, world(">."), RIGHT)
