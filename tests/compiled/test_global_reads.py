"""Roundabout ways in which a rule can read something: each counts, or is said not to be hashable."""

from __future__ import annotations

import collections
import dataclasses
import enum
import functools
import types
from collections.abc import Callable
from typing import Any

import pytest

from gridarium.compiled.cache.fingerprint import Unhashable, fingerprint
from gridarium.world import GridObject

module = types.ModuleType("module")
module.inner = types.ModuleType("module.inner")  # type: ignore[attr-defined]
module.C = module.inner.C = 0  # type: ignore[attr-defined]


class Penny(GridObject):
    glyph = "c"
    WORTH = 0


class Meters(int):
    factor = 0

    @property
    def feet(self) -> int:
        return self * self.factor


class Items(tuple[int, ...]):
    factor = 0


class Planet(enum.Enum):
    EARTH = 1


class Meta(type):
    LIMIT = 0


class Made(metaclass=Meta):
    pass


@dataclasses.dataclass
class Config:
    speed: int = 1


def helper(x: int) -> int:
    return x


PRIZE, LENGTH, ITEMS, CONFIG = Penny(), Meters(2), Items((1, 2)), Config()
PLACE: Any = collections.namedtuple("PLACE", "y x")(1, 2)
names = [f"g{i}" for i in range(300)]
many: dict[str, Any] = dict.fromkeys(names, 1) | {"module": module}
exec(f"def of_many():\n    return {' + '.join(names)} + module.C\n", many)


def closed(over: Any) -> Any:
    def rule() -> Any:
        return over.C + over.inner.C

    return rule


def reads(read: Callable[[], Any]) -> Callable[[], Any]:
    return read


def place_by_other_names(n: int) -> None:
    global PLACE  # noqa: PLW0603
    PLACE = collections.namedtuple("PLACE", "y x" if n == 0 else "x y")(1, 2)


def hang(thing: Any, name: str) -> Callable[[int], None]:
    return lambda n: setattr(thing, name, n)


WAYS: dict[str, tuple[Callable[..., Any], Callable[[int], None]]] = {
    "a closure over a module": (closed(module), hang(module, "C")),
    "a module in a closure's module": (closed(module), hang(module.inner, "C")),
    "a module in a module": (lambda: module.inner.C, hang(module.inner, "C")),
    "a module among more than 256 names": (many["of_many"], hang(module, "C")),
    "a class through an object": (lambda: PRIZE.WORTH, hang(Penny, "WORTH")),
    "a class": (lambda: Penny.WORTH, hang(Penny, "WORTH")),
    "a function": (lambda: helper.k, hang(helper, "k")),  # type: ignore[attr-defined]
    "a member of an enum": (lambda: Planet.EARTH.mass, hang(Planet.EARTH, "mass")),  # type: ignore[attr-defined]
    "an enum": (lambda: Planet.most, hang(Planet, "most")),  # type: ignore[attr-defined]
    "a metaclass": (lambda: Made.LIMIT, hang(Meta, "LIMIT")),
    "a dataclass instance": (lambda: CONFIG.extra, hang(CONFIG, "extra")),  # type: ignore[attr-defined]
    "a kind of number": (lambda: LENGTH.feet, hang(Meters, "factor")),
    "a number of that kind": (lambda: LENGTH.own, hang(LENGTH, "own")),  # type: ignore[attr-defined]
    "a kind of tuple": (lambda: ITEMS.factor, hang(Items, "factor")),
    "names of a tuple's items": (lambda: PLACE.y, place_by_other_names),
}


@pytest.mark.parametrize("way", WAYS)
def test_what_is_read_in_a_roundabout_way_counts(way: str) -> None:
    rule, change = WAYS[way]
    keys = []
    for n in (0, 1, 0):
        change(n)
        keys.append(fingerprint(rule))
    assert keys[0] == keys[2] != keys[1]


class Holder:
    inner = module


def with_default(m: Any = module) -> Any:
    return m.C


def with_parameter(m: Any) -> Any:
    return m.C


PAIR = (module, 1)


@pytest.mark.parametrize(
    "rule",
    [
        with_default,
        functools.partial(with_parameter, m=module),
        lambda: Holder.inner.C,
        lambda: PAIR[0].C,
        lambda: with_parameter(module),
    ],
)
def test_a_module_that_is_handed_on_is_refused(rule: Any) -> None:
    with pytest.raises(Unhashable, match="a module that is passed on, of which anything may be read"):
        fingerprint(rule)
