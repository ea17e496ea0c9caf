"""Choosing an action with its arguments, by cells, lists and text."""

import functools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridarium.engine import World
from gridarium.view.action_choice import ActionChoice
from tests.engine.board import board
from tests.view.pawns import coins, pawns

BOARD = board(compiled=False)
PAWNS = pawns()
COINS = coins()
FOUR = World("ConnectFour", compiled=False)


def legal_of(world, state, agent):
    legal = np.zeros(len(world.actions), bool)
    legal[world.legal_actions(state, agent)] = True
    return legal


@functools.cache
def beginning(world):
    state = world.reset(0)
    return state, legal_of(world, state, 0)


def begin(world):
    return ActionChoice(world, *beginning(world))


def places(mask):
    return [tuple(yx) for yx in np.argwhere(mask).tolist()]


def labels(choice):
    return [option.label for option in choice.options]


class TestCells:
    def test_one_click_is_enough_where_a_cell_is_all_that_an_action_takes(self):
        choice = begin(BOARD)
        assert choice.prompt == "Place: choose a cell." and choice.cells.all() and choice.by_cells
        assert choice.hint(1, 2) == "PLACE(1, 2)" and places(choice.together(1, 2)) == [(1, 2)]
        assert BOARD.actions[choice.click(1, 2)].name == "PLACE(1, 2)"

    def test_a_column_is_any_of_its_cells(self):
        choice = begin(FOUR)
        assert choice.hint(4, 3) == "DROP(3)" and choice.together(4, 3)[:, 3].all()
        assert np.count_nonzero(choice.together(4, 3)) == 6
        assert choice.click(4, 3) == 3

    def test_what_is_not_legal_cannot_be_clicked(self):
        state = FOUR.reset(0)
        for _ in range(6):
            state, _, _ = FOUR.step(state, [2, 2])
        choice = ActionChoice(FOUR, state, legal_of(FOUR, state, 0))
        assert not choice.cells[:, 2].any() and choice.cells[:, 3].all()
        assert choice.hint(0, 2) == "" and not choice.together(0, 2).any()
        with pytest.raises(
            ValueError, match=r"the cell \(0, 2\) is not possible now; DROP\(0\), DROP\(1\), DROP\(3\)"
        ):
            choice.click(0, 2)
        with pytest.raises(ValueError, match="the cell"):
            choice.click(0, 7)

    def test_after_the_first_of_two_cells_only_legal_second_ones_are_left(self):
        choice = begin(PAWNS)
        assert places(choice.cells) == [(4, x) for x in range(6)]
        assert choice.hint(4, 0) == "MOVE((4, 0), …)" and not choice.begun
        assert choice.click(4, 0) is None and choice.begun
        assert places(choice.cells) == [(3, 0), (3, 1)] and places(choice.picked) == [(4, 0)]
        assert choice.text == "MOVE((4, 0), …)" and choice.prompt == "MOVE((4, 0), …): choose an end."
        assert choice.hint(3, 1) == "MOVE((4, 0), (3, 1))"
        with pytest.raises(ValueError, match="not possible now"):
            choice.click(3, 2)
        assert choice.begun
        assert PAWNS.actions[choice.click(3, 1)].name == "MOVE((4, 0), (3, 1))"

    def test_the_last_part_is_taken_back_first(self):
        choice = begin(PAWNS)
        choice.click(4, 2)
        assert choice.back() and not choice.begun and choice.text == ""
        assert places(choice.cells) == [(4, x) for x in range(6)]
        assert not choice.back()

    def test_things_and_agents_are_where_they_are(self):
        choice = begin(COINS)
        assert places(choice.cells) == [(y, x) for y in range(3) for x in range(4)]  # rows too
        choice.enter("TAKE")
        assert places(choice.cells) == [(0, 1), (1, 2)]
        assert COINS.actions[choice.click(0, 1)].name == "TAKE(0)"
        choice = begin(COINS)
        choice.enter("TAKE")
        assert choice.click(1, 2) is None  # two of them lie there
        assert labels(choice) == ["TAKE(1)", "TAKE(2)"]
        assert COINS.actions[choice.enter("2")].name == "TAKE(2)"

    def test_one_cell_can_mean_several_actions(self):
        choice = begin(COINS)
        assert choice.click(2, 2) is None
        assert choice.prompt == "Choose which." and choice.names == ["HELP", "PUT"]
        assert choice.text == "HELP(1) or PUT(…, 2)"
        assert COINS.actions[choice.enter("HELP")].name == "HELP(1)"


class TestText:
    @pytest.mark.parametrize("text", ["PLACE(2, 1)", "place 2 1", "2 1", " 2,1 ", "p(2,1)"])
    def test_an_action_is_typed_whole_or_short(self, text):
        assert BOARD.actions[begin(BOARD).enter(text)].name == "PLACE(2, 1)"

    def test_parts_are_typed_one_after_another(self):
        choice = begin(PAWNS)
        assert choice.enter("4 1") is None and places(choice.picked) == [(4, 1)]
        assert PAWNS.actions[choice.enter("3 2")].name == "MOVE((4, 1), (3, 2))"
        choice = begin(PAWNS)
        choice.click(4, 5)
        assert PAWNS.actions[choice.enter("MOVE((4, 1), (3, 2))")].name == "MOVE((4, 1), (3, 2))"

    @pytest.mark.parametrize(
        "text",
        ["", "PLACE(3, 3)", "PLACE(1)(2)(3)", "JUMP", "RESIGN", "1", "-1 2", "a b", "PLACE(1, 1", "9" * 5000],
    )
    def test_what_is_not_legal_is_refused_and_nothing_is_lost(self, text):
        choice = begin(BOARD)
        if text == "PLACE(1, 1":
            assert choice.enter(text) is not None  # the last parenthesis may be left out
            return
        with pytest.raises(ValueError):
            choice.enter(text)
        assert not choice.begun and choice.cells.all()

    def test_the_error_says_what_is_possible(self):
        with pytest.raises(
            ValueError, match=r"RESIGN is not possible now; PLACE\(0, 0\), .*PLACE\(2, 2\) can be chosen"
        ):
            begin(BOARD).enter("RESIGN")
        with pytest.raises(ValueError, match=r"an action is written as PLACE\(0, 0\), not '\?'"):
            begin(BOARD).enter("?")

    def test_a_number_completes_where_no_longer_one_is_possible(self):
        assert begin(FOUR).completes("3") and not begin(FOUR).completes("7")
        assert not begin(BOARD).completes("1")
        choice = begin(COINS)
        assert not choice.completes("1")  # of which action?
        choice.enter("PUT")
        assert not choice.completes("2") and choice.completes("25") and choice.completes("4")


class TestLists:
    def test_few_actions_are_listed_by_their_names(self):
        assert labels(begin(FOUR)) == [f"DROP({x})" for x in range(7)]
        choice = begin(PAWNS)
        assert labels(choice) == [f"(4, {x})" for x in range(6)]
        choice.click(4, 0)
        assert labels(choice) == ["MOVE((4, 0), (3, 0))", "MOVE((4, 0), (3, 1))"]

    def test_many_are_listed_part_by_part(self):
        choice = begin(COINS)
        assert [o.text for o in choice.options] == ["TAKE", "HELP", "PUT"]
        assert choice.enter("PUT") is None and not choice.by_cells
        assert labels(choice) == [str(n) for n in range(30)]
        assert choice.enter(choice.options[7].text) is None
        assert choice.text == "PUT(7, …)" and choice.prompt == "PUT(7, …): choose a row."
        assert labels(choice) == ["PUT(7, 0)", "PUT(7, 1)", "PUT(7, 2)"]

    def test_every_option_can_be_chosen(self):
        for world in (BOARD, FOUR, PAWNS, COINS):
            for i in range(len(begin(world).options)):
                choice = begin(world)
                choice.enter(choice.options[i].text)

    def test_an_action_without_arguments_is_chosen_by_its_name(self):
        assert COINS.actions[begin(COINS).enter("wait")].name == "WAIT"


def test_a_choice_goes_on_in_the_next_state_as_far_as_it_can():
    choice = begin(COINS)
    choice.enter("TAKE")
    choice.click(1, 2)
    state = COINS.reset(0)
    state.remove(state.things[1])
    choice.update(state, legal_of(COINS, state, 0))
    assert choice.text == "TAKE(2)" and places(choice.picked) == [(1, 2)]
    state.remove(state.things[2])
    choice.update(state, legal_of(COINS, state, 0))
    assert choice.text == "TAKE(…)" and places(choice.cells) == [(0, 1)]


@pytest.mark.parametrize("world", [BOARD, FOUR, PAWNS, COINS], ids=lambda world: world.name)
@given(seed=st.integers(0, 2**32))
def test_whatever_is_clicked_and_entered_is_legal_and_all_that_is_legal_can_be_chosen(world, seed):
    rng = np.random.default_rng(seed)
    choice = begin(world)
    legal = np.flatnonzero(beginning(world)[1]).tolist()
    name = world.actions[int(rng.choice(legal))].name
    assert world.actions[choice.enter(name)].name == name
    choice, index = begin(world), None
    for _ in range(20):
        cells, options = places(choice.cells), choice.options
        if index is not None or not (cells or options):
            break
        if cells and (not options or rng.random() < 0.7):
            cell = cells[rng.integers(len(cells))]
            assert choice.hint(*cell)
            index = choice.click(*cell)
        else:
            index = choice.enter(options[rng.integers(len(options))].text)
    assert index in legal


def test_pieces_are_listed_with_their_shapes():
    choice = begin(World("Blokus-14x14-2p", shape=(10, 10), compiled=False))
    assert labels(choice)[:5] == ["0  #", "1  #/#", "2  ##", "3  #/#/#", "4  ###"] and "18  #/#/##" in labels(
        choice
    )
    assert choice.options[1].text == "1" and all("#" in label for label in labels(choice))
