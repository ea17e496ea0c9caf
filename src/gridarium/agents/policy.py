"""Policies: functions that choose an action, and name among their parameters what they want to know."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gridarium.agents.perspective import own_actions
from gridarium.engine import World
from gridarium.world import Action, Observation, State

Choice: TypeAlias = "Action | int"
Policy: TypeAlias = Callable[..., Choice] | type
"""A policy returns an `Action` or its index. Its parameters are named after attributes of `DecisionContext`, any of them:

    def turn_at_walls(view, rng):
        return Action.TURN_LEFT if view.grid[view.agent.front()].blocks_movement else Action.MOVE_FORWARD

A class is a policy too: it is made once for each agent, called as a function, and its method `begin()`, where it has
one, is called before each episode.
"""


@dataclass
class DecisionContext:
    """The values that a policy can ask for when it decides. Costly ones are computed on demand.

    Attributes:
        world: the world, as a model to think with.
        state: the whole state, a copy.
        agent: the number of the agent that decides.
        rng: random numbers for this agent.
        arrays: its observation, as arrays by name.
        mask: int8[actions]: which of its actions are legal, where that is known already.
    """

    world: World
    agent: int
    rng: np.random.Generator
    arrays: dict[str, npt.NDArray[Any]]
    get_state: Callable[[], State]
    mask: npt.NDArray[Any] | None = None

    @functools.cached_property
    def state(self) -> State:
        """The whole state, from this agent's point of view: a copy."""
        return self.get_state().seen_by(self.agent)

    @property
    def observation(self) -> dict[str, npt.NDArray[Any]]:
        """The agent's observation, as the arrays of its environment."""
        return self.arrays

    @functools.cached_property
    def view(self) -> Observation:
        """The agent's observation, as objects."""
        return self.world.observe(self.state, self.agent)

    @functools.cached_property
    def actions(self) -> tuple[Action, ...]:
        """The agent's legal actions; all that it has while it is not its turn."""
        legal: Sequence[int] = []
        if self.mask is not None:
            legal = np.flatnonzero(self.mask).tolist()
        elif self.world.spec.has_masks:
            legal = self.world.legal_actions(self.state, self.agent)
        return tuple(self.world.actions[i] for i in legal) or own_actions(self.world, self.agent)


KNOWN = ("world", "state", "observation", "view", "agent", "actions", "rng")
"""The parameters that a policy may have."""


def random_action(actions: tuple[Action, ...], rng: np.random.Generator) -> Action:
    """Any of the agent's actions, all equally likely."""
    return actions[int(rng.integers(len(actions)))]


def decision_function(policy: Policy) -> Callable[[DecisionContext], Choice]:
    """A policy as a function of the context of a decision.

    Raises:
        TypeError: it is not callable, or it asks for something that is not known.
    """
    decide = _made(policy)
    name = getattr(decide, "__name__", type(decide).__name__)
    try:
        parameters = inspect.signature(decide).parameters.values()
    except ValueError:
        raise TypeError(f"policy {name} does not tell its parameters; write a function around it") from None
    wanted = [p.name for p in parameters if p.default is p.empty]
    unknown = [name for name in wanted if name not in KNOWN]
    if unknown or any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in parameters):
        asked = f" asks for {', '.join(unknown)};" if unknown else ""
        raise TypeError(f"policy {name}:{asked} its parameters are some of {', '.join(KNOWN)}")
    return lambda situation: decide(**{name: getattr(situation, name) for name in wanted})


def asks_as_policy(function: Callable[..., Any]) -> bool:
    """Whether a function is a policy rather than one of a state and an agent."""
    if isinstance(function, type):
        return True
    try:
        names = [p.name for p in inspect.signature(function).parameters.values() if p.default is p.empty]
    except ValueError:
        return False
    return bool(names) and names != ["state", "agent"] and {*names} <= {*KNOWN}


def assign_policies(policies: Policy | Sequence[Policy] | str, agents: int) -> list[Callable[..., Choice]]:
    """One policy for each agent, given one for all or one for each; a class is made once for each.

    Raises:
        TypeError: not a policy.
        ValueError: another number of policies than of agents.
    """
    given = [policies] * agents if callable(policies) or isinstance(policies, str) else policies
    if not isinstance(given, Sequence):
        raise TypeError(f"policies are a policy for all agents or a list with one for each, not {policies!r}")
    if len(given) != agents:
        raise ValueError(f"one policy for each agent is needed, {agents} in all; got {len(given)}")
    return [_made(policy) for policy in given]


def _made(policy: Any) -> Callable[..., Choice]:
    """A policy that can be called: an object of a class, or the policy itself."""
    if not callable(policy):
        named = "; names are for the command line, see gridarium.agents.named_policies.POLICIES"
        raise TypeError(
            f"a policy is a function or a class, not {policy!r}{named if isinstance(policy, str) else ''}"
        )
    if not isinstance(policy, type):
        function: Callable[..., Choice] = policy
        return function
    try:
        inspect.signature(policy).bind()
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"policy {policy.__name__} is a class that cannot be made without arguments ({error}); give an object of it"
        ) from None
    made: Callable[..., Choice] = policy()
    return made
