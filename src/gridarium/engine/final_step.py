"""The ends of episodes in batches that begin the next episode in the same step."""

from __future__ import annotations

from collections.abc import Sequence

from gridarium.engine.batch import Batch
from gridarium.engine.kernel_args import Autoreset
from gridarium.engine.threads.memory import Snapshot


class FinalStep:
    """Repeats the last step of some worlds of a batch (mode SAME_STEP) without beginning their next episodes.

    Args:
        batch: the batch.
        worlds: the numbers of its worlds that are stepped here.
    """

    def __init__(self, batch: Batch, worlds: Sequence[int]) -> None:
        self._source, self._worlds = batch, list(worlds)
        self._batch = Batch(batch.composed, len(self._worlds), autoreset=Autoreset.DISABLED)

    def before_step(self) -> None:
        """Copy the worlds, which are about to be stepped, and the parameters of their episodes."""
        memory = self._source.memory
        self._batch.restore(Snapshot(*(array[self._worlds] for array in memory.arrays())))
        if memory.per_world_params:
            own = memory.params[self._worlds]
            self._batch.use_params(own, own)

    def repeat(self) -> Batch:
        """Step the copies as the batch was stepped; return the batch of them, in the order of `worlds`."""
        self._batch.step(self._source.memory.requested_actions[self._worlds])
        return self._batch

    def close(self) -> None:
        """Stop its threads."""
        self._batch.close()
