"""What an episode holds: a buffer for each kind of data.

Most infos are empty. Those that come one after another are only counted, until somebody looks at the infos.
"""

from __future__ import annotations

from gridarium.episodes.buffer import InfiniteLookbackBuffer
from gridarium.episodes.writing import WRITING


class EpisodeContents:
    """The buffers of an episode."""

    __slots__ = (
        "_empty_infos",
        "_infos",
        "actions",
        "extra_model_outputs",
        "observations",
        "rewards",
    )

    id_: str
    observations: InfiniteLookbackBuffer
    _infos: InfiniteLookbackBuffer
    _empty_infos: int  # that come after those in the buffer
    actions: InfiniteLookbackBuffer
    rewards: InfiniteLookbackBuffer
    extra_model_outputs: dict[str, InfiniteLookbackBuffer]

    @property
    def infos(self) -> InfiniteLookbackBuffer:
        """The buffer of infos."""
        if self._empty_infos:
            with WRITING:
                some = self._empty_infos
                self._infos._tail.extend([{} for _ in range(some)])
                self._empty_infos -= some
        return self._infos

    @infos.setter
    def infos(self, buffer: InfiniteLookbackBuffer) -> None:
        self._infos, self._empty_infos = buffer, 0

    def buffers(self) -> dict[str, InfiniteLookbackBuffer]:
        """All buffers by their names."""
        named = {
            "observations": self.observations,
            "infos": self.infos,
            "actions": self.actions,
            "rewards": self.rewards,
        }
        outputs = self.extra_model_outputs.items()
        return named | {f"extra_model_outputs[{key!r}]": buffer for key, buffer in outputs}
