"""Gridarium: grid worlds for agents, people among them, with rules one can read and run at native speed.

    from gridarium import World

    world = World("KeyDoor-9x9")
    batch = world.batch(1024)

The names below load when they are first used, so that `import gridarium` stays light. `import gridarium.env` registers
the worlds with Gymnasium and PettingZoo; `import gridarium` does so if Gymnasium has been imported before.
"""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

from gridarium.version import __version__

if TYPE_CHECKING:
    from gridarium.engine import Autoreset, Batch, World
    from gridarium.worlds import Description, DescriptionError, Spec

__all__ = ["Autoreset", "Batch", "Description", "DescriptionError", "Spec", "World", "__version__"]

_HOMES = {
    **dict.fromkeys(("Autoreset", "Batch", "World"), "gridarium.engine"),
    **dict.fromkeys(("Description", "DescriptionError", "Spec"), "gridarium.worlds"),
}


def __getattr__(name: str) -> Any:
    if name == "env":
        return importlib.import_module("gridarium.env")
    if name not in _HOMES:
        raise AttributeError(
            f"gridarium has no {name!r}; there are {', '.join(__all__)}, and the modules env, world, rules"
        )
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


if sys.modules.get("gymnasium") is not None:
    import gridarium.env  # noqa: F401  (registers the worlds)
