"""The arguments of a builder itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BeforeValidator, Field

from gridarium.live.builder.entry_types import (
    BuilderEntry,
    GoalSource,
    HexColour,
    Named,
    Number,
    Real,
    Side,
    Whole,
)

ActionParameter: TypeAlias = Literal["door_range", "grab_range", "max_objects", "drop_range", "remove_range"]
OnBrainError: TypeAlias = Literal["stop", "skip", "remove"]


def _as_tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


class WorldSettings(BuilderEntry):
    """See `WorldBuilder`."""

    shape: Annotated[tuple[Side, Side], BeforeValidator(_as_tuple)]
    tick_duration: Real = 0.5
    random_seed: Annotated[Whole, Field(ge=0)] = 1
    simulation_goal: Annotated[tuple[GoalSource, ...] | None, BeforeValidator(_as_tuple)] = None
    visualization_bg_clr: HexColour = "#C2C2C2"
    visualization_bg_img: str | None = None
    action_parameters: Mapping[ActionParameter, Number] | None = None
    on_brain_error: OnBrainError = "stop"
    name: Named = "world"
