"""Games of a single choice, which all players make at once: rock-paper-scissors, and matrices of random payoffs.

Their worlds have players without a body, and no board. The agents' field `choice` holds what a player has chosen, from 1, and 0
before.

Source: ColosseumRL (Shmakov et al. 2019).
"""

from __future__ import annotations

from gridarium.rules.calling import RandomNumbers, UnusedRng, rng_or_default
from gridarium.rules.reset_functions.protocol import reset_function_registry
from gridarium.rules.reward_functions import reward_function_registry
from gridarium.rules.transition_functions import transition_function_registry
from gridarium.world.action_arguments import ActionWithArguments
from gridarium.world.actions import Action
from gridarium.world.state import State

ROCK = Action.declare("ROCK", "Blunts scissors.")
PAPER = Action.declare("PAPER", "Wraps a rock.")
SCISSORS = Action.declare("SCISSORS", "Cut paper.")
CHOOSE = Action.declare("CHOOSE")
MULTIPLIER, MODULUS = 48271, 2147483647


@transition_function_registry.register
def throw_shape(state: State, action: Action, *, rng: UnusedRng = None) -> None:
    """A player's `choice` is 1 for ROCK, 2 for PAPER, 3 for SCISSORS, and is shown to all in `shown`."""
    state.agent.choice = 1 if action == ROCK else 2 if action == PAPER else 3
    state.shown[state.agent.number] = state.agent.choice


@reward_function_registry.register
def rock_paper_scissors(
    state: State,
    action: Action,
    next_state: State,
    *,
    win_reward: float = 1.0,
    loss_reward: float = -1.0,
    tie_reward: float = 0.0,
    rng: UnusedRng = None,
) -> float:
    """Paper beats a rock, scissors beat paper, a rock beats scissors. Of three players the one who differs from two alike wins.

    Raises:
        ValueError: there are neither two nor three players.
    """
    won = _winner_of_three(next_state) if len(next_state.agents) == 3 else _winner_of_two(next_state)
    if won < 0:
        return float(tie_reward)
    return float(win_reward if won == next_state.agent.number else loss_reward)


def _winner_of_two(state: State) -> int:
    """The winner's number; -1 if there is none."""
    if len(state.agents) != 2:
        raise ValueError(f"rock-paper-scissors is for 2 or 3 players, not {len(state.agents)}")
    ahead = (state.agents[0].choice - state.agents[1].choice) % 3
    return -1 if ahead == 0 else int(ahead - 1)


def _winner_of_three(state: State) -> int:
    first, second, third = state.agents[0].choice, state.agents[1].choice, state.agents[2].choice
    if first == second:
        return -1 if second == third else 2
    if second == third:
        return 0
    return 1 if first == third else -1


@reset_function_registry.register
def random_payoffs(state: State, *, payoff_seed: int = -1, rng: RandomNumbers = None) -> None:
    """Payoffs for each combination of choices and each player, uniform from 0 to 1, in the field `payoffs`.

    Its shape is [s ** n, n] for n players with s choices, the last player's choice the fastest.

    Args:
        state: the state.
        payoff_seed: all episodes have the payoffs of this seed, made by the generator of Park and Miller (1988); with -1, each
            has others.
        rng: random numbers.
    """
    chance, drawn = rng_or_default(state, rng), payoff_seed % (MODULUS - 1) + 1
    for agent in state.agents:
        agent.seat = agent.number
    for k in range(len(state.payoffs)):
        for i in range(len(state.agents)):
            for _ in range(1 if k + i > 0 else 8):  # the first numbers of similar seeds are similar
                drawn = drawn * MULTIPLIER % MODULUS
            state.payoffs[k, i] = chance.random() if payoff_seed < 0 else drawn / MODULUS


@transition_function_registry.register
def choose(state: State, action: ActionWithArguments, *, rng: UnusedRng = None) -> None:
    """A player's `choice` is 1 + the number that it has chosen."""
    state.agent.choice = action.number + 1


@reward_function_registry.register
def payoff(state: State, action: Action, next_state: State, *, rng: UnusedRng = None) -> float:
    """What the combination of all choices pays the player.

    Raises:
        ValueError: the shape of `payoffs` is not that of `random_payoffs`.
    """
    count, choices, k = len(next_state.agents), 1, 0
    while choices**count < len(next_state.payoffs):
        choices += 1
    if choices**count != len(next_state.payoffs):
        raise ValueError("the field 'payoffs' has the shape [s ** n, n] for n players with s choices")
    for agent in next_state.agents:
        k = k * choices + agent.choice - 1
    return float(next_state.payoffs[k, next_state.agent.number])
