"""Conformance checks as a test class to inherit from."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from gridarium.engine import World
from gridarium.env.arguments import WorldLike, open_world
from gridarium.testing import solving, worlds
from gridarium.world.state import State


class WorldConformance:
    """Tests of a world, for pytest or unittest, with one method for each part of `check_world`.

    Example:
        class TestMyWorld(WorldConformance):
            world = "my_world.yaml"

    Attributes:
        world: as for `check_world`.
        seeds, steps, goal, most_states, compiled: likewise.
    """

    world: ClassVar[WorldLike]
    seeds: ClassVar[int] = 20
    steps: ClassVar[int] = 60
    goal: ClassVar[Callable[[State], bool] | None] = None
    most_states: ClassVar[int] = 50_000
    compiled: ClassVar[bool] = True

    @classmethod
    def opened(cls) -> World:
        """The world, composed once for all tests of the class."""
        found: World | None = cls.__dict__.get("_opened")
        if found is None:
            found = open_world(cls.world, compiled=cls.compiled)
            cls._opened = found  # type: ignore[attr-defined]
        return found

    def test_resets(self) -> None:
        """Every episode begins with agents in free cells, and equal seeds give equal episodes."""
        worlds.check_resets(self.opened(), self.seeds)

    def test_can_be_solved(self) -> None:
        """From every initial state some agent can reach the goal."""
        goal = type(self).goal
        solving.check_solvable(self.opened(), self.seeds, goal=goal, most_states=self.most_states)

    def test_spaces(self) -> None:
        """Observations lie within their spaces."""
        worlds.check_spaces(self.opened(), self.steps)

    def test_masks(self) -> None:
        """Masks of legal actions equal the answers of the legal rules."""
        worlds.check_masks(self.opened(), self.steps)

    def test_interpreted_and_compiled(self) -> None:
        """Interpreted and compiled episodes are equal."""
        if self.compiled:
            worlds.check_compiled(self.opened(), self.steps)

    def test_batches(self) -> None:
        """Episodes are equal in a single world, in a batch and on two threads."""
        worlds.check_batches(self.opened(), self.steps)

    def test_snapshots(self) -> None:
        """Restoring a snapshot restores the future."""
        worlds.check_snapshots(self.opened(), self.steps)
