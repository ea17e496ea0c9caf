"""Infers the shape of observations, and checks the observation rule, by one observation of a blank world."""

from __future__ import annotations

import inspect
from typing import Any

from gridarium.compiled.source_pass.generated_pages import source_location
from gridarium.compiled.source_pass.resolver import unwrap_partial
from gridarium.compiled.source_pass.source import is_ours
from gridarium.engine.step.check_bounds import own_rules_in
from gridarium.engine.step.check_returns import AN_OBSERVATION, shown_type
from gridarium.engine.step.locate_error import locate_error
from gridarium.world.agent import Agent
from gridarium.world.geometry import Shape
from gridarium.world.grid import Grid
from gridarium.world.state import PURPOSE, Observation, State
from gridarium.worlds import DescriptionError, Spec
from gridarium.worlds.entries.problems import Problem


def infer_shape(world: Spec) -> Shape:
    """Return the shape of an observation's grid, by observing a world of floor once.

    Raises:
        DescriptionError: the observation rule raises, or returns something else; with its place in the world's file.
    """
    state = State.blank(world.shape, world.vocabulary, world.agents)
    rule = world.observation
    rng_argument = (
        {"rng": state.stream(PURPOSE["observation"])} if "rng" in inspect.signature(rule).parameters else {}
    )
    try:
        seen = rule(state, **rng_argument)
    except Exception as error:
        described = f"rule {_name(rule)}{_given(rule)}" if is_ours(rule.func) else locate_error(error, [rule])
        reason = f"{described} cannot observe a world of floor: {type(error).__name__}: {error}"
        raise _located(world, reason) from error
    if not (isinstance(seen, Observation) and isinstance(seen.grid, Grid) and isinstance(seen.agent, Agent)):
        said = (
            f"rule {_name(rule)}{_where(rule)} returned {shown_type(seen)}; it must return {AN_OBSERVATION}"
        )
        raise _located(world, said)
    return seen.grid.shape


def _located(world: Spec, reason: str) -> DescriptionError:
    return world.description.origin.with_lines(DescriptionError([Problem(("observation",), reason)]))


def _name(rule: Any) -> str:
    function = unwrap_partial(rule)[0]
    return getattr(function, "__qualname__", repr(function))


def _given(rule: Any) -> str:
    """The user-defined rules among the parameters of a built-in one: ` with keen (seeing.py:4)`."""
    inner = [f"{_name(own)}{_where(own)}" for own in own_rules_in(rule)]
    return f" with {' and '.join(inner)}" if inner else ""


def _where(rule: Any) -> str:
    function = unwrap_partial(rule)[0]
    location = None if is_ours(function) else source_location(function)
    return "" if location is None else f" ({location[0]}:{location[1]})"
