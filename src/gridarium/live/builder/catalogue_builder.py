"""Live worlds of worlds that are described already, such as those of the catalogue."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from gridarium.live.brains import AgentBrain
from gridarium.live.builder.world_builder import MOST_WORLDS
from gridarium.live.grid_world import GridWorld
from gridarium.worlds import Description
from gridarium.worlds.loading import open_spec


class CatalogueBuilder:
    """Makes live worlds of a world of the catalogue, as `WorldBuilder` does of what it has collected.

    Args:
        world: the name of the world.
        brains: for each agent a class of brains, or a function that makes one, and the properties of its body: arguments
            of `AgentBody`.
        tick_duration: see `WorldBuilder`.
        random_seed: see `WorldBuilder`.

    Attributes:
        worlds_created: the number of worlds that were made.

    Raises:
        ValueError: there is no such world, or there are more or fewer brains than agents.
    """

    def __init__(
        self,
        world: str,
        brains: Sequence[tuple[Callable[[], AgentBrain], Mapping[str, Any]]],
        tick_duration: float = 0.5,
        random_seed: int = 1,
    ) -> None:
        self._spec = open_spec(world)
        if len(brains) != self._spec.agents:
            raise ValueError(f"{world} has {self._spec.agents} agents; {len(brains)} brains are given")
        self.world, self.brains = world, tuple(brains)
        self.tick_duration, self.random_seed = tick_duration, random_seed
        self.worlds_created = 0

    def worlds(self, nr_of_worlds: int = MOST_WORLDS, **options: Any) -> Iterator[GridWorld]:
        """Make worlds, one after the other; see `WorldBuilder.worlds`."""
        return (self.get_world(**options) for _ in range(nr_of_worlds))

    def get_world(
        self,
        *,
        on_brain_error: Literal["stop", "skip", "remove"] = "stop",
        debug: bool = False,
        compiled: bool = True,
    ) -> GridWorld:
        """Make the next world; see `WorldBuilder.get_world`."""
        self.worlds_created += 1
        (seed,) = np.random.SeedSequence((self.random_seed, self.worlds_created)).generate_state(1)
        return GridWorld.of(
            self._spec.description,
            [(brain(), properties) for brain, properties in self.brains],
            seed=int(seed >> 1),
            compiled=compiled,
            tick_duration=self.tick_duration,
            world_id=f"world_{self.worlds_created}",
            on_brain_error=on_brain_error,
            debug=debug,
        )

    def description(
        self, *, action_masks: bool = False, drop_properties: bool = False, **further: Any
    ) -> Description:
        """The world, to train agents on.

        Args:
            action_masks: whether environments say which actions would succeed, where the world's rules say so; in the others all
                actions are possible at all times.
            drop_properties: without effect, since its objects have no properties of Python.
            **further: keys of the description, as for `GridWorld.description`, such as `time_limit`.

        Raises:
            DescriptionError: a key is not possible.
        """
        given = self._spec.description.to_dict() | further
        if action_masks and given.get("legal"):
            given["illegal"] = "attempt"
        return Description.from_dict(given)
