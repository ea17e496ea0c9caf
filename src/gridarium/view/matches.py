"""What people are told about agents that play against each other, or act in turns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gridarium.engine import World


def is_match(world: World) -> bool:
    """Whether agents play against each other: several that are bound by legal rules, or that have no bodies."""
    bodies = [world.spec.vocabulary.has_body(agent) for agent in range(world.spec.agents)]
    return len(bodies) > 1 and (world.spec.has_masks or not any(bodies))


def takes_turns(world: World) -> bool:
    """Whether the agents of a world act one after another, or as rules say."""
    return world.spec.agents > 1 and world.spec.turn_order in ("cycle", "chosen")


def outcome_in_words(world: World, returns: Sequence[float]) -> str:
    """Who has won at the end of a match, by the returns of all agents; empty in other worlds."""
    if not is_match(world):
        return ""
    winners = [agent for agent, total in enumerate(returns) if total == max(returns)]
    if len(winners) == len(returns):
        return "A draw"
    return capitalized(f"{agents_in_words(world, winners)} {'has' if len(winners) == 1 else 'have'} won")


def agents_in_words(world: World, agents: Iterable[int]) -> str:
    """The names of agents for people."""
    return " and ".join(world.spec.agent_names[agent].replace("_", " ") for agent in agents)


def capitalized(text: str) -> str:
    """A text that begins with a capital letter, and otherwise is as it was."""
    return text[:1].upper() + text[1:]
