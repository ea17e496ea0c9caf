"""States and observations as text and pictures, every object by its own description.

The drawing model (`gridarium.draw.shapes`) is a few shapes in the unit square; back ends draw them. So far there are
text for terminals and tiles of pixels, the latter also for batches (`Atlas`, `render`, `render_observation`).
"""

from gridarium.draw.atlas import Atlas, render, render_observation, shade_unseen
from gridarium.draw.pictures import rgb, save
from gridarium.draw.shapes import Disc, Label, Line, Polygon, Rectangle, Ring
from gridarium.draw.text import text

__all__ = [
    "Atlas",
    "Disc",
    "Label",
    "Line",
    "Polygon",
    "Rectangle",
    "Ring",
    "render",
    "render_observation",
    "rgb",
    "save",
    "shade_unseen",
    "text",
]
