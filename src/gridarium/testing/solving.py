"""Whether a world's episodes can be solved, by searching the world's own step function."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from gridarium.agents import SearchTooLarge, shortest_plan
from gridarium.engine import World
from gridarium.rules.calling import uses_rng
from gridarium.testing.problems import NotConforming
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
    seeds: int | Iterable[int] = 5,
    *,
    goal: Callable[[State], bool] | None = None,
    most_states: int = 50_000,
) -> tuple[Solution, ...]:
    """From every beginning some agent can reach the goal, or a reason says why that is not known.

    The search steps the world itself, while other agents stay where they are. It fails where it has met every state
    that can be reached before the time is up, no chance is involved, and none is a goal.

    Args:
        world: whose episodes they are.
        seeds: of the episodes; a number stands for as many, from 0 on.
        goal: holds in the states that are to be reached; see `shortest_plan`.
        most_states: how many different states a search may meet.

    Raises:
        NotConforming: an episode that cannot be solved, with its seed and first state.
    """
    found = []
    for seed in range(seeds) if isinstance(seeds, int) else seeds:
        solution = _search(world, seed, goal, most_states)
        if solution.reason.startswith(NO_WAY):
            raise NotConforming(f"{world.name}, seed {seed}: {solution.reason}\n{world.reset(seed)}")
        found.append(solution)
    return tuple(found)


def _search(world: World, seed: int, goal: Callable[[State], bool] | None, most_states: int) -> Solution:
    state, too_large, without_reward = world.reset(seed), False, False
    for agent in range(world.spec.agents):
        try:
            plan = shortest_plan(world, state, goal=goal, agent=agent, limit=most_states)
        except SearchTooLarge:
            too_large = True
            continue
        if plan is not None and plan.succeeds:
            return Solution(seed, len(plan))
        without_reward = without_reward or plan is not None
    if too_large:
        return Solution(seed, None, f"more than {most_states} states")
    if without_reward:
        return Solution(seed, None, "episodes end, but none was found that ends with a reward")
    if any(uses_rng(rule) for rule, _ in world.spec.transitions):
        return Solution(seed, None, "no way in the future that was searched, but chance plays a part")
    limit = world.spec.time_limit
    return Solution(seed, None, NO_WAY + (f" within the {limit} ticks of an episode" if limit else ""))
