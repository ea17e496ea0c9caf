"""`check_rule`: whether a rule follows its protocol, is a pure function of its inputs, and compiles."""

from __future__ import annotations

import functools
import math
import numbers
import re
import traceback
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gridarium.compiled.data_types.random import OWN_STREAM
from gridarium.compiled.source_pass.source import Unsupported, unbound
from gridarium.engine import World
from gridarium.engine.step.locate_error import locate_error
from gridarium.rules.legal_functions import legal_function_registry
from gridarium.rules.sensors import sensor_registry
from gridarium.testing.differential import ALL_ACTIONS, CHOOSING, LEADING, compare, filled_by
from gridarium.testing.differing import differences
from gridarium.testing.problems import NeedsWorld, NotConforming, named, require
from gridarium.testing.states import blank_states, random_states, visited_states
from gridarium.world.action_arguments import Actions
from gridarium.world.action_mask import ActionMask, as_bools, blank_mask
from gridarium.world.actions import Action
from gridarium.world.field_array import FieldArray, Layout
from gridarium.world.state import PURPOSE, Observation, State, clear
from gridarium.world.vocabulary import Vocabulary, everything
from gridarium.worlds.resolving.binding import REGISTRIES

EDITING = ("reset", "transition")
SHAPE = (5, 6)
MOST_ACTIONS = 64
"""The number of actions that a rule is tried with, at most."""
UNDECLARED = re.compile(r"\b(?:state|agent|thing)\.(\w+) (?:is not known|cannot be assigned); there are ")
WITHOUT_ARGUMENTS = re.compile(r"(?:'Action' object has no attribute|no action of this world has) '(\w+)'")


def check_rule(
    rule: Callable[..., Any] | str,
    kind: str,
    *,
    vocabulary: Vocabulary | None = None,
    world: World | None = None,
    states: Sequence[State] = (),
    count: int = 12,
    seed: int = 0,
    compiled: bool = True,
) -> None:
    """Check a rule on states of a world, and on random states.

    Args:
        rule: a function, a `functools.partial` of one that binds its parameters, or the name of a registered rule.
        kind: "reset", "transition", "reward", "terminating", "observation", "visibility", "sensor", "legal",
            "outcome" or "array".
        vocabulary: the vocabulary of the random states; by default the world's, or all kinds and colors.
        world: a world with further states to try the rule on; needed for rules that fill masks of its actions, and for array
            rules, which it must have.
        states: further states, of the same vocabulary.
        count: the number of states of each sort.
        seed: the seed of everything random.
        compiled: whether to compare it with its compiled form; a rule that cannot be compiled then fails.

    Raises:
        NeedsWorld: without a world and a vocabulary it cannot be tried, since it uses a declared field or an action's arguments.
        NotConforming: the signature is not the protocol's; a parameter is not bound; an input was modified; two calls
            with equal inputs gave different results; the result has the wrong type; interpreted and compiled differ.

    Example:
        >>> check_rule(functools.partial(reach_exit, reward_on=5.0), "reward", world=World("Empty-8x8"))
    """
    require(kind in LEADING, f"a rule's kind must be one of {', '.join(LEADING)}, not {kind!r}")
    registry = REGISTRIES[f"{kind}_function"]
    function = registry[rule] if isinstance(rule, str) else rule
    try:
        registry.check_signature(function)
    except TypeError as error:
        raise NotConforming(f"{named(function, kind)}: {error}") from error
    unbound = [n for n, p in registry.parameters(function).items() if p.default is p.empty]
    missing = f"bind {', '.join(unbound)} with functools.partial to check it"
    require(not unbound, f"{named(function, kind)}: {missing}")
    alone = world is None and vocabulary is None
    vocabulary = vocabulary or (everything() if world is None else world.spec.vocabulary)
    tried = [*_states(function, kind, vocabulary, world, count, seed), *states]
    actions = ALL_ACTIONS if world is None else world.actions
    filled = kind == "legal" and legal_function_registry.fills(function) is not None
    if filled and world is None:
        raise NeedsWorld(f"{named(function, kind)}: give the world whose actions it fills")
    layout = _layout_for(function, world) if kind == "array" else None
    case = _Case(function, kind, registry.takes_rng(function), actions if filled else (), layout)
    some = actions[:1] if filled else [actions[i] for i in _spread(len(actions))]
    for state, following in zip(tried, [*tried[1:], tried[0]], strict=True):
        for action in some if {*CHOOSING} & {*LEADING[kind]} else some[:1]:
            case.check(state, following, action)
        if kind == "sensor":
            _check_probabilities(function, state)
    case.check_that_it_works(alone=alone)
    if compiled:
        _compare(kind, function, tried, actions if filled else some, layout, alone=alone)


def _layout_for(function: Callable[..., Any], world: World | None) -> Layout:
    """The shape and type of the array of a world that a rule fills.

    Raises:
        NotConforming: the world has no such array, or there is no world.
    """
    plain = function.func if isinstance(function, functools.partial) else function
    arrays = () if world is None else world.spec.observations
    found = next((array.layout for array in arrays if array.rule.func is plain), None)
    require(found is not None, f"{named(function, 'array')}: give a world with an array that it fills")
    assert found is not None
    return found


def _spread(count: int) -> list[int]:
    """All indices of actions, or some spread over them where there are many."""
    return sorted({i * count // MOST_ACTIONS for i in range(MOST_ACTIONS)} | {count - 1})


def _check_probabilities(function: Callable[..., Any], state: State) -> None:
    plain = function.func if isinstance(function, functools.partial) else function
    if plain not in sensor_registry.values():
        return
    sensor = sensor_registry.sensor(function)
    if sensor.outcomes is not None:
        total = float(sensor.probabilities(state).sum())
        problem = f"the probabilities of its outcomes add up to {total}, not to 1, on\n{state}"
        require(math.isclose(total, 1.0, rel_tol=1e-9), f"{named(function, 'sensor')}: {problem}")


def _states(
    function: Callable[..., Any],
    kind: str,
    vocabulary: Vocabulary,
    world: World | None,
    count: int,
    seed: int,
) -> list[State]:
    agents = 2 if world is None else world.spec.agents
    shape = SHAPE if world is None else tuple(world.spec.shape)
    if kind == "reset":
        return blank_states(vocabulary, count, shape, agents=agents, seed=seed)  # type: ignore[arg-type]
    drawn = random_states(vocabulary, count, shape, agents=agents, seed=seed)  # type: ignore[arg-type]
    if world is not None and vocabulary == world.spec.vocabulary:
        try:
            drawn += visited_states(world, count, seed=seed)
        except Exception as error:
            if _is_from(error, function):
                raise
            # raised by another rule, and reported where that one is checked
    return drawn


def _is_from(error: Exception, function: Callable[..., Any]) -> bool:
    """Whether an exception was raised by a rule, or by one that is not a Python function."""
    code = getattr(unbound(function), "__code__", None)
    frames = traceback.walk_tb(error.__traceback__)
    return code is None or any(frame.f_code is code for frame, _ in frames)


def _compare(
    kind: str,
    function: Callable[..., Any],
    tried: list[State],
    actions: Sequence[Action],
    layout: Layout | None,
    *,
    alone: bool,
) -> None:
    try:
        compare(kind, function, tried, actions=actions, layout=layout)
    except Unsupported as error:
        if alone:
            _refer_to_worlds(
                function, kind, [line for line in str(error).splitlines() if line.startswith("  ")]
            )
        raise NotConforming(f"{named(function, kind)}: it cannot be compiled:\n{error}") from error


def _refer_to_worlds(function: Callable[..., Any], kind: str, reasons: Sequence[str]) -> None:
    """Raise if each reason why a rule did not run is something that its world would declare.

    Raises:
        NeedsWorld: that is so.
    """
    needed = [
        f"the field {field[1]!r}"
        if (field := UNDECLARED.search(reason))
        else f"an action with the argument {argument[1]!r}"
        if (argument := WITHOUT_ARGUMENTS.search(reason))
        else ""
        for reason in reasons
    ]
    if needed and all(needed):
        what = ", ".join(dict.fromkeys(needed))
        raise NeedsWorld(f"{named(function, kind)}: it needs {what}; check a world that uses it")


class _Case:
    """One rule, called on copies of states."""

    def __init__(
        self,
        function: Callable[..., Any],
        kind: str,
        takes_rng: bool,
        filled: Sequence[Action],
        layout: Layout | None,
    ) -> None:
        self.function, self.kind, self.takes_rng, self.filled = function, kind, takes_rng, filled
        self.layout = layout
        self.shapes: dict[Any, Any] = {}
        self.works = False
        self.raised: Any = None

    def check(self, state: State, following: State, action: Action) -> None:
        """Call the rule twice, and once with a numpy Generator."""
        outcome, edited, changed = self._call(state, following, action)
        again, edited_again, _ = self._call(state, following, action)
        self.works = self.works or not isinstance(outcome, Exception)
        self.raised = outcome
        problem = ""
        if _comparable(outcome) != _comparable(again):
            problem = f"two calls with equal inputs differ: {outcome!r} and {again!r}"
        elif not edited.identical(edited_again):
            problem = f"two calls with equal inputs differ in {differences(edited, edited_again)}"
        elif changed:
            problem = "it changed its inputs"
        elif not isinstance(outcome, Exception):
            problem = self._wrong_result(outcome, state)
            if not problem and self.takes_rng:
                other, _, _ = self._call(state, following, action, rng=np.random.default_rng(0))
                if isinstance(other, Exception):
                    problem = f"with a numpy Generator it raised {other!r}"
        if problem:
            name = named(self.function, self.kind)
            raise NotConforming(f"{name}: {problem}; action {action.name}, on\n{state}")

    def check_that_it_works(self, *, alone: bool) -> None:
        """Reject a rule that raised in every case, unless it deliberately reports invalid input; `alone`: it has no world."""
        if self.works or self.raised is None or isinstance(self.raised, ValueError):
            return
        if alone and isinstance(self.raised, AttributeError):
            _refer_to_worlds(self.function, self.kind, [str(self.raised)])
        said = f"{type(self.raised).__name__}: {self.raised}\n{locate_error(self.raised, [self.function])}"
        raise NotConforming(
            f"{named(self.function, self.kind)}: it raised in every call, in the last one {said}"
        )

    def _call(
        self, state: State, following: State, action: Action, rng: Any = None
    ) -> tuple[Any, State, bool]:
        """The result or exception of the rule, its state afterwards, and whether it modified read-only inputs."""
        mine, its = state.copy(), following.copy()
        for each in (mine, its):
            each.scratch[0] = each.scratch[OWN_STREAM] = 0
        if self.kind == "reset":
            clear(mine)
        before = (mine.tobytes(), its.tobytes())
        given: tuple[Any, ...] = (mine, action, its)[: len(LEADING[self.kind])]
        if self.kind == "visibility":
            given = (mine.grid, mine.agent.position)
        elif self.kind == "sensor":
            given = (mine, action.value)
        elif isinstance(self.filled, Actions):
            given = (mine, blank_mask(self.filled, filled_by(self.function, self.filled)))
        elif self.layout is not None:
            given = (mine, FieldArray(np.zeros(self.layout.size, np.int64), 0, self.layout))
        rng_argument = {"rng": rng or mine.stream(PURPOSE[self.kind])} if self.takes_rng else {}
        try:
            outcome = self.function(*given, **rng_argument)
            if isinstance(given[-1], ActionMask):
                outcome = as_bools(given[-1]) if outcome is None else outcome
            elif isinstance(given[-1], FieldArray):
                outcome = given[-1].row if outcome is None else outcome
        except Exception as error:
            outcome = error
        changed = its.tobytes() != before[1] or (self.kind not in EDITING and mine.tobytes() != before[0])
        return outcome, mine, changed

    def _wrong_result(self, outcome: Any, state: State) -> str:
        """The problem with a rule's result; empty if there is none."""
        if self.kind in EDITING:
            return "" if outcome is None else f"it must edit the state and return None, not {outcome!r}"
        if self.kind in ("reward", "outcome"):
            is_number = isinstance(outcome, numbers.Real) and math.isfinite(outcome)
            return (
                ""
                if is_number
                else f"{'a reward' if self.kind == 'reward' else 'an outcome'} must be a finite number, not {_shown(outcome)}"
            )
        if self.kind == "sensor":
            is_likelihood = (
                isinstance(outcome, numbers.Real) and math.isfinite(outcome) and float(outcome) >= 0
            )
            return (
                "" if is_likelihood else f"a probability must be a non-negative number, not {_shown(outcome)}"
            )
        if self.filled or self.layout is not None:
            returns_nothing = isinstance(outcome, np.ndarray)
            what = "mask" if self.filled else "array"
            return "" if returns_nothing else f"it must fill the {what} and return None, not {outcome!r}"
        if self.kind in ("terminating", "legal"):
            return (
                ""
                if isinstance(outcome, bool | np.bool_)
                else f"the result must be True or False, not {_shown(outcome)}"
            )
        if self.kind == "observation":
            if not isinstance(outcome, Observation):
                return f"the result must be an Observation, not {_shown(outcome)}"
            size = self.shapes.setdefault(state.grid.shape, outcome.grid.shape)
            if outcome.grid.shape != size:
                return f"observations of equally large worlds have different sizes, {size} and {outcome.grid.shape}"
            return ""
        mask, shape = np.asarray(outcome), tuple(state.grid.shape)
        if mask.dtype != np.bool_ or mask.shape != shape:
            return f"a mask must be bool{list(shape)}, not {mask.dtype}{list(mask.shape)}"
        return ""


def _shown(outcome: Any) -> str:
    return "None (is a `return` missing?)" if outcome is None else repr(outcome)


def _comparable(outcome: Any) -> Any:
    if isinstance(outcome, Exception):
        return type(outcome), str(outcome)
    if isinstance(outcome, Observation):
        arrays = (outcome.grid.cells, outcome.grid.layers, outcome.agent.agent_row)
        return tuple((a.shape, a.tobytes()) for a in arrays)
    if isinstance(outcome, float | np.floating) and math.isnan(outcome):
        return "nan"
    return outcome.tolist() if isinstance(outcome, np.ndarray) else outcome
