"""Who meets whom, in simulated tournaments without games."""

import itertools
from collections import Counter

import pytest

from gridarium.arena import FORMATS, Encounter

GAMES = 2


def played(form, players, seats=2, rounds=None, result=None):
    """The rounds of a tournament in which the player with the lower number wins, or as `result` says."""
    made = FORMATS[form](players, seats, games=GAMES, rounds=rounds, seed=1)
    history = []
    while groups := made.next_round(history):
        assert made.next_round(history) == groups
        assert len(history) < 100
        points = result or (
            lambda group: [
                GAMES * (len(group) - 1 - sorted(group).index(p)) / (len(group) - 1) for p in group
            ]
        )
        history.append([Encounter(tuple(group), tuple(points(group))) for group in groups])
    return made, history


def groups_of(history):
    return [encounter.players for encounters in history for encounter in encounters]


def winners_first(made, history):
    scores = made.scores(history)
    return sorted(range(len(scores)), key=lambda player: -scores[player])


@pytest.mark.parametrize(("players", "seats"), [(2, 2), (5, 2), (5, 3), (4, 4)])
def test_in_a_round_robin_every_group_meets_once(players, seats):
    made, history = played("round-robin", players, seats)
    assert sorted(groups_of(history)) == list(itertools.combinations(range(players), seats))
    assert winners_first(made, history) == [*range(players)]


@pytest.mark.parametrize("players", [2, 5, 8, 13])
def test_in_a_swiss_tournament_equals_meet(players):
    made, history = played("swiss", players)
    pairs = groups_of(history)
    assert all(len({*itertools.chain(*(e.players for e in r))}) == 2 * (players // 2) for r in history)
    if players > 2:
        assert max(Counter(map(frozenset, pairs)).values()) == 1
        missed = Counter(
            p for r in history for p in {*range(players)} - {*itertools.chain(*(e.players for e in r))}
        )
        assert not missed or max(missed.values()) == 1
    assert winners_first(made, history)[0] == 0


def test_swiss_tournaments_have_groups_of_as_many_as_play():
    _, history = played("swiss", 11, 4, rounds=5)
    assert [sorted(len(e.players) for e in r) for r in history] == [[4, 4]] * 5


@pytest.mark.parametrize("players", range(2, 12))
def test_single_elimination_has_one_encounter_less_than_players(players):
    made, history = played("single-elimination", players)
    assert len(groups_of(history)) == players - 1
    assert len(history) == (players - 1).bit_length()
    assert winners_first(made, history)[:2] == [0, 1]


@pytest.mark.parametrize("players", range(2, 12))
def test_in_double_elimination_all_but_one_lose_twice(players):
    made, history = played("double-elimination", players)
    losses = Counter(max(pair) for pair in groups_of(history))
    assert losses == dict.fromkeys(range(1, players), 2)
    assert winners_first(made, history)[:2] == [0, 1]


def test_the_last_one_without_a_loss_has_to_be_beaten_twice():
    """Player 1 wins all but its first encounter."""

    def upset(group):
        first = 1 in group and group != (1, 2) and 0 in group
        best = 1 if first else min(group)
        return [GAMES * (player == best) for player in group]

    made, history = played("double-elimination", 4, result=upset)
    finals = [pair for pair in groups_of(history) if set(pair) == {0, 1}]
    assert len(finals) >= 1
    assert winners_first(made, history)[0] == 1


def test_the_better_seeded_goes_on_after_a_draw():
    made, history = played("single-elimination", 4, result=lambda group: [1.0, 1.0])
    assert winners_first(made, history)[0] == 0
    assert groups_of(history)[-1] == (0, 1)


@pytest.mark.exhaustive
def test_in_a_ladder_neighbours_meet_and_all_play_equally_often():
    _, history = played("ladder", 9, rounds=60)
    pairs = groups_of(history)
    counts = Counter(itertools.chain(*pairs))
    assert max(counts.values()) - min(counts.values()) <= 1
    late = pairs[len(pairs) // 3 :]
    assert sum(abs(a - b) for a, b in late) / len(late) < 2.7  # at random it is 10/3
    for before, after in itertools.pairwise(history):
        assert not {frozenset(e.players) for e in before} & {frozenset(e.players) for e in after}


def test_what_does_not_fit_is_refused():
    def made(form, players, seats=2, rounds=None):
        return FORMATS[form](players, seats, games=1, rounds=rounds, seed=0)

    with pytest.raises(ValueError, match="at least 2 players, and there are 1"):
        made("round-robin", 1)
    with pytest.raises(ValueError, match="at least 4 players, and there are 3"):
        made("swiss", 3, 4)
    with pytest.raises(ValueError, match="rounds cannot be given"):
        made("round-robin", 4, rounds=3)
    with pytest.raises(ValueError, match="the number of rounds"):
        made("swiss", 4, rounds=0)
    with pytest.raises(
        ValueError, match="two players, and this one has .; round-robin, swiss and ladder are for any number"
    ):
        made("single-elimination", 4, 4).next_round([])
