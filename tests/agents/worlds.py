"""Small worlds for planners, interpreted."""

from functools import partial

from gridarium.engine import World
from gridarium.rules.pursuit import move_past_agents, pursuit, pursuit_over
from gridarium.rules.transition_functions import move_agent, slip
from gridarium.world import Action, Exit, Floor, Position, Wall
from gridarium.worlds import Description, Spec

COMPASS = [Action.LEFT, Action.DOWN, Action.RIGHT, Action.UP]
CORRIDOR = {
    "objects": [Floor, Wall, Exit],
    "actions": COMPASS,
    "map": {"picture": "^...E"},
    "rewards": ["reach_exit"],
    "terminations": ["reach_exit"],
    "observation": "full_grid",
}


def ruled(*transitions, **options) -> World:
    """A corridor in which transition rules of one's own do what they like."""
    return World(Spec.build(**CORRIDOR | {"transitions": list(transitions)} | options), compiled=False)


def slippery(probability: float, slip_type: str) -> World:
    """Open floor on which one slips, begun in its middle."""
    rule = partial(slip, transition_function=move_agent, probability=probability, slip_type=slip_type)
    return ruled(rule, map={"picture": "......\n......\n..^...\n......\n.....E"})


def chase(picture: str = "^..\n...\nv.E", **options) -> World:
    """Two agents by turns: the first wants to reach the exit, the second to catch it. No luck."""
    given = {"agents": 2, "turn_order": "cycle", "rewards": [pursuit], "terminations": [pursuit_over]}
    return ruled(move_past_agents, map={"picture": picture}, **given | options)


def from_yaml(**changes) -> World:
    """The 4 x 3 world of the textbook, with changes."""
    given = World("FourByThree").spec.description.to_dict()
    return World(Description.from_dict(given | changes), compiled=False)


def at(position: Position) -> tuple[int, int]:
    """A position as a pair."""
    return position.y, position.x
