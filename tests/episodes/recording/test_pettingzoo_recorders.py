"""Recorders for PettingZoo environments."""

import pytest

pytest.importorskip("pettingzoo")
from gridarium.env import aec_env, parallel_env
from gridarium.episodes.recording import AECEpisodeRecorder, ParallelEpisodeRecorder
from gridarium.world import Action
from gridarium.worlds import Spec

WORLD = "TwoAgents-Empty-8x8"


def test_parallel_steps_are_those_of_the_environment():
    env = ParallelEpisodeRecorder(parallel_env(WORLD, max_cycles=7, compiled=False))
    plain = parallel_env(WORLD, max_cycles=7, compiled=False)
    seen, rewards = [plain.reset(seed=4)[0]], []
    env.reset(seed=4)
    while env.agents:
        actions = {agent: env.action_space(agent).sample() for agent in env.agents}
        env.step(actions, {agent: {"logp": 0.5} for agent in actions})
        result = plain.step(actions)
        seen.append(result[0])
        rewards.append(result[1])
    (episode,) = env.take()
    assert len(episode) == len(rewards) and episode.is_done and env.take() == []
    for agent, own in episode.agent_episodes.items():
        own.validate(spaces=True)
        grids = [o["grid"].tolist() for o in own.get_observations()]
        assert grids == [o[agent]["grid"].tolist() for o in seen if agent in o]
        assert own.get_rewards() == [r[agent] for r in rewards if agent in r]
        assert own.get_extra_model_outputs("logp") == [0.5] * len(own)


QUIT = Action.declare("QUIT_IN_A_RECORDING")


def quits(state, action):
    if action == QUIT:
        state.agent.active = False


@pytest.mark.parametrize("order", ["all", "cycle"])
def test_one_is_cut_off_by_the_time_in_the_step_in_which_another_leaves(order):
    spec = Spec.build(
        name="Last", shape=(2, 3), objects=["Floor"], agents=2, turn_order=order, actions=["LEFT", QUIT], time_limit=3,
        reset="blank", transitions=[quits], rewards=["living_reward"], observation="full_grid",
    )  # fmt: skip
    env = ParallelEpisodeRecorder(parallel_env(spec, compiled=False))
    env.reset(seed=0)
    for k in (0, 0, 1):
        env.step({agent: k * (agent == "agent_0") for agent in env.agents})
    episodes = env.take()
    if order == "cycle":
        env = AECEpisodeRecorder(aec_env(spec, compiled=False))
        env.reset(seed=0)
        for action in (0, 0, 1):
            env.step(action)
        while env.agents:
            env.step(None)
        episodes += env.take()
    for episode in episodes:
        flags = {
            a: (bool(own.is_terminated), bool(own.is_truncated)) for a, own in episode.agent_episodes.items()
        }
        assert flags == {"agent_0": (True, False), "agent_1": (False, True)} and episode.is_terminated


@pytest.mark.parametrize(
    "world", ["GhostGrid-4x5", "Tron-15x15-4p"]
)  # agents of the second leave before the end
@pytest.mark.parametrize("seed", range(3))
def test_agents_that_act_in_turn_have_steps_of_their_own(world, seed):
    env = AECEpisodeRecorder(aec_env(world, max_cycles=9 if seed else 400, compiled=False))
    env.reset(seed=seed)
    for i, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(seed + 100 * i)
    total, acted = dict.fromkeys(env.possible_agents, 0.0), dict.fromkeys(env.possible_agents, 0)
    for agent in env.agent_iter():
        _, _, terminated, truncated, _ = env.last()
        over = terminated or truncated
        env.step(None if over else env.action_space(agent).sample())
        if not over:
            acted[agent] += 1
            for name, reward in env.rewards.items():
                total[name] += reward
    (episode,) = env.take()
    assert episode.is_done and episode.get_return() == pytest.approx(sum(total.values()))
    assert {agent: len(own) for agent, own in episode.agent_episodes.items()} == acted


def test_broken_off_ones_are_truncated_and_chunks_go_on():
    kept = []
    env = ParallelEpisodeRecorder(parallel_env(WORLD, compiled=False), sink=kept.append, infos=False)
    for _ in range(2):
        env.reset(seed=0)
        env.step(dict.fromkeys(env.agents, 0))
    env.close()
    assert [(len(e), e.is_truncated) for e in kept] == [(1, True)] * 2
    env = ParallelEpisodeRecorder(parallel_env(WORLD, compiled=False))
    env.reset(seed=0)
    for t in range(4):
        env.step(dict.fromkeys(env.agents, 0))
        if t == 1:
            (first,) = env.take(ongoing=True, lookback=1)
    (second,) = env.take(ongoing=True)
    assert (first.env_t, second.env_t_started, second.env_t) == (2, 2, 4)
