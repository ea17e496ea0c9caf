"""Our episodes beside RLlib's: the same calls, window by window in turn, in one process; ratios of medians.

Runs under an interpreter that has ray[rllib]; see README.md here. Prints a table, and JSON with --json.
"""

import argparse
import json
import statistics
import subprocess
import sys
import time
import warnings
from pathlib import Path

import gymnasium as gym
import numpy as np

SPACE = gym.spaces.Dict(
    {
        "camera": gym.spaces.Box(0, 255, (8, 8, 3), np.uint8),
        "speed": gym.spaces.Box(-1.0, 1.0, (2,), np.float32),
        "room": gym.spaces.Discrete(9),
    }
)
BOX = gym.spaces.Box(-1.0, 1.0, (4,), np.float32)
ACTION = gym.spaces.Discrete(4)
NESTED_ACTION = gym.spaces.Dict(
    {
        "move": ACTION,
        "hands": gym.spaces.MultiDiscrete([3, 4]),
        "force": gym.spaces.Box(-1.0, 1.0, (2,), np.float32),
    }
)
STEPS, MANY_STEPS = 1000, 5000
RAW_BYTES = 8 * 8 * 3 + 2 * 4 + 8 + 8 + 8  # observation, action, reward


def episode_classes(names):
    found = {}
    if "gridarium" in names:
        from gridarium.episodes import SingleAgentEpisode

        found["gridarium"] = SingleAgentEpisode
    if "ray" in names:
        warnings.simplefilter("ignore")
        from ray.rllib.env.single_agent_episode import SingleAgentEpisode as Theirs

        found["ray"] = Theirs
    return found


def camera_observations(n, rng):
    return [
        {
            "camera": rng.integers(0, 255, (8, 8, 3), np.uint8),
            "speed": rng.random(2, np.float32),
            "room": np.int64(i % 9),
        }
        for i in range(n)
    ]


def adding(kind, observations, outputs, *, numpy=False, done=False, fresh=False, arrays=False):
    """Seconds a step for adding all observations to a new episode, or to one of 100 steps that gives arrays."""
    steps = len(observations) - 1
    space = SPACE if isinstance(observations[0], dict) else BOX

    def window():
        episode = kind(observation_space=space, action_space=ACTION)
        episode.add_env_reset(observations[0], {})
        if numpy:
            for i in range(100):
                episode.add_env_step(
                    observations[i + 1], i % 4, 1.0, {}, extra_model_outputs=outputs and dict(outputs)
                )
            episode.to_numpy()
        seen = observations
        if fresh:  # as an environment gives them: new arrays at every step
            seen = [
                {key: np.array(value)[()] for key, value in o.items()} if isinstance(o, dict) else o.copy()
                for o in observations
            ]
        last = steps - 1 if done else -1
        start = time.process_time()
        if outputs is None:
            for i in range(steps):
                episode.add_env_step(seen[i + 1], i % 4, 1.0, {}, terminated=i == last)
        else:
            for i in range(steps):
                episode.add_env_step(
                    seen[i + 1],
                    i % 4,
                    1.0,
                    {},
                    terminated=i == last,
                    extra_model_outputs={"logp": -0.5, "value": 0.1, "entropy": 0.2},
                )
        if arrays:
            episode.to_numpy()
        return (time.process_time() - start) / steps

    return window


def acting(kind, observations, outputs):
    """Seconds for a look at the last observation and a step, as in a loop that acts."""

    def window():
        episode = kind(observation_space=SPACE, action_space=ACTION)
        episode.add_env_reset(observations[0], {})
        start = time.process_time()
        for i in range(STEPS):
            episode.get_observations(-1)
            episode.add_env_step(observations[i + 1], i % 4, 1.0, {}, extra_model_outputs=dict(outputs))
        return (time.process_time() - start) / STEPS

    return window


def getting(kind, action_space, options, *, numpy):
    """Seconds for one call of `get_actions`."""
    action_space.seed(0)
    episode = kind(
        observations=list(range(501)),
        actions=[action_space.sample() for _ in range(500)],
        rewards=[1.0] * 500,
        action_space=action_space,
        len_lookback_buffer=0,
    )
    if numpy:
        episode.to_numpy()
    options = {"neg_index_as_lookback": True} | options
    where = options.pop("where")
    calls = 300

    def window():
        start = time.process_time()
        for _ in range(calls):
            episode.get_actions(where, **options)
        return (time.process_time() - start) / calls

    return window


def rest(kind, observations, what):
    """Seconds for one call of something else, on an episode of STEPS steps."""

    def make():
        episode = kind(observation_space=SPACE, action_space=ACTION)
        episode.add_env_reset(observations[0], {})
        for i in range(STEPS):
            episode.add_env_step(observations[i + 1], i % 4, 1.0, {}, extra_model_outputs={"value": 0.1})
        return episode

    ready = make()
    if what.endswith("arrays"):
        ready.to_numpy()
    calls = {
        "to_numpy": lambda episode: episode.to_numpy(),
        "ep[100:120], lists": lambda _: ready[100:120],
        "ep[100:120], arrays": lambda _: ready[100:120],
        "cut(1), lists": lambda _: ready.cut(1),
        "cut(1), arrays": lambda _: ready.cut(1),
        "get_return, lists": lambda _: ready.get_return(),
        "get_return, arrays": lambda _: ready.get_return(),
    }

    def window():
        repeats = 1 if what == "to_numpy" else 50
        episode = make() if what == "to_numpy" else None
        start = time.process_time()
        for _ in range(repeats):
            calls[what](episode)
        return (time.process_time() - start) / repeats

    return window


def cases(kind):
    rng = np.random.default_rng(0)
    camera = camera_observations(STEPS + 1, rng)
    many = camera_observations(MANY_STEPS + 1, rng)
    box = list(rng.random((STEPS + 1, 4), np.float32))
    outputs = {"logp": -0.5, "value": 0.1, "entropy": 0.2}
    yield "add_env_step, Dict, three extras", adding(kind, camera, outputs)
    yield "add_env_step, Dict, three extras, until done", adding(kind, camera, outputs, done=True)
    yield (
        "add_env_step, Dict, three extras, new arrays, until done",
        adding(kind, camera, outputs, done=True, fresh=True),
    )
    yield (
        "add_env_step, Dict, three extras, new arrays, 5,000 steps until done",
        adding(kind, many, outputs, done=True, fresh=True),
    )
    yield (
        "add_env_step, Dict, three extras, until done, and to_numpy",
        adding(kind, camera, outputs, done=True, arrays=True),
    )
    yield "get_observations(-1), then add_env_step, Dict, three extras", acting(kind, camera, outputs)
    yield "add_env_step, Box, no extras", adding(kind, box, None)
    yield "add_env_step, Box, no extras, until done", adding(kind, box, None, done=True)
    yield "add_env_step after to_numpy, Dict, three extras", adding(kind, camera, outputs, numpy=True)
    yield (
        "add_env_step after to_numpy, Dict, three extras, new arrays",
        adding(kind, camera, outputs, numpy=True, fresh=True),
    )
    yield "add_env_step after to_numpy, Box, no extras", adding(kind, box, None, numpy=True)
    yield (
        "add_env_step after to_numpy, Box, no extras, new arrays",
        adding(kind, box, None, numpy=True, fresh=True),
    )
    for mode in ("lists", "arrays"):
        for name, space in (("Discrete", ACTION), ("Dict", NESTED_ACTION)):
            for how, options in (
                ("int", {"where": 3}),
                ("slice of 4", {"where": slice(100, 104)}),
                ("slice of 4, half filled", {"where": slice(-2, 2), "fill": 0}),
                (
                    "slice of 4, half filled, one-hot",
                    {"where": slice(-2, 2), "fill": 0, "one_hot_discrete": True},
                ),
                (
                    "slice of 400, half filled, one-hot",
                    {"where": slice(-200, 200), "fill": 0, "one_hot_discrete": True},
                ),
            ):
                yield (
                    f"get_actions, {name}, {mode}: {how}",
                    getting(kind, space, options, numpy=mode == "arrays"),
                )
    for what in (
        "to_numpy",
        "ep[100:120], lists",
        "ep[100:120], arrays",
        "cut(1), lists",
        "cut(1), arrays",
        "get_return, lists",
        "get_return, arrays",
    ):
        yield what, rest(kind, camera, what)


def resident():
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * 4096


def memory(kind, mode):
    """Resident bytes a step of 40 ended episodes."""
    rng = np.random.default_rng(0)

    def make(steps):
        episode = kind(observation_space=SPACE, action_space=ACTION)
        episode.add_env_reset(camera_observations(1, rng)[0], {})
        for i in range(steps):
            episode.add_env_step(camera_observations(1, rng)[0], i % 4, 1.0, {}, terminated=i == steps - 1)
        return episode.to_numpy() if mode == "arrays" else episode

    make(300)
    before = resident()
    kept = [make(STEPS) for _ in range(40)]
    return (resident() - before) / sum(map(len, kept))


def measured_memory(name, mode):
    command = [sys.executable, __file__, "--memory", name, mode]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--windows", type=int, default=15)
    parser.add_argument("--only", default="", help="cases whose name contains this")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--memory", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.memory:
        name, mode = options.memory
        print(memory(episode_classes([name])[name], mode))
        return
    kinds = episode_classes(["gridarium", "ray"])
    rows = []
    for (name, ours), (_, theirs) in zip(cases(kinds["gridarium"]), cases(kinds["ray"]), strict=True):
        if options.only not in name:
            continue
        pairs = [(ours(), theirs()) for _ in range(options.windows)]
        mine, other = (statistics.median(column) * 1e6 for column in zip(*pairs, strict=True))
        rows.append({"case": name, "gridarium_us": mine, "ray_us": other, "ratio": other / mine})
        print(f"{name:62s} {mine:9.2f} us {other:9.2f} us {other / mine:7.2f} x", flush=True)
    if "memory".startswith(options.only):
        for mode in ("lists", "arrays"):
            mine, other = (measured_memory(name, mode) for name in ("gridarium", "ray"))
            rows.append(
                {
                    "case": f"memory, {mode}",
                    "gridarium_bytes": mine,
                    "ray_bytes": other,
                    "raw_bytes": RAW_BYTES,
                }
            )
            print(f"memory a step, {mode}: {mine:.0f} B and {other:.0f} B, raw {RAW_BYTES} B")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
