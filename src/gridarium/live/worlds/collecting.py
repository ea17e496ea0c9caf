"""Live worlds with things to be brought in an order, as descriptions in which collectors are trained.

Each episode deals the colors and what is wanted anew, as each world of a builder does.
"""

from __future__ import annotations

from typing import Any

from gridarium.live.description import LEGAL, stepped_description
from gridarium.rules.collection_training import SIZE
from gridarium.worlds import Description

MODULE = "gridarium.rules.collection_training"
VIEW = "view"
"""The name of the array that collectors observe."""


def collecting(described: Description, *, wanted: int, reward: float = 30.0, **further: Any) -> Description:
    """A description of a live world in which collectors are trained.

    They observe the array `view`, see the array rule `collector_view`. Each is rewarded for what the team brings, and for coming
    closer to bringing something.

    Args:
        described: of a live world with drop-off tiles, as `WorldBuilder.description` returns it.
        wanted: how many things are to be brought in an episode.
        reward: for each thing that was brought, shared by all; each step closer gives 0.1.
        **further: further keys of the description, such as `time_limit`.

    Raises:
        ValueError: there are no drop-off tiles.
    """
    zone = _zone(described)
    data = _with_view(described, zone, wanted)
    return Description.from_dict(
        {
            **data,
            "after_reset": ["deal_wanted"],
            "transitions": [*data["transitions"], "notice_things"],
            "rewards": [
                {"name": "bring_wanted", "zone": zone, "reward": reward},
                {"name": "come_closer", "zone": zone},
            ],
            "terminations": [{"name": "all_brought", "zone": zone}],
            **further,
        }
    )


def observed(described: Description, *, wanted: int) -> Description:
    """A description with the observations of `collecting`, whose states are made of those of a live world.

    All worlds of a plan share its program.

    Args:
        described: of the live world's core.
        wanted: how many things are wanted.

    Raises:
        ValueError: there are no drop-off tiles.
    """
    data = stepped_description(
        Description.from_dict(_with_view(described, _zone(described), wanted))
    ).to_dict()
    return Description.from_dict({**data, "transitions": ["notice_arrivals"]})


def _with_view(described: Description, zone: list[int], wanted: int) -> dict[str, Any]:
    """A description with what collectors observe, as plain data."""
    data = described.to_dict()
    rules = (rule for rule in data["transitions"] if isinstance(rule, dict))
    ranges = {key: number for rule in rules for key, number in rule.items() if key != "name"}
    fields = data["fields"]
    return {
        **data,
        "modules": [*data["modules"], MODULE],
        "fields": {
            **fields,
            "world": [{"name": "wanted", "type": "int", "shape": [wanted], "default": -1}],
            "thing": [*fields["thing"], {"name": "seen", "type": "bool"}],
        },
        "observations": [{"name": VIEW, "shape": [SIZE], "fill": {"name": "collector_view", "zone": zone}}],
        "representation": "observations",
        "legal": [{"name": LEGAL, **ranges}],
        "illegal": "attempt",
    }


def _zone(described: Description) -> list[int]:
    """Row and column, in turn, of each drop-off tile of a description's map."""
    found: list[int] = []
    if described.map is not None:
        tiles = {glyph for glyph, drawn in described.map.legend.items() if drawn.name == "DropOffTile"}
        for y, row in enumerate(described.map.picture.split("\n")):
            found += [n for x, glyph in enumerate(row) if glyph in tiles for n in (y, x)]
    if not found:
        raise ValueError(f"{described.name} has no zone to which things could be brought")
    return found
