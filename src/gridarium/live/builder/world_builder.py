"""Builds live worlds: collects what is in them, and makes as many as wanted."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path as FilePath
from typing import Any, TypeAlias

import numpy as np

from gridarium.live.brains import AgentBrain
from gridarium.live.builder.entries import (
    ENTRIES,
    BuilderAgentEntry,
    CollectionGoalEntry,
    Contents,
    GoalEntry,
    LoggerEntry,
    RoomEntry,
)
from gridarium.live.builder.entry_types import BuilderEntry, checked, is_number, refuse
from gridarium.live.builder.geometry import LocationXY
from gridarium.live.builder.plain_form import PlainWriter
from gridarium.live.builder.settings import AgentSettings, ObjectSettings
from gridarium.live.builder.world_settings import OnBrainError, WorldSettings
from gridarium.live.goals import LimitedTimeGoal, WorldGoal
from gridarium.live.grid_world import GridWorld
from gridarium.live.loggers import GridWorldLogger
from gridarium.live.objects import AgentBody, Door, EnvObject, Wall
from gridarium.live.perception import SenseCapability
from gridarium.live.random_property import RandomProperty
from gridarium.worlds import Description
from gridarium.worlds.entries.problems import Collector
from gridarium.worlds.files import yaml_io

Brain: TypeAlias = AgentBrain | Callable[[], AgentBrain]
"""A brain, which is copied for each world; or a class of brains or a function that makes one."""
Goal: TypeAlias = float | WorldGoal | Callable[[], WorldGoal]
"""A number of ticks, a goal, which is copied for each world, or a function that makes one."""
Properties: TypeAlias = Mapping[str, Any]
Colour: TypeAlias = str | RandomProperty | None
Number: TypeAlias = float | RandomProperty | None
Shape: TypeAlias = int | str | RandomProperty | None
YesNo: TypeAlias = bool | RandomProperty | None
MOST_WORLDS = 100
DEFAULT_TICKS = 1000
"""When a world without a goal is done."""


class WorldBuilder:
    """Collects the objects, agents, goals and loggers of a world, and makes worlds of them.

    Locations are (x, y), counted from the left and the top. What an `add_` method is given beyond its own parameters become
    custom properties of what is added; random properties are drawn for each world. Arguments are checked at once:
    the methods raise a `DescriptionError`, which is a `ValueError`, for those that are not possible.

    The worlds of a builder differ in their seeds, and so in all that is random in them: world k of a builder is always the
    same one, with the same seeds of its agents.

    Args:
        shape: width and height, up to 1024.
        tick_duration: how long a tick takes at least, in seconds; 0 or less: it takes no longer than it must.
        random_seed: a whole number from 0 on.
        simulation_goal: when a world is done: a number of ticks (0 or less: never), a goal, or several of these, all of
            which must hold, as must those that are added. None: after 1000 ticks, unless goals are added.
        visualization_bg_clr: the background's color.
        visualization_bg_img: an image in the background.
        action_parameters: ranges of actions that hold for everybody, see `GridWorld`.
        on_brain_error: what an exception of a brain or an action does, see `GridWorld`.
        name: of the worlds, which have a number as well: "world_1" and so on.

    Attributes:
        contents: what was added, in order, with the name of its method.
        object_settings: the objects that the worlds have, in order.
        agent_settings: likewise.
        goals: what was given as goals; all of them must hold.
        loggers: classes of loggers with their arguments.
        modules: those that its file names.
        worlds_created: the number of worlds that were made.

    Raises:
        DescriptionError: an argument is not possible.

    Source: MATRX 2.3.3, without the parts that start servers.
    """

    def __init__(
        self,
        shape: tuple[int, int],
        tick_duration: float = 0.5,
        random_seed: int = 1,
        simulation_goal: Goal | Sequence[Goal] | None = None,
        visualization_bg_clr: str = "#C2C2C2",
        visualization_bg_img: str | None = None,
        action_parameters: Mapping[str, float] | None = None,
        on_brain_error: OnBrainError = "stop",
        name: str = "world",
    ) -> None:
        several = isinstance(simulation_goal, list | tuple)
        self.world_settings = checked(
            WorldSettings,
            {
                "shape": shape,
                "tick_duration": tick_duration,
                "random_seed": random_seed,
                "simulation_goal": simulation_goal
                if several or simulation_goal is None
                else (simulation_goal,),
                "visualization_bg_clr": visualization_bg_clr,
                "visualization_bg_img": visualization_bg_img,
                "action_parameters": action_parameters,
                "on_brain_error": on_brain_error,
                "name": name,
            },
            "WorldBuilder",
        )
        self.contents: list[tuple[str, BuilderEntry]] = []
        self.object_settings: list[ObjectSettings] = []
        self.agent_settings: list[AgentSettings] = []
        self.loggers: list[tuple[type[GridWorldLogger], dict[str, Any]]] = []
        goals = self.world_settings.simulation_goal
        self.goals: list[WorldGoal | Callable[[], WorldGoal]] = (
            [LimitedTimeGoal(DEFAULT_TICKS)] if goals is None else list(goals)
        )
        self._goal_is_default = goals is None
        self.modules: list[str] = []
        self.worlds_created = 0
        self._rng = np.random.RandomState(self.world_settings.random_seed)

    def __repr__(self) -> str:
        width, height = self.world_settings.shape
        return (
            f"<WorldBuilder of {width} x {height} cells: {len(self.object_settings)} objects, "
            f"{len(self.agent_settings)} agents>"
        )

    def worlds(self, nr_of_worlds: int = MOST_WORLDS, **options: Any) -> Iterator[GridWorld]:
        """Make worlds, one after the other.

        Args:
            nr_of_worlds: how many, from 1 on.
            **options: see `get_world`.
        """
        if not is_number(nr_of_worlds) or nr_of_worlds != int(nr_of_worlds) or nr_of_worlds < 1:
            raise refuse(
                f"a whole number from 1 on is expected, not {nr_of_worlds!r}", "worlds", "nr_of_worlds"
            )
        return (self.get_world(**options) for _ in range(int(nr_of_worlds)))

    def get_world(
        self,
        *,
        on_brain_error: OnBrainError | None = None,
        debug: bool = False,
        keep_decisions: bool = True,
        compiled: bool = True,
    ) -> GridWorld:
        """Make the next world. Its `world_id` is the builder's name with a number: "world_1" for the first one, and so on.

        Args:
            on_brain_error: by default that of the builder.
            debug: whether actions are checked, see `GridWorld`.
            keep_decisions: whether what agents decide is kept, see `GridWorld`.
            compiled: whether the core's rules are compiled; without, a world begins sooner and is slower.

        Raises:
            ValueError: two objects cannot be where they are to be, or an object or a brain cannot be made.
        """
        number, settings = self.worlds_created + 1, self.world_settings
        drawn, seed = np.random.SeedSequence((settings.random_seed, number)).generate_state(2)
        objects, agents = self._draw(np.random.RandomState(drawn))
        world = GridWorld(
            settings.shape,
            objects,
            agents,
            tick_duration=settings.tick_duration,
            simulation_goal=[goal.reset() if isinstance(goal, WorldGoal) else goal() for goal in self.goals],
            rnd_seed=int(seed >> 1),
            visualization_bg_clr=settings.visualization_bg_clr,
            visualization_bg_img=settings.visualization_bg_img,
            world_id=f"{settings.name}_{number}",
            loggers=[kind(**arguments) for kind, arguments in self.loggers],
            action_parameters={str(k): v for k, v in (settings.action_parameters or {}).items()},
            on_brain_error=on_brain_error or settings.on_brain_error,
            debug=debug,
            keep_decisions=keep_decisions,
            compiled=compiled,
        )
        self.worlds_created = number
        return world

    def description(self, **options: Any) -> Description:
        """The next world as a description of the core, to train agents on; it is not counted as made.

        Args:
            **options: see `GridWorld.description`.

        Raises:
            ValueError: there is something that a description cannot say; the message lists it.

        Example:
            >>> builder = WorldBuilder(shape=(5, 5), simulation_goal=100)
            >>> builder.add_agent((2, 2), AgentBrain, name="Bob")
            >>> env = GridariumEnv(builder.description())
        """
        number, kept = self.worlds_created, [(each, copy.deepcopy(vars(each))) for each in self._drawn()]
        try:
            return self.get_world(compiled=False).description(**options)
        finally:
            self.worlds_created = number
            for each, before in kept:
                vars(each).update(before)

    def _drawn(self) -> Iterator[Any]:
        """What is drawn for each world."""
        return itertools.chain.from_iterable(
            [each.drawn for each in self.object_settings] + [each.drawn for each in self.agent_settings]
        )

    def _draw(self, rng: np.random.RandomState) -> tuple[list[EnvObject], list[tuple[AgentBrain, AgentBody]]]:
        """The objects and agents of a world."""
        for each in self._drawn():
            if each.reset_each_world:
                each.reset()
        objects = [each.make(rng) for each in self.object_settings if _included(each.probability, rng)]
        return objects, [each.make(rng) for each in self.agent_settings if _included(each.probability, rng)]

    # adding

    def add_entry(self, name: str, arguments: Properties) -> None:
        """Add something by the name of its method without `add_`, as in YAML.

        Args:
            name: one of `ENTRIES`, such as "room".
            arguments: those of the method; `probability` is possible for objects and agents.

        Raises:
            DescriptionError: there is no such method, or arguments are not possible.
        """
        if name not in ENTRIES:
            raise refuse(f"unknown entry {name!r}; known: {', '.join(ENTRIES)}", "")
        source = f"add_{name}({arguments['name']!r})" if "name" in arguments else f"add_{name}"
        self._include(name, checked(ENTRIES[name], arguments, source), source)

    def to_dict(self) -> dict[str, Any]:
        """The builder as plain data, from which `builder_from_dict` makes an equal one; defaults are omitted.

        Raises:
            DescriptionError: it contains what a file cannot name, such as brains that were made already; lists all.
        """
        problems = Collector()
        given = [entry.given() for _, entry in self.contents]
        writer = PlainWriter(problems, given)
        data: dict[str, Any] = {}
        for key, value in self.world_settings.given().items():
            data[key] = writer.value(value, (key,))
        if len(data.get("simulation_goal", ())) == 1:
            data["simulation_goal"] = data["simulation_goal"][0]
        if self.modules:
            data["modules"] = list(self.modules)
        if writer.shared:
            data["random"] = writer.shared
        data["contents"] = [
            {name: writer.value(arguments, ("contents", i, name))}
            for i, ((name, _), arguments) in enumerate(zip(self.contents, given, strict=True))
        ]
        problems.raise_if_any()
        return data

    def to_yaml(self) -> str:
        """The builder as the text of a file, which `load_builder` reads.

        Raises:
            DescriptionError: see `to_dict`.
        """
        return yaml_io.dump(self.to_dict())

    def _include(self, name: str, entry: BuilderEntry, source: str) -> None:
        if isinstance(entry, Contents):
            made = entry.objects(self._rng)
            self._check_inside((each.location for each in made), source)
            if isinstance(entry, RoomEntry):
                made = self._share_walls(made)
            self.object_settings += made
        if isinstance(entry, BuilderAgentEntry):
            self._check_inside((entry.location,), source)
            if any(each.name == entry.name for each in self.agent_settings):
                raise refuse(f"there is an agent of this name already: {entry.name!r}", source, "name")
            self.agent_settings.append(entry.agent())
        elif isinstance(entry, GoalEntry):
            self._add_goal(entry.world_goal, entry.overwrite)
        elif isinstance(entry, CollectionGoalEntry):
            self._add_goal(entry.goal, entry.overwrite_goals)
        elif isinstance(entry, LoggerEntry):
            self.loggers.append((entry.logger_class, entry.custom))
        self.contents.append((name, entry))

    def _share_walls(self, room: list[ObjectSettings]) -> list[ObjectSettings]:
        """What is to be added of a room whose walls may be those of earlier rooms; a door takes the place of a wall."""
        doors = {each.location for each in room if each.kind is Door}
        self.object_settings = [
            each for each in self.object_settings if each.kind is not Wall or each.location not in doors
        ]
        shared = {each.location for each in self.object_settings if each.kind in (Wall, Door)}
        return [each for each in room if each.kind not in (Wall, Door) or each.location not in shared]

    def _add_goal(self, goal: WorldGoal | Callable[[], WorldGoal], overwrite: bool) -> None:
        self.goals = [goal] if overwrite or self._goal_is_default else [*self.goals, goal]
        self._goal_is_default = False

    def _check_inside(self, cells: Iterator[LocationXY] | tuple[LocationXY, ...], source: str) -> None:
        width, height = self.world_settings.shape
        for x, y in cells:
            if not (0 <= x < width and 0 <= y < height):
                raise refuse(f"({x}, {y}) is outside the world of {width} x {height} cells", source)

    # objects

    def add_object(
        self,
        location: LocationXY,
        name: str,
        callable_class: type[EnvObject] | None = None,
        is_traversable: YesNo = None,
        is_movable: YesNo = None,
        visualize_size: Number = None,
        visualize_shape: Shape = None,
        visualize_colour: Colour = None,
        visualize_depth: Number = None,
        visualize_opacity: Number = None,
        **custom_properties: Any,
    ) -> None:
        """Add an object to each world.

        Args:
            location: its x and y.
            name: its name; the id is made of it.
            callable_class: its class; by default `EnvObject`.
            is_traversable: whether others can be in its cell. None, here and below: as its class has it.
            is_movable: whether agents can carry it.
            visualize_size: 1.0 fills the cell.
            visualize_shape: 0 a square, 1 a triangle, 2 a circle, the path of an image, or "img" for that of `img_name`.
            visualize_colour: such as "#4286f4".
            visualize_depth: what is larger is drawn on top.
            visualize_opacity: 0 (invisible) to 1.
            **custom_properties: further properties, or arguments of the class.
        """
        callable_class = EnvObject if callable_class is None else callable_class
        self.add_entry("object", _arguments(locals()))

    def add_object_prospect(
        self,
        location: LocationXY,
        name: str,
        probability: float,
        callable_class: type[EnvObject] | None = None,
        **arguments: Any,
    ) -> None:
        """Add an object that a world has with a probability.

        Args:
            location: its x and y.
            name: its name.
            probability: 0 to 1.
            callable_class: its class.
            **arguments: as for `add_object`.
        """
        _required(probability, "probability", f"add_object_prospect({name!r})")
        self.add_object(location, name, callable_class, probability=probability, **arguments)

    def add_multiple_objects(
        self,
        locations: Sequence[LocationXY],
        names: str | Sequence[str] | None = None,
        callable_classes: type[EnvObject] | Sequence[type[EnvObject] | None] | None = None,
        custom_properties: Properties | Sequence[Properties | None] | None = None,
        is_traversable: YesNo | Sequence[YesNo] = None,
        visualize_sizes: Number | Sequence[Number] = None,
        visualize_shapes: Shape | Sequence[Shape] = None,
        visualize_colours: Colour | Sequence[Colour] = None,
        visualize_depths: Number | Sequence[Number] = None,
        visualize_opacities: Number | Sequence[Number] = None,
        is_movable: YesNo | Sequence[YesNo] = None,
    ) -> None:
        """Add several objects. Each argument is one value for all of them, or a list with one for each.

        Args:
            locations: the x and y of each.
            names: their names; by default those of their classes.
            callable_classes: as of `add_object`, like the following.
            custom_properties: further properties as a dict.
            is_traversable: see `add_object`.
            visualize_sizes: see `add_object`.
            visualize_shapes: see `add_object`.
            visualize_colours: see `add_object`.
            visualize_depths: see `add_object`.
            visualize_opacities: see `add_object`.
            is_movable: see `add_object`.
        """
        columns = {
            "name": names,
            "callable_class": callable_classes,
            "custom_properties": custom_properties,
            "is_traversable": is_traversable,
            "is_movable": is_movable,
            "visualize_size": visualize_sizes,
            "visualize_shape": visualize_shapes,
            "visualize_colour": visualize_colours,
            "visualize_depth": visualize_depths,
            "visualize_opacity": visualize_opacities,
        }
        for location, row in zip(
            locations, _rows(columns, len(locations), "add_multiple_objects"), strict=True
        ):
            kind = row["callable_class"] or EnvObject
            self.add_object(location, row.pop("name") or kind.__name__, **row)

    def add_area(
        self,
        top_left_location: LocationXY,
        width: int,
        height: int,
        name: str,
        visualize_colour: Colour = None,
        visualize_opacity: Number = None,
        **custom_properties: Any,
    ) -> None:
        """Add a rectangle of `AreaTile`s.

        Args:
            top_left_location: the x and y of its upper left cell.
            width: in cells, from 1 on.
            height: likewise.
            name: the name of each tile.
            visualize_colour: see `add_object`.
            visualize_opacity: see `add_object`.
            **custom_properties: further properties of each tile.
        """
        self.add_entry("area", _arguments(locals()))

    def add_smoke_area(
        self,
        top_left_location: LocationXY,
        width: int,
        height: int,
        name: str,
        visualize_colour: Colour = None,
        smoke_thickness_multiplier: float = 1.0,
        visualize_depth: Number = None,
        **custom_properties: Any,
    ) -> None:
        """Add a rectangle of `SmokeTile`s, whose opacity varies at random from cell to cell, alike in all worlds.

        Args:
            top_left_location: the x and y of its upper left cell.
            width: in cells, from 1 on.
            height: likewise.
            name: the name of each tile.
            visualize_colour: see `add_object`.
            smoke_thickness_multiplier: by which the opacity is multiplied, a half on average.
            visualize_depth: see `add_object`.
            **custom_properties: further properties of each tile.
        """
        self.add_entry("smoke_area", _arguments(locals()))

    def add_line(
        self,
        start: LocationXY,
        end: LocationXY,
        name: str,
        callable_class: type[EnvObject] | None = None,
        **arguments: Any,
    ) -> None:
        """Add an object to each cell of a straight line.

        Args:
            start: the x and y of the first cell.
            end: the x and y of the last cell.
            name: the name of each object.
            callable_class: the class of each object; by default `EnvObject`.
            **arguments: as for `add_object`.
        """
        callable_class = EnvObject if callable_class is None else callable_class
        self.add_entry("line", _arguments(locals()))

    def add_room(
        self,
        top_left_location: LocationXY,
        width: int,
        height: int,
        name: str,
        door_locations: Sequence[LocationXY] | None = None,
        with_area_tiles: bool = False,
        doors_open: bool | RandomProperty = False,
        door_open_colour: Colour = None,
        door_closed_colour: Colour = None,
        door_visualization_opacity: Number = None,
        door_custom_properties: Properties | None = None,
        wall_visualize_colour: Colour = None,
        wall_visualize_opacity: Number = None,
        wall_custom_properties: Properties | None = None,
        area_custom_properties: Properties | None = None,
        area_visualize_colour: Colour = None,
        area_visualize_opacity: Number = None,
    ) -> None:
        """Add a room: walls, doors in them, and tiles within, if wanted. All have the property `room_name`.

        Where walls stand already, as those of a room beside it, these are its walls, too; only a door takes their place.

        Args:
            top_left_location: the x and y of its upper left wall.
            width: with the walls, from 3 on.
            height: likewise.
            name: the room's name.
            door_locations: the x and y of each door, which must be in a wall.
            with_area_tiles: whether the floor has `AreaTile`s; it has if anything is said about them.
            doors_open: whether doors are open at first.
            door_open_colour: the color of open doors.
            door_closed_colour: the color of closed doors.
            door_visualization_opacity: see `add_object`, like the following.
            door_custom_properties: further properties of doors.
            wall_visualize_colour: see `add_object`.
            wall_visualize_opacity: see `add_object`.
            wall_custom_properties: further properties of walls.
            area_custom_properties: further properties of tiles.
            area_visualize_colour: see `add_object`.
            area_visualize_opacity: see `add_object`.
        """
        self.add_entry("room", _arguments(locals()))

    # agents

    def add_agent(
        self,
        location: LocationXY,
        agent_brain: Brain,
        name: str,
        sense_capability: SenseCapability | None = None,
        is_traversable: YesNo = True,
        team: str | Sequence[str] | None = None,
        possible_actions: Sequence[str | type] | None = None,
        is_movable: YesNo = None,
        visualize_size: Number = None,
        visualize_shape: Shape = None,
        visualize_colour: Colour = None,
        visualize_depth: Number = None,
        visualize_opacity: Number = None,
        visualize_when_busy: YesNo = None,
        **custom_properties: Any,
    ) -> None:
        """Add an agent to each world.

        Args:
            location: its x and y.
            agent_brain: what decides: a class of brains, a function that makes one (such as `functools.partial` of a
                class), or a brain, of which each world gets a copy.
            name: a name that no other agent has; the id is made of it.
            sense_capability: what it perceives; by default everything, at any distance.
            is_traversable: whether others can be in its cell.
            team: the name of its team, or of several; by default it has one for itself.
            possible_actions: the actions that it is capable of, or their names; by default all.
            is_movable: whether agents can carry it.
            visualize_size: see `add_object`.
            visualize_shape: see `add_object`.
            visualize_colour: see `add_object`.
            visualize_depth: see `add_object`.
            visualize_opacity: see `add_object`.
            visualize_when_busy: whether one sees that it is busy.
            **custom_properties: further properties of its body.
        """
        self.add_entry("agent", _arguments(locals()))

    def add_agent_prospect(
        self, location: LocationXY, agent: Brain, probability: float, name: str = "Agent", **arguments: Any
    ) -> None:
        """Add an agent that a world has with a probability.

        Args:
            location: its x and y.
            agent: its brain, as for `add_agent`.
            probability: 0 to 1.
            name: its name.
            **arguments: as for `add_agent`; others cannot be in its cell by default.
        """
        _required(probability, "probability", f"add_agent_prospect({name!r})")
        self.add_agent(
            location, agent, name, **{"is_traversable": False, "probability": probability, **arguments}
        )

    def add_human_agent(
        self,
        location: LocationXY,
        agent_brain: Brain,
        name: str = "HumanAgent",
        sense_capability: SenseCapability | None = None,
        is_traversable: YesNo = False,
        team: str | Sequence[str] | None = None,
        possible_actions: Sequence[str | type] | None = None,
        key_action_map: Mapping[str, str] | None = None,
        **arguments: Any,
    ) -> None:
        """Add an agent that a person steers.

        Args:
            location: its x and y.
            agent_brain: a `HumanAgentBrain`, as for `add_agent`.
            name: see `add_agent`.
            sense_capability: see `add_agent`.
            is_traversable: whether others can be in its cell.
            team: see `add_agent`.
            possible_actions: see `add_agent`.
            key_action_map: the action for each key, by their names, such as {"w": "MoveNorth", "ArrowUp": "MoveNorth"}.
            **arguments: as for `add_agent`.
        """
        self.add_entry("human_agent", _arguments(locals()))

    def add_team(
        self,
        agent_brains: Sequence[Brain],
        locations: Sequence[LocationXY],
        team_name: str,
        names: Sequence[str] | None = None,
        **arguments: Any,
    ) -> None:
        """Add several agents as a team.

        Args:
            agent_brains: their brains.
            locations: their x and y.
            team_name: the team's name.
            names: their names; by default "Agent 1" and so on, with numbers that are not in use.
            **arguments: as for `add_multiple_agents`.
        """
        _required(team_name, "team_name", "add_team")
        self.add_multiple_agents(agent_brains, locations, names=names, teams=team_name, **arguments)

    def add_multiple_agents(
        self,
        agents: Sequence[Brain],
        locations: Sequence[LocationXY],
        custom_properties: Properties | Sequence[Properties | None] | None = None,
        sense_capabilities: SenseCapability | Sequence[SenseCapability | None] | None = None,
        is_traversable: YesNo | Sequence[YesNo] = None,
        teams: str | Sequence[str | Sequence[str] | None] | None = None,
        visualize_sizes: Number | Sequence[Number] = None,
        visualize_shapes: Shape | Sequence[Shape] = None,
        visualize_colours: Colour | Sequence[Colour] = None,
        visualize_opacities: Number | Sequence[Number] = None,
        visualize_depths: Number | Sequence[Number] = None,
        visualize_when_busy: YesNo | Sequence[YesNo] = None,
        names: Sequence[str] | None = None,
    ) -> None:
        """Add several agents. Each argument is one value for all of them, or a list with one for each.

        Args:
            agents: their brains, as for `add_agent`.
            locations: their x and y.
            custom_properties: further properties as a dict.
            sense_capabilities: see `add_agent`.
            is_traversable: see `add_agent`.
            teams: the team of all, or a list with the team, or list of teams, of each.
            visualize_sizes: see `add_object`.
            visualize_shapes: see `add_object`.
            visualize_colours: see `add_object`.
            visualize_opacities: see `add_object`.
            visualize_depths: see `add_object`.
            visualize_when_busy: see `add_agent`.
            names: their names; by default "Agent 1" and so on, with numbers that are not in use.
        """
        columns = {
            "agent_brain": list(agents),
            "name": None if names is None else list(names),
            "custom_properties": custom_properties,
            "sense_capability": sense_capabilities,
            "is_traversable": is_traversable,
            "team": teams,
            "visualize_size": visualize_sizes,
            "visualize_shape": visualize_shapes,
            "visualize_colour": visualize_colours,
            "visualize_opacity": visualize_opacities,
            "visualize_depth": visualize_depths,
            "visualize_when_busy": visualize_when_busy,
        }
        rows = _rows(columns, len(locations), "add_multiple_agents")
        for location, row in zip(locations, rows, strict=True):
            name = row.pop("name", None) or self._free_name("Agent")
            if row["is_traversable"] is None:
                row["is_traversable"] = True
            self.add_agent(location, name=name, **row)

    def _free_name(self, stem: str) -> str:
        taken = {each.name for each in self.agent_settings}
        return next(name for i in range(1, len(taken) + 2) if (name := f"{stem} {i}") not in taken)

    # goals and loggers

    def add_goal(self, world_goal: Goal, overwrite: bool = False) -> None:
        """Add a goal; a world is done when all of its goals hold. It takes the place of the 1000 ticks by default.

        Args:
            world_goal: a number of ticks, a goal, of which each world gets a copy, or a function that makes one.
            overwrite: whether it takes the place of all other goals so far, also of `simulation_goal`.
        """
        self.add_entry("goal", _arguments(locals()))

    def add_collection_goal(
        self,
        name: str,
        collection_locs: Sequence[LocationXY],
        collection_objects: Sequence[Properties] | RandomProperty,
        in_order: bool = False,
        collection_area_colour: str | RandomProperty = "#c87800",
        collection_area_opacity: float | RandomProperty = 1.0,
        overwrite_goals: bool = False,
        signal_locs: Sequence[LocationXY] = (),
    ) -> None:
        """Add the goal to collect objects in an area, and the area with a `CollectionTarget` that lists what is wanted.

        Args:
            name: of the area and the goal.
            collection_locs: the cells of the area, at least one; a single (x, y) is possible as well.
            collection_objects: for each wanted object the properties that it must have, such as
                `{"visualize_colour": "#ff0000"}`; or a random property whose values are such lists.
            in_order: whether they must be brought in the order of the list.
            collection_area_colour: the color of the area's tiles.
            collection_area_opacity: the opacity of the area's tiles.
            overwrite_goals: whether it takes the place of all other goals so far.
            signal_locs: cells in which the colors of the wanted objects are shown, in order; at most as many as are wanted.
        """
        if len(collection_locs) == 2 and all(map(is_number, collection_locs)):
            collection_locs = [collection_locs]  # type: ignore[list-item]
        self.add_entry("collection_goal", _arguments(locals()))

    def add_logger(
        self,
        logger_class: type[GridWorldLogger],
        log_strategy: int | str | None = None,
        save_path: str | FilePath | None = None,
        file_name: str | None = None,
        file_extension: str | None = None,
        delimiter: str | None = None,
        **arguments: Any,
    ) -> None:
        """Add a logger to each world.

        Args:
            logger_class: its class.
            log_strategy: see `GridWorldLogger`, like the following. None: the default of the class.
            save_path: see `GridWorldLogger`.
            file_name: see `GridWorldLogger`.
            file_extension: see `GridWorldLogger`.
            delimiter: see `GridWorldLogger`.
            **arguments: further arguments of the class.
        """
        given = _arguments(locals())
        if isinstance(save_path, FilePath):
            given["save_path"] = str(save_path)
        self.add_entry("logger", {key: value for key, value in given.items() if value is not None})


def _included(probability: float | None, rng: np.random.RandomState) -> bool:
    return probability is None or float(rng.random_sample()) < probability


def _required(value: object, name: str, source: str) -> None:
    if value is None:
        raise refuse("a value is needed", source, name)


def _arguments(scope: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a method, of its `locals()`; those that it takes as `**` among the others."""
    named = dict(scope)
    del named["self"]
    further = named.pop("custom_properties", None) or named.pop("arguments", None) or {}
    return {**named, **further}


def _rows(columns: Mapping[str, Any], count: int, source: str) -> Iterator[dict[str, Any]]:
    """The arguments of each of several objects or agents; those that are None for all are left out.

    Raises:
        DescriptionError: a list has another length than there are locations.
    """
    for name, column in columns.items():
        if isinstance(column, list | tuple) and len(column) != count:
            raise refuse(f"{len(column)} values for {count} locations", source, name)
    for i in range(count):
        row = {key: c[i] if isinstance(c, list | tuple) else c for key, c in columns.items()}
        custom = row.pop("custom_properties")
        yield {**row, **(custom or {})}
