"""Two cooks fill pots with onions, wait for the soup, and serve it.

Source: Carroll et al., On the Utility of Learning about Humans for Human-AI Coordination, 2019; the rules are those of the worlds
`Kitchen-...` of the catalogue.
"""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Collection
from typing import TypeAlias

import numpy as np

from gridarium.live.brains import HumanAgentBrain, PolicyBrain
from gridarium.live.builder import CatalogueBuilder
from gridarium.rules.results import ActionResultCode
from gridarium.world import Action, GridObject, NoneGridObject, Position, State
from gridarium.world.kitchen import (
    Counter,
    Dish,
    DishDispenser,
    Onion,
    OnionDispenser,
    Pot,
    ServingWindow,
    Soup,
)
from gridarium.worlds import catalogue

Cell: TypeAlias = tuple[int, int]
"""y and x."""
TEAM = "kitchen"
MOVES: dict[Cell, Action] = {
    (-1, 0): Action.UP,
    (1, 0): Action.DOWN,
    (0, -1): Action.LEFT,
    (0, 1): Action.RIGHT,
}
KITCHEN_KEYS = {
    "w": "UP",
    "s": "DOWN",
    "a": "LEFT",
    "d": "RIGHT",
    "ArrowUp": "UP",
    "ArrowDown": "DOWN",
    "ArrowLeft": "LEFT",
    "ArrowRight": "RIGHT",
    " ": "ACTUATE",
    "q": "ACTUATE",
}
"""The keys of people: they walk and turn, and use what they face."""
ONIONS = 3
SOUPS = (Counter.Status.SOUP_1, Counter.Status.SOUP_2, Counter.Status.SOUP_3)
STROLL = 0.25
"""The probability that a cook who has nothing to do takes a step, so as not to stand in the way."""


def kitchen(
    layout: str = "CrampedRoom", people: int = 1, random_seed: int = 1, tick_duration: float = 0.25
) -> CatalogueBuilder:
    """A builder of a kitchen with two cooks; a world is done after 400 ticks.

    Args:
        layout: of the worlds `Kitchen-<layout>` of the catalogue.
        people: how many of the cooks are for people, 0 to 2; `KITCHEN_KEYS` has their keys.
        random_seed: see `WorldBuilder`.
        tick_duration: in seconds.

    Raises:
        ValueError: an argument is not possible.
    """
    name = f"Kitchen-{layout}"
    if catalogue.canonical(name) is None:
        listed = [each.partition("-")[2] for each in catalogue.names() if each.startswith("Kitchen-")]
        raise ValueError(f"there is no layout {layout!r}; there are {', '.join(listed)}")
    if people not in (0, 1, 2):
        raise ValueError(f"0 to 2 cooks can be people, not {people}")
    person = (HumanAgentBrain, {"is_human_agent": True, "key_action_map": KITCHEN_KEYS, "team": TEAM})
    robot = (functools.partial(PolicyBrain, GreedyCook), {"team": TEAM})
    return CatalogueBuilder(name, [person] * people + [robot] * (2 - people), tick_duration, random_seed)


class GreedyCook:
    """A policy for kitchens: does what brings the next soup nearer, and looks at what the other cook has in hands.

    It knows the whole state. Who carries nothing fetches an onion as long as pots need more than are on their way, then a dish.
    What it cannot bring where it is needed, it lays on a counter that the other cook can reach.
    """

    def __call__(self, state: State, agent: int, rng: np.random.Generator) -> Action:
        """Choose an action."""
        me = state.agents[agent]
        others = {cook.position.yx for i, cook in enumerate(state.agents) if i != agent}
        if me.result == ActionResultCode.CONFLICT and rng.random() < 1 / 2:
            return self._any_move(rng)
        reach = [_reach(state, cook.position.yx) for cook in state.agents]
        targets = [cell for cell in self._targets(state, agent) if _is_beside(cell, reach[agent])]
        if not targets and not isinstance(me.grid_object, NoneGridObject):
            shared = [cell for cell in _cells(state, Counter, 0) if all(_is_beside(cell, r) for r in reach)]
            targets = shared or _cells(state, Counter, 0)
        if not targets:
            return self._any_move(rng) if rng.random() < STROLL else Action.WAIT
        faced = me.front().yx
        if faced in targets:
            return Action.WAIT if _is_cooking(state.grid[me.front()]) else Action.ACTUATE
        move = self._towards(state, me.position.yx, targets, others)
        return self._any_move(rng) if move is None else move

    def _targets(self, state: State, agent: int) -> list[Cell]:
        """The cells to be used next."""
        held = state.agents[agent].grid_object
        others = [cook.grid_object for i, cook in enumerate(state.agents) if i != agent]
        pots = [state.grid[p] for p in state.grid.positions() if isinstance(state.grid[p], Pot)]
        if isinstance(held, Soup):
            return _cells(state, ServingWindow)
        if isinstance(held, Onion):
            return _cells(state, Pot, *range(ONIONS))
        if isinstance(held, Dish):
            return _cells(state, Pot, Pot.Status.READY_3) or _cells(state, Pot, Pot.Status.COOKING_3)
        laid_down = [_cells(state, Counter, on) for on in (Counter.Status.ONION, Counter.Status.DISH)]
        onions, dishes = laid_down
        needed = sum(ONIONS - pot.state_index for pot in pots if pot.state_index < ONIONS)
        needed -= sum(isinstance(other, Onion) for other in others)
        soups = sum(pot.state_index > ONIONS for pot in pots)
        soups -= sum(isinstance(other, Dish) for other in others)
        if needed > 0 and onions:
            return onions
        if soups > 0 and dishes:
            return dishes
        if needed > 0:
            return _cells(state, OnionDispenser)
        return _cells(state, DishDispenser) if soups > 0 else _cells(state, Counter, *SOUPS)

    def _towards(
        self, state: State, here: Cell, targets: Collection[Cell], others: Collection[Cell]
    ) -> Action | None:
        """The first move of a shortest way to a cell beside a target, or the turn towards it; None if others are in the way."""
        came_by: dict[Cell, Action | None] = {here: None}
        ahead = deque([here])
        while ahead:
            y, x = ahead.popleft()
            for (dy, dx), move in MOVES.items():
                cell = (y + dy, x + dx)
                first = came_by[y, x] or move
                if cell in targets:
                    return first
                place = Position(*cell)
                if cell in came_by or cell in others or not state.grid.contains(place):
                    continue
                if not state.grid[place].blocks_movement:
                    came_by[cell] = first
                    ahead.append(cell)
        return None

    def _any_move(self, rng: np.random.Generator) -> Action:
        return list(MOVES.values())[int(rng.integers(len(MOVES)))]


def _cells(state: State, kind: type[GridObject], *statuses: int) -> list[Cell]:
    """The cells with objects of a kind, of these statuses if there are any."""
    return [
        p.yx
        for p in state.grid.positions()
        if isinstance(state.grid[p], kind) and (not statuses or state.grid[p].state_index in statuses)
    ]


def _is_cooking(there: GridObject) -> bool:
    return isinstance(there, Pot) and there.status == Pot.Status.COOKING_3


def _reach(state: State, start: Cell) -> set[Cell]:
    """The cells to which a cook can walk, if the others step aside."""
    found, ahead = {start}, [start]
    while ahead:
        y, x = ahead.pop()
        for dy, dx in MOVES:
            place = Position(y + dy, x + dx)
            if place.yx not in found and state.grid.contains(place) and not state.grid[place].blocks_movement:
                found.add(place.yx)
                ahead.append(place.yx)
    return found


def _is_beside(cell: Cell, reach: Collection[Cell]) -> bool:
    """Whether a cell is beside one of others."""
    return any((cell[0] + dy, cell[1] + dx) in reach for dy, dx in MOVES)
