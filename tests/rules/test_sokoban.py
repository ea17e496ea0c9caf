"""Sokoban: pushing, rewards, and rooms that can be solved."""

import numpy as np
import pytest

from gridarium.agents import shortest_plan
from gridarium.engine import World
from gridarium.rules.sokoban import crates_stored, push_crate, store_crates
from gridarium.testing.differential import compare
from gridarium.world import Action, Crate, Floor, Goal, Position, State, Vocabulary, Wall
from gridarium.worlds import Spec

LOOSE, STORED = Crate(Crate.Status.LOOSE), Crate(Crate.Status.STORED)


def room(picture, **changes):
    """Level 1 of Skinner's Microban collection, or another picture, with the rules of the catalogue's worlds."""
    given = {
        "name": "Level", "objects": [Wall, Floor, Goal, Crate], "actions": ["LEFT", "DOWN", "RIGHT", "UP"],
        "map": {"format": "xsb", "picture": picture}, "transitions": ["push_crate", "move_agent"],
        "rewards": ["store_crates"], "terminations": ["crates_stored"], "observation": "full_grid", "time_limit": 200,
    }  # fmt: skip
    return World(Spec.build(**given | changes), compiled=False)


def play(world, moves):
    state, total = world.reset(0), 0.0
    for move in moves:
        state, reward, ended = world.step(
            state, Action[{"l": "LEFT", "d": "DOWN", "r": "RIGHT", "u": "UP"}[move]]
        )
        total += reward
    return state, total, ended


def test_a_crate_is_pushed_onto_a_goal_and_off_again():
    world = room("#######\n#@$.  #\n# $   #\n#######")
    state, total, ended = play(world, "r")
    assert state.grid[1, 3] == STORED and state.agent.position == Position(1, 2)
    assert total == 1.0 and not ended
    state, total, _ = play(world, "rr")
    assert isinstance(state.grid[1, 3], Goal) and state.grid[1, 4] == LOOSE and total == 0.0


@pytest.mark.parametrize("row", ["#@$#", "#@$$ #", "#@$"])
def test_what_blocks_a_crate_blocks_its_pusher(row):
    width = len(row)
    world = room("\n".join(["#" * width, row, "#" * width]))
    state, _, _ = play(world, "r")
    assert state.agent.position == Position(1, 1) and state.grid[1, 2] == LOOSE and state.agent.result != 0


def test_crates_are_not_pulled():
    state, _, _ = play(room("#######\n# @$  #\n#######"), "l")
    assert state.grid[1, 3] == LOOSE and state.agent.position == Position(1, 1)


def test_a_level_of_microban_is_solved():
    world = room("####\n# .#\n#  ###\n#*@  #\n#  $ #\n#  ###\n####")
    plan = shortest_plan(world, world.reset(0))
    state, total = world.reset(0), 0.0
    for action in plan.actions:
        state, reward, ended = world.step(state, action)
        total += reward
    assert plan.succeeds and ended
    assert total == 11.0


def test_an_agent_of_a_level_may_stand_on_a_goal_and_dashes_and_spaces_are_floor():
    state = room("####\n#+-#\n#$_ #\n####").reset(0)
    assert state.agent.position == Position(1, 1) and isinstance(state.grid[1, 1], Goal)
    assert state.grid[2, 1] == LOOSE
    assert all(isinstance(state.grid[p], Floor) for p in (Position(1, 2), Position(2, 2), Position(2, 3)))


@pytest.mark.parametrize(
    ("name", "crates"), [("Sokoban-7x7-2", 2), ("Sokoban-10x10-3", 3), ("Sokoban-10x10-5", 5)]
)
def test_worlds_are_as_gym_sokobans(name, crates):
    world = World(name, compiled=False)
    objects = [thing for row in world.reset(1).grid.objects for thing in row]
    assert world.spec.time_limit == 200 and objects.count(LOOSE) == crates


def test_rooms_can_be_solved():
    world = World("Sokoban-7x7-2", compiled=False)
    assert shortest_plan(world, world.reset(0)).succeeds


def test_rooms_have_as_many_goals_as_crates_and_nothing_stands_on_them():
    world = World("Sokoban-10x10-5", compiled=False)
    for seed in range(2):
        state = world.reset(seed)
        objects = [thing for row in state.grid.objects for thing in row]
        assert objects.count(LOOSE) == 5 and sum(isinstance(thing, Goal) for thing in objects) == 5
        assert isinstance(state.grid[state.agent.position], Floor)


def states():
    vocabulary = Vocabulary([Wall, Floor, Goal, Crate])
    rng, made = np.random.default_rng(0), []
    for _ in range(12):
        state = State.blank((4, 5), vocabulary, 2)
        for p in state.grid.positions():
            state.grid[p] = [Floor(), Floor(), Goal(), LOOSE, STORED, Wall()][rng.integers(6)]
        for agent in state.agents:
            agent.position = Position(int(rng.integers(4)), int(rng.integers(5)))
            state.grid[agent.position] = Floor()
        made.append(state)
    return made


@pytest.mark.exhaustive
def test_rules_do_the_same_compiled():
    compare("transition", push_crate, states())
    compare("reward", store_crates, states())
    compare("terminating", crates_stored, states())


@pytest.mark.exhaustive
def test_the_reset_rule_does_the_same_compiled():
    given = {"num_crates": 3, "shape": (8, 8)}  # the program is that of the world itself
    mine, its = (World("Sokoban-7x7-2", compiled=compiled, **given).batch(6) for compiled in (False, True))
    assert its.composed.compiled
    mine.reset(0), its.reset(0)
    assert all(mine.state(i).identical(its.state(i)) for i in range(6))


def test_a_room_that_is_too_small_is_refused():
    with pytest.raises(ValueError, match="needs at least 5 x 5"):
        World(Spec.build(
            name="Tiny", shape=(4, 4), objects=[Wall, Floor, Goal, Crate], reset={"name": "sokoban", "num_crates": 1},
            transitions=["push_crate", "move_agent"], observation="full_grid",
        ), compiled=False).reset(0)  # fmt: skip
