"""Renders pictures of a world's states, for environments and recordings."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from gridarium.compiled.compile import CompileError, compile_program
from gridarium.compiled.compiled_program import CompiledProgram
from gridarium.draw import Atlas, rgb
from gridarium.draw.pixels.atlas import blend
from gridarium.draw.scene import has_exact_colors
from gridarium.draw.tables import table_of
from gridarium.draw.visibility import seen_cells
from gridarium.engine.kernel_args import FRAME_LENGTH, KernelArg, address
from gridarium.engine.observe.full_pictures import NO_WORDS, Paint, paint
from gridarium.engine.observe.pixels import header
from gridarium.engine.threads.outputs import Arrays
from gridarium.rules import observation_functions as rules
from gridarium.world.compiled.resolver import WorldResolver
from gridarium.world.objects import Hidden
from gridarium.world.state import State

if TYPE_CHECKING:
    from gridarium.engine.world import World
    from gridarium.worlds import Spec

Pixels = npt.NDArray[np.uint8]
KINDS_IN_GRID = ("default", "no-overlap", "compact")
"""Representations with the kind as the first number of a cell in `grid`."""
AHEAD = (rules.from_visibility, rules.fully_transparent, rules.partially_occluded, rules.raytracing,
         rules.stochastic_raytracing)  # fmt: skip
"""Observation rules that rotate their area so that the agent faces up."""


class Painter:
    """Draws states of one world as `draw.rgb` does, compiled if the world is: some fifty times faster.

    With one agent, unseen cells are darkened. A painter must be used by a single thread.

    Args:
        world: the world whose states are drawn.
        tile: the side of a cell in pixels, 1 to 256.

    Raises:
        ValueError: the size is out of range.
    """

    def __init__(self, world: World, tile: int) -> None:
        spec = world.spec
        self._tile, self._shades = tile, spec.agents == 1 and spec.observation.func is not rules.full_grid
        self._atlas = Atlas.of(spec.vocabulary, tile, spec.agents)
        self._veiled = _veiled(self._atlas) if self._shades else self._atlas.tiles
        self._header = header(self._atlas)
        self._seen = np.ones(spec.shape.as_tuple, np.uint8)
        self._frame = np.zeros(FRAME_LENGTH, np.int64)
        self._frame_address = address(self._frame)
        self._size = (spec.shape.height * tile, spec.shape.width * tile, 3)
        self._sight = _sight(world) if self._shades else {}
        self._view: Pixels | None = None  # keeps the memory that the frame points to
        agent_row_length = spec.vocabulary.agent_row_length
        fixed = {Paint.HEIGHT: spec.shape.height, Paint.WIDTH: spec.shape.width, Paint.AGENTS: spec.agents,
                 Paint.AGENT_ROW_LENGTH: agent_row_length, Paint.VEILED: address(self._veiled), KernelArg.ATLAS_TABLE: address(self._header),
                 Paint.SEEN: address(self._seen) if self._shades else 0, **self._sight}  # fmt: skip
        for arg_index, number in fixed.items():
            self._frame[arg_index] = number

    def picture(self, world: World, state: State, arrays: Arrays | None = None) -> Pixels:
        """Draw a state as uint8[height * tile, width * tile, 3].

        Args:
            world: the painter's world.
            state: a state of that world.
            arrays: the observation, if already known: the outputs of the composed world.
        """
        entry = _entry() if world.composed.wants_compiled else None
        if entry is None or has_exact_colors(state.vocabulary) or table_of(state.vocabulary) is not None:
            view = world.observe(state, state.focus) if self._shades else None
            return rgb(state, self._tile, view=view)
        if self._shades:
            self._look(world, state, arrays)
        frame, vocabulary = self._frame, state.vocabulary
        state = state.showing_things()
        frame[Paint.CELLS], frame[Paint.AGENT_ROWS] = address(state.cells), address(state.agent_rows)
        if state.layers.size:
            frame[Paint.CONTENTS] = (
                address(state.layers[vocabulary.content_layer]) if vocabulary.has_contents else 0
            )
            frame[Paint.EDGES] = address(state.layers[vocabulary.edge_layer]) if vocabulary.edges else 0
        out = np.empty(self._size, np.uint8)
        frame[Paint.OUT] = address(out)
        entry(self._frame_address, 0, 0, 1, 0)
        return out

    def _look(self, world: World, state: State, arrays: Arrays | None) -> None:
        """Update the visible cells: from arrays where the compiled step writes them, else from objects."""
        if self._sight and (arrays is not None or world.composed.ready):
            self._view = (world.arrays(state) if arrays is None else arrays)["grid"]
            self._frame[Paint.VIEW] = address(self._view)
            return
        self._frame[Paint.VIEW] = 0
        seen: Any = seen_cells(state, world.observe(state, state.focus))
        self._seen[...] = seen


def _sight(world: World) -> dict[Any, int]:
    """How to compute the visible cells from the arrays of a step; empty if that is not possible."""
    spec, composed = world.spec, world.composed
    area = _area(spec)
    if area is None or composed.observe == "state" or spec.representation.name not in KINDS_IN_GRID:
        return {}
    table = composed.tables[KernelArg.CODE_TABLE]
    hidden = int(table[Hidden.number]) if table.size else Hidden.number
    return {Paint.VIEW_HEIGHT: area.height, Paint.VIEW_WIDTH: area.width, Paint.VIEW_Y: -area.ymin,
            Paint.VIEW_X: -area.xmin, Paint.HIDDEN: hidden}  # fmt: skip


def _area(spec: Spec) -> Any:
    """The area of a built-in observation rule, or None."""
    return spec.observation.keywords.get("area") if spec.observation.func in AHEAD else None


def _veiled(atlas: Atlas) -> Pixels:
    """The darkened tiles of an atlas."""
    dark: Pixels = atlas.tiles.copy()
    for one in dark:
        blend(atlas.shadow, one, 0, 0)
    return dark


@functools.cache
def _entry() -> CompiledProgram | None:
    """The compiled drawing program, shared by all worlds; None if it is not available."""
    try:
        return compile_program(
            paint, WorldResolver(NO_WORDS), name="pictures", text=__doc__ or "", frame_length=FRAME_LENGTH
        )
    except CompileError:
        return None
