"""Exact enumeration of a rule's outcomes: the rule is run once per combination of random draws."""

from gridarium.rules.outcomes.errors import NotEnumerable
from gridarium.rules.outcomes.transition_outcomes import outcomes, slip_outcomes

__all__ = ["NotEnumerable", "outcomes", "slip_outcomes"]
