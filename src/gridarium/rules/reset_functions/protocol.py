"""What a reset rule is, and the registry of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from gridarium.rules.registry import FunctionRegistry

ResetFunction: TypeAlias = Callable[..., None]
reset_function_registry = FunctionRegistry("reset", ("state",))
factory = reset_function_registry.factory
