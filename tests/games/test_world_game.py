"""Worlds as games: pure functions of states, with actions as text."""

import json
import random
from typing import Any

import numpy as np
import pytest

from gridarium.arena import Match, RandomPlayer, run_of_matches
from gridarium.engine import World
from gridarium.games import IllegalAction, WorldGame, game_class
from gridarium.games.solving.game_tree import END, GameTree
from gridarium.rules.transition_functions import transition_function_registry
from gridarium.testing import check_game
from gridarium.world import Action, Floor, Shape
from gridarium.worlds import Spec
from tests.engine.board import board, has_row
from tests.games.interpreted import interpreted


@pytest.fixture(scope="module")
def game() -> WorldGame:
    return interpreted(game_class("ConnectFour"))()


GAMES = {"ConnectFour": "size=5", "Hex-11x11-swap": "shape=[3, 3]", "Go": "size=3", "Snake-7x7-2p": "", "LeducPoker": "",
    "KuhnPoker-3p": "", "MatrixGame-2x2x2": "", "RockPaperScissors-3p": "ticks=3"}  # fmt: skip
LONG = {"Gomoku-15x15": "shape=[7, 7]", "Gomoku-standard-15x15": "shape=[6, 6]", "Othello": "", "Breakthrough": "", "Go-9x9": "shape=[5, 5]",
    "Blokus-14x14-2p": "shape=[10, 10]", "Tron-15x15-4p-near": ""}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "config"),
    [*GAMES.items(), *(pytest.param(*one, marks=pytest.mark.exhaustive) for one in LONG.items())],
)
def test_games_of_the_catalogue_conform(name: str, config: str) -> None:
    check_game(interpreted(game_class(name))(config), seeds=1)


def played(game: WorldGame, columns: str):
    state, players = game.new_state()
    for column in columns:
        state, players, *rest = game.next_state(state, players, [f"DROP({column})"])
    return state, players, *rest


def test_a_game_is_won(game: WorldGame) -> None:
    state, players, rewards, terminal, winners = played(game, "0101010")
    assert (players, rewards, terminal, winners) == ([], [1.0], True, [0])
    assert game.returns(state) == [1.0, -1.0]
    assert game.compute_ranking(state, [0, 1], winners) == {0: 0, 1: 1}
    assert game.valid_actions(state, 0) == game.valid_actions(state, 1) == []
    with pytest.raises(ValueError, match="the game is over"):
        game.next_state(state, [1], ["DROP(0)"])


def test_states_are_not_modified(game: WorldGame) -> None:
    state, players = game.new_state()
    before = state.world.tobytes()
    game.next_state(state, players, ["DROP(3)"])
    assert state.world.tobytes() == before


def test_it_is_one_players_turn(game: WorldGame) -> None:
    state, players, *_ = played(game, "3")
    assert players == [1]
    assert game.valid_actions(state, 0) == []
    assert game.valid_actions(state, 1) == [f"DROP({i})" for i in range(7)]
    assert not game.is_valid_action(state, 0, "DROP(3)")
    with pytest.raises(
        ValueError, match=r"an action is needed for each of the players \[1\]; got 1 for \[0\]"
    ):
        game.next_state(state, [0], ["DROP(3)"])


def test_illegal_actions_are_refused(game: WorldGame) -> None:
    state, players, *_ = played(game, "000000")
    assert game.is_valid_action(state, 0, "DROP(1)")
    for text in ("DROP(0)", "DROP(7)", "DROP", "", "x", "DROP(-1)"):
        assert not game.is_valid_action(state, 0, text)
        with pytest.raises(IllegalAction, match="player 0"):
            game.next_state(state, players, [text])
    assert not game.is_valid_action(state, 0, None)
    with pytest.raises(IllegalAction, match=r"DROP\(0\) is not legal; legal are DROP\(1\), DROP\(2\)"):
        game.next_state(state, players, ["DROP(0)"])


def test_a_full_board_is_a_draw() -> None:
    game, rng = interpreted(game_class(board(compiled=False).spec))(), random.Random(1)
    for _ in range(50):
        state, players = game.new_state()
        terminal = False
        while not terminal:
            action = rng.choice(game.valid_actions(state, players[0]))
            state, players, _, terminal, winners = game.next_state(state, players, [action])
        assert (winners == []) == (game.returns(state) == [0.0, 0.0])
        if winners == []:
            assert game.compute_ranking(state, [0, 1], winners) == {0: 0, 1: 0}
            return
    pytest.fail("no draw in 50 games")


def test_a_game_ends_when_some_have_finished_and_the_time_is_up_for_the_others() -> None:
    class TwoAgents(WorldGame):
        @classmethod
        def _open(cls, parameters):
            return World("TwoAgents-Empty-8x8", time_limit=12, compiled=False)

    game, rng = TwoAgents(), random.Random(1)
    alone = 0
    for _ in range(20):
        state, players = game.new_state()
        terminal, plies = False, 0
        while not terminal:
            alone += len(players) == 1
            actions = [rng.choice(["MOVE_FORWARD", *game.valid_actions(state, player)]) for player in players]
            state, players, _, terminal, _ = game.next_state(state, players, actions)
            plies += 1
            assert plies <= 12
    assert alone


@pytest.mark.exhaustive
def test_players_that_lack_the_first_action_may_wait_as_well() -> None:
    agents = [{"actions": ["PLACE"]}, {"actions": ["RESIGN", "PLACE"]}, {"actions": ["RESIGN"]}]
    game = game_class(board(compiled=False, agents=agents, legal=[]).spec)()
    assert game.idle_actions == [0, 0, 9]
    match = Match(game, [RandomPlayer(str(seat)) for seat in range(3)], seed=1, time_per_move=None)
    assert match.run().plies > 1


def loses(state):
    """Who has a row has lost."""
    return -1.0 if has_row(state, state.agent.number) else 1.0


def test_the_outcome_rule_ranks_the_players() -> None:
    game = interpreted(game_class(board(compiled=False, outcome=loses).spec))()
    state, players = game.new_state()
    for y, x in ((0, 0), (1, 0), (0, 1), (1, 1), (0, 2)):
        state, players, _, terminal, winners = game.next_state(state, players, [f"PLACE({y}, {x})"])
    assert terminal and winners == [1] and game.returns(state)[0] == 1.0
    assert game.compute_ranking(state, [0, 1], winners) == {0: 1, 1: 0}


def test_states_are_serialised_without_pickle(game: WorldGame) -> None:
    state, *_ = played(game, "32415")
    kept = game.serialize_state(state)
    assert isinstance(kept, bytearray)
    again = game.deserialize_state(kept)
    assert again.world.identical(state.world)
    assert (again.returns, again.players, again.terminal) == (state.returns, state.players, state.terminal)
    assert game.next_state(again, [1], ["DROP(0)"])[0].world.identical(
        game.next_state(state, [1], ["DROP(0)"])[0].world
    )
    for damaged in (b"", b"{}", b"\x80\x04", bytes(kept)[:-3]):
        with pytest.raises(ValueError, match="not a serialised state"):
            game.deserialize_state(damaged)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"state": 5}, "state: a mapping is needed here, not 5"),
        ({"returns": 5}, "returns: a list is needed here, not 5"),
        ({"returns": [1]}, "returns: 2 entries are needed here, not 1"),
        ({"returns": ["1", 0]}, "returns: numbers are needed here, not '1'"),
        ({"players": None}, "players: a list is needed here, not None"),
        ({"players": [7]}, r"players\[0\]: 7 is not from 0 to 1"),
        ({"players": [0.5]}, r"players\[0\]: a whole number is needed here, not 0.5"),
        ({"players": [0, 0]}, r"players: \[0, 0\] names one twice"),
        ({"terminal": "no"}, "terminal: true or false is needed here, not 'no'"),
        ({"format": True}, "not a serialised state"),
    ],
)
def test_wrong_parts_of_a_serialised_state_are_refused(game: WorldGame, changes: Any, words: str) -> None:
    kept = json.loads(game.serialize_state(game.new_state()[0]))
    with pytest.raises(ValueError, match=words):
        game.deserialize_state(json.dumps({**kept, **changes}).encode())


def test_observations_are_the_worlds_arrays(game: WorldGame) -> None:
    state, *_ = played(game, "3")
    assert {*game.observation_names()} == {*game.observation_shape}
    for player in range(2):
        arrays = game.state_to_observation(state, player)
        assert {name: array.shape for name, array in arrays.items()} == game.observation_shape
        assert np.array_equal(arrays["grid"], game.state_to_observation(state, player)["grid"])


def test_parameters_are_a_config_string() -> None:
    class_ = game_class("TwoAgents-Empty-8x8")
    config = class_.create(shape=(5, 6), time_limit=7).config
    assert config == "shape=[5, 6];time_limit=7"
    game = class_(config)
    assert (game.world.spec.shape, game.world.spec.time_limit) == (Shape(5, 6), 7)
    with pytest.raises(ValueError, match="there is no parameter 'sise'"):
        class_("sise=3")


RAISE = Action.declare("RAISE")


def rest_afterwards(state, action) -> None:  # type: ignore[no-untyped-def]
    """Who has bid lets nobody act."""
    state.agent.bid += 1
    state.acting.clear()


@transition_function_registry.register(scope="world")
def wake(state, action) -> None:  # type: ignore[no-untyped-def]
    """All act in every third tick."""
    if state.tick % 3 == 2:
        state.acting.fill()
    else:
        state.acting.clear()


def waiting(state, action, next_state):  # type: ignore[no-untyped-def]
    """Each tick counts."""
    return 1.0


@pytest.mark.parametrize("time_limit", [10, 9])
def test_ticks_in_which_nobody_acts_pass(time_limit: int) -> None:
    spec = Spec.build(
        name="Sleepy", objects=[Floor], agents=[{"name": n, "body": False} for n in "ab"], turn_order="chosen",
        actions=[RAISE], fields={"agent": [{"name": "bid", "type": "int"}]}, rewards=[waiting],
        transitions=[rest_afterwards, wake], time_limit=time_limit,
    )  # fmt: skip
    game = interpreted(game_class(spec))()
    result = Match(game, [RandomPlayer("x"), RandomPlayer("y")], seed=1).run()
    decisions = 1 + (time_limit - 1) // 3
    assert [(move.ply, move.seat) for move in result.moves] == [
        (p, s) for p in range(decisions) for s in (0, 1)
    ]
    assert not result.truncated and [seat.returned for seat in result.seats] == [time_limit] * 2
    run = run_of_matches(game, [result])
    assert [episode.steps for episode in run.episodes()] == [time_limit] and run.verify(game.world)
    tree = GameTree.of(game.world)
    assert tree.returns[tree.player == END].tolist() == [[time_limit] * 2]
    assert len(tree.sets) == 2 * decisions


@pytest.mark.exhaustive
def test_a_game_in_which_nobody_acts_any_more_is_told() -> None:
    spec = Spec.build(
        name="Sleepy", objects=[Floor], agents=[{"name": n, "body": False} for n in "ab"], turn_order="chosen",
        actions=[RAISE], fields={"agent": [{"name": "bid", "type": "int"}]}, transitions=[rest_afterwards],
    )  # fmt: skip
    game = interpreted(game_class(spec))()
    state, players = game.new_state()
    with pytest.raises(RuntimeError, match="nobody acts in Sleepy for 10000 ticks"):
        game.next_state(state, players, ["RAISE", "RAISE"])


def test_players_may_be_given_as_the_state_has_them():
    game = interpreted(game_class("TicTacToe"))()
    state, _ = game.new_state()
    action = game.valid_actions(state, 0)[0]
    assert (
        game.next_state(state, state.players, [action])[2]
        == game.next_state(state, [0], [action])[2]
        == [0.0]
    )
