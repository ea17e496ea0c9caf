"""A brain that plans on the core world."""

from __future__ import annotations

from gridarium.agents import Policy
from gridarium.engine import World
from gridarium.live.brains.policy_brain import PolicyBrain


class PlannerBrain(PolicyBrain):
    """Does what a planner of `gridarium.agents` chooses, which knows the whole state and the rules of a world.

    Planners look for rewards. A live world's goals are no rewards; so give the planner a world whose description has rewards,
    or be sure that the live world's core has.

    Args:
        planner: a planner, or a class of them that is made anew for each world: `MCTS`, `Expectimax`, `Planner`,
            `ValueIteration`, `POMCP` and so on. What the other agents do is modelled as it is told, see its parameter
            `others`; `Planner` lets them stay where they are.
        world: the world in which it thinks, with the same objects, things and agents; by default the live world's core.

    Raises:
        TypeError: not a planner.
        ValueError: the world has neither rewards nor an outcome rule; found out by the first decision if it is the live
            world's core.

    Example:
        >>> brain = PlannerBrain(MCTS(500, others="idle"), World(description, rewards=["reach_exit"]))
    """

    def __init__(self, planner: Policy, world: World | None = None) -> None:
        super().__init__(planner, world)
        if world is not None:
            self._check_world(world)

    def _check_world(self, world: World) -> None:
        if not (world.spec.rewards or world.spec.outcome):
            raise ValueError(
                f"{world.name} has no rewards, so there is nothing to plan for; give {type(self).__name__} a world that has"
            )
