"""Writes a sheet for each family of worlds to the folder worlds: `python -m docs.make_world_sheets`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, product
from pathlib import Path
from typing import Any

from docs.make_reference import ROOT, table
from gridarium import World
from gridarium.cli.commands.explain import array_of, listed_actions, properties
from gridarium.cli.commands.gallery import is_game
from gridarium.rules.registry import shown_default, summary
from gridarium.worlds import Description, DescriptionError, catalogue
from gridarium.worlds.catalogue.world_family import Family
from gridarium.worlds.entries.entry_types import ARRAYS
from gridarium.worlds.resolving.binding import REGISTRIES
from gridarium.worlds.resolving.to_plain_data import Describer
from gridarium.worlds.rule_reference import with_inner
from gridarium.worlds.world_spec import Rule

FOLDER = Path(__file__).parent / "worlds"
GAMES = Path(__file__).parent / "games.md"
INDEX = "README"
WRITTEN = "<!-- Written by docs/make_world_sheets.py from the catalogue and the docstrings of its rules. Do not edit. -->"
INTRODUCTION = f"""\
# The worlds

{WRITTEN}

The worlds that come along, a sheet for each family: what it asks for, what an agent sees and can do, rewards, endings, and an
example to copy. A family is one world in several sizes, see [families and sizes](../worlds.md#families-and-sizes).
"""
SINGLE_AGENT = """\
import gymnasium

import gridarium.env  # registers the worlds

env = gymnasium.make("gridarium/{family}-v0"{size})
observation, info = env.reset(seed=0)
for _ in range(100):
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
    if terminated or truncated:
        observation, info = env.reset()
env.close()
"""
SEVERAL_AGENTS = """\
from gridarium.env import parallel_env

env = parallel_env("{family}"{size})
observations, infos = env.reset(seed=0)
for _ in range(100):
    actions = {{a: env.action_space(a).sample(infos[a].get("action_mask")) for a in env.agents}}
    observations, rewards, terminations, truncations, infos = env.step(actions)
    if not env.agents:
        observations, infos = env.reset()
env.close()
"""


def pages() -> dict[str, str]:
    """All pages by the names of their files, without the ending."""
    families = [catalogue.family(name) for name in catalogue.families()]
    return {INDEX: _index(families), **{family.name: _sheet(family) for family in families}}


def _index(families: Iterable[Family]) -> str:
    rows = []
    for family in families:
        first = catalogue.description(family.name)
        worlds = "<br>".join(f"`{name}`" for name in family.members)
        name = f"[**{family.name}**]({family.name}.md)"
        rows.append((_picture(first.name), name, first.description, worlds))
    return f"{INTRODUCTION}\n{table(('', 'family', 'what it asks for', 'worlds'), rows)}"


def _sheet(family: Family) -> str:
    first = catalogue.description(family.name)
    worlds = [World(name, compiled=False) for name in family.members]
    parts = [f"# {family.name}\n", f"{WRITTEN}\n", *_asks(first)]
    parts += ["## Worlds\n", table(_MEMBER, map(_member, worlds)), f"{_sizes(family, first)}\n"]
    alike = [list(group) for _, group in groupby(worlds, key=_kind_of_task)]
    if len(alike) == 1:
        parts += _task(worlds, "##")
    for group in alike if len(alike) > 1 else ():
        parts += [f"## {' and '.join(world.name for world in group)}\n", *_asks(group[0].spec.description)]
        parts += _task(group, "###")
    parts += ["## Example\n", f"```python\n{example(family)}```\n", "[All worlds](README.md)\n"]
    return "\n".join(parts)


def _asks(given: Description) -> Iterator[str]:
    yield f"{_picture(given.name)}\n"
    yield f"{given.description}\n"
    if is_game(given):
        yield f"The rules in words: {_rules_in_words(given)}. The picture shows the middle of a random game.\n"
    if given.differences:
        yield f"Differences from the original: {given.differences}\n"
    if given.mission:
        yield f"In words, as `info['mission']`: {given.mission}.\n"


def _rules_in_words(given: Description) -> str:
    """The link to the section on a game, whose title is the name of its family but for spaces, hyphens and the plural.

    Raises:
        StopIteration: there is none.
    """
    family = catalogue.family(given.name).name.lower()
    titles = [line.removeprefix("### ") for line in GAMES.read_text().splitlines() if line.startswith("### ")]
    title = next(title for title in titles if re.sub("[^a-z]", "", title.lower()) in (family, f"{family}s"))
    return f"[{title}](../games.md#{title.lower().replace(' ', '-')})"


def example(family: Family) -> str:
    """A program that plays a family's world."""
    first = catalogue.description(family.name)
    code = SINGLE_AGENT if len(first.agents) == 1 else SEVERAL_AGENTS
    return code.format(family=family.name, size=_new_size(family) if first.reset and first.shape else "")


def _new_size(family: Family) -> str:
    """An argument with a size that does not come along; nothing if the family's reset rule takes no other.

    It is two cells more than the largest member's, so that odd ones stay odd, or the next that the reset rule takes.
    """
    height, width = list(family.sizes.values())[-1]
    more = sorted(product(range(10), repeat=2), key=lambda sides: (sides != (2, 2), sum(sides)))
    for dy, dx in more:
        size = (height + dy, width + dx)
        if size not in family.sizes.values() and _can_begin(family, size):
            return f", size={size[0] if size[0] == size[1] else size}"
    return ""


def _can_begin(family: Family, size: tuple[int, int]) -> bool:
    try:
        World(family.name, size=size, compiled=False)
    except DescriptionError:
        return False
    return True


_MEMBER = ("id", "shape", "time limit", "state, bytes", "from", "also called")


def _member(world: World) -> Sequence[str]:
    given = world.spec.description
    height, width = world.spec.shape
    return (
        f"`gridarium/{world.name}-v{given.version}`",
        f"{height} x {width}",
        str(world.spec.time_limit or "none"),
        str(len(world.blank_state().tobytes())),
        given.source,
        ", ".join(f"`{alias}`" for alias in given.aliases),
    )


def _sizes(family: Family, first: Description) -> str:
    file = catalogue.path(family.name).relative_to(ROOT).as_posix()
    described = f"[{family.name}.yaml](../../{file}) describes "
    if first.reset and not first.shape:
        return described + ("them" if family.members[1:] else "it") + ", without a board."
    if not first.reset:
        return described + (
            "them. They are drawn, so they have no other sizes."
            if family.members[1:]
            else "it. It is drawn, so it has one size."
        )
    them = "them" if family.members[1:] else "it"
    name = f'`World("{family.name}", size=...)` and `gymnasium.make("gridarium/{family.name}-v0", size=...)`'
    if len(first.agents) > 1:
        name = f'`World("{family.name}", size=...)` and `parallel_env("{family.name}", size=...)`'
    return f"{described}{them}. {name} make others, in any size that the reset rule can fill."


def _kind_of_task(world: World) -> tuple[Any, ...]:
    """What is equal for worlds that differ in numbers only."""
    rules = [rule.func for rule in _all_rules(world)]
    return rules, world.actions, world.spec.description.description


def _all_rules(world: World) -> list[Rule]:
    """A world's rules, each followed by those that it is given, in the order of the page."""
    return [rule for _, rules in _rules(world) for _, rule in rules]


def _rules(world: World) -> Iterator[tuple[str, list[tuple[str, Rule]]]]:
    spec = world.spec
    outer = {
        "reset": [spec.reset] if spec.description.reset else [],
        "legal": list(spec.legal),
        "transition": [transition.rule for transition in spec.transitions],
        "reward": list(spec.rewards),
        "terminating": list(spec.terminations),
        "observation": [spec.observation],
        "sensor": [sensor.likelihood for sensor in spec.sensors],
        "array": [array.rule for array in spec.observations],
        "outcome": [spec.outcome] if spec.outcome else [],
    }
    for kind, rules in outer.items():
        yield kind, [pair for rule in rules for pair in with_inner(kind, rule)]


def _task(worlds: list[World], level: str) -> Iterator[str]:
    """What an agent sees and does, and what comes of it, in worlds that differ in numbers only."""
    world = worlds[0]
    spec, rules = world.spec, _rule_rows(worlds)
    yield f"{level} What an agent sees\n"
    yield _rule_table(rules["observation"])
    fields = ", ".join(f"`{name}`" for name in spec.representation.fields)
    contents = ARRAYS | {"fields": f"{ARRAYS['fields']}: {fields}"}
    contents |= {array.name: summary(array.rule) for array in spec.observations}
    arrays = [(f"`{name}`", *rest, contents[name]) for name, *rest in map(array_of, world.composed.outputs)]
    yield table(("array", "dtype and shape", "numbers", "what it holds"), arrays)
    kinds = [(str(n), f"`{kind.__name__}`", properties(kind)) for n, kind in spec.vocabulary.kinds.items()]
    yield table(("number", "kind of object", "what it has"), kinds)
    colors = (f"{number} `{color.name}`" for number, color in spec.vocabulary.colors.items())
    yield f"Colors: {', '.join(colors)}.\n"
    if rules["sensor"]:
        yield "Agents can also measure, see [beliefs](../beliefs.md):\n"
        yield _rule_table(rules["sensor"])
    yield f"{level} Actions\n"
    columns = ("number", "action", "what it does", *(["who has it"] if spec.agents > 1 else []))
    yield table(columns, [row[: len(columns)] for row in _actions(world)])
    if rules["legal"]:
        yield "An action is legal if all of these rules allow it:\n"
        yield _rule_table(rules["legal"])
    if not all(map(all, spec.action_masks)):
        masks = f"`action_mask` int8[{len(world.actions)}], 1 for each action that an agent has"
        yield f"Observations and infos of PettingZoo's environments have {masks}.\n"
    yield f"{level} What happens\n"
    yield f"{_beginning(world)}\n"
    if rules["reset"]:
        yield _rule_table(rules["reset"])
    yield "Each tick, in this order:\n"
    yield _rule_table(rules["transition"])
    if spec.agents > 1:
        yield f"{level} Who acts\n"
        yield table(("key", "value", "what it says"), _together(world))
    yield f"{level} Rewards\n"
    yield "The sum of:\n"
    yield _rule_table(rules["reward"])
    yield f"{level} Endings\n"
    yield "An episode terminates with any of:\n"
    yield _rule_table(rules["terminating"])
    if spec.time_limit:
        limits = dict.fromkeys(str(other.spec.time_limit) for other in worlds)
        yield f"It is truncated after {' / '.join(limits)} ticks.\n"
    else:
        yield "There is no time limit; `max_episode_steps=...` sets one.\n"
    if rules["outcome"]:
        yield "At the end, an agent's outcome is:\n"
        yield _rule_table(rules["outcome"])


def _actions(world: World) -> Iterator[Sequence[str]]:
    for numbers, name, meaning, who in listed_actions(world):
        yield numbers, f"`{name}`", meaning, who or "all"


def _beginning(world: World) -> str:
    if world.spec.description.reset:
        return "An episode begins as this rule says:"
    states = [world.reset(seed) for seed in range(5)]
    alike = all(
        state.agents[i].position == states[0].agents[i].position
        for state in states
        for i in range(world.spec.agents)
    )
    return f"An episode begins with the map in the picture, agents {'where they stand in it' if alike else 'anywhere on it'}."


def _together(world: World) -> list[Sequence[str]]:
    given, fields = world.spec.description, Description.model_fields
    rows: list[Sequence[str]] = [("agents", ", ".join(f"`{name}`" for name in world.spec.agent_names), "")]
    for key in ("turn_order", "conflicts", "rewards_to", "episode_ends"):
        rows.append((f"`{key}`", f"`{getattr(given, key)}`", fields[key].description or ""))
    return rows


def _rule_table(rows: list[Sequence[str]]) -> str:
    return table(("rule", "parameters", "what it does"), rows)


def _rule_rows(worlds: list[World]) -> dict[str, list[Sequence[str]]]:
    """For each kind, a row for each rule; a parameter in which the worlds differ has the values of all of them."""
    rows: dict[str, list[Sequence[str]]] = {}
    for sections in zip(*map(_rules, worlds), strict=True):
        kind = sections[0][0]
        rows[kind] = [_rule_row(same) for same in zip(*(rules for _, rules in sections), strict=True)]
    return rows


def _rule_row(same: Sequence[tuple[str, Rule]]) -> Sequence[str]:
    kind, rule = same[0]
    registry = next(registry for registry in REGISTRIES.values() if registry.kind == kind)
    name = next(name for name, function in registry.items() if function is rule.func)
    given = []
    for key, parameter in registry.parameters(rule.func).items():
        values = dict.fromkeys(
            _written(key, other.keywords[key]) if key in other.keywords else shown_default(parameter)
            for _, other in same
        )
        given.append(f"`{key} = {' / '.join(values)}`".replace("'", ""))
    return f"[`{name}`](../reference.md#{kind}-rules)", "<br>".join(given), summary(rule)


def _written(key: str, value: Any) -> str:
    """A parameter's value as in a world's file; of a rule the name, since it has a row of its own."""
    plain = Describer().parameter(key, value)
    if isinstance(plain, dict):
        plain = plain["name"]
    return str(plain)


def _picture(name: str) -> str:
    return f"![{name}](../pictures/gallery/{name}.svg)"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for stem, text in pages().items():
        (FOLDER / f"{stem}.md").write_text(text)
