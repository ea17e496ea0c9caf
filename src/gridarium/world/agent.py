"""The agent: its position, orientation, held object and declared fields."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from gridarium.compiled.data_types.primitives import compiled_as
from gridarium.compiled.data_types.value_class import value
from gridarium.world.action_arguments import to_action
from gridarium.world.actions import Action
from gridarium.world.cell import decode, encode, make
from gridarium.world.field_array import whole_number
from gridarium.world.geometry import Orientation, Position, Transform, check_near, heading
from gridarium.world.objects import GridObject, NoneGridObject
from gridarium.world.vocabulary import (
    AGENT_FIELDS,
    OWNERS,
    FieldAccess,
    Vocabulary,
    everything,
    field_access,
    find_field,
    set_default,
)

Y, X, ORIENTATION, HELD, ACTIVE, RESULT, BUSY, ACTION = range(AGENT_FIELDS)
TYPES = {"position": Position, "orientation": Orientation, "transform": Transform}
"""Types accepted by assignment to an agent's attributes, besides those that are checked by their setters."""


def _agent_field(vocabulary: Vocabulary, name: str) -> FieldAccess | None:
    found = find_field(vocabulary.agent_fields, name, AGENT_FIELDS)
    return None if found is None else field_access("agent_row", *found)


@value
class Agent:
    """One agent: a view of its row in the state, so that assigning to it changes the state.

    Attributes:
        agent_row: int64[8 + fields]: y, x, orientation, held object, active, result, busy ticks, chosen action, fields.
        vocabulary: what the numbers mean.
        number: its index among the agents; not compared.
    """

    agent_row: Any
    vocabulary: Vocabulary
    number: int

    @staticmethod
    def at(
        position: Position,
        orientation: Orientation = Orientation.FORWARD,
        grid_object: GridObject | None = None,
        vocabulary: Vocabulary | None = None,
    ) -> Agent:
        """Create a standalone agent that belongs to no state (interpreted only)."""
        vocabulary = vocabulary or everything()
        agent_row = np.zeros(vocabulary.agent_row_length, np.int64)
        agent = Agent(agent_row, vocabulary, 0)
        agent.position, agent.orientation = position, orientation
        agent.grid_object = NoneGridObject() if grid_object is None else grid_object
        agent_row[ACTIVE] = 1
        for field in vocabulary.agent_fields:
            set_default(agent, field)
        return agent

    @property
    def has_body(self) -> bool:
        """Whether the agent has a body, and so a position in the grid."""
        return self.vocabulary.bodiless >> self.number & 1 == 0

    @property
    def position(self) -> Position:
        """The position of the agent."""
        return Position(int(self.agent_row[Y]), int(self.agent_row[X]))

    @position.setter
    def position(self, new: Position) -> None:
        check_near(new)
        self.agent_row[Y] = new.y
        self.agent_row[X] = new.x

    @property
    def orientation(self) -> Orientation:
        """The direction that the agent faces."""
        return heading(int(self.agent_row[ORIENTATION]))

    @orientation.setter
    def orientation(self, new: Orientation) -> None:
        self.agent_row[ORIENTATION] = new.value

    @property
    def transform(self) -> Transform:
        """Position and orientation together."""
        return Transform(self.position, self.orientation)

    @transform.setter
    def transform(self, new: Transform) -> None:
        self.position = new.position
        self.orientation = new.orientation

    @property
    def grid_object(self) -> GridObject:
        """The object it holds; NoneGridObject() when it holds nothing."""
        return decode(int(self.agent_row[HELD]), self.vocabulary)

    @grid_object.setter
    def grid_object(self, new: GridObject) -> None:
        self.agent_row[HELD] = encode(new, self.vocabulary)

    @property
    def active(self) -> bool:
        """Whether it takes part: an inactive agent neither acts nor blocks."""
        return bool(self.agent_row[ACTIVE] != 0)

    @active.setter
    def active(self, new: bool) -> None:
        self.agent_row[ACTIVE] = 1 if new else 0

    @property
    def result(self) -> int:
        """The result code of its last action; 0 is success."""
        return int(self.agent_row[RESULT])

    @result.setter
    def result(self, new: int) -> None:
        self.agent_row[RESULT] = whole_number(new)

    @property
    def busy(self) -> int:
        """The number of further ticks that its current action takes."""
        return int(self.agent_row[BUSY])

    @busy.setter
    def busy(self, new: int) -> None:
        self.agent_row[BUSY] = whole_number(new)

    @property
    def action(self) -> Action:
        """The action it does in this tick; WAIT while one still takes time."""
        return to_action(int(self.agent_row[ACTION]), self.vocabulary)

    @property
    def pending(self) -> Action:
        """The action that takes effect when the agent is no longer busy.

        Raises:
            AttributeError: all actions of the world take one tick.
        """
        if not self.vocabulary.has_durations:
            raise AttributeError("no action is pending: all actions of this world take one tick")
        return to_action(int(self.agent_row[self.vocabulary.pending_action]), self.vocabulary)

    def front(self) -> Position:
        """The position of the cell ahead."""
        return self.position + Position.from_orientation(self.orientation)

    def drop(self) -> None:
        """Remove the held object."""
        self.grid_object = make(NoneGridObject)

    def __eq__(self, other: Any) -> bool:
        if not is_agent(other) or other.agent_row.shape[0] != self.agent_row.shape[0]:
            return False
        for i in range(self.agent_row.shape[0]):
            if (i < RESULT or i >= AGENT_FIELDS) and self.agent_row[i] != other.agent_row[i]:
                return False
        return True

    def __hash__(self) -> int:
        return hash(tuple(int(n) for i, n in enumerate(self.agent_row) if i < RESULT or i >= AGENT_FIELDS))

    def __repr__(self) -> str:
        fields = "".join(f", {f.name}={getattr(self, f.name)}" for f in self.vocabulary.agent_fields)
        gone = "" if self.active else ", gone"
        return f"Agent({self.position}, {self.orientation}, {self.grid_object}{fields}{gone})"

    @staticmethod
    def __compiled_fields__(vocabulary: Vocabulary, name: str) -> FieldAccess | None:
        return _agent_field(vocabulary, name)

    @staticmethod
    def __undeclared__(vocabulary: Vocabulary, name: str) -> str:
        return _undeclared(vocabulary, name)

    def __getattr__(self, name: str) -> Any:
        access = None if name.startswith("_") else _agent_field(self.vocabulary, name)
        if access is None:
            raise AttributeError(_undeclared(self.vocabulary, name))
        return access.getter(self)

    def __setattr__(self, name: str, new: Any) -> None:
        member = getattr(type(self), name, None)
        if isinstance(member, property) and member.fset is not None:
            wanted = TYPES.get(name)
            if wanted is not None and not isinstance(new, wanted):
                raise TypeError(f"agent.{name} takes a value of type {wanted.__name__}, not {new!r}")
            if name == "grid_object" and new is None:
                raise TypeError(
                    "agent.grid_object takes an object, not None; agent.drop() lets it hold nothing"
                )
            member.fset(self, new)
            return
        access = _agent_field(self.vocabulary, name)
        if access is None:
            raise AttributeError(_undeclared(self.vocabulary, name, "cannot be assigned"))
        access.assign(self, name, new)


@compiled_as("gridarium.world.compiled.agent:copy_agent")
def copy_agent(agent: Agent, scratch: Any) -> Agent:
    """A copy of the agent that can be modified without modifying the state (compiled: in scratch memory)."""
    return Agent(agent.agent_row.copy(), agent.vocabulary, agent.number)


@compiled_as("gridarium.world.compiled.agent:is_agent")
def is_agent(thing: Any) -> bool:
    """Whether something is an agent."""
    return isinstance(thing, Agent)


@compiled_as("gridarium.world.compiled.agent:are_agents")
def are_agents(thing: Any) -> bool:
    """Whether something is the agents of a state."""
    return isinstance(thing, Agents)


def _undeclared(vocabulary: Vocabulary, name: str, problem: str = "is not known") -> str:
    listed = ", ".join(f.name for f in vocabulary.agent_fields) or "none"
    own = "position, orientation, transform, grid_object, active, result, busy"
    return f"agent.{name} {problem}; there are {own}, and the agent fields that the world declares: {listed}"


OWNERS["an agent"] = Agent


@value
class Agents:
    """All agents of a state: `agents[i]`, `len(agents)`, `for agent in agents`."""

    __numbered__: ClassVar[bool] = True
    agent_rows: Any
    vocabulary: Vocabulary

    def __getitem__(self, i: int) -> Agent:
        if not 0 <= i < self.agent_rows.shape[0]:
            raise IndexError(f"agents are numbered from 0 to {self.agent_rows.shape[0] - 1}; got {i}")
        number = int(i)  # also of a truth value
        return Agent(self.agent_rows[number], self.vocabulary, number)

    def __len__(self) -> int:
        return int(self.agent_rows.shape[0])

    def __iter__(self) -> Iterator[Agent]:
        for i in range(self.agent_rows.shape[0]):
            yield Agent(self.agent_rows[i], self.vocabulary, i)

    def __eq__(self, other: Any) -> bool:
        if not are_agents(other) or self.agent_rows.shape[0] != other.agent_rows.shape[0]:
            return False
        for i in range(self.agent_rows.shape[0]):
            if Agent(self.agent_rows[i], self.vocabulary, i) != Agent(
                other.agent_rows[i], other.vocabulary, i
            ):
                return False
        return True

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"[{', '.join(map(repr, self))}]"
