"""A state as readable text, and back, exactly.

    map
      #######
      #.>.D.#
      #######

    legend
      #  Wall
      .  Floor
      D  Door(LOCKED, YELLOW)

    agents
      >  at 1 2, facing RIGHT, holds Key(YELLOW), energy=3.5

    world
      tick 3, episode 1, key 0x8a5cd789635d2dff
      heat=1.5

    vocabulary
      kinds NoneGridObject, Hidden, Floor, Wall, Door, Key
      colors NONE, YELLOW
      agent field energy float = 10.0
      world field heat float = 0.0

Only the map is required, even without its heading: symbols missing from the legend are the glyphs of kinds (of the
first, where several share one), `^ v < >` are agents (`@`, too, where headings do not matter), everything else is as in a cleared state. `on` gives the object
under an agent; the default is Floor. In worlds with walls on edges, every second row and column of the map lies between
cells: `|` and `-` are walls there.
"""

from __future__ import annotations

from typing import Any

from gridarium.world.agent import ACTION
from gridarium.world.objects import Floor
from gridarium.world.sketch import Sketch, sketch
from gridarium.world.state import State
from gridarium.world.text_form.line import misread, written, written_thing, written_value
from gridarium.world.text_form.plain_data import FIELD_GROUPS, InvalidData, hexadecimal, object_record
from gridarium.world.text_form.reader import GROUP_NAMES, Reader
from gridarium.world.text_form.record import CLOCK, from_record, to_record
from gridarium.world.vocabulary import Vocabulary


def to_text(state: State) -> str:
    """A state as text. `from_text` restores a state that is `identical` to it."""
    record, picture = to_record(state), sketch(state.grid, state.agents)
    sections = {
        "map": map_lines(picture),
        "legend": legend_lines(picture),
        "agents": [_agent_line(state, record, picture, i) for i in range(len(state.agents))],
        **({"things": list(map(thing_line, record["things"]))} if "things" in record else {}),
        "world": _world_lines(record),
        "vocabulary": _vocabulary_lines(record["vocabulary"]),
    }
    for field in state.vocabulary.cell_fields:
        rows = record["cell_fields"][field.name]
        sections[f"cell field {field.name}"] = [" ".join(map(written_value, row)) for row in rows]
    return "\n".join(
        "\n".join([name, *(f"  {line}" for line in lines), ""]) for name, lines in sections.items()
    )


def from_text(text: str, vocabulary: Vocabulary | None = None) -> State:
    """The state that a text describes.

    Args:
        text: as `to_text` writes it, or just a map.
        vocabulary: the world's; by default the one in the text, or else all kinds and colors.

    Raises:
        ValueError: the text is invalid; the message gives line and column, and what is allowed.
    """
    reader = Reader(text)
    try:
        vocabulary = reader.vocabulary() if vocabulary is None else vocabulary
        return from_record(reader.record(vocabulary), vocabulary)
    except InvalidData as error:
        raise misread(*reader.places.find(error.path), error.reason) from None


def map_lines(picture: Sketch) -> list[str]:
    """The rows of a sketch as text."""
    return ["".join(symbol for symbol, _ in row).rstrip() for row in picture.rows]


def legend_lines(picture: Sketch) -> list[str]:
    """The meaning of the symbols of a sketch."""
    return [f"{symbol}  {written_thing(object_record(thing))}" for thing, symbol in picture.legend.items()]


def agent_clauses(record: dict[str, Any]) -> list[str]:
    """The clauses of an agent besides its position; defaults are omitted."""
    clauses = [f"facing {record['orientation']}"]
    if record["holds"] is not None:
        clauses.append(f"holds {written_thing(record['holds'])}")
    if not record["active"]:
        clauses.append("gone")
    clauses += [f"{key} {record[key]}" for key in ("result", "busy") if record[key]]
    return clauses + field_clauses(record["fields"])


def field_clauses(fields: dict[str, Any]) -> list[str]:
    """Declared numbers as `name=value`."""
    return [f"{name}={written_value(value)}" for name, value in fields.items()]


def _agent_line(state: State, record: dict[str, Any], picture: Sketch, number: int) -> str:
    own, agent = record["agents"][number], state.agents[number]
    clauses = ["at {} {}".format(*own["position"]), *agent_clauses(own)]
    if picture.shown[number] and type(below := state.grid[agent.position]) is not Floor:
        clauses.append(f"on {written_thing(object_record(below))}")
    if agent.agent_row[ACTION] != 0:
        name = own["action"]
        unknown = name.startswith("Action(")
        clauses.append(f"action {name[len('Action(') : -1] if unknown else written(name)}")
    if "pending" in own:
        clauses.append(f"pending {written(own['pending'])}")
    return f"{picture.agents[number]}  {', '.join(clauses)}"


def thing_line(record: dict[str, Any]) -> str:
    """A thing: its number, its object, where it is, its fields."""
    place = (
        "at {} {}".format(*record["position"]) if "position" in record else f"carried by {record['carrier']}"
    )
    clauses = [
        f"{record['number']}  {written_thing(record['object'])}",
        place,
        *field_clauses(record["fields"]),
    ]
    return ", ".join(clauses)


def _world_lines(record: dict[str, Any]) -> list[str]:
    numbers = {name: record["world"][name] for name in CLOCK}
    said = [f"{name} {n}" for name, n in numbers.items() if name == "tick" or n not in (0, hexadecimal(0))]
    if record["focus"]:
        said.append(f"focus {record['focus']}")
    fields = field_clauses(record["world"]["fields"])
    return [", ".join(said), *([", ".join(fields)] if fields else [])]


def _vocabulary_lines(record: dict[str, Any]) -> list[str]:
    lines = [f"{name} {', '.join(map(written, record[name]))}" for name in ("kinds", "colors")]
    if record["edges"]:
        lines.append("edges")
    if "bodiless" in record:
        lines.append(f"bodiless {record['bodiless']}")
    if "things" in record:
        things = record["things"]
        kinds = "".join(f", {written(kind)}" for kind in things["kinds"])
        lines.append(f"things {things['capacity']} carried {things['carried']}{kinds}")
    for action in record.get("actions", ()):
        ranges = (f"{written(name)} {over}" for name, over in action["over"].items())
        over = f" over {', '.join(ranges)}" if action["over"] else ""
        takes = f" takes {action['duration']}" if "duration" in action else ""
        lines.append(f"action {written(action['name'])}{takes}{over}")
    for group, name in zip(FIELD_GROUPS, GROUP_NAMES, strict=True):
        for f in record[group]:
            kind = " ".join([f["type"], *map(str, f.get("shape", ()))])
            lines.append(f"{name} {f['name']} {kind} = {written_value(f['default'])}")
    return lines
