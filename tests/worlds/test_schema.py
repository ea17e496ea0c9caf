"""The JSON Schema for editors."""

import json

from gridarium.rules.reset_functions import reset_function_registry
from gridarium.rules.transition_functions import transition_function_registry
from gridarium.worlds import json_schema
from gridarium.worlds.description import Description
from gridarium.worlds.resolving.binding import CONVERSIONS, REGISTRIES
from gridarium.worlds.schema import parameter_schema


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
