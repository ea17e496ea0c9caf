"""What may come of a transition rule, exactly: for planners and filters, which need probabilities."""

from __future__ import annotations

from gridarium.rules.calling import call_rule
from gridarium.rules.chance import Explorer, NotEnumerable
from gridarium.rules.luck import BranchingState
from gridarium.rules.transition_functions import TransitionFunction, check_slip, sideways
from gridarium.world.actions import Action
from gridarium.world.state import State


def outcomes(rule: TransitionFunction, state: State, action: Action) -> list[tuple[float, State]]:
    """Everything that a transition rule may make of a state, with probabilities that add up to 1.

    The rule is run once for each way that luck can go, so it needs to declare nothing. Several ways may lead to equal
    states.

    Args:
        rule: its parameters are bound with `functools.partial`.
        state: from the point of view of the agent that acts; unchanged.
        action: of that agent.

    Raises:
        NotEnumerable: the rule's chance has no small number of branches.
        Exception: what the rule raises.

    Example:
        >>> slipping = functools.partial(slip, transition_function=move_agent, probability=0.2)
        >>> [share for share, _ in outcomes(slipping, state, Action.UP)]
        [0.1, 0.1, 0.8]
    """
    explorer = Explorer()

    def walk() -> State:
        after = BranchingState.of(state, explorer)
        call_rule(rule, (after, action), after.rng)
        return after.plain(state.focus)

    try:
        return explorer.leaves(walk)
    except NotEnumerable as error:
        name = getattr(getattr(rule, "func", rule), "__name__", repr(rule))
        raise NotEnumerable(f"what may come of transition rule {name} cannot be listed: {error}") from None


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
    check_slip(probability, slip_type)
    if not (action.is_move() or action.is_compass()):
        return [(1.0, (action,))]
    slipped: tuple[tuple[Action, ...], ...] = ((), (action, action))
    if slip_type == "perpendicular":
        slipped = ((sideways(action, 0),), (sideways(action, 1),))
    listed = [(1.0 - probability, (action,)), *((probability / 2, moves) for moves in slipped)]
    return [(share, moves) for share, moves in listed if share > 0]
