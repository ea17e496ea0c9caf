"""The policies that a page offers for the agents of a game, and the choice among them."""

from __future__ import annotations

from collections.abc import Mapping

from gridarium.agents import Planner, random_action
from gridarium.agents.policy import Policy
from gridarium.view.game import Game
from gridarium.view.server.protocol import RequestError
from gridarium.world import Action

ME = "me"


class PolicyAssignment:
    """The policies of a game's agents, by name.

    Args:
        game: the game.
        own: further policies, by name, besides `random`, `scripted` and `wait` (where there is such an action).

    Attributes:
        chosen: the name of each agent's policy; `me` is a person at a keyboard.
    """

    def __init__(self, game: Game, own: Mapping[str, Policy]) -> None:
        self._game = game
        self._policies: dict[str, Policy | None] = {
            ME: None,
            "random": random_action,
            "scripted": Planner,
            **own,
        }
        self.chosen = ["random"] * game.world.spec.agents

    def offered(self, agent: int) -> list[str]:
        """The names of the policies that an agent can have."""
        return [*self._policies, *(["wait"] if self._game.waiting_action(agent) is not None else [])]

    @property
    def me(self) -> int | None:
        """The agent that a person plays."""
        return self.chosen.index(ME) if ME in self.chosen else None

    def choose(self, agent: int, name: str) -> None:
        """Give an agent a policy. A person plays one agent at a time: the one played before gets the policy `random`.

        Raises:
            RequestError: there is no such agent or policy.
            Exception: what a policy's class raises when it is made.
        """
        if agent >= len(self.chosen):
            raise RequestError(f"there are agents 0 to {len(self.chosen) - 1}, no agent {agent}")
        if name not in self.offered(agent):
            raise RequestError(f"there is no policy {name!r}; there are {', '.join(self.offered(agent))}")
        before = self.me
        if name == ME and before not in (None, agent):
            self.choose(before or 0, "random")
        self._game.assign(agent, self._policies.get(name, _wait))
        self.chosen[agent] = name


def _wait() -> Action:
    return Action.WAIT
