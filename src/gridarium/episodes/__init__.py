"""Episodes: what happened, as data."""

from gridarium.episodes.buffer import InfiniteLookbackBuffer
from gridarium.episodes.buffer.encoders import get_dummy_batch_for_space
from gridarium.episodes.buffer.structs import batch, unbatch
from gridarium.episodes.errors import (
    EpisodeError,
    EpisodeIndexError,
    EpisodeOverError,
    MultiAgentEnvError,
    MultiAgentEpisodeOverError,
)
from gridarium.episodes.multi_agent import MultiAgentEpisode
from gridarium.episodes.returns import (
    Advantages,
    NStep,
    discounted_sums,
    generalised_advantages,
    n_step_returns,
)
from gridarium.episodes.single_agent_episode import SingleAgentEpisode
from gridarium.episodes.training_data import NStepSampler, Transitions, frame_stacks

__all__ = [
    "Advantages",
    "EpisodeError",
    "EpisodeIndexError",
    "EpisodeOverError",
    "InfiniteLookbackBuffer",
    "MultiAgentEnvError",
    "MultiAgentEpisode",
    "MultiAgentEpisodeOverError",
    "NStep",
    "NStepSampler",
    "SingleAgentEpisode",
    "Transitions",
    "batch",
    "discounted_sums",
    "frame_stacks",
    "generalised_advantages",
    "get_dummy_batch_for_space",
    "n_step_returns",
    "unbatch",
]
