"""Small games of poker: Kuhn poker for two and more players, Leduc poker for two.

Their worlds have players without a body, and no board. They declare the fields `stakes` (what each player has put into the pot),
`decisions` (how many were made, in Leduc poker in this round) and `over`, and the agents' fields `seat`, `card` and `earned`. Leduc
poker also needs `round`, `raises`, `public` (the card on the table, -1 if there is none) and `history`. A player perceives its own
seat and card, and what everybody knows.

Source: Kuhn (1950), "A simplified two-person poker", for more players as in Abou Risk and Szafron (2010); Southey et al. (2005),
"Bayes' bluff: opponent modelling in poker".
"""

from __future__ import annotations

from gridarium.rules.calling import RandomNumbers, UnusedRng, rng_or_default
from gridarium.rules.legal_functions import legal_function_registry
from gridarium.rules.reset_functions.protocol import reset_function_registry
from gridarium.rules.terminating_functions import terminating_function_registry
from gridarium.rules.transition_functions import transition_function_registry
from gridarium.world.actions import Action
from gridarium.world.state import State

PASS = Action.declare("PASS", "Make no move.")
BET = Action.declare("BET", "Put one into the pot, as a bet or to stay in after one.")
FOLD = Action.declare("FOLD", "Give up.")
CALL = Action.declare(
    "CALL", "Put as much into the pot as the other player, or nothing if it is as much already."
)
RAISE = Action.declare("RAISE", "Put more into the pot than the other player.")
MOST_RAISES = 2
LEDUC_CARDS = 6
"""Three ranks in two suits: cards 0 and 1 have the lowest rank."""


@reset_function_registry.register
def kuhn_poker(state: State, *, rng: RandomNumbers = None) -> None:
    """Everybody puts one into the pot and gets one of n + 1 different cards, for n players.

    Raises:
        ValueError: there are fewer stakes than players.
    """
    _deal(state, len(state.agents) + 1, rng)


@reset_function_registry.register
def leduc_poker(state: State, *, rng: RandomNumbers = None) -> None:
    """Both players put one into the pot and get one of six cards, two of each rank.

    Raises:
        ValueError: there are not two players with two stakes.
    """
    if len(state.agents) != 2:
        raise ValueError(f"Leduc poker is for 2 players, not {len(state.agents)}")
    _deal(state, LEDUC_CARDS, rng)
    state.public = -1


def _deal(state: State, cards: int, rng: RandomNumbers) -> None:
    """Give each player one of a number of cards, and take its ante."""
    count = len(state.agents)
    if len(state.stakes) < count:
        raise ValueError(f"the field 'stakes' has an item for each player: {count}, not {len(state.stakes)}")
    deck = rng_or_default(state, rng).permutation(cards)
    for agent in state.agents:
        agent.seat, agent.card = agent.number, deck[agent.number]
        state.stakes[agent.number] = 1


@transition_function_registry.register
def kuhn_bet(state: State, action: Action, *, legacy: bool = False, rng: UnusedRng = None) -> None:
    """Players PASS until one has BET; then all others decide once. The highest card of those that did not give up wins.

    The winner gets what the others have put into the pot. With `legacy`, the number of the winner is counted among those
    that did not give up, as in ColosseumRL in 2020, so that others may get the pot.
    """
    nobody_has_bet = _highest_stake(state) == 1
    state.decisions += 1
    if action == BET:
        state.stakes[state.agent.number] = 2
        if nobody_has_bet:
            state.decisions = 1
    if state.decisions == len(state.agents):
        winner, staying, place = -1, 0, 0
        for agent in state.agents:
            if state.stakes[agent.number] == _highest_stake(state):
                if winner < 0 or agent.card > state.agents[winner].card:
                    winner, place = agent.number, staying
                staying += 1
        _pay(state, place if legacy else winner)


@legal_function_registry.register
def may_fold_or_raise(state: State, action: Action) -> bool:
    """Players may FOLD only when the other one has put in more, and RAISE only twice a round."""
    if action == FOLD:
        return bool(state.stakes[state.agent.number] < _highest_stake(state))
    return action != RAISE or bool(state.raises < MOST_RAISES)


@transition_function_registry.register
def leduc_bet(state: State, action: Action, *, rng: RandomNumbers = None) -> None:
    """Two rounds of betting, by 2 and by 4; a round ends with a CALL that is not its first decision.

    Between them a card is laid on the table. A card of its rank wins, otherwise the higher rank; with equal ranks both get
    back what they have put in. `history` [2, 4] holds the decisions of both rounds: 1 for CALL, 2 for RAISE.
    """
    number = state.agent.number
    if action == FOLD:
        _pay(state, 1 - number)
        return
    raised = action == RAISE
    state.history[state.round, state.decisions] = 2 if raised else 1
    state.decisions += 1
    state.stakes[number] = _highest_stake(state) + (2 * (state.round + 1) if raised else 0)
    state.raises += raised
    if raised or state.decisions == 1:
        return
    if state.round == 0:
        state.round = 1
        state.decisions = state.raises = state.turn = 0
        state.public = _draw_public(state, rng_or_default(state, rng).integers(LEDUC_CARDS - 2))
    else:
        _pay(state, _leduc_winner(state))


def _draw_public(state: State, left: int) -> int:
    """The card on the table: one that no player has, by its number among these."""
    skipped = 0
    for card in range(LEDUC_CARDS):
        if card in (state.agents[0].card, state.agents[1].card):
            skipped += 1
        elif card == left + skipped:
            return card
    raise ValueError("there are fewer cards left")


def _leduc_winner(state: State) -> int:
    """The player whose rank is that of the card on the table, or the higher one; -1 if both have the same."""
    first, second, table = state.agents[0].card // 2, state.agents[1].card // 2, state.public // 2
    if first == second:
        return -1
    if table in (first, second):
        return 0 if table == first else 1
    return 0 if first > second else 1


def _highest_stake(state: State) -> int:
    return max(state.stakes[i] for i in range(len(state.agents)))


def _pay(state: State, winner: int) -> None:
    """End the game: the winner gets the stakes of the others; nobody does if it is -1."""
    state.over = True
    if winner >= 0:
        for agent in state.agents:
            agent.earned -= state.stakes[agent.number]
            state.agents[winner].earned += state.stakes[agent.number]


@terminating_function_registry.register
def hand_over(state: State, action: Action, next_state: State, *, rng: UnusedRng = None) -> bool:
    """The pot has been won, or divided."""
    return bool(next_state.over)
