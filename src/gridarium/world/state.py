"""The state of a world: a grid, agents, declared numbers, the clock. A view of four fixed-size arrays."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from gridarium.compiled.data_types.primitives import compiled_as, fill_words, for_rules
from gridarium.compiled.data_types.random import (
    BEGUN,
    CLOCK_READ,
    FIRST_STREAM,
    OWN_STREAM,
    SCRATCH_WORDS,
    SHARED,
    WATCHED,
    Rng,
    begin_stream,
    episode_key,
    world_key,
)
from gridarium.compiled.data_types.value_class import value
from gridarium.world.acting_agents import ActingAgents
from gridarium.world.agent import ACTIVE, HELD, Agent, Agents, X, Y
from gridarium.world.copy_on_write import IS_SHARED
from gridarium.world.field_array import whole_number
from gridarium.world.geometry import Position, Shape
from gridarium.world.grid import Grid, copied
from gridarium.world.notebook import page, picture
from gridarium.world.objects import BLOCKS_VISION, GridObject
from gridarium.world.sketch import sketch
from gridarium.world.things import (
    CarriedThings,
    Thing,
    Things,
    ThingsAt,
    add_thing,
    is_blocked_by_thing,
    remove_thing,
    show_things,
)
from gridarium.world.vocabulary import (
    DATA_FIELDS,
    OWNERS,
    FieldAccess,
    Vocabulary,
    everything,
    field_access,
    find_field,
    set_default,
)

TICK, EPISODE, KEY, EPISODE_KEY, TURN, ENDED = range(6)
PURPOSES = (
    "free",
    "reset",
    "transition",
    "reward",
    "terminating",
    "observation",
    "visibility",
    "sensor",
    "conflict",
    "free in reset",
    "free in observation",
    "array",
    "free in outcome",
)
PURPOSE = {name: number for number, name in enumerate(PURPOSES)}
CONFLICT_PURPOSE = PURPOSE["conflict"]
FREE_IN_RESET, FREE_IN_OBSERVATION = PURPOSE["free in reset"], PURPOSE["free in observation"]


def _world_field(vocabulary: Vocabulary, name: str) -> FieldAccess | None:
    found = find_field(vocabulary.world_fields, name, DATA_FIELDS)
    return None if found is None else field_access("data", *found)


class _GridOfState(property):
    """The property `grid`, which interpreted rules ask for in every other line: made once for each state."""

    def __get__(self, state: Any, owner: type | None = None) -> Grid:  # type: ignore[override]
        try:
            return _kept(state, "_grid")
        except AttributeError:
            if state is None:
                return self  # type: ignore[return-value]
            object.__setattr__(state, "_grid", made := self.fget(state))  # type: ignore[misc]
            return made


_kept = object.__getattribute__  # which does not look for a declared field of that name


@value
class State:
    """The state of one world at one tick. Rules read and edit it through `grid`, `agent`, `agents` and declared fields.

    Attributes:
        cells: uint32[height, width].
        layers: int64[layers, height, width].
        data: int64[8 + fields]: tick, episode, world key, episode key, turn, ended, 2 reserved, world fields, things.
        agent_rows: int64[agents, 8 + fields].
        scratch: int64[n]: memory that is not part of the state (counters of random draws, intermediate grids).
        focus: the index of the agent whose point of view a rule takes.
        vocabulary: the meaning of the numbers.
    """

    cells: Any
    layers: Any
    data: Any
    agent_rows: Any
    scratch: Any
    focus: int
    vocabulary: Vocabulary

    __hidden__: ClassVar[tuple[str, ...]] = ("stream",)
    __asides__ = ("_grid",)

    def __new__(cls, *given: Any, **named: Any) -> State:
        """Raise an error for gym-gridverse's constructor arguments that says how to create a state."""
        if len(given) + len(named) < 7:
            raise TypeError(
                "a state is made by world.blank_state(), or State.blank(shape, vocabulary), and then filled: "
                "state.grid[p] = ..., state.agent.position = ..., state.agent.orientation = ..."
            )
        return object.__new__(cls)

    @_GridOfState
    def grid(self) -> Grid:
        """The grid."""
        return Grid(self.cells, self.layers, self.scratch, self.vocabulary)

    @property
    def agent(self) -> Agent:
        """The agent whose point of view is taken."""
        return Agent(self.agent_rows[self.focus], self.vocabulary, self.focus)

    @property
    def agents(self) -> Agents:
        """All agents."""
        return Agents(self.agent_rows, self.vocabulary)

    @property
    def tick(self) -> int:
        """The number of steps taken in the episode."""
        self.scratch[CLOCK_READ] = 1
        return int(self.data[TICK])

    @property
    def episode(self) -> int:
        """The index of the episode, counted from 0 since the world was seeded."""
        self.scratch[CLOCK_READ] = 1
        return int(self.data[EPISODE])

    @property
    def turn(self) -> int:
        """The index of the agent that acts next, where agents act one after another; a rule may set it.

        Numbers below 0 stand for several agents or none, see `acting`.

        The engine advances it before the rules of a tick run, so what a rule sets stands, unless that agent cannot act.
        """
        return int(self.data[TURN])

    @turn.setter
    def turn(self, new: int) -> None:
        if not 0 <= new < self.agent_rows.shape[0]:
            raise IndexError(f"agents are numbered from 0 to {self.agent_rows.shape[0] - 1}; got {new}")
        self.data[TURN] = whole_number(new)

    @property
    def acting(self) -> ActingAgents:
        """The numbers of the agents that act next, where rules choose them (`turn_order: chosen`): a set that rules edit.

        It stays as it is until a rule changes it. `state.turn = a` lets one agent act.
        """
        return ActingAgents(self.data, TURN, self.agent_rows.shape[0])

    @property
    def rng(self) -> Rng:
        """Random numbers for rules without an `rng` parameter: one stream, which the rules of a tick share in turn.

        A parameter `rng` is better for comparing runs: each rule then has its own stream, independent of how many
        numbers others draw.
        """
        own = int(self.scratch[OWN_STREAM])
        if own < BEGUN:
            self.scratch[OWN_STREAM] = own + BEGUN
            return self.stream(own)
        return Rng(self.scratch, FIRST_STREAM + 2 * (own - BEGUN))

    def stream(self, purpose: int) -> Rng:
        """The random stream for a purpose at this tick, for the agent in focus, from its beginning.

        Args:
            purpose: one of `PURPOSE`, plus 16 times the index of the rule among those of its kind.
        """
        slot = FIRST_STREAM + 2 * (purpose & 15)
        begin_stream(
            self.scratch, slot, int(self.data[EPISODE_KEY]), int(self.data[TICK]), purpose, self.focus
        )
        return Rng(self.scratch, slot)

    def seen_by(self, focus: int) -> State:
        """The same state from another agent's point of view."""
        if not 0 <= focus < self.agent_rows.shape[0]:
            raise IndexError(f"agents are numbered from 0 to {self.agent_rows.shape[0] - 1}; got {focus}")
        return State(
            self.cells, self.layers, self.data, self.agent_rows, self.scratch, focus, self.vocabulary
        )

    @property
    def things(self) -> Things:
        """The things of the world, in the order of their numbers."""
        return Things(self.data, self.agent_rows, self.vocabulary)

    def things_at(self, p: Position) -> ThingsAt:
        """The things that lie in a cell, carried by nobody, the topmost last."""
        return ThingsAt(self.data, self.agent_rows, p, self.vocabulary)

    def carried_by(self, agent: Agent) -> CarriedThings:
        """The things that an agent carries."""
        return CarriedThings(self.data, self.agent_rows, agent.number, self.vocabulary)

    def can_carry(self, agent: Agent) -> bool:
        """Whether an agent carries fewer things than the world allows."""
        return len(self.carried_by(agent)) < self.vocabulary.most_carried

    def add(self, thing: GridObject, p: Position) -> Thing:
        """Add a thing that lies in a cell.

        Raises:
            OverflowError: there are as many things as the world has room for.
            ValueError: its kind or color is not among the world's.
        """
        return add_thing(self.data, self.agent_rows, thing, p, self.vocabulary)

    def remove(self, thing: Thing) -> None:
        """Remove a thing; its number may be used again."""
        remove_thing(self.data, thing, self.vocabulary)

    def showing_things(self) -> State:
        """The state as it is seen: a copy whose cells show the topmost things, and agents what they carry.

        A state of a world without things is returned itself.
        """
        if not self.vocabulary.has_things:
            return self
        agent_rows = copied(self.scratch, self.agent_rows).array
        if self.scratch[WATCHED] != 0 and self.data[self.vocabulary.things_start] == 0:  # there are none
            self.scratch[SHARED] = IS_SHARED
            return State(
                self.cells, self.layers, self.data, agent_rows, self.scratch, self.focus, self.vocabulary
            )
        cells, layers = copied(self.scratch, self.cells).array, copied(self.scratch, self.layers).array
        show_things(self.data, cells, layers, agent_rows, self.vocabulary)
        return State(cells, layers, self.data, agent_rows, self.scratch, self.focus, self.vocabulary)

    def blocked(self, p: Position) -> bool:
        """Whether the agent in focus cannot be at `p`.

        It is outside, an object or a thing there blocks the way, or another agent is there.
        """
        if not self.grid.contains(p) or self.grid[p].blocks_movement:
            return True
        return self.occupied(p) or is_blocked_by_thing(self.data, self.agent_rows, p, self.vocabulary)

    def occupied(self, p: Position) -> bool:
        """Whether another active agent is at `p`."""
        for i in range(self.agent_rows.shape[0]):
            if (
                self.agent_rows[i, Y] == p.y  # most are elsewhere
                and self.agent_rows[i, X] == p.x
                and i != self.focus
                and self.agent_rows[i, ACTIVE] != 0
            ):
                return True
        return False

    def sees_through(self, p: Position) -> bool:
        """Whether an agent can see past the object at `p`."""
        return self.grid.contains(p) and not self.grid[p].blocks_vision

    def can_step(self, p: Position, q: Position) -> bool:
        """Whether the agent in focus can go from `p` to the neighbouring `q`: not blocked, no wall between."""
        return not self.blocked(q) and not self.grid.has_wall(p, q)

    def __eq__(self, other: Any) -> bool:
        if not is_state(other) or other.data.shape[0] != self.data.shape[0]:
            return False
        for i in range(DATA_FIELDS, self.data.shape[0]):
            if self.data[i] != other.data[i]:
                return False
        return self.grid == other.grid and self.agents == other.agents

    def __hash__(self) -> int:
        return hash((self.grid, self.agents, self.data[DATA_FIELDS:].tobytes()))

    def __repr__(self) -> str:
        fields = "".join(f", {f.name}={getattr(self, f.name)}" for f in self.vocabulary.world_fields)
        things = f", {self.things!r}" if self.vocabulary.has_things else ""
        rows = "\n".join(sketch(self.showing_things().grid, self.agents).lines())
        return f"State(tick {self.tick}{fields}, {self.agents!r}{things})\n{rows}"

    def _repr_svg_(self) -> str:
        return picture(self)

    def _repr_html_(self) -> str:
        return page(self)

    @staticmethod
    def __compiled_fields__(vocabulary: Vocabulary, name: str) -> FieldAccess | None:
        return _world_field(vocabulary, name)

    @staticmethod
    def __undeclared__(vocabulary: Vocabulary, name: str) -> str:
        return _undeclared(vocabulary, name)

    def __getattr__(self, name: str) -> Any:
        access = None if name.startswith("_") else _world_field(self.vocabulary, name)
        if access is None:
            raise AttributeError(_undeclared(self.vocabulary, name))
        return access.getter(self)

    def __setattr__(self, name: str, new: Any) -> None:
        if name == "turn":
            State.turn.fset(self, new)  # type: ignore[attr-defined]
            return
        access = _world_field(self.vocabulary, name)
        if access is None:
            raise AttributeError(_undeclared(self.vocabulary, name, "cannot be assigned"))
        access.assign(self, name, new)

    # interpreted only

    @staticmethod
    def blank(shape: Shape | tuple[int, int], vocabulary: Vocabulary | None = None, agents: int = 1) -> State:
        """A state of floor with its agents at (0, 0), for rules to fill.

        Raises:
            ValueError: the shape has no cell, or there is no agent.
        """
        vocabulary = vocabulary or everything()
        height, width = shape
        if height < 1 or width < 1 or agents < 1:
            raise ValueError(
                f"a state has at least one cell and one agent, not {height} x {width} and {agents}"
            )
        data = np.zeros(vocabulary.data_length, np.int64)
        agent_rows = np.zeros((agents, vocabulary.agent_row_length), np.int64)
        cells, layers = (
            np.zeros((height, width), np.uint32),
            np.zeros((vocabulary.layers, height, width), np.int64),
        )
        state = State(cells, layers, data, agent_rows, np.zeros(SCRATCH_WORDS, np.int64), 0, vocabulary)
        clear(state)
        return state

    def copy(self) -> State:
        """An independent copy with the same future."""
        arrays = (
            self.cells.copy(),
            self.layers.copy(),
            self.data.copy(),
            self.agent_rows.copy(),
            self.scratch.copy(),
        )
        return State(*arrays, self.focus, self.vocabulary)

    def fork(self, seed: int | None = None) -> State:
        """An independent copy with a different random future, for planning and filtering."""
        new = self.copy()
        new.data[KEY] = world_key(seed)
        new.data[EPISODE_KEY] = episode_key(int(new.data[KEY]), int(new.data[EPISODE]))
        new.scratch[OWN_STREAM] = 0
        return new

    def identical(self, other: State) -> bool:
        """Equality that also covers the clock, the random key and results."""
        self.scratch[CLOCK_READ] = 1
        return (
            np.array_equal(self.cells, other.cells)
            and np.array_equal(self.layers, other.layers)
            and np.array_equal(self.data, other.data)
            and np.array_equal(self.agent_rows, other.agent_rows)
        )

    def tobytes(self) -> bytes:
        """Everything that `identical` compares, as bytes."""
        self.scratch[CLOCK_READ] = 1
        return b"".join(a.tobytes() for a in (self.cells, self.layers, self.data, self.agent_rows))


def clear(state: State) -> None:
    """Reset a state to floor without walls, active agents that hold nothing, and default fields."""
    fill_words(state.cells, FLOOR_WORD)
    fill_words(state.layers, 0)
    fill_words(state.agent_rows, 0)
    for i in range(state.agent_rows.shape[0]):
        state.agent_rows[i, HELD] = NOTHING_WORD
        state.agent_rows[i, ACTIVE] = 1
    for k in range(DATA_FIELDS, state.data.shape[0]):
        state.data[k] = 0
    if state.vocabulary.bodiless != 0:
        remove_bodies(state)
    set_defaults(state)


def remove_bodies(state: State) -> None:
    """Move agents without a body out of the grid, where nothing meets or draws them."""
    for i in range(state.agent_rows.shape[0]):
        if state.vocabulary.bodiless >> i & 1 != 0:
            state.agent_rows[i, Y] = -1
            state.agent_rows[i, X] = -1


FLOOR_WORD = 2
NOTHING_WORD = BLOCKS_VISION


@compiled_as("gridarium.world.compiled.state:set_defaults")
def set_defaults(state: State) -> None:
    """Set the declared fields to their defaults."""
    vocabulary = state.vocabulary
    for field in vocabulary.world_fields:
        set_default(state, field)
    for agent in state.agents:
        for field in vocabulary.agent_fields:
            set_default(agent, field)
    for field in vocabulary.cell_fields:
        for p in state.grid.positions():
            state.grid.set_number(field.name, p, field.default)


@compiled_as("gridarium.world.compiled.state:is_state")
def is_state(thing: Any) -> bool:
    """Whether something is a state."""
    return isinstance(thing, State)


def _undeclared(vocabulary: Vocabulary, name: str, problem: str = "is not known") -> str:
    listed = ", ".join(f.name for f in vocabulary.world_fields) or "none"
    own = "grid, agent, agents, turn, tick, episode, rng (to be read and edited)"
    return f"state.{name} {problem}; there are {own}, and the world fields that the world declares: {listed}"


OWNERS["a state"] = State


@for_rules
@value
class Observation:
    """The observation of an agent: a grid rotated so that the agent faces up, and the agent in that grid's frame.

    Attributes:
        grid: the visible part of the world; cells that are not seen are `Hidden()`.
        agent: the agent, its position in that grid, facing FORWARD, holding what it holds.
    """

    grid: Grid
    agent: Agent

    __asides__ = ("whose",)

    def _repr_svg_(self) -> str:
        return picture(self)

    def _repr_html_(self) -> str:
        return page(self)


def seen_from(observation: Observation, number: int, agents: int) -> Observation:
    """The same observation with the index of its agent and the number of agents, for pictures and texts."""
    object.__setattr__(observation, "whose", (number, agents))
    return observation


def seer(observation: Observation) -> tuple[int, int]:
    """The index of the agent an observation was made for, and the number of agents; 0 and 1 if not known."""
    whose: tuple[int, int] = getattr(observation, "whose", (0, 1))
    return whose
