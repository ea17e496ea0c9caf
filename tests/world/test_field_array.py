"""Declared fields with a shape: arrays in states and agents, interpreted and compiled alike."""

import copy
import functools
import pickle

import numpy as np
import pytest

from gridarium.engine import World
from gridarium.engine.outcomes.interpreted import step_outcomes
from gridarium.testing.differential import compare, run_compiled
from gridarium.world import Action, Field, Floor, State, Wall
from gridarium.world.text_form.json import from_json, to_json
from gridarium.world.text_form.plain_data import InvalidData
from gridarium.world.text_form.state_text import from_text, to_text
from gridarium.world.vocabulary import Vocabulary
from gridarium.worlds import Description, DescriptionError, Spec
from tests.compiled_worlds import INTERPRETED_AND_COMPILED

FIELDS = {
    "world": [
        {"name": "stage", "type": "int", "default": 3},
        {"name": "hand", "type": "bool", "shape": [2, 3], "default": True},
        {"name": "scores", "type": "int", "shape": [4]},
        {"name": "last", "type": "int", "default": 7},
    ],
    "agent": [
        {"name": "weights", "type": "float", "shape": [2, 2, 2], "default": 0.5},
        {"name": "after", "type": "float", "default": 1.5},
    ],
}


def nothing(state):
    """Leave everything as it is."""


def play(state, action):
    """Use items, parts, loops and methods of arrays."""
    player = state.agent.number
    card = action.value % 3
    if state.hand[player, card]:
        state.hand[player, card] = False
        state.scores[player] += card + 1
    left = 0
    for own in state.hand[player]:
        if own:
            left += 1
    state.scores[-1] = left + len(state.hand) * 10 + state.hand.size
    weights = state.agent.weights
    weights[1, 0, 1] -= 0.25
    weights[0][1].fill(state.scores[2] / 8)
    rest = weights[1]
    for row in rest:
        row[0] = row[1] + rest.shape[1]
    if left not in state.scores:
        state.last = sum(state.scores[i] for i in range(4))
    if state.hand[0] == state.hand[1]:
        state.stage += 1


def unfilled(state, action):
    """Set a part at once."""
    state.scores.fill(action.value)
    state.scores[0] = state.scores[1] * 2


def build(transitions=(play,), **changes):
    described = {
        "name": "Hands", "shape": (2, 3), "objects": [Floor, Wall], "agents": 2, "fields": FIELDS,
        "reset": nothing, "transitions": list(transitions), "observation": "full_grid",
        "representation": {"name": "default", "fields": ["hand", "weights"]},
    }  # fmt: skip
    return Spec.build(**described | changes)


@pytest.fixture(scope="module", params=INTERPRETED_AND_COMPILED)
def world(request):
    return World(build(), compiled=request.param)


def test_arrays_begin_with_their_defaults_and_follow_each_other(world):
    state = world.reset(0)
    assert [list(row) for row in state.hand] == [[True] * 3] * 2
    assert (state.stage, list(state.scores), state.last) == (3, [0] * 4, 7)
    agent = state.agents[1]
    assert [n for a in agent.weights for b in a for n in b] == [0.5] * 8
    assert (agent.after, agent.weights.shape, agent.weights.size) == (1.5, (2, 2, 2), 8)


def test_items_are_python_numbers():
    state = World(build(), compiled=False).reset(0)
    found = state.hand[0, 0], state.scores[0], state.agent.weights[0, 0, 0]
    assert [type(n) for n in found] == [bool, int, float]


@pytest.mark.exhaustive
def test_interpreted_and_compiled_agree():
    results = []
    for compiled in (False, True):
        world = World(build(), compiled=compiled)
        state, seen = world.reset(5), []
        rng = np.random.default_rng(3)
        for _ in range(30):
            state = world.step(state, rng.integers(len(world.actions), size=2).tolist())[0]
            seen.append(state.tobytes())
        results.append(seen)
    assert results[0] == results[1]


@pytest.mark.exhaustive
def test_a_compiled_world_needs_no_interpreter():
    world = World(build(), compiled=True)
    world.batch(2).reset(0)
    assert world.composed.prepare() is not None


def states():
    vocabulary = Vocabulary(
        [Floor],
        agent_fields=[Field("weights", "float", 0.5, (2, 2, 2))],
        world_fields=[
            Field("hand", "bool", True, (2, 3)), Field("scores", "int", 0, (4,)), Field("stage", "int"), Field("last", "int"),
        ],
    )  # fmt: skip
    blank = State.blank((2, 2), vocabulary, 2)
    other = blank.copy()
    other.hand[1, 2] = False
    other.scores[2] = -5
    return [blank, other]


@pytest.mark.parametrize("rule", [play, unfilled])
def test_rules_do_the_same_compiled(rule):
    assert compare("transition", rule, states())


def past_the_end(state, action):
    state.scores[action.value - 6] = 1


def too_few(state, action):
    state.hand[0, action.value % 5] = False


@pytest.mark.parametrize("rule", [past_the_end, too_few])
def test_indices_out_of_range_raise_in_both(rule):
    assert any(isinstance(found, IndexError) for found in compare("transition", rule, states()))


def whole(state, action):
    state.scores = 3


def fraction(state, action):
    state.scores[0] = 0.5


def row(state, action):
    state.hand[0] = True


def too_many(state, action):
    state.scores[0, 0] = 1


@pytest.mark.parametrize(
    ("rule", "error", "message"),
    [
        (whole, AttributeError, r"scores is an array: assign to its items"),
        (fraction, TypeError, "an array of whole numbers takes"),
        (row, IndexError, "fill"),
        (too_many, IndexError, "at most as many indices, not 2"),
    ],
)
def test_what_an_array_does_not_take_is_refused_in_both(rule, error, message):
    state = states()[0]
    with pytest.raises(error, match=message):
        rule(state.copy(), None)
    with pytest.raises(Exception, match=message):
        run_compiled("transition", rule, state)


def single_fraction(state, action):
    state.last = 0.5


def added_fraction(state, action):
    state.stage -= 0.5


def fraction_of_a_result(state, action):
    state.agent.result = 1.5


@pytest.mark.parametrize("rule", [single_fraction, added_fraction, fraction_of_a_result])
def test_what_has_a_fraction_is_not_cut_off_in_a_field_of_whole_numbers(rule):
    state = states()[0]
    for run in (rule, functools.partial(run_compiled, "transition", rule)):
        with pytest.raises(TypeError, match="a field of whole numbers takes none such as .*; write int"):
            run(state.copy(), Action.WAIT)


def test_a_whole_number_of_more_than_64_bits_is_named():
    state = states()[0]
    with pytest.raises(OverflowError, match="64 bits"):
        state.agent.result = 2**64


def test_arrays_are_observed_item_by_item(world):
    batch = world.batch(2)
    first = batch.reset(0)
    assert first["fields"].shape == (2, 2, 6 + 8)
    assert first["fields"][0, 1].tolist() == [1.0] * 6 + [0.5] * 8


def test_states_survive_text_json_pickle_and_copies(world):
    state = world.step(world.reset(0), [1, 2])[0]
    state.agents[1].weights[1, 1, 1] = float("nan")
    for back in (
        from_json(to_json(state)), from_text(to_text(state)), pickle.loads(pickle.dumps(state)), copy.copy(state),
    ):  # fmt: skip
        assert back.identical(state)


def test_wrong_records_are_named():
    state = states()[0]
    text = to_json(state)
    with pytest.raises(InvalidData, match="4 entries are needed here, not 2"):
        from_json(text.replace("[0, 0, 0, 0]", "[0, 0]"))


def test_outcomes_list_arrays(world):
    outcomes = step_outcomes(world, world.reset(0), [0, 1])
    assert len(outcomes) == 1


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"name": "a", "shape": [0]}, "greater than or equal to 1|from 1"),
        ({"name": "a", "shape": [300, 300]}, "at most 65536 items"),
    ],
)
def test_wrong_shapes_are_named(entry, message):
    with pytest.raises(DescriptionError, match=message):
        Description.from_dict(
            {"objects": ["Floor"], "transitions": ["move_agent"], "fields": {"world": [entry]}}
        )


def test_cells_take_single_numbers():
    with pytest.raises(DescriptionError, match="takes no shape"):
        build(fields={"cell": [{"name": "depth", "shape": [2]}]})


def test_descriptions_keep_shapes():
    spec = build()
    again = Spec.build(**{**build().description.to_dict(), "reset": nothing, "transitions": [play]})
    assert again.vocabulary == spec.vocabulary
