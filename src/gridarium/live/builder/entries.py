"""What can be added to a builder: each entry holds the arguments of one `add_` method, and knows what they stand for."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Self

import numpy as np
from pydantic import AfterValidator, ConfigDict, Field, model_validator

from gridarium.live.brains import AgentBrain, HumanAgentBrain
from gridarium.live.builder.entry_types import (
    ActionNames,
    BrainSource,
    BuilderEntry,
    Colour,
    Custom,
    Depth,
    Flag,
    Form,
    GoalSource,
    Location,
    Locations,
    LoggerClass,
    Named,
    ObjectClass,
    Opacity,
    Probability,
    Real,
    RoomSide,
    Sense,
    Side,
    Size,
    Teams,
    YesNo,
)
from gridarium.live.builder.geometry import LocationXY, line, rectangle, ring
from gridarium.live.builder.settings import AgentSettings, ObjectSettings, check_arguments
from gridarium.live.goals import CollectionGoal
from gridarium.live.objects import (
    AgentBody,
    AreaTile,
    CollectionDropOffTile,
    CollectionTarget,
    Door,
    EnvObject,
    SmokeTile,
    Wall,
)
from gridarium.live.random_property import DrawnOnce, PartOf, RandomOrder, RandomProperty

OF_ARGUMENTS = ("visuali", "is_travers", "is_mov", "sense_cap", "possible_act", "key_action")
"""How properties begin that are taken for misspelt arguments."""


class Contents(BuilderEntry):
    """An entry that stands for objects of the world."""

    def objects(self, rng: np.random.RandomState) -> list[ObjectSettings]:
        """The objects, in order; what is the same in all worlds but random is drawn here."""
        raise NotImplementedError


class ObjectEntry(Contents):
    """See `WorldBuilder.add_object`."""

    model_config = ConfigDict(extra="allow")
    location: Location
    name: Named
    callable_class: ObjectClass = EnvObject
    is_traversable: YesNo | None = None
    is_movable: YesNo | None = None
    visualize_size: Size | None = None
    visualize_shape: Form | None = None
    visualize_colour: Colour | None = None
    visualize_depth: Depth | None = None
    visualize_opacity: Opacity | None = None
    probability: Probability | None = None
    apart: ClassVar[tuple[str, ...]] = ("location", "name", "callable_class", "probability")

    @model_validator(mode="after")
    def _fits(self) -> Self:
        _refuse_misspelt(self)
        if problem := check_arguments(self.callable_class, _without(self.given(), self.apart)):
            raise ValueError(problem)
        return self

    def objects(self, rng: np.random.RandomState) -> list[ObjectSettings]:
        """One object."""
        arguments = _without(self.given(), self.apart)
        return [ObjectSettings(self.callable_class, self.name, self.location, arguments, self.probability)]


class AreaEntry(Contents):
    """See `WorldBuilder.add_area`."""

    model_config = ConfigDict(extra="allow")
    top_left_location: Location
    width: Side
    height: Side
    name: Named
    visualize_colour: Colour | None = None
    visualize_opacity: Opacity | None = None
    apart: ClassVar[tuple[str, ...]] = ("top_left_location", "width", "height", "name")

    @model_validator(mode="after")
    def _fits(self) -> Self:
        _refuse_misspelt(self)
        return self

    def objects(self, rng: np.random.RandomState) -> list[ObjectSettings]:
        """A tile for each cell."""
        arguments = _without(self.given(), self.apart)
        cells = rectangle(self.top_left_location, self.width, self.height)
        return [ObjectSettings(AreaTile, self.name, cell, arguments) for cell in cells]


class SmokeAreaEntry(Contents):
    """See `WorldBuilder.add_smoke_area`."""

    model_config = ConfigDict(extra="allow")
    top_left_location: Location
    width: Side
    height: Side
    name: Named
    visualize_colour: Colour | None = None
    smoke_thickness_multiplier: Real = 1.0
    visualize_depth: Depth | None = None
    apart: ClassVar[tuple[str, ...]] = (*AreaEntry.apart, "smoke_thickness_multiplier")

    @model_validator(mode="after")
    def _fits(self) -> Self:
        _refuse_misspelt(self)
        return self

    def objects(self, rng: np.random.RandomState) -> list[ObjectSettings]:
        """A tile for each cell, whose opacity follows white noise."""
        noise = rng.normal(size=self.width * self.height)
        opacities = np.clip((1 - noise) / 2 * self.smoke_thickness_multiplier, 0, 1).tolist()
        arguments = _without(self.given(), self.apart)
        cells = rectangle(self.top_left_location, self.width, self.height)
        return [
            ObjectSettings(SmokeTile, self.name, cell, {**arguments, "visualize_opacity": opacity})
            for cell, opacity in zip(cells, opacities, strict=True)
        ]


class LineEntry(Contents):
    """See `WorldBuilder.add_line`."""

    model_config = ConfigDict(extra="allow")
    start: Location
    end: Location
    name: Named
    callable_class: ObjectClass = EnvObject
    is_traversable: YesNo | None = None
    is_movable: YesNo | None = None
    visualize_size: Size | None = None
    visualize_shape: Form | None = None
    visualize_colour: Colour | None = None
    visualize_depth: Depth | None = None
    visualize_opacity: Opacity | None = None
    apart: ClassVar[tuple[str, ...]] = ("start", "end", "name", "callable_class")

    @model_validator(mode="after")
    def _fits(self) -> Self:
        _refuse_misspelt(self)
        if problem := check_arguments(self.callable_class, _without(self.given(), self.apart)):
            raise ValueError(problem)
        return self

    def objects(self, rng: np.random.RandomState) -> list[ObjectSettings]:
        """An object for each cell."""
        arguments = _without(self.given(), self.apart)
        cells = line(self.start, self.end)
        return [ObjectSettings(self.callable_class, self.name, cell, arguments) for cell in cells]


class RoomEntry(Contents):
    """See `WorldBuilder.add_room`."""

    top_left_location: Location
    width: RoomSide
    height: RoomSide
    name: Named
    door_locations: Locations | None = None
    with_area_tiles: Flag = False
    doors_open: YesNo = False
    door_open_colour: Colour | None = None
    door_closed_colour: Colour | None = None
    door_visualization_opacity: Opacity | None = None
    door_custom_properties: Custom | None = None
    wall_visualize_colour: Colour | None = None
    wall_visualize_opacity: Opacity | None = None
    wall_custom_properties: Custom | None = None
    area_custom_properties: Custom | None = None
    area_visualize_colour: Colour | None = None
    area_visualize_opacity: Opacity | None = None

    @model_validator(mode="after")
    def _doors_in_walls(self) -> Self:
        walls = ring(self.top_left_location, self.width, self.height)
        for door in self.door_locations or ():
            if door not in walls:
                raise ValueError(f"the door at {door} is not in the walls of the room {self.name!r}")
        return self

    def objects(self, rng: np.random.RandomState) -> list[ObjectSettings]:
        """The walls, then the doors, then the tiles of the floor, if there are any."""
        doors = dict.fromkeys(self.door_locations or ())
        walls = [cell for cell in ring(self.top_left_location, self.width, self.height) if cell not in doors]
        wall = self._arguments("wall", self.wall_custom_properties)
        door = _given(
            is_open=self.doors_open,
            open_colour=self.door_open_colour,
            closed_colour=self.door_closed_colour,
            visualize_opacity=self.door_visualization_opacity,
            **(self.door_custom_properties or {}),
            room_name=self.name,
        )
        made = [ObjectSettings(Wall, f"{self.name} - wall@{cell}", cell, wall) for cell in walls]
        made += [ObjectSettings(Door, f"{self.name} - door@{cell}", cell, door) for cell in doors]
        return made + [
            ObjectSettings(
                AreaTile, f"{self.name}_area", cell, self._arguments("area", self.area_custom_properties)
            )
            for cell in self._floor()
        ]

    def _floor(self) -> list[LocationXY]:
        of_area = (self.area_custom_properties, self.area_visualize_colour, self.area_visualize_opacity)
        if not (self.with_area_tiles or any(given is not None for given in of_area)):
            return []
        x, y = self.top_left_location
        return rectangle((x + 1, y + 1), self.width - 2, self.height - 2)

    def _arguments(self, part: str, custom: Custom | None) -> dict[str, Any]:
        colour = getattr(self, f"{part}_visualize_colour")
        opacity = getattr(self, f"{part}_visualize_opacity")
        return _given(
            visualize_colour=colour, visualize_opacity=opacity, **(custom or {}), room_name=self.name
        )


def _wanted(value: Any) -> Any:
    for order in (
        value.values if isinstance(value, RandomProperty) and not isinstance(value, RandomOrder) else [value]
    ):
        wanted = order.possibilities if isinstance(order, RandomOrder) else order
        if not (
            isinstance(wanted, list | tuple) and wanted and all(isinstance(w, Mapping) and w for w in wanted)
        ):
            raise ValueError(
                "a list of at least one mapping of properties to their values is expected, or a RandomProperty of such "
                f"lists, not {wanted!r}"
            )
    return value


class CollectionGoalEntry(Contents):
    """See `WorldBuilder.add_collection_goal`."""

    name: Named
    collection_locs: Annotated[Locations, Field(min_length=1)]
    collection_objects: Annotated[Any, AfterValidator(_wanted)]
    in_order: Flag = False
    collection_area_colour: Colour = "#c87800"
    collection_area_opacity: Opacity = 1.0
    overwrite_goals: Flag = False
    signal_locs: Locations = ()

    @model_validator(mode="after")
    def _enough_is_wanted(self) -> Self:
        wanted = self.collection_objects
        lists = [wanted]
        if isinstance(wanted, RandomOrder):
            lists = [[None] * wanted.length]
        elif isinstance(wanted, RandomProperty):
            lists = wanted.values
        if len(self.signal_locs) > min(map(len, lists)):
            raise ValueError(f"there are more signal_locs ({len(self.signal_locs)}) than wanted objects")
        return self

    def objects(self, rng: np.random.RandomState) -> list[ObjectSettings]:
        """The tiles of the area, the invisible target in its first cell, and the signals of what is wanted."""
        tile = {
            "collection_area_name": self.name,
            "visualize_colour": self.collection_area_colour,
            "visualize_opacity": self.collection_area_opacity,
        }
        wanted = self.collection_objects
        drawn = DrawnOnce(wanted if isinstance(wanted, RandomProperty) else RandomProperty([list(wanted)]))
        target = {"collection_objects": drawn, "collection_zone_name": self.name, "collected": 0}
        cells = dict.fromkeys(self.collection_locs)
        made = [ObjectSettings(CollectionDropOffTile, self.name, cell, tile) for cell in cells]
        made.append(ObjectSettings(CollectionTarget, self.target_name, self.collection_locs[0], target))
        for rank, cell in enumerate(self.signal_locs):
            colour = PartOf(drawn, functools.partial(_colour_of, rank))
            signal = {"visualize_colour": colour, "is_traversable": True, "is_movable": False}
            made.append(ObjectSettings(EnvObject, f"{self.name} signal", cell, signal))
        return made

    @property
    def target_name(self) -> str:
        """The name of the target."""
        return f"{self.name}_target"

    @property
    def goal(self) -> CollectionGoal:
        """The goal."""
        return CollectionGoal(self.name, self.target_name, self.in_order)


def _colour_of(rank: int, wanted: Sequence[Mapping[str, Any]]) -> str:
    """The color of a wanted object; grey if it may have any."""
    return str(wanted[rank].get("visualize_colour", wanted[rank].get("visualization_colour", "#808080")))


class GoalEntry(BuilderEntry):
    """See `WorldBuilder.add_goal`."""

    world_goal: GoalSource
    overwrite: Flag = False


class LoggerEntry(BuilderEntry):
    """See `WorldBuilder.add_logger`."""

    model_config = ConfigDict(extra="allow")
    logger_class: LoggerClass

    @model_validator(mode="after")
    def _fits(self) -> Self:
        try:
            self.logger_class(**self.custom)
        except TypeError as error:
            raise ValueError(str(error)) from None
        return self


class BuilderAgentEntry(BuilderEntry):
    """See `WorldBuilder.add_agent`."""

    model_config = ConfigDict(extra="allow")
    location: Location
    agent_brain: BrainSource
    name: Named
    sense_capability: Sense | None = None
    is_traversable: YesNo | None = True
    team: Teams | None = None
    possible_actions: ActionNames | None = None
    is_movable: YesNo | None = None
    visualize_size: Size | None = None
    visualize_shape: Form | None = None
    visualize_colour: Colour | None = None
    visualize_depth: Depth | None = None
    visualize_opacity: Opacity | None = None
    visualize_when_busy: YesNo | None = None
    probability: Probability | None = None
    apart: ClassVar[tuple[str, ...]] = ("location", "agent_brain", "name", "probability")
    is_human: ClassVar[bool] = False

    @model_validator(mode="after")
    def _fits(self) -> Self:
        _refuse_misspelt(self, AgentBody.reserved)
        brain = self.agent_brain
        is_human = brain if isinstance(brain, type) else type(brain)
        if isinstance(brain, AgentBrain | type) and issubclass(is_human, HumanAgentBrain) != self.is_human:
            instead = "add_agent" if self.is_human else "add_human_agent"
            raise ValueError(f"{is_human.__name__} is not a brain for this; use {instead}")
        return self

    def agent(self) -> AgentSettings:
        """The agent."""
        arguments = _without(self.given(), self.apart)
        if self.is_traversable is not None:
            arguments["is_traversable"] = self.is_traversable
        return AgentSettings(
            self.agent_brain, self.name, self.location, arguments, self.is_human, self.probability
        )


class HumanAgentEntry(BuilderAgentEntry):
    """See `WorldBuilder.add_human_agent`."""

    name: Named = "HumanAgent"
    is_traversable: YesNo | None = False
    key_action_map: Mapping[Named, Named] | None = None
    is_human: ClassVar[bool] = True


ENTRIES: dict[str, type[BuilderEntry]] = {
    "object": ObjectEntry,
    "area": AreaEntry,
    "smoke_area": SmokeAreaEntry,
    "line": LineEntry,
    "room": RoomEntry,
    "agent": BuilderAgentEntry,
    "human_agent": HumanAgentEntry,
    "goal": GoalEntry,
    "collection_goal": CollectionGoalEntry,
    "logger": LoggerEntry,
}
"""The kinds of entries, by their names in YAML; `WorldBuilder.add_<name>` adds one."""


def _refuse_misspelt(entry: BuilderEntry, reserved: Sequence[str] = EnvObject.reserved) -> None:
    """Refuse custom properties that look like misspelt arguments, or have the name of one that the world itself keeps."""
    for name in entry.custom:
        if name in reserved:
            raise ValueError(f"the world itself says {name!r}, as it does {', '.join(reserved)}")
        if name.startswith(OF_ARGUMENTS) and name != "visualize_from_center":
            known = ", ".join(n for n in type(entry).model_fields if n.startswith(name[:6]))
            raise ValueError(f"unknown argument {name!r}; known: {known}")


def _without(arguments: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {key: value for key, value in arguments.items() if key not in names}


def _given(**arguments: Any) -> dict[str, Any]:
    return {key: value for key, value in arguments.items() if value is not None}
