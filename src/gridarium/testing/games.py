"""`check_game`: whether a game keeps the contract of `BaseEnvironment`, in random play to the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gridarium.games import BaseEnvironment
from gridarium.games.base_environment import Players, begin_game
from gridarium.testing.problems import require

NONSENSE = ("no such action", "\x00", "(", "-1", "9" * 30, "()")
"""Texts that are hardly ever actions."""


class PlayedStep(NamedTuple):
    """A step of a random game: who acted in a state, and what came of it."""

    where: str
    state: Any
    players: Players
    actions: list[str]
    following: Any
    next_players: Players
    rewards: list[float]
    terminal: bool
    winners: Players | None


def check_game(game: BaseEnvironment, *, seeds: int = 20, most_plies: int = 2000) -> None:
    """Run all checks of a game.

    Args:
        game: the game.
        seeds: the number of random games.
        most_plies: the number of moves by which a random game has to be over.

    Raises:
        NotConforming: a check failed; with seed and ply.
    """
    check_description(game)
    check_purity(game, seeds, most_plies)  # what comes later relies on it
    check_random_play(game, seeds, most_plies)
    check_actions(game, seeds, most_plies)
    check_endings(game, seeds, most_plies)
    check_serialization(game, seeds, most_plies)


def check_description(game: BaseEnvironment) -> None:
    """Numbers of players, names and shapes fit together, and the class alone knows the names."""
    kind = type(game)
    require(
        isinstance(game, BaseEnvironment),
        f"a game is a subclass of BaseEnvironment, and {kind.__name__} is not",
    )
    least, most = game.min_players, game.max_players
    require(1 <= least <= most, f"{kind.__name__}: min_players is {least}, max_players {most}")
    names, shapes = kind.observation_names(), dict(game.observation_shape)
    require(
        sorted(names) == sorted(shapes),
        f"{kind.__name__}: observation_names gives {sorted(names)}, observation_shape {sorted(shapes)}",
    )
    for count in {least, most}:
        state, players = begin_game(game, count, 0)
        require(
            len(game.returns(state)) == count,
            f"{kind.__name__}: a game of {count} players has {len(game.returns(state))} returns",
        )
        require(players, f"{kind.__name__}: in a new game of {count} players nobody is to act")
        require(
            not any(game.returns(state)),
            f"{kind.__name__}: returns of a new game are {game.returns(state)}, not 0",
        )


def check_random_play(game: BaseEnvironment, seeds: int = 20, most_plies: int = 2000) -> None:
    """Random games end, rewards add up to returns, observations have their shapes."""
    shapes = {name: tuple(shape) for name, shape in game.observation_shape.items()}
    for step in _steps(game, seeds, most_plies):
        count = len(game.returns(step.state))
        acting = sorted({*step.players})
        require(
            len(acting) == len(step.players) and acting[0] >= 0 and acting[-1] < count,
            f"{step.where}: players {step.players} of {count} are to act",
        )
        for player in range(count):
            seen = game.state_to_observation(step.following, player)
            found = {name: np.shape(array) for name, array in seen.items()}
            require(
                found == shapes, f"{step.where}: player {player} sees arrays of shapes {found}, not {shapes}"
            )
        rewards = [float(reward) for reward in step.rewards]
        require(
            len(rewards) == len(step.players) and np.isfinite(rewards).all(),
            f"{step.where}: rewards {rewards} for the players {step.players}; one for each, in their order, is needed",
        )
        before, after = game.returns(step.state), game.returns(step.following)
        for player, reward in zip(step.players, rewards, strict=True):
            require(
                np.isclose(after[player] - before[player], reward),
                f"{step.where}: player {player} is rewarded with {reward}, and its return grows by {after[player] - before[player]}",
            )


def check_actions(game: BaseEnvironment, seeds: int = 20, most_plies: int = 2000) -> None:
    """Legal actions are texts, all of them valid and nothing else, for those who are to act and nobody else."""
    for step in _steps(game, seeds, most_plies):
        for player in range(len(game.returns(step.state))):
            legal = game.valid_actions(step.state, player)
            where = f"{step.where}, player {player}"
            if player not in step.players:
                require(legal == [], f"{where}: it is not its turn, and its legal actions are {legal[:3]}")
                action = step.actions[0]
                require(
                    not game.is_valid_action(step.state, player, action),
                    f"{where}: it is not its turn, and {action!r} is valid",
                )
                continue
            require(
                bool(legal) and all(isinstance(action, str) for action in legal),
                f"{where}: its legal actions are {legal[:3]}; a list of texts is needed, and at least one",
            )
            require(len({*legal}) == len(legal), f"{where}: a legal action is listed twice")
            for action in legal:
                require(
                    game.is_valid_action(step.state, player, action),
                    f"{where}: {action!r} is listed as legal, and not valid",
                )
            _check_nonsense(game, step, player, legal, where)


def check_purity(game: BaseEnvironment, seeds: int = 20, most_plies: int = 2000) -> None:
    """No method changes a state or an observation, and the same actions in the same state give the same state."""
    held: list[tuple[str, Mapping[str, npt.NDArray[Any]], Mapping[str, npt.NDArray[Any]]]] = []
    for step in _steps(game, seeds, most_plies):
        for where, seen, copied in held:
            require(_same_arrays(seen, copied), f"{where}: an observation changes when the game goes on")
        seen = game.state_to_observation(step.state, step.players[0])
        held = [(step.where, seen, {name: np.array(array) for name, array in seen.items()})]
        before = _known(game, step.state)
        again, players, rewards, terminal, winners = game.next_state(
            step.state, list(step.players), list(step.actions)
        )
        require(
            _same(before, _known(game, step.state)), f"{step.where}: next_state changes the state it is given"
        )
        require(
            (players, list(rewards), terminal, winners)
            == (step.next_players, list(step.rewards), step.terminal, step.winners)
            and _same(_known(game, again), _known(game, step.following)),
            f"{step.where}: the actions {step.actions} have another result when they are repeated",
        )


def check_endings(game: BaseEnvironment, seeds: int = 20, most_plies: int = 2000) -> None:
    """Only at the end there are winners, nobody is to act, and everyone has a rank that fits the winners."""
    for step in _steps(game, seeds, most_plies):
        count = len(game.returns(step.state))
        if not step.terminal:
            require(step.winners is None, f"{step.where}: the game goes on, and has winners {step.winners}")
            require(step.next_players, f"{step.where}: the game goes on, and nobody is to act")
            continue
        require(not step.next_players, f"{step.where}: the game is over, and {step.next_players} are to act")
        winners = step.winners
        require(
            winners is not None and {*winners} <= {*range(count)},
            f"{step.where}: the game is over, and its winners are {winners}; a list of players, [] for a draw, is needed",
        )
        assert winners is not None
        for player in range(count):
            legal = game.valid_actions(step.following, player)
            require(not legal, f"{step.where}: the game is over, and {legal[:3]} are legal")
        ranks = game.compute_ranking(step.following, list(range(count)), winners)
        require(
            {*ranks} == {*range(count)} and min(ranks.values()) == 0,
            f"{step.where}: the ranking {ranks} has no rank for each player, from 0 for the best",
        )
        best = sorted(player for player, rank in ranks.items() if rank == 0)
        require(
            best == sorted(winners) or (not winners and len(best) > 1),
            f"{step.where}: the winners are {winners}, and those with rank 0 {best}",
        )


def check_serialization(game: BaseEnvironment, seeds: int = 20, most_plies: int = 2000) -> None:
    """States that are written and read again are the same, and go on in the same way; for games that serialise states."""
    if not game.serializable():
        return
    for step in _steps(game, seeds, most_plies):
        kept = game.serialize_state(step.state)
        require(
            isinstance(kept, bytes | bytearray),
            f"{step.where}: serialize_state gives {type(kept).__name__}, not bytes",
        )
        again = game.deserialize_state(kept)
        require(
            _same(_known(game, again), _known(game, step.state))
            and bytes(game.serialize_state(again)) == bytes(kept),
            f"{step.where}: a state is not the same after it was serialised and read again",
        )
        following, *_ = game.next_state(again, list(step.players), list(step.actions))
        require(
            _same(_known(game, following), _known(game, step.following)),
            f"{step.where}: a state that was read again goes on differently",
        )


def _steps(game: BaseEnvironment, seeds: int, most_plies: int) -> Iterator[PlayedStep]:
    """All steps of random games, with the smallest and the largest number of players in turn."""
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        count = (game.min_players, game.max_players)[seed % 2]
        state, players = begin_game(game, count, seed)
        terminal, ply = False, 0
        while not terminal:
            where = f"{type(game).__name__}, {count} players, seed {seed}, ply {ply}"
            require(ply < most_plies, f"{where}: the game is not over")
            legal = [game.valid_actions(state, player) for player in players]
            require(all(legal), f"{where}: {players} are to act, with {list(map(len, legal))} legal actions")
            actions = [one[int(rng.integers(len(one)))] for one in legal]
            following, after, rewards, terminal, winners = game.next_state(
                state, list(players), list(actions)
            )
            yield PlayedStep(
                where, state, list(players), actions, following, after, list(rewards), terminal, winners
            )
            state, players, ply = following, after, ply + 1


def _check_nonsense(
    game: BaseEnvironment, step: PlayedStep, player: int, legal: list[str], where: str
) -> None:
    for text in NONSENSE:
        if text in legal:
            continue
        require(not game.is_valid_action(step.state, player, text), f"{where}: {text!r} is a valid action")
        actions = [text if p == player else a for p, a in zip(step.players, step.actions, strict=True)]
        try:
            game.next_state(step.state, list(step.players), actions)
        except ValueError:
            continue
        require(False, f"{where}: next_state takes {text!r}, which is not legal; IllegalAction is needed")


def _known(game: BaseEnvironment, state: Any) -> list[Any]:
    """What methods say of a state."""
    returns = game.returns(state)
    players = range(len(returns))
    kept = [bytes(game.serialize_state(state))] if game.serializable() else []
    seen = [
        {name: np.array(array) for name, array in game.state_to_observation(state, p).items()}
        for p in players
    ]
    return [list(returns), [game.valid_actions(state, p) for p in players], kept, seen]


def _same(first: list[Any], second: list[Any]) -> bool:
    return bool(first[:3] == second[:3]) and all(map(_same_arrays, first[3], second[3]))


def _same_arrays(first: Mapping[str, npt.NDArray[Any]], second: Mapping[str, npt.NDArray[Any]]) -> bool:
    return first.keys() == second.keys() and all(np.array_equal(first[name], second[name]) for name in first)
