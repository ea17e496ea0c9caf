"""The body of an agent: what others perceive of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from gridarium.live.objects.core_view import Location, core_properties
from gridarium.live.objects.env_object import RESERVED, EnvObject, as_flag, as_location

NEVER = -1_000_000
"""The tick in which an agent began an action, before it has begun any."""
FACINGS = ("up", "right", "down", "left")
"""Where an agent faces, by quarter turns."""
RESERVED_FOR_AGENTS = (
    "is_human_agent", "team", "teams", "action_set", "sense_capability", "is_carrying", "is_blocked_by_action", "current_action",
    "current_action_args", "current_action_duration", "current_action_started_at_tick", "facing", "holding", "key_action_map",
)  # fmt: skip
"""The names of properties that say what the world knows of each agent."""
COLOUR, SHAPE, DEPTH = "#92f441", 1, 100


class AgentBody(EnvObject):
    """The body of an agent. Its place, its traversability and what it carries are kept in the core.

    Args:
        location: x and y.
        name: a name.
        possible_actions: the names of actions that it is capable of; None for all.
        sense_capability: what it perceives.
        class_callable: the class of its brain, whose ancestors it reports.
        team: the name of a team, or several; by default a team of its own.
        is_human_agent: whether a person decides.
        is_traversable: whether others can be in its cell.
        visualize_when_busy: whether pictures show that it is busy.
        key_action_map: the actions of a person, by keys.
        properties: as for `EnvObject`.

    Attributes:
        current_action: the name of the action that it does, or did last; None at first and for idling.
        current_action_args: its arguments.
        current_action_duration: in ticks.
        current_action_started_at_tick: when it was decided upon.
        is_blocked: whether it is busy with an action, and does not decide.
        action_set: the names of its actions.
        shows_core: whether where it faces and what it holds in the core are among its properties, as in worlds of the
            catalogue: `facing` (up, right, down or left) and `holding` (the kind, status and color of an object, or None).

    Source: MATRX 2.3.3.
    """

    is_agent: ClassVar[bool] = True
    reserved: ClassVar[tuple[str, ...]] = (*RESERVED, *RESERVED_FOR_AGENTS)
    visual_names: ClassVar[Mapping[str, str]] = {**EnvObject.visual_names, "show_busy": "visualize_when_busy"}

    def __init__(
        self,
        location: Location,
        name: str,
        *,
        possible_actions: Sequence[str] | None = None,
        sense_capability: Any = None,
        class_callable: type | None = None,
        team: str | Sequence[str] | None = None,
        is_human_agent: bool = False,
        is_traversable: bool | None = None,
        visualize_when_busy: bool | None = None,
        key_action_map: Mapping[str, str] | None = None,
        **properties: Any,
    ) -> None:
        for key, default in (
            ("visualize_colour", COLOUR), ("visualize_shape", SHAPE), ("visualize_depth", DEPTH)
        ):  # fmt: skip
            if properties.get(key) is None:
                properties[key] = default
        super().__init__(
            location, name, class_callable=class_callable, is_traversable=is_traversable, **properties
        )
        self.possible_actions = None if possible_actions is None else list(possible_actions)
        self.action_set: list[str] = list(possible_actions or ())
        self.sense_capability = sense_capability
        self.teams = [] if team is None else [team] if isinstance(team, str) else list(dict.fromkeys(team))
        self.is_human_agent = is_human_agent
        self.visualize_when_busy = visualize_when_busy is not None and as_flag(
            "visualize_when_busy", visualize_when_busy
        )
        self.key_action_map = None if key_action_map is None else dict(key_action_map)
        self._carried: dict[int, EnvObject] = {}
        self.shows_core = False
        self.begin()

    def _tell_core(self) -> None:
        """The core knows neither the color of agents nor whether they are movable."""

    def begin(self) -> None:
        """Forget what it has done."""
        self.current_action: str | None = None
        self.current_action_args: dict[str, Any] = {}
        self.current_action_duration = 0
        self.current_action_started_at_tick = NEVER
        self.is_blocked = False

    @property
    def index(self) -> int:
        """Its index among the agents of the core; -1 outside of a world."""
        return self._number

    @property
    def team(self) -> str:
        """Its first team."""
        return self.teams[0] if self.teams else ""

    @property
    def location(self) -> Location:
        """X and y."""
        return self._location if self._core is None else self._core.agent_location(self._number)

    @location.setter
    def location(self, new: Location) -> None:
        place = as_location(new)
        if self._core is not None:
            self._core.check_inside(place)
            self._core.put_agent_at(self._number, place)
        self._location = place
        self._changed()

    @property
    def is_traversable(self) -> bool:
        """Whether others can be in its cell."""
        return self._is_traversable if self._core is None else self._core.is_traversable(self._number)

    @is_traversable.setter
    def is_traversable(self, new: bool) -> None:
        self._is_traversable = as_flag("is_traversable", new)
        if self._core is not None:
            self._core.set_traversable(self._number, self._is_traversable)
        self._changed()

    def carry(self, objects: Mapping[int, EnvObject]) -> None:
        """Look objects up here, by the numbers of their things, from now on."""
        self._carried = dict(objects) if not isinstance(objects, dict) else objects

    @property
    def is_carrying(self) -> list[EnvObject]:
        """The objects that it carries, the last one grabbed last."""
        if self._core is None or not self._carried:
            return []
        return [self._carried[n] for n in self._core.carried_by(self._number) if n in self._carried]

    @property
    def carried_by(self) -> list[str]:
        """Nobody carries agents."""
        return []

    @property
    def properties(self) -> dict[str, Any]:
        """As of any object, and those of agents."""
        return {**super().properties, **self._of_agents()}

    def _of_agents(self) -> dict[str, Any]:
        found = {
            "location": self.location,
            "visualization": {**self.visualization, "show_busy": self.visualize_when_busy},
            "isAgent": True,
            "is_human_agent": self.is_human_agent,
            "team": self.team,
            "teams": list(self.teams),
            "action_set": list(self.action_set),
            "sense_capability": getattr(self.sense_capability, "as_dict", dict)(),
            "is_carrying": [carried.properties for carried in self.is_carrying],
            "is_blocked_by_action": self.is_blocked,
            "current_action": self.current_action,
            "current_action_args": dict(self.current_action_args),
            "current_action_duration": self.current_action_duration,
            "current_action_started_at_tick": self.current_action_started_at_tick,
        }
        if self.shows_core and self._core is not None:
            turns, held = self._core.agent_looks(self._number)
            found.update(facing=FACINGS[turns], holding=core_properties(held) or None)
        if self.is_human_agent:
            found["key_action_map"] = dict(self.key_action_map or {})
        return found

    def _cache_key(self) -> Any:
        if self._core is None:
            return self.version
        carried = [(o.number, o.version) for o in self.is_carrying] if self._carried else None
        return (
            self.version, self._core.agent_location(self._number), self.is_blocked, self.current_action,
            self.current_action_started_at_tick, self.current_action_duration, carried,
            self._core.agent_looks(self._number) if self.shows_core else None,
        )  # fmt: skip
