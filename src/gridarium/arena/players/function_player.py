"""Functions and classes as players, in this process; policies of worlds among them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gridarium.agents.policy import KNOWN as OF_POLICIES
from gridarium.agents.policy import DecisionContext
from gridarium.arena.players.player import (
    GameEnd,
    GameStart,
    MatchPlayer,
    PlayerFault,
    PlayerStatus,
    Turn,
    random_numbers,
)
from gridarium.arena.players.python_host import KNOWN, bind_parameters, make_agent
from gridarium.games import WorldGame
from gridarium.world import Action

OF_WORLDS = ("world", "state", "view", "agent", "actions")
"""The parameters that policies have besides."""
assert {*OF_WORLDS} <= {*OF_POLICIES}


class FunctionPlayer(MatchPlayer):
    """A function that chooses an action, or a class of which an object is made.

    Its parameters are some of those of an agent (`observation`, `legal_actions`, `seat`, `players`, `time_left`, `rng`,
    `game`, `config`) and, if the game is a world, of a policy (`world`, `state`, `view`, `agent`, `actions`). It returns
    an action as text; in worlds also an `Action` or its index. It is called in this process, which it can neither leave
    in time nor crash: what it raises is a fault, and its time is compared with the clock when it returns.

    Args:
        name: shown in results.
        agent: the function or class.

    Raises:
        TypeError: it is neither, or has other parameters.
    """

    def __init__(self, name: str, agent: Any) -> None:
        super().__init__(name)
        self._agent = make_agent(agent)
        self._decide: Callable[[Callable[[str], Any]], Any] = bind_parameters(
            self._agent, (*KNOWN, *OF_WORLDS)
        )

    def begin(self, start: GameStart) -> None:
        """See `MatchPlayer.begin`; calls the agent's `begin()`, where it has one."""
        self._start, self._rng = start, random_numbers(start)
        self._call("begin")

    def act(self, turn: Turn) -> str:
        """See `MatchPlayer.act`."""
        values = _Values(turn, self._start, self._rng)
        try:
            return _text(turn, self._decide(values.value_of))
        except PlayerFault:
            raise
        except (Exception, SystemExit) as error:
            raise _fault(error) from error

    def end(self, end: GameEnd) -> None:
        """See `MatchPlayer.end`; calls the agent's `end(result)`, where it has one."""
        self._call("end", end)

    def _call(self, method: str, *arguments: Any) -> None:
        try:
            if hasattr(self._agent, method):
                getattr(self._agent, method)(*arguments)
        except (Exception, SystemExit) as error:
            raise _fault(error) from error


class _Values:
    """The values of an agent's parameters."""

    def __init__(self, turn: Turn, start: GameStart, rng: np.random.Generator) -> None:
        self._turn = turn
        self._told: dict[str, Any] = {
            "seat": start.seat,
            "players": start.players,
            "rng": rng,
            "game": start.name,
            "config": start.config,
            "time_left": turn.time_left,
        }
        self._context: DecisionContext | None = None

    def value_of(self, name: str) -> Any:
        """The value of a parameter.

        Raises:
            PlayerFault: only worlds have it.
        """
        if name in self._told:
            return self._told[name]
        if name in OF_WORLDS:
            return getattr(self._policy_context(name), name)
        return getattr(self._turn, name)

    def _policy_context(self, name: str) -> DecisionContext:
        turn = self._turn
        if not isinstance(turn.game, WorldGame):
            raise PlayerFault(PlayerStatus.ERROR, f"it asks for {name}, and this game is not a world")
        if self._context is None:
            state = turn.state.world
            self._context = DecisionContext(
                turn.game.world, turn.seat, self._told["rng"], turn.observation, state.copy
            )
        return self._context


def _text(turn: Turn, chosen: Any) -> str:
    if isinstance(chosen, str):
        return chosen
    if isinstance(turn.game, WorldGame):
        actions = turn.game.world.actions
        if isinstance(chosen, Action):
            return turn.game.action_text(actions.index(chosen)) if chosen in actions else str(chosen.name)
        if isinstance(chosen, int | np.integer) and 0 <= chosen < len(actions):
            return turn.game.action_text(int(chosen))
    raise PlayerFault(PlayerStatus.INVALID, f"it chose {chosen!r}, which is not the text of an action")


def _fault(error: BaseException) -> PlayerFault:
    return PlayerFault(PlayerStatus.ERROR, f"it raised {type(error).__name__}: {error}")
