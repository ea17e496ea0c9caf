"""Games without a grid: what lies on the table, as pictures, in words, and as far as a player may see it."""

import numpy as np
import pytest

from gridarium import World
from gridarium.draw import rgb, svg, text
from gridarium.draw.alt_text import description, headline
from gridarium.draw.tables import SIDE, face_down, table_of
from gridarium.engine.painter import Painter
from gridarium.env.human import mosaic
from gridarium.view.replay.frames import FrameEncoder
from gridarium.view.replay.symbols import SymbolTable
from gridarium.worlds import Description, catalogue

TABLES = ["KuhnPoker-3p", "LeducPoker", "RockPaperScissors-2p", "MatrixGame-2x2"]


def world(name: str) -> World:
    return World(name, compiled=False)


def test_every_world_without_a_grid_that_comes_along_has_a_table() -> None:
    for name in catalogue.names():
        given = catalogue.description(name)
        if all(not agent.body for agent in given.agents) and given.shape is None and given.reset:
            assert table_of(world(name).spec.vocabulary) is not None, name


@pytest.mark.parametrize("name", TABLES)
def test_pictures_show_what_lies_on_the_table(name: str) -> None:
    made = world(name)
    states = [made.reset(seed) for seed in range(6)]
    states.append(made.step(states[0], [1] * made.spec.agents)[0])
    pictures = {rgb(state, 16).tobytes() for state in states}
    assert len(pictures) > (1 if "Rock" in name else 3)
    assert rgb(states[0], 16).shape == (SIDE * 16, SIDE * 16, 3)
    assert np.array_equal(Painter(made, 16).picture(made, states[0]), rgb(states[0], 16))
    assert f'width="{SIDE * 16}"' in svg(states[0], tile=16) and len({svg(state) for state in states}) > 1


def test_numbers_are_words() -> None:
    made = world("LeducPoker")
    state = made.reset(3)
    for _ in range(3):
        state = made.step(state, [1, 1])[0]
    lines = text(state).split("\n")
    assert lines == [
        "tick 3  public card King  pot 2  stakes 1, 1  round 1 call, call  round 2 call",
        "0  card Queen",
        "1  card Jack",
    ]
    assert headline(state).startswith("Table, tick 3, public card King, pot 2")
    assert description(state) == "Agent 0, card Queen. Agent 1, card Jack."


def test_payoffs_are_a_row_for_each_choice() -> None:
    made = World("MatrixGame-3x3", payoff_seed=7, compiled=False)
    state = made.step(made.reset(0), [2, 0])[0]
    head, *rows, first, second = text(state).split("\n")
    assert head == "tick 1" and [row.count("|") for row in rows] == [2, 2, 2]
    pair = [round(float(number), 2) for number in np.asarray(state.payoffs)[7]]
    assert rows[2].split(" | ")[1] == "{:.2f} {:.2f}".format(*pair)
    assert (first, second) == ("0  choice 2", "1  choice 0")


def test_cards_of_others_lie_face_down() -> None:
    made = world("KuhnPoker-3p")
    states = [made.reset(seed) for seed in range(12)]
    same = [s for s in states if s.agents[1].card == states[0].agents[1].card]
    assert len({rgb(s).tobytes() for s in same}) > 1
    assert len({rgb(face_down(s, [1])).tobytes() for s in same}) == 1
    assert text(face_down(same[0], [1])).count("card hidden") == 2
    symbols = SymbolTable()
    frame = FrameEncoder(symbols, made).frame(states[0], shown=[1])
    assert [own["card"] == "hidden" for own in frame["fields"][1:]] == [True, False, True]
    assert frame["fields"][0] == {"pot": "3", "stakes": "1, 1, 1"}
    assert symbols.since(0)[0]["name"] == "Table"


def test_a_world_without_the_fields_of_its_table_has_an_empty_one() -> None:
    data = catalogue.description("RockPaperScissors-2p").to_dict() | {"board": "kuhn_poker"}
    state = World(Description.from_dict(data), compiled=False).reset(0)
    assert table_of(state.vocabulary) is None and "choice=0" in text(state)
    assert rgb(state, 8).shape == (8, 8, 3)


@pytest.mark.parametrize("name", TABLES)
def test_pictures_of_several_worlds_have_room_for_tables(name: str) -> None:
    made = world(name)
    states = [made.reset(seed) for seed in range(2)]
    whole = mosaic(made, states, 4)
    assert whole.shape == (SIDE * 4, (2 * SIDE + 1) * 4, 3)
    assert np.array_equal(whole[:, : SIDE * 4], rgb(states[0], 4))
