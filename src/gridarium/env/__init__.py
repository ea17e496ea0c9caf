"""Worlds as environments: Gymnasium (single and vector), PettingZoo, Stable-Baselines3.

Importing it registers the catalogue's worlds as `gridarium/<World>-v0`. The environments themselves load when they are first
used; what needs an optional library says which extra to install.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from gridarium.env.registration import register_gymnasium, register_pettingzoo

if TYPE_CHECKING:
    from gridarium.env.gym_env import GridariumEnv
    from gridarium.env.pettingzoo_env import aec_env as aec_env
    from gridarium.env.pettingzoo_env import parallel_env as parallel_env
    from gridarium.env.recording import RecordBatch, RecordEpisodes, RecordVectorEpisodes
    from gridarium.env.sb3 import GridariumVecEnv as GridariumVecEnv
    from gridarium.env.vector_env import GridariumVectorEnv

# Without what needs further libraries, so that `import *` works without them.
__all__ = ["GridariumEnv", "GridariumVectorEnv", "RecordBatch", "RecordEpisodes", "RecordVectorEpisodes"]

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
        raise AttributeError(f"gridarium.env has no {name!r}; there are {', '.join(_HOMES)}")
    return getattr(importlib.import_module(f"gridarium.env.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})


register_gymnasium()
register_pettingzoo()
