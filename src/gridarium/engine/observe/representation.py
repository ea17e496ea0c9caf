"""Representations: conversions of an observation, or a whole state, to arrays.

Each consists of outputs (name, shape, dtype, bounds), a function that writes them, in Python that runs interpreted or
compiled, and the tables that this function reads. Names and codes of the first three are gym-gridverse's.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from gridarium.compiled.data_types.primitives import fixed, likely, outlined
from gridarium.compiled.source_pass.resolver import unwrap_partial
from gridarium.engine.kernel_args import OUTPUTS, KernelArg
from gridarium.engine.observe import codes
from gridarium.engine.observe.arrays import fill_bytes, fill_words_of
from gridarium.engine.observe.channels import write_channels
from gridarium.engine.observe.encoding import write_pose, write_triples
from gridarium.engine.observe.fields import field_bounds, field_writers, write_fields
from gridarium.engine.observe.measurements import bounds, readings_of, write_readings
from gridarium.engine.observe.planes import write_planes
from gridarium.rules.observation_functions import full_grid
from gridarium.world.agent import Agent
from gridarium.world.geometry import Shape
from gridarium.world.grid import Grid
from gridarium.world.state import State
from gridarium.world.vocabulary import Vocabulary
from gridarium.worlds.entries.entry_types import PLANES, WITHOUT_CELLS

Observe = Literal["observation", "state", "both"]
"""The content of a world's arrays: the observation, the whole state, or both (the state under `state.<name>`)."""
STATE_PREFIX = "state."
MOST_ARRAYS = 4
"""The number of arrays for cells: codes, agents, held object and, where present, walls."""


@dataclass(frozen=True)
class Output:
    """One array of a representation.

    Attributes:
        name: its key in the observation dictionary.
        shape: the shape for one agent.
        dtype: its dtype.
        low, high: the bounds of each number: scalars, or arrays that broadcast to the shape.
    """

    name: str
    shape: tuple[int, ...]
    dtype: Any
    low: Any
    high: Any


@dataclass(frozen=True)
class Representation:
    """The conversion of a world to arrays.

    Attributes:
        outputs: the arrays.
        write: writes them, `(frame, output_index, index, state, params)`.
        tables: the tables that `write` reads, by index in the frame.
        output_offsets: for each array, its offset from `output_index`.
        room: the number of offsets; some are unused, so that one program serves all representations of cells.
    """

    outputs: list[Output]
    write: Callable[..., None]
    tables: dict[KernelArg, npt.NDArray[Any]]
    output_offsets: tuple[int, ...]
    room: int

    def with_more(self, output: Output, write: Callable[..., None]) -> Representation:
        """Return the same representation with one more array, and the function that writes it."""
        output_offsets = (*self.output_offsets, self.room)
        return Representation([*self.outputs, output], write, self.tables, output_offsets, self.room + 1)


def represent(
    world: Any,
    observation: Callable[..., Any],
    seen: Shape,
    observe: Observe,
    fills: Sequence[Callable[..., None]] = (),
) -> Representation:
    """Create the representation for a world's description.

    Args:
        world: a `gridarium.worlds.Spec`, or an object with its attributes.
        observation: the composed observation rule, `(state, params)`.
        seen: the shape of an observation's grid.
        observe: the content of the arrays.
        fills: the composed array rules of `world.observations`, `(state, array, params)`.

    Raises:
        ValueError: a code that does not fit into a byte.
    """
    if observe == "both":
        first, second = (
            represent(world, observation, seen, part, fills) for part in ("observation", "state")
        )
        named = [Output(STATE_PREFIX + o.name, o.shape, o.dtype, o.low, o.high) for o in second.outputs]
        output_offsets = (
            *first.output_offsets,
            *(first.room + output_index for output_index in second.output_offsets),
        )
        room = first.room + second.room
        assert room <= OUTPUTS
        write: Callable[..., None] = functools.partial(
            write_both, first=first.write, second=second.write, offset=first.room
        )
        return Representation(
            [*first.outputs, *named], write, first.tables | second.tables, output_offsets, room
        )
    of_state = observe == "state"
    make = {"symbolic": _symbolic, PLANES: _planes, "rgb": _rgb}.get(world.representation.name, _triples)
    made = make(world, world.shape if of_state else seen, of_state)
    if not of_state:
        wanted = world.representation
        if wanted.name in WITHOUT_CELLS:
            made = Representation([], write_nothing, {}, (), 0)
        else:
            write = functools.partial(write_state, write=made.write)
            if unwrap_partial(world.observation)[0] is not full_grid:
                write = functools.partial(write_observation, observation=observation, write=made.write)
            made = replace(made, write=write)
        if wanted.shows_sensors:
            made = _with_sensors(made, world)
        for array, fill in zip(world.observations, fills, strict=True):
            made = _with_array(made, array, fill)
        return _with_fields(made, world.vocabulary, wanted.fields)
    if world.representation.name == "rgb":
        return replace(made, write=functools.partial(write_state, write=made.write))
    write = functools.partial(write_state_and_pose, write=made.write, offset=made.room)
    vocabulary: Vocabulary = world.vocabulary
    everything = [f.name for f in (*vocabulary.world_fields, *vocabulary.agent_fields)]
    return _with_fields(made.with_more(_pose(), write), vocabulary, everything)


def write_cells(
    frame: Any, output_index: int, index: int, state: State, grid: Grid, agent: Agent, *,
    codes: int, objects: int, channels: int, several: bool,
) -> None:  # fmt: skip
    """Write cells as their numbers or, if there is a table, as codes or channels."""
    if likely((fixed(frame, KernelArg.CHANNEL_TABLE) | fixed(frame, codes)) == 0):
        write_triples(frame, output_index, index, state, grid, agent, codes=0, several=several)
    else:
        write_coded(
            frame, output_index, index, state, grid, agent,
            codes=codes, objects=objects, channels=channels, several=several,
        )  # fmt: skip


@outlined
def write_coded(
    frame: Any, output_index: int, index: int, state: State, grid: Grid, agent: Agent, *,
    codes: int, objects: int, channels: int, several: bool,
) -> None:  # fmt: skip
    """Write cells as channels if there is a table of these, else as triples of codes.

    Separate, as most worlds need neither.
    """
    if fixed(frame, KernelArg.CHANNEL_TABLE) != 0:
        write_channels(
            frame, output_index, index, state, grid, agent,
            objects=objects, channels=channels, several=several,
        )  # fmt: skip
    else:
        write_triples(frame, output_index, index, state, grid, agent, codes=codes, several=several)


def write_both(
    frame: Any,
    output_index: int,
    index: int,
    state: State,
    params: Any,
    *,
    first: Any,
    second: Any,
    offset: int,
) -> None:
    """Write the observation of the agent in focus, and the whole state."""
    first(frame, output_index, index, state, params)
    second(frame, output_index + offset, index, state, params)


def write_observation(
    frame: Any, output_index: int, index: int, state: State, params: Any, *, observation: Any, write: Any
) -> None:
    """Write the observation of the agent in focus."""
    seen = observation(state, params)
    write(frame, output_index, index, state, seen.grid, seen.agent)


def write_nothing(frame: Any, output_index: int, index: int, state: State, params: Any) -> None:
    """Write nothing."""


def write_state(frame: Any, output_index: int, index: int, state: State, params: Any, *, write: Any) -> None:
    """Write the whole state, from the point of view of the agent in focus."""
    write(frame, output_index, index, state, state.grid, state.agent)


def write_state_and_pose(
    frame: Any, output_index: int, index: int, state: State, params: Any, *, write: Any, offset: int
) -> None:
    """Write the whole state, and the pose of the agent in focus."""
    write(frame, output_index, index, state, state.grid, state.agent)
    write_pose(frame, output_index + offset, index, state)


def write_with_fields(
    frame: Any,
    output_index: int,
    index: int,
    state: State,
    params: Any,
    *,
    write: Any,
    offset: int,
    writers: Any,
    count: int,
) -> None:
    """Write the arrays of `write`, and fields."""
    write(frame, output_index, index, state, params)
    write_fields(frame, output_index + offset, index, state, writers=writers, count=count)


def write_with_sensors(
    frame: Any,
    output_index: int,
    index: int,
    state: State,
    params: Any,
    *,
    write: Any,
    sense: Any,
    offset: int,
) -> None:
    """Write the arrays of `write`, and the measurements of sensors."""
    write(frame, output_index, index, state, params)
    sense(frame, output_index + offset, index, state)


def write_with_array(
    frame: Any,
    output_index: int,
    index: int,
    state: State,
    params: Any,
    *,
    write: Any,
    fill: Any,
    offset: int,
) -> None:
    """Write the arrays of `write`, and one that an array rule fills."""
    write(frame, output_index, index, state, params)
    fill(frame, output_index + offset, index, state, params)


def _with_array(made: Representation, array: Any, fill: Callable[..., None]) -> Representation:
    """A representation with one more array, an `ObservedArray` of the world."""
    in_bytes = array.type in ("bool", "uint8")
    put = functools.partial(fill_bytes, name=array.name) if in_bytes else fill_words_of
    put = functools.partial(put, fill=fill, layout=array.layout)
    write = functools.partial(write_with_array, write=made.write, fill=put, offset=made.room)
    dtype = np.uint8 if in_bytes else np.float64 if array.type == "float" else np.int64
    return made.with_more(Output(array.name, array.layout.shape, dtype, array.low, array.high), write)


def _with_sensors(made: Representation, world: Any) -> Representation:
    """A representation with one more array, `sensors` float64[sensors]."""
    count = len(world.sensors)
    sense = functools.partial(write_readings, readings=readings_of(world.sensors), count=count)
    write = functools.partial(write_with_sensors, write=made.write, sense=sense, offset=made.room)
    low, high = bounds(world.sensors, State.blank(world.shape, world.vocabulary, agents=world.agents))
    output = Output("sensors", (count,), np.float64, low, high)
    return made.with_more(output, write)


def _with_fields(made: Representation, vocabulary: Vocabulary, names: Sequence[str]) -> Representation:
    """A representation with one more array, `fields` float64[numbers], if any are requested."""
    if not names:
        return made
    count, writers = field_writers(vocabulary, names)
    write = functools.partial(
        write_with_fields, write=made.write, offset=made.room, writers=writers, count=count
    )
    low, high = field_bounds(vocabulary, names)
    return made.with_more(Output("fields", (count,), np.float64, low, high), write)


def _triples(world: Any, shape: Shape, of_state: bool) -> Representation:
    vocabulary: Vocabulary = world.vocabulary
    name = "default" if world.representation.name in WITHOUT_CELLS else world.representation.name
    chosen = codes.codes(name, vocabulary, of_state=of_state)
    at = KernelArg.STATE_CODE_TABLE if of_state else KernelArg.CODE_TABLE
    bound, (h, w) = (
        np.maximum(np.array(chosen.high, np.uint8), 1),
        shape,
    )  # environment checkers require low < high
    outputs = [
        Output("grid", (h, w, 3), np.uint8, 0, bound),
        Output("agent_id_grid", (h, w), np.uint8, 0, 1 if world.agents == 1 else 5),
        Output("item", (3,), np.uint8, 0, bound),
    ]
    if vocabulary.edges:
        outputs.append(Output("walls", (h, w), np.uint8, 0, 3))
    return _of_cells(world, outputs, {at: chosen.table}, of_state=of_state)


def _symbolic(world: Any, shape: Shape, of_state: bool) -> Representation:
    table, objects = codes.channel_codes(world.vocabulary)
    outputs = [
        Output("grid", (shape.height, shape.width, _channels(world, objects)), np.uint8, 0, 1),
        Output("item", (objects,), np.uint8, 0, 1),
    ]
    return _of_cells(world, outputs, {KernelArg.CHANNEL_TABLE: table}, of_state=of_state)


def _channels(world: Any, objects: int) -> int:
    """The number of channels of a cell: for its object, agents and walls."""
    return objects + (1 if world.agents == 1 else 5) + (2 if world.vocabulary.edges else 0)


def _of_cells(
    world: Any, outputs: list[Output], tables: dict[KernelArg, npt.NDArray[Any]], *, of_state: bool
) -> Representation:
    """The outputs for cells as numbers or as channels, depending on the table: one program writes both."""
    _, objects = codes.channel_codes(world.vocabulary)
    write = functools.partial(
        write_cells,
        codes=int(KernelArg.STATE_CODE_TABLE if of_state else KernelArg.CODE_TABLE),
        objects=objects,
        channels=_channels(world, objects),
        several=world.agents > 1,
    )
    room = MOST_ARRAYS if world.vocabulary.edges else MOST_ARRAYS - 1
    return Representation(outputs, write, tables, tuple(range(len(outputs))), room)


def _planes(world: Any, shape: Shape, of_state: bool) -> Representation:
    output = Output("planes", (shape.height, shape.width, world.agents), np.uint8, 0, 1)
    return Representation([output], write_planes, {}, (0,), 1)


def _rgb(world: Any, shape: Shape, of_state: bool) -> Representation:
    from gridarium.draw import Atlas
    from gridarium.engine.observe.pixels import header, write_picture

    size = world.representation.tile
    atlas = Atlas.of(world.vocabulary, size, world.agents)
    output = Output("image", (shape.height * size, shape.width * size, 3), np.uint8, 0, 255)
    return Representation(
        [output],
        functools.partial(write_picture, contents=of_state),
        {KernelArg.ATLAS_TABLE: header(atlas)},
        (0,),
        1,
    )


def _pose() -> Output:
    low = np.array([-1, -1, 0, 0, 0, 0], np.float64)
    return Output("agent", (6,), np.float64, low, np.ones(6, np.float64))
