"""What is known of objects that are not perceived any more."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from gridarium.live.objects.property_dict import PropertyDict


class ObjectMemory:
    """Keeps what was perceived for some ticks.

    What was last perceived in tick t is known up to and including tick t + `ticks`. It is forgotten earlier if it is known
    to be gone: where it was, it would be perceived and is not, or somebody is seen carrying it.

    Args:
        ticks: for how long; 0 forgets at once.

    Raises:
        TypeError: not a whole number.
        ValueError: below 0.
    """

    def __init__(self, ticks: int) -> None:
        if isinstance(ticks, bool) or not isinstance(ticks, int):
            raise TypeError(f"things are memorized for a whole number of ticks, not {ticks!r}")
        if ticks < 0:
            raise ValueError(f"things are memorized for 0 ticks or more, not {ticks}")
        self.ticks = ticks
        self._known: dict[str, tuple[PropertyDict, int]] = {}

    def recall(
        self, now: int, seen: Mapping[str, PropertyDict], would_see: Callable[[PropertyDict], bool]
    ) -> dict[str, PropertyDict]:
        """Remember what is perceived, and return it with what is remembered from before.

        Args:
            now: the number of the tick.
            seen: what is perceived now.
            would_see: whether something would be perceived if it were where it was.
        """
        carried = set(_carried(seen.values()))
        kept = {
            i: (properties, last)
            for i, (properties, last) in self._known.items()
            if i not in seen
            and i not in carried
            and 0 <= now - last <= self.ticks
            and not would_see(properties)
        }
        self._known = {**kept, **{i: (properties, now) for i, properties in seen.items()}}
        return {**seen, **{i: properties for i, (properties, _) in kept.items()}}

    def forget(self, object_id: str) -> None:
        """Forget an object, for example because somebody has reported that it is gone."""
        self._known.pop(object_id, None)

    def clear(self) -> None:
        """Forget everything."""
        self._known.clear()


def _carried(seen: Iterable[PropertyDict]) -> Iterable[str]:
    """The ids of what agents carry."""
    for properties in seen:
        for thing in properties.get("is_carrying", ()):
            if isinstance(thing, Mapping) and "obj_id" in thing:
                yield thing["obj_id"]
