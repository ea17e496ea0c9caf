"""The arguments of a builder's methods, with their checks: the same from Python and from YAML."""

from __future__ import annotations

import functools
import numbers
from collections.abc import Callable, Mapping
from typing import Annotated, Any, TypeAlias, TypeVar

import numpy as np
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

from gridarium.live.brains import AgentBrain
from gridarium.live.goals import LimitedTimeGoal, WorldGoal
from gridarium.live.loggers import GridWorldLogger
from gridarium.live.objects import EnvObject
from gridarium.live.objects.env_object import SHAPES, is_colour, is_shape
from gridarium.live.perception import SenseCapability
from gridarium.live.random_property import RandomOrder, RandomProperty
from gridarium.worlds.entries.entry_types import problems_in
from gridarium.worlds.entries.problems import DescriptionError, Problem

T = TypeVar("T")
MOST_SIDE = 1024
"""The largest width and height of a world, as of worlds of the core."""


def _as_python(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _as_whole(value: Any) -> Any:
    value = _as_python(value)
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _as_pair(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        value = value.tolist()
    return tuple(map(_as_whole, value)) if isinstance(value, list | tuple) else value


def _or_random(value: Any, check: ValidatorFunctionWrapHandler) -> Any:
    if not isinstance(value, RandomProperty):
        return check(value)
    if not isinstance(value, RandomOrder):
        for each in value.values:
            check(each)
    return value


def _subclass_of(base: type) -> Callable[[Any], Any]:
    def check(value: Any) -> Any:
        if not (isinstance(value, type) and issubclass(value, base)):
            raise ValueError(f"a class of {base.__name__} is expected")
        return value

    return check


def _brain_source(value: Any) -> Any:
    if isinstance(value, type) and not issubclass(value, AgentBrain):
        raise ValueError("a class of AgentBrain is expected")
    if not (isinstance(value, AgentBrain) or callable(value)):
        raise ValueError("an AgentBrain, a class of it or a function that makes one is expected")
    return value


def _goal_source(value: Any) -> Any:
    if isinstance(value, WorldGoal):
        return value
    if is_number(value):
        return LimitedTimeGoal(_as_python(value))
    partial_of = value.func if isinstance(value, functools.partial) else value
    if isinstance(partial_of, type) and issubclass(partial_of, WorldGoal):
        return value
    raise ValueError("a number of ticks or a WorldGoal is expected")


def _sense(value: Any) -> Any:
    if not isinstance(value, SenseCapability):
        raise ValueError("a SenseCapability is expected")
    return value


def _action_name(value: Any) -> Any:
    return value.__name__ if isinstance(value, type) else value


def _as_names(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return tuple(map(_action_name, value))
    return value


def _as_team(value: Any) -> Any:
    return tuple(value) if isinstance(value, list | tuple) else (value,) if isinstance(value, str) else value


def _hex_colour(value: str) -> str:
    if not is_colour(value):
        raise ValueError("a color such as #4286f4 is expected")
    return value


def _shape(value: int | str) -> int | str:
    if not is_shape(value):
        raise ValueError(f"{SHAPES} is expected")
    return value


def _named(value: str) -> str:
    if not value.strip():
        raise ValueError("a name that is not blank is expected")
    return value


Whole = Annotated[int, BeforeValidator(_as_whole)]
Real = Annotated[float, BeforeValidator(_as_python), Field(allow_inf_nan=False)]
Number = Annotated[int | float, BeforeValidator(_as_python), Field(ge=0)]
Flag = Annotated[bool, BeforeValidator(_as_python)]
Location = Annotated[tuple[int, int], BeforeValidator(_as_pair)]
Locations = Annotated[tuple[Location, ...], BeforeValidator(lambda v: tuple(v) if isinstance(v, list) else v)]
Named = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_named)]
Side = Annotated[int, BeforeValidator(_as_whole), Field(ge=1, le=MOST_SIDE)]
RoomSide = Annotated[int, BeforeValidator(_as_whole), Field(ge=3, le=MOST_SIDE)]
Random = WrapValidator(_or_random)
HexColour = Annotated[str, AfterValidator(_hex_colour)]
Colour = Annotated[HexColour, Random]
Opacity = Annotated[float, BeforeValidator(_as_python), Field(ge=0, le=1), Random]
Size = Annotated[float, BeforeValidator(_as_python), Field(gt=0, allow_inf_nan=False), Random]
Form = Annotated[int | str, BeforeValidator(_as_python), AfterValidator(_shape), Random]
Depth = Annotated[int, BeforeValidator(_as_whole), Random]
YesNo = Annotated[bool, BeforeValidator(_as_python), Random]
Probability = Annotated[float, BeforeValidator(_as_python), Field(ge=0, le=1)]
ObjectClass = Annotated[Any, AfterValidator(_subclass_of(EnvObject))]
LoggerClass = Annotated[Any, AfterValidator(_subclass_of(GridWorldLogger))]
BrainSource = Annotated[Any, AfterValidator(_brain_source)]
GoalSource = Annotated[Any, AfterValidator(_goal_source)]
Sense = Annotated[Any, AfterValidator(_sense)]
ActionNames = Annotated[tuple[Named, ...], BeforeValidator(_as_names)]
Teams = Annotated[tuple[Named, ...], BeforeValidator(_as_team), Field(min_length=1)]
Custom: TypeAlias = Mapping[str, Any]


class BuilderEntry(BaseModel):
    """The arguments of one of a builder's methods. Types are strict, and unknown arguments are refused unless a subclass says otherwise."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, arbitrary_types_allowed=True)

    @property
    def custom(self) -> dict[str, Any]:
        """The arguments beyond those of the method: properties of what is added."""
        return dict(self.__pydantic_extra__ or {})

    def given(self) -> dict[str, Any]:
        """The arguments that differ from their defaults."""
        fields = type(self).model_fields
        values = {name: getattr(self, name) for name in fields}
        return {k: v for k, v in values.items() if _differs(v, fields[k].default)} | self.custom


def _differs(value: Any, default: Any) -> bool:
    return type(value) is not type(default) or bool(value != default)


E = TypeVar("E", bound=BuilderEntry)


def checked(kind: type[E], arguments: Mapping[str, Any], source: str) -> E:
    """Make an entry of arguments.

    Args:
        kind: the class of the entry.
        arguments: by name.
        source: the call, for the message.

    Raises:
        DescriptionError: which arguments are not possible, and what is.
    """
    try:
        return kind.model_validate(dict(arguments))
    except ValidationError as error:
        raise DescriptionError(problems_in(error, whole=kind), source) from None


def refuse(message: str, source: str, *path: str | int) -> DescriptionError:
    """An error with a single problem."""
    return DescriptionError([Problem(path, message)], source)


def is_number(value: object) -> bool:
    """Whether a value is a number, and not a bool."""
    return isinstance(value, numbers.Real) and not isinstance(value, bool | np.bool_)
