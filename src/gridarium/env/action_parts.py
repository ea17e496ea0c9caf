"""Actions as an array of parts: which action, and the values of its arguments, for `MultiDiscrete` action spaces."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from gridarium.world.action_arguments import Actions


class ActionPartsSpace(spaces.MultiDiscrete):
    """Arrays of parts, which can also be sampled by a mask of the indices of actions.

    Args:
        parts: what converts between indices and parts.
        sizes: int[parts]: how many values each part has.
    """

    def __init__(self, parts: ActionParts, sizes: list[int]) -> None:
        super().__init__(sizes)
        self._parts = parts

    def sample(self, mask: Any = None, probability: Any = None) -> npt.NDArray[Any]:
        """An action of those that a mask allows, each equally likely; or as `MultiDiscrete.sample`.

        Args:
            mask: int8[actions], as in `info["action_mask"]`: 1 for each index that may be drawn, and if there is none, the action
                with index 0 is; or a tuple of masks of the parts.
            probability: a tuple of the probabilities of the values of each part.

        Returns:
            int64[parts].

        Raises:
            ValueError: a mask of another length.
        """
        if mask is None or isinstance(mask, tuple) or probability is not None:
            return super().sample(mask, probability)
        allowed = np.asarray(mask)
        if allowed.shape != (self._parts.count,):
            raise ValueError(
                f"a mask has an entry for each of {self._parts.count} actions, got the shape {allowed.shape}"
            )
        indices = np.flatnonzero(allowed)
        chosen = self.np_random.choice(indices) if len(indices) else 0
        return self._parts.parts(chosen).astype(self.dtype)


class ActionParts:
    """Converts between indices of actions and their parts.

    The first part is the number of the action as listed in the world's description. The others are the arguments of all actions,
    by name, in the order in which they are declared; a position is `y * width + x`. An action ignores the parts of
    other actions, so all arrays of the space are actions.

    Args:
        actions: those of the world.

    Attributes:
        names: of the parts, the first of which is "action".
        space: `MultiDiscrete([number of actions, values of an argument, ...])`, which takes masks of indices, too.
        count: of the indices of actions.

    Example:
        >>> env = gymnasium.make("gridarium/Empty-8x8-v0", action_parts=True)
        >>> env.unwrapped.action_parts.index([2])
        2
    """

    def __init__(self, actions: Actions) -> None:
        taken = [actions.table.declared.get(action.value, ()) for action in actions.listed]
        arguments = list(dict.fromkeys(argument for own in taken for argument in own))
        sizes = [actions.size(argument) for argument in arguments]
        self.names = ("action", *(argument.name for argument in arguments))
        self.space = ActionPartsSpace(self, [len(actions.listed), *sizes])
        self.count = len(actions.owners)
        self._sizes = np.array(sizes, np.int64)
        self._firsts = np.searchsorted(actions.owners, np.arange(len(taken)))
        self._owners = actions.owners
        self._strides = np.zeros((len(taken), len(arguments)), np.int64)
        for row, own in zip(self._strides, taken, strict=True):
            for k, argument in enumerate(own):
                row[arguments.index(argument)] = math.prod(map(actions.size, own[k + 1 :]))

    def index(self, parts: npt.ArrayLike) -> Any:
        """The index of an action, or of several, for example in a mask of actions: `mask[parts.index(chosen)]`.

        Args:
            parts: int[..., parts].

        Returns:
            int, or int64[...] for several.

        Raises:
            ValueError: the wrong number of parts, or one that is out of range.
            TypeError: they are not integers.
        """
        given = np.asarray(parts)
        if given.dtype.kind not in "iu":
            raise TypeError(f"the parts of an action must be whole numbers, not {parts!r}")
        most = self.space.nvec
        if given.ndim == 0 or given.shape[-1] != len(most) or (given < 0).any() or (given >= most).any():
            listed = ", ".join(f"{name} 0 to {n - 1}" for name, n in zip(self.names, most, strict=True))
            raise ValueError(f"an action has the parts {listed}; got {given.tolist()}")
        action = given[..., 0].astype(np.int64)
        found = self._firsts[action] + (self._strides[action] * given[..., 1:]).sum(axis=-1)
        return int(found) if given.ndim == 1 else found

    def parts(self, index: npt.ArrayLike) -> npt.NDArray[np.int64]:
        """The parts of the action at an index, or of several; 0 where an action does not take an argument.

        Args:
            index: int[...].

        Returns:
            int64[..., parts].

        Raises:
            IndexError: there is no such action.
        """
        indices = np.asarray(index)
        if ((indices < 0) | (indices >= self.count)).any():
            raise IndexError(f"actions are numbered from 0 to {self.count - 1}; got {index!r}")
        action = self._owners[indices]
        strides, rest = self._strides[action], indices - self._firsts[action]
        values = np.where(strides > 0, rest[..., None] // np.maximum(strides, 1) % self._sizes, 0)
        return np.concatenate([action[..., None], values], axis=-1)
