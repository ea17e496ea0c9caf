"""Scenes and agents in words: for those who cannot see a picture, and for terminals."""

from __future__ import annotations

from collections import defaultdict

from gridarium.draw.scene import agent_count, shown_agents
from gridarium.rules.results import text_of
from gridarium.world.agent import Agent
from gridarium.world.geometry import Orientation
from gridarium.world.grid import Grid
from gridarium.world.objects import Floor, Hidden, NoneGridObject, Wall
from gridarium.world.state import Observation, State, seer
from gridarium.world.text_form.line import written_thing
from gridarium.world.text_form.plain_data import object_record
from gridarium.world.text_form.record import agent_record, shown_world_fields
from gridarium.world.text_form.state_text import field_clauses

MOST_PLACES = 4
"""An object that stands at more places is counted instead."""


def headline(scene: State | Observation | Grid) -> str:
    """Describes a scene in a few words."""
    if isinstance(scene, Grid):
        return f"Grid of {scene.height} x {scene.width} cells"
    size = f"{scene.grid.height} x {scene.grid.width} cells"
    if isinstance(scene, Observation):
        number, agents = seer(scene)
        return f"Observation of {size}" + (f", by agent {number}" if agents > 1 else "")
    return ", ".join([f"State of {size}, tick {scene.tick}", *field_clauses(shown_world_fields(scene))])


def description(scene: State | Observation) -> str:
    """Lists agents and objects with their positions: row and column, counted from 0 at the upper left."""
    agents = shown_agents(scene)
    said = []
    for i, agent in agents:
        name = "Agent" if agent_count(scene) == 1 else f"Agent {i}"
        said.append(", ".join([f"{name} at {_place(agent.position.yx)}", *agent_words(agent)]))
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


def agent_words(agent: Agent) -> list[str]:
    """Describes an agent without its position: heading (that of the map), load, result of its action, fields."""
    said = [f"facing {HEADINGS[agent.orientation]}"] if agent.vocabulary.headings else []
    if not isinstance(agent.grid_object, NoneGridObject):
        said.append(f"holds {written_thing(object_record(agent.grid_object))}")
    if not agent.active:
        said.append("gone")
    if agent.busy:
        said.append(f"busy for {agent.busy} more tick{'s' * (agent.busy != 1)}")
    said += field_clauses(agent_record(agent)["fields"])
    if agent.result:
        said.append(f"last action: {text_of(agent.result).rstrip('.')}")
    return said
