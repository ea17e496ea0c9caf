"""What actions, goals, loggers and sensors may ask of a live world, and change in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from gridarium.engine import World
from gridarium.live.messages import MessageManager
from gridarium.live.objects.agent_body import AgentBody
from gridarium.live.objects.core_view import Location
from gridarium.live.objects.env_object import EnvObject
from gridarium.world import State
from gridarium.worlds import Description


class WorldInterface(Protocol):
    """The part of a `GridWorld` that does not depend on its brains.

    Attributes:
        shape: width and height.
        tick_duration: seconds from one tick to the next when people watch; 0 for as fast as possible.
        world_id: a name.
        vis_settings: how the background is drawn: `vis_bg_clr`, `vis_bg_img`.
        current_nr_ticks: the number of ticks since the beginning.
        is_done: whether all goals have been reached.
        registered_agents: the bodies of agents by their ids, in order of registration.
        environment_objects: the other objects by their ids, in order of registration, without those that are carried.
        teams: the ids of the agents of each team.
        message_manager: what has been said.
        action_parameters: ranges of actions that hold for everybody, such as `grab_range`.
        rnd_gen: random numbers for actions.
        version: changes when anything that an agent can perceive may have changed.
        scene: what perception has found out about this version, which it keeps here.
        core: the world of the core that this one is a view of.
        core_indices: the index of each of its actions by name, of one with arguments the first.
        core_state: its state, not copied.
    """

    shape: tuple[int, int]
    tick_duration: float
    world_id: str
    vis_settings: dict[str, Any]
    scene: object
    rnd_gen: np.random.RandomState
    message_manager: MessageManager
    action_parameters: dict[str, float]

    @property
    def teams(self) -> dict[str, list[str]]: ...  # noqa: D102
    @property
    def core(self) -> World: ...  # noqa: D102
    @property
    def core_indices(self) -> dict[str, int]: ...  # noqa: D102
    @property
    def version(self) -> int: ...  # noqa: D102
    @property
    def current_nr_ticks(self) -> int: ...  # noqa: D102
    @property
    def is_done(self) -> bool: ...  # noqa: D102
    @property
    def registered_agents(self) -> Mapping[str, AgentBody]: ...  # noqa: D102
    @property
    def environment_objects(self) -> Mapping[str, EnvObject]: ...  # noqa: D102
    @property
    def core_state(self) -> State: ...  # noqa: D102
    @property
    def world_state(self) -> Any:
        """The `State` of the whole world, fresh."""
        ...

    def description(self, *, drop_properties: bool = False) -> Description:
        """The world as it is now, as a description of the core, with rewards where its goals say them."""
        ...

    def note_change(self) -> None:
        """Say that something has changed that agents may perceive."""
        ...

    def get_env_object(self, requested_id: str, obj_type: type | None = None) -> EnvObject | None:
        """The object or agent with an id; None if there is none, or it has another type."""
        ...

    def get_objects_in_range(
        self, agent_loc: Location, object_type: type | str | None, sense_range: float
    ) -> dict[str, EnvObject]:
        """The objects, then the agents, of a type (None or "*" for any) within a Euclidean distance."""
        ...

    def objects_at(self, location: Location) -> list[EnvObject]:
        """The objects, then the agents, in a cell."""
        ...

    def find(self, object_id: object) -> EnvObject | None:
        """The object or agent with an id, also a carried one."""
        ...

    def remove_from_grid(self, object_id: str, remove_from_carrier: bool = True) -> bool:
        """Remove an object or an agent; whether there was one."""
        ...

    def add_object(self, obj: EnvObject) -> str:
        """Add an object; returns its id, which is made unique."""
        ...
