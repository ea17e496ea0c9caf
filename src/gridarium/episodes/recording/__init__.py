"""Recording episodes: from single, vector and multi-agent environments, from batches of worlds, and from recorded runs."""

from gridarium.episodes.recording.batch_recorder import BatchRecorder, episodes_of_run
from gridarium.episodes.recording.episode_block import EpisodeBlock, block_of
from gridarium.episodes.recording.gymnasium_recorder import EpisodeRecorder
from gridarium.episodes.recording.multi_agent_block import MultiAgentBlock
from gridarium.episodes.recording.pettingzoo_recorders import AECEpisodeRecorder, ParallelEpisodeRecorder
from gridarium.episodes.recording.vector_recorder import VectorEpisodeRecorder

__all__ = [
    "AECEpisodeRecorder",
    "BatchRecorder",
    "EpisodeBlock",
    "EpisodeRecorder",
    "MultiAgentBlock",
    "ParallelEpisodeRecorder",
    "VectorEpisodeRecorder",
    "block_of",
    "episodes_of_run",
]
