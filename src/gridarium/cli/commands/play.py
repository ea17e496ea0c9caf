"""`gridarium play`: a person plays a world, in a window or in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from gridarium.agents.policy import Policy
from gridarium.arena import GameSource, open_player
from gridarium.arena.players.player import PlayerFault
from gridarium.arena.players.player_policy import PlayerPolicy
from gridarium.cli.shared.importing import import_file
from gridarium.cli.shared.matches import reported_problems
from gridarium.cli.shared.open_policy import open_policy
from gridarium.cli.shared.open_world import begin_interpreted, open_world, set_option, worlds_in
from gridarium.cli.shared.person_player import play_as_text
from gridarium.draw.motion.window_events import NoDisplay
from gridarium.engine import World
from gridarium.games import BaseEnvironment, WorldGame
from gridarium.games.base_environment import games_in
from gridarium.games.registry import ENVIRONMENT_CLASSES
from gridarium.view.matches import takes_turns
from gridarium.view.play.controller import PlayController
from gridarium.view.play.keyboard import Keyboard
from gridarium.view.play.session import PlaySession
from gridarium.view.play.terminal import NoTerminal, play_in_terminal
from gridarium.view.play.window import PlayWindow

KEY_SCHEMES = ("arrows", "wasd", "vi")


@click.command("play")
@click.argument("world")
@set_option
@click.option("--terminal", is_flag=True, help="Play in this terminal instead of a window.")
@click.option(
    "--seed", default=0, show_default=True, type=click.IntRange(min=0), help="Seed of the first episode."
)
@click.option(
    "--keys", "schemes", multiple=True, type=click.Choice(KEY_SCHEMES),
    help="Keys of a person; give one for each. By default arrows for the first, wasd for the second.",
)  # fmt: skip
@click.option(
    "--people", type=click.IntRange(min=0),
    help="How many agents are played by people; by default up to two, in games with moves to choose all that take turns. "
    "With none, one watches the policy.",
)  # fmt: skip
@click.option(
    "--against",
    metavar="PLAYER",
    help="Play one agent yourself (see --agent), against players as `gridarium match` takes them: random, mcts, mcts:seconds=1, bot.py, ...",
)
@click.option("--agent", "-a", help="The agent that you play, by its name or number; by default the first.")
@click.option(
    "--policy", "-p", default="random", show_default=True, metavar="POLICY",
    help="Policy of the other agents: a name (random, scripted, chase, mcts, ...), module:name or file.py:name.",
)  # fmt: skip
@click.option(
    "--rate", type=click.FloatRange(0.1, 100),
    help="Let time pass by itself, so many ticks a second: who has not chosen waits, or the policy acts.",
)  # fmt: skip
@click.option("--tile", default=48, show_default=True, type=click.IntRange(8, 128), help="Pixels per cell.")
@click.option(
    "--save-to", default=".", show_default=True, type=click.Path(path_type=Path, file_okay=False),
    help="Where saved games go.",
)  # fmt: skip
@click.option(
    "--interpreted",
    is_flag=True,
    help="Run the rules as plain Python: begins at once, breakpoints and prints work.",
)
def play(
    world: str,
    parameters: dict[str, Any],
    terminal: bool,
    seed: int,
    schemes: tuple[str, ...],
    people: int | None,
    against: str | None,
    agent: str | None,
    policy: str,
    rate: float | None,
    tile: int,
    save_to: Path,
    interpreted: bool,
) -> None:
    """Play WORLD yourself: with the keys shown next to it, and as many steps undone as you like.

    WORLD is the name of a catalogue world, a YAML file, or a Python file that makes a world. Two people can share a
    keyboard where the world has two agents. Where actions take arguments, cells are clicked, or `PLACE(2, 3)` is typed. A game of
    your own in plain Python (game.py, module:name) is played as text in this terminal.
    """
    if against is not None and people is not None:
        raise click.ClickException("--against leaves one agent to a person: give it without --people")
    game = _plain_game(world)
    if game is not None:
        _play_plain(game, world, parameters, seed, people, against, agent)
        return
    begin_interpreted(quiet=terminal)  # a line would disturb the page
    opened = open_world(world, compiled=not interpreted, parameters=parameters)
    seats = _seats(opened, schemes, 1 if against is not None else people, agent)
    controller = _controller(opened, seed, schemes, seats, against, policy, rate, save_to)

    try:
        if terminal:
            play_in_terminal(controller)
        else:
            PlayWindow(controller, tile).play()
    except (NoTerminal, NoDisplay, ImportError) as error:
        hint = "" if terminal else "; or play in the terminal: --terminal"
        raise click.ClickException(f"{error}{hint}") from error
    session = controller.session
    total = ", ".join(f"{value:g}" for value in session.game.now.returns.round(6).tolist())
    click.echo(f"{opened.name}, seed {session.game.seed}: {session.game.steps} steps, return {total}")


def _plain_game(given: str) -> BaseEnvironment | None:
    """The game in plain Python that a name, a file or `module:name` stands for; None if it is none."""
    stem, _, name = given.partition(":")
    if stem.endswith(".py"):
        module = import_file(stem)
        if not worlds_in(module) and games_in(module):
            with reported_problems():
                opened = GameSource(given).open()
            return None if isinstance(opened, WorldGame) else opened
        if not name:
            return None
    elif not name and given not in ENVIRONMENT_CLASSES:
        return None
    try:
        game = GameSource(given).open()
    except (AttributeError, ImportError, ValueError):
        return None  # what is wrong is said where worlds are opened
    return None if isinstance(game, WorldGame) else game


def _play_plain(
    game: BaseEnvironment,
    name: str,
    parameters: dict[str, Any],
    seed: int,
    people: int | None,
    against: str | None,
    agent: str | None,
) -> None:
    """Play a game in plain Python; without a player to play against, all seats that no person has are random.

    Raises:
        click.ClickException: an option that only worlds have, or a seat that there is not.
    """
    if parameters:
        raise click.ClickException(f"--set is for worlds, and {name} is a game in plain Python")
    seats = range(game.min_players)
    if agent is not None and (not agent.isdecimal() or int(agent) not in seats):
        raise click.ClickException(f"{name} has the players 0 to {len(seats) - 1}, not {agent}")
    one = agent is not None or against is not None
    played = [int(agent or 0)] if one else None if people is None else list(seats)[:people]
    with reported_problems():
        play_as_text(game, name, played, lambda: open_player(against or "random"), seed)


def _seats(world: World, schemes: tuple[str, ...], people: int | None, agent: str | None) -> tuple[int, ...]:
    """The numbers of the agents that people play.

    Raises:
        click.ClickException: there is no such agent, or there are too many people.
    """
    names = world.spec.agent_names
    if agent is not None:
        found = names.index(agent) if agent in names else int(agent) if agent.isdecimal() else len(names)
        if found >= len(names):
            raise click.ClickException(f"{world.name} has the agents {', '.join(names)}, not {agent}")
        if people not in (None, 1):
            raise click.ClickException(f"--agent is for one person, not for {people}")
        return (found,)
    if people is None:
        shared = _shares_keys(world) and len(schemes) <= 1
        people = len(names) if shared else len(schemes) or min(len(names), 2)
    return tuple(range(people))


def _shares_keys(world: World) -> bool:
    """Whether people use the same keys and the same mouse: they act in turns, and choose arguments of actions."""
    return takes_turns(world) and world.actions.take_arguments


def _controller(
    world: World,
    seed: int,
    schemes: tuple[str, ...],
    seats: tuple[int, ...],
    against: str | None,
    policy: str,
    rate: float | None,
    folder: Path,
) -> PlayController:
    """Create the game.

    Raises:
        click.ClickException: the arguments do not fit each other or the world.
    """
    count, agents = len(seats), world.spec.agents
    given = click.get_current_context().get_parameter_source("policy")
    asked = given is not click.core.ParameterSource.DEFAULT
    others: Any = None
    if against is not None:
        if agents == 1:
            raise click.ClickException(f"{world.name} has one agent, so there is nobody to play against")
        others = _opponents(world, against, seats, seed, live=rate is not None)
    elif asked or count < agents:
        others = open_policy(policy)
    shared = _shares_keys(world) and len(schemes) <= 1
    if not shared and count > len(KEY_SCHEMES):
        raise click.ClickException(f"there are keys for {len(KEY_SCHEMES)} people, not for {count}")
    if schemes and not shared and len(schemes) != count:
        raise click.ClickException(f"--keys was given {len(schemes)} times for {count} people")
    schemes = schemes or KEY_SCHEMES[: min(count, 1) if shared else count]
    live = rate is not None or count == 0
    try:
        keyboard = Keyboard(world, schemes, live=live, agents=seats)
        world.composed.prepare()  # its line about compiling would disturb the terminal
        session = PlaySession(world, seed=seed, people=seats, policy=others, live=live)
    except (ValueError, PlayerFault) as error:
        raise click.ClickException(str(error)) from error
    return PlayController(session, keyboard, rate=rate or 4.0, folder=folder)


def _opponents(
    world: World, text: str, seats: tuple[int, ...], seed: int, *, live: bool
) -> list[Policy | None]:
    """A player for each agent that no person plays; where time passes by itself also for those, as long as they do not choose.

    Raises:
        click.ClickException: there is no such player.
    """
    policies: list[Policy | None] = []
    for agent in range(world.spec.agents):
        if agent in seats and not live:
            policies.append(None)
            continue
        with reported_problems():
            player = open_player(text)
        click.get_current_context().call_on_close(player.close)
        policies.append(PlayerPolicy(player, world, agent, seed=seed))
    return policies
