"""Worlds with several agents as PettingZoo environments."""

import functools
import pickle

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence

from gridarium.engine import World
from gridarium.env import aec_env, parallel_env
from gridarium.world import Action
from gridarium.worlds import Spec, catalogue
from tests.engine.board import board
from tests.env.worlds import furnished

pettingzoo = pytest.importorskip("pettingzoo")
checks = pytest.importorskip("pettingzoo.test")

ALL, CYCLE = "TwoAgents-Empty-8x8", "TwoAgents-Helper-8x8"
WORLDS = (ALL, "TwoAgents-FourRooms-9x9", "TwoAgents-DoorKey-8x8", CYCLE)

# What PettingZoo's checks say of dictionaries of arrays, and of agents whose names have no number.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:No agents present but not all possible_agents"),
    pytest.mark.filterwarnings("ignore:We recommend agents to be named"),
]


def second_stays_out(state):
    state.agents[1].active = False


WITHOUT_ONE = Spec.build(
    name="Three", shape=(2, 3), objects=["Floor"], agents=3, actions=["LEFT", "RIGHT"], reset="blank", time_limit=4,
    after_reset=[second_stays_out], transitions=["move_agent"], rewards=["living_reward"], observation="full_grid",
)  # fmt: skip


def test_agents_that_a_reset_rule_leaves_out_do_not_take_part():
    env = parallel_env(WITHOUT_ONE, compiled=False)
    observations, _ = env.reset(seed=0)
    assert env.agents == list(observations) == ["agent_0", "agent_2"]
    assert list(env.step(dict.fromkeys(env.agents, 0))[1]) == ["agent_0", "agent_2"]
    env = aec_env(WITHOUT_ONE, compiled=False)
    env.reset(seed=0)
    acted = []
    for name in env.agent_iter():
        acted.append(name)
        env.step(None if env.terminations[name] or env.truncations[name] else 0)
    assert acted == ["agent_0", "agent_2"] * 5
    checks.parallel_api_test(parallel_env(WITHOUT_ONE, compiled=False))
    checks.api_test(aec_env(WITHOUT_ONE, compiled=False))


def same(first, second):
    return data_equivalence(first, second, exact=True)


def random_actions(env, observations, rng):
    """An action for each agent, out of those that it has."""
    actions = {}
    for name in env.agents:
        mask = observations[name].get("action_mask", np.ones(env.action_space(name).n))
        actions[name] = int(rng.choice(np.flatnonzero(mask)))
    return actions


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", WORLDS)
def test_pettingzoos_checks_are_content(name, capsys):
    parallel = functools.partial(parallel_env, name, compiled=False, max_cycles=40)
    one_by_one = functools.partial(aec_env, name, compiled=False, max_cycles=40)
    checks.parallel_api_test(parallel(), num_cycles=60)
    checks.api_test(one_by_one(), num_cycles=30)
    checks.seed_test(one_by_one, num_cycles=20)
    if not parallel().core.world.spec.has_masks:  # these two draw actions that may not be legal
        from pettingzoo.test.seed_test import parallel_seed_test
        from pettingzoo.test.state_test import state_test

        parallel_seed_test(parallel, num_cycles=20)
        state_test(one_by_one(), parallel(), num_cycles=10)
    assert "Passed" in capsys.readouterr().out


@pytest.mark.parametrize("kind", ["parallel", "aec"])
def test_pettingzoo_makes_them_by_their_ids(kind):
    if not hasattr(pettingzoo, "make"):
        pytest.skip("PettingZoo makes environments by their ids from version 1.27 on")
    env = pettingzoo.make(kind, f"gridarium/{ALL}-v0", compiled=False, max_cycles=3)
    env.reset(seed=0)
    assert env.possible_agents == ["agent_0", "agent_1"]
    assert str(env.unwrapped) == "two_agents_empty_8x8_v0"


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("name", [ALL, CYCLE])
@pytest.mark.sampled(2)
def test_a_parallel_step_is_a_step_of_the_world(name, compiled):
    env = parallel_env(name, compiled=compiled)
    world = env.core.world
    observations, infos = env.reset(seed=4)
    state = world.reset(4)
    rng = np.random.default_rng(0)
    for _ in range(30):
        assert env.world_state.identical(state)
        arrays = world.arrays(state)
        for i, agent in enumerate(env.possible_agents):
            assert all(np.array_equal(observations[agent][key], array[i]) for key, array in arrays.items())
        actions = random_actions(env, observations, rng)
        if name == CYCLE:
            actions = {env.core.acting: actions[env.core.acting]}
        filled = [actions.get(agent, int(env.core.masks[agent].argmax())) for agent in env.possible_agents]
        state, rewards, _ = world.step(state, filled)
        observations, mine, terminated, truncated, infos = env.step(actions)
        assert mine == dict(zip(env.possible_agents, rewards.tolist(), strict=True))
        assert infos["helper" if name == CYCLE else "agent_0"]["tick"] == state.tick
        assert not any(truncated.values())
        if any(terminated.values()):
            break


def test_where_agents_take_turns_only_one_acts():
    env = aec_env(CYCLE, compiled=False)
    env.reset(seed=1)
    seen = []
    for _ in range(6):
        before, agent = env.world_state, env.agent_selection
        seen.append(agent)
        env.step(0)
        after = env.world_state
        turned = [a.orientation != b.orientation for a, b in zip(before.agents, after.agents, strict=True)]
        assert turned == [agent == "helper", agent == "traveller"]
        idle = after.agents[1 if agent == "helper" else 0]
        assert idle.action == Action.WAIT
    assert seen == ["helper", "traveller"] * 3


def test_both_ways_of_stepping_give_the_same_episode():
    names = ("agent_0", "agent_1")
    together, in_turn = parallel_env(ALL, compiled=False), aec_env(ALL, compiled=False)
    together.reset(seed=2)
    in_turn.reset(seed=2)
    rng = np.random.default_rng(1)
    for _ in range(20):
        actions = {name: int(rng.integers(3)) for name in names}
        observations, rewards, *_ = together.step(actions)
        for name in names:
            assert in_turn.agent_selection == name
            in_turn.step(actions[name])
        assert same(observations, {name: in_turn.observe(name) for name in names})
        assert rewards == in_turn.rewards


def test_an_agent_that_is_done_leaves_and_the_others_go_on():
    env = parallel_env(furnished(agents=2, name="Leaving", episode_ends="all_agents"), compiled=False)
    env.reset(seed=0)
    walk = [2, 2, 2, 0, 0]
    left = None
    for tick, action in enumerate(walk):
        assert env.agents == ["agent_0", "agent_1"]
        observations, rewards, terminated, truncated, _ = env.step({"agent_0": 1, "agent_1": action})
        left = tick
        if terminated["agent_1"]:
            break
    assert (left, env.agents) == (4, ["agent_0"]), env.world_state
    assert rewards["agent_1"] == 0.5
    assert set(observations) == {"agent_0", "agent_1"}
    observations, rewards, terminated, truncated, _ = env.step({"agent_0": 1})
    assert set(observations) == set(rewards) == {"agent_0"}
    while env.agents:
        *_, truncated, _ = env.step({"agent_0": 1})
    assert truncated == {"agent_0": True}
    with pytest.raises(RuntimeError, match="the episode is over"):
        env.step({})


def test_in_turn_an_agent_that_is_done_takes_its_leave():
    env = aec_env(
        furnished(agents=2, name="Leaving", episode_ends="all_agents", turn_order="cycle"), compiled=False
    )
    env.reset(seed=0)
    for action in (2, 2, 2, 0, 0):
        env.step(1)
        assert env.agent_selection == "agent_1"
        env.step(action)
    assert (env.agent_selection, env.terminations["agent_1"]) == ("agent_1", True)
    with pytest.raises(ValueError, match="only valid action is None"):
        env.step(0)
    env.step(None)
    assert env.agents == ["agent_0"]
    for _ in range(3):
        assert env.agent_selection == "agent_0"
        env.step(1)


@pytest.mark.parametrize(
    ("actions", "error", "words"),
    [({"agent_0": 0}, ValueError, "the action of agent_1 is missing"), ({}, ValueError, "is missing"),
     ({"agent_0": 0, "agent_1": 3}, ValueError, "none of agent_1's actions: 0 TURN_LEFT"),
     ({"agent_0": -1, "agent_1": 0}, ValueError, "none of agent_0's actions"),
     ({"agent_0": 0, "agent_1": 0, "eve": 0}, ValueError, "no agent 'eve'"),
     ({"agent_0": 0, "agent_1": 1.5}, TypeError, "agent_1's action is the index of one, not 1.5"),
     ({"agent_0": 0, "agent_1": np.nan}, TypeError, "agent_1's action is the index of one, not nan"),
     ({"agent_0": 0, "agent_1": "UP"}, TypeError, "agent_1's action is the index of one, not 'UP'"),
     (0, TypeError, "actions are given by agents' names, as {'agent_0': 0}, not as 0"),
     ([0, 0], TypeError, "actions are given by agents' names")],
)  # fmt: skip
def test_what_are_no_actions_is_refused_and_changes_nothing(actions, error, words):
    env = parallel_env(ALL, compiled=False)
    env.reset(seed=0)
    before = env.world_state
    with pytest.raises(error, match=words):
        env.step(actions)
    assert env.world_state.identical(before)


def test_actions_that_an_agent_lacks_are_masked_and_refused():
    env = aec_env(CYCLE, compiled=False)
    env.reset(seed=0)
    assert env.observe("helper")["action_mask"].tolist() == [1, 1, 1, 1, 1]
    assert env.observe("traveller")["action_mask"].tolist() == [0, 0, 0, 0, 0]
    env.step(4)
    assert env.observe("traveller")["action_mask"].tolist() == [1, 1, 1, 0, 0]
    assert env.infos["traveller"]["action_mask"].tolist() == [1, 1, 1, 0, 0]
    assert env.observe("traveller") in env.observation_space("traveller")
    own = pickle.loads(pickle.dumps(env.action_space("traveller")))
    assert {int(own.sample()) for _ in range(60)} == {0, 1, 2} and own.sample(
        np.array([0, 0, 0, 0, 1], np.int8)
    ) == 4
    assert (2 in own, 3 in own, 5 in own) == (True, False, False)
    with pytest.raises(ValueError, match="none of traveller's actions"):
        env.step(4)
    with pytest.raises(ValueError, match="the action of traveller is missing"):
        env.step(None)
    assert env.agent_selection == "traveller"


def test_stepping_before_a_reset_is_refused():
    for env, action in (
        (parallel_env(ALL, compiled=False), {"agent_0": 0, "agent_1": 0}),
        (aec_env(CYCLE), 0),
    ):
        with pytest.raises(RuntimeError, match="reset"):
            env.step(action)


def test_the_whole_state_comes_as_bytes():
    env = parallel_env(ALL, compiled=False)
    env.reset(seed=0)
    first = env.state()
    assert first in env.state_space
    state = env.world_state
    assert first[: 3 * 64].reshape(8, 8, 3)[..., 0].tolist() == (state.cells & 255).tolist()
    assert first[3 * 64 :][:3].tolist() == [*state.agents[0].position.yx, state.agents[0].orientation.value]
    env.step({"agent_0": 0, "agent_1": 1})
    assert not np.array_equal(env.state(), first)


@pytest.mark.parametrize("make", [parallel_env, aec_env])
def test_they_render_and_pickle(make):
    env = make(CYCLE, "rgb_array", compiled=False, tile=4)
    env.reset(seed=0)
    assert env.render().shape == (32, 32, 3)
    twin = pickle.loads(pickle.dumps(env))
    action = {"helper": 0} if make is parallel_env else 0
    env.step(action)
    twin.step(action)
    assert twin.world_state.identical(env.world_state)
    assert make(CYCLE, compiled=False).render() is None
    with pytest.raises(ValueError, match="render_mode"):
        make(CYCLE, "video")


def test_a_world_with_one_agent_works_as_well():
    env = parallel_env("Empty-4x4", compiled=False)
    observations, _ = env.reset(seed=0)
    assert observations["agent_0"] in env.observation_space("agent_0")
    _, rewards, *_ = env.step({"agent_0": 0})
    assert isinstance(rewards["agent_0"], float)


def test_legal_actions_are_where_pettingzoo_has_them():
    env = aec_env(board(compiled=False))
    env.reset(seed=0)
    played = 0
    for agent in env.agent_iter():
        observation, _, ended, cut, info = env.last()
        if ended or cut:
            env.step(None)
            continue
        mask = observation["action_mask"]
        assert np.array_equal(mask, info["action_mask"])
        assert mask.sum() == 9 - played
        (waiting,) = {*env.agents} - {agent}
        assert not env.observe(waiting)["action_mask"].any() and not env.infos[waiting]["action_mask"].any()
        env.step(env.action_space(agent).sample(mask))
        played += 1
    assert 5 <= played <= 9


def test_who_waits_has_something_to_draw_where_all_give_actions():
    env = parallel_env(board(compiled=False))
    _, infos = env.reset(seed=0)
    observations, *_, infos = env.step(dict.fromkeys(env.agents, 3))
    first, second = env.agents
    assert infos[first]["action_mask"].all() and infos[second]["action_mask"].sum() == 8
    assert env.core.acting == second and observations[first]["action_mask"].all()


@pytest.mark.parametrize("name", ["KuhnPoker-2p", "RockPaperScissors-2p", "Tron-15x15-2p", "MatrixGame-2x2"])
def test_infos_have_masks_also_where_everything_is_legal(name):
    env = aec_env(name, compiled=False)
    env.reset(seed=0)
    for agent in env.agent_iter(20):
        *_, ended, cut, info = env.last()
        mask = info["action_mask"]
        assert mask.dtype == np.int8 and mask.tolist() == [1] * env.action_space(agent).n
        env.step(None if ended or cut else env.action_space(agent).sample(mask))


@pytest.mark.parametrize("text", ["fetch the {target}", ""])
def test_infos_say_what_the_mission_is(text):
    described = catalogue.description(ALL).to_dict() | {"mission": text}
    env, in_turn = parallel_env(described, compiled=False), aec_env(described, compiled=False)
    for seed in (1, 2):
        _, infos = env.reset(seed=seed)
        mission = env.core.world.mission(env.world_state)
        *_, later = env.step({"agent_0": 0, "agent_1": 0})
        in_turn.reset(seed=seed)
        for name in env.possible_agents:
            said = [part[name].get("mission", "") for part in (infos, later, in_turn.infos)]
            assert said == [mission] * 3


@pytest.mark.parametrize("order", ["cycle", "all"])
def test_agents_take_the_parts_of_actions(order):
    world = board(compiled=False, turn_order=order)
    env = parallel_env(world, action_parts=True)
    assert env.action_space("agent_1").nvec.tolist() == [2, 9]
    env.reset(seed=0)
    infos = env.step(dict.fromkeys(env.agents, np.array([0, 4]))).infos
    assert np.flatnonzero(infos["agent_1"]["action_mask"] == 0).tolist() == [4, 9]
    one = aec_env(world, action_parts=True)
    one.reset(seed=0)
    one.step(np.array([0, 4]))
    with pytest.raises(ValueError, match="action 0 to 1, at 0 to 8"):
        env.step(dict.fromkeys(env.agents, (2, 0)))


@pytest.mark.filterwarnings("ignore:Action space for each agent probably should be")
def test_pettingzoo_accepts_the_parts_of_actions():
    world = World("TwoAgents-Empty-8x8", compiled=False)
    checks.parallel_api_test(parallel_env(world, action_parts=True), num_cycles=20)
    checks.api_test(aec_env(world, action_parts=True), num_cycles=20)
