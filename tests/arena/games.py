"""Games in plain Python, and worlds that are not compiled, for tests of the arena."""

import numpy as np

from gridarium.games import BaseEnvironment, IllegalAction, SimpleConfigParser, WorldGame
from gridarium.games.base_environment import ranks_of
from tests.engine.board import board


class Board(WorldGame):
    """Three in a row or column, interpreted."""

    source = "Board"

    @classmethod
    def _open(cls, parameters):
        return board(compiled=False)


class Nim(BaseEnvironment):
    """Players take one to three stones in turn; who takes the last one wins. A state is (stones, player, players)."""

    parser = SimpleConfigParser((int, 9))

    @property
    def min_players(self):
        return 2

    @property
    def max_players(self):
        return 4

    @staticmethod
    def observation_names():
        return ["stones"]

    @property
    def observation_shape(self):
        return {"stones": (1,)}

    def new_state(self, num_players=None):
        return (*self.parser.parse(self._config), 0, num_players or 2), [0]

    def next_state(self, state, players, actions):
        stones, player, count = state
        if not self.is_valid_action(state, player, actions[0]):
            raise IllegalAction(f"player {player}: {actions[0]!r} is not legal")
        stones -= int(actions[0])
        following = stones, (player + 1) % count, count
        if stones:
            return following, [following[1]], [0.0], False, None
        return following, [], [1 - 1 / count], True, [player]

    def valid_actions(self, state, player):
        return [str(i) for i in range(1, min(3, state[0]) + 1)] if player == state[1] else []

    def is_valid_action(self, state, player, action):
        return action in self.valid_actions(state, player)

    def state_to_observation(self, state, player):
        return {"stones": np.array([state[0]])}

    def returns(self, state):
        stones, player, count = state
        return [
            float(not stones and (player - 1) % count == i) - float(not stones) / count for i in range(count)
        ]


class RarelyBroken(Nim):
    """Raises where the second player is to take from four stones."""

    def next_state(self, state, players, actions):
        if state[:2] == (4, 1):
            raise KeyError("a rare mistake")
        return super().next_state(state, players, actions)


class Misshapen(Nim):
    """Shows arrays of another shape than it says."""

    @property
    def observation_shape(self):
        return {"stones": (2,)}


class Auction(BaseEnvironment):
    """All bid 0 to 2 at the same time, three times; the highest sum wins. The prize is drawn, and only looked at."""

    @property
    def min_players(self):
        return 2

    @property
    def max_players(self):
        return 3

    @staticmethod
    def observation_names():
        return ["prize", "bids"]

    @property
    def observation_shape(self):
        return {"prize": (), "bids": (3,)}

    def new_state(self, num_players=None, *, seed=0):
        count = num_players or 2
        prize = int(np.random.default_rng(seed).integers(1, 100))
        return (prize, 0, (0,) * count), list(range(count))

    def next_state(self, state, players, actions):
        prize, turn, bids = state
        for player, action in zip(players, actions):
            if not self.is_valid_action(state, player, action):
                raise IllegalAction(f"player {player}: {action!r} is not legal")
        following = prize, turn + 1, tuple(bid + int(action) for bid, action in zip(bids, actions))
        over = turn == 2
        before = self.returns(state)
        rewards = [after - b for after, b in zip(self.returns(following), before)]
        best = [p for p, rank in ranks_of(players, self.returns(following)).items() if rank == 0]
        winners = best if len(best) < len(players) else []
        return following, [] if over else players, rewards, over, winners if over else None

    def valid_actions(self, state, player):
        return ["0", "1", "2"] if state[1] < 3 else []

    def is_valid_action(self, state, player, action):
        return action in self.valid_actions(state, player)

    def state_to_observation(self, state, player):
        bids = state[2][player:] + state[2][:player]
        return {"prize": np.array(state[0]), "bids": np.array([*bids, *[-1] * (3 - len(bids))])}

    def returns(self, state):
        return [float(bid) for bid in state[2]]
