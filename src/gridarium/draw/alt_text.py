"""Scenes and agents in words: for those who cannot see a picture, and for terminals."""

from __future__ import annotations

from collections import defaultdict

from gridarium.draw.scene import agent_count, listed_agents, shown_agents
from gridarium.draw.tables import own_facts, table_of, world_facts
from gridarium.rules.results import text_of
from gridarium.world.agent import Agent
from gridarium.world.geometry import Orientation
from gridarium.world.grid import Grid
from gridarium.world.objects import Floor, Hidden, NoneGridObject, Wall
from gridarium.world.state import Observation, State, seer
from gridarium.world.text_form.line import written_thing
from gridarium.world.text_form.plain_data import object_record
from gridarium.world.text_form.record import shown_agent_fields, shown_world_fields
from gridarium.world.text_form.state_text import field_clauses

MOST_PLACES = 4
"""An object that stands at more places is counted instead."""


def headline(scene: State | Observation | Grid) -> str:
    """Describes a scene in a few words."""
    if isinstance(scene, Grid):
        return f"Grid of {scene.height} x {scene.width} cells"
    if isinstance(scene, State) and table_of(scene.vocabulary) is not None:
        return ", ".join([f"Table, tick {scene.tick}", *world_clauses(scene)])
    size = f"{scene.grid.height} x {scene.grid.width} cells"
    if isinstance(scene, Observation):
        number, agents = seer(scene)
        return f"Observation of {size}" + (f", by agent {number}" if agents > 1 else "")
    return ", ".join([f"State of {size}, tick {scene.tick}", *world_clauses(scene)])


def description(scene: State | Observation) -> str:
    """Lists agents and objects with their positions: row and column, counted from 0 at the upper left."""
    agents, count = shown_agents(scene), agent_count(scene)
    said = []
    for i, agent in agents:
        name = "Agent" if count == 1 else f"Agent {i}"
        said.append(", ".join([f"{name} at {_place(agent.position.yx)}", *agent_words(agent, count)]))
    if table_of(scene.grid.vocabulary) is not None:
        said += [", ".join([f"Agent {i}", *agent_words(agent, count)]) for i, agent in listed_agents(scene)]
    places: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for p in scene.grid.positions():
        try:
            thing = scene.grid[p]
        except ValueError:
            places["unknown"].append(p.yx)
            continue
        if not isinstance(thing, Floor):
            places[written_thing(object_record(thing))].append(p.yx)
    for thing_name, at in places.items():
        few = len(at) <= MOST_PLACES and thing_name not in (Wall.__name__, Hidden.__name__)
        said.append(
            f"{thing_name} at {', '.join(map(_place, at))}" if few else f"{thing_name} in {len(at)} cells"
        )
    return ". ".join(said) + "." if said else "Nothing but floor."


def _place(yx: tuple[int, int]) -> str:
    return f"{yx[0]} {yx[1]}"


HEADINGS = {
    Orientation.FORWARD: "up",
    Orientation.BACKWARD: "down",
    Orientation.LEFT: "left",
    Orientation.RIGHT: "right",
}


def world_clauses(state: State) -> list[str]:
    """The declared numbers of a world that people are shown, where it is a table in words."""
    facts = world_facts(state)
    if facts is None:
        return field_clauses(shown_world_fields(state))
    return [f"{name} {value}" for name, value in facts.items()]


def agent_words(agent: Agent, agents: int) -> list[str]:
    """Describes one of so many agents without its position: heading (that of the map), load, result of its action, fields."""
    said = [f"facing {HEADINGS[agent.orientation]}"] if agent.vocabulary.headings else []
    if not isinstance(agent.grid_object, NoneGridObject):
        said.append(f"holds {written_thing(object_record(agent.grid_object))}")
    if not agent.active:
        said.append("gone")
    if agent.busy:
        said.append(f"busy for {agent.busy} more tick{'s' * (agent.busy != 1)}")
    facts = own_facts(agent, agents)
    if facts is None:
        said += field_clauses(shown_agent_fields(agent))
    else:
        said += [f"{name} {value}" for name, value in facts.items()]
    if agent.result:
        said.append(f"last action: {text_of(agent.result).rstrip('.')}")
    return said
