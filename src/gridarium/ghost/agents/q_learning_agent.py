"""A tabular Q-learning agent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.ghost.agents.base_agent import BaseAgent
from gridarium.ghost.world import checks


class QLearningAgent(BaseAgent):
    """Learns the value of each action in each cell (Watkins 1989).

    Args:
        action_space: the space of its actions.
        alpha: the learning rate.
        gamma: the discount.
        epsilon: the probability of a random action.
        keywords: as for `BaseAgent`.

    Attributes:
        q_table: float64[4] for each state, usually (row, column).

    Raises:
        ValueError: a rate outside [0, 1].
    """

    def __init__(
        self, action_space: Any, alpha: float = 0.1, gamma: float = 0.9, epsilon: float = 0.1, **keywords: Any
    ) -> None:
        super().__init__(action_space, **keywords)
        for name, rate in (("alpha", alpha), ("gamma", gamma), ("epsilon", epsilon)):
            checks.probability(name, rate)
        self.alpha, self.gamma, self.epsilon = alpha, gamma, epsilon
        self.q_table: dict[tuple[int, ...], npt.NDArray[np.float64]] = {}

    def get_action(self, observation: dict[str, Any]) -> int:
        """The best action, or with probability `epsilon` a random one."""
        if self.rng.random() < self.epsilon:
            return self.random_action()
        return self.get_best_action(self.get_state(observation))

    def get_state(self, observation: dict[str, Any]) -> tuple[int, ...]:
        """The agent's position: the perceived one, else the environment's, else `agent_pos` of the observation.

        A subclass may return any whole numbers, to learn on more than the cell.

        Raises:
            ValueError: none of these is known.
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
        """Learn from a transition."""
        values = self._get_q_values(state)
        rest = 0.0 if done else self.gamma * float(self._get_q_values(next_state).max())
        values[action] += self.alpha * (reward + rest - values[action])

    def learn(self, interface: Any, episodes: int, *, most_steps: int = 1000) -> list[float]:
        """Play and learn; returns the return of each episode.

        Args:
            interface: an `AgentInterface`; the agent's position is that in its environment.
            episodes: the number of episodes.
            most_steps: the number of rounds after which an episode is stopped.

        Raises:
            ValueError: not a whole number of episodes or steps.
        """
        checks.whole_from_0("episodes", episodes)
        checks.whole_from_1("most_steps", most_steps)
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
        """The value of the best action in a state."""
        return float(self._get_q_values(state).max())

    def get_best_action(self, state: Sequence[int]) -> int:
        """The best action in a state, the lowest of equals."""
        return int(self._get_q_values(state).argmax())

    def _get_q_values(self, state: Sequence[int]) -> npt.NDArray[np.float64]:
        """float64[4]: the values of the actions in a state; zeros for a new state."""
        return self.q_table.setdefault(tuple(map(int, state)), np.zeros(4))
