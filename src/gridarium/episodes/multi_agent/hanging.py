"""What hangs: actions that no observation has followed yet, and the rewards and model outputs that belong to them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

AgentID = Hashable


@dataclass(slots=True)
class Transition:
    """An action with what came of it, except for the observation."""

    action: Any
    reward: Any
    extra_model_outputs: dict[str, Any]


class Hanging:
    """The part of a multi-agent episode that holds what cannot be added to the agents' episodes yet."""

    __slots__ = (
        "_hanging_actions_end",
        "_hanging_extra_model_outputs_end",
        "_hanging_rewards_begin",
        "_hanging_rewards_end",
    )

    def _forget_all(self) -> None:
        self._hanging_actions_end: dict[AgentID, Any] = {}
        self._hanging_extra_model_outputs_end: dict[AgentID, dict[str, Any]] = {}
        self._hanging_rewards_end: dict[AgentID, Any] = defaultdict(float)
        self._hanging_rewards_begin: dict[AgentID, Any] = defaultdict(float)

    def _hang(self, agent: AgentID, action: Any, reward: Any, outputs: dict[str, Any]) -> None:
        """Remember an action; its reward comes on top of those that hang already."""
        self._hanging_actions_end[agent] = action
        self._hanging_extra_model_outputs_end[agent] = outputs
        self._hanging_rewards_end[agent] += reward

    def _release(self, agent: AgentID, reward: Any = 0.0) -> Transition:
        """Take a hanging action, with the sum of its rewards and a last one, out of what hangs.

        Raises:
            KeyError: no action hangs.
        """
        action = self._hanging_actions_end.pop(agent)
        outputs = self._hanging_extra_model_outputs_end.pop(agent, {})
        return Transition(action, self._hanging_rewards_end.pop(agent, 0.0) + reward, outputs)

    def _forget(self, agent: AgentID) -> None:
        """Drop whatever hangs for an agent, except for the rewards from before its first observation."""
        self._hanging_actions_end.pop(agent, None)
        self._hanging_extra_model_outputs_end.pop(agent, None)
        self._hanging_rewards_end.pop(agent, None)

    def _copy_hanging(self, agent: AgentID, other: Hanging) -> None:
        """Let hang for an agent what hangs in another episode, and nothing else."""
        self._forget(agent)
        for name in HANGING_AT_END:
            if agent in getattr(other, name):
                getattr(self, name)[agent] = getattr(other, name)[agent]


HANGING_AT_END = ("_hanging_actions_end", "_hanging_extra_model_outputs_end", "_hanging_rewards_end")
