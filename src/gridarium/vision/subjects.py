"""Classes of things, and pictures of them in cells as they are in a world."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gridarium.vision.cell_pictures import SIZE, Pixels, Scene
from gridarium.world import Color, Dog, Exit, Floor, Flower, GridObject, Hidden, Tile, TwoFlowers
from gridarium.world.objects import NoneGridObject
from gridarium.world.vocabulary import Vocabulary

TEXTS = ("Start", "Ziel", "Goal", "Stopp", "Exit", "A", "Home", "Hotel")
TEXT_SHARE, WALL_SHARE = 0.15, 0.25
"""The shares of cells with a text, and of sides of cells with a wall."""
GHOST = "ghost"
BACKGROUND = "background"


@dataclass(frozen=True)
class Subjects:
    """Classes of things that a classifier distinguishes.

    Attributes:
        name: of the subjects.
        things: for each class its things; those of a class are equally frequent.
        texts: what may be written on a cell.
    """

    name: str
    things: dict[str, tuple[GridObject, ...]]
    texts: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(self.things) < 2 or not all(self.things.values()):
            raise ValueError(f"there are at least two classes, each of at least one thing; got {self.things}")

    @property
    def classes(self) -> tuple[str, ...]:
        """The names of the classes, in order."""
        return tuple(self.things)

    @property
    def kinds(self) -> tuple[type[GridObject], ...]:
        """The kind of each class but the last."""
        return tuple(type(group[0]) for group in self.things.values())[:-1]

    def draw(
        self,
        count: int,
        rng: np.random.Generator,
        *,
        size: int = SIZE,
        priors: Sequence[float] | None = None,
    ) -> tuple[Pixels, npt.NDArray[np.int64]]:
        """Clean pictures of random cells.

        Args:
            count: how many.
            rng: random numbers.
            size: their side in pixels.
            priors: how frequent each class is, adding up to 1; by default all alike.

        Returns:
            uint8[count, size, size, 3] and int64[count], the classes.
        """
        labels = rng.choice(len(self.things), count, p=priors)
        groups, chosen = list(self.things.values()), rng.random(count)
        texts = rng.integers(len(self.texts), size=count) if self.texts else np.zeros(count, np.int64)
        written = (rng.random(count) < TEXT_SHARE) & bool(self.texts)
        walls = ((rng.random((count, 4)) < WALL_SHARE) * (1, 2, 4, 8)).sum(axis=1) if self.texts else written
        out = np.empty((count, size, size, 3), np.uint8)
        for i, label in enumerate(labels.tolist()):
            thing = groups[label][int(chosen[i] * len(groups[label]))]
            out[i] = Scene(thing, self.texts[texts[i]] if written[i] else "", int(walls[i])).picture(size)
        return out, labels.astype(np.int64)


def ghost_subjects() -> Subjects:
    """The subjects of the ghost world: a dog, one flower, or, in most cells, neither."""
    colors = (Color.NONE, Color.RED, Color.GREEN)

    def all_of(kind: type[Tile]) -> tuple[GridObject, ...]:
        return tuple(kind(status, color) for status in Tile.Status for color in colors)

    plain = (*all_of(Tile), *(Floor() for _ in range(3)))
    exits = tuple(Exit(color) for color in colors)
    rest = (*plain * 2, *exits * 2, *all_of(TwoFlowers))
    return Subjects(GHOST, {"dog": all_of(Dog), "flower": all_of(Flower), BACKGROUND: rest}, TEXTS)


def subjects_of(vocabulary: Vocabulary, name: str) -> Subjects:
    """A world's kinds of objects, each a class, in all their statuses and colors; the floor is the background.

    Args:
        vocabulary: of the world.
        name: of the world.

    Raises:
        ValueError: the world knows nothing but floor.
    """
    kinds = [kind for kind in vocabulary.kinds.values() if kind not in (NoneGridObject, Hidden, Floor)]
    if not kinds:
        raise ValueError(f"{name} has no kinds of objects besides floor: there is nothing to tell apart")
    found: dict[str, tuple[GridObject, ...]] = {}
    for kind in kinds:
        number = vocabulary.number_of(kind)
        colors = list(vocabulary.colors) if kind.colored else [vocabulary.number_of_color(kind.fixed_color)]
        found[kind.__name__] = tuple(
            vocabulary.decode(number | status << 8 | color << 16)
            for status in range(kind.num_states())
            for color in colors
        )
    return Subjects(name, {**found, BACKGROUND: (Floor(),)})
