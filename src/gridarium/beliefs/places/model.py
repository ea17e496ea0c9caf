"""The model of a filter over places: the places, the agent's motion, and the likelihoods of measurements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gridarium.beliefs.belief import Evidence, Floats
from gridarium.beliefs.places.motion import Motion, chosen_actions, exact_motion
from gridarium.beliefs.places.places import Places
from gridarium.beliefs.places.sensing import Sensing
from gridarium.engine import World
from gridarium.engine.arguments import action_index, check_agent, check_count, floats
from gridarium.engine.world import check_state, check_world
from gridarium.rules.limits import is_list
from gridarium.rules.sensors import Sensor
from gridarium.world import Action, State


class PlaceModel:
    """A hidden Markov model of where an agent is.

    Args:
        world: its rules move the agent.
        state: the map, and where the other agents are; by default the first state of an episode.
        agent: the agent whose place is unknown.
        observer: the agent that measures; by default the same one.
        actions: the actions that it takes, by default all; leave out those that change the map.
        motion: by default that of the world's rules (see `exact_motion`).

    Attributes:
        places: the places at which it may be.
        motion: the targets of its actions.
        sensing: the likelihoods of measurements.
        actions: the world's.
        known: the indices of those that it does.

    Raises:
        NotEnumerable, ValueError: as `exact_motion`; or an action that the world does not have, a state is another world's, or
            a motion is one between other places.
        TypeError: not a world, not a state, or not a motion.
        IndexError: there is no such agent.

    Example:
        >>> world = World("GhostGrid-4x5")
        >>> model = PlaceModel(world)
        >>> len(model.places)
        20
    """

    def __init__(
        self,
        world: World,
        state: State | None = None,
        *,
        agent: int = 0,
        observer: int | None = None,
        actions: Sequence[Action] | None = None,
        motion: Motion | None = None,
    ) -> None:
        check_world(world)
        self.world, self.actions = world, world.actions
        for number in (agent, agent if observer is None else observer):
            check_agent(number, world.spec.agents)
        chosen = chosen_actions(world, agent, actions)
        if state is None:
            state = world.reset(0)
        check_state(state, world)
        self.places = Places.of(state, chosen, agent)
        if motion is None:
            motion = exact_motion(world, self.places, chosen)
        elif not isinstance(motion, Motion):
            raise TypeError(f"a motion is needed, as exact_motion or sampled_motion gives it, not {motion!r}")
        elif motion.targets.shape[1] != len(self.places):
            raise ValueError(
                f"the motion is one between {motion.targets.shape[1]} places, but here are {len(self.places)}"
            )
        self.motion = motion
        self.known = [i for i, action in enumerate(world.actions) if action in chosen]
        self.sensing = Sensing(self.places, observer)

    def action(self, given: Action | int) -> int:
        """The index of an action: an `Action` of the world, or the index itself.

        Raises:
            ValueError: there is no such action.
        """
        known = self.actions if len(self.motion.targets) == len(self.actions) else None
        if known is not None:
            return action_index(known, given)
        index: Any = given  # of a motion under a policy
        check_count("what somebody else does", index, 0)
        if index >= len(self.motion.targets):
            raise ValueError(f"action {index} is none of the {len(self.motion.targets)}, numbered from 0")
        return int(index)

    def likelihood(
        self, given: Evidence, measurement: float | None = None, state: State | None = None
    ) -> Floats:
        """float64[places]: how probable what was measured is at each place.

        Args:
            given: a `Sensor`, or the likelihood itself: float[places] or float[height, width].
            measurement: of the sensor.
            state: with the present places of the other agents, if the sensor depends on them.

        Raises:
            ValueError: a measurement that the sensor cannot make, or likelihoods of another shape or below 0.
        """
        if isinstance(given, Sensor):
            return self.sensing.likelihood(given, measurement, state)
        found = floats(given, "a likelihood, unless it is a Sensor,")
        if found.ndim == 2 and found.shape == self.places.shape:
            found = found[self.places.positions[:, 0], self.places.positions[:, 1]]
        if found.shape != (len(self.places),):
            height, width = self.places.shape
            raise ValueError(
                f"a likelihood is float[{len(self.places)}] or float[{height}, {width}], not {list(found.shape)}"
            )
        if not (np.isfinite(found).all() and (found >= 0).all()):
            raise ValueError("likelihoods are finite and not negative")
        return found

    def likelihoods(self, measured: Sequence[tuple[Evidence, float | None]]) -> Floats:
        """float64[steps, places]: the likelihoods of (sensor, measurement) pairs, one after another.

        Raises:
            TypeError: not pairs.
            ValueError: as `likelihood`.
        """
        if not is_list(measured) or not all(is_list(pair) and len(pair) == 2 for pair in measured):
            raise TypeError(f"what was measured is a list of (sensor, measurement) pairs, not {measured!r}")
        return np.array([self.likelihood(sensor, measurement) for sensor, measurement in measured])


def check_model(given: Any) -> None:
    """Refuse what is not a model of places, and say how one is made.

    Raises:
        TypeError: otherwise.
    """
    if not isinstance(given, PlaceModel):
        raise TypeError(f"a model is needed, as PlaceModel(world) makes it, not {given!r}")
