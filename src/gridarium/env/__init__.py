"""Worlds as environments: Gymnasium (single and vector), PettingZoo, Stable-Baselines3.

Importing this room registers the catalogue's worlds as `gridarium/<World>-v0` and loads nothing else; what needs an
optional library says which extra to install.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from gridarium.env.registration import register_when_imported

if TYPE_CHECKING:
    from gridarium.env.gym_env import GridariumEnv
    from gridarium.env.pettingzoo_env import aec_env, parallel_env
    from gridarium.env.recording import RecordBatch, RecordEpisodes, RecordVectorEpisodes
    from gridarium.env.sb3 import GridariumVecEnv
    from gridarium.env.vector_env import GridariumVectorEnv

__all__ = [
    "GridariumEnv",
    "GridariumVecEnv",
    "GridariumVectorEnv",
    "RecordBatch",
    "RecordEpisodes",
    "RecordVectorEpisodes",
    "aec_env",
    "parallel_env",
]

_HOMES = {
    "GridariumEnv": "gym_env",
    "GridariumVecEnv": "sb3",
    "GridariumVectorEnv": "vector_env",
    "RecordBatch": "recording",
    "RecordEpisodes": "recording",
    "RecordVectorEpisodes": "recording",
    "aec_env": "pettingzoo_env",
    "parallel_env": "pettingzoo_env",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"gridarium.env has no {name!r}; there are {', '.join(__all__)}")
    return getattr(importlib.import_module(f"gridarium.env.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


register_when_imported()
