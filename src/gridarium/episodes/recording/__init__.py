"""Recording episodes: from single, vector and multi-agent environments, from batches of worlds, and from recorded runs."""

from gridarium.episodes.recording.batch import BatchRecorder
from gridarium.episodes.recording.block import EpisodeBlock
from gridarium.episodes.recording.building import block_of
from gridarium.episodes.recording.replaying import episodes_of_run
from gridarium.episodes.recording.several import AECEpisodeRecorder, ParallelEpisodeRecorder
from gridarium.episodes.recording.single import EpisodeRecorder
from gridarium.episodes.recording.together import MultiAgentBlock
from gridarium.episodes.recording.vector import VectorEpisodeRecorder

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
