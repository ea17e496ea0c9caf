"""Board games: published counts of games and positions, wins, and the rules of Go in positions and against a plain reference."""

from itertools import combinations

import numpy as np
import pytest

from gridarium import World
from gridarium.games import game_class
from gridarium.games.solving.exact import ExactSolver
from gridarium.world import Floor, Pawn, Position, Stone
from gridarium.world.state import TURN
from gridarium.world.text_form.state_text import from_text, to_text
from gridarium.worlds import DescriptionError
from tests.games.interpreted import interpreted
from tests.rules.board_games import PlainGo, play, rows, sequences, tree


def game(name: str, **given) -> World:
    return World(name, compiled=False, **given)


# published counts


@pytest.mark.exhaustive
def test_tic_tac_toe_has_255168_games_and_5478_positions() -> None:
    levels = [*tree(World("TicTacToe-2p"))]
    assert sum(level.counts[level.over].sum() for level in levels) == 255_168
    assert sum(len(level.counts) for level in levels) == 5_478


@pytest.mark.parametrize(
    ("name", "published"),
    [
        pytest.param(
            "ConnectFour",
            [7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234],
            marks=pytest.mark.exhaustive,
        ),
        ("Othello", [4, 12, 56, 244]),
        pytest.param(
            "Othello", [4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216], marks=pytest.mark.exhaustive
        ),
        pytest.param("Breakthrough", [22, 484, 11_132, 256_036], marks=pytest.mark.exhaustive),
    ],
)
def test_sequences_of_moves_are_as_many_as_published(name: str, published: list[int]) -> None:
    assert sequences(World(name, compiled=max(published) > 1_000), len(published)) == published


# lines


def winning_triples(world: World) -> int:
    """The number of sets of three cells that win if the first player marks them, without others in between.

    Each set is a world of a batch.
    """
    triples = np.array([*combinations(range(world.spec.shape.height * world.spec.shape.width), 3)])
    batch = world.batch(len(triples), threads=1)
    batch.reset(seed=0)
    for k in range(3):
        rewards = batch.step(np.repeat(triples[:, [k]], world.spec.agents, 1)).rewards
        snapshot = batch.snapshot()
        snapshot.data[:, TURN] = 0
        batch.restore(snapshot)
    won = rewards[:, 0] == 1
    assert (rewards[won][:, 1:] == -1).all() and not rewards[~won].any()
    return int(won.sum())


@pytest.mark.parametrize(
    ("players", "lines"),
    [(2, 8), *(pytest.param(*one, marks=pytest.mark.exhaustive) for one in ((3, 20), (4, 49)))],
)
def test_boards_of_tic_tac_toe_have_their_lines(players: int, lines: int) -> None:
    assert winning_triples(World(f"TicTacToe-{players}p", compiled=players > 3)) == lines


def test_four_discs_win_in_each_direction() -> None:
    world = game("ConnectFour")
    for columns in ("0101010", "0011223", "01122323363", "65544343303"):
        _, rewards, over = play(world, [f"DROP({column})" for column in columns])
        assert over and rewards == [1, -1]


@pytest.mark.parametrize(("name", "six_win"), [("Gomoku-15x15", True), ("Gomoku-standard-15x15", False)])
def test_gomoku_with_six_in_a_line(name: str, six_win: bool) -> None:
    world = game(name)
    state = world.reset(0)
    for x in (2, 3, 4, 6, 7):
        state.grid[7, x] = Stone(0)
    _, rewards, over = play(world, "PLACE(7,5)", state)
    assert over == six_win and rewards == ([1, -1] if six_win else [0, 0])
    state.grid[7, 7] = Stone(1)
    assert play(world, "PLACE(7,5)", state)[1:] == ([1, -1], True)


def test_hex_is_won_by_connecting_the_own_edges_only() -> None:
    world = game("Hex", shape=(3, 3))
    # (2, 0) is a neighbour of (1, 1), below and to the left.
    _, rewards, over = play(world, "PLACE(0,1) PLACE(0,0) PLACE(1,1) PLACE(0,2) PLACE(2,0)")
    assert over and rewards == [1, -1]
    _, rewards, over = play(world, "PLACE(0,1) PLACE(1,0) PLACE(2,2) PLACE(1,2) PLACE(0,0) PLACE(1,1)")
    assert over and rewards == [-1, 1]
    # (0, 0) and (1, 1) are not.
    state, _, over = play(world, "PLACE(0,0) PLACE(0,1) PLACE(1,1) PLACE(0,2) PLACE(2,2)")
    assert not over
    assert [state.grid.number("edges", Position(i, i)) for i in range(3)] == [1, 0, 2]


# pieces that are taken or flipped


def test_the_shortest_game_of_othello() -> None:
    """Black wins with its fifth disc, since white has none left."""
    moves = ["(5,4)", "(3,5)", "(2,4)", "(5,5)", "(4,6)", "(5,3)", "(6,4)", "(4,5)", "(4,2)"]
    state, rewards, over = play(game("Othello"), [f"PLACE{move}" for move in moves])
    assert over and rewards == [1, -1]
    assert "o" not in rows(state) and rows(state).count("x") == 13


def test_a_player_without_a_move_is_passed_over() -> None:
    world, rng, passed = game("Othello"), np.random.default_rng(5), 0
    state, over = world.reset(0), False
    while not over:
        legal, turn = world.legal_actions(state), world.turn(state)
        state, _, ended = world.step(state, [rng.choice(legal)] * 2)
        over = bool(ended.all())
        if not over and world.turn(state) == turn:
            assert not world.legal_actions(state, 1 - turn)
            passed += 1
    assert passed > 0


def test_pawns_take_diagonally_only() -> None:
    world = game("Breakthrough", shape=(4, 3))
    state, _, _ = play(world, "MOVE(0,2,1)")
    assert rows(state) == "bbb\nwbb\nw.w\nwww"
    legal = [world.actions[i].name for i in world.legal_actions(state)]
    assert legal == [
        f"MOVE({move})" for move in ("0, (0, 1)", "0, (1, 1)", "0, (1, 2)", "1, (1, 1)", "2, (1, 1)")
    ]
    state, rewards, over = play(world, "MOVE(1,1,1) MOVE(2,1,0)", state)
    assert rows(state) == "bwb\n..b\nwbw\nwww" and (rewards, over) == ([1, -1], True)


def test_taking_the_last_pawn_wins() -> None:
    world = game("Breakthrough", shape=(5, 3))
    state = world.blank_state()
    for player, (y, x) in ((0, (3, 0)), (1, (2, 1))):
        state.grid[y, x] = Pawn(player)
        state.agents[player].pawns[y] = 1 << x
    assert play(world, "MOVE(2,3,0)", state)[1:] == ([1, -1], True)


# Go

KO = "PLACE(0,1) PLACE(0,2) PLACE(1,0) PLACE(1,3) PLACE(2,1) PLACE(2,2) PLACE(4,4) PLACE(1,1) PLACE(1,2)"


@pytest.fixture(scope="module")
def go5() -> World:
    return game("Go", shape=(5, 5))


def is_legal(world: World, state, move: str) -> bool:
    return world.actions.parse(move) in world.legal_actions(state)


def test_a_ko_may_be_taken_back_only_after_a_move_elsewhere(go5: World) -> None:
    state, _, _ = play(go5, KO)
    assert rows(state) == ".xo..\nx.xo.\n.xo..\n.....\n....x" and state.captures == 1
    assert not is_legal(go5, state, "PLACE(1,1)")
    later, _, _ = play(go5, "PLACE(4,0) PLACE(4,2)", state)
    assert is_legal(go5, later, "PLACE(1,1)")


def test_suicide_is_forbidden_also_that_of_several_stones_but_taking_is_not(go5: World) -> None:
    state, _, _ = play(go5, "PLACE(0,2) PLACE(0,1) PLACE(1,1) PLACE(4,4) PLACE(1,0)")
    assert not is_legal(go5, state, "PLACE(0,0)")  # two white stones without a liberty
    state, _, _ = play(go5, "PLACE(4,3)", state)
    taken, _, _ = play(go5, "PLACE(0,0)", state)  # the black stone takes the white one
    assert rows(taken).startswith("x.x..\nxx...") and taken.captures == 1


def test_the_area_decides_and_komi_is_whites() -> None:
    for komi, winner in ((24.5, 1), (25.0, 0), (25.5, 2)):
        world = game("Go", shape=(5, 5), komi=komi)
        state, rewards, over = play(world, "PLACE(2,2) PASS PASS")
        assert over and state.winner == winner
        assert rewards == [[0, 0], [1, -1], [-1, 1]][winner]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("shape", [(3, 3), (2, 4), (3, 4)])
def test_games_are_those_of_a_plain_implementation(shape: tuple[int, int]) -> None:
    """Random games, in which positions often repeat on such boards: the same legal moves, boards and results."""
    world, rng, forbidden = game("Go", shape=shape, komi=0.5), np.random.default_rng(1), 0
    for seed in range(6):
        state, plain, over = world.reset(seed), PlainGo(*shape), False
        while not over:
            legal = world.legal_actions(state)
            assert legal == plain.legal_moves()
            forbidden += plain.repetitions
            move = int(rng.choice(legal[:-1] or legal))
            plain.play(move)
            state, rewards, ended = world.step(state, [move] * 2)
            over = bool(ended.all())
            assert rows(state).replace("\n", "") == "".join(".xo"[c] for c in plain.board)
        assert rewards.tolist() == ([1, -1] if plain.lead() > 0.5 else [-1, 1])
    assert forbidden > 0


def test_states_that_are_none_of_a_game_of_go_are_refused(go5: World) -> None:
    state, _, _ = play(go5, KO)
    full = state.copy()
    full.seen.fill(1)
    with pytest.raises(ValueError, match="the table of positions is full"):
        play(go5, "PLACE(4,0)", full)
    for p in state.grid.positions():
        state.grid.set_number("next_stone", p, 0)
    with pytest.raises(ValueError, match="lead in no circle"):
        play(go5, "PLACE(4,0) PLACE(4,2) PLACE(1,1)", state)


def test_boards_that_are_too_large_are_refused() -> None:
    for name, shape, match in (
        ("Go", (20, 20), "at most 19 x 19"),
        ("Go", (12, 12), "power of two that is larger than 289"),
        ("ConnectFour", (8, 8), "at most 62"),
        ("TicTacToe", (8, 8), "at most 62"),
        ("Othello", (6, 6), "8 x 8 cells"),
        ("Breakthrough", (9, 8), "4 to 8 rows"),
    ):
        with pytest.raises((ValueError, DescriptionError), match=match):
            game(name, shape=shape).reset(0)


# text


@pytest.mark.parametrize("name", ["TicTacToe-4p", "ConnectFour", "Othello", "Breakthrough", "Hex", "Go"])
def test_states_are_read_from_text(name: str) -> None:
    world, rng = game(name), np.random.default_rng(3)
    state = world.reset(0)
    for _ in range(10):
        state = world.step(state, [rng.choice(world.legal_actions(state))] * world.spec.agents)[0]
    assert from_text(to_text(state), world.spec.vocabulary).identical(state)


def hex_with_swap(size):
    return World("Hex-11x11-swap", shape=(size, size), compiled=False)


def test_white_may_take_over_the_first_stone_of_hex_and_only_that():
    world = hex_with_swap(4)
    state = world.reset(0)
    assert len(world.legal_actions(state)) == 16
    state, _, _ = world.step(state, [4 * 1 + 3] * 2)  # black at (1, 3)
    assert len(world.legal_actions(state)) == 16
    swapped, _, over = world.step(state, [4 * 1 + 3] * 2)
    assert not over.any() and isinstance(swapped.grid[1, 3], Floor) and swapped.grid[3, 1] == Stone(1)
    assert world.turn(swapped) == 0 and 4 * 3 + 1 not in world.legal_actions(swapped)
    placed, _, _ = world.step(state, [0, 0])
    assert placed.grid[1, 3] == Stone(0) and placed.grid[0, 0] == Stone(1)
    assert len(world.legal_actions(placed)) == 14


def test_a_stone_that_was_taken_over_connects_whites_edges():
    """White has taken over (0, 2), which is now (2, 0), in the first column; black plays the last row."""
    world = hex_with_swap(3)
    state = world.reset(0)
    for cell in (2, 2, 0, 7, 1, 8):
        state, rewards, over = world.step(state, [cell, cell])
    assert over.all() and rewards.tolist() == [-1.0, 1.0]
    assert isinstance(state.grid[0, 2], Floor)


@pytest.mark.parametrize("size", [2, pytest.param(3, marks=pytest.mark.exhaustive)])
def test_the_swap_rule_gives_hex_to_the_second_player(size):
    """Whatever black begins with, white wins by swapping or by answering."""
    game = interpreted(game_class("Hex-11x11-swap"))(f"shape=[{size}, {size}]")
    assert ExactSolver(game).returns(game.new_state()[0]) == (-1.0, 1.0)
    with pytest.raises(ValueError, match="square boards"):
        world = World("Hex-11x11-swap", shape=(3, 4), compiled=False)
        world.step(world.reset(0), [0, 0])


# what players observe

BOARD_GAMES = ["TicTacToe-2p", "TicTacToe-3p", "ConnectFour", "Othello", "Breakthrough", "Hex", "Go"]


@pytest.mark.parametrize("name", BOARD_GAMES)
def test_an_observation_says_who_observes(name: str) -> None:
    board = interpreted(game_class(name))()
    state, _ = board.new_state(seed=0)
    for player in range(board.min_players):
        seat = board.state_to_observation(state, player)["seat"]
        assert seat.tolist() == [i == player for i in range(board.min_players)]


@pytest.mark.parametrize("name", [*BOARD_GAMES, "Blokus-20x20-4p"])
def test_planes_are_the_own_pieces_and_those_of_who_comes_next(name: str) -> None:
    board, rng = interpreted(game_class(name))("representation=planes"), np.random.default_rng(0)
    state, players = board.new_state(seed=0)
    for _ in range(7):
        action = rng.choice(board.valid_actions(state, players[0]))
        state, players, *_ = board.next_state(state, players, [action])
    grid, numbers = state.world.grid, np.arange(board.min_players)
    pieces = [-1 if isinstance(grid[p], Floor) else grid[p].state_index for p in grid.positions()]
    owners = np.reshape(pieces, (grid.height, grid.width))
    assert {-1, 0, 1} <= {*owners.flat}
    for own in numbers:
        planes = board.state_to_observation(state, own)["planes"]
        assert (planes == (owners[..., None] == (own + numbers) % len(numbers))).all()


@pytest.mark.parametrize(
    ("name", "size"),
    [("TicTacToe-2p", (3, 3)), ("TicTacToe-3p", (3, 5)), ("ConnectFour", (6, 7)), ("Gomoku", (6, 6))],
)
def test_seats_are_alike(name: str, size: tuple[int, int]) -> None:
    """Whoever begins, with the same moves who is to move sees the same, may do the same, and gets the same."""
    world, rng = game(name, representation="planes", shape=size), np.random.default_rng(0)
    agents, over = world.spec.agents, np.zeros(1, bool)
    states = [world.reset(seed=0) for _ in range(agents)]
    for first, state in enumerate(states):
        state.data[TURN] = first
    while not over.all() and world.legal_actions(states[0]):
        seen = [world.arrays(state)["planes"] for state in states]
        legal = [world.legal_actions(state) for state in states]
        assert all((planes == seen[0]).all() for planes in seen) and legal == legal[:1] * agents
        chosen = [rng.choice(legal[0])] * agents
        states, rewards, over = zip(*(world.step(state, chosen) for state in states), strict=True)
        over = np.array(over)
        assert len({(*np.roll(reward, -first),) for first, reward in enumerate(rewards)}) == 1
        assert over.all() or not over.any()


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ["TicTacToe-3p", "ConnectFour"])
def test_compiled_planes_are_the_interpreted_ones(name: str) -> None:
    plain, fast = (World(name, representation="planes", compiled=c).batch(8) for c in (False, True))
    first, second = plain.reset(seed=0), fast.reset(seed=0)
    rng = np.random.default_rng(0)
    for _ in range(30):
        assert all((first[key] == second[key]).all() for key in ("planes", "seat"))
        actions = plain.sample_actions(rng)
        first, second = plain.step(actions).observations, fast.step(actions).observations


def test_planes_are_part_of_a_config_string() -> None:
    shapes = interpreted(game_class("ConnectFour"))("representation=planes").observation_shape
    assert shapes == {"planes": (6, 7, 2), "seat": (2,)}


def test_planes_are_refused_where_a_status_is_not_a_player() -> None:
    with pytest.raises(DescriptionError, match=r"representation\.name: planes show pieces.*Apple is none"):
        game("Snake", representation="planes")
