"""Reading and overwriting what an episode holds."""

from __future__ import annotations

from typing import Any

import numpy as np

from gridarium.episodes.contents import EpisodeContents
from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.reading import Indices
from gridarium.episodes.structs import Struct


class EpisodeAccess(EpisodeContents):
    """Getters and setters of an episode of one agent.

    All getters give one item for an int, and lists, or, once the episode gives arrays, structs of arrays, for a list of
    ints, a slice, or None (everything after the lookback). Arguments and errors are those of
    `InfiniteLookbackBuffer.get` and `InfiniteLookbackBuffer.set`.
    """

    __slots__ = ()

    is_terminated: bool
    is_truncated: bool
    t: int
    t_started: int

    def get_observations(
        self,
        indices: Indices = None,
        *,
        neg_index_as_lookback: bool = False,
        fill: Any = None,
        one_hot_discrete: bool = False,
    ) -> Any:
        """Observations: the first is the one of the reset."""
        return self.observations.read(indices, neg_index_as_lookback, fill, one_hot_discrete)

    def get_infos(
        self, indices: Indices = None, *, neg_index_as_lookback: bool = False, fill: Any = None
    ) -> Any:
        """Infos: the first is the one of the reset. Always lists."""
        return self.infos.read(indices, neg_index_as_lookback, fill)

    def get_actions(
        self,
        indices: Indices = None,
        *,
        neg_index_as_lookback: bool = False,
        fill: Any = None,
        one_hot_discrete: bool = False,
    ) -> Any:
        """Actions: the first is the one taken on the first observation."""
        return self.actions.read(indices, neg_index_as_lookback, fill, one_hot_discrete)

    def get_rewards(
        self, indices: Indices = None, *, neg_index_as_lookback: bool = False, fill: Any = None
    ) -> Any:
        """Rewards: the first is the one for the first action."""
        return self.rewards.read(indices, neg_index_as_lookback, fill)

    def get_extra_model_outputs(
        self, key: str, indices: Indices = None, *, neg_index_as_lookback: bool = False, fill: Any = None
    ) -> Any:
        """What the model gave besides actions, under a key.

        Raises:
            KeyError: nothing was given under this key.
        """
        try:
            buffer = self.extra_model_outputs[key]
        except KeyError:
            raise KeyError(
                f"no extra model output {key!r}, there are {sorted(map(str, self.extra_model_outputs))}"
            ) from None
        return buffer.read(indices, neg_index_as_lookback, fill)

    def set_observations(
        self, *, new_data: Any, at_indices: Indices = None, neg_index_as_lookback: bool = False
    ) -> None:
        """Overwrite observations."""
        self.observations.set(new_data, at_indices=at_indices, neg_index_as_lookback=neg_index_as_lookback)

    def set_actions(
        self, *, new_data: Any, at_indices: Indices = None, neg_index_as_lookback: bool = False
    ) -> None:
        """Overwrite actions."""
        self.actions.set(new_data, at_indices=at_indices, neg_index_as_lookback=neg_index_as_lookback)

    def set_rewards(
        self, *, new_data: Any, at_indices: Indices = None, neg_index_as_lookback: bool = False
    ) -> None:
        """Overwrite rewards."""
        self.rewards.set(new_data, at_indices=at_indices, neg_index_as_lookback=neg_index_as_lookback)

    def set_extra_model_outputs(
        self, *, key: str, new_data: Any, at_indices: Indices = None, neg_index_as_lookback: bool = False
    ) -> None:
        """Overwrite what the model gave under a key.

        Raises:
            EpisodeError: nothing was given under this key.
        """
        if key not in self.extra_model_outputs:
            raise EpisodeError(
                f"no extra model output {key!r}, there are {sorted(map(str, self.extra_model_outputs))}"
            )
        self.extra_model_outputs[key].set(
            new_data, at_indices=at_indices, neg_index_as_lookback=neg_index_as_lookback
        )

    def get_return(self) -> float:
        """The sum of the rewards after the lookback: of lists the sum of what was given, of arrays a float of Python."""
        rewards = self.rewards.get()
        return float(rewards.sum()) if self.rewards.finalized and len(rewards) else sum(rewards)

    def get_data_dict(self) -> dict[str, list[Any] | Struct]:
        """The steps after the lookback as columns of the same length: lists, or, once the episode gives arrays, arrays.

        The last observation and info, which no action followed, are left out. Both flags are False before the last step.
        """
        steps = len(self.rewards)
        columns: dict[str, Any] = {
            "terminateds": _flags(steps, self.is_terminated),
            "truncateds": _flags(steps, self.is_truncated),
            "t": list(range(self.t_started, self.t)),
            "eps_id": [self.id_] * steps,
        }
        if self.rewards.finalized:
            columns = {name: np.array(column) for name, column in columns.items()}
        upto = slice(0, steps)
        columns["obs"], columns["infos"] = self.observations.get(upto), self.infos.get(upto)
        columns["actions"], columns["rewards"] = self.actions.get(), self.rewards.get()
        return columns | {key: buffer.get() for key, buffer in self.extra_model_outputs.items()}


def _flags(steps: int, last: bool) -> list[bool]:
    return [False] * (steps - 1) + [last] if steps else []
