"""MATRX's side of `measure.py`, run by a Python that has it: prints the processor seconds of a tick and of a decision."""

from __future__ import annotations

import json
import sys
import warnings

warnings.simplefilter("ignore")

from matrx import WorldBuilder  # noqa: E402
from matrx.agents import AgentBrain  # noqa: E402
from matrx.cases.bw4t.bw4t import create_builder  # noqa: E402
from matrx.objects import AreaTile, Wall  # noqa: E402
from scenarios import MOVES, SCENARIOS, border, per_tick, starts  # noqa: E402


class Walker(AgentBrain):
    """Takes a random move."""

    query = False

    def filter_observations(self, state):
        return state

    def decide_on_action(self, state):
        if self.query:
            state.get_with_property({"isAgent": True})
        return MOVES[self.rnd_gen.randint(8)], {}


def bw4t():
    """MATRX's own case, which runs a server unless told not to."""
    builder = create_builder()
    builder.run_matrx_api = builder.run_matrx_visualizer = False
    return builder


def walkers(name):
    """The world of a scenario with random walkers, and their brains."""
    side, count, what = SCENARIOS[name]
    builder = WorldBuilder(
        shape=[side, side],
        tick_duration=0,
        run_matrx_api=False,
        run_matrx_visualizer=False,
        simulation_goal=-1,
    )
    Walker.query = what == "query"
    brains = []
    for i, place in enumerate(starts(side, count)):
        brains.append(Walker())
        builder.add_agent(place, brains[-1], name=f"agent {i}", is_traversable=True)
    if what != "none":
        builder.add_multiple_objects(locations=border(side), callable_classes=Wall)
    if what == "tiles":
        inside = [(x, y) for x in range(1, side - 1) for y in range(1, side - 1)]
        builder.add_multiple_objects(locations=inside, callable_classes=AreaTile)
    return builder, brains


def main() -> None:
    """Measure one scenario."""
    name, seconds = sys.argv[1], float(sys.argv[2])
    _, count, what = SCENARIOS[name]
    builder, brains = (bw4t(), []) if what == "bw4t" else walkers(name)
    world = builder.get_world()
    world.initialize(builder.api_info)
    tick = per_tick(world._GridWorld__step, seconds)
    Walker.query = False
    decision = per_tick(lambda: brains[0].decide_on_action(None), seconds / 10) if brains else 0.0
    print(json.dumps({"tick": tick, "brains": decision * count}))


main()
