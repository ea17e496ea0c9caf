"""What perception asks of a world, of its objects and of the bodies of its agents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from gridarium.live.objects.property_dict import PropertyDict
from gridarium.world import State as CoreState


class PerceivedObject(Protocol):
    """An object or the body of an agent."""

    @property
    def location(self) -> tuple[int, int]:
        """(x, y)."""

    @property
    def cached_properties(self) -> PropertyDict:
        """Its properties; the same dict as long as none of them changes."""


class PerceivingBody(PerceivedObject, Protocol):
    """The body of an agent."""

    @property
    def sense_capability(self) -> Any:
        """What it perceives, a `SenseCapability`."""


class PerceivedWorld(Protocol):
    """A world that agents perceive."""

    @property
    def shape(self) -> tuple[int, int]:
        """(width, height)."""

    @property
    def tick_duration(self) -> float:
        """In seconds."""

    @property
    def world_id(self) -> Any:
        """Tells worlds apart."""

    @property
    def current_nr_ticks(self) -> int:
        """The number of ticks that have passed."""

    @property
    def version(self) -> int:
        """Another number whenever something that can be perceived may have changed."""

    @property
    def environment_objects(self) -> Mapping[str, PerceivedObject]:
        """The objects, but for those that are carried."""

    @property
    def registered_agents(self) -> Mapping[str, PerceivingBody]:
        """The bodies of the agents."""

    @property
    def vis_settings(self) -> Mapping[str, Any]:
        """How the background is drawn: `vis_bg_clr`, `vis_bg_img`."""

    @property
    def teams(self) -> Mapping[str, Sequence[str]]:
        """The ids of the agents of each team."""

    @property
    def core_state(self) -> CoreState:
        """The state of the core."""
