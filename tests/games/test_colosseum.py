"""The games of ColosseumRL under their documented names."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from gridarium import World
from gridarium.arena import FunctionPlayer, Match, open_player, run_of_matches
from gridarium.games import BaseEnvironment, IllegalAction, available_environments, get_environment
from gridarium.games.colosseum import blokus, tictactoe
from gridarium.games.colosseum.blokus import BlokusEnvironment
from gridarium.games.colosseum.poker import KuhnPokerEnvironment
from gridarium.games.colosseum.random_matrix import RandomMatrixEnvironment
from gridarium.games.colosseum.rps import RPSThreePlayerEnvironment, RPSTwoPlayerEnvironment
from gridarium.games.colosseum.test_game import TestGame
from gridarium.games.colosseum.tictactoe import (
    TicTacToe2PlayerEnv,
    TicTacToe3PlayerEnv,
    TicTacToe4PlayerEnv,
)
from gridarium.games.colosseum.tron import (
    HEADINGS,
    TronGridEnvironment,
    create_tron_config,
    next_cell,
    parse_tron_config,
)
from gridarium.testing import GameConformance
from gridarium.world import Floor, Position, Trail
from tests.games.interpreted import interpreted

NAMES = {
    "tictactoe": TicTacToe2PlayerEnv,
    "tictactoe_3p": TicTacToe3PlayerEnv,
    "tictactoe_4p": TicTacToe4PlayerEnv,
    "tron": TronGridEnvironment,
    "blokus": BlokusEnvironment,
    "rps": RPSTwoPlayerEnvironment,
    "rps_3p": RPSThreePlayerEnvironment,
    "kuhn_poker": KuhnPokerEnvironment,
    "random_matrix": RandomMatrixEnvironment,
    "test": TestGame,
}


def play(game, *actions, seed=0):
    """What `next_state` has returned last; each action is a text, or one for each player."""
    state, players = game.new_state(seed=seed)
    last = (state, players)
    for action in actions:
        given = [action] if isinstance(action, str) else action
        last = game.next_state(state, players, given)
        state, players = last[:2]
    return last


class TestTicTacToe2(GameConformance):
    game = interpreted(TicTacToe2PlayerEnv)
    seeds = 3


class TestTicTacToe3(GameConformance):
    game = interpreted(TicTacToe3PlayerEnv)
    seeds = 1


class TestTicTacToe4(GameConformance):
    game = interpreted(TicTacToe4PlayerEnv)
    seeds = 1


class TestTron(GameConformance):
    game = interpreted(TronGridEnvironment)
    config = "9;4"
    seeds = 3


class TestTronWithoutTrailsOfTheDead(GameConformance):
    game = interpreted(TronGridEnvironment)
    config = "8;3;-1;True"
    seeds = 1


class TestTronThroughAWindow(GameConformance):
    game = interpreted(TronGridEnvironment)
    config = "8;2;2"
    seeds = 2


@pytest.mark.exhaustive
class TestBlokus(GameConformance):
    game = BlokusEnvironment
    seeds = 1


class TestRockPaperScissors2(GameConformance):
    game = interpreted(RPSTwoPlayerEnvironment)
    config = "3;-2;0.5"


class TestRockPaperScissors3(GameConformance):
    game = interpreted(RPSThreePlayerEnvironment)


class TestKuhnPoker(GameConformance):
    game = interpreted(KuhnPokerEnvironment)
    config = "4;11"
    seeds = 6


class TestRandomMatrix(GameConformance):
    game = interpreted(RandomMatrixEnvironment)
    config = "3;2"


class TestGuessing(GameConformance):
    game = TestGame
    seeds = 2


@pytest.fixture(scope="module")
def four_colors() -> BlokusEnvironment:
    return interpreted(BlokusEnvironment)()


def test_games_are_found_by_name():
    assert {*NAMES} <= {*available_environments()}
    for name, kind in NAMES.items():
        assert get_environment(name) is kind
        assert issubclass(kind, BaseEnvironment)
        assert kind.observation_names()
    assert get_environment("Tron").source == "Tron"  # a family, which takes a size
    assert get_environment("tron-15x15-2p").source == "Tron-15x15-2p"
    assert get_environment("connect-four").source == "ConnectFour"


@pytest.mark.parametrize(
    "name", ["tictactoe", "tictactoe_3p", "tictactoe_4p", "tron", "blokus", "kuhn_poker"]
)
def test_a_name_that_is_also_a_worlds_means_the_same_game(name):
    game, world = interpreted(get_environment(name))().world.spec, World(name, compiled=False).spec
    assert (game.shape, game.agents, game.vocabulary) == (world.shape, world.agents, world.vocabulary)


def test_blokus_of_any_size_is_for_four_players():
    for size in (10, 14, 16):
        spec = World("Blokus", size=size, compiled=False).spec
        assert (spec.agents, spec.shape.as_tuple, spec.vocabulary.board) == (4, (size, size), "blokus")
    with pytest.raises(KeyError, match="similar are .*tictactoe"):
        get_environment("tictacto")


@pytest.mark.exhaustive
def test_they_are_imported_when_they_are_needed():
    code = "import sys, gridarium.games; assert not [m for m in sys.modules if 'colosseum' in m]"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("name", ["tictactoe", "tictactoe_3p", "tictactoe_4p"])
def test_cells_are_actions(name):
    game = interpreted(NAMES[name])()
    state, _ = game.new_state()
    cells = [tuple(map(int, index)) for index in np.ndindex(game.board_shape)]
    assert game.valid_actions(state, 0) == [str(cell) for cell in cells]
    for cell in cells:
        text = tictactoe.action_to_string(np.array(cell))
        assert tictactoe.string_to_action(text) == cell
        following, *_ = game.next_state(state, [0], [text])
        board = tictactoe.board_of(following)
        assert (board == 0).sum() == 1
        assert board[cell] == 0
    assert game.is_valid_action(state, 0, "0,1" + ",2" * (len(game.board_shape) - 2))
    wrong = ["", "(0)", "(0, -1)", "(9, 9)", "(9, 9, 9)", "(0, 1", "0 1", "(0, 1, 2, 0)", "(0.5, 1)"]
    assert not [text for text in wrong if game.is_valid_action(state, 0, text)]
    assert tictactoe.string_to_action("") is None


def test_tic_tac_toe_is_won_and_lost(capsys):
    game = interpreted(TicTacToe2PlayerEnv)()
    state, players, rewards, terminal, winners = play(game, "(0, 0)", "(1, 0)", "(0, 1)", "(1, 1)", "(0, 2)")
    assert (players, rewards, terminal, winners) == ([], [1.0], True, [0])
    assert game.current_rewards(state) == [1.0, -1.0]
    assert game.compute_ranking(state, [0, 1], winners) == {0: 0, 1: 1}
    seen = game.state_to_observation(state, 1)["board"]
    assert seen.dtype == np.int8
    assert seen.tolist() == [[1, 1, 1], [0, 0, -1], [-1, -1, -1]]
    tictactoe.print_board(state)
    assert capsys.readouterr().out == "X X X\nO O .\n. . .\n"


def test_a_draw_has_no_winners():
    game = interpreted(TicTacToe2PlayerEnv)()
    cells = [(0, 0), (1, 1), (2, 2), (0, 1), (2, 1), (2, 0), (0, 2), (1, 2), (1, 0)]
    state, players, rewards, terminal, winners = play(game, *map(str, cells))
    assert (players, rewards, terminal, winners) == ([], [0.0], True, [])
    assert game.compute_ranking(state, [0, 1], winners) == {0: 0, 1: 0}


@pytest.mark.parametrize(
    "line",
    [((0, 0, 0), (1, 1, 1), (2, 2, 2)), ((0, 1, 2), (1, 1, 2), (2, 1, 2)), ((2, 0, 1), (1, 1, 1), (0, 2, 1))],
)
def test_lines_of_a_cube_win(line, capsys):
    game = interpreted(TicTacToe4PlayerEnv)()
    state, players = game.new_state()
    terminal = False
    for cell in line:
        while not terminal and players != [0]:
            spare = [a for a in game.valid_actions(state, players[0]) if eval(a) not in line]
            state, players, _, terminal, winners = game.next_state(state, players, spare[:1])
        state, players, rewards, terminal, winners = game.next_state(state, players, [str(cell)])
    assert (rewards, terminal, winners) == ([1.0], True, [0])
    assert game.current_rewards(state) == [1.0, -1.0, -1.0, -1.0]
    tictactoe.print_board(state)
    assert len(capsys.readouterr().out.splitlines()) == 3
    with pytest.raises(ValueError, match="at most 0 are known"):
        TicTacToe4PlayerEnv("3")


def test_trons_config():
    assert create_tron_config(15, 2) == "15;2"
    assert parse_tron_config("") == [19, 4, -1, False]
    game = interpreted(TronGridEnvironment).create(board_size=12, num_players=3)
    assert game.config == "12;3;-1;False"
    assert (game.board_size, game.num_players, game.min_players, game.max_players) == (12, 3, 3, 3)
    assert game.observation_shape["board"] == (12, 12)
    for config in ("12;9", "2;2", "12;1", "x", "12;2;-1;False;True;1"):
        with pytest.raises(ValueError, match=r"\w"):
            interpreted(TronGridEnvironment)(config).new_state()
    with pytest.raises(ValueError, match="a game of 3 players, not 2"):
        game.new_state(2)


def test_all_in_tron_see_themselves_first():
    game = interpreted(TronGridEnvironment)("9;4")
    state, players = game.new_state()
    assert players == [0, 1, 2, 3]
    state, *_ = game.next_state(state, players, ["forward", "right", "left", ""])
    board, heads, directions, deaths = game.arrays_of(state)
    for player in range(4):
        seen = game.state_to_observation(state, player)
        assert seen["board"].ravel()[seen["heads"]].tolist() == [1, 2, 3, 4]
        assert seen["heads"][0] == heads[player]
        assert seen["directions"].tolist() == np.roll(directions, -player).tolist()
        assert ((seen["board"] == 1) == (board == player + 1)).all()
    assert directions.tolist() == [2, 0, 3, 1]
    assert not deaths.any()


@pytest.mark.parametrize("size", [10, 19, 20])
def test_nobody_in_tron_begins_heading_for_the_edge(size):
    game = interpreted(TronGridEnvironment)(f"{size};4")
    heads, directions = game.generate_start_positions()
    for head, direction in zip(heads, directions, strict=True):
        y, x = divmod(int(head), size)
        for _ in range(size - 3):
            x, y = next_cell(x, y, direction)
        assert 0 <= min(x, y) <= max(x, y) < size
        assert (
            next_cell(0, 0, 0, size) == next_cell(0, 0, 3, size) == TronGridEnvironment.next_cell(0, 0, 3, 5)
        )


def test_beginnings_in_tron_can_be_moved():
    game = interpreted(TronGridEnvironment)("15;4")
    usual, _ = game.generate_start_positions()
    heads, _ = game.generate_start_positions(ring_offset=3, spawn_offset=0)
    assert not {*usual} & {*heads}
    drawn = {tuple(game.generate_start_positions(1, (-2, 2))[0]) for _ in range(5)}
    assert len(drawn) > 1
    state, players = game.new_state(4, 3, 0, seed=1)
    following, players, *_ = game.next_state(state, players, ["forward"] * 4)
    assert players == [0, 1, 2, 3]
    assert game.state_to_observation(following, 0)["heads"].tolist() != heads.tolist()


def test_who_stays_longer_in_tron_ranks_better():
    """Player 0 turns back into its own trail, 3 drives into it; then 1 and 2 meet head on."""
    game = interpreted(TronGridEnvironment)("9;2")
    state, players = game.new_state()
    state, players, rewards, *_ = game.next_state(state, players, ["right", "forward"])
    assert rewards == [1.0, 1.0]
    for _ in range(20):
        state, players, rewards, terminal, winners = game.next_state(state, players, ["right", "forward"])
        if terminal:
            break
    assert (players, rewards, winners) == ([], [-1.0, 10.0], [1])
    assert game.compute_ranking(state, [0, 1], winners) == {0: 1, 1: 0}
    assert game.state_to_observation(state, 0)["deaths"].tolist() == [1, 0]
    assert game.state_to_observation(state, 1)["deaths"].tolist() == [0, 2]
    assert game.returns(state)[1] > game.returns(state)[0]


def test_who_is_out_at_the_same_time_in_tron_shares_a_rank():
    game = interpreted(TronGridEnvironment)("9;2")
    state, players = game.new_state(2, 1, 0)
    terminal = False
    while not terminal:
        state, players, rewards, terminal, winners = game.next_state(state, players, ["forward"] * 2)
    assert (rewards, winners) == ([-1.0, -1.0], [])
    assert game.compute_ranking(state, [0, 1], winners) == {0: 0, 1: 0}
    assert sorted(game.arrays_of(state)[3]) == [1, 2]


def test_trails_in_tron_can_vanish_with_their_players():
    game = interpreted(TronGridEnvironment)("15;3;-1;True")
    state, players = game.new_state()
    while len(players) == 3:
        state, players, *_ = game.next_state(state, players, ["right", "forward", "forward"][: len(players)])
    board, _, _, deaths = game.arrays_of(state)
    assert players == [1, 2]
    assert deaths.tolist() == [1, 0, 0]
    assert {*np.unique(board)} == {0, 2, 3}
    assert game.compute_ranking(state, [0, 1, 2]) == {0: 2, 1: 0, 2: 0}


def test_a_window_in_tron_shows_what_is_near():
    game = interpreted(TronGridEnvironment)("9;2;2")
    whole = interpreted(TronGridEnvironment)("9;2")
    state, _ = game.new_state()
    near, far = game.state_to_observation(state, 0), whole.state_to_observation(state, 0)
    assert near["board"].shape == (5, 5) == game.observation_shape["board"]
    assert near["board"][2, 2] == 1
    assert near["heads"].tolist() == [far["heads"][0], -1]
    assert near["directions"].tolist() == [far["directions"][0], -1]
    y, x = divmod(int(far["heads"][0]), 9)
    for dy in range(-2, 3):
        for dx in range(-2, 3):
            inside = 0 <= y + dy < 9 and 0 <= x + dx < 9
            assert near["board"][dy + 2, dx + 2] == (far["board"][y + dy, x + dx] if inside else -1)


@pytest.mark.parametrize("name", ["rps", "rps_3p"])
def test_the_matrix_of_rock_paper_scissors_says_what_is_paid(name):
    game = interpreted(NAMES[name]).create(win_reward=3, loss_reward=-2.5, tie_reward=0.5)
    count = game.min_players
    for choices in np.ndindex((3,) * count):
        state, _, rewards, terminal, winners = play(game, ["RPS"[i] for i in choices])
        matrix = game.state_to_observation(state, 0)["game_matrix"]
        assert matrix[choices].tolist() == rewards == game.returns(state)
        assert terminal
        assert winners == [i for i in range(count) if rewards[i] == 3]
    assert game.observation_shape["game_matrix"] == matrix.shape


def test_kuhn_pokers_pot_goes_to_the_highest_card_that_stays():
    """Who checks after a bet gives up, also with the highest card."""
    game = interpreted(KuhnPokerEnvironment)()
    for seed in range(6):
        state, players = game.new_state(seed=seed)
        assert players == [0]
        cards = [game.state_to_observation(state, player)["hands"].tolist() for player in range(2)]
        assert [hand[1] for hand in cards] == [-1, -1]
        better = int(cards[1][0] > cards[0][0])
        for moves, stake, winner in (
            (["check", "check"], 1, better),
            (["bet", "check"], 1, 0),
            (["bet", "bet"], 2, better),
            (["check", "bet", "check"], 1, 1),
            (["check", "bet", "bet"], 2, better),
        ):
            end, _, rewards, terminal, winners = play(game, *moves, seed=seed)
            assert terminal
            assert winners == [winner]
            assert game.returns(end)[winner] == stake == -game.returns(end)[1 - winner]
            assert len(rewards) == 1
            seen = game.state_to_observation(end, 1)
            assert seen["bets"].max() == (2 if "bet" in moves else 1)
            assert (seen["hands"] >= 0).all() == ("bet" not in moves or moves[-1] == "bet" or winner == 0)


def test_kuhn_pokers_seed_is_of_the_first_game():
    first, second = (interpreted(KuhnPokerEnvironment).create(3, seed=5) for _ in range(2))
    assert first.config == "3;5"
    states = [first.new_state()[0] for _ in range(6)]
    assert [state.world.tobytes() for state in states] == [
        second.new_state()[0].world.tobytes() for _ in range(6)
    ]
    assert len({tuple(agent.card for agent in state.world.agents) for state in states}) > 1
    with pytest.raises(ValueError, match="2 to 10 players, not 11"):
        KuhnPokerEnvironment("11")


def test_random_matrices_pay_what_they_say():
    game = interpreted(RandomMatrixEnvironment).create(num_players=3, num_strategies=2, seed=7)
    first = game.state_to_observation(game.new_state()[0], 0)["game_matrix"]
    assert (first >= 0).all()
    assert (first < 1).all()
    for choices in np.ndindex(2, 2, 2):
        state, _, rewards, _, winners = play(game, [str(i) for i in choices], seed=None)
        assert np.array_equal(game.state_to_observation(state, 1)["game_matrix"], first)
        assert np.allclose(rewards, first[choices])
        assert winners == [int(first[choices].argmax())]
    others = interpreted(RandomMatrixEnvironment)("2;3")
    boards = [others.state_to_observation(others.new_state()[0], 0)["game_matrix"] for _ in range(2)]
    assert boards[0].shape == (3, 3, 2)
    assert not np.array_equal(*boards)
    for config in ("1;2", "2;1", "9;9", "2;2;-1"):
        with pytest.raises(ValueError, match="payoffs"):
            RandomMatrixEnvironment(config)


def test_guessing_ends_with_the_number():
    game = TestGame()
    state, players = game.new_state(seed=3)
    secret = int(game.state_to_observation(state, 0)["state"][0])
    state, players, rewards, terminal, winners = game.next_state(state, players, [str(99 - secret)])
    assert (players, rewards, terminal, winners) == ([1], [-abs(99.0 - 2 * secret)], False, None)
    with pytest.raises(IllegalAction):
        game.next_state(state, players, ["100"])
    state, players, rewards, terminal, winners = game.next_state(state, players, [str(secret)])
    assert (players, rewards, terminal, winners) == ([], [0.0], True, [1])
    assert game.compute_ranking(state, [0, 1], winners) == {0: 1, 1: 0}


def test_blokus_has_91_forms_and_58_first_placements_from_every_corner(four_colors):
    assert len(blokus.LISTED) == len({*blokus.FORM_OF.values()}) == len({*blokus.LISTED.values()}) == 91
    state, players = four_colors.new_state()
    for player in range(4):
        assert players == [player]
        legal = four_colors.valid_actions(state, player)
        assert len({*legal}) == 58
        seen = four_colors.player_perspective_valid_actions(state, player)
        back = four_colors.convert_player_perspective_action_to_real_action
        assert [back(text, player) for text in seen] == legal
        corner = next(text for text in seen if text.startswith("monomino1"))
        assert corner.startswith("monomino1;(0, 0);")
        state, players, rewards, *_ = four_colors.next_state(state, players, [back(corner, player)])
        board = four_colors.state_to_observation(state, player)["board"]
        assert board[0, 0] == 0
        assert (board >= 0).sum() == player + 1
        assert rewards == [0.0]
    assert four_colors.current_rewards(state) == [1.0] * 4
    for player in range(4):
        board = four_colors.state_to_observation(state, player)["board"]
        assert [board[0, 0], board[0, 19], board[19, 19], board[19, 0]] == [0, 1, 2, 3]


def test_every_text_of_a_placement_in_blokus_is_legal(four_colors):
    state, _ = four_colors.new_state()
    legal = {four_colors.action_index(text) for text in four_colors.valid_actions(state, 0)}
    texts = [
        blokus.action_to_string(piece, (0, 0), f"{orientation}{shift}")
        for piece, squares in blokus.PIECES.items()
        for orientation in four_colors.all_orientations()
        for shift in range(len(squares.split()))
    ]
    accepted = [text for text in texts if four_colors.is_valid_action(state, 0, text)]
    assert len(accepted) == 116  # as many as ColosseumRL lists
    assert {four_colors.action_index(text) for text in accepted} == legal
    listed = four_colors.valid_actions_dict(state, 0)
    assert sum(len(turns) for cells in listed.values() for turns in cells.values()) == 58
    assert {*listed} == {*four_colors.all_piece_types()} - {
        piece for piece in blokus.PIECES if not any(text.startswith(f"{piece};") for text in accepted)
    }
    wrong = ["monomino1;(0, 0)", "monomino2;(0, 0);north0", "monomino1;(0, 0);up0", "monomino1;(0, 0);north1"]
    wrong += ["", "monomino1;(-1, 0);north0", "monomino1;(20, 0);north0", "domino1;(19, 0);east0", "0"]
    assert not [text for text in wrong if four_colors.is_valid_action(state, 0, text)]
    assert blokus.string_to_action("") is None


def test_where_a_placement_in_blokus_lies(four_colors, capsys):
    state, _ = four_colors.new_state()
    state, *_ = four_colors.next_state(state, [0], ["pentominoe9;(0, 0);east0"])
    seen = four_colors.state_to_observation(state, 0)
    assert seen["board"][:4, :3].tolist() == [[0, 0, -1], [0, -1, -1], [0, 0, -1], [-1, -1, -1]]
    assert seen["score"].tolist() == [5, 0, 0, 0]
    assert np.argwhere(seen["pieces"] == 0).tolist() == [
        [0, four_colors.all_piece_types().index("pentominoe9")]
    ]
    last = four_colors.next_state(state, [1], ["pentominoe9;(19, 0);west3"])[0]
    seen = four_colors.state_to_observation(last, 2)
    assert np.argwhere(seen["board"] == 3).tolist() == [[17, 0], [17, 1], [18, 0], [19, 0], [19, 1]]
    assert seen["score"].tolist() == [0, 0, 5, 5]
    assert seen["player"].tolist() == [2]
    blokus.print_board(last)
    assert capsys.readouterr().out.startswith("[[ 0  0 -1")


def test_players_and_replays_know_the_documented_actions():
    """A policy of worlds gives indices and actions, a match writes texts, and a run replays them."""
    game = interpreted(TicTacToe4PlayerEnv)()
    chosen = [
        FunctionPlayer("index", lambda actions: 26),
        FunctionPlayer("action", lambda actions: actions[1]),
        *map(open_player, ("random", "greedy")),
    ]
    result = Match(game, chosen, seed=2).run()
    assert [move.action for move in result.moves[:2]] == ["(2, 2, 2)", "(0, 0, 1)"]
    assert [seat.status.name for seat in result.seats[2:]] == ["DONE"] * 2
    run = run_of_matches(game, [result])
    assert run.steps == result.plies
    assert run.verify(game.world)


def test_they_are_environments_of_pettingzoo():
    pettingzoo_env = pytest.importorskip("gridarium.games.game_aec_env")
    env = pettingzoo_env.GameAECEnv(interpreted(KuhnPokerEnvironment)("3"))
    env.reset(seed=1)
    assert env.actions == ("check", "bet")
    assert {*env.observe("player_0")} == {"hands", "bets", "action_mask"}


@pytest.mark.parametrize(
    ("config", "heads", "directions"),
    [
        ("10;2;-1;False;True", [31, 68], [3, 1]),
        ("10;4;-1;False;True", [16, 61, 85, 38], [2, 3, 0, 1]),
        ("9;3;-1;False;True", [16, 68, 28], [3, 0, 1]),
    ],
)
def test_legacy_tron_begins_as_in_2020(config, heads, directions):
    """As ColosseumRL's `new_state` gives them; with an even size two of four head for the edge."""
    game = interpreted(TronGridEnvironment)(config)
    _, found, headings, deaths = game.arrays_of(game.new_state()[0])
    assert (found.tolist(), headings.tolist(), deaths.tolist()) == (heads, directions, [0] * len(heads))


def placed(game, *players):
    """A state with players (y, x, direction)."""
    state, acting = game.new_state()
    world = state.world.copy()
    for agent, (y, x, direction) in zip(world.agents, players, strict=True):
        world.grid[agent.position] = Floor()
        agent.position, agent.orientation = Position(y, x), HEADINGS[direction]
    for agent in world.agents:
        world.grid[agent.position] = Trail(agent.number)
    return replace(state, world=world), acting


@pytest.mark.parametrize(
    ("players", "deaths", "owner"),
    [
        (
            ((4, 3, 1), (4, 5, 3)),
            [2, 1],
            1,
        ),  # both enter (4, 4): the first keeps it, and is out by the second
        (
            ((4, 3, 1), (4, 4, 0)),
            [2, 1],
            2,
        ),  # into the head of the second, which would have moved on: both are out
        (((4, 4, 0), (4, 3, 1)), [0, 1], 1),  # the other way round the first has moved on
        (((4, 3, 1), (0, 5, 0)), [0, 2], 1),
    ],
)
def test_legacy_tron_moves_one_after_another(players, deaths, owner):
    game = interpreted(TronGridEnvironment).create(9, 2, legacy=True)
    assert game.config == "9;2;-1;False;True" and game.legacy
    state, acting = placed(game, *players)
    state, *_ = game.next_state(state, acting, ["forward"] * 2)
    board, _, _, found = game.arrays_of(state)
    assert found.tolist() == deaths and board[4, 4] == owner


def test_legacy_kuhn_poker_pays_whom_it_paid_in_2020():
    """Passing, a bet and giving up: the pot goes to the number of the winner among those that stay, 0."""
    game = interpreted(KuhnPokerEnvironment).create(legacy=True)
    assert game.config == "2;None;True"
    state, players = game.new_state(seed=0)
    for action in ("check", "bet", "check"):
        state, players, *_ = game.next_state(state, players, [action])
    assert game.returns(state) == [2.0, -2.0]
    right = interpreted(KuhnPokerEnvironment)()
    state, players = right.new_state(seed=0)
    for action in ("check", "bet", "check"):
        state, players, *_ = right.next_state(state, players, [action])
    assert right.returns(state) == [-1.0, 1.0]
