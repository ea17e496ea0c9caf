"""Evaluation of policies: many seeded episodes, and their results with confidence intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from gridarium.agents import statistics
from gridarium.agents.perspective import own_observations
from gridarium.agents.playing import check_limit, play
from gridarium.agents.policy import Policy, assign_policies
from gridarium.engine import Autoreset, World
from gridarium.engine.arguments import check_agent, check_count
from gridarium.engine.outcomes.state_rows import Rows
from gridarium.engine.step.kernel import TERMINATED
from gridarium.engine.threads.outputs import Arrays
from gridarium.engine.world import check_world
from gridarium.world.state import ENDED

LARGEST_BATCH = 1024


@runtime_checkable
class BatchPolicy(Protocol):
    """A policy that can decide in many worlds at once, from a table: without memory and random numbers."""

    def decide_all(self, world: World, rows: Rows, observations: Arrays, agent: int) -> npt.NDArray[np.int64]:
        """int64[n]: the index of the agent's action in each of n states, given what is perceived in them."""


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The results of n episodes.

    Attributes:
        returns: float64[n, agents]: sums of rewards.
        lengths: int64[n]: in ticks.
        successes: bool[n]: whether the rules have ended the episode and its last tick brought more reward than it
            cost, all agents taken together.
        wins: bool[n, agents]: whether the rules have ended it, and its last tick was rewarded for that agent.
        outcomes: float64[n, agents]: what came of it, by the world's outcome rule; the returns in worlds without one.
    """

    returns: npt.NDArray[np.float64]
    lengths: npt.NDArray[np.int64]
    successes: npt.NDArray[np.bool_]
    wins: npt.NDArray[np.bool_]
    outcomes: npt.NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.lengths)

    @property
    def success(self) -> statistics.ConfidenceInterval:
        """The share of successes, with Wilson's 95 % interval."""
        return statistics.proportion(int(self.successes.sum()), len(self))

    @property
    def length(self) -> statistics.ConfidenceInterval:
        """The mean length, with Student's 95 % interval."""
        return statistics.mean(self.lengths.tolist())

    def win_rate(self, agent: int = 0) -> statistics.ConfidenceInterval:
        """The share of episodes that an agent wins, with Wilson's 95 % interval.

        Raises:
            TypeError, IndexError: there is no such agent.
        """
        check_agent(agent, self.wins.shape[1])
        return statistics.proportion(int(self.wins[:, agent].sum()), len(self))

    def mean_return(self, agent: int = 0) -> statistics.ConfidenceInterval:
        """An agent's mean return, with Student's 95 % interval.

        Raises:
            TypeError, IndexError: there is no such agent.
        """
        check_agent(agent, self.returns.shape[1])
        return statistics.mean(self.returns[:, agent].tolist())

    def mean_outcome(self, agent: int = 0) -> statistics.ConfidenceInterval:
        """An agent's mean outcome, with Student's 95 % interval.

        Raises:
            TypeError, IndexError: there is no such agent.
        """
        check_agent(agent, self.outcomes.shape[1])
        return statistics.mean(self.outcomes[:, agent].tolist())

    def __repr__(self) -> str:
        agents = range(self.returns.shape[1])
        each = ", ".join(f"{self.mean_return(a).text()} (wins {self.win_rate(a).percent()})" for a in agents)
        return f"<{len(self)} episodes of {self.length.text(1)} ticks, returns {each}>"


def evaluate(
    world: World,
    policies: Policy | Sequence[Policy],
    *,
    episodes: int = 100,
    seed: int = 0,
    limit: int | None = None,
) -> Evaluation:
    """Play episodes with the seeds `seed`, `seed + 1` and so on.

    Policies that look things up (`Solution`, `QLearning`, `Sarsa`) decide in all worlds at once; the episodes are the
    same as with `play`, one by one.

    Args:
        world: the world.
        policies: one policy, which every agent then has (a class is made once for each), or one for each agent.
        episodes: their number.
        seed: of the first episode.
        limit: the most ticks of an episode, besides the world's own time limit.

    Raises:
        TypeError: not a world, not a policy, or not a whole number where one is needed.
        ValueError: no episode, a number below 0, or another number of policies than of agents.
        Exception: what a rule or a policy raises.
    """
    check_world(world)
    check_count("episodes", episodes)
    check_count("seed", seed, 0)
    check_limit(limit)
    given = assign_policies(policies, world.spec.agents)
    if all(isinstance(policy, BatchPolicy) for policy in given):
        seeds = range(seed, seed + episodes)
        portions = [seeds[k : k + LARGEST_BATCH] for k in range(0, episodes, LARGEST_BATCH)]
        parts = [_all_at_once(world, given, portion, limit) for portion in portions]
    else:
        parts = [_one_by_one(world, given, seed + k, limit) for k in range(episodes)]
    return Evaluation(*(np.concatenate(same) for same in zip(*parts, strict=True)))


_Part = tuple[npt.NDArray[Any], ...]


def _one_by_one(world: World, policies: list[Any], seed: int, limit: int | None) -> _Part:
    episode = play(world, policies, seed=seed, limit=limit)
    won = [episode.terminated and reward > 0 for reward in episode.last_rewards]
    return (
        np.array([episode.returns]),
        np.array([episode.length]),
        np.array([episode.success]),
        np.array([won]),
        np.array([episode.outcomes]),
    )


def _all_at_once(world: World, policies: list[Any], seeds: range, limit: int | None) -> _Part:
    batch = world.batch(len(seeds), autoreset=Autoreset.DISABLED, observers="all")
    observations = batch.reset(list(seeds))
    count, agents = batch.n, world.spec.agents
    returns, lengths = np.zeros((count, agents)), np.zeros(count, np.int64)
    last, ended = np.zeros((count, agents)), np.zeros(count, np.bool_)
    outcomes = np.zeros((count, agents))
    running = np.ones(count, np.bool_)
    while running.any() and (limit is None or lengths.max() < limit):
        rows = batch.snapshot().arrays()
        chosen = np.zeros((count, agents), np.int64)
        on = np.flatnonzero(running)
        some = tuple(a[on] for a in rows)
        for agent, policy in enumerate(policies):
            seen = {name: a[on] for name, a in own_observations(observations, agent, agents).items()}
            chosen[:, agent] = np.flatnonzero(world.spec.action_masks[agent])[0]
            chosen[on, agent] = policy.decide_all(world, some, seen, agent)
        result = batch.step(chosen)
        observations = result.observations
        rewards = result.rewards.reshape(count, agents)
        returns[on] += rewards[on]
        last[on] = rewards[on]
        lengths[on] += 1
        over = batch.memory.data[:, ENDED]
        ended[on] = over[on] == TERMINATED
        running[on] = over[on] == 0
        if result.outcomes is not None:
            now = on[over[on] != 0]
            outcomes[now] = result.outcomes.reshape(count, agents)[now]
    if world.spec.outcome is None:
        outcomes = returns
    else:
        for i in np.flatnonzero(running).tolist():
            outcomes[i] = world.outcomes(batch.state(i))
    batch.close()
    return returns, lengths, ended & (last.sum(axis=1) > 0), ended[:, None] & (last > 0), outcomes
