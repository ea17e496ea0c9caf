"""Hypothesis strategies for states of every shape, as the tests of written states use them."""

from __future__ import annotations

import enum
from typing import Any

from hypothesis import strategies as st

from gridarium.world import (
    Action,
    Box,
    Color,
    Door,
    Exit,
    Field,
    Floor,
    GridObject,
    Hidden,
    Key,
    NoneGridObject,
    Orientation,
    Position,
    State,
    Vocabulary,
    Wall,
)
from gridarium.world.text_form.plain_data import bits_of

SKY = Color("sky blue, (light)", rgb=(150, 200, 255), mark="s")
JUMP = Action.declare("WRITTEN_JUMP")


class Puddle(GridObject):
    """A kind whose glyph is that of an agent among several, and that has statuses, a color and a place for things."""

    class Status(enum.IntEnum):
        """How deep."""

        SHALLOW = 0
        DEEP = 1

    glyph = "1"
    colored = contains = True


class Rail(GridObject):
    """A kind whose glyph is another's."""

    glyph = "."
    holdable = True


KINDS = (Floor, Wall, Door, Key, Box, Exit, Puddle, Rail)
INT64 = st.integers(-(1 << 63), (1 << 63) - 1)
NUMBERS: dict[str, st.SearchStrategy[Any]] = {"bool": st.booleans(), "int": INT64, "float": st.floats()}


@st.composite
def vocabularies(draw: st.DrawFn) -> Vocabulary:
    def fields(*names: str) -> list[Field]:
        chosen = draw(st.lists(st.sampled_from(names), unique=True))
        types = [draw(st.sampled_from(["bool", "int", "float"])) for _ in chosen]
        finite = {**NUMBERS, "float": st.floats(allow_nan=False)}
        return [Field(n, t, draw(finite[t])) for n, t in zip(chosen, types, strict=True)]  # type: ignore[arg-type]

    return Vocabulary(
        draw(st.permutations(KINDS)),
        draw(st.lists(st.sampled_from([*Color, SKY]))),
        world_fields=fields("heat", "key", "größe"),
        agent_fields=fields("energy", "facing", "gone"),
        cell_fields=fields("depth", "map"),
        edges=draw(st.booleans()),
    )


@st.composite
def things(draw: st.DrawFn, vocabulary: Vocabulary, *, inside: bool = False) -> GridObject:
    kinds = [
        k for k in vocabulary.kinds.values() if not (inside and (k.contains or k in (NoneGridObject, Hidden)))
    ]
    kind = draw(st.sampled_from(kinds))
    values: dict[str, Any] = {}
    for name in kind.parameters():
        if name == "content":
            values[name] = draw(things(vocabulary, inside=True))
        else:
            choices = kind.statuses() if name == "status" else list(vocabulary.colors.values())
            values[name] = draw(st.sampled_from(choices))
    return kind(**values)


@st.composite
def states(draw: st.DrawFn) -> State:
    """Any state that can be made through the library, its clock and keys included."""
    vocabulary = draw(vocabularies())
    height, width = draw(st.integers(1, 4)), draw(st.integers(1, 5))
    state = State.blank((height, width), vocabulary, draw(st.integers(1, 12)))
    for p in state.grid.positions():
        state.grid[p] = draw(things(vocabulary))
        for q in (p + Position(0, 1), p + Position(1, 0)):
            if vocabulary.edges and state.grid.contains(q):
                state.grid.set_wall(p, q, draw(st.booleans()))
        for field in vocabulary.cell_fields:
            state.grid.set_number(field.name, p, draw(NUMBERS[field.type]))
    for agent in state.agents:
        agent.active = draw(st.booleans())
        rows, columns = (range(height), range(width)) if agent.active else (range(-9, 99), range(-9, 99))
        agent.position = Position(draw(st.sampled_from(rows)), draw(st.sampled_from(columns)))
        agent.orientation = Orientation(draw(st.integers(0, 3)))
        agent.grid_object = draw(things(vocabulary))
        agent.result, agent.busy = draw(INT64), draw(INT64)
        agent.agent_row[7] = draw(st.sampled_from([0, 6, JUMP.value, 12345]))
        for i, field in enumerate(vocabulary.agent_fields, 8):
            agent.agent_row[i] = bits_of(draw(NUMBERS[field.type]), field.type)
    state.data[:8] = draw(st.lists(INT64, min_size=8, max_size=8))
    for i, field in enumerate(vocabulary.world_fields, 8):
        state.data[i] = bits_of(draw(NUMBERS[field.type]), field.type)
    return state.seen_by(draw(st.integers(0, len(state.agents) - 1)))
