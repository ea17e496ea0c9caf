"""Games and players that keep their contracts pass, and each that breaks one is told what is wrong."""

import numpy as np
import pytest

from gridarium.arena import FunctionPlayer, RandomPlayer
from gridarium.testing import (
    GameConformance,
    NotConforming,
    PlayerConformance,
    check_game,
    check_player,
)
from tests.arena.games import Auction, Board, Nim


class TestNim(GameConformance):
    game = Nim
    config = "15"


class TestAuction(GameConformance):
    game = Auction
    seeds = 6


class TestBoard(GameConformance):
    game = Board
    seeds = 3


class TestRandomPlayer(PlayerConformance):
    player = "random"
    game = Auction


class TestGreedyPlayer(PlayerConformance):
    player = "greedy"
    game = Nim


class TestFunction(PlayerConformance):
    @staticmethod
    def player():
        return FunctionPlayer("last", lambda legal_actions: legal_actions[-1])

    game = Board
    games = 2


class Names(Nim):
    @staticmethod
    def observation_names():
        return ["pebbles"]


class Shapes(Nim):
    def state_to_observation(self, state, player):
        return {"stones": np.array(state[0])}


class Rewards(Nim):
    def next_state(self, state, players, actions):
        following, after, _, *rest = super().next_state(state, players, actions)
        return following, after, [0.5], *rest


class Endless(Nim):
    def next_state(self, state, players, actions):
        following, after, *rest = super().next_state(state, players, actions)
        return (state, players, [0.0], False, None) if not after else (following, after, *rest)


class EveryonesTurn(Nim):
    def valid_actions(self, state, player):
        return super().valid_actions(state, state[1])


class Gullible(Nim):
    def is_valid_action(self, state, player, action):
        return player == state[1]


class Lenient(Nim):
    def next_state(self, state, players, actions):
        return super().next_state(state, players, [actions[0] if actions[0] in "123" else "1"])


class Impure(Nim):
    def new_state(self, num_players=None):
        state, players = super().new_state(num_players)
        return [*state], players

    def next_state(self, state, players, actions):
        following, *rest = super().next_state(tuple(state), players, actions)
        state[0] -= 1
        return list(following), *rest


class Shared(Nim):
    seen = np.zeros(1, int)

    def state_to_observation(self, state, player):
        self.seen[0] = state[0]
        return {"stones": self.seen}


class Draws(Nim):
    def next_state(self, state, players, actions):
        *rest, winners = super().next_state(state, players, actions)
        return *rest, None if winners is None else [1 - winners[0]]


class Forgetful(Nim):
    @staticmethod
    def serializable():
        return True

    @staticmethod
    def serialize_state(state):
        return bytearray(state)

    @staticmethod
    def deserialize_state(serialized):
        return (9, *serialized[1:])


@pytest.mark.parametrize(
    ("game", "problem"),
    [
        (Names, r"observation_names gives \['pebbles'\], observation_shape \['stones'\]"),
        (Shapes, r"seed 0, ply 0: player 0 sees arrays of shapes {'stones': \(\)}, not {'stones': \(1,\)}"),
        (Rewards, "player 0 is rewarded with 0.5, and its return grows by 0.0"),
        (Endless, "the game is not over"),
        (EveryonesTurn, r"player 1: it is not its turn, and its legal actions are \['1', '2', '3'\]"),
        (Gullible, "'no such action' is a valid action"),
        (Lenient, "next_state takes 'no such action', which is not legal"),
        (Impure, "next_state changes the state it is given"),
        (Shared, "an observation changes when the game goes on"),
        (Draws, r"the winners are \[\d\], and those with rank 0 \[\d\]"),
        (Forgetful, "a state is not the same after it was serialised"),
    ],
)
def test_broken_games_are_told_what_is_wrong(game, problem):
    with pytest.raises(NotConforming, match=problem):
        check_game(game("6"), seeds=4, most_plies=50)


def test_failing_players_are_told_what_is_wrong():
    with pytest.raises(
        NotConforming, match=r"seat 0 of Nim, seed 0: INVALID, it chose '9', which is not legal"
    ):
        check_player(lambda: FunctionPlayer("wrong", lambda seat: "9"), Nim())

    class Unsteady(RandomPlayer):
        def begin(self, start):
            self._rng = np.random.default_rng()

    with pytest.raises(
        NotConforming, match=r"unsteady: move \d+ differs between two games with the same seed"
    ):
        check_player(lambda: Unsteady("unsteady"), Nim("60"))
    check_player(lambda: Unsteady("unsteady"), Nim("60"), deterministic=False)
