"""Episodes of several agents, and transitions of n steps, beside RLlib's: medians of processor time, and their ratio.

Runs under an interpreter that has ray[rllib]; see README.md here. Prints a table, and JSON with --json.
"""

import argparse
import json
import statistics
import time
import warnings
from pathlib import Path

import gymnasium as gym
import numpy as np

warnings.simplefilter("ignore")

from ray.rllib.env.multi_agent_episode import MultiAgentEpisode as TheirMultiAgentEpisode  # noqa: E402
from ray.rllib.env.single_agent_episode import SingleAgentEpisode as TheirEpisode  # noqa: E402
from ray.rllib.utils.replay_buffers.episode_replay_buffer import EpisodeReplayBuffer  # noqa: E402

from gridarium.episodes import MultiAgentEpisode, NStepSampler, SingleAgentEpisode  # noqa: E402

STEPS = 300
SPACE = gym.spaces.Box(-1.0, 1.0, (4,), np.float32)


def play(agents, gaps):
    """Arguments of `add_env_step`; with gaps, each agent skips every other observation."""
    names = [f"agent_{i}" for i in range(agents)]
    observation = np.zeros(4, np.float32)
    steps = []
    for t in range(STEPS):
        seen = [a for i, a in enumerate(names) if not gaps or (t + i) % 2]
        acting = [a for i, a in enumerate(names) if not gaps or t == 0 or (t + i + 1) % 2]
        steps.append(
            {
                "observations": dict.fromkeys(seen, observation),
                "actions": dict.fromkeys(acting, 1),
                "rewards": dict.fromkeys(names, 1.0),
                "infos": {a: {} for a in seen},
                "terminateds": {"__all__": False},
                "truncateds": {"__all__": False},
                "extra_model_outputs": {a: {"action_logp": -0.5} for a in acting},
            }
        )
    return dict.fromkeys(names, observation), steps


def filled(kind, reset, steps):
    agents = dict.fromkeys(reset, SPACE)
    episode = kind(observation_space=agents, action_space=dict.fromkeys(reset, gym.spaces.Discrete(4)))
    episode.add_env_reset(observations=reset)
    for step in steps:
        episode.add_env_step(**step)
    return episode


def stepping(kind, agents, gaps):
    reset, steps = play(agents, gaps)

    def window():
        start = time.process_time()
        filled(kind, reset, steps)
        return (time.process_time() - start) / STEPS

    return window


def calling(kind, agents, call):
    episode = filled(kind, *play(agents, gaps=False))

    def window():
        start = time.process_time()
        for _ in range(50):
            call(episode)
        return (time.process_time() - start) / 50

    return window


def episodes(kind):
    random = np.random.default_rng(0)
    for _ in range(50):
        observations = list(random.random((201, 4), np.float32))
        data = {"actions": [i % 4 for i in range(200)], "rewards": [1.0] * 200}
        yield kind(observations=observations, **data, terminated=True, len_lookback_buffer=0).to_numpy()


def sampling(draw, calls):
    """Seconds a transition."""

    def window():
        start = time.process_time()
        for _ in range(calls):
            draw()
        return (time.process_time() - start) / (calls * 256)

    return window


def cases():
    ours, theirs = MultiAgentEpisode, TheirMultiAgentEpisode
    for agents in (2, 10):
        for gaps in (False, True):
            name = f"add_env_step, {agents} agents" + (", half of them skip a step" if gaps else "")
            yield name, stepping(ours, agents, gaps), stepping(theirs, agents, gaps)
    for name, call in {
        "get_observations(-1)": lambda episode: episode.get_observations(-1),
        "get_actions, slice of 4, filled, one-hot": lambda episode: episode.get_actions(
            slice(-2, 2), neg_index_as_lookback=True, fill=0, one_hot_discrete=True
        ),
        "cut(1)": lambda episode: episode.cut(1),
        "episode[50:100]": lambda episode: episode[50:100],
    }.items():
        yield f"{name}, 10 agents", calling(ours, 10, call), calling(theirs, 10, call)
    buffer = EpisodeReplayBuffer(capacity=100_000)
    buffer.add(list(episodes(TheirEpisode)))
    for n in (1, 3):
        sampler = NStepSampler(episodes(SingleAgentEpisode), n=n, discount=0.99)
        options = {"num_items": 256, "n_step": n, "gamma": 0.99, "sample_episodes": True}
        yield (
            f"a transition of {n} steps, in batches of 256",
            sampling(lambda sampler=sampler: sampler.sample(256), 200),
            sampling(lambda options=options: buffer.sample(**options), 4),
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--windows", type=int, default=9)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    rows = []
    for name, ours, theirs in cases():
        pairs = [(ours(), theirs()) for _ in range(options.windows)]
        mine, other = (statistics.median(column) * 1e6 for column in zip(*pairs, strict=True))
        rows.append({"case": name, "gridarium_us": mine, "ray_us": other, "ratio": other / mine})
        print(f"{name:56s} {mine:9.2f} us {other:9.2f} us {other / mine:7.1f} x", flush=True)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
