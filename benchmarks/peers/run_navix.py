"""NAVIX on the processor: vmap and scan, with the first-person 7x7 view that comes nearest to MiniGrid's."""

from importlib.metadata import version

import meter

CASES = ("Navix-DoorKey-8x8-v0", "Navix-Empty-8x8-v0")


def stepping(case: str, worlds: int, view: str) -> meter.Chunk:
    import jax  # imported late: it sizes its thread pool when it starts, after `pin`
    import navix
    import scan

    env = navix.make(case, observation_fn=getattr(navix.observations, view))
    return scan.stepping(jax.vmap(env.reset), jax.vmap(env.step), worlds, int(env.action_space.n))


def main() -> None:
    options = meter.arguments(worlds=(1024, 8192))
    meter.pin(options.threads)
    rows = []
    for view in ("symbolic_first_person", "categorical_first_person"):
        for case in CASES:
            name = f"{view} {case}"
            if options.only in name:
                rows += [
                    meter.row(name, stepping(case, worlds, view), options, worlds=worlds)
                    for worlds in options.worlds
                ]
    meter.report("navix", version("navix"), rows)


if __name__ == "__main__":
    main()
