"""States and observations as text and pictures, every object by its own description.

The drawing model (`gridarium.draw.shapes`) is a few shapes in the unit square; back ends draw them: text for
terminals, SVG documents, and tiles of pixels, these also for batches (`Atlas`, `render`, `render_observation`).
Overlays are drawn on top of a picture. `VideoWriter` writes pictures to animated files; `gridarium.draw.motion` has windows as well.
"""

from gridarium.draw.files import save
from gridarium.draw.motion.video import VideoWriter
from gridarium.draw.overlays.annotations import Arrows, Particles, Path, Texts
from gridarium.draw.overlays.heat import Heat
from gridarium.draw.pixels.atlas import Atlas, render, render_observation, shade_unseen
from gridarium.draw.pixels.pictures import rgb
from gridarium.draw.scene import cropped
from gridarium.draw.shapes import Disc, Label, Line, Polygon, Rectangle, Ring
from gridarium.draw.svg.document import svg
from gridarium.draw.text import text
from gridarium.draw.themes import DARK, LIGHT, Theme, theme

__all__ = [
    "DARK",
    "LIGHT",
    "Arrows",
    "Atlas",
    "Disc",
    "Heat",
    "Label",
    "Line",
    "Particles",
    "Path",
    "Polygon",
    "Rectangle",
    "Ring",
    "Texts",
    "Theme",
    "VideoWriter",
    "cropped",
    "render",
    "render_observation",
    "rgb",
    "save",
    "shade_unseen",
    "svg",
    "text",
    "theme",
]
