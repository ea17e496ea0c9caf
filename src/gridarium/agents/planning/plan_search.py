"""Shortest plans by breadth-first search over the world's own step function, thousands of states in one call."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from gridarium.agents.perspective import idle_action, own_action_indices
from gridarium.engine import Autoreset, Batch, Snapshot, World
from gridarium.engine.arguments import check_agent, check_count, check_function
from gridarium.engine.outcomes.state_rows import Rows, joined, row_keys, rows_of, state_at
from gridarium.engine.world import check_state, check_world
from gridarium.world import Action, State
from gridarium.world.agent import ACTION, RESULT
from gridarium.world.state import ENDED, TURN
from gridarium.world.vocabulary import DATA_FIELDS

LARGEST_BATCH = 4096
Goal = Callable[[State], bool]


class SearchTooLarge(Exception):
    """A search has met more states than it may."""


@dataclass(frozen=True)
class Plan:
    """A way to a goal.

    Attributes:
        actions: the actions, tick by tick.
        keys: `state_key` of the state to which each action should lead.
        explored: the number of different states that the search has met.
        succeeds: whether it leads to the goal; a plan that only ends the episode, without a reward, does not.
    """

    actions: tuple[Action, ...]
    keys: tuple[bytes, ...] = field(repr=False)
    explored: int
    succeeds: bool = True

    def __len__(self) -> int:
        return len(self.actions)

    def __iter__(self) -> Iterator[Action]:
        return iter(self.actions)


def shortest_plan(
    world: World,
    state: State,
    *,
    goal: Goal | None = None,
    agent: int = 0,
    limit: int = 200_000,
    seed: int | None = 0,
) -> Plan | None:
    """The fewest actions that lead an agent from a state to a goal.

    The search steps copies of the state through the world itself, so it knows every rule. Where chance plays a part,
    it searches one future drawn from `seed`, not the one that will come. Other agents stay where they are meanwhile.

    Args:
        world: the model.
        state: the first state.
        goal: holds in the states to be reached (called in Python for each new state). By default the episode is to
            end with a positive reward for the agent in that tick, or if that cannot be, to end.
        agent: the one that plans.
        limit: the largest number of different states that the search may meet.
        seed: of the future in which it searches.

    Returns:
        The plan, or None if there is no way to an end at all.

    Raises:
        SearchTooLarge: more than `limit` states.
        TypeError, ValueError, IndexError: not a world, a state of another kind, not a function, or no such agent.

    Example:
        >>> world = World("KeyDoor-9x9")
        >>> plan = shortest_plan(world, world.reset(seed=1))
        >>> [action.name for action in plan][:3]
        ['TURN_RIGHT', 'MOVE_FORWARD', 'PICK_N_DROP']
    """
    check_world(world)
    check_state(state, world)
    check_count("limit", limit)
    if goal is not None:
        check_function("goal", goal)
    check_agent(agent, world.spec.agents)
    start = state.fork(seed)
    if goal is not None and goal(start):
        return Plan((), (), 1)
    search = _Search(world, agent, goal, limit)
    try:
        return search.run(start)
    finally:
        search.close()


def state_key(state: State, agent: int = 0) -> bytes:
    """All of a state that matters to an agent's plan, as bytes: not the clock, random keys, and other agents."""
    return _keys(rows_of(state), agent)[0]


@dataclass
class _Search:
    world: World
    agent: int
    goal: Goal | None
    limit: int

    def __post_init__(self) -> None:
        self.choices = _choices(self.world, self.agent)
        self.any_end: bytes | None = None
        self.batches: dict[int, Batch] = {}
        self.came_from: dict[bytes, tuple[bytes, int]] = {}

    def run(self, start: State) -> Plan | None:
        frontier = rows_of(start)
        origin = _keys(frontier, self.agent)[0]
        self.came_from[origin] = (origin, -1)
        parents = [origin]
        while parents:
            found: list[Rows] = []
            keys: list[bytes] = []
            for chosen, actions in self._expansions(frontier):
                rows, rewards, terminated = self._step(tuple(a[chosen] for a in frontier), actions)
                reached = self._new(rows, [parents[i] for i in chosen], actions)
                for i, key in reached:
                    if self._is_goal(rows, i, float(rewards[i]), bool(terminated[i])):
                        return self._plan(key)
                    if self.goal is None and terminated[i] and self.any_end is None:
                        self.any_end = key
                going_on = [(i, key) for i, key in reached if rows[2][i, ENDED] == 0]
                if going_on:
                    found.append(tuple(a[[i for i, _ in going_on]] for a in rows))
                    keys += [key for _, key in going_on]
            frontier = joined(found)
            parents = keys
        return None if self.any_end is None else replace(self._plan(self.any_end), succeeds=False)

    def close(self) -> None:
        for batch in self.batches.values():
            batch.close()

    def _expansions(self, frontier: Rows) -> Iterator[tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]]:
        """Every state of the frontier with every action, or with every legal one where illegal ones are no way, in portions."""
        count, choices = len(frontier[0]), len(self.choices)
        states, actions = np.repeat(np.arange(count), choices), np.tile(np.arange(choices), count)
        if self.world.spec.has_masks and self.world.spec.illegal in ("refuse", "lose"):
            portions = range(0, count, LARGEST_BATCH)
            legal = [self._legal(tuple(a[k : k + LARGEST_BATCH] for a in frontier)) for k in portions]
            states, actions = (part[np.concatenate(legal).ravel()] for part in (states, actions))
        for first in range(0, len(states), LARGEST_BATCH):
            yield states[first : first + LARGEST_BATCH], actions[first : first + LARGEST_BATCH]

    def _legal(self, rows: Rows) -> npt.NDArray[np.bool_]:
        """bool[n, choices]: which of the agent's choices are legal; all while it is not its turn."""
        batch, count = self._filled(rows), len(rows[0])
        masks = np.asarray(batch.masks, np.bool_)[:count]
        own = masks[:, self.agent] if masks.ndim == 3 else masks
        return own[:, self.choices[:, self.agent]] | ~batch.acting[:count, self.agent, None]

    def _step(
        self, rows: Rows, actions: npt.NDArray[np.int64]
    ) -> tuple[Rows, npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
        """The states that follow, the agent's rewards, and whether it has ended."""
        count, batch = len(actions), self._filled(rows)
        result = batch.step(self.choices[actions[np.arange(batch.n) % count]])
        arrays = batch.snapshot().arrays()
        rewards, terminated = result.rewards.reshape(batch.n, -1), result.terminated.reshape(batch.n, -1)
        return tuple(a[:count] for a in arrays), rewards[:count, self.agent], terminated[:count, self.agent]

    def _filled(self, rows: Rows) -> Batch:
        """A batch with these states; it is filled up with copies."""
        count, size = len(rows[0]), 8
        while size < count:
            size *= 2
        if size not in self.batches:
            self.batches[size] = self.world.batch(size, autoreset=Autoreset.DISABLED, shared=True)
        batch = self.batches[size]
        batch.restore(Snapshot(*(a[np.arange(size) % count] for a in rows)))
        return batch

    def _new(
        self, rows: Rows, parents: list[bytes], actions: npt.NDArray[np.int64]
    ) -> list[tuple[int, bytes]]:
        """Index and key of those states that have not been met before."""
        new = []
        for i, key in enumerate(_keys(rows, self.agent)):
            if key not in self.came_from:
                self.came_from[key] = (parents[i], int(actions[i]))
                new.append((i, key))
        if len(self.came_from) > self.limit:
            raise SearchTooLarge(f"more than {self.limit} states of {self.world.name}; give a larger `limit`")
        return new

    def _is_goal(self, rows: Rows, i: int, reward: float, terminated: bool) -> bool:
        if self.goal is not None:
            return self.goal(state_at(self.world, rows, i, self.agent))
        return terminated and reward > 0

    def _plan(self, key: bytes) -> Plan:
        actions: list[Action] = []
        keys: list[bytes] = []
        while True:
            parent, choice = self.came_from[key]
            if choice < 0:
                return Plan(tuple(reversed(actions)), tuple(reversed(keys)), len(self.came_from))
            actions.append(self.world.actions[int(self.choices[choice, self.agent])])
            keys.append(key)
            key = parent


def _choices(world: World, agent: int) -> npt.NDArray[np.int64]:
    """int64[choices, agents]: each of the agent's actions, while the others stay where they are."""
    masks = world.spec.action_masks
    own = own_action_indices(world, agent)
    choices = np.tile([idle_action(world, other) for other in range(len(masks))], (len(own), 1))
    choices[:, agent] = own
    return choices


def _keys(rows: Rows, agent: int) -> list[bytes]:
    cells, layers, data, agent_rows = rows
    deciding = [k for k in range(agent_rows.shape[2]) if k not in (RESULT, ACTION)]
    numbers = [TURN, *range(DATA_FIELDS, data.shape[1])]
    return row_keys((cells, layers, data[:, numbers], agent_rows[:, agent, deciding]))
