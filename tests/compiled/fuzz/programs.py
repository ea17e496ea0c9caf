"""Random rules in the style in which people write them, as source text, drawn with hypothesis so that they shrink.

What may stand in a program are **features**. Each program has some of them switched on, drawn by chance, so that
programs differ in kind, and shrinking switches off what a failure does not need. Numbers keep to one kind for each
variable and stay small where an index or the end of a loop depends on them, so that most programs compile and run.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from tests.compiled.fuzz.expressions import Variable
from tests.compiled.fuzz.statements import Statements, indented
from tests.compiled.fuzz.words import HEADER, OWN, PAIR

ORDINARY = (
    "reals", "truths", "augmented", "conditional", "chained", "connectives", "while", "while_else", "for_else", "leave",
    "reductions", "next", "enumerate", "zip", "helpers", "defaults", "keyword_only", "decorators", "factories",
    "partials", "lambdas", "constants", "numpy_constants", "arrays", "random_arrays", "array_items", "array_assign",
    "array_augmented", "array_compare", "array_convert", "array_loops", "masks", "tuples", "nested_tuples", "powers", "shifts", "bits",
    "division", "real_division", "mixed", "large", "special", "math", "math_pow", "rounding", "numpy_math", "walrus",
    "match", "values", "fields", "agents", "cells", "objects", "positions", "orientations", "random", "choice",
    "early_return", "raise", "assert", "odd_names", "is_truth", "truth_arithmetic", "membership", "divmod", "none",
    "stored_otherwise", "own_items", "taken_apart", "drawn_items", "generators", "truth_merged", "maybe_none", "swap", "loop_variable", "same_loop_variable", "cell_otherwise", "shadowed",
)  # fmt: skip
RARE = (
    "match_action",
    "match_tuple",
    "mixed_tuples",
    "math_refused",
    "try",
    "nested_function",
    "inner_lambda",
    "list",
    "starred",
    "numpy_scalar_math",
)
"""Mostly refused; too many of them and nothing would be left to compare."""


CLASSES = {"Pair": PAIR, "Own": OWN}


@dataclass(frozen=True)
class Program:
    """A module whose `rule` is a transition or, where it has a `next_state`, judges one; the features used in it."""

    text: str
    features: tuple[str, ...]


@st.composite
def programs(draw: Any, without: frozenset[str] = frozenset()) -> Program:
    """A module with a rule; features in `without` are left out."""
    on = {f for f in ORDINARY if f not in without and draw(_COIN)}
    on |= {f for f in RARE if f not in without and draw(_RARELY)}
    return Writer(draw, on).program()


_COIN, _RARELY = st.booleans(), st.integers(0, 40).map(lambda n: n == 40)


class Writer(Statements):
    """Writes one program."""

    def program(self) -> Program:
        kind = self.one(("transition", "reward", "terminating"))
        self.returns = {"transition": "", "reward": "real", "terminating": "truth"}[kind]
        factory = self.perhaps("factories", 3)
        given = ["p0"] if factory else ["k0"] if self.perhaps("partials", 3) else []
        self.scope += [Variable(name, "whole", False) for name in given]
        self.taken |= {*given}
        body: list[str] = []
        if "array_items" in self.on and self.below(2):
            body += self.make_array() or []
        if "helpers" in self.on and self.below(3) == 2:
            body += self.assign_helped()
        for _ in range(self.below(6) + 1):
            body += self.statement(3)
        if kind == "transition":
            body += self.stored()
        else:
            body.append(f"return {self.value_of(self.returns)}")
        own = ["rng"] if self.luck else []
        own += ["k0: int = 3"] if given == ["k0"] else []
        following = ", next_state" if kind != "transition" else ""
        head = f"(state, action{following}{', *, ' if own else ''}{', '.join(own)}):"
        if factory:
            made = [f"def rule{head}", *indented(body)]
            self.module.append("\n".join(["def make(p0):", *indented([*made, "", "return rule"])]))
            self.module.append(f"rule = make({self.one(('3', '-1', '0'))})")
        elif given:
            self.module.append("\n".join([f"def plain{head}", *indented(body)]))
            self.module.append(f"rule = functools.partial(plain, k0={self.one(('5', '-2', '0'))})")
        else:
            self.module.append("\n".join([f"def rule{head}", *indented(body)]))
        text = (
            "\n\n\n".join(
                [*(c.strip() for n, c in CLASSES.items() if f"{n}(" in "".join(self.module)), *self.module]
            )
            + "\n"
        )
        return Program(f"{needed(text)}\n\n{text}".lstrip(), tuple(sorted(self.used)))

    def stored(self) -> list[str]:
        """What is left in variables, written where it is compared."""
        wholes, reals, truths = ["state.n", "state.m"], ["state.h", "state.g"], ["state.flag"]
        lines = []
        for kind, fields in (("whole", wholes), ("real", reals), ("truth", truths)):
            for variable, field in zip(reversed(self.known(kind)), fields):
                lines.append(f"{field} = {variable.name}")
        for kind, field in (
            ("wholes", "state.agent.steps"),
            ("reals", "state.agent.energy"),
            ("truths", "state.agent.hot"),
        ):
            for array in self.known(kind)[-1:]:
                lines.append(f"{field} = {array.name}[0]")
        return lines


def needed(text: str) -> str:
    """The imports that a text needs."""
    lines = []
    for line in HEADER.splitlines():
        head, _, names = line.partition(" import ")
        if line.startswith("from"):
            used = [n for n in names.split(", ") if re.search(rf"\b{n}\b", text)]
            lines += [f"{head} import {', '.join(used)}"] if used else []
        elif not line or re.search(rf"\b{line.split()[-1]}\b", text):
            lines.append(line)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines).strip() + "\n") if lines else ""
