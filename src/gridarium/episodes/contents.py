"""What an episode holds: a buffer for each kind of data.

Most infos are empty. Those that come one after another are only counted, until somebody looks at the infos.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gridarium.episodes.buffer import InfiniteLookbackBuffer
from gridarium.episodes.errors import EpisodeError


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
            self._infos._tail.extend([{} for _ in range(self._empty_infos)])
            self._empty_infos = 0
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

    def _check_fits(
        self, observation: Any, action: Any, reward: Any, outputs: Mapping[str, Any] | None
    ) -> None:
        """Check that a step can be added to an episode that gives arrays.

        Raises:
            EpisodeError: something does not fit into them, and why.
        """
        if not self.observations._storage.form.same(observation):
            self._check_fit("observations", self.observations, observation)
        if not self.actions._storage.form.takes(action):
            self._check_fit("actions", self.actions, action)
        if type(reward) is not self.rewards._storage.form.sure:
            self._check_fit("rewards", self.rewards, reward)
        if outputs:
            buffers = self.extra_model_outputs
            for key in outputs:
                if key in buffers and type(outputs[key]) is not buffers[key]._storage.form.sure:
                    self._check_fit(f"extra_model_outputs[{key!r}]", buffers[key], outputs[key])

    def _check_fit(self, name: str, buffer: InfiniteLookbackBuffer, item: Any) -> None:
        try:
            buffer.check(item, always=True)
        except EpisodeError as error:
            raise EpisodeError(f"episode {self.id_}: {name}: {error}") from error

    def _settle(self, *, trim: bool) -> None:
        """Write what was added lately into the arrays, and, if wanted, give back what is kept for growing.

        Raises:
            EpisodeError: the episode gives arrays, and something does not fit into them; telling what.
        """
        if self._empty_infos:
            self._infos.extend_empty_dicts(self._empty_infos)
            self._empty_infos = 0
        outputs = self.extra_model_outputs.values()
        for buffer in (self.observations, self._infos, self.actions, self.rewards, *outputs):
            try:
                buffer.settle(trim=trim)
            except EpisodeError as error:
                name = next(name for name, one in self.buffers().items() if one is buffer)
                raise EpisodeError(f"episode {self.id_}: {name}: {error}") from error
