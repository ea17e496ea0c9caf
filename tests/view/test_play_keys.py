"""Which key means what."""

import pytest

from gridarium import Spec, World
from gridarium.view.play.keyboard import (
    COMMANDS,
    KEY_SCHEMES,
    ONLY_LIVE,
    Command,
    KeyAction,
    Keyboard,
    KeyChoice,
    shown,
)
from gridarium.world import Action, Exit, Floor
from gridarium.world.action_arguments import ActionWithArguments
from gridarium.worlds import catalogue
from tests.view.pawns import coins, pawns

HEADING = World("KeyDoor-5x5", compiled=False)
COMPASS = World("TaxiTown-5x5", compiled=False)
HELPER = World("TwoAgents-Helper-8x8", compiled=False)
COINS = coins()


def doing(keyboard, key):
    """The agent and the name of the action that a key stands for."""
    act = keyboard.meaning(key)
    assert isinstance(act, KeyAction)
    return act.agent, keyboard.world.actions[act.action].name


@pytest.mark.parametrize("scheme", KEY_SCHEMES)
def test_with_a_heading_one_walks_and_turns(scheme):
    keyboard = Keyboard(HEADING, [scheme])
    done = [doing(keyboard, key) for key in KEY_SCHEMES[scheme].directions]
    assert done == [(0, n) for n in ("MOVE_FORWARD", "MOVE_BACKWARD", "TURN_LEFT", "TURN_RIGHT")]


@pytest.mark.parametrize("scheme", KEY_SCHEMES)
def test_without_one_the_keys_are_the_compass(scheme):
    keyboard = Keyboard(COMPASS, [scheme])
    done = [doing(keyboard, key) for key in KEY_SCHEMES[scheme].directions]
    assert done == [(0, n) for n in ("UP", "DOWN", "LEFT", "RIGHT")]


def test_two_people_share_a_keyboard():
    keyboard = Keyboard(HELPER, ["arrows", "wasd"])
    assert doing(keyboard, "up") == (0, "MOVE_FORWARD")
    assert doing(keyboard, "w") == (1, "MOVE_FORWARD")
    assert doing(keyboard, "space") == (0, "ACTUATE")
    assert keyboard.meaning("e") is None  # the traveller can only walk
    told = keyboard.help()
    assert [meaning for key, meaning in told if not key] == ["helper", "traveller", "everybody"]


def worlds_and_schemes():
    for name in catalogue.names():
        agents = World(name, compiled=False).spec.agents
        yield name, ["arrows"]
        yield name, ["wasd"]
        yield name, ["vi"]
        if agents > 1:
            yield name, ["arrows", "wasd"]
            yield name, ["vi", "wasd"]


@pytest.mark.exhaustive
def test_in_every_world_every_action_has_one_key_and_nothing_is_lost():
    for name, schemes in worlds_and_schemes():
        world = World(name, compiled=False)
        keyboard = Keyboard(world, schemes, live=True)
        acts = [m for m in keyboard._meanings.values() if isinstance(m, KeyAction | KeyChoice)]
        wanted = {
            KeyAction(agent, i)
            if not isinstance(world.actions[i], ActionWithArguments)
            else KeyChoice(agent, world.actions.listed[world.actions.owners[i]].name)
            for agent in range(len(schemes))
            for i, has in enumerate(world.spec.action_masks[agent])
            if has
        }
        assert set(acts) == wanted and len(acts) == len(wanted)
        for command, keys in COMMANDS.items():
            assert all(keyboard.meaning(key) is command for key in keys)
        told = [key for key, _ in keyboard.help() if key]
        assert len(told) == len(set(told)) == len(wanted) + len(COMMANDS)


def test_schemes_do_not_share_keys():
    taken = [k for scheme in KEY_SCHEMES.values() for k in (*scheme.directions, *scheme.special.values())]
    commands = [key for keys in COMMANDS.values() for key in keys]
    assert len(set(taken)) == len(taken)
    assert not set(taken) & set(commands)


def with_actions(*names):
    actions = [getattr(Action, n, None) or Action.declare(n) for n in names]
    return World(
        Spec.build(
            name="Some", shape=(3, 3), objects=[Floor, Exit], actions=actions, reset="empty", transitions=["move_agent"],
            rewards=["living_reward"], terminations=["reach_exit"], observation="full_grid",
        ),
        compiled=False,
    )  # fmt: skip


def test_actions_of_ones_own_get_a_letter_of_their_name():
    keyboard = Keyboard(with_actions("MOVE_FORWARD", "JUMP", "RUN", "JUGGLE"))
    assert doing(keyboard, "j") == (0, "JUMP")
    assert doing(keyboard, "u") == (0, "RUN")  # r begins again
    assert doing(keyboard, "g") == (0, "JUGGLE")


def test_more_actions_than_keys_are_refused():
    with pytest.raises(ValueError, match="more actions than there are keys"):
        Keyboard(with_actions(*(f"DO_{i}" for i in range(40))))


def test_what_cannot_be_is_refused():
    with pytest.raises(ValueError, match="keys are arrows, wasd, vi, not 'dvorak'"):
        Keyboard(HEADING, ["dvorak"])
    with pytest.raises(ValueError, match="keys of their own"):
        Keyboard(HELPER, ["vi", "vi"])
    with pytest.raises(ValueError, match="KeyDoor-5x5 has one agent, and keys for 2 people"):
        Keyboard(HEADING, ["vi", "wasd"])


def test_pausing_is_offered_where_time_passes():
    told = {meaning for _, meaning in Keyboard(HEADING).help()}
    live = {meaning for _, meaning in Keyboard(HEADING, live=True).help()}
    assert live - told == {command.value for command in ONLY_LIVE}
    assert [shown(key) for key in (",", "/", ".", "a")] == ["comma", "slash", "period", "a"]
    assert shown("return") == "enter" and Command.QUIT.value in told


def test_an_action_with_arguments_has_one_key():
    keyboard = Keyboard(COINS, ["arrows", "wasd"])
    assert doing(keyboard, "up") == (0, "UP") and doing(keyboard, "w") == (1, "UP")
    assert keyboard.meaning("k") == KeyChoice(0, "TAKE") and keyboard.meaning("b") == KeyChoice(1, "TAKE")
    offered = keyboard.actions_help(lambda meaning: isinstance(meaning, KeyAction))
    assert offered == [("", "ann"), ("up", "up"), ("period", "wait"), ("", "bob"), ("w", "up"), ("x", "wait")]


def test_keys_can_be_shared_by_those_who_take_turns():
    keyboard = Keyboard(pawns(), agents=(0, 1))
    assert keyboard.meaning("m") == KeyChoice(None, "MOVE")
    assert keyboard.actions_help() == [("m", "move")]
    with pytest.raises(ValueError, match="keys for 2 people were given for 1 agents"):
        Keyboard(COINS, ["arrows", "wasd"], agents=(0,))


def test_a_person_can_play_another_agent_than_the_first():
    assert doing(Keyboard(HELPER, agents=(1,)), "up") == (1, "MOVE_FORWARD")
