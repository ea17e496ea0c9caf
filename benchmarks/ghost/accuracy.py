"""How often the familiar filter has the right cell after 5, 10 and 20 steps, beside exact Bayes.

python benchmarks/ghost/accuracy.py [--walks 1000]
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from gridarium.ghost import AgentInterface
from gridarium.ghost.world.likelihoods import CLASSES, cell_class, likelihoods
from gridarium.ghost.world.paths import motion

STEPS = (5, 10, 20)
SLIPS = (0.2, "longitudinal")


class SureSensor:
    """A classifier that is always right, as the original's network."""

    class_names = CLASSES

    def predict(self, cell: dict[str, Any]) -> dict[str, Any]:
        shown = cell_class(cell)
        return {"prediction": (shown, 0.9994), "probs": [0.9994 if n == shown else 0.0003 for n in CLASSES]}


def shares(mode: str, particles: int, walks: int) -> tuple[list[float], list[float]]:
    """The share of walks with the right cell: of the filter, and of exact Bayes."""
    interface = AgentInterface(
        render=False,
        use_ghost=False,
        pf_sensor_mode=mode,
        pf_num_particles=particles,
        vision_sensor=SureSensor(),
    )
    env, rng = interface.env, np.random.default_rng(0)
    for cell in env.grid.flat:
        cell["is_goal"] = False
    interface.reset(seed=1)
    moves, right, right_exact = motion(*SLIPS, env.paths), dict.fromkeys(STEPS, 0), dict.fromkeys(STEPS, 0)
    for _ in range(walks):
        env.start_pos = rng.integers((4, 5)).tolist()
        interface.reset()
        belief = likelihoods(interface.last_info, mode, env.grid)
        for step in range(1, STEPS[-1] + 1):
            action = int(rng.integers(4))
            info = interface.step(action)[3]
            belief = moves.predict(action, belief / belief.sum()) * likelihoods(info, mode, env.grid)
            if step in right:
                right[step] += info["estimated_pos"]["cell_pos"] == env.agent_pos
                right_exact[step] += list(divmod(int(belief.argmax()), 5)) == env.agent_pos
    return [n / walks for n in right.values()], [n / walks for n in right_exact.values()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--walks", type=int, default=1000)
    walks = parser.parse_args().walks
    print(
        f"share of {walks} walks with the right cell after {STEPS} steps; standard error up to {0.5 / walks**0.5:.3f}"
    )
    for mode, particles in (("color", 200), ("cnn", 200), ("both", 200), ("both", 20), ("both", 2000)):
        found, exact = (" ".join(f"{share:.3f}" for share in part) for part in shares(mode, particles, walks))
        print(f"{mode:6s} {particles:5d} particles   filter {found}   exact {exact}", flush=True)


if __name__ == "__main__":
    main()
