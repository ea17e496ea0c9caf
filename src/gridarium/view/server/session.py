"""A running world that clients watch and control by messages. No web code."""

from __future__ import annotations

import itertools
import logging
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from gridarium.agents import random_action
from gridarium.agents.model.hidden_information import hides_cards
from gridarium.agents.policy import Policy
from gridarium.engine import World
from gridarium.view.game import Game, GameStep
from gridarium.view.matches import agents_in_words
from gridarium.view.replay.replay_data import header
from gridarium.view.server import protocol
from gridarium.view.server.browser_keys import keys_for
from gridarium.view.server.choosing import Choosing
from gridarium.view.server.frame_stream import MOST_BACK, Cursor, FrameStream
from gridarium.view.server.policies import ME, PolicyAssignment
from gridarium.view.web.messages import Pause, Reply, RequestError, Step, notice
from gridarium.view.web.messages import error as error_reply
from gridarium.world.actions import in_words
from gridarium.world.text_form.json import from_json
from gridarium.world.text_form.record import to_record

_LOG = logging.getLogger(__name__)
PAUSE_AT_END = 1.5
"""Seconds between the end of an episode and the next one."""


class Session:
    """A game, its agents' policies, and its clock, which the caller runs: see `tick` and `delay`.

    Args:
        world: the world.
        policies: further ones, by name.
        seed: of the first episode; the next one has the next seed.
        speed: ticks a second.
        playing: whether time goes on by itself at first.
        command: that starts such a server, for pages that have lost theirs.

    Attributes:
        id: tells sessions apart, so that a page knows when a server has been restarted.

    Raises:
        Exception: what the world's reset rule raises.
    """

    def __init__(
        self,
        world: World,
        policies: Mapping[str, Policy] | None = None,
        *,
        seed: int = 0,
        speed: float = 4.0,
        playing: bool = False,
        command: str = "",
    ) -> None:
        self.world, self.id, self.command = world, secrets.token_hex(8), command
        self.game = Game(world, [random_action] * world.spec.agents, seed=seed, most_back=MOST_BACK)
        self.policies = PolicyAssignment(self.game, policies or {})
        self._choosing = Choosing(self.game, self.policies)
        self._frames = FrameStream(world)
        self._speed, self._playing, self._again = speed, playing, True
        self._changes = itertools.count(1)
        self._status = next(self._changes)
        self._failed = False
        self._frames.begin(self.game, self._shown)
        self._choosing.begin()

    @property
    def _shown(self) -> list[int] | None:
        """The agents whose cards are shown: where people play with hidden ones, of the person whose turn it is; None for all."""
        people = self.policies.people
        if not people or self.game.over or not hides_cards(self.world):
            return None
        return [agent for agent in people if agent in self.game.acting] or [*people[:1]]

    # the clock

    @property
    def running(self) -> bool:
        """Whether `tick` should be called after `delay`: time goes on, or it is the turn of agents that no person plays."""
        people = self.policies.people
        if not people:
            return self._playing
        others_turn = self.policies.in_turns and not {*people} & {*self.game.acting}
        return others_turn and not self.game.over and not self._failed

    @property
    def delay(self) -> float:
        """Seconds until the next tick."""
        return PAUSE_AT_END if self.game.over else 1 / self._speed

    def tick(self) -> list[Reply]:
        """Let one tick pass, or the next episode begin; returns errors for all clients."""
        try:
            if not self.game.over:
                self._step()
            elif self._again:
                self._begin(self.game.seed + 1)
            else:
                self._set(playing=False)
        except Exception as error:
            return self._stopped(error)
        return []

    # messages

    def handle(self, message: protocol.Message) -> list[Reply]:
        """Handle a message; returns the replies to its sender. What has changed for all is in `news`."""
        try:
            return self._handle(message)
        except RequestError as refused:
            return [error_reply(str(refused))]
        except Exception as error:
            return self._stopped(error)

    def _stopped(self, error: Exception) -> list[Reply]:
        """After an exception of a rule or a policy: the world is as before, and time stands still."""
        self._set(playing=False)
        self._failed = True
        if not isinstance(error, RequestError):
            _LOG.error("%s", error, exc_info=error)  # for debugging
        return [error_reply(_in_words(error))]

    def _handle(self, message: protocol.Message) -> list[Reply]:
        if not isinstance(message, protocol.AT_ONCE):
            self._failed = False
        match message:
            case protocol.Play():
                if self.game.over:
                    self._begin(self.game.seed + 1)
                self._set(playing=True)
            case Pause():
                self._set(playing=False)
            case Step():
                self._one_tick()
            case protocol.Back():
                self._back()
            case protocol.Speed(value=value):
                self._set(speed=value)
            case protocol.Again(value=value):
                self._set(again=value)
            case protocol.Reset(seed=seed):
                self._begin(seed)
            case protocol.ChoosePolicy(agent=agent, name=name, beside=beside):
                return self._choose(agent, name, beside)
            case protocol.Act(action=name):
                self._act(name)
            case protocol.Click(y=y, x=x):
                self._take(lambda: self._choosing.choice.click(y, x))
            case protocol.Enter(text=text):
                self._take(lambda: self._choosing.choice.enter(text))
            case protocol.Cancel():
                self._choosing.choice.back()
                self._choosing.update()
            case protocol.GetState():
                if self._shown is not None:
                    raise RequestError("the state shows all cards: it can be read when the game is over")
                return [{"type": "state", "state": to_record(self.game.state)}]
            case protocol.SetState(state=record):
                self._set_state(record)
        return []

    def _choose(self, agent: int, name: str, beside: bool) -> list[Reply]:
        before = self.policies.me
        self.policies.choose(agent, name, beside=beside)
        self._set(playing=False if name == ME else None)
        replies = []
        if name == ME and hides_cards(self.world):
            self._begin(self.game.seed + 1)
            replies.append(notice("New cards are dealt, since those of this game could be seen."))
        self._choosing.begin()
        if name == ME and not beside and before not in (None, agent):
            replies.append(
                notice(f"A person plays one agent at a time: agent {before} acts at random again.")
            )
        return replies

    def _one_tick(self) -> None:
        if self.policies.me is not None:
            raise RequestError(
                f"agent {self.policies.me} is played by a person: time goes on with each of its actions"
            )
        self._set(playing=False)
        if self.game.over:
            self._begin(self.game.seed + 1)
        else:
            self._step()

    def _act(self, name: str) -> None:
        me = self.policies.me
        if me is None:
            raise RequestError(f"nobody is played by a person: choose the policy {ME!r} for an agent first")
        if self.game.over:
            raise RequestError("the episode is over: begin again first")
        bare = name.partition("(")[0].strip()
        known = [action.name for action in self.world.actions.listed]
        if bare not in known:
            raise RequestError(f"there is no action {bare!r}; there are {', '.join(known)}")
        try:
            index = self.game.action_index(me, self.world.actions.parse(name))
        except ValueError as error:
            raise RequestError(str(error)) from None
        self._step_as(me, index)

    def _take(self, choosing: Callable[[], int | None]) -> None:
        """Make a choice of the person who is asked, and act if it is complete."""
        try:
            index = choosing()
        except ValueError as error:
            raise RequestError(str(error)) from None
        me = self.policies.me
        if index is None or me is None:
            self._choosing.update()
        else:
            self._step_as(me, index)

    def _step_as(self, agent: int, index: int) -> None:
        if self.policies.in_turns and agent not in self.game.acting:
            raise RequestError(f"it is {agents_in_words(self.world, self.game.acting)}'s turn")
        self._step({agent: index})

    def _back(self) -> None:
        """Take back a tick, where agents take turns as many as there are to the last one of a person."""
        self._set(playing=False)
        undone = self._back_one_tick()
        if undone is None:
            raise RequestError("there is nothing to take back")
        while self.policies.people and self.policies.in_turns and undone is not None and not undone.by_person:
            undone = self._back_one_tick()
        self._choosing.begin()

    def _back_one_tick(self) -> GameStep | None:
        """Take back a tick; what it had led to, or None if there was none."""
        undone = self.game.now
        if not self.game.undo():
            return None
        self._frames.take_back()
        return undone

    def _set_state(self, record: Mapping[str, Any]) -> None:
        try:
            self.game.set_state(from_json(record, self.world.composed.vocabulary))
        except ValueError as error:
            raise RequestError(f"this is not a state of {self.world.name}: {error}") from None
        self._set(playing=False)
        self._frames.begin(self.game, self._shown)
        self._choosing.begin()

    # what happens

    def _begin(self, seed: int | None) -> None:
        self.game.restart(seed)
        self._set()
        self._frames.begin(self.game, self._shown)
        self._choosing.begin()

    def _step(self, chosen: Mapping[int, int] | None = None) -> None:
        self.game.step(chosen)
        self._frames.add(self.game, self._shown)
        self._choosing.begin()

    def _set(
        self, *, playing: bool | None = None, speed: float | None = None, again: bool | None = None
    ) -> None:
        self._playing = self._playing if playing is None else playing
        self._speed = self._speed if speed is None else speed
        self._again = self._again if again is None else again
        self._status = next(self._changes)

    # what clients get

    def noted(self) -> tuple[int, list[tuple[int, ...]]]:
        """The episode so far, for `gridarium.view.replay.saving.recorded`: its seed, and the actions of each tick.

        Raises:
            RequestError: it does not follow from its seed.
        """
        if not self.game.follows_seed:
            raise RequestError("a state was set by hand: this episode cannot be saved, the next one can")
        return self.game.seed, list(self.game.actions)

    def hello(self) -> Reply:
        """Return the message that a client gets once, when it connects."""
        actions = self.world.actions
        return {
            "type": "hello",
            "protocol": protocol.VERSION,
            "session": self.id,
            "command": self.command,
            "header": header(self.world),
            "policies": [self.policies.offered(agent) for agent in range(self.world.spec.agents)],
            "keys": [self._keys(mask) for mask in self.world.spec.action_masks],
            "asking": {
                a.name: in_words(a).capitalize() for a in actions.listed if a.value in actions.table.declared
            },
            "shared": self.policies.shared,
        }

    def _keys(self, mask: Sequence[bool]) -> dict[str, list[str]]:
        """The keys of the actions that an agent has."""
        actions = self.world.actions
        has = sorted({*actions.owners[np.array(mask)].tolist()})
        return keys_for((actions.listed[i] for i in has), letters=actions.take_arguments)

    def news(self, cursor: Cursor) -> list[Reply]:
        """Return what has happened since a client last asked, and move its cursor. Another thread may run `tick` meanwhile."""
        status = [] if cursor.status == self._status else [self._status_message()]
        cursor.status = self._status
        changes, message = self._choosing.changes, self._choosing.message
        choice = [] if message is None or cursor.choice == changes else [message]
        cursor.choice = changes
        return [*status, *self._frames.news(cursor), *choice]

    def _status_message(self) -> Reply:
        return {
            "type": "status",
            "playing": self._playing,
            "speed": self._speed,
            "seed": self.game.seed,
            "again": self._again,
            "policies": list(self.policies.chosen),
            "me": self.policies.me,
        }


def _in_words(error: Exception) -> str:
    """An exception of a rule or a policy as one paragraph."""
    if isinstance(error, RequestError):
        return str(error)
    notes = "; ".join(getattr(error, "__notes__", []))
    return f"{type(error).__name__}: {error}" + (f" ({notes})" if notes else "")
