"""The policies that a page offers for the agents of a game, and the choice among them."""

from __future__ import annotations

from collections.abc import Mapping

from gridarium.agents import Planner, random_action
from gridarium.agents.named_policies import Opponent
from gridarium.agents.policy import Policy
from gridarium.view.game import Game
from gridarium.view.matches import takes_turns
from gridarium.view.web.messages import RequestError
from gridarium.world import Action

ME = "me"


class PolicyAssignment:
    """The policies of a game's agents, by name.

    Args:
        game: the game.
        own: further policies, by name, besides `random`, `scripted`, `mcts` (where agents take turns) and `wait` (where there
            is such an action).

    Attributes:
        chosen: the name of each agent's policy; `me` is a person at a keyboard.
        in_turns: whether agents take turns: those that no person plays then act by themselves until it is a person's turn.
        shared: whether people can play several agents, of which only one acts at a time.
    """

    def __init__(self, game: Game, own: Mapping[str, Policy]) -> None:
        self._game = game
        self.in_turns = takes_turns(game.world)
        self._policies: dict[str, Policy | None] = {
            ME: None,
            "random": random_action,
            "scripted": Planner,
            **own,
            **({"mcts": Opponent} if self.in_turns else {}),
        }
        self.chosen = ["random"] * game.world.spec.agents
        self.shared = self.in_turns and game.world.spec.turn_order == "cycle"

    def offered(self, agent: int) -> list[str]:
        """The names of the policies that an agent can have."""
        return [*self._policies, *(["wait"] if self._game.waiting_action(agent) is not None else [])]

    @property
    def people(self) -> list[int]:
        """The agents that people play."""
        return [agent for agent, name in enumerate(self.chosen) if name == ME]

    @property
    def me(self) -> int | None:
        """The agent that a person plays; of several the one that acts next, or the first."""
        people = self.people
        return next((agent for agent in self._game.acting if agent in people), people[0] if people else None)

    def choose(self, agent: int, name: str, *, beside: bool = False) -> None:
        """Give an agent a policy. If it is a person, other agents that people have played get the policy `random`.

        Args:
            agent: its number.
            name: of the policy.
            beside: whether people go on playing other agents.

        Raises:
            RequestError: there is no such agent or policy, or people cannot play several agents.
            Exception: what a policy's class raises when it is made.
        """
        if agent >= len(self.chosen):
            raise RequestError(f"there are agents 0 to {len(self.chosen) - 1}, no agent {agent}")
        if name not in self.offered(agent):
            raise RequestError(f"there is no policy {name!r}; there are {', '.join(self.offered(agent))}")
        if beside and not self.shared:
            raise RequestError(f"in {self._game.world.name} a person plays one agent at a time")
        if name == ME and not beside:
            for other in self.people:
                if other != agent:
                    self.choose(other, "random")
        self._game.assign(agent, self._policies.get(name, _wait))
        self.chosen[agent] = name


def _wait() -> Action:
    return Action.WAIT
