"""The JSON Schema of world files, with which editors complete keys, rules and parameters, and mark errors."""

from __future__ import annotations

import inspect
from typing import Any

from gridarium.rules import games
from gridarium.rules.registry import FunctionRegistry
from gridarium.worlds.description import MAX_AGENTS, Description
from gridarium.worlds.resolving.binding import (
    PLACES,
    REDUCTIONS,
    REGISTRIES,
    choices,
    conversion,
    declared_type,
)

Schema = dict[str, Any]
TEXT: Schema = {"type": "string"}
REFERENCE: Schema = {
    "type": "string",
    "pattern": "^[^:]+:[^:]+$",
    "description": "module:name, with allow_imports",
}
WITH_SHORT_FORM = ("Entry", "ColorEntry", "ActionEntry", "FieldEntry", "Drawn", "RepresentationEntry")
_PAIR: Schema = {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2}
_ONE: dict[str, Schema] = {
    **{key: {"$ref": f"#/$defs/{key}"} for key in REGISTRIES},
    "distance_function": {"enum": ["manhattan", "euclidean"]},
    "reduction": {"enum": list(REDUCTIONS)},
    "object_type": TEXT,
    "object": {"$ref": "#/$defs/Entry"},
    "color": TEXT,
    "action": TEXT,
    "orientation": {"enum": ["FORWARD", "BACKWARD", "LEFT", "RIGHT"]},
    "area": {"type": "array", "items": _PAIR, "minItems": 2, "maxItems": 2},
    "shape": _PAIR,
    "layout": _PAIR,
    "position": _PAIR,
}
_TYPES: dict[str, Schema] = {
    "float": {"type": "number"},
    "int": {"type": "integer"},
    "bool": {"type": "boolean"},
    "str": TEXT,
}


def json_schema() -> Schema:
    """The JSON Schema (draft 2020-12) of a world's file, with all currently registered rules and those of games.

    In a file with `modules`, any other name of a rule is accepted too, with any parameters.
    """
    games.import_all()
    schema = Description.model_json_schema()
    definitions = schema["$defs"]
    for name in WITH_SHORT_FORM:
        definitions[name] = {"anyOf": [TEXT, definitions[name]]}
    definitions["ThingsEntry"] = {"anyOf": [{"type": "integer", "minimum": 1}, definitions["ThingsEntry"]]}
    for key, registry in REGISTRIES.items():
        definitions[key] = _rules(registry)
    fill = {"$ref": "#/$defs/array_function"}
    definitions["ObservationEntry"]["properties"]["fill"] = _or_own(fill)
    properties = schema["properties"]
    known: Schema = {"observations": {"items": {"properties": {"fill": fill}}}}
    for place, key in PLACES.items():
        rule = {"$ref": f"#/$defs/{key}"}
        for name in ("$ref", "anyOf", "allOf"):
            properties[place].pop(name, None)
        listed = properties[place].get("type") == "array"
        properties[place] |= {"items": _or_own(rule)} if listed else _or_own(rule)
        known[place] = {"items": rule} if listed else rule
    schema["if"] = {"properties": {"modules": {"maxItems": 0}}}
    schema["then"] = {"properties": known}
    agents = properties["agents"]
    several = {name: agents.pop(name) for name in ("type", "items", "minItems", "maxItems") if name in agents}
    agents["anyOf"] = [{"type": "integer", "minimum": 1, "maximum": MAX_AGENTS}, several]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def parameter_schema(name: str, parameter: inspect.Parameter, listed: tuple[Any, ...] = ()) -> Schema:
    """The schema of a rule's parameter; `listed` holds the values of an enumerated one."""
    if listed:
        return {"enum": list(listed)}
    if (simple := _TYPES.get(declared_type(parameter))) is not None:
        return simple
    ending = conversion(name, parameter)
    if ending is None or ending in _ONE:
        return _ONE[ending] if ending else {}
    return {"type": "array", "items": _ONE[ending.removesuffix("s")], "minItems": 1}


def _or_own(rule: Schema) -> Schema:
    """A rule, or one of the file's `modules`, of which a schema cannot know."""
    return {"anyOf": [rule, {"$ref": "#/$defs/Entry"}]}


def _rules(registry: FunctionRegistry) -> Schema:
    alone = [name for name in registry.names() if not _required(registry, name)]
    others = {"type": "object", "required": ["name"], "properties": {"name": REFERENCE}}
    forms = [{"enum": alone}, REFERENCE, *(_rule(registry, name) for name in registry.names()), others]
    return {"description": f"A {registry.kind} rule.", "anyOf": forms}


def _rule(registry: FunctionRegistry, name: str) -> Schema:
    parameters = registry.parameters(name)
    listed = {k: choices(registry[name], k) for k in parameters}
    return {
        "type": "object",
        "description": (inspect.getdoc(registry[name]) or "").partition("\n")[0],
        "required": ["name", *_required(registry, name)],
        "properties": {
            "name": {"const": name},
            **{k: parameter_schema(k, p, listed[k]) for k, p in parameters.items()},
        },
        "additionalProperties": False,
    }


def _required(registry: FunctionRegistry, name: str) -> list[str]:
    return [n for n, p in registry.parameters(name).items() if p.default is p.empty]
