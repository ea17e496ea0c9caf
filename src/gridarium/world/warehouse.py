"""What warehouses consist of: shelves, the spaces for them, workstations (see `gridarium.rules.warehouse`)."""

from __future__ import annotations

import enum

from gridarium.world.objects import GridObject


class Shelf(GridObject):
    """Stands in a storage space, where robots drive under it, or is carried by a robot; some are requested."""

    class Status(enum.IntEnum):
        """Whether it is requested."""

        STORED = 0
        REQUESTED = 1

    glyph = "h"
    holdable = True


class StorageSpace(GridObject):
    """An empty space for a shelf."""

    glyph = "_"


class Workstation(GridObject):
    """Where requested shelves are delivered."""

    glyph = "W"
