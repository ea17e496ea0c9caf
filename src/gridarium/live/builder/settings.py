"""What a builder has collected: the objects and agents of its worlds, before random properties are drawn."""

from __future__ import annotations

import copy
import functools
import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gridarium.live.brains import AgentBrain
from gridarium.live.objects import AgentBody, EnvObject
from gridarium.live.perception import SenseCapability
from gridarium.live.random_property import RandomProperty, random_properties, resolve

SCALARS = (bool, int, float, str, type(None))
LocationXY = tuple[int, int]


class _Drawing:
    """Notes which of its arguments are random or can be changed."""

    __slots__ = ()
    arguments: Mapping[str, Any]

    def __post_init__(self) -> None:
        mutable = tuple(name for name, value in self.arguments.items() if not isinstance(value, SCALARS))
        object.__setattr__(self, "mutable", mutable)
        drawn = tuple(random_properties([self.arguments[name] for name in mutable]))
        object.__setattr__(self, "drawn", drawn)


@dataclass(frozen=True, slots=True)
class ObjectSettings(_Drawing):
    """An object of each world.

    Attributes:
        kind: the class of the object.
        name: its name.
        location: its x and y.
        arguments: further arguments of the class.
        probability: that a world has it.
        mutable: the names of arguments that are random or can be changed, which each world gets of its own.
        drawn: the random properties among the arguments.
    """

    kind: type[EnvObject]
    name: str
    location: LocationXY
    arguments: Mapping[str, Any]
    probability: float | None = None
    mutable: tuple[str, ...] = field(init=False)
    drawn: tuple[RandomProperty, ...] = field(init=False)

    def make(self, rng: np.random.RandomState) -> EnvObject:
        """Make the object.

        Raises:
            ValueError: its class refuses the arguments.
            TypeError: its class does not call the constructor of `EnvObject`.
        """
        arguments = _fresh(self.arguments, self.mutable, rng)
        if self.kind is EnvObject:
            arguments["class_callable"] = EnvObject
        try:
            made = self.kind(location=self.location, name=self.name, **arguments)
            if not hasattr(made, "obj_name"):
                raise TypeError(
                    f"{self.kind.__name__}.__init__ does not call super().__init__(location, name, ...)"
                )
            return made
        except Exception as error:
            error.add_note(f"while the object {self.name!r} of the class {self.kind.__name__} was made")
            raise


@dataclass(frozen=True, slots=True)
class AgentSettings(_Drawing):
    """An agent of each world.

    Attributes:
        brain: a brain, which is copied for each world, a class of brains, or a function that makes one.
        name: the agent's name.
        location: its x and y.
        arguments: further arguments of `AgentBody`.
        is_human: whether a person decides.
        probability: that a world has it.
        mutable, drawn: as of `ObjectSettings`.
    """

    brain: AgentBrain | Callable[[], AgentBrain]
    name: str
    location: LocationXY
    arguments: Mapping[str, Any]
    is_human: bool = False
    probability: float | None = None
    mutable: tuple[str, ...] = field(init=False)
    drawn: tuple[RandomProperty, ...] = field(init=False)

    def make_brain(self) -> AgentBrain:
        """Make the agent's brain for one world.

        Raises:
            TypeError: it cannot be copied, or the function made something else.
        """
        if isinstance(self.brain, AgentBrain):
            try:
                return copy.deepcopy(self.brain)
            except Exception as error:
                raise TypeError(
                    f"the brain of {self.name!r} cannot be copied for each world ({error}); give its class, or a "
                    "function that makes it"
                ) from error
        made = self.brain()
        if not isinstance(made, AgentBrain):
            raise TypeError(
                f"the function for the brain of {self.name!r} made {made!r}, which is not an AgentBrain"
            )
        return made

    def make(self, rng: np.random.RandomState) -> tuple[AgentBrain, AgentBody]:
        """Make the agent's brain and body.

        Raises:
            TypeError: see `make_brain`.
            ValueError: a property of the body is not possible.
        """
        brain = self.make_brain()
        arguments: dict[str, Any] = {"sense_capability": SenseCapability({None: math.inf})}
        arguments |= _fresh(self.arguments, self.mutable, rng)
        try:
            body = AgentBody(
                self.location,
                self.name,
                class_callable=type(brain),
                is_human_agent=self.is_human,
                **arguments,
            )
        except Exception as error:
            error.add_note(f"while the agent {self.name!r} was made")
            raise
        return brain, body


def check_arguments(kind: type, given: Mapping[str, Any]) -> str:
    """What is wrong with arguments of a class of objects; empty if they fit its constructor.

    Args:
        kind: the class.
        given: the names of arguments that it would get, besides `location`, `name` and `class_callable`.
    """
    required, accepted, takes_all = _signature(kind)
    missing = [name for name in required if name not in given]
    if missing:
        return f"{kind.__name__} requires {missing[0]!r}"
    unknown = [] if takes_all else [name for name in given if name not in accepted]
    if unknown:
        return f"{kind.__name__} does not take {unknown[0]!r}; its constructor has: {', '.join(accepted)}"
    return ""


@functools.lru_cache(maxsize=256)
def _signature(kind: Callable[..., Any]) -> tuple[tuple[str, ...], tuple[str, ...], bool]:
    """The required and the accepted arguments of a class, and whether it takes any others."""
    parameters = list(inspect.signature(kind).parameters.values())
    named = [p for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    given = ("location", "name", *(["class_callable"] if kind is EnvObject else []))
    required = tuple(p.name for p in named if p.default is p.empty and p.name not in given)
    return required, tuple(p.name for p in named), any(p.kind is p.VAR_KEYWORD for p in parameters)


def _fresh(
    arguments: Mapping[str, Any], mutable: tuple[str, ...], rng: np.random.RandomState
) -> dict[str, Any]:
    """The arguments for one world: random ones drawn, those that can be changed copied."""
    return {**arguments, **{name: resolve(arguments[name], rng) for name in mutable}}
