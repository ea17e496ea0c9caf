"""TODO replaced by GridWorld."""

from typing import Any

GridWorld = Any
