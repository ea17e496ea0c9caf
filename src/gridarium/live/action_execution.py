"""How the actions of a tick are done: all in one call of the core, or one after another by their classes."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from gridarium.engine import World
from gridarium.engine.single_world import SingleWorld
from gridarium.live.actions import Action, ActionResult, all_actions, find_action
from gridarium.live.actions.action import DURATION, actions_version
from gridarium.live.actions.core_actions import DEFAULTS, thing_index
from gridarium.live.brains import AgentBrain
from gridarium.live.decisions import KnownAction, without_deprecated
from gridarium.live.objects import AgentBody
from gridarium.live.objects.own_properties import OwnProperties
from gridarium.live.saving import Pending
from gridarium.live.world_interface import WorldInterface
from gridarium.rules.results import ActionResultCode, text_of
from gridarium.world import Action as CoreAction
from gridarium.worlds.entries.problems import suggest

_LOG = logging.getLogger(__name__)

IDLED = ActionResult(ActionResult.IDLE_ACTION, True)
INCAPABLE = ActionResult(ActionResult.AGENT_NOT_CAPABLE, False)
UNKNOWN = ActionResult(ActionResult.UNKNOWN_ACTION, False)
IDLE_NAMES = ("WAIT", "STAY", "NOOP")
"""The actions of the core that do nothing, where it has one of them."""


@dataclass(eq=False)
class LiveAgent:
    """An agent: its brain, its body, what it is busy with, and what the world knows of its actions.

    Attributes:
        index: its row in the core.
        order: how many agents the world had had before it.
        capable: the names of its actions; None for all.
        keys: what a person has pressed since it decided last.
    """

    brain: AgentBrain
    body: AgentBody
    agent_id: str
    index: int
    order: int
    capable: frozenset[str] | None
    pending: Pending | None = None
    keys: list[str] = field(default_factory=list)
    properties: OwnProperties = field(init=False)

    def __post_init__(self) -> None:
        self.properties = OwnProperties(self.body)

    def lacks(self, action: str) -> bool:
        """Whether an action is none of its own."""
        return self.capable is not None and action not in self.capable


Due: TypeAlias = tuple[LiveAgent, str | None, dict[str, Any], KnownAction | None]
"""What an agent is to do in this tick: the name of the action, its arguments, and what is known of it."""


class ActionExecution:
    """Does the actions of each tick of a live world.

    Args:
        world: the world.
        agents: its agents by their ids.
        debug: whether it is checked that asking changes nothing.

    Attributes:
        last_indices: the core's actions in the last tick.
        last_by_class: those by which records name what classes did in the last tick, by the agents' rows in the core.
        last_core: the core that has done them; it may have grown since.
        may_have_moved_things: whether the last tick may have moved or removed things.
        failures: the classes of actions that raised exceptions in the last tick: who acted, the action's name, the exception.
    """

    def __init__(self, world: WorldInterface, agents: Mapping[str, LiveAgent], *, debug: bool) -> None:
        self._world, self._agents, self._debug = world, agents, debug
        self.last_indices: list[int] = []
        self.last_by_class: dict[int, CoreAction] = {}
        self.last_core: World | None = None
        self.may_have_moved_things = False
        self.failures: list[tuple[LiveAgent, str, Exception]] = []

    def attach(self, stepper: SingleWorld) -> None:
        """Do the actions by another core of the world from now on, maybe in the middle of a tick.

        Args:
            stepper: steps it.
        """
        world, self._stepper = self._world, stepper
        with_arguments = {a.name.partition("(")[0] for a in world.core.actions if "(" in a.name}
        self._plain = {n: i for n, i in world.core_indices.items() if n not in with_arguments}
        self._first_on_things = min((world.core_indices[n] for n in with_arguments), default=1 << 62)
        self._idle = next((self._plain[n] for n in IDLE_NAMES if n in self._plain), None)
        self._count = len(world.core_state.agent_rows)
        self._choices: dict[str, KnownAction] = {}
        self._choices_of = actions_version()

    def choice(self, name: str) -> KnownAction:
        """What is known of an action."""
        if self._choices_of != actions_version():
            self._choices, self._choices_of = {}, actions_version()
        found = self._choices.get(name)
        if found is None:
            cls = find_action(name)
            duration = 0 if cls is None else cls().duration_in_ticks
            plain = self._plain.get(name, -1)
            if cls is not None and plain >= 0 and self._index_by_class(cls, "", {}) != plain:
                plain = -1  # a class that is not made of the core's action of its name
            found = self._choices[name] = KnownAction(name, cls, duration, plain)
            if (
                cls is None and name not in self._world.core_indices
            ):  # the result's text is MATRX's, which programs compare
                known = sorted({*all_actions(), *self._world.core_indices})
                _LOG.warning("an agent has chosen the unknown action %r; %s", name, suggest(name, known))
        return found

    def execute(self, due: Sequence[Due]) -> None:
        """Do what is due.

        If a class of Python is needed for one of the actions, all that have a class are done by it, and then those of the core alone.
        If a class raises an exception, its action has failed, and the others are done.
        """
        self.failures, self.last_by_class = [], {}
        indices = self._core_choices(due, classes=True)
        by_class: list[Due] = []
        if indices is None:
            if self._idle is None:
                self._core_choices(due, classes=False)  # checks that all act before any of them does
            by_class = [each for each in due if each[3] is None or each[3].cls is not None]
            due = [each for each in due if each[3] is not None and each[3].cls is None]
            self._do_one_after_another(by_class)
            indices = self._core_choices(due, classes=False) or []
        self._stepper.advance(indices)
        results = self._stepper.results.tolist()
        failed = {agent for agent, _, _ in self.failures}
        for agent, name, kwargs, choice in due:
            if agent not in failed:
                _give(agent, name, self._result_of(results[agent.index], agent, kwargs, choice))
        self.last_indices, self.last_core = indices, self._world.core
        self.may_have_moved_things = bool(by_class) or max(indices) >= self._first_on_things

    def indices_in(self, bigger: World) -> list[int]:
        """The core's actions in the last tick as those of a core that has since become bigger, also of what classes did."""
        indices, core = [*self.last_indices], self.last_core
        if core is not None and len(core.actions) < len(bigger.actions):
            indices = [bigger.actions.index(core.actions[index]) for index in indices]
        indices += [self._idle or 0] * (bigger.spec.agents - len(indices))
        for row, action in self.last_by_class.items():
            indices[row] = bigger.actions.index(action)
        return indices

    def _core_choices(self, due: Sequence[Due], *, classes: bool) -> list[int] | None:
        """The core's action of each agent; None if one of them can only be done by a class of Python."""
        indices = [self._idle or 0] * self._count
        acting: set[int] = set()
        for agent, _, kwargs, choice in due:
            if choice is None or agent.lacks(choice.name):
                continue  # idles; `_result_of` says why
            index = choice.plain
            if kwargs or index < 0:
                if choice.cls is None:
                    index = self._core_index(choice.name, kwargs)
                elif classes:
                    try:
                        index = self._index_by_class(choice.cls, agent.agent_id, kwargs)
                    except Exception as error:
                        self._fail(agent, choice.name, error)
                        continue
                    if index < 0:
                        return None
            if index >= 0:
                indices[agent.index] = index
                acting.add(agent.index)
        if self._idle is None:
            self._check_all_act(acting)
        return indices

    def _check_all_act(self, acting: Container[int]) -> None:
        """Check that nobody idles in a world in which that is no action.

        Raises:
            ValueError: somebody does who is to act in this tick.
        """
        core = self._world.core
        for index in core.acting(self._world.core_state):
            if index not in acting:
                raise ValueError(
                    f"{core.name} has no action that does nothing, so {core.spec.agent_names[index]} cannot idle"
                )

    def _index_by_class(self, cls: type[Action], agent_id: str, kwargs: dict[str, Any]) -> int:
        """The index of the core's action that does what a class does; -1 if only the class can do it."""
        return -1 if cls.replaces else cls.core_index(self._world, agent_id, kwargs)

    def _core_index(self, name: str, kwargs: Mapping[str, Any]) -> int:
        """The index of an action of the core without a class of its own, by its name and arguments; -1 if there is none."""
        if name in self._plain:
            return self._plain[name]
        if name not in self._world.core_indices:
            return -1
        given = {key: value for key, value in kwargs.items() if key not in DURATION}
        text = f"{name}({', '.join(map(str, given.values()))})"
        return next((i for i, action in enumerate(self._world.core.actions) if action.name == text), -1)

    def _result_of(
        self, code: int, agent: LiveAgent, kwargs: dict[str, Any], choice: KnownAction | None
    ) -> ActionResult:
        """The result of what the core has done."""
        if choice is None:
            return IDLED
        if agent.lacks(choice.name):
            known = choice.cls is not None or choice.name in self._world.core_indices
            return INCAPABLE if known else UNKNOWN
        if not kwargs and choice.plain >= 0:
            result = choice.results.get(code)
            if result is None:
                result = choice.results[code] = self._result_for(code, agent, kwargs, choice)
            return result
        return self._result_for(code, agent, kwargs, choice)

    def _result_for(
        self, code: int, agent: LiveAgent, kwargs: dict[str, Any], choice: KnownAction
    ) -> ActionResult:
        if choice.cls is not None and code == ActionResultCode.CARRIED:  # by whom, the world knows
            return self.is_possible(agent.agent_id, choice.name, kwargs)
        if choice.cls is not None:
            return choice.cls.result_of(code, kwargs, agent.agent_id)
        if self._core_index(choice.name, kwargs) < 0:
            return UNKNOWN
        return ActionResult(text_of(code), code == 0)

    def _do_one_after_another(self, due: Sequence[Due]) -> None:
        for agent, name, kwargs, _ in due:
            if agent.agent_id not in self._agents:
                _give(agent, name, _removed(agent.agent_id))
            elif name is None:
                _give(agent, name, IDLED)
            else:
                try:
                    self._note_for_records(agent, name, kwargs)
                    _give(agent, name, self._do(agent, name, kwargs))
                except Exception as error:
                    self._fail(agent, name, error)
                self._world.note_change()

    def _note_for_records(self, agent: LiveAgent, name: str, kwargs: Mapping[str, Any]) -> None:
        """Note the core's action that a class is about to do, maybe with ranges of its own, if it has that name."""
        cls = find_action(name)
        if cls is None or cls.replaces or agent.lacks(name):
            return
        without_ranges = {key: value for key, value in kwargs.items() if key not in DEFAULTS}
        index = self._index_by_class(cls, agent.agent_id, without_ranges)
        if index < 0:  # as what the core has no text for
            index = thing_index(self._world, name, kwargs.get("object_id"))
        if index >= 0:
            self.last_by_class[agent.index] = self._world.core.actions[index]

    def _fail(self, agent: LiveAgent, name: str, error: Exception) -> None:
        self.failures.append((agent, name, error))
        _give(agent, name, ActionResult(f"{name} failed with {type(error).__name__}: {error}", False))

    def _do(self, agent: LiveAgent, name: str, kwargs: dict[str, Any]) -> ActionResult:
        possible = self.is_possible(agent.agent_id, name, kwargs)
        cls = find_action(name)
        if not possible.succeeded or cls is None:
            return possible
        world = self._world
        result = cls().mutate(
            world, agent_id=agent.agent_id, world_state=world.world_state, **without_deprecated(kwargs)
        )
        return _checked_result(result, cls, "mutate")

    def is_possible(self, agent_id: str, action: str | None, kwargs: dict[str, Any]) -> ActionResult:
        """What would come of an action now, see `GridWorld.is_possible`."""
        agent = self._agents.get(agent_id)
        if agent is None:
            return _removed(agent_id)
        if action is None:
            return IDLED
        cls = find_action(action)
        if cls is None and action not in self._world.core_indices:
            return UNKNOWN
        if agent.lacks(action):
            return INCAPABLE
        if cls is None:
            return self._core_allows(agent, action, kwargs)
        if missing := cls.missing_arguments(kwargs):
            text = f"{action} needs the argument{'s' * (len(missing) > 1)} {', '.join(missing)}, which the agent did not give."
            return ActionResult(text, False)
        before = self._fingerprint() if self._debug else None
        world = self._world
        result = cls().is_possible(
            world, agent_id=agent_id, world_state=world.world_state, **without_deprecated(kwargs)
        )
        if before is not None and self._fingerprint() != before:
            raise RuntimeError(f"{action}.is_possible has changed the world; only mutate may do so")
        return _checked_result(result, cls, "is_possible")

    def _core_allows(self, agent: LiveAgent, action: str, kwargs: Mapping[str, Any]) -> ActionResult:
        """Whether the legal rules of a world of the catalogue allow an action."""
        index = self._core_index(action, kwargs)
        if index < 0:
            return UNKNOWN
        legal = bool(self._stepper.action_masks[agent.index][index])
        return ActionResult(
            ActionResult.ACTION_SUCCEEDED if legal else ActionResult.ACTION_NOT_POSSIBLE, legal
        )

    def _fingerprint(self) -> Any:
        world = self._world
        every = itertools.chain(world.environment_objects.values(), world.registered_agents.values())
        return world.core_state.tobytes(), [(o.obj_id, repr(o.properties)) for o in every]


def _give(agent: LiveAgent, name: str | None, result: ActionResult) -> None:
    """Tell a brain what came of its action."""
    agent.brain.previous_action, agent.brain.previous_action_result = name, result
    agent.body.is_blocked = False


def _removed(agent_id: str) -> ActionResult:
    return ActionResult(ActionResult.AGENT_WAS_REMOVED.replace("{AGENT_ID}", agent_id), False)


def _checked_result(result: Any, cls: type[Action], method: str) -> ActionResult:
    if isinstance(result, ActionResult):
        return result
    raise TypeError(f"{cls.__name__}.{method} returned {result!r}; an ActionResult is needed")
