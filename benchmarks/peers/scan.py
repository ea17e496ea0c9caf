"""What the JAX drivers share: a jitted scan over a batch of worlds, fed with actions drawn beforehand."""

import math
from collections.abc import Callable
from itertools import cycle
from typing import Any

import jax
import jax.numpy as jnp
import meter

LENGTH = 32  # steps in one compiled scan


def one_cell(timestep: Any) -> jax.Array:
    """A cell of each world's view."""
    return timestep.observation[:, 3, 5]


def stepping(
    reset: Callable[[jax.Array], Any],
    step: Callable[[Any, jax.Array], Any],
    worlds: int,
    actions: int,
    *,
    joint: tuple[int, ...] = (),
    read: Callable[[Any], jax.Array] = one_cell,
) -> meter.Chunk:
    """`reset(keys)` makes the timestep of a batch, `step(timestep, action)` advances it; `joint` is an action's shape.

    The timestep, observation included, is the carry of the scan and is handed back, so XLA has to write
    every observation; the sum of what `read` takes of each is the reader.
    """

    def body(carry: tuple[Any, jax.Array], action: jax.Array) -> tuple[tuple[Any, jax.Array], None]:
        timestep, seen = carry
        timestep = step(timestep, action)
        return (timestep, seen + read(timestep).astype(jnp.int32).sum()), None

    @jax.jit
    def run(timestep: Any, batches: jax.Array) -> tuple[Any, jax.Array]:
        return jax.lax.scan(body, (timestep, jnp.int32(0)), batches)[0]

    rows = jnp.asarray(meter.draw(actions, worlds * math.prod(joint)), jnp.int32)
    chunks = cycle(list(rows.reshape(-1, LENGTH, worlds, *joint)))
    timestep = jax.jit(reset)(jax.random.split(jax.random.key(meter.SEED), worlds))

    def chunk() -> int:
        nonlocal timestep
        timestep, seen = run(timestep, next(chunks))
        int(seen)
        return LENGTH * worlds

    return chunk
