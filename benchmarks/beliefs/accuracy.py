"""The share of walks on which the right cell is thought most probable, by sensors and number of particles.

    python benchmarks/beliefs/accuracy.py [walks]

The world is GhostGrid-4x5 without its ghost: longitudinal slip of 0.2, a color sensor of quality 0.8, walks from
anywhere. Reference: CustomGridEnv's particle filter (multinomial resampling at each step, the estimate taken
afterwards) and an exact filter for it, on 400 walks (60 with 2,000 particles).
"""

import sys

import numpy as np

from gridarium import World
from gridarium.beliefs import BayesFilter, ParticleFilter, PlaceModel, compare, random_walks
from gridarium.rules.sensors import sensor
from gridarium.world import Dog, Flower

STEPS = (5, 10, 20)
SURE = 0.9993
"""How sure the reference's network is of what it sees; it is always right."""
REFERENCE = {
    ("color", "exact"): (0.57, 0.72, 0.78),
    ("color", 200): (0.53, 0.65, 0.77),
    ("cnn", "exact"): (0.47, 0.58, 0.64),
    ("cnn", 200): (0.46, 0.52, 0.60),
    ("both", "exact"): (0.74, 0.83, 0.85),
    ("both", 200): (0.72, 0.79, 0.83),
    ("both", 20): (0.47, 0.56, 0.60),
}
WALKS = {200: 400, 20: 400, 2000: 60, "exact": 400}


class LikeTheReference(ParticleFilter):
    """Begins with independent particles, and estimates from those that resampling has left."""

    def reset(self, prior=None):
        super().reset(prior)
        self.particles = self.rng.integers(len(self.model.places), size=len(self))

    def resample(self, *, force=False):
        done = super().resample(force=True)
        self._stale = True
        return done


def vision():
    wrong = (1 - SURE) / 2
    rows = tuple(tuple(SURE if i == j else wrong for j in range(3)) for i in range(3))
    return sensor("object_class", object_types=(Dog, Flower), confusion=rows)


def main(count):
    world = World("GhostGrid-4x5")
    model = PlaceModel(world, world.reset(0))
    color = world.spec.sensors[0]
    print("| sensors | filter | step 5 | step 10 | step 20 | reference | in standard errors | us a step |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for mode, sensors in {"color": [color], "cnn": [vision()], "both": [color, vision()]}.items():
        walks = random_walks(model, sensors, walks=count, steps=max(STEPS), seed=1)
        filters = {"exact": (lambda w: BayesFilter(model))}
        for n in (20, 200, 2000):
            options = {"resampler": "multinomial", "threshold": 1.0}
            filters[n] = lambda w, n=n, o=options: LikeTheReference(model, n, seed=w, **o)
            filters[f"{n}, systematic at half"] = lambda w, n=n: ParticleFilter(model, n, seed=w)
        for name, make in filters.items():
            found = compare(make, model, walks)
            shares = found.right[:, STEPS].mean(axis=0)
            known = REFERENCE.get((mode, name))
            off = said = ""
            if known:
                said = " / ".join(f"{k:.2f}" for k in known)
                errors = np.sqrt(shares * (1 - shares) * (1 / count + 1 / WALKS[name]))
                off = " / ".join(f"{z:+.1f}" for z in (shares - known) / errors)
            cells = " | ".join(f"{share:.3f}" for share in shares)
            print(f"| {mode} | {name} | {cells} | {said} | {off} | {1e6 * found.seconds:.0f} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
