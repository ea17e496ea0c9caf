"""Values of properties that are drawn at random for each world."""

from __future__ import annotations

import copy
import itertools
import math
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

MOST_ORDERS = 100_000
"""The most orders that `RandomOrder.values` lists."""


class RandomProperty:
    """A property whose value is drawn anew for each world that a `WorldBuilder` makes.

    Values are returned as they were given: Python numbers stay Python numbers, dicts and lists are copied.

    Args:
        values: the possible values, at least one.
        distribution: a weight from 0 on for each value; they are normalised. None: all are equally likely.
        allow_duplicates: whether a value may be drawn again; if not, each is drawn once until `reset`.
        reset_each_world: whether a builder calls `reset` for each world, so that only values within a world are not
            drawn again.

    Raises:
        ValueError: there are no values, or the weights do not fit them.
    """

    def __init__(
        self,
        values: Iterable[Any],
        distribution: Sequence[float] | None = None,
        allow_duplicates: bool = True,
        reset_each_world: bool = False,
    ) -> None:
        self._values = values.tolist() if isinstance(values, np.ndarray) else list(values)
        if not self._values:
            raise ValueError("a RandomProperty needs at least one value")
        self._weights = _normalised(distribution, len(self._values))
        self._given_distribution = distribution is not None
        self._allow_duplicates = bool(allow_duplicates)
        self.reset_each_world = bool(reset_each_world)
        self._selected: list[int] = []

    @property
    def values(self) -> list[Any]:
        """The possible values."""
        return list(self._values)

    @property
    def distribution(self) -> list[float]:
        """The probability of each value in the first draw."""
        return list(self._weights)

    @property
    def allow_duplicates(self) -> bool:
        """Whether a value may be drawn again."""
        return self._allow_duplicates

    @property
    def selected_values(self) -> list[Any]:
        """The values that were drawn since the last `reset`, each once, in the order of their first draw."""
        return [self._values[i] for i in self._selected]

    def draw(self, rng: np.random.RandomState) -> Any:
        """Draw a value.

        Raises:
            ValueError: no value is left, where each may be drawn only once.
        """
        weights = self._weights
        if not self._allow_duplicates:
            taken = set(self._selected)
            weights = [0.0 if i in taken else w for i, w in enumerate(weights)]
        sums = list(itertools.accumulate(weights))
        if sums[-1] <= 0:
            raise ValueError(
                f"all {len(self._selected)} values of a RandomProperty without duplicates have been drawn; "
                "give more values, or call reset()"
            )
        index = bisect_right(sums, rng.random_sample() * sums[-1])
        while index >= len(weights) or not weights[index]:  # rounding at the upper end
            index -= 1
        if index not in self._selected:
            self._selected.append(index)
        return copy.deepcopy(self._values[index])

    def reset(self) -> None:
        """Forget which values were drawn."""
        self._selected.clear()

    def plain(self) -> dict[str, Any]:
        """The property as plain data, see `random_from_plain`."""
        data: dict[str, Any] = {"random": self._values}
        if self._given_distribution:
            data["distribution"] = self._weights
        if not self._allow_duplicates:
            data["allow_duplicates"] = False
        if self.reset_each_world:
            data["reset_each_world"] = True
        return data


class RandomOrder(RandomProperty):
    """A list of things drawn from possibilities, in a random order; each such list is equally likely.

    Args:
        possibilities: what is drawn from.
        length: the number of things in a list; None: as many as there are possibilities.
        with_duplicates: whether a possibility may occur several times in a list.

    Raises:
        ValueError: there are no possibilities, or too few for a list without duplicates.
    """

    def __init__(
        self, possibilities: Iterable[Any], length: int | None = None, with_duplicates: bool = False
    ) -> None:
        super().__init__(possibilities)
        self.possibilities = list(self._values)
        self.length = len(self._values) if length is None else length
        self.with_duplicates = with_duplicates
        if isinstance(self.length, bool) or not isinstance(self.length, int) or self.length < 1:
            raise ValueError(f"the length of an order is a whole number from 1 on, not {length!r}")
        if not with_duplicates and self.length > len(self._values):
            raise ValueError(
                f"an order of {self.length} needs as many possibilities, or with_duplicates=True; "
                f"there are {len(self._values)}"
            )

    @property
    def values(self) -> list[Any]:
        """All possible lists.

        Raises:
            ValueError: there are more than 100,000.
        """
        count = len(self._values) ** self.length
        if not self.with_duplicates:
            count = math.perm(len(self._values), self.length)
        if count > MOST_ORDERS:
            raise ValueError(f"there are {count:,} orders; at most {MOST_ORDERS:,} are listed")
        if self.with_duplicates:
            return [list(order) for order in itertools.product(self._values, repeat=self.length)]
        return [list(order) for order in itertools.permutations(self._values, self.length)]

    @property
    def distribution(self) -> list[float]:
        """The probability of each list of `values`."""
        count = len(self.values)
        return [1 / count] * count

    def draw(self, rng: np.random.RandomState) -> list[Any]:
        """Draw a list."""
        indices: Iterable[int]
        if self.with_duplicates:
            indices = rng.randint(len(self._values), size=self.length).tolist()
        else:
            indices = rng.permutation(len(self._values))[: self.length].tolist()
        return [copy.deepcopy(self._values[i]) for i in indices]

    def plain(self) -> dict[str, Any]:
        """The property as plain data, see `random_from_plain`."""
        data: dict[str, Any] = {"random_order": self.possibilities, "length": self.length}
        if self.with_duplicates:
            data["with_duplicates"] = True
        return data


class DrawnOnce(RandomProperty):
    """What another random property draws, the same for all who draw in a world."""

    def __init__(self, source: RandomProperty) -> None:
        super().__init__([None], reset_each_world=True)
        self._source = source
        self._drawn: list[Any] = []

    @property
    def values(self) -> list[Any]:
        """Those of the other property."""
        return self._source.values

    def draw(self, rng: np.random.RandomState) -> Any:
        """Draw a value, or return the one that was drawn in this world already."""
        if not self._drawn:
            self._drawn = [self._source.draw(rng)]
        return copy.deepcopy(self._drawn[0])

    def reset(self) -> None:
        """Draw anew the next time."""
        self._drawn.clear()
        if self._source.reset_each_world:
            self._source.reset()


class PartOf(RandomProperty):
    """A value that is computed from what another random property draws.

    Args:
        source: the other property.
        part: computes it.
    """

    def __init__(self, source: RandomProperty, part: Callable[[Any], Any]) -> None:
        super().__init__([None])
        self._source, self._part = source, part

    @property
    def values(self) -> list[Any]:
        """Those that come of the values of the other property."""
        return [self._part(value) for value in self._source.values]

    def draw(self, rng: np.random.RandomState) -> Any:
        """Let the other property draw, and compute the value."""
        return self._part(self._source.draw(rng))


_FORMS: dict[str, tuple[type[RandomProperty], dict[str, str], set[str]]] = {
    "random": (
        RandomProperty,
        {"random": "values"},
        {"distribution", "allow_duplicates", "reset_each_world"},
    ),
    "random_order": (RandomOrder, {"random_order": "possibilities"}, {"length", "with_duplicates"}),
}


def random_from_plain(data: Mapping[str, Any]) -> RandomProperty | None:
    """Make a random property of plain data; None if it is not one.

    Example:
        {random: [red, blue], distribution: [0.9, 0.1], allow_duplicates: true}
        {random_order: [red, blue, green], length: 2, with_duplicates: true}

    Raises:
        ValueError: keys are unknown, or values do not fit.
    """
    form = next((key for key in _FORMS if key in data), None)
    if form is None:
        return None
    kind, renamed, others = _FORMS[form]
    if unknown := set(data) - others - {form}:
        allowed = ", ".join(sorted(others))
        raise ValueError(f"unknown key {sorted(unknown)[0]!r} beside {form!r}; known: {allowed}")
    if not isinstance(data[form], list | tuple):
        raise ValueError(f"{form!r} lists the possible values, not {data[form]!r}")
    return kind(**{renamed.get(key, key): value for key, value in data.items()})


def resolve(value: Any, rng: np.random.RandomState) -> Any:
    """A copy of a value in which random properties are replaced by what they draw; also within dicts and lists."""
    if isinstance(value, RandomProperty):
        return value.draw(rng)
    if isinstance(value, dict):
        return {key: resolve(part, rng) for key, part in value.items()}
    if isinstance(value, list | tuple) and type(value) in (list, tuple):
        return type(value)(resolve(part, rng) for part in value)
    return copy.deepcopy(value)


def random_properties(value: Any) -> Iterator[RandomProperty]:
    """The random properties in a value, also within dicts and lists."""
    if isinstance(value, RandomProperty):
        yield value
    elif isinstance(value, dict | list | tuple):
        for part in value.values() if isinstance(value, dict) else value:
            yield from random_properties(part)


def _normalised(weights: Sequence[float] | None, count: int) -> list[float]:
    if weights is None:
        return [1 / count] * count
    numbers = [float(w) for w in weights]
    if len(numbers) != count:
        raise ValueError(f"a distribution has a weight for each value: {count}, not {len(numbers)}")
    total = sum(numbers)
    if not all(w >= 0 for w in numbers) or not 0 < total < math.inf:
        raise ValueError(f"weights are finite numbers from 0 on, not all 0; got {list(weights)!r}")
    return [w / total for w in numbers]
