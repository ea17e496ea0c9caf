"""A round played in one compiled call is the same as one played turn by turn."""

import pickle
from collections import Counter

import numpy as np
import pytest

from gridarium.ghost import AgentInterface
from gridarium.ghost.agents import ChaseGhostAgent
from gridarium.ghost.world.board import Board, RuleParameters, cell_object, compose_board
from gridarium.ghost.world.layout import load_layout
from gridarium.ghost.world.round_kernel import MOVE, MOVE_GHOSTS
from gridarium.ghost.world.rounds import ComposedGhostWorld, RoundArguments


class TurnByTurn(ChaseGhostAgent):
    """The built-in ghost, but not known as such."""


def slip_more(interface):
    interface.env.slip_probability = 0.7


def slip_sideways(interface):
    interface.env.slip_type = "perpendicular"


def trust_the_sensor(interface):
    interface.env.color_sensor_quality = 1.0


def wall_in_the_ghost(interface):
    row, col = interface.env.ghost_pos
    below, beside = interface.env.walls_horizontal, interface.env.walls_vertical
    below[max(row - 1, 0) : row + 1, col] = True
    beside[row, max(col - 1, 0) : col + 1] = True


def carry_the_agent(interface):
    interface.env.agent_pos = [0, 0]


def paint_a_cell(interface):
    interface.env.grid[2, 1]["colour"] = 1


def think_of_another_move(interface):
    interface.pf.predict(1, 0.9, "longitudinal", interface.env._is_move_valid)


def use_no_ghost(interface):
    interface.env.use_ghost = False


def take_another_filter(interface):
    interface.pf.num_particles = 30


EDITS = (
    slip_more, slip_sideways, trust_the_sensor, wall_in_the_ghost, carry_the_agent, paint_a_cell, think_of_another_move,
    use_no_ghost, take_another_filter,
)  # fmt: skip


def story(ghost, seed, edit, **options):
    """Everything that an interface says in some episodes, with an edit on the way."""
    interface = AgentInterface(render=False, ghost_agent_class=ghost, **options)
    rng = np.random.default_rng(seed)
    said = [interface.reset(seed=seed)]
    for k in range(60):
        if k == 20 and not interface.is_terminated():
            edit(interface)
        observation, reward, done, info = interface.step(int(rng.integers(4)))
        said += [observation, reward, done, sorted(info.items()), interface.env.ghost_positions]
        if interface.pf is not None:
            said += [interface.pf.get_particles(), interface.pf.belief]
        if done:
            said.append(interface.reset())
    return repr(said)


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.sampled(2)
def test_they_are_the_same_whatever_is_edited_on_the_way(edit):
    assert story(None, 5, edit) == story(TurnByTurn, 5, edit)


@pytest.mark.parametrize(
    "options",
    [
        {"layout": "maze-8x10"},
        {"layout": "halls-12x12", "slip_type": "perpendicular"},
        {"use_particle_filter": False},
        {"pf_sensor_mode": "cnn"},
        {"pf_num_particles": 3, "color_sensor_quality": 1.0},
        {"time_limit": 7},
    ],
)
def test_they_are_the_same_in_all_kinds_of_worlds(options):
    assert story(None, 2, carry_the_agent, **options) == story(TurnByTurn, 2, carry_the_agent, **options)


class Blind:
    """A vision sensor that sees nothing: the filter then learns in calls of its own."""

    def predict(self, cell):
        return None


@pytest.mark.sampled(6)
@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("ghost", [None, TurnByTurn])
def test_they_are_the_same_where_the_filter_learns_by_itself(edit, ghost):
    assert story(ghost, 5, edit) == story(ghost, 5, edit, vision_sensor=Blind())


def play(built, seed):
    layout = load_layout("halls-12x12")
    board, paths = Board(built), layout.paths
    cells = [cell for row in layout.cell_dictionaries() for cell in row]
    ground = board.write_map(
        [cell_object(c["colour"], c["items"], c["is_goal"]) for c in cells], paths.walls()
    )
    starts = np.array([layout.start, *layout.ghosts])
    rounds, said = (
        RoundArguments(paths, [c["colour"] for c in cells], ground, starts, len(layout.ghosts), 0.5),
        [],
    )
    board.begin(rounds, seed)
    rng = np.random.default_rng(seed)
    while not rounds.results[1] and len(said) < 12:
        board.run(rounds, MOVE | MOVE_GHOSTS, int(rng.integers(4)))
        said.append((board.agent_rows.tolist(), rounds.results, rounds.reward))
    return said


def test_compiled_and_interpreted_agree_for_several_ghosts():
    layout = load_layout("halls-12x12")
    built = compose_board(
        layout.rows, layout.cols, len(layout.ghosts), RuleParameters(0.5, 0.0, 0.5, -1, -50, 100)
    )
    assert built.compiled
    plain = ComposedGhostWorld(built.spec, compiled=False)
    assert not plain.compiled
    for seed in range(2):
        assert play(built, seed) == play(plain, seed)


def test_composed_worlds_pickle_by_their_description():
    built = compose_board(4, 5, 1, RuleParameters(0.2, 0.0, 0.8, -1, -50, 100))
    again = pickle.loads(pickle.dumps(built))
    assert type(again) is ComposedGhostWorld and again.wants_compiled and again.name == built.name


ENDLESS = """
name: endless
picture: |
  S . . .|Q
cells:
  S: {start: true}
  Q: {ghost: true}
"""


@pytest.mark.exhaustive
@pytest.mark.filterwarnings("ignore:endless")
@pytest.mark.parametrize(
    ("slip_type", "ways"),
    [("longitudinal", ("stay", "right, right")), ("perpendicular", ("up", "down"))],
)
def test_they_slip_and_misread_as_often_as_they_should(slip_type, ways):
    """Within five standard deviations, a false alarm in about two of a million runs; one move in 50 would be found."""
    interface = AgentInterface(
        render=False, slip_probability=0.3, slip_type=slip_type, use_particle_filter=False, layout=ENDLESS
    )
    interface.reset(seed=0)
    n, said = 50_000, Counter()
    for _ in range(n):
        info = interface.step(2)[3]
        said[info["actual_action"]] += 1
        said["wrong color"] += info["color_measurement"] != 0
    expected = {"right": 0.7, ways[0]: 0.15, ways[1]: 0.15, "wrong color": 0.2}
    assert said.keys() == expected.keys()
    for name, p in expected.items():
        assert abs(said[name] - n * p) < 5 * (n * p * (1 - p)) ** 0.5
