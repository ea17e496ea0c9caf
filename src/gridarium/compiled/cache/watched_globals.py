"""Detects changes of the globals that rules read, since they were compiled.

Interpreted rules see a global that is rebound, or a list that is modified; compiled ones keep the values they were
compiled with. So this is checked before an episode begins, in two steps: first whether all names and items still refer
to the same objects, which takes a few microseconds; only if not, whether the objects are equal.
"""

from __future__ import annotations

import enum
import functools
import operator
import reprlib
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import Any

import numpy as np

from gridarium.compiled.cache.fingerprint import (
    MADE_BY_PYTHON,
    PLAIN,
    attributes_of,
    declares_content,
    dict_of,
    fields_of,
    members_of,
    parts_of,
)
from gridarium.compiled.cache.global_reads import builtins_of, chains, replaced_builtins
from gridarium.compiled.cache.library_code import PACKAGE, is_generated, is_given, names_of
from gridarium.compiled.data_types.value_class import field_behind, is_value, is_value_class
from gridarium.compiled.source_pass.code_objects import meaning_of
from gridarium.compiled.source_pass.fixed_values import (
    NO_OPERATION,
    has_identity,
    is_asked_anew,
    operators_of,
)
from gridarium.compiled.source_pass.source import home_of

MOST_SHOWN = 5
"""The maximum number of changes in an error message."""


WITH_OPERATORS = (type, enum.Enum, int, float, str, tuple, list, set, frozenset, dict)
"""Classes whose special members are called by operators, without their names."""


class StaleProgramError(RuntimeError):
    """A global that compiled rules read has changed since they were compiled; the message gives rule and name."""


class Watched:
    """The mutable dependencies of functions and classes: globals, closures, defaults, attributes of objects.

    Code of this library, of numpy and of Python's standard library is not watched, but what their modules hold, such as
    `sys.argv`, is.

    Args:
        things: functions, partials, classes. Another class in place of one of these is a change, even with the same content.
    """

    def __init__(self, *things: Any) -> None:
        self._things, self._names = things, frozenset[str]()
        while not (walk := _Walk(things, self._names)).names <= self._names:
            self._names |= walk.names
        self._adopt(walk)

    def __bool__(self) -> bool:
        """Whether there are any mutable dependencies."""
        return bool(self._reads or self._several or self._contents)

    def check(self, whose: str) -> None:
        """Raise an error if something has changed; equal values count as unchanged.

        Args:
            whose: the name of the world or sensor.

        Raises:
            StaleProgramError: something has changed; the message gives rule, name, old and new value.
        """
        if self._is_untouched():
            return
        walk = _Walk(self._things, self._names)
        changes = list(dict.fromkeys(_changes(self._root, walk.root)))
        if not changes:
            self._adopt(walk)
            return
        more = [f"and {len(changes) - MOST_SHOWN} more"] if len(changes) > MOST_SHOWN else []
        lines = "\n".join(f"  {line}" for line in changes[:MOST_SHOWN] + more)
        raise StaleProgramError(
            f"{whose} is compiled, and what its rules read has changed since:\n{lines}\n"
            "Compiled rules would go on with what it was. Make it a field of the world, which rules read from the state, "
            "or a number among the rule's parameters; or make a new World, which compiles anew."
        )

    def _adopt(self, walk: _Walk) -> None:
        self._root, self._several, self._contents = walk.root, walk.several, walk.contents
        self._reads, self._thens = (
            [read for read, _ in walk.single.values()],
            [then for _, then in walk.single.values()],
        )

    def _is_untouched(self) -> bool:
        """Whether everything is the same object as before, or an equal number or string; False if in doubt."""
        try:
            if not all(map(operator.is_, map(operator.call, self._reads), self._thens)):
                for read, then in zip(self._reads, self._thens, strict=True):
                    if (now := read()) is not then and (
                        type(now) not in PLAIN or _plain(now) != _plain(then)
                    ):
                        return False
            if not all(tuple(map(id, items())) == ids for items, ids, _ in self._several):
                return False
            return all(_content(thing) == content for thing, content in self._contents)
        except Exception:  # properties and containers may raise anything
            return False


class _Node:
    """A copy of a value that was found in one place.

    Attributes:
        thing: the value, kept alive so that its id is not reused.
        token: equal for values with the same meaning, apart from their parts; None until known.
        text: its representation in messages.
        reader: the name of the user's function whose names the parts are.
        parts: its parts by label. A label that begins with a dot or a bracket is appended to the name of the whole.
        composed: whether only partials of this library's own functions lead to it: those that a world is made of, not a user's.
    """

    __slots__ = ("composed", "parts", "reader", "text", "thing", "token")

    def __init__(self, thing: Any) -> None:
        self.thing, self.token, self.reader = thing, _plain(thing), ""
        self.text = _name(thing) if isinstance(thing, _NAMED) else _shown(thing)
        self.parts: list[tuple[str, _Node]] = []
        self.composed = True


class _Walk:
    """Copies the dependencies of functions and classes, and records how to check them for changes.

    Args:
        things: the functions and classes to start from.
        wanted: the names of the relevant attributes of user-defined objects.

    Attributes:
        names: the names of globals and attributes in user code.
        single: functions that read one value, with the values they returned.
        several: functions that list values, with the ids and the values, which keeps the ids valid.
        contents: arrays with copies of their contents.
    """

    def __init__(self, things: Sequence[Any], wanted: frozenset[str]) -> None:
        self._wanted = wanted
        self._given = {(cls.__module__, cls.__qualname__) for cls in things if isinstance(cls, type)}
        self.names: set[str] = set()
        self.single: dict[tuple[int, str], tuple[Callable[[], Any], Any]] = {}
        self.several: list[tuple[Callable[[], Iterable[Any]], tuple[int, ...], tuple[Any, ...]]] = []
        self.contents: list[tuple[Any, Any]] = []
        self._known: dict[int, _Node] = {}
        self._waiting: list[_Node] = []
        self.root = _Node(None)
        self._add(self.root, (("", thing) for thing in things))
        for node in self._waiting:  # grows during the loop
            node.token = type(node.thing).__qualname__
            self._fill(node, node.thing)

    def _add(self, node: _Node, parts: Iterable[tuple[str, Any]]) -> None:
        for label, part in parts:
            if (known := self._known.get(id(part))) is None:
                known = self._known[id(part)] = _Node(part)
                known.composed = node.composed and (node is self.root or _composes(node.thing))
                if known.token is None:
                    self._waiting.append(known)
            node.parts.append((label, known))

    def _fill(self, node: _Node, thing: Any) -> None:
        if isinstance(thing, types.FunctionType):
            self._function(node, thing)
        elif isinstance(thing, types.MethodType):
            node.reader = _name(thing)
            self._add(node, [("", thing.__func__), ("self", thing.__self__)])
        elif isinstance(thing, functools.partial):
            if isinstance(thing.func, types.FunctionType) and not _is_ours(thing.func):
                node.reader = _name(thing.func)
            node.composed &= _is_ours(thing.func)
            if not node.composed:
                self._list(thing.keywords.values)
                self._watch(thing, "func", "args", "keywords")
            self._add(node, [("", thing.func), *_numbered(thing.args), *thing.keywords.items()])
        elif isinstance(thing, type):
            self._class(node, thing)
        elif isinstance(thing, enum.Enum):
            self._add(node, [("", type(thing))])
            if not _is_ours(type(thing)):
                self._object(node, thing)
                self._add(node, [(".value", thing._value_)])
            node.token = (node.token, thing.name)
        elif declares_content(thing):
            node.token = _own(thing)
            if not _is_ours(type(thing)):
                self._attributes(node, thing)
            self._add(node, [("", type(thing))])
        elif is_value(thing):
            if not _is_ours(type(thing)):
                self._watch(thing, *fields_of(thing))
            self._add(node, [(f".{name}", getattr(thing, name)) for name in fields_of(thing)])
            self._add(node, [("", type(thing))])
        elif isinstance(thing, types.UnionType):
            self._add(node, _numbered(thing.__args__))
        elif parts := parts_of(thing):
            self._add(node, [("", getattr(thing, name)) for name in parts])
        elif (content := _content(thing)) is not None:
            node.token = content
            self.contents.append((thing, content))
        else:
            self._object(node, thing)

    def _function(self, node: _Node, function: types.FunctionType) -> None:
        code = function.__code__
        cells = dict(zip(code.co_freevars, function.__closure__ or (), strict=True))
        written_here, ours = is_generated(function), _is_ours(function)
        replaced = {} if ours else replaced_builtins(function)
        node.text = f"{_name(function)} ({code.co_filename}:{code.co_firstlineno})"
        if ours and not (written_here or cells):
            node.token = id(function)
            return
        node.token = meaning_of(code)
        if not ours:
            node.reader = _name(function)
            self.names.update(names_of(code))
            self._watch(function, "__code__", "__defaults__", "__kwdefaults__")
            if function.__kwdefaults__:
                self._list(function.__kwdefaults__.values)
            self._add(node, _defaults(function))
            self._attributes(node, function)
        for name, *attributes in chains(code, code.co_freevars):
            if name in cells:
                if not ours:
                    self._watch(cells[name], "cell_contents")
                self._chain(node, _read(cells[name], "cell_contents"), name, attributes)
            elif written_here or not ours:
                known = function.__globals__
                if not ours:
                    read = functools.partial(known.get, name, _MISSING)
                    self.single[id(known), name] = read, read()
                    builtins = builtins_of(function)
                    if name not in known and name in builtins:
                        read = functools.partial(builtins.get, name, _MISSING)
                        self.single[id(builtins), name] = read, read()
                self._chain(node, known.get(name, replaced.get(name, _MISSING)), name, attributes)

    def _chain(self, node: _Node, thing: Any, label: str, attributes: Iterable[str]) -> None:
        """The value of a dotted name in a function, as far as it can be resolved without a call."""
        for name in attributes:
            closed = _is_closed(thing)
            if (closed and not isinstance(thing, types.ModuleType)) or is_asked_anew(thing, name):
                break
            value = _read(thing, name)
            if closed and not _is_data(value):
                break
            if isinstance(value, types.MethodType):
                self._watch(thing, f"{name}.__func__")
            elif getattr(value, "__self__", _MISSING) is thing:
                break  # a built-in method, as of a list: the whole object is relevant
            else:
                self._watch(thing, name)
            thing, label = value, f"{label}.{name}"
        self._add(node, [(label, thing)])

    def _class(self, node: _Node, cls: type) -> None:
        if _is_ours(cls):
            node.token = id(cls)
            return
        known_as = cls.__module__, cls.__qualname__
        node.token = (*known_as, id(cls)) if known_as in self._given else known_as
        if is_value_class(cls):
            node.token += tuple(field_behind(cls, name) for name in vars(cls)["__value_fields__"])
        self._list(vars(cls).keys)
        self._watch(cls, "__bases__", "__class__")
        self._add(node, [("", base) for base in (*cls.__bases__, type(cls))])
        if issubclass(cls, enum.Enum):
            self._add(node, [(f"{_name(cls)}.{name}", member) for name, member in cls.__members__.items()])
        has_operators = is_value_class(cls) or issubclass(cls, WITH_OPERATORS)
        for name, member in members_of(cls):
            is_special = name.startswith("__")
            operates = is_special and (has_operators or name not in NO_OPERATION)
            counts = operates or self._counts(cls, name)
            if name == "__call__" or (counts and (not is_special or _is_code(member))):
                self._watch_member(cls, name, member)
                if not isinstance(member, MADE_BY_PYTHON):
                    self._add(node, [(f"{_name(cls)}.{name}", member)])

    def _object(self, node: _Node, thing: Any) -> None:
        """Visit the items and attributes of an object."""
        if isinstance(thing, PLAIN):
            node.token = next((base, base.__repr__(thing)) for base in PLAIN if isinstance(thing, base))
        elif not _is_ours(type(thing)) and operators_of(type(thing)):
            pass  # no rule that goes through it is compiled, and its code is not to be run
        elif isinstance(thing, Mapping):
            self._list(thing.keys)
            self._list(thing.values)
            node.token = (node.token, *(_plain(key) or id(key) for key in thing))
            self._add(node, [(f"[{_shown(key)}]", item) for key, item in thing.items()])
        elif isinstance(thing, Set):
            self._list_items(thing)
            node.token = (node.token, len(thing))
            self._add(node, ((f"[{_shown(item)}]", item) for item in sorted(thing, key=_shown)))
        elif isinstance(thing, Sequence):
            self._list_items(thing)
            node.token = (node.token, len(thing))
            self._add(node, _numbered(thing))
        self._attributes(node, thing)
        if home_of(type(thing)) != "builtins":
            self._watch(thing, "__class__")
        self._add(node, [("", type(thing))])
        if not node.parts[:-1] and _is_ours(type(thing)) and not isinstance(thing, Mapping | Sequence | Set):
            node.token = id(thing)

    def _attributes(self, node: _Node, thing: Any) -> None:
        if (own := dict_of(thing)) is not None:
            self.single[id(thing), "__dict__"] = functools.partial(dict_of, thing), own
            self._list(own.keys)
            self._list(own.values)
        found = attributes_of(thing)
        self._watch(thing, *(name for name in found if own is None or name not in own))
        self._add(node, [(f".{n}", v) for n, v in found.items() if self._counts(type(thing), n)])

    def _counts(self, cls: type, name: str) -> bool:
        """Whether an attribute is read: by user code, by name, or by this library, for its own classes."""
        return name in self._wanted or any(_package(home_of(base)) == PACKAGE for base in cls.__mro__)

    def _watch(self, thing: Any, *names: str) -> None:
        for name in names:
            read = functools.partial(operator.attrgetter(name), thing)
            self.single[id(thing), name] = read, _read(thing, name)

    def _watch_member(self, cls: type, name: str, member: Any) -> None:
        self.single[id(cls), name] = functools.partial(vars(cls).get, name), member

    def _list_items(self, thing: Any) -> None:
        if not isinstance(thing, tuple | frozenset):
            self._list(thing.__iter__)

    def _list(self, items: Callable[[], Iterable[Any]]) -> None:
        kept = tuple(items())
        self.several.append((items, tuple(map(id, kept)), kept))


class _Missing:
    def __repr__(self) -> str:
        return "nothing"


_MISSING = _Missing()
_NAMED = (functools.partial, types.MethodType, types.FunctionType, type)


def _changes(old: _Node, new: _Node) -> Iterator[str]:
    """The differences between two copies of the same dependencies, one line each."""
    waiting, met, partners = [(old, new, "", "", "")], set(), _Partners()
    for was, now, rule, helper, path in waiting:  # grows during the loop
        if (id(was), id(now)) in met:
            continue
        met.add((id(was), id(now)))
        inner = f", in {helper}" if helper != rule else ""
        whose = f"rule {rule!r}{inner}: " if rule else ""
        if was.token != now.token:
            text = "another one" if now.text == was.text else now.text
            yield f"{whose}{path} was {was.text}, is now {text}"
            continue
        if change := partners.change(was, now, path or "the world"):
            yield f"{whose}{change}"
            continue
        outer, inner = rule or was.reader, was.reader or helper
        for label, one, other in _pairs(was, now):
            waiting.append((one, other, outer, inner, path + label if label[:1] in ".[" else label))


class _Partners:
    """Which object has come in the place of which: rules may ask whether two names lead to the same one."""

    def __init__(self) -> None:
        self._of_old: dict[int, tuple[int, str]] = {}
        self._of_new: dict[int, tuple[int, str]] = {}

    def change(self, was: _Node, now: _Node, path: str) -> str:
        """What is said of an object that has, or no longer has, two names; empty if that is as it was."""
        if not has_identity(was.thing):
            return ""
        new, other = self._of_old.setdefault(id(was.thing), (id(now.thing), path))
        if new != id(now.thing):
            return f"{path} and {other} led to the same {was.text}, and no longer do"
        old, other = self._of_new.setdefault(id(now.thing), (id(was.thing), path))
        return f"{path} and {other} lead to the same {now.text} now" if old != id(was.thing) else ""


def _pairs(was: _Node, now: _Node) -> Iterator[tuple[str, _Node, _Node]]:
    if [label for label, _ in was.parts] == [label for label, _ in now.parts]:
        for (label, one), (_, other) in zip(was.parts, now.parts, strict=True):
            yield label, one, other
        return
    before, after, nothing = dict(was.parts), dict(now.parts), _Node(_MISSING)
    for label in before | after:
        yield label, before.get(label, nothing), after.get(label, nothing)


def _plain(thing: Any) -> Any:
    """Equal for numbers, strings and the like that are indistinguishable; None for everything else."""
    kind = type(thing)
    if kind is float:
        return kind, thing.hex()
    if kind is complex:
        return kind, thing.real.hex(), thing.imag.hex()
    if kind is range:
        return kind, thing.start, thing.stop, thing.step
    if thing is None or thing is ... or kind in PLAIN:
        return kind, thing
    if isinstance(thing, np.generic):
        return _content(thing)
    return id(thing) if isinstance(thing, types.ModuleType | _Missing) else None


def _content(thing: Any) -> tuple[Any, ...] | None:
    """Equal for arrays and other buffers with the same numbers, including NaN; None for everything else."""
    if not isinstance(thing, np.ndarray | np.generic):
        try:
            memory = memoryview(thing)
        except TypeError:
            return None
        return type(thing), memory.format, memory.shape, memory.tobytes()
    numbers = np.asarray(thing)
    if numbers.dtype.hasobject:
        return None
    if numbers.dtype.kind in "fc" and (unknown := np.isnan(numbers)).any():
        numbers = numbers.copy()
        numbers[unknown] = np.nan
    return type(thing), numbers.dtype.str, numbers.shape, numbers.tobytes()


def _own(thing: Any) -> Any:
    """The dependencies that one of this library's objects declares."""
    if declares_content(thing):
        return type(thing), *map(_own, thing.__fingerprint__())
    return _plain(thing) or id(thing)


def _defaults(function: types.FunctionType) -> list[tuple[str, Any]]:
    """The defaults of a function's parameters, by name."""
    code, given = function.__code__, function.__defaults__ or ()
    named = zip(code.co_varnames[code.co_argcount - len(given) : code.co_argcount], given, strict=True)
    return [*named, *(function.__kwdefaults__ or {}).items()]


def _numbered(things: Iterable[Any]) -> Iterator[tuple[str, Any]]:
    return ((f"[{i}]", thing) for i, thing in enumerate(things))


def _is_code(member: Any) -> bool:
    return isinstance(member, types.FunctionType) or bool(parts_of(member))


def _composes(thing: Any) -> bool:
    """Whether worlds are composed of such things: partials and functions of this library's, tuples."""
    return isinstance(thing, functools.partial | tuple) or (
        isinstance(thing, types.FunctionType) and _is_ours(thing)
    )


def _is_closed(thing: Any) -> bool:
    """Whether the whole object is relevant, regardless of the attributes that are read."""
    if isinstance(thing, types.ModuleType):
        return _is_settled(thing.__name__)
    if isinstance(thing, type | types.FunctionType):
        return _is_ours(thing)
    return _is_ours(type(thing)) and not hasattr(thing, "__dict__")


def _is_data(thing: Any) -> bool:
    """Whether the attribute of a module is no code, or a module in which there may be data."""
    return isinstance(thing, types.ModuleType) or not (thing is _MISSING or callable(thing))


def _is_ours(thing: Any) -> bool:
    """Whether a function or class is this library's, numpy's or Python's own."""
    return _is_settled(home_of(thing))


def _is_settled(module: str) -> bool:
    return _package(module) == PACKAGE or is_given(module)


def _package(module: str) -> str:
    return module.partition(".")[0]


def _read(thing: Any, name: str) -> Any:
    try:
        return getattr(thing, name)
    except Exception:  # a property may raise anything
        return _MISSING


def _name(thing: Any) -> str:
    while isinstance(thing, functools.partial):
        thing = thing.func
    return str(getattr(thing, "__qualname__", type(thing).__qualname__)).rpartition("<locals>.")[2]


def _shown(thing: Any) -> str:
    try:
        return " ".join(_SHORT.repr(thing).split())
    except Exception:  # for example a number with thousands of digits
        return f"a {type(thing).__qualname__}"


_SHORT = reprlib.Repr()
_SHORT.maxother = _SHORT.maxstring = 80
