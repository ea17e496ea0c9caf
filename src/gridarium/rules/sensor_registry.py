"""Sensors: rules that give the probability of a measurement, used both to sample measurements and as a likelihood.

A sensor of integers is one function, the probability of a measurement, and the number of its outcomes:

    @sensor_registry.register(outcomes=2)
    def bell(state, measurement, *, reliability: float = 0.9) -> float:
        '''Rings on an exit, mostly.'''
        rings = isinstance(state.grid[state.agent.position], Exit)
        return reliability if measurement == rings else 1.0 - reliability

Measurements are drawn with these probabilities. A sensor of real numbers returns a density instead, and declares how it
is sampled: `register(measure=function)`, where `function(state, *, <the same parameters>, rng)` returns a number.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from gridarium.rules.calling import RandomNumbers
from gridarium.rules.limits import Limit
from gridarium.rules.registry import F, FunctionRegistry
from gridarium.world.state import PURPOSE, State

SensorFunction: TypeAlias = Callable[..., float]
Outcomes: TypeAlias = Callable[..., int]
STREAM_BITS = 42
"""Bits of the number of a sensor's stream, which follows from its name and parameters: the upper 30 are added to the
tick, the others are stored next to it: two sensors share random numbers somewhere in a thousand ticks with a chance
below 1e-9."""


class SensorRegistry(FunctionRegistry):
    """The sensors by name; see `FunctionRegistry`."""

    def __init__(self) -> None:
        super().__init__("sensor", ("state", "measurement"))
        self._outcomes: dict[Callable[..., Any], int | Outcomes] = {}
        self._measures: dict[Callable[..., Any], Callable[..., float]] = {}

    @overload
    def register(
        self,
        function: F,
        *,
        name: str | None = ...,
        scope: str | None = ...,
        outcomes: int | Outcomes | None = ...,
        measure: Callable[..., float] | None = ...,
        limits: Mapping[str, Limit] | None = ...,
    ) -> F: ...

    @overload
    def register(
        self,
        function: None = ...,
        *,
        name: str | None = ...,
        scope: str | None = ...,
        outcomes: int | Outcomes | None = ...,
        measure: Callable[..., float] | None = ...,
        limits: Mapping[str, Limit] | None = ...,
    ) -> Callable[[F], F]: ...

    def register(
        self,
        function: Any = None,
        *,
        name: str | None = None,
        scope: str | None = None,
        outcomes: int | Outcomes | None = None,
        measure: Callable[..., float] | None = None,
        limits: Mapping[str, Limit] | None = None,
    ) -> Any:
        """Add a sensor; a decorator with arguments.

        Args:
            function: `(state, measurement, *, <parameters>)`, the probability (or density) of a measurement.
            name: its name, by default the function's own.
            scope: sensors have none.
            outcomes: the number of outcomes 0, 1, 2, ...: a number, or a function `(state, *, <parameters>)`.
            measure: for a sensor of real numbers, draws a measurement.
            limits: limits of parameters (see `gridarium.rules.limits`), checked when a sensor is created.

        Raises:
            TypeError: the function does not follow the protocol.
            ValueError: neither or both of `outcomes` and `measure` are given, or another function has the name.
        """
        if (outcomes is None) == (measure is None):
            raise ValueError(
                "a sensor has either `outcomes=` (how many there are) or `measure=` (how it measures)"
            )
        if function is None:
            return functools.partial(
                self.register, name=name, scope=scope, outcomes=outcomes, measure=measure, limits=limits
            )
        super().register(function, name=name, scope=scope)
        self._limits[function] = limits or {}
        if outcomes is not None:
            self._outcomes[function] = outcomes
        elif measure is not None:
            self._measures[function] = measure
        return function

    def sensor(self, rule: SensorFunction | str, **parameters: Any) -> Sensor:
        """Create a sensor with bound parameters.

        Args:
            rule: the name of a sensor, or a registered function, possibly with parameters bound by `functools.partial`.
            parameters: further ones.

        Raises:
            ValueError: there is no such sensor, or its parameters are wrong.
        """
        bound: dict[str, Any] = {}
        while isinstance(rule, functools.partial):
            bound, rule = {**rule.keywords, **bound}, rule.func
        name = rule if isinstance(rule, str) else next((n for n, f in self.items() if f is rule), None)
        if name is None:
            raise ValueError(
                f"{rule!r} is not registered as a sensor; use @sensor_registry.register(outcomes=...)"
            )
        wanted = self.parameters(name) if name in self else {}
        defaults = {n: p.default for n, p in wanted.items() if p.default is not p.empty}
        likelihood = self.factory(name, **{**defaults, **bound, **parameters})
        function, given = likelihood.func, likelihood.keywords
        if function in self._measures:
            measure = self._measures[function]
            return Sensor(name, likelihood, functools.partial(measure, **_known_to(measure, given)), None)
        said = self._outcomes[function]
        if callable(said):
            outcomes = functools.partial(said, **_known_to(said, given))
        else:
            outcomes = functools.partial(as_many, number=said)
        measured = functools.partial(draw_outcome, sensor_function=likelihood, outcomes_function=outcomes)
        return Sensor(name, likelihood, measured, outcomes)


@dataclass(frozen=True, eq=False)
class Sensor:
    """A sensor with its parameters bound. Created by `sensor(...)`, or by a description (`World.spec.sensors`).

    Attributes:
        name: as registered.
        likelihood: `(state, measurement)`, the probability or density of a measurement.
        measure: `(state, *, rng)`, draws a measurement.
        outcomes: `(state)`, the number of outcomes; None for real numbers.
    """

    name: str
    likelihood: functools.partial[float]
    measure: functools.partial[Any]
    outcomes: functools.partial[int] | None

    @functools.cached_property
    def stream(self) -> int:
        """The number of its random stream, equal for equal sensors and independent for different ones."""
        digest = hashlib.blake2b(repr(self).encode(), digest_size=8).digest()
        return int.from_bytes(digest, "little") >> (64 - STREAM_BITS)

    def read(self, state: State, rng: RandomNumbers = None) -> float:
        """Draw a measurement of the agent in focus.

        Args:
            state: the world.
            rng: random numbers; by default the world's own, so that repeated reads within a tick are equal.
        """
        chance = state.stream(PURPOSE["sensor"] + 16 * self.stream) if rng is None else rng
        return self.measure(state, rng=chance)

    def count(self, state: State) -> int:
        """The number of outcomes.

        Raises:
            ValueError: it measures real numbers.
        """
        if self.outcomes is None:
            raise ValueError(f"sensor {self.name} measures real numbers, whose outcomes cannot be counted")
        return int(self.outcomes(state))

    def probabilities(self, state: State) -> npt.NDArray[np.float64]:
        """float64[outcomes]: the probability of each.

        Raises:
            ValueError: it measures real numbers.
        """
        return np.array([self.likelihood(state, outcome) for outcome in range(self.count(state))])

    def __repr__(self) -> str:
        given = ", ".join(f"{key}={_shown(value)}" for key, value in sorted(self.likelihood.keywords.items()))
        return f"{self.name}({given})"


def draw_outcome(
    state: State, *, sensor_function: SensorFunction, outcomes_function: Outcomes, rng: Any
) -> int:
    """Draw an integer with the probabilities that a sensor returns."""
    count = outcomes_function(state)
    left = rng.random()
    for outcome in range(count):
        left -= sensor_function(state, outcome)
        if left < 0:
            return outcome
    return count - 1


def as_many(state: State, *, number: int) -> int:
    """Return a function for a number of outcomes that is the same in every state."""
    return number


def _known_to(function: Callable[..., Any], parameters: dict[str, Any]) -> dict[str, Any]:
    """The sensor's parameters that another function accepts as well."""
    names = inspect.signature(function).parameters
    return {name: value for name, value in parameters.items() if name in names}


def _shown(value: Any) -> str:
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(_shown, value))}]"
    return getattr(value, "__qualname__", repr(value))


sensor_registry = SensorRegistry()
factory = sensor_registry.factory
sensor = sensor_registry.sensor
