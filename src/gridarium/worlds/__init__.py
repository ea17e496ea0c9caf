"""Worlds: typed descriptions, their YAML form, the catalogue of built-in worlds."""

from gridarium.worlds import catalogue
from gridarium.worlds.description import Description
from gridarium.worlds.entries.problems import DescriptionError
from gridarium.worlds.loading import find, load, loads, open_spec
from gridarium.worlds.parameters import parameter_names, with_parameters
from gridarium.worlds.schema import json_schema
from gridarium.worlds.world_spec import Spec, TransitionRule, spec

__all__ = [
    "Description",
    "DescriptionError",
    "Spec",
    "TransitionRule",
    "catalogue",
    "find",
    "json_schema",
    "load",
    "loads",
    "open_spec",
    "parameter_names",
    "spec",
    "with_parameters",
]
