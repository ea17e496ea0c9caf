"""From what a user gives an environment to a composed world."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from gridarium.engine import World
from gridarium.engine.arguments import check_count
from gridarium.engine.composed_world import ComposedWorld
from gridarium.engine.observe.representation import Observe
from gridarium.worlds import Spec, open_spec
from gridarium.worlds.parameters import with_description

RENDER_MODES = ("human", "ansi", "rgb_array")


def open_world(
    world: Any,
    *,
    parameters: Mapping[str, Any] | None = None,
    compiled: bool = True,
    allow_imports: bool = False,
) -> World:
    """A world with some of its description replaced.

    Args:
        world: the name of a catalogue world, the path of a file, a `Description` or one as a mapping, a `Spec`, or a
            `World`.
        parameters: parts of its description to replace, see `gridarium.worlds.with_parameters`.
        compiled: False runs the rules as plain Python, for debugging; ignored for a `World` that is used as it is.
        allow_imports: whether a file may name your own modules as `module:name` (this runs their code).

    Raises:
        ValueError: no such world (with the nearest names) or parameter, or a description that is wrong.
        TypeError: something else.
    """
    known = world.spec if isinstance(world, World) else world
    resolved = open_spec(known, allow_imports=allow_imports, parameters=parameters)
    if resolved.agents == 1 and not all(resolved.action_masks[0]):
        resolved = _without_masked(resolved)
    if isinstance(world, World) and resolved is known:
        return world
    return World(resolved, compiled=compiled)


def check_one_agent(world: World, given: Any, instead: str) -> None:
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


def composed_of(world: World, observe: Observe) -> ComposedWorld:
    """The world composed so that its arrays show observations, states, or both.

    Raises:
        ValueError: an unknown word.
    """
    if observe not in ("observation", "state", "both"):
        raise ValueError(f"observe is 'observation', 'state' or 'both', not {observe!r}")
    if observe == world.composed.observe:
        return world.composed
    return ComposedWorld(world.spec, compiled=world.composed.wants_compiled, observe=observe)


def check_rendering(render_mode: str | None, tile: Any, known: tuple[str, ...] = RENDER_MODES) -> None:
    """Refuse an unknown mode, and a size that is not a number of pixels.

    Raises:
        TypeError, ValueError: the mode is neither None nor one of those that are known, or there is no such tile.
    """
    if render_mode is not None and render_mode not in known:
        raise ValueError(f"render_mode is None or one of {', '.join(known)}, not {render_mode!r}")
    check_count("tile, the pixels of a cell,", tile)


def parameters_of(
    given: Mapping[str, Any], representation: str | Mapping[str, Any] | None, limit: tuple[str, int | None]
) -> dict[str, Any]:
    """The parameters of a world, with those that environments have arguments of their own for.

    Args:
        given: by their names.
        representation: how observations become arrays; None leaves it as it is.
        limit: what the environment calls the time limit, and the most steps of an episode; None leaves it as it is.

    Raises:
        ValueError: the time limit is given under both names.
    """
    name, steps = limit
    if steps is not None and "time_limit" in given:
        raise ValueError(f"{name} and time_limit are the same; give one of them")
    named = {"representation": representation, "time_limit": steps}
    return {**given, **{key: value for key, value in named.items() if value is not None}}


def _without_masked(resolved: Spec) -> Spec:
    """A world with one agent without the actions that the agent does not have."""
    data, mask = resolved.description.to_dict(), resolved.action_masks[0]
    firsts = np.unique(resolved.actions.owners, return_index=True)[1].tolist()
    listed = zip(resolved.description.actions, firsts, strict=True)
    actions = [action.plain() for action, first in listed if mask[first]]
    agent = {key: part for key, part in resolved.description.agents[0].plain().items() if key != "actions"}
    return with_description(resolved, {**data, "actions": actions, "agents": [agent]})
