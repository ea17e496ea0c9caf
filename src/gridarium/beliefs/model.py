"""What a filter over places knows of a world: where the agent may be, how it moves, what sensors say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gridarium.beliefs.motion import Motion, exact_motion, own_actions
from gridarium.beliefs.places import Floats, Places
from gridarium.beliefs.sensing import Sensing
from gridarium.engine import World
from gridarium.engine.checking import action_index, check_agent, check_count, check_state, floats
from gridarium.rules.sensors import Sensor
from gridarium.world import Action, State


class PlaceModel:
    """A hidden Markov model of where an agent is.

    Args:
        world: its rules move the agent.
        state: the map, and where the other agents are; by default the first state of an episode.
        agent: whose place is unknown.
        observer: who measures; by default the agent itself.
        actions: what it does, all that it has by default; to leave out those that change the map.
        motion: how it moves; by default as the world's rules say (see `exact_motion`).

    Attributes:
        places: where it may be.
        motion: where its actions lead.
        sensing: what measurements say.
        actions: the world's.
        known: the indices of those that it does.

    Raises:
        NotEnumerable, ValueError: as `exact_motion`; or an action is none of the world's, or a state is another world's.
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
        self.world, self.actions = world, world.actions
        for number in (agent, agent if observer is None else observer):
            check_agent(number, world.spec.agents)
        chosen = own_actions(world, agent) if actions is None else tuple(actions)
        if not chosen or not {*chosen} <= {*world.actions}:
            listed = ", ".join(a.name for a in world.actions)
            raise ValueError(f"actions are some of this world's: {listed}; not {list(chosen)}")
        if state is None:
            state = world.reset(0)
        check_state(state, world)
        self.places = Places.of(state, chosen, agent)
        self.motion = exact_motion(world, self.places, chosen) if motion is None else motion
        self.known = [i for i, action in enumerate(world.actions) if action in chosen]
        self.sensing = Sensing(self.places, observer)

    def action(self, given: Any) -> int:
        """The index of an action: an `Action` of the world, or the index itself.

        Raises:
            ValueError: it is none.
        """
        known = self.actions if len(self.motion.targets) == len(self.actions) else None
        if known is not None:
            return action_index(known, given)
        check_count("what somebody else does", given, 0)  # a motion under a policy
        if given >= len(self.motion.targets):
            raise ValueError(f"action {given} is none of the {len(self.motion.targets)}, numbered from 0")
        return int(given)

    def likelihood(self, given: Any, measurement: Any = None, state: State | None = None) -> Floats:
        """float64[places]: how probable what was measured is at each place.

        Args:
            given: a `Sensor`, or the likelihood itself: float[places] or float[height, width].
            measurement: of the sensor.
            state: where the other agents are now, if that matters to the sensor.

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

    def likelihoods(self, measured: Sequence[tuple[Any, Any]]) -> Floats:
        """float64[steps, places]: the likelihoods of (sensor, measurement) pairs, one after another."""
        return np.array([self.likelihood(sensor, measurement) for sensor, measurement in measured])
