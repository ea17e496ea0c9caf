"""States written as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridarium.world import (
    Box,
    Color,
    Door,
    Exit,
    Field,
    Floor,
    GridObject,
    Key,
    Orientation,
    Position,
    State,
    Stone,
    Vocabulary,
    Wall,
)
from gridarium.world.text_form.state_text import from_text, to_text
from tests.world.written_states import states


@given(states())
def test_a_state_is_read_back_as_it_was_written(state: State) -> None:
    text = to_text(state)
    again = from_text(text)
    assert again.identical(state)
    assert again.vocabulary == state.vocabulary
    assert again.focus == state.focus
    assert to_text(again) == text
    assert from_text(text, state.vocabulary).identical(state)


@given(states())
def test_editors_may_strip_spaces_at_the_ends_of_lines(state: State) -> None:
    text = "\n".join(line.rstrip() for line in to_text(state).splitlines())
    assert from_text(text).identical(state)


@given(st.text(max_size=200))
def test_any_other_text_is_read_or_refused_with_a_place(text: str) -> None:
    try:
        from_text(text)
    except ValueError as error:
        assert str(error).startswith("line ")


@given(states(), st.data())
def test_a_damaged_text_is_read_or_refused_with_a_place(state: State, data: st.DataObject) -> None:
    text = to_text(state)
    at = data.draw(st.integers(0, len(text)))
    put = data.draw(st.text("^v<>.#(),=\"' \n9-K", max_size=3))
    try:
        from_text(text[:at] + put + text[at + data.draw(st.integers(0, 3)) :])
    except ValueError as error:
        assert str(error).startswith("line ")


KEY_AND_DOOR = """\
map
  #####
  #>D.#
  ####E

legend
  #  Wall
  D  Door(LOCKED, YELLOW)
  .  Floor
  E  Exit(NONE)

agents
  >  at 1 1, facing RIGHT, holds Key(YELLOW), energy=3.5

world
  tick 7

vocabulary
  kinds NoneGridObject, Hidden, Floor, Wall, Exit, Door, Key
  colors NONE, YELLOW
  agent field energy float = 10.0
"""


def key_and_door() -> State:
    vocabulary = Vocabulary(
        [Floor, Wall, Exit, Door, Key], [Color.YELLOW], agent_fields=[Field("energy", "float", 10)]
    )
    state = State.blank((3, 5), vocabulary)
    for p in state.grid.area.positions("border"):
        state.grid[p] = Wall()
    state.grid[1, 2] = Door(Door.Status.LOCKED, Color.YELLOW)
    state.grid[2, 4] = Exit()
    state.agent.position, state.agent.orientation = Position(1, 1), Orientation.RIGHT
    state.agent.grid_object, state.agent.energy = Key(Color.YELLOW), 3.5
    state.data[0] = 7
    return state


def test_the_text_of_a_state() -> None:
    assert to_text(key_and_door()) == KEY_AND_DOOR


def test_a_map_alone_is_a_state() -> None:
    state = from_text("""
        ######
        #>.K.#
        ####E#
    """)
    assert state.agent.position == Position(1, 1)
    assert state.agent.orientation == Orientation.RIGHT
    assert state.grid[1, 1] == Floor()
    assert state.grid[1, 3] == Key()
    assert state.grid[2, 4] == Exit()


def test_a_status_may_have_a_character_of_its_own() -> None:
    words = Vocabulary([Floor, Stone])
    state = from_text("xo>\n.ox\n", words)
    assert [cell.status for cell in state.grid.objects[0][:2]] == [Stone.Status.BLACK, Stone.Status.WHITE]
    assert to_text(state).startswith("map\n  xo>\n  .ox\n")


def test_kinds_with_the_same_glyph_do_not_take_it_from_earlier_ones() -> None:
    class Flood(GridObject, register=False):
        glyph = "."

    state = from_text("#>.", Vocabulary([Floor, Wall, Flood]))
    assert state.grid[0, 2] == Floor()


def test_every_arrow_on_a_map_alone_is_an_agent() -> None:
    state = from_text("v.\n.^")
    assert [a.orientation for a in state.agents] == [Orientation.BACKWARD, Orientation.FORWARD]
    assert [a.position for a in state.agents] == [Position(0, 0), Position(1, 1)]


def test_a_legend_gives_symbols_a_meaning() -> None:
    state = from_text("""
        <1v
legend
    1  Box(Key(RED))
    v  Door(OPEN)
""")
    assert state.grid[0, 1] == Box(Key(Color.RED))
    assert state.grid[0, 2] == Door(Door.Status.OPEN, Color.NONE)
    assert len(state.agents) == 1


def test_several_agents_are_numbered() -> None:
    state = State.blank((1, 3), agents=2)
    state.agents[1].position = Position(0, 2)
    text = to_text(state)
    assert "  0.1\n" in text
    assert "  1  at 0 2, facing FORWARD\n" in text


def test_what_an_agent_stands_on_is_said() -> None:
    state = State.blank((1, 2))
    state.grid[0, 0] = Exit(Color.GREEN)
    assert "facing FORWARD, on Exit(GREEN)\n" in to_text(state)


def test_walls_on_edges_stand_between_cells() -> None:
    state = State.blank((2, 3), Vocabulary([Floor], edges=True))
    state.grid.set_wall(Position(0, 0), Position(0, 1))
    state.grid.set_wall(Position(0, 2), Position(1, 2))
    assert "map\n  ^|. .\n   + +-\n  . . .\n" in to_text(state)


def test_two_objects_of_a_kind_have_two_symbols() -> None:
    state = State.blank((1, 3))
    state.grid[0, 1], state.grid[0, 2] = Key(Color.RED), Key(Color.BLUE)
    assert "map\n  ^Kb\n" in to_text(state)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1, column 1: there is no map"),
        ("##\n#>.", "line 2, column 1: a row of 3 cells; the first one has 2"),
        ("##\n..", "line 1, column 1: no agent is on the map; put one of ^ v < > on it"),
        ("#>\n#@", "line 2, column 2: @ is undefined; defined symbols: "),
        (
            "#>D",
            "column 3: D is ambiguous; define it under `legend`, such as D  Door(OPEN, NONE)",
        ),
        (
            "#>B",
            "column 3: B is ambiguous; define it under `legend`, such as B  Box(Floor)",
        ),
        ("> #", "line 1, column 2: a hole in the map"),
        (
            ">#\nlegend\n  # Doar",
            "line 3, column 5: 'Doar' is not among this world's objects: NoneGridObject",
        ),
        (">#\nlegend\n  # Door", "line 3, column 5: Door needs a status: OPEN, CLOSED, LOCKED"),
        (">#\nlegend\n  # Door(AJAR)", "line 3, column 5: 'AJAR' is not among OPEN, CLOSED, LOCKED"),
        (">#\nlegend\n  # Wall(OPEN)", "a closing bracket is needed here; Wall takes nothing in brackets"),
        (
            ">#\nlegend\n  # Wall\n  # Floor",
            "line 4, column 3: # is said a second time; the first was in line 3",
        ),
        (">#\nlegend\n  #Wall", "line 3, column 4: a space is needed after the symbol #"),
        (">#\nlegend\n  # Wall Floor", "line 3, column 10: nothing more is expected here"),
        ('>#\nlegend\n  # Key("RED)', "line 3, column 9: a quotation mark that is never closed"),
        (">#\nagents\n  > at 0 1", "line 3, column 3: > is at 0 0 on the map, not at 0 1"),
        (">#\nagents\n  > facing LEFT", "line 3, column 3: > faces RIGHT, not LEFT"),
        (">#\nagents\n  0 at 0 0", "line 3, column 3: say where 0 faces: `facing FORWARD`"),
        (">#\nagents\n  < on Wall", "line 1, column 1: > is undefined"),
        (".#\nagents\n  < on Wall", "line 3, column 3: < is not on the map; say where it is"),
        (".#\nagents\n  < at 0 0, on Wall", "< is not on the map, so it cannot stand on anything"),
        (
            ">#\nagents\n  > nice",
            "line 3, column 5: 'nice' says nothing about an agent; there are at, facing",
        ),
        (">#\nagents\n  > busy 1, busy 2", "busy is said a second time"),
        (">#\nagents\n  > holds Key energy=3", "line 3, column 15: a comma is needed here"),
        (">#\nagents\n  > energy=3", "line 3, column 5: 'energy' is unknown here; known are: none"),
        (">>\nagents\n  > gone", "line 1, column 2: the agent > is on the map already"),
        (".#\nagents", "line 2, column 1: at least one agent is needed"),
        (">#\nworld\n  tick soon", "line 3, column 8: a whole number is needed here, not 'soon'"),
        (">#\nworld\n  heat 3", "line 3, column 3: 'heat' says nothing about the world"),
        (">#\nmap\n  >", "line 2, column 1: cells is said a second time"),
        (">#\nvocabulary\n  kinds Floor, Wool", "line 3, column 16: no object 'Wool'"),
        (">#\nvocabulary\n  agent field x", "line 3, column 16: bool, int or float is needed here"),
        (">#\nvocabulary\n  sizes 3", "line 3, column 3: 'sizes' says nothing about a vocabulary"),
        (
            ">#\nvocabulary\n  kinds Floor, Wall\n  edges",
            "line 1, column 2: | or a space belongs between cells",
        ),
    ],
)
def test_what_does_not_fit_is_named_with_line_and_column(text: str, message: str) -> None:
    with pytest.raises(ValueError) as raised:
        from_text(text)
    assert message in str(raised.value)
    assert str(raised.value).startswith("line ")


def test_an_agent_whose_heading_does_not_matter_is_no_arrow() -> None:
    words = Vocabulary([Wall, Exit], headings=False)
    state = from_text("#@E", words)
    assert state.agent.position == Position(0, 1) and state.agent.orientation == Orientation.FORWARD
    state.agent.orientation = Orientation.LEFT
    text = to_text(state)
    assert text.startswith("map\n  #@E\n")
    for again in (from_text(text), from_text(text, words), from_text("#<E", words)):
        assert again.identical(state)
