"""`GameTree`: a world as a tree of decisions and chance, with what players know."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gridarium.agents.model.dynamics import Dynamics, Joint
from gridarium.agents.model.state_store import PlanningError, StateLimit
from gridarium.agents.perspective import observation_keys, own_observations
from gridarium.engine import World
from gridarium.engine.arguments import check_count
from gridarium.engine.outcomes.interpreted import reset_outcomes
from gridarium.engine.outcomes.state_rows import joined, rows_of
from gridarium.games.solving.positions import CannotSolve, TooLarge
from gridarium.rules.outcomes import NotEnumerable
from gridarium.world import State

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
LIMIT = 1_000_000
MOST_DEALS = 20_000
"""The largest number of ways in which the draws of a reset may fall."""
CHANCE, END = -1, -2
"""In the place of a player: nodes of chance, and ends of the game."""


class InformationSet(NamedTuple):
    """What a player knows when it decides: all that it has perceived at its own decisions, and what it did there.

    Attributes:
        player: who decides.
        before: the slot of its last decision before, -1 for none.
        observation: its observation now, as bytes.
    """

    player: int
    before: int
    observation: bytes


@dataclass(frozen=True, eq=False)
class GameTree:
    """A game as a tree, in arrays with an item for each node. Nodes are ordered by depth, and those of one parent are neighbours.

    An information set has a slot for each of its legal actions, one after another; strategies are arrays over all slots.
    Players who act at the same time decide one after another, without knowing what the others do.

    Attributes:
        world: the world.
        parent: int64[nodes]; -1 for the root.
        player: int64[nodes]: who decides, `CHANCE` or `END`.
        slot: int64[nodes]: of the decision that leads to the node; -1 after chance.
        chance: float64[nodes]: the probability with which chance leads to the node; 1 after a decision.
        returns: float64[nodes, players]: at ends, the sums of rewards; 0 elsewhere.
        levels: where the nodes of each depth begin, and the number of nodes.
        sets: the information sets, with their numbers.
        first: int64[sets + 1]: the first slot of each, and the number of slots.
        actions: int64[slots]: the index of each slot's action.
    """

    world: World
    parent: Integers
    player: Integers
    slot: Integers
    chance: Floats
    returns: Floats
    levels: Integers
    sets: dict[InformationSet, int]
    first: Integers
    actions: Integers
    owner: Integers = field(init=False)
    """int64[sets]: whose each is."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "owner", np.array([own.player for own in self.sets], np.int64))

    def __len__(self) -> int:
        return len(self.parent)

    @property
    def players(self) -> int:
        """Their number."""
        return int(self.returns.shape[1])

    def slots(self, known: InformationSet) -> range | None:
        """The slots of an information set; None if it cannot be reached."""
        number = self.sets.get(known)
        return None if number is None else range(int(self.first[number]), int(self.first[number + 1]))

    @classmethod
    def of(cls, world: World, start: State | None = None, *, limit: int = LIMIT) -> GameTree:
        """The tree of a world.

        Args:
            world: the world.
            start: where the game begins; by default in any state in which episodes do, with its probability.
            limit: the largest number of nodes.

        Raises:
            TooLarge: it has more nodes.
            CannotSolve: there is chance that cannot be enumerated.
        """
        check_count("limit", limit)
        try:
            return _Builder(world, limit).build(start)
        except StateLimit:
            raise TooLarge(
                f"the tree of the game has more than {limit} different states; give a larger limit, or a smaller game"
            ) from None
        except (NotEnumerable, PlanningError) as error:
            raise CannotSolve(f"the tree of {world.name} cannot be built: {error}") from None


Outcome = tuple[float, int, tuple[float, ...]]
"""What chance may lead to: a probability, the number of a state, and the returns of all players so far."""


class _Node(NamedTuple):
    """A node whose children are still to be found.

    Attributes:
        number: of the node.
        outcomes: one, with the state of the node; several in a node of chance.
        chosen: the actions of those who act in this state and have decided already.
        memory: for each player the slot of its last decision, -1 for none.
    """

    number: int
    outcomes: list[Outcome]
    chosen: tuple[int, ...]
    memory: tuple[int, ...]

    @property
    def state(self) -> int:
        """The number of its state."""
        return self.outcomes[0][1]


class _Builder:
    def __init__(self, world: World, limit: int) -> None:
        self.world, self.limit, self.agents = world, limit, world.spec.agents
        self.dynamics = Dynamics(world, limit=limit, chance="exact", clock="count")
        self.parent: list[int] = []
        self.player: list[int] = []
        self.slot: list[int] = []
        self.chance: list[float] = []
        self.ends: dict[int, tuple[float, ...]] = {}
        self.sets: dict[InformationSet, int] = {}
        self.actions: list[int] = []
        self.first = [0]
        self._seen: dict[int, list[bytes]] = {}
        self._legal: dict[tuple[int, int], list[int]] = {}

    def build(self, start: State | None) -> GameTree:
        levels = []
        layer = [_Node(self._add(-1, -1, 1.0), self._starts(start), (), (-1,) * self.agents)]
        while layer:
            levels.append(layer[0].number)
            self._prepare(layer)
            layer = [child for node in layer for child in self._children(node)]
        returns = np.zeros((len(self.parent), self.agents))
        for number, gained in self.ends.items():
            returns[number] = gained
        return GameTree(
            self.world,
            np.array(self.parent),
            np.array(self.player),
            np.array(self.slot),
            np.array(self.chance),
            returns,
            np.array([*levels, len(self.parent)]),
            self.sets,
            np.array(self.first),
            np.array(self.actions),
        )

    def _starts(self, start: State | None) -> list[Outcome]:
        if start is not None:
            return [(1.0, self.dynamics.index(start), (0.0,) * self.agents)]
        found = reset_outcomes(self.world, MOST_DEALS)
        numbers = self.dynamics.store.add(joined([rows_of(state) for _, state in found]))
        probabilities: dict[int, float] = {}
        for (p, _), number in zip(found, numbers.tolist(), strict=True):
            probabilities[number] = probabilities.get(number, 0.0) + p
        return [(p, number, (0.0,) * self.agents) for number, p in probabilities.items()]

    def _add(self, parent: int, slot: int, probability: float) -> int:
        if len(self.parent) == self.limit:
            raise TooLarge(
                f"the tree of the game has more than {self.limit} nodes; give a larger limit, or a smaller game"
            )
        self.parent.append(parent)
        self.player.append(CHANCE)
        self.slot.append(slot)
        self.chance.append(probability)
        return len(self.parent) - 1

    def _prepare(self, layer: list[_Node]) -> None:
        """Find out what is seen in the states of a layer, and what steps from them lead to: all at once."""
        nodes = [node for node in layer if len(node.outcomes) == 1 and not self.dynamics.over(node.state)]
        new = [state for state in {node.state: None for node in nodes} if state not in self._seen]
        if new:
            rows = tuple(array[new] for array in self.dynamics.store.rows())
            arrays = self.dynamics.stepper.observe(rows)
            keys = [
                observation_keys(own_observations(arrays, agent, self.agents), len(new))
                for agent in range(self.agents)
            ]
            self._seen.update({state: [own[k] for own in keys] for k, state in enumerate(new)})
        steps: list[tuple[int, Joint]] = []
        for node in nodes:
            acting = self.dynamics.acting(node.state)
            if not acting:
                steps.append((node.state, self._joint(node.state, ())))
            elif len(node.chosen) + 1 == len(acting):
                legal = self._legal_actions(node.state, acting[-1])
                steps += [(node.state, self._joint(node.state, (*node.chosen, action))) for action in legal]
        self.dynamics.prepare(steps)

    def _children(self, node: _Node) -> Iterator[_Node]:
        if len(node.outcomes) > 1:
            for probability, state, gained in node.outcomes:
                child = self._add(node.number, -1, probability)
                yield _Node(child, [(1.0, state, gained)], (), node.memory)
        elif self.dynamics.over(node.state):
            self.player[node.number] = END
            self.ends[node.number] = node.outcomes[0][2]
        elif not self.dynamics.acting(node.state):  # a tick passes
            child = self._add(node.number, -1, 1.0)
            yield _Node(child, self._outcomes(node, ()), (), node.memory)
        else:
            yield from self._decided(node)

    def _outcomes(self, node: _Node, chosen: tuple[int, ...]) -> list[Outcome]:
        """What the actions of those who act may lead to."""
        before = np.asarray(node.outcomes[0][2])
        found = self.dynamics.outcomes(node.state, self._joint(node.state, chosen))
        return [
            (float(p), int(after), tuple((before + gained).tolist()))
            for p, after, gained in zip(found.probability, found.next, found.rewards, strict=True)
        ]

    def _decided(self, node: _Node) -> Iterator[_Node]:
        acting = self.dynamics.acting(node.state)
        player = self.player[node.number] = acting[len(node.chosen)]
        legal = self._legal_actions(node.state, player)
        first = self._first_slot(
            InformationSet(player, node.memory[player], self._seen[node.state][player]), legal
        )
        for k, action in enumerate(legal):
            chosen = (*node.chosen, action)
            memory = tuple(first + k if p == player else old for p, old in enumerate(node.memory))
            child = self._add(node.number, first + k, 1.0)
            if len(chosen) < len(acting):
                yield _Node(child, node.outcomes, chosen, memory)
                continue
            yield _Node(child, self._outcomes(node, chosen), (), memory)

    def _first_slot(self, known: InformationSet, legal: list[int]) -> int:
        """The first slot of an information set, which is added where it is new."""
        number = self.sets.setdefault(known, len(self.sets))
        if number + 1 == len(self.first):
            self.actions += legal
            self.first.append(len(self.actions))
        first = self.first[number]
        if self.actions[first : self.first[number + 1]] != legal:
            raise CannotSolve(
                f"player {known.player} of {self.world.name} cannot tell from what it perceives which actions are legal"
            )
        return first

    def _legal_actions(self, state: int, player: int) -> list[int]:
        if (state, player) not in self._legal:
            self._legal[state, player] = self.world.legal_actions(self.dynamics.state(state), player)
        return self._legal[state, player]

    def _joint(self, state: int, chosen: tuple[int, ...]) -> Joint:
        """The actions of all: those chosen, and the first one of who does not act."""
        actions = [own[0] for own in self.dynamics.own_actions]
        for player, action in zip(self.dynamics.acting(state), chosen, strict=True):
            actions[player] = action
        return tuple(actions)
