"""Asking a sensor about many states at once: plain Python, run as it is or compiled."""

from __future__ import annotations

from typing import Any

from gridarium.compiled.data_types.primitives import fixed, float64_at, plain_float
from gridarium.compiled.data_types.random import OWN_STREAM
from gridarium.engine.kernel_args import KernelArg
from gridarium.engine.observe.measurements import measured
from gridarium.engine.step.kernel import state_at

LIKELIHOOD, MEASURE = 0, 1


def run(
    frame: Any, slot: int, first: int, last: int, mode: int, *,
    vocabulary: Any, likelihood: Any, measure: Any, counted: bool, stream: int,
) -> int:  # fmt: skip
    """Write, for each of the worlds `first` to `last`, the likelihood of a measurement, or a measurement.

    The frame is a batch's; agent `slot` measures. Answers go where the frame says that rewards lie, float64[worlds],
    and the measurement is the number after the last answer; `counted` is whether it is a whole number.
    """
    answers = float64_at(frame[KernelArg.REWARD_ARRAY], (fixed(frame, KernelArg.WORLD_COUNT) + 1,))
    number = answers[fixed(frame, KernelArg.WORLD_COUNT)]
    measurement = int(number) if counted else float(number)
    agents = fixed(frame, KernelArg.AGENT_COUNT)
    for e in range(first, last):
        state = state_at(frame, 0, e, vocabulary=vocabulary, agents=agents).seen_by(slot)
        state.scratch[0] = state.scratch[OWN_STREAM] = 0
        if mode == LIKELIHOOD:
            answers[e] = plain_float(float(likelihood(state, measurement)))
        else:
            answers[e] = measured(state, measure=measure, purpose=stream)
    return 0
