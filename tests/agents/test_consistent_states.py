"""States that agree with what an agent has perceived; search that knows no more."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gridarium.agents.model.consistent_states import ConsistentStates
from gridarium.agents.model.hidden_information import hides_cards, hides_information
from gridarium.agents.named_policies import Opponent
from gridarium.arena import Match, open_player
from gridarium.arena.players.player import GameStart, Turn
from gridarium.engine import World
from gridarium.engine.outcomes.state_rows import state_at
from gridarium.games.colosseum.poker import KuhnPokerEnvironment

PASS, BET = range(2)


@pytest.fixture(scope="module")
def kuhn() -> World:
    return World("KuhnPoker-2p", compiled=False)


def dealt(world: World, *cards: int):
    state = world.reset(seed=0)
    for agent, card in zip(state.agents, cards, strict=True):
        agent.card = card
    return state


def cards_of(world: World, rows, agent: int) -> list[int]:
    return [state_at(world, rows, i).agents[agent].card for i in range(len(rows[0]))]


@pytest.mark.parametrize(
    ("name", "hides"),
    [
        ("KuhnPoker-2p", True),
        ("LeducPoker", True),
        ("TicTacToe-2p", False),
        ("Tron-15x15-4p", False),
        ("Tron-15x15-4p-near", True),
        ("MatrixGame-2x2", False),
        ("KeyDoor-5x5", False),
        ("TwoAgents-FourRooms", True),
    ],
)
def test_worlds_that_hide_something_are_known(name, hides) -> None:
    world = World(name, compiled=False)
    assert hides_information(world) is hides
    assert hides_cards(world) is (hides and "Poker" in name)


def test_own_cards_are_known_and_others_are_not(kuhn) -> None:
    states = ConsistentStates(kuhn, 0, np.random.default_rng(0), 60)
    rows = states.update(dealt(kuhn, 2, 0))
    assert rows is not None and {*cards_of(kuhn, rows, 0)} == {2} and {*cards_of(kuhn, rows, 1)} == {0, 1}


def test_what_was_done_before_is_remembered(kuhn) -> None:
    """Passing with a queen, and then facing a bet."""
    states = ConsistentStates(kuhn, 0, np.random.default_rng(0), 60)
    state = dealt(kuhn, 1, 2)
    states.update(state)
    states.act(PASS)
    for action in (PASS, BET):
        state = kuhn.step(state, [action, action])[0]
    rows = states.update(state)
    assert rows is not None and not states.lost
    found = [state_at(kuhn, rows, i) for i in range(60)]
    assert {one.agents[0].card for one in found} == {1} and {one.agents[1].card for one in found} == {0, 2}
    assert all(list(one.stakes)[:2] == [1, 2] and one.decisions == 1 for one in found)
    again = states.update(dealt(kuhn, 0, 2))  # an earlier tick: another episode
    assert again is not None and {*cards_of(kuhn, again, 0)} == {0}


def test_what_cannot_be_is_said_to_be_lost(kuhn) -> None:
    states = ConsistentStates(kuhn, 0, np.random.default_rng(0), 20)
    state = dealt(kuhn, 1, 2)
    state.stakes[0] = 7
    assert states.update(state) is not None and states.lost


class Kuhn(KuhnPokerEnvironment):
    compiled = False


@pytest.mark.exhaustive
@pytest.mark.parametrize("text", ["mcts:simulations=30", "greedy"])
def test_players_choose_alike_whatever_is_hidden_from_them(text) -> None:
    """The second player has a queen and faces a bet; the first has a jack, or a king."""
    game, chosen = Kuhn(), []
    for card in (0, 2):
        player = open_player(text)
        player.begin(GameStart(game, "kuhn", "", 2, 1, 5))
        state, _ = game.new_state(seed=0)
        state, *_ = game.next_state(replace(state, world=dealt(game.world, card, 1)), [0], ["bet"])
        assert [agent.card for agent in state.world.agents] == [card, 1]
        chosen.append(player.act(Turn(game, state, 1, 1)))
    assert chosen[0] == chosen[1]


@pytest.mark.exhaustive
def test_search_and_greed_play_poker_to_its_end() -> None:
    game = Kuhn()
    players = [open_player("mcts:simulations=20"), open_player("greedy")]
    for seed in range(3):
        result = Match(game, players, seed=seed).run()
        assert [seat.status for seat in result.seats] == ["DONE", "DONE"]


def test_the_opponent_of_people_does_not_see_their_cards(kuhn) -> None:
    chosen = []
    for card in (0, 2):
        opponent = Opponent()
        opponent.simulations_interpreted, opponent.states = 40, 40
        state = kuhn.step(dealt(kuhn, card, 1), [BET, BET])[0]
        chosen.append(opponent(kuhn, state, 1, np.random.default_rng(3)))
    assert chosen[0] == chosen[1]
