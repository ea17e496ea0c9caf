"""Looking back: where the agent was, given everything that was measured later too, and the most likely path.

Steps are numbered from 0, the place before the first action. `actions[t]` leads from step t to step t + 1, and
`likelihoods[t]` is what was measured at step t, so there is one more of them; a row of ones where nothing was measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gridarium.beliefs.belief import Floats, Impossible, Ints, Prior
from gridarium.beliefs.places.model import PlaceModel, check_model
from gridarium.engine.arguments import floats
from gridarium.rules.limits import is_list
from gridarium.world import Action


class Smoothed(NamedTuple):
    """Beliefs about every step.

    Attributes:
        smoothed: float64[steps, places]: given all measurements.
        filtered: float64[steps, places]: given those up to the step.
        log_likelihood: the log of the probability of all measurements (nats).
    """

    smoothed: Floats
    filtered: Floats
    log_likelihood: float


def forward_backward(
    model: PlaceModel, actions: Sequence[Action | int], likelihoods: npt.ArrayLike, prior: Prior = None
) -> Smoothed:
    """The beliefs about the agent's place at every step, given all measurements.

    Args:
        model: the world as it is known.
        actions: of the agent: `Action`s or indices, [steps - 1].
        likelihoods: float[steps, places], see `PlaceModel.likelihoods`.
        prior: the belief before the first measurement (see `Places.belief`).

    Raises:
        Impossible: the measurements cannot be.
        TypeError: not a model, or not a list of actions.
        ValueError: the numbers of actions and likelihoods do not fit.

    Source: Rabiner (1989), the scaled forward-backward algorithm.
    """
    did, seen = _checked(model, actions, likelihoods)
    filtered, scales = np.empty_like(seen), np.empty(len(seen))
    belief = model.places.belief(prior)
    for t, likelihood in enumerate(seen):
        if t:
            belief = model.motion.predict(did[t - 1], belief)
        belief = belief * likelihood
        scales[t] = belief.sum()
        if scales[t] <= 0:
            raise Impossible(
                f"what was measured at step {t} has no probability at any place thought possible"
            )
        belief = filtered[t] = belief / scales[t]
    smoothed, later = filtered.copy(), np.ones(seen.shape[1])
    for t in range(len(did) - 1, -1, -1):
        later = model.motion.expected(did[t], later * seen[t + 1]) / scales[t + 1]
        smoothed[t] = filtered[t] * later
        smoothed[t] /= smoothed[t].sum()
    return Smoothed(smoothed, filtered, float(np.log(scales).sum()))


def most_likely_path(
    model: PlaceModel, actions: Sequence[Action | int], likelihoods: npt.ArrayLike, prior: Prior = None
) -> tuple[Ints, float]:
    """The most probable sequence of places, given all measurements; arguments as of `forward_backward`.

    Returns:
        int64[steps]: the numbers of the places; of several equally probable paths, one.
        the log of the probability (or density) of this path and the measurements together (nats).

    Raises:
        Impossible, ValueError: as `forward_backward`.

    Source: Viterbi (1967).
    """
    did, seen = _checked(model, actions, likelihoods)
    count = seen.shape[1]
    with np.errstate(divide="ignore"):
        scores = np.log(model.places.belief(prior)) + np.log(seen[0])
        came_from = np.zeros((len(did), count), np.int64)
        for t, action in enumerate(did):
            targets = model.motion.targets[action]
            ways = scores[:, None] + np.log(model.motion.probabilities[action])
            order = np.argsort(ways, axis=None, kind="stable")  # the best way to a place is written last
            scores = np.full(count, -np.inf)
            scores[targets.ravel()[order]] = ways.ravel()[order]
            came_from[t, targets.ravel()[order]] = order // targets.shape[1]
            scores += np.log(seen[t + 1])
    best = int(scores.argmax())
    if scores[best] == -np.inf:
        raise Impossible("no path explains what was measured")
    path = [best]
    for back in came_from[::-1]:
        path.append(int(back[path[-1]]))
    return np.array(path[::-1], np.int64), float(scores[best])


def _checked(
    model: PlaceModel, actions: Sequence[Action | int], likelihoods: npt.ArrayLike
) -> tuple[list[int], Floats]:
    check_model(model)
    if not is_list(actions):
        raise TypeError(f"actions are a list of what the agent did, not {actions!r}")
    seen = floats(likelihoods, "likelihoods (see PlaceModel.likelihoods)")
    seen = np.array([model.likelihood(row) for row in (seen if seen.ndim else ())])
    if len(seen) != len(actions) + 1:
        raise ValueError(
            f"there is a likelihood for the first step and one after each action: {len(actions) + 1}, not {len(seen)}"
        )
    return [model.action(action) for action in actions], seen
