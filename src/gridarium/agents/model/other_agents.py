"""One agent among others, in many worlds at once: the ticks in which it decides, and the others' actions."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gridarium.agents.behaviour import Others, behaviour
from gridarium.engine import World
from gridarium.engine.acting import acting_agents
from gridarium.engine.arguments import check_agent
from gridarium.engine.outcomes.state_rows import Rows, canonical_rows, row_keys, state_at
from gridarium.engine.world import check_world

Integers = npt.NDArray[np.int64]


class OtherAgents:
    """An agent and the models of the other agents.

    Args:
        world: the world.
        agent: the one that decides.
        others: the model of the other agents.

    Attributes:
        own: int64[k]: the indices of the agent's actions.

    Raises:
        TypeError: not a world.
        IndexError: there is no such agent.
    """

    def __init__(self, world: World, agent: int, others: Others) -> None:
        check_world(world)
        count = world.spec.agents
        check_agent(agent, count)
        self.world, self.agent = world, agent
        self._choices = [np.flatnonzero(mask) for mask in world.spec.action_masks]
        self.own: Integers = self._choices[agent]
        self._uniform = others == "random" and not world.spec.has_masks
        self._behaviour = behaviour(world, others)
        self._known: dict[tuple[int, bytes], npt.NDArray[np.float64]] = {}

    def deciding(self, rows: Rows) -> npt.NDArray[np.bool_]:
        """bool[n]: whether the agent acts in the next tick."""
        _, _, data, agent_rows = rows
        return acting_agents(self.world.spec.turn_order, data, agent_rows)[:, self.agent]

    def actions(self, rows: Rows, own: Integers, rng: np.random.Generator) -> Integers:
        """int64[n, agents]: the indices of the actions of all agents, given the agent's own."""
        chosen = np.empty((len(own), len(self._choices)), np.int64)
        for k, choices in enumerate(self._choices):
            if k == self.agent:
                chosen[:, k] = own
            elif self._uniform:
                chosen[:, k] = choices[rng.integers(len(choices), size=len(own))]
            else:
                probabilities = self._probabilities(rows, k).cumsum(axis=1)
                chosen[:, k] = (rng.random(len(own))[:, None] * probabilities[:, -1:] >= probabilities).sum(
                    axis=1
                )
        return chosen

    def _probabilities(self, rows: Rows, agent: int) -> npt.NDArray[np.float64]:
        """float64[n, actions]: the probability of each action of another agent."""
        found = []
        for i, key in enumerate(row_keys(canonical_rows(rows))):
            if (agent, key) not in self._known:
                self._known[agent, key] = self._behaviour(state_at(self.world, rows, i, agent), agent)
            found.append(self._known[agent, key])
        return np.array(found)
