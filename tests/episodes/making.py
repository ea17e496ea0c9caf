"""Episodes for the tests: small worlds of numbers in which everything can be told from the step."""

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete

from gridarium.episodes import SingleAgentEpisode

SPACE = Dict({"at": Box(0, 5000, (2,), np.float32), "step": Discrete(5000)})


def observation(t):
    return {"at": np.array([t, t / 2], np.float32), "step": np.int64(t)}


def fill(episode, steps, *, done=None, outputs=True):
    """Reset, if the episode has not begun, and add steps."""
    if not episode.is_reset:
        episode.add_env_reset(observation(0), {"t": 0})
    for i in range(steps):
        t = episode.t
        episode.add_env_step(
            observation(t + 1),
            t % 3,
            t * 0.5,
            {"t": t + 1},
            terminated=done == "terminated" and i == steps - 1,
            truncated=done == "truncated" and i == steps - 1,
            extra_model_outputs={"value": t * 2.0, "state": np.array([t])} if outputs else None,
        )
    return episode


def make(steps=0, **options):
    names = {k: options.pop(k) for k in ("id_", "agent_id", "module_id") if k in options}
    episode = SingleAgentEpisode(observation_space=SPACE, action_space=Discrete(3), **names)
    return fill(episode, steps, **options)


def steps_of(episode):
    """Which steps an episode holds, read from each kind of data; all must agree."""
    start, stop = episode.t_started, episode.t
    observations = episode.get_observations()
    if episode.observations.finalized:
        at = observations["step"].tolist()
    else:
        at = [int(o["step"]) for o in observations]
    assert at == list(range(start, stop + 1))
    assert [info["t"] for info in episode.get_infos()] == at
    assert [int(a) for a in episode.get_actions()] == [t % 3 for t in range(start, stop)]
    assert [float(r) for r in episode.get_rewards()] == [t * 0.5 for t in range(start, stop)]
    for key in episode.extra_model_outputs:
        found = [float(np.ravel(v)[0]) for v in episode.get_extra_model_outputs(key)]
        assert found == [t * (2.0 if key == "value" else 1.0) for t in range(start, stop)]
    assert len(episode) == stop - start
    return range(start, stop)
