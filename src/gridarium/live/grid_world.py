"""A live world: it ticks, and in each tick its agents perceive, decide and act.

Where agents and objects are is kept in a state of the core, which the same compiled program steps that steps batches. Actions
that are made of the core's rules are done by it, all in one call; if an action of this tick can only be done by a class of Python,
all actions of the tick are done by their classes, one after another.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import itertools
import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np

from gridarium.engine import Recorder, Run, World
from gridarium.engine.runs.whole_file import replacing
from gridarium.engine.single_world import SingleWorld
from gridarium.engine.step.kernel import RUNNING
from gridarium.live.action_execution import ActionExecution, Due
from gridarium.live.actions import ActionResult
from gridarium.live.agent_turns import MOST_SEED, AgentTurns, Turn
from gridarium.live.arguments import (
    checked_agent,
    checked_agents,
    checked_brains,
    checked_object,
    checked_objects,
)
from gridarium.live.brains import AgentBrain
from gridarium.live.decision_log import DecisionLog
from gridarium.live.decisions import (
    INTERRUPTED,
    MESSAGES,
    PEOPLE,
    PROPERTIES,
    Decision,
    Decisions,
    messages_of,
    note_besides,
    said_in,
)
from gridarium.live.description import check_describable, copy_rows, rules_of_goals
from gridarium.live.entity_registry import EntityRegistry
from gridarium.live.messages import Message, MessageManager
from gridarium.live.objects import AgentBody, EnvObject
from gridarium.live.objects.core_view import Location
from gridarium.live.objects.kept_by_reference import KeptByReference, copied_for_snapshot
from gridarium.live.perception import State
from gridarium.live.saving import (
    SimulationGoal,
    WorldSnapshot,
    read_saved,
    snapshot_from_plain,
    snapshot_to_plain,
)
from gridarium.world import State as CoreState
from gridarium.world.state import ENDED
from gridarium.worlds import Description, Spec


class GridWorld(KeptByReference):
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
        on_brain_error: what an exception of a brain, or of the class of an action that it has chosen, does: the world stops, with
            a `BrainFailure` or `ActionFailure` (stop); the agent has done nothing in this tick, or only what its action did until
            then (skip); the agent is removed, too (remove). In the latter two cases it is logged.
        debug: whether it is checked that `is_possible` of actions changes nothing, which takes time.
        keep_decisions: whether what agents decide is kept, for `replay` and `as_run`: mostly 4 bytes for each, see
            `DecisionLog`.
        compiled: whether the core's rules are compiled.

    Attributes:
        decisions: for each tick what each agent decided, for `replay`.
        See also `WorldInterface`.

    Raises:
        ValueError: objects or agents that cannot be where they are, or that are outside.
        TypeError: objects that are no `EnvObject`, agents that are no brains with bodies.

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
        simulation_goal: SimulationGoal | Sequence[SimulationGoal] = (),
        rnd_seed: int = 1,
        visualization_bg_clr: str = "#C2C2C2",
        visualization_bg_img: str | None = None,
        world_id: str = "world_1",
        loggers: Sequence[Any] = (),
        action_parameters: Mapping[str, float] | None = None,
        on_brain_error: Literal["stop", "skip", "remove"] = "stop",
        debug: bool = False,
        keep_decisions: bool = True,
        compiled: bool = True,
    ) -> None:
        self._set_up(
            (int(shape[0]), int(shape[1])), dict(action_parameters or {}), compiled, tick_duration, simulation_goal, rnd_seed,
            visualization_bg_clr, visualization_bg_img, world_id, loggers, on_brain_error, debug, keep_decisions,
        )  # fmt: skip
        self._entities.build(checked_objects(objects), checked_agents(agents))
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
            brains: one for each agent; with its body's properties, if there are any to give, such as `possible_actions` (by default
                the world's own; None for those and all classes of actions).
            seed: of the episode.
            allow_imports: as for `World`.
            compiled: as for `World`.
            options: as for the constructor: `tick_duration`, `simulation_goal` and so on.

        Raises:
            ValueError: the wrong number of brains; see also `World`.
            TypeError: a brain that is none.
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
            "keep_decisions": True,
        }  # fmt: skip
        if unknown := options.keys() - given.keys():
            raise TypeError(f"GridWorld.of takes no {sorted(unknown)[0]!r}; it takes {', '.join(given)}")
        given.update(options)
        given_brains = checked_brains(brains)
        if len(given_brains) != core.spec.agents:
            raise ValueError(
                f"{core.name} has {core.spec.agents} agents; {len(given_brains)} brains are given"
            )
        shape = (core.spec.shape.width, core.spec.shape.height)
        self._set_up(shape, {}, compiled, rnd_seed=seed, **given)
        names = list(dict.fromkeys(action.name.partition("(")[0] for action in core.actions))
        pairs: list[tuple[AgentBrain, AgentBody]] = []
        for index, ((brain, own), name) in enumerate(zip(given_brains, core.spec.agent_names, strict=True)):
            allowed = {
                action.name.partition("(")[0]
                for action, has in zip(core.actions, core.spec.action_masks[index], strict=True)
                if has
            }
            properties = {"possible_actions": [n for n in names if n in allowed], **own}
            pairs.append((brain, AgentBody((0, 0), name, class_callable=type(brain), **properties)))
        self._entities.take_over(core, pairs)
        self._first = self.snapshot()
        return self

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._entities.view.attach(self._entities.stepper.view)  # a copy's objects look at its own core

    def __repr__(self) -> str:
        return (
            f"<GridWorld {self.world_id}, tick {self._tick}{', done' if self._done else ''}: {len(self._entities.objects)} objects, "
            f"agents {', '.join(self._entities.agents) or 'none'}>"
        )

    def _set_up(
        self, shape: tuple[int, int], action_parameters: dict[str, float], compiled: bool, tick_duration: float,
        simulation_goal: Any, rnd_seed: int, visualization_bg_clr: str, visualization_bg_img: str | None, world_id: str,
        loggers: Sequence[Any], on_brain_error: str, debug: bool, keep_decisions: bool,
    ) -> None:  # fmt: skip
        self.shape, self.action_parameters = shape, action_parameters
        self.tick_duration, self.world_id = float(tick_duration), str(world_id)
        several = isinstance(simulation_goal, Sequence)
        self._goals: list[SimulationGoal] = list(simulation_goal) if several else [simulation_goal]
        self.rnd_gen = np.random.RandomState(int(rnd_seed))
        self.vis_settings: dict[str, Any] = {
            "vis_bg_clr": visualization_bg_clr,
            "vis_bg_img": visualization_bg_img,
        }
        self.loggers: list[Any] = list(loggers)
        self.debug, self.keep_decisions = debug, keep_decisions
        self.scene: object = None
        self._entities = EntityRegistry(
            shape,
            self.world_id,
            action_parameters,
            int(rnd_seed),
            compiled=compiled,
            core_changed=self._attach,
        )
        self._tick, self._done, self._begun = 0, False, False
        self.message_manager = MessageManager(self._entities.bodies, self.teams)
        self._from_people: list[Message] = []
        self.decisions = DecisionLog()
        self.rewards: dict[str, float] = {}
        self._execution = ActionExecution(self, self._entities.agents, debug=debug)
        self._turns = AgentTurns(self, self._execution, on_brain_error)

    def _attach(self) -> None:
        self._execution.attach(self._entities.stepper)

    # what there is

    @property
    def version(self) -> int:
        """Changes when anything that an agent can perceive may have changed."""
        return self._entities.view.version

    @property
    def rnd_seed(self) -> int:
        """The seed of all random numbers."""
        return self._entities.seed

    @property
    def teams(self) -> dict[str, list[str]]:
        """The ids of the agents of each team."""
        return self._entities.teams

    @property
    def core(self) -> World:
        """The world of the core that this one is a view of."""
        return self._entities.core

    @property
    def core_indices(self) -> dict[str, int]:
        """The index of each of the core's actions by name, of one with arguments the first."""
        return self._entities.core_indices

    @property
    def current_nr_ticks(self) -> int:
        """The number of ticks since the beginning."""
        return self._tick

    @property
    def is_done(self) -> bool:
        """Whether all goals have been reached, or the episode of the core has ended."""
        return self._done

    @property
    def errors(self) -> list[tuple[int, str, Exception]]:
        """The exceptions of brains and actions so far, as (tick, agent id, exception), the last thousand."""
        return self._turns.errors

    @property
    def on_brain_error(self) -> str:
        """What an exception of a brain or an action does: stop, skip or remove. It can be changed."""
        return self._turns.on_error

    @on_brain_error.setter
    def on_brain_error(self, new: str) -> None:
        self._turns.on_error = new

    @property
    def simulation_goal(self) -> tuple[SimulationGoal, ...]:
        """The goals, all of which are to be reached."""
        return tuple(self._goals)

    @property
    def registered_agents(self) -> Mapping[str, AgentBody]:
        """The bodies of the agents by their ids, in the order in which they act."""
        return self._entities.bodies

    @property
    def brains(self) -> dict[str, AgentBrain]:
        """The brains of the agents by their ids."""
        return {agent.agent_id: agent.brain for agent in self._entities.agents.values()}

    @property
    def environment_objects(self) -> Mapping[str, EnvObject]:
        """The objects by their ids, but for those that are carried."""
        return self._entities.present

    @property
    def core_state(self) -> CoreState:
        """The state of the core, not copied."""
        return self._entities.view.state

    @property
    def world_state(self) -> State:
        """The state of the whole world, fresh."""
        return State(None).look(self)

    @property
    def grid(self) -> np.ndarray[Any, np.dtype[np.object_]]:
        """object[height, width]: the ids of what is in each cell, None where nothing is."""
        cells = np.full((self.shape[1], self.shape[0]), None, dtype=object)
        for obj_id, obj in self._entities.every():
            x, y = obj.location
            cells[y, x] = [*(cells[y, x] or ()), obj_id]
        return cells

    def find(self, object_id: object) -> EnvObject | None:
        """The object or agent with an id, also a carried one."""
        return self._entities.find(object_id)

    def get_env_object(self, requested_id: str, obj_type: type | None = None) -> EnvObject | None:
        """The object or agent with an id; None if there is none (a carried one is not there), or it has another type."""
        found = self.environment_objects.get(requested_id) or self._entities.bodies.get(requested_id)
        return None if found is None or (obj_type is not None and not isinstance(found, obj_type)) else found

    def get_objects_in_range(
        self, agent_loc: Location, object_type: type | str | None, sense_range: float
    ) -> dict[str, EnvObject]:
        """The objects, then the agents, of a type (None or "*" for any) within a Euclidean distance."""
        x, y = agent_loc
        limit = sense_range * sense_range if sense_range >= 0 else -1
        found: dict[str, EnvObject] = {}
        for obj_id, obj in self._entities.every():
            if object_type in (None, "*") or isinstance(obj, object_type):  # type: ignore[arg-type]
                there_x, there_y = obj.location
                if (there_x - x) ** 2 + (there_y - y) ** 2 <= limit:
                    found[obj_id] = obj
        return found

    def objects_at(self, location: Location) -> list[EnvObject]:
        """The objects, then the agents, in a cell."""
        return self._entities.at(location)

    def description(
        self, *, drop_properties: bool = False, action_masks: bool = False, **further: Any
    ) -> Description:
        """The world as it is now, as a description of the core: for batches and environments, in which it is trained on.

        Goals become rules: see `rules_of_goals`. An agent that was trained there is put here with a `PolicyBrain`.

        Args:
            drop_properties: whether properties of Python, which no rule of the core knows, may be lost. Otherwise there is a warning,
                too, if agents that may do all actions lose classes of Python.
            action_masks: whether environments say which actions would succeed.
            further: keys of the description, in place of those that follow from the goals: `time_limit`, `rewards`,
                `terminations`, `observation`, `representation` and so on.

        Raises:
            ValueError: there is something that a description cannot say; the message lists it.
        """
        entities = self._entities
        entities.must_be_built("descriptions are made")
        objects, bodies = list(entities.objects.values()), list(entities.bodies.values())
        rules, unsaid = rules_of_goals(self._goals, self, said=further.keys())
        check_describable(self.world_id, objects, bodies, unsaid, drop_properties=drop_properties)
        further = {**rules, **further}
        if action_masks:
            further["illegal"] = "attempt"
        return entities.describe(entities.agents.values(), only_possible=True, **further)

    # changing it

    def note_change(self) -> None:
        """Say that something has changed that agents may perceive."""
        self._entities.note_change()

    def add_object(self, obj: EnvObject) -> str:
        """Add an object; returns its id, which is made unique.

        Raises:
            ValueError: it is in a world already, it is outside, or something that is not traversable is in its way.
        """
        return self._entities.add_object(checked_object(obj, "obj"))

    def add_agent(self, brain: AgentBrain, body: AgentBody) -> str:
        """Add an agent, which acts after the others; returns its id, which is made unique.

        Raises:
            ValueError: as `add_object`.
        """
        agent = self._entities.add_agent(*checked_agent((brain, body), "brain, body"))
        if self._begun:
            self._turns.set_up(agent, int(self.rnd_gen.randint(1, MOST_SEED)))
            agent.brain.initialize()
        return body.obj_id

    _register_env_object = add_object
    _register_agent = add_agent

    def remove_from_grid(self, object_id: str, remove_from_carrier: bool = True) -> bool:
        """Remove an object or an agent; what an agent carried lies where it was.

        Args:
            object_id: its id.
            remove_from_carrier: whether a carried object is removed, too.

        Returns:
            Whether there was one.
        """
        return self._entities.remove(object_id, from_carrier=remove_from_carrier)

    # time

    def reset(self, seed: int | None = None) -> None:
        """Begin again from how the world was made.

        Args:
            seed: of all random numbers, also of the episode of a world of the catalogue; by default the last one.
        """
        chosen = self.rnd_seed if seed is None else int(seed)
        self.restore(self._first)
        entities = self._entities
        entities.seed = chosen
        entities.stepper.reset(chosen, state=self._first.core if entities.is_built else None)
        self.note_change()
        self.rnd_gen = np.random.RandomState(self.rnd_seed)
        self.decisions, self._turns.errors = DecisionLog(), []
        self.close()
        for logger in self.loggers:
            logger.begin()
        for agent in self._entities.agents.values():
            agent.body.begin()
        self._begun = False
        self.begin()

    def begin(self) -> None:
        """Give the brains their bodies and let them perceive, if that was not done yet; `reset` and the first `step` do so."""
        if self._begun:
            return
        self._turns.begin(list(self._entities.agents.values()), self.rnd_seed)
        self._begun = True

    def step(self) -> bool:
        """Let one tick pass; returns whether the world is done, in which case nothing happens.

        Goals are looked at first, so that a world with the goal of 10 ticks runs 10. Ctrl-C while brains decide leaves the tick undone;
        afterwards it ends the tick with what has happened until then, which `decisions` note.

        Raises:
            BrainFailure: a brain has raised an exception, where `on_brain_error` is "stop"; nothing of this tick has happened
                but for the brains before it.
            ActionFailure: the class of an action has, likewise; the tick has happened, with what the action had done until then.
            Exception: an object has raised one; the tick has happened.
        """
        self.begin()
        status = self._goal_status()
        self._done = self._entities.stepper.ended or (
            bool(status) and all(is_reached for _, is_reached in status)
        )
        if self.loggers:
            data = {a.agent_id: a.brain.get_log_data() for a in self._entities.agents.values()}
            for logger in self.loggers:
                logger.record(self, data, self._done, status)
        if self._done:
            return True
        turns: list[Turn] = []
        sent: dict[str, list[Message]] = {}
        for agent in list(self._entities.agents.values()):
            turns.append(self._turns.decide(agent))
            if agent.brain.messages_to_send:
                sent[agent.agent_id] = [m for m in agent.brain.messages_to_send if isinstance(m, Message)]
                agent.brain.messages_to_send = []
        tick = self._tick
        try:
            self._act(turns, sent)
        except (KeyboardInterrupt, SystemExit):
            if self._tick == tick:
                self._end_interrupted_tick()
            raise
        try:
            if self._entities.acting:
                self._update_objects()
        finally:
            self._turns.contain_actions(self._tick - 1)
        return False

    def _act(self, turns: Sequence[Turn], sent: dict[str, list[Message]]) -> None:
        """Let agents do what they have decided, and send what they have said."""
        decided, due, changed = self._turns.begin_actions(turns)
        if self._from_people:
            sent[PEOPLE], self._from_people = self._from_people, []
        self._execute(due)
        if self.keep_decisions:
            for who, properties in changed.items():
                note_besides(decided, who, PROPERTIES, properties)
            for who, messages in sent.items():
                note_besides(decided, who, MESSAGES, messages)
            self.decisions.append(decided)
        self._deliver(list(itertools.chain.from_iterable(sent.values())))
        self._entities.note_change(may_have_moved=False)
        self._tick += 1

    def _end_interrupted_tick(self) -> None:
        """The tick has passed with what had happened of it; `decisions` say so, since it cannot be repeated."""
        if self.keep_decisions:
            self.decisions = self.decisions.first(self._tick)
            self.decisions.append({INTERRUPTED: (None, {})})
        if self._entities.is_built:
            self.core_state.data[ENDED] = RUNNING
            self._entities.forget_removed()
        self.note_change()
        self._tick += 1

    def run(self, max_ticks: int | None = None) -> int:
        """Let ticks pass, one each `tick_duration` seconds, until the world is done; returns their number.

        However it ends, what loggers have kept is written.

        Args:
            max_ticks: stop after so many.
        """
        count = 0
        due = time.monotonic()
        try:
            while (max_ticks is None or count < max_ticks) and not self.step():
                count += 1
                if self.tick_duration > 0:
                    due = max(due + self.tick_duration, time.monotonic() - self.tick_duration)
                    time.sleep(max(0.0, due - time.monotonic()))
        finally:
            for logger in self.loggers:
                logger.flush()
        return count

    def close(self) -> None:
        """Write what loggers have kept, and complete their files; a world in a `with` block does so at its end.

        It can go on: what is logged then goes to other files.
        """
        for logger in self.loggers:
            logger.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _goal_status(self) -> list[tuple[SimulationGoal, bool]]:
        return [(goal, goal.check(self)) for goal in self._goals]

    # actions

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
        return self._execution.is_possible(agent_id, action, dict(kwargs or {}))

    def _execute(self, due: Sequence[Due]) -> None:
        """Do what is to be done in this tick, and take note of what it has changed."""
        entities, execution = self._entities, self._execution
        execution.execute(due)
        if not entities.is_built:
            entities.note_change()
            self._collect_rewards()
            return
        self.core_state.data[ENDED] = RUNNING  # it goes on when all agents have been removed
        if execution.may_have_moved_things:
            entities.note_change()
            entities.forget_removed()

    def _collect_rewards(self) -> None:
        rewards = self._entities.stepper.rewards.tolist()
        self.rewards = {agent.agent_id: rewards[agent.index] for agent in self._entities.agents.values()}

    def _update_objects(self) -> None:
        """Let objects do what they do by themselves, but for those that are carried; the first exception is raised at the end."""
        state, failed = self.world_state, None
        for obj in list(self._entities.acting):
            if obj.in_core and not obj.carried_by:
                try:
                    obj.update(self, state)
                except Exception as error:
                    note = (
                        f"in tick {self._tick - 1}, when {obj.obj_id} did what it does by itself: "
                        f"{type(obj).__name__}.update(self, grid_world, state)"
                    )
                    if failed is None:
                        failed = error
                    else:
                        note = f"{note}: {type(error).__name__}: {error}"
                    failed.add_note(note)
        self.note_change()
        if failed is not None:
            raise failed

    # messages and people

    def put_message(self, message: Message) -> None:
        """Send a message that a person has written, with the next tick, as if the agent had sent it."""
        self._from_people.append(message)

    def put_user_input(self, agent_id: str, keys: Sequence[str]) -> None:
        """Give an agent keys that a person has pressed; its brain gets them when it decides next.

        Raises:
            KeyError: there is no such agent.
        """
        if agent_id not in self._entities.agents:
            raise KeyError(
                f"there is no agent {agent_id!r}; there are {', '.join(self._entities.agents) or 'none'}"
            )
        self._entities.agents[agent_id].keys += keys

    def _deliver(self, sent: Sequence[Message]) -> None:
        for message in sent:
            for one in self.message_manager.expand(message, self._tick):
                receiver = self._entities.agents.get(str(one.to_id))
                if receiver is not None:
                    receiver.brain.received_messages.append(one)

    # the past

    def snapshot(self) -> WorldSnapshot:
        """Copy the world: its state, objects, agents, goals and messages. What brains keep themselves is not in it."""
        entities = self._entities
        return WorldSnapshot(
            core=self.core_state.copy(),
            objects=[(o, o.number, o.kept_in_python()) for o in entities.objects.values()]
            if entities.is_built
            else [],
            agents=[
                (a.body, a.index, a.body.kept_in_python(), copied_for_snapshot(a.pending))
                for a in entities.agents.values()
            ],
            rows=[agent.body for agent in entities.rows],
            known=[agent.order for agent in entities.rows],
            goals=copied_for_snapshot(self._goals),
            decisions=self.decisions,
            decided=len(self.decisions),
            tick=self._tick,
            messages=self.message_manager.to_dict(),
            numbers=self.rnd_gen.get_state(legacy=False),
            seed=self.rnd_seed,
            rewards=dict(self.rewards),
            done=self._done,
        )

    def restore(self, snapshot: WorldSnapshot) -> None:
        """Go back to a snapshot of this world, to the objects, agents and decisions there were then. Brains are not changed.

        Raises:
            ValueError: the snapshot is of another world.
            TypeError: it is none.
        """
        if not isinstance(snapshot, WorldSnapshot):
            raise TypeError(
                f"what snapshot() has returned is expected, not {snapshot!r}; load(path) takes a file"
            )
        self._entities.restore(snapshot)
        self._goals = copied_for_snapshot(snapshot.goals)
        self._tick, self._done = snapshot.tick, snapshot.done
        self.decisions = snapshot.decisions.first(snapshot.decided)
        self.message_manager.load_dict(snapshot.messages)
        self.rnd_gen.set_state(snapshot.numbers)
        self.rewards, self._from_people = dict(snapshot.rewards), []

    def save(self, path: str | Path) -> None:
        """Write the world to a file, as JSON: all that a snapshot has, and the decisions so far.

        Raises:
            TypeError: a property of an object or an argument of an action is no plain data; the message says which.
            OSError: it cannot be written; an existing file is left unchanged.
        """
        text = json.dumps(snapshot_to_plain(self.snapshot()), allow_nan=False)
        with replacing(path) as unfinished:
            unfinished.write_text(text, encoding="utf-8")

    def load(self, path: str | Path, agents: Iterable[tuple[AgentBrain, AgentBody]] = ()) -> None:
        """Go on from a file that a world of the same builder has saved. Brains begin anew.

        Objects that had been added are made again, if their classes are defined.

        Args:
            path: the file.
            agents: the agents that had been added, with brains and bodies, in the same order, but for those that are gone.

        Raises:
            ValueError: the file is damaged, or is of another world, or agents that had been added are not given.
        """
        given = checked_agents(agents)
        data = read_saved(path, [body.obj_id for body in self._first.rows], len(self._first.goals))
        self.reset()
        try:
            added = self._entities.enlist_added(data, given)
            self.restore(snapshot_from_plain(data, self.snapshot()))
        except Exception as error:
            self.reset()
            if isinstance(error, ValueError):
                raise
            raise ValueError(f"{path} is damaged: {type(error).__name__}: {error}") from error
        for agent in added:
            seeds = np.random.RandomState(self.rnd_seed).randint(1, MOST_SEED, agent.index + 1)
            self._turns.set_up(agent, int(seeds[-1]))
            agent.brain.initialize()

    def as_run(self) -> Run:
        """What has happened since the beginning as a run of the core, which is watched with `gridarium replay` and made into episodes.

        The decisions are repeated to make it; afterwards the world is as it was. Where classes of Python have changed the world, or
        an action had other ranges than the world's, the run has the state that they left, in the same episode. What the core has no
        name for is recorded as idling. What was said is in its `remarks`.

        Raises:
            ValueError: the decisions were not kept, a tick was interrupted by Ctrl-C, or the decisions do not lead to how the world
                is, as it was changed between ticks.
        """
        now, decisions, biggest = self.snapshot(), self.decisions, self.core.spec
        if len(decisions) != self._tick:
            raise ValueError(
                f"{len(decisions)} ticks of decisions are known of {self._tick} (keep_decisions)"
            )
        kept = (
            self._turns.errors,
            self._from_people,
            self.rewards,
            [(a, [*a.keys]) for a in self._entities.known],
        )
        try:
            with self._repeating(decisions) as repeat:
                recorder = self._record(len(decisions), repeat, biggest)
                if self._tick != now.tick or self.core_state.tobytes() != now.core.tobytes():
                    raise ValueError(
                        f"the decisions do not lead to how {self.world_id} is in tick {now.tick}: it was changed between ticks"
                    )
        finally:
            self.restore(now)
            self._turns.errors, self._from_people, self.rewards, keys = kept
            for agent, pressed in keys:
                agent.keys = pressed
        return dataclasses.replace(recorder.run(), remarks=said_in(decisions))

    def _record(self, ticks: int, repeat: Callable[[], bool], spec: Spec) -> Recorder:
        """Let ticks pass, and record what happens in the core, in one with room for all that there ever is."""
        world = World(spec, compiled=False)
        single = SingleWorld(world.composed)
        recorder = Recorder(single)
        recorder.reset(self.rnd_seed)
        for tick in range(ticks + 1):
            if tick > 0:
                if repeat():
                    break
                indices = self._execution.indices_in(world)
                recorder.step(indices if len(indices) > 1 else indices[0])
            state = world.blank_state()
            copy_rows(self.core_state, state)
            if single.view.tobytes() != state.tobytes():
                recorder.set_state(0, state, goes_on=True)
        return recorder

    def replay(self, decisions: Decisions) -> None:
        """Begin again, and let the agents do what they decided before, without asking their brains.

        Args:
            decisions: as kept in `decisions`: for each tick what each agent decided that was not busy, and what else was done.

        Raises:
            ValueError: a tick was interrupted by Ctrl-C when a part of it had happened.
        """
        with self._repeating(decisions) as repeat:
            for _ in decisions:
                if repeat():
                    break

    @contextlib.contextmanager
    def _repeating(self, decisions: Decisions) -> Iterator[Callable[[], bool]]:
        """Begin again; meanwhile the agents do what was decided, nothing is logged, and actions that fail do not stop the world.

        Yields a function that lets a tick pass, as `step` does.
        """

        @functools.lru_cache(maxsize=1)  # all agents ask for the same tick
        def decided_in(tick: int) -> Mapping[str, Decision]:
            return decisions[tick] if tick < len(decisions) else {}

        def repeat() -> bool:
            self._from_people = messages_of(decided_in(self._tick).get(PEOPLE, (None, {}))[1])
            return self.step()

        for tick, decided in enumerate(decisions):
            if INTERRUPTED in decided:
                raise ValueError(
                    f"tick {tick} was interrupted by Ctrl-C when a part of it had happened, so it cannot be repeated; "
                    f"those before it can: decisions[:{tick}]"
                )
        self.begin()
        loggers, self.loggers = self.loggers, []
        try:
            with self._turns.repeating(self._entities, decided_in):
                self.reset()
                yield repeat
        finally:
            self.loggers = loggers
