"""Checks that a world's episodes can be solved, by search with the world's own step function."""

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
class SolvabilityResult:
    """The result of the search for a goal in the episode of a seed.

    Attributes:
        seed: the seed of the episode.
        length: the length of the shortest solution in ticks, or None.
        reason: why there is no solution.
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
) -> tuple[SolvabilityResult, ...]:
    """Check that some agent can reach the goal from every initial state, as far as the search can tell.

    The search steps the world itself, while other agents wait. An episode fails if the search visited every state
    reachable within the time limit, the world is deterministic and has one agent, and none of the states is a goal.

    Args:
        world: the world.
        seeds: the seeds of the episodes; a number n means 0 to n - 1.
        goal: a predicate of goal states; see `shortest_plan`.
        most_states: the maximum number of distinct states of a search.

    Raises:
        NotConforming: an episode cannot be solved; with its seed and initial state.
    """
    found = []
    for seed in range(seeds) if isinstance(seeds, int) else seeds:
        solution = _search(world, seed, goal, most_states)
        if solution.reason.startswith(NO_WAY):
            raise NotConforming(f"{world.name}, seed {seed}: {solution.reason}\n{world.reset(seed)}")
        found.append(solution)
    return tuple(found)


def _search(
    world: World, seed: int, goal: Callable[[State], bool] | None, most_states: int
) -> SolvabilityResult:
    state, too_large, without_reward = world.reset(seed), False, False
    for agent in range(world.spec.agents):
        try:
            plan = shortest_plan(world, state, goal=goal, agent=agent, limit=most_states)
        except SearchTooLarge:
            too_large = True
            continue
        if plan is not None and plan.succeeds:
            return SolvabilityResult(seed, len(plan))
        without_reward = without_reward or plan is not None
    if too_large:
        return SolvabilityResult(seed, None, f"more than {most_states} states")
    if without_reward:
        return SolvabilityResult(seed, None, "episodes end, but none was found that ends with a reward")
    if any(uses_rng(rule) for rule, _ in world.spec.transitions):
        return SolvabilityResult(
            seed, None, "no way in the future that was searched, but chance plays a part"
        )
    if world.spec.agents > 1:
        return SolvabilityResult(seed, None, "no agent finds a way alone, while the others wait")
    limit = world.spec.time_limit
    return SolvabilityResult(
        seed, None, NO_WAY + (f" within the {limit} ticks of an episode" if limit else "")
    )
