"""A composed world: a world's composed program with its tables, run compiled if possible, interpreted otherwise."""

from __future__ import annotations

import dataclasses
import functools
import warnings
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.compiled.background import Compilable
from gridarium.compiled.cache.fingerprint import Unhashable, fingerprint
from gridarium.compiled.cache.watched_globals import Watched
from gridarium.compiled.compile import CompileError, cached_program, compile_program
from gridarium.compiled.compiled_program import CompiledProgram
from gridarium.compiled.source_pass.resolver import unwrap_partial
from gridarium.engine.kernel_args import FRAME_LENGTH, Mode
from gridarium.engine.observe.representation import Observe, Output
from gridarium.engine.recompiling import circumstances, noted, purpose, reason
from gridarium.engine.step.program import Program, compose
from gridarium.world.compiled.resolver import WorldResolver
from gridarium.world.geometry import Shape
from gridarium.world.vocabulary import Vocabulary
from gridarium.worlds import Description, Spec

RESERVED_GRIDS, RESERVED_WORDS = 64, 1 << 14
"""Scratch memory reserved for rules; memory that is never written costs nothing."""
SHOWN_RULES = 3
FACTOR_LOST = "tens of times (in a batch thousands of times)"


class ComposedWorld:
    """The program and tables shared by all worlds and batches of one description.

    Args:
        spec: the resolved description.
        compiled: False runs the rules as plain Python, for debugging.
        observe: the content of the arrays: "observation", "state" or "both".
        per_world_params: for batches whose worlds have individual run-time parameters, which are read for every world.
        observe_only: the program only observes worlds, which another one resets and steps: a part of the code to compile.

    Attributes:
        observed_agents: the number of agents that a step observes: 1 where only the one that acts next is.
        masked_agents: the number of agents whose legal actions a step writes: 0 where all always are, 1 where agents act
            one after another.
        in_turn: whether several agents act one after another.
        frame_length: the number of words of the kernel's frame.
        kernels: programs that run these rules in other kernels, by what they do.
        watched: the mutable globals that rules read; None if there are none, or nothing has been compiled.
    """

    frame_length = FRAME_LENGTH

    def __init__(
        self,
        spec: Spec,
        *,
        compiled: bool = True,
        observe: Observe = "observation",
        per_world_params: bool = False,
        observe_only: bool = False,
    ) -> None:
        self.spec, self.observe = spec, observe
        self.per_world_params, self.observe_only = per_world_params, observe_only
        self.name = _name(spec)
        self.vocabulary: Vocabulary = spec.vocabulary
        self.shape: Shape = spec.shape
        self.agents: int = spec.agents
        self.program: Program = compose(
            spec, observe=observe, per_world_params=per_world_params, observe_only=observe_only
        )
        self.params = self.program.params
        self.time_limit = spec.time_limit or 0
        self.action_table = _action_table(spec)
        self.observed_agents = 1 if spec.observers == "acting" else spec.agents
        self.in_turn = spec.agents > 1 and spec.turn_order == "cycle"
        self.masked_agents = (1 if self.in_turn else spec.agents) if spec.has_masks else 0
        self.scratch_words = _scratch_words(spec, self.program.seen)
        self.outputs: list[Output] = self.program.representation.outputs
        self.tables = self.program.representation.tables
        self.wants_compiled = compiled
        self.kernels: dict[str, ComposedWorld] = {}
        self._entry: CompiledProgram | None = None
        self.watched: Watched | None = None
        self._compilable = Compilable(self.name, self._load_cached_entry, self._find_entry, self.prepare)

    @property
    def compiled(self) -> bool:
        """Whether the rules run compiled (compiles them, or waits for the compilation, if necessary)."""
        return self.prepare(wait=True) is not None

    @property
    def ready(self) -> bool:
        """Whether the rules are already compiled."""
        return self._entry is not None

    def prepare(self, *, wait: bool = False) -> CompiledProgram | None:
        """Load or compile the rules, unless that was done before; None if they run interpreted.

        Args:
            wait: whether to wait for another process that compiles them (see `compiled.background`).
        """
        if self._entry is None and self.wants_compiled:
            self._entry = self._compilable.get(wait=wait)
        return self._entry

    @functools.cached_property
    def with_per_world_params(self) -> ComposedWorld:
        """The same program for batches whose worlds have individual run-time parameters."""
        return ComposedWorld(
            self.spec, compiled=self.wants_compiled, observe=self.observe, per_world_params=True
        )

    @functools.cached_property
    def observing_all(self) -> ComposedWorld:
        """The same world with observations of all agents."""
        if self.observed_agents == self.agents:
            return self
        spec = dataclasses.replace(self.spec, observers="all")
        return ComposedWorld(spec, compiled=self.wants_compiled, observe=self.observe)

    def shares_program(self, other: ComposedWorld) -> bool:
        """Whether one compiled program serves both; tables and run-time parameters may differ."""
        mine, its = ((world.program.run, WorldResolver(world.vocabulary)) for world in (self, other))
        try:
            return fingerprint(*mine) == fingerprint(*its)
        except Unhashable:
            return False

    def watch(self) -> None:
        """Record the globals that rules read, for later calls of `check`; called before compiling.

        Raises:
            StaleProgramError: as `check`.
        """
        if self.watched is None:
            self.watched = Watched(self.program.run, *self.vocabulary.kinds.values()) or None
        else:
            self.watched.check(self.name)

    def check(self) -> None:
        """Check that the globals read by compiled rules are unchanged; interpreted rules follow changes.

        Raises:
            StaleProgramError: a global has changed; the message gives rule, name, old and new value.
        """
        if self._entry is not None and self.watched is not None:
            self.watched.check(self.name)

    def run(
        self, frame: npt.NDArray[np.int64], frame_address: int, slot: int, first: int, last: int, mode: Mode
    ) -> int:
        """Run the kernel on some worlds of a batch, compiled if `prepare` succeeded. Returns as `kernel.run`."""
        if self._entry is not None:
            return self._entry(frame_address, slot, first, last, mode._value_)
        return self.run_interpreted(frame, slot, first, last, mode)

    def run_interpreted(
        self, frame: npt.NDArray[np.int64], slot: int, first: int, last: int, mode: Mode
    ) -> int:
        """Run the kernel on some worlds of a batch as plain Python."""
        return int(self.program.run(frame, slot, first, last, mode))

    def purpose(self) -> str:
        """The purpose of the program in messages, see `recompiling.purpose`."""
        return purpose(
            self.spec.representation,
            self.observe,
            per_world_params=self.per_world_params,
            observe_only=self.observe_only,
        )

    def _load_cached_entry(self) -> CompiledProgram | None:
        found = cached_program(self.program.run, WorldResolver(self.vocabulary), self.frame_length)
        if found is not None:
            self.watch()
        return found

    def _find_entry(self) -> CompiledProgram | None:
        if (cached := self._load_cached_entry()) is not None:
            return cached
        self.watch()
        resolver = WorldResolver(self.vocabulary)
        name, text = self._why_again(resolver)
        try:
            return compile_program(
                self.program.run,
                resolver,
                name=name,
                text=text,
                frame_length=self.frame_length,
                rules=self.program.rules,
            )
        except CompileError as error:
            warnings.warn(
                f"{self.name} runs interpreted, {FACTOR_LOST} slower, because its rules cannot be compiled:\n"
                f"{error}",
                stacklevel=4,
            )
            return None

    def _why_again(self, resolver: WorldResolver) -> tuple[str, str]:
        """The message during compilation, and the page cached with the program for later messages."""
        try:
            known = circumstances(self.program, resolver, self.purpose(), self.spec.representation.fields)
            named = self.spec.name != Description.model_fields["name"].default
            why = reason(self.program.text, known) if named else ""
        except (Unhashable, OSError):
            return self.name, self.program.text
        if why == self.purpose() and self.name != self.spec.name:
            why = ""  # the name says it: "tree search in Hall"
        return f"{self.name} again ({why})" if why else self.name, noted(self.program.text, known)

    def __deepcopy__(self, memo: object) -> ComposedWorld:
        return self

    def __reduce__(self) -> Any:
        return _rebuild, (
            self.spec, self.wants_compiled, self.observe, self.per_world_params, self.observe_only
        )  # fmt: skip


def _name(spec: Spec) -> str:
    """The name of a world in messages: its name, possibly that of its file, or its first rules."""
    if spec.name != Description.model_fields["name"].default:
        return spec.name
    rules = [unwrap_partial(rule)[0] for rule, _ in spec.transitions]
    names = [getattr(rule, "__name__", repr(rule)) for rule in rules[:SHOWN_RULES]]
    return f"{spec.name} ({', '.join(names)}{', ...' if len(rules) > SHOWN_RULES else ''})"


def _rebuild(
    spec: Spec, compiled: bool, observe: Observe, per_world_params: bool, observe_only: bool
) -> ComposedWorld:
    return ComposedWorld(
        spec, compiled=compiled, observe=observe, per_world_params=per_world_params, observe_only=observe_only
    )


def _scratch_words(spec: Spec, seen: Shape) -> int:
    """The size of scratch memory for a tick: a few grids with their layers, of the world and of observations."""
    cells = spec.shape.height * spec.shape.width + seen.height * seen.width
    mask = len(spec.actions) // 64 + 1
    largest = max((array.layout.size for array in spec.observations), default=0)
    rows = (
        spec.vocabulary.data_length + spec.agents * spec.vocabulary.agent_row_length
    )  # see `turns.state_before_step`
    return (
        RESERVED_WORDS + mask + largest + rows + RESERVED_GRIDS * (1 + spec.vocabulary.layers) * (cells + 16)
    )


def _action_table(spec: Spec) -> npt.NDArray[np.int64]:
    """int64[agents, actions]: the number of each agent's actions, -1 where the agent does not have it."""
    return np.where(np.array(spec.action_masks, np.bool_), spec.actions.values, -1)
