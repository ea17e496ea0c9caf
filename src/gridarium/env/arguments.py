"""Checks and normalises the arguments of environments and of their `reset`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from gridarium.engine import World
from gridarium.engine.arguments import check_count
from gridarium.engine.composed_world import ComposedWorld
from gridarium.engine.observe.representation import Observe
from gridarium.worlds import Spec, open_spec
from gridarium.worlds.entries.problems import suggest
from gridarium.worlds.loading import WorldSource
from gridarium.worlds.parameters import with_description

WorldLike: TypeAlias = WorldSource | World
"""The worlds that environments accept."""
RENDER_MODES = ("human", "ansi", "rgb_array")
RESET_OPTIONS = ("state", "parameters")
"""The options of `reset` in all environments: the initial state, and parameters from this episode on."""


def open_world(
    world: WorldLike,
    *,
    parameters: Mapping[str, Any] | None = None,
    compiled: bool = True,
    allow_imports: bool = False,
) -> World:
    """Open a world, with some parts of its description overridden.

    Args:
        world: the name of a catalogue world, the path of a file, a `Description` or one as a mapping, a `Spec`, or a
            `World`.
        parameters: the parts to override, see `gridarium.worlds.with_parameters`.
        compiled: False runs the rules as plain Python, for debugging; ignored for a `World` that is used as it is.
        allow_imports: whether a file may name your own modules as `module:name` (this runs their code).

    Raises:
        ValueError: there is no such world (the message lists the closest names) or parameter, or the description is
            invalid.
        TypeError: `world` has another type.
    """
    known = world.spec if isinstance(world, World) else world
    resolved = open_spec(known, allow_imports=allow_imports, parameters=parameters)
    if resolved.agents == 1 and not all(resolved.action_masks[0]):
        resolved = _without_masked(resolved)
    if isinstance(world, World) and resolved is known:
        return world
    return World(resolved, compiled=compiled)


def check_one_agent(world: World, given: WorldLike, instead: str) -> None:
    """Refuse a world with several agents, and name the environment for it.

    Args:
        world: the world.
        given: the argument by which the user named it.
        instead: the environment that accepts it, with `{}` for that argument.

    Raises:
        ValueError: it has several agents.
    """
    if world.spec.agents != 1:
        named = repr(str(given)) if isinstance(given, str | Path) else "world"
        raise ValueError(f"{world.name} has {world.spec.agents} agents: {instead.format(named)}")


def compose(world: World, observe: Observe) -> ComposedWorld:
    """Return the composed world whose arrays show observations, states, or both.

    Raises:
        ValueError: `observe` has another value.
    """
    if observe not in ("observation", "state", "both"):
        raise ValueError(f"observe is 'observation', 'state' or 'both', not {observe!r}")
    if observe == world.composed.observe:
        return world.composed
    return ComposedWorld(world.spec, compiled=world.composed.wants_compiled, observe=observe)


def check_rendering(render_mode: str | None, tile: Any, known: tuple[str, ...] = RENDER_MODES) -> None:
    """Check the render mode and the size of a cell in pixels.

    Raises:
        TypeError, ValueError: the mode is neither None nor one of those that are known, or there is no such tile.
    """
    if render_mode is not None and render_mode not in known:
        raise ValueError(f"render_mode is None or one of {', '.join(known)}, not {render_mode!r}")
    check_count("tile, the pixels of a cell,", tile)


def merge_parameters(
    given: Mapping[str, Any], representation: str | Mapping[str, Any] | None, limit: tuple[str, int | None]
) -> dict[str, Any]:
    """Return the parameters of a world, including those that are arguments of the environment.

    Args:
        given: parameters by name.
        representation: how observations become arrays; None keeps the world's own.
        limit: the environment's name for the time limit, and its value; None keeps the world's own.

    Raises:
        ValueError: the time limit is given under both names.
    """
    name, steps = limit
    if steps is not None and "time_limit" in given:
        raise ValueError(f"{name} and time_limit are the same; give one of them")
    named = {"representation": representation, "time_limit": steps}
    return {**given, **{key: value for key, value in named.items() if value is not None}}


def check_reset_options(options: Any, allowed: tuple[str, ...] = RESET_OPTIONS) -> dict[str, Any]:
    """Return the options of a reset as a dict.

    Args:
        options: a mapping, or None for no options.
        allowed: the names of the options that exist.

    Raises:
        TypeError: the options are not a mapping.
        ValueError: an option is unknown; the message lists the known ones.
    """
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise TypeError(f"options are given by their names, as {{{allowed[0]!r}: ...}}, not as {options!r}")
    for name in options:
        if name not in allowed:
            raise ValueError(f"reset has no option {name!r}; {suggest(name, allowed)}")
    return dict(options)


def _without_masked(resolved: Spec) -> Spec:
    """Return a world with one agent without the actions that its agent does not have."""
    data, mask = resolved.description.to_dict(), resolved.action_masks[0]
    firsts = np.unique(resolved.actions.owners, return_index=True)[1].tolist()
    listed = zip(resolved.description.actions, firsts, strict=True)
    actions = [action.plain() for action, first in listed if mask[first]]
    agent = {key: part for key, part in resolved.description.agents[0].plain().items() if key != "actions"}
    return with_description(resolved, {**data, "actions": actions, "agents": [agent]})
