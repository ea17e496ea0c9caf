"""What a conformance check raises."""

from __future__ import annotations


class NotConforming(AssertionError):
    """Something does not keep to its protocol; the message says what, where, and what was expected."""


def require(condition: object, message: str) -> None:
    """Raise `NotConforming` unless a condition holds."""
    if not condition:
        raise NotConforming(message)
