"""A game that people play in a world, without any window: choosing, taking back, beginning again, saving."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.agents.playing import index_of
from gridarium.agents.policy import Situation, player
from gridarium.engine import Run, World
from gridarium.engine.kernel import RUNNING
from gridarium.engine.memory import Snapshot
from gridarium.engine.solo import Solo
from gridarium.view.saving import recorded, save_run
from gridarium.world import Action, State
from gridarium.world.agent import ACTIVE
from gridarium.world.state import ENDED

WAITING = -1
"""In the place of an action: the agent has not chosen."""


@dataclass(frozen=True)
class Moment:
    """A game at one moment.

    Attributes:
        snapshot: of the world.
        actions: what led here, by indices; empty at the beginning.
        decided: whether a person took part in that.
        rewards, returns: float64[agents]: of the last tick, and in all.
        results: int64[agents]: codes of what came of the actions.
        terminated, truncated: whether the episode has ended, and how.
    """

    snapshot: Snapshot
    actions: tuple[int, ...]
    decided: bool
    rewards: npt.NDArray[np.float64]
    returns: npt.NDArray[np.float64]
    results: npt.NDArray[np.int64]
    terminated: bool = False
    truncated: bool = False


class PlaySession:
    """A game.

    Args:
        world: where.
        seed: of the first episode.
        people: how many agents, from the first on, are played by people; the others by a policy.
        policy: of the others, see `gridarium.agents.Policy`; needed if there are any. A class is made for each.
        live: whether time passes by itself (by calls of `tick`): who has not chosen then waits, or does what the
            policy says, if there is one.

    Attributes:
        moments: from the beginning of the episode to now.
        chosen: int[agents]: what has been chosen for the tick to come.
        message: a sentence for the person, beside what came of the last tick.

    Raises:
        ValueError: more people than agents, no policy for the others, or people who cannot wait in a live game.
    """

    def __init__(
        self, world: World, *, seed: int = 0, people: int = 1, policy: Any = None, live: bool = False
    ) -> None:
        agents = world.spec.agents
        if not 0 <= people <= agents:
            raise ValueError(f"0 to {agents} people can play {world.name}, not {people}")
        if people < agents and policy is None:
            raise ValueError(f"a policy is needed for the {agents - people} agents that no person plays")
        if people == 0 and not live:
            raise ValueError("without people nothing happens, unless time passes by itself (live)")
        self.world, self.seed, self.people, self.live = world, seed, people, live
        self.paused = False
        self.message = ""
        self._idle = [self._waiting_action(agent) for agent in range(agents)]
        if live and policy is None and None in self._idle[:people]:
            raise ValueError(
                f"{world.name} has no action WAIT, so while time passes by itself a policy has to act for "
                "those who do not choose, such as `-p random`"
            )
        self._bodies = [] if policy is None else [_made(policy) for _ in range(agents)]
        self._policies: list[Callable[[Situation], Any]] = [player(body) for body in self._bodies]
        self._solo = Solo(world.machine)
        self._cycle = world.spec.turn_order == "cycle"
        self.restart()

    # what is so now

    @property
    def state(self) -> State:
        """The world's state: a copy."""
        return self._solo.state

    @property
    def now(self) -> Moment:
        """The game as it stands."""
        return self.moments[-1]

    @property
    def steps(self) -> int:
        """How many ticks the episode has had."""
        return len(self.moments) - 1

    @property
    def over(self) -> bool:
        """Whether the episode has ended."""
        return self.now.terminated or self.now.truncated

    @property
    def acting(self) -> list[int]:
        """The agents that can act in the tick to come."""
        if self.over:
            return []
        state = self.state
        active = [i for i in range(len(self._idle)) if state.bodies[i, ACTIVE]]
        return [a for a in active if a == self._solo.turn] if self._cycle else active

    @property
    def awaited(self) -> list[int]:
        """The people's agents that have to choose before the world moves on."""
        return [a for a in self.acting if a < self.people and self.chosen[a] == WAITING]

    # what one does

    def choose(self, agent: int, action: int | Action) -> bool:
        """A person chooses; the world moves on when all people have, or (live) at the next tick.

        Returns:
            whether it was possible; `message` says why not.

        Raises:
            ValueError: an agent that no person plays, or an action that it does not have.
        """
        if not 0 <= agent < self.people:
            raise ValueError(f"people play agents 0 to {self.people - 1}, not {agent}")
        index = self.world.actions.index(action) if isinstance(action, Action) else int(action)
        mask = self.world.spec.action_masks[agent]
        if not 0 <= index < len(mask) or not mask[index]:
            raise ValueError(f"action {index} is none of agent {agent}'s actions")
        self.message = ""
        if self.over:
            self.message = "The episode is over: begin again, or take back."
        elif agent not in self.acting:
            names = self.world.spec.agent_names
            whose = " and ".join(names[a] for a in self.acting)
            self.message = f"It is {whose}'s turn, not {names[agent]}'s."
        elif self.paused:
            self.message = "It is paused."
        else:
            self.chosen[agent] = index
            if not self.live and not self.awaited and self._advance():
                self._follow()
            return True
        return False

    def tick(self) -> None:
        """Time passes in a live game: those who have not chosen wait, or do what the policy says."""
        if self.live and not self.paused and not self.over:
            self._advance()

    def undo(self) -> bool:
        """Take back the last choice: one that has not led to a tick yet, or the last tick that a person decided."""
        self.message = ""
        if any(a != WAITING for a in self.chosen):
            self._forget_choices()
            return True
        if self.steps == 0:
            self.message = "There is nothing to take back."
            return False
        while self.steps and not self.moments.pop().decided and self.people:
            pass
        self._solo.restore(self.now.snapshot)
        self._begin_policies()
        self._follow()
        return True

    def restart(self, seed: int | None = None) -> None:
        """Begin the episode again, or that of another seed.

        Raises:
            Exception: what the reset rule raises.
        """
        seed = self.seed if seed is None else seed
        self._solo.reset(seed)
        self.seed, self.message, self.paused = seed, "", False
        nothing = np.zeros(len(self._idle))
        results = np.zeros(len(self._idle), np.int64)
        self.moments = [Moment(self._solo.snapshot(), (), False, nothing, nothing, results)]
        self._begin_policies()
        self._follow()

    def next_seed(self) -> None:
        """Begin the episode of the next seed."""
        self.restart(self.seed + 1)

    def toggle_pause(self) -> None:
        """Let time stand still, or pass again, in a live game."""
        self.paused = self.live and not self.paused

    def run(self) -> Run:
        """The episode so far, to be replayed."""
        return recorded(self.world, self.seed, [moment.actions for moment in self.moments[1:]])

    def save(self, path: str | Path, *, tile: int = 32, fps: float = 6.0) -> None:
        """Write the episode so far to a file, as `save_run` does; it raises the same."""
        save_run(self.run(), path, world=self.world, tile=tile, fps=fps)

    # inside

    def _advance(self) -> bool:
        """One tick, with the actions chosen; if a rule raises, nothing has happened, and `message` says what."""
        acting = self.acting
        decided = any(self.chosen[a] != WAITING for a in acting)
        try:
            actions = [self._action(agent, agent in acting) for agent in range(len(self._idle))]
            rewards, truncated = self._step(actions)
        except Exception as error:
            self.message = f"A rule or a policy failed. {type(error).__name__}: {error}"
            self.paused = self.live
            return False
        finally:
            self._forget_choices()
        over = bool(self.state.data[ENDED] != RUNNING)
        results = np.array(self._solo.results).reshape(-1)
        returns = self.now.returns + rewards
        snapshot = self._solo.snapshot()
        self.moments.append(
            Moment(
                snapshot,
                tuple(actions),
                decided,
                rewards,
                returns,
                results,
                over and not truncated,
                truncated,
            )
        )
        return True

    def _step(self, actions: Sequence[int]) -> tuple[npt.NDArray[np.float64], bool]:
        if len(actions) == 1:
            _, reward, _, cut_off = self._solo.step(actions[0])
            return np.array([reward]), cut_off
        _, rewards, _, truncated = self._solo.step_all(actions)
        return rewards, bool(truncated.any())

    def _follow(self) -> None:
        """Where agents take turns, those without a person act until it is a person's turn."""
        self._forget_choices()
        while not self.live and self.acting and min(self.acting) >= self.people and self._advance():
            pass

    def _action(self, agent: int, acts: bool) -> int:
        """What an agent does in this tick."""
        mask = self.world.spec.action_masks[agent]
        idle = self._idle[agent]
        if not acts:
            return int(np.argmax(mask)) if idle is None else idle
        if self.chosen[agent] != WAITING:
            return self.chosen[agent]
        if not self._policies:
            assert idle is not None
            return idle
        luck = np.random.default_rng([self.seed, agent, self.steps])
        alone = len(self._idle) == 1
        own = {name: a if alone else a[agent] for name, a in self._solo.observe().items()}
        situation = Situation(self.world, agent, luck, own, lambda: self._solo.state)
        return index_of(self.world, self._policies[agent](situation))

    def _waiting_action(self, agent: int) -> int | None:
        if Action.WAIT not in self.world.actions:
            return None
        index = self.world.actions.index(Action.WAIT)
        return index if self.world.spec.action_masks[agent][index] else None

    def _begin_policies(self) -> None:
        for body in self._bodies:
            if hasattr(body, "begin"):
                body.begin()

    def _forget_choices(self) -> None:
        self.chosen = [WAITING] * len(self._idle)


def _made(policy: Any) -> Any:
    return policy() if isinstance(policy, type) else policy
