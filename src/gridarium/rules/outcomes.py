"""What may come of a random transition rule, listed exactly: for planners and filters, which need probabilities.

An outcome of a rule is a sequence of calls of rules without chance. A rule of your own that draws random numbers lists
its outcomes with `@outcomes_of(rule)`; rules that draw none need not.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeVar

from gridarium.rules.calling import takes_rng
from gridarium.rules.transition_functions import TransitionFunction, chain, sideways, slip, with_probability
from gridarium.world.actions import Action

F = TypeVar("F", bound=Callable[..., Any])
_LISTED: dict[Callable[..., Any], Callable[..., Iterable[Outcome]]] = {}


class Outcome(NamedTuple):
    """One way in which luck can go.

    Attributes:
        probability: of it.
        calls: what is done then, in order: rules without chance, each with the action that it is called with.
    """

    probability: float
    calls: tuple[tuple[TransitionFunction, Action], ...]


class Unlisted(Exception):
    """A rule draws random numbers and does not list its outcomes."""


def outcomes(rule: TransitionFunction, action: Action) -> tuple[Outcome, ...]:
    """All outcomes of a transition rule that have a chance; the probabilities add up to 1.

    Args:
        rule: its parameters are bound with `functools.partial`.
        action: of the agent in focus.

    Raises:
        Unlisted: it draws random numbers and does not list its outcomes.
    """
    function = rule.func if isinstance(rule, functools.partial) else rule
    bound = rule.keywords if isinstance(rule, functools.partial) else {}
    if function in _LISTED:
        return tuple(outcome for outcome in _LISTED[function](action, **bound) if outcome.probability > 0)
    if takes_rng(function):
        name = getattr(function, "__name__", repr(function))
        raise Unlisted(f"transition rule {name} draws random numbers and does not list its outcomes")
    return (Outcome(1.0, ((rule, action),)),)


def outcomes_of(rule: TransitionFunction) -> Callable[[F], F]:
    """Mark a function `(action, *, <the rule's parameters>)` that gives the outcomes of a rule."""

    def mark(listing: F) -> F:
        _LISTED[rule] = listing
        return listing

    return mark


def slip_outcomes(
    action: Action, probability: float, slip_type: str = "longitudinal"
) -> list[tuple[float, tuple[Action, ...]]]:
    """What becomes of a move on slippery ground (see the transition rule `slip`).

    Args:
        action: what the agent wants to do; what is no move does not slip.
        probability: to slip, 0 to 1.
        slip_type: "longitudinal" or "perpendicular".

    Returns:
        (probability, the moves that are made one after another), those with probability 0 left out.

    Raises:
        ValueError: another word, or a probability outside [0, 1].

    Example:
        >>> slip_outcomes(Action.UP, 0.2)
        [(0.8, (Action.UP,)), (0.1, ()), (0.1, (Action.UP, Action.UP))]
    """
    if slip_type not in ("longitudinal", "perpendicular"):
        raise ValueError(f"slip_type is longitudinal or perpendicular, not {slip_type!r}")
    if not 0.0 <= probability <= 1.0:
        raise ValueError(f"the probability to slip is between 0 and 1, not {probability}")
    if not (action.is_move() or action.is_compass()):
        return [(1.0, (action,))]
    slipped: tuple[tuple[Action, ...], ...] = ((), (action, action))
    if slip_type == "perpendicular":
        slipped = ((sideways(action, 0),), (sideways(action, 1),))
    listed = [(1.0 - probability, (action,)), *((probability / 2, moves) for moves in slipped)]
    return [(share, moves) for share, moves in listed if share > 0]


@outcomes_of(slip)
def _slipping(
    action: Action,
    *,
    transition_function: TransitionFunction,
    probability: float,
    slip_type: str = "longitudinal",
) -> Iterable[Outcome]:
    for share, moves in slip_outcomes(action, probability, slip_type):
        for outcome in _one_after_another([(transition_function, move) for move in moves]):
            yield Outcome(share * outcome.probability, outcome.calls)


@outcomes_of(with_probability)
def _perhaps(
    action: Action, *, transition_function: TransitionFunction, probability: float
) -> Iterable[Outcome]:
    for outcome in outcomes(transition_function, action):
        yield Outcome(probability * outcome.probability, outcome.calls)
    yield Outcome(1.0 - probability, ())


@outcomes_of(chain)
def _chained(action: Action, *, transition_functions: tuple[TransitionFunction, ...]) -> Iterable[Outcome]:
    return _one_after_another([(rule, action) for rule in transition_functions])


def _one_after_another(calls: list[tuple[TransitionFunction, Action]]) -> list[Outcome]:
    """The outcomes of several rules, each independent of the others."""
    found = [Outcome(1.0, ())]
    for rule, action in calls:
        found = [
            Outcome(first.probability * then.probability, first.calls + then.calls)
            for first in found
            for then in outcomes(rule, action)
        ]
    return found
