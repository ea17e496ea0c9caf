"""Episodes to be written, and how two of them are compared."""

import numpy as np

from gridarium.episodes import SingleAgentEpisode


def episode(steps, name=None, *, seed=0, lookback=0, done=True, infos=True, **options):
    """Nested observations, a model output, infos now and then."""
    luck = np.random.default_rng([seed, steps])
    made = SingleAgentEpisode(name, **options)
    made.add_env_reset(observation(luck, 0), {"first": True} if infos else None)
    for t in range(steps):
        made.add_env_step(
            observation(luck, t + 1),
            int(luck.integers(5)),
            float(luck.normal()),
            {"t": t, "seen": np.arange(t % 3)} if infos and t % 4 == 0 else {},
            terminated=done and t == steps - 1,
            extra_model_outputs={"logp": float(luck.normal()), "values": luck.normal(size=2)},
        )
    return (
        made[lookback:] if lookback == 0 else made.slice(slice(lookback, None), len_lookback_buffer=lookback)
    )


def observation(luck, t):
    return {
        "view": luck.integers(0, 9, (2, 3), dtype=np.uint8),
        "pose": (luck.normal(size=2).astype(np.float32), t),
        "word": "a" * (t % 4),
    }


def same(a, b):
    """Whether two episodes tell the same, whatever their form."""
    a, b = a.get_state(), b.get_state()
    names = ("id_", "agent_id", "module_id", "multi_agent_episode_id", "t", "t_started", "custom_data")
    flags = ("is_terminated", "is_truncated")
    return all(a[name] == b[name] for name in names + flags) and all(
        plain(listed(a[name])) == plain(listed(b[name])) and a[name]["lookback"] == b[name]["lookback"]
        for name in ("observations", "actions", "rewards", "infos")
    )


def listed(buffer):
    from gridarium.episodes import unbatch

    return unbatch(buffer["data"]) if buffer["finalized"] else buffer["data"]


def plain(item):
    if isinstance(item, dict):
        return {key: plain(part) for key, part in item.items()}
    if isinstance(item, (list, tuple)):
        return [plain(part) for part in item]
    if isinstance(item, (np.ndarray, np.generic)):
        return item.tolist()
    return item
