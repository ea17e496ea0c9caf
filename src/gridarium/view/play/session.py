"""A game that people play, without any window: choosing in turn or all at once, time that passes by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from gridarium.agents.policy import Policy
from gridarium.engine import World
from gridarium.view.game import Game
from gridarium.view.replay.saving import save_run
from gridarium.world import Action

WAITING = -1
"""In the place of an action: the agent has not chosen."""


class PlaySession:
    """A game, and what the people at it have chosen for the next tick.

    Args:
        world: where.
        seed: of the first episode.
        people: how many agents, from the first on, are played by people, or the numbers of these; the others are played
            by a policy.
        policy: of the others, see `gridarium.agents.Policy`; needed if there are any. A class is made for each. Or a list with
            one for each agent, None for those that only people play.
        live: whether time passes by itself (by calls of `tick`): those who have not chosen then wait, or follow the policy,
            if there is one.

    Attributes:
        game: its states and history.
        people: the numbers of the agents that people play.
        before_policies: called before agents act that no person plays, and whose turn it is: policies may think for long.
        chosen: int[agents]: what has been chosen for the next tick.
        paused: whether time stands still in a live game.
        message: a sentence for the person, in the place of the result of the last tick.

    Raises:
        ValueError: more people than agents, no policy for the others, or people who cannot wait in a live game.
        Exception: what the reset rule raises.
    """

    def __init__(
        self,
        world: World,
        *,
        seed: int = 0,
        people: int | Sequence[int] = 1,
        policy: Policy | Sequence[Policy | None] | None = None,
        live: bool = False,
    ) -> None:
        agents = world.spec.agents
        played = range(people) if isinstance(people, int) else sorted({*people})
        if len(played) > agents or (isinstance(people, int) and people < 0):
            raise ValueError(f"0 to {agents} people can play {world.name}, not {people}")
        if any(not 0 <= agent < agents for agent in played):
            raise ValueError(f"{world.name} has agents 0 to {agents - 1}, people cannot play {people}")
        if len(played) < agents and policy is None:
            raise ValueError(f"a policy is needed for the {agents - len(played)} agents that no person plays")
        if not played and not live:
            raise ValueError("without people nothing happens, unless time passes by itself (live)")
        policies = policy if isinstance(policy, Sequence) else [policy] * agents
        self.game = Game(world, policies, seed=seed)
        if live and policy is None and None in map(self.game.waiting_action, played):
            raise ValueError(
                f"{world.name} has no action WAIT, so while time passes by itself a policy has to act for "
                "those who do not choose, such as `-p random`"
            )
        self.people, self.live = tuple(played), live
        self.before_policies: Callable[[], None] = lambda: None
        self.paused, self.message = False, ""
        self._follow()

    @property
    def awaited(self) -> list[int]:
        """The people's agents that have to choose before the world moves on."""
        return [a for a in self.game.acting if a in self.people and self.chosen[a] == WAITING]

    def choose(self, agent: int, action: int | Action) -> bool:
        """A person chooses; the world moves on when all people have, or (live) at the next tick.

        Returns:
            whether it was possible; `message` says why not.

        Raises:
            ValueError: an agent that no person plays, or an action that it does not have.
        """
        if agent not in self.people:
            raise ValueError(f"people play {self._played()}, not {agent}")
        index = self.game.action_index(agent, action)
        self.message = self.refusal(agent)
        if self.message:
            return False
        self.chosen[agent] = index
        if not self.live and not self.awaited and self._advance():
            self._follow()
        return True

    def refusal(self, agent: int) -> str:
        """Why an agent cannot choose now, as a sentence; empty if it can."""
        acting, names = self.game.acting, self.game.world.spec.agent_names
        if self.game.over:
            return "The episode is over: begin again, or take back."
        if agent not in acting:
            return f"It is {' and '.join(names[a] for a in acting)}'s turn, not {names[agent]}'s."
        return "It is paused." if self.paused else ""

    def tick(self) -> None:
        """Time passes in a live game: those who have not chosen wait, or follow the policy."""
        if self.live and not self.paused and not self.game.over:
            self._advance()

    def undo(self) -> bool:
        """Take back the last choice: one that has not led to a tick yet, or the last tick that a person decided."""
        self.message = ""
        if any(choice != WAITING for choice in self.chosen):
            self._forget_choices()
            return True
        undone = None
        while self.game.steps and (undone is None or (self.people and not undone.by_person)):
            undone = self.game.now
            self.game.undo()
        if undone is None:
            self.message = "There is nothing to take back."
            return False
        self._follow()
        return True

    def restart(self, seed: int | None = None) -> None:
        """Begin the episode again, or that of another seed.

        Raises:
            Exception: what the reset rule raises.
        """
        self.game.restart(seed)
        self.message, self.paused = "", False
        self._follow()

    def next_seed(self) -> None:
        """Begin the episode of the next seed."""
        self.restart(self.game.seed + 1)

    def toggle_pause(self) -> None:
        """Let time stand still, or pass again, in a live game."""
        self.paused = self.live and not self.paused

    def save(self, path: str | Path, *, tile: int = 32, fps: float = 6.0) -> None:
        """Write the episode so far to a file, as `save_run` does; it raises the same."""
        save_run(self.game.run(), path, world=self.game.world, tile=tile, fps=fps)

    def _advance(self) -> bool:
        """One tick, with the actions chosen; if a rule raises, nothing has happened, and `message` says what."""
        try:
            self.game.step({a: choice for a, choice in enumerate(self.chosen) if choice != WAITING})
        except Exception as error:
            self.message = f"A rule or a policy failed. {type(error).__name__}: {error}"
            self.paused = self.live
            return False
        finally:
            self._forget_choices()
        return True

    def _follow(self) -> None:
        """If agents take turns, let those without a person act until it is a person's turn."""
        self._forget_choices()
        while not self.live and (acting := self.game.acting) and not {*acting} & {*self.people}:
            self.before_policies()
            if not self._advance():
                break

    def _played(self) -> str:
        """The agents that people play, in words."""
        if self.people == tuple(range(len(self.people))):
            return f"agents 0 to {len(self.people) - 1}"
        return f"agent{'s' * (len(self.people) > 1)} {', '.join(map(str, self.people))}"

    def _forget_choices(self) -> None:
        self.chosen = [WAITING] * self.game.world.spec.agents
