"""Legal rules: which actions an agent may take now."""

from __future__ import annotations

from gridarium.rules.registry import FunctionRegistry

legal_function_registry = FunctionRegistry("legal", ("state", "action"))
"""Legal rules, `(state, action) -> bool`: whether the agent in focus may take the action now.

Several are joined by *and*. They change nothing, and draw no random numbers. Masks of actions ask them for every action, so
a rule that looks at a few cells is the one to write (a nanosecond or two for each action).
"""
