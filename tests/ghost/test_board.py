import numpy as np
import pytest

from gridarium.ghost.world.board import Board, RuleParameters, cell_object, compose_board
from gridarium.ghost.world.paths import GridPaths
from gridarium.ghost.world.round_kernel import MOVE
from gridarium.ghost.world.rounds import ComposedGhostWorld, RoundArguments
from gridarium.ghost.world.rules import noisy_color
from gridarium.world import Color, Dog, Exit, Floor, Tile

WALLS = np.zeros((2, 3), bool)
WALLS[0, 0] = True


def walk(board, steps, seed):
    """Everybody's rows after each turn of a random walk of an agent and a ghost on a small map with a wall."""
    paths = GridPaths(np.zeros((2, 3), bool), WALLS)
    red, green = (Tile(Tile.Status.PLAIN, color) for color in (Color.RED, Color.GREEN))
    ground = board.write_map([Floor(), red, Exit(), green, Floor(), Floor()], paths.walls())
    rounds = RoundArguments(paths, [0, 1, 0, 2, 0, 0], ground, np.array([[0, 0], [1, 2]]), 1, 0.5)
    board.begin(rounds, seed)
    rng, rows = np.random.default_rng(seed), []
    for k in range(steps):
        if rounds.results[1]:
            board.begin(rounds)
        board.run(rounds, MOVE, int(rng.integers(4)), k % 2)
        rows.append((board.agent_rows.tolist(), rounds.reward, rounds.results))
    return rounds, rows


@pytest.mark.parametrize("sideways", [0.0, 1.0])
def test_compiled_and_interpreted_agree(sideways):
    compiled = compose_board(2, 3, 1, RuleParameters(0.6, sideways, 0.5, -1, -50, 100))
    assert compiled.compiled
    plain = ComposedGhostWorld(compiled.spec, compiled=False)
    for seed in range(3):
        assert walk(Board(compiled), 40, seed)[1] == walk(Board(plain), 40, seed)[1]


def test_one_program_serves_all_numbers_and_sizes():
    programs = {
        compose_board(rows, cols, ghosts, RuleParameters(p, s, q, -1, -50, 100)).program.text
        for rows, cols, ghosts, p, s, q in (
            (4, 5, 1, 0.2, 0.0, 0.8),
            (7, 3, 1, 0.0, 1.0, 1.0),
            (9, 9, 1, 1.0, 0.0, 0.0),
        )
    }
    assert len(programs) == 1


def test_a_board_on_other_numbers_goes_on_from_where_it_is():
    board = Board(compose_board(2, 3, 1, RuleParameters(0.0, 0.0, 1.0, -1, -50, 100)))
    rounds, _ = walk(board, 4, 0)
    other = board.with_composed(compose_board(2, 3, 1, RuleParameters(1.0, 1.0, 1.0, -2, -50, 100)))
    assert other.state == board.state
    other.run(rounds, MOVE, 0, 0)
    assert rounds.reward in (-2.0, -50.0, 100.0)


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ((0, [], False), Floor()),
        ((1, [], False), Tile(Tile.Status.PLAIN, Color.RED)),
        ((2, ["dog", "two_notes"], False), Dog(Dog.Status.TWO_NOTES, Color.GREEN)),
        ((0, ["one_note"], False), Tile(Tile.Status.ONE_NOTE, Color.NONE)),
        ((2, ["dog"], True), Exit(Color.GREEN)),
        ((0, ["hat"], False), Floor()),
    ],
)
def test_what_stands_for_a_cell(cell, expected):
    assert cell_object(*cell) == expected


def test_the_color_sensor_errs_evenly():
    said = [noisy_color(1, 0.8, u) for u in np.linspace(0, 1, 1000, endpoint=False)]
    assert [said.count(c) for c in range(3)] == [100, 800, 100]
