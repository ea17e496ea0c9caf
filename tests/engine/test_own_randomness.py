"""`state.rng`, the random numbers of rules that were given none: one stream a tick, the same in both modes."""

from __future__ import annotations

import numpy as np
import pytest

from gridarium.engine import World
from gridarium.world import Area, Exit, Floor, Observation, Position, Wall
from gridarium.world.actions import Action
from gridarium.world.vocabulary import Field
from gridarium.worlds import Spec

COUNT = 2000
FIELDS = ("begun", "first", "again", "second")
RANGE = 1 << 30


def begins(state):
    state.begun = state.rng.integers(RANGE)


def draws_twice(state, action):
    state.first = state.rng.integers(RANGE)
    state.again = state.rng.integers(RANGE)


def draws(state, action):
    state.second = state.rng.integers(RANGE)


def gamble(state, action, next_state):
    return float(next_state.rng.integers(RANGE))


def stake(state, action, next_state):
    return state.rng.integers(RANGE) * 2.0**-30


def fogged(state):
    grid = state.grid.subgrid(Area((0, 0), (0, 2)))
    for x in range(3):
        if state.rng.random() < 0.5:
            grid[Position(0, x)] = Wall()
    return Observation(grid, state.agent)


def made(compiled: bool = True, **options) -> World:
    given = {
        "objects": [Floor, Wall, Exit],
        "actions": [Action.LEFT, Action.RIGHT],
        "shape": (1, 3),
        "reset": begins,
        "transitions": [draws_twice, draws],
        "rewards": [gamble, stake],
        "observation": fogged,
        "fields": {"world": [Field(name, "int") for name in FIELDS]},
    }
    return World(Spec.build(**given | options), compiled=compiled)


@pytest.fixture(scope="module")
def drawn() -> dict[str, np.ndarray]:
    """What each rule has drawn in the first step of many worlds; observations as whole numbers."""
    batch = made().batch(COUNT)
    seen = [_numbered(batch.reset(5))]
    result = batch.step(np.zeros(COUNT, int))
    seen.append(_numbered(result.observations))
    states = [batch.state(i) for i in range(COUNT)]
    found = {name: np.array([getattr(state, name) for state in states]) for name in FIELDS}
    whole = np.floor(result.rewards)
    return found | {"gamble": whole, "stake": result.rewards - whole, "before": seen[0], "after": seen[1]}


def _numbered(observations: dict[str, np.ndarray]) -> np.ndarray:
    return (observations["grid"][:, 0, :, 0] == observations["grid"][:, 0, :, 0].max()) @ np.array([1, 2, 4])


class TestOneStream:
    @pytest.mark.exhaustive
    def test_no_two_draws_of_a_step_are_alike(self, drawn: dict[str, np.ndarray]) -> None:
        names = ("begun", "first", "again", "second", "gamble")
        for i, one in enumerate(names):
            for other in names[i + 1 :]:
                assert (drawn[one] != drawn[other]).all(), (one, other)

    @pytest.mark.exhaustive
    def test_draws_do_not_go_together(self, drawn: dict[str, np.ndarray]) -> None:
        """Correlations of 2,000 independent pairs lie within 5 standard errors, but for one set of seeds in 100,000."""
        correlations = np.corrcoef([drawn[name] for name in drawn])
        off = correlations[~np.eye(len(correlations), dtype=bool)]
        assert np.abs(off).max() < 5 / np.sqrt(COUNT)

    @pytest.mark.exhaustive
    def test_interpreted_alike(self, drawn: dict[str, np.ndarray]) -> None:
        batch = made(compiled=False).batch(20)
        assert not batch.composed.ready
        before = _numbered(batch.reset(5))
        result = batch.step(np.zeros(20, int))
        assert (before == drawn["before"][:20]).all()
        assert (_numbered(result.observations) == drawn["after"][:20]).all()
        assert (np.floor(result.rewards) == drawn["gamble"][:20]).all()
        for i in range(20):
            assert [getattr(batch.state(i), name) for name in FIELDS] == [drawn[name][i] for name in FIELDS]

    def test_a_step_can_be_taken_again(self) -> None:
        world = made()
        state = world.reset(3)
        state.rng.random(3)  # what was drawn before a step does not change it
        once, reward, _ = world.step(state, 0)
        again, same, _ = world.step(state, 0)
        assert once.identical(again)
        assert reward == same


class TestLooseStates:
    def test_it_goes_on(self) -> None:
        state = made().reset(0)
        luck = state.copy().rng
        assert [state.rng.random() for _ in range(5)] == [luck.random() for _ in range(5)]
        copied = state.copy()
        assert state.rng.random() == copied.rng.random() == luck.random()

    def test_a_fork_begins_its_own(self) -> None:
        state = made().reset(0)
        drawn = state.rng.random()
        assert state.fork(1).rng.random() == state.fork(1).rng.random() != drawn
        assert state.fork(1).rng.random() == made().reset(0).fork(1).rng.random()

    @pytest.mark.parametrize("compiled", [True, False])
    def test_an_observation_is_the_same_however_one_looks(self, compiled: bool) -> None:
        world = made(compiled)
        for seed in range(10):
            state = world.reset(seed)
            state.rng.random()
            after = state.rng.random()
            arrays = world.arrays(state)["grid"]
            walls = [isinstance(world.observe(state).grid[0, x], Wall) for x in range(3)]
            assert walls == [isinstance(world.observe(state).grid[0, x], Wall) for x in range(3)]
            assert (arrays[0, :, 0] == arrays[0, :, 0].max()).tolist() == walls or not any(walls)
            assert state.rng.random() != after
