"""Legal rules: masks, whose turn it is, and what an illegal action does; interpreted and compiled alike."""

import copy
import functools
import pickle

import numpy as np
import pytest

from gridarium.engine import Autoreset, World
from gridarium.engine.outcomes.interpreted import step_outcomes
from gridarium.engine.single_world import SingleWorld
from gridarium.rules.legal_functions import legal_function_registry
from gridarium.rules.observation_functions import full_grid
from gridarium.rules.results import ActionResultCode
from gridarium.world import Action, Field, Floor, Position
from gridarium.world.state import ENDED, TURN
from gridarium.world.text_form.json import from_json, to_json
from gridarium.world.text_form.state_text import from_text, to_text
from gridarium.worlds import Spec
from tests.compiled_worlds import INTERPRETED_AND_COMPILED
from tests.engine.board import PLACE, Nought, board, is_free, never_resign, place, players

N = 16


@pytest.fixture(scope="module", params=INTERPRETED_AND_COMPILED)
def world(request):
    return board(compiled=request.param)


def acting(batch, action):
    """One action for the agent whose turn it is in each world, anything for the other."""
    chosen = np.zeros((batch.n, 2), np.int64)
    chosen[np.arange(batch.n), batch.turns] = action
    return chosen


def test_masks_say_what_is_legal_and_turns_who_acts(world):
    batch = world.batch(2)
    batch.reset(0)
    assert batch.masks.tolist() == [[True] * 9 + [False]] * 2
    assert batch.turns.tolist() == [0, 0]
    result = batch.step(acting(batch, [4, 8]))
    assert batch.turns.tolist() == [1, 1]
    assert np.flatnonzero(~result.masks[0]).tolist() == [4, 9]
    assert np.flatnonzero(~result.masks[1]).tolist() == [8, 9]


def test_masks_equal_asking_one_by_one(world):
    rng = np.random.default_rng(1)
    batch = world.batch(3)
    batch.reset(0)
    for _ in range(40):
        result = batch.step(batch.sample_actions(rng))
        for i in range(batch.n):
            state = batch.state(i)
            if batch.ended[i]:
                assert result.masks[i].all()
                continue
            view = state.seen_by(int(batch.turns[i]))
            asked = [
                bool(world.composed.program.legal(view, a, world.composed.params)) for a in world.actions
            ]
            assert result.masks[i].tolist() == asked
            assert world.action_mask(state).tolist() == asked
            assert world.legal_actions(state) == np.flatnonzero(asked).tolist()
            assert world.legal_actions(state, 1 - int(batch.turns[i])) == []


def _explodes_and_lights(state, action):
    state.lit += 1
    if action == Action.MOVE_FORWARD:
        raise ValueError("bang")


def _not_while_lit_once(state, action):
    return action != Action.TURN_LEFT or state.lit != 1


@pytest.fixture(scope="module", params=INTERPRETED_AND_COMPILED)
def explosive(request):
    spec = Spec.build(
        name="Explosive", shape=(2, 2), objects=[Floor], actions=["WAIT", "MOVE_FORWARD", "TURN_LEFT"],
        fields={"world": [Field("lit", "int")]}, reset=_in_the_corner, transitions=[_explodes_and_lights],
        legal=[_not_while_lit_once], observation=_sees_in_the_dark,
    )  # fmt: skip
    return World(spec, compiled=request.param)


def test_after_a_step_that_raised_masks_are_those_of_the_states_as_they_are(explosive):
    batch, single = explosive.batch(3), SingleWorld(explosive.composed)
    batch.reset(0), single.reset(0)
    with pytest.raises(ValueError, match="bang"):
        batch.step([0, 1, 0])
    assert batch.masks.tolist() == [[True, True, False], [True, True, True], [True, True, False]]
    held = batch.masks
    with pytest.raises(ValueError, match="action 9"):
        batch.step([9, 0, 0])
    assert np.array_equal(batch.masks, held) and not np.shares_memory(batch.masks, held)
    assert set(batch.sample_actions(np.random.default_rng(0))) <= {0, 1, 2}
    with pytest.raises(ValueError, match="bang"):
        single.step(1)
    assert single.legal == (0, 1, 2)
    single.step(0)
    with pytest.raises(ValueError, match="bang"):
        single.step(1)
    assert single.legal == (0, 1)


def test_after_an_observation_that_raised_masks_are_those_of_the_state_before(explosive):
    single = SingleWorld(explosive.composed)
    single.reset(0)
    single.step(0)
    with pytest.raises(ValueError, match="too bright"):
        single.step(0)
    assert single.legal == (0, 1)


def _sees_in_the_dark(state):
    if state.lit > 1:
        raise ValueError("too bright")
    return full_grid(state)


def _in_the_corner(state):
    state.agent.position = Position(0, 0)


def test_an_ignored_attempt_leaves_the_turn_and_the_board(world):
    batch = world.batch(1)
    batch.reset(0)
    batch.step(acting(batch, 4))
    before = batch.state(0)
    result = batch.step(acting(batch, 4))
    assert result.results[0, 1] == ActionResultCode.ILLEGAL
    assert batch.turns.tolist() == [1]
    assert batch.state(0).grid == before.grid


def test_games_run_to_their_end_and_begin_again(world):
    batch = world.batch(N, autoreset=Autoreset.NEXT_STEP)
    batch.reset(3)
    rng, ends, wins = np.random.default_rng(0), 0, 0.0
    for _ in range(60):
        result = batch.step(batch.sample_actions(rng))
        assert not (result.results == ActionResultCode.ILLEGAL).any()
        assert (result.terminated.all(axis=1) == result.terminated.any(axis=1)).all()
        ends, wins = ends + int(result.ended.sum()), wins + float(result.rewards.sum())
    assert ends > 40
    assert 0 < wins < ends  # some games end because the board is full


def test_a_full_board_ends_the_game(world):
    state = world.reset(0)
    drawn = (0, 1, 2, 4, 3, 5, 7, 6, 8)  # no row, no column
    for k, cell in enumerate(drawn):
        assert world.turn(state) == k % 2
        state, rewards, terminal = world.step(state, [cell, cell])
        assert terminal.all() == (k == 8)
        assert not rewards.any()


def test_interpreted_and_compiled_give_the_same_bytes():
    batches = [board(compiled=c).batch(N) for c in (False, True)]
    drawn = [np.random.default_rng(5) for _ in batches]
    for batch in batches:
        batch.reset(9)
    for _ in range(50):
        one, other = (b.step(b.sample_actions(rng)) for b, rng in zip(batches, drawn, strict=True))
        assert np.array_equal(one.masks, other.masks)
        assert np.array_equal(one.rewards, other.rewards) and np.array_equal(one.results, other.results)
        for mine, its in zip(*(b.snapshot().arrays() for b in batches), strict=True):
            assert mine.tobytes() == its.tobytes()


def test_masks_are_the_same_on_several_threads():
    world = board()
    batches = [world.batch(700, threads=threads) for threads in (1, 2)]
    drawn = [np.random.default_rng(5) for _ in batches]
    for batch in batches:
        batch.reset(2)
    for _ in range(25):
        one, other = (b.step(b.sample_actions(rng)) for b, rng in zip(batches, drawn, strict=True))
        assert np.array_equal(one.masks, other.masks)


def test_a_snapshot_goes_on_with_the_same_turn(world):
    batch = world.batch(2)
    batch.reset(0)
    batch.step(acting(batch, 4))
    kept = pickle.loads(pickle.dumps(batch.snapshot()))
    after = batch.step(acting(batch, 0))
    other = world.batch(2)
    other.restore(kept)
    other.observe()
    assert other.turns.tolist() == [1, 1] and not other.masks[:, 4].any()
    assert np.array_equal(other.step(acting(other, 0)).masks, after.masks)


@pytest.mark.parametrize("compiled", INTERPRETED_AND_COMPILED)
def test_where_it_is_refused_an_illegal_action_is_an_error_and_nothing_has_happened(compiled):
    world = board(compiled=compiled, illegal="refuse")
    batch = world.batch(3)
    batch.reset(0)
    batch.step(acting(batch, [4, 0, 4]))
    before = batch.state(1)
    others = batch.state(0)
    with pytest.raises(ValueError, match=r"PLACE\(0, 0\) is illegal now") as caught:
        batch.step(acting(batch, [1, 0, 1]))
    assert "world 1 of 3" in str(caught.value.__notes__)
    assert batch.failed == [1]
    assert batch.state(1).identical(before)
    assert not batch.state(0).identical(others)


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.exhaustive)])
def test_where_it_loses_an_agent_that_tries_something_illegal_is_out(compiled):
    world = board(compiled=compiled, illegal="lose")
    batch = world.batch(1)
    batch.reset(0)
    batch.step(acting(batch, 4))
    result = batch.step(acting(batch, 4))
    assert result.terminated[0, 1]
    assert not batch.state(0).agents[1].active
    assert batch.turns.tolist() == [0]


@pytest.mark.parametrize("compiled", INTERPRETED_AND_COMPILED)
def test_a_rule_gives_the_turn_to_whom_it_likes(compiled):
    def again_in_the_first_column(state, action):
        if action.at.x == 0:
            state.turn = state.agent.number

    world = board(
        compiled=compiled, transitions=[place, again_in_the_first_column], legal=[is_free, never_resign]
    )
    batch = world.batch(2)
    batch.reset(0)
    for column, turns in (((0, 1), [0, 1]), ((1, 2), [1, 0]), ((3, 3), [1, 0])):
        batch.step(acting(batch, column))
        assert batch.turns.tolist() == turns
        assert [batch.state(i).turn for i in range(2)] == turns
    with pytest.raises(IndexError, match="agents are numbered from 0 to 1; got 2"):
        batch.state(0).turn = 2


@pytest.mark.parametrize("compiled", INTERPRETED_AND_COMPILED)
def test_an_agent_without_a_legal_action_is_passed_over(compiled):
    def first_only(state, action):
        return state.agent.number == 0

    batch = board(compiled=compiled, legal=[is_free, first_only]).batch(1)
    batch.reset(0)
    for cell in range(3):
        assert batch.turns.tolist() == [0]
        batch.step(np.array([[cell, 0]]))


@pytest.mark.parametrize("compiled", INTERPRETED_AND_COMPILED)
def test_where_all_act_every_agent_has_its_mask(compiled):
    world = board(compiled=compiled, turn_order="all", terminations=[])
    batch = world.batch(2)
    batch.reset(0)
    result = batch.step(np.array([[0, 1], [2, 3]]))
    assert result.masks.shape == (2, 2, 10)
    assert not result.masks[0, :, [0, 1]].any() and result.masks[0, :, 2:9].all()
    with pytest.raises(TypeError, match="give the agent"):
        world.legal_actions(batch.state(0))
    assert world.legal_actions(batch.state(0), 1) == [2, 3, 4, 5, 6, 7, 8]


@pytest.mark.parametrize("compiled", INTERPRETED_AND_COMPILED)
def test_one_agent_has_a_mask_too(compiled):
    world = board(compiled=compiled, agents=1, turn_order="all", rewards=[], terminations=[])
    state = world.reset(0)
    for cell in range(9):
        assert world.legal_actions(state) == list(range(cell, 9))
        state, _, terminal = world.step(state, cell)
    assert terminal


def test_worlds_without_legal_rules_have_no_masks():
    batch = board(compiled=False, legal=[]).batch(1)
    batch.reset(0)
    assert batch.masks is None
    assert batch.step(np.array([[0, 0]])).masks is None


def test_comparing_with_an_action_that_takes_arguments_runs_interpreted_and_says_what_to_write():
    def never_holds(state, action):
        if action == PLACE_OF_OTHERS:
            state.grid[action.at] = state.grid[action.at]

    world = board(transitions=[place, never_holds])
    with pytest.warns(UserWarning, match=r"PLACE takes arguments: write action\.is_a\(PLACE\)"):
        batch = world.batch(1)
        batch.reset(0)
    with pytest.raises(TypeError, match="takes arguments"):
        batch.step(np.array([[0, 0]]))


PLACE_OF_OTHERS = Action["PLACE"]


def is_chosen(action, which):
    return action.is_a(which)


def are_same(action, which):
    return action == which


def row_of_action(action):
    return action.at.y


def handed_on(state, action, next_state, which=PLACE_OF_OTHERS):
    return is_chosen(action, PLACE_OF_OTHERS) + 2 * is_chosen(action, which=which)


def compared(state, action, next_state):
    return are_same(action, PLACE_OF_OTHERS)


def compared_the_other_way(state, action, next_state):
    return are_same(PLACE_OF_OTHERS, action)


def asked(state, action, next_state):
    return row_of_action(PLACE_OF_OTHERS)


def asked_perhaps(state, action, next_state):
    last = PLACE_OF_OTHERS
    if state.tick > 3:
        last = action
    return last.at.x


def are_same_as(state, action, next_state, which: Action):
    return action == which


def row_of(state, action, next_state, which: Action):
    return which.at.y


@pytest.mark.parametrize("compiled", INTERPRETED_AND_COMPILED)
def test_an_action_without_its_arguments_may_be_handed_on(compiled):
    batch = board(compiled=compiled, rewards=[handed_on], turn_order="all").batch(2)
    batch.reset(0)
    assert batch.step(np.array([[0, 9], [9, 3]])).rewards.tolist() == [[3.0, 0.0], [0.0, 3.0]]


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        (compared, "an action that takes arguments is not compared"),
        (compared_the_other_way, "an action that takes arguments is not compared"),
        (functools.partial(are_same_as, which=PLACE_OF_OTHERS), "PLACE takes arguments: write action.is_a"),
        (functools.partial(row_of, which=PLACE_OF_OTHERS), "which has no attribute 'at'"),
        (asked, "BareAction has no attribute 'at'"),
        (asked_perhaps, "last is BareAction in one place and Action in another"),
    ],
)
@pytest.mark.exhaustive
def test_where_an_action_without_its_arguments_raises_rules_run_interpreted(rule, why):
    batch = board(rewards=[rule], turn_order="all").batch(1)
    with pytest.warns(UserWarning, match=why):
        batch.reset(0)
    with pytest.raises((TypeError, AttributeError), match="takes arguments|no attribute 'at'"):
        batch.step(np.array([[0, 9]]))


def test_a_legal_rule_draws_no_random_numbers():
    def lucky(state, action, *, rng):
        return rng.random() < 0.5

    with pytest.raises(TypeError, match="what is legal is not random"):
        legal_function_registry.check_signature(lucky)


def test_planners_see_turns_and_ends_as_the_engine_does():
    world = board()
    state = world.reset(0)
    for k, cell in enumerate((0, 1, 2, 4, 3, 5, 7, 6, 8)):
        (outcome,) = step_outcomes(world, state, [cell, cell])
        state, _, terminal = world.step(state, [cell, cell])
        assert outcome.state == state
        assert outcome.state.data[TURN] == state.data[TURN]
        assert terminal.all() == (outcome.state.data[ENDED] != 0) == (k == 8)


def test_states_are_written_and_read_with_the_arguments_of_actions():
    world = board(compiled=False)
    state, _, _ = world.step(world.reset(0), ["PLACE(1, 2)", 0])
    for read in (from_json(to_json(state)), from_text(to_text(state))):
        assert read.identical(state) and read.vocabulary == state.vocabulary
        assert read.agents[0].action.at == Position(1, 2)
    damaged = to_json(state).replace('"at": "cells"', '"at": "everywhere"')
    with pytest.raises(
        ValueError, match="'everywhere' is not among cells, rows, columns, agents, things, a number"
    ):
        from_json(damaged)
    with pytest.raises(ValueError, match="wrong arguments"):
        from_text(to_text(state).replace('"PLACE(1, 2)"', '"PLACE(1)"'))


def test_masks_of_copies_and_of_states_that_were_put_in_are_those_of_the_states(world):
    single = SingleWorld(world.composed)
    single.reset(0)
    begun = single.snapshot()
    single.act(4)
    played, after_one = single.state, single.legal
    assert after_one == (0, 1, 2, 3, 5, 6, 7, 8)
    for twin in (copy.copy(single), copy.deepcopy(single), pickle.loads(pickle.dumps(single))):
        assert twin.legal == after_one
        assert np.array_equal(twin.action_masks, single.action_masks)
        assert twin.info() == single.info()
        twin.act(0)
        assert single.legal == after_one
    single.restore(begun)
    assert single.legal == tuple(range(9))
    single.state = played
    assert np.flatnonzero(single.action_masks[1]).tolist() == list(after_one)
    batch = world.batch(2)
    batch.reset(0)
    kept, first = batch.snapshot(), batch.masks.copy()
    batch.step(np.array([[3, 0], [5, 0]]))
    twin = pickle.loads(pickle.dumps(batch))
    assert np.array_equal(twin.masks, batch.masks)
    rngs = np.random.default_rng(1), np.random.default_rng(1)
    assert np.array_equal(twin.sample_actions(rngs[0]), batch.sample_actions(rngs[1]))
    shown = batch.masks
    batch.restore(kept)
    assert np.array_equal(batch.masks, first)
    assert not np.array_equal(shown, first)  # what was returned stays as it was


def test_what_came_of_an_episode_is_copied():
    single = SingleWorld(players(compiled=False).composed)
    single.reset(0)
    for cell in (0, 3, 1, 4, 2):
        single.step_all([cell, cell])
    twin = pickle.loads(pickle.dumps(single))
    assert (twin.ended, twin.outcomes.tolist()) == (True, [1.0, -1.0])
    assert twin.rewards.tolist() == single.rewards.tolist() == [1.0, 0.0]


@pytest.mark.parametrize("compiled", INTERPRETED_AND_COMPILED)
def test_it_is_an_agents_turn_when_rules_are_asked_what_it_may_do(compiled):
    """When masks are written, when an action is checked, and when others are passed over before it."""

    def own_row(state, action):
        return state.agent.number == state.turn and (
            not action.is_a(PLACE) or (action.at.y == state.turn and state.agent.number != 1)
        )

    agents = [{"name": name, "body": False} for name in ("x", "o", "z")]
    world = board(compiled=compiled, agents=agents, legal=[is_free, own_row, never_resign])
    batch = world.batch(1)
    batch.reset(0)
    for own, index in ((0, 1), (2, 7), (0, 2), (2, 6)):
        assert batch.turns.tolist() == [own]
        assert set(np.flatnonzero(batch.masks[0])) <= {3 * own, 3 * own + 1, 3 * own + 2}
        masks = batch.masks.copy()
        batch.observe()
        assert np.array_equal(batch.masks, masks)
        assert not batch.step(np.full((1, 3), index)).results.any()


@pytest.mark.parametrize("turn_order", ["all", "chosen"])
def test_who_does_not_act_samples_an_action_that_it_has(turn_order):
    def go(state, action):
        state.agents[1].active = False

    agents = [
        {"name": "x", "body": False, "actions": ["RESIGN"]},
        {"name": "o", "body": False, "actions": ["PLACE"]},
    ]
    world = board(compiled=False, agents=agents, transitions=[go], legal=[is_free], turn_order=turn_order)
    batch = world.batch(3)
    batch.reset(0)
    for _ in range(3):
        batch.step(batch.sample_actions(np.random.default_rng(0)))


def test_masks_that_cannot_be_written_are_not_zeros():
    def fails(state, action):
        if state.grid[0, 0] == Nought():
            raise ValueError("spoilt")
        return True

    batch = board(compiled=False, legal=[fails]).batch(1)
    batch.reset(0)
    state = batch.state(0)
    state.grid[0, 0] = Nought()
    batch.set_state(0, state)
    for _ in range(2):
        with pytest.raises(ValueError, match="spoilt"):
            _ = batch.masks


def test_a_copy_of_a_batch_of_which_some_worlds_have_begun_has_these():
    batch = board(compiled=False).batch(3)
    batch.reset(0, np.array([True, False, True]))
    twin = pickle.loads(pickle.dumps(batch))
    assert twin.episodes.tolist() == [0, -1, 0]
    assert twin.state(2).identical(batch.state(2))
    with pytest.raises(RuntimeError, match="reset the batch"):
        twin.step(np.zeros((3, 2), int))


def test_in_a_state_where_who_has_the_turn_is_gone_the_next_one_acts(world):
    state = world.reset(0)
    state.agents[0].active = False
    assert world.turn(state) == 1 and world.acting(state) == [1]
    assert world.legal_actions(state) == [*range(9)]
    single = SingleWorld(world.composed)
    single.reset(0)
    single.advance([3, 9])  # what is left behind of agent 1 is that it resigns
    single.state = state
    assert single.legal == (*range(9),)
    single.act(4)
    after, *_ = world.step(state, [0, 4])
    assert single.state.grid == after.grid and isinstance(after.grid[1, 1], Nought)
