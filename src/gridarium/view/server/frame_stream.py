"""What there is to see of a running world: frames, and the rewards of its episode, for viewers that come and go."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np

from gridarium.engine import World
from gridarium.view.film import all_views
from gridarium.view.frames import Coder, Frame, finite
from gridarium.view.protocol import Reply
from gridarium.view.symbols import Symbols
from gridarium.world import State

MOST_HISTORY = 10_000
"""How many ticks of an episode the plot goes back."""
MOST_BEHIND = 100
"""A viewer that is further behind gets the present frame instead of all that it has missed."""


@dataclass
class Cursor:
    """How much a viewer knows: the last frame, how many symbols, which status."""

    seq: int = -1
    symbols: int = 0
    status: int = -1


class Feed:
    """Frames of a world. One thread may add to it while another one reads `news`."""

    def __init__(self, world: World) -> None:
        self._world, self._symbols = world, Symbols()
        self._coder = Coder(self._symbols, world)
        self._rewards: deque[list[float]] = deque(maxlen=MOST_HISTORY)
        self._frames: deque[Frame] = deque(maxlen=MOST_BEHIND)
        self._seq, self._lock = 0, threading.Lock()

    @property
    def frame(self) -> Frame:
        """The present frame, a full one."""
        return self._coder.full()

    @property
    def ended(self) -> bool:
        """Whether the present frame is the last one of its episode."""
        return bool(self.frame["truncated"] or all(self.frame["terminated"]))

    def begin(self, state: State, *, terminated: bool = False, truncated: bool = False) -> None:
        """Show a state that does not follow from what was shown."""
        views = all_views(self._world, state)
        with self._lock:
            self._rewards.clear()
            self._coder.frame(state, terminated=terminated, truncated=truncated, views=views)
            self._jumped()

    def add(self, state: State, actions: list[int], rewards: Any, terminated: Any, truncated: Any) -> None:
        """Show what a tick has led to; arguments as for `Coder.frame`."""
        views = all_views(self._world, state)
        with self._lock:
            frame = self._coder.frame(
                state,
                actions=actions,
                rewards=rewards,
                terminated=terminated,
                truncated=truncated,
                views=views,
            )
            self._rewards.append(np.ravel(rewards).tolist())
            self._frames.append(frame)
            self._seq += 1

    def take_back(self, frame: Frame) -> None:
        """Show the frame before the present one once more."""
        with self._lock:
            self._rewards.pop()
            self._coder.go_back(frame)
            self._jumped()

    def news(self, cursor: Cursor) -> list[Reply]:
        """The frames that a viewer has not seen, or where it is too far behind, all there is; moves its cursor."""
        with self._lock:
            behind = self._seq - cursor.seq
            if behind > len(self._frames):
                told = [self._all()]
            else:
                told = []
                symbols = self._symbols.since(cursor.symbols)
                for seq in range(cursor.seq + 1, self._seq + 1):
                    frame = self._frames[seq - self._seq - 1]
                    told.append({"type": "frame", "seq": seq, "frame": frame, "symbols": symbols})
                    symbols = []
            cursor.seq, cursor.symbols = self._seq, len(self._symbols)
            return told

    def _all(self) -> Reply:
        return {
            "type": "sync",
            "seq": self._seq,
            "frame": self.frame,
            "symbols": self._symbols.since(0),
            "history": self._history(),
        }

    def _history(self) -> dict[str, Any]:
        """The rewards of this episode, tick by tick, for the plot; and how it stood before them."""
        rewards = list(self._rewards)
        earned = np.sum(rewards, axis=0) if rewards else np.zeros(len(self._coder.returns))
        before = [total - got for total, got in zip(self._coder.returns, earned.tolist(), strict=True)]
        return {
            "first": self.frame["tick"] - len(rewards),
            "returns": [finite(number) for number in before],
            "rewards": [[finite(number) for number in row] for row in rewards],
        }

    def _jumped(self) -> None:
        """Frames do not go on from the last one."""
        self._frames.clear()
        self._seq += 1
