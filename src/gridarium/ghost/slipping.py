"""Where moves lead on slippery ground, exactly."""

from __future__ import annotations

import numpy as np

from gridarium.beliefs.motion import Motion
from gridarium.ghost.settings import slip_type as checked_slip_type
from gridarium.ghost.ways import Ways
from gridarium.rules.outcomes import slip_outcomes
from gridarium.world import Action

MOVES = (Action.LEFT, Action.DOWN, Action.RIGHT, Action.UP)


def motion(slip_prob: float, slip_type: str, ways: Ways) -> Motion:
    """Where each action leads on slippery ground, exactly.

    Raises:
        ValueError: another slip type, or a probability outside [0, 1].
    """
    checked_slip_type("slip_type", slip_type)
    listed = [slip_outcomes(move, slip_prob, slip_type) for move in MOVES]
    most = max(map(len, listed))
    here = np.arange(len(ways.next))
    targets = np.repeat(here[None, :, None], most, axis=2).repeat(4, axis=0)
    shares = np.zeros(targets.shape)
    for a, ends in enumerate(listed):
        for k, (share, moves) in enumerate(ends):
            there = here
            for move in moves:
                there = ways.table[there, MOVES.index(move)]
            targets[a, :, k], shares[a, :, k] = there, share
    return Motion(targets, shares)
