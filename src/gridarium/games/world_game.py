"""Worlds of players as games: `BaseEnvironment` over the composed step."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from gridarium.engine import Autoreset, Batch, World
from gridarium.games.base_environment import BaseEnvironment, IllegalAction, Players, Transition, ranks_of
from gridarium.games.config_strings import parameters_of, text_of
from gridarium.world import State
from gridarium.world.text_form.json import from_json, to_json
from gridarium.world.text_form.plain_data import InvalidData, read_bool, read_int, read_list, shown

FORMAT = 1
"""The version of the form in which states are serialised."""
KEYS = {"format", "state", "returns", "players", "terminal"}


MOST_TICKS_ALONE = 10_000
"""For how many ticks nobody may act in a game."""


@dataclass(frozen=True)
class GameState:
    """A position of a game that is a world.

    Attributes:
        world: the state of the world; not modified by anyone.
        returns: the sum of each player's rewards so far.
        players: those who act next; nobody at the end.
        terminal: whether the game is over.
    """

    world: State
    returns: tuple[float, ...]
    players: tuple[int, ...]
    terminal: bool = False

    def __str__(self) -> str:
        return str(self.world)


class WorldGame(BaseEnvironment):
    """A game that is a world of the catalogue, a file, or any other `World` with agents.

    Actions are written as the world writes them, such as `PLACE(2, 3)`. Several games can share one world.

    Args:
        config: parameters of the world, `name=value` separated by semicolons: `size=9;komi=5.5`.

    Attributes:
        world: the world.
        seed: the seed of the next game with chance; it counts up with each `new_state`.

    Raises:
        ValueError: an unknown parameter, or an invalid value.

    Example:
        >>> game = game_class("ConnectFour")()
        >>> state, players = game.new_state()
        >>> game.valid_actions(state, 0)[:2]
        ['DROP(0)', 'DROP(1)']
    """

    source: ClassVar[Any] = None
    """The world, as for `World(...)`; set by `game_class`."""
    compiled: ClassVar[bool] = True
    """Whether the world is compiled."""
    action_texts: ClassVar[Sequence[str]] = ()
    """The texts of all actions in the order of the world's, where a game has its own."""

    def __init__(self, config: str = "", *, seed: int = 0) -> None:
        super().__init__(config)
        self.world = self._open(self.parameters(config))
        self.seed = seed
        self._local = threading.local()
        self._names: dict[int, str] = {}
        self._indices: dict[str, int] = {}

    @classmethod
    def create(cls, **parameters: Any) -> Self:
        """The game with some parameters by name; its `config` is their text."""
        return cls(text_of(parameters))

    @classmethod
    def parameters(cls, config: str) -> dict[str, Any]:
        """The world's parameters that a config string stands for."""
        return parameters_of(config)

    @classmethod
    def _open(cls, parameters: dict[str, Any]) -> World:
        if cls.source is None:
            raise TypeError("WorldGame is a base class; game_class(world) makes the class of a world")
        return World(cls.source, compiled=cls.compiled, **parameters)

    @property
    def min_players(self) -> int:
        """The number of agents of the world."""
        return self.world.spec.agents

    @property
    def max_players(self) -> int:
        """The number of agents of the world."""
        return self.world.spec.agents

    @classmethod
    def observation_names(cls) -> list[str]:
        """The names of the arrays of the world's observations."""
        return [output.name for output in cls._open({}).composed.outputs]

    def __str__(self) -> str:
        """The name of the world."""
        return self.world.name

    @property
    def observation_shape(self) -> dict[str, tuple[int, ...]]:
        """The shape of each array of an observation."""
        return {output.name: tuple(output.shape) for output in self.world.composed.outputs}

    def new_state(
        self, num_players: int | None = None, *, seed: int | None = None
    ) -> tuple[GameState, Players]:
        """The beginning of a game.

        Args:
            num_players: the world's number of agents, if given.
            seed: of all chance in the game; by default `self.seed`, which then counts up.

        Raises:
            ValueError: another number of players.
        """
        agents = self.check_players(num_players)
        batch = self._batch()
        batch.reset(self._next_seed() if seed is None else seed)
        state = self._next_decision(batch, np.zeros(agents), (0.0,) * agents)
        return state, list(state.players)

    def check_players(self, num_players: int | None) -> int:
        """The number of players.

        Raises:
            ValueError: another number was given.
        """
        agents = self.world.spec.agents
        if num_players not in (None, agents):
            raise ValueError(f"{self.world.name} is a game of {agents} players, not {num_players}")
        return agents

    @property
    def idle_actions(self) -> list[int]:
        """The first action that each agent has, by its index: it stands for those that do not act."""
        return [mask.index(True) for mask in self.world.spec.action_masks]

    def action_text(self, index: int) -> str:
        """How this game writes an action of the world."""
        return self.action_texts[index] if self.action_texts else str(self.world.actions[index].name)

    def action_index(self, text: str) -> int:
        """The index of an action among those of the world.

        Raises:
            ValueError: it cannot be read.
        """
        if not self.action_texts:
            return self.world.actions.parse(text)
        if text not in self.action_texts:
            raise ValueError(f"{text!r} is not one of {', '.join(self.action_texts)}")
        return self.action_texts.index(text)

    def next_state(self, state: GameState, players: Players, actions: Sequence[str]) -> Transition:
        """See `BaseEnvironment.next_state`.

        Raises:
            IllegalAction: an action is not legal; the message lists a few that are.
            ValueError: the game is over, or other players are to act.
        """
        if state.terminal:
            raise ValueError("the game is over")
        if sorted(players) != list(state.players) or len(actions) != len(players):
            raise ValueError(
                f"an action is needed for each of the players {list(state.players)}; got {len(actions)} for {players}"
            )
        batch = self._at(state)
        chosen = np.array([self.idle_actions])
        for player, action in zip(players, actions, strict=True):
            chosen[0, player] = self._index(batch, player, action)
        self._local.state = None
        rewards = _stepped(batch, chosen)
        following = self._next_decision(batch, rewards, state.returns)
        winners = self.winners(following) if following.terminal else None
        return (
            following,
            list(following.players),
            rewards[list(players)].tolist(),
            following.terminal,
            winners,
        )

    def imagined(self, state: GameState, world_state: State) -> GameState:
        """A state with another state of its world, such as one that agrees with what a player has perceived."""
        imagined = replace(state, world=world_state)
        return replace(imagined, players=self.acting(self._at(imagined)))

    def valid_actions(self, state: GameState, player: int) -> list[str]:
        """The legal actions of a player by name; none if it is not the player's turn."""
        if player not in state.players:
            return []
        mask = self._mask(self._at(state), player)
        return [self._name(i) for i in np.flatnonzero(mask).tolist()]

    def is_valid_action(self, state: GameState, player: int, action: str) -> bool:
        """Whether an action is legal; False for any other text, or no text."""
        if player not in state.players or not isinstance(action, str):
            return False
        try:
            self._index(self._at(state), player, action)
        except IllegalAction:
            return False
        return True

    def state_to_observation(self, state: GameState, player: int) -> dict[str, npt.NDArray[Any]]:
        """What a player perceives, as the world's arrays: copies."""
        arrays = self._at(state).observe()
        several = self.world.spec.agents > 1
        return {name: (array[0, player] if several else array[0]).copy() for name, array in arrays.items()}

    def returns(self, state: GameState) -> list[float]:
        """The sum of each player's rewards from the beginning of the game."""
        return list(state.returns)

    def compute_ranking(
        self, state: GameState, players: Players, winners: Players | None = None
    ) -> dict[int, int]:
        """The ranks at the end by outcome, where the world has an outcome rule, otherwise by return."""
        outcomes = (
            self.returns(state) if self.world.spec.outcome is None else self.world.outcomes(state.world)
        )
        return ranks_of(players, np.atleast_1d(outcomes).tolist())

    def winners(self, state: GameState) -> Players:
        """The players of the best rank at the end; nobody if all share it."""
        ranks = self.compute_ranking(state, list(range(len(state.returns))))
        best = [player for player, rank in ranks.items() if rank == 0]
        return best if len(best) < len(ranks) else []

    @staticmethod
    def serializable() -> bool:
        """States can be serialised."""
        return True

    @staticmethod
    def serialize_state(state: GameState) -> bytearray:
        """A state as JSON text in bytes, without pickle; complete, with hidden information and chance."""
        data = {
            "format": FORMAT,
            "state": json.loads(to_json(state.world)),
            "returns": state.returns,
            "players": state.players,
            "terminal": state.terminal,
        }
        return bytearray(json.dumps(data).encode())

    @staticmethod
    def deserialize_state(serialized: bytes | bytearray) -> GameState:
        """The state of `serialize_state`.

        Raises:
            ValueError: other bytes.
        """
        try:
            data = json.loads(bytes(serialized))
        except ValueError as error:
            raise ValueError(f"not a serialised state: {error}") from None
        if not isinstance(data, dict) or data.keys() != KEYS or repr(data["format"]) != repr(FORMAT):
            raise ValueError(f"not a serialised state of format {FORMAT}")
        if not isinstance(data["state"], dict):
            raise InvalidData(("state",), f"a mapping is needed here, not {shown(data['state'])}")
        world = from_json(data["state"])
        count = len(world.agents)
        players = [
            read_int(player, ("players", i), range(count))
            for i, player in enumerate(read_list(data["players"], ("players",)))
        ]
        if len(set(players)) < len(players):
            raise InvalidData(("players",), f"{players} names one twice")
        returns = read_list(data["returns"], ("returns",), count)
        if wrong := [number for number in returns if type(number) not in (int, float)]:
            raise InvalidData(("returns",), f"numbers are needed here, not {shown(wrong[0])}")
        return GameState(
            world, tuple(map(float, returns)), tuple(players), read_bool(data["terminal"], ("terminal",))
        )

    def _batch(self) -> Batch:
        """A batch of one; each Python thread has its own."""
        batch: Batch | None = getattr(self._local, "batch", None)
        if batch is None:
            batch = self._local.batch = self.world.batch(
                1, autoreset=Autoreset.DISABLED, shared=True, observers="all"
            )
        return batch

    def _at(self, state: GameState) -> Batch:
        """The batch in a state; it is often there already."""
        batch = self._batch()
        if getattr(self._local, "state", None) is not state:
            self._local.state = None
            batch.set_state(0, state.world)
            self._local.state = state
        return batch

    def _next_decision(
        self, batch: Batch, rewards: npt.NDArray[np.float64], returns: tuple[float, ...]
    ) -> GameState:
        """Let ticks pass in which nobody acts, whose rewards are added; the state in which somebody does, or the end.

        Raises:
            RuntimeError: nobody acts any more.
        """
        for _ in range(MOST_TICKS_ALONE):
            terminal = bool(batch.ended[0])
            acting = () if terminal else self.acting(batch)
            if terminal or acting:
                total = tuple((np.asarray(returns) + rewards).tolist())
                state = GameState(batch.state(0), total, acting, terminal)
                self._local.state = state
                return state
            rewards += _stepped(batch, np.array([self.idle_actions]))
        raise RuntimeError(
            f"nobody acts in {self.world.name} for {MOST_TICKS_ALONE} ticks, and its episode does not end"
        )

    def _next_seed(self) -> int:
        self.seed += 1
        return self.seed - 1

    def _name(self, index: int) -> str:
        name = self._names.get(index)
        if name is None:
            name = self._names[index] = self.action_text(index)
            self._indices[name] = index
        return name

    def acting(self, batch: Batch) -> tuple[int, ...]:
        """Who acts next in a batch of one."""
        if self.world.spec.turn_order == "cycle":
            return (int(batch.turns[0]),)
        return tuple(np.flatnonzero(batch.acting[0]).tolist())

    def _mask(self, batch: Batch, player: int) -> npt.NDArray[np.bool_]:
        composed = self.world.composed
        own: npt.NDArray[np.bool_] = composed.action_table[player] >= 0
        if (masks := batch.masks) is None:
            return own
        legal: npt.NDArray[np.bool_] = (masks[0, player] if masks.ndim == 3 else masks[0]) != 0
        return legal

    def _index(self, batch: Batch, player: int, action: str) -> int:
        """The index of a legal action.

        Raises:
            IllegalAction: it is not legal, or there is no such action.
        """
        mask, index = self._mask(batch, player), self._indices.get(action)
        if index is None:
            try:
                index = self.action_index(action)
            except ValueError as error:
                raise IllegalAction(f"player {player}: {error}") from None
        if not mask[index]:
            legal = [self._name(i) for i in np.flatnonzero(mask)[:8].tolist()]
            more = ", ..." if mask.sum() > len(legal) else ""
            raise IllegalAction(
                f"player {player}: {action} is not legal; legal are {', '.join(legal)}{more}"
                if legal
                else f"player {player}: {action} is not legal, and nothing else is"
            )
        return index


def _stepped(batch: Batch, actions: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Step a batch of one by int64[1, agents]; a copy of the rewards, float64[agents]."""
    return batch.step(actions if actions.size > 1 else actions[0]).rewards.reshape(-1).copy()


def game_class(world: Any, name: str = "") -> type[WorldGame]:
    """The `WorldGame` class of a world.

    Args:
        world: as for `World(...)`: the name of a catalogue world, a file, a description.
        name: of the class.
    """
    shown = name or (world if isinstance(world, str) else getattr(world, "name", "game"))
    return type(
        f"{shown.replace('-', '_')}Game", (WorldGame,), {"source": world, "__doc__": f"{shown} as a game."}
    )
