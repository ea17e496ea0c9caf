"""Finding every state that a world can reach, and the outcomes of each action there."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from gridarium.agents.behaviour import CheckedBehaviour
from gridarium.agents.model.dynamics import Dynamics, Joint
from gridarium.engine.outcomes.interpreted import reset_outcomes
from gridarium.engine.outcomes.state_rows import joined, rows_of
from gridarium.rules.outcomes import NotEnumerable
from gridarium.world import State

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
JointMix = list[tuple[float, Joint]]
"""The joint actions that an action of the agent is part of, with their probabilities."""


def initial_states(dynamics: Dynamics, start: State | Sequence[State] | None) -> tuple[Integers, Floats]:
    """Numbers of states in which episodes begin, and their probabilities."""
    world = dynamics.world
    if start is None:
        try:
            found = reset_outcomes(world) if dynamics.chance != "sampled" else []
        except NotEnumerable:
            if dynamics.chance == "exact":
                raise
            found = []
        if found:
            rows = joined([rows_of(state) for _, state in found])
            return dynamics.store.add(rows), np.array([p for p, _ in found])
        dynamics.exact = False
        batch = world.batch(dynamics.samples, threads=1)
        batch.reset(0)
        return dynamics.store.add(batch.snapshot().arrays()), np.full(batch.n, 1 / batch.n)
    given = list(start) if isinstance(start, Iterable) and not isinstance(start, State) else [start]
    if not given:
        raise ValueError("there is no state to begin with")
    numbers = np.array([dynamics.index(state) for state in given])
    return numbers, np.full(len(given), 1 / len(given))


def explore(dynamics: Dynamics, agent: int, others: CheckedBehaviour) -> list[list[JointMix]]:
    """Meet all states, breadth first; for each, what each of the agent's actions means."""
    mixes: list[list[JointMix]] = []
    while len(mixes) < len(dynamics):
        frontier = range(len(mixes), len(dynamics))
        new = [[] if dynamics.over(i) else _joint_mixes(dynamics, i, agent, others) for i in frontier]
        dynamics.prepare(
            (i, joint) for i, own in zip(frontier, new, strict=True) for mix in own for _, joint in mix
        )
        mixes += new
    return mixes


def _joint_mixes(dynamics: Dynamics, i: int, agent: int, others: CheckedBehaviour) -> list[JointMix]:
    acting = dynamics.acting(i)
    choices: list[list[tuple[float, int]]] = []
    for k, own in enumerate(dynamics.own_actions):
        if k == agent or k not in acting:
            choices.append([(1.0, own[0])])
        else:
            probabilities = others(dynamics.state(i, k), k)
            choices.append([(float(probabilities[a]), a) for a in own if probabilities[a] > 0])
    mix = [
        (float(np.prod([p for p, _ in chosen])), tuple(a for _, a in chosen))
        for chosen in itertools.product(*choices)
    ]
    mine = dynamics.own_actions[agent]
    if agent not in acting:
        return [mix] * len(mine)
    return [[(p, (*joint[:agent], a, *joint[agent + 1 :])) for p, joint in mix] for a in mine]


def table(
    dynamics: Dynamics, agent: int, mixes: list[list[JointMix]]
) -> tuple[tuple[Integers, Integers, Floats], Floats, npt.NDArray[np.bool_]]:
    """Offsets, successors and probabilities; rewards; where the episode is over."""
    choices = len(dynamics.own_actions[agent])
    terminal = np.array([not own for own in mixes])
    rewards = np.zeros((len(mixes), choices))
    counts: list[int] = []
    following: list[Integers] = []
    probabilities: list[Floats] = []
    for i, own in enumerate(mixes):
        for a in range(choices):
            if terminal[i]:
                found, probability = np.array([i]), np.ones(1)
            else:
                found, probability, rewards[i, a] = _mean_outcomes(dynamics, i, agent, own[a])
            counts.append(len(found))
            following.append(found)
            probabilities.append(probability)
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return (offsets, np.concatenate(following), np.concatenate(probabilities)), rewards, terminal


def _mean_outcomes(dynamics: Dynamics, i: int, agent: int, mix: JointMix) -> tuple[Integers, Floats, float]:
    parts = [(p, dynamics.outcomes(i, joint)) for p, joint in mix]
    reward = math.fsum(p * float(o.probability @ o.rewards[:, agent]) for p, o in parts)
    if len(parts) == 1:
        return parts[0][1].next, parts[0][1].probability, reward
    found, place = np.unique(np.concatenate([o.next for _, o in parts]), return_inverse=True)
    probabilities = np.bincount(place, np.concatenate([p * o.probability for p, o in parts]))
    return found, probabilities.astype(np.float64), reward
