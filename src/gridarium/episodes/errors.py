"""The errors of episodes.

They also have the classes that RLlib raises in the same cases, so that code which catches those keeps working.
"""

from __future__ import annotations


class EpisodeError(ValueError, AssertionError):
    """Data that does not fit into an episode, or a call that its state does not allow."""


class EpisodeOverError(EpisodeError, RuntimeError):
    """A step or chunk was to be added to an episode that is over."""


class EpisodeIndexError(EpisodeError, IndexError):
    """The number of items does not match the indices to which they are written."""


class MultiAgentEnvError(EpisodeError):
    """A step of an environment with several agents that cannot be added."""


class DatasetError(ValueError):
    """Files that are not episodes, are damaged, or have a format that this version does not read."""
