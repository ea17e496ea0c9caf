"""Themes: the colors of floor, walls and darkness, and what a drawing's roles stand for."""

from __future__ import annotations

from dataclasses import dataclass

from gridarium.draw.shapes import RGB, Paint, mixed


@dataclass(frozen=True)
class Theme:
    """The colors of everything that no object chooses by itself.

    Attributes:
        name: what `theme` finds it by.
        floor, line: an empty cell, and the lines between cells.
        brick, mortar: walls; walls on edges are all mortar.
        darkness, gloom: what is not seen, and the stripes on it.
        plate: lies under held objects and under the marks of colors.
        ink, paper: what the roles 'dark' and 'light' are mixed with.
        plain: the color of an object without color.
        text: numbers and words that an overlay writes.
        accent: a way or whatever else an overlay points out.
        veil: how much of what is not seen is covered by darkness, out of 255.
        hatch: how much more of it is under the stripes of the veil.
        page: of what lies around pictures.
    """

    name: str
    floor: RGB
    line: RGB
    brick: RGB
    mortar: RGB
    darkness: RGB
    gloom: RGB
    plate: RGB = (255, 255, 255)
    ink: RGB = (22, 24, 34)
    paper: RGB = (255, 255, 255)
    plain: RGB = (172, 168, 160)
    text: RGB = (22, 24, 34)
    accent: RGB = (20, 110, 220)
    veil: int = 80
    hatch: int = 26
    page: RGB = (255, 255, 255)

    def shade(self, paint: Paint, rgb: RGB) -> RGB:
        """The color that a paint stands for on an object of color `rgb`."""
        if not isinstance(paint, str):
            return paint
        if paint == "object":
            return rgb
        if paint == "dark":
            return mixed(rgb, self.ink, 5)
        if paint == "light":
            return mixed(rgb, self.paper, 6)
        color: RGB = getattr(self, paint)
        return color


LIGHT = Theme(
    name="light",
    floor=(240, 238, 233),
    line=(221, 218, 210),
    brick=(84, 92, 110),
    mortar=(60, 66, 82),
    darkness=(24, 26, 34),
    gloom=(36, 39, 50),
)
DARK = Theme(
    name="dark",
    floor=(43, 46, 56),
    line=(58, 62, 74),
    brick=(118, 127, 148),
    mortar=(90, 98, 118),
    darkness=(8, 9, 13),
    gloom=(19, 21, 28),
    paper=(214, 216, 224),
    text=(236, 237, 242),
    accent=(92, 172, 255),
    veil=110,
    hatch=30,
    page=(23, 25, 31),
)
THEMES = {made.name: made for made in (LIGHT, DARK)}


def theme(name: str | Theme) -> Theme:
    """The theme of a name; a theme is returned as it is.

    Raises:
        ValueError: no such theme.
    """
    if isinstance(name, Theme):
        return name
    if not isinstance(name, str) or name not in THEMES:
        raise ValueError(f"no theme {name!r}; there are {', '.join(THEMES)}, or a Theme of your own")
    return THEMES[name]
