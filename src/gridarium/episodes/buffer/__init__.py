"""Buffers of items over time, in typed arrays that grow."""

from gridarium.episodes.buffer.infinite_lookback_buffer import InfiniteLookbackBuffer

__all__ = ["InfiniteLookbackBuffer"]
