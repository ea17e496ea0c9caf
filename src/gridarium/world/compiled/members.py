"""Reads the attributes that individual kinds define in compiled code (see `members`).

Importing this module imports numba.
"""

from __future__ import annotations

import functools
from typing import Any

from gridarium.compiled.data_types.value_class import generated
from gridarium.compiled.numba_backend import value_types
from gridarium.compiled.numba_backend.arithmetic import inner
from gridarium.compiled.numba_backend.mixed_numbers import PURE
from gridarium.compiled.numba_backend.value_members import known
from gridarium.world.actions import Action
from gridarium.world.cell import Cell
from gridarium.world.things import Thing

READINGS: dict[str, tuple[tuple[type, str], ...]] = {
    "actions": ((Action, "read_actions(thing)"),),
    "kinds": ((Cell, "read_kinds(thing)"), (Thing, "read_kinds(thing.object)")),
}
"""Whose attributes the readers give, and how: a thing has those of its object, which know nothing of the thing."""


@functools.cache
def choice(name: str, *readers_of: str) -> Any:
    """Return a function `choose(thing, *reads)`: what one of the readers gives, `thing.<name>` of anything else.

    Args:
        name: the attribute.
        readers_of: whose attribute each of the readers gives: "actions", or "kinds", of which objects and things are.
    """
    given = ", ".join(["thing", *(f"read_{owner}" for owner in readers_of)])
    choose = generated(f"choose {name}", f"def choose({given}):\n    raise NotImplementedError\n")
    setattr(choose, PURE, "never")
    ways = [
        (value_types.register(cls), _reading(name, given, read), _reading(name, given, read, "known(thing)"))
        for owner in readers_of
        for cls, read in READINGS[owner]
        if not (cls is Thing and name.startswith("_"))
    ]
    directly = _reading(name, given, f"thing.{name}")

    def way(thing: Any, *_: Any) -> Any:
        found = inner(thing)
        of_known, of_optional = next(
            (w for kind, *w in ways if isinstance(found, kind)), (directly, directly)
        )
        return of_known if found is thing else of_optional

    value_types.overload_of(choose)(
        generated(f"choose {name}", f"def _choose({given}):\n    return way({given})\n", way=way)
    )
    return choose


def _reading(name: str, given: str, read: str, thing: str = "thing") -> Any:
    text = f"def reading({given}):\n    thing = {thing}\n    return {read}\n"
    return generated(f"read {name}", text, known=known)
