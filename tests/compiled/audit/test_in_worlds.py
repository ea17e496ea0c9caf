"""The audit's rules in whole worlds: batches give the same rewards and states, compiled as interpreted; none ends the
process, and one that raises leaves no mark."""

from __future__ import annotations

import functools
import math
import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import pytest

from gridarium import Spec, World
from gridarium.compiled.data_types.value_class import value
from gridarium.compiled.data_types.vectors import new_integers
from gridarium.rules.calling import call_rule
from gridarium.rules.collection import count_wanted
from gridarium.rules.reward_functions import discounted, reduce
from gridarium.world import Action, Color, Key, Position
from tests.compiled.fuzz.trial import attempt

pytestmark = pytest.mark.slow


def w_exp(state, action, next_state):
    return float(np.exp(-0.37 * (next_state.agent.position.y * 5 + next_state.agent.position.x)))


def w_log(state, action, next_state):
    return np.log1p(next_state.tick)


def w_tanh(state, action, next_state):
    return np.tanh(0.1 * next_state.tick)


def w_pow(state, action, next_state):
    return math.pow(0.99, next_state.tick)


def w_pow_of_negative(state, action, next_state):
    return math.pow(next_state.agent.position.y - 2, 0.5)


def w_while_else(state, action, next_state):
    k = next_state.agent.position.x
    while k > 9:
        k -= 1
    else:  # noqa: PLW0120
        return 2 ** (k - 3)
    return 0


def w_ldexp(state, action, next_state):
    return math.ldexp(1.0, 500 * next_state.agent.position.x)


SMALL_REAL = np.float32(0.99)


def w_float32(state, action, next_state):
    return SMALL_REAL * next_state.tick


SMALL = np.uint8(200)


def w_uint8(state, action, next_state):
    return SMALL + next_state.agent.position.x * 20


def double(f):
    @functools.wraps(f)
    def inner(a, b=10):
        return 2 * f(a, b)

    return inner


@double
def add_up(a, b=1):
    return a + b


def w_wrapped(state, action, next_state):
    return add_up(next_state.agent.position.x)


def w_dice(state, action, next_state, *, rng):
    d = rng.integers(6, size=3)
    return (d[0] > 2) + (d[1] > 2) + (d[2] > 2)


def w_histogram(state, action, next_state):
    c = new_integers(state.scratch, 3)
    c[next_state.agent.position.x % 3] += 1
    return (c[0] == 0) + (c[1] == 0) + (c[2] == 0)


def w_shift(state, action, next_state):
    c = new_integers(state.scratch, 2)
    c[0] = 1
    c[0] <<= 60 + next_state.agent.position.x
    return float(c[0] != 0) + 1.0 * (c[0] > 0)


def w_is_true(state, action, next_state, *, rng):
    hit = rng.random(2) < 0.5
    return 1.0 if hit[0] is True else 0.0


def w_division(state, action, next_state):
    h = (next_state.tick * 2862933555777 + 3037000493) * 1009 % (2**61 - 1)
    return h / (2**61 - 1)


def w_names(state, action, next_state):
    __total = 5
    return sum(p.y + __total for p in next_state.grid.positions())


def w_int64(state, action, next_state):
    return np.int64(next_state.tick) / 3 + np.sign(-0.0)


def w_shifted_truth(state, action, next_state):
    w = next_state.agent.position.x > 1
    return w << (next_state.agent.position.x - 2)


def worth(state, action, next_state):
    """A whole number or a float."""
    return 3000001 if state.agent.position.x < 3 else 0.5


def nothing(state, action, next_state):
    """0, or a float; compiled, a zero with a sign."""
    return -(0 if state.agent.position.x < 3 else 0.5)


def w_called(state, action, next_state):
    z = call_rule(worth, (state, action, next_state), None)
    return z * z * z % 1000


def w_chosen(state, action, next_state, *, rng):
    z = rng.choice((worth(state, action, next_state), worth(state, action, next_state)))
    return z * z * z % 1000


def w_discounted(state, action, next_state):
    z = discounted(state, action, next_state, reward_function=nothing, decay=0.5, horizon=100.0)
    return math.copysign(1.0, z)


def large(state, action, next_state):
    return 2**53 + 1 + state.agent.position.x


w_reduced = functools.partial(reduce, reward_functions=(large, large, worth), reduction=sum)


def w_truth_as_an_index(state, action, next_state):
    numbers = new_integers(state.scratch, 4)
    found = False
    for k in range(1, 3):
        if state.agent.position.x == k + 2:
            found = k
    numbers[found] = 5
    numbers[max(state.agent.position.y > 2, 0)] += 2
    return numbers[0] * 1000 + numbers[1] * 100 + numbers[2] * 10


def w_agent_by_truth(state, action, next_state):
    k = state.agent.position.y > 9 if state.agent.position.x < 3 else 0
    return state.agents[k].number + next_state.agent.position.y


def w_truth_as_a_size(state, action, next_state, *, rng):
    size = (state.agent.position.y > 0) or 2
    return len(rng.random(size)) + rng.random((size, 2))[size - 1, 1]


def w_truths_chosen(state, action, next_state, *, rng):
    k = state.agent.position.y > 0 if state.agent.position.x < 3 else 2
    chosen, truths = rng.choice((k, k), size=2), rng.choice((True, False), size=3)
    chosen[0] += 5
    truths[1] += 5
    return chosen[0] + 10 * truths[1]


def w_maybe_whole_numbers_chosen(state, action, next_state, *, rng):
    z = rng.choice((worth(state, action, next_state), worth(state, action, next_state)), size=2)
    return z[0] * z[0] * z[0] % 1000


def float_or_none(state):
    z = None
    if state.agent.position.x > 2:
        z = 2.5
    return z


def w_float_or_none_in_an_array(state, action, next_state):
    z, numbers = float_or_none(state), new_integers(state.scratch, 2)
    if z is not None:
        numbers[0] = z
    return numbers[0]


def w_float_or_none_in_a_position(state, action, next_state):
    z = float_or_none(state)
    return 7 if z is None else Position(z, 1).y


@value
class Holder:
    held: object

    def __mul__(self, other):
        return self.held


@value
class Owner:
    held: object


def w_nearest_agent_if_any(state, action, next_state):
    nearest = None
    for other in state.agents:
        if other.position.x > 2:
            nearest = other
    place = None if nearest is None else nearest.position
    return (state.agent == nearest) + 2 * (state.agents[0] != nearest) + 4 * (Position(1, 4) == place)


def w_object_of_another_class_if_any(state, action, next_state):
    owner, holder = None, None
    if state.agent.position.x > 2:
        owner, holder = Owner(1), Holder(1)
    return (
        (Holder(1) == owner) + 2 * (Holder(1) == holder) + 4 * (holder == Holder(1)) + 8 * (holder != owner)
    )


def w_large_number_of_an_object_if_any(state, action, next_state):
    holder = None
    if state.agent.position.x > 2:
        holder = Holder(float(2**53))
    return Holder(2**53 + 1) == holder


def w_operator_of_what_may_be_none(state, action, next_state):
    holder = None
    if state.agent.position.x < 9:
        holder = Holder(worth(state, action, next_state))
    if holder is None:
        return 0
    z = holder * 1.5
    return z * z * z % 1000


def w_counted_from_afar(state, action, next_state):
    return count_wanted((1, 2, 3), 0, state.agent.position.x - 2**62 - 2**62 + 1, 3)


def w_array_or_none(state, action, next_state, *, rng):
    return 1 if rng.integers(5, size=3) == None else 2  # noqa: E711


def w_array_that_may_be_none(state, action, next_state):
    numbers = None
    if state.agent.position.x > 2:
        numbers = new_integers(state.scratch, 3)
    return 1 if numbers == None else 2  # noqa: E711


def w_mask_or_none(state, action, next_state):
    return 1 if state.grid.mask(False) != None else 2  # noqa: E711


def w_array_in_a_set(state, action, next_state):
    numbers = new_integers(state.scratch, 2)
    return numbers in {numbers}


RULES = {name: rule for name, rule in globals().items() if name.startswith("w_")}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", RULES)
def test_a_reward_is_the_same_compiled_as_interpreted(name: str) -> None:
    trial = attempt(RULES[name])
    assert trial.verdict != "differs", trial.detail


@pytest.mark.exhaustive
def test_a_world_of_them_gives_the_same_rewards_compiled_as_interpreted() -> None:
    spec = Spec.build(
        name="audit",
        shape=(6, 7),
        objects=["Wall", "Floor", "Exit"],
        reset="empty",
        transitions=["move_agent", "turn_agent"],
        rewards=[*RULES.values()],
        time_limit=150,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        one, other = (World(spec, compiled=compiled).batch(3) for compiled in (True, False))
        one.reset(0)
        other.reset(0)
        rng = np.random.default_rng(1)
        for _ in range(150):
            actions = rng.integers(0, 8, 3)
            given, again = stepped(other, actions), stepped(one, actions)
            assert given == again, f"interpreted {given}, compiled {again}"


def stepped(batch: Any, actions: Any) -> tuple[Any, bytes]:
    """The rewards of a step, or what it raised, and the states after it."""
    try:
        outcome: Any = [float(reward).hex() for reward in batch.step(actions).rewards]
    except (ArithmeticError, ValueError, TypeError) as error:
        outcome = repr(error)
    return outcome, batch.snapshot().data.tobytes()


def leaves(state, action):
    state.grid[2, 2] = Key(Color.RED)
    if action == Action.ACTUATE:
        raise SystemExit(3)


@pytest.mark.exhaustive
def test_a_rule_that_ends_the_program_leaves_the_same_worlds_compiled_as_interpreted() -> None:
    spec = Spec.build(
        name="leaving",
        shape=(6, 6),
        objects=["Wall", "Floor", "Exit", "Key"],
        colors=["RED"],
        reset="empty",
        transitions=["move_agent", leaves],
    )
    actuate = next(i for i, action in enumerate(spec.actions) if action.name == "ACTUATE")
    found = []
    for compiled in (True, False):
        batch = World(spec, compiled=compiled).batch(3)
        batch.reset(0)
        with pytest.raises(SystemExit):
            batch.step(np.array([0, actuate, 0]))
        found.append(([*batch.ticks], [isinstance(batch.state(i).grid[2, 2], Key) for i in range(3)]))
    assert found[0] == found[1]


def below(grid, p):
    for y in range(p.y + 1, grid.height):
        yield Position(y, p.x)


def passed_on(grid, p):
    return below(grid, p)


def everywhere(grid):
    return grid.positions()


def adds_what_is_passed_on(state, action):
    for p in passed_on(state.grid, state.agent.position):
        state.total += p.y


def adds_what_has_a_name(state, action):
    g = below(state.grid, state.agent.position)
    for p in g:
        state.total += p.y


def adds_everything(state, action):
    for p in everywhere(state.grid):
        state.total += p.y


GENERATING = (adds_what_is_passed_on, adds_what_has_a_name, adds_everything)


def run_generating(number: int) -> None:
    """Run a world whose rule has a generator from elsewhere."""
    spec = Spec.build(
        name="generating",
        shape=(6, 6),
        objects=["Floor", "Wall", "Exit"],
        fields={"world": [{"name": "total", "type": "int"}]},
        reset="empty",
        transitions=[GENERATING[number]],
    )
    totals = []
    for compiled in (True, False):
        world = World(spec, compiled=compiled)
        state = world.reset(seed=0)
        for _ in range(20):
            state, _, _ = world.step(state, 0)
        totals.append(state.total)
    assert totals[0] == totals[1]


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "number",
    [pytest.param(i, id=r.__name__) for i, r in enumerate(GENERATING)],
)
def test_a_generator_from_elsewhere_does_not_end_the_process(number: int) -> None:
    text = f"from tests.compiled.audit.test_in_worlds import run_generating; run_generating({number})"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"it ended with {done.returncode}\n{done.stderr[-2000:]}"
