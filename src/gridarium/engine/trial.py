"""The first observation of all: it shows how large they are, and whether the rule gives any."""

from __future__ import annotations

import inspect
from typing import Any

from gridarium.compiled.source import is_ours
from gridarium.engine.blame import blame
from gridarium.world.agent import Agent
from gridarium.world.geometry import Shape
from gridarium.world.grid import Grid
from gridarium.world.state import PURPOSE, Observation, State
from gridarium.worlds import DescriptionError, Spec
from gridarium.worlds.problems import Problem


def observed_shape(world: Spec) -> Shape:
    """The shape of an observation's grid, found by observing a world of floor once.

    Raises:
        DescriptionError: the observation rule raises, or returns something else; with its place in the world's file.
    """
    state = State.blank(world.shape, world.vocabulary, world.agents)
    rule = world.observation
    luck = (
        {"rng": state.stream(PURPOSE["observation"])} if "rng" in inspect.signature(rule).parameters else {}
    )
    try:
        seen = rule(state, **luck)
    except Exception as error:
        place = f"rule {_name(rule)}" if is_ours(rule.func) else blame(error, [rule])
        reason = f"{place} cannot observe a world of floor: {type(error).__name__}: {error}"
        raise _located(world, reason) from error
    if not (isinstance(seen, Observation) and isinstance(seen.grid, Grid) and isinstance(seen.agent, Agent)):
        wanted = "an Observation, made as Observation(grid, agent)"
        raise _located(world, f"rule {_name(rule)} returned {_shown(seen)}; it must return {wanted}")
    return seen.grid.shape


def _located(world: Spec, reason: str) -> DescriptionError:
    return world.description.origin.located(DescriptionError([Problem(("observation",), reason)]))


def _name(rule: Any) -> str:
    return getattr(rule.func, "__qualname__", repr(rule.func))


def _shown(given: Any) -> str:
    return "None (is a `return` missing?)" if given is None else f"a {type(given).__name__}"
