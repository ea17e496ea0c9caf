"""`World`: a functional interface to a world, without hidden state, and batches of it."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gridarium.compiled.data_types.random import OWN_STREAM, Rng, world_key
from gridarium.engine.arguments import ActionChoice, action_index, check_action_count, check_agent
from gridarium.engine.batch import Batch
from gridarium.engine.batch_arguments import check_is_state
from gridarium.engine.composed_world import ComposedWorld
from gridarium.engine.kernel_args import Autoreset
from gridarium.engine.step.kernel import RUNNING
from gridarium.world.action_arguments import Actions
from gridarium.world.agent import ACTION
from gridarium.world.state import ENDED, FREE_IN_OBSERVATION, PURPOSE, Observation, State, seen_from
from gridarium.worlds import Description, Spec, open_spec
from gridarium.worlds.loading import WorldSource
from gridarium.worlds.missions import mission

Reward: TypeAlias = float | npt.NDArray[np.float64]
"""float64[agents] in worlds with several agents."""
Terminal: TypeAlias = bool | npt.NDArray[np.bool_]
"""bool[agents] in worlds with several agents."""


class World:
    """A runnable world: its rules are composed, and compiled on first use.

    Args:
        given: the name of a catalogue world, the path of a YAML file, a `Description` or one as a mapping, a `Spec`, or a
            `ComposedWorld` (an already composed world).
        compiled: False runs the rules as plain Python: breakpoints and prints work, but it is much slower.
        allow_imports: whether a file may name your own modules as `module:name` (this runs their code). They are
            looked for beside the file first.
        parameters: what is given anew of the world's description: its `shape`, its `time_limit`, parameters of its rules
            and so on, see `gridarium.worlds.with_parameters`; the `size` of a family of the catalogue, such as KeyDoor.

    Raises:
        ValueError: an unknown world (the message lists the closest names), an unknown parameter, or an invalid
            description.
        TypeError: `given` has another type.

    Example:
        >>> world = World("KeyDoor-9x9")
        >>> state = world.reset(seed=0)
        >>> state, reward, terminal = world.step(state, Action.TURN_LEFT)
        >>> world.observe(state).grid.shape
        Shape(height=7, width=7)
        >>> World("KeyDoor-9x9", shape=(5, 7), time_limit=100).spec
        <Spec KeyDoor-9x9: 5 x 7, 1 agent>
        >>> World("KeyDoor", size=11).spec
        <Spec KeyDoor-11x11: 11 x 11, 1 agent>
    """

    def __init__(
        self,
        given: WorldSource | ComposedWorld,
        *,
        compiled: bool = True,
        allow_imports: bool = False,
        **parameters: Any,
    ) -> None:
        if not isinstance(given, ComposedWorld):
            given = ComposedWorld(
                open_spec(given, allow_imports=allow_imports, parameters=parameters), compiled=compiled
            )
        elif parameters:
            raise TypeError("parameters cannot be given with a ComposedWorld; create the world from its spec")
        self.composed, self.spec = given, given.spec
        self._batches = threading.local()

    @property
    def name(self) -> str:
        """The world's name."""
        return self.spec.name

    @property
    def actions(self) -> Actions:
        """The actions by index, with all their arguments: a sequence of `Action`."""
        return self.spec.actions

    # functional

    def blank_state(self) -> State:
        """A state of floor without walls and with agents at (0, 0), to be filled: `state.grid[p] = Wall()`.

        Example:
            >>> state = World("KeyDoor-9x9").blank_state()
            >>> state.agent.position = Position(2, 3)
        """
        return State.blank(self.spec.shape, self.spec.vocabulary, self.spec.agents)

    def reset(self, seed: int | None = None) -> State:
        """The initial state of an episode; equal seeds give equal episodes, no seed a random one.

        Raises:
            TypeError: the seed is not an integer.
            ValueError: a negative seed, or raised by the reset rule, for example for a shape that is too small.
            StaleProgramError: see `Batch.reset`.
        """
        batch = self._batch_of_one()
        batch.begin([0], [world_key(seed)], [0])
        return batch.state(0)

    def step(
        self, state: State, action: ActionChoice | Sequence[ActionChoice]
    ) -> tuple[State, Reward, Terminal]:
        """Return the next state, the reward and whether the episode is over; the given state is not modified.

        Args:
            state: a state of this world.
            action: an `Action` or its index; for several agents, one for each. Where agents take turns, those of agents that wait
                are ignored.

        Returns:
            next_state, reward, terminal: floats and bools for one agent, float64[agents] and bool[agents] for several.

        Raises:
            ValueError: an unavailable action, the wrong number of actions, or raised by a rule.
            TypeError: not a state of this kind of world, or not an action.
            StaleProgramError: see `Batch.reset`.
        """
        batch = self._batch_of_one()
        batch.set_state(0, state)
        batch.memory.data[0, ENDED] = RUNNING  # stepping beyond the end of an episode is allowed
        result = batch.step(self._indices(action))
        if self.spec.agents == 1:
            return batch.state(0), float(result.rewards[0]), bool(result.terminated[0])
        return batch.state(0), result.rewards[0].copy(), result.terminated[0].copy()

    def evaluate_transition(
        self, state: State, action: ActionChoice | Sequence[ActionChoice], next_state: State
    ) -> tuple[Reward, Terminal]:
        """Evaluate the reward and terminating rules for any two states.

        The rules run interpreted. The transition need not be possible under the transition rules.

        Args:
            state: a state of this world, as `next_state`; neither is modified.
            action: as for `step`.
            next_state: the state after the action.

        Returns:
            reward, terminal: as from `step`.

        Raises:
            ValueError, TypeError: as from `step`.
        """
        for given in (state, next_state):
            check_state(given, self)
        before, after = state.copy(), next_state.copy()
        arrays = after.cells, after.layers, after.data, after.agent_rows
        after = State(*arrays, before.scratch, after.focus, after.vocabulary)  # streams go on, as in a step
        rewards, terminated = np.zeros(self.spec.agents), np.zeros(self.spec.agents, np.uint8)
        for agent, index in enumerate(self._indices(action)[0]):
            number = self.composed.action_table[agent, index]
            if number < 0:
                raise ValueError(f"action {index} is none of agent {agent}'s actions")
            after.agent_rows[agent, ACTION] = number
        before.scratch[0] = before.scratch[OWN_STREAM] = 0
        self.composed.program.evaluate(before, after, self.composed.params, rewards, terminated)
        if self.spec.agents == 1:
            return float(rewards[0]), bool(terminated[0])
        return rewards, terminated.astype(np.bool_)

    def outcomes(self, state: State) -> Reward:
        """What has come of an episode for each agent, by the outcome rule, which runs interpreted.

        Args:
            state: a state of this world, the last one of an episode.

        Returns:
            float for one agent, float64[agents] for several.

        Raises:
            ValueError: the world has no outcome rule: outcomes are then the returns, which a state does not hold.
            TypeError, ValueError: not a state of this kind of world.
        """
        rule = self.composed.program.outcome
        if rule is None:
            raise ValueError(
                f"{self.name} has no outcome rule; the outcomes of its episodes are the sums of rewards"
            )
        check_state(state, self)
        end, params = state.copy(), self.composed.params
        end.scratch[0] = 0
        found = np.array([rule(end.seen_by(agent), params) for agent in range(self.spec.agents)])
        return float(found[0]) if self.spec.agents == 1 else found

    def next_episode(self, state: State) -> State:
        """The initial state of the episode after that of `state`."""
        batch = self._batch_of_one()
        batch.set_state(0, state)
        batch.reset()
        return batch.state(0)

    def observe(self, state: State, agent: int = 0, rng: Rng | None = None) -> Observation:
        """The observation of an agent, as objects; pictures of it show the agent in its own color.

        Raises:
            TypeError, ValueError: not a state of this kind of world.
            IndexError: there is no such agent.
            StaleProgramError: see `Batch.reset`.
        """
        self.composed.check()
        check_state(state, self)
        check_agent(agent, self.spec.agents)
        seen = state.showing_things().seen_by(agent)
        observation: Observation = _with_rng(self.spec.observation, seen, rng)
        return seen_from(observation, agent, self.spec.agents)

    def mission(self, state: State) -> str:
        """The mission of the episode of a state, in words; empty if the description has none.

        Example:
            >>> world = World("Fetch-8x8")
            >>> world.mission(world.reset(seed=0))
            'fetch a grey ball'
        """
        return mission(self.spec.description.mission, state)

    def action_mask(self, state: State) -> npt.NDArray[np.bool_]:
        """Which actions are legal in a state.

        Returns:
            bool[actions]: of the single agent, or of the agent whose turn it is; bool[agents, actions] where all act.
        """
        batch = self._batch_of_one()
        batch.set_state(0, state)
        if (masks := batch.masks) is not None:
            return masks[0].copy()
        has = self.composed.action_table >= 0
        if self.spec.agents == 1:
            return has[0]
        return has[batch.turns[0]] if self.spec.turn_order == "cycle" else has

    def legal_actions(self, state: State, agent: int | None = None) -> list[int]:
        """The indices of an agent's legal actions; none if it is the turn of another one.

        Args:
            state: a state of this world.
            agent: by default the single agent, or the one whose turn it is.

        Raises:
            IndexError: there is no such agent.
            TypeError: no agent is given, and all act at once.
        """
        mask = self.action_mask(state)
        if mask.ndim == 2:
            if agent is None:
                raise TypeError("all agents act at once: give the agent")
            check_agent(agent, self.spec.agents)
            mask = mask[agent]
        elif agent is not None:
            check_agent(agent, self.spec.agents)
            if self.spec.agents > 1 and agent != self.turn(state):
                return []
        found: list[int] = np.flatnonzero(mask).tolist()
        return found

    def turn(self, state: State) -> int:
        """The agent whose turn it is in a state, where agents act one after another."""
        batch = self._batch_of_one()
        batch.set_state(0, state)
        return int(batch.turns[0])

    def acting(self, state: State) -> list[int]:
        """The agents that act in the next step from a state."""
        batch = self._batch_of_one()
        batch.set_state(0, state)
        found: list[int] = np.flatnonzero(batch.acting[0]).tolist()
        return found

    def arrays(self, state: State) -> dict[str, np.ndarray[Any, Any]]:
        """The observations of the agents as arrays: name -> array[...], with an agent axis if there are several."""
        batch = self._batch_of_one()
        batch.set_state(0, state)
        return {name: array[0] for name, array in batch.observe().items()}

    # many at once

    def batch(self, n: int, **options: Any) -> Batch:
        """Create a batch of `n` worlds of this kind; options as for `Batch`."""
        return Batch(self.composed, n, **options)

    def explain(self) -> str:
        """The composed rules as Python source, with the parameters that are read at run time."""
        return (
            self.composed.program.text
            + "\n"
            + "\n".join(f"# {line}" for line in self.composed.program.described)
            + "\n"
        )

    def _batch_of_one(self) -> Batch:
        """A batch of one that steps states; each Python thread has its own."""
        batch: Batch | None = getattr(self._batches, "batch", None)
        if batch is None:
            batch = self._batches.batch = Batch(self.composed, 1, autoreset=Autoreset.DISABLED, shared=True)
        return batch

    def _indices(self, action: Any) -> npt.NDArray[np.int64]:
        several = isinstance(action, Iterable) and not isinstance(action, str | Mapping)
        chosen = list(action) if several else [action]
        check_action_count(self.spec, len(chosen), action)
        return np.array([[action_index(self.actions, a) for a in chosen]])

    def __repr__(self) -> str:
        return f"World({self.name!r})"

    def _repr_html_(self) -> str:
        from gridarium.engine.notebook import of_world  # pictures are imported only for notebooks

        return of_world(self.spec, World(self.spec, compiled=False).reset(0))

    def __reduce__(self) -> Any:
        return World, (self.composed,)


def _with_rng(observation: Any, state: State, rng: Rng | None) -> Any:
    """Call the rule with the engine's random numbers, unless others are given."""
    rng_argument = {}
    if "rng" in inspect.signature(observation).parameters:
        rng_argument["rng"] = state.stream(PURPOSE["observation"]) if rng is None else rng
    before = state.scratch[OWN_STREAM]
    state.scratch[OWN_STREAM] = FREE_IN_OBSERVATION
    try:
        return observation(state, **rng_argument)
    finally:
        state.scratch[OWN_STREAM] = before


def check_world(given: Any) -> None:
    """Check that something is a `World`; the error says how to create one.

    Raises:
        TypeError: it is not.
    """
    if isinstance(given, World):
        return
    hint = ""
    if isinstance(given, str | Path):
        hint = f"; World({str(given)!r}) creates one"
    elif isinstance(given, Description | Spec):
        hint = "; World(...) creates one from it"
    elif isinstance(getattr(getattr(given, "unwrapped", None), "world", None), World):
        hint = "; that of an environment is env.unwrapped.world"
    raise TypeError(f"a World is needed, not {given!r}{hint}")


def check_state(state: Any, world: World) -> None:
    """Check that something is a state of a world.

    Raises:
        TypeError, ValueError: it is not.
    """
    check_is_state(state)
    vocabulary = world.spec.vocabulary
    same = state.vocabulary is vocabulary or state.vocabulary == vocabulary
    if not same or len(state.agent_rows) != world.spec.agents:
        raise ValueError(f"the state's objects, colors, fields or agents are not those of {world.name}")
    if state.grid.shape != world.spec.shape:
        height, width = state.grid.shape
        rows, columns = world.spec.shape
        raise ValueError(f"the state has {height} x {width} cells, {world.name} has {rows} x {columns}")
