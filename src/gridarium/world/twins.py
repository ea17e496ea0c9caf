"""Compiled twins of the world's primitives, and what kinds, colors and actions mean in compiled code."""

from __future__ import annotations

import ast
import functools
from typing import Any

from gridarium.compiled.resolver import UNKNOWN, Resolver, Static
from gridarium.compiled.values import generated
from gridarium.world.agent import Agents
from gridarium.world.cell import Cell
from gridarium.world.colors import Color
from gridarium.world.geometry import Area, Orientation
from gridarium.world.objects import FLAGS, Floor, GridObject
from gridarium.world.vocabulary import Vocabulary, everything


def linked(function: Any) -> Any:
    """Mark a twin that is itself compiled from Python."""
    function.__link__ = True
    return function


@linked
def decode(word: Any, vocabulary: Any) -> Any:
    return Cell(word)


def encode(thing: Any, vocabulary: Any) -> Any:
    """See `gridarium.world.cell.encode`."""
    raise NotImplementedError


def make(factory: Any) -> Any:
    """See `gridarium.world.cell.make`."""
    raise NotImplementedError


def row_of(place: Any) -> Any:
    """See `gridarium.world.cell.row_of`."""
    raise NotImplementedError


def column_of(place: Any) -> Any:
    """See `gridarium.world.cell.column_of`."""
    raise NotImplementedError


def heading(number: Any) -> Any:
    """See `gridarium.world.geometry.heading`."""
    raise NotImplementedError


def area(ymin: Any, ymax: Any, xmin: Any, xmax: Any) -> Any:
    """See `gridarium.world.geometry.area`."""
    raise NotImplementedError


def _register() -> None:
    from numba import types

    from gridarium.compiled import lowering
    from gridarium.compiled.specialise import use_resolver

    @lowering.twin_of(row_of)
    def _row(place: Any) -> Any:
        pair = isinstance(place, types.BaseTuple) and len(place) == 2
        if not (pair or isinstance(place, lowering.ValueType)):
            raise lowering.refused(f"a place is a position or (y, x), not {place}")
        return (lambda place: place[0]) if pair else (lambda place: place.y)

    @lowering.twin_of(column_of)
    def _column(place: Any) -> Any:
        return (lambda place: place[1]) if isinstance(place, types.BaseTuple) else (lambda place: place.x)

    cell = lowering.register(Cell)

    @lowering.twin_of(encode)
    def _encode(thing: Any, vocabulary: Any) -> Any:
        if not isinstance(thing, cell):
            raise lowering.refused(f"a cell holds a GridObject, not {thing}")
        return lambda thing, vocabulary: thing.word

    @lowering.twin_of(make)
    def _make(factory: Any) -> Any:
        return (
            (lambda factory: factory()) if isinstance(factory, types.Callable) else (lambda factory: factory)
        )

    @lowering.twin_of(heading)
    def _heading(number: Any) -> Any:
        def build(number: Any) -> Any:
            return Orientation(number)

        return build

    @lowering.twin_of(area)
    def _area(ymin: Any, ymax: Any, xmin: Any, xmax: Any) -> Any:
        def build(ymin: Any, ymax: Any, xmin: Any, xmax: Any) -> Any:
            if ymin > ymax or xmin > xmax:
                raise ValueError("an area's bounds may not decrease")
            return Area(ymin, ymax, xmin, xmax)

        return build

    lowering.register(Orientation)
    lowering.register(Area)
    lowering.register(Agents)  # before `len(state.agents)` is typed: numba does not look again
    use_resolver(WorldResolver(everything(), one_world=False))


class WorldResolver(Resolver):
    """Turns kinds into tests and constructors on numbers, and colors into their numbers, for one vocabulary.

    Args:
        vocabulary: of the world that is compiled.
        one_world: whether all states and grids that the compiled code meets are of this vocabulary; then its numbers,
            such as how many layers there are, are settled before compiling.
    """

    def __init__(self, vocabulary: Vocabulary, *, one_world: bool = True) -> None:
        self.vocabulary, self.one_world = vocabulary, one_world

    def __fingerprint__(self) -> list[Any]:
        """What compiled programs depend on (see `gridarium.compiled.fingerprint`)."""
        return [self.vocabulary]

    def fixed(self, owner: str, name: str) -> Static:
        """The numbers of the vocabulary."""
        found = getattr(self.vocabulary, name, None) if owner == "vocabulary" and self.one_world else None
        return Static(True, found) if isinstance(found, int) else UNKNOWN

    def constant(self, thing: Any) -> ast.expr | None:
        """Colors as numbers; objects, and kinds that need no argument, as cells."""
        if isinstance(thing, Color):
            return ast.Constant(self.vocabulary.number_of_color(thing))
        kind, known = _kind_of(thing)
        if kind is not None and not {"status", "content"} & set(kind.parameters()) - known.keys():
            return self.constant(kind(**known))
        if isinstance(thing, GridObject):
            name = ast.Name("Cell", ast.Load())
            name.means = Cell  # type: ignore[attr-defined]
            return ast.Call(name, [ast.Constant(self.vocabulary.encode(thing))], [])
        return super().constant(thing)

    def parameter(self, thing: Any, name: str) -> str:
        """`state` is another word for an object's status, as in gym-gridverse."""
        kind, _ = _kind_of(thing)
        return "status" if kind is not None and name == "state" else name

    def made(self, thing: Any, given: list[Static], named: dict[str, Static]) -> Any | None:
        """The object that a kind makes; what is not known yet is left out of account, what is known is checked."""
        kind, known = _kind_of(thing)
        if kind is None:
            return None
        free = [name for name in kind.parameters() if name not in known]
        some = {"status": kind.statuses()[0], "color": kind.fixed_color, "content": Floor()}
        called = dict(zip(free, given, strict=False)) | named
        chosen = {name: s.value if s.known else some.get(name) for name, s in called.items()}
        ordered = [*known.values(), *(s.value for s in given)]
        made = kind(*ordered) if len(given) > len(free) else kind(**known | chosen)
        return made if all(s.known for s in (*given, *named.values())) else None

    def instance_test(self, subject: ast.expr, classes: tuple[Any, ...]) -> ast.expr | None:
        """One bit test, whatever number of kinds (those that inherit from the given ones count)."""
        if not all(isinstance(c, type) and issubclass(c, GridObject) for c in classes):
            return None
        kind = ast.Attribute(subject, "kind", ast.Load())
        shifted = ast.BinOp(ast.Constant(self.vocabulary.mask_of(classes)), ast.RShift(), kind)
        return ast.Compare(
            ast.BinOp(shifted, ast.BitAnd(), ast.Constant(1)), [ast.NotEq()], [ast.Constant(0)]
        )

    def callable(self, thing: Any) -> Any | None:
        """The function that makes an object of a kind."""
        kind, known = _kind_of(thing)
        hashed: Any = kind
        return None if kind is None else functools.partial(_maker(hashed, self.vocabulary), **known)


def _kind_of(thing: Any) -> tuple[type[GridObject] | None, dict[str, Any]]:
    """A kind, or a partial of one, as a kind and the parameters that are known."""
    known: dict[str, Any] = {}
    while isinstance(thing, functools.partial):
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
        "color": f"color={color}",
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
        parts.append("color << 16")
    if "content" in takes:
        lines += [
            "    if content.kind < 2 or content.word >> 32 != 0:",
            "        raise ValueError('cannot be contained')",
        ]
        parts.append("content.word << 32")
    lines.append(f"    return Cell({' | '.join([str(word), *parts])})")
    return generated(f"make {kind.__qualname__}", "\n".join(lines) + "\n", Cell=Cell)


_register()
