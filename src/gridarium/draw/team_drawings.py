"""The drawings of what teams work with (see `foraging`, `kitchen`, `live_objects` and `warehouse` in `gridarium.world`)."""

from __future__ import annotations

from math import cos, pi, sin

from gridarium.draw.shapes import RGB, WHITE, Disc, Drawing, Label, Line, Polygon, Rectangle, Ring
from gridarium.world.foraging import Basket, Food, ForagingLevel
from gridarium.world.kitchen import (
    Counter,
    Dish,
    DishDispenser,
    Onion,
    OnionDispenser,
    Pot,
    ServingWindow,
    Soup,
)
from gridarium.world.live_objects import AreaTile, DropOffTile, Item, Smoke
from gridarium.world.objects import GridObject
from gridarium.world.warehouse import Shelf, StorageSpace, Workstation

INK: RGB = (24, 26, 34)
APPLE: RGB = (214, 58, 52)
LEAF: RGB = (72, 150, 66)
WICKER: RGB = (206, 158, 92)
BROWN: RGB = (124, 82, 40)
WOOD: RGB = (214, 178, 128)
EDGE: RGB = (168, 128, 80)
SKIN: RGB = (238, 190, 84)
PEEL: RGB = (176, 112, 30)
CHINA: RGB = (246, 248, 252)
RIM: RGB = (140, 156, 176)
SOUP: RGB = (232, 148, 40)
STEEL: RGB = (92, 98, 110)
STOVE: RGB = (54, 58, 68)
BROTH: RGB = (150, 176, 190)
FLAME: RGB = (240, 92, 36)
STEAM: RGB = (226, 232, 240)
RACK: RGB = (78, 92, 124)
BOARD: RGB = (150, 164, 192)
CARTON: RGB = (206, 168, 116)
CALL: RGB = (0, 166, 140)
TAPE: RGB = (214, 178, 60)


def _number(number: int, y: float, size: float, color: RGB) -> Label:
    return Label(str(number), 0.5, y, size if number < 10 else 0.75 * size, color, 1 / 5)


def _apple(level: int) -> Drawing:
    return (
        *(Disc(x, 0.57, 0.28, INK) for x in (0.38, 0.62)),
        Disc(0.5, 0.66, 0.26, INK),
        *(Disc(x, 0.57, 0.24, APPLE) for x in (0.38, 0.62)),
        Disc(0.5, 0.66, 0.22, APPLE),
        Line(((0.5, 0.38), (0.53, 0.16)), 0.07, BROWN),
        Polygon(((0.54, 0.28), (0.66, 0.12), (0.84, 0.14), (0.72, 0.28)), LEAF),
        _number(level, 0.6, 0.34, WHITE),
    )


def _basket(level: int) -> Drawing:
    handle = ((0.2, 0.5), (0.24, 0.26), (0.38, 0.14), (0.62, 0.14), (0.76, 0.26), (0.8, 0.5))
    return (
        Line(handle, 0.08, BROWN),
        Polygon(((0.08, 0.42), (0.92, 0.42), (0.8, 0.92), (0.2, 0.92)), BROWN),
        Polygon(((0.14, 0.48), (0.86, 0.48), (0.76, 0.87), (0.24, 0.87)), WICKER),
        _number(level, 0.67, 0.32, INK),
    )


FORAGING: dict[type[GridObject], Drawing | dict[str, Drawing]] = {
    Food: {status.name: _apple(status + 1) for status in ForagingLevel},
    Basket: {status.name: _basket(status + 1) for status in ForagingLevel},
}


def _onion(x: float, y: float, size: float) -> Drawing:
    tip = ((x - 0.34 * size, y - 0.6 * size), (x, y - 1.5 * size), (x + 0.34 * size, y - 0.6 * size))
    return (
        Polygon(tip, PEEL),
        Disc(x, y, size, PEEL),
        Disc(x, y, 0.8 * size, SKIN),
        *(
            Line(((x + d * size, y - 0.55 * size), (x + d * size, y + 0.55 * size)), 0.1 * size, PEEL)
            for d in (-0.3, 0.3)
        ),
    )


def _dish(x: float, y: float, size: float) -> Drawing:
    return (
        Disc(x, y, size, RIM),
        Disc(x, y, 0.88 * size, CHINA),
        Ring(x, y, 0.56 * size, 0.07 * size, RIM),
    )


def _soup(x: float, y: float, size: float, onions: int) -> Drawing:
    return (*_dish(x, y, size), Disc(x, y, 0.66 * size, SOUP), *_pieces(x, y, 0.34 * size, onions))


def _pieces(x: float, y: float, size: float, onions: int) -> Drawing:
    """Onions that swim: none in the middle, one above, the next ones to the left and the right."""
    places = ((0.0, -0.9), (-0.85, 0.6), (0.85, 0.6))[:onions]
    return tuple(Disc(x + dx * size, y + dy * size, 0.62 * size, SKIN) for dx, dy in places)


_TOP: Drawing = (
    Rectangle(0, 0, 1, 1, EDGE),
    Rectangle(1 / 32, 1 / 32, 31 / 32, 29 / 32, WOOD, 0.06),
)


def _pot(onions: int, *, cooks: bool = False, ready: bool = False) -> Drawing:
    flames = tuple(
        Polygon(((x - 0.07, 0.95), (x, 0.78), (x + 0.07, 0.95)), FLAME) for x in (0.26, 0.42, 0.58, 0.74)
    )
    steam = tuple(
        Line(((x, 0.3), (x + 0.05, 0.22), (x - 0.03, 0.14), (x + 0.02, 0.06)), 0.045, STEAM)
        for x in (0.38, 0.62)
    )
    return (
        Rectangle(0, 0, 1, 1, STOVE),
        Rectangle(1 / 32, 1 / 32, 31 / 32, 29 / 32, STEEL, 0.06),
        *(flames if cooks else ()),
        Line(((0.07, 0.52), (0.93, 0.52)), 0.1, STOVE),
        Disc(0.5, 0.52, 0.37, STOVE),
        Disc(0.5, 0.52, 0.31, SOUP if ready else BROTH if onions else INK),
        *_pieces(0.5, 0.52, 0.17, onions),
        *(steam if ready else ()),
    )


KITCHEN: dict[type[GridObject], Drawing | dict[str, Drawing]] = {
    Counter: {
        "EMPTY": _TOP,
        "ONION": (*_TOP, *_onion(0.5, 0.54, 0.22)),
        "DISH": (*_TOP, *_dish(0.5, 0.47, 0.3)),
        **{f"SOUP_{n}": (*_TOP, *_soup(0.5, 0.47, 0.3, n)) for n in (1, 2, 3)},
    },
    Pot: {
        "EMPTY": _pot(0),
        **{f"ONIONS_{n}": _pot(n) for n in (1, 2, 3)},
        **{f"COOKING_{n}": _pot(n, cooks=True) for n in (1, 2, 3)},
        **{f"READY_{n}": _pot(n, ready=True) for n in (1, 2, 3)},
    },
    OnionDispenser: (
        *_TOP,
        Rectangle(0.1, 0.1, 0.9, 0.86, BROWN, 0.06),
        Rectangle(0.16, 0.16, 0.84, 0.8, (94, 60, 28)),
        *_onion(0.34, 0.4, 0.13),
        *_onion(0.66, 0.4, 0.13),
        *_onion(0.5, 0.64, 0.13),
    ),
    DishDispenser: (
        *_TOP,
        *(shape for k in range(4) for shape in _dish(0.44 + 0.04 * k, 0.56 - 0.06 * k, 0.28)),
    ),
    ServingWindow: (
        Rectangle(0, 0, 1, 1, (62, 112, 96)),
        Rectangle(1 / 32, 1 / 32, 31 / 32, 29 / 32, (104, 176, 150), 0.06),
        Rectangle(0.14, 0.7, 0.86, 0.78, (38, 70, 62)),
        Polygon(
            tuple((0.5 - 0.3 * cos(pi * k / 12), 0.68 - 0.34 * sin(pi * k / 12)) for k in range(13)), CHINA
        ),
        Disc(0.5, 0.28, 0.07, CHINA),
        Line(((0.36, 0.5), (0.46, 0.42)), 0.05, RIM),
    ),
    Onion: _onion(0.5, 0.58, 0.34),
    Dish: _dish(0.5, 0.5, 0.44),
    Soup: {f"ONIONS_{n}": _soup(0.5, 0.5, 0.46, n) for n in (1, 2, 3)},
}


def _shelf(rack: RGB, board: RGB) -> Drawing:
    """From above: a frame with cartons on it."""
    cartons = (
        (0.19, 0.19, 0.47, 0.42),
        (0.53, 0.19, 0.81, 0.47),
        (0.19, 0.48, 0.47, 0.81),
        (0.53, 0.53, 0.81, 0.81),
    )
    return (
        Rectangle(0.06, 0.06, 0.94, 0.94, rack, 0.06),
        Rectangle(0.13, 0.13, 0.87, 0.87, board),
        *(Rectangle(*carton, CARTON, 0.02) for carton in cartons),
        *(
            Line((((x0 + x1) / 2, y0 + 0.03), ((x0 + x1) / 2, y1 - 0.03)), 0.04, EDGE)
            for x0, y0, x1, y1 in cartons
        ),
    )


_CORNERS = (
    *(((0.12, 0.3), (0.12, 0.12), (0.3, 0.12)), ((0.7, 0.12), (0.88, 0.12), (0.88, 0.3))),
    *(((0.88, 0.7), (0.88, 0.88), (0.7, 0.88)), ((0.3, 0.88), (0.12, 0.88), (0.12, 0.7))),
)

WAREHOUSE: dict[type[GridObject], Drawing | dict[str, Drawing]] = {
    Shelf: {
        "STORED": _shelf(RACK, BOARD),
        "REQUESTED": (
            *_shelf(CALL, (190, 236, 224)),
            Disc(0.5, 0.5, 0.19, CALL),
            Disc(0.5, 0.5, 0.11, WHITE),
        ),
    },
    StorageSpace: tuple(Line(corner, 0.06, BOARD) for corner in _CORNERS),
    Workstation: (
        Rectangle(1 / 32, 1 / 32, 1, 1, (58, 62, 72)),
        *(
            Polygon(((x, 1.0), (x + 0.14, 1.0), (x + 0.3, 0.84), (x + 0.16, 0.84)), TAPE)
            for x in (0.04, 0.36, 0.68)
        ),
        Polygon(
            ((0.5, 0.76), (0.22, 0.46), (0.4, 0.46), (0.4, 0.16), (0.6, 0.16), (0.6, 0.46), (0.78, 0.46)),
            CALL,
        ),
    ),
}


def _item(passable: bool, movable: bool) -> Drawing:
    """Round if it is passable, with a handle if it can be carried."""
    outer, inner = (
        (Disc(0.5, 0.54, 0.34, "dark"), Disc(0.5, 0.54, 0.29))
        if passable
        else (Rectangle(0.14, 0.2, 0.86, 0.92, "dark"), Rectangle(0.19, 0.25, 0.81, 0.87))
    )
    handle = (Line(((0.36, 0.26), (0.36, 0.1), (0.64, 0.1), (0.64, 0.26)), 0.07, "dark"),) if movable else ()
    return *handle, outer, inner


LIVE: dict[type[GridObject], Drawing | dict[str, Drawing]] = {
    Item: {
        status.name: _item("PASSABLE" in status.name, status.name.startswith("MOVABLE")) for status in Item.Status
    },
    AreaTile: (Rectangle(0, 0, 1, 1, "light"),),
    DropOffTile: (
        Rectangle(0, 0, 1, 1, "light"),
        *(Line(corner, 0.08, "dark") for corner in _CORNERS),
        Polygon(((0.5, 0.72), (0.28, 0.46), (0.72, 0.46)), "dark"),
    ),
    Smoke: tuple(
        Disc(x, y, size, color)
        for x, y, size, color in (
            (0.3, 0.66, 0.24, "dark"), (0.7, 0.66, 0.24, "dark"), (0.5, 0.36, 0.26, "dark"),
            (0.32, 0.64, 0.19, "light"), (0.68, 0.64, 0.19, "light"), (0.5, 0.38, 0.21, "light"),
        )
    ),
}  # fmt: skip
