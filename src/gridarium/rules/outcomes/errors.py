"""Errors of outcome enumeration."""

from __future__ import annotations


class NotEnumerable(Exception):
    """A rule's random draws have no small number of branches."""
