"""Counterfactual regret minimisation: known values of poker games, and best responses."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from examples import exploitability
from gridarium import World
from gridarium.arena import CannotPlay, Match, open_player
from gridarium.games import game_class, get_environment
from gridarium.games.colosseum.poker import KuhnPokerEnvironment
from gridarium.games.solving.cfr import CFR
from gridarium.games.solving.game_tree import CHANCE, END, GameTree
from gridarium.games.solving.positions import CannotSolve, TooLarge
from tests.arena.games import Nim
from tests.games.interpreted import interpreted


def tree(name: str, **parameters) -> GameTree:
    return GameTree.of(World(name, compiled=False, **parameters))


@pytest.fixture(scope="module")
def kuhn() -> GameTree:
    return tree("KuhnPoker-2p")


@pytest.fixture(scope="module")
def leduc() -> GameTree:
    return tree("LeducPoker")


def check_tree(one: GameTree, sets: int, ends: int) -> None:
    assert (len(one.sets), (one.player == END).sum()) == (sets, ends)
    assert (one.parent[1:] < np.arange(1, len(one))).all() and (np.diff(one.parent) >= 0).all()
    for node in np.flatnonzero(one.player == CHANCE).tolist():
        assert one.chance[one.parent == node].sum() == pytest.approx(1.0)


def test_the_tree_of_kuhn_poker_has_twelve_information_sets(kuhn) -> None:
    check_tree(kuhn, 12, 30)


@pytest.mark.exhaustive
def test_the_tree_of_leduc_poker_is_that_of_open_spiel(leduc) -> None:
    check_tree(leduc, 936, 5520)


@pytest.mark.parametrize("method", ["cfr", "cfr+"])
def test_kuhn_poker_is_worth_minus_an_eighteenth(kuhn, method) -> None:
    """Kuhn (1950)."""
    solver = CFR(kuhn, method)
    gaps = []
    for iterations in (10, 90, 900):
        solver.run(iterations)
        gaps.append(solver.exploitability(solver.average))
    assert gaps == sorted(gaps, reverse=True) and gaps[-1] < 0.001
    assert solver.returns(solver.average) == pytest.approx([-1 / 18, 1 / 18], abs=1e-3)
    assert solver.average.min() >= 0
    assert np.add.reduceat(solver.average, kuhn.first[:-1]) == pytest.approx(np.ones(12))


def test_equilibria_of_kuhn_poker_bet_kings_thrice_as_often_as_jacks(kuhn) -> None:
    """The one-parameter family of the first player: it bets a jack with a, a king with 3 a, calls with a queen with a + 1/3."""
    solver = CFR(kuhn)
    solver.run(3000)
    jack, queen, king = solver.average[kuhn.first[:3] + 1]  # the first sets, by the order of deals
    assert 0 <= jack <= 1 / 3 + 0.01 and king == pytest.approx(3 * jack, abs=0.03) and queen < 0.02


@pytest.mark.slow
@pytest.mark.exhaustive
def test_leduc_poker_is_worth_what_others_have_computed(leduc) -> None:
    """-0.085606424078 (Southey et al. 2005, and OpenSpiel)."""
    solver = CFR(leduc)
    solver.run(200)
    assert solver.exploitability(solver.average) < 0.006
    assert solver.returns(solver.average)[0] == pytest.approx(-0.0856064, abs=0.003)


def test_best_responses_are_those_of_all_pure_strategies(kuhn) -> None:
    rng = np.random.default_rng(1)
    solver = CFR(kuhn)
    sizes = np.diff(kuhn.first)
    strategy = rng.random(len(kuhn.actions))
    strategy /= np.repeat(np.add.reduceat(strategy, kuhn.first[:-1]), sizes)
    for player in (0, 1):
        own = np.flatnonzero(kuhn.owner == player)
        best = -np.inf
        for pure in itertools.product(*(range(sizes[number]) for number in own)):
            tried = strategy.copy()
            for number, choice in zip(own, pure, strict=True):
                tried[kuhn.first[number] : kuhn.first[number + 1]] = 0.0
                tried[kuhn.first[number] + choice] = 1.0
            best = max(best, solver.returns(tried)[player])
        assert solver.best_response(strategy, player) == pytest.approx(best)


@pytest.mark.exhaustive
def test_three_players_come_near_an_equilibrium() -> None:
    solver = CFR(tree("KuhnPoker-3p"))
    solver.run(300)
    assert solver.nash_conv(solver.average) < 0.01
    assert solver.returns(solver.average).sum() == pytest.approx(0.0)
    with pytest.raises(CannotSolve, match="has not two players with opposite rewards"):
        solver.exploitability(solver.average)


def test_games_of_one_choice_are_played_by_regret_matching() -> None:
    solver = CFR(tree("RockPaperScissors-2p"), "cfr")
    solver.strategy[:] = [0.8, 0.1, 0.1, 0.3, 0.3, 0.4]
    solver.run(3000)
    assert solver.average == pytest.approx(np.full(6, 1 / 3), abs=0.05)
    payoffs = CFR(tree("MatrixGame-3x3", payoff_seed=3))
    payoffs.run(500)
    assert payoffs.nash_conv(payoffs.average) < 0.05


def test_what_cannot_be_built_is_refused() -> None:
    with pytest.raises(TooLarge, match="more than 100 different states"):
        GameTree.of(World("TicTacToe-2p", compiled=False), limit=100)
    with pytest.raises(CannotSolve, match="cannot be built"):
        tree("MatrixGame-2x2")
    with pytest.raises(ValueError, match="the method is"):
        CFR(tree("RockPaperScissors-2p"), "other")  # type: ignore[arg-type]


class Kuhn(KuhnPokerEnvironment):
    compiled = False


@pytest.mark.exhaustive
def test_the_player_cfr_plays_poker_without_seeing_cards_and_matrices_as_they_come() -> None:
    players, actions = [open_player("cfr:iterations=300"), open_player("random")], set()
    for seed in range(30):  # with a jack it bluffs at times
        result = Match(Kuhn(), players if seed % 3 else players[::-1], seed=seed).run()
        assert [seat.status for seat in result.seats] == ["DONE", "DONE"]
        actions.add(result.moves[0].action)
    assert actions == {"check", "bet"}
    matrix = interpreted(get_environment("MatrixGame-2x2"))()
    result = Match(matrix, [open_player("cfr:iterations=50"), open_player("greedy")], seed=1).run()
    assert [seat.status for seat in result.seats] == ["DONE", "DONE"]


def test_the_player_cfr_says_once_that_a_game_is_too_large() -> None:
    five = interpreted(game_class("KuhnPoker"))("agents=5")
    with pytest.raises(CannotPlay) as told:
        Match(
            five, [open_player("cfr:limit=60"), *(open_player("random") for _ in range(4))], name="five"
        ).run()
    assert str(told.value) == (
        "cfr:limit=60 cannot play five: the tree of the game has more than 60 different states; give a larger limit, or a "
        "smaller game"
    )


def test_the_player_cfr_says_what_it_cannot_play() -> None:
    with pytest.raises(CannotPlay, match="plays worlds"):
        Match(Nim(), [open_player("cfr"), open_player("random")]).run()
    tic = type("Board", (get_environment("tictactoe"),), {"compiled": False})()
    with pytest.raises(CannotPlay, match="cfr cannot play tic: the tree of .* more than 50 different states"):
        Match(tic, [open_player("cfr:limit=50", name="cfr"), open_player("random")], name="tic").run()


def test_the_example_shows_exploitability(capsys) -> None:
    exploitability.main("KuhnPoker-2p", 100)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "KuhnPoker-2p: 55 nodes, 12 information sets"
    assert [line.split()[0] for line in lines[2:]] == ["1", "10", "100"]


@pytest.mark.parametrize(
    ("name", "theirs"), [("KuhnPoker-2p", "kuhn_poker"), ("KuhnPoker-3p", "kuhn_poker(players=3)")]
)
@pytest.mark.parametrize("method", ["cfr", "cfr+"])
def test_iterations_are_those_of_open_spiel(name, theirs, method) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game(theirs)
    solver = {"cfr": pyspiel.CFRSolver, "cfr+": pyspiel.CFRPlusSolver}[method](game)
    for _ in range(30):
        solver.evaluate_and_update_policy()
    ours = CFR(tree(name), method)
    ours.run(30)
    assert ours.nash_conv(ours.average) == pytest.approx(pyspiel.nash_conv(game, solver.average_policy()))
