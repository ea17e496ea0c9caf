"""One world: functional (no hidden state) and stateful."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from gridarium.compiled.random import OWN_STREAM, Rng, world_key
from gridarium.engine.batch import Batch
from gridarium.engine.checking import action_index, check_agent, check_state
from gridarium.engine.frame import Autoreset
from gridarium.engine.kernel import RUNNING
from gridarium.engine.machine import Machine
from gridarium.world.actions import Action
from gridarium.world.agent import ACTION
from gridarium.world.state import ENDED, FREE_IN_OBSERVATION, PURPOSE, Observation, State, seen_from
from gridarium.worlds import Description, Spec, opened
from gridarium.worlds.missions import mission


class World:
    """A world that can be run: its rules composed, compiled when first used.

    Args:
        given: the name of a catalogue world, the path of a YAML file, a `Description` or one as a mapping, a `Spec`, or a
            `Machine` (a world that is composed already).
        compiled: False runs the rules as plain Python: breakpoints and prints work, much slower.
        allow_imports: whether a file may name your own modules as `module:name` (this runs their code). They are
            looked for beside the file first.
        parameters: what is given anew of the world's description: its `shape`, its `time_limit`, parameters of its rules
            and so on, see `gridarium.worlds.with_parameters`.

    Raises:
        ValueError: no such world, with the nearest names, no such parameter, or a wrong description.
        TypeError: none of these.

    Example:
        >>> world = World("KeyDoor-9x9")
        >>> state = world.reset(seed=0)
        >>> state, reward, terminal = world.step(state, Action.TURN_LEFT)
        >>> world.observe(state).grid.shape
        Shape(height=7, width=7)
        >>> World("KeyDoor-9x9", shape=(5, 7), time_limit=100).spec
        <Spec KeyDoor-9x9: 5 x 7, 1 agent>
    """

    def __init__(
        self,
        given: str | Path | Mapping[str, Any] | Description | Spec | Machine,
        *,
        compiled: bool = True,
        allow_imports: bool = False,
        **parameters: Any,
    ) -> None:
        if not isinstance(given, Machine):
            given = Machine(
                opened(given, allow_imports=allow_imports, parameters=parameters), compiled=compiled
            )
        elif parameters:
            raise TypeError("a machine has its parameters already; make the world of machine.spec")
        self.machine, self.spec = given, given.spec
        self._benches = threading.local()

    @property
    def name(self) -> str:
        """The world's name."""
        return self.spec.name

    @property
    def actions(self) -> tuple[Action, ...]:
        """What an action's index stands for."""
        return self.spec.actions

    # functional

    def blank_state(self) -> State:
        """A state of floor without walls, its agents at (0, 0), for you to fill: `state.grid[p] = Wall()`.

        Example:
            >>> state = World("KeyDoor-9x9").blank_state()
            >>> state.agent.position = Position(2, 3)
        """
        return State.blank(self.spec.shape, self.spec.vocabulary, self.spec.agents)

    def reset(self, seed: int | None = None) -> State:
        """The first state of an episode; the same seed gives the same episode, no seed one of its own.

        Raises:
            TypeError: a seed that is no whole number.
            ValueError: a negative seed, or what the reset rule raises, for instance for a shape that is too small.
            StaleProgramError: see `Batch.reset`.
        """
        bench = self._workbench()
        bench.begin([0], [world_key(seed)], [0])
        return bench.state(0)

    def step(self, state: State, action: Any) -> tuple[State, Any, Any]:
        """The next state, the reward and whether the episode is over, the given state unchanged.

        Args:
            state: of this world.
            action: an `Action` or its index; for several agents one for each.

        Returns:
            next_state, reward, terminal: floats and bools for one agent, float64[agents] and bool[agents] for several.

        Raises:
            ValueError: an action that is not the agent's, not as many as agents, or what a rule raises.
            TypeError: no state of this kind of world, or no action.
            StaleProgramError: see `Batch.reset`.
        """
        bench = self._workbench()
        bench.set_state(0, state)
        bench.memory.data[0, ENDED] = RUNNING  # one may look at what would come after an end
        result = bench.step(self._indices(action))
        if self.spec.agents == 1:
            return bench.state(0), float(result.rewards[0]), bool(result.terminated[0])
        return bench.state(0), result.rewards[0].copy(), result.terminated[0].copy()

    def evaluate_transition(self, state: State, action: Any, next_state: State) -> tuple[Any, Any]:
        """The reward and whether the episode is over, for any two states: what the world's rules make of a transition.

        The rules run interpreted. They need not lead from the one state to the other.

        Args:
            state: of this world, as `next_state`; both stay unchanged.
            action: as for `step`.
            next_state: what came of it.

        Returns:
            reward, terminal: as from `step`.

        Raises:
            ValueError, TypeError: as from `step`.
        """
        for given in (state, next_state):
            check_state(given, self)
        before, after = state.copy(), next_state.copy()
        rewards, terminated = np.zeros(self.spec.agents), np.zeros(self.spec.agents, np.uint8)
        for agent, index in enumerate(self._indices(action)[0]):
            number = self.machine.action_table[agent, index]
            if number < 0:
                raise ValueError(f"action {index} is none of agent {agent}'s actions")
            after.bodies[agent, ACTION] = number
        for one in (before, after):
            one.scratch[0] = one.scratch[OWN_STREAM] = 0
        self.machine.program.evaluate(before, after, self.machine.numbers, rewards, terminated)
        if self.spec.agents == 1:
            return float(rewards[0]), bool(terminated[0])
        return rewards, terminated.astype(np.bool_)

    def next_episode(self, state: State) -> State:
        """The first state of the episode after the one that `state` belongs to."""
        bench = self._workbench()
        bench.set_state(0, state)
        bench.reset()
        return bench.state(0)

    def observe(self, state: State, agent: int = 0, rng: Rng | None = None) -> Observation:
        """What an agent perceives, as objects; pictures of it show the agent in its own color.

        Raises:
            TypeError, ValueError: no state of this kind of world.
            IndexError: there is no such agent.
            StaleProgramError: see `Batch.reset`.
        """
        self.machine.check()
        check_state(state, self)
        check_agent(agent, self.spec.agents)
        observation: Observation = _with_rng(self.spec.observation, state.seen_by(agent), rng)
        return seen_from(observation, agent, self.spec.agents)

    def mission(self, state: State) -> str:
        """What is wanted in the episode of a state, in words, as the description says; nothing if that says nothing.

        Example:
            >>> world = World("Fetch-8x8")
            >>> world.mission(world.reset(seed=0))
            'fetch a grey ball'
        """
        return mission(self.spec.description.mission, state)

    def arrays(self, state: State) -> dict[str, np.ndarray[Any, Any]]:
        """What the agents perceive, as arrays: name -> array[...], with an agent axis where there are several."""
        bench = self._workbench()
        bench.set_state(0, state)
        return {name: array[0] for name, array in bench.observe().items()}

    # many at once

    def batch(self, n: int, **options: Any) -> Batch:
        """`n` worlds of this kind, stepped in one call; options as for `Batch`."""
        return Batch(self.machine, n, **options)

    def explain(self) -> str:
        """The composed rules as a page of Python, with the parameters that are read at run time."""
        return (
            self.machine.program.text
            + "\n"
            + "\n".join(f"# {line}" for line in self.machine.program.described)
            + "\n"
        )

    def _workbench(self) -> Batch:
        """A batch of one in which states are stepped; each Python thread has its own."""
        bench: Batch | None = getattr(self._benches, "bench", None)
        if bench is None:
            bench = self._benches.bench = Batch(self.machine, 1, autoreset=Autoreset.DISABLED, shared=True)
        return bench

    def _indices(self, action: Any) -> Any:
        several = isinstance(action, Iterable) and not isinstance(action, str | Mapping)
        chosen = list(action) if several else [action]
        if len(chosen) != self.spec.agents:
            raise ValueError(
                f"{self.name} takes an action of each agent, {self.spec.agents} in all; got {action!r}"
            )
        return np.array([[action_index(self.actions, a) for a in chosen]])

    def __repr__(self) -> str:
        return f"World({self.name!r})"

    def _repr_html_(self) -> str:
        from gridarium.engine.showing import of_world

        return of_world(self)

    def __reduce__(self) -> Any:
        return World, (self.machine,)


def _with_rng(observation: Any, state: State, rng: Rng | None) -> Any:
    """What the rule gives with the random numbers that the engine would give it, unless there are others."""
    import inspect

    luck = {}
    if "rng" in inspect.signature(observation).parameters:
        luck["rng"] = state.stream(PURPOSE["observation"]) if rng is None else rng
    before = state.scratch[OWN_STREAM]
    state.scratch[OWN_STREAM] = FREE_IN_OBSERVATION
    try:
        return observation(state, **luck)
    finally:
        state.scratch[OWN_STREAM] = before
