"""pgx's board games on the processor: vmap and scan, with observations and masks; ended games begin again.

Legal moves are drawn before the clock; the same games are played again and again.
"""

from functools import partial
from typing import Any

import meter

CASES = ("tic_tac_toe", "connect_four", "go_9x9")
STEPS = 64  # in one compiled scan
SCANS = 4


def stepping(case: str, worlds: int) -> meter.Chunk:
    import jax  # imported late: it sizes its thread pool when it starts, after `pin`
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(case)
    step = jax.vmap(partial(auto_reset(env.step, env.init), key=jax.random.key(meter.SEED)))

    @jax.jit
    def draw(state: Any, key: jax.Array) -> tuple[Any, jax.Array]:
        def move(state: Any, key: jax.Array) -> tuple[Any, jax.Array]:
            weights = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
            action = jax.random.categorical(key, weights).astype(jnp.int32)
            return step(state, action), action

        return jax.lax.scan(move, state, jax.random.split(key, STEPS))

    def move(carry: tuple[Any, jax.Array], action: jax.Array) -> tuple[tuple[Any, jax.Array], None]:
        state, seen = step(carry[0], action), carry[1]
        cells = state.observation.reshape(worlds, -1)[:, 1].astype(jnp.int32)
        return (state, seen + cells.sum() + state.legal_action_mask[:, 2].sum()), None

    @jax.jit
    def play(state: Any, actions: jax.Array) -> tuple[Any, jax.Array]:
        return jax.lax.scan(move, (state, jnp.int32(0)), actions)[0]

    begin = state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(meter.SEED), worlds))
    moves = []
    for i in range(SCANS):
        state, actions = draw(state, jax.random.key(i))
        moves.append(actions)

    def chunk() -> int:
        state = begin
        for actions in moves:
            state, seen = play(state, actions)
            int(seen)
        return worlds * STEPS * SCANS

    return chunk


if __name__ == "__main__":
    meter.measure_pinned("pgx", "pgx", CASES, stepping)
