"""States as frames: plain data for JSON of which a page draws pictures, each frame only what has changed.

A frame is a mapping. What it leaves out is as in the frame before; a full frame leaves out nothing.

    {
      "grid": [0, 0, 1, ...],            all cells, row by row, as numbers of symbols (full frames), or
      "cells": [[40, 2], ...],           those that changed: (y * width + x, symbol)
      "walls": [[5, 1], ...],            walls on edges: (y * width + x, 1 for the right edge + 2 for the lower one)
      "agents": [[y, x, turns, held, active, busy], ...]   quarter turns clockwise from up; held symbol or -1; 0 or 1
      "seen": ["0ff3...", null],         which cells each agent sees: bits, row by row, the first one the highest
      "fields": [{"heat": 1.5}, {"energy": 3}, ...]        declared numbers of the world and of each agent
      "episode": 0, "tick": 3,
      "actions": [1], "results": [0], "rewards": [-0.05],  of the tick that led here; null where there was none
      "did": ["Place((2, 3))"],                            the actions in words, in worlds whose actions take arguments
      "waited": [0],                                       the agents that only waited for their turn, where they take turns
      "returns": [-0.15], "terminated": [false], "truncated": false,
      "mission": "fetch a red key",                        the goal, in worlds that state one
      "text": "what somebody has to say about it"          at the end of an episode, what came of it
    }
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from typing import Any

import numpy as np

from gridarium.draw.boards import GROUNDS, grounds_of
from gridarium.draw.scene import with_things
from gridarium.draw.signs import signs
from gridarium.draw.tables import drawn_table, face_down, own_facts, world_facts
from gridarium.draw.visibility import seen_cells
from gridarium.engine import World
from gridarium.view.matches import outcome_in_words, takes_turns, waited
from gridarium.view.replay.symbols import SymbolTable
from gridarium.world import Action, Agent, NoneGridObject, Observation, State
from gridarium.world.actions import in_words
from gridarium.world.text_form.record import shown_agent_fields, shown_world_fields

Frame = dict[str, Any]
LARGEST_EXACT = 2**53
"""All whole numbers up to this one are numbers of JavaScript."""
ALWAYS = ("tick", "actions", "results", "rewards")
"""The keys of every frame, since their values are about one tick."""


class FrameEncoder:
    """Turns one state after another into frames.

    Args:
        symbols: where the pictures of objects are collected.
        world: whose states are shown.
    """

    def __init__(self, symbols: SymbolTable, world: World) -> None:
        self.symbols, self._world = symbols, world
        self._last: Frame = {}
        self._returns: list[float] = []

    @property
    def returns(self) -> list[float]:
        """The sum of rewards of each agent in this episode."""
        return list(self._returns)

    def frame(
        self,
        state: State,
        *,
        actions: Iterable[Any] | None = None,
        rewards: Any = None,
        terminated: Any = False,
        truncated: Any = False,
        views: Sequence[Observation | None] = (),
        text: str = "",
        shown: Collection[int] | None = None,
    ) -> Frame:
        """The next frame.

        Args:
            state: the state to be shown.
            actions: what each agent did to get there, as `Action` or index; None where an episode begins.
            rewards: what each agent got for it: a number or one for each.
            terminated: whether the rules have ended the episode, in all or for each agent.
            truncated: whether a time limit has, for all or for each agent.
            views: what each agent perceives; cells that it does not see can be shaded.
            text: a remark.
            shown: the agents whose declared numbers are shown; those of others are question marks. By default all.
        """
        whole = self._whole(state, views, shown)
        given = [0.0] * len(state.agents) if rewards is None else np.ravel(rewards).tolist()
        if actions is None:
            self._returns = [0.0] * len(state.agents)
        self._returns = [a + float(b) for a, b in zip(self._returns, given, strict=True)]
        if not text and (np.any(truncated) or np.all(terminated)):
            outcome = outcome_in_words(self._world, self._returns, state)
            text = outcome and f"{outcome}."
        whole |= {
            "actions": None if actions is None else [self._index(action) for action in actions],
            "results": None if actions is None else [agent.result for agent in state.agents],
            "rewards": None if actions is None else [finite(reward) for reward in given],
            "returns": [finite(total) for total in self._returns],
            "terminated": np.broadcast_to(np.ravel(terminated), len(state.agents)).astype(bool).tolist(),
            "truncated": bool(np.any(truncated)),
            "text": text,
        }
        if self._world.actions.take_arguments and whole["actions"] is not None:
            whole["did"] = [in_words(self._world.actions[i]).capitalize() for i in whole["actions"]]
        if takes_turns(self._world):
            whole["waited"] = waited(self._world, state)
        changed = _changed(self._last, whole)
        self._last = whole
        return changed

    def full(self) -> Frame:
        """The last frame, with all that it shows."""
        return dict(self._last)

    def go_back(self, frame: Frame) -> None:
        """Go on from an earlier frame, a full one."""
        self._last = frame
        self._returns = [math.nan if total is None else total for total in frame["returns"]]

    def _whole(
        self, state: State, views: Sequence[Observation | None], shown: Collection[int] | None
    ) -> Frame:
        number, mission = self.symbols.number, self._world.mission(state)
        state = with_things(state)
        if shown is not None:
            state = face_down(state, shown)
        table = drawn_table(state)
        grounds = GROUNDS[state.vocabulary.board] if table is None else (table,)
        things = [thing for row in state.grid.objects for thing in row]
        frame: Frame = {
            "grid": [
                number(thing, ground=grounds[k], name="" if table is None else "Table")
                for thing, k in zip(things, grounds_of(state.grid), strict=True)
            ]
        }
        for p, wall in signs(state.grid):
            frame["grid"][p.y * state.grid.width + p.x] = number(state.grid[p], wall=wall)
        if state.vocabulary.edges:
            bits = (state.layers[state.vocabulary.edge_layer] & 3).ravel()
            frame["walls"] = [[int(place), int(bits[place])] for place in np.flatnonzero(bits)]
        frame["agents"] = [
            [
                *agent.position.yx,
                agent.orientation.quarter_turns,
                -1 if isinstance(agent.grid_object, NoneGridObject) else number(agent.grid_object, held=True),
                int(agent.active),
                agent.busy,
            ]
            for agent in state.agents
        ]
        frame["seen"] = [
            None if view is None else seen_bits(state.seen_by(i), view) for i, view in enumerate(views)
        ]
        if state.vocabulary.world_fields or state.vocabulary.agent_fields:
            facts = world_facts(state)
            own = [self._own(agent) for agent in state.agents]
            if shown is not None and table is None:
                own = [mine if i in shown else dict.fromkeys(mine, "?") for i, mine in enumerate(own)]
            frame["fields"] = [
                _exact(shown_world_fields(state) if facts is None else facts),
                *map(_exact, own),
            ]
        if mission:
            frame["mission"] = mission
        return frame | {"episode": state.episode, "tick": state.tick}

    def _own(self, agent: Agent) -> dict[str, Any]:
        """The declared numbers of an agent, at a table in words."""
        facts = own_facts(agent, self._world.spec.agents)
        return shown_agent_fields(agent) if facts is None else facts

    def _index(self, action: Any) -> int:
        return self._world.actions.index(action) if isinstance(action, Action) else int(action)


def seen_bits(state: State, view: Observation) -> str:
    """Return the cells of a state that the agent in focus observes: hexadecimal, a bit for each cell."""
    seen = seen_cells(state, view)
    assert seen is not None
    return np.packbits(seen).tobytes().hex()


def finite(number: float) -> float | None:
    """A number for JSON, which has neither infinity nor 'not a number'."""
    return float(number) if math.isfinite(number) else None


def _exact(fields: dict[str, Any]) -> dict[str, Any]:
    """Declared numbers for JSON; whole ones that a page's numbers would round are texts."""
    return {
        name: str(value) if isinstance(value, int) and abs(value) > LARGEST_EXACT else value
        for name, value in fields.items()
    }


def _changed(before: Frame, now: Frame) -> Frame:
    """Return what differs from the previous frame, and the keys of every frame."""
    frame = {key: value for key, value in now.items() if key in ALWAYS or before.get(key) != value}
    if "grid" in frame and len(before.get("grid", ())) == len(now["grid"]):
        cells = [
            [i, new]
            for i, (old, new) in enumerate(zip(before["grid"], now["grid"], strict=True))
            if new != old
        ]
        if 2 * len(cells) < len(now["grid"]):
            del frame["grid"]
            frame["cells"] = cells
    return frame
