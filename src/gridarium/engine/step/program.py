"""Composes rules and their parameters into one program: a readable module, run interpreted or compiled.

Numbers, areas and positions among the parameters are run-time values, so worlds that differ only in them share one
compilation. Everything else (kinds, functions, words) is fixed when the world is composed.
"""

from __future__ import annotations

import builtins
import enum
import functools
import inspect
import keyword
import struct
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.compiled.cache.fingerprint import names_in
from gridarium.compiled.data_types.primitives import fixed, get_float
from gridarium.compiled.data_types.random import OWN_STREAM
from gridarium.compiled.data_types.value_class import generated, is_value
from gridarium.compiled.source_pass.resolver import unwrap_partial
from gridarium.engine.observe.representation import Observe, Representation, represent
from gridarium.engine.step import kernel, legal_actions, turns
from gridarium.engine.step.check_bounds import check_agents_inside, is_user_rule
from gridarium.engine.step.check_returns import as_number, as_observation, as_outcome, as_truth, returns_none
from gridarium.engine.step.infer_shape import infer_shape
from gridarium.rules.calling import uses_rng
from gridarium.rules.legal_functions import legal_function_registry
from gridarium.world.action_mask import layout
from gridarium.world.actions import Action
from gridarium.world.geometry import Area, Shape, area
from gridarium.world.state import PURPOSE
from gridarium.world.vocabulary import Vocabulary
from gridarium.worlds import Spec
from gridarium.worlds.entries.problems import Path

Rule = Callable[..., Any]


@dataclass(frozen=True)
class Program:
    """The composed rules of a world.

    Attributes:
        text: the composed functions as a page of Python.
        run: `run(frame, slot, first, last, mode)`, interpreted; the function that `gridarium.compiled.compile`
            compiles.
        legal: whether an action is legal by all rules, `legal(state, action, params)`; None without legal rules.
        evaluate: the part of it that writes rewards and terminations, `evaluate(before, state, params, rewards,
            terminated)`.
        outcome: the outcome rule, `outcome(state, params)`; None without one.
        params: int64[n]: the run-time parameters; floats as their bits.
        described: one line per run-time parameter.
        param_slices: the index of each parameter in `params`, by its path in the description.
        rules: the rules by name in the text.
        vocabulary: the world's kinds, colors and fields.
        representation: the conversion of observations to arrays.
        seen: the shape of an observation's grid.
        agents: the number of agents that it is for; 0 for any number above one.
    """

    text: str
    run: Rule
    evaluate: Rule
    legal: Rule | None
    outcome: Rule | None
    params: npt.NDArray[np.int64]
    described: list[str]
    param_slices: dict[Path, slice]
    rules: dict[str, Rule]
    vocabulary: Vocabulary
    representation: Representation
    seen: Shape
    agents: int

    @property
    def parts(self) -> dict[str, Any]:
        """What `kernel.run_world` is called with besides its frame, by the names of its parameters: other kernels are made of it."""
        bound: dict[str, Any] = self.run.keywords["run_world"].keywords  # type: ignore[attr-defined]
        return bound


@dataclass
class _Page:
    """The text under construction.

    `taken` are names that rules must not have, besides `TAKEN`; `with_arguments` the actions that take arguments, which
    are fixed when composing.
    """

    taken: frozenset[str] = frozenset()
    with_arguments: Collection[int] = ()
    names: dict[str, Rule] = field(default_factory=dict)
    helpers: dict[str, Any] = field(default_factory=dict)
    params: list[int] = field(default_factory=list)
    described: list[str] = field(default_factory=list)
    param_slices: dict[Path, slice] = field(default_factory=dict)

    def name(self, thing: Any, wanted: str, kind: str) -> str:
        """A unique name for a rule or a class: its own, then with its kind, then with a number."""
        name, count = wanted, 1
        while (
            name in TAKEN
            or name in self.taken
            or self.names.get(name, thing) is not thing
            or name in self.helpers
        ):
            name = f"{wanted}_{kind}" if count == 1 else f"{wanted}_{kind}_{count}"
            count += 1
        self.names[name] = thing
        return name

    def value_name(self, cls: type) -> str:
        """A name for the constructor of a value class."""
        helper = area if cls is Area else cls
        name = next((n for n, known in self.helpers.items() if known is helper), None)
        if name is None:
            name = "area" if cls is Area else self.name(cls, cls.__name__, "value")
            self.helpers[name] = self.names.pop(name, helper)
        return name

    def call(self, rule: Rule, kind: str, leading: Sequence[str], index: int) -> str:
        """The source of a call of a rule with its parameters."""
        function, bound = unwrap_partial(rule)
        parameters = inspect.signature(function).parameters
        label = getattr(function, "__name__", type(function).__name__)
        if not label.isidentifier() or keyword.iskeyword(label):
            label = "nameless"  # a lambda
        if label.startswith("__"):
            label = f"rule{label}"  # such names have a special meaning in Python modules
        bound_constants: dict[str, Any] = {}
        arguments = list(leading)
        for name in parameters:
            if name == "rng":
                if "rng" not in bound and (uses_rng(function) or parameters["rng"].default is not None):
                    arguments.append(f"rng=state.stream({PURPOSE[kind] + 16 * index})")
            elif name in bound:
                first = len(self.params)
                written = self.runtime(bound[name], f"{label}.{name}")
                self.param_slices[*description_path(kind, index), name] = slice(first, len(self.params))
                if written is None:
                    bound_constants[name] = bound[name]
                else:
                    arguments.append(f"{name}={written}")
        target = functools.partial(function, **bound_constants) if bound_constants else function
        return f"{self.name(target, label, kind)}({', '.join(arguments)})"

    def runtime(self, thing: Any, label: str) -> str | None:
        """The source that reads a run-time parameter, or None for values that are fixed when composing."""
        if isinstance(thing, bool | enum.Enum):
            return None
        if isinstance(thing, int | np.integer):
            self.described.append(f"params[{len(self.params)}] = {thing}  ({label})")
            self.params.append(int(thing))
            self.helpers["fixed"] = fixed
            return f"fixed(params, {len(self.params) - 1})"
        if isinstance(thing, float | np.floating):
            self.described.append(f"params[{len(self.params)}] = {thing}  ({label})")
            self.params.append(struct.unpack("<q", struct.pack("<d", float(thing)))[0])
            self.helpers["get_float"] = get_float
            return f"get_float(params, {len(self.params) - 1})"
        if isinstance(thing, Action) and thing.value in self.with_arguments:
            return None
        if is_value(thing) and all(cast == "int" for cast in type(thing).__value_casts__):
            parts = [self.runtime(getattr(thing, f), f"{label}.{f}") for f in type(thing).__value_fields__]
            maker = self.value_name(type(thing))
            return f"{maker}({', '.join(str(p) for p in parts)})"
        return None


def description_path(kind: str, index: int) -> Path:
    """The key of a description for the rules of a kind."""
    one = {"reset": "reset", "observation": "observation", "outcome": "outcome"}
    if kind == "array":
        return "observations", index, "fill"
    many = {"transition": "transitions", "reward": "rewards", "terminating": "terminations", "legal": "legal"}
    return (one[kind],) if kind in one else (many[kind], index)


def compose(
    world: Spec,
    *,
    observe: Observe = "observation",
    per_world_params: bool = False,
    observe_only: bool = False,
) -> Program:
    """Compose a world's rules into a program; the arguments are those of `ComposedWorld`."""
    array_names = [f"observe_{array.name}" for array in world.observations]
    page = _Page(frozenset(array_names), world.vocabulary.action_table.declared)
    page.runtime(world.time_limit or 0, "time_limit")
    page.param_slices[("time_limit",)] = slice(kernel.TIME_LIMIT, kernel.TIME_LIMIT + 1)
    seen = infer_shape(world)
    sections = [
        _reset(page, world),
        _transition(page, world, "agent"),
        _transition(page, world, "world"),
        _reward(page, world),
        _terminating(page, world),
        _observation(page, world, seen),
        *([_legal(page, world)] if world.legal else []),
        *([_fill(page, world)] if world.filled_actions else []),
        *([_outcome(page, world.outcome)] if world.outcome else []),
        *(_array(page, name, i, world) for i, name in enumerate(array_names)),
    ]
    layout_start = _add_layout(page, world)
    text = f'"""{world.name}: its rules, composed."""\n\n\n' + "\n\n".join(sections)
    scope = {**page.names, **page.helpers}
    functions = {_name(section): _define(section, scope) for section in sections}
    fills = [functions[name] for name in array_names]
    shown = represent(world, functions["observation"], seen, observe, fills)
    # a live world, whose objects are things, may get more agents, and is not to be compiled again for each of them
    agents = 0 if world.agents > 1 and world.vocabulary.has_things else world.agents
    return Program(
        text,
        *_bind(
            world,
            functions,
            shown,
            agents=agents,
            per_world_params=per_world_params,
            observe_only=observe_only,
            layout_start=layout_start,
        ),
        functions.get("outcome"),
        np.array(page.params, np.int64),
        page.described,
        page.param_slices,
        page.names,
        world.vocabulary,
        shown,
        seen,
        agents,
    )


_SECTIONS = (
    "reset",
    "transition",
    "world_transition",
    "reward",
    "terminating",
    "observation",
    "legal",
    "fill",
    "outcome",
)
"""The composed functions; the last three only where a world has legal rules, some that fill masks, and an outcome rule."""
TAKEN = frozenset(
    (
        *_SECTIONS,
        *("state", "action", "next_state", "mask", "array", "params", "total"),
        *(
            "fixed",
            "get_float",
            "area",
            "returns_none",
            "stays_inside",
            "as_number",
            "as_truth",
            "as_observation",
            "as_outcome",
        ),
        *dir(builtins),
    )
)
"""Names in the composed text that are not rules."""


def _name(section: str) -> str:
    return section.partition("(")[0].removeprefix("def ")


def _define(section: str, scope: dict[str, Any]) -> Rule:
    return generated(f"{_name(section)} {hash(section) & 0xFFFFFFFF:x}", section, **scope)


def _reset(page: _Page, world: Spec) -> str:
    lines = ["def reset(state, params):", *_editing_call(page, world.reset, "reset", ["state"], 0)]
    return "\n".join(lines) + "\n"


def _transition(page: _Page, world: Spec, scope: str) -> str:
    name = "transition" if scope == "agent" else "world_transition"
    lines = [f"def {name}(state, action, params):"]
    for index, (rule, rule_scope) in enumerate(world.transitions):
        if rule_scope == scope:
            lines += _editing_call(page, rule, "transition", ["state", "action"], index)
    return "\n".join(lines if len(lines) > 1 else [*lines, "    pass"]) + "\n"


def _editing_call(page: _Page, rule: Rule, kind: str, leading: Sequence[str], index: int) -> list[str]:
    """A call of a rule that edits the state; unless it is built-in, with checks of its result and of where agents are."""
    call = page.call(rule, kind, leading, index)
    if not is_user_rule(rule):
        return [f"    {call}"]
    page.helpers.update(returns_none=returns_none, stays_inside=check_agents_inside)
    name = call.partition("(")[0]
    return [f"    returns_none({call}, {name!r})", f"    stays_inside(state, {name!r})"]


def _checked_calls(page: _Page, rules: Sequence[Rule], kind: str, check: Rule) -> list[str]:
    leading = ["state", "action", "next_state"]
    page.helpers[check.__name__] = check
    calls = [page.call(rule, kind, leading, index) for index, rule in enumerate(rules)]
    return [
        f"{check.__name__}({call.replace('rng=state.', 'rng=next_state.')}, {call.partition('(')[0]!r})"
        for call in calls
    ]


def _reward(page: _Page, world: Spec) -> str:
    lines = ["def reward(state, action, next_state, params):", "    total = 0.0"]
    lines += [
        f"    total = total + {call}" for call in _checked_calls(page, world.rewards, "reward", as_number)
    ]
    return "\n".join([*lines, "    return total"]) + "\n"


def _terminating(page: _Page, world: Spec) -> str:
    lines = ["def terminating(state, action, next_state, params):"]
    for call in _checked_calls(page, world.terminations, "terminating", as_truth):
        lines += [f"    if {call}:", "        return True"]
    return "\n".join([*lines, "    return False"]) + "\n"


def _observation(page: _Page, world: Spec, seen: Shape) -> str:
    call = page.call(world.observation, "observation", ["state"], 0)
    if is_user_rule(world.observation):
        page.helpers["as_observation"] = as_observation
        shape = page.runtime(seen, "the shape of observations")
        call = f"as_observation({call}, {call.partition('(')[0]!r}, {shape})"
    return f"def observation(state, params):\n    return {call}\n"


def _legal(page: _Page, world: Spec) -> str:
    page.helpers["as_truth"] = as_truth
    lines = ["def legal(state, action, params):"]
    for index, rule in enumerate(world.legal):
        if legal_function_registry.fills(rule) is None:
            call = page.call(rule, "legal", ["state", "action"], index)
            lines += [f"    if not as_truth({call}, {call.partition('(')[0]!r}):", "        return False"]
    return "\n".join([*lines, "    return True"]) + "\n"


def _fill(page: _Page, world: Spec) -> str:
    lines = ["def fill(state, mask, params):"]
    for index, rule in enumerate(world.legal):
        if legal_function_registry.fills(rule) is not None:
            lines.append(f"    {page.call(rule, 'legal', ['state', 'mask'], index)}")
    return "\n".join(lines) + "\n"


def _outcome(page: _Page, rule: Rule) -> str:
    page.helpers["as_outcome"] = as_outcome
    call = page.call(rule, "outcome", ["state"], 0)
    return (
        "def outcome(state, params):\n"
        f"    state.scratch[{OWN_STREAM}] = {PURPOSE['free in outcome']}\n"
        f"    return as_outcome({call}, {call.partition('(')[0]!r})\n"
    )


def _array(page: _Page, name: str, index: int, world: Spec) -> str:
    call = page.call(world.observations[index].rule, "array", ["state", "array"], index)
    return f"def {name}(state, array, params):\n    {call}\n"


def _add_layout(page: _Page, world: Spec) -> int:
    """Add the layout of the actions for rules that fill masks to the run-time parameters; return where it begins."""
    start = len(page.params)
    if world.filled_actions:
        lacking = not all(all(mask) for mask in world.action_masks)
        page.params += layout(world.actions, world.filled_actions, lacking=lacking)
        page.described.append(
            f"params[{start}:{len(page.params)}]: where the masks of actions begin, and their shapes"
        )
    return start


def _bind(
    world: Spec,
    functions: dict[str, Rule],
    shown: Representation,
    *,
    agents: int,
    per_world_params: bool,
    observe_only: bool,
    layout_start: int,
) -> tuple[Rule, Rule, Rule | None]:
    """The whole program, the part of it that writes rewards and terminations, and the legal rules."""
    asked: dict[str, Any] = {"legal": functions.get("legal", legal_actions.always_legal)}
    legal: Rule = asked["legal"]
    can_act: Rule = legal_actions.can_act
    write_mask: Rule = legal_actions.write_mask
    if "fill" in functions:
        asks = any(legal_function_registry.fills(rule) is None for rule in world.legal)
        asked |= {"fill": functions["fill"], "layout": layout_start, "asks": asks}
        legal = functools.partial(legal_actions.is_legal_filled, **asked)
        can_act, write_mask = legal_actions.can_act_filled, legal_actions.write_mask_filled
    can_act = functools.partial(can_act, **asked)
    transitions: dict[str, Any] = {name: functions[name] for name in ("transition", "world_transition")}
    transitions |= {
        "legal": legal, "can_act": can_act, "has_legal": world.has_masks, "illegal": world.illegal,
        "has_user_code": names_in(*world.rewards, *world.terminations) != set(),
    }  # fmt: skip
    evaluations: dict[str, Any] = {name: functions[name] for name in ("reward", "terminating")}
    several = world.agents > 1
    if several:
        ends, team = world.episode_ends == "any_agent", world.rewards_to == "team"
        evaluate: Rule = functools.partial(turns.evaluate_several, any_ends=ends, team=team, **evaluations)
        tick: Rule = functools.partial(
            turns.tick_several,
            turn_order=world.turn_order,
            conflicts=world.conflicts,
            evaluate=evaluate,
            **transitions,
        )
    else:
        single = functools.partial(turns.evaluate_single, **evaluations)
        evaluate = functools.partial(turns.evaluate_from_state, evaluate=single)
        tick = functools.partial(turns.tick_single, evaluate=single, **transitions)
    looking: dict[str, Any] = {"vocabulary": world.vocabulary, "observe": shown.write, "agents": agents}
    looking["in_turn"] = several and world.turn_order == "cycle"
    run_world = (
        functools.partial(kernel.observe_only, **looking)
        if observe_only
        else functools.partial(
            kernel.run_world,
            reset=functions["reset"],
            tick=tick,
            per_world_params=per_world_params,
            can_act=can_act,
            write_mask=functools.partial(write_mask, **asked),
            has_legal=world.has_masks,
            chosen=several and world.turn_order == "chosen",
            outcome=functions.get("outcome", kernel.no_outcome),
            has_outcome=world.outcome is not None,
            **looking,
        )
    )
    acts_alone = world.has_masks and bool(looking["in_turn"])
    run = functools.partial(kernel.run, run_world=run_world, acts_alone=acts_alone)
    return run, evaluate, legal if world.legal else None
