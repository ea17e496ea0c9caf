"""A game: a world stepped by people and policies, in which ticks can be taken back. No window and no web code."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.agents.playing import index_of
from gridarium.agents.policy import DecisionContext, Policy, decision_function
from gridarium.engine import Run, Snapshot, World
from gridarium.engine.runs.start import check_states
from gridarium.engine.single_world import SingleWorld
from gridarium.engine.step.kernel import RUNNING, TERMINATED, TRUNCATED
from gridarium.view.replay.saving import recorded
from gridarium.world import Action, State
from gridarium.world.action_arguments import few
from gridarium.world.state import ENDED, TICK


@dataclass(frozen=True)
class GameStep:
    """A game after one tick, or at the beginning of an episode.

    Attributes:
        snapshot: of the world.
        actions: what led here, by indices; empty at the beginning.
        by_person: whether a person took part in that.
        rewards, returns: float64[agents]: of the last tick, and in all.
        results: int64[agents]: result codes of the actions.
        agents_terminated: bool[agents].
        terminated, truncated: whether the episode has ended, and how.
    """

    snapshot: Snapshot
    actions: tuple[int, ...]
    by_person: bool
    rewards: npt.NDArray[np.float64]
    returns: npt.NDArray[np.float64]
    results: npt.NDArray[np.int64]
    agents_terminated: npt.NDArray[np.bool_]
    terminated: bool = False
    truncated: bool = False


class Game:
    """A world, a policy for each agent, and what has happened since the beginning of the episode.

    Args:
        world: the world.
        policies: one for each agent, see `assign`.
        seed: of the first episode.
        most_back: how many ticks can be taken back; None for all.

    Attributes:
        seed: of the present episode.
        history: from the beginning of the episode to now, at most `most_back` ticks of it.
        actions: what all agents did in each tick of the episode, by indices.
        follows_seed: whether the episode follows from its seed and `actions`; False after `set_state`.

    Raises:
        Exception: what the reset rule raises.
    """

    def __init__(
        self, world: World, policies: Sequence[Policy | None], *, seed: int = 0, most_back: int | None = None
    ) -> None:
        self.world, self.seed = world, seed
        self.history: deque[GameStep] = deque(maxlen=None if most_back is None else most_back + 1)
        self.actions: list[tuple[int, ...]] = []
        self.follows_seed = True
        self._world = SingleWorld(world.composed)
        self._masks = world.spec.action_masks
        self._policies: list[Any] = [None] * len(self._masks)
        self._deciders: list[Callable[[DecisionContext], Any] | None] = [None] * len(self._masks)
        for agent, policy in enumerate(policies):
            self.assign(agent, policy)
        self.restart()

    @property
    def state(self) -> State:
        """The world's state: a copy."""
        return self._world.state

    @property
    def now(self) -> GameStep:
        """The game as it stands."""
        return self.history[-1]

    @property
    def steps(self) -> int:
        """The number of ticks since the episode began, or since a state was set."""
        return len(self.actions)

    @property
    def over(self) -> bool:
        """Whether the episode has ended."""
        return self.now.terminated or self.now.truncated

    @property
    def legal(self) -> npt.NDArray[np.int8]:
        """int8[agents, actions]: the legal actions; all that an agent has while it is not its turn."""
        return self._world.action_masks

    @property
    def acting(self) -> list[int]:
        """The agents that can act in the next tick."""
        if self.over:
            return []
        return self._world.acting

    def assign(self, agent: int, policy: Policy | None) -> None:
        """Give an agent a policy.

        Args:
            agent: its number.
            policy: see `gridarium.agents.Policy`; of a class, one is made. None for an agent that a person plays.

        Raises:
            TypeError: it is not a policy.
            Exception: what a policy's class raises when it is made.
        """
        made = policy() if isinstance(policy, type) else policy
        self._deciders[agent] = None if made is None else decision_function(made)
        self._policies[agent] = made
        _begin(made)

    def action_index(self, agent: int, action: Action | int) -> int:
        """The index of an agent's action.

        Raises:
            ValueError: the agent does not have it.
            TypeError: it is neither an action nor an index.
        """
        index, mask = index_of(self.world, action), self._masks[agent]
        name = self.world.actions[index].name if 0 <= index < len(mask) else index
        if 0 <= index < len(mask) and mask[index]:
            if self.legal[agent, index]:
                return index
            raise ValueError(f"{name} is not allowed now; it can do {self._listed(self.legal[agent])}")
        raise ValueError(f"agent {agent} has no action {name}; it has {self._listed(mask)}")

    def _listed(self, mask: Sequence[Any] | npt.NDArray[np.int8]) -> str:
        """Return the names of the actions in a mask, at most as many as an error message shows."""
        return few(self.world.actions[i].name for i in np.flatnonzero(mask).tolist())

    def waiting_action(self, agent: int) -> int | None:
        """The index of `WAIT` for an agent that has this action."""
        if Action.WAIT not in self.world.actions:
            return None
        index = self.world.actions.index(Action.WAIT)
        return index if self._masks[agent][index] else None

    def step(self, chosen: Mapping[int, int] | None = None) -> GameStep:
        """One tick. If something raises, nothing has happened.

        Args:
            chosen: the actions of people, by their agents' numbers. The other agents follow their policies; those without
                one wait, or do the first thing that they can.

        Raises:
            Exception: what a rule or a policy raises.
        """
        given, acting = chosen or {}, self.acting
        actions = tuple(
            given[agent] if agent in given else self._decide(agent, agent in acting)
            for agent in range(len(self._masks))
        )
        stepped: Any = self._world.step(actions[0]) if len(actions) == 1 else self._world.step_all(actions)
        self._observed, rewards, terminated, truncated = stepped
        cut_off, earned = bool(np.any(truncated)), np.array(rewards, np.float64).reshape(-1)
        self.history.append(
            GameStep(
                self._world.snapshot(),
                actions,
                any(agent in given for agent in acting),
                earned,
                self.now.returns + earned,
                np.array(self._world.results).reshape(-1),
                np.array(terminated, np.bool_).reshape(-1),
                bool(self.state.data[ENDED] != RUNNING) and not cut_off,
                cut_off,
            )
        )
        self.actions.append(actions)
        return self.now

    def undo(self) -> bool:
        """Take back the last tick; whether there was one."""
        if len(self.history) == 1:
            return False
        self._begin_policies()
        self.history.pop()
        self.actions.pop()
        self._world.restore(self.now.snapshot)
        self._observed = self._world.observe()
        return True

    def restart(self, seed: int | None = None) -> None:
        """Begin the episode again, or that of another seed.

        Raises:
            Exception: what the reset rule or a policy raises.
        """
        seed = self.seed if seed is None else seed
        self._begin_policies()
        self._observed = self._world.reset(seed)
        self.seed, self.follows_seed = seed, True
        self._forget()

    def set_state(self, state: State) -> None:
        """Go on from a state; what was before cannot be taken back to.

        Raises:
            ValueError: it is not a state of this world.
        """
        check_states(
            Snapshot(*(a[None] for a in (state.cells, state.layers, state.data, state.agent_rows))),
            self.world.composed,
        )
        self._begin_policies()
        self._world.state = state
        self._observed = self._world.observe()
        self.follows_seed = False
        self._forget()

    def run(self) -> Run:
        """The episode so far, to be replayed; it has to follow from its seed."""
        return recorded(self.world, [(self.seed, self.actions)])

    def _forget(self) -> None:
        """Begin a history with the present state."""
        agents, ended = len(self._masks), self.state.data[ENDED]
        none, terminated = np.zeros(agents), bool(ended == TERMINATED)
        first = GameStep(
            self._world.snapshot(), (), False, none, none, np.zeros(agents, np.int64),
            np.full(agents, terminated), terminated, bool(ended == TRUNCATED),
        )  # fmt: skip
        self.actions = []
        self.history.clear()
        self.history.append(first)

    def _begin_policies(self) -> None:
        for policy in self._policies:
            _begin(policy)

    def _decide(self, agent: int, acts: bool) -> int:
        """Return the action of an agent without a person."""
        decide = self._deciders[agent]
        if not acts or decide is None:
            wait = self.waiting_action(agent)
            return int(np.argmax(self.legal[agent])) if wait is None else wait
        observed = self._observed
        if len(self._masks) > 1:
            observed = {name: array[agent] for name, array in observed.items()}
        rng = np.random.default_rng([self.seed, agent, int(self.state.data[TICK])])
        context = DecisionContext(
            self.world, agent, rng, observed, lambda: self._world.state, self.legal[agent]
        )
        return self.action_index(agent, decide(context))


def _begin(policy: Any) -> None:
    """Make a policy ready for an episode."""
    if hasattr(policy, "begin"):
        policy.begin()
