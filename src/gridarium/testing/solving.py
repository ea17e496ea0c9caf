"""Whether a world's episodes can be solved, by searching the world's own step function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gridarium.agents import SearchTooLarge, shortest_plan
from gridarium.engine import World
from gridarium.rules.transition_functions import transition_function_registry
from gridarium.testing.problems import require
from gridarium.world.state import State

NO_WAY = "the goal cannot be reached"


@dataclass(frozen=True)
class Solution:
    """What a search for an end of the episode that begins with a seed has come to.

    Attributes:
        seed: of the episode.
        length: how many ticks the shortest way takes, or None.
        reason: why there is none, in words.
    """

    seed: int
    length: int | None
    reason: str = ""


def check_solvable(
    world: World,
    seeds: int = 5,
    *,
    goal: Callable[[State], bool] | None = None,
    most_states: int = 50_000,
) -> tuple[Solution, ...]:
    """From every beginning some agent can reach the goal, or a reason says why that is not known.

    The search steps the world itself, while other agents stay where they are. It fails where it has met every state
    that can be reached, no chance is involved, and none is a goal; and where the way is longer than the time limit.
    """
    found = tuple(_search(world, seed, goal, most_states) for seed in range(seeds))
    for solution in found:
        hopeless = solution.length is None and solution.reason == NO_WAY
        require(not hopeless, f"{world.name}, seed {solution.seed}: {NO_WAY}\n{world.reset(solution.seed)}")
    return found


def _search(world: World, seed: int, goal: Callable[[State], bool] | None, most_states: int) -> Solution:
    chance = any(transition_function_registry.takes_rng(rule) for rule, _ in world.spec.transitions)
    state, limit = world.reset(seed), world.spec.time_limit
    reason = NO_WAY
    for agent in range(world.spec.agents):
        try:
            plan = shortest_plan(world, state, goal=goal, agent=agent, limit=most_states)
        except SearchTooLarge:
            reason = f"more than {most_states} states"
            continue
        if plan is not None and (limit is None or len(plan) <= limit):
            return Solution(seed, len(plan))
        if plan is not None:
            reason = f"the shortest way takes {len(plan)} ticks, an episode at most {limit}"
            require(chance, f"{world.name}, seed {seed}: {reason}")
    if reason == NO_WAY and chance:
        reason = "no way in the future that was searched, but chance plays a part"
    return Solution(seed, None, reason)
