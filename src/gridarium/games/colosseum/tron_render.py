"""Pictures of Tron as ColosseumRL has drawn them, as `TronRender`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from gridarium.engine.arguments import check_count
from gridarium.games.colosseum.numbering import owners
from gridarium.games.world_game import GameState
from gridarium.world.arcade_games import Trail

Picture = npt.NDArray[np.uint8]
PLASMA = (
    (0.05873234, 0.02333671, 0.54334018), (2.17651463, 0.23838342, 0.75396046), (-2.68946048, -7.45585114, 3.1107998),
    (6.13034835, 42.34618815, -28.51885465), (-11.10743619, -82.66631109, 60.13984767),
    (10.02306558, 71.41361771, -54.07218656), (-3.65871384, -22.93153465, 18.19190779),
)  # fmt: skip
"""The color map plasma as polynomials of red, green and blue (fitted by Zucker to matplotlib's)."""
TRAIL, BACKGROUND, GRID, WON, LOST = 0.6, 0.12, 0.2, (0.1, 0.35, 0.1), (0.4, 0.1, 0.1)


class TronRender:
    """Draws states of `TronGridEnvironment`: heads bright, trails darker, each player in its color of the map plasma.

    Args:
        board_size, num_players: of the game.
        window_size: width and height in pixels.
        outside_border: the pixels around the board.
        grid_space_ratio: the width of a cell, in units of that of the lines between cells.
        winner_player: the player whose victory turns the background green, and whose end red.

    Raises:
        ValueError: a number that is not above 0, or a picture that is too small for the board.
    """

    def __init__(
        self,
        board_size: int,
        num_players: int,
        window_size: tuple[int, int] = (600, 600),
        outside_border: int = 25,
        grid_space_ratio: float = 6,
        winner_player: int | None = None,
    ) -> None:
        for name, number in (("board_size", board_size), ("num_players", num_players)):
            check_count(name, number)
        self.board_size, self.num_players, self.winner_player = board_size, num_players, winner_player
        self.width, self.height = window_size
        self.border = outside_border
        side = min(self.width, self.height) - 2 * outside_border
        self._step = side / board_size
        self._line = self._step / (grid_space_ratio + 1)
        if self._step - self._line < 1:
            raise ValueError(f"{side} pixels are too few for {board_size} cells in a row")
        self.colors = plasma(np.linspace(0.1, 0.95, num_players))
        """float64[players, 3]: the color of each player's head."""
        self._window: Any = None

    def start(self) -> None:
        """Open the window.

        Raises:
            ImportError: pygame-ce is not installed.
        """
        if self._window is None:
            try:
                import pygame
            except ImportError as error:
                raise ImportError("a window needs pygame-ce: pip install 'gridarium[window]'") from error
            pygame.display.init()
            pygame.display.set_caption(f"Tron, {self.num_players} players")
            self._window = pygame.display.set_mode((self.width, self.height))

    def render(self, state: GameState, mode: Literal["human", "rgb_array"] = "human") -> Picture | None:
        """A state in the window (None), or as uint8[height, width, 3]."""
        agents = state.world.agents
        board = owners(state.world, Trail) + 1
        heads = [(agent.position.y, agent.position.x) for agent in agents]
        deaths = np.array([agent.killer for agent in agents])
        return self._shown(self._drawn(board, heads, deaths), mode)

    def render_observation(
        self, observation: Mapping[str, npt.NDArray[Any]], mode: Literal["human", "rgb_array"] = "human"
    ) -> Picture | None:
        """A player's observation of the whole board, likewise; the player itself has the first color."""
        heads = [divmod(int(head), self.board_size) for head in observation["heads"]]
        return self._shown(self._drawn(observation["board"], heads, observation["deaths"]), mode)

    def close(self) -> None:
        """Close the window."""
        if self._window is not None:
            import pygame

            pygame.display.quit()
            self._window = None

    def _drawn(
        self, board: npt.NDArray[Any], heads: list[tuple[int, int]], deaths: npt.NDArray[Any]
    ) -> Picture:
        picture = np.full((self.height, self.width, 3), GRID)
        me = self.winner_player
        outside = np.full(3, BACKGROUND)
        if me is not None and deaths[me] != 0:
            outside = np.array(LOST)
        elif me is not None and (np.delete(deaths, me) != 0).all():
            outside = np.array(WON)
        side = round(self._step * self.board_size)
        picture[:] = outside
        picture[self.border : self.border + side, self.border : self.border + side] = GRID
        for y in range(self.board_size):
            for x in range(self.board_size):
                owner = int(board[y, x]) - 1
                color = np.full(3, BACKGROUND)
                if owner >= 0:
                    color = self.colors[owner] * (1.0 if heads[owner] == (y, x) else TRAIL)
                picture[self._cell(y, x)] = color
        drawn: Picture = np.round(255 * np.clip(picture, 0, 1)).astype(np.uint8)
        return drawn

    def _cell(self, y: int, x: int) -> tuple[slice, slice]:
        first = [self.border + round(k * self._step + self._line / 2) for k in (y, x)]
        size = max(1, round(self._step - self._line))
        return slice(first[0], first[0] + size), slice(first[1], first[1] + size)

    def _shown(self, picture: Picture, mode: str) -> Picture | None:
        if mode == "rgb_array":
            return picture
        if mode != "human":
            raise ValueError(f"mode is 'human' or 'rgb_array', not {mode!r}")
        self.start()
        import pygame

        pygame.event.pump()
        pygame.surfarray.blit_array(self._window, picture.swapaxes(0, 1))
        pygame.display.flip()
        return None


def plasma(values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """float64[n, 3]: the colors of the map plasma at n values from 0 to 1; off by up to 0.02."""
    powers = np.asarray(values, np.float64)[:, None] ** np.arange(len(PLASMA))
    colors: npt.NDArray[np.float64] = np.clip(powers @ np.array(PLASMA), 0.0, 1.0)
    return colors
