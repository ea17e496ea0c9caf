"""Transition rules that need luck, and rules made of others."""

from collections import Counter
from functools import partial

import numpy as np
import pytest

from gridarium.rules import transition_functions as t
from gridarium.rules.results import TEXTS, ActionResultCode, text_of
from gridarium.world.actions import Action
from gridarium.world.geometry import Position
from gridarium.world.objects import Telepod
from tests.maps import EDGED, RED, becomes, picture, world

R = ActionResultCode


class TestTeleporting:
    def test_a_telepod_sends_to_its_partner(self):
        assert becomes(t.teleport, world(">..T", on=Telepod(RED)), Action.WAIT, "T..>")

    def test_not_to_one_of_another_color(self):
        assert becomes(t.teleport, world(">.tT", on=Telepod(RED)), Action.WAIT, "T.t>")

    def test_without_a_partner_one_stays(self):
        assert becomes(t.teleport, world(">.tt", on=Telepod(RED)), Action.WAIT, ">.tt")

    def test_without_a_telepod_one_stays(self):
        assert becomes(t.teleport, world(">.TT"), Action.WAIT, ">.TT")

    def test_nobody_lands_on_another_agent(self):
        state = world(">..<", on=Telepod(RED))
        state.grid[0, 3] = Telepod(RED)
        assert becomes(t.teleport, state, Action.WAIT, ">..<")

    def test_all_partners_are_equally_likely(self):
        rng = np.random.default_rng(0)
        counts = Counter()
        for _ in range(600):
            state = world(">T.T.T", on=Telepod(RED))
            t.teleport(state, Action.WAIT, rng=rng)
            counts[state.agent.position.x] += 1
        assert counts.keys() == {1, 3, 5}
        assert all(150 < count < 250 for count in counts.values())


class TestObstacles:
    def test_an_obstacle_takes_the_only_way(self):
        assert becomes(t.move_obstacles, world("###\n#o.\n###\n>##"), Action.WAIT, "###\n#.o\n###\n>##")

    def test_it_stays_where_there_is_none(self):
        before = "##K\n#oE\n~#>"
        assert becomes(t.move_obstacles, world(before), Action.WAIT, before)

    def test_it_stays_in_the_world(self):
        assert becomes(t.move_obstacles, world("o#>"), Action.WAIT, "o#>")

    def test_each_takes_one_step_and_the_first_makes_room_for_the_next(self):
        assert becomes(t.move_obstacles, world("#.oo#>"), Action.WAIT, "#oo.#>")

    def test_they_walk_into_agents(self):
        state = world("#o>#")
        t.move_obstacles(state, Action.WAIT)
        assert picture(state) == "#.>#" and state.grid[state.agent.position] == world("o").grid[0, 0]

    def test_walls_on_edges_stop_them(self):
        state = world("o.#>", vocabulary=EDGED)
        state.grid.set_wall(Position(0, 0), Position(0, 1))
        assert becomes(t.move_obstacles, state, Action.WAIT, "o.#>")

    def test_all_ways_are_equally_likely(self):
        rng = np.random.default_rng(0)
        counts = Counter()
        for _ in range(800):
            state = world("#.##\n.o.#\n#.#>")
            t.move_obstacles(state, Action.WAIT, rng=rng)
            counts[picture(state)] += 1
        assert len(counts) == 4
        assert all(150 < count < 250 for count in counts.values())

    def test_they_move_once_a_tick(self):
        assert t.transition_function_registry.scope_of("move_obstacles") == "world"


class TestComposing:
    def test_a_chain_applies_rules_in_order(self):
        rule = partial(t.chain, transition_functions=(t.turn_agent, t.move_agent))
        assert becomes(rule, world("^."), Action.TURN_RIGHT, ">.")
        assert becomes(rule, world(">."), Action.MOVE_FORWARD, ".>")

    def test_a_chain_has_the_scope_of_its_rules(self):
        scope_of = t.transition_function_registry.scope_of
        assert scope_of(t.factory("chain", transition_functions=(t.move_agent, t.turn_agent))) == "agent"
        assert scope_of(t.factory("chain", transition_functions=(t.move_obstacles,))) == "world"

    @pytest.mark.parametrize(("probability", "after"), [(0.0, ">."), (1.0, ".>")])
    def test_a_rule_may_happen_with_some_probability(self, probability, after):
        rule = partial(t.with_probability, transition_function=t.move_agent, probability=probability)
        assert becomes(rule, world(">."), Action.MOVE_FORWARD, after)

    def test_probabilities_are_met(self):
        rule = partial(t.with_probability, transition_function=t.move_agent, probability=0.3)
        assert 240 < outcomes(rule, ">.", Action.MOVE_FORWARD)[".>"] < 360

    def test_a_copy_is_changed_instead_of_the_state(self):
        state = world(">.")
        new = t.transition_with_copy(t.move_agent, state, Action.MOVE_FORWARD)
        assert (picture(state), picture(new)) == (">.", ".>")

    def test_a_copy_has_the_same_randomness(self):
        state = world("#.##\n.o.#\n#.#>")
        new = t.transition_with_copy(t.move_obstacles, state, Action.WAIT)
        t.move_obstacles(state, Action.WAIT)
        assert new.identical(state)


def outcomes(rule, before, action, times=1000):
    rng = np.random.default_rng(7)
    counts = Counter()
    for _ in range(times):
        state = world(before)
        rule(state, action, rng=rng)
        counts[picture(state)] += 1
    return counts


class TestSlipping:
    def test_longitudinally_one_stays_or_goes_twice_as_far(self):
        rule = partial(t.slip, transition_function=t.move_agent, probability=0.4)
        counts = outcomes(rule, ">..", Action.MOVE_FORWARD)
        assert counts.keys() == {">..", ".>.", "..>"}
        assert 150 < counts[">.."] < 250 and 150 < counts["..>"] < 250

    def test_each_of_both_steps_may_be_blocked(self):
        rule = partial(t.slip, transition_function=t.move_agent, probability=0.4)
        assert 750 < outcomes(rule, ">.#", Action.MOVE_FORWARD)[".>#"] < 850

    @pytest.mark.sampled(2)
    @pytest.mark.parametrize("action", [Action.UP, Action.DOWN, Action.MOVE_FORWARD, Action.MOVE_BACKWARD])
    def test_perpendicularly_one_goes_to_a_side(self, action):
        rule = partial(t.slip, transition_function=t.move_agent, probability=0.4, slip_type="perpendicular")
        counts = outcomes(rule, "...\n.^.\n...", action)
        sides = [counts["...\n^..\n..."], counts["...\n..^\n..."]]
        assert len(counts) == 3
        assert all(150 < side < 250 for side in sides)

    @pytest.mark.sampled(2)
    @pytest.mark.parametrize("action", [Action.LEFT, Action.RIGHT, Action.MOVE_LEFT, Action.MOVE_RIGHT])
    def test_the_sides_of_a_sideways_move_are_ahead_and_behind(self, action):
        rule = partial(t.slip, transition_function=t.move_agent, probability=1.0, slip_type="perpendicular")
        assert outcomes(rule, "...\n.^.\n...", action).keys() == {".^.\n...\n...", "...\n...\n.^."}

    @pytest.mark.parametrize("slip_type", ["longitudinal", "perpendicular"])
    def test_only_moves_slip(self, slip_type):
        rule = partial(t.slip, transition_function=t.turn_agent, probability=1.0, slip_type=slip_type)
        assert outcomes(rule, "...\n.^.\n...", Action.TURN_LEFT, 50).keys() == {"...\n.<.\n..."}

    def test_without_probability_nothing_is_drawn(self):
        rule = partial(t.slip, transition_function=t.move_agent, probability=0.0)
        rng = np.random.default_rng(3)
        rule(world(">."), Action.MOVE_FORWARD, rng=rng)
        assert rng.random() == np.random.default_rng(3).random()

    def test_the_agent_learns_that_it_stayed(self):
        rule = partial(t.slip, transition_function=t.move_agent, probability=1.0)
        results = set()
        for seed in range(20):
            state = world(">..")
            rule(state, Action.MOVE_FORWARD, rng=np.random.default_rng(seed))
            results.add((picture(state), state.agent.result))
        assert results == {(">..", R.SLIPPED), ("..>", R.SUCCESS)}

    def test_another_word_is_refused(self):
        with pytest.raises(ValueError, match="longitudinal or perpendicular, not 'sideways'"):
            t.slip(
                world(">."),
                Action.WAIT,
                transition_function=t.move_agent,
                probability=0.5,
                slip_type="sideways",
            )


class TestResults:
    def test_every_code_has_a_text(self):
        assert TEXTS.keys() == set(R)
        assert text_of(R.LOCKED) == R.LOCKED.text == "It is locked, and the key is missing."
        assert text_of(0) == "The action succeeded."

    def test_an_unknown_code_is_named(self):
        assert text_of(1234) == "Result 1234."
