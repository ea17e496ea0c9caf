"""The protocol of reset rules and their registry."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from gridarium.rules.registry import FunctionRegistry

ResetFunction: TypeAlias = Callable[..., None]
reset_function_registry = FunctionRegistry("reset", ("state",))
factory = reset_function_registry.factory
