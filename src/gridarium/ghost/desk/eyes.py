"""The vision sensor of a desk, where there is one."""

from __future__ import annotations

from typing import Any


def vision_sensor() -> tuple[Any, str]:
    """The shipped vision sensor and "", or None and why there is none."""
    import gridarium.ghost

    made = getattr(gridarium.ghost, "VisionSensor", None)
    if made is None:
        return None, "no vision sensor comes along; pass one as vision_sensor="
    try:
        sensor = made()
    except (ImportError, OSError, ValueError) as error:
        return None, str(error)
    if getattr(sensor, "model", sensor) is None:
        return None, "the vision sensor has no model"
    return sensor, ""
