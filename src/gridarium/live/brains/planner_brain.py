"""A brain that plans on the core world."""

from __future__ import annotations

from gridarium.agents import Policy
from gridarium.engine import World
from gridarium.live.brains.policy_brain import PolicyBrain
from gridarium.live.perception import State
from gridarium.live.world_interface import WorldInterface


def _has_aims(world: World) -> bool:
    return bool(world.spec.rewards or world.spec.outcome)


class PlannerBrain(PolicyBrain):
    """Does what a planner of `gridarium.agents` chooses, which knows the whole state and the rules of a world.

    Planners look for rewards. By default, those are what follows from the live world's goals, see `GridWorld.description`: that brings
    something about with a `CollectionGoal`. For others, give the planner a world whose description has rewards.

    Args:
        planner: a planner, or a class of them that is made anew for each world: `MCTS`, `Expectimax`, `Planner`,
            `ValueIteration`, `POMCP` and so on; or the name of one, as for `PolicyBrain`. What the other agents do is modelled as it is told, see its parameter
            `others`; `Planner` lets them stay where they are.
        world: the world in which it thinks, with the same objects, things and agents; by default the live world's core if that has
            rewards, else the description of the live world when it decides first.

    Raises:
        TypeError: not a planner.
        ValueError: the world has neither rewards nor an outcome rule; found out by the first decision if it is the live world.

    Example:
        >>> brain = PlannerBrain(MCTS(500, others="idle"), World(description, rewards=["reach_exit"]))
    """

    def __init__(self, planner: Policy | str, world: World | None = None) -> None:
        super().__init__(planner, world)
        if world is not None:
            self._check_world(world)

    def _world_to_think_in(self, live: WorldInterface, state: State) -> World:
        world = super()._world_to_think_in(live, state)
        if world is not live.core or _has_aims(world):
            return world
        try:
            described = live.description(drop_properties=True)
        except ValueError as error:
            raise ValueError(
                f"{world.name} has no rewards, and none follow from its goals: {error}"
            ) from None
        return World(described, compiled=world.composed.wants_compiled)

    def _check_world(self, world: World) -> None:
        if not _has_aims(world):
            raise ValueError(
                f"{world.name} has no rewards, so there is nothing to plan for; give {type(self).__name__} a world that has"
            )
