"""Live worlds: they tick, and agents with brains, people among them, perceive, act, carry, talk and pursue goals.

from gridarium.live import WorldBuilder, AgentBrain

builder = WorldBuilder(shape=(10, 10))
builder.add_room(top_left_location=(0, 0), width=10, height=10, name="hall")
builder.add_agent((2, 2), AgentBrain(), name="Bob")
world = builder.get_world()
world.run(max_ticks=100)
"""

from gridarium.live.actions import *  # noqa: F403
from gridarium.live.agent_turns import ActionFailure as ActionFailure
from gridarium.live.agent_turns import BrainFailure as BrainFailure
from gridarium.live.brains import *  # noqa: F403
from gridarium.live.builder import *  # noqa: F403
from gridarium.live.goals import *  # noqa: F403
from gridarium.live.grid_world import GridWorld as GridWorld
from gridarium.live.loggers import *  # noqa: F403
from gridarium.live.messages import *  # noqa: F403
from gridarium.live.objects import *  # noqa: F403
from gridarium.live.perception import *  # noqa: F403
from gridarium.live.saving import WorldSnapshot as WorldSnapshot
