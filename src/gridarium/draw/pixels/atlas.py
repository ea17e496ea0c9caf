"""A tile atlas: every object of a vocabulary drawn once, and pictures made by copying tiles.

`render` and `render_observation` are written as rules are: plain Python over value classes, without allocation, so
that a batch of environments can draw its pixels within the compiled step. Both forms give the same bytes.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.compiled.data_types.primitives import compiled_as
from gridarium.compiled.data_types.value_class import value
from gridarium.draw import drawings
from gridarium.draw.boards import GROUNDS, ground_of
from gridarium.draw.pixels import tiles
from gridarium.draw.signs import sign_wall
from gridarium.draw.themes import LIGHT, Theme
from gridarium.world.agent import HELD, Agent
from gridarium.world.cell import LOWER_WALL, RIGHT_WALL
from gridarium.world.geometry import Orientation, Position
from gridarium.world.grid import Grid
from gridarium.world.objects import GridObject, Hidden
from gridarium.world.state import Observation, State
from gridarium.world.vocabulary import BOARDS, Vocabulary

UNKNOWN = 0
"""The tile of a word that stands for no object."""


@value
class Atlas:
    """Tiles and overlays for a vocabulary; make one with `Atlas.of`.

    An overlay is a pair of pictures, uint8[2, height, 3 * width]: colors premultiplied by alpha, and for each of them
    255 minus alpha.

    Attributes:
        tiles: uint8[tiles, size, size, 3]: objects on the floor, the first one for what is unknown; all of them on each of
            the board's drawings of cells.
        lookup: int64[kinds, statuses, colors]: the tile of a cell, by the numbers in its word.
        small: uint8[tiles, 2, part, 3 * part]: objects as they are held, or shown within a box.
        agents: uint8[agents, 4, 2, size, 3 * size]: agents by number and orientation.
        shadow: uint8[2, size, 3 * size]: lies over what is not seen.
        wall: the color of walls on edges, as 0xRRGGBB.
        board: the number of the board in `BOARDS`.
        per_ground: the number of tiles for each of the board's drawings of cells.
        vocabulary: whose objects these are.
    """

    tiles: Any
    lookup: Any
    small: Any
    agents: Any
    shadow: Any
    wall: int
    board: int
    per_ground: int
    vocabulary: Vocabulary

    @staticmethod
    def of(vocabulary: Vocabulary, size: int = 32, agents: int = 1, theme: Theme = LIGHT) -> Atlas:
        """The atlas of a vocabulary, drawn at most once.

        Args:
            vocabulary: a world's.
            size: width and height of a tile in pixels, 1 to 256.
            agents: how many agents are distinguished. One alone has no number.
            theme: the colors of floor, walls and darkness.

        Raises:
            ValueError: a size that cannot be drawn, or no agents.
        """
        tiles.check_size(size)
        if agents < 1:
            raise ValueError(f"an atlas has at least one agent, not {agents!r}")
        kinds, headings = tuple(vocabulary.kinds.values()), vocabulary.headings
        return _drawn(vocabulary, kinds, headings, vocabulary.board, int(size), int(agents), theme)

    @property
    def size(self) -> int:
        """Width and height of a tile in pixels."""
        return int(self.tiles.shape[1])

    def index(self, word: int) -> int:
        """The tile for a cell's number."""
        kind, status, color = word & 255, (word >> 8) & 255, (word >> 16) & 255
        shape = self.lookup.shape
        if kind >= shape[0] or status >= shape[1] or color >= shape[2]:
            return UNKNOWN
        return int(self.lookup[kind, status, color])

    def tile_at(self, cells: Any, y: int, x: int) -> int:
        """The tile of a cell: its object on the part of the board that is there; uint32[height, width] are the cells."""
        index = self.index(int(cells[y, x]))
        if self.board != 0:
            index += ground_of(self.board, y, x, cells.shape[0], cells.shape[1]) * self.per_ground
        return index


def render(state: State, atlas: Atlas, out: npt.NDArray[np.uint8]) -> None:
    """Draw a state: cells, what boxes hold, walls on edges, and all agents that take part with what they hold.

    Args:
        state: of the atlas's vocabulary.
        atlas: the tiles.
        out: uint8[height * size, width * size, 3], C-contiguous, to be drawn on.
    """
    shown = state.showing_things() if state.vocabulary.has_things else state
    draw_grid(shown.grid, atlas, out)
    draw_contents(shown.grid, atlas, out)
    for i in range(shown.agent_rows.shape[0]):
        draw_agent(shown.agents[i], i, atlas, out)


def render_observation(observation: Observation, atlas: Atlas, out: npt.NDArray[np.uint8]) -> None:
    """Draw an observation: what is seen, and the agent with what it holds. What boxes hold is not visible.

    Args:
        observation: of the atlas's vocabulary.
        atlas: the tiles.
        out: uint8[height * size, width * size, 3], C-contiguous, to be drawn on.
    """
    draw_grid(observation.grid, atlas, out)
    draw_agent(observation.agent, 0, atlas, out)


def shade_unseen(state: State, observation: Observation, atlas: Atlas, out: npt.NDArray[np.uint8]) -> None:
    """Darken the cells of a drawn state that an observation of the agent in focus does not show."""
    size = atlas.size
    to_view = observation.agent.transform * -state.agent.transform
    for p in state.grid.positions():
        seen = to_view * p
        if not observation.grid.contains(seen) or isinstance(observation.grid[seen], Hidden):
            blend(atlas.shadow, out, p.y * size, p.x * size)


def draw_grid(grid: Grid, atlas: Atlas, out: npt.NDArray[np.uint8]) -> None:
    """Draw cells and walls on edges.

    Raises:
        ValueError: `out` has another shape.
    """
    size = atlas.size
    height, width = grid.cells.shape[0] * size, grid.cells.shape[1] * size
    if out.shape[0] != height or out.shape[1] != width or out.shape[2] != 3:
        raise ValueError(f"out must be uint8[{height}, {width}, 3], not {out.shape}")
    for y in range(grid.cells.shape[0]):
        for x in range(grid.cells.shape[1]):
            put_tile(atlas.tiles, atlas.tile_at(grid.cells, y, x), out, y * size, x * size)
    draw_signs(grid.cells, atlas, out)
    if grid.vocabulary.edge_layer >= 0:
        draw_walls(grid.layers[grid.vocabulary.edge_layer], atlas, out)


def draw_signs(cells: Any, atlas: Atlas, out: npt.NDArray[np.uint8]) -> None:
    """Draw signs (see `gridarium.draw.signs`) in the place of what stands there; uint32[height, width] are the cells."""
    size, inset = atlas.size, (atlas.size - atlas.small.shape[2]) // 2
    for y in range(cells.shape[0]):
        for x in range(cells.shape[1]):
            wall = sign_wall(cells, y, x)
            if wall != 0:
                put_tile(atlas.tiles, atlas.index(wall), out, y * size, x * size)
                blend(atlas.small[atlas.index(int(cells[y, x]))], out, y * size + inset, x * size + inset)


def draw_walls(edges: Any, atlas: Atlas, out: npt.NDArray[np.uint8]) -> None:
    """Draw the walls on edges, centred on them; int64[height, width] says where they are."""
    size = atlas.size
    half = max(1, (size + 8) // 16)
    for y in range(edges.shape[0]):
        for x in range(edges.shape[1]):
            walls = int(edges[y, x])
            top, left = y * size - half, x * size - half
            if walls & RIGHT_WALL:
                fill(out, top, left + size, size + 2 * half, 2 * half, atlas.wall)
            if walls & LOWER_WALL:
                fill(out, top + size, left, 2 * half, size + 2 * half, atlas.wall)


def draw_contents(grid: Grid, atlas: Atlas, out: npt.NDArray[np.uint8]) -> None:
    """Draw what boxes hold."""
    if grid.vocabulary.content_layer >= 0:
        draw_small(grid.layers[grid.vocabulary.content_layer], atlas, out)


def draw_small(contents: Any, atlas: Atlas, out: npt.NDArray[np.uint8]) -> None:
    """Draw objects in the middle of cells, small; int64[height, width] has their numbers, 0 for none."""
    size, inset = atlas.size, (atlas.size - atlas.small.shape[2]) // 2
    for y in range(contents.shape[0]):
        for x in range(contents.shape[1]):
            word = int(contents[y, x])
            if word != 0:
                blend(atlas.small[atlas.index(word)], out, y * size + inset, x * size + inset)


def draw_agent(agent: Agent, number: int, atlas: Atlas, out: npt.NDArray[np.uint8]) -> None:
    """Draw an agent, and in the lower right corner what it holds; nothing if it is gone or outside."""
    if agent.active:
        draw_body(number, agent.position, agent.orientation.value, int(agent.agent_row[HELD]), atlas, out)


def draw_body(
    number: int, position: Position, heading: int, held: int, atlas: Atlas, out: npt.NDArray[np.uint8]
) -> None:
    """Draw an agent by its number, with what it holds (as a cell's number); nothing if it is outside."""
    size, corner = atlas.size, atlas.size - atlas.small.shape[2]
    y, x = position.y * size, position.x * size
    if not (0 <= y < out.shape[0] and 0 <= x < out.shape[1]):
        return
    blend(atlas.agents[number % atlas.agents.shape[0], heading], out, y, x)
    if (held & 255) != 0:
        blend(atlas.small[atlas.index(held)], out, y + corner, x + corner)


@compiled_as("gridarium.draw.pixels.atlas_compiled:put_tile")
def put_tile(tiles: Any, index: int, out: Any, top: int, left: int) -> None:
    """Copy a tile into a picture."""
    size = tiles.shape[1]
    out[top : top + size, left : left + size] = tiles[index]


@compiled_as("gridarium.draw.pixels.atlas_compiled:blend")
def blend(overlay: Any, out: Any, top: int, left: int) -> None:
    """Lay an overlay over a part of a picture, with rounding to the nearest."""
    height, width = overlay.shape[1], overlay.shape[2] // 3
    part = out[top : top + height, left : left + width]
    kept = part * overlay[1].reshape(part.shape).astype(np.uint16) + 128
    part[...] = overlay[0].reshape(part.shape) + ((kept + (kept >> 8)) >> 8).astype(np.uint8)


@compiled_as("gridarium.draw.pixels.atlas_compiled:fill")
def fill(out: Any, top: int, left: int, height: int, width: int, color: int) -> None:
    """Fill a rectangle, as far as it lies in the picture, with a color 0xRRGGBB."""
    out[max(top, 0) : top + height, max(left, 0) : left + width] = tuple(color.to_bytes(3, "big"))


@functools.lru_cache(maxsize=64)
def _drawn(
    vocabulary: Vocabulary,
    kinds: tuple[Any, ...],
    headings: bool,
    board: str,
    size: int,
    agents: int,
    theme: Theme,
) -> Atlas:
    """The atlas; what equal vocabularies may differ in is given as well, such as a kind that is defined again."""
    words = [word for kind in kinds for word in _words(kind, vocabulary)]
    things = [vocabulary.decode(word) for word in words]
    most = max(kind.num_states() for kind in kinds)
    lookup = np.full((max(vocabulary.kinds) + 1, most, max(vocabulary.colors) + 1), UNKNOWN, np.int64)
    for i, word in enumerate(words, 1):
        lookup[word & 255, (word >> 8) & 255, word >> 16] = i
    small = [_overlay(tiles.small_picture(thing, size, theme)) for thing in things]
    unknown = tiles.paint(drawings.UNKNOWN, theme.plain, size, theme)[..., :3]
    figure, numbered = drawings.figure_in(kinds), agents > 1
    figures = [
        [
            tiles.agent(i, o if headings else None, size, numbered=numbered, theme=theme, figure=figure)
            for o in Orientation
        ]
        for i in range(agents)
    ]
    striped = tiles.paint(drawings.HATCH, theme.darkness, size, theme)[..., 3:].astype(np.int64)
    alpha = theme.veil + (striped * theme.hatch + 127) // 255
    veil = np.concatenate([(alpha * theme.darkness + 127) // 255, alpha], axis=-1).astype(np.uint8)
    arrays = (
        np.stack(
            [
                picture
                for ground in GROUNDS[board]
                for picture in (unknown, *(tiles.tile(thing, size, theme, ground) for thing in things))
            ]
        ),
        lookup,
        np.stack([small[0], *small]),
        np.array([[_overlay(figure) for figure in row] for row in figures]),
        _overlay(veil),
    )
    for array in arrays:
        array.flags.writeable = False
    wall = int.from_bytes(theme.mortar, "big")
    return Atlas(*arrays, wall, BOARDS.index(board), 1 + len(things), vocabulary)


def _words(kind: type[GridObject], vocabulary: Vocabulary) -> list[int]:
    """The numbers of a kind's objects, for each status and color; flags and contents left out."""
    number = vocabulary.number_of(kind)
    colors = list(vocabulary.colors) if kind.colored else [vocabulary.number_of_color(kind.fixed_color)]
    return [number | status << 8 | color << 16 for status in range(kind.num_states()) for color in colors]


def _overlay(picture: tiles.Pixels) -> npt.NDArray[np.uint8]:
    """A picture with premultiplied colors as two: the colors, and how much is kept of what lies under each."""
    keep = np.repeat(255 - picture[..., 3:], 3, axis=-1)
    return np.stack([picture[..., :3], keep]).reshape(2, picture.shape[0], -1)
