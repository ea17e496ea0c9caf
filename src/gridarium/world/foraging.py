"""Food with levels, and the baskets that show the levels of agents (see `gridarium.rules.foraging`)."""

from __future__ import annotations

import enum

from gridarium.world.objects import GridObject


class ForagingLevel(enum.IntEnum):
    """Levels from 1, numbered from 0 as statuses are."""

    LEVEL_1 = 0
    LEVEL_2 = 1
    LEVEL_3 = 2
    LEVEL_4 = 3
    LEVEL_5 = 4
    LEVEL_6 = 5
    LEVEL_7 = 6
    LEVEL_8 = 7
    LEVEL_9 = 8


class Food(GridObject):
    """Is loaded by adjacent agents whose levels add up to at least its own; blocks the way."""

    Status = ForagingLevel
    glyph = "a"
    blocks_movement = True

    @property
    def level(self) -> int:
        """Its level, from 1."""
        return self.state_index + 1


class Basket(GridObject):
    """What a forager holds: its status is the level of the agent."""

    Status = ForagingLevel
    glyph = "y"
    holdable = True

    @property
    def level(self) -> int:
        """The level of the agent that holds it, from 1."""
        return self.state_index + 1
