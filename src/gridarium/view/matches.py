"""What people are told about agents that play against each other, or act in turns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from gridarium.engine import World
from gridarium.env.human import short
from gridarium.world import Action, State


def is_match(world: World) -> bool:
    """Whether agents play against each other: several that are bound by legal rules, or that have no bodies."""
    bodies = [world.spec.vocabulary.has_body(agent) for agent in range(world.spec.agents)]
    return len(bodies) > 1 and (world.spec.has_masks or not any(bodies))


def takes_turns(world: World) -> bool:
    """Whether the agents of a world act one after another, or as rules say."""
    return world.spec.agents > 1 and world.spec.turn_order in ("cycle", "chosen")


def waited(world: World, state: State) -> list[int]:
    """The agents that only waited for their turn in the tick that led to a state; none in a world without turns."""
    if not takes_turns(world):
        return []
    return [i for i, agent in enumerate(state.agents) if agent.action == Action.WAIT]


def outcome_in_words(world: World, returns: Sequence[float], last: State) -> str:
    """What has come of an episode: who has won a match, and numbers where an outcome rule says more; else empty.

    Args:
        world: the world.
        returns: of all agents: their outcomes if the world has no outcome rule.
        last: the state in which the episode has ended.
    """
    has_rule = world.spec.outcome is not None
    if not has_rule and not is_match(world):
        return ""
    outcomes: list[float] = np.ravel(world.outcomes(last)).tolist() if has_rule else list(returns)
    if len(outcomes) == 1:
        return f"Outcome {short(outcomes[0])}"
    listed = ", ".join(
        f"{agents_in_words(world, [agent])} {short(own)}" for agent, own in enumerate(outcomes)
    )
    if not is_match(world):
        return f"Outcomes: {listed}"
    winners = [agent for agent, own in enumerate(outcomes) if own == max(outcomes)]
    won = f"{agents_in_words(world, winners)} {'has' if len(winners) == 1 else 'have'} won"
    words = "A draw" if len(winners) == len(outcomes) else capitalized(won)
    return f"{words} ({listed})" if has_rule and not {-1.0, 0.0, 1.0}.issuperset(outcomes) else words


def agents_in_words(world: World, agents: Iterable[int]) -> str:
    """The names of agents for people."""
    return " and ".join(world.spec.agent_names[agent].replace("_", " ") for agent in agents)


def capitalized(text: str) -> str:
    """A text that begins with a capital letter, and otherwise is as it was."""
    return text[:1].upper() + text[1:]
