"""Live worlds with things to be brought in an order, as descriptions in which collectors are trained.

Each episode deals the colors and what is wanted anew, as each world of a builder does.
"""

from __future__ import annotations

from typing import Any

from gridarium.live.description import LEGAL
from gridarium.rules.collecting import SIZE
from gridarium.worlds import Description

MODULE = "gridarium.rules.collecting"
VIEW = "view"
"""The name of the array that collectors observe."""


def collecting(described: Description, *, wanted: int, deal: bool = True, **further: Any) -> Description:
    """A description of a live world for collectors: they observe the array `view`, see the array rule `collector_view`.

    Args:
        described: of a live world with drop-off tiles, as `WorldBuilder.description` returns it, for example.
        wanted: how many things are to be brought.
        deal: whether each episode deals the colors of things and draws what is wanted, and rewards come with it.
        **further: further keys of the description, such as `time_limit`.

    Raises:
        ValueError: there are no drop-off tiles.
    """
    data = described.to_dict()
    zone = [n for place in zone_of(described) for n in place]
    fields = data["fields"]
    ranges = {
        key: number
        for rule in data["transitions"]
        if isinstance(rule, dict)
        for key, number in rule.items()
        if key != "name"
    }
    data |= {
        "modules": [*data["modules"], MODULE],
        "fields": {
            **fields,
            "world": [{"name": "wanted", "type": "int", "shape": [wanted], "default": -1}],
            "thing": [*fields["thing"], {"name": "seen", "type": "bool"}],
        },
        "observations": [
            {"name": VIEW, "shape": [SIZE], "fill": {"name": "collector_view", "zone": zone}}
        ],
        "representation": "observations",
        "legal": [{"name": LEGAL, **ranges}],
        "illegal": "attempt",
    }
    if deal:
        data |= {
            "after_reset": ["deal_wanted"],
            "transitions": [*data["transitions"], "notice_things"],
            "rewards": [{"name": rule, "zone": zone} for rule in ("bring_wanted", "come_closer")],
            "terminations": [{"name": "all_brought", "zone": zone}],
        }
    return Description.from_dict({**data, **further})


def zone_of(described: Description) -> list[tuple[int, int]]:
    """The row and column of each drop-off tile of a description's map.

    Raises:
        ValueError: there is none.
    """
    found = []
    if described.map is not None:
        tiles = {glyph for glyph, drawn in described.map.legend.items() if drawn.name == "DropOffTile"}
        for y, row in enumerate(described.map.picture.split("\n")):
            found += [(y, x) for x, glyph in enumerate(row) if glyph in tiles]
    if not found:
        raise ValueError(f"{described.name} has no zone to which things could be brought")
    return found
