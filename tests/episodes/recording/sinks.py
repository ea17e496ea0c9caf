"""Sinks for tests."""


class Refuses:
    """A sink that takes nothing while it is full."""

    def __init__(self):
        self.full, self.kept = True, []

    def __call__(self, given):
        if self.full:
            raise OSError("the disk is full")
        self.kept.append(given)
