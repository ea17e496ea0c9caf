"""How fast the classifier is, and what a filter makes of it.

python benchmarks/vision/measure.py speed
python benchmarks/vision/measure.py filters [walks]
"""

import sys
import time

import numpy as np

from gridarium import World
from gridarium.beliefs import BayesFilter, ParticleFilter, PlaceModel, random_walks
from gridarium.ghost import AgentInterface, CustomGridEnv, VisionSensor
from gridarium.vision import Classifier, Scene, classes_on, disturb, ghost_subjects, read
from gridarium.world import Dog, Flower, Position

KINDS = (Dog, Flower)
STEPS = (5, 10, 20)


def seconds(run, *, windows=7, window=0.3):
    """Of a call: the median of a few windows."""
    run()
    found = []
    for _ in range(windows):
        count, started = 0, time.process_time()
        while time.process_time() - started < window:
            run()
            count += 1
        found.append((time.process_time() - started) / count)
    return float(np.median(found))


def speed():
    classifier, rng = Classifier.load(), np.random.default_rng(0)
    clean, _ = ghost_subjects().draw(256, rng)
    shown = disturb(clean, 1.0, rng)
    print("| what | a picture |\n| --- | --- |")
    for n in (1, 16, 256):
        spent = seconds(lambda n=n: classifier.posteriors(shown[:n]))
        print(f"| classify, {n} at once | {1e6 * spent / n:.0f} us |", flush=True)
    for n in (1, 256):
        spent = seconds(lambda n=n: disturb(clean[:n], 1.0, rng))
        print(f"| disturb, {n} at once | {1e6 * spent / n:.0f} us |", flush=True)
    cells = list(CustomGridEnv(render_mode=None).grid.flat)
    for strength in (0.0, 1.0):
        sensor = VisionSensor(strength=strength, seed=0)
        spent = seconds(lambda s=sensor: [s.predict(cell) for cell in cells])
        print(f"| `VisionSensor.predict`, strength {strength:g} | {1e6 * spent / len(cells):.0f} us |")
    interface = AgentInterface(render=False, vision_sensor=VisionSensor())
    interface.reset(seed=0)

    def a_round():
        if interface.is_terminated():
            interface.reset()
        interface.step(interface.get_action_space().sample())

    print(f"| a round of `AgentInterface`, 200 particles, both sensors | {1e6 * seconds(a_round):.0f} us |")


def filters(count, strength=1.0):
    """Random walks whose pictures are really taken, and what filters make of each way to use them."""
    world = World("GhostGrid-4x5")
    state = world.reset(0)
    model = PlaceModel(world, state)
    classifier, rng = Classifier.load(), np.random.default_rng(1)
    color = world.spec.sensors[0]
    walks = random_walks(model, [color], walks=count, steps=max(STEPS), seed=1)
    clean = np.array([Scene.at(state, Position(*cell)).picture() for cell in model.places.cells])
    shown = disturb(clean[walks.places.ravel()], strength, rng)
    posteriors = classifier.posteriors(shown, strength).reshape(*walks.places.shape, -1)
    likelihoods = posteriors / classifier.class_priors
    readings, classes = read(posteriors), classes_on(state.grid, *KINDS)
    table = classifier.readings(strength)
    sensors = {False: table.sensor(*KINDS), True: table.sensor(*KINDS, answers_only=True)}
    ways = {
        "color": [],
        "vision: likelihood": [lambda w, t: (likelihoods[w, t][classes],)],
        "vision: reading (12)": [lambda w, t: (sensors[False], int(readings[w, t]))],
        "vision: class (3)": [lambda w, t: (sensors[True], int(posteriors[w, t].argmax()))],
    }
    both = {
        name.replace("vision", "both"): [*how, lambda w, t: (color, int(walks.measurements[w, t, 0]))]
        for name, how in ways.items()
        if how
    }
    ways["color"] = [lambda w, t: (color, int(walks.measurements[w, t, 0]))]
    print("\n| sensors, filter | right at 5 / 10 / 20 | thinks so | off by | log loss at 20 |")
    print("| --- | --- | --- | --- | --- |")
    for name, measured in (ways | both).items():
        report(f"{name}, exact", model, walks, measured, lambda w: BayesFilter(model))
    report("both: likelihood, 200 particles", model, walks, both["both: likelihood"],
           lambda w: ParticleFilter(model, 200, seed=w))  # fmt: skip


def report(name, model, walks, measured, make):
    sure, right, truth = (np.zeros(walks.places.shape) for _ in range(3))
    for w in range(len(walks.places)):
        known = make(w)
        for t, place in enumerate(walks.places[w].tolist()):
            if t:
                known.predict(int(walks.actions[w, t - 1]))
            for how in measured:
                known.update(*how(w, t))
            if hasattr(known, "resample"):
                known.resample()
            belief = known.belief
            best = int(belief.argmax())
            sure[w, t], right[w, t], truth[w, t] = belief[best], best == place, belief[place]
    shares = " / ".join(f"{right[:, t].mean():.3f}" for t in STEPS)
    bins = np.minimum((10 * sure).astype(int), 9)
    gaps = [
        abs((sure - right)[bins == k].mean()) * (bins == k).mean() for k in range(10) if (bins == k).any()
    ]
    loss = -np.log(np.maximum(truth[:, -1], 1e-3)).mean()
    print(
        f"| {name} | {shares} | {sure.mean():.3f} of {right.mean():.3f} | {100 * sum(gaps):.1f} % | {loss:.3f} |",
        flush=True,
    )


if __name__ == "__main__":
    if "speed" in sys.argv:
        speed()
    if "filters" in sys.argv:
        filters(int(sys.argv[2]) if len(sys.argv) > 2 else 1000)
