"""Playing an episode: one policy for each agent, a world, and the result."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from gridarium.agents.perspective import own_observations
from gridarium.agents.policy import Choice, DecisionContext, Policy, assign_policies, decision_function
from gridarium.engine import Autoreset, World
from gridarium.engine.arguments import check_count, check_function
from gridarium.engine.threads.outputs import Arrays
from gridarium.engine.world import check_world
from gridarium.world import Action, State
from gridarium.world.action_arguments import few


@dataclass(frozen=True)
class Episode:
    """The result of an episode.

    Attributes:
        seed: that began it.
        length: in ticks.
        returns: the sum of rewards of each agent.
        terminated: whether the rules have ended it; otherwise a time limit has.
        success: whether the rules have ended it and the last tick brought more reward than it cost, all agents taken
            together.
        actions: of all agents, tick by tick.
        last_rewards: of each agent, in the last tick.
        outcomes: what came of it for each agent, by the world's outcome rule; the returns in worlds without one.
    """

    seed: int
    length: int
    returns: tuple[float, ...]
    terminated: bool
    success: bool
    actions: tuple[tuple[Action, ...], ...]
    last_rewards: tuple[float, ...]
    outcomes: tuple[float, ...]


def play(
    world: World,
    policies: Policy | Sequence[Policy],
    *,
    seed: int,
    limit: int | None = None,
    watch: Callable[[State], None] | None = None,
) -> Episode:
    """Play one episode.

    Args:
        world: the world.
        policies: one for each agent, or one for all, see `Policy` (a class is made once for each); made ready with
            `begin()` where they have such a method.
        seed: of the world and of the agents' own random numbers.
        limit: the most ticks, besides the world's own time limit.
        watch: called with the first state and after each tick.

    Raises:
        TypeError: not a world, not a policy, or not a whole number where one is needed.
        ValueError: another number of policies than of agents, a number below 0, or an action that an agent does not have.
        Exception: what a rule or a policy raises.
    """
    check_world(world)
    check_count("seed", seed, 0)
    check_limit(limit)
    if watch is not None:
        check_function("watch", watch)
    given = assign_policies(policies, world.spec.agents)
    players = [decision_function(policy) for policy in given]
    for policy in given:
        if hasattr(policy, "begin"):
            policy.begin()
    batch = world.batch(1, autoreset=Autoreset.DISABLED, observers="all")
    rngs = [np.random.default_rng([seed, agent]) for agent in range(len(players))]
    arrays = batch.reset(seed)
    returns, last = np.zeros(len(players)), np.zeros(len(players))
    taken: list[tuple[Action, ...]] = []
    terminated = ended = False
    if watch is not None:
        watch(batch.state(0))
    while not ended and (limit is None or len(taken) < limit):
        chosen = [
            index_of(
                world,
                decide(
                    DecisionContext(
                        world, agent, rngs[agent], _own(arrays, world, agent), lambda: batch.state(0)
                    )
                ),
            )
            for agent, decide in enumerate(players)
        ]
        result = batch.step(np.array([chosen]).reshape(batch.n, -1))
        arrays = result.observations
        last = np.atleast_1d(result.rewards[0])
        returns += last
        taken.append(tuple(world.actions[i] for i in chosen))
        terminated = bool(np.all(result.terminated))
        ended = bool(result.ended[0])
        if watch is not None:
            watch(batch.state(0))
    sums, final = tuple(returns.tolist()), tuple(last.tolist())
    outcomes = returns if world.spec.outcome is None else np.atleast_1d(world.outcomes(batch.state(0)))
    batch.close()
    success = terminated and float(last.sum()) > 0
    return Episode(seed, len(taken), sums, terminated, success, tuple(taken), final, tuple(outcomes.tolist()))


def check_limit(limit: int | None) -> None:
    """Refuse what is neither a number of ticks nor None.

    Raises:
        TypeError, ValueError: otherwise.
    """
    if limit is not None:
        check_count("limit", limit, 0)


def _own(arrays: Arrays, world: World, agent: int) -> Arrays:
    own = own_observations(arrays, agent, world.spec.agents)
    return {name: array[0] for name, array in own.items()}


def index_of(world: World, action: Choice) -> int:
    """The index of an action that a policy chose, as an `Action` or as its index.

    Raises:
        ValueError: the world does not have the action.
        TypeError: it is neither.
    """
    if not isinstance(action, Action):
        try:
            return operator.index(action)
        except TypeError:
            raise TypeError(f"a policy chose {action!r}; an Action or the index of one is needed") from None
    if action not in world.actions:
        listed = few(a.name for a in world.actions)
        raise ValueError(f"a policy chose {action.name}, which is not among this world's actions: {listed}")
    return world.actions.index(action)
