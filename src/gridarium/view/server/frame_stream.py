"""The frames of a running world and the rewards of its episode, for clients that come and go."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np

from gridarium.engine import World
from gridarium.view.game import Game
from gridarium.view.replay.frames import Frame, FrameEncoder, finite
from gridarium.view.replay.replay_data import all_views
from gridarium.view.replay.symbols import SymbolTable
from gridarium.view.web.messages import Reply

MOST_HISTORY = 10_000
"""The number of ticks of an episode that the plot shows."""
MOST_BACK = 1000
"""The number of ticks that can be undone; each keeps a state and a frame, some 20 kB."""
MOST_BEHIND = 100
"""A client that is further behind gets the present frame instead of all that it has missed."""


@dataclass
class Cursor:
    """What a client has received: the last frame, the number of symbols, the status, the choice."""

    seq: int = -1
    symbols: int = 0
    status: int = -1
    choice: int = 0


class FrameStream:
    """Frames of a game. One thread may add to it while another one reads `news`."""

    def __init__(self, world: World) -> None:
        self._world, self._symbols = world, SymbolTable()
        self._encoder = FrameEncoder(self._symbols, world)
        self._rewards: deque[list[float]] = deque(maxlen=MOST_HISTORY)
        self._frames: deque[Frame] = deque(maxlen=MOST_BEHIND)
        self._past: deque[Frame] = deque(maxlen=MOST_BACK)
        self._seq, self._lock = 0, threading.Lock()

    @property
    def frame(self) -> Frame:
        """The present frame, a full one."""
        return self._encoder.full()

    def begin(self, game: Game, shown: Collection[int] | None = None) -> None:
        """Show a state that does not follow from what was shown; of which agents also what is hidden, by default of all."""
        state, now = game.state, game.now
        views = all_views(self._world, state)
        with self._lock:
            self._rewards.clear()
            self._past.clear()
            self._encoder.frame(
                state, terminated=now.terminated, truncated=now.truncated, views=views, shown=shown
            )
            self._jumped()

    def add(self, game: Game, shown: Collection[int] | None = None) -> None:
        """Show what the last tick has led to; `shown` as in `begin`."""
        state, now = game.state, game.now
        views = all_views(self._world, state)
        with self._lock:
            self._past.append(self.frame)
            frame = self._encoder.frame(
                state,
                actions=now.actions,
                rewards=now.rewards,
                terminated=now.agents_terminated,
                truncated=now.truncated,
                views=views,
                shown=shown,
            )
            self._rewards.append(now.rewards.tolist())
            self._frames.append(frame)
            self._seq += 1

    def take_back(self) -> None:
        """Show the frame before the present one once more."""
        with self._lock:
            self._rewards.pop()
            self._encoder.go_back(self._past.pop())
            self._jumped()

    def news(self, cursor: Cursor) -> list[Reply]:
        """The frames that a client has not seen, or where it is too far behind, all there is; moves its cursor."""
        with self._lock:
            behind = self._seq - cursor.seq
            if behind > len(self._frames):
                news = [self._all()]
            else:
                news = []
                symbols = self._symbols.since(cursor.symbols)
                for seq in range(cursor.seq + 1, self._seq + 1):
                    frame = self._frames[seq - self._seq - 1]
                    news.append({"type": "frame", "seq": seq, "frame": frame, "symbols": symbols})
                    symbols = []
            cursor.seq, cursor.symbols = self._seq, len(self._symbols)
            return news

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
        earned = np.sum(rewards, axis=0) if rewards else np.zeros(len(self._encoder.returns))
        before = [total - got for total, got in zip(self._encoder.returns, earned.tolist(), strict=True)]
        return {
            "first": self.frame["tick"] - len(rewards),
            "returns": [finite(number) for number in before],
            "rewards": [[finite(number) for number in row] for row in rewards],
        }

    def _jumped(self) -> None:
        """Frames do not go on from the last one."""
        self._frames.clear()
        self._seq += 1
