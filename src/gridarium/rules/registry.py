"""Registries of rules by name: they check the signature of rules and bind their parameters."""

from __future__ import annotations

import difflib
import functools
import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, TypeVar, overload

from gridarium.compiled.data_types.primitives import for_rules
from gridarium.compiled.source_pass.source import home_of, unbound
from gridarium.rules.limits import Limit, OutOfLimits, check_limits
from gridarium.world.notebook import table

F = TypeVar("F", bound=Callable[..., Any])
Scope = Literal["agent", "world"]
SCOPES = ("agent", "world", "inner")
NOT_RANDOM = {"legal": "what is legal", "outcome": "an outcome"}
"""The kinds of rules that draw no random numbers, with what they say."""


class FunctionRegistry(Mapping[str, Callable[..., Any]]):
    """The rules of one kind by name.

    A rule is a function whose first parameters are those of its kind's protocol (under any names). Its own
    parameters follow, and may be given by keyword; `rng` among them receives random numbers.

        @transition_function_registry.register
        def drift(state, action, *, probability: float, rng): ...

        transition_function_registry.factory("drift", probability=0.1)

    Attributes:
        kind: the kind of the rules, such as "transition".
        leading: the protocol's leading parameters, such as ("state", "action").
    """

    def __init__(self, kind: str, leading: tuple[str, ...]) -> None:
        self.kind, self.leading = kind, leading
        self._functions: dict[str, Callable[..., Any]] = {}
        self._scopes: dict[str, str] = {}
        self._limits: dict[Callable[..., Any], Mapping[str, Limit]] = {}

    def __getitem__(self, name: str) -> Callable[..., Any]:
        if name not in self._functions:
            raise KeyError(self._unknown(name))
        return self._functions[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._functions)

    def __len__(self) -> int:
        return len(self._functions)

    def __repr__(self) -> str:
        return f"<{self.kind} rules: {', '.join(self)}>"

    def _repr_html_(self) -> str:
        rows = [
            (name, ", ".join(map(_shown, self.parameters(name).values())), summary(rule))
            for name, rule in self.items()
        ]
        return table(("rule", "parameters", "what it does"), rows, f"{self.kind} rules")

    def names(self) -> list[str]:
        """The names of all rules."""
        return list(self._functions)

    @overload
    def register(self, function: F, *, name: str | None = ..., scope: str | None = ...) -> F: ...

    @overload
    def register(
        self, function: None = ..., *, name: str | None = ..., scope: str | None = ...
    ) -> Callable[[F], F]: ...

    def register(self, function: Any = None, *, name: str | None = None, scope: str | None = None) -> Any:
        """Add a rule; also usable as a decorator, with and without arguments. Returns the function.

        A function that is defined again in the same place (a notebook cell) replaces the previous one.

        Args:
            function: the rule.
            name: its name, by default the function's own.
            scope: for transition rules, "agent" (run once for each acting agent, the default), "world" (run once
                a tick) or "inner" (the scope of the rules passed to it as parameters).

        Raises:
            TypeError: the function does not follow the protocol, or its name is not a string.
            ValueError: another function has the name, the name is invalid, or the scope is unknown.
        """
        if function is None:
            return functools.partial(self.register, name=name, scope=scope)
        self.check_signature(function)
        chosen = getattr(function, "__name__", None) if name is None else name
        if chosen is None:
            raise ValueError(f"a {self.kind} rule without a name of its own needs `name=`")
        self._check_name(chosen)
        self._check_free(chosen, function)
        self._check_scope(scope)
        self._functions[chosen] = function
        for_rules(unbound(function))
        self._scopes[chosen] = scope or "agent"
        return function

    def parameters(self, rule: Callable[..., Any] | str) -> dict[str, inspect.Parameter]:
        """A rule's own parameters: those that are neither leading nor `rng`."""
        given = list(inspect.signature(self._resolve(rule)).parameters.items())
        return {name: p for name, p in given[len(self.leading) :] if name != "rng"}

    def takes_rng(self, rule: Callable[..., Any] | str) -> bool:
        """Whether a rule declares `rng`."""
        return "rng" in inspect.signature(self._resolve(rule)).parameters

    def scope_of(self, rule: Callable[..., Any] | str) -> Scope:
        """Whether a rule runs for each acting agent ("agent") or once a tick ("world").

        Raises:
            ValueError: a composed rule mixes both.
        """
        function = self._resolve(rule)
        plain = function.func if isinstance(function, functools.partial) else function
        name = next((n for n, f in self._functions.items() if f is plain), None)
        scope = "agent" if name is None else self._scopes[name]
        if scope != "inner":
            return "world" if scope == "world" else "agent"
        bound = function.keywords.values() if isinstance(function, functools.partial) else ()
        inner = {self.scope_of(f) for value in bound for f in _functions_in(value)}
        if len(inner) > 1:
            raise ValueError(
                f"{name} mixes rules for each agent with rules for the whole world; write it once for each"
            )
        return inner.pop() if inner else "agent"

    def check_signature(self, function: Any) -> None:
        """Check that a function follows the protocol.

        Raises:
            TypeError: it does not; the message gives the protocol and the problem.
        """
        if not callable(function):
            raise TypeError(f"a {self.kind} rule must be a function, not {function!r}")
        if inspect.isgeneratorfunction(function) or inspect.iscoroutinefunction(function):
            shown = getattr(function, "__qualname__", repr(function))
            raise TypeError(
                f"{shown} does nothing when it is called, since it has a yield or is async; leave that out"
            )
        try:
            parameters = list(inspect.signature(function).parameters.values())
        except ValueError:
            raise TypeError(
                f"the signature of {function!r} is not known; write a function that calls it as a {self.kind} rule"
            ) from None
        reason = _breach(parameters, len(self.leading))
        if not reason and self.kind in NOT_RANDOM and any(p.name == "rng" for p in parameters):
            reason = f"declares rng; {NOT_RANDOM[self.kind]} is not random"
        if reason:
            shown = getattr(function, "__qualname__", repr(function))
            own = "<its own parameters>"
            last = f"{own})" if self.kind in NOT_RANDOM else f"{own}, rng), rng optional"
            protocol = f"{'an' if self.kind[0] in 'aeio' else 'a'} {self.kind} rule takes ({', '.join(self.leading)}, *, {last}"
            raise TypeError(f"{shown}{inspect.signature(function)} {reason}; {protocol}")

    def check_limits(self, rule: Callable[..., Any] | str, parameters: Mapping[str, Any]) -> None:
        """Check the values of a rule's parameters against their limits.

        Raises:
            OutOfLimits: a ValueError with the name of the parameter and what is allowed.
        """
        check_limits(self._limits.get(self._resolve(rule), {}), parameters)

    def factory(self, name: str, **parameters: Any) -> functools.partial[Any]:
        """Return the rule called `name` with its parameters bound.

        Raises:
            ValueError: there is no such rule, it has no such parameter, one without default is missing, or one is
                outside its limits.
        """
        if name not in self._functions:
            raise ValueError(self._unknown(name))
        known = self.parameters(name)
        listed = ", ".join(map(str, known.values())) or "none"
        unknown = [p for p in parameters if p not in known]
        if unknown:
            raise ValueError(
                f"{self.kind} rule {name} has no parameter {', '.join(unknown)}; it has: {listed}"
            )
        missing = [n for n, p in known.items() if p.default is p.empty and n not in parameters]
        if missing:
            raise ValueError(f"{self.kind} rule {name} needs {', '.join(missing)}; its parameters: {listed}")
        for key, value in parameters.items():
            if (wanted := _wanted_instead(known[key], value)) is not None:
                raise ValueError(f"{self.kind} rule {name}: {key} takes {wanted}; got {value!r}")
        try:
            self.check_limits(name, parameters)
        except OutOfLimits as error:
            raise OutOfLimits(error.parameter, f"{self.kind} rule {name}: {error}") from None
        return functools.partial(self._functions[name], **parameters)

    def _resolve(self, rule: Callable[..., Any] | str) -> Callable[..., Any]:
        return self._functions[rule] if isinstance(rule, str) else rule

    def _unknown(self, name: object) -> str:
        near = difflib.get_close_matches(str(name), self._functions, 3)
        hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(self) or 'none'}"
        return f"no {self.kind} rule {name!r}; {hint}"

    def _check_name(self, name: object) -> None:
        if not isinstance(name, str):
            raise TypeError(f"a {self.kind} rule's name must be a string, not {name!r}")
        if not name or ":" in name or any(c.isspace() for c in name):
            raise ValueError(
                f"a {self.kind} rule's name must be one word without a colon (module:name says where a rule is), not {name!r}"
            )

    def _check_free(self, name: str, function: Callable[..., Any]) -> None:
        known = self._functions.get(name)
        if known is not None and known is not function and _place(known) != _place(function):
            raise ValueError(
                f"there is a {self.kind} rule {name} already, from {_place(known)[0]}; choose another name"
            )

    def _check_scope(self, scope: str | None) -> None:
        if scope is not None and scope not in SCOPES:
            raise ValueError(f"no scope {scope!r}; there are {', '.join(SCOPES)}")
        if scope is not None and self.kind != "transition":
            raise ValueError(f"only transition rules have a scope, not {self.kind} rules")


def summary(rule: Callable[..., Any]) -> str:
    """The first line of a rule's docstring."""
    function = rule.func if isinstance(rule, functools.partial) else rule
    return (inspect.getdoc(function) or "").partition("\n")[0]


def shown_default(parameter: inspect.Parameter) -> str:
    """A parameter's default as Python source: functions and classes by their names."""
    return str(getattr(parameter.default, "__qualname__", repr(parameter.default)))


def _shown(parameter: inspect.Parameter) -> str:
    """A parameter with its annotation and default."""
    kind = parameter.annotation
    said = (
        ""
        if kind is parameter.empty
        else f": {kind if isinstance(kind, str) else inspect.formatannotation(kind)}"
    )
    return (
        parameter.name
        + said
        + ("" if parameter.default is parameter.empty else f" = {shown_default(parameter)}")
    )


NOT_TEXT = {
    "Color": "colors, as Color.RED, not text",
    "type[GridObject]": "kinds of objects, as Wall, not text",
    "GridObject": "objects, as Wall(), not text",
    "DistanceFunction": "a function of two positions, as distance_function_factory('manhattan'), not text",
    "ReductionFunction": "a function of several values, as sum, not text",
    "Function": "rules, as factory(name) gives them, not text",
    "float": "a number, not text",
    "tuple[int, int]": "two whole numbers, not text",
    "int": "a whole number, not text",
    "bool": "True or False, not text",
}
"""The values that parameters accept, by a word in their annotation; the first match counts."""


def _wanted_instead(parameter: inspect.Parameter, value: Any) -> str | None:
    """The values a parameter accepts, if it got a string, or a list instead of an area; None if the value is valid."""
    kind = parameter.annotation
    hint = kind if isinstance(kind, str) else inspect.formatannotation(kind)
    if hint.rpartition(".")[2] == "Area" and isinstance(value, str | list | tuple):
        return "an area, as Area((-6, 0), (-3, 3)), from ymin to ymax and xmin to xmax"
    items = value if isinstance(value, list | tuple) else (value,)
    if "str" in hint or "Literal" in hint or not any(isinstance(item, str) for item in items):
        return None
    return next((wanted for word, wanted in NOT_TEXT.items() if word in hint), None)


def _breach(parameters: list[inspect.Parameter], leading: int) -> str:
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    first, others = parameters[:leading], parameters[leading:]
    if len(first) < leading or any(p.kind not in positional or p.name == "rng" for p in first):
        return f"lacks a leading parameter: there are {leading}"
    if any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in others):
        return "takes * or **, so that its parameters are unknown"
    if any(p.kind == p.POSITIONAL_ONLY for p in others):
        return "has a parameter that cannot be given by keyword"
    return ""


def _place(function: Any) -> tuple[str, str]:
    return home_of(function), getattr(function, "__qualname__", "?")


def _functions_in(value: Any) -> list[Callable[..., Any]]:
    items = value if isinstance(value, tuple | list) else (value,)
    return [item for item in items if callable(item) and not isinstance(item, type)]
