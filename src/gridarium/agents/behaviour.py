"""Models of other agents: distributions over their actions."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from gridarium.agents.perspective import idle_action, own_action_indices
from gridarium.agents.policy import DecisionContext, Policy, asks_as_policy, decision_function
from gridarium.engine import World
from gridarium.engine.arguments import generator
from gridarium.engine.world import check_world
from gridarium.world import Action, State

Behaviour: TypeAlias = Callable[[State, int], npt.ArrayLike]
"""`(state, agent) -> float[actions]`: the probability of each of the world's actions."""
CheckedBehaviour: TypeAlias = Callable[[State, int], npt.NDArray[np.float64]]
"""A behaviour whose probabilities have been checked."""
Others: TypeAlias = Behaviour | Literal["random", "idle"]
"""A model of the others: "random" (uniform over their actions), "idle" (see `idle_action`), or a function."""


def behaviour(world: World, others: Others) -> CheckedBehaviour:
    """A behaviour by its name, or one's own, checked whenever it is asked.

    Raises:
        ValueError: another name.
        TypeError: a policy, which knows other things than a behaviour.
    """
    if others == "random" and world.spec.has_masks:
        return functools.partial(_random_legal, world)
    if others == "random":
        masks = np.array(world.spec.action_masks, float)
        probabilities = masks / masks.sum(axis=1, keepdims=True)
        return functools.partial(_same_for_all_states, probabilities)
    if others == "idle":
        still = [_certain(world, idle_action(world, agent)) for agent in range(world.spec.agents)]
        return functools.partial(_same_for_all_states, still)
    if not callable(others):
        raise ValueError(f"others are 'random', 'idle' or a function of state and agent, not {others!r}")
    if asks_as_policy(others):
        raise TypeError(
            f"others are a function of state and agent; {others!r} is a policy: following(world, policy)"
        )
    return functools.partial(_checked, world, others)


def following(world: World, policy: Policy, seed: int = 0) -> Behaviour:
    """The behaviour of somebody who follows a policy; where the policy draws, one draw stands for all.

    Args:
        world: the world.
        policy: see `gridarium.agents.Policy`; it may not ask for `observation`.
        seed: of the policy's random numbers.

    Raises:
        TypeError, ValueError: not a world, not a policy, or not a seed.
    """
    check_world(world)
    decide, rng = decision_function(policy), generator(seed)

    def follow(state: State, agent: int) -> npt.NDArray[np.float64]:
        action = decide(DecisionContext(world, agent, rng, {}, lambda: state))
        index = world.actions.index(action) if isinstance(action, Action) else int(action)
        return _certain(world, index)

    return follow


def _same_for_all_states(
    rows: Sequence[npt.NDArray[np.float64]], state: State, agent: int
) -> npt.NDArray[np.float64]:
    return rows[agent]


def _random_legal(world: World, state: State, agent: int) -> npt.NDArray[np.float64]:
    probabilities, legal = np.zeros(len(world.actions)), world.legal_actions(state, agent)
    probabilities[legal or own_action_indices(world, agent)] = 1.0
    probabilities /= probabilities.sum()
    return probabilities


def _certain(world: World, index: int) -> npt.NDArray[np.float64]:
    probabilities = np.zeros(len(world.actions))
    probabilities[index] = 1.0
    return probabilities


def _checked(world: World, others: Behaviour, state: State, agent: int) -> npt.NDArray[np.float64]:
    given = others(state, agent)
    probabilities = np.asarray(given, float)
    allowed = np.array(world.spec.action_masks[agent])
    if (
        probabilities.shape != allowed.shape
        or (probabilities < 0).any()
        or abs(probabilities.sum() - 1) > 1e-6
    ):
        raise ValueError(
            f"a behaviour gives {len(allowed)} probabilities that add up to 1, for agent {agent} got {given!r}"
        )
    if (probabilities[~allowed] > 0).any():
        raise ValueError(f"a behaviour gives agent {agent} an action that it does not have: {given!r}")
    return probabilities
