"""The vision sensor where CustomGridEnv has it."""

from gridarium.ghost.vision import VisionSensor

__all__ = ["VisionSensor"]
