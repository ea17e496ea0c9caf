"""Many episodes, and policies by their names."""

import numpy as np
import pytest
from click.testing import CliRunner

from gridarium.agents import (
    QLearning,
    TabularModel,
    evaluate,
    play,
    random_action,
    shortest_plan,
    value_iteration,
)
from gridarium.agents.named_policies import POLICIES
from gridarium.cli import main
from gridarium.engine import World
from gridarium.testing import check_agent
from gridarium.world import Action, Exit, Floor, Position
from gridarium.worlds import Spec
from tests.agents.worlds import chase, from_yaml


@pytest.fixture(scope="module")
def world() -> World:
    return from_yaml(time_limit=25)


def one_by_one(world, policies, seeds, limit=None):
    return [play(world, policies, seed=seed, limit=limit) for seed in seeds]


@pytest.mark.parametrize("limit", [None, 6])
def test_all_at_once_is_the_same_as_one_by_one(world: World, limit) -> None:
    solution = value_iteration(TabularModel.extract(world), 1.0)
    found = evaluate(world, solution, episodes=30, seed=3, limit=limit)
    episodes = one_by_one(world, [solution], range(3, 33), limit)
    assert found.returns[:, 0].tolist() == pytest.approx([e.returns[0] for e in episodes])
    assert found.lengths.tolist() == [e.length for e in episodes]
    assert found.successes.tolist() == [e.success for e in episodes]


@pytest.mark.exhaustive
def test_so_it_is_with_two_agents_and_observations() -> None:
    world = chase("^.E\n...\n..v", time_limit=20)
    learners = [QLearning(world, agent=k, on=on, seed=k) for k, on in ((0, "state"), (1, "observation"))]
    for learner in learners:
        learner.learn(50)
    found = evaluate(world, learners, episodes=10)
    episodes = one_by_one(world, learners, range(10))
    assert found.returns.tolist() == [list(e.returns) for e in episodes]
    assert found.wins.tolist() == [[e.terminated and r > 0 for r in e.last_rewards] for e in episodes]


def test_shares_and_means_have_intervals(world: World) -> None:
    found = evaluate(world, random_action, episodes=12)
    assert len(found) == 12 and "12 episodes" in repr(found)
    share, mean = found.win_rate(), found.mean_return()
    assert 0 <= share.low <= share.mean <= share.high <= 1 and mean.low < mean.mean < mean.high
    assert found.length.mean <= 25 and found.success.mean == share.mean


def test_each_agent_has_a_policy(world: World) -> None:
    with pytest.raises(ValueError, match="one policy for each agent is needed, 1 in all; got 2"):
        evaluate(world, [random_action, random_action])
    with pytest.raises(ValueError, match="episodes is at least 1"):
        evaluate(world, random_action, episodes=0)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", sorted(POLICIES))
def test_named_policies_play_any_world(name: str, world: World) -> None:
    for episode in check_agent(quick(name), world, episodes=1, limit=4):
        assert episode.length <= 4


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", sorted(POLICIES))
def test_also_among_others(name: str) -> None:
    check_agent(quick(name), chase(), episodes=1, limit=3)


def quick(name):
    fewer = {"mcts": {"simulations": 20}, "pomcp": {"simulations": 20, "particles": 20}}
    policy = POLICIES[name]
    return policy(**fewer[name]) if name in fewer else policy


def test_the_command_line_knows_their_names() -> None:
    result = CliRunner().invoke(
        main, ["run", "FourByThree", "--interpreted", "-n", "4", "-p", "value-iteration", "-p", "chase"]
    )
    assert result.exit_code == 0
    assert "value-iteration" in result.output and "chase" in result.output
    unknown = CliRunner().invoke(main, ["run", "FourByThree", "-p", "clever"])
    assert (
        unknown.exit_code == 1 and "qmdp, pomcp, module:name or file.py:name, not 'clever'" in unknown.output
    )


def test_the_command_line_says_why_a_world_cannot_be_planned(tmp_path) -> None:
    file = tmp_path / "large.yaml"
    file.write_text(World("FourRooms-19x19").spec.description.to_yaml())
    tiny = tmp_path / "tiny.py"
    tiny.write_text("from gridarium.agents import ValueIteration\n\nplan = ValueIteration(limit=5)\n")
    result = CliRunner().invoke(main, ["run", str(file), "--interpreted", "-n", "1", "-p", f"{tiny}:plan"])
    assert result.exit_code == 1
    assert result.output.startswith("Error: FourRooms-19x19 has more than 5 different states")


def refusing(**changes) -> World:
    """A corridor of four cells in which illegal moves are errors; the exit is on the right."""

    def begin(state, *, rng):
        state.agent.position = Position(0, int(rng.integers(3)))
        state.grid[0, 3] = Exit()

    def stays_inside(state, action):
        step = -1 if action == Action.LEFT else 1
        return 0 <= state.agent.position.x + step < 4

    described = {
        "name": "Refusing", "shape": (1, 4), "objects": [Floor, Exit], "actions": ["LEFT", "RIGHT"], "reset": begin,
        "transitions": ["move_agent"], "legal": [stays_inside], "illegal": "refuse", "rewards": ["reach_exit"],
        "terminations": ["reach_exit"], "observation": "full_grid", "time_limit": 20,
    }  # fmt: skip
    return World(Spec.build(**described | changes), compiled=False)


class GoRight:
    """A table with one row."""

    def decide_all(self, world, rows, observations, agent):
        return np.full(len(rows[0]), 1)

    def __call__(self, state):
        return Action.RIGHT


def test_worlds_that_are_done_wait_for_the_others() -> None:
    world = refusing()
    lengths = [play(world, GoRight(), seed=seed).length for seed in range(8)]
    assert evaluate(world, GoRight(), episodes=8).lengths.tolist() == lengths
    assert len(set(lengths)) > 1


def test_where_illegal_actions_are_errors_planners_take_others_or_say_so() -> None:
    world = refusing()
    state = next(state for state in map(world.reset, range(20)) if state.agent.position.x == 0)
    assert shortest_plan(world, state).actions == (Action.RIGHT,) * 3
    with pytest.raises(ValueError, match=r'Refusing refuses illegal ones; .* World\(..., illegal="ignore"\)'):
        TabularModel.extract(world)
    assert len(TabularModel.extract(refusing(illegal="ignore")))
