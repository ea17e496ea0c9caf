"""`gridarium explain`: a world's rules, parameters, spaces, actions and objects."""

from __future__ import annotations

import inspect
import math
import textwrap
from collections.abc import Iterable
from typing import Any

import click
import numpy as np
from rich.console import Console
from rich.syntax import Syntax
from rich.text import Text

from gridarium import draw
from gridarium.cli.shared.open_world import open_world, set_option
from gridarium.cli.shared.terminal import table
from gridarium.engine import World
from gridarium.rules.registry import summary
from gridarium.world.actions import meaning_of
from gridarium.worlds import parameter_names
from gridarium.worlds.rule_reference import rules_of


@click.command("explain")
@click.argument("world")
@set_option
@click.option("--code", is_flag=True, help="Only the composed rules, as Python.")
@click.option("--full", is_flag=True, help="The bodies of its rules as well.")
@click.option(
    "--seed",
    default=0,
    show_default=True,
    type=click.IntRange(min=0),
    help="Seed of the state that is shown.",
)
def explain(world: str, parameters: dict[str, Any], code: bool, full: bool, seed: int) -> None:
    """Show what WORLD is made of: its rules composed to one step, what agents see and can do, its objects.

    WORLD is the name of a catalogue world, a YAML file, or a Python file that makes a world.
    """
    opened = open_world(world, compiled=False, parameters=parameters)
    pages = [("one tick, composed", opened.explain()), *(_bodies(opened) if full else ())]
    if code:
        click.echo("\n\n".join(text for _, text in pages), nl=False)
        return
    console = Console()
    _head(console, opened, seed)
    for title, text in pages:
        console.rule(title, align="left", style="dim")
        _code(console, text)
    for title, rows in _sections(opened):
        console.rule(title, align="left", style="dim")
        console.print(table(rows))


def _head(console: Any, world: World, seed: int) -> None:
    description = world.spec.description
    console.print(Text(world.name, "bold cyan"))
    if description.description:
        console.print(Text(description.description))
    if description.source:
        console.print(Text(f"Source: {description.source}", "dim"))
    if description.differences:
        console.print(Text(f"Differences from the source: {description.differences}", "dim"))
    console.print()
    state = world.reset(seed)
    console.print(Text.from_ansi(draw.text(state, color=True, mission=world.mission(state))))


def _bodies(world: World) -> Iterable[tuple[str, str]]:
    """Yield the name and source of each rule once, under its location, in the order of the description."""
    for kind, rule in dict.fromkeys((kind, rule.func) for kind, rule in rules_of(world.spec)):
        written: Any = rule if inspect.isroutine(rule) else type(rule)  # of an object that can be called
        place = f"{inspect.getsourcefile(written)}:{inspect.getsourcelines(written)[1]}"
        yield f"{kind} {written.__name__}", f"# {place}\n{textwrap.dedent(inspect.getsource(written))}"


def _code(console: Any, text: str) -> None:
    if console.is_terminal:
        console.print(Syntax(text, "python", theme="ansi_dark", word_wrap=True))
    else:
        click.echo(text)


def _sections(world: World) -> Iterable[tuple[str, list[tuple[str, ...]]]]:
    spec = world.spec
    yield "actions", list(_actions(world))
    yield "what an agent observes", [array_of(output) for output in world.composed.outputs]
    kinds = spec.vocabulary.kinds.items()
    yield (
        "objects, with their numbers in observations",
        [(str(n), k.__name__, properties(k)) for n, k in kinds],
    )
    yield "colors", [(str(number), color.name) for number, color in spec.vocabulary.colors.items()]
    if spec.sensors:
        yield "sensors", [(repr(sensor), summary(sensor.likelihood)) for sensor in spec.sensors]
    vocabulary = spec.vocabulary
    fields = (
        ("world", vocabulary.world_fields),
        ("agent", vocabulary.agent_fields),
        ("cell", vocabulary.cell_fields),
        ("thing", vocabulary.thing_fields),
    )
    declared: list[tuple[str, ...]] = [
        (part, f.name, " x ".join([f.type, *map(str, f.shape)]), str(f.default), ", ".join(f.words))
        for part, listed in fields
        for f in listed
    ]
    if declared:
        yield "declared fields", declared
    if vocabulary.has_things:
        yield "things", _things(world)
    yield "how it runs", _running(world)


def _actions(world: World) -> Iterable[tuple[str, ...]]:
    """Yield the numbers of each action, its name, how long it takes where it is not a tick, and who has it."""
    durations = world.actions.table.durations
    for action, (numbers, name, _, who) in zip(world.actions.listed, listed_actions(world), strict=True):
        takes = durations.get(action.value, 1)
        yield numbers, name, "" if takes == 1 else f"takes {takes} ticks", who


def _things(world: World) -> list[tuple[str, ...]]:
    vocabulary, things = world.spec.vocabulary, world.spec.description.things
    rows: list[tuple[str, ...]] = [
        ("capacity", str(vocabulary.thing_capacity)),
        ("an agent carries", f"up to {vocabulary.most_carried}"),
    ]
    if vocabulary.thing_kinds:
        rows.append(("kinds in maps", ", ".join(kind.__name__ for kind in vocabulary.thing_kinds)))
    if things is not None and things.placed:
        rows.append(("placed", ", ".join(f"{entry.name} at {list(entry.at)}" for entry in things.placed)))
    return rows


def _running(world: World) -> list[tuple[str, ...]]:
    spec = world.spec
    bodies = [spec.vocabulary.has_body(agent) for agent in range(spec.agents)]
    names = [
        name if body else f"{name} (no body)" for name, body in zip(spec.agent_names, bodies, strict=True)
    ]
    rows = [("time limit", str(spec.time_limit or "none")), ("agents", ", ".join(names))]
    if spec.has_masks:
        rows.append(("illegal actions", spec.illegal))
    if spec.agents > 1:
        rows += [("turn order", spec.turn_order), ("conflicts", spec.conflicts), ("rewards", spec.rewards_to)]
        rows += [("episode ends", spec.episode_ends)]
        if spec.observers != "all":
            rows += [("observers", spec.observers)]
    return [*rows, ("parameters", ", ".join(parameter_names(spec)))]


def listed_actions(world: World) -> Iterable[tuple[str, str, str, str]]:
    """Yield the numbers of each action, its name with its arguments and their ranges, its meaning, and who has it."""
    actions, first = world.actions, 0
    meanings = {entry.name: entry.meaning for entry in world.spec.description.actions}
    for action in actions.listed:
        arguments = actions.table.declared.get(action.value, ())
        ranges = [
            f"{a.name}: {a.over}" if isinstance(a.over, str) else f"{a.name}: 0 to {a.over - 1}"
            for a in arguments
        ]
        last = first + math.prod(map(actions.size, arguments)) - 1
        name = f"{action.name}({', '.join(ranges)})" if arguments else action.name
        numbers = f"{first} to {last}" if arguments else str(first)
        yield numbers, name, meanings.get(action.name) or meaning_of(action), who_has(world, first)
        first = last + 1


def who_has(world: World, action: int) -> str:
    """Return the names of the agents that have an action, or an empty string if all have it."""
    masks = world.spec.action_masks
    having = [n for n, mask in zip(world.spec.agent_names, masks, strict=True) if mask[action]]
    return "" if len(having) == len(masks) else f"only {', '.join(having)}"


def array_of(output: Any) -> tuple[str, str, str]:
    """Return the name, the dtype with the shape, and the range of an observed array."""
    shape = " x ".join(map(str, output.shape))
    return (
        output.name,
        f"{np.dtype(output.dtype).name}[{shape}]",
        " or ".join(_ranges(output.low, output.high)),
    )


def _ranges(lowest: Any, highest: Any) -> Iterable[str]:
    """The ranges of an array's numbers in words: those of its own, and whether some are any numbers of their type."""
    low, high = np.broadcast_arrays(lowest, highest)
    any_number, any_integer = np.isinf(low) & np.isinf(high), (low == INT64.min) & (high >= INT64.max)
    bounded = ~(any_number | any_integer)
    if bounded.any():
        tops = high if bounded.all() else high[bounded]
        top = f"{tops.max():g}" if np.all(tops == tops.flat[0]) else str(tops.tolist())
        yield f"{' or '.join(f'{n:g}' for n in np.unique(low[bounded]))} to {top}"
    if any_integer.any():
        yield "any integer"
    if any_number.any():
        yield "any number"


def properties(kind: Any) -> str:
    """Describe a kind of objects: its statuses with their numbers, color, content and flags."""
    parts = []
    if kind.Status is not None:
        parts.append("status " + ", ".join(f"{s.value} {s.name}" for s in kind.statuses()))
    if kind.colored:
        parts.append("has a color")
    if kind.contains:
        parts.append("contains something")
    for name, text in _FLAGS.items():
        statuses = kind.flags[name]
        if len(statuses) == kind.num_states():
            parts.append(text)
        elif statuses:
            parts.append(f"{text} if {' or '.join(s.name for s in kind.statuses() if s.value in statuses)}")
    return "; ".join(parts)


INT64 = np.iinfo(np.int64)
_FLAGS = {
    "blocks_movement": "blocks the way",
    "blocks_vision": "blocks sight",
    "holdable": "can be picked up",
}
