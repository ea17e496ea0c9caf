"""Python's garbage collection, left out while modules are imported and a program is compiled: next to nothing made then is garbage."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def not_collected() -> Iterator[None]:
    """Context without garbage collection, in all threads."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            _let_new_objects_age()
            gc.enable()


def _let_new_objects_age() -> None:
    """Move all objects to the oldest generation, which takes no time; the next collection would go through the new ones."""
    if not gc.get_freeze_count():  # else somebody keeps objects frozen, who would be surprised
        gc.freeze()
        gc.unfreeze()
