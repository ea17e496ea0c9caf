"""What rules return is checked, interpreted and before compiling."""

import pytest

from gridarium import Spec, World
from gridarium.rules.observation_functions import from_visibility, full_grid
from gridarium.rules.visibility_functions import fully_transparent
from gridarium.world import Area, Exit, Floor, Position, Wall
from tests.compiled_worlds import INTERPRETED_AND_COMPILED


def nothing(state, action, next_state):
    """A reward that forgets to return."""


def sometimes(state, action, next_state):
    """A termination that forgets to return on one way."""
    if next_state.tick > 3:
        return True


def worded(state, action, next_state):
    return "much"


def small(**given):
    plain = {
        "reset": "empty",
        "transitions": ["move_agent"],
        "rewards": ["reach_exit"],
        "terminations": ["reach_exit"],
    }
    return Spec.build(
        name="Small",
        shape=(4, 4),
        objects=[Floor, Wall, Exit],
        **{"observation": "full_grid"} | plain | given,
    )


def seldom(state):
    """An observation that is forgotten after the first ticks."""
    if state.tick < 2:
        return full_grid(state)


WRONG = [
    (
        {"rewards": [nothing]},
        r"reward rule nothing returned None \(is a `return` missing\?\); it must return a number",
    ),
    (
        {"terminations": [sometimes]},
        "terminating rule sometimes returned None .*; it must return True or False",
    ),
    ({"rewards": [worded]}, "reward rule worded returned 'much'; it must return a number"),
]


@pytest.mark.parametrize(("given", "message"), WRONG)
def test_interpreted_it_is_refused_with_the_rules_name_and_the_world(given, message):
    batch = World(small(**given), compiled=False).batch(3)
    batch.reset(0)
    with pytest.raises(TypeError, match=message) as caught:
        batch.step([0, 0, 0])
    (rule,) = next(iter(given.values()))
    first = rule.__code__.co_firstlineno
    assert caught.value.__notes__[:2] == [
        "in world 0 of 3 (Small), tick 0",
        f"rule {rule.__name__}, {__file__}:{first}",
    ]


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize("given", [given for given, _ in WRONG[:2]])
def test_compiling_says_what_is_missing(given):
    (rule,) = next(iter(given.values()))
    place = rf"{rule.__name__} \({__file__}, line {rule.__code__.co_firstlineno}\): def {rule.__name__}\("
    with pytest.warns(
        UserWarning, match=rf"{place}.*\n.*must return .* on every path .*\(is a `return` miss"
    ):
        assert not World(small(**given)).composed.compiled


def moves_a_copy(state, action):
    """A transition in functional style, whose result nobody takes."""
    moved = state.copy()
    moved.agent.position = Position(2, 2)
    return moved


def counts(state):
    """A reset that gives the number of its cells."""
    return state.grid.height * state.grid.width


@pytest.mark.parametrize("compiled", INTERPRETED_AND_COMPILED)
@pytest.mark.parametrize(
    ("given", "returned"),
    [({"transitions": [moves_a_copy]}, "a State"), ({"reset": counts}, "a int")],
)
@pytest.mark.filterwarnings("ignore:.* runs interpreted:UserWarning")
def test_what_a_rule_that_edits_returns_is_not_lost_without_a_word(given, returned, compiled):
    batch = World(small(**given), compiled=compiled).batch(2)
    with pytest.raises(TypeError, match=f"returned {returned}, which would be lost; it edits the state"):
        batch.reset(0)
        batch.step([0, 0])


def test_rules_may_have_any_name():
    def name(state, action, next_state):
        return 2.0

    def text(state, action, next_state):
        return True

    batch = World(small(rewards=[name], terminations=[text]), compiled=False).batch(1)
    batch.reset(0)
    result = batch.step([0])
    assert (result.rewards.item(), result.terminated.item()) == (2.0, True)


def test_an_observation_that_is_missing_later_on_is_told_as_well():
    place = f"rule seldom, {__file__}:{seldom.__code__.co_firstlineno}"
    batch = World(small(observation=seldom), compiled=False).batch(2)
    batch.reset(0)
    batch.step([0, 0])
    with pytest.raises(
        TypeError, match="observation rule seldom returned None .* must return an Obs"
    ) as caught:
        batch.step([0, 0])
    assert place in caught.value.__notes__


@pytest.mark.sampled(6)
@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("rows", [1, 3, 90])
def test_observations_of_another_shape_are_refused(rows, compiled):
    def zoom(state):
        """It sees more, or less, from the third tick on."""
        far = (-1, 0) if state.tick < 2 else (1 - rows, 0)
        return from_visibility(state, area=Area(far, (-1, 1)), visibility_function=fully_transparent)

    world = World(small(observation=zoom), compiled=compiled)
    assert world.composed.compiled == compiled
    batch = world.batch(2)
    batch.reset(0)
    batch.step([0, 0])
    message = rf"zoom returned a grid of {rows}x3, and 2x3 of a world of floor; .* same shape"
    with pytest.raises(ValueError, match=message):
        batch.step([0, 0])


@pytest.mark.slow
def test_compiling_says_that_an_observation_may_be_missing():
    with pytest.warns(UserWarning, match=r"def seldom\(state\)\n.*must return an Observation on every path"):
        assert not World(small(observation=seldom)).composed.compiled


def test_a_legal_rule_that_returns_nothing_is_named_as_one():
    def seldom_legal(state, action):
        """It forgets to return."""

    batch = World(small(legal=[seldom_legal]), compiled=False).batch(1)
    with pytest.raises(TypeError, match="^legal rule seldom_legal returned None .* True or False"):
        batch.reset(0)


def test_a_lambda_can_be_a_rule():
    world = World(small(rewards=[lambda state, action, next_state: 2.5]), compiled=False)
    assert world.step(world.reset(0), 0)[1] == 2.5
    assert "nameless(state, action, next_state)" in world.explain()


def test_an_interpreted_rule_that_raises_is_run_once(capsys):
    def noisy(state, action):
        print("once")
        raise ValueError("no")

    world = World(small(transitions=[noisy]), compiled=False)
    with pytest.raises(ValueError, match="no"):
        world.step(world.reset(0), 0)
    assert capsys.readouterr().out == "once\n"
