"""XLand-MiniGrid on the processor: vmap and scan.

Its environments see through walls. The rows named `occluded` use the library's own port of MiniGrid's
view, which it keeps but does not switch on.
"""

from importlib.metadata import version

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


def main() -> None:
    options = meter.arguments(worlds=(1024, 8192))
    meter.pin(options.threads)
    rows = [
        meter.row(case, stepping(case, worlds), options, worlds=worlds)
        for case in CASES + OCCLUDED
        if options.only in case
        for worlds in options.worlds
    ]
    meter.report("xland-minigrid", version("xminigrid"), rows)


if __name__ == "__main__":
    main()
