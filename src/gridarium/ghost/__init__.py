"""The ghost world for teaching: an agent on slippery ground, a ghost, and noisy sensors.

    from gridarium.ghost import AgentInterface

    interface = AgentInterface(render=False)
    observation = interface.reset(seed=0)
    observation, reward, done, info = interface.step(0)

Names and behaviour are those of CustomGridEnv (GhostGrid); docs/ghost.md lists the differences.

The modules of this package and `agents` are those of CustomGridEnv. They are built on `world` (layouts, paths, rules,
compiled rounds), `planning` (tasks, routes, values) and `drawing`; `dashboard` shows everything in a notebook.
"""

from gridarium.ghost.agents.base_agent import Agent
from gridarium.ghost.env import CustomGridEnv
from gridarium.ghost.interface import AgentInterface
from gridarium.ghost.particle_filter import ParticleFilter
from gridarium.ghost.planner import TaskPlanner
from gridarium.ghost.sensors import VisionSensor
from gridarium.ghost.world.layout import GridLayout, load_layout

__all__ = [
    "Agent",
    "AgentInterface",
    "CustomGridEnv",
    "GridLayout",
    "ParticleFilter",
    "TaskPlanner",
    "VisionSensor",
    "load_layout",
]
