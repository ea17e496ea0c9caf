"""How an agent moves between places, as exact probabilities, taken from the rules of its world."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gridarium.beliefs.places import Floats, Ints, Places
from gridarium.engine import World
from gridarium.engine.copies import Copies
from gridarium.rules.outcomes import outcomes
from gridarium.rules.transition_functions import TransitionFunction
from gridarium.world import Action, State
from gridarium.world.agent import ACTION, ACTIVE, BUSY, HELD, ORIENTATION, RESULT, X, Y
from gridarium.world.state import TURN

Ways = dict[int, float]
"""Places where the agent may come to be, with their probabilities."""


@dataclass(frozen=True, eq=False)
class Motion:
    """Where each action leads.

    Attributes:
        targets: int64[actions, places, ways]: where the agent may come to be.
        shares: float64[actions, places, ways]: with which probability; they add up to 1.
    """

    targets: Ints
    shares: Floats

    def predict(self, action: int, belief: Floats) -> Floats:
        """The belief after an action: float64[places]."""
        moved = belief[:, None] * self.shares[action]
        return np.bincount(self.targets[action].ravel(), moved.ravel(), len(belief)).astype(
            np.float64, copy=False
        )

    def expected(self, action: int, values: Floats) -> Floats:
        """The mean of values where an action leads, for each place from which it leads there: float64[places]."""
        found: Floats = (self.shares[action] * values[self.targets[action]]).sum(axis=1)
        return found

    def matrix(self, action: int) -> Floats:
        """float64[places, places]: the probability of each place after an action, for each place before it."""
        count = self.targets.shape[1]
        found = np.zeros((count, count))
        np.add.at(found, (np.arange(count)[:, None], self.targets[action]), self.shares[action])
        return found

    def under(self, policy: Any = None) -> Motion:
        """The motion of somebody else, who chooses its actions by a policy: the only "action" 0 is that it moves.

        Args:
            policy: float[places, actions], or float[actions] for all places; None for all actions alike.

        Raises:
            ValueError: another shape, or probabilities that do not add up to 1.
        """
        actions, places, _ = self.targets.shape
        chosen = (
            np.full((places, actions), 1.0 / actions) if policy is None else np.asarray(policy, np.float64)
        )
        if chosen.shape not in ((actions,), (places, actions)):
            raise ValueError(
                f"a policy is float[{places}, {actions}] or float[{actions}], not {list(chosen.shape)}"
            )
        if (chosen < 0).any() or not np.allclose(chosen.sum(axis=-1), 1.0):
            raise ValueError("the probabilities of a policy are not negative and add up to 1")
        weights = self.shares * np.broadcast_to(chosen, (places, actions)).T[:, :, None]
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
        places: of one of its agents. What the rules do may depend on the place alone, and change nothing else.
        actions: those that are looked at, all by default; after others the agent is taken to stay.

    Raises:
        NotEnumerable: a rule's chance has no small number of outcomes: use `sampled_motion`.
        ValueError: a rule changes more than the agent's place, or is one for the whole world.
    """
    for rule, scope in world.spec.transitions:
        if scope == "world":
            raise ValueError(
                f"{rule.func.__name__} changes the whole world each tick: a belief over places is for agents that only"
                " move; use StateFilter"
            )
    rows: list[Any] = []
    for action in world.actions:
        row: list[Ways] = [{place: 1.0} for place in range(len(places))]
        if actions is None or action in actions:
            for rule, _ in world.spec.transitions:
                onward = _onward(rule, action, places)
                row = [_followed(ways, onward) for ways in row]
        rows.append([ways.items() for ways in row])
    return _gathered(rows)


def sampled_motion(world: World, places: Places, *, samples: int = 1000, seed: int = 0) -> Motion:
    """The motion of any rules, by counting what the compiled step does; probabilities are off by up to 1/sqrt(samples).

    All rules take part, those for the whole world too; other agents do action 0 of the world.

    Args:
        world: the world.
        places: of one of its agents.
        samples: how often each action is tried at each place.
        seed: of the luck.

    Raises:
        ValueError: no samples, or a step leads to what is no place.
    """
    if samples < 1:
        raise ValueError(f"samples is at least 1, got {samples}")
    copies, rng = Copies(world, samples), np.random.default_rng(seed)
    state, rows = _alone(places), []
    state.data[TURN] = places.agent
    actions = np.zeros((samples, world.spec.agents), np.int64)
    for actions[:, places.agent] in range(len(world.actions)):
        row = []
        for place in range(len(places)):
            places.put(state, place)
            copies.fill(state, rng)
            copies.step(actions)
            bodies = copies.bodies[:, places.agent, [Y, X, ORIENTATION]]
            ends, counts = np.unique(bodies, axis=0, return_counts=True)
            row.append(
                [(places.number(*end), n / samples) for end, n in zip(ends.tolist(), counts, strict=True)]
            )
        rows.append(row)
    return _gathered(rows)


def _onward(rule: TransitionFunction, action: Action, places: Places) -> list[Ways]:
    """Where a rule leads from each place, other agents out of the way."""
    before, found = _alone(places), []
    for place in range(len(places)):
        places.put(before, place)
        ways: Ways = {}
        for share, after in outcomes(rule, before, action):
            _check_static(before, after, places, action, rule)
            there = places.place_of(after)
            ways[there] = ways.get(there, 0.0) + share
        found.append(ways)
    return found


def _followed(ways: Ways, onward: list[Ways]) -> Ways:
    """Where ways lead, if something else happens at their ends."""
    found: Ways = {}
    for there, share in ways.items():
        for end, then in onward[there].items():
            found[end] = found.get(end, 0.0) + share * then
    return found


def _alone(places: Places) -> State:
    """The world with nobody else in the way."""
    state = places.ground
    state.bodies[np.arange(len(state.bodies)) != places.agent, ACTIVE] = 0
    return state


def _check_static(before: State, after: State, places: Places, action: Action, rule: Any) -> None:
    first, second = (state.bodies.copy() for state in (before, after))
    for body in (first, second):
        body[:, [RESULT, BUSY, ACTION]] = 0
        body[places.agent, [Y, X, ORIENTATION]] = 0
    same = np.array_equal(before.cells, after.cells) and np.array_equal(before.layers, after.layers)
    if same and np.array_equal(first, second) and np.array_equal(before.data, after.data):
        return
    what = "what the agent holds" if first[places.agent, HELD] != second[places.agent, HELD] else "the world"
    name = getattr(getattr(rule, "func", rule), "__name__", repr(rule))
    raise ValueError(
        f"{action.name} changes {what} ({name} at {before.agents[places.agent].position}): a belief over places is"
        " for agents that only move; use StateFilter"
    )


def _gathered(rows: Iterable[Iterable[Any]]) -> Motion:
    """A motion from (target, probability) pairs for each action and place; equal targets become one."""
    merged: list[list[Ways]] = []
    for row in rows:
        merged.append([])
        for pairs in row:
            ways: Ways = {}
            for target, share in pairs:
                if share > 0:
                    ways[int(target)] = ways.get(int(target), 0.0) + float(share)
            merged[-1].append(ways)
    most = max(len(ways) for found in merged for ways in found)
    targets = np.zeros((len(merged), len(merged[0]), most), np.int64)
    shares = np.zeros(targets.shape)
    for a, found in enumerate(merged):
        for place, ways in enumerate(found):
            targets[a, place] = [*ways, *[place] * (most - len(ways))]
            shares[a, place, : len(ways)] = list(ways.values())
    return Motion(targets, shares / shares.sum(axis=2, keepdims=True))
