"""Random expressions: whole numbers, floats, truth values, places, things, several numbers."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from tests.compiled.fuzz.words import (
    CONSTANTS,
    KINDS,
    LARGE,
    MADE,
    MATH,
    NAMES,
    NUMPY,
    ODD_NAMES,
    SHADOWED,
    SPECIAL,
)


@dataclass
class Variable:
    """A name with what it holds, whether it may be assigned, and how many items it has."""

    name: str
    kind: str
    free: bool = True
    length: int = 0


_BELOW = [st.just(0), *(st.integers(0, n) for n in range(100))]


class Expressions:
    """Writes expressions; each method gives text, and notes the features that it has made use of.

    Args:
        draw: hypothesis's.
        on: the features that may be used.
    """

    def __init__(self, draw: Any, on: set[str]) -> None:
        self.draw, self.on, self.used = draw, on, set[str]()
        self.scope: list[Variable] = []
        self.helpers: list[tuple[str, str, str]] = []
        self.constants: list[Variable] = []
        self.module: list[str] = []
        self.inside = "rule"
        self.luck = False
        self.loops = 0
        self.loop_variables: list[Variable] = []
        self.returns = ""
        self.shadow = self.one(SHADOWED) if "shadowed" in on else ""
        self.taken: set[str] = set()

    # choices

    def below(self, n: int) -> int:
        """A number from 0 to n - 1."""
        return self.draw(_BELOW[n]) if n > 1 else 0

    def one(self, items: Any) -> Any:
        """One of some things."""
        return items[self.below(len(items))]

    def has(self, feature: str) -> bool:
        """Whether a feature is switched on; then it counts as used."""
        if feature in self.on:
            self.used.add(feature)
            return True
        return False

    def perhaps(self, feature: str, odds: int = 2) -> bool:
        """Whether to use a feature here."""
        return feature in self.on and self.below(odds) == odds - 1 and self.has(feature)

    def any_of(self, *options: tuple[str, Callable[[], str | None]]) -> str:
        """What one of the options gives, of those whose features are on; the next one that fits if one does not."""
        left = [o for o in options if all(f in self.on for f in o[0].split())]
        while left:
            features, make = left.pop(self.below(len(left)))
            if (made := make()) is not None:
                self.used.update(features.split())
                return made
        raise AssertionError("there is always a plain one")

    # names

    def new(self, kind: str, *, free: bool = True, length: int = 0) -> Variable:
        """A new variable, from here on in scope once it is added to it."""
        if self.perhaps("odd_names", 3):
            name = self.one(ODD_NAMES)
        elif kind == "whole" and self.shadow and self.perhaps("shadowed", 6):
            name = self.shadow
        else:
            name = self.one(NAMES[kind])
        stem, number = name, 2
        while name in self.taken:
            name, number = f"{stem}{number}", number + 1
        self.taken.add(name)
        return Variable(name, kind, free, length)

    def known(self, kind: str, *, free: bool = False) -> list[Variable]:
        """The variables of a kind."""
        return [v for v in self.scope if v.kind == kind and (v.free or not free)]

    def variable(self, kind: str) -> str | None:
        """One of the variables of a kind."""
        found = self.known(kind)
        return self.one(found).name if found else None

    def constant(self, kind: str) -> str | None:
        """A constant of the module, perhaps a new one."""
        found = [c for c in self.constants if c.kind == kind]
        if found and self.below(2):
            return self.one(found).name
        which = kind + "+numpy" if kind + "+numpy" in CONSTANTS and self.perhaps("numpy_constants") else kind
        made = Variable(f"C{len(self.constants)}", kind)
        self.constants.append(made)
        self.module.append(f"{made.name} = {self.one(CONSTANTS[which])}")
        return made.name

    def is_shadowed(self, name: str) -> bool:
        return name == self.shadow

    def call(self, name: str, arguments: str) -> str | None:
        """A call of a builtin, unless a variable has its name."""
        return None if self.is_shadowed(name) else f"{name}({arguments})"

    # whole numbers

    def whole(self, depth: int) -> str:
        plain = (
            ("", lambda: str(self.below(11))),
            ("", lambda: self.variable("whole")),
            ("", lambda: self.variable("whole")),
            ("fields", lambda: self.field("whole")),
            ("positions", lambda: f"{self.place(0)}.{self.one('yx')}"),
            ("constants", lambda: self.constant("whole")),
            ("large", lambda: f"({self.one(LARGE)})"),
        )
        if depth <= 0:
            return self.any_of(*plain)
        d = depth - 1
        return self.any_of(
            *plain,
            ("", lambda: f"({self.whole(d)} {self.one('+-*')} {self.whole(d)})"),
            ("", lambda: f"({self.whole(d)} {self.one('+-*')} {self.whole(d)})"),
            ("", lambda: f"-{self.whole(d)}"),
            ("", lambda: self.call("abs", self.whole(d))),
            ("", lambda: self.call(self.one(("min", "max")), f"{self.whole(d)}, {self.whole(d)}")),
            ("division", lambda: f"({self.whole(d)} {self.one(('//', '%'))} {self.one((2, 3, 7, -3, 10))})"),
            ("division", lambda: f"({self.whole(d)} {self.one(('//', '%'))} {self.whole(d)})"),
            ("bits", lambda: f"({self.whole(d)} {self.one('&|^')} {self.whole(d)})"),
            ("bits", lambda: f"~{self.whole(d)}"),
            ("shifts", lambda: f"({self.whole(d)} {self.one(('<<', '>>'))} {self.small(d, 8)})"),
            ("shifts", lambda: f"({self.whole(d)} {self.one(('<<', '>>'))} ({self.small(d, 80)} - 5))"),
            ("powers", lambda: f"({self.whole(d)} ** {self.one((2, 3, 0, 1))})"),
            ("powers", lambda: f"({self.one((2, 3, -1, 0, 10))} ** {self.small(d, 6)})"),
            ("powers", lambda: f"({self.small(d, 4)} ** ({self.variable('whole')} % 9 - 2))" if self.known("whole") else None),
            ("rounding", lambda: self.call(self.one(("int", "round")), self.real(d))),
            ("rounding", lambda: f"math.{self.one(('floor', 'ceil', 'trunc'))}({self.real(d)})"),
            ("conditional", lambda: f"({self.whole(d)} if {self.truth(d)} else {self.whole(d)})"),
            ("truth_arithmetic", lambda: f"({self.truth(d)} {self.one('+-*')} {self.one((self.truth, self.whole))(d)})"),
            ("truth_arithmetic shifts", lambda: f"({self.truth(d)} << {self.small(d, 70)})"),
            ("truth_arithmetic", lambda: f"-({self.truth(d)})"),
            ("truths", lambda: f"int({self.truth(d)})"),
            ("connectives", lambda: f"({self.whole(d)} {self.one(('and', 'or'))} {self.whole(d)})"),
            ("divmod", lambda: f"divmod({self.whole(d)}, {self.one((2, 3, 7, -4))})[{self.below(2)}]"),
            ("reductions", lambda: self.reduced("whole", d)),
            ("reductions", lambda: self.reduced("whole", d)),
            ("next", lambda: self.following(d)),
            ("array_items", lambda: self.item("wholes", d)),
            ("array_items", lambda: self.item("wholes", d)),
            ("array_items truth_arithmetic", lambda: self.item("truths", d)),
            ("arrays", lambda: self.length()),
            ("tuples", lambda: self.tuple_item("tuple", d)),
            ("helpers", lambda: self.helped("whole", d)),
            ("helpers", lambda: self.helped("whole", d)),
            ("random", lambda: self.drawn_whole(d)),
            ("choice", lambda: self.rng(lambda r: f"{r}.choice({self.one(('4', '(1, 2, 4)', '(3, -1)'))})")),
            ("values", lambda: self.of_pair("first", d)),
            ("objects", lambda: self.thing_number(d)),
            ("cells", lambda: f'state.grid.number("visits", {self.place(d)})' if self.inside == "rule" else None),
            ("numpy_math", lambda: f"np.{self.one(('abs', 'square', 'sign'))}({self.whole(d)})"),
            ("numpy_math", lambda: f"np.{self.one(('minimum', 'maximum', 'mod', 'floor_divide'))}({self.whole(d)}, {self.whole(d)})"),
            ("inner_lambda", lambda: f"(lambda a: a + 1)({self.whole(d)})"),
            ("list", lambda: f"[1, 2, 3][{self.small(d, 3)}]"),
            ("math", lambda: f"math.gcd({self.whole(d)}, {self.whole(d)})"),
            ("truth_merged", lambda: f"({self.truth(d)} if {self.truth(d)} else {self.whole(d)})"),
            ("truth_merged connectives", lambda: f"({self.truth(d)} {self.one(('or', 'and'))} {self.whole(d)})"),
            ("own_items", lambda: self.of_own(self.whole(d))),
        )  # fmt: skip

    def small(self, depth: int, most: int) -> str:
        """A whole number from 0 to most - 1."""
        if depth > 0 and self.below(2):
            return f"({self.whole(depth - 1)} % {most})"
        return str(self.below(most))

    def drawn_whole(self, depth: int) -> str | None:
        return self.rng(lambda r: f"{r}.integers({self.one(('6', '2', '-3, 4', '0, 2**40'))})")

    def field(self, kind: str) -> str | None:
        """A declared number, or one that every world has."""
        if self.inside != "rule":
            return None
        own = {"whole": ("state.n", "state.m", "state.agent.steps", "state.tick", "state.grid.height", "action.value"),
               "real": ("state.h", "state.g", "state.agent.energy"),
               "truth": ("state.flag", "state.agent.hot", "state.agent.active")}[kind]  # fmt: skip
        if kind != "truth" and self.below(4) == 3 and self.has("agents"):
            return f"state.agents[{self.one((0, 1))}].{'steps' if kind == 'whole' else 'energy'}"
        return str(self.one(own))

    def thing_number(self, depth: int) -> str | None:
        thing = self.variable("thing") if self.inside == "rule" else None
        return thing and self.one((f"{thing}.status", f"{thing}.reach", f"isinstance({thing}, Key) + 1"))

    def of_pair(self, part: str, depth: int) -> str:
        pair = self.variable("pair") if self.below(2) else None
        return f"{pair or self.pair(depth)}.{part}"

    def pair(self, depth: int) -> str:
        self.has("values")
        made = f"Pair({self.whole(depth)}, {self.real(depth - 1)})"
        known = self.variable("pair")
        return f"({known} + {made})" if known and self.below(2) else made

    # real numbers

    def real(self, depth: int) -> str:
        plain = (
            ("", lambda: self.one(("0.5", "0.0", "1.0", "2.5", "-1.5", "0.1", "3.0"))),
            ("", lambda: self.variable("real")),
            ("", lambda: self.variable("real")),
            ("fields", lambda: self.field("real")),
            ("constants", lambda: self.constant("real")),
            ("special", lambda: f"({self.one(SPECIAL)})"),
            ("random", lambda: self.rng(lambda r: f"{r}.random()")),
        )
        if depth <= 0:
            return self.any_of(*plain)
        d = depth - 1
        return self.any_of(
            *plain,
            ("", lambda: f"({self.real(d)} {self.one('+-*')} {self.real(d)})"),
            ("", lambda: f"({self.real(d)} {self.one('+-*')} {self.real(d)})"),
            ("", lambda: f"({self.whole(d)} {self.one('+-*')} {self.real(d)})"),
            ("", lambda: f"-{self.real(d)}"),
            ("", lambda: self.call("abs", self.real(d))),
            ("", lambda: self.call(self.one(("min", "max")), f"{self.real(d)}, {self.real(d)}")),
            ("real_division", lambda: f"({self.real(d)} / {self.one((2, 3, 0.1, -7.0))})"),
            ("real_division", lambda: f"({self.whole(d)} / {self.one((2, 3, 7, 10))})"),
            ("real_division", lambda: f"({self.whole(d)} / {self.whole(d)})"),
            ("real_division", lambda: f"({self.real(d)} {self.one(('/', '//', '%'))} {self.real(d)})"),
            ("powers", lambda: f"({self.real(d)} ** {self.one((2, 0.5, -1, 3))})"),
            ("powers", lambda: f"({self.one((0.9, 2.0, -1.0))} ** {self.whole(d)})"),
            ("mixed", lambda: self.call(self.one(("min", "max")), f"{self.whole(d)}, {self.real(d)}")),
            ("mixed", lambda: f"({self.whole(d)} if {self.truth(d)} else {self.real(d)})"),
            ("mixed connectives", lambda: f"({self.whole(d)} {self.one(('and', 'or'))} {self.real(d)})"),
            ("conditional", lambda: f"({self.real(d)} if {self.truth(d)} else {self.real(d)})"),
            ("", lambda: f"float({self.whole(d)})"),
            ("truths", lambda: f"float({self.truth(d)})"),
            ("math", lambda: f"math.{self.one(MATH)}({self.one((self.real, self.whole))(d)})"),
            ("math", lambda: f"math.{self.one(('atan2', 'copysign'))}({self.real(d)}, {self.real(d)})"),
            ("math_refused", lambda: f"math.{self.one(('fmod', 'hypot', 'nextafter'))}({self.real(d)}, {self.real(d)})"),
            ("math_pow", lambda: f"math.pow({self.one(('0.9', self.real(d)))}, {self.whole(d)})"),
            ("math_pow", lambda: f"math.ldexp({self.real(d)}, {self.small(d, 9)})"),
            ("numpy_math", lambda: f"np.{self.one(NUMPY)}({self.one((self.real, self.whole))(d)})"),
            ("numpy_math", lambda: f"np.{self.one(('minimum', 'maximum', 'power', 'arctan2', 'mod'))}({self.real(d)}, {self.real(d)})"),
            ("numpy_scalar_math", lambda: f"np.{self.one(('float64', 'float32', 'mean', 'round'))}({self.real(d)})"),
            ("reductions", lambda: self.reduced("real", d)),
            ("array_items", lambda: self.item("reals", d)),
            ("array_items", lambda: self.item("reals", d)),
            ("array_items", lambda: self.item("wholes", d) and f"({self.item('wholes', d)} / {self.one((2, 3))})"),
            ("tuples", lambda: self.tuple_item("real tuple", d)),
            ("helpers", lambda: self.helped("real", d)),
            ("values", lambda: self.of_pair(self.one(("second", "total")), d)),
            ("random", lambda: self.rng(lambda r: f"{r}.{self.one(('uniform(-1, 1)', 'normal()', 'uniform(2.5, 5)', 'normal(1, 2)'))}")),
            ("cells", lambda: f'state.grid.number("scent", {self.place(d)})' if self.inside == "rule" else None),
            ("positions", lambda: f"Position.{self.one(('manhattan', 'euclidean'))}_distance({self.place(d)}, {self.place(d)})"),
            ("objects", lambda: f"{self.variable('thing')}.power" if self.known("thing") else None),
            ("truth_arithmetic", lambda: f"({self.truth(d)} {self.one('+-*/')} {self.real(d)})"),
            ("own_items", lambda: self.of_own(self.real(d))),
            ("taken_apart", lambda: self.sum_of(d)),
            ("drawn_items", lambda: self.rng(lambda r: f"{r}.choice(({self.real(d)}, {self.real(d)}))")),
        )  # fmt: skip

    def of_own(self, held: str) -> str | None:
        """A number out of an object of a class that hands on what it holds."""
        own = f"Own({held})"
        return self.one(
            (f"{own}.held", f"{own}[0]", f"(-{own})", f"({own} * 1.5)", self.call("sum", f"z for z in {own}"))
        )

    def sum_of(self, depth: int) -> str | None:
        """A sum of numbers that are taken out of a tuple."""
        variable = self.new("real", free=False)
        name, pair = variable.name, f"({self.real(depth)}, {self.real(depth)})"
        item = self.one((name, f"{name} * {name}", f"math.copysign(1.0, {name})"))
        over = self.one(
            (f"{name} in {pair}", f"{name}, _ in zip({pair}, range(2))", f"_, {name} in enumerate({pair})")
        )
        return self.call("sum", f"{item} for {over}")

    # truth values

    def truth(self, depth: int) -> str:
        plain = (
            ("", lambda: f"{self.whole(0)} {self.one(('>', '<', '==', '!=', '<=', '>='))} {self.whole(0)}"),
            ("", lambda: self.variable("truth")),
            ("fields", lambda: self.field("truth")),
            ("constants truths", lambda: self.constant("truth")),
            ("truths", lambda: self.one(("True", "False"))),
        )
        if depth <= 0:
            return self.any_of(*plain).join("()")
        d = depth - 1
        made = self.any_of(
            *plain,
            ("", lambda: f"{self.whole(d)} {self.one(('>', '<', '==', '!=', '<=', '>='))} {self.whole(d)}"),
            ("reals", lambda: f"{self.real(d)} {self.one(('>', '<', '==', '!='))} {self.real(d)}"),
            ("mixed", lambda: f"{self.whole(d)} {self.one(('>', '<', '==', '!='))} {self.real(d)}"),
            ("chained", lambda: f"{self.whole(d)} {self.one(('<', '<=', '=='))} {self.whole(d)} {self.one(('<', '!=', '>'))} {self.one((self.whole, self.real))(d)}"),
            ("connectives", lambda: f"{self.truth(d)} {self.one(('and', 'or'))} {self.truth(d)}"),
            ("connectives", lambda: f"not {self.truth(d)}"),
            ("truths bits", lambda: f"{self.truth(d)} {self.one('&|^')} {self.truth(d)}"),
            ("truths", lambda: f"{self.truth(d)} {self.one(('==', '!='))} {self.truth(d)}"),
            ("truths", lambda: f"bool({self.one((self.whole, self.real))(d)})"),
            ("is_truth", lambda: f"{self.truth(d)} {self.one(('is', 'is not'))} {self.one(('True', 'False'))}"),
            ("membership", lambda: f"{self.whole(d)} {self.one(('in', 'not in'))} {self.one(('(1, 2, 3)', '{0, 4}', 'range(5)', '(0, True, 7)', '[2, 5]'))}"),
            ("membership mixed", lambda: f"{self.real(d)} in {self.one(('(1, 2, 0.0)', 'range(5)'))}"),
            ("membership random_arrays", lambda: f"{self.whole(d)} in {self.variable('wholes')}" if self.known("wholes") else None),
            ("reductions", lambda: self.reduced("truth", d)),
            ("array_items", lambda: self.item("truths", d)),
            ("array_compare", lambda: self.item("wholes", d) and f"{self.item('wholes', d)} {self.one(('>', '==', '<'))} {self.whole(d)}"),
            ("array_compare", lambda: self.item("reals", d) and f"{self.item('reals', d)} {self.one('<>')} {self.real(d)}"),
            ("array_compare is_truth", lambda: self.item("truths", d) and f"{self.item('truths', d)} is {self.one(('True', 'False'))}"),
            ("masks", lambda: f"{self.variable('mask')}[{self.place(d)}]" if self.known("mask") else None),
            ("helpers truths", lambda: self.helped("truth", d)),
            ("objects", lambda: f"isinstance({self.thing(d)}, {self.one(KINDS)})" if self.inside == "rule" else None),
            ("objects", lambda: f"{self.thing(d)}.{self.one(('blocks_movement', 'holdable', 'blocks_vision'))}" if self.inside == "rule" else None),
            ("objects", lambda: f"{self.thing(d)} == {self.thing(d)}" if self.inside == "rule" else None),
            ("objects", lambda: f"{self.thing(d)}.color {self.one(('==', 'is', '!='))} Color.RED" if self.inside == "rule" else None),
            ("positions", lambda: f"{self.place(d)} {self.one(('==', '!='))} {self.place(d)}"),
            ("positions", lambda: f"state.grid.contains({self.place(d)})" if self.inside == "rule" else None),
            ("orientations", lambda: f"state.agent.orientation {self.one(('==', 'is', '!='))} Orientation.LEFT" if self.inside == "rule" else None),
            ("match", lambda: f"action {self.one(('== Action.WAIT', 'is Action.TURN_LEFT', 'in (Action.TURN_LEFT, Action.WAIT)'))}" if self.inside == "rule" else None),
            ("walrus", lambda: self.named(d)),
            ("math", lambda: f"math.{self.one(('isnan', 'isfinite', 'isinf'))}({self.real(d)})"),
            ("math_refused", lambda: f"math.isclose({self.real(d)}, {self.real(d)})"),
        )  # fmt: skip
        return made if made.isidentifier() else f"({made})"

    def named(self, depth: int) -> str | None:
        found = self.known("whole", free=True)
        return f"({self.one(found).name} := {self.whole(depth)}) > {self.below(5)}" if found else None

    # places and things

    def place(self, depth: int) -> str:
        rule = self.inside == "rule"
        return self.any_of(
            ("", lambda: "state.agent.position" if rule else "Position(1, 2)"),
            ("", lambda: self.variable("place")),
            ("positions", lambda: f"Position({self.small(depth, 5)}, {self.small(depth, 6)})"),
            ("positions", lambda: f"Position({self.below(5)}, {self.below(6)})"),
            ("positions agents", lambda: f"state.agents[{self.one((0, 1))}].position" if rule else None),
        )

    def thing(self, depth: int) -> str:
        return self.any_of(
            ("", lambda: f"state.grid[{self.place(depth)}]"),
            ("", lambda: self.variable("thing")),
            ("objects", lambda: self.one(MADE)),
            ("objects", lambda: "state.agent.grid_object"),
            ("objects", lambda: f"state.grid[{self.place(0)}].content"),
        )

    # several numbers

    def rng(self, make: Callable[[str], str]) -> str | None:
        if self.inside != "rule":
            return None
        if self.below(4) == 3:
            return make("state.rng")
        self.luck = True
        return make("rng")

    def item(self, kind: str, depth: int) -> str | None:
        found = self.known(kind)
        return self.item_of(self.one(found), depth) if found else None

    def item_of(self, array: Variable, depth: int) -> str:
        n = array.length
        where = self.any_of(
            ("", lambda: str(self.below(n))),
            ("", lambda: self.small(depth, n)),
            ("", lambda: self.one(("-1", str(-n)))),
            ("raise", lambda: self.whole(0)),
            ("truth_merged", lambda: f"{self.truth(0)} if {self.truth(0)} else {self.below(n)}"),
            ("truth_merged", lambda: f"{self.truth(0)} or {self.below(n)}"),
        )
        return f"{array.name}[{where}]"

    def length(self) -> str | None:
        found = [*self.known("wholes"), *self.known("reals"), *self.known("truths"), *self.known("tuple")]
        return self.call("len", self.one(found).name) if found else None

    def tuple_item(self, kind: str, depth: int) -> str | None:
        """An item of a tuple that is a constant, or written out."""
        if self.perhaps("nested_tuples", 3):
            made = self.one(("((1, 2), (3, 4))", "((0, 1), (1, 0), (0, -1))"))
            return f"{made}[{self.small(depth, 2)}][{self.below(2)}]"
        if "constants" in self.on and self.below(2):
            return f"{self.constant(kind)}[{self.one(('0', '1', '-1', self.small(depth, 2)))}]"
        item = self.whole if kind == "tuple" else self.real
        return f"({item(depth)}, {item(depth)})[{self.one(('0', '1', '-1'))}]"

    def array(self) -> tuple[Variable, str] | None:
        """A new array, and what makes it."""
        n = self.below(4) + 1
        rule, choices = self.inside == "rule", []
        if not rule:
            return None
        if "arrays" in self.on:
            choices += [("wholes", "arrays", lambda: f"new_integers(state.scratch, {n})")] * 2
            choices += [("reals", "arrays", lambda: f"new_floats(state.scratch, {n})")]
        if "random_arrays" in self.on:
            r = "state.rng" if self.below(4) == 3 else "rng"
            ends = self.one(("6", "-5, 6", "2", "0, 2**40"))
            choices += [
                ("wholes", "random_arrays", lambda: f"{r}.integers({ends}, size={n})"),
                ("reals", "random_arrays", lambda: f"{r}.random({n})"),
                ("reals", "random_arrays", lambda: f"{r}.normal(size={n})"),
                ("wholes", "random_arrays", lambda: f"{r}.permutation({n})"),
                ("truths", "random_arrays", lambda: f"{r}.random({n}) < 0.5"),
                ("wholes", "choice", lambda: f"{r}.choice((1, 5, 9), size={n})"),
                (
                    "wholes",
                    "drawn_items",
                    lambda: f"{r}.choice(({self.whole(1)}, {self.whole(1)}), size={n})",
                ),
                ("reals", "drawn_items", lambda: f"{r}.choice(({self.real(1)}, {self.real(1)}), size={n})"),
            ]
        for kind, to in (("wholes", "bool"), ("reals", "int"), ("truths", "int"), ("wholes", "float")):
            if "array_convert" in self.on and (found := self.known(kind)):
                one = self.one(found)
                n, made = one.length, {"bool": "truths", "int": "wholes", "float": "reals"}[to]
                choices.append((made, "array_convert", lambda one=one, to=to: f"{one.name}.astype({to})"))
        if "array_compare" in self.on and (found := self.known("wholes")):
            one = self.one(found)
            choices.append(("truths", "array_compare", lambda one=one: f"{one.name} > {self.below(4)}"))
        if "masks" in self.on:
            choices.append(("mask", "masks", lambda: f"state.grid.mask({self.one(('', 'True'))})"))
        if not choices:
            return None
        kind, feature, make = self.one(choices)
        self.used.add(feature)
        text = make()
        self.luck |= text.startswith("rng.")
        if feature in ("array_convert", "array_compare"):
            n = next(v.length for v in self.scope if v.name == re.split(r"[.\s]", text)[0])
        return self.new(kind, length=n), text

    def reduced(self, kind: str, depth: int) -> str | None:
        """any, all, sum, min or max over a generator expression."""
        if kind == "truth":
            name = self.one(("any", "all"))
        else:
            name = self.one(("sum", "max", "min") if kind == "whole" else ("sum", "min", "max"))
        if self.is_shadowed(name):
            return None
        with_variable = self.comprehension(depth)
        if with_variable is None:
            return None
        variable, clause = with_variable
        self.scope.append(variable)
        self.loops += 1
        item = {"whole": self.whole, "real": self.real, "truth": self.truth}[kind](depth)
        condition = f" if {self.truth(depth)}" if self.below(3) == 2 else ""
        self.loops -= 1
        self.scope.remove(variable)
        more = ""
        if condition and name in ("min", "max") and self.below(8):
            more = f", default={self.whole(0) if kind == 'whole' else self.real(0)}"
        elif name == "sum" and self.below(4) == 3:
            more = f", {self.whole(0) if kind == 'whole' else self.real(0)}"
        inner = f"{item} {clause}{condition}"
        return f"{name}(({inner}){more})" if more else f"{name}({inner})"

    def following(self, depth: int) -> str | None:
        with_variable = self.comprehension(0)
        if with_variable is None:
            return None
        variable, clause = with_variable
        self.scope.append(variable)
        item, condition = self.whole(depth), self.truth(depth)
        self.scope.remove(variable)
        return f"next(({item} {clause} if {condition}), {self.whole(0)})"

    def comprehension(self, depth: int) -> tuple[Variable, str] | None:
        options: list[tuple[str, str, str]] = [("whole", f"range({self.below(6) + 1})", "range")]
        if self.inside == "rule" and not self.loops:
            options.append(("place", "state.grid.positions()", "positions"))
        if "array_loops" in self.on:
            for kind, of in (("wholes", "whole"), ("reals", "real"), ("truths", "truth")):
                options += [(of, v.name, "array_loops") for v in self.known(kind)]
        options.append(("whole", self.one(("(1, 2, 4)", "(-1, 0, 1)")), "tuples"))
        if "constants" in self.on:
            options.append(("whole", self.constant("tuple"), "constants"))
        kind, over, feature = self.one(options)
        if feature in ("array_loops", "constants"):
            self.used.add(feature)
        variable = self.new(kind, free=False)
        return variable, f"for {variable.name} in {over}"

    def helped(self, kind: str, depth: int) -> str | None:
        """A call of a helper that gives a number of a kind."""
        raise NotImplementedError
