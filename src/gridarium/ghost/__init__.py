"""The ghost world: an agent on slippery ground, a ghost, and sensors that are not to be trusted. For teaching.

    from gridarium.ghost import AgentInterface

    interface = AgentInterface(render=False)
    observation = interface.reset(seed=0)
    observation, reward, done, info = interface.step(0)

Names and behaviour are those of CustomGridEnv (GhostGrid); docs/ghost.md says what differs.
"""

from gridarium.ghost.agents.base_agent import Agent
from gridarium.ghost.env import CustomGridEnv
from gridarium.ghost.interface import AgentInterface
from gridarium.ghost.layout import Layout, load_layout
from gridarium.ghost.particle_filter import ParticleFilter
from gridarium.ghost.planner import TaskPlanner
from gridarium.ghost.vision import VisionSensor

__all__ = [
    "Agent",
    "AgentInterface",
    "CustomGridEnv",
    "Layout",
    "ParticleFilter",
    "TaskPlanner",
    "VisionSensor",
    "load_layout",
]
