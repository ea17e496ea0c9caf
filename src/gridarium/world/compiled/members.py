"""Reads the attributes that individual kinds define in compiled code (see `members`).

Importing this module imports numba.
"""

from __future__ import annotations

import functools
from typing import Any

from gridarium.compiled.data_types.value_class import generated
from gridarium.compiled.numba_backend import value_types
from gridarium.compiled.numba_backend.mixed_numbers import PURE
from gridarium.world.actions import Action
from gridarium.world.cell import Cell
from gridarium.world.things import Thing

OWNERS: dict[str, tuple[type, ...]] = {"actions": (Action,), "kinds": (Cell, Thing)}


@functools.cache
def choice(name: str, *readers_of: str) -> Any:
    """Return a function `choose(thing, *reads)`: `read(thing)` of one of its owners, `thing.<name>` of anything else.

    Args:
        name: the attribute.
        readers_of: whose attribute each of the readers gives: "actions", or "kinds", of which objects and things are.
    """
    owners = [tuple(map(value_types.register, OWNERS[owner])) for owner in readers_of]
    given = ", ".join(["thing", *(f"read_{owner}" for owner in readers_of)])
    choose = generated(f"choose {name}", f"def choose({given}):\n    raise NotImplementedError\n")
    setattr(choose, PURE, "never")
    ways = {
        owner: generated(f"read {name} of {owner}", f"def read({given}):\n    return read_{owner}(thing)\n")
        for owner in readers_of
    }
    directly = generated(f"attribute {name}", f"def read_directly({given}):\n    return thing.{name}\n")

    def way(thing: Any, *_: Any) -> Any:
        found = (owner for owner, kinds in zip(readers_of, owners, strict=True) if isinstance(thing, kinds))
        return ways.get(next(found, ""), directly)

    value_types.overload_of(choose)(
        generated(f"choose {name}", f"def _choose({given}):\n    return way({given})\n", way=way)
    )
    return choose
