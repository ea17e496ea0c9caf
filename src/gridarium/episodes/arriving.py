"""Steps on their way into an episode's buffers.

Adding to one list costs less than adding to a buffer for each kind of data. So an episode keeps what was added lately in two
flat lists. Before anybody looks at the buffers, and whenever a block of steps is full, it is brought there. Observations,
which somebody looks at after each step, go to their buffer at once.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import Any

from gridarium.episodes.buffer import InfiniteLookbackBuffer
from gridarium.episodes.errors import EpisodeError

WIDTH = 3
"""A step: action, reward, infos. What the model gave besides arrives in a list of its own."""


def _seen(slot: str) -> property:
    """What a slot holds, after everything has arrived there."""

    def get(self: Arriving) -> Any:
        if self._arriving:
            self._arrive()
        return getattr(self, slot)

    def put(self: Arriving, value: Any) -> None:
        if self._arriving:
            self._arrive()
        setattr(self, slot, value)

    return property(get, put)


class Arriving:
    """The buffers of an episode, and what arrives there."""

    __slots__ = (
        "_actions",
        "_arriving",
        "_arriving_outputs",
        "_infos",
        "_outputs",
        "_outputs_keys",
        "_outputs_of",
        "_rewards",
        "observations",
    )

    id_: str
    observations: InfiniteLookbackBuffer
    _infos: InfiniteLookbackBuffer
    _actions: InfiniteLookbackBuffer
    _rewards: InfiniteLookbackBuffer
    _outputs: dict[str, InfiniteLookbackBuffer]
    _arriving: list[Any]
    _arriving_outputs: list[Any]
    _outputs_keys: tuple[
        str, ...
    ]  # of the outputs that arrive in one list; none after somebody had hold of the buffers
    _outputs_of: Callable[[dict[str, Any]], Any]  # the values of these keys; of a single key its value alone

    infos: InfiniteLookbackBuffer = _seen("_infos")  # type: ignore[assignment]
    actions: InfiniteLookbackBuffer = _seen("_actions")  # type: ignore[assignment]
    rewards: InfiniteLookbackBuffer = _seen("_rewards")  # type: ignore[assignment]

    @property
    def extra_model_outputs(self) -> dict[str, InfiniteLookbackBuffer]:
        """The buffers of what the model gave besides actions."""
        self._arrive()
        self._outputs_keys = ()
        return self._outputs

    @extra_model_outputs.setter
    def extra_model_outputs(self, buffers: dict[str, InfiniteLookbackBuffer]) -> None:
        self._arrive()
        self._outputs, self._outputs_keys = buffers, ()

    def buffers(self) -> dict[str, InfiniteLookbackBuffer]:
        """All buffers by their names."""
        self._arrive()
        named = {
            "observations": self.observations,
            "infos": self._infos,
            "actions": self._actions,
            "rewards": self._rewards,
        }
        return named | {f"extra_model_outputs[{key!r}]": buffer for key, buffer in self._outputs.items()}

    def _arrive(self) -> None:
        """Bring the steps that were added lately to the buffers."""
        steps, outputs = self._arriving, self._arriving_outputs
        if len(steps) == WIDTH:  # somebody looks after each step
            action, reward, infos = steps
            self._actions._tail.append(action)
            self._rewards._tail.append(reward)
            self._infos._tail.append(infos)
        elif steps:
            self._actions._tail.extend(steps[0::WIDTH])
            self._rewards._tail.extend(steps[1::WIDTH])
            self._infos._tail.extend(steps[2::WIDTH])
        steps.clear()
        if outputs:
            for i, key in enumerate(self._outputs_keys):
                self._outputs[key]._tail.extend(outputs[i :: len(self._outputs_keys)])
            outputs.clear()

    def _add_other_outputs(self, outputs: dict[str, Any]) -> None:
        """Add the outputs of a step that has other keys than the last; new keys begin buffers."""
        self._arrive()  # in the order in which they were added
        for key, value in outputs.items():
            if key not in self._outputs:
                self._outputs[key] = InfiniteLookbackBuffer()
            self._outputs[key]._tail.append(value)
        if len(outputs) == len(self._outputs):
            self._outputs_keys, self._outputs_of = tuple(outputs), itemgetter(*outputs)

    def _settle(self, *, trim: bool) -> None:
        """Write what was added lately into the arrays, and, if wanted, give back what is kept for growing.

        Raises:
            EpisodeError: the episode gives arrays, and something does not fit into them; telling what.
        """
        for name, buffer in self.buffers().items():
            try:
                buffer.settle(trim=trim)
            except EpisodeError as error:
                raise EpisodeError(f"episode {self.id_}: {name}: {error}") from error
