"""What planners achieve with more simulations, and how long planning and learning take.

python benchmarks/agents/measure.py --json agents.json --plot value_by_budget.png
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from gridarium.agents import (
    MCTS,
    POMCP,
    QMDP,
    Expectimax,
    Minimax,
    QLearning,
    TabularModel,
    compile_outcomes,
    evaluate,
    value_iteration,
)
from gridarium.engine import World
from gridarium.worlds import Description

BUDGETS = (4, 16, 64, 256, 1024)
SHORT_SIGHTED = {"name": "fully_transparent", "area": [[-1, 0], [0, 0]]}


def four_by_three(**changes: Any) -> World:
    given = World("FourByThree").spec.description.to_dict()
    return World(Description.from_dict(given | changes))


def values_by_budget(episodes: int) -> dict[str, Any]:
    """Mean returns in the 4 x 3 world, seen whole by MCTS, and only the own cell and the next one by POMCP."""
    seen, unseen = four_by_three(), four_by_three(observation=SHORT_SIGHTED)
    best = value_iteration(TabularModel.extract(seen), 1.0).start_value
    found: dict[str, Any] = {"optimum": best, "QMDP": evaluate(unseen, QMDP(discount=1.0), episodes=episodes)}
    for name, world, planner in (("MCTS", seen, MCTS), ("POMCP", unseen, POMCP)):
        for budget in BUDGETS:
            started = time.perf_counter()
            result = evaluate(world, planner(budget, discount=1.0, horizon=30), episodes=episodes)
            found[f"{name} {budget}"] = result
            mean = result.mean_return()
            print(
                f"{name} {budget:5}: {mean.text(3)}, success {result.success.percent()}, "
                f"{time.perf_counter() - started:.0f} s"
            )
    return found


def milliseconds(call: Callable[[], Any], times: int = 5) -> float:
    """The median of a few calls, in processor time."""
    taken = []
    for _ in range(times):
        started = time.process_time()
        call()
        taken.append(1000 * (time.process_time() - started))
    return statistics.median(taken)


def compiling() -> float:
    """Milliseconds to compile what lists the outcomes of steps, with nothing kept on disk."""
    kept = os.environ.get("GRIDARIUM_CACHE_DIR")
    with tempfile.TemporaryDirectory() as empty:
        os.environ["GRIDARIUM_CACHE_DIR"] = empty
        taken = milliseconds(partial(compile_outcomes, World("GhostGrid-4x5")), 1)
    os.environ.pop("GRIDARIUM_CACHE_DIR")
    if kept is not None:
        os.environ["GRIDARIUM_CACHE_DIR"] = kept
    return taken


def decisions(world: World, listed: str) -> dict[str, float]:
    """Milliseconds for first decisions and for the same ones again, and to extract the model."""
    state, found = World(world.spec, compiled=False).reset(0), {}
    found[f"extract the model, {listed}"] = milliseconds(partial(TabularModel.extract, world), 3)
    for name, kind in (("minimax", Minimax), ("expectimax", Expectimax)):
        for depth in (2, 4, 6):
            found[f"{name}, depth {depth}, first decision, {listed}"] = milliseconds(
                lambda kind=kind, depth=depth: kind(depth, world).get_action(state)
            )
            known = kind(depth, world)
            known.get_action(state)
            found[f"{name}, depth {depth}, again, {listed}"] = milliseconds(partial(known.get_action, state))
    return found


def speeds() -> dict[str, float]:
    world = World("GhostGrid-4x5")
    state = world.reset(0)
    world.step(state, [0, 0])  # compiled before the clock
    compile_outcomes(world)
    model = TabularModel.extract(world)
    found = {"compile the outcomes": compiling()}
    found |= decisions(World(world.spec, compiled=False), "interpreted")
    found |= decisions(world, "compiled")
    found |= {
        "value iteration, discount 0.99": milliseconds(partial(value_iteration, model)),
        "Q-learning, 500 episodes": milliseconds(lambda: QLearning(world, epsilon=0.3).learn(500), 3),
    }
    for simulations in (100, 1000):
        thinker = MCTS(simulations, world)
        found[f"MCTS, {simulations} simulations"] = milliseconds(partial(thinker.get_action, state))
    small = four_by_three()
    small.step(small.reset(0), 0)
    for worlds in (1, 16, 256):
        learner = QLearning(small, epsilon=0.3, worlds=worlds)
        started = time.process_time()
        curve = learner.learn(3000)
        found[f"Q-learning, 4 x 3 world, {worlds} side by side: steps/s"] = curve.lengths.sum() / (
            time.process_time() - started
        )
    for name, number in found.items():
        print(f"{name}: {number:,.1f}" + ("" if name.endswith("steps/s") else " ms"))
    return found


def plot(found: dict[str, Any], path: str) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(6.4, 4))
    for name, color in (("MCTS", "#21918c"), ("POMCP", "#e66e00")):
        estimates = [found[f"{name} {budget}"] for budget in BUDGETS]
        middles = [e["mean"] for e in estimates]
        reach = [
            [e["mean"] - e["low"] for e in estimates],
            [e["high"] - e["mean"] for e in estimates],
        ]
        axes.errorbar(BUDGETS, middles, yerr=reach, marker="o", capsize=3, color=color, label=name)
    axes.axhline(found["optimum"], color="#444444", linestyle="--", label="best possible, seeing all")
    axes.set_xscale("log", base=4)
    axes.set_xticks(BUDGETS, [str(budget) for budget in BUDGETS])
    axes.set_xlabel("simulations for each decision")
    axes.set_ylabel("mean return, 95 % intervals")
    axes.set_title("The 4 x 3 world, where one move in five slips sideways")
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=120)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--episodes", type=int, default=60, help="for each point; 0 for the times alone")
    parser.add_argument("--json", help="a file for the figures")
    parser.add_argument("--plot", help="a file for the plot")
    given = parser.parse_args()
    figures: dict[str, Any] = {"speed": speeds()}
    if given.episodes:
        found = values_by_budget(given.episodes)
        figures["returns"] = {
            name: result if isinstance(result, float) else result.mean_return().plain()
            for name, result in found.items()
        }
    if given.json:
        Path(given.json).write_text(json.dumps(figures, indent=2) + "\n")
    if given.plot and given.episodes:
        plot(figures["returns"], given.plot)


if __name__ == "__main__":
    main()
