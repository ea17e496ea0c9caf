"""One world or a batch of them: reset, step, observe, snapshot, record and replay."""

from gridarium.compiled.background import compiling_in_background
from gridarium.compiled.watched import StaleProgramError
from gridarium.engine.batch import Batch
from gridarium.engine.frame import Autoreset
from gridarium.engine.memory import Snapshot
from gridarium.engine.recorder import Recorder
from gridarium.engine.replay import Moment, ReplayError, Verdict
from gridarium.engine.run import Run
from gridarium.engine.start import Start
from gridarium.engine.step_result import StepResult
from gridarium.engine.world import World

__all__ = [
    "Autoreset",
    "Batch",
    "Moment",
    "Recorder",
    "ReplayError",
    "Run",
    "Snapshot",
    "StaleProgramError",
    "Start",
    "StepResult",
    "Verdict",
    "World",
    "compiling_in_background",
]
