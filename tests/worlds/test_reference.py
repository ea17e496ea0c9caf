"""What worlds can be made of, and the page that lists it."""

import typing
from pathlib import Path

import pytest

from docs.make_reference import PAGE, page
from gridarium.rules.transition_functions import transition_function_registry
from gridarium.world.actions import Action
from gridarium.worlds import catalogue, loads, spec
from gridarium.worlds.entries.entry_types import REPRESENTATIONS, RepresentationEntry
from gridarium.worlds.resolving.binding import REGISTRIES
from gridarium.worlds.rule_reference import RuleReference, entries, rules_of, worlds_with

NESTED = """\
name: Nested
shape: [4, 5]
objects: [Wall, Floor, Exit]
reset: empty
transitions:
  - name: chain
    transition_functions: [turn_agent, {name: slip, transition_function: move_agent, probability: 0.1}]
sensors: [walls_around]
observation: {name: from_visibility, area: [[-2, 0], [-1, 1]], visibility_function: raytracing}
"""


def entry(kind: str, name: str) -> RuleReference:
    return next(e for e in entries() if (e.kind, e.name) == (kind, name))


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text() == page(), "run: python -m docs.make_reference"


def test_an_entry_says_what_a_rule_takes_does_and_where_it_is_from() -> None:
    slip = entry("transition", "slip")
    assert [p.name for p in slip.parameters] == ["transition_function", "probability", "slip_type"]
    assert [p.default for p in slip.parameters] == [None, None, "'longitudinal'"]
    assert slip.parameters[1].type == "float"
    assert slip.summary.endswith("slip with a given probability.")
    assert slip.details.startswith("Slipping is") and "Source" not in slip.details
    assert slip.source.startswith("the teaching world") and "4x3 world" in slip.source
    assert Path(slip.file).read_text().splitlines()[slip.line - 1].startswith("@transition_function_registry")
    assert slip.worlds == ("FourByThree", "GhostGrid-4x5")


def test_a_source_is_the_rules_own_or_that_of_its_module() -> None:
    assert entry("transition", "move_agent").source == "gym-gridverse (Baisero and Katt 2021)"
    assert entry("transition", "toggle_door").source.startswith("MiniGrid")
    assert entry("terminating", "time_limit").source == "Gridarium"


def test_functions_and_classes_among_defaults_have_their_names() -> None:
    closer = {p.name: p.default for p in entry("reward", "getting_closer").parameters}
    assert closer["distance_function"] == "Position.manhattan_distance"
    assert str(entry("reset", "lava_gap").parameters[0]) == "object_type=Lava"


@pytest.mark.parametrize("listed", entries(), ids=lambda e: f"{e.kind} {e.name}")
def test_every_rule_has_a_sentence_and_a_source(listed: RuleReference) -> None:
    assert listed.summary.endswith(".") and "Source" not in listed.summary
    assert listed.source


def test_rules_of_others_are_not_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    registry = transition_function_registry
    monkeypatch.setitem(registry._functions, "elsewhere", lambda state, action: None)
    assert len(entries()) == sum(len(r) for r in REGISTRIES.values()) - _foreign()
    assert "elsewhere" not in [e.name for e in entries()]


def _foreign() -> int:
    rules = [rule for registry in REGISTRIES.values() for rule in registry.values()]
    return sum(not rule.__module__.startswith("gridarium.") for rule in rules)


def test_rules_that_are_parameters_of_others_count_as_a_worlds() -> None:
    found = [(kind, rule.func.__name__) for kind, rule in rules_of(spec(loads(NESTED)))]
    expected = [
        *[("reset", "empty"), ("transition", "chain"), ("transition", "turn_agent"), ("transition", "slip")],
        *[("transition", "move_agent"), ("observation", "from_visibility"), ("visibility", "raytracing")],
        ("sensor", "walls_around"),
    ]
    assert found == expected


def test_worlds_are_found_by_what_they_have() -> None:
    assert worlds_with(lambda world: world.agents > 0) == catalogue.names()
    assert set(worlds_with(lambda world: Action.UP in world.actions)) == {
        *("FourByThree", "GhostGrid-4x5", "Taxi-5x5", "TaxiTown-5x5"),
        *catalogue.family("CollectBlocks").members,
        *catalogue.family("Sokoban").members,
        *catalogue.family("Foraging").members,
        *catalogue.family("Kitchen").members,
        *catalogue.family("Pursuit").members,
        *catalogue.family("Snake").members,
    }


def test_every_representation_is_described() -> None:
    allowed = typing.get_args(RepresentationEntry.model_fields["name"].annotation)
    assert tuple(REPRESENTATIONS) == allowed
