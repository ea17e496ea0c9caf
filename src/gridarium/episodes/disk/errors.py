"""What goes wrong with episodes on disk."""

from __future__ import annotations


class DatasetError(ValueError):
    """Files that are no episodes, damaged, or in a format that this version does not read."""
