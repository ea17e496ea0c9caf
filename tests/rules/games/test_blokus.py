"""Blokus: pieces, where they may be placed, compared with rules written another way, and how games end."""

import numpy as np
import pytest

from gridarium import World
from gridarium.rules.games.blokus import FORMS, PIECES
from gridarium.world import Floor, Position, Square

DUO = World("Blokus-14x14-2p", compiled=False)
FOUR = World("Blokus-20x20-4p", compiled=False)
NAMES = tuple(PIECES)


def board_of(state):
    """int[height, width]: the number of the player whose square is in a cell, -1 if there is none."""
    return np.array(
        [[int(c.status) if isinstance(c, Square) else -1 for c in row] for row in state.grid.objects]
    )


def placements(state, player, starts):
    """All legal placements (form, y, x), found square by square."""
    board, found = board_of(state), set()
    height, width = board.shape
    own = {(int(y), int(x)) for y, x in np.argwhere(board == player)}
    near = {(y + dy, x + dx) for y, x in own for dy, dx in ((-1, 0), (1, 0), (0, -1), (0, 1))}
    corners = {(y + i, x + j) for y, x in own for i in (-1, 1) for j in (-1, 1)} if own else starts
    free = {(int(y), int(x)) for y, x in np.argwhere(board < 0)} - near
    for number, (piece, form) in enumerate(FORMS):
        if not state.hand[player, piece]:
            continue
        for y in range(height - max(dy for dy, _ in form)):
            for x in range(width - max(dx for _, dx in form)):
                squares = {(y + dy, x + dx) for dy, dx in form}
                if squares <= free and squares & corners:
                    found.add((number, y, x))
    return found


def legal(world, state):
    cells = state.grid.height * state.grid.width
    return {(i // cells, *divmod(i % cells, state.grid.width)) for i in world.legal_actions(state)}


def placed(world, state, name, y, x):
    """The state after a piece in its first form was placed, with rewards and who is done."""
    form = next(k for k, (piece, _) in enumerate(FORMS) if NAMES[piece] == name)
    cells = state.grid.height * state.grid.width
    return world.step(state, [form * cells + y * state.grid.width + x] * world.spec.agents)


def test_there_are_91_forms_of_21_pieces_of_89_squares():
    assert len({form for _, form in FORMS}) == len(FORMS) == 91
    assert [len(set(NAMES)), sum(len(next(f for p, f in FORMS if p == k)) for k in range(21))] == [21, 89]
    assert all(min(y for y, _ in form) == min(x for _, x in form) == 0 for _, form in FORMS)


def test_each_of_four_players_has_58_first_moves():
    state = FOUR.reset()
    for player, start in enumerate([(0, 0), (0, 19), (19, 19), (19, 0)]):
        assert FOUR.turn(state) == player
        found = legal(FOUR, state)
        assert len(found) == 58 and found == placements(state, player, {start})
        form, y, x = sorted(found)[-1]
        state, rewards, _ = FOUR.step(state, [form * 400 + y * 20 + x] * 4)
        assert not rewards.any() and isinstance(state.grid[start], Square)
    assert legal(FOUR, state) == placements(state, 0, set())


def test_two_players_begin_at_either_point():
    """414 placements cover a point within the board."""
    state = DUO.reset()
    assert len(DUO.legal_actions(state)) == 2 * 414
    state, _, _ = placed(DUO, state, "X", 3, 3)
    assert len(DUO.legal_actions(state)) == 414
    with pytest.raises(ValueError, match="10 x 10"):
        World("Blokus", size=8, compiled=False)
    with pytest.raises(ValueError, match="up to 20 x 20"):
        World("Blokus", size=21, compiled=False).reset()


@pytest.mark.exhaustive
def test_a_random_game_follows_the_rules_to_its_end():
    rng, state, moves = np.random.default_rng(5), DUO.reset(), 0
    starts, ended = {(4, 4), (9, 9)}, np.zeros(2, bool)
    while not ended.all():
        player, actions = DUO.turn(state), DUO.legal_actions(state)
        if moves % 7 == 3:
            assert legal(DUO, state) == placements(state, player, starts)
        before = board_of(state)
        state, rewards, ended = DUO.step(state, [int(rng.choice(actions))] * 2)
        board, moves = board_of(state), moves + 1
        assert (board[before >= 0] == before[before >= 0]).all()
        assert set(board[board != before]) == {player}
        for k in range(2):
            assert (board == k).sum() == state.scores[k]  # nobody has placed all pieces
            assert [[row >> x & 1 for x in range(14)] for row in list(state.squares[k])[:14]] == (
                (board == k).astype(int).tolist()
            )
    assert all(not placements(state, k, starts) for k in range(2))
    sign = np.sign(state.scores[0] - state.scores[1])
    assert list(rewards) == [sign, -sign] and moves > 20


@pytest.mark.parametrize(("last", "bonus"), [("I1", 21), ("I2", 17)])
def test_who_has_placed_all_pieces_gets_more_and_is_skipped(last, bonus):
    state = DUO.reset()
    for k, name in enumerate(NAMES):
        state.hand[0, k] = name == last
    after, rewards, ended = placed(DUO, state, last, 4, 4)
    assert after.scores[0] == bonus and not ended.any() and not rewards.any()
    for _ in range(2):
        assert DUO.turn(after) == 1
        after, _, _ = DUO.step(after, [DUO.legal_actions(after)[0]] * 2)
    assert after.agents[0].stuck and not after.agents[1].stuck


def test_the_game_is_over_when_nobody_can_place_and_all_are_ranked():
    state = FOUR.reset()
    for player in range(4):
        for k in range(21):
            state.hand[player, k] = player == 0 and NAMES[k] == "I3"
        state.scores[player] = (7, 30, 10, 5)[player]
    after, rewards, ended = placed(FOUR, state, "I3", 0, 0)
    assert ended.all() and after.scores[0] == 7 + 3 + 15
    assert list(rewards) == pytest.approx([1 / 3, 1, -1 / 3, -1])
    state.scores[2] = 25
    _, rewards, _ = placed(FOUR, state, "I3", 0, 0)
    assert list(rewards) == pytest.approx([0, 1, 0, -1])


def test_players_see_what_all_have_left():
    state = FOUR.reset()
    assert not state.grid.count(Square) and isinstance(state.grid[Position(0, 0)], Floor)
    state, _, _ = placed(FOUR, state, "I1", 0, 0)
    seen = FOUR.arrays(state)["fields"]
    assert seen[0] == 1 and list(seen[1:4]) == [0, 1, 1] and list(seen[-4:]) == [1, 0, 0, 0]


def test_outcomes_are_ranks_by_score():
    state = FOUR.reset(seed=0)
    state.scores[0], state.scores[1], state.scores[2], state.scores[3] = 50, 80, 50, 20
    assert FOUR.outcomes(state).tolist() == pytest.approx([0.0, 1.0, 0.0, -1.0])
