"""Jumanji's RobotWarehouse on the processor: its own vectorised wrapper, which begins new episodes, and scan."""

from typing import Any

import meter

CASES = ("RobotWarehouse-v0",)


def stepping(case: str, worlds: int) -> meter.Chunk:
    import jax  # imported late: it sizes its thread pool when it starts, after `pin`
    import jumanji
    import scan
    from jumanji.wrappers import VmapAutoResetWrapper

    env = VmapAutoResetWrapper(jumanji.make(case))
    actions = env.action_spec.num_values

    def step(carry: Any, action: jax.Array) -> Any:
        return env.step(carry[0], action)

    def read(carry: Any) -> jax.Array:
        return carry[1].observation.agents_view[:, :, -1].sum(1)

    return scan.stepping(env.reset, step, worlds, int(actions[0]), joint=actions.shape, read=read)


if __name__ == "__main__":
    meter.measure_pinned("jumanji", "jumanji", CASES, stepping)
