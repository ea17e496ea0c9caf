"""`check_rule`: whether a rule keeps to its protocol, leaves its inputs alone, depends on them only, and compiles."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gridarium.compiled.source import Unsupported
from gridarium.engine import World
from gridarium.testing.differential import ALL_ACTIONS, LEADING, compare
from gridarium.testing.problems import NotConforming, require
from gridarium.testing.states import blank_states, random_states, visited_states
from gridarium.world.actions import Action
from gridarium.world.state import PURPOSE, Observation, State, clear
from gridarium.world.vocabulary import Vocabulary, everything
from gridarium.worlds.binding import REGISTRIES

EDITING = ("reset", "transition")
SHAPE = (5, 6)


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
    """Check a rule on states of a world, and on states drawn at random.

    Args:
        rule: a function, a `functools.partial` of one that binds its parameters, or the name of a registered rule.
        kind: "reset", "transition", "reward", "terminating", "observation" or "visibility".
        vocabulary: of the states drawn at random; by default the world's, or all kinds and colors.
        world: whose states the rule is tried on as well.
        states: further states, of the same vocabulary.
        count: how many states of each sort.
        seed: of everything that is drawn.
        compiled: whether to compare it with its compiled form; a rule that cannot be compiled fails this.

    Raises:
        NotConforming: the signature is not the protocol's; a parameter is not bound; an input was changed; two calls
            with equal inputs gave different results; the result has the wrong type; interpreted and compiled differ.

    Example:
        >>> check_rule(functools.partial(reach_exit, reward_on=5.0), "reward", world=World("Empty-8x8"))
    """
    require(kind in LEADING, f"a rule's kind is one of {', '.join(LEADING)}, not {kind!r}")
    registry = REGISTRIES[f"{kind}_function"]
    function = registry[rule] if isinstance(rule, str) else rule
    try:
        registry.check_signature(function)
    except TypeError as error:
        raise NotConforming(str(error)) from error
    unbound = [n for n, p in registry.parameters(function).items() if p.default is p.empty]
    require(not unbound, f"bind {', '.join(unbound)} of {function} with functools.partial to check it")
    words = vocabulary or (everything() if world is None else world.spec.vocabulary)
    tried = [*_states(kind, words, world, count, seed), *states]
    actions = ALL_ACTIONS if world is None else world.actions
    case = _Case(function, kind, registry.takes_rng(function))
    for state, following in zip(tried, [*tried[1:], tried[0]], strict=True):
        for action in actions if "action" in LEADING[kind] else actions[:1]:
            case.check(state, following, action)
    if compiled:
        _compare(kind, function, tried, actions)


def _states(kind: str, words: Vocabulary, world: World | None, count: int, seed: int) -> list[State]:
    agents = 2 if world is None else world.spec.agents
    shape = SHAPE if world is None else tuple(world.spec.shape)
    if kind == "reset":
        return blank_states(words, count, shape, agents=agents, seed=seed)  # type: ignore[arg-type]
    drawn = random_states(words, count, shape, agents=agents, seed=seed)  # type: ignore[arg-type]
    if world is not None and words == world.spec.vocabulary:
        drawn += visited_states(world, count, seed=seed)
    return drawn


def _compare(kind: str, function: Callable[..., Any], tried: list[State], actions: Sequence[Action]) -> None:
    try:
        compare(kind, function, tried, actions=actions)
    except Unsupported as error:
        raise NotConforming(f"{function} cannot be compiled: {error}") from error
    except Exception as error:
        if type(error).__module__.startswith("numba."):
            raise NotConforming(f"{function} cannot be compiled: {error}") from error
        raise


class _Case:
    """One rule, called on copies of states."""

    def __init__(self, function: Callable[..., Any], kind: str, takes_rng: bool) -> None:
        self.function, self.kind, self.takes_rng = function, kind, takes_rng
        self.shapes: dict[Any, Any] = {}

    def check(self, state: State, following: State, action: Action) -> None:
        """Call the rule twice, and once with numpy's random numbers."""
        where = f"{self.kind} rule {self.function}, action {action.name}, on\n{state}"
        first, first_state, changed = self._call(state, following, action)
        second, second_state, _ = self._call(state, following, action)
        same = _comparable(first) == _comparable(second) and first_state == second_state
        require(same, f"two calls with equal inputs differ: {first!r} and {second!r}: {where}")
        require(not changed, f"it changed its inputs: {where}")
        if isinstance(first, Exception):
            return
        self._check_result(first, state, where)
        if self.takes_rng:
            other, _, _ = self._call(state, following, action, rng=np.random.default_rng(0))
            require(not isinstance(other, Exception), f"with a numpy Generator it raised {other!r}: {where}")

    def _call(self, state: State, following: State, action: Action, rng: Any = None) -> tuple[Any, bytes, bool]:
        """What the rule gave or raised, the bytes of its state, and whether it changed what it may only read."""
        mine, its = state.copy(), following.copy()
        mine.scratch[0] = its.scratch[0] = 0
        if self.kind == "reset":
            clear(mine)
        before = (mine.tobytes(), its.tobytes())
        given: tuple[Any, ...] = (mine, action, its)[: len(LEADING[self.kind])]
        if self.kind == "visibility":
            given = (mine.grid, mine.agent.position)
        luck = {"rng": rng or mine.stream(PURPOSE[self.kind])} if self.takes_rng else {}
        try:
            outcome = self.function(*given, **luck)
        except Exception as error:  # noqa: BLE001  (it is the outcome)
            outcome = error
        changed = its.tobytes() != before[1] or (self.kind not in EDITING and mine.tobytes() != before[0])
        return outcome, mine.tobytes(), changed

    def _check_result(self, outcome: Any, state: State, where: str) -> None:
        if self.kind in EDITING:
            require(outcome is None, f"it edits the state and returns nothing, not {outcome!r}: {where}")
        elif self.kind == "reward":
            number = isinstance(outcome, numbers.Real) and math.isfinite(outcome)
            require(number, f"a reward is a finite number, not {outcome!r}: {where}")
        elif self.kind == "terminating":
            require(isinstance(outcome, bool | np.bool_), f"the result is True or False, not {outcome!r}: {where}")
        elif self.kind == "observation":
            require(isinstance(outcome, Observation), f"the result is an Observation, not {outcome!r}: {where}")
            size = self.shapes.setdefault(state.grid.shape, outcome.grid.shape)
            alike = "observations of equally large worlds are equally large"
            require(outcome.grid.shape == size, f"{alike}, not {size} and {outcome.grid.shape}: {where}")
        else:
            mask = np.asarray(outcome)
            fits = mask.dtype == np.bool_ and mask.shape == tuple(state.grid.shape)
            require(fits, f"a mask is bool{list(state.grid.shape)}, not {mask.dtype}{list(mask.shape)}: {where}")


def _comparable(outcome: Any) -> Any:
    if isinstance(outcome, Exception):
        return type(outcome), str(outcome)
    if isinstance(outcome, Observation):
        arrays = (outcome.grid.cells, outcome.grid.layers, outcome.agent.body)
        return tuple((a.shape, a.tobytes()) for a in arrays)
    return outcome.tolist() if isinstance(outcome, np.ndarray) else outcome
