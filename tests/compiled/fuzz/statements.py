"""Random statements and helper functions."""

from __future__ import annotations

from collections.abc import Callable

from tests.compiled.fuzz.expressions import Expressions, Variable


class Statements(Expressions):
    """Writes statements, each as some lines, and the functions that they call."""

    # functions

    def helped(self, kind: str, depth: int) -> str | None:
        """A call of a helper that gives what is asked for; a new one if there is none."""
        found = [h for h in self.helpers if h[1] == kind]
        if not found and len(self.helpers) < 3 and self.inside == "rule":
            self.helper(kind)
            found = [h for h in self.helpers if h[1] == kind]
        if not found:
            return None
        name, _, shape = self.one(found)
        given = [self.whole(depth)]
        if shape.startswith("ab") and self.below(2):
            given.append(self.real(depth) if "real" in shape else self.whole(depth))
        if shape.endswith("k") and self.below(2):
            given.append(f"k={self.whole(depth)}")
        return f"{name}({', '.join(given)})"

    def helper(self, kind: str) -> None:
        number = len(self.helpers)
        name = f"helper{number}"
        if kind == "whole" and self.perhaps("lambdas", 3):
            outer = self.scope, self.inside, self.taken
            self.scope, self.inside, self.taken = [Variable("a", "whole", False)], "helper", {"a"}
            text = f"{name} = lambda a: {self.whole(2)}"
            self.scope, self.inside, self.taken = outer
            self.module.append(text)
            self.helpers.append((name, kind, "a"))
            return
        parameters, shape = ["a"], "a"
        variables = [Variable("a", "whole")]
        if self.perhaps("defaults"):
            real = self.below(2) == 1
            parameters.append(f"b={'0.5' if real else self.below(5)}")
            variables.append(Variable("b", "real" if real else "whole"))
            shape = "ab real" if real else "ab"
        if self.perhaps("keyword_only"):
            parameters += ["*", f"k={self.below(5)}"]
            variables.append(Variable("k", "whole"))
            shape += " k"
        outer_state = (self.scope, self.inside, self.taken, self.loops, self.returns, self.luck)
        self.scope, self.inside, self.taken = variables, "helper", {v.name for v in variables}
        self.loops, self.returns = 0, kind
        body = self.block(2, 1)
        result = {"whole": self.whole, "real": self.real, "truth": self.truth}[kind](2)
        self.scope, self.inside, self.taken, self.loops, self.returns, self.luck = outer_state
        lines = [f"def {name}({', '.join(parameters)}):", *indented([*body, f"return {result}"])]
        if kind != "truth" and self.perhaps("decorators", 3):
            self.module.append(self.decorator(number))
            lines.insert(0, f"@deco{number}")
            shape = "ab" if self.module[-1].count("b=") else "a"
        self.module.append("\n".join(lines))
        if shape == "ab k" and self.perhaps("partials", 3):
            self.module.append(f"{name}p = functools.partial({name}, {self.one(('b=3', 'k=2', 'b=1, k=7'))})")
            name, shape = f"{name}p", "a"
        self.helpers.append((name, kind, shape))

    def decorator(self, number: int) -> str:
        """A decorator that changes what a helper of one number gives, or its defaults."""
        inner, passed = self.one(
            (("a", "a"), (f"a, b={self.below(9)}", "a"), (f"a, b={self.below(9)}", "a + b"))
        )
        result = self.one(
            (f"f({passed}) * 2", f"f({passed})", f"max(f({passed}), 1)", f"f({passed}) + {self.below(5)}")
        )
        wrapped = ["    @functools.wraps(f)"] if self.below(2) else []
        lines = [
            f"def deco{number}(f):",
            *wrapped,
            f"    def inner({inner}):",
            f"        return {result}",
            "",
            "    return inner",
        ]
        return "\n".join(lines)

    def generator(self) -> str:
        """The name of a function that yields a number of its argument."""
        if "def each(" not in "".join(self.module):
            yielded = self.one(("a", "a * 2.5", "-a", "max(a, 0.5)"))
            self.module.append(f"def each(a):\n    yield {yielded}\n    yield a")
        return "each"

    # statements

    def block(self, depth: int, most: int = 3) -> list[str]:
        """Some statements; what they define is forgotten afterwards."""
        before = len(self.scope)
        lines: list[str] = []
        for _ in range(self.below(most) + 1):
            lines += self.statement(depth)
        del self.scope[before:]
        return lines or ["pass"]

    def statement(self, depth: int) -> list[str]:
        rule = self.inside == "rule"
        compound = depth > 0
        options: list[tuple[str, bool, Callable[[], list[str] | None]]] = [
            ("", True, self.assign),
            ("", True, self.assign),
            ("", True, self.assign_again),
            ("augmented", True, self.augment),
            ("fields", rule, self.write_field),
            ("fields augmented", rule, self.augment_field),
            ("array_items", True, self.make_array),
            ("array_items", True, self.make_array),
            ("array_assign", True, self.assign_item),
            ("array_augmented", True, self.augment_item),
            ("array_augmented", True, self.augment_item),
            ("tuples", True, self.unpack),
            ("swap", True, self.swap),
            ("cells", rule, self.write_cell),
            ("objects", rule, self.put),
            ("agents", rule, self.move),
            ("raise", True, self.fail),
            ("assert", True, self.assertion),
            ("early_return", True, self.leave_early),
            ("leave", self.loops > 0, self.leave),
            ("", compound, lambda: self.when(depth)),
            ("", compound, lambda: self.loop(depth)),
            ("", compound, lambda: self.loop(depth)),
            ("while", compound, lambda: self.repeat(depth)),
            ("while", compound, lambda: self.repeat(depth)),
            ("match", compound, lambda: self.cases(depth)),
            ("none", rule and compound and not self.loops, self.search),
            ("maybe_none", rule, self.maybe_none),
            ("try", compound, lambda: ["try:", *indented(self.block(0)), "except ValueError:", "    pass"]),
            ("nested_function", True, self.nested),
        ]
        left = [o for o in options if o[1] and all(f in self.on for f in o[0].split())]
        while True:
            features, _, make = left.pop(self.below(len(left)))
            if (made := make()) is not None:
                self.used.update(features.split())
                return made

    def value_of(self, kind: str, depth: int = 2) -> str:
        making = {"whole": self.whole, "real": self.real, "truth": self.truth, "place": self.place, "pair": self.pair,
                  "thing": self.thing}  # fmt: skip
        return making[kind](depth)

    def kind(self) -> str:
        kinds = ["whole"]
        kinds += ["real"] if "reals" in self.on else []
        kinds += ["truth"] if "truths" in self.on else []
        kinds += ["place"] if "positions" in self.on else []
        kinds += ["pair"] if "values" in self.on else []
        kinds += ["thing"] if "objects" in self.on and self.inside == "rule" else []
        return str(self.one(kinds))

    def assign(self) -> list[str]:
        kind = self.kind()
        text = self.value_of(kind)
        variable = self.new(kind)
        self.scope.append(variable)
        return [f"{variable.name} = {text}"]

    def assign_helped(self) -> list[str]:
        self.has("helpers")
        variable, text = self.new("whole"), self.helped("whole", 1)
        self.scope.append(variable)
        return [f"{variable.name} = {text}"]

    def assign_again(self) -> list[str] | None:
        found = [
            v for v in self.scope if v.free and v.kind in ("whole", "real", "truth", "place", "pair", "thing")
        ]
        if not found:
            return None
        variable = self.one(found)
        kind = variable.kind
        if kind == "real" and self.perhaps("mixed", 3):
            kind = "whole"
        if kind == "whole" and self.perhaps("truth_merged", 3):
            kind = "truth"
        return [f"{variable.name} = {self.value_of(kind)}"]

    def augment(self) -> list[str] | None:
        found = [*self.known("whole", free=True), *self.known("real", free=True)]
        if not found:
            return None
        variable = self.one(found)
        return [f"{variable.name} {self.augmentation(variable.kind)}"]

    def augmentation(self, kind: str) -> str:
        if kind == "real":
            operator = self.any_of(("", lambda: self.one(("+=", "-=", "*="))), ("real_division", lambda: self.one(("/=", "//=", "%="))),
                                   ("powers", lambda: "**="))  # fmt: skip
            if operator == "**=":
                return f"**= {self.one((2, 0.5, -1))}"
            return f"{operator} {self.real(1)}" if self.below(3) else f"{operator} {self.whole(1)}"
        operator = self.any_of(
            ("", lambda: self.one(("+=", "-=", "*="))),
            ("division", lambda: self.one(("//=", "%="))),
            ("bits", lambda: self.one(("&=", "|=", "^="))),
            ("shifts", lambda: self.one(("<<=", ">>="))),
            ("powers", lambda: "**="),
        )
        if operator == "**=":
            return f"**= {self.small(1, 4)}"
        if operator in ("<<=", ">>="):
            return f"{operator} {self.one((self.small(1, 9), self.small(1, 80) + ' - 5'))}"
        return f"{operator} {self.whole(1)}"

    def write_field(self) -> list[str]:
        name, kind = self.one((("n", "whole"), ("h", "real"), ("m", "whole"), ("g", "real"), ("flag", "truth"),
                               ("agent.steps", "whole"), ("agent.energy", "real"), ("agent.hot", "truth")))  # fmt: skip
        if self.perhaps("stored_otherwise", 3):
            kind = self.one(("whole", "real", "truth"))
        return [f"state.{name} = {self.value_of(kind)}"]

    def augment_field(self) -> list[str]:
        name, kind = self.one(
            (("n", "whole"), ("h", "real"), ("agent.steps", "whole"), ("agent.energy", "real"))
        )
        if name.startswith("agent") and self.perhaps("agents", 3):
            name = name.replace("agent", f"agents[{self.one((0, 1))}]")
        return [f"state.{name} {self.augmentation(kind)}"]

    def make_array(self) -> list[str] | None:
        made = self.array()
        if made is None:
            return None
        self.scope.append(made[0])
        return [f"{made[0].name} = {made[1]}"]

    def assign_item(self) -> list[str] | None:
        found = [*self.known("wholes"), *self.known("reals"), *self.known("truths")]
        if (masks := self.known("mask")) and (not found or self.below(3) == 2):
            return [f"{self.one(masks).name}[{self.place(1)}] = {self.truth(1)}"]
        if not found:
            return None
        array = self.one(found)
        kind = array.kind[:-1]
        if self.perhaps("stored_otherwise", 3):
            kind = self.one(("whole", "real", "truth"))
        return [f"{self.item_of(array, 1)} = {self.value_of(kind)}"]

    def augment_item(self) -> list[str] | None:
        found = [*self.known("wholes"), *self.known("reals")]
        if not found:
            return None
        array = self.one(found)
        return [f"{self.item_of(array, 1)} {self.augmentation(array.kind[:-1])}"]

    def unpack(self) -> list[str]:
        kinds = [self.one(("whole", "real") if "reals" in self.on else ("whole",)) for _ in range(2)]
        texts = [self.value_of(kind, 1) for kind in kinds]
        names = [self.new(kind) for kind in kinds]
        if self.perhaps("nested_tuples", 3):
            third = self.new("whole")
            self.scope += [*names, third]
            return [
                f"({names[0].name}, {third.name}), {names[1].name} = ({texts[0]}, {self.whole(0)}), {texts[1]}"
            ]
        if self.perhaps("starred", 2):
            return [f"{names[0].name}, *rest = {texts[0]}, {texts[1]}, 3"]
        if kinds == ["whole", "whole"] and self.inside == "rule" and self.perhaps("positions", 3):
            texts = [self.one(("state.agent.position.yx", "state.grid.shape", "divmod(state.n, 7)"))]
        self.scope += names
        return [f"{names[0].name}, {names[1].name} = {', '.join(texts)}"]

    def swap(self) -> list[str] | None:
        found = self.known(self.one(("whole", "real")), free=True)
        if len(found) < 2:
            return None
        a, b = found[-1].name, found[-2].name
        return [f"{a}, {b} = {b}, {a}"]

    def write_cell(self) -> list[str]:
        name, kind = self.one((("scent", "real"), ("visits", "whole")))
        if self.perhaps("cell_otherwise", 3):
            kind = self.one(("whole", "real", "truth"))
        return [f'state.grid.set_number("{name}", {self.place(1)}, {self.value_of(kind, 1)})']

    def put(self) -> list[str]:
        if self.below(4) == 3:
            return [f"state.grid.swap({self.place(1)}, {self.place(1)})"]
        return [f"state.grid[{self.place(1)}] = {self.thing(1)}"]

    def move(self) -> list[str]:
        agent = f"state.agent{self.one(('', 's[0]', 's[1]'))}"
        return [
            self.any_of(
                ("", lambda: f"{agent}.position = {self.place(1)}"),
                ("", lambda: f"{agent}.position = Position({self.small(1, 5)}, {self.small(1, 6)})"),
                ("orientations", lambda: f"{agent}.orientation = {self.one(('-', ''))}{agent}.orientation * Orientation.LEFT"),
                ("orientations", lambda: f"{agent}.orientation = Orientation({self.small(1, 4)})"),
                ("objects", lambda: f"{agent}.grid_object = {self.one(('Key(Color.RED)', 'Ball(Color.BLUE)'))}"),
                ("truths", lambda: f"{agent}.active = {self.truth(1)}"),
                ("fields", lambda: f"{agent}.result = {self.small(1, 3)}"),
            )
        ]  # fmt: skip

    def fail(self) -> list[str]:
        what = self.one(('ValueError("no")', "IndexError", 'KeyError(f"{1 + 1}")'))
        return [f"if {self.unlikely()}:", f"    raise {what}"]

    def assertion(self) -> list[str]:
        return [f"assert not {self.unlikely()}{self.one(('', ', (1, 2)'))}"]

    def unlikely(self) -> str:
        """A condition that seldom holds, so that most cases go on."""
        return f"({self.whole(1)} == {self.one((17, -3, 2, 5))} and {self.truth(0)})"

    def leave_early(self) -> list[str]:
        result = "" if not self.returns else " " + self.value_of(self.returns, 1)
        if self.returns == "real" and self.perhaps("mixed", 3):
            result = " " + self.whole(1)
        return [f"if {self.truth(1)}:", f"    return{result}"]

    def leave(self) -> list[str]:
        return [f"if {self.truth(1)}:", f"    {self.one(('break', 'continue'))}"]

    def when(self, depth: int) -> list[str]:
        lines = [f"if {self.truth(2)}:", *indented(self.block(depth - 1))]
        if self.below(3) == 2:
            lines += [f"elif {self.truth(1)}:", *indented(self.block(depth - 1, 2))]
        if self.below(2):
            lines += ["else:", *indented(self.block(depth - 1, 2))]
        return lines

    def loop(self, depth: int) -> list[str]:
        """A for loop over one of many things."""
        rule = self.inside == "rule"
        kept: list[Variable] = []
        outer = [v for v in self.loop_variables if v.kind == "whole" and v in self.scope]
        again = [self.one(outer)] if outer and self.perhaps("same_loop_variable") else []

        def own(kind: str) -> str:
            variable = self.new(kind, free=False)
            if self.perhaps("loop_variable", 4):
                variable.free = True
            kept.append(variable)
            return variable.name

        header = (again and self.any_of(
            ("", lambda: f"{again[0].name} in range({self.small(1, 6)})"),
            ("", lambda: f"{again[0].name} in (1, 2, 4)"),
            ("", lambda: f"{again[0].name} in {self.constant('tuple')}"),
        )) or self.any_of(
            ("", lambda: f"{own('whole')} in range({self.one(('3', '1, 5', '5, 0, -2', '0', self.small(1, 6)))})"),
            ("", lambda: f"{own('place')} in state.grid.positions()" if rule and not self.loops else None),
            ("tuples", lambda: f"{own('whole')} in {self.one(('(1, 2, 4)', '(-1, 0, 1)'))}"),
            ("mixed_tuples", lambda: f"{own('whole')} in (3, True)"),
            ("tuples reals", lambda: f"{own('real')} in (0.5, 1.5)"),
            ("constants tuples", lambda: f"{own('whole')} in {self.constant('tuple')}"),
            ("nested_tuples", lambda: f"{own('whole')}, {own('whole')} in ((0, 1), (1, 0), (0, -1))"),
            ("enumerate", lambda: f"{own('whole')}, {own('whole')} in enumerate({self.one(('range(2, 6)', '(5, 0, 2)'))}{self.one(('', ', 2', ', start=-1'))})"),
            ("zip", lambda: f"{own('whole')}, {own('whole')} in zip(range(3), range(4, 9))"),
            ("enumerate positions", lambda: f"{own('whole')}, {own('place')} in enumerate(state.grid.positions())" if rule and not self.loops else None),
            ("taken_apart", lambda: f"{own('real')} in ({self.real(1)}, {self.real(1)})"),
            ("taken_apart zip", lambda: f"{own('real')}, {own('whole')} in zip(({self.real(1)}, {self.real(1)}), (1, 2))"),
            ("taken_apart enumerate", lambda: f"{own('whole')}, {own('real')} in enumerate(({self.real(1)}, {self.real(1)}))"),
            ("generators", lambda: f"{own('real')} in {self.generator()}({self.real(1)})"),
            ("own_items", lambda: f"{own('real')} in Own({self.real(1)})"),
            ("array_loops", lambda: (self.known("wholes") and f"{own('whole')} in {self.variable('wholes')}") or None),
            ("array_loops", lambda: (self.known("reals") and f"{own('real')} in {self.variable('reals')}") or None),
            ("array_loops", lambda: (self.known("truths") and f"{own('truth')} in {self.variable('truths')}") or None),
            ("array_loops enumerate", lambda: (self.known("wholes") and f"{own('whole')}, {own('whole')} in enumerate({self.variable('wholes')})") or None),
        )  # fmt: skip
        self.scope += kept
        self.loop_variables += kept
        self.loops += 1
        body = self.block(depth - 1)
        self.loops -= 1
        for variable in kept:
            self.scope.remove(variable)
            self.loop_variables.remove(variable)
        lines = [f"for {header}:", *indented(body)]
        if self.perhaps("for_else", 3):
            lines += ["else:", *indented(self.block(depth - 1, 2))]
        for variable in again:  # what it is after the loop
            later = self.new(variable.kind)
            self.scope.append(later)
            lines.append(f"{later.name} = {variable.name}")
        return lines

    def repeat(self, depth: int) -> list[str]:
        counter = self.new("whole", free=False)
        start = f"{counter.name} = {self.small(1, 7)}"
        self.scope.append(counter)
        more = f" and {self.truth(1)}" if self.below(3) == 2 else ""
        self.loops += 1
        body = self.block(depth - 1)
        self.loops -= 1
        lines = [start, f"while {counter.name} > 0{more}:", f"    {counter.name} -= 1", *indented(body)]
        if self.perhaps("while_else"):
            lines += ["else:", *indented(self.block(depth - 1, 2))]
        return lines

    def cases(self, depth: int) -> list[str]:
        if self.perhaps("match_tuple", 3):
            subject = f"({self.whole(1)}, {self.whole(1)})"
            first, second = self.new("whole"), self.new("whole")
            patterns = [
                f"(0, {first.name})",
                f"({first.name}, {second.name}) if {first.name} == {second.name}",
            ]
        else:
            subject = self.whole(1)
            patterns = [self.one(("1", "0 | 2", "7", "2 | 3"))]
            if self.inside == "rule" and self.perhaps("match_action"):
                subject, patterns = "action", [self.one(("Action.WAIT", "Action.TURN_LEFT | Action.ACTUATE"))]
        lines = [f"match {subject}:"]
        for pattern in patterns:
            lines += indented([f"case {pattern}:", *indented(self.block(depth - 1, 1))])
        return [*lines, "    case _:", *indented(indented(self.block(depth - 1, 1)))]

    def search(self) -> list[str]:
        """Looks for the best, beginning with None."""
        best, item = self.new("whole"), self.new("place", free=False)
        self.scope.append(item)
        value = self.whole(1)
        condition = self.truth(1)
        self.scope.remove(item)
        compare = self.one("<>")
        self.scope.append(best)
        return [
            f"{best.name} = None",
            f"for {item.name} in state.grid.positions():",
            f"    if {condition} and ({best.name} is None or {value} {compare} {best.name}):",
            f"        {best.name} = {value}",
            f"if {best.name} is None:",
            f"    {best.name} = {self.below(4)}",
        ]

    def maybe_none(self) -> list[str]:
        """Sets a variable to a number or not, and makes use of it."""
        name = self.new(self.one(("whole", "real"))).name
        value = self.one((self.whole, self.real))(1)
        uses = [
            f"state.h = {name} * {self.real(0)}",
            f"state.n = {name} + {self.whole(0)}",
            f"state.flag = {name} in ({self.one(('1, 2.0', '5, 7', '2**53 + 1, 3', '0.5, 3.0'))})",
            f"state.flag = {name} {self.one(('==', '<', '!='))} {self.one((self.whole, self.real))(0)}",
            f"state.agent.position = Position({name}, 1)",
        ]
        uses += [
            f"{self.item_of(array, 0)} = {name}" for array in (*self.known("wholes"), *self.known("reals"))
        ]
        use = self.one(uses)
        lines = [f"{name} = None", f"if {self.truth(0)}:", f"    {name} = {value}"]
        return [*lines, f"if {name} is not None:", f"    {use}"] if self.below(2) else [*lines, use]

    def nested(self) -> list[str]:
        name = f"inner{len(self.taken)}"
        self.taken.add(name)
        return [f"def {name}(a):", "    return a + 1", f"{self.new('whole').name} = {name}(1)"]


def indented(lines: list[str]) -> list[str]:
    """One level deeper."""
    return [f"    {part}" if part else part for line in lines for part in line.split("\n")]
