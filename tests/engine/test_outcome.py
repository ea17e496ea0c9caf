"""Outcomes of episodes, asked at their end for every agent; interpreted and compiled alike."""

import json

import numpy as np
import pytest
from click.testing import CliRunner
from gymnasium.utils.env_checker import check_env

from gridarium.agents import evaluate, play, random_action
from gridarium.cli.commands.run import run
from gridarium.engine import Autoreset, World
from gridarium.env import GridariumEnv, GridariumVectorEnv, aec_env, parallel_env
from gridarium.testing.worlds import check_compiled
from gridarium.worlds import DescriptionError
from tests.compiled_worlds import INTERPRETED_AND_COMPILED
from tests.engine.board import PLACE, PLAYERS, board, place, players, result


@pytest.fixture(scope="module", params=INTERPRETED_AND_COMPILED)
def world(request):
    return players(compiled=request.param)


@pytest.mark.parametrize("mode", list(Autoreset))
def test_every_agent_has_an_outcome_at_the_end_and_only_then(world, mode):
    batch = world.batch(16, autoreset=mode)
    batch.reset(3)
    rng, seen = np.random.default_rng(0), set()
    ended = np.zeros(16, np.bool_)
    for _ in range(25):
        waited, before = ended, [batch.state(i) for i in range(16)]
        actions = batch.sample_actions(rng)
        done = batch.step(actions)
        ended = done.ended
        now = ended & ~waited if mode is Autoreset.DISABLED else ended
        assert np.isnan(done.outcomes[~now]).all() and not np.isnan(done.outcomes[now]).any()
        for i in np.flatnonzero(now):
            last, _, _ = world.step(before[i], actions[i].tolist())
            assert done.outcomes[i].tolist() == world.outcomes(last).tolist()
            seen.add(tuple(done.outcomes[i].tolist()))
    assert seen >= {(1.0, -1.0), (-1.0, 1.0)}


def test_interpreted_and_compiled_give_the_same_bytes(world):
    if world.composed.wants_compiled:
        check_compiled(world)


def test_an_agent_that_has_left_has_an_outcome():
    world = board(compiled=False, outcome="survival", illegal="lose", episode_ends="all_agents")
    batch = world.batch(1)
    batch.reset(0)
    batch.step(np.array([[4, 0]]))
    done = batch.step(np.array([[0, 4]]))
    assert done.terminated.tolist() == [[False, True]] and np.isnan(done.outcomes).all()
    while not done.ended[0]:
        done = batch.step(batch.sample_actions(np.random.default_rng(0)))
    assert done.outcomes.tolist() == [[1.0, -1.0]]


def test_a_world_without_one_has_none_and_the_same_program():
    plain = board(compiled=False)
    batch = plain.batch(1)
    batch.reset(0)
    assert batch.step(np.array([[0, 0]])).outcomes is None
    assert "outcome" not in plain.explain()
    assert "return as_outcome(result(state), 'result')" in board(compiled=False, outcome=result).explain()
    with pytest.raises(ValueError, match="Board has no outcome rule; .* the sums of rewards"):
        plain.outcomes(plain.reset(0))
    assert play(plain, random_action, seed=0).outcomes == play(plain, random_action, seed=0).returns


def test_evaluations_and_runs_have_outcomes(world):
    found = evaluate(world, random_action, episodes=20)
    assert set(found.outcomes.ravel()) <= {-1.0, 0.0, 1.0}
    assert found.mean_outcome(0).mean == -found.mean_outcome(1).mean
    assert play(world, random_action, seed=0, limit=2).outcomes == (0.0, 0.0)


def test_its_parameters_are_those_of_the_world(world):
    assert set(
        play(World(world.spec, compiled=False, draw=0.5), random_action, seed=0, limit=1).outcomes
    ) == {0.5}


def test_environments_tell_it_at_the_end():
    described = World("Empty-4x4").spec.description.to_dict() | {"outcome": "survival", "time_limit": 3}
    env = GridariumEnv(described, compiled=False)
    check_env(env, skip_render_check=True)
    env.reset(seed=0)
    infos = [env.step(0)[4] for _ in range(3)]
    assert ["outcome" in info for info in infos] == [False, False, True] and infos[2]["outcome"] == 0.0
    for mode in ("NextStep", "SameStep"):
        several = GridariumVectorEnv(described, 2, autoreset_mode=mode, compiled=False)
        several.reset(seed=0)
        infos = [several.step([0, 0])[4] for _ in range(3)]
        assert "outcome" not in infos[1]
        last = infos[2] if mode == "NextStep" else infos[2]["final_info"]
        assert last["outcome"].tolist() == [0.0, 0.0] and last["_outcome"].all()


def test_pettingzoo_tells_it_to_all_at_the_end():
    world = board(compiled=False, outcome=result)
    env = parallel_env(world)
    assert env.outcomes == {}
    env.reset(seed=0)
    infos = {}
    for cell in (0, 3, 1, 4, 2):
        assert env.outcomes == {}
        _, _, _, _, infos = env.step(dict.fromkeys(env.agents, cell))
    assert [info["outcome"] for info in infos.values()] == [1.0, -1.0]
    one_by_one = aec_env(world)
    one_by_one.reset(seed=0)
    for cell in (0, 3, 1, 4, 2):
        one_by_one.step(cell)
    assert one_by_one.outcomes == {"agent_0": 1.0, "agent_1": -1.0}
    assert one_by_one.infos["agent_1"]["outcome"] == -1.0


@pytest.mark.parametrize("compiled", INTERPRETED_AND_COMPILED)
def test_points_that_transition_rules_count(compiled):
    def count(state, action):
        if action.is_a(PLACE):
            state.agent.score += 1

    world = board(
        compiled=compiled,
        fields={"agent": [{"name": "score", "type": "int"}]},
        transitions=[place, count],
        terminations=[],
        outcome="score",
    )
    batch = world.batch(1)
    batch.reset(0)
    rng, done = np.random.default_rng(0), None
    while done is None or not done.ended[0]:
        done = batch.step(batch.sample_actions(rng))
    assert done.outcomes.tolist() == [[5.0, 4.0]]


def test_what_is_wrong_with_it_is_said():
    def nothing(state):
        pass

    world = board(compiled=False, outcome=nothing, time_limit=1)
    batch = world.batch(1)
    batch.reset(0)
    with pytest.raises(TypeError, match="outcome rule nothing returned None") as caught:
        batch.step(np.array([[0, 0]]))
    assert "world 0 of 1" in str(caught.value.__notes__)
    assert batch.ticks[0] == 0
    with pytest.raises(DescriptionError, match="unknown outcome function 'scores'; did you mean 'score'"):
        board(outcome="scores")


@pytest.mark.parametrize("compiled", INTERPRETED_AND_COMPILED)
def test_an_outcome_that_cannot_be_compared_is_refused(compiled):
    def undecided(state):
        return float("nan") if state.agent.number == 0 else 0.0

    world = board(compiled=compiled, outcome=undecided, time_limit=1)
    batch = world.batch(1)
    batch.reset(0)
    with pytest.raises(ValueError, match="outcome rule .*undecided returned nan"):
        batch.step(np.array([[0, 0]]))
    assert batch.ticks[0] == 0


def test_the_command_line_tells_it(tmp_path):
    described = World("Empty-4x4").spec.description.to_yaml() + "outcome: survival\n"
    file = tmp_path / "world.yaml"
    file.write_text(described)
    said = CliRunner().invoke(
        run, [str(file), "--episodes", "1", "--max-ticks", "2", "--json", "--interpreted"]
    )
    (policy,) = json.loads(said.output)["policies"].values()
    assert policy["episodes"][0]["outcomes"] == [0.0]


def stirs(state, action):
    """Draw from the state's own random numbers, as an outcome rule may, too."""
    state.rng.random()


def drawn(state):
    return state.rng.random()


@pytest.mark.parametrize("compiled", INTERPRETED_AND_COMPILED)
def test_what_an_outcome_rule_draws_depends_on_the_last_state_alone(compiled):
    world = board(agents=PLAYERS, outcome=drawn, transitions=[place, stirs], compiled=compiled)
    batch = world.batch(2)
    batch.reset(3)
    rng = np.random.default_rng(0)
    while not (done := batch.step(batch.sample_actions(rng))).ended.any():
        pass
    for i in np.flatnonzero(done.ended):
        assert len({*done.outcomes[i]}) == 2
        assert done.outcomes[i].tolist() == world.outcomes(batch.state(i)).tolist()
