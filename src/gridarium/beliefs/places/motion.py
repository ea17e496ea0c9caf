"""An agent's motion between places as probabilities, taken from the rules of its world."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.beliefs.belief import Floats, Ints
from gridarium.beliefs.places.places import Places
from gridarium.engine import World
from gridarium.engine.arguments import Seed, check_count, floats, generator
from gridarium.engine.outcomes.clock_reading import clock_reading
from gridarium.engine.outcomes.copies import Copies
from gridarium.engine.world import check_world
from gridarium.rules.calling import call_rule
from gridarium.rules.outcomes import NotEnumerable
from gridarium.rules.outcomes.enumerator import OutcomeEnumerator
from gridarium.world import Action, State
from gridarium.world.action_arguments import few
from gridarium.world.agent import ACTION, ACTIVE, BUSY, HELD, ORIENTATION, RESULT, X, Y
from gridarium.world.state import PURPOSE, TURN

Ways = list[tuple[int, float]]
"""Places where the agent may come to be, with their probabilities; one may be there several times."""


@dataclass(frozen=True, eq=False)
class Motion:
    """The targets of each action with their probabilities.

    Attributes:
        targets: int64[actions, places, ways]: where the agent may come to be; read-only.
        probabilities: float64[actions, places, ways]: with which probability; they add up to 1; read-only.
        known: the indices of the actions that it knows, none for all; after others the agent is taken to stay.

    Raises:
        TypeError: targets that are no whole numbers, or probabilities that are no numbers.
        ValueError: targets that are no places, probabilities that are negative or do not add up to 1, or arrays of different shapes.
    """

    targets: Ints
    probabilities: Floats
    known: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if np.asarray(self.targets).dtype.kind not in "iu":
            raise TypeError(f"targets are whole numbers, not {np.asarray(self.targets).dtype}")
        # compiled filters go where they point: in memory that nobody else has
        object.__setattr__(self, "targets", np.array(self.targets, np.int64, order="C"))
        object.__setattr__(
            self, "probabilities", floats(self.probabilities, "what motion leads to").copy(order="C")
        )
        shape = self.targets.shape
        if len(shape) != 3 or self.probabilities.shape != shape:
            raise ValueError(
                f"targets and probabilities are [actions, places, ways], not {shape} and {self.probabilities.shape}"
            )
        if self.targets.size and not 0 <= self.targets.min() <= self.targets.max() < shape[1]:
            raise ValueError(f"targets are places, 0 to {shape[1] - 1}")
        if (self.probabilities < 0).any() or not np.allclose(self.probabilities.sum(axis=2), 1.0):
            raise ValueError("the probabilities of an action's targets are not negative and add up to 1")
        self.targets.flags.writeable = self.probabilities.flags.writeable = False

    def predict(self, action: int, belief: Floats) -> Floats:
        """The belief after an action: float64[places]."""
        moved = belief[:, None] * self.probabilities[action]
        return np.bincount(self.targets[action].ravel(), moved.ravel(), len(belief)).astype(
            np.float64, copy=False
        )

    def expected(self, action: int, values: Floats) -> Floats:
        """The mean of values where an action leads, for each place from which it leads there: float64[places]."""
        found: Floats = (self.probabilities[action] * values[self.targets[action]]).sum(axis=1)
        return found

    def matrix(self, action: int) -> Floats:
        """float64[places, places]: the probability of each place after an action, for each place before it."""
        count = self.targets.shape[1]
        found = np.zeros((count, count))
        np.add.at(found, (np.arange(count)[:, None], self.targets[action]), self.probabilities[action])
        return found

    def under(self, policy: npt.ArrayLike | None = None) -> Motion:
        """The motion of somebody else, who chooses its actions by a policy: the only "action" 0 is that it moves.

        Args:
            policy: float[places, actions], or float[actions] for all places; None for all known actions alike.

        Raises:
            ValueError: another shape, or probabilities that do not add up to 1.
        """
        actions, places, _ = self.targets.shape
        known = self.known or range(actions)
        alike = np.isin(np.arange(actions), known) / len(known)
        chosen = alike if policy is None else floats(policy, "a policy")
        if chosen.shape not in ((actions,), (places, actions)):
            raise ValueError(
                f"a policy is float[{places}, {actions}] or float[{actions}], not {list(chosen.shape)}"
            )
        if (chosen < 0).any() or not np.allclose(chosen.sum(axis=-1), 1.0):
            raise ValueError("the probabilities of a policy are not negative and add up to 1")
        weights = self.probabilities * np.broadcast_to(chosen, (places, actions)).T[:, :, None]
        targets = [self.targets[:, place].ravel() for place in range(places)]
        return _gathered(
            [
                [
                    zip(t, w, strict=True)
                    for t, w in zip(targets, weights.transpose(1, 0, 2).reshape(places, -1), strict=True)
                ]
            ]
        )


def exact_motion(world: World, places: Places, actions: Sequence[Action] | None = None) -> Motion:
    """The motion that a world's rules make, with exact probabilities (see `gridarium.rules.outcomes`).

    Args:
        world: its rules.
        places: of one of its agents. What the rules do may depend on the place alone (and on random numbers), and change nothing else.
        actions: those that are looked at, by default all that the agent has; after others it is taken to stay.

    Raises:
        NotEnumerable: a rule's chance has no small number of outcomes: use `sampled_motion`.
        ValueError: a rule changes more than the agent's place, asks for the tick, or is one for the whole world; legal rules prevent
            actions; an action takes several ticks; or actions are none of the world's.
        TypeError: not a world, or not places.
    """
    _check_ground(world, places)
    if world.spec.legal and world.spec.illegal != "attempt":
        raise ValueError(
            f"legal rules of {world.name} prevent actions, which exact_motion leaves out: use sampled_motion or StateFilter"
        )
    for rule, scope in world.spec.transitions:
        if scope == "world":
            raise ValueError(
                f"{_name(rule)} changes the whole world each tick: a belief over places is for agents that only"
                " move; use StateFilter"
            )
        if clock_reading([rule]).data:
            raise _depends_on_more(f"{_name(rule)} asks for the tick")
    wanted = chosen_actions(world, places.agent, actions)
    before = _alone(places)
    rows: list[list[Ways]] = []
    for action in world.actions:
        row: list[Ways] = [[(place, 1.0)] for place in range(len(places))]
        if action in wanted:
            for place in range(len(places)):
                places.put(before, place)
                row[place] = _ways(world, places, before, action)
        rows.append(row)
    return _gathered(rows, tuple(i for i, action in enumerate(world.actions) if action in wanted))


def chosen_actions(world: World, agent: int, given: Iterable[Action] | None = None) -> tuple[Action, ...]:
    """Some of a world's actions, or all that an agent has.

    Raises:
        ValueError: actions that the world does not have.
    """
    if given is None:
        return own_actions(world, agent)
    chosen = tuple(given) if isinstance(given, Iterable) else ()
    if not chosen or not {*chosen} <= {*world.actions}:
        listed = few(a.name for a in world.actions)
        raise ValueError(f"actions are a list of some of this world's: {listed}; not {given!r}")
    return chosen


def own_actions(world: World, agent: int) -> tuple[Action, ...]:
    """The actions that an agent has."""
    mask = world.spec.action_masks[agent]
    return tuple(action for action, has in zip(world.actions, mask, strict=True) if has)


def sampled_motion(world: World, places: Places, *, samples: int = 1000, seed: Seed = 0) -> Motion:
    """The motion of any rules, by counting what the compiled step does; probabilities are off by up to 1/sqrt(samples).

    All rules take part, those for the whole world too; other agents are away.

    Args:
        world: the world.
        places: of one of its agents.
        samples: the number of tries of each action at each place.
        seed: of the random numbers.

    Raises:
        ValueError: no samples, a rule asks for the tick, an action takes several ticks, or a step does not lead to a place.
        TypeError: not a world, not places, or no number of samples.
    """
    _check_ground(world, places)
    check_count("samples", samples)
    copies, rng = Copies(world, samples), generator(seed)
    copies.marks()
    state, rows = _alone(places), []
    state.data[TURN] = places.agent
    masks = np.array(world.spec.action_masks)
    actions = np.tile(masks.argmax(axis=1), (samples, 1))
    known = tuple(np.flatnonzero(masks[places.agent]).tolist())
    for action in range(len(world.actions)):
        row: list[Ways] = [[(place, 1.0)] for place in range(len(places))]
        actions[:, places.agent] = action
        for place in range(len(places)) if action in known else ():
            places.put(state, place)
            copies.fill(state, rng)
            copies.step(actions)
            if copies.marks().clock_read:
                raise ValueError(
                    "a rule asks for the tick: moves depend on more than the place; use StateFilter"
                )
            agent_rows = copies.agent_rows[:, places.agent, [Y, X, ORIENTATION]]
            ends, counts = np.unique(agent_rows, axis=0, return_counts=True)
            row[place] = [
                (places.number(*end), n / samples) for end, n in zip(ends.tolist(), counts, strict=True)
            ]
        rows.append(row)
    return _gathered(rows, known)


def _ways(world: World, places: Places, before: State, action: Action) -> Ways:
    """The targets of an action from the agent's place: all the agent's rules one after another, as in a tick."""
    enumerator = OutcomeEnumerator()
    name = ""

    def run() -> int:
        nonlocal name
        after = enumerator.branching(before)
        after.agent_rows[places.agent, [ACTION, RESULT]] = action.value, 0
        for index, (rule, _) in enumerate(world.spec.transitions):
            name = _name(rule)
            call_rule(rule, (after, action), after.stream(PURPOSE["transition"] + 16 * index))
            if enumerator.clock_read:
                raise _depends_on_more(f"{name} asks for the tick")
            _check_static(before, after, places, action, name)
        return places.place_of(after)

    try:
        return [(place, probability) for probability, place in enumerator.enumerate(run)]
    except NotEnumerable as error:
        raise NotEnumerable(f"the outcomes of transition rule {name} cannot be enumerated: {error}") from None


def _check_ground(world: Any, places: Any) -> None:
    check_world(world)
    if not isinstance(places, Places):
        raise TypeError(
            f"places are needed, as Places.of or PlaceModel(world).places gives them, not {places!r}"
        )
    if world.spec.vocabulary.has_durations:
        raise _depends_on_more(f"actions of {world.name} take several ticks")


def _depends_on_more(why: str) -> ValueError:
    return ValueError(
        f"{why}: a belief over places is for agents whose moves depend on the place alone; use StateFilter"
    )


def _name(rule: Any) -> str:
    return getattr(getattr(rule, "func", rule), "__name__", repr(rule))


def _alone(places: Places) -> State:
    """The world without other agents in the way."""
    state = places.ground
    state.agent_rows[np.arange(len(state.agent_rows)) != places.agent, ACTIVE] = 0
    return state


def _check_static(before: State, after: State, places: Places, action: Action, name: str) -> None:
    first, second = (state.agent_rows.copy() for state in (before, after))
    for rows in (first, second):
        rows[:, [RESULT, BUSY, ACTION]] = 0
        rows[places.agent, [Y, X, ORIENTATION]] = 0
    same = np.array_equal(before.cells, after.cells) and np.array_equal(before.layers, after.layers)
    if same and np.array_equal(first, second) and np.array_equal(before.data, after.data):
        return
    what = "what the agent holds" if first[places.agent, HELD] != second[places.agent, HELD] else "the world"
    raise ValueError(
        f"{action.name} changes {what} ({name} at {before.agents[places.agent].position}): a belief over places is"
        " for agents that only move; use StateFilter"
    )


def _gathered(rows: Iterable[Iterable[Iterable[tuple[int, float]]]], known: tuple[int, ...] = ()) -> Motion:
    """A motion from (target, probability) pairs for each action and place; equal targets become one."""
    merged: list[list[dict[int, float]]] = []
    for row in rows:
        merged.append([])
        for pairs in row:
            ways: dict[int, float] = {}
            for target, probability in pairs:
                if probability > 0:
                    ways[int(target)] = ways.get(int(target), 0.0) + float(probability)
            merged[-1].append(ways)
    most = max(len(ways) for found in merged for ways in found)
    targets = np.zeros((len(merged), len(merged[0]), most), np.int64)
    probabilities = np.zeros(targets.shape)
    for a, found in enumerate(merged):
        for place, ways in enumerate(found):
            targets[a, place] = [*ways, *[place] * (most - len(ways))]
            probabilities[a, place, : len(ways)] = list(ways.values())
    return Motion(targets, probabilities / probabilities.sum(axis=2, keepdims=True), known)
