"""Games without a grid as people see them: a table with cards and chips, hands or payoffs, and what lies there in words.

The world's `board` says which table it is. It shows the fields that the rules of these games declare; in a world without
them, it is empty.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

import numpy as np

from gridarium.draw import table_drawings as lies
from gridarium.draw.boards import CLOTH
from gridarium.draw.shapes import WHITE, Drawing, Label
from gridarium.draw.shapes import Shape as DrawnShape
from gridarium.world.agent import Agent
from gridarium.world.geometry import Shape
from gridarium.world.state import State
from gridarium.world.text_form.record import LONGEST_SHOWN
from gridarium.world.vocabulary import Vocabulary

SIDE = 8
"""The side of a table in pictures, in cells."""
FACE_DOWN = -1
"""The number of a card that is not shown, or not there."""
RANKS = ("3", "4", "5", "6", "7", "8", "9", "10", "Jack", "Queen", "King")
"""Of the cards of Kuhn poker, which are as many of the highest ones as are needed; Leduc poker has two of the last three each."""
SHAPES = ("nothing yet", "rock", "paper", "scissors")
DECISIONS = ("", "call", "raise")
RED = (196, 32, 44)

Facts = dict[str, str]


@dataclass(frozen=True)
class TableGame:
    """How a game's fields are shown.

    Attributes:
        world_fields: those that the world has to declare.
        agent_fields: those that its agents have to declare.
        shapes: draws what lies on the table, in the unit square.
        facts: what all players can see, in words.
        own_facts: what belongs to one of so many players, in words.
    """

    world_fields: tuple[str, ...]
    agent_fields: tuple[str, ...]
    shapes: Callable[[State], Iterator[DrawnShape]]
    facts: Callable[[State], Facts]
    own_facts: Callable[[Agent, int], Facts]


def table_of(vocabulary: Vocabulary) -> TableGame | None:
    """The table of a world; None if it has another board, or lacks a field."""
    table = TABLES.get(vocabulary.board)
    if table is None:
        return None
    declared = [
        {field.name for field in fields} for fields in (vocabulary.world_fields, vocabulary.agent_fields)
    ]
    wanted = table.world_fields, table.agent_fields
    return table if all(own.issuperset(names) for own, names in zip(declared, wanted, strict=True)) else None


def picture_shape(shape: Shape, vocabulary: Vocabulary) -> Shape:
    """The size of the picture of a state, in cells: that of its grid, unless it is a table."""
    return shape if table_of(vocabulary) is None else Shape(SIDE, SIDE)


def drawn_table(state: State) -> Drawing | None:
    """A table and what lies on it, in the unit square; None for a world with a grid."""
    table = table_of(state.vocabulary)
    return None if table is None else (*CLOTH, *table.shapes(state))


def world_facts(state: State) -> Facts | None:
    """What all players can see on a table, in words; None for a world with a grid."""
    table = table_of(state.vocabulary)
    return None if table is None else table.facts(state)


def own_facts(agent: Agent, players: int) -> Facts | None:
    """What belongs to one of so many players at a table, in words; None in a world with a grid."""
    table = table_of(agent.vocabulary)
    return None if table is None else table.own_facts(agent, players)


def face_down(state: State, shown: Collection[int]) -> State:
    """A copy of a state in which the cards of all agents but some are not known."""
    covered = state.copy()
    if any(field.name == "card" for field in state.vocabulary.agent_fields):
        for i, agent in enumerate(covered.agents):
            if i not in shown:
                agent.card = FACE_DOWN
    return covered


def _players(state: State, top: float) -> Iterator[tuple[int, lies.Box, Iterator[DrawnShape]]]:
    """Each player, its place, and the drawing of that."""
    for i, box in enumerate(lies.seats(len(state.agents), top)):
        yield i, box, lies.seat(box, i, acts=state.turn == i and not state.over)


def _stakes(state: State) -> list[int]:
    return [int(state.stakes[i]) for i in range(len(state.agents))]


def _poker(state: State, top: float, ranks: tuple[str, ...], suits: int) -> Iterator[DrawnShape]:
    """The cards and chips of all players, and what they have won or lost at the end."""
    for i, box, place in _players(state, top):
        yield from place
        (x, y), (x0, y0, x1, y1) = lies.middle(box), box
        agent, height, width = state.agents[i], y1 - y0, x1 - x0
        yield from _card(x, y, min(0.56 * height, 1.1 * width), agent.card, ranks, suits)
        yield from lies.chips(x - 0.05 * height, y1 - 0.09 * height, 0.06 * height, int(state.stakes[i]))
        if state.over:
            yield Label(
                f"{agent.earned:+g}", x1 - 0.2 * width, y0 + 0.1 * height, 0.08 * height, lies.GOLD, 1 / 5
            )


def _card(
    x: float, y: float, height: float, number: int, ranks: tuple[str, ...], suits: int
) -> Iterator[DrawnShape]:
    if number < 0:
        return lies.card(x, y, height, None)
    rank = ranks[number // suits]
    face = rank if rank.isdecimal() else rank[0]
    return lies.card(x, y, height, face, RED if number % suits else lies.INK)


def _kuhn(state: State) -> Iterator[DrawnShape]:
    yield Label(f"pot {sum(_stakes(state))}", 0.5, 0.1, 0.06, WHITE, 1 / 6)
    yield from _poker(state, 0.18, _kuhn_ranks(len(state.agents)), 1)


def _leduc(state: State) -> Iterator[DrawnShape]:
    yield Label(f"pot {sum(_stakes(state))}", 0.8, 0.2, 0.06, WHITE, 1 / 6)
    if state.public < 0:
        yield from lies.empty_place(0.5, 0.2, 0.28)
    else:
        yield from _card(0.5, 0.2, 0.28, state.public, RANKS[-3:], 2)
    yield from _poker(state, 0.38, RANKS[-3:], 2)


def _hands(state: State) -> Iterator[DrawnShape]:
    for i, box in enumerate(lies.seats(len(state.agents), 0.03)):
        yield from lies.seat(box, i, acts=False)
        size = min(box[2] - box[0], box[3] - box[1]) * 0.38
        yield from lies.hand(*lies.middle(box), size, int(state.agents[i].choice))


def _payoffs(state: State) -> Iterator[DrawnShape]:
    chosen = [int(agent.choice) for agent in state.agents]
    return lies.payoff_table(np.asarray(state.payoffs).tolist(), chosen, _choices(state))


def _choices(state: State) -> int:
    """The number of choices that each player has."""
    return round(len(state.payoffs) ** (1 / len(state.agents)))


def _kuhn_ranks(players: int) -> tuple[str, ...]:
    return RANKS[-players - 1 :]


def _kuhn_facts(state: State) -> Facts:
    stakes = _stakes(state)
    return {"pot": str(sum(stakes)), "stakes": ", ".join(map(str, stakes))}


def _kuhn_own(agent: Agent, players: int) -> Facts:
    return _cards_own(agent, _kuhn_ranks(players), 1)


def _leduc_own(agent: Agent, players: int) -> Facts:
    return _cards_own(agent, RANKS[-3:], 2)


def _cards_own(agent: Agent, ranks: tuple[str, ...], suits: int) -> Facts:
    own = {"card": "hidden" if agent.card < 0 else ranks[agent.card // suits]}
    return own | ({"earned": f"{agent.earned:+g}"} if agent.earned else {})


def _leduc_facts(state: State) -> Facts:
    rounds = {
        f"round {i + 1}": ", ".join(DECISIONS[decision] for decision in decided if decision)
        or "no decision yet"
        for i, decided in enumerate(np.asarray(state.history).tolist())
        if i <= state.round
    }
    public = "none" if state.public < 0 else RANKS[-3:][state.public // 2]
    return {"public card": public, **_kuhn_facts(state), **rounds}


def _hands_own(agent: Agent, players: int) -> Facts:
    return {"shows": SHAPES[agent.choice]}


def _payoff_facts(state: State) -> Facts:
    """For each choice of the first player a row: what all players get, for one combination of the others' after another."""
    if np.size(state.payoffs) > LONGEST_SHOWN:
        return {}
    rows = np.reshape(state.payoffs, (_choices(state), -1, len(state.agents))).tolist()
    return {
        f"row {i}": " | ".join(" ".join(f"{number:.2f}" for number in paid) for paid in row)
        for i, row in enumerate(rows)
    }


def _payoffs_own(agent: Agent, players: int) -> Facts:
    return {"choice": str(agent.choice - 1) if agent.choice else "none yet"}


TABLES = {
    "kuhn_poker": TableGame(("stakes", "over"), ("card", "earned"), _kuhn, _kuhn_facts, _kuhn_own),
    "leduc_poker": TableGame(
        ("stakes", "over", "public", "history", "round"), ("card", "earned"), _leduc, _leduc_facts, _leduc_own
    ),
    "hands": TableGame((), ("choice",), _hands, lambda state: {}, _hands_own),
    "payoffs": TableGame(("payoffs",), ("choice",), _payoffs, _payoff_facts, _payoffs_own),
}
"""By the names of boards."""
