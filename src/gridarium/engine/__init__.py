"""One world or a batch of them: reset, step, observe, snapshot."""

from gridarium.engine.batch import Batch, Snapshot, StepResult
from gridarium.engine.frame import Autoreset
from gridarium.engine.world import World

__all__ = ["Autoreset", "Batch", "Snapshot", "StepResult", "World"]
