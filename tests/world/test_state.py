"""States: a world at one moment, compared, hashed, copied, forked; interpreted and compiled."""

from __future__ import annotations

import copy
import itertools
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from gridarium.compiled.data_types.primitives import trusted
from gridarium.world import (
    Action,
    Box,
    Color,
    Door,
    Exit,
    Field,
    Floor,
    Key,
    NoneGridObject,
    Observation,
    Orientation,
    Position,
    State,
    Vocabulary,
    Wall,
)
from gridarium.world.agent import copy_agent
from gridarium.world.state import KEY, PURPOSE, clear
from tests.compiled.compiling import compiled_for, places_of, state_at

RED = Color.RED
WORDS = Vocabulary(
    [Wall, Exit, Door, Key, Box],
    [RED],
    world_fields=[Field("heat", "float", 1.5), Field("door_open", "bool"), Field("score", "int", -3)],
    agent_fields=[Field("energy", "int", 100), Field("mood", "float", 0.25), Field("wet", "bool", True)],
    cell_fields=[Field("smell", "float", 0.5), Field("depth", "int", 2)],
    edges=True,
)


def blank(agents: int = 2) -> State:
    return State.blank((3, 4), WORDS, agents)


EDITS: dict[str, Callable[[State], Any]] = {
    "cell": lambda s: s.grid.__setitem__((2, 3), Wall()),
    "content": lambda s: s.grid.__setitem__((2, 3), Box(Wall())),
    "other content": lambda s: s.grid.__setitem__((2, 3), Box(Key(RED))),
    "edge": lambda s: s.grid.set_wall(Position(0, 0), Position(0, 1)),
    "cell field": lambda s: s.grid.set_number("smell", Position(1, 1), 0.75),
    "world field": lambda s: setattr(s, "heat", 2.5),
    "truth": lambda s: setattr(s, "door_open", True),
    "second agent": lambda s: setattr(s.agents[1], "position", Position(0, 1)),
    "agent field": lambda s: setattr(s.agents[1], "energy", 99),
    "active": lambda s: setattr(s.agents[1], "active", False),
}


class TestBlank:
    def test_it_is_all_floor_with_fields_at_their_defaults(self) -> None:
        state = blank()
        assert state.grid.object_types() == {Floor}
        assert (state.heat, state.door_open, state.score) == (1.5, False, -3)
        assert [(a.energy, a.mood, a.wet, a.active) for a in state.agents] == [(100, 0.25, True, True)] * 2
        assert {
            (state.grid.number("smell", p), state.grid.number("depth", p)) for p in state.grid.positions()
        } == {(0.5, 2)}
        assert (state.tick, state.episode, state.focus) == (0, 0, 0)

    def test_a_world_without_its_own_floor_has_one(self) -> None:
        assert State.blank((2, 2), Vocabulary([Wall])).grid.object_types() == {Floor}

    def test_clearing_brings_it_back(self) -> None:
        state = blank()
        for edit in EDITS.values():
            edit(state)
        clear(state)
        assert state == blank()

    @pytest.mark.parametrize(("shape", "agents"), [((0, 3), 1), ((3, 0), 1), ((-1, 3), 1), ((3, 3), 0)])
    def test_there_is_a_cell_and_an_agent(self, shape: tuple[int, int], agents: int) -> None:
        with pytest.raises(ValueError, match="a state has at least one cell and one agent"):
            State.blank(shape, WORDS, agents)


class TestEquality:
    def test_it_covers_grid_agents_and_fields(self) -> None:
        states = {"none": blank()} | {name: blank() for name in EDITS}
        for name, edit in EDITS.items():
            edit(states[name])
        for (a, first), (b, second) in itertools.product(states.items(), repeat=2):
            assert (first == second) == (a == b), (a, b)
            assert (first != second) == (a != b)
            assert a != b or hash(first) == hash(second)

    def test_it_leaves_out_the_clock_the_key_and_results(self) -> None:
        one, other = blank(), blank()
        other.data[:4] = 7, 8, 9, 10
        other.agent.result = 3
        assert one == other
        assert hash(one) == hash(other)
        assert not one.identical(other)
        assert one.tobytes() != other.tobytes()
        assert one.identical(blank())

    def test_it_is_nothing_else(self) -> None:
        for other in (None, 0, "state", blank().grid, Vocabulary([])):
            assert blank() != other
        assert State.blank((3, 4), Vocabulary([Wall])) != blank()
        assert State.blank((3, 4)) != State.blank((4, 3))
        assert State.blank((3, 4), agents=2) != State.blank((3, 4))

    def test_states_can_be_kept_in_sets(self) -> None:
        states = {blank() for _ in range(3)}
        assert len(states) == 1
        assert blank() in states


class TestAssignment:
    @pytest.mark.parametrize("name", ["grid", "agent", "tick", "cells", "coldness"])
    def test_only_declared_fields_can_be_assigned(self, name: str) -> None:
        with pytest.raises(
            AttributeError, match=f"state.{name} cannot be assigned; .*declares: heat, door_open, score"
        ):
            setattr(blank(), name, 1)

    def test_unknown_names_are_answered_with_the_known_ones(self) -> None:
        with pytest.raises(
            AttributeError, match="state.coldness is not known; .*declares: heat, door_open, score"
        ):
            blank().coldness  # noqa: B018

    def test_fields_keep_their_types(self) -> None:
        state = blank()
        state.heat, state.door_open, state.score = 3, 2, int(7.9)
        with pytest.raises(TypeError, match=r"score: a field of whole numbers takes none such as 7\.9"):
            state.score = 7.9
        assert (state.heat, state.door_open, state.score) == (3.0, True, 7)
        assert [type(x) for x in (state.heat, state.door_open, state.score)] == [float, bool, int]


class TestQuestions:
    def test_what_is_in_the_way(self) -> None:
        state = blank()
        state.agents[1].position = Position(0, 2)
        state.grid[1, 0] = Wall()
        state.grid.set_wall(Position(0, 0), Position(0, 1))
        here, right, below = Position(0, 0), Position(0, 1), Position(1, 0)
        assert not state.blocked(here)
        assert not state.blocked(right)
        assert state.blocked(below)
        assert state.blocked(Position(0, 2))
        assert state.blocked(Position(-1, 0))
        assert not state.can_step(here, right)
        assert state.can_step(Position(1, 1), right)
        assert [state.sees_through(p) for p in (here, below, Position(0, 2), Position(3, 0))] == [
            True,
            False,
            True,
            False,
        ]

    def test_an_agent_is_not_in_its_own_way_and_one_that_is_gone_in_nobody_s(self) -> None:
        state = blank()
        assert state.occupied(Position(0, 0))
        state.agents[1].position = Position(2, 2)
        assert not state.occupied(Position(0, 0))
        assert state.occupied(Position(2, 2))
        assert not state.seen_by(1).occupied(Position(2, 2))
        state.agents[1].active = False
        assert not state.occupied(Position(2, 2))


class TestCopies:
    def test_a_copy_is_identical_and_independent(self) -> None:
        for make in (State.copy, copy.deepcopy, lambda s: pickle.loads(pickle.dumps(s))):
            for name, edit in EDITS.items():
                state = blank().seen_by(1)
                other = make(state)
                assert other.identical(state)
                assert other.focus == 1
                edit(other)
                assert other != state, name
                assert state == blank()

    def test_a_copy_has_the_same_future_and_a_fork_one_of_its_own(self) -> None:
        state = blank()
        luck = state.copy().rng.integers(1 << 40)
        assert state.copy().rng.integers(1 << 40) == luck
        assert state.fork(1).rng.integers(1 << 40) != luck
        assert state.fork(1).rng.integers(1 << 40) == state.fork(1).rng.integers(1 << 40)
        assert state.fork(1).rng.integers(1 << 40) != state.fork(2).rng.integers(1 << 40)
        assert state.fork().rng.integers(1 << 40) != state.fork().rng.integers(1 << 40)
        assert state.rng.integers(1 << 40) == luck

    def test_a_fork_is_equal_but_not_identical(self) -> None:
        state = blank()
        fork = state.fork(1)
        assert fork == state
        assert not fork.identical(state)
        assert fork.data[KEY] != state.data[KEY]

    def test_an_agent_can_be_copied_out_of_its_state(self) -> None:
        state = blank()
        it = copy_agent(state.agent, state.scratch)
        it.position = Position(2, 2)
        assert state.agent.position == Position(0, 0)


def test_an_observation_is_a_grid_and_an_agent() -> None:
    state = blank()
    seen = Observation(state.grid, state.agent)
    assert seen == Observation(state.copy().grid, state.copy().agent)
    assert seen != state
    with pytest.raises(AttributeError, match="Observation.grid cannot be assigned"):
        seen.grid = state.grid
    assert pickle.loads(pickle.dumps(seen)) == seen


def test_a_state_is_shown_as_a_picture() -> None:
    state = State.blank((1, 3), WORDS)
    state.grid[0, 2] = Wall()
    shown = repr(state)
    assert shown.startswith("State(tick 0, heat=1.5, door_open=False, score=-3, [Agent(Position(y=0, x=0)")
    assert shown.endswith("\n^ . #")


# interpreted and compiled


@trusted
def edits(places, out, *, vocabulary, transition):  # type: ignore[no-untyped-def]
    state = state_at(places, vocabulary)
    state.scratch[0] = 0
    agent, other = state.agent, state.seen_by(1).agent
    out[0] = agent.position.y + 10 * agent.front().x + 100 * agent.orientation.value
    out[1] = state.heat + agent.mood + state.grid.number("smell", agent.position)
    out[2] = (
        agent.wet + 2 * state.door_open + 4 * agent.active + 8 * isinstance(agent.grid_object, NoneGridObject)
    )
    out[3] = agent.energy + state.score + state.grid.number("depth", Position(0, 0)) + state.tick
    out[4] = (
        state.blocked(agent.front())
        + 2 * state.occupied(other.position)
        + 4 * state.sees_through(agent.front())
    )
    out[5] = state.can_step(agent.position, agent.front()) + 2 * (agent == other) + 4 * (agent != other)
    out[6] = (state == state) + 2 * (state.agents == state.agents) + 4 * (state == state.seen_by(1))
    out[7] = len(state.agents)
    for a in state.agents:
        out[8] += a.energy * a.position.x
        a.energy -= 1
    out[9] = state.rng.integers(1000) + state.stream(transition + 16 * 40).random()
    agent.position = Position(1, 1)
    agent.transform = other.transform
    agent.orientation = agent.orientation * Orientation.L
    agent.grid_object = Key(RED) if state.tick > 3 else Door(Door.Status.LOCKED, RED)
    agent.mood += 0.5
    agent.wet = not agent.wet
    agent.result, agent.busy = 3, 4
    agent.active = False
    state.heat, state.door_open = state.heat * 2, state.heat > 3
    state.score += 1
    state.agents[1].mood = 7
    spare = copy_agent(agent, state.scratch)
    spare.position = Position(9, 9)
    spare.drop()
    out[10] = (
        spare.position.x + spare.energy + (spare == agent) + 2 * isinstance(spare.grid_object, NoneGridObject)
    )
    out[11] = agent.action is Action.ACTUATE
    if state.tick == 5:
        clear(state)


def test_compiled_states_are_the_same() -> None:
    known = {"vocabulary": WORDS, "transition": PURPOSE["transition"]}
    compiled = compiled_for(WORDS, edits, **known)
    rng = np.random.default_rng(2)
    for trial in range(60):
        state = State.blank((3, 4), WORDS, 2)
        state.data[:4] = trial % 7, *rng.integers(1 << 62, size=3)
        state.heat, state.door_open = rng.normal(), rng.random() < 0.5
        for agent in state.agents:
            agent.position = Position(rng.integers(3), rng.integers(4))
            agent.orientation = Orientation(rng.integers(4))
            agent.agent_row[7] = rng.integers(13)
        for edit in rng.choice(np.array(list(EDITS.values())), size=4):
            edit(state)
        its = state.copy()
        mine_out, its_out = np.zeros(12), np.zeros(12)
        edits(places_of(state), mine_out, **known)
        compiled(places_of(its), its_out)
        assert mine_out.tolist() == its_out.tolist()
        assert state.identical(its)


@trusted
def reach(places, i, what, *, vocabulary):  # type: ignore[no-untyped-def]
    state = state_at(places, vocabulary)
    if what == 0:
        return state.agents[i].energy
    return state.seen_by(i).agent.energy


def test_compiled_agents_are_numbered_the_same() -> None:
    compiled = compiled_for(WORDS, reach, vocabulary=WORDS)
    state = blank()
    state.agents[1].energy = 5
    for what in (0, 1):
        assert [compiled(places_of(state), i, what) for i in (0, 1)] == [100, 5]
        for i in (-1, 2, 1 << 40):
            with pytest.raises((IndexError, RuntimeError)):
                compiled(places_of(state), i, what)


def test_a_state_is_not_made_of_a_grid_and_an_agent():
    state = State.blank((2, 2))
    for make in (
        lambda: State(state.grid, state.agent),
        lambda: State(grid=state.grid, agent=state.agent),
        State,
    ):
        with pytest.raises(TypeError, match=r"world\.blank_state\(\), or State\.blank"):
            make()


def test_an_agent_that_is_given_nothing_is_told_how_to_drop():
    state = State.blank((2, 2))
    with pytest.raises(TypeError, match=r"not None; agent\.drop\(\)"):
        state.agent.grid_object = None
