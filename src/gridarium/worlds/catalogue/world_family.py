"""Families of worlds: one file says what its worlds have in common, and for each of them what differs.

A file of the catalogue without `members` describes one world, which is a family of its own.

    reset: {name: crossing, num_rivers: 2, object_type: Lava}
    rewards: [{name: reach_exit_discounted, horizon_per_cell: 4}]
    time_limit_per_cell: 4
    members:
      LavaCrossing-9x9: {shape: [9, 9]}
      LavaCrossing-11x11: {shape: [11, 11], reset: {num_rivers: 5}}

What a member says takes the place of what is in common; a mapping without a `name` changes only the keys that it has. A key
that ends in `_per_cell` is the key without this ending, its number multiplied by the height and the width.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gridarium.worlds.description import Description
from gridarium.worlds.entries.entry_types import MOST_SIDE
from gridarium.worlds.entries.problems import format_value
from gridarium.worlds.files import yaml_io
from gridarium.worlds.resolving.to_plain_data import Describer

PER_CELL = "_per_cell"
Size = tuple[int, int]


@dataclass(frozen=True)
class Family:
    """Worlds that are one world in several sizes.

    Attributes:
        name: such as KeyDoor.
        members: the names of its worlds, in the order of the file. The first is what the family's name means: the smallest, of a
            game the usual one.
        document: the family's file.
    """

    name: str
    members: tuple[str, ...]
    document: yaml_io.Document

    @classmethod
    def read(cls, path: Path) -> Family:
        """The family in a file, called as the file.

        Raises:
            DescriptionError: no acceptable YAML; with the line.
        """
        document = yaml_io.read_file(path)
        members = document.data.get("members", [document.data.get("name")])
        return cls(path.stem, tuple(members), document)

    def description(self, member: str) -> Description:
        """The world of a name.

        Raises:
            KeyError: no such world in this family.
            DescriptionError: all that is wrong with its description.
        """
        if member not in self.members:
            raise KeyError(member)
        return self._described(_merged(self._common, {"name": member, **self._own(member)}))

    def with_size(self, size: int | Sequence[int]) -> Description:
        """The world of a size: the member that has it, or one like the largest member that is not larger.

        Args:
            size: the side of a square, or a pair of height and width.

        Raises:
            TypeError: a value that no description can hold.
            ValueError: not a size, or the family's worlds are drawn and so have one size.
            DescriptionError: all that is wrong with its description.
        """
        shape = _as_shape(size)
        sizes = self.sizes
        if shape in sizes.values():
            return self.description(next(name for name, known in sizes.items() if known == shape))
        if "map" in self._common or "maps" in self._common:
            number = "one size," if len(set(sizes.values())) == 1 else "the sizes"
            raise ValueError(f"{self.name} is drawn as a map and has {number} {self.listed_sizes}")
        if self.description(self.members[0]).shape is None:
            raise ValueError(f"{self.name} is played without a board, and so has no size")
        smaller = [
            name for name, (height, width) in sizes.items() if height <= shape[0] and width <= shape[1]
        ]
        model = max(smaller or self.members[:1], key=lambda name: sizes[name][0] * sizes[name][1])
        height, width = shape
        data = _merged(self._common, self._own(model))
        data |= {"name": f"{self.name}-{height}x{width}", "aliases": [], "shape": [height, width]}
        data["source"] = f"{data['source']}; here {height} x {width}"
        return self._described(data)

    @property
    def sizes(self) -> dict[str, Size]:
        """Height and width of each member that has the board of the first; another board is another game (Blokus Duo)."""
        described = [self.description(name) for name in self.members]
        return {one.name: one.extent for one in described if one.board == described[0].board}

    @property
    def listed_sizes(self) -> str:
        """The sizes of the members, each once: `5 x 5, 7 x 7`."""
        return ", ".join(f"{height} x {width}" for height, width in dict.fromkeys(self.sizes.values()))

    @property
    def _common(self) -> dict[str, Any]:
        return {key: part for key, part in self.document.data.items() if key != "members"}

    def _own(self, member: str) -> dict[str, Any]:
        own: dict[str, Any] = self.document.data.get("members", {}).get(member, {})
        return own

    def _described(self, data: dict[str, Any]) -> Description:
        shape = data.get("shape")
        plain = data if shape is None else _with_numbers(data, shape[0] * shape[1])
        return Description.from_dict(plain, document=replace(self.document, data=plain))


def _as_shape(size: int | Sequence[int]) -> Size:
    plain = Describer().value(size)
    sides = plain if isinstance(plain, list) else [plain, plain]
    whole = all(isinstance(side, int) and not isinstance(side, bool) for side in sides)
    if len(sides) != 2 or not whole or not 1 <= min(sides) <= max(sides) <= MOST_SIDE:
        raise ValueError(
            f"size is the side of a square, or a pair of height and width, from 1 to {MOST_SIDE}; not {format_value(size)}"
        )
    return sides[0], sides[1]


def _merged(common: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    merged = {key: part for key, part in common.items() if f"{key}{PER_CELL}" not in own}
    for key, part in own.items():
        before: Any = merged.get(key)
        changes = isinstance(part, Mapping) and isinstance(before, Mapping) and "name" not in part
        merged[key] = _merged(before, part) if changes else part
    return merged


def _with_numbers(part: Any, cells: int) -> Any:
    """Plain data in which the numbers for each cell have become numbers for all cells."""
    if isinstance(part, Mapping):
        return {
            key.removesuffix(PER_CELL): inner * cells
            if key.endswith(PER_CELL)
            else _with_numbers(inner, cells)
            for key, inner in part.items()
        }
    if isinstance(part, list):
        return [_with_numbers(inner, cells) for inner in part]
    return part
