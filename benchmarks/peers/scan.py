"""What the JAX drivers share: a jitted scan over a batch of worlds, fed with actions drawn beforehand."""

from collections.abc import Callable
from itertools import cycle
from typing import Any

import jax
import jax.numpy as jnp
import meter

LENGTH = 32  # steps in one compiled scan


def stepping(
    reset: Callable[[jax.Array], Any], step: Callable[[Any, jax.Array], Any], worlds: int, actions: int
) -> meter.Chunk:
    """`reset(key)` makes one timestep and `step(timestep, action)` advances it; both are vmapped here.

    The timestep, observation included, is the carry of the scan and is handed back, so XLA has to write
    every observation; the sum of one cell per world is the reader.
    """

    def body(carry: tuple[Any, jax.Array], action: jax.Array) -> tuple[tuple[Any, jax.Array], None]:
        timestep, seen = carry
        timestep = jax.vmap(step)(timestep, action)
        return (timestep, seen + timestep.observation[:, 3, 5].astype(jnp.int32).sum()), None

    @jax.jit
    def run(timestep: Any, batches: jax.Array) -> tuple[Any, jax.Array]:
        return jax.lax.scan(body, (timestep, jnp.int32(0)), batches)[0]

    drawn = jnp.asarray(meter.draw(actions, worlds), jnp.int32).reshape(-1, LENGTH, worlds)
    chunks = cycle(list(drawn))
    timestep = jax.jit(jax.vmap(reset))(jax.random.split(jax.random.key(meter.SEED), worlds))

    def chunk() -> int:
        nonlocal timestep
        timestep, seen = run(timestep, next(chunks))
        int(seen)
        return LENGTH * worlds

    return chunk
