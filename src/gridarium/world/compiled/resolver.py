"""Resolves kinds, colors, objects and actions to their meaning in compiled code.

Importing this module does not import numba.
"""

from __future__ import annotations

import ast
import enum
import functools
from typing import Any

from gridarium.compiled.data_types.primitives import compiled_as
from gridarium.compiled.data_types.symbol import Symbol
from gridarium.compiled.data_types.value_class import generated
from gridarium.compiled.signals import signals_wait
from gridarium.compiled.source_pass.fixed_values import operators_of
from gridarium.compiled.source_pass.resolver import UNKNOWN, Resolver, StaticValue, symbol_of
from gridarium.compiled.source_pass.source import Unsupported, is_ours
from gridarium.world.action_arguments import BareAction
from gridarium.world.actions import Action
from gridarium.world.cell import Cell, Kind, encode, has_status
from gridarium.world.colors import Color
from gridarium.world.field_array import Table, array_of_table
from gridarium.world.members import check_kinds, members, reader, refuse_own_constructor
from gridarium.world.objects import FLAGS, Floor, GridObject
from gridarium.world.vocabulary import Vocabulary, everything

BUILT_IN = tuple(kind for kind in GridObject.__subclasses__() if kind.__module__ == GridObject.__module__)
"""Kinds whose attributes, such as `is_open`, rules may read even in worlds without these kinds."""


class WorldResolver(Resolver):
    """Resolves kinds to tests and constructors on integers, and colors to their integers, for one vocabulary.

    Args:
        vocabulary: the vocabulary of the world that is compiled.
        one_world: whether all states and grids in the compiled code use this vocabulary; its numbers, such as the
            number of layers, are then compile-time constants.
    """

    def __init__(self, vocabulary: Vocabulary, *, one_world: bool = True) -> None:
        self.vocabulary, self.one_world = vocabulary, one_world
        self._members = members((*vocabulary.kinds.values(), *BUILT_IN)) if one_world else {}
        self._readers: dict[str, Any] = {}

    def __fingerprint__(self) -> list[Any]:
        """The parts that compiled programs depend on (see `gridarium.compiled.cache.fingerprint`)."""
        read = [
            (n, k.__module__, k.__qualname__, m) for n, of in self._members.items() for k, m in of.items()
        ]
        kinds = self.vocabulary.kinds.values()
        statuses = [kind.Status for kind in kinds]
        own = [
            kind for kind in kinds if not is_ours(kind)
        ]  # a rule may ask for the very class, or one of its bases
        return [self.vocabulary, read, [statuses.index(status) for status in statuses], self._refusal(), own]

    def _refusal(self) -> str | None:
        try:
            check_kinds(self.vocabulary.kinds.values())
        except Unsupported as error:
            return str(error)
        return None

    def prepare(self) -> None:
        """Register the compiled implementations of the world's primitives and the names in the library's classes."""
        with signals_wait():  # numba is taught once
            _prepare_library()
        if self.one_world:
            check_kinds(self.vocabulary.kinds.values())

    def fixed(self, owner: str, name: str) -> StaticValue:
        """The numbers of the vocabulary."""
        found = getattr(self.vocabulary, name, None) if owner == "vocabulary" and self.one_world else None
        return StaticValue(True, found) if isinstance(found, int) else UNKNOWN

    def is_symbolic(self, thing: Any) -> bool:
        """Colors are."""
        return isinstance(thing, Color) and not operators_of(type(thing))

    def symbol(self, thing: Any) -> Symbol:
        """The number of a color."""
        return Symbol(self.vocabulary.number_of_color(thing))

    def is_symbolic_attribute(self, name: str) -> bool:
        """The color of an object, unless actions have an argument of that name."""
        return name == "color" and name not in self.vocabulary.action_table.readers

    def is_number_attribute(self, name: str) -> bool:
        """The status of an object."""
        return name in ("status", "state_index")

    def constant(self, thing: Any) -> ast.expr | None:
        """Colors as numbers; objects as cells, kinds that need no argument as `Kind`; tables as arrays."""
        if type(thing) is Table:
            make, content = ast.Name("array_of_table", ast.Load()), ast.Name("table", ast.Load())
            make.means, content.means = array_of_table, thing  # type: ignore[attr-defined]
            return ast.Call(make, [content], [])
        if self.is_symbolic(thing):
            return symbol_of(self.vocabulary.number_of_color(thing))
        kind, known = _kind_of(thing)
        if kind is not None and not {"status", "content"} & set(kind.parameters()) - known.keys():
            refuse_own_constructor(kind)
            return self._of_word(Kind, kind(**known))
        if isinstance(thing, GridObject):
            return self._of_word(Cell, thing)
        if isinstance(thing, Action) and thing.value in self.vocabulary.action_table.declared:
            return _of_number(BareAction, thing.value)
        return super().constant(thing)

    def _of_word(self, cls: type[Cell] | type[Kind], thing: GridObject) -> ast.expr:
        """An expression for an object's integer as a `Cell` or a `Kind`."""
        return _of_number(cls, self.vocabulary.encode(thing))

    def parameter(self, thing: Any, name: str) -> str:
        """`state` is another word for an object's status, as in gym-gridverse."""
        kind, _ = _kind_of(thing)
        return "status" if kind is not None and name == "state" else name

    def made(self, thing: Any, given: list[StaticValue], named: dict[str, StaticValue]) -> Any | None:
        """The object that a kind's constructor returns; unknown arguments are ignored, known ones are checked."""
        kind, known = _kind_of(thing)
        if kind is None:
            return None
        known_all = all(s.known for s in (*given, *named.values()))
        free = [name for name in kind.parameters() if name not in known]
        some = {"status": kind.statuses()[0], "color": kind.fixed_color, "content": Floor()}
        called = dict(zip(free, given, strict=False)) | named
        chosen = {name: s.value if s.known else some.get(name) for name, s in called.items()}
        ordered = [*known.values(), *(s.value for s in given)]
        made = kind(*ordered) if len(given) > len(free) else kind(**known | chosen)
        return made if known_all else None

    def attribute(self, name: str) -> tuple[Any, ...]:
        """Arguments of actions; properties and constants of kinds: each object's own."""
        reads: dict[str, Any] = {}
        if (argument := self.vocabulary.action_table.readers.get(name)) is not None:
            reads["actions"] = argument
        if name in self._members:
            if name not in self._readers:
                self._readers[name] = reader(name, self._members[name], self.vocabulary.kinds)
            reads["kinds"] = self._readers[name]
        if not reads:
            return ()
        from gridarium.world.compiled.members import choice

        return choice(name, *reads), *reads.values()

    def instance_test(self, subject: ast.expr, classes: tuple[Any, ...]) -> ast.expr | None:
        """A single bit test for any number of kinds (subclasses count)."""
        if not all(isinstance(c, type) and issubclass(c, GridObject) for c in classes):
            return None
        kind = ast.Attribute(subject, "_kind", ast.Load())
        kind.linked = True  # type: ignore[attr-defined]
        shifted = ast.BinOp(ast.Constant(self.vocabulary.mask_of(classes)), ast.RShift(), kind)
        return ast.Compare(
            ast.BinOp(shifted, ast.BitAnd(), ast.Constant(1)), [ast.NotEq()], [ast.Constant(0)]
        )

    def member_test(self, name: str, member: enum.Enum) -> Any | None:
        """`thing.status is Door.Status.OPEN`: a status of that number, of a kind that has such statuses."""
        if name not in ("status", "state"):
            return None
        kinds = sum(1 << n for n, kind in self.vocabulary.kinds.items() if kind.Status is type(member))
        return functools.partial(has_status, kinds=kinds, status=member.value)

    def incomparable(self, thing: Any) -> str | None:
        """Actions that take arguments."""
        if isinstance(thing, Action) and thing.value in self.vocabulary.action_table.declared:
            return f"{thing.name} takes arguments: write action.is_a({thing.name})"
        return None

    def refused_call(self, thing: Any) -> str | None:
        """Actions, where some take arguments: made of a number, they are plain ones in Python."""
        if thing is Action and self.vocabulary.action_table.declared:
            return (
                "an action that may take arguments is not made of its number; keep and compare action.value"
            )
        return None

    def callable(self, thing: Any) -> Any | None:
        """The function that makes an object of a kind."""
        kind, known = _kind_of(thing)
        hashed: Any = kind
        if kind is None:
            return None
        refuse_own_constructor(kind)
        fixed = {n: self.symbol(v) if self.is_symbolic(v) else v for n, v in known.items()}
        return functools.partial(_maker(hashed, self.vocabulary), **fixed)


def _of_number(cls: type, number: int) -> ast.expr:
    """An expression for a value with one field."""
    name = ast.Name(cls.__name__, ast.Load())
    name.means = cls  # type: ignore[attr-defined]
    return ast.Call(name, [ast.Constant(number)], [])


def _kind_of(thing: Any) -> tuple[type[GridObject] | None, dict[str, Any]]:
    """Split a kind, or a partial of one, into the kind and its known parameters."""
    known: dict[str, Any] = {}
    while type(thing) is functools.partial:
        names = (
            thing.func.parameters()
            if isinstance(thing.func, type) and issubclass(thing.func, GridObject)
            else ()
        )
        known = dict(zip(names, thing.args)) | thing.keywords | known
        thing = thing.func
    if isinstance(thing, type) and issubclass(thing, GridObject):
        return thing, known
    return None, {}


@functools.cache
def _maker(kind: Any, vocabulary: Vocabulary) -> Any:
    """A function with the parameters of a kind's constructor that makes a cell."""
    takes, number = kind.parameters(), vocabulary.number_of(kind)
    color = vocabulary.number_of_color(kind.fixed_color)
    defaults = {
        "status": "status",
        "color": "color=fixed_color",
        "content": "content" if "color" not in takes else "content=None",
    }
    lines = [f"def make_{kind.__name__}({', '.join(defaults[name] for name in takes)}):"]
    word = number if "color" in takes else number | color << 16
    if "status" in takes:
        lines += [
            f"    if not 0 <= status < {kind.num_states()}:",
            "        raise ValueError('no such status')",
        ]
        chosen = {bit: sum(1 << s for s in kind.flags[name]) for name, bit in FLAGS.items()}
        flags = [f"(({bits} >> status) & 1) * {bit}" for bit, bits in chosen.items() if bits]
        parts = ["status << 8", *flags]
    else:
        word |= sum(bit for name, bit in FLAGS.items() if kind.flags[name])
        parts = []
    if "color" in takes:
        lines += [
            "    number = number_of(color)",
            "    if number > 255:",
            "        raise TypeError('no color')",
        ]  # but a text, or a member of an enum
        parts.append("number << 16")
    if "content" in takes:
        lines += [
            "    inside = encode(content, None)",
            "    if inside & 255 < 2 or inside >> 32 != 0:",
            "        raise ValueError('cannot be contained')",
        ]
        parts.append("inside << 32")
    lines.append(f"    return Cell({' | '.join([str(word), *parts])})")
    text = "\n".join(lines) + "\n"
    used = {"Cell": Cell, "encode": encode, "number_of": number_of}
    return generated(f"make {kind.__qualname__}", text, fixed_color=Symbol(color), **used)


@compiled_as("gridarium.world.compiled.primitives:number_of")
def number_of(color: Symbol) -> int:
    """The number of the color that a kind's constructor is given; compiled only."""
    raise NotImplementedError


@functools.cache
def _prepare_library() -> None:
    import gridarium.world.compiled.field_array
    import gridarium.world.compiled.primitives
    import gridarium.world.compiled.things  # noqa: F401  (late: all import numba)
    from gridarium.compiled.numba_backend.linker import use_resolver

    use_resolver(WorldResolver(everything(), one_world=False))
