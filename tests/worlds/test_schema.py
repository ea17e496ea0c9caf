"""The JSON Schema for editors."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from gridarium.rules.reset_functions import reset_function_registry
from gridarium.rules.transition_functions import transition_function_registry
from gridarium.worlds import catalogue, json_schema
from gridarium.worlds.description import Description
from gridarium.worlds.resolving.binding import CONVERSIONS, REGISTRIES
from gridarium.worlds.schema import parameter_schema

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
OTHER_FORMATS = ("ghost.md",)


def test_it_is_plain_json_and_lists_every_key() -> None:
    schema = json_schema()
    assert json.loads(json.dumps(schema)) == schema
    assert set(schema["properties"]) == set(Description.model_fields)
    assert schema["required"] == ["objects", "transitions"]
    assert schema["additionalProperties"] is False
    assert all("description" in part for part in schema["properties"].values())


def test_it_lists_every_rule_with_its_parameters() -> None:
    definitions = json_schema()["$defs"]
    for key, registry in REGISTRIES.items():
        forms = definitions[key]["anyOf"]
        named = {
            form["properties"]["name"]["const"]
            for form in forms
            if "const" in form.get("properties", {}).get("name", {})
        }
        assert named == set(registry)
    slip = next(
        f
        for f in definitions["transition_function"]["anyOf"]
        if f.get("required", [""])[1:] == ["transition_function", "probability"]
    )
    assert slip["properties"]["probability"] == {"type": "number"}
    assert slip["properties"]["transition_function"] == {"$ref": "#/$defs/transition_function"}


def test_words_that_may_be_given_are_listed() -> None:
    forms = json_schema()["$defs"]["transition_function"]["anyOf"]
    slip = next(f for f in forms if f.get("properties", {}).get("name") == {"const": "slip"})
    assert slip["properties"]["slip_type"] == {"enum": ["longitudinal", "perpendicular"]}


def test_every_reference_leads_somewhere() -> None:
    schema = json_schema()
    text = json.dumps(schema)
    for part in text.split('"#/$defs/')[1:]:
        assert part.split('"')[0] in schema["$defs"]


def test_every_converted_parameter_has_a_schema() -> None:
    parameter = transition_function_registry.parameters("with_probability")["transition_function"]
    for name in CONVERSIONS:
        assert parameter_schema(f"some_{name}", parameter)
    count = reset_function_registry.parameters("fetch")["num_objects"]
    assert parameter_schema("num_objects", count) == {"type": "integer"}


@pytest.fixture(scope="module")
def validator() -> Any:
    return pytest.importorskip("jsonschema").Draft202012Validator(json_schema())


@pytest.fixture(scope="module")
def of_parts() -> Any:
    """As `validator`, of files that need not be complete."""
    return pytest.importorskip("jsonschema").Draft202012Validator({**json_schema(), "required": []})


def test_it_allows_every_world_of_the_catalogue_as_it_is_written(validator: Any) -> None:
    for name in catalogue.names():
        assert problems(validator, catalogue.description(name).origin.data) == []


@pytest.mark.parametrize("page", [p for p in PAGES if p.name not in OTHER_FORMATS], ids=lambda p: p.name)
def test_it_allows_the_yaml_of_the_documentation(of_parts: Any, page: Path) -> None:
    for text in re.findall(r"^```yaml\n(.*?)^```$", page.read_text(), re.M | re.S):
        assert problems(of_parts, yaml.safe_load(text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "actions: [{name: DROP, over: columns}, {name: BID, over: 3}, {name: TAKE, over: things}]",
        "actions: [{name: PLACE, over: {piece: 91, at: cells}}]",
        "fields: {agent: [earned], world: [{name: day, type: int}]}",
        "{modules: [coins], transitions: [collect], observations: [{name: a, shape: [2], fill: mine}]}",
    ],
)
def test_it_allows_short_forms_and_rules_of_modules(of_parts: Any, text: str) -> None:
    assert problems(of_parts, yaml.safe_load(text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "actions: [{name: DROP, over: colums}]",
        "actions: [{name: DROP, over: 0}]",
        "transitions: [collect_unknown]",
        "observations: [{name: a, shape: [2], fill: mine}]",
        "transitions: [{name: with_probability, probability: 0.5, transition_function: collect_unknown}]",
        "{modules: [], rewards: [coins_taken]}",
    ],
)
def test_it_marks_what_is_not_allowed(of_parts: Any, text: str) -> None:
    assert problems(of_parts, yaml.safe_load(text)) != []


def problems(validator: Any, data: Any) -> list[tuple[str, str]]:
    return [(error.json_path, error.message[:200]) for error in validator.iter_errors(data)]
