"""An agent that learns by trying."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.ghost import settings
from gridarium.ghost.agents.base_agent import BaseAgent


class QLearningAgent(BaseAgent):
    """Learns what each action is worth in each cell (Watkins 1989).

    Args:
        action_space: whose actions it chooses.
        alpha: how far a value moves towards what was just seen.
        gamma: how much later is worth less.
        epsilon: how often it tries anything.
        keywords: as for `BaseAgent`.

    Attributes:
        q_table: for each state, usually (row, column), float64[4].

    Raises:
        ValueError: a rate outside [0, 1].
    """

    def __init__(
        self, action_space: Any, alpha: float = 0.1, gamma: float = 0.9, epsilon: float = 0.1, **keywords: Any
    ) -> None:
        super().__init__(action_space, **keywords)
        for name, rate in (("alpha", alpha), ("gamma", gamma), ("epsilon", epsilon)):
            settings.probability(name, rate)
        self.alpha, self.gamma, self.epsilon = alpha, gamma, epsilon
        self.q_table: dict[tuple[int, ...], npt.NDArray[np.float64]] = {}

    def get_action(self, observation: dict[str, Any]) -> int:
        """The best action, or with probability `epsilon` any."""
        if self.rng.random() < self.epsilon:
            return int(self.rng.integers(self.action_space.n))
        return self.get_best_action(self.get_state(observation))

    def get_state(self, observation: dict[str, Any]) -> tuple[int, ...]:
        """Where the agent is, as far as it knows: what it perceives, else the environment's word, else `agent_pos`.

        A subclass may give any whole numbers, and so learn on more than the cell.

        Raises:
            ValueError: it knows none of these.
        """
        if self.perceived_agent_pos is not None:
            pos: Any = self.perceived_agent_pos
        elif self.env is not None:
            pos = self.env.agent_pos
        elif "agent_pos" in observation:
            pos = observation["agent_pos"]
        else:
            raise ValueError(
                "QLearningAgent does not know where it is: pass env=..., or an observation with agent_pos"
            )
        return int(pos[0]), int(pos[1])

    def update(
        self, state: Sequence[int], action: int, reward: float, next_state: Sequence[int], done: bool
    ) -> None:
        """Learn from one step."""
        values = self._get_q_values(state)
        rest = 0.0 if done else self.gamma * float(self._get_q_values(next_state).max())
        values[action] += self.alpha * (reward + rest - values[action])

    def learn(self, interface: Any, episodes: int, *, most_steps: int = 1000) -> list[float]:
        """Play and learn; gives the return of each episode.

        Args:
            interface: an `AgentInterface`, whose environment tells where the agent is.
            episodes: how many.
            most_steps: after so many rounds an episode is given up.

        Raises:
            ValueError: no whole number of episodes or steps.
        """
        settings.whole("episodes", episodes, 0)
        settings.whole("most_steps", most_steps, 1)
        usual = self.env, self.perceived_agent_pos, self.perceived_ghost_pos
        self.env, self.perceived_agent_pos, self.perceived_ghost_pos = interface.env, None, None
        try:
            return [self._episode(interface, most_steps) for _ in range(episodes)]
        finally:
            self.env, self.perceived_agent_pos, self.perceived_ghost_pos = usual

    def _episode(self, interface: Any, most_steps: int) -> float:
        state = self.get_state(interface.reset())
        for _ in range(most_steps):
            action = (
                int(self.rng.integers(4)) if self.rng.random() < self.epsilon else self.get_best_action(state)
            )
            observation, reward, done, _ = interface.step(action)
            before, state = state, self.get_state(observation)
            self.update(before, action, reward, state, done)
            if done:
                break
        return float(interface.total_reward)

    def get_value(self, state: Sequence[int]) -> float:
        """What the best action is worth there."""
        return float(self._get_q_values(state).max())

    def get_best_action(self, state: Sequence[int]) -> int:
        """The best action there, the lowest of equals."""
        return int(self._get_q_values(state).argmax())

    def _get_q_values(self, state: Sequence[int]) -> npt.NDArray[np.float64]:
        """float64[4]: what the actions are worth there; zeros where it has never been."""
        return self.q_table.setdefault(tuple(map(int, state)), np.zeros(4))
