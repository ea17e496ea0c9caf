"""A machine: a world's composed program with its tables, run compiled where it can be, interpreted otherwise."""

from __future__ import annotations

import functools
import warnings
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.compiled.background import Compilable
from gridarium.compiled.entry import CompileError, Entry, compile_program, kept_program
from gridarium.compiled.fingerprint import Unhashable
from gridarium.compiled.resolver import unwrap_partial
from gridarium.compiled.watched import Watched
from gridarium.engine.again import circumstances, noted, reason
from gridarium.engine.frame import FRAME_LENGTH, Mode
from gridarium.engine.program import Program, compose
from gridarium.engine.representation import Observe, Output
from gridarium.world.geometry import Shape
from gridarium.world.resolver import WorldResolver
from gridarium.world.vocabulary import Vocabulary
from gridarium.worlds import Description, Spec

SPARE_GRIDS, SPARE_WORDS = 64, 1 << 14
"""Scratch memory of a rule beyond what is used now; what nobody writes to costs nothing."""
SHOWN_RULES = 3
FACTOR_LOST = "tens of times (in a batch thousands of times)"


class Machine:
    """What all worlds and batches of one description share.

    Args:
        spec: the resolved description.
        compiled: False runs the rules as plain Python, for debugging.
        observe: what the arrays show: "observation", "state" or "both".
        own_numbers: for batches whose worlds have run-time parameters of their own; these are read in every world, not once.

    Attributes:
        watched: what rules read and what can change; None if there is nothing, or nothing has been compiled.
    """

    def __init__(
        self,
        spec: Spec,
        *,
        compiled: bool = True,
        observe: Observe = "observation",
        own_numbers: bool = False,
    ) -> None:
        self.spec, self.observe, self.own_numbers = spec, observe, own_numbers
        self.name = _name(spec)
        self.vocabulary: Vocabulary = spec.vocabulary
        self.shape: Shape = spec.shape
        self.agents: int = spec.agents
        self.program: Program = compose(spec, observe=observe, own_numbers=own_numbers)
        self.numbers = self.program.numbers
        self.time_limit = spec.time_limit or 0
        self.action_table = _action_table(spec)
        self.scratch_words = _scratch_words(spec, self.program.seen)
        self.outputs: list[Output] = self.program.representation.outputs
        self.tables = self.program.representation.tables
        self.wants_compiled = compiled
        self._entry: Entry | None = None
        self.watched: Watched | None = None
        self._compilable = Compilable(self.name, self._kept_entry, self._find_entry, self.prepare)

    @property
    def compiled(self) -> bool:
        """Whether the rules run compiled (compiles them, or waits for that, if it has not happened yet)."""
        return self.prepare(wait=True) is not None

    @property
    def ready(self) -> bool:
        """Whether the rules are compiled by now."""
        return self._entry is not None

    def prepare(self, *, wait: bool = False) -> Entry | None:
        """Compile the rules, or load them, unless that has happened; None if they run interpreted.

        Args:
            wait: for another process that compiles them, if there is one (see `compiled.background`).
        """
        if self._entry is None and self.wants_compiled:
            self._entry = self._compilable.get(wait=wait)
        return self._entry

    @functools.cached_property
    def with_own_numbers(self) -> Machine:
        """The same for batches whose worlds have run-time parameters of their own; compiled if there are any."""
        return Machine(self.spec, compiled=self.wants_compiled, observe=self.observe, own_numbers=True)

    def watch(self) -> None:
        """From now on `check` refuses what rules read and what is no longer as it is now; called before compiling.

        Raises:
            StaleProgramError: as `check`.
        """
        if self.watched is None:
            self.watched = Watched(self.program.run, *self.vocabulary.kinds.values()) or None
        else:
            self.watched.check(self.name)

    def check(self) -> None:
        """Refuse to run compiled rules that read what has changed since; interpreted ones follow it.

        Raises:
            StaleProgramError: which rule, which name, what it was and what it is now.
        """
        if self._entry is not None and self.watched is not None:
            self.watched.check(self.name)

    def run(
        self, frame: npt.NDArray[np.int64], place: int, slot: int, first: int, last: int, mode: Mode
    ) -> int:
        """Do one thing to some worlds of a batch; compiled, if `prepare` could. What came of it: see `kernel.run`."""
        if self._entry is not None:
            return self._entry(place, slot, first, last, mode._value_)
        return self.interpreted(frame, slot, first, last, mode)

    def interpreted(self, frame: npt.NDArray[np.int64], slot: int, first: int, last: int, mode: Mode) -> int:
        """Do one thing to some worlds of a batch, as plain Python."""
        return int(self.program.run(frame, slot, first, last, mode))

    def _kept_entry(self) -> Entry | None:
        found = kept_program(self.program.run, WorldResolver(self.vocabulary), FRAME_LENGTH)
        if found is not None:
            self.watch()
        return found

    def _find_entry(self) -> Entry | None:
        if (kept := self._kept_entry()) is not None:
            return kept
        self.watch()
        resolver = WorldResolver(self.vocabulary)
        name, text = self._why_again(resolver)
        try:
            return compile_program(
                self.program.run,
                resolver,
                name=name,
                text=text,
                frame_length=FRAME_LENGTH,
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
        """What is said while the rules compile, and the page that is kept with them, so that the next time says more."""
        try:
            known = circumstances(self.program, resolver, self.observe)
            named = self.spec.name != Description.model_fields["name"].default
            why = reason(self.program.text, known) if named else ""
        except (Unhashable, OSError):
            return self.name, self.program.text
        return f"{self.name} again ({why})" if why else self.name, noted(self.program.text, known)

    def __deepcopy__(self, memo: object) -> Machine:
        return self

    def __reduce__(self) -> Any:
        return _rebuild, (self.spec, self.wants_compiled, self.observe, self.own_numbers)


def _name(spec: Spec) -> str:
    """What messages call a world: its name, which may be that of its file, or its first rules."""
    if spec.name != Description.model_fields["name"].default:
        return spec.name
    rules = [unwrap_partial(rule)[0] for rule, _ in spec.transitions]
    names = [getattr(rule, "__name__", repr(rule)) for rule in rules[:SHOWN_RULES]]
    return f"{spec.name} ({', '.join(names)}{', ...' if len(rules) > SHOWN_RULES else ''})"


def _rebuild(spec: Spec, compiled: bool, observe: Observe, own_numbers: bool) -> Machine:
    return Machine(spec, compiled=compiled, observe=observe, own_numbers=own_numbers)


def _scratch_words(spec: Spec, seen: Shape) -> int:
    """Memory for what rules make in a tick: a few grids with their layers, of the world and of what is seen of it."""
    cells = spec.shape.height * spec.shape.width + seen.height * seen.width
    return SPARE_WORDS + SPARE_GRIDS * (1 + spec.vocabulary.layers) * (cells + 16)


def _action_table(spec: Spec) -> npt.NDArray[np.int64]:
    """int64[agents, actions]: the number of each agent's each action, -1 where the agent does not have it."""
    numbers = [action.value for action in spec.actions]
    rows = [[n if has else -1 for n, has in zip(numbers, mask, strict=True)] for mask in spec.action_masks]
    return np.array(rows, np.int64)
