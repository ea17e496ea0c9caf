"""From what a user gives an environment to a composed world."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gridarium.engine import World
from gridarium.engine.checking import check_count
from gridarium.engine.machine import Machine
from gridarium.engine.representation import Observe
from gridarium.worlds import Description, Spec, find, spec

RENDER_MODES = ("human", "ansi", "rgb_array")


def open_world(
    world: Any,
    *,
    representation: str | Mapping[str, Any] | None = None,
    time_limit: int | None = None,
    compiled: bool = True,
    allow_imports: bool = False,
) -> World:
    """A world with some of its description replaced.

    Args:
        world: the name of a catalogue world, the path of a file, a `Description` or one as a mapping, a `Spec`, or a
            `World`.
        representation: how observations become arrays, in the place of the description's; see
            `gridarium.worlds.json_schema()`.
        time_limit: the most ticks of an episode, in the place of the description's.
        compiled: False runs the rules as plain Python, for debugging; ignored for a `World` that is used as it is.
        allow_imports: whether a file may name your own modules as `module:name` (this runs their code).

    Raises:
        ValueError: no such world (with the nearest names), or a description that is wrong.
        TypeError: none of these.
    """
    resolved = world.spec if isinstance(world, World) else _resolved(world, allow_imports)
    changes: dict[str, Any] = {}
    if representation is not None:
        changes["representation"] = representation
    if time_limit is not None:
        changes["time_limit"] = time_limit
    if resolved.agents == 1 and not all(resolved.action_masks[0]):
        kept = [
            a.plain()
            for a, has in zip(resolved.description.actions, resolved.action_masks[0], strict=True)
            if has
        ]
        agent = {
            key: part for key, part in resolved.description.agents[0].plain().items() if key != "actions"
        }
        changes |= {"actions": kept, "agents": [agent]}
    if changes:
        return World(_changed(resolved, changes), compiled=compiled)
    return world if isinstance(world, World) else World(resolved, compiled=compiled)


def check_alone(world: World, given: Any, instead: str) -> None:
    """Refuse a world with several agents, and say what is there for it.

    Args:
        world: the world.
        given: what the user has named it by.
        instead: what takes it, with `{}` for what the user has given.

    Raises:
        ValueError: it has several.
    """
    if world.spec.agents != 1:
        named = repr(str(given)) if isinstance(given, str | Path) else "world"
        raise ValueError(f"{world.name} has {world.spec.agents} agents: {instead.format(named)}")


def machine_of(world: World, observe: Observe) -> Machine:
    """The world composed so that its arrays show observations, states, or both.

    Raises:
        ValueError: an unknown word.
    """
    if observe not in ("observation", "state", "both"):
        raise ValueError(f"observe is 'observation', 'state' or 'both', not {observe!r}")
    if observe == world.machine.observe:
        return world.machine
    return Machine(world.spec, compiled=world.machine.wants_compiled, observe=observe)


def check_rendering(render_mode: str | None, tile: Any, known: tuple[str, ...] = RENDER_MODES) -> None:
    """Refuse an unknown mode, and what is no number of pixels.

    Raises:
        TypeError, ValueError: the mode is neither None nor one of those that are known, or there is no such tile.
    """
    if render_mode is not None and render_mode not in known:
        raise ValueError(f"render_mode is None or one of {', '.join(known)}, not {render_mode!r}")
    check_count("tile, the pixels of a cell,", tile)


def _resolved(world: Any, allow_imports: bool) -> Spec:
    if isinstance(world, Spec):
        return world
    if isinstance(world, str | Path):
        world = find(world, allow_imports=allow_imports)
    elif isinstance(world, Mapping):
        world = Description.from_dict(world)
    if not isinstance(world, Description):
        raise TypeError(
            f"a world is a name, a path, a mapping, a Description, a Spec or a World, not {world!r}"
        )
    return spec(world, allow_imports=allow_imports)


def _changed(resolved: Spec, changes: dict[str, Any]) -> Spec:
    """The spec with parts of its description replaced; its rules stay the same objects."""
    description = Description.from_dict(resolved.description.to_dict() | changes)
    actions, masks = resolved.actions, resolved.action_masks
    if "actions" in changes:
        actions = tuple(a for a, has in zip(actions, masks[0], strict=True) if has)
        masks = ((True,) * len(actions),)
    return dataclasses.replace(
        resolved,
        description=description,
        actions=actions,
        action_masks=masks,
        representation=description.representation,
        time_limit=description.time_limit,
    )
