"""The outcomes of a transition rule with their exact probabilities, for planners and filters."""

from __future__ import annotations

from gridarium.rules.calling import call_rule
from gridarium.rules.outcomes.enumerator import OutcomeEnumerator, without_branching
from gridarium.rules.outcomes.errors import NotEnumerable
from gridarium.rules.transition_functions import TransitionFunction, check_slip, sideways
from gridarium.world.actions import Action
from gridarium.world.state import State


def outcomes(rule: TransitionFunction, state: State, action: Action) -> list[tuple[float, State]]:
    """All possible results of a transition rule in a state, with probabilities that add up to 1.

    The rule is run once per combination of random draws, so it need not declare its distribution. Several combinations
    may lead to equal states.

    Args:
        rule: the rule, with its parameters bound by `functools.partial`.
        state: from the point of view of the agent that acts; unchanged.
        action: the action of that agent.

    Raises:
        NotEnumerable: the rule's random draws have no small number of branches.
        Exception: raised by the rule.

    Example:
        >>> slipping = functools.partial(slip, transition_function=move_agent, probability=0.2)
        >>> [probability for probability, _ in outcomes(slipping, state, Action.UP)]
        [0.1, 0.1, 0.8]
    """
    enumerator = OutcomeEnumerator()

    def run() -> State:
        after = enumerator.branching(state)
        call_rule(rule, (after, action), after.rng)
        return without_branching(after, state.focus)

    try:
        return enumerator.enumerate(run)
    except NotEnumerable as error:
        name = getattr(getattr(rule, "func", rule), "__name__", repr(rule))
        raise NotEnumerable(f"the outcomes of transition rule {name} cannot be enumerated: {error}") from None


def slip_outcomes(
    action: Action, probability: float, slip_type: str = "longitudinal"
) -> list[tuple[float, tuple[Action, ...]]]:
    """The outcomes of a move on slippery ground (see the transition rule `slip`).

    Args:
        action: the intended action; only moves slip.
        probability: the probability to slip, 0 to 1.
        slip_type: "longitudinal" or "perpendicular".

    Returns:
        (probability, the moves made in sequence); outcomes with probability 0 are omitted.

    Raises:
        ValueError: an unknown slip type, or a probability outside [0, 1].

    Example:
        >>> slip_outcomes(Action.UP, 0.2)
        [(0.8, (Action.UP,)), (0.1, ()), (0.1, (Action.UP, Action.UP))]
    """
    check_slip(probability, slip_type)
    if not (action.is_move() or action.is_compass()):
        return [(1.0, (action,))]
    slipped: tuple[tuple[Action, ...], ...] = ((), (action, action))
    if slip_type == "perpendicular":
        slipped = ((sideways(action, 0),), (sideways(action, 1),))
    listed = [(1.0 - probability, (action,)), *((probability / 2, moves) for moves in slipped)]
    return [(chance, moves) for chance, moves in listed if chance > 0]
