"""A world whose rules read what changes: interpreted it follows, compiled it is refused, and never goes on in silence."""

from __future__ import annotations

import functools
import pickle
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from gridarium.agents import compile_outcomes, step_outcomes
from gridarium.engine import Autoreset, Snapshot, StaleProgramError, World
from gridarium.engine.batch import CHECKED_EVERY
from gridarium.engine.single_world import SingleWorld
from gridarium.env import GridariumEnv, GridariumVectorEnv, parallel_env
from gridarium.world import Action, Floor, Position, Wall
from gridarium.worlds import Spec


@dataclass
class Lesson:
    """What a curriculum would change."""

    level: int = 1


LESSON = Lesson()
PRICES = [1, 2]


def price(level):  # type: ignore[no-untyped-def]
    return PRICES[0] * level


def start(state):  # type: ignore[no-untyped-def]
    for agent in state.agents:
        agent.position = Position(1, 1)


def earned(state, action, next_state, *, each: float = 1.0):  # type: ignore[no-untyped-def]
    return each * price(LESSON.level)


def never(state, action, next_state):  # type: ignore[no-untyped-def]
    return False


def counting():  # type: ignore[no-untyped-def]
    """A rule and what changes a variable that it shares with it."""
    count = 1

    def counted(state, action, next_state):  # type: ignore[no-untyped-def]
        return count

    def more():  # type: ignore[no-untyped-def]
        nonlocal count
        count += 1

    return counted, more


def lessons(*, compiled: bool = True, agents: int = 1, reward: Any = None) -> World:
    spec = Spec.build(
        name="Lessons",
        shape=(3, 3),
        objects=[Floor, Wall],
        actions=[Action.MOVE_FORWARD],
        agents=agents,
        reset=start,
        transitions=["move_agent"],
        rewards=[reward or functools.partial(earned, each=2.0)],
        terminations=[never],
        observation="full_grid",
        time_limit=5,
    )
    return World(spec, compiled=compiled)


@pytest.fixture(autouse=True)
def first_lesson(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test begins with the same globals, so the program is compiled once and then loaded."""
    monkeypatch.setattr(LESSON, "level", 1)
    monkeypatch.setitem(globals(), "PRICES", [1, 2])


def refused(told: str = "rule 'earned': LESSON.level was 1, is now 2") -> Any:
    return pytest.raises(StaleProgramError, match=told.replace("[", r"\["))


def bytes_of(snapshot: Snapshot) -> list[bytes]:
    return [array.tobytes() for array in snapshot.arrays()]


def test_interpreted_rules_follow() -> None:
    world = lessons(compiled=False)
    state = world.reset(0)
    assert world.step(state, 0)[1] == 2
    LESSON.level = 2
    assert world.step(state, 0)[1] == 4
    batch = world.batch(2)
    batch.reset(0)
    PRICES[0] = 5
    assert batch.step([0, 0]).rewards.tolist() == [20, 20]


@pytest.mark.exhaustive
def test_a_batch_is_neither_reset_nor_made_nor_put_anywhere() -> None:
    world = lessons()
    batch = world.batch(2)
    batch.reset(3)
    batch.step([0, 0])
    before = batch.snapshot()
    LESSON.level = 2
    with refused():
        batch.reset(5)
    with refused():
        batch.reset(mask=np.array([True, False]))
    with refused():
        batch.restore(before)
    with refused():
        batch.set_state(0, batch.state(1))
    with refused():
        world.batch(2)
    assert bytes_of(batch.snapshot()) == bytes_of(before)
    LESSON.level = 1
    batch.reset(3)
    assert batch.step([0, 0]).rewards.tolist() == [2, 2]


@pytest.mark.exhaustive
def test_a_new_world_is_compiled_anew() -> None:
    old = lessons()
    assert old.composed.compiled
    LESSON.level = 2
    new = lessons()
    assert new.step(new.reset(0), 0)[1] == 4
    with refused():
        old.reset(0)


@pytest.mark.exhaustive
def test_a_program_that_is_loaded(capfd: pytest.CaptureFixture[str]) -> None:
    lessons().reset(0)
    capfd.readouterr()
    world = lessons()
    world.reset(0)
    assert "compiling" not in capfd.readouterr().err
    LESSON.level = 2
    with refused():
        world.reset(0)


@pytest.mark.exhaustive
def test_one_world_as_a_function() -> None:
    world = lessons()
    state = world.reset(0)
    LESSON.level = 2
    with refused():
        world.reset(0)
    with refused():
        world.step(state, 0)
    with refused():
        world.next_episode(state)
    with refused():
        world.observe(state)


def test_what_a_helper_reads() -> None:
    world = lessons()
    world.reset(0)
    PRICES.append(3)
    with refused("rule 'earned', in price: PRICES was [1, 2], is now [1, 2, 3]"):
        world.reset(0)
    PRICES[:] = [1, 2]
    world.reset(0)


def test_a_helper_that_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    world = lessons()
    world.reset(0)
    monkeypatch.setitem(globals(), "price", lambda level: 3)
    with refused("rule 'earned': price was price "):
        world.reset(0)


@pytest.mark.exhaustive
@pytest.mark.parametrize("compiled", [True, False])
def test_a_variable_of_an_outer_function(compiled: bool) -> None:
    counted, more = counting()
    world = lessons(compiled=compiled, reward=counted)
    assert world.step(world.reset(0), 0)[1] == 1
    more()
    if compiled:
        with refused("rule 'counted': count was 1, is now 2"):
            world.reset(0)
    else:
        assert world.step(world.reset(0), 0)[1] == 2


def test_equal_things_in_the_place_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    world = lessons()
    world.reset(0)
    monkeypatch.setitem(globals(), "LESSON", Lesson())
    monkeypatch.setitem(globals(), "PRICES", [1, 2])
    world.reset(0)
    LESSON.level = 2
    with refused():
        world.reset(0)


def test_an_environment() -> None:
    single = SingleWorld(lessons().composed)
    env = GridariumEnv(lessons())
    single.reset(0)
    env.reset(seed=0)
    LESSON.level = 2
    for reset in (single.reset, lambda: single.reset(1), env.reset, lambda: env.reset(seed=1)):
        with refused():
            reset()
    assert env.step(0)[1] == 2  # an episode goes on as it began
    LESSON.level = 1
    env.reset()


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_a_vector_environment(mode: str) -> None:
    world = lessons()
    env = GridariumVectorEnv(world, 3, autoreset_mode=mode)
    env.reset(seed=0)
    LESSON.level = 2
    with refused():
        env.reset()
    with refused():
        GridariumVectorEnv(world, 3)


def test_worlds_that_begin_episodes_by_themselves_are_refused_before_long() -> None:
    batch = lessons().batch(2, autoreset=Autoreset.NEXT_STEP)
    batch.reset(0)
    LESSON.level = 2
    for _ in range(CHECKED_EVERY - 1):
        assert set(batch.step([0, 0]).rewards.tolist()) <= {0.0, 2.0}
    before = bytes_of(batch.snapshot())
    with refused():
        batch.step([0, 0])
    assert bytes_of(batch.snapshot()) == before


@pytest.mark.exhaustive
def test_worlds_with_parameters_of_their_own_likewise() -> None:
    batch = lessons().batch(2, autoreset=Autoreset.NEXT_STEP)
    batch.set_parameters({"time_limit": 4}, [0])
    batch.reset(0)
    LESSON.level = 2
    for _ in range(CHECKED_EVERY - 1):
        assert set(batch.step([0, 0]).rewards.tolist()) <= {0.0, 2.0}
    with refused():
        batch.step([0, 0])


@pytest.mark.exhaustive
def test_several_agents() -> None:
    env = parallel_env(lessons(agents=2))
    env.reset(seed=0)
    LESSON.level = 2
    with refused():
        env.reset()


@pytest.mark.exhaustive
def test_a_world_that_is_pickled_is_compiled_with_what_is_there_when_it_is_unpickled() -> None:
    batch = lessons().batch(2)
    batch.reset(0)
    kept = pickle.dumps(batch)
    same = pickle.loads(kept)
    assert same.step([0, 0]).rewards.tolist() == [2, 2]
    LESSON.level = 2
    with refused():
        same.reset()
    other = pickle.loads(kept)
    other.reset(0)
    assert other.step([0, 0]).rewards.tolist() == [4, 4]
    with refused():
        batch.reset()


@pytest.mark.exhaustive
def test_outcomes_that_are_listed() -> None:
    world = lessons()
    state = world.reset(0)
    assert compile_outcomes(world)
    assert step_outcomes(world, state, [0])[0].rewards[0] == 2
    LESSON.level = 2
    with refused():
        step_outcomes(world, state, [0])
