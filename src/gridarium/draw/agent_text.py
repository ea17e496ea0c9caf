"""What is said of an agent to people; headings are those of the map."""

from __future__ import annotations

from gridarium.rules.results import text_of
from gridarium.world.agent import Agent
from gridarium.world.geometry import Orientation
from gridarium.world.objects import NoneGridObject
from gridarium.world.text_form.line import written_thing
from gridarium.world.text_form.plain_data import object_record
from gridarium.world.text_form.record import agent_record
from gridarium.world.text_form.state_text import field_clauses

HEADINGS = {
    Orientation.FORWARD: "up",
    Orientation.BACKWARD: "down",
    Orientation.LEFT: "left",
    Orientation.RIGHT: "right",
}


def agent_words(agent: Agent) -> list[str]:
    """What is worth saying about an agent besides where it is: heading, load, what came of its action, numbers."""
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
