"""Representations: how what an agent perceives, or a whole state, becomes arrays.

Each is a list of outputs (name, shape, dtype, bounds), a function that writes them, plain Python run as it is or
compiled, and the tables that this function reads. Names and codes of the first three are gym-gridverse's.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from gridarium.compiled.primitives import fixed, outlined
from gridarium.engine import codes
from gridarium.engine.encoding import write_pose, write_triples
from gridarium.engine.fields import field_column, write_fields
from gridarium.engine.frame import OUTPUTS, At
from gridarium.engine.measuring import bounds, readings_of, write_readings
from gridarium.engine.symbolic import write_channels
from gridarium.world.agent import Agent
from gridarium.world.geometry import Shape
from gridarium.world.grid import Grid
from gridarium.world.state import State
from gridarium.world.vocabulary import Vocabulary
from gridarium.worlds.models import SENSORS

Observe = Literal["observation", "state", "both"]
"""What a world's arrays show: what the agent perceives, the whole state, or both (the state's under `state.<name>`)."""
STATE_PREFIX = "state."
MOST_ARRAYS = 4
"""How many arrays show cells: numbers, agents, what is held, and walls where there are any."""


@dataclass(frozen=True)
class Output:
    """One array of a representation.

    Attributes:
        name: its key in the observation dictionary.
        shape: for one agent.
        dtype: of its numbers.
        low, high: the bounds of each number: scalars, or arrays that broadcast to the shape.
    """

    name: str
    shape: tuple[int, ...]
    dtype: Any
    low: Any
    high: Any


@dataclass(frozen=True)
class Representation:
    """How a world becomes arrays.

    Attributes:
        outputs: the arrays.
        write: writes them, `(frame, place, index, state, numbers)`.
        tables: what `write` reads, by its place in the frame.
        places: for each array, which place it has among those from `place` on.
        room: how many places there are; some are free, so that one program serves all representations of cells.
    """

    outputs: list[Output]
    write: Callable[..., None]
    tables: dict[At, npt.NDArray[Any]]
    places: tuple[int, ...]
    room: int

    def with_more(self, output: Output, write: Callable[..., None]) -> Representation:
        """The same with one more array, in the next place, and what writes it as well."""
        places = (*self.places, self.room)
        return Representation([*self.outputs, output], write, self.tables, places, self.room + 1)


def represent(world: Any, observation: Callable[..., Any], seen: Shape, observe: Observe) -> Representation:
    """The representation that a world's description asks for.

    Args:
        world: a `gridarium.worlds.Spec`, or what has its attributes.
        observation: the composed observation rule, `(state, numbers)`.
        seen: the shape of an observation's grid.
        observe: what is shown.

    Raises:
        ValueError: a code that does not fit into a byte.
    """
    if observe == "both":
        first, second = (represent(world, observation, seen, part) for part in ("observation", "state"))
        named = [Output(STATE_PREFIX + o.name, o.shape, o.dtype, o.low, o.high) for o in second.outputs]
        places = (*first.places, *(first.room + place for place in second.places))
        room = first.room + second.room
        assert room <= OUTPUTS
        write: Callable[..., None] = functools.partial(
            write_both, first=first.write, second=second.write, offset=first.room
        )
        return Representation([*first.outputs, *named], write, first.tables | second.tables, places, room)
    of_state = observe == "state"
    make = {"symbolic": _symbolic, "rgb": _rgb}.get(world.representation.name, _triples)
    made = make(world, world.shape if of_state else seen, of_state)
    if not of_state:
        wanted = world.representation
        if wanted.name == SENSORS:
            made = Representation([], write_nothing, {}, (), 0)
        else:
            write = functools.partial(write_observation, observation=observation, write=made.write)
            made = replace(made, write=write)
        if wanted.shows_sensors:
            made = _with_sensors(made, world)
        return _with_fields(made, world.vocabulary, wanted.fields)
    if world.representation.name == "rgb":
        return replace(made, write=functools.partial(write_state, write=made.write))
    write = functools.partial(write_state_and_pose, write=made.write, offset=made.room)
    words: Vocabulary = world.vocabulary
    everything = [f.name for f in (*words.world_fields, *words.agent_fields)]
    return _with_fields(made.with_more(_pose(), write), words, everything)


def write_cells(
    frame: Any, place: int, index: int, state: State, grid: Grid, agent: Agent, *,
    codes: int, objects: int, channels: int,
) -> None:  # fmt: skip
    """Cells as the numbers in them, or, where there is a table, as codes or channels."""
    if fixed(frame, At.CHANNEL_CODES) == 0 and fixed(frame, codes) == 0:
        write_triples(frame, place, index, state, grid, agent, codes=0)
    else:
        write_coded(frame, place, index, state, grid, agent, codes=codes, objects=objects, channels=channels)


@outlined
def write_coded(
    frame: Any, place: int, index: int, state: State, grid: Grid, agent: Agent, *,
    codes: int, objects: int, channels: int,
) -> None:  # fmt: skip
    """Cells as channels where there is a table of these, otherwise as triples of codes; apart from what most worlds need."""
    if fixed(frame, At.CHANNEL_CODES) != 0:
        write_channels(frame, place, index, state, grid, agent, objects=objects, channels=channels)
    else:
        write_triples(frame, place, index, state, grid, agent, codes=codes)


def write_both(
    frame: Any, place: int, index: int, state: State, numbers: Any, *, first: Any, second: Any, offset: int
) -> None:
    """What the agent in focus perceives, and the whole state."""
    first(frame, place, index, state, numbers)
    second(frame, place + offset, index, state, numbers)


def write_observation(
    frame: Any, place: int, index: int, state: State, numbers: Any, *, observation: Any, write: Any
) -> None:
    """What the agent in focus perceives."""
    seen = observation(state, numbers)
    write(frame, place, index, state, seen.grid, seen.agent)


def write_nothing(frame: Any, place: int, index: int, state: State, numbers: Any) -> None:
    """Nothing is seen of the world."""


def write_state(frame: Any, place: int, index: int, state: State, numbers: Any, *, write: Any) -> None:
    """The whole state, from the point of view of the agent in focus."""
    write(frame, place, index, state, state.grid, state.agent)


def write_state_and_pose(
    frame: Any, place: int, index: int, state: State, numbers: Any, *, write: Any, offset: int
) -> None:
    """The whole state, and where in it the agent in focus is."""
    write(frame, place, index, state, state.grid, state.agent)
    write_pose(frame, place + offset, index, state)


def write_with_fields(
    frame: Any, place: int, index: int, state: State, numbers: Any, *, write: Any, offset: int, columns: Any
) -> None:
    """What `write` writes, and declared numbers."""
    write(frame, place, index, state, numbers)
    write_fields(frame, place + offset, index, state, columns=columns)


def write_with_sensors(
    frame: Any, place: int, index: int, state: State, numbers: Any, *, write: Any, sense: Any, offset: int
) -> None:
    """What `write` writes, and what sensors say."""
    write(frame, place, index, state, numbers)
    sense(frame, place + offset, index, state)


def _with_sensors(made: Representation, world: Any) -> Representation:
    """A representation with one more array, `sensors` float64[sensors]."""
    count = len(world.sensors)
    sense = functools.partial(write_readings, readings=readings_of(world.sensors), count=count)
    write = functools.partial(write_with_sensors, write=made.write, sense=sense, offset=made.room)
    low, high = bounds(world.sensors, State.blank(world.shape, world.vocabulary, agents=world.agents))
    output = Output("sensors", (count,), np.float64, low, high)
    return made.with_more(output, write)


def _with_fields(made: Representation, words: Vocabulary, names: Sequence[str]) -> Representation:
    """A representation with one more array, `fields` float64[fields], if any are to be shown."""
    if not names:
        return made
    columns = tuple(field_column(words, name) for name in names)
    write = functools.partial(write_with_fields, write=made.write, offset=made.room, columns=columns)
    output = Output("fields", (len(columns),), np.float64, -np.inf, np.inf)
    return made.with_more(output, write)


def _triples(world: Any, shape: Shape, of_state: bool) -> Representation:
    words: Vocabulary = world.vocabulary
    name = "default" if world.representation.name == SENSORS else world.representation.name
    chosen = codes.codes(name, words, of_state=of_state)
    at = At.STATE_CODES if of_state else At.CODES
    bound, (h, w) = np.maximum(np.array(chosen.high, np.uint8), 1), shape  # checkers want room between bounds
    outputs = [
        Output("grid", (h, w, 3), np.uint8, 0, bound),
        Output("agent_id_grid", (h, w), np.uint8, 0, 1 if world.agents == 1 else 5),
        Output("item", (3,), np.uint8, 0, bound),
    ]
    if words.edges:
        outputs.append(Output("walls", (h, w), np.uint8, 0, 3))
    return _of_cells(world, outputs, {at: chosen.table}, of_state=of_state)


def _symbolic(world: Any, shape: Shape, of_state: bool) -> Representation:
    table, objects = codes.channel_codes(world.vocabulary)
    outputs = [
        Output("grid", (shape.height, shape.width, _channels(world, objects)), np.uint8, 0, 1),
        Output("item", (objects,), np.uint8, 0, 1),
    ]
    return _of_cells(world, outputs, {At.CHANNEL_CODES: table}, of_state=of_state)


def _channels(world: Any, objects: int) -> int:
    """How many channels a cell has: those of what is in it, of agents and of walls."""
    return objects + (1 if world.agents == 1 else 5) + (2 if world.vocabulary.edges else 0)


def _of_cells(
    world: Any, outputs: list[Output], tables: dict[At, npt.NDArray[Any]], *, of_state: bool
) -> Representation:
    """Cells as numbers or as channels, by which table there is: one program writes both."""
    _, objects = codes.channel_codes(world.vocabulary)
    at = At.STATE_CODES if of_state else At.CODES
    write = functools.partial(write_cells, codes=int(at), objects=objects, channels=_channels(world, objects))
    room = MOST_ARRAYS if world.vocabulary.edges else MOST_ARRAYS - 1
    return Representation(outputs, write, tables, tuple(range(len(outputs))), room)


def _rgb(world: Any, shape: Shape, of_state: bool) -> Representation:
    from gridarium.draw import Atlas
    from gridarium.engine.pixels import header, write_picture

    size = world.representation.tile
    atlas = Atlas.of(world.vocabulary, size, world.agents)
    output = Output("image", (shape.height * size, shape.width * size, 3), np.uint8, 0, 255)
    return Representation(
        [output], functools.partial(write_picture, contents=of_state), {At.ATLAS: header(atlas)}, (0,), 1
    )


def _pose() -> Output:
    low = np.array([-1, -1, 0, 0, 0, 0], np.float64)
    return Output("agent", (6,), np.float64, low, np.ones(6, np.float64))
