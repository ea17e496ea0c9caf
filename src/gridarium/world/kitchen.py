"""What kitchens consist of: counters, pots, dispensers, and what cooks carry (see `gridarium.rules.kitchen`)."""

from __future__ import annotations

import enum

from gridarium.world.objects import GridObject


class Counter(GridObject):
    """A place for one thing: its status is what is on it."""

    class Status(enum.IntEnum):
        """What is on the counter: nothing, an onion, a dish, or a soup of so many onions."""

        EMPTY = 0
        ONION = 1
        DISH = 2
        SOUP_1 = 3
        SOUP_2 = 4
        SOUP_3 = 5

    glyph = "X"
    blocks_movement = True


class Pot(GridObject):
    """Takes three onions and cooks them; its status is how many are in it, and whether they are cooked."""

    class Status(enum.IntEnum):
        """Empty, so many onions that do not cook yet, that cook, that are a soup."""

        EMPTY = 0
        ONIONS_1 = 1
        ONIONS_2 = 2
        ONIONS_3 = 3
        COOKING_1 = 4
        COOKING_2 = 5
        COOKING_3 = 6
        READY_1 = 7
        READY_2 = 8
        READY_3 = 9

    glyph = "U"
    blocks_movement = True


class OnionDispenser(GridObject):
    """Gives onions."""

    glyph = "O"
    blocks_movement = True


class DishDispenser(GridObject):
    """Gives dishes."""

    glyph = "R"
    blocks_movement = True


class ServingWindow(GridObject):
    """Takes soups."""

    glyph = "S"
    blocks_movement = True


class Onion(GridObject):
    """An ingredient."""

    glyph = "i"
    holdable = True


class Dish(GridObject):
    """An empty dish, for a soup."""

    glyph = "u"
    holdable = True


class Soup(GridObject):
    """A soup in a dish; its status is the number of its onions."""

    class Status(enum.IntEnum):
        """Of so many onions."""

        ONIONS_1 = 0
        ONIONS_2 = 1
        ONIONS_3 = 2

    glyph = "s"
    holdable = True
