"""The objects and agents of a live world, by their ids, and the core that they are in."""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from gridarium.engine import World
from gridarium.engine.single_world import SingleWorld
from gridarium.live.action_execution import LiveAgent
from gridarium.live.actions import all_actions
from gridarium.live.brains import AgentBrain
from gridarium.live.description import copy_rows, describe, label_of, stepped_description, thing_numbers
from gridarium.live.ids import id_for
from gridarium.live.objects import AgentBody, EnvObject
from gridarium.live.objects.core_objects import core_objects
from gridarium.live.objects.core_view import CoreView, Location
from gridarium.live.objects.kept_by_reference import copied_for_snapshot
from gridarium.live.perception import SenseCapability
from gridarium.live.saving import WorldSnapshot
from gridarium.world import Floor
from gridarium.world.agent import ACTIVE
from gridarium.worlds import Description
from gridarium.worlds.entries.problems import suggest


class EntityRegistry:
    """The objects and agents of a live world, and the core's state that says where they are.

    Args:
        shape: width and height.
        world_id: the name of the world.
        action_parameters: ranges of actions that hold for everybody.
        seed: of the core's episode.
        compiled: whether the core's rules are compiled.

    Attributes:
        seed: of the core's episode; may be changed before the next one.
        core: the world of the core.
        core_indices: the index of each of its actions by name, of one with arguments the first.
        stepper: steps the core; it may be another one after anything was added.
        view: its state.
        is_built: whether the core was made for the objects and agents; otherwise they are those of a given world.
        agents: by their ids, in the order in which they act.
        bodies: their bodies.
        rows: the agents by their indices in the core, also those that were removed.
        known: all that there have ever been.
        teams: the ids of the agents of each team.
        acting: the objects that do something by themselves.
        core_changed: is called when the core is another one.
        agent_added: is told of agents that are added, if there is somebody to tell.
    """

    def __init__(
        self,
        shape: tuple[int, int],
        world_id: str,
        action_parameters: Mapping[str, float],
        seed: int,
        *,
        compiled: bool,
        core_changed: Callable[[], None],
    ) -> None:
        self.shape, self.seed, self.core_changed = shape, seed, core_changed
        self._world_id, self._action_parameters, self._compiled = world_id, action_parameters, compiled
        self.is_built = True
        self.agents: dict[str, LiveAgent] = {}
        self.bodies: dict[str, AgentBody] = {}
        self.rows: list[LiveAgent] = []
        self.known: list[LiveAgent] = []
        self.teams: dict[str, list[str]] = {}
        self.acting: list[EnvObject] = []
        self.agent_added: Callable[[LiveAgent], None] | None = None
        self._objects: dict[str, EnvObject] = {}
        self._present: dict[str, EnvObject] | None = None

    # making

    def build(self, objects: Iterable[EnvObject], agents: Iterable[tuple[AgentBrain, AgentBody]]) -> None:
        """Make the core of objects and agents.

        Raises:
            ValueError: some cannot be where they are, or are outside.
        """
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
        described = self.describe(self.rows)
        self.core = World(described, compiled=self._compiled)
        start = World(self.core.spec, compiled=False).reset(self.seed)
        stepped = World(stepped_description(described), compiled=self._compiled)
        self.stepper = SingleWorld(stepped.composed, shared=True)
        self.stepper.reset(self.seed, state=start)
        if not self.agents:
            self.stepper.view.agents[0].active = False
        self.view = CoreView(self.stepper.view, list(self.agents), self._grow)
        numbers = thing_numbers(list(self._objects.values()))
        for obj, number in zip(self._objects.values(), numbers, strict=True):
            obj.join(self.view, number)
        self._join_agents()
        self._note_core()
        self._warn_of_unknown_actions(self.rows)

    def take_over(self, core: World, agents: Iterable[tuple[AgentBrain, AgentBody]]) -> None:
        """Take a given world for the core, whose cells and things are the objects, with a brain and a body for each agent."""
        self.is_built = False
        for brain, body in agents:
            body.obj_id = id_for(body.obj_name, {*self.agents}, lower=True)
            body.shows_core = True
            self._enlist(brain, body)
        self.core = core
        self.stepper = SingleWorld(core.composed, shared=True)
        self.stepper.reset(self.seed)
        self.view = CoreView(self.stepper.view, list(self.agents), self._cannot_grow)
        self._join_agents()
        self._note_core()
        self._warn_of_unknown_actions(self.rows)

    def _check_place(self, obj: EnvObject, blocked: dict[Location, EnvObject]) -> None:
        x, y = obj.location
        if not (0 <= x < self.shape[0] and 0 <= y < self.shape[1]):
            raise ValueError(
                f"{obj.obj_id} is at {obj.location}, outside of the world, which is {self.shape[0]} wide and "
                f"{self.shape[1]} high"
            )
        if obj.is_traversable:
            other = blocked.get(obj.location)
            if isinstance(obj, AgentBody) and other is not None and not isinstance(other, AgentBody):
                raise ValueError(
                    f"Invalid placement: the agent {obj.obj_id} is at {obj.location}, where {other.obj_id} is, which is not "
                    "traversable"
                )
            return
        other = blocked.setdefault(obj.location, obj)
        if other is not obj:
            raise ValueError(
                f"Invalid placement: {obj.obj_id} and {other.obj_id} are both at {obj.location}, and neither is traversable"
            )

    def _enlist(self, brain: AgentBrain, body: AgentBody) -> LiveAgent:
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
        agent = LiveAgent(brain, body, agent_id, len(self.rows), len(self.known), capable)
        self.rows.append(agent)
        self.known.append(agent)
        self._register(agent)
        return agent

    def _warn_of_unknown_actions(self, agents: Iterable[LiveAgent]) -> None:
        """Warn of names of actions that nobody has defined so far; whoever defines classes later knows better."""
        known = sorted({*all_actions(), *self.core_indices})
        for agent in agents:
            named = {
                "possible_actions": agent.body.possible_actions or (),
                "key_action_map": (agent.body.key_action_map or {}).values(),
            }
            for where, names in named.items():
                for name in sorted({*names}.difference(known)):
                    text = (
                        f"{where} of {agent.agent_id}: no action {name!r} is defined; {suggest(name, known)}"
                    )
                    warnings.warn(text, stacklevel=4)

    def _register(self, agent: LiveAgent) -> None:
        self.agents[agent.agent_id] = agent
        self.bodies[agent.agent_id] = agent.body
        for team in agent.body.teams:
            self.teams.setdefault(team, []).append(agent.agent_id)

    def describe(self, agents: Iterable[LiveAgent], **further: Any) -> Description:
        """The objects, and some agents, as a description of the core, with further keys."""
        bodies = [agent.body for agent in agents] or [AgentBody(self._free_cell(), "nobody")]
        return describe(
            label_of(self._world_id),
            self.shape,
            list(self._objects.values()),
            bodies,
            parameters=self._action_parameters,
            **further,
        )

    def _free_cell(self) -> Location:
        """The first cell that agents can be in; the first of all if there is none."""
        blocked = {obj.location for obj in self._objects.values() if not obj.is_traversable}
        cells = itertools.product(range(self.shape[0]), range(self.shape[1]))
        return next((cell for cell in cells if cell not in blocked), (0, 0))

    def _join_agents(self) -> None:
        for agent in self.agents.values():
            agent.body.join(self.view, agent.index)

    def _note_core(self) -> None:
        """Note what follows from the core, which is another one, or has another state."""
        self.core_indices: dict[str, int] = {}
        for index, action in enumerate(self.core.actions):
            self.core_indices.setdefault(action.name.partition("(")[0], index)
        self.core_changed()
        self._note_numbers()
        self.acting = [obj for obj in self._objects.values() if _acts(obj)]
        self.note_change()

    def _note_numbers(self) -> None:
        """Note which object is which thing of the core."""
        numbered: dict[int, EnvObject] = {
            obj.number: obj for obj in self._objects.values() if obj.number >= 0
        }
        self._by_number = self.view.by_number = numbered
        for agent in self.agents.values():
            agent.body.carry(numbered)

    def _grow(self) -> None:
        """Move on to a core with room for twice as many things."""
        self._rebuild(2 * len(self.view.things))

    def _cannot_grow(self) -> None:
        raise OverflowError(f"{self.core.name} has no room for more things (things: capacity)")

    def _rebuild(self, capacity: int | None = None, *, keeps_rows: bool = True) -> None:
        """Make the core anew, with the objects and agents there are now.

        Args:
            capacity: for how many things there is to be room; by default as many as before.
            keeps_rows: whether its state is that of the old one, with more room; otherwise it is nothing yet.
        """
        old = self.view.state
        bigger = self.describe(self.rows).to_dict()
        capacity = len(self.view.things) if capacity is None else capacity
        bigger["things"] = {**bigger["things"], "capacity": capacity, "carried": capacity}
        self.core = World(Description.from_dict(bigger), compiled=self._compiled)
        stepped = World(stepped_description(self.core.spec.description), compiled=self._compiled)
        new = stepped.blank_state()
        if keeps_rows:
            copy_rows(old, new)
        self.stepper = SingleWorld(stepped.composed, shared=True)
        self.stepper.reset(self.seed, state=new)
        self.view.attach(self.stepper.view)
        self.view.agent_ids[:] = [agent.agent_id for agent in self.rows]
        self._note_core()

    # what there is

    @property
    def objects(self) -> Mapping[str, EnvObject]:
        """The objects of a world that is built by their ids, also those that are carried."""
        return self._objects

    @property
    def present(self) -> Mapping[str, EnvObject]:
        """The objects by their ids, but for those that are carried."""
        if self._present is None:
            if not self.is_built:
                self._objects = {obj.obj_id: obj for obj in core_objects(self.view)}
                self._note_numbers()
            view = self.view
            self._present = {
                obj_id: obj
                for obj_id, obj in self._objects.items()
                if obj.number < 0 or view.carrier(obj.number) < 0
            }
        return self._present

    def every(self) -> Iterable[tuple[str, EnvObject]]:
        """The objects, but for those that are carried, then the agents, with their ids."""
        return itertools.chain(self.present.items(), self.bodies.items())

    def at(self, location: Location) -> list[EnvObject]:
        """The objects, then the agents, in a cell."""
        return [obj for _, obj in self.every() if obj.location == tuple(location)]

    def find(self, object_id: object) -> EnvObject | None:
        """The object or agent with an id, also a carried one."""
        if not self.is_built:
            _ = self.present
        if not isinstance(object_id, str):  # agents ask for anything
            return None
        return self._objects.get(object_id) or self.bodies.get(object_id)

    # changing it

    def note_change(self, *, may_have_moved: bool = True) -> None:
        """Say that something has changed that agents may perceive.

        Args:
            may_have_moved: whether objects may have come, gone, or been grabbed or dropped.
        """
        self.view.version += 1
        if may_have_moved:
            self._present = None

    def add_object(self, obj: EnvObject) -> str:
        """See `GridWorld.add_object`."""
        self.must_be_built("objects can be added")
        if obj.in_core:
            raise ValueError(f"{obj.obj_id} is in a world already")
        obj.obj_id = id_for(obj.obj_name, {*self._objects, *self.bodies})
        self._check_place(obj, self._blocking(obj.location))
        view, cell = self.view, obj.core_cell()
        if cell is not None and isinstance(view.cell(obj.location), Floor):
            view.set_cell(obj.location, cell)
            obj.join(view, -1)
        else:
            number = view.free_number()
            view.add_thing(number, obj.core_object(), obj.core_colour, obj.location)
            obj.join(view, number)
            self._by_number[number] = obj
        self._objects[obj.obj_id] = obj
        if _acts(obj):
            self.acting.append(obj)
        self.note_change()
        return obj.obj_id

    def add_agent(self, brain: AgentBrain, body: AgentBody) -> LiveAgent:
        """Add an agent, see `GridWorld.add_agent`; its brain is not set up yet."""
        self.must_be_built("agents can be added")
        if body.in_core:
            raise ValueError(f"{body.obj_id} is in a world already")
        body.obj_id = id_for(body.obj_name, {*self._objects, *self.bodies}, lower=True)
        self._check_place(body, self._blocking(body.location))
        body.begin()
        agent = self._enlist(brain, body)
        if self.agent_added is not None:
            self.agent_added(agent)
        location, traversable = body.location, body.is_traversable
        try:
            self._rebuild()
        except BaseException:
            self._strike_off(agent)
            raise
        body.join(self.view, agent.index)
        body.location, body.is_traversable = location, traversable
        self.view.agent_rows[agent.index, ACTIVE] = 1
        self._warn_of_unknown_actions([agent])
        return agent

    def enlist_added(
        self, data: Mapping[str, Any], given: list[tuple[AgentBrain, AgentBody]]
    ) -> list[LiveAgent]:
        """Add the agents of a file that were added to its world to the lists, but not to the core; returns those that are there."""
        own, rows = [agent.agent_id for agent in self.rows], data["rows"]
        later = rows[len(own) :] if rows[: len(own)] == own else []
        there = [entry["id"] for entry in data["agents"] if entry["id"] in later]
        if len(given) != len(there):
            raise ValueError(
                f"the file has {len(there)} agents that had been added{': ' * bool(there)}{', '.join(there)}; {len(given)} are "
                "given: load(path, agents=[(brain, body), ...])"
            )
        pairs = dict(zip(there, given, strict=True))
        for agent_id in later:
            brain, body = pairs.get(agent_id) or (AgentBrain(), AgentBody((0, 0), agent_id))
            if body.in_core:
                raise ValueError(f"{body.obj_id} is in a world already")
            body.obj_id = agent_id
            body.begin()
            self._enlist(brain, body)
        return [self.agents[agent_id] for agent_id in there]

    def _strike_off(self, agent: LiveAgent) -> None:
        """Take the agent that was added last from the lists, as it is not in the core."""
        self.rows.remove(agent)
        self.known.remove(agent)
        self._unregister(agent.agent_id)

    def _unregister(self, agent_id: str) -> None:
        del self.agents[agent_id], self.bodies[agent_id]
        for members in self.teams.values():
            if agent_id in members:
                members.remove(agent_id)

    def _blocking(self, location: Location) -> dict[Location, EnvObject]:
        """What in a cell is not traversable, by its location."""
        found = next((other for other in self.at(location) if not other.is_traversable), None)
        return {} if found is None else {location: found}

    def must_be_built(self, what: str) -> None:
        """Check that the core was made for the objects and agents.

        Raises:
            ValueError: it was not.
        """
        if not self.is_built:
            raise ValueError(
                f"{what} in worlds that are built, not in {self.core.name}, whose kinds are fixed"
            )

    def remove(self, object_id: str, *, from_carrier: bool) -> bool:
        """Remove an object or an agent, see `GridWorld.remove_from_grid`."""
        if object_id in self.agents:
            self.remove_agent(self.agents[object_id])
            return True
        obj = self.find(object_id)
        if obj is None or (obj.carried_by and not from_carrier):
            return False
        view, number = self.view, obj.number
        if number < 0:
            view.set_cell(obj.location, Floor())
        obj.leave()
        if number >= 0:
            view.remove_thing(number)
            self._by_number.pop(number, None)
        self._objects.pop(object_id, None)
        if obj in self.acting:
            self.acting.remove(obj)
        self.note_change()
        return True

    def remove_agent(self, agent: LiveAgent) -> None:
        """Remove an agent; what it carried lies where it was."""
        for carried in agent.body.is_carrying:
            carried.location = agent.body.location
        self.view.agent_rows[agent.index, ACTIVE] = 0
        agent.body.leave()
        self._unregister(agent.agent_id)
        self.note_change()

    def forget_removed(self) -> None:
        """Forget the objects that rules of the core have removed."""
        gone = [number for number in self._by_number if not self.view.exists(number)]
        for number in gone:
            obj = self._by_number.pop(number)
            obj.leave()
            self._objects.pop(obj.obj_id, None)

    def restore(self, snapshot: WorldSnapshot) -> None:
        """Go back to the objects, agents and core of a snapshot.

        Raises:
            ValueError: the snapshot is of another world.
        """
        rows = [self.known[k] for k in snapshot.known if k < len(self.known)]
        if [id(agent.body) for agent in rows] != [id(body) for body in snapshot.rows]:
            raise ValueError("a snapshot of another world cannot be restored")
        if self.is_built:
            for obj in self._objects.values():
                obj.leave()
        for agent in self.agents.values():
            agent.body.leave()
        self.rows, self._objects = rows, {}
        for obj, _, kept in snapshot.objects:
            obj.keep_in_python(kept)
            self._objects[obj.obj_id] = obj
        for kept_of in (self.agents, self.bodies, self.teams):
            kept_of.clear()
        for body, index, kept, pending in snapshot.agents:
            agent = rows[index]
            body.keep_in_python(kept)
            agent.capable = None if body.possible_actions is None else frozenset(body.possible_actions)
            agent.pending = copied_for_snapshot(pending)
            self._register(agent)
        core, ids = snapshot.core, [agent.agent_id for agent in rows]
        if core.vocabulary != self.view.state.vocabulary or ids != self.view.agent_ids:
            self._rebuild(core.vocabulary.thing_capacity, keeps_rows=False)
        self.stepper.batch.set_state(0, core)
        self.view.attach(self.stepper.view)
        for obj, number, _ in snapshot.objects:
            obj.join(self.view, number)
        self._join_agents()
        self.seed = snapshot.seed
        for agent in self.known:
            agent.keys.clear()
        self._note_core()


def _acts(obj: EnvObject) -> bool:
    """Whether an object does something by itself."""
    return type(obj).update is not EnvObject.update
