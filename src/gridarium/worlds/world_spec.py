"""A description with every name resolved, from which the engine composes a world."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path as Folder
from typing import Any, Literal, NamedTuple

import numpy as np

from gridarium.rules.legal_functions import legal_function_registry
from gridarium.rules.observation_functions import full_grid
from gridarium.rules.sensors import Sensor, sensor
from gridarium.world import Action, Color, Floor, GridObject, Shape, Vocabulary
from gridarium.world.acting_agents import MOST_ACTING
from gridarium.world.action_arguments import NO_ARGUMENTS, Actions, ActionTable
from gridarium.world.field_array import Layout
from gridarium.world.vocabulary import ALL_PLAYERS, MOST_PLAYERS
from gridarium.worlds import catalogue
from gridarium.worlds.description import Description
from gridarium.worlds.entries.entry_types import (
    MOST_ITEMS,
    OBSERVATIONS,
    PLANES,
    POSE,
    WITHOUT_CELLS,
    Entry,
    RepresentationEntry,
)
from gridarium.worlds.entries.problems import Collector, DescriptionError, EntryProblem, Path, suggest
from gridarium.worlds.map_resets import (
    followed,
    reset_from_maps,
    with_placed_things,
    with_start_fields,
    with_start_poses,
)
from gridarium.worlds.resolving.binding import REGISTRIES, bind
from gridarium.worlds.resolving.name_resolver import NameResolver
from gridarium.worlds.resolving.to_plain_data import Describer

WITHOUT_HEADING = {"LEFT", "DOWN", "RIGHT", "UP", "WAIT", "PICK_UP", "PUT_DOWN"}
"""Actions that do not depend on an agent's heading."""

Rule = functools.partial[Any]
"""A rule's function with its own parameters bound by keyword; its `func` is not itself a partial."""


class TransitionRule(NamedTuple):
    """A transition rule, and whether it runs for each acting agent or once a tick."""

    rule: Rule
    scope: Literal["agent", "world"]


class ObservedArray(NamedTuple):
    """An array of an agent's observation that an array rule fills.

    Attributes:
        name: its name.
        layout: its shape, and the type of its items: "bool", "int" or "float".
        type: as in its description: "bool", "uint8", "int" or "float".
        low, high: the bounds of its items.
        rule: `(state, array, *, rng)`.
    """

    name: str
    layout: Layout
    type: str
    low: int | float
    high: int | float
    rule: Rule


@dataclass(frozen=True, repr=False)
class Spec:
    """A resolved description, from which the engine composes a world. Created by `spec(description)` or `build(...)`.

    Attributes:
        description: the description it was resolved from, as plain data.
        vocabulary: kinds, colors, fields, edges.
        shape: height and width.
        agent_names: one name for each agent.
        actions: the actions by index, with all their arguments.
        action_masks: for each agent and action, whether the agent has it.
        reset: the rule that fills a cleared state, `(state, *, rng)`.
        transitions: `(state, action, *, rng)`, in order.
        legal: `(state, action) -> bool`, joined by *and*; and those that fill masks, `(state, mask)`.
        filled_actions: the actions whose masks are filled.
        illegal: what an illegal action does: "ignore", "attempt", "refuse" or "lose".
        rewards, terminations: `(state, action, next_state, *, rng)`.
        outcome: `(state) -> number`, what came of an episode for an agent; None where it is the return.
        observation: `(state, *, rng) -> Observation`.
        sensors: the sensors of agents, see `gridarium.rules.sensor_registry`.
        observations: the arrays that array rules fill.
        representation: how observations become arrays: `name`, `tile` for rgb, and declared `fields` to include.
        time_limit: the maximum number of ticks of an episode, or None.
        observers: the agents that a step of a batch observes: "all", or the "acting" one, which acts next.
        turn_order: the agents that act in a tick: "all", "cycle" (one after another), "rotating" (all, the first one
            rotates).
        conflicts: the agent that gets a contested cell: "order", "random", "nobody".
        episode_ends: when a termination holds for any agent ("any_agent") or for all ("all_agents").
        rewards_to: "each": every agent gets its own; "team": all get the sum.
        own: the meaning of names in the description that are not in a registry.
    """

    description: Description
    vocabulary: Vocabulary
    shape: Shape
    agent_names: tuple[str, ...]
    actions: Actions
    action_masks: tuple[tuple[bool, ...], ...]
    reset: Rule
    transitions: tuple[TransitionRule, ...]
    legal: tuple[Rule, ...]
    filled_actions: frozenset[Action]
    illegal: Literal["ignore", "attempt", "refuse", "lose"]
    rewards: tuple[Rule, ...]
    terminations: tuple[Rule, ...]
    outcome: Rule | None
    observation: Rule
    observers: Literal["all", "acting"]
    sensors: tuple[Sensor, ...]
    observations: tuple[ObservedArray, ...]
    representation: RepresentationEntry
    time_limit: int | None
    turn_order: Literal["all", "cycle", "rotating", "chosen"]
    conflicts: Literal["order", "random", "nobody"]
    episode_ends: Literal["any_agent", "all_agents"]
    rewards_to: Literal["each", "team"]
    own: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The world's name."""
        return self.description.name

    @property
    def agents(self) -> int:
        """The number of agents."""
        return len(self.agent_names)

    @property
    def has_masks(self) -> bool:
        """Whether not every action is always legal: there are legal rules, or agents are busy for a while."""
        return bool(self.legal) or self.vocabulary.has_durations

    def __repr__(self) -> str:
        return f"<Spec {self.name}: {self.shape.height} x {self.shape.width}, {self.agents} agent{'s' * (self.agents > 1)}>"

    @staticmethod
    def build(**given: Any) -> Spec:
        """Build a world from the keys of a description, with Python objects instead of names.

        Args:
            given: `shape`, `objects`, `transitions` and so on. Rules may be functions or `functools.partial` of
                functions, registered or not; objects may be classes; colors, actions, areas and fields may be
                instances.

        Returns:
            The world. Its description names your own functions and classes as `module:name`.

        Raises:
            DescriptionError: as for a description in a file.
            TypeError: a function does not follow its protocol, or a value cannot be represented.

        Example:
            >>> Spec.build(
            ...     shape=(5, 5),
            ...     objects=[Floor, Wall, Exit, Coin],
            ...     reset=partial(coins, number=3),
            ...     transitions=["move_agent", "turn_agent", collect],
            ...     rewards=[partial(overlap, object_type=Coin)],
            ... )
        """
        describer = Describer()
        described = Description.from_dict(describer.world(given))
        described.keep_from_files(describer.only_here)
        return resolve(described, NameResolver(allow_imports=True, own=describer.own))


def spec(description: Description, *, allow_imports: bool = False) -> Spec:
    """Resolve every name of a description.

    Args:
        description: the description.
        allow_imports: whether `module:name` in it may import modules, which runs their code. They are searched first in
            the folder of the description's file. A description that was loaded with this permission keeps it.

    Raises:
        DescriptionError: a name, parameter or picture is invalid; lists all problems, with lines where known.
    """
    return resolve(description, names_of(description, {}, allow_imports=allow_imports))


def names_of(
    description: Description, own: Mapping[str, Any], *, allow_imports: bool = False
) -> NameResolver:
    """Create the resolver of a description's names.

    Args:
        description: the description.
        own: the meaning of names that are neither registered nor imported.
        allow_imports: as for `spec`.
    """
    source = description.origin.source
    folder = Folder(source).resolve().parent if source else None
    preferred = "gridarium." if folder == catalogue.FOLDER else ""  # whatever users call theirs
    return NameResolver(allow_imports or description.origin.trusted, folder, own, preferred=preferred)


def resolve(description: Description, names: NameResolver) -> Spec:
    """Resolve a description like `spec`, with a given name resolver.

    Rules that a module registers are available by their plain names in the whole description, even before the module is
    named. So if there are problems and modules have been imported, the description is resolved a second time.
    """
    try:
        try:
            return _Resolution(description, names).spec()
        except DescriptionError:
            if not names.imported:
                raise
            names.used.clear()
            return _Resolution(description, names).spec()
    except DescriptionError as error:
        raise description.origin.with_lines(error) from error.__cause__


class _Resolution:
    """One pass over a description that collects the problems of all its parts."""

    def __init__(self, description: Description, names: NameResolver) -> None:
        self.description, self.names, self.problems = description, names, Collector()

    def spec(self) -> Spec:
        given = self.description
        for i, name in enumerate(given.modules):
            with self.problems:
                self.names.search_module(name, ("modules", i))
        self.problems.raise_if_any()  # what such a module would bring is unknown, and not wrong
        # rules and kinds first: importing them may declare the colors and actions
        kinds = self._kinds()
        transitions = self._rules("transition_function", "transitions")
        legal = self._rules("legal_function", "legal")
        rewards = self._rules("reward_function", "rewards")
        terminations = self._rules("terminating_function", "terminations")
        outcome = self._rule("outcome_function", given.outcome, ("outcome",)) if given.outcome else None
        observation = self._rule("observation_function", given.observation, ("observation",))
        sensors = self._rules("sensor_function", "sensors")
        observations = self._observations()
        reset = self._reset(kinds)
        listed = self._listed_actions()
        table = self._action_table(listed)
        headings = observation is None or self._headings(observation)
        vocabulary = self._vocabulary(kinds, headings=headings, table=table)
        self._check_players(observation)
        self._check_observers()
        if given.turn_order == "chosen" and len(given.agents) > MOST_ACTING:
            self.problems.add(("turn_order",), f"rules choose who acts among at most {MOST_ACTING} agents")
        self._check_shown_fields()
        self._check_shown_sensors()
        self._check_planes(kinds)
        actions = self._actions(listed, table)
        filled = self._filled_actions(legal, listed)
        scopes = [self._scope(rule, ("transitions", i)) for i, rule in enumerate(transitions)]
        self.problems.raise_if_any()
        assert (
            vocabulary is not None and observation is not None and reset is not None and actions is not None
        )
        return Spec(
            description=given,
            vocabulary=vocabulary,
            shape=Shape(*given.extent),
            agent_names=tuple(a.name or f"agent_{i}" for i, a in enumerate(given.agents)),
            actions=actions,
            action_masks=self._masks(actions),
            reset=reset,
            transitions=tuple(TransitionRule(r, s) for r, s in zip(transitions, scopes, strict=True)),
            legal=legal,
            filled_actions=filled,
            illegal=given.illegal,
            rewards=rewards,
            terminations=terminations,
            outcome=outcome,
            observation=observation,
            observers=given.observers,
            sensors=tuple(map(sensor, sensors)),
            observations=observations,
            representation=given.representation,
            time_limit=given.time_limit,
            turn_order=given.turn_order,
            conflicts=given.conflicts,
            episode_ends=given.episode_ends,
            rewards_to=given.rewards_to,
            own={**self.names.own, **self.names.found},
        )

    def _kinds(self) -> tuple[type[GridObject], ...]:
        kinds = []
        for i, name in enumerate(self.description.objects):
            with self.problems:
                kinds.append(self.names.any_kind(name, ("objects", i)))
        if Floor not in kinds:
            self.problems.add(("objects",), "Floor is missing: every world has it")
        return tuple(kinds)

    def _headings(self, observation: Rule) -> bool:
        """Return whether an agent's heading affects its moves or observations."""
        if not any(agent.body for agent in self.description.agents):
            return False
        if any(action.name not in WITHOUT_HEADING for action in self.description.actions):
            return True
        if "orientation" in self.description.representation.fields:
            return True
        if observation.func is full_grid or self.description.representation.name in WITHOUT_CELLS:
            return False
        seen = observation.keywords.get("area")
        return seen is None or len({-seen.ymin, seen.ymax, -seen.xmin, seen.xmax}) > 1

    def _vocabulary(
        self, kinds: tuple[type[GridObject], ...], *, headings: bool, table: ActionTable
    ) -> Vocabulary | None:
        given = self.description
        colors = []
        for i, entry in enumerate(given.colors):
            with self.problems:
                if entry.rgb is None:
                    colors.append(self.names.any_color(entry.name, ("colors", i)))
                else:
                    colors.append(_declared(lambda e: Color(e.name, e.rgb, e.mark), entry, ("colors", i)))
        fields = {
            f"{part}_fields": [entry.declared() for entry in getattr(given.fields, part)]
            for part in ("world", "agent", "cell", "thing")
        }
        things, thing_kinds = given.things, []
        for i, name in enumerate(() if things is None else things.kinds):
            with self.problems:
                thing_kinds.append(self.names.any_kind(name, ("things", "kinds", i)))
        if given.fields.thing and things is None:
            self.problems.add(
                ("fields", "thing"), "this world has no things; add `things:`, such as `things: 8`"
            )
        try:
            vocabulary = Vocabulary(
                kinds,
                colors,
                edges=given.edges,
                headings=headings,
                board=given.board,
                action_table=table,
                thing_capacity=0 if things is None else things.capacity,
                most_carried=1 if things is None else things.carried,
                thing_kinds=thing_kinds,
                bodiless=_bodiless([agent.body for agent in given.agents]),
                **fields,
            )
        except ValueError as error:
            self.problems.add(("objects",), str(error))
            return None
        self._check_used(vocabulary)
        return vocabulary

    def _check_players(self, observation: Rule | None) -> None:
        """Check that agents without a body observe something that is not around them."""
        players = [i for i, agent in enumerate(self.description.agents) if not agent.body]
        if players and players[-1] >= MOST_PLAYERS:
            self.problems.add(
                ("agents", players[-1]), f"only the first {MOST_PLAYERS} agents may be without a body"
            )
        if players and observation is not None and "area" in observation.keywords:
            self.problems.add(
                ("observation",),
                "an agent without a body sees nothing around it; full_grid shows the whole world",
            )

    def _check_observers(self) -> None:
        given = self.description
        if given.observers == "acting" and given.turn_order != "cycle" and len(given.agents) > 1:
            self.problems.add(
                ("observers",),
                "agents that act all at once are all observed; acting goes with turn_order: cycle",
            )

    def _check_shown_fields(self) -> None:
        fields = self.description.fields
        declared = [f.name for f in (*fields.world, *fields.agent)]
        for i, name in enumerate(self.description.representation.fields):
            if name not in (*declared, *POSE):
                text = f"{name!r} is not a declared field of the world or of its agents; {suggest(name, declared)}"
                self.problems.add(("representation", "fields", i), text)

    def _check_shown_sensors(self) -> None:
        shown = self.description.representation
        if shown.name == OBSERVATIONS and not self.description.observations:
            self.problems.add(
                ("representation", "name"), "the world has no arrays of its own; list them as `observations`"
            )
        if shown.shows_sensors and not self.description.sensors:
            key = "sensors" if shown.sensors else "name"
            self.problems.add(
                ("representation", key), "the world has no sensors to show; list them as `sensors`"
            )

    def _check_planes(self, kinds: tuple[type[GridObject], ...]) -> None:
        if self.description.representation.name != PLANES:
            return
        agents = len(self.description.agents)
        for kind in kinds:
            if kind is not Floor and kind.num_states() < max(agents, 2):
                text = (
                    f"planes show pieces, whose status is their player, of {agents}; {kind.__name__} is none"
                )
                self.problems.add(("representation", "name"), text)

    def _check_used(self, vocabulary: Vocabulary) -> None:
        for used, path in self.names.used:
            if isinstance(used, Color):
                if used not in vocabulary.colors.values():
                    listed = ", ".join(c.name for c in vocabulary.colors.values())
                    self.problems.add(path, f"{used.name} is not among the world's colors: {listed}")
            elif not vocabulary.mask_of((used,)):
                listed = ", ".join(k.__name__ for k in vocabulary.kinds.values())
                self.problems.add(path, f"{used.__name__} is not among the world's objects: {listed}")

    def _listed_actions(self) -> list[Action]:
        """Return the actions as listed, before their arguments are applied."""
        actions = []
        for i, entry in enumerate(self.description.actions):
            with self.problems:
                if entry.declare or entry.over:
                    actions.append(_declared(lambda e: Action.declare(e.name), entry, ("actions", i, "name")))
                else:
                    actions.append(self.names.action(entry.name, ("actions", i)))
        return actions

    def _action_table(self, listed: list[Action]) -> ActionTable:
        entries = self.description.actions
        if len(listed) < len(entries):
            return NO_ARGUMENTS  # a problem is noted
        try:
            both = list(zip(listed, entries, strict=True))
            return ActionTable(
                {a.value: entry.arguments for a, entry in both if entry.over},
                {a.value: entry.duration for a, entry in both if entry.duration != 1},
            )
        except ValueError as error:
            self.problems.add(("actions",), str(error))
            return NO_ARGUMENTS

    def _actions(self, listed: list[Action], table: ActionTable) -> Actions | None:
        if len(listed) < len(self.description.actions):
            return None  # a problem is noted
        try:
            things = self.description.things
            capacity = 0 if things is None else things.capacity
            return Actions(
                listed, table, Shape(*self.description.extent), len(self.description.agents), capacity
            )
        except ValueError as error:
            self.problems.add(("actions",), str(error))
            return None

    def _masks(self, actions: Actions) -> tuple[tuple[bool, ...], ...]:
        listed = [action.name for action in self.description.actions]
        return tuple(
            tuple(
                np.array([agent.actions is None or name in agent.actions for name in listed])[
                    actions.owners
                ].tolist()
            )
            for agent in self.description.agents
        )

    def _filled_actions(self, legal: tuple[Rule, ...], listed: list[Action]) -> frozenset[Action]:
        """The actions that legal rules fill, each of them by one rule."""
        by_name = {action.name: action for action in listed}
        fillers: dict[str, str] = {}
        for i, rule in enumerate(legal):
            names = legal_function_registry.fills(rule)
            for name in () if names is None else names or by_name:
                if name not in by_name:
                    text = f"{rule.func.__name__} fills {name}, which is not among the world's actions"
                    self.problems.add(("legal", i), f"{text}; {suggest(name, list(by_name))}")
                elif name in fillers:
                    text = f"{rule.func.__name__} fills {name}, as {fillers[name]} does; an action is filled by one rule"
                    self.problems.add(("legal", i), text)
                fillers[name] = rule.func.__name__
        return frozenset(by_name[name] for name in fillers if name in by_name)

    def _rules(self, key: str, where: str) -> tuple[Rule, ...]:
        entries = getattr(self.description, where)
        rules = [self._rule(key, entry, (where, i)) for i, entry in enumerate(entries)]
        return tuple(rule for rule in rules if rule is not None)

    def _rule(self, key: str, entry: Entry, path: Path) -> Rule | None:
        with self.problems:
            return bind(REGISTRIES[key], entry, self.names, path)
        return None

    def _observations(self) -> tuple[ObservedArray, ...]:
        """The arrays that array rules fill, with the lengths of this world."""
        given, found = self.description, []
        things = 0 if given.things is None else given.things.capacity
        height, width = given.extent
        lengths = {"height": height, "width": width, "agents": len(given.agents), "things": things}
        for i, entry in enumerate(given.observations):
            rule = self._rule("array_function", entry.fill, ("observations", i, "fill"))
            shape = tuple(lengths[n] if isinstance(n, str) else n for n in entry.shape)
            if not 1 <= math.prod(shape) <= MOST_ITEMS:
                text = f"an array has 1 to {MOST_ITEMS:,} items, not {' x '.join(map(str, shape))}"
                self.problems.add(("observations", i, "shape"), text)
            if rule is not None:
                layout = Layout(shape, "int" if entry.type == "uint8" else entry.type)
                found.append(ObservedArray(entry.name, layout, entry.type, *entry.bounds, rule))
        return tuple(found)

    def _scope(self, rule: Rule, path: Path) -> Literal["agent", "world"]:
        try:
            return REGISTRIES["transition_function"].scope_of(rule)
        except ValueError as error:
            self.problems.add(path, str(error))
            return "agent"

    def _reset(self, kinds: tuple[type[GridObject], ...]) -> Rule | None:
        given = self.description
        with self.problems:
            if given.reset is None:
                reset: Rule | None = reset_from_maps(given, kinds, self.names)
            else:
                reset = self._rule("reset_function", given.reset, ("reset",))
            if reset is not None:
                placed = with_placed_things(given, reset, self.names)
                begun = with_start_fields(given, with_start_poses(given, placed))
                return followed(begun, self._rules("reset_function", "after_reset"))
        return None


def _bodiless(bodies: list[bool]) -> int:
    """The agents without a body as a bit mask; of players only, the same for any number."""
    if not any(bodies):
        return ALL_PLAYERS
    return sum(1 << i for i, body in enumerate(bodies) if not body)


def _declared(make: Any, entry: Any, path: Path) -> Any:
    try:
        return make(entry)
    except ValueError as error:
        raise EntryProblem(path, str(error)) from error
