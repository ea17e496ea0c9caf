"""What episodes raise when they are used wrongly.

The classes are also what other episode libraries raise in these places, so that code which catches those goes on working.
"""

from __future__ import annotations


class EpisodeError(ValueError, AssertionError):
    """Data that does not belong in an episode, or a call that its state does not allow."""


class EpisodeOverError(EpisodeError, RuntimeError):
    """An episode that is over was to go on."""


class EpisodeIndexError(EpisodeError, IndexError):
    """Data whose number does not fit the indices that it is written to."""


class MultiAgentEnvError(EpisodeError):
    """An environment of several agents gave data that does not go together."""
