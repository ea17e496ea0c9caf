"""XLand-MiniGrid on the processor: vmap and scan.

Its environments see through walls. The rows named `occluded` use the library's own port of MiniGrid's
view, which it keeps but does not switch on.
"""

import meter

CASES = ("MiniGrid-DoorKey-8x8", "MiniGrid-Empty-8x8")
OCCLUDED = ("occluded MiniGrid-DoorKey-8x8", "occluded MiniGrid-Empty-8x8")


def stepping(case: str, worlds: int) -> meter.Chunk:
    import jax  # imported late: it sizes its thread pool when it starts, after `pin`
    import scan
    import xminigrid
    from xminigrid import environment
    from xminigrid.core.observation import minigrid_field_of_view, transparent_field_of_view
    from xminigrid.wrappers import GymAutoResetWrapper

    occluded = case.startswith("occluded")
    environment.transparent_field_of_view = minigrid_field_of_view if occluded else transparent_field_of_view
    env, params = xminigrid.make(case.removeprefix("occluded "))
    env = GymAutoResetWrapper(env)
    return scan.stepping(
        jax.vmap(lambda key: env.reset(params, key)),
        jax.vmap(lambda timestep, action: env.step(params, timestep, action)),
        worlds,
        env.num_actions(params),
    )


if __name__ == "__main__":
    meter.measure_pinned("xland-minigrid", "xminigrid", CASES + OCCLUDED, stepping)
