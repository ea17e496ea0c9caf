"""A world that runs and is looked at: obeys messages, and says what is new since a viewer last looked. No web code."""

from __future__ import annotations

import itertools
import logging
import secrets
from collections import deque
from collections.abc import Mapping
from typing import Any

from gridarium.engine import Snapshot, World
from gridarium.engine.kernel import TERMINATED, TRUNCATED
from gridarium.engine.solo import Solo
from gridarium.engine.start import check_states
from gridarium.view import protocol
from gridarium.view.browser_keys import keys_for
from gridarium.view.cast import ME, Cast
from gridarium.view.feed import Cursor, Feed
from gridarium.view.film import header
from gridarium.view.frames import Frame
from gridarium.view.protocol import Refused, Reply
from gridarium.world import State
from gridarium.world.json import from_json
from gridarium.world.record import to_record
from gridarium.world.state import ENDED

_LOG = logging.getLogger(__name__)
MOST_BACK = 1000
"""How many ticks can be taken back; each keeps a state, some 20 kB."""
PAUSE_AT_END = 1.5
"""Seconds between the end of an episode and the next one."""


class Session:
    """One world, its agents' policies, and its clock, which somebody else has to wind: see `tick` and `delay`.

    Args:
        world: the world.
        policies: of one's own, by name.
        seed: of the first episode; the next one has the next seed.
        speed: ticks a second.
        playing: whether time goes on by itself at first.
        command: by which the server can be started again, for pages that have lost it.

    Attributes:
        id: tells sessions apart, so that a page knows when a server has begun anew.

    Raises:
        Exception: what the world's reset rule raises.
    """

    def __init__(
        self,
        world: World,
        policies: Mapping[str, Any] | None = None,
        *,
        seed: int = 0,
        speed: float = 4.0,
        playing: bool = False,
        command: str = "",
    ) -> None:
        self.world, self.id, self.command = world, secrets.token_hex(8), command
        self.cast = Cast(world, policies or {})
        self._solo, self._feed = Solo(world.machine), Feed(world)
        self._past: deque[tuple[State, Frame]] = deque(maxlen=MOST_BACK)
        self._noted: list[list[int]] | None = []
        self._seed, self._speed, self._playing, self._again = seed, speed, playing, True
        self._status, self._changes = 0, itertools.count(1)
        self._begin(seed)

    # the clock

    @property
    def running(self) -> bool:
        """Whether `tick` is to be called after `delay`."""
        return self._playing and self.cast.me is None

    @property
    def delay(self) -> float:
        """Seconds until the next tick."""
        return PAUSE_AT_END if self._feed.ended else 1 / self._speed

    def tick(self) -> list[Reply]:
        """Let one tick pass, or the next episode begin; returns errors for all viewers."""
        try:
            if not self._feed.ended:
                self._step(None)
            elif self._again:
                self._begin(self._seed + 1)
            else:
                self._set(playing=False)
        except Exception as error:
            return self._stopped(error)
        return []

    # messages

    def handle(self, message: protocol.Message) -> list[Reply]:
        """Obey a message; returns what only its sender is to know. `news` has what has changed for all."""
        try:
            return self._obey(message)
        except Refused as refused:
            return [protocol.error(str(refused))]
        except Exception as error:
            return self._stopped(error)

    def _stopped(self, error: Exception) -> list[Reply]:
        """After something that a rule or a policy has raised: the world is as before, and time stands still."""
        self._set(playing=False)
        if not isinstance(error, Refused):
            _LOG.error("%s", error, exc_info=error)  # for whoever debugs it
        return [protocol.error(_told(error))]

    def _obey(self, message: protocol.Message) -> list[Reply]:
        match message:
            case protocol.Play():
                if self._feed.ended:
                    self._begin(self._seed + 1)
                self._set(playing=True)
            case protocol.Pause():
                self._set(playing=False)
            case protocol.Step():
                self._one_tick()
            case protocol.Back():
                self._back()
            case protocol.Speed(value=value):
                self._set(speed=value)
            case protocol.Again(value=value):
                self._set(again=value)
            case protocol.Reset(seed=seed):
                self._begin(self._seed if seed is None else seed)
            case protocol.ChoosePolicy(agent=agent, name=name):
                return self._choose(agent, name)
            case protocol.Act(action=name):
                self._act(name)
            case protocol.GetState():
                return [{"type": "state", "state": to_record(self._solo.state)}]
            case protocol.SetState(state=record):
                self._jump_to(self._given(record))
        return []

    def _choose(self, agent: int, name: str) -> list[Reply]:
        before = self.cast.me
        self.cast.choose(agent, name)
        self._set(playing=False if name == ME else None)
        if name != ME or before in (None, agent):
            return []
        return [protocol.notice(f"A person plays one agent at a time: agent {before} acts at random again.")]

    def _one_tick(self) -> None:
        if self.cast.me is not None:
            raise Refused(
                f"agent {self.cast.me} is played by a person: time goes on with each of its actions"
            )
        self._set(playing=False)
        if self._feed.ended:
            self._begin(self._seed + 1)
        else:
            self._step(None)

    def _act(self, name: str) -> None:
        me = self.cast.me
        if me is None:
            raise Refused(f"nobody is played by a person: choose the policy {ME!r} for an agent first")
        if self._feed.ended:
            raise Refused("the episode is over: begin again first")
        known = {action.name: action for action in self.world.actions}
        if name not in known:
            raise Refused(f"there is no action {name!r}; there are {', '.join(known)}")
        self._step(self.cast.index(me, known[name]))

    def _back(self) -> None:
        self._set(playing=False)
        if not self._past:
            raise Refused("there is nothing to take back")
        state, frame = self._past.pop()
        if self._noted:
            self._noted.pop()
        self._solo.state = state
        self._arrays = self._solo.observe()
        self._feed.take_back(frame)

    def _given(self, record: Mapping[str, Any]) -> State:
        try:
            state = from_json(record, self.world.machine.vocabulary)
            one = (a[None] for a in (state.cells, state.layers, state.data, state.bodies))
            check_states(Snapshot(*one), self.world.machine)
            self._solo.state = state
        except ValueError as error:
            raise Refused(f"this is no state of {self.world.name}: {error}") from None
        return state

    def _jump_to(self, state: State) -> None:
        self._set(playing=False)
        self._arrays = self._solo.observe()
        ended = int(state.data[ENDED])
        self._past.clear()
        self._noted = None
        self._feed.begin(state, terminated=ended == TERMINATED, truncated=ended == TRUNCATED)

    # what happens

    def _begin(self, seed: int) -> None:
        self.cast.begin(seed)
        self._arrays = self._solo.reset(seed)
        self._seed = seed
        self._set()
        self._past.clear()
        self._noted = []
        self._feed.begin(self._solo.state)

    def _step(self, mine: int | None) -> None:
        solo, before = self._solo, (self._solo.state, self._feed.frame)
        actions = self.cast.decide(self._arrays, lambda: solo.state, mine)
        came: Any = solo.step(actions[0]) if len(actions) == 1 else solo.step_all(actions)
        self._arrays, rewards, terminated, truncated = came
        self._past.append(before)
        if self._noted is not None:
            self._noted.append(actions)
        self._feed.add(solo.state, actions, rewards, terminated, truncated)

    def _set(
        self, *, playing: bool | None = None, speed: float | None = None, again: bool | None = None
    ) -> None:
        self._playing = self._playing if playing is None else playing
        self._speed = self._speed if speed is None else speed
        self._again = self._again if again is None else again
        self._status = next(self._changes)

    # what viewers get

    def noted(self) -> tuple[int, list[list[int]]]:
        """The episode so far, for `gridarium.view.saving.recorded`: its seed, and the actions of each tick.

        Raises:
            Refused: it does not follow from its seed.
        """
        if self._noted is None:
            raise Refused("a state was set by hand: this episode cannot be saved, the next one can")
        return self._seed, list(self._noted)

    def hello(self) -> Reply:
        """What a viewer has to know once."""
        return {
            "type": "hello",
            "protocol": protocol.VERSION,
            "session": self.id,
            "command": self.command,
            "header": header(self.world),
            "policies": [self.cast.offered(agent) for agent in range(len(self.cast.chosen))],
            "keys": [
                keys_for(action for action in self.world.actions if self.cast.can(agent, action))
                for agent in range(len(self.cast.chosen))
            ],
        }

    def news(self, cursor: Cursor) -> list[Reply]:
        """What has happened since a viewer last asked; moves its cursor. Another thread may be in `tick` meanwhile."""
        status = [] if cursor.status == self._status else [self._status_message()]
        cursor.status = self._status
        return status + self._feed.news(cursor)

    def _status_message(self) -> Reply:
        return {
            "type": "status",
            "playing": self._playing,
            "speed": self._speed,
            "seed": self._seed,
            "again": self._again,
            "policies": list(self.cast.chosen),
            "me": self.cast.me,
        }


def _told(error: Exception) -> str:
    """What a rule or a policy has raised, as one paragraph."""
    if isinstance(error, Refused):
        return str(error)
    notes = "; ".join(getattr(error, "__notes__", []))
    return f"{type(error).__name__}: {error}" + (f" ({notes})" if notes else "")
