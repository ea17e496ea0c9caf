"""What the taxi problem consists of: landmarks, and the passenger who waits at one (see `gridarium.rules.taxi`)."""

from __future__ import annotations

from gridarium.world.objects import GridObject


class Landmark(GridObject):
    """A place where passengers wait and get out; on maps the first letter of its color (the taxi problem)."""

    glyph = "L"
    colored = True

    @property
    def map_glyph(self) -> str:
        """The letter of its color, as a capital."""
        return self.color.mark.upper()


class Passenger(GridObject):
    """Waits to be picked up and carried, in the color of the landmark that it waits at (the taxi problem)."""

    glyph = "P"
    holdable = colored = True
