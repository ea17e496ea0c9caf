"""A game: what all ways to play and to watch a world share."""

import pytest

from gridarium import World
from gridarium.agents import random_action
from gridarium.view.game import Game
from gridarium.world import Action

KEYDOOR = World("KeyDoor-5x5", compiled=False)
TURNS = World("TwoAgents-Helper-8x8", compiled=False)


def test_only_so_many_ticks_can_be_taken_back():
    game = Game(KEYDOOR, [random_action], most_back=3)
    for _ in range(5):
        game.step()
    assert (game.steps, len(game.actions)) == (5, 5)
    assert [game.undo() for _ in range(4)] == [True, True, True, False]
    assert game.steps == 2
    assert game.run().steps == 2


def test_a_game_goes_on_from_a_state_that_is_set():
    game = Game(KEYDOOR, [random_action], seed=1)
    game.step()
    state = KEYDOOR.reset(7)
    game.set_state(state)
    assert game.state.identical(state) and not game.follows_seed and not game.undo()
    game.step()
    assert game.steps == 1
    game.restart()
    assert game.follows_seed and game.state.identical(KEYDOOR.reset(1))
    with pytest.raises(ValueError, match="shape"):
        game.set_state(World("KeyDoor-9x9", compiled=False).reset(0))


def test_policies_are_asked_only_when_their_agents_can_act():
    asked = []

    def policy(agent):
        asked.append(agent)
        return Action.TURN_LEFT

    game = Game(TURNS, [policy, policy])
    for _ in range(4):
        game.step()
    assert asked == [0, 1, 0, 1]


def test_an_action_that_an_agent_does_not_have_is_refused_and_nothing_has_happened():
    game = Game(TURNS, [None, lambda: Action.ACTUATE])
    game.step({0: game.action_index(0, Action.TURN_LEFT)})
    before = game.state
    with pytest.raises(ValueError, match="agent 1 has no action ACTUATE; it has TURN_LEFT"):
        game.step()
    assert game.steps == 1 and game.state.identical(before)


def test_what_is_not_a_policy_leaves_an_agent_its_own():
    game = Game(KEYDOOR, [lambda: Action.TURN_LEFT])
    with pytest.raises(TypeError, match="asks for weather"):
        game.assign(0, lambda weather: weather)
    assert game.step().actions == (KEYDOOR.actions.index(Action.TURN_LEFT),)
