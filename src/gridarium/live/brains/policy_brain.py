"""A brain that follows a policy of the core world: a trained one, or one written for `gridarium.agents`."""

from __future__ import annotations

import functools
import inspect
import itertools
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, TypeAlias, cast, runtime_checkable

import numpy as np

from gridarium.agents import DecisionContext, Policy
from gridarium.agents.named_policies import POLICIES
from gridarium.agents.perspective import own_observations
from gridarium.agents.playing import index_of
from gridarium.agents.policy import decision_function
from gridarium.engine import World
from gridarium.engine.threads.outputs import Arrays
from gridarium.live.actions import find_action
from gridarium.live.brains.action_arguments import RANGES
from gridarium.live.brains.action_network import ActionNetwork
from gridarium.live.brains.agent_brain import AgentBrain, Decision
from gridarium.live.perception import State
from gridarium.live.world_interface import WorldInterface
from gridarium.world import Action, Position
from gridarium.world import State as CoreState
from gridarium.world.action_arguments import ActionWithArguments


@runtime_checkable
class Predictor(Protocol):
    """A trained model, as those of Stable-Baselines3."""

    def predict(self, observation: Any, *, deterministic: bool = ...) -> tuple[Any, Any]:
        """The action for an observation, and a state."""


PolicyLike: TypeAlias = "Policy | Predictor"


class PolicyBrain(AgentBrain):
    """Does what a policy chooses, which decides by what its agent observes in the core world.

    What the policy observes is what agents observe in training: by the observation rule of a world's description, and not by
    the agent's sense capability.

    Args:
        policy: a `gridarium.agents.Policy`: a function whose parameters say what it wants to know, or a class of such, made
            anew for each world; the name of one, such as "random" or "mcts"; or the file of an `ActionNetwork`. Or a model with a method `predict`, such as those of Stable-Baselines3, for observations as
            arrays by name (`MultiInputPolicy`); one that was trained on another view is made a policy by
            `GridariumVecEnv.policy(model)`, one in ONNX by `onnx_policy`.
        world: the world in which the policy was trained or is to think, if its observations, rewards or rules are not those
            of the live world: a world with the same objects, things and agents. By default the live world's core.

    Attributes:
        policy: as given, or what was meant by a name or a file.

    Raises:
        TypeError: not a policy.
        FileNotFoundError, ModelError: there is no such file or name, or it is no network.

    Example:
        >>> brain = PolicyBrain(lambda actions, rng: actions[rng.integers(len(actions))])
    """

    def __init__(self, policy: PolicyLike | str | os.PathLike[str], world: World | None = None) -> None:
        super().__init__()
        self.policy, self._given_world = _policy_of(policy), world
        self._decide = _decision_function(self.policy)
        self._live: WorldInterface | None = None

    def initialize(self) -> None:
        """See the base class; the policy begins a new episode."""
        super().initialize()
        self._decide = _decision_function(self.policy)
        self._rng = np.random.default_rng(self.rnd_seed)
        self._model: World | None = None
        self._core: World | None = None

    def perceive(self, world: WorldInterface) -> None:
        """See the base class."""
        super().perceive(world)
        self._live = world

    def decide_on_action(self, state: State) -> Decision:
        """Do what the policy chooses.

        Raises:
            RuntimeError: the brain is in no world.
            ValueError: an action that the world does not have, or a world that does not fit.
        """
        live = self._live
        if live is None:
            raise RuntimeError(f"this {type(self).__name__} has perceived no world yet")
        if self._model is None or (self._model is self._core and self._core is not live.core):
            self._core = live.core  # another one once the world has grown
            self._model = self._world_to_think_in(live, state)
            self._check_world(self._model)
            usual = ranges_of(live.core)
            self._ranges = {k: v for k, v in ranges_of(self._model).items() if v != usual.get(k)}
        agent = live.registered_agents[self.agent_id].index
        get_state = functools.partial(self._state_to_think_of, self._model, live, state)
        context = _Context(self._model, agent, self._rng, {}, get_state)
        chosen = self._model.actions[index_of(self._model, self._decide(context))]
        return self._decision(chosen, live)

    def _world_to_think_in(self, live: WorldInterface, state: State) -> World:
        """The world that the policy observes; for subclasses. `state` is what the agent perceives."""
        return self._given_world or live.core

    def _state_to_think_of(self, model: World, live: WorldInterface, state: State) -> CoreState:
        """A state of that world, a copy; for subclasses."""
        return live.core_state.copy()

    def _check_world(self, world: World) -> None:
        """Whether the policy can decide in a world; for subclasses."""

    def _decision(self, chosen: Action, live: WorldInterface) -> Decision:
        """An action of the core as a decision in the live world."""
        if chosen == Action.WAIT:
            return None, {}
        arguments = chosen.arguments if isinstance(chosen, ActionWithArguments) else {}
        name = chosen.name.partition("(")[0]
        kwargs: dict[str, Any] = {k: self._ranges[k] for k in RANGES.get(name, ()) if k in self._ranges}
        if find_action(name) is not None and "thing" in arguments:
            return name, {"object_id": _thing_id(live, arguments["thing"]), **kwargs}
        for key, value in arguments.items():
            named = (
                {f"{key}_y": value.y, f"{key}_x": value.x} if isinstance(value, Position) else {key: value}
            )
            kwargs.update(named)
        return name, kwargs


def _thing_id(live: WorldInterface, number: int) -> str | None:
    """The id of the object that is a thing of the core; None if there is none."""
    carried = (obj for body in live.registered_agents.values() for obj in body.is_carrying)
    every = itertools.chain(live.environment_objects.values(), carried)
    return next((obj.obj_id for obj in every if obj.number == number), None)


class _Context(DecisionContext):
    """What a policy can ask for; its observation is computed when it asks."""

    @property
    def observation(self) -> Arrays:
        arrays = self.world.arrays(self.state)
        several = {name: array[None] for name, array in arrays.items()}
        own = own_observations(several, self.agent, self.world.spec.agents)
        return {name: array[0] for name, array in own.items()}


def ranges_of(world: World) -> dict[str, float]:
    """The ranges of the actions in a world's rules, such as `grab_range`."""
    wanted = {name for names in RANGES.values() for name in names}
    found: dict[str, float] = {}
    for transition in world.spec.transitions:
        for name, parameter in inspect.signature(transition.rule).parameters.items():
            if name in wanted and isinstance(parameter.default, int | float):
                found[name] = parameter.default
    return found


def _policy_of(given: PolicyLike | str | os.PathLike[str]) -> PolicyLike:
    """A policy by its name or from its file, or as it is given.

    Raises:
        TypeError, FileNotFoundError, ModelError: see `PolicyBrain`.
    """
    if isinstance(given, str | os.PathLike):
        if str(given) in POLICIES:
            return POLICIES[str(given)]
        if not Path(given).is_file():
            names = ", ".join(POLICIES)
            raise FileNotFoundError(
                f"there is no file {str(given)!r}, and no policy of this name; there are {names}"
            )
        return ActionNetwork.load(given)
    return given


def _decision_function(policy: PolicyLike) -> Callable[[DecisionContext], Any]:
    if isinstance(policy, type) or not hasattr(policy, "predict"):
        decide = policy() if isinstance(policy, type) else policy
        if hasattr(decide, "begin"):
            decide.begin()
        return decision_function(decide)
    model = cast(Predictor, policy)
    return lambda context: int(np.asarray(model.predict(context.observation, deterministic=True)[0]).item())
