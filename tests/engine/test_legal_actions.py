"""Rules that fill masks: equal to plain rules that say the same, in every way of running a world; masks as bits."""

import pickle

import numpy as np
import pytest

from gridarium.engine import Autoreset
from gridarium.engine.outcomes.compiled import CompiledEnumerator, find_entry
from gridarium.engine.outcomes.interpreted import step_outcomes
from gridarium.engine.outcomes.state_rows import rows_of
from gridarium.rules.legal_functions import legal_function_registry
from gridarium.rules.legal_registry import LegalFunctionRegistry
from gridarium.rules.results import ActionResultCode
from gridarium.testing import NotConforming, check_rule
from gridarium.testing.differential import compare
from gridarium.testing.states import visited_states
from gridarium.testing.worlds import check_masks
from gridarium.world import Action, Floor
from gridarium.worlds import DescriptionError, Spec
from tests.compiled_worlds import INTERPRETED_AND_COMPILED
from tests.engine.board import PLACE, RESIGN, board, empty, is_free, never_resign, place

N = 16
MOVE = Action.declare("MOVE")


@legal_function_registry.register(fills=PLACE)
def free_cells(state, mask):
    """Only free cells may be marked."""
    places = mask.of(PLACE)
    for p in state.grid.positions():
        if isinstance(state.grid[p], Floor):
            places[p] = True


@legal_function_registry.register(fills=PLACE)
def free_rows(state, mask):
    """Only free cells may be marked; row by row."""
    for y in range(state.grid.shape.height):
        bits = 0
        for x in range(state.grid.shape.width):
            if isinstance(state.grid[y, x], Floor):
                bits |= 1 << x
        mask.of(PLACE).rows[y] = bits


@legal_function_registry.register(fills=True)
def free_or_resign(state, mask):
    """Marks free cells, and nobody gives up before the board is full."""
    places = mask.of(PLACE)
    for p in state.grid.positions():
        places[p] = isinstance(state.grid[p], Floor)
    mask.of(RESIGN).fill(not places.any())


def in_the_middle(state, action):
    """Not in the first column."""
    return not action.is_a(PLACE) or action.at.x > 0


@pytest.fixture(scope="module", params=INTERPRETED_AND_COMPILED)
def compiled(request):
    return request.param


SLOW = [{"name": "PLACE", "over": "cells", "duration": 3}, "WAIT"]
PAIRS = [
    ({"legal": [is_free], "actions": SLOW}, {"legal": [free_cells], "actions": SLOW}),
    (
        {"legal": [is_free], "agents": 1, "turn_order": "all", "rewards": [], "terminations": []},
        {"legal": [free_cells], "agents": 1, "turn_order": "all", "rewards": [], "terminations": []},
    ),
    (
        {"legal": [is_free, in_the_middle], "turn_order": "all"},
        {"legal": [in_the_middle, free_rows], "turn_order": "all"},
    ),
    ({"legal": [is_free, never_resign]}, {"legal": [free_cells, never_resign]}),
    (
        {"legal": [is_free], "agents": [{"actions": ["PLACE"]}, {}]},
        {"legal": [free_cells], "agents": [{"actions": ["PLACE"]}, {}]},
    ),
]


@pytest.mark.parametrize("pair", range(len(PAIRS)))
@pytest.mark.parametrize("autoreset", [Autoreset.NEXT_STEP, Autoreset.SAME_STEP])
@pytest.mark.sampled(12)
def test_a_rule_that_fills_masks_equals_a_plain_one(compiled, pair, autoreset):
    given, other = PAIRS[pair]
    plain, filling = board(compiled=False, **given), board(compiled=compiled, **other)
    batches = [plain.batch(N, autoreset=autoreset), filling.batch(N, autoreset=autoreset, masks="bits")]
    rng = [np.random.default_rng(0) for _ in batches]
    for batch in batches:
        batch.reset(4)
    for step in range(40):
        chosen = [b.sample_actions(r) for b, r in zip(batches, rng, strict=True)]
        assert np.array_equal(*chosen)
        if step % 5 == 0:  # often illegal
            chosen = [np.random.default_rng(step).integers(9, size=c.shape) for c in chosen]
        one, other = (b.step(c) for b, c in zip(batches, chosen, strict=True))
        assert np.array_equal(one.masks, unpacked(other.masks, one.masks.shape[-1]))
        assert np.array_equal(one.results, other.results) and np.array_equal(one.rewards, other.rewards)
        for mine, its in zip(*(b.snapshot().arrays() for b in batches), strict=True):
            assert mine.tobytes() == its.tobytes()


def unpacked(masks, count):
    return np.unpackbits(masks, axis=-1, count=count, bitorder="little").astype(bool)


def test_masks_equal_asking_one_by_one(compiled):
    for rules in ([free_cells, never_resign], [free_or_resign]):
        check_masks(board(compiled=compiled, legal=rules), steps=30)


@legal_function_registry.register(fills=PLACE)
def drawn_cells(state, mask):
    """What legal rules should not do: it draws, and changes the state."""
    for p in state.grid.positions():
        mask.of(PLACE)[p] = state.rng.random() < 0.5
    if not isinstance(state.grid[2, 2], Floor):
        state.grid[0, 0] = Floor()


@pytest.mark.sampled(4)
@pytest.mark.parametrize("more", [[], [in_the_middle]])
@pytest.mark.parametrize("turn_order", ["cycle", "all"])
def test_a_rule_that_fills_masks_is_asked_as_often_compiled_as_interpreted(turn_order, more):
    options = {"legal": [drawn_cells, *more], "turn_order": turn_order, "terminations": [], "rewards": []}
    batches = [board(compiled=compiled, **options).batch(N) for compiled in (False, True)]
    for batch in batches:
        batch.reset(4)
    for step in range(30):
        chosen = np.random.default_rng(step).integers(9, size=(N, 2))
        one, other = (batch.step(chosen) for batch in batches)
        assert np.array_equal(one.masks, other.masks), step
        for mine, its in zip(*(b.snapshot().arrays() for b in batches), strict=True):
            assert mine.tobytes() == its.tobytes(), step


def test_all_actions_may_be_filled(compiled):
    batch = board(compiled=compiled, legal=[free_or_resign], terminations=[], rewards=[]).batch(1)
    batch.reset(0)
    for k in range(9):
        assert batch.masks[0, 9] == (k == 9) and batch.masks[0, :9].sum() == 9 - k
        batch.step(np.array([[k, k]]))
    assert np.flatnonzero(batch.masks[0]).tolist() == [9]


def test_before_the_first_reset_nothing_is_legal():
    world = board(legal=[free_cells], compiled=False)
    for _ in range(5):
        assert not pickle.loads(pickle.dumps(world.batch(50, masks="bits"))).masks.any()


def test_masks_of_several_threads_are_equal(compiled):
    if not compiled:
        return
    world = board(legal=[free_cells, never_resign])
    batches = [world.batch(700, threads=threads, masks="bits") for threads in (1, 2)]
    rng = [np.random.default_rng(5) for _ in batches]
    for batch in batches:
        batch.reset(2)
    for _ in range(20):
        one, other = (b.step(b.sample_actions(r)) for b, r in zip(batches, rng, strict=True))
        assert np.array_equal(one.masks, other.masks)


def test_masks_as_bits(compiled):
    world = board(compiled=compiled)
    bits, plain = world.batch(3, masks="bits"), world.batch(3)
    for batch in (bits, plain):
        batch.reset(0)
        batch.step(np.full((3, 2), 4))
    assert plain.masks.shape == (3, 10) and plain.masks.dtype == np.bool_
    assert bits.masks.shape == (3, 2) and bits.masks.dtype == np.uint8
    assert np.array_equal(unpacked(bits.masks, 10), plain.masks)
    copy = pickle.loads(pickle.dumps(bits))
    copy.observe()
    assert np.array_equal(copy.masks, bits.masks)
    with pytest.raises(ValueError, match="masks must be 'bytes' or 'bits', got 'words'"):
        world.batch(1, masks="words")


def test_masks_after_a_state_was_set_are_those_of_that_state(compiled):
    world = board(compiled=compiled, legal=[free_cells, never_resign])
    batch = world.batch(2)
    batch.reset(0)
    first = batch.state(0)
    batch.step(np.full((2, 2), 4))
    batch.set_state(1, first)
    result = batch.step(np.full((2, 2), 4))  # taken in one, free in the other
    assert result.results[:, 0].tolist() == [ActionResultCode.SUCCESS, ActionResultCode.SUCCESS]
    assert result.results[0, 1] == ActionResultCode.ILLEGAL
    assert batch.turns.tolist() == [1, 1]


def test_an_illegal_action_may_be_refused(compiled):
    batch = board(compiled=compiled, legal=[free_cells, never_resign], illegal="refuse").batch(1)
    batch.reset(0)
    batch.step(np.array([[4, 0]]))
    with pytest.raises(ValueError, match=r"PLACE\(1, 1\) is illegal now"):
        batch.step(np.array([[0, 4]]))


@pytest.mark.exhaustive
def test_planners_see_what_is_legal():
    world = board(legal=[free_cells, never_resign])
    state = world.reset(0)
    for cell in (0, 1, 2, 4, 4):
        (outcome,) = step_outcomes(world, state, [cell, cell])
        state, _, _ = world.step(state, [cell, cell])
        assert outcome.state == state
    assert world.legal_actions(state) == [3, 5, 6, 7, 8]


@pytest.mark.exhaustive
def test_compiled_enumerations_see_what_is_legal():
    world = board(legal=[free_cells, never_resign])
    enumerator = CompiledEnumerator(world.composed, find_entry(world.composed, compiling=True))
    state = world.reset(0)
    for cell in (0, 1, 1, 2, 4):
        outcomes, failed = enumerator.enumerate(rows_of(state), np.array([[cell, cell]]))
        state, _, _ = world.step(state, [cell, cell])
        assert not len(failed) and outcomes.counts.tolist() == [1]
        for found, wanted in zip(outcomes.rows, rows_of(state), strict=True):
            assert found.tobytes() == wanted.tobytes()


def test_a_rule_that_fills_what_it_is_not_registered_for_raises(compiled):
    @legal_function_registry.register(fills=PLACE)
    def wrong(state, mask):
        mask.of(RESIGN).fill(True)

    with pytest.raises(
        ValueError, match="RESIGN is not among the actions that this rule is registered to fill"
    ):
        board(compiled=compiled, legal=[wrong]).batch(1).reset(0)


def test_arguments_out_of_range_raise(compiled):
    @legal_function_registry.register(fills=PLACE)
    def outside(state, mask):
        mask.of(PLACE)[3, 0] = True

    with pytest.raises(IndexError, match="3 is not between 0 and 2"):
        board(compiled=compiled, legal=[outside]).batch(1).reset(0)


def test_an_action_is_filled_by_one_rule():
    with pytest.raises(DescriptionError, match="free_rows fills PLACE, as free_cells does"):
        board(legal=[free_cells, free_rows])


def test_a_rule_fills_actions_that_the_world_has():
    with pytest.raises(
        DescriptionError, match="free_cells fills PLACE, which is not among the world's actions"
    ):
        Spec.build(
            name="Board", shape=(3, 3), objects=[Floor], reset=empty, transitions=[place], legal=[free_cells]
        )


def test_what_a_registry_takes():
    registry = LegalFunctionRegistry()

    def rule(state, mask): ...

    registry.register(rule, fills=(PLACE, "MOVE"))
    assert registry.fills("rule") == ("PLACE", "MOVE") and registry.fills(rule) == ("PLACE", "MOVE")
    registry.register(lambda state, action: True, name="plain")
    assert registry.fills("plain") is None
    for wrong in ((), (3,)):
        with pytest.raises(TypeError, match="fills takes True, an action or several"):
            registry.register(rule, name="other", fills=wrong)


def test_a_rule_that_fills_masks_conforms():
    world = board(legal=[free_cells], compiled=False)
    check_rule(free_rows, "legal", world=world)
    check_rule(is_free, "legal", world=world)
    with pytest.raises(NotConforming, match="give the world whose actions it fills"):
        check_rule(free_cells, "legal")
    states = visited_states(world, 4)
    masks = compare("legal", free_cells, states, actions=world.actions)
    assert all(mask.shape == (10,) and mask[9] for mask in masks)
    with pytest.raises(TypeError, match=r"compared with actions=world\.actions"):
        compare("legal", free_rows, states)


def test_rules_that_do_not_conform_are_found():
    world = board(compiled=False)

    @legal_function_registry.register(fills=PLACE)
    def marks(state, mask):
        state.agent.active = False

    @legal_function_registry.register(fills=PLACE)
    def returns(state, mask):
        return mask

    with pytest.raises(NotConforming, match="it changed its inputs"):
        check_rule(marks, "legal", world=world, compiled=False)
    with pytest.raises(NotConforming, match="it must fill the mask and return None"):
        check_rule(returns, "legal", world=world, compiled=False)
    with pytest.raises(NotConforming, match="the result must be True or False"):
        check_rule(lambda state, action: 3, "legal", world=world, compiled=False)

    changing = board(compiled=False, legal=[is_free, _forgetful])
    with pytest.raises(NotConforming, match="a legal rule changed the state"):
        check_masks(changing, steps=3)


def _forgetful(state, action):
    state.agent.result += 1
    return True


@legal_function_registry.register(fills=PLACE)
def row_of_the_turn(state, mask):
    """The row with the number of who acts, but for the second agent."""
    places = mask.of(PLACE)
    for x in range(3):
        places[state.turn, x] = state.agent.number != 1


def test_masks_that_depend_on_the_turn_are_of_the_turn_that_it_is(compiled):
    agents = [{"name": name, "body": False} for name in ("x", "o", "z")]
    batch = board(compiled=compiled, agents=agents, legal=[row_of_the_turn, never_resign]).batch(1)
    batch.reset(0)
    for first in (0, 6, 0):
        masks = batch.masks.copy()
        assert np.flatnonzero(masks[0]).tolist() == [first, first + 1, first + 2]
        batch.observe()
        assert np.array_equal(batch.masks, masks)
        assert not batch.step(np.full((1, 3), first + 1)).results.any()
