"""Tree search composed with the rules of a world, run compiled if possible, interpreted otherwise."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

from gridarium.agents.planning.tree_search.arguments import SEARCH_FRAME_LENGTH
from gridarium.agents.planning.tree_search.kernel import search_tree
from gridarium.compiled.compiled_program import CompiledProgram
from gridarium.engine.composed_world import ComposedWorld
from gridarium.engine.step import kernel, legal_actions

PARTS = (
    *("vocabulary", "tick", "observe", "can_act", "has_legal", "in_turn", "chosen"),
    *("outcome", "has_outcome"),
)
"""The parts of the world's program that the kernel of tree search runs."""


class SearchProgram(ComposedWorld):
    """Tree search over the rules of a composed world.

    Args:
        composed: the composed world.
        observing: whether the trees branch by observations.
    """

    frame_length = SEARCH_FRAME_LENGTH

    def __init__(self, composed: ComposedWorld, *, observing: bool) -> None:
        super().__init__(composed.spec, compiled=composed.wants_compiled, observe=composed.observe)
        self._world, self._observing = composed, observing
        self.name = f"tree search in {composed.name}"
        parts = self.program.parts
        bound = {name: parts[name] for name in PARTS} | _legality(parts["tick"].keywords["legal"])
        bound["agents"] = composed.agents
        search = functools.partial(search_tree, observing=observing, **bound)
        run = functools.partial(kernel.run, run_world=search, acts_alone=False)
        self.program = dataclasses.replace(self.program, run=run, agents=composed.agents)

    def prepare(self, *, wait: bool = False) -> CompiledProgram | None:
        """As of the world; without compiled rules search runs interpreted, too."""
        return None if self._world.prepare(wait=wait) is None else super().prepare(wait=wait)

    def purpose(self) -> str:
        """The purpose of the program in messages."""
        return f"for tree search{' by observations' if self._observing else ''}"

    def __reduce__(self) -> Any:
        return _rebuild, (self._world, self._observing)


def search_program(composed: ComposedWorld, *, observing: bool) -> SearchProgram:
    """Tree search over a composed world: one program for all who search in it."""
    name = f"tree search{' by observations' if observing else ''}"
    if name not in composed.kernels:
        composed.kernels[name] = SearchProgram(composed, observing=observing)
    program = composed.kernels[name]
    assert isinstance(program, SearchProgram)
    return program


def _legality(legal: Any) -> dict[str, Any]:
    """The parts of the kernel that are about legal actions, of what the world asks for one action."""
    filled = isinstance(legal, functools.partial) and legal.func is legal_actions.is_legal_filled
    listing = (
        functools.partial(legal_actions.list_legal_filled, **legal.keywords)
        if filled
        else functools.partial(legal_actions.list_legal, legal=legal)
    )
    return {"legal": legal, "list_legal": listing, "filled": filled}


def _rebuild(composed: ComposedWorld, observing: bool) -> SearchProgram:
    return SearchProgram(composed, observing=observing)
