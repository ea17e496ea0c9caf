"""Filter steps per second: Gridarium's filters, and the same particle filter as loops in Python.

    python benchmarks/beliefs/speed.py [--json FILE]

A step is prediction, update, resampling and estimate on GhostGrid-4x5 with the color sensor. The loops are written as
course code is, a particle at a time, with FilterPy's resampling where FilterPy is installed. Times are of this
process's processor, best of several runs; figures of one run can be compared with each other.
"""

import json
import random
import sys
import time
from pathlib import Path

import numpy as np

from gridarium import World
from gridarium.beliefs import BayesFilter, JointParticleFilter, ParticleFilter, PlaceModel, StateFilter
from gridarium.beliefs.resampling import RESAMPLERS, multinomial_resample

try:
    from filterpy.monte_carlo import multinomial_resample as resample_of_loops
except ImportError:
    resample_of_loops = multinomial_resample
RUNS = 5


def timed(step, rounds):
    """Microseconds of processor time for a step."""
    best = float("inf")
    for _ in range(RUNS):
        started = time.process_time()
        for t in range(rounds):
            step(t)
        best = min(best, time.process_time() - started)
    return 1e6 * best / rounds


class Loops:
    """The particle filter as a course writes it."""

    def __init__(self, model, color, count):
        self.state = model.places.ground
        self.likelihoods = [model.likelihood(color, z).tolist() for z in range(3)]
        self.walls = {
            (p, a): model.motion.matrix(a)[p].argmax() for p in range(len(model.places)) for a in range(4)
        }
        self.particles = [random.randrange(len(model.places)) for _ in range(count)]
        self.weights = np.full(count, 1 / count)
        self.cells = model.places.cells

    def moved(self, place, action):
        u = random.random()
        for _ in range(0 if u < 0.1 else 2 if u < 0.2 else 1):
            place = int(self.walls[place, action])
        return place

    def step(self, action, measurement):
        moved = [self.moved(particle, action) for particle in self.particles]
        weights = [w * self.likelihoods[measurement][p] for w, p in zip(self.weights, moved, strict=True)]
        self.weights = np.array(weights) / sum(weights)
        chosen = resample_of_loops(self.weights)
        self.particles = [moved[i] for i in chosen]
        self.weights = np.full(len(moved), 1 / len(moved))
        totals = {}
        for particle, weight in zip(self.particles, self.weights, strict=True):
            totals[particle] = totals.get(particle, 0.0) + weight
        return self.cells[max(totals, key=totals.get)]


def main(path):
    world = World("GhostGrid-4x5")
    start = world.reset(0)
    model, color = PlaceModel(world, start), world.spec.sensors[0]
    seen = np.random.default_rng(0).integers(0, 3, 4096).tolist()
    exact = BayesFilter(model)
    rows = {}

    def exactly(t):
        exact.predict(t & 3)
        exact.update(color, seen[t & 4095])
        exact.estimate()

    rows["exact, 20 places"] = timed(exactly, 2000)
    for count in (200, 10_000, 100_000):
        rounds = max(20, 400_000 // count)
        for name in RESAMPLERS:
            cloud = ParticleFilter(model, count, seed=1, resampler=name, threshold=1.0)

            def follow(t, cloud=cloud):
                cloud.step(t & 3, color, seen[t & 4095])
                cloud.estimate()

            rows[f"{count} particles, {name} at each step"] = timed(follow, rounds)
        cloud = ParticleFilter(model, count, seed=1)
        rows[f"{count} particles, systematic below half"] = timed(
            lambda t, c=cloud: (c.step(t & 3, color, seen[t & 4095]), c.estimate()), rounds
        )
        loops = Loops(model, color, count)
        rows[f"{count} particles, loops in Python"] = timed(
            lambda t, loops=loops: loops.step(t & 3, seen[t & 4095]), max(3, 20_000 // count)
        )
    ghost = PlaceModel(world, start, agent=1, observer=0)
    ghost.motion = ghost.motion.under()
    joint = JointParticleFilter([ghost, ghost], 600, seed=1)
    sonar = world.spec.sensors[1]

    def hunt(t):
        joint.predict()
        joint.update(0, sonar, 3 + t % 2)
        joint.update(1, sonar, 4 - t % 2)
        joint.resample()

    rows["two ghosts, 600 joint particles"] = timed(hunt, 300)
    worlds = StateFilter(world, 10_000, start, seed=1)

    def run_worlds(t):
        worlds.predict([t & 3, 3])
        worlds.update(color, seen[t & 4095])
        worlds.resample()

    rows["10,000 whole worlds"] = timed(run_worlds, 30)
    for name, microseconds in rows.items():
        print(f"{name:45} {microseconds:12.1f} us  {1e6 / microseconds:12.0f} steps/s")
    if path:
        Path(path).write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[2] if len(sys.argv) > 2 else None)
