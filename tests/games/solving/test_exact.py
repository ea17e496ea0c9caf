"""Exact values of small games."""

from __future__ import annotations

import random
from typing import Any

import pytest

from gridarium.arena import CannotPlay, Match, open_player
from gridarium.games import BaseEnvironment, game_class, get_environment
from gridarium.games.colosseum.tictactoe import TicTacToe2PlayerEnv
from gridarium.games.colosseum.tron import TronGridEnvironment
from gridarium.games.solving.exact import ExactSolver
from gridarium.games.solving.positions import CannotSolve
from gridarium.rules.legal_functions import legal_function_registry
from gridarium.world import Action, Floor
from gridarium.worlds import Spec
from tests.arena.games import Nim
from tests.games.interpreted import interpreted


def game_of(name: str, config: str = "") -> BaseEnvironment:
    return interpreted(game_class(name))(config)


@pytest.mark.parametrize("stones", [*range(1, 13), 200])
def test_a_heap_is_lost_exactly_if_its_size_is_a_multiple_of_four(stones: int) -> None:
    """Bouton (1901)."""
    game = Nim(str(stones))
    solver = ExactSolver(game)
    state, _ = game.new_state()
    assert solver.returns(state)[0] == (-0.5 if stones % 4 == 0 else 0.5)
    if stones % 4:
        assert solver.best_action(state) == str(stones % 4)
        assert [action for action, (own, _) in solver.moves(state).items() if own > 0] == [str(stones % 4)]


def test_three_players_each_seek_their_own_best() -> None:
    """With four stones the first cannot win, and whoever it leaves one to three to does."""
    game = Nim("4")
    solver = ExactSolver(game, 3)
    assert solver.returns(game.new_state(3)[0]) == pytest.approx((-1 / 3, 2 / 3, -1 / 3))
    assert solver.moves(game.new_state(3)[0])["1"] == pytest.approx((-1 / 3, 2 / 3, -1 / 3))
    assert ExactSolver(Nim("3"), 3).returns(Nim("3").new_state(3)[0]) == pytest.approx(
        (2 / 3, -1 / 3, -1 / 3)
    )


class Tenths(Nim):
    """Four moves, each of which gives the first player a number of tenths."""

    seed = 0

    def gain(self, moves):
        return random.Random(str((self.seed, moves))).randint(-9, 9) / 10

    def new_state(self, num_players=None):
        return ((), 0.0), [0]

    def next_state(self, state, players, actions):
        moves = (*state[0], actions[0])
        gain, over = self.gain(moves), len(moves) == 4
        acting = [] if over else [len(moves) % 2]
        rewards = [gain if players == [0] else -gain]
        return (moves, state[1] + gain), acting, rewards, over, [] if over else None

    def valid_actions(self, state, player):
        return ["1", "2", "3"] if len(state[0]) < 4 and len(state[0]) % 2 == player else []

    def returns(self, state):
        return [state[1], -state[1]]


@pytest.mark.exhaustive
def test_rewards_that_are_no_whole_numbers_may_be_rounded() -> None:
    game = Tenths()
    for game.seed in range(150):
        solver, start = ExactSolver(game), game.new_state()[0]
        value = plain_value(game, start)
        assert solver.returns(start)[0] == pytest.approx(value)
        assert solver.moves(start)[solver.best_action(start)][0] == pytest.approx(value)
        for action, (worth, _) in solver.moves(start).items():
            assert worth == pytest.approx(plain_value(game, game.next_state(start, [0], [action])[0]))


@pytest.fixture(scope="module")
def tictactoe() -> BaseEnvironment:
    return interpreted(TicTacToe2PlayerEnv)()


def plain_value(game, state) -> float:
    """The first player's value by minimax without any table."""
    for player in (0, 1):
        actions = game.valid_actions(state, player)
        if actions:
            values = [plain_value(game, game.next_state(state, [player], [a])[0]) for a in actions]
            return min(values) if player else max(values)
    return game.returns(state)[0]


@pytest.mark.exhaustive
def test_tic_tac_toe_is_a_draw_and_only_corners_answer_the_centre(tictactoe) -> None:
    solver = ExactSolver(tictactoe)
    state, _ = tictactoe.new_state()
    assert solver.returns(state) == (0.0, 0.0) and solver.searched < 10_000
    state, players, *_ = tictactoe.next_state(state, [0], ["(1, 1)"])
    good = {action for action, (_, own) in solver.moves(state).items() if own == 0}
    assert good == {"(0, 0)", "(0, 2)", "(2, 0)", "(2, 2)"}
    for action in ("(0, 1)", "(0, 0)", "(1, 2)"):
        state, players, *_ = tictactoe.next_state(state, players, [action])
    assert {action: own[0] for action, own in solver.moves(state).items()} == {
        action: plain_value(tictactoe, tictactoe.next_state(state, players, [action])[0])
        for action in tictactoe.valid_actions(state, players[0])
    }


def test_the_first_player_wins_hex_on_3_x_3_also_without_knowing_what_a_win_is_worth() -> None:
    """Nash's argument of strategy stealing, in Gardner (1957)."""
    game = game_of("Hex", "size=3")
    assert ExactSolver(game).returns(game.new_state()[0]) == (1.0, -1.0)
    assert ExactSolver(game)._largest == 1.0
    wide = ExactSolver(game_of("Hex", "size=2"), largest=7)
    assert wide.returns(wide.game.new_state()[0]) == (1.0, -1.0)


def test_what_cannot_be_solved_is_refused_with_the_reason(tictactoe) -> None:
    state, _ = tictactoe.new_state()
    with pytest.raises(CannotSolve, match="too large: 50 moves were looked at"):
        ExactSolver(tictactoe, limit=50).returns(state)
    with pytest.raises(CannotSolve, match="do not see all of KuhnPoker-2p"):
        ExactSolver(game_of("KuhnPoker-2p"))
    with pytest.raises(CannotSolve, match="act at the same time"):
        ExactSolver(game_of("Tron-15x15-2p"))
    with pytest.raises(CannotSolve, match="has chance"):
        ExactSolver(get_environment("test")())
    with pytest.raises(CannotSolve, match="too long"):
        ExactSolver(Nim("2000"), limit=10_000).returns(Nim("2000").new_state()[0])


class Walk(Nim):
    """Stones are never used up."""

    def next_state(self, state, players, actions):
        stones, player, count = state
        return (stones, 1 - player, count), [1 - player], [0.0], False, None


def test_positions_that_repeat_are_refused() -> None:
    with pytest.raises(CannotSolve, match="can repeat"):
        ExactSolver(Walk()).returns(Walk().new_state()[0])


def test_the_player_exact_wins_what_can_be_won_and_says_what_it_cannot_play() -> None:
    players = [open_player("random"), open_player("exact:limit=60")]
    for seed in range(6):
        result = Match(Nim("8"), players, seed=seed).run()
        assert [seat.rank for seat in result.seats] == [1, 0]
    with pytest.raises(CannotPlay, match="exact cannot solve tron: the players of .* act at the same time"):
        game = interpreted(TronGridEnvironment)("9;2")
        Match(game, [open_player("exact"), open_player("random")], name="tron").run()


NEAR_THE_END = {
    "2252576253462244111563365343671351441": -1,
    "7422341735647741166133573473242566": 1,
    "23163416124767223154467471272416755633": 0,
    "65214673556155731566316327373221417": -1,
    "3575316255751336464276636772271112": -1,
    "12514726155174536522772517671": -1,
    "326615663752621323655335514271": 1,
    "74425337641465475671176741236615215533": 0,
    "34441157374153736716346556774311552222": 0,
    "7172212567451542223676134464437761515": 0,
}
IN_THE_MIDDLE = {"5554224333234511764415115": 1, "2737772244262123677516643354": 0, "24617524315172127": 1}
"""The columns played so far, counted from 1, and whether the player to move wins, draws or loses."""


def check_connect_four(game: BaseEnvironment, positions: dict[str, int]) -> None:
    """Positions and the signs of their scores from the test sets of Pons, "Solving Connect 4" (2015)."""
    solver = ExactSolver(game)
    for columns, value in positions.items():
        state, players = game.new_state()
        for column in columns:
            state, players, *_ = game.next_state(state, players, [f"DROP({int(column) - 1})"])
        assert solver.returns(state)[players[0]] == value, columns


def test_connect_four_has_the_published_values_near_its_end() -> None:
    check_connect_four(game_of("ConnectFour"), NEAR_THE_END)


@pytest.mark.exhaustive
def test_connect_four_has_the_published_values_in_the_middle() -> None:
    check_connect_four(get_environment("ConnectFour")(), IN_THE_MIDDLE)


@pytest.mark.exhaustive
@pytest.mark.slow
def test_connect_four_on_4_x_4_is_a_draw() -> None:
    """Tromp's table of small boards."""
    game = get_environment("ConnectFour")("size=[4, 4]")
    assert ExactSolver(game, limit=100_000).returns(game.new_state()[0]) == (0.0, 0.0)


def own_game(**changes: Any) -> BaseEnvironment:
    """Four moves by turns; two of the first player's that are A win."""

    def go(state, action):
        state.n += 1
        if state.agent.number == 0 and action == A:
            state.score += 1
        if state.world_turns:
            state.turn = 1 - state.agent.number

    def over(state, action, next_state):
        return next_state.n >= 4

    def pay(state, action, next_state):
        if next_state.n < 4:
            return 0.0
        won = (next_state.score > 1) == (next_state.agent.number == 0)
        return 1.0 if won else -1.0

    fields = [
        {"name": "n", "type": "int"},
        {"name": "score", "type": "int"},
        {"name": "world_turns", "type": "bool"},
    ]
    described = {
        "name": "Four", "objects": [Floor], "agents": [{"name": n, "body": False} for n in "ab"], "turn_order": "cycle",
        "actions": [A, B], "transitions": [go], "rewards": [pay], "terminations": [over], "reset": "blank",
        "fields": {"world": fields}, "representation": {"name": "compact", "fields": ["n", "score"]},
    }  # fmt: skip
    return interpreted(game_class(Spec.build(**described | changes)))()


A, B, C, PUT = (Action.declare(name) for name in ("A", "B", "C", "PUT"))


@legal_function_registry.register(fills=PUT)
def unused(state, mask):
    for k in range(3):
        mask.of(PUT)[k] = not state.used[k]


def test_players_may_have_actions_of_their_own() -> None:
    agents = [
        {"name": "a", "body": False, "actions": ["A", "B"]},
        {"name": "b", "body": False, "actions": ["C"]},
    ]
    game = own_game(agents=agents, actions=[A, B, C])
    state = game.new_state()[0]
    assert (ExactSolver(game).returns(state), ExactSolver(game).best_action(state)) == ((1.0, -1.0), "A")


def test_rules_may_choose_who_moves() -> None:
    def first(state):
        state.turn = 0
        state.world_turns = True

    game = own_game(turn_order="chosen", reset=first)
    assert ExactSolver(game).returns(game.new_state()[0]) == (1.0, -1.0)


def test_masks_that_rules_fill_are_no_chance() -> None:
    def put(state, action):
        state.used[action.number] = True
        state.last = state.agent.number

    def last_wins(state, action, next_state):
        if not (next_state.used[0] and next_state.used[1] and next_state.used[2]):
            return 0.0
        return 1.0 if next_state.last == next_state.agent.number else -1.0

    game = own_game(
        actions=[{"name": "PUT", "over": 3}], transitions=[put], rewards=[last_wins], terminations=[], legal=[unused],
        fields={"world": [{"name": "used", "type": "bool", "shape": [3]}, {"name": "last", "type": "int"}]},
        representation={"name": "compact", "fields": ["used", "last"]},
    )  # fmt: skip
    assert ExactSolver(game).returns(game.new_state()[0]) == (1.0, -1.0)
