"""NAVIX on the processor: vmap and scan, with the first-person 7x7 view that comes nearest to MiniGrid's."""

import meter

VIEWS = ("symbolic_first_person", "categorical_first_person")
CASES = tuple(f"{view} {world}" for view in VIEWS for world in ("Navix-DoorKey-8x8-v0", "Navix-Empty-8x8-v0"))


def stepping(case: str, worlds: int) -> meter.Chunk:
    import jax  # imported late: it sizes its thread pool when it starts, after `pin`
    import navix
    import scan

    view, world = case.split()
    env = navix.make(world, observation_fn=getattr(navix.observations, view))
    return scan.stepping(jax.vmap(env.reset), jax.vmap(env.step), worlds, int(env.action_space.n))


if __name__ == "__main__":
    meter.measure_pinned("navix", "navix", CASES, stepping)
