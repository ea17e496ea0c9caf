"""Kuhn poker and Leduc poker: the trees of the games, their known values, and what players perceive."""

import itertools
from fractions import Fraction

import pytest

from gridarium import World

PASS, BET = range(2)
FOLD, CALL, RAISE = range(3)
JACK, QUEEN, KING = range(3)
KUHN = {count: World(f"KuhnPoker-{count}p", compiled=False) for count in (2, 3)}
LEDUC = World("LeducPoker", compiled=False)


def dealt(world, *cards):
    state = world.reset(seed=0)
    for agent, card in zip(state.agents, cards, strict=True):
        agent.card = card
    return state


def step(world, state, action):
    return world.step(state, [action] * world.spec.agents)


def leaves(world, state, history=()):
    """All ends of a game: the decisions with their players, and the rewards."""
    turn = world.turn(state)
    for action in world.legal_actions(state):
        after, rewards, ended = step(world, state, action)
        decisions = (*history, (turn, action))
        if ended.all():
            yield decisions, [int(reward) for reward in rewards]
        else:
            assert not rewards.any() and not ended.any()
            yield from leaves(world, after, decisions)


def returns(world, cards, actions):
    state = dealt(world, *cards)
    for action in actions:
        state, rewards, ended = step(world, state, action)
    assert ended.all()
    return list(rewards)


@pytest.mark.parametrize(
    ("cards", "actions", "expected"),
    [
        ((KING, JACK), [PASS, PASS], [1, -1]),
        ((JACK, KING), [BET, PASS], [1, -1]),
        ((JACK, KING), [BET, BET], [-2, 2]),
        ((KING, JACK), [PASS, BET, PASS], [-1, 1]),  # who gives up pays, whatever the cards
        ((QUEEN, JACK), [PASS, BET, BET], [2, -2]),
        ((3, 0, 1), [PASS, PASS, PASS], [2, -1, -1]),
        ((3, 0, 1), [PASS, BET, PASS, PASS], [-1, 2, -1]),
        ((3, 0, 1), [PASS, BET, BET, PASS], [-1, -2, 3]),
        ((3, 0, 1), [PASS, BET, BET, BET], [4, -2, -2]),
    ],
)
def test_the_pot_of_kuhn_poker(cards, actions, expected):
    assert returns(KUHN[len(cards)], cards, actions) == expected


@pytest.mark.parametrize(("players", "ends"), [(2, 5), (3, 13), (5, 81)])
def test_the_tree_of_kuhn_poker(players, ends):
    world = World("KuhnPoker", agents=players, compiled=False)
    found = list(leaves(world, dealt(world, *range(players))))
    assert len(found) == ends  # nobody bets, or one of n does and all others decide
    assert all(sum(rewards) == 0 for _, rewards in found)


def test_at_most_ten_players_have_a_stake():
    assert World("KuhnPoker", agents=10, compiled=False).reset().stakes[9] == 1
    with pytest.raises(ValueError, match="an item for each player: 11, not 10"):
        World("KuhnPoker", agents=11, compiled=False).reset()


def test_the_value_of_kuhn_poker():
    """Kuhn's equilibria are worth -1/18 to the first player, and nobody can do better against them."""
    world, ends = KUHN[2], {}
    for cards in itertools.permutations(range(3), 2):
        ends[cards] = list(leaves(world, dealt(world, *cards)))
    third = Fraction(1, 3)
    second = {(JACK, 1): third, (QUEEN, 1): 0, (KING, 1): 1, (JACK, 2): 0, (QUEEN, 2): third, (KING, 2): 1}
    pure = [dict(zip(second, bets, strict=True)) for bets in itertools.product((0, 1), repeat=6)]
    for alpha in (Fraction(0), Fraction(1, 5), third):
        first = {(JACK, 1): alpha, (QUEEN, 1): 0, (KING, 1): 3 * alpha}
        first |= {(JACK, 2): 0, (QUEEN, 2): alpha + third, (KING, 2): 1}
        assert value(ends, first, second) == Fraction(-1, 18)
        assert max(value(ends, other, second) for other in pure) == Fraction(-1, 18)
        assert min(value(ends, first, other) for other in pure) == Fraction(-1, 18)


def value(ends, first, second):
    """What the first player gets on average; a policy has the probability to bet by card, and whether it is 1 = its first
    decision without a bet, or 2 = after one."""
    total = Fraction(0)
    for cards, found in ends.items():
        for decisions, rewards in found:
            probability, was_bet = Fraction(1, len(ends)), False
            for player, action in decisions:
                bet = (first, second)[player][cards[player], 2 if was_bet else 1]
                probability *= bet if action == BET else 1 - bet
                was_bet = was_bet or action == BET
            total += probability * rewards[0]
    return total


def test_players_see_their_own_card_only():
    for world, cards in ((KUHN[3], (3, 0, 2)), (LEDUC, (4, 1))):
        state = dealt(world, *cards)
        for seat, card in enumerate(cards):
            assert world.turn(state) == seat
            seen = world.arrays(state)["fields"]
            assert list(seen[:2]) == [seat, card]
            others = dealt(world, *(card if k == seat else card + 10 for k, card in enumerate(cards)))
            others.turn = seat
            others.stakes[0], others.stakes[1] = state.stakes[0], state.stakes[1]
            if world is LEDUC:
                others.history[0, 0] = state.history[0, 0]
            assert list(world.arrays(others)["fields"]) == list(seen)
            state, _, _ = step(world, state, {KUHN[3]: PASS, LEDUC: CALL}[world])


@pytest.mark.parametrize(
    ("cards", "public", "actions", "expected"),
    [
        ((0, 5), None, [RAISE, FOLD], [1, -1]),
        ((0, 5), None, [CALL, RAISE, RAISE, FOLD], [3, -3]),
        ((0, 5), 1, [CALL, CALL, CALL, CALL], [1, -1]),  # a pair
        ((0, 4), 5, [RAISE, CALL, RAISE, CALL], [-7, 7]),
        ((2, 4), 0, [CALL, CALL, CALL, CALL], [-1, 1]),  # the higher rank
        ((4, 5), 0, [RAISE, RAISE, CALL, RAISE, RAISE, CALL], [0, 0]),
        ((4, 2), 0, [RAISE, RAISE, CALL, RAISE, RAISE, CALL], [13, -13]),
        ((0, 5), 2, [CALL, CALL, RAISE, FOLD], [1, -1]),
    ],
)
def test_the_pot_of_leduc_poker(cards, public, actions, expected):
    state = dealt(LEDUC, *cards)
    for i, action in enumerate(actions):
        assert action in LEDUC.legal_actions(state)
        before, (state, rewards, ended) = state.round, step(LEDUC, state, action)
        if state.round > before:
            assert state.public not in (-1, *cards) and LEDUC.turn(state) == 0
            state.public = public
        assert ended.all() == (i == len(actions) - 1)
    assert list(rewards) == expected


@pytest.mark.exhaustive
def test_leduc_poker_has_936_information_states():
    """As many as in OpenSpiel; of each pair of a card and one on the table, one deal is enough."""
    seen = set()

    def walk(state, public):
        seen.add(tuple(LEDUC.arrays(state)["fields"]))
        for action in LEDUC.legal_actions(state):
            after, _, ended = step(LEDUC, state, action)
            if after.round > state.round:
                after.public = public
            if not ended.all():
                walk(after, public)

    for card, public in itertools.permutations(range(6), 2):
        left = [c for c in range(6) if c != public]
        walk(dealt(LEDUC, card, left[(left.index(card) + 1) % 5]), public)
    assert len(seen) == 936


def test_the_card_on_the_table_is_any_of_the_four_left():
    drawn = set()
    for seed in range(40):
        state = LEDUC.reset(seed)
        state, _, _ = step(LEDUC, step(LEDUC, state, CALL)[0], CALL)
        held = {agent.card for agent in state.agents}
        assert len(held) == 2 and state.public not in held
        drawn |= {state.public}
    assert drawn == set(range(6))
