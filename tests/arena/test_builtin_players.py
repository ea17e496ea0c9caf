"""Every built-in player in every game that it is offered for."""

import contextlib
import functools

import pytest

from gridarium.arena import CannotPlay, GameStart, Match, PlayerStatus, Turn, open_player, player_names
from gridarium.games import game_class, get_environment
from gridarium.world import Action, Exit, Floor, Position, Wall
from gridarium.worlds import Spec
from tests.arena.games import Auction, Nim
from tests.games.interpreted import interpreted

BOARDS = ["TicTacToe-2p", "TicTacToe-3p", "ConnectFour", "Othello", "Hex-11x11-swap", "Breakthrough-8x8", "LeducPoker",
    *(pytest.param(name, marks=pytest.mark.exhaustive) for name in ("Gomoku-15x15", "Go-9x9", "Blokus-20x20-4p"))]  # fmt: skip
OTHERS = [
    "KuhnPoker-3p",
    "RockPaperScissors-2p",
    "MatrixGame-2x2x2",
    "Tron-15x15-2p",
    "Snake-7x7-2p",
    "TwoAgents-Empty-8x8",
]
ALWAYS = {
    "random": "random",
    "greedy": "greedy",
    "mcts": "mcts:simulations=3,horizon=5",
    "minimax": "minimax:depth=2,seconds=0.03",
    "expectimax": "expectimax:depth=2,seconds=0.03",
}
"""Players of all worlds, and their smallest budgets."""
NEEDLESS = {"exact": "exact:limit=50", "cfr": "cfr:iterations=2,limit=60"}


@functools.cache
def opened(name):
    return interpreted(game_class(name))()


def faults(game, text):
    """The reasons of the faults of a player in the first plies of a game, in which all others are random."""
    count = game.min_players
    players = [open_player(text), *(open_player("random", name=str(i)) for i in range(1, count))]
    result = Match(game, players, seed=1, time_per_move=None, most_plies=4).run()
    return [f"{seat.status} {seat.reason}" for seat in result.seats if seat.status != PlayerStatus.DONE]


@pytest.mark.parametrize("player", ALWAYS)
@pytest.mark.parametrize("name", BOARDS + OTHERS)
@pytest.mark.sampled(4)
def test_players_of_all_worlds_play_every_game(player, name):
    assert faults(opened(name), ALWAYS[player]) == []


@pytest.mark.sampled(4)
@pytest.mark.parametrize("player", [name for name in player_names() if name not in ALWAYS])
@pytest.mark.parametrize("name", ["TicTacToe-3p", "LeducPoker", "RockPaperScissors-2p"])
def test_other_players_play_a_game_or_refuse_it_before_it_begins(player, name):
    with contextlib.suppress(CannotPlay):
        assert faults(opened(name), NEEDLESS.get(player, player)) == []


@pytest.mark.parametrize("text", ["mcts:simulations=60", "mcts:seconds=0.01"])
@pytest.mark.parametrize("game", [Nim("6"), Auction(), get_environment("test")()])
def test_tree_search_plays_games_in_plain_python(game, text):
    assert faults(game, text) == []


def test_tree_search_in_plain_python_finds_what_wins():
    game, player = Nim("6"), open_player("mcts:simulations=200")
    chosen = []
    for seed in range(2):
        player.begin(GameStart(game, "nim", "6", 2, 0, seed))
        chosen.append(player.act(Turn(game, (6, 0, 2), 0, 0)))
    assert chosen == ["2", "2"]  # leaves four, whatever the other one takes


@pytest.mark.parametrize("text", ["minimax", "expectimax", "cfr", "chase"])
def test_players_of_worlds_refuse_games_in_plain_python(text):
    with pytest.raises(CannotPlay, match=f"{text} plays worlds, and .* is a game in plain Python"):
        faults(Nim("6"), text)


@pytest.mark.exhaustive
@pytest.mark.parametrize("other", ["exact", "random"])
def test_tree_search_does_not_lose_tic_tac_toe(other):
    game = get_environment("TicTacToe-2p")()
    players = [open_player("mcts:simulations=1000"), open_player(other)]
    returns = []
    for seed in range(40):
        seats = players if seed % 2 == 0 else players[::-1]
        returns.append(Match(game, seats, seed=seed, time_per_move=None).run().seats[seed % 2].returned)
    assert set(returns) <= ({0.0} if other == "exact" else {0.0, 1.0})


def sit_out(state, *, rng):
    """The third player takes part in some games only."""
    if rng.random() < 0.5:
        state.acting.discard(2)


def bet(state, action):
    """What an agent bets counts."""
    state.agent.bets += action.number


def may_bet(state, action):
    """Up to 1, and 2 where the third player does not take part."""
    return action.number < 2 or len(state.acting) == 2


def nothing(state, array):
    """Agents do not see who takes part."""
    array[0] = 0


def gain(state, action, next_state):
    """What was bet."""
    return float(next_state.agent.bets - state.agent.bets)


@pytest.mark.exhaustive
def test_who_acts_may_be_hidden():
    """In the states that a player thinks possible, others act than do."""
    world = Spec.build(
        name="Bets", objects=[Floor], agents=[{"name": name, "body": False} for name in "abc"], time_limit=3,
        turn_order="chosen", actions=[{"name": "BET", "over": 3}], fields={"agent": [{"name": "bets", "type": "int"}]},
        reset=sit_out, transitions=[bet], legal=[may_bet], rewards=[gain], representation="observations",
        observations=[{"name": "nothing", "shape": [1], "type": "int", "fill": nothing}],
    )  # fmt: skip
    game = interpreted(game_class(world))()
    acting = set()
    for seed in range(6):
        players = [open_player("greedy"), open_player("random"), open_player("greedy")]
        result = Match(game, players, seed=seed).run()
        assert [seat.status for seat in result.seats] == [PlayerStatus.DONE] * 3
        assert {move.action for move in result.moves if move.seat == 0} <= {"BET(1)", "BET(2)"}
        acting.add(frozenset(move.seat for move in result.moves))
    assert len(acting) == 2


TAG = Action.declare("TAG")


def tag(state, action):
    """Who is near a tagger is out."""
    for other in state.agents:
        if action == TAG and 0 < Position.manhattan_distance(other.position, state.agent.position) <= 2:
            other.active = False


@pytest.mark.sampled(2)
@pytest.mark.parametrize("player", ["greedy", "mcts:simulations=4,horizon=5"])
def test_in_a_game_without_end_players_may_be_out(player):
    """In states that they think possible, they are not asked any more."""
    world = Spec.build(
        name="Tag", shape=(4, 4), objects=[Floor, Wall, Exit], agents=3, turn_order="cycle", reset="empty",
        actions=["MOVE_FORWARD", "TURN_LEFT", TAG], transitions=["move_agent", "turn_agent", tag],
        observation={"name": "partially_occluded", "area": [[-1, 0], [-1, 1]]},
    )  # fmt: skip
    players = [open_player(player), open_player("random"), open_player("random")]
    game = interpreted(game_class(world))()
    result = Match(game, players, seed=2, time_per_move=None, most_plies=12).run()
    assert [seat.status for seat in result.seats] == [PlayerStatus.DONE] * 3
