"""A live world: it ticks, and in each tick its agents perceive, decide and act.

Where agents and objects are is kept in a state of the core, which the same compiled program steps that steps batches. Actions
that are made of the core's rules are done by it, all in one call; if an action of this tick can only be done by a class of Python,
all actions of the tick are done by their classes, one after another.
"""

from __future__ import annotations

import copy
import functools
import itertools
import json
import logging
import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np

from gridarium.engine import Recorder, Run, World
from gridarium.engine.single_world import SingleWorld
from gridarium.live.actions import Action, ActionResult, all_actions, find_action
from gridarium.live.actions.action import DURATION, actions_version
from gridarium.live.brains import AgentBrain
from gridarium.live.description import describe, lost_in_description, thing_numbers
from gridarium.live.ids import id_for
from gridarium.live.messages import Message, MessageManager
from gridarium.live.objects import AgentBody, EnvObject
from gridarium.live.objects.core_objects import core_objects
from gridarium.live.objects.core_view import CoreView, Location
from gridarium.live.perception import SenseCapability, State
from gridarium.live.saving import (
    Goal,
    Pending,
    WorldSnapshot,
    plain,
    read_saved,
    snapshot_from_plain,
    snapshot_to_plain,
    unplain,
)
from gridarium.rules.results import text_of
from gridarium.world import Floor
from gridarium.world import State as CoreState
from gridarium.world.agent import ACTIVE
from gridarium.worlds import Description

_LOG = logging.getLogger(__name__)
IDLED = ActionResult(ActionResult.IDLE_ACTION, True)
INCAPABLE = ActionResult(ActionResult.AGENT_NOT_CAPABLE, False)
UNKNOWN = ActionResult(ActionResult.UNKNOWN_ACTION, False)
IDLE = 0
"""The core's index of the action of agents that idle, in worlds that are built."""
MOST_SEED = 1_000_000
MOST_SHOWN = 10
CATALOGUE_IDLE = ("WAIT", "STAY", "NOOP")
"""The actions of worlds of the catalogue that do nothing."""


class BrainFailure(RuntimeError):
    """A brain has raised an exception, or decided upon something that is no action."""


@dataclass
class _Choice:
    """An action by its name, as this world does it.

    Attributes:
        cls: its class; None for an action of the core alone.
        duration: its duration where the agent does not say otherwise.
        plain: the core's index where it takes no arguments, else -1.
        results: the results of the core by their codes, where there are no arguments.
    """

    name: str
    cls: type[Action] | None
    duration: int
    plain: int
    results: dict[int, ActionResult] = field(default_factory=dict)


Due = tuple["_Agent", str | None, dict[str, Any], _Choice | None]
"""What an agent is to do in this tick: the name of the action, its arguments, and what is known of it."""


@dataclass
class _Agent:
    """An agent: its brain, its body, what it is busy with, and what the world knows of its actions."""

    brain: AgentBrain
    body: AgentBody
    agent_id: str
    index: int
    capable: frozenset[str] | None
    pending: Pending | None = None
    keys: list[str] = field(default_factory=list)
    properties: OwnProperties | None = None


class OwnProperties(MutableMapping[str, Any]):
    """The properties of an agent's body, which its brain reads and changes.

    Args:
        body: the body.

    Attributes:
        changed: what the brain has changed since the world looked last.
    """

    def __init__(self, body: AgentBody) -> None:
        self._body = body
        self.changed: dict[str, Any] = {}

    def __getitem__(self, key: str) -> Any:
        return self.changed[key] if key in self.changed else self._body.cached_properties[key]

    def __setitem__(self, key: str, value: Any) -> None:
        if key not in self._body.cached_properties:
            raise KeyError(
                f"agent {self._body.obj_id} has no property {key!r}; its body's add_property adds one"
            )
        self.changed[key] = value

    def __delitem__(self, key: str) -> None:
        raise TypeError("properties of agents cannot be removed")

    def __iter__(self) -> Iterator[str]:
        return iter(self._body.cached_properties)

    def __len__(self) -> int:
        return len(self._body.cached_properties)

    def __repr__(self) -> str:
        return repr({**self._body.cached_properties, **self.changed})


class GridWorld:
    """A live world. `WorldBuilder.get_world` makes one; `GridWorld.of` makes one of a world of the catalogue.

    Args:
        shape: width and height.
        objects: the objects, in order of registration.
        agents: the brains with their bodies, in the order in which they act.
        tick_duration: seconds from one tick to the next in `run`; 0 or less for as fast as possible.
        simulation_goal: when the world is done: a goal, several (all must be reached), or a number of ticks for
            `LimitedTimeGoal`, which whoever makes the world turns into a goal.
        rnd_seed: of all random numbers.
        visualization_bg_clr, visualization_bg_img: how the background is drawn.
        world_id: a name.
        loggers: called in each tick.
        action_parameters: ranges of actions that hold for everybody: `door_range`, `grab_range`, `max_objects`, `drop_range`,
            `remove_range`.
        on_brain_error: what an exception of a brain does: the world stops, with a `BrainFailure` (stop); the agent idles
            in this tick (skip); the agent is removed (remove). In each case it is logged.
        debug: whether it is checked that `is_possible` of actions changes nothing, which takes time.
        compiled: whether the core's rules are compiled.

    Attributes:
        errors: the exceptions of brains so far, as (tick, agent id, exception), the last thousand.
        decisions: for each tick what each agent decided, for `replay`.
        See also `WorldInterface`.

    Raises:
        ValueError: objects or agents that cannot be where they are, or that are outside.

    Source: MATRX 2.3.3; the order of a tick is that of its `GridWorld`.

    Example:
        >>> world = GridWorld(
        ...     (5, 5), [Wall((2, 2))], [(AgentBrain(), AgentBody((0, 0), "Bob"))], compiled=False
        ... )
        >>> world.step()
        False
        >>> world.current_nr_ticks
        1
    """

    def __init__(
        self,
        shape: tuple[int, int],
        objects: Iterable[EnvObject] = (),
        agents: Iterable[tuple[AgentBrain, AgentBody]] = (),
        *,
        tick_duration: float = 0.5,
        simulation_goal: Goal | Sequence[Goal] = (),
        rnd_seed: int = 1,
        visualization_bg_clr: str = "#C2C2C2",
        visualization_bg_img: str | None = None,
        world_id: str = "world_1",
        loggers: Sequence[Any] = (),
        action_parameters: Mapping[str, float] | None = None,
        on_brain_error: Literal["stop", "skip", "remove"] = "stop",
        debug: bool = False,
        compiled: bool = True,
    ) -> None:
        self._set_up(
            tick_duration, simulation_goal, rnd_seed, visualization_bg_clr, visualization_bg_img, world_id,
            loggers, on_brain_error, debug,
        )  # fmt: skip
        self.shape = (int(shape[0]), int(shape[1]))
        self.action_parameters = dict(action_parameters or {})
        self._compiled, self._is_built = compiled, True
        taken: set[str] = set()
        blocked: dict[Location, EnvObject] = {}
        for obj in objects:
            obj.obj_id = id_for(obj.obj_name, taken)
            taken.add(obj.obj_id)
            self._check_place(obj, blocked)
            self._objects[obj.obj_id] = obj
        for brain, body in agents:
            body.obj_id = id_for(body.obj_name, taken, lower=True)
            taken.add(body.obj_id)
            self._check_place(body, blocked)
            self._enlist(brain, body)
        self._make_core()
        self._first = self.snapshot()

    @classmethod
    def of(
        cls,
        world: World | Any,
        brains: Sequence[AgentBrain | tuple[AgentBrain, Mapping[str, Any]]],
        *,
        seed: int = 0,
        allow_imports: bool = False,
        compiled: bool = True,
        **options: Any,
    ) -> GridWorld:
        """A live world of any world: of the catalogue, of a file, of a description.

        Its actions are named as in the description; its objects are its cells and things, see `CoreObject`.

        Args:
            world: a `World`, or what makes one.
            brains: one for each agent; with its body's properties, if there are any to give.
            seed: of the episode.
            allow_imports: as for `World`.
            compiled: as for `World`.
            options: as for the constructor: `tick_duration`, `simulation_goal` and so on.

        Raises:
            ValueError: the wrong number of brains; see also `World`.
        """
        core = (
            world
            if isinstance(world, World)
            else World(world, compiled=compiled, allow_imports=allow_imports)
        )
        self = cls.__new__(cls)
        given: dict[str, Any] = {
            "tick_duration": 0.5, "simulation_goal": (), "visualization_bg_clr": "#C2C2C2",
            "visualization_bg_img": None, "world_id": core.name, "loggers": (), "on_brain_error": "stop", "debug": False,
        }  # fmt: skip
        if unknown := options.keys() - given.keys():
            raise TypeError(f"GridWorld.of takes no {sorted(unknown)[0]!r}; it takes {', '.join(given)}")
        given.update(options)
        self._set_up(rnd_seed=seed, **given)
        if len(brains) != core.spec.agents:
            raise ValueError(f"{core.name} has {core.spec.agents} agents; {len(brains)} brains are given")
        self.shape = (core.spec.shape.width, core.spec.shape.height)
        self.action_parameters, self._compiled, self._is_built = {}, compiled, False
        names = list(dict.fromkeys(action.name.partition("(")[0] for action in core.actions))
        for index, (given_brain, name) in enumerate(zip(brains, core.spec.agent_names, strict=True)):
            brain, properties = given_brain if isinstance(given_brain, tuple) else (given_brain, {})
            allowed = {
                action.name.partition("(")[0]
                for action, has in zip(core.actions, core.spec.action_masks[index], strict=True)
                if has
            }
            body = AgentBody(
                (0, 0),
                name,
                possible_actions=[n for n in names if n in allowed],
                class_callable=type(brain),
                **properties,
            )
            body.obj_id = id_for(name, {*self._agents}, lower=True)
            body.shows_core = True
            self._enlist(brain, body)
        self.core = core
        self._stepper = SingleWorld(core.composed, shared=True)
        self._stepper.reset(seed)
        self._core_view = CoreView(self._stepper.view, list(self._agents), self._cannot_grow)
        self._join_agents()
        self._after_making_core()
        self._first = self.snapshot()
        return self

    def _set_up(
        self, tick_duration: float, simulation_goal: Any, rnd_seed: int, visualization_bg_clr: str,
        visualization_bg_img: str | None, world_id: str, loggers: Sequence[Any], on_brain_error: str, debug: bool,
    ) -> None:  # fmt: skip
        if on_brain_error not in ("stop", "skip", "remove"):
            raise ValueError(f"on_brain_error is stop, skip or remove, not {on_brain_error!r}")
        self.tick_duration, self.world_id = float(tick_duration), str(world_id)
        several = isinstance(simulation_goal, Sequence)
        self._goals: list[Goal] = list(simulation_goal) if several else [simulation_goal]
        self.rnd_seed, self.rnd_gen = int(rnd_seed), np.random.RandomState(int(rnd_seed))
        self.vis_settings: dict[str, Any] = {
            "vis_bg_clr": visualization_bg_clr,
            "vis_bg_img": visualization_bg_img,
        }
        self.loggers: list[Any] = list(loggers)
        self.on_brain_error, self.debug = on_brain_error, debug
        self.version = 0
        self.scene: object = None
        self.teams: dict[str, list[str]] = {}
        self._objects: dict[str, EnvObject] = {}
        self._agents: dict[str, _Agent] = {}
        self._bodies: dict[str, AgentBody] = {}
        self._present: dict[str, EnvObject] | None = None
        self._tick, self._done, self._begun = 0, False, False
        self.message_manager = MessageManager(self._bodies, self.teams)
        self._from_people: list[Message] = []
        self.errors: list[tuple[int, str, BaseException]] = []
        self.decisions: list[dict[str, tuple[str | None, dict[str, Any]]]] = []
        self.rewards: dict[str, float] = {}
        self._choices: dict[str, _Choice] = {}
        self._choices_of = -1
        self._active: list[EnvObject] = []
        self._last_choices: list[int] | None = None

    # making

    def _check_place(self, obj: EnvObject, blocked: dict[Location, EnvObject]) -> None:
        x, y = obj.location
        if not (0 <= x < self.shape[0] and 0 <= y < self.shape[1]):
            raise ValueError(
                f"{obj.obj_id} is at {obj.location}, outside of the world, which is {self.shape[0]} wide and "
                f"{self.shape[1]} high"
            )
        if obj.is_traversable:
            return
        other = blocked.setdefault(obj.location, obj)
        if other is not obj:
            raise ValueError(
                f"Invalid placement: {obj.obj_id} and {other.obj_id} are both at {obj.location}, and neither is traversable"
            )

    def _enlist(self, brain: AgentBrain, body: AgentBody) -> None:
        """Add an agent to the lists, but not to the core."""
        agent_id = body.obj_id
        possible = body.possible_actions
        if possible is None:
            body.action_set = all_actions()
        else:
            body.action_set = list(dict.fromkeys(possible))
        body.teams = body.teams or [f"{agent_id}_team"]
        if body.sense_capability is None:
            body.sense_capability = SenseCapability({None: math.inf})
        capable = None if possible is None else frozenset(possible)
        self._agents[agent_id] = _Agent(brain, body, agent_id, len(self._agents), capable)
        self._bodies[agent_id] = body
        for team in body.teams:
            self.teams.setdefault(team, []).append(agent_id)

    def _describe(self, **further: Any) -> Description:
        bodies = [agent.body for agent in self._agents.values()] or [AgentBody(self._free_cell(), "nobody")]
        return describe(
            _label(self.world_id),
            self.shape,
            list(self._objects.values()),
            bodies,
            parameters=self.action_parameters,
            **further,
        )

    def _free_cell(self) -> Location:
        """The first cell that agents can be in; the first of all if there is none."""
        blocked = {obj.location for obj in self._objects.values() if not obj.is_traversable}
        cells = itertools.product(range(self.shape[0]), range(self.shape[1]))
        return next((cell for cell in cells if cell not in blocked), (0, 0))

    def _make_core(self) -> None:
        """Make the core's world of the objects and agents, and its first state."""
        described = self._describe()
        self.core = World(described, compiled=self._compiled)
        start = World(self.core.spec, compiled=False).reset(self.rnd_seed)
        self._stepper = SingleWorld(World(_stepped(described), compiled=self._compiled).composed, shared=True)
        self._stepper.reset(self.rnd_seed, state=start)
        if not self._agents:
            self._stepper.view.agents[0].active = False
        self._core_view = CoreView(self._stepper.view, list(self._agents), self._grow)
        numbers = thing_numbers(list(self._objects.values()))
        for obj, number in zip(self._objects.values(), numbers, strict=True):
            obj.join(self._core_view, number)
        self._join_agents()
        self._after_making_core()

    def _join_agents(self) -> None:
        for agent in self._agents.values():
            agent.body.join(self._core_view, agent.index)

    def _after_making_core(self) -> None:
        names = [action.name.partition("(")[0] for action in self.core.actions]
        self.core_indices: dict[str, int] = {}
        for index, name in enumerate(names):
            self.core_indices.setdefault(name, index)
        takes_arguments = {
            name for action, name in zip(self.core.actions, names, strict=True) if "(" in action.name
        }
        self._plain = {n: i for n, i in self.core_indices.items() if n not in takes_arguments}
        idle = next((self._plain[n] for n in CATALOGUE_IDLE if n in self._plain), None)
        self._idle = idle
        self._first_on_things = min(
            set(self.core_indices.values()) - set(self._plain.values()), default=1 << 62
        )
        self._choices, self._choices_of = {}, actions_version()
        self._by_number = {obj.number: obj for obj in self._objects.values() if obj.number >= 0}
        self._active = [obj for obj in self._objects.values() if _is_active(obj)]
        for agent in self._agents.values():
            agent.body.carry(self._by_number)
        self._changed()

    def _grow(self) -> None:
        """Move on to a core with room for twice as many things."""
        self._rebuild(2 * len(self._core_view.things))

    def _cannot_grow(self) -> None:
        raise OverflowError(f"{self.core.name} has no room for more things (things: capacity)")

    def _rebuild(self, capacity: int | None = None) -> None:
        """Make the core anew, with the agents there are now, and keep all rows.

        Args:
            capacity: for how many things there is to be room; by default as many as before.
        """
        old = self._core_view.state
        described = self._describe()
        bigger = {**described.to_dict()}
        capacity = len(self._core_view.things) if capacity is None else capacity
        bigger["things"] = {**bigger["things"], "capacity": capacity, "carried": capacity}
        self.core = World(Description.from_dict(bigger), compiled=self._compiled)
        stepped = World(_stepped(self.core.spec.description), compiled=self._compiled)
        new = stepped.blank_state()
        _copy_rows(old, new)
        self._stepper = SingleWorld(stepped.composed, shared=True)
        self._stepper.reset(self.rnd_seed, state=new)
        self._core_view.attach(self._stepper.view)
        self._core_view.agent_ids[:] = list(self._agents)
        self._after_making_core()

    # what there is

    @property
    def current_nr_ticks(self) -> int:
        """The number of ticks since the beginning."""
        return self._tick

    @property
    def is_done(self) -> bool:
        """Whether all goals have been reached, or the episode of the core has ended."""
        return self._done

    @property
    def simulation_goal(self) -> tuple[Goal, ...]:
        """The goals, all of which are to be reached."""
        return tuple(self._goals)

    @property
    def registered_agents(self) -> Mapping[str, AgentBody]:
        """The bodies of the agents by their ids, in the order in which they act."""
        return self._bodies

    @property
    def brains(self) -> dict[str, AgentBrain]:
        """The brains of the agents by their ids."""
        return {agent.agent_id: agent.brain for agent in self._agents.values()}

    @property
    def environment_objects(self) -> Mapping[str, EnvObject]:
        """The objects by their ids, but for those that are carried."""
        if self._present is None:
            if not self._is_built:
                self._objects = {obj.obj_id: obj for obj in core_objects(self._core_view)}
                self._by_number = {obj.number: obj for obj in self._objects.values() if obj.number >= 0}
                for agent in self._agents.values():
                    agent.body.carry(self._by_number)
            core = self._core_view
            self._present = {
                obj_id: obj
                for obj_id, obj in self._objects.items()
                if obj.number < 0 or core.carrier(obj.number) < 0
            }
        return self._present

    @property
    def core_state(self) -> CoreState:
        """The state of the core, not copied."""
        return self._core_view.state

    @property
    def world_state(self) -> State:
        """The state of the whole world, fresh."""
        return State(None).look(self)

    @property
    def grid(self) -> np.ndarray[Any, np.dtype[np.object_]]:
        """object[height, width]: the ids of what is in each cell, None where nothing is."""
        cells = np.full((self.shape[1], self.shape[0]), None, dtype=object)
        for obj_id, obj in itertools.chain(self.environment_objects.items(), self._bodies.items()):
            x, y = obj.location
            cells[y, x] = [*(cells[y, x] or ()), obj_id]
        return cells

    def find(self, object_id: str) -> EnvObject | None:
        """The object or agent with an id, also a carried one."""
        if not self._is_built:
            _ = self.environment_objects
        return self._objects.get(object_id) or self._bodies.get(object_id)

    def get_env_object(self, requested_id: str, obj_type: type | None = None) -> EnvObject | None:
        """The object or agent with an id; None if there is none (a carried one is not there), or it has another type."""
        found = self.environment_objects.get(requested_id) or self._bodies.get(requested_id)
        return None if found is None or (obj_type is not None and not isinstance(found, obj_type)) else found

    def get_objects_in_range(
        self, agent_loc: Location, object_type: type | str | None, sense_range: float
    ) -> dict[str, EnvObject]:
        """The objects, then the agents, of a type (None or "*" for any) within a Euclidean distance."""
        x, y = agent_loc
        limit = sense_range * sense_range
        found: dict[str, EnvObject] = {}
        for obj_id, obj in itertools.chain(self.environment_objects.items(), self._bodies.items()):
            if object_type in (None, "*") or isinstance(obj, object_type):  # type: ignore[arg-type]
                there_x, there_y = obj.location
                if (there_x - x) ** 2 + (there_y - y) ** 2 <= limit:
                    found[obj_id] = obj
        return found

    def objects_at(self, location: Location) -> list[EnvObject]:
        """The objects, then the agents, in a cell."""
        every = itertools.chain(self.environment_objects.values(), self._bodies.values())
        return [obj for obj in every if obj.location == tuple(location)]

    def description(
        self, *, drop_properties: bool = False, action_masks: bool = False, **further: Any
    ) -> Description:
        """The world as it is now, as a description of the core: for batches and environments, in which it is trained on.

        A goal becomes rules: `LimitedTimeGoal` a time limit, `CollectionGoal` a termination and rewards. An agent that was trained
        there is put here with a `PolicyBrain`.

        Args:
            drop_properties: whether properties of Python, which no rule of the core knows, may be lost.
            action_masks: whether environments say which actions would succeed.
            further: keys of the description, in place of those that follow from the goals: `time_limit`, `rewards`,
                `terminations`, `observation`, `representation` and so on.

        Raises:
            ValueError: there is something that a description cannot say; the message lists it.
        """
        self._must_be_built("descriptions are made")
        objects, bodies = list(self._objects.values()), list(self._bodies.values())
        lost = lost_in_description(objects, bodies, properties=not drop_properties)
        if not {"time_limit", "terminations"} & further.keys():
            rules = [goal.as_rules(self) for goal in self._goals]
            if None in rules:
                lost += [
                    f"the goal {type(g).__name__} is Python"
                    for g, r in zip(self._goals, rules, strict=True)
                    if r is None
                ]
            elif len([r for r in rules if r]) > 1:
                lost.append(
                    "several goals must all be reached; say when episodes end: time_limit=..., terminations=[...]"
                )
            else:
                further = {key: value for r in rules if r for key, value in r.items()} | further
        elif "rewards" not in further:
            for rule in filter(None, (goal.as_rules(self) for goal in self._goals)):
                further = {key: value for key, value in rule.items() if key != "time_limit"} | further
        if lost:
            shown = "\n  ".join(lost[:MOST_SHOWN]) + ("\n  ..." if len(lost) > MOST_SHOWN else "")
            hint = "" if drop_properties else "\ndrop_properties=True leaves out properties"
            raise ValueError(f"{self.world_id} is no description of the core:\n  {shown}{hint}")
        if action_masks:
            further["illegal"] = "attempt"
        return self._describe(**further)

    # changing it

    def _changed(self) -> None:
        self.version += 1
        self._present = None

    def add_object(self, obj: EnvObject) -> str:
        """Add an object; returns its id, which is made unique.

        Raises:
            ValueError: it is in a world already, it is outside, or something that is not traversable is in its way.
        """
        self._must_be_built("objects can be added")
        if obj.in_core:
            raise ValueError(f"{obj.obj_id} is in a world already")
        obj.obj_id = id_for(obj.obj_name, {*self._objects, *self._bodies})
        there = self._blocking(obj.location)
        self._check_place(obj, there)
        core, cell = self._core_view, obj.core_cell()
        if cell is not None and isinstance(core.cell(obj.location), Floor):
            core.set_cell(obj.location, cell)
            obj.join(core, -1)
        else:
            number = core.free_number()
            core.add_thing(number, obj.core_object(), obj.core_colour, obj.location)
            obj.join(core, number)
            self._by_number[number] = obj
        self._objects[obj.obj_id] = obj
        if _is_active(obj):
            self._active.append(obj)
        self._changed()
        return obj.obj_id

    def add_agent(self, brain: AgentBrain, body: AgentBody) -> str:
        """Add an agent, which acts after the others; returns its id, which is made unique.

        Raises:
            ValueError: as `add_object`.
        """
        self._must_be_built("agents can be added")
        if body.in_core:
            raise ValueError(f"{body.obj_id} is in a world already")
        body.obj_id = id_for(body.obj_name, {*self._objects, *self._bodies}, lower=True)
        there = self._blocking(body.location)
        self._check_place(body, there)
        self._enlist(brain, body)
        agent = self._agents[body.obj_id]
        location, traversable = body.location, body.is_traversable
        self._rebuild()
        body.join(self._core_view, agent.index)
        body.location, body.is_traversable = location, traversable
        self._core_view.agent_rows[agent.index, ACTIVE] = 1
        if self._begun:
            self._set_up_brain(agent)
            agent.brain.initialize()
        return body.obj_id

    _register_env_object = add_object
    _register_agent = add_agent

    def _blocking(self, location: Location) -> dict[Location, EnvObject]:
        """What in a cell is not traversable, by its location."""
        found = next((other for other in self.objects_at(location) if not other.is_traversable), None)
        return {} if found is None else {location: found}

    def _must_be_built(self, what: str) -> None:
        if not self._is_built:
            raise ValueError(
                f"{what} in worlds that are built, not in {self.core.name}, whose kinds are fixed"
            )

    def remove_from_grid(self, object_id: str, remove_from_carrier: bool = True) -> bool:
        """Remove an object or an agent; what an agent carried lies where it was.

        Args:
            object_id: its id.
            remove_from_carrier: whether a carried object is removed, too.

        Returns:
            Whether there was one.
        """
        if object_id in self._bodies:
            self._remove_agent(object_id)
            return True
        obj = self.find(object_id)
        if obj is None or (obj.carried_by and not remove_from_carrier):
            return False
        core, number = self._core_view, obj.number
        if number < 0:
            core.set_cell(obj.location, Floor())
        obj.leave()
        if number >= 0:
            core.remove_thing(number)
            self._by_number.pop(number, None)
        self._objects.pop(object_id, None)
        if obj in self._active:
            self._active.remove(obj)
        self._changed()
        return True

    def _remove_agent(self, agent_id: str) -> None:
        agent = self._agents.pop(agent_id)
        for carried in agent.body.is_carrying:
            carried.location = agent.body.location
        self._core_view.agent_rows[agent.index, ACTIVE] = 0
        agent.body.leave()
        del self._bodies[agent_id]
        for members in self.teams.values():
            if agent_id in members:
                members.remove(agent_id)
        self._changed()

    # time

    def reset(self, seed: int | None = None) -> None:
        """Begin again from how the world was made.

        Args:
            seed: of all random numbers; by default the one that the world was made with.
        """
        if seed is not None:
            self.rnd_seed = int(seed)
        self.restore(self._first)
        self.rnd_gen = np.random.RandomState(self.rnd_seed)
        self.decisions, self.errors, self._from_people = [], [], []
        self.rewards = {}
        for agent in self._agents.values():
            agent.body.begin()
            agent.keys.clear()
        self._begun = False
        self.begin()

    def begin(self) -> None:
        """Give the brains their bodies and let them perceive, if that was not done yet; `reset` and the first `step` do so."""
        if self._begun:
            return
        self._begun = True
        seeds = np.random.RandomState(self.rnd_seed)
        for agent in self._agents.values():
            self._set_up_brain(agent, int(seeds.randint(1, MOST_SEED)))
        for agent in list(self._agents.values()):
            self._guarded(agent, agent.brain.initialize)
            self._guarded(agent, functools.partial(self._perceive, agent))

    def _set_up_brain(self, agent: _Agent, seed: int | None = None) -> None:
        agent.properties = OwnProperties(agent.body)
        agent.brain.setup(
            agent_id=agent.agent_id,
            agent_name=agent.body.obj_name,
            action_set=agent.body.action_set,
            sense_capability=agent.body.sense_capability,
            agent_properties=agent.properties,
            rnd_seed=int(self.rnd_gen.randint(1, MOST_SEED)) if seed is None else seed,
            key_action_map=agent.body.key_action_map,
            ask=lambda name, kwargs: self.is_possible(agent.agent_id, name, kwargs),
        )

    def step(self) -> bool:
        """Let one tick pass; returns whether the world is done, in which case nothing happens.

        Goals are looked at first, so that a world with the goal of 10 ticks runs 10.

        Raises:
            BrainFailure: a brain has raised an exception, where `on_brain_error` is "stop"; nothing of this tick has happened
                but for the brains before it.
            Exception: an action or an object has raised one.
        """
        self.begin()
        status = self._goal_status()
        self._done = self._stepper.ended or (bool(status) and all(status.values()))
        if self.loggers:
            data = {a.agent_id: a.brain.get_log_data() for a in self._agents.values()}
            for logger in self.loggers:
                logger.record(self, data, self._done, status)
        if self._done:
            return True
        decided: dict[str, tuple[str | None, dict[str, Any]]] = {}
        due: list[Due] = []
        sent: list[Message] = []
        if self._choices_of != actions_version():
            self._choices, self._choices_of = {}, actions_version()
        for agent in list(self._agents.values()):
            self._let_decide(agent, decided, due)
            if agent.brain.messages_to_send:
                sent += agent.brain.messages_to_send
                agent.brain.messages_to_send = []
        sent += self._from_people
        self._from_people = []
        self.decisions.append(decided)
        self._execute(due)
        self._deliver(sent)
        self._tick += 1
        self.version += 1
        if self._active:
            self._update_objects()
        return False

    def run(self, max_ticks: int | None = None) -> int:
        """Let ticks pass, one each `tick_duration` seconds, until the world is done; returns their number.

        Args:
            max_ticks: stop after so many.
        """
        count = 0
        due = time.monotonic()
        while (max_ticks is None or count < max_ticks) and not self.step():
            count += 1
            if self.tick_duration > 0:
                due = max(due + self.tick_duration, time.monotonic() - self.tick_duration)
                time.sleep(max(0.0, due - time.monotonic()))
        return count

    def _goal_status(self) -> dict[Goal, bool]:
        return {goal: goal.check(self) for goal in self._goals}

    def _perceive(self, agent: _Agent) -> State:
        agent.brain.perceive(self)
        return agent.brain.filter_observations(agent.brain.state)

    def _let_decide(
        self, agent: _Agent, decided: dict[str, tuple[str | None, dict[str, Any]]], due: list[Due]
    ) -> None:
        """Let an agent perceive and, unless it is busy, decide; what is to be done in this tick is added to `due`."""
        body, brain, pending = agent.body, agent.brain, agent.pending
        name: str | None = None
        kwargs: dict[str, Any] = {}
        try:
            brain.perceive(self)
            state = brain.filter_observations(brain.state)
            if pending is None:
                if brain.wants_user_input:
                    keys, agent.keys = agent.keys, []
                    decision = brain.decide_on_action(state, keys)  # type: ignore[call-arg]
                else:
                    decision = brain.decide_on_action(state)
                name, kwargs = _checked(agent.agent_id, decision)
                if agent.properties is not None and agent.properties.changed:
                    self._change_properties(agent)
        except Exception as error:
            self._contain(agent, error)
            if agent.agent_id not in self._agents:
                return
        if pending is not None:
            if pending.until <= self._tick:
                agent.pending = None
                due.append((agent, pending.name, pending.kwargs, self._choice(pending.name)))
            return
        decided[agent.agent_id] = name, kwargs
        choice, duration = None, 0
        if name is not None:
            choice = self._choice(name)
            duration = _duration(kwargs, choice.duration) if kwargs else choice.duration
        body.current_action, body.current_action_args = name, kwargs
        body.current_action_duration, body.current_action_started_at_tick = duration, self._tick
        if name is not None and duration > 0:
            agent.pending = Pending(name, kwargs, self._tick + duration)
            body.is_blocked = True
            brain.previous_action = name
        else:
            due.append((agent, name, kwargs, choice))

    def _choice(self, name: str) -> _Choice:
        """What is known of an action."""
        found = self._choices.get(name)
        if found is None:
            cls = find_action(name)
            duration = 0 if cls is None else cls().duration_in_ticks
            plain = self._plain.get(name, -1)
            if cls is not None and plain >= 0 and cls.core_index(self, "", {}) != plain:
                plain = -1  # a class that is not made of the core's action of its name
            found = self._choices[name] = _Choice(name, cls, duration, plain)
        return found

    def _change_properties(self, agent: _Agent) -> None:
        assert agent.properties is not None
        changed, agent.properties.changed = agent.properties.changed, {}
        for key, value in changed.items():
            agent.body.change_property(key, value)

    def _guarded(self, agent: _Agent, call: Callable[[], Any]) -> Any:
        try:
            return call()
        except Exception as error:
            return self._contain(agent, error)

    def _contain(self, agent: _Agent, error: Exception) -> None:
        """Handle an exception of a brain as `on_brain_error` says."""
        self.errors = [*self.errors[-999:], (self._tick, agent.agent_id, error)]
        text = f"the brain of agent {agent.agent_id} failed in tick {self._tick}: {type(error).__name__}: {error}"
        if self.on_brain_error == "stop":
            raise BrainFailure(text) from error
        _LOG.error(
            "%s; the agent %s",
            text,
            "idles" if self.on_brain_error == "skip" else "is removed",
            exc_info=error,
        )
        if self.on_brain_error == "remove":
            self._remove_agent(agent.agent_id)

    # actions

    def _execute(self, due: Sequence[Due]) -> None:
        """Do what is to be done in this tick: in one call of the core if it can, or by classes, in order."""
        indices = self._last_choices = self._core_choices(due)
        if indices is not None:
            self._stepper.advance(indices)
            results = self._stepper.results.tolist()
            for agent, name, kwargs, choice in due:
                result = self._result_of(results[agent.index], agent, name, kwargs, choice)
                agent.brain.previous_action, agent.brain.previous_action_result = name, result
                agent.body.is_blocked = False
        else:
            self._do_one_after_another(due)
            self._stepper.advance(self._idle_indices())
        if not self._is_built:
            self._present = None
            self._collect_rewards()
        elif indices is None or max(indices) >= self._first_on_things:
            self._present = None
            self._forget_removed()

    def _idle_indices(self) -> list[int]:
        if self._idle is None:
            raise ValueError(f"{self.core.name} has no action that does nothing, so its agents cannot idle")
        return [self._idle] * len(self._core_view.agent_rows)

    def _core_choices(self, due: Sequence[Due]) -> list[int] | None:
        """The core's action of each agent; None if not all that is to be done can be done by the core."""
        indices = [self._idle or 0] * len(self._core_view.agent_rows)
        acting = 0
        for agent, name, kwargs, choice in due:
            if choice is None or (agent.capable is not None and name not in agent.capable):
                continue  # idles; `_result_of` says why
            index = choice.plain
            if kwargs or index < 0:
                if choice.cls is None:
                    index = self._core_index(choice.name, kwargs)
                else:
                    index = choice.cls.core_index(self, agent.agent_id, kwargs)
                    if index < 0:
                        return None
            if index >= 0:
                indices[agent.index] = index
                acting += 1
        return self._idle_indices() if acting == 0 else indices

    def _core_index(self, name: str, kwargs: Mapping[str, Any]) -> int:
        """The index of an action of the core without a class of its own, by its name and arguments; -1 if there is none."""
        if name in self._plain:
            return self._plain[name]
        if name not in self.core_indices:
            return -1
        given = {key: value for key, value in kwargs.items() if key not in DURATION}
        text = f"{name}({', '.join(map(str, given.values()))})"
        return next((i for i, action in enumerate(self.core.actions) if action.name == text), -1)

    def _result_of(
        self, code: int, agent: _Agent, name: str | None, kwargs: dict[str, Any], choice: _Choice | None
    ) -> ActionResult:
        """The result of what the core has done."""
        if choice is None:
            return IDLED
        if agent.capable is not None and name not in agent.capable:
            known = choice.cls is not None or choice.name in self.core_indices
            return INCAPABLE if known else UNKNOWN
        if not kwargs and choice.plain >= 0:
            result = choice.results.get(code)
            if result is None:
                result = choice.results[code] = self._result_for(code, agent, kwargs, choice)
            return result
        return self._result_for(code, agent, kwargs, choice)

    def _result_for(self, code: int, agent: _Agent, kwargs: dict[str, Any], choice: _Choice) -> ActionResult:
        if choice.cls is not None:
            return choice.cls.result_of(code, kwargs, agent.agent_id)
        if self._core_index(choice.name, kwargs) < 0:
            return UNKNOWN
        return ActionResult(text_of(code), code == 0)

    def _give_result(self, agent: _Agent, name: str | None, result: ActionResult) -> None:
        agent.brain.previous_action, agent.brain.previous_action_result = name, result
        agent.body.is_blocked = False

    def _do_one_after_another(self, due: Sequence[Due]) -> None:
        for agent, name, kwargs, _ in due:
            if agent.agent_id not in self._agents:
                gone = ActionResult.AGENT_WAS_REMOVED.replace("{AGENT_ID}", agent.agent_id)
                self._give_result(agent, name, ActionResult(gone, False))
            elif name is None:
                self._give_result(agent, name, IDLED)
            else:
                self._give_result(agent, name, self._do(agent, name, kwargs))
                self._changed()

    def _do(self, agent: _Agent, name: str, kwargs: dict[str, Any]) -> ActionResult:
        possible = self.is_possible(agent.agent_id, name, kwargs)
        cls = find_action(name)
        if not possible.succeeded or cls is None:
            return possible
        result = cls().mutate(
            self, agent_id=agent.agent_id, world_state=self.world_state, **_without_deprecated(kwargs)
        )
        return self._is_result(result, cls, "mutate")

    def is_possible(
        self, agent_id: str, action: str | None, kwargs: Mapping[str, Any] | None = None
    ) -> ActionResult:
        """What would come of an action now, without doing it.

        Args:
            agent_id: who would act.
            action: the name of the action; None for idling.
            kwargs: its arguments.

        Raises:
            TypeError: the action's `is_possible` did not return an `ActionResult`.
            RuntimeError: it has changed the world, where `debug` is on.
        """
        given = dict(kwargs or {})
        agent = self._agents.get(agent_id)
        if agent is None:
            return ActionResult(ActionResult.AGENT_WAS_REMOVED.replace("{AGENT_ID}", agent_id), False)
        if action is None:
            return IDLED
        cls = find_action(action)
        if cls is None and action not in self.core_indices:
            return UNKNOWN
        if agent.capable is not None and action not in agent.capable:
            return INCAPABLE
        if cls is None:
            return self._core_allows(agent, action, given)
        if missing := cls.missing_arguments(given):
            text = f"{action} needs the argument{'s' * (len(missing) > 1)} {', '.join(missing)}, which the agent did not give."
            return ActionResult(text, False)
        before = self._fingerprint() if self.debug else None
        result = cls().is_possible(
            self, agent_id=agent_id, world_state=self.world_state, **_without_deprecated(given)
        )
        if before is not None and self._fingerprint() != before:
            raise RuntimeError(f"{action}.is_possible has changed the world; only mutate may do so")
        return self._is_result(result, cls, "is_possible")

    def _core_allows(self, agent: _Agent, action: str, kwargs: Mapping[str, Any]) -> ActionResult:
        """Whether the legal rules of a world of the catalogue allow an action."""
        index = self._core_index(action, kwargs)
        if index < 0:
            return UNKNOWN
        mask = self._stepper.action_masks[agent.index]
        return ActionResult(
            ActionResult.ACTION_SUCCEEDED if mask[index] else ActionResult.ACTION_NOT_POSSIBLE,
            bool(mask[index]),
        )

    def _is_result(self, result: Any, cls: type[Action], method: str) -> ActionResult:
        if isinstance(result, ActionResult):
            return result
        raise TypeError(f"{cls.__name__}.{method} returned {result!r}; an ActionResult is needed")

    def _fingerprint(self) -> Any:
        every = itertools.chain(self._objects.values(), self._bodies.values())
        return self.core_state.tobytes(), [(o.obj_id, repr(o.properties)) for o in every]

    def _forget_removed(self) -> None:
        """Forget the objects that rules of the core have removed."""
        gone = [number for number in self._by_number if not self._core_view.exists(number)]
        for number in gone:
            obj = self._by_number.pop(number)
            obj.leave()
            self._objects.pop(obj.obj_id, None)

    def _collect_rewards(self) -> None:
        rewards = self._stepper.rewards.tolist()
        self.rewards = {agent.agent_id: rewards[agent.index] for agent in self._agents.values()}

    def _update_objects(self) -> None:
        """Let objects do what they do by themselves, but for those that are carried."""
        state = self.world_state
        for obj in list(self._active):
            if obj.in_core and not obj.carried_by:
                obj.update(self, state)
        self._changed()

    # messages and people

    def put_message(self, message: Message) -> None:
        """Send a message that a person has written, with the next tick, as if the agent had sent it."""
        self._from_people.append(message)

    def put_user_input(self, agent_id: str, keys: Sequence[str]) -> None:
        """Give an agent keys that a person has pressed; its brain gets them when it decides next.

        Raises:
            KeyError: there is no such agent.
        """
        self._agents[agent_id].keys += keys

    def _deliver(self, sent: Sequence[Message]) -> None:
        for message in sent:
            for one in self.message_manager.expand(message, self._tick):
                receiver = self._agents.get(str(one.to_id))
                if receiver is not None:
                    receiver.brain.received_messages.append(one)

    # the past

    def snapshot(self) -> WorldSnapshot:
        """Copy the world: its state, objects, agents, goals and messages. What brains keep themselves is not in it."""
        return WorldSnapshot(
            core=self.core_state.copy(),
            objects=[(o, o.number, o.kept_in_python()) for o in self._objects.values()]
            if self._is_built
            else [],
            agents=[
                (a.body, a.index, a.body.kept_in_python(), copy.deepcopy(a.pending))
                for a in self._agents.values()
            ],
            goals=copy.deepcopy(self._goals),
            tick=self._tick,
            messages=self.message_manager.to_dict(),
            numbers=self.rnd_gen.get_state(legacy=False),
            done=self._done,
        )

    def restore(self, snapshot: WorldSnapshot) -> None:
        """Go back to a snapshot of this world. Brains are not changed.

        Raises:
            ValueError: agents were added since, or removed.
        """
        bodies = [body for body, _, _, _ in snapshot.agents]
        known = {id(agent.body): agent for agent in self._agents.values()}
        if any(id(body) not in known for body in bodies):
            raise ValueError("a snapshot with agents that have been removed since cannot be restored")
        if len(bodies) != len(known):
            raise ValueError("a snapshot from before an agent was added cannot be restored")
        if self._is_built:
            for obj in self._objects.values():
                obj.leave()
        if snapshot.core.vocabulary != self.core_state.vocabulary:
            self._rebuild(snapshot.core.vocabulary.thing_capacity)
        self._stepper.batch.set_state(0, snapshot.core)
        self._core_view.attach(self._stepper.view)
        self._objects = {}
        for obj, number, kept in snapshot.objects:
            obj.keep_in_python(kept)
            obj.join(self._core_view, number)
            self._objects[obj.obj_id] = obj
        for body, _, kept, pending in snapshot.agents:
            body.keep_in_python(kept)
            known[id(body)].pending = copy.deepcopy(pending)
        self._goals = copy.deepcopy(snapshot.goals)
        self._tick, self._done = snapshot.tick, snapshot.done
        self.message_manager.load_dict(snapshot.messages)
        self.rnd_gen.set_state(snapshot.numbers)
        self._after_making_core()

    def save(self, path: str | Path) -> None:
        """Write the world to a file, as JSON: all that a snapshot has, and the decisions so far.

        Raises:
            TypeError: a property of an object or an argument of an action is no plain data; the message says which.
        """
        data = {**snapshot_to_plain(self.snapshot()), "decisions": plain(self.decisions, "the decisions")}
        Path(path).write_text(json.dumps(data, allow_nan=False), encoding="utf-8")

    def load(self, path: str | Path) -> None:
        """Go on from a file that a world of the same builder has saved. Brains begin anew.

        Objects that have been added meanwhile are made again, if their classes are defined.

        Raises:
            ValueError: the file is damaged, or is of another world.
        """
        data = read_saved(path)
        self.reset()
        self.restore(snapshot_from_plain(data, self.snapshot()))
        self.decisions = unplain(data["decisions"])

    def as_run(self) -> Run:
        """What has happened since the beginning as a run of the core, which is watched with `gridarium replay` and made into episodes.

        The decisions are repeated to make it; afterwards the world is as it was. Where classes of Python have changed the world, the
        run goes on from the state that they left.

        Raises:
            ValueError: agents or room for things have been added since.
        """
        now, decisions = self.snapshot(), self.decisions
        world = World(self.core.spec.description, compiled=False)
        single = SingleWorld(world.composed)
        recorder = Recorder(single)
        recorder.reset(self.rnd_seed)
        try:
            for _ in self._repeated(decisions):
                indices = self._idle_indices() if self._last_choices is None else self._last_choices
                recorder.step(indices if len(indices) > 1 else indices[0])
                if single.view.tobytes() != self.core_state.tobytes():
                    recorder.set_state(0, self.core_state.copy())
        finally:
            self.restore(now)
            self.decisions = decisions
        return recorder.run()

    def replay(self, decisions: Sequence[Mapping[str, tuple[str | None, dict[str, Any]]]]) -> None:
        """Begin again, and let the agents do what they decided before, without asking their brains.

        Args:
            decisions: as kept in `decisions`, for each tick what each agent decided that was not busy.
        """
        for _ in self._repeated(decisions):
            pass

    def _repeated(
        self, decisions: Sequence[Mapping[str, tuple[str | None, dict[str, Any]]]]
    ) -> Iterator[None]:
        """Begin again, and do what was decided, a tick at a time."""
        brains = {agent.agent_id: agent.brain for agent in self._agents.values()}
        loggers, self.loggers = self.loggers, []
        try:
            for agent in self._agents.values():
                agent.brain = _Repeating(decisions, agent.agent_id)
            self.reset()
            for _ in decisions:
                if self.step():
                    break
                yield
        finally:
            self.loggers = loggers
            for agent in self._agents.values():
                agent.brain = brains[agent.agent_id]


class _Repeating(AgentBrain):
    """Decides what was decided before."""

    def __init__(
        self, decisions: Sequence[Mapping[str, tuple[str | None, dict[str, Any]]]], agent_id: str
    ) -> None:
        super().__init__()
        self._decisions, self._whose, self._world_tick = decisions, agent_id, 0

    def perceive(self, world: Any) -> None:
        """Look at the clock only."""
        self._world_tick = world.current_nr_ticks

    def decide_on_action(self, state: State) -> tuple[str | None, dict[str, Any]]:
        """What was decided in this tick."""
        name, kwargs = self._decisions[self._world_tick].get(self._whose, (None, {}))
        return name, dict(kwargs)


def _stepped(described: Description) -> Description:
    """The description that steps a live world: the same for all worlds of one size of tables, so that they share a program."""
    data = described.to_dict()
    data.pop("map")
    things = {key: value for key, value in data["things"].items() if key != "placed"}
    agents = [
        {key: value for key, value in agent.items() if key == "actions"} for agent in data.get("agents", [{}])
    ]
    height, width = described.extent
    return Description.from_dict(
        {
            **data,
            "shape": [height, width],
            "reset": "nothing_at_first",
            "things": things,
            "agents": agents,
            "observation": {"name": "fully_transparent", "area": [[0, 0], [0, 0]]},
        }
    )


def _copy_rows(old: CoreState, new: CoreState) -> None:
    """Copy a state to one with more things or agents."""
    new.cells[:], new.layers[:] = old.cells, old.layers
    new.agent_rows[:] = 0
    new.agent_rows[: len(old.agent_rows)] = old.agent_rows
    count = min(len(old.data), len(new.data))
    new.data[:count] = old.data[:count]


def _checked(agent_id: str, decision: Any) -> tuple[str | None, dict[str, Any]]:
    """A decision, as a name and arguments.

    Raises:
        TypeError: it is something else.
    """
    if decision is None or isinstance(decision, str):
        return decision, {}
    if isinstance(decision, tuple) and len(decision) == 2:
        name, kwargs = decision
        if name is None or isinstance(name, str):
            if not kwargs and (type(kwargs) is dict or kwargs is None or isinstance(kwargs, Mapping)):
                return name, {}
            if isinstance(kwargs, Mapping):
                return name, dict(kwargs)
    raise TypeError(
        f"decide_on_action of agent {agent_id} returned {decision!r}; the name of an action or None, and a dict of its "
        "arguments, are needed"
    )


def _duration(kwargs: Mapping[str, Any], default: int) -> int:
    """For how many ticks after this one an action keeps its agent busy.

    Raises:
        ValueError: not a number of ticks.
    """
    for key in reversed(DURATION):
        if key in kwargs:
            given = kwargs[key]
            if isinstance(given, int | np.integer) and given >= 0:
                return int(given)
            raise ValueError(f"{key} is a number of ticks, 0 or more, not {given!r}")
    return default


def _without_deprecated(kwargs: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in kwargs.items() if key != DURATION[1]}


def _is_active(obj: EnvObject) -> bool:
    """Whether an object does something by itself."""
    return type(obj).update is not EnvObject.update


def _label(world_id: str) -> str:
    """A name for the core's description."""
    kept = "".join(c if c.isalnum() or c in "_.-" else "-" for c in world_id)
    return kept if kept[:1].isalnum() else f"world-{kept}"
