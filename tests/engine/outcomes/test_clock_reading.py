"""Luck and the tick are noticed however rules come by them; nobody reads their code to find out."""

import types

import numpy as np
import pytest

from gridarium.agents import ClockMatters, Expectimax, NotEnumerable, TabularModel, compile_outcomes
from gridarium.agents.model.dynamics import Dynamics
from gridarium.compiled.cache.fingerprint import names_in
from gridarium.engine import World
from gridarium.engine.outcomes.clock_reading import clock_reading
from gridarium.rules.observation_functions import full_grid
from gridarium.rules.sensors import sensor
from gridarium.rules.transition_functions import move_agent
from gridarium.world import Action, Color
from gridarium.worlds import Spec
from tests.agents import hidden as m
from tests.agents.worlds import CORRIDOR, ruled

BY_NAME = {"coin": m.coin}
COLOR = sensor("color", colors=(Color.NONE, Color.RED), quality=0.75)


class Gambler:
    def throws(self, state):
        return m.coin(state)


GAMBLER = Gambler()


def by_module(state, action):
    m.onward(state, m.coin(state))


def by_alias(state, action):
    other = m
    m.onward(state, other.coin(state))


def by_dict(state, action):
    m.onward(state, BY_NAME["coin"](state))


def by_method(state, action):
    m.onward(state, GAMBLER.throws(state))


def by_default(state, action, *, throw=m.coin):
    m.onward(state, throw(state))


def by_sensor(state, action):
    m.onward(state, COLOR.read(state) == 1)


def by_copy(state, action):
    m.onward(state, m.coin(state.copy()))


def by_closure(throw):
    def rule(state, action):
        m.onward(state, throw(state))

    return rule


HIDDEN = [
    by_module,
    by_alias,
    by_dict,
    by_method,
    by_default,
    by_sensor,
    by_copy,
    by_closure(m.coin),
]


@pytest.mark.parametrize("rule", HIDDEN)
def test_a_rule_that_draws_has_its_outcomes_however_it_draws(rule) -> None:
    model = TabularModel.extract(ruled(rule))
    assert sorted(model.transitions(0, 0)) == [(0.25, 2), (0.75, 1)] or sorted(model.transitions(0, 0)) == [
        (0.25, 1),
        (0.75, 2),
    ]
    assert model.dynamics.exact


def quick(rule, **options) -> World:
    return World(Spec.build(**CORRIDOR | {"transitions": [rule]} | options))


@pytest.mark.exhaustive
def test_so_it_has_compiled() -> None:
    world = quick(by_module)
    assert compile_outcomes(world)
    model = TabularModel.extract(world)
    assert {p for p, _ in model.transitions(0, 0)} == {0.25, 0.75}


def lucky_reward(state, action, next_state):
    return 1.0 * m.coin(next_state)


def lucky_end(state, action, next_state):
    return m.coin(next_state)


def test_rewards_and_ends_that_draw_are_weighed() -> None:
    model = TabularModel.extract(ruled("move_agent", rewards=[lucky_reward], terminations=[lucky_end]))
    assert model.R[~model.terminal] == pytest.approx(0.25) and model.terminal.sum() == 5
    ending = [sum(p for p, i in model.transitions(0, a) if model.terminal[i]) for a in range(4)]
    assert ending == pytest.approx([0.25] * 4)


def wavering(state, action):
    m.onward(state, m.bell(state))


@pytest.mark.exhaustive
def test_randomness_without_branches_is_sampled_or_refused() -> None:
    model = TabularModel.extract(ruled(wavering), samples=400)
    assert not model.dynamics.exact and len(model.transitions(0, 0)) == 2
    with pytest.raises(NotEnumerable, match="normal"):
        TabularModel.extract(ruled(wavering), chance="exact")


# what is perceived


def blinking(state):
    seen = full_grid(state)
    if m.coin(state):
        seen.grid[0, 0] = seen.grid[0, 4]
    return seen


def clock_on_the_wall(state):
    seen = full_grid(state)
    if m.hours(state) > 3:
        seen.grid[0, 0] = seen.grid[0, 4]
    return seen


def trembling(state):
    seen = full_grid(state)
    if m.bell(state):
        seen.grid[0, 0] = seen.grid[0, 4]
    return seen


@pytest.mark.sampled(2)
@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_observations_that_draw_have_their_probabilities(compiled: bool) -> None:
    world = World(
        Spec.build(**CORRIDOR | {"transitions": ["move_agent"], "observation": blinking}), compiled=compiled
    )
    model = TabularModel.extract(world)
    beginning = model.observations.probabilities[: model.observations.offsets[1]]
    assert sorted(beginning) == pytest.approx([0.25, 0.75])


@pytest.mark.sampled(2)
@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_observations_that_tell_the_time_are_refused(compiled: bool) -> None:
    told = {"transitions": ["move_agent"], "observation": clock_on_the_wall}
    world = World(Spec.build(**CORRIDOR | told), compiled=compiled)
    with pytest.raises(ClockMatters, match="what is perceived"):
        TabularModel.extract(world)
    assert len(TabularModel.extract(world, clock="ignore").observations) == 5


def trembling_clock(state):
    seen = full_grid(state)
    if m.bell(state) and m.hours(state) > 3:
        seen.grid[0, 0] = seen.grid[0, 4]
    return seen


def trembling_clock_of_a_copy(state):
    seen = full_grid(state)
    if m.bell(state) and m.hours(state.copy()) > 3:
        seen.grid[0, 0] = seen.grid[0, 4]
    return seen


@pytest.mark.parametrize("rule", [clock_on_the_wall, trembling_clock, trembling_clock_of_a_copy])
def test_sampled_observations_that_tell_the_time_are_refused(rule) -> None:
    world = ruled("move_agent", observation=rule)
    with pytest.raises(ClockMatters, match="for which a rule asks"):
        TabularModel.extract(world, chance="sampled", samples=20)
    assert len(TabularModel.extract(world, samples=20, clock="ignore").observations) == 5


def test_observations_without_branches_are_sampled_or_refused() -> None:
    world = ruled("move_agent", observation=trembling)
    model = TabularModel.extract(world, samples=100)
    assert not model.dynamics.exact
    with pytest.raises(NotEnumerable):
        TabularModel.extract(world, chance="exact")


# the tick


def now(state, action):
    if m.hours(state) == 5:
        m.onward(state, True)


def never(state, action):
    if action == Action.UP and m.hours(state) > 10**9:
        m.onward(state, True)


def in_words(state, action):
    if str(state).startswith("State(tick 5"):
        m.onward(state, True)


def in_numbers(state, action):
    if state.data[0] == 5:
        m.onward(state, True)


def in_bytes(state, action):
    if state.tobytes()[-1] == 5:
        m.onward(state, True)


def another_day(state, action):
    m.onward(state, m.episodes(state) == 1)


def late_reward(state, action, next_state):
    return 1.0 if m.hours(next_state) == 5 else 0.0


def sometimes_now(state, action):
    if m.bell(state):
        now(state, action)


def sometimes_by_a_copy(state, action):
    if m.bell(state) and m.hours(state.copy()) == 5:
        m.onward(state, True)


def sometimes_another_day(state, action):
    if m.bell(state):
        m.onward(state, m.episodes(state.fork(1)) == 1)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "rule",
    [now, never, in_words, in_numbers, in_bytes, another_day, sometimes_now, sometimes_by_a_copy,
     sometimes_another_day],
)  # fmt: skip
def test_whoever_asks_for_the_tick_is_found_out(rule) -> None:
    world = ruled(rule)
    with pytest.raises(ClockMatters, match="for which a rule asks"):
        TabularModel.extract(world, samples=40)
    assert len(TabularModel.extract(world, samples=40, clock="ignore")) <= 5


def test_the_action_that_asks_is_named() -> None:
    with pytest.raises(ClockMatters, match="what UP brings"):
        TabularModel.extract(ruled(never))


def test_rewards_that_ask_are_found_out() -> None:
    with pytest.raises(ClockMatters):
        TabularModel.extract(ruled("move_agent", rewards=[late_reward]))


@pytest.mark.slow
@pytest.mark.parametrize("rule", [never, in_numbers])
def test_they_are_found_out_compiled(rule) -> None:
    world = quick(rule)
    assert compile_outcomes(world) == (rule is not in_numbers)
    with pytest.raises(ClockMatters):
        TabularModel.extract(world)


def test_who_looks_ahead_counts_then() -> None:
    world = ruled(now, rewards=[late_reward], time_limit=8)
    assert Expectimax(6, world, discount=1.0).get_value(world.reset(0)) == 1.0
    assert Expectimax(4, world, discount=1.0).get_value(world.reset(0)) == 0.0


def silent(state, action):
    state.agent.result = 0


def test_who_asks_for_nothing_needs_no_tick() -> None:
    dynamics = Dynamics(ruled(silent, move_agent))
    i = dynamics.index(dynamics.world.reset(0))
    assert [len(dynamics.outcomes(i, (a,)).next) for a in range(4)] == [1] * 4 and dynamics.exact


# compiled rules that read a state's numbers themselves


def test_code_is_followed_to_where_it_names_what_reveals() -> None:
    assert names_in(by_module) >= {"m", "onward", "coin", "rng", "random"}
    assert clock_reading([in_numbers]).unmarked and clock_reading([by_closure(in_numbers)]).unmarked
    assert clock_reading([sometimes_by_a_copy]).unmarked and not clock_reading([by_copy]).unmarked
    assert not clock_reading([now, by_module, by_default, move_agent]).unmarked


def test_what_cannot_be_followed_may_read_anything() -> None:
    assert names_in(by_alias) is None and clock_reading([by_alias]).unmarked
    assert clock_reading([types.SimpleNamespace(__name__="rule")]).unmarked
    assert not clock_reading([by_closure(np.abs)]).unmarked
