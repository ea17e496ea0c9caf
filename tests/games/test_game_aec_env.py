"""Games in plain Python, and worlds, as PettingZoo environments."""

import functools

import numpy as np
import pytest

from gridarium.games import IllegalAction
from tests.arena.games import Auction, Board, Nim

pytest.importorskip("pettingzoo")
checks = pytest.importorskip("pettingzoo.test")

from gridarium.games.game_aec_env import GameAECEnv  # noqa: E402

pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:We recommend agents to be named"),
]
NUMBERS = ["0", "1", "2", "3"]


ENVIRONMENTS = {
    "turns": functools.partial(GameAECEnv, Nim("9"), NUMBERS),
    "three players": functools.partial(GameAECEnv, Nim("20"), NUMBERS, 3),
    "at the same time": functools.partial(GameAECEnv, Auction(), NUMBERS),
    "world": functools.partial(GameAECEnv, Board()),
}


@pytest.mark.parametrize("kind", ENVIRONMENTS)
def test_pettingzoos_checks_are_content(kind, capsys):
    checks.api_test(ENVIRONMENTS[kind](), num_cycles=60)
    checks.seed_test(ENVIRONMENTS[kind], num_cycles=30)
    assert "Passed" in capsys.readouterr().out


def test_rewards_are_those_of_all_players():
    env = GameAECEnv(Nim("3"), NUMBERS)
    env.reset(seed=0)
    assert env.observe("player_0")["action_mask"].tolist() == [0, 1, 1, 1]
    assert env.observe("player_1")["action_mask"].tolist() == [0, 0, 0, 0]
    env.step(1)
    assert env.agent_selection == "player_1"
    env.step(2)
    assert env.rewards == {"player_0": -0.5, "player_1": 0.5}
    assert all(env.terminations.values())


def test_players_who_act_at_the_same_time_do_not_see_each_other():
    env = GameAECEnv(Auction(), NUMBERS)
    env.reset(seed=3)
    before = env.observe("player_1")
    env.step(2)
    assert env.agent_selection == "player_1"
    assert np.array_equal(env.observe("player_1")["bids"], before["bids"])
    env.step(1)
    assert env.observe("player_1")["bids"].tolist() == [1, 2, -1]


def test_wrong_use_is_refused():
    with pytest.raises(ValueError, match="the actions of Nim are needed"):
        GameAECEnv(Nim())
    env = GameAECEnv(Nim("3"), NUMBERS)
    env.reset()
    with pytest.raises(IllegalAction):
        env.step(0)
    env.step(3)
    assert env.rewards["player_0"] == 0.5


def test_who_chooses_something_illegal_chooses_again():
    """In games of simultaneous moves, too, it is the same player that does."""
    env = GameAECEnv(Auction(), NUMBERS)
    env.reset(seed=0)
    env.step(1)
    second = env.agent_selection
    for wrong, error in (
        (3, IllegalAction),
        (-1, IllegalAction),
        (len(NUMBERS), IllegalAction),
        (1.9, TypeError),
    ):
        if wrong == 3 and Auction().is_valid_action(env._state, 1, "3"):
            continue
        with pytest.raises(error):
            env.step(wrong)
        assert env.agent_selection == second
    env.step(0)
    assert env.agent_selection == "player_0"
