"""One world or a batch of them: reset, step, observe, snapshot, record and replay."""

from gridarium.compiled.background import compiling_in_background
from gridarium.compiled.cache.watched_globals import StaleProgramError
from gridarium.engine.batch import Batch
from gridarium.engine.kernel_args import Autoreset
from gridarium.engine.runs.recorder import Recorder
from gridarium.engine.runs.run import ReplayedStep, ReplayError, Run, Verdict
from gridarium.engine.runs.start import Start
from gridarium.engine.step_result import StepResult
from gridarium.engine.threads.memory import Snapshot
from gridarium.engine.world import World

__all__ = [
    "Autoreset",
    "Batch",
    "Recorder",
    "ReplayError",
    "ReplayedStep",
    "Run",
    "Snapshot",
    "StaleProgramError",
    "Start",
    "StepResult",
    "Verdict",
    "World",
    "compiling_in_background",
]
