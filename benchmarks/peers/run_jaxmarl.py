"""JaxMARL's Overcooked on the processor: vmap and scan, with the encodings of both cooks.

Its own `step` begins a new episode where one has ended: it makes the start of one in every step, or takes the given
start, in the rows named `given start`.
"""

from typing import Any, NamedTuple

import meter

LAYOUTS = ("cramped_room", "asymm_advantages", "coord_ring", "forced_coord", "counter_circuit")
CASES = (*LAYOUTS, *(f"given start {layout}" for layout in LAYOUTS))
COOKS = ("agent_0", "agent_1")


class Timestep(NamedTuple):
    """All that a step returns, and the key of the next."""

    key: Any
    state: Any
    observations: Any
    results: Any


def stepping(case: str, worlds: int) -> meter.Chunk:
    import jax  # imported late: it sizes its thread pool when it starts, after `pin`
    import scan
    from jaxmarl.environments.overcooked import Overcooked, overcooked_layouts

    env = Overcooked(overcooked_layouts[case.rsplit(maxsplit=1)[-1]])
    start = env.reset(jax.random.key(meter.SEED))[1] if case.startswith("given start") else None

    def step(timestep: Timestep, action: jax.Array) -> Timestep:
        key, now = jax.random.split(timestep.key)
        return advance(key, jax.random.split(now, worlds), timestep.state, action)

    def reset(keys: jax.Array) -> Timestep:
        state = jax.vmap(env.reset)(keys)[1]
        return advance(keys[0], keys, state, jax.numpy.zeros((worlds, len(COOKS)), int))

    def advance(key: jax.Array, keys: jax.Array, state: Any, action: jax.Array) -> Timestep:
        taken = {cook: action[:, i] for i, cook in enumerate(COOKS)}
        observations, state, *results = jax.vmap(lambda *now: env.step(*now, start))(keys, state, taken)
        return Timestep(key, state, observations, results)

    def read(timestep: Timestep) -> jax.Array:
        return sum(timestep.observations[cook][:, -1, -1, -1] for cook in COOKS)

    return scan.stepping(reset, step, worlds, env.num_actions, joint=(len(COOKS),), read=read)


if __name__ == "__main__":
    meter.measure_pinned("jaxmarl", "jaxmarl", CASES, stepping)
