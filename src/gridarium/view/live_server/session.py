"""A live world that several people look at and take part in, each by a link. No web code."""

from __future__ import annotations

import itertools
import logging
import secrets
import threading
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, assert_never

from gridarium.live import AgentBody, AgentBrain, GridWorld, HumanAgentBrain, Message, State
from gridarium.view.live_server import protocol
from gridarium.view.live_server.access import Links, Role, Seat
from gridarium.view.live_server.chat import NO_WATCHERS, Chat, ChatCursor
from gridarium.view.live_server.choices import STEPS, Choice, choices_at, in_words
from gridarium.view.live_server.failures import why_failed
from gridarium.view.live_server.goals_shown import goals_of
from gridarium.view.live_server.labels import label_for
from gridarium.view.live_server.pictures import NOTHING, Media, Objects, View
from gridarium.view.web.messages import Pause, Reply, RequestError, Step, error, notice

_LOG = logging.getLogger(__name__)
DELIVERED_NEXT_TICK = 100
"""The number of messages of one person that wait for the next tick; more are refused."""
SPEAKER = "experimenter"
NOT_ANSWERED = "This cannot be answered because of an error in the world."
STOPPED = "The world has stopped because of an error. The experimenter has been told."


@dataclass
class PageCursor:
    """What a page has received, and the menu that it was offered."""

    run: int = -1
    status: Reply | None = None
    people: Reply | None = None
    seq: int = -1
    objects: Objects = field(default_factory=lambda: NOTHING)
    chat: ChatCursor = field(default_factory=ChatCursor)
    unseen: int = 0
    told: str = ""
    failed: int = 0
    menu: int = -1
    choices: list[Choice] = field(default_factory=list)


class LiveSession:
    """A world, its clock, and the people who look at it; the caller runs the clock, see `tick` and `delay`.

    `tick` and `handle` change the world, and are called by one thread at a time. What `handle` does at once (`at_once`)
    only affects what follows a tick, so that it may be called during one; so may `news`, `join` and `leave`.

    Args:
        world: the world.
        seats: who may look; by default `seats_of(world)`.
        name: of the world, as people see it; by default its `world_id`.
        playing: whether time goes on by itself at first.
        media: a folder of pictures that objects may name as their `img_name`.
        command: that starts such a server, for the pages of experimenters that have lost theirs.
        announce: is told of the seats that are made for agents that come while the world runs, as `seats_of` makes them.
        keep: is given the world whenever a run of it ends, to keep something of it: before a reset, and when the session is closed.

    Attributes:
        world: as given.
        name: of the world.
        links: the seats by their links.
        media: the pictures.
        id: tells sessions apart, so that a page knows when a server has been restarted.
    """

    def __init__(
        self,
        world: GridWorld,
        seats: Iterable[Seat] | None = None,
        *,
        name: str | None = None,
        playing: bool = False,
        media: str | Path | None = None,
        command: str = "",
        announce: Callable[[Seat], object] | None = None,
        keep: Callable[[GridWorld], object] | None = None,
    ) -> None:
        self.world, self.command, self.id = world, command, secrets.token_hex(8)
        self.links = Links(seats_of(world) if seats is None else seats)
        self._announce, self._keep = announce, keep
        self._seated = {*world.registered_agents, *(seat.agent_id for seat in self.links)}
        self.media = Media(media, world.core.composed.vocabulary)
        self.name = str(world.world_id) if name is None else name
        self._playing, self._stopped, self._failure = playing, False, ""
        self._lock, self._stepping, self._closed = threading.Lock(), threading.Lock(), False
        self._keys: dict[str, deque[str]] = {}
        self._said: dict[Seat, list[Message]] = {}
        self._left: set[str] = set()
        self._menus = itertools.count()
        self._views: dict[str | None, View] = {}
        self._labels: dict[str, str] = {}
        self._failed: dict[str, str] = {}
        self._failing: dict[str, dict[str, Any]] = {}
        self._earned: dict[str, float] = {}
        self._run = 0
        self._chat = Chat(_unused(SPEAKER, world.registered_agents))
        self._status: Reply = {}
        world.begin()
        self._look()

    # the clock

    @property
    def running(self) -> bool:
        """Whether `tick` should be called after `delay`."""
        return self.state == "running"

    @property
    def delay(self) -> float:
        """Seconds until the next tick."""
        return min(max(float(self.world.tick_duration), protocol.SHORTEST), protocol.LONGEST)

    @property
    def state(self) -> str:
        """What time does: running, paused, done, stopped, or failed."""
        if self._failure:
            return "failed"
        if self._stopped:
            return "stopped"
        if self.world.is_done:
            return "done"
        return "running" if self._playing else "paused"

    @property
    def failure(self) -> str:
        """What went wrong in the world; "" if nothing did."""
        return self._failure

    def tick(self) -> list[Reply]:
        """Let one tick pass; returns nothing, as what is new is told by `news`."""
        with self._stepping:
            self._hand_over()
            self._failed, self._closed = {}, False
            try:
                if not self.world.step():
                    self._failed = self._failures()
                    for agent_id, reward in self.world.rewards.items():
                        self._earned[agent_id] = self._earned.get(agent_id, 0.0) + reward
            except Exception as failed:
                self._fail(failed)
            self._note_errors()
            self._look()
        return []

    def close(self) -> None:
        """End the session, after the tick under way: what loggers have kept is written, and the run is kept."""
        with self._stepping:
            if not self._closed:
                self._closed = True
                self._end()

    def _end(self) -> None:
        """A run has ended."""
        self.world.close()
        if self._keep is not None:
            self._keep(self.world)

    def _failures(self) -> dict[str, str]:
        """Why actions of people have failed in the last tick, by their agents."""
        brains = self.world.brains
        people = ((key, body) for key, body in self.world.registered_agents.items() if body.is_human_agent)
        return {key: why for key, body in people if (why := why_failed(body, brains[key]))}

    def _note_errors(self) -> None:
        """Note which agents have failed in the last tick, and were left out or removed, each once."""
        world = self.world
        for tick, agent_id, failed in world.errors:
            if tick < world.current_nr_ticks - 1:
                continue
            removed = agent_id not in world.registered_agents
            if world.on_brain_error != "stop" and (removed or agent_id not in self._failing):
                note = {"agent": agent_id, "tick": tick, "removed": removed, "why": _in_words(failed)}
                self._failing = {**self._failing, agent_id: note}

    def _fail(self, failed: Exception) -> None:
        _LOG.error("%s", failed, exc_info=failed)
        self._playing, self._failure = False, _in_words(failed)
        self.world.close()

    def _hand_over(self) -> None:
        """Give the world what people have said and which keys they have pressed since the last tick; who has left wants nothing."""
        with self._lock:
            keys, self._keys = self._keys, {}
            said, self._said = self._said, {}
            left, self._left = self._left, set()
        for agent_id in left:
            brain = self.world.brains.get(agent_id)
            if isinstance(brain, HumanAgentBrain):
                brain.request(None)
        for agent_id, pressed in keys.items():
            if agent_id in self.world.registered_agents:
                self.world.put_user_input(agent_id, [*pressed])
        for messages in said.values():
            for message in messages:
                self.world.put_message(message)

    def _look(self) -> None:
        """Bring what people see and read up to date."""
        self._seat_newcomers()
        watched = {seat.agent_id for seat in self.links if seat.pages}
        for agent_id in [*self._views]:
            if agent_id not in watched:
                del self._views[agent_id]
        for agent_id in watched:
            self._look_as(agent_id)
        self._chat.update(self.world.message_manager)
        for seat in self.links:
            if seat.pages or seat.role is Role.EXPERIMENTER:  # scripts have no page
                self._meet(seat)
        self._status = self._status_now()

    def _seat_newcomers(self) -> None:
        """Make a label and a link for each agent that has come since; who comes again under its id has those from before."""
        for agent_id, body in self.world.registered_agents.items():
            if agent_id not in self._labels:
                self._labels[agent_id] = label_for(body.obj_name, self._labels.values())
            if agent_id not in self._seated:
                self._seated.add(agent_id)
                seat = _seat_for(agent_id, body)
                self.links.add(seat)
                if self._announce is not None:
                    self._announce(seat)

    def _look_as(self, agent_id: str | None) -> View:
        view = self._views.setdefault(agent_id, View(self.media, self._labels))
        view.update(self.perceived(agent_id), self.world.current_nr_ticks)
        return view

    def perceived(self, agent_id: str | None) -> dict[str, Any]:
        """The properties of what an agent perceives, by id; None: of all there is. The world is not used meanwhile."""
        return perceived(self.world, agent_id)

    def _meet(self, seat: Seat) -> None:
        """Somebody gets to know the agents of the teams of theirs, those that they see, and those that write to them."""
        me = seat.agent_id
        if me is None:
            seat.known = dict.fromkeys(self.world.registered_agents)
            return
        known = dict(seat.known)  # which `news` may be reading
        for members in self.world.teams.values():
            if me in members:
                known.update(dict.fromkeys(members))
        view = self._views.get(me)
        for key, each in (view.objects if view else NOTHING).items():
            if "agent" in each:
                known[key] = None
        agents = self.world.registered_agents
        for room in self._chat.of(seat):
            known.update((m["sender"], None) for m in room.last[-1:] if m["sender"] in agents)
        known.pop(me, None)
        seat.known = known

    # people

    def join(self, seat: Seat) -> None:
        """A page has been opened. Call `show` before `news`."""
        seat.pages += 1
        with self._lock:
            self._left.discard(seat.agent_id or "")

    def show(self, seat: Seat) -> list[Reply]:
        """Make what somebody sees, for a page that has been opened. The world is not used meanwhile."""
        if seat.agent_id not in self._views:
            self._look_as(seat.agent_id)
        self._meet(seat)
        return []

    def leave(self, seat: Seat) -> None:
        """A page has been closed. Who has no other one is idle from now on."""
        seat.pages -= 1
        if seat.pages == 0 and seat.agent_id is not None and seat.role is Role.PLAYER:
            with self._lock:
                self._keys.pop(seat.agent_id, None)
                self._left.add(seat.agent_id)

    # what people want

    @staticmethod
    def at_once(message: protocol.Message) -> bool:
        """Whether a message can be handled during a tick."""
        return isinstance(
            message,
            protocol.Keys
            | protocol.Say
            | protocol.Read
            | protocol.Seen
            | protocol.StartRun
            | Pause
            | protocol.SetSpeed,
        )

    def handle(self, seat: Seat, cursor: PageCursor, message: protocol.Message) -> list[Reply]:
        """Handle a message; returns the replies to its sender."""
        try:
            if isinstance(message, protocol.Control):
                if seat.role is not Role.EXPERIMENTER:
                    raise RequestError(f"only {protocol.EXPERIMENTERS} do that")
                return self.control(message)
            if isinstance(message, protocol.Deed):
                if seat.role is not Role.PLAYER or seat.agent_id is None:
                    raise RequestError("only players do that")
                return self._deed(seat.agent_id, cursor, message)
            if isinstance(message, protocol.Seen):
                cursor.unseen = max(cursor.unseen - 1, 0)
                return []
            if isinstance(message, protocol.Read):
                self._chat.mark_read(seat, message.room, message.index)
                return []
            self.say(seat, message.text, room=message.room, to=message.to)
        except RequestError as refused:
            said = {"said": message.text} if isinstance(message, protocol.Say) else {}
            return [error(str(refused)) | said]
        except (
            Exception
        ) as failed:  # of an action or a brain of somebody's own that was asked what is possible
            _LOG.error("%s: %s", type(message).__name__, failed, exc_info=failed)
            return [error(_in_words(failed) if seat.role is Role.EXPERIMENTER else NOT_ANSWERED)]
        return []

    def control(self, message: protocol.Control) -> list[Reply]:
        """Do what an experimenter wants.

        Raises:
            RequestError: it is not possible now.
        """
        match message:
            case protocol.StartRun():
                self._check_goes_on()
                self._playing = True
            case Pause():
                self._playing = False
            case protocol.Stop():
                self._playing, self._stopped = False, True
                self.world.close()
            case protocol.SetSpeed(tick_duration=seconds):
                self.world.tick_duration = seconds
            case Step():
                self._check_goes_on()
                self._playing = False
                return self.tick()
            case protocol.ResetRun(seed=seed):
                self._reset(seed)
            case _:
                assert_never(message)
        self._status = self._status_now()
        return []

    def _check_goes_on(self) -> None:
        if self.state in ("stopped", "done", "failed"):
            raise RequestError(f"this run is over ({self.state}): reset it first")

    def _reset(self, seed: int | None) -> None:
        self._end()
        with self._lock:
            self._keys, self._said = {}, {}
        self._playing, self._stopped, self._failure = False, False, ""
        try:
            self.world.reset(seed)
        except Exception as failed:
            self._fail(failed)
        self._views.clear()
        self._failed, self._failing, self._earned = {}, {}, {}
        self._chat.begin()
        for seat in self.links:
            seat.read = {}
            seat.known = {}
        self._run += 1
        self._look()

    def say(self, seat: Seat, text: str, *, room: int | None = None, to: str | None = None) -> None:
        """Say something, as whose seat it is; it is delivered with the next tick.

        Raises:
            RequestError: to nobody whom they know, or too much at once.
        """
        me = self._chat.me(seat)
        if not me:
            raise RequestError(NO_WATCHERS)
        message = Message(text, me, self._chat.address(seat, room, to))
        with self._lock:
            waiting = self._said.setdefault(seat, [])
            if len(waiting) >= DELIVERED_NEXT_TICK:
                raise RequestError("too many of your messages wait for the next tick")
            waiting.append(message)

    def _deed(self, agent_id: str, cursor: PageCursor, message: protocol.Deed) -> list[Reply]:
        match message:
            case protocol.Keys(keys=keys):
                self._press(agent_id, keys)
            case protocol.ClickCell(x=x, y=y):
                choices = self._choices(agent_id, x, y)
                step = next((choice for choice in choices if choice.action in STEPS), None)
                if not choices:
                    return [notice("Nothing can be done there now.")]
                if step is None and (len(choices) > 1 or choices[0].only_chosen):
                    return [self._offer(cursor, x, y, choices)]
                self._do(agent_id, step or choices[0])
            case protocol.AskMenu(x=x, y=y):
                return [self._offer(cursor, x, y, self._choices(agent_id, x, y))]
            case protocol.Choose(menu=menu, option=option):
                if menu != cursor.menu or option >= len(cursor.choices):
                    raise RequestError("this menu does not hold any more: ask for it again")
                self._do(agent_id, cursor.choices[option])
            case _:
                assert_never(message)
        return []

    def _press(self, agent_id: str, keys: list[str]) -> None:
        known = self._keys_of(agent_id)
        for key in keys:
            if key not in known:
                raise RequestError(f"the key {key!r} has no action; there are {', '.join(map(repr, known))}")
        with self._lock:
            self._keys.setdefault(agent_id, deque(maxlen=protocol.MOST_KEYS)).extend(keys)

    def _keys_of(self, agent_id: str | None) -> dict[str, str]:
        body = self.world.registered_agents.get(agent_id or "")
        return dict(body.key_action_map or {}) if body is not None else {}

    def _choices(self, agent_id: str, x: int, y: int) -> list[Choice]:
        view = self._views.get(agent_id)
        return choices_at(self.world, agent_id, view.objects if view else NOTHING, x, y)

    def _offer(self, cursor: PageCursor, x: int, y: int, choices: list[Choice]) -> Reply:
        cursor.menu, cursor.choices = next(self._menus), choices
        options = [{"text": choice.text} for choice in choices]
        return {"type": "menu", "menu": cursor.menu, "x": x, "y": y, "options": options}

    def _do(self, agent_id: str, choice: Choice) -> None:
        brain = self.world.brains.get(agent_id)
        if choice.message is not None:
            self.world.put_message(choice.message)
        elif isinstance(brain, HumanAgentBrain):
            brain.request(choice.action, choice.arguments)

    # what people get

    def news(self, seat: Seat, cursor: PageCursor) -> list[Reply | str]:
        """What has happened since a page last asked; moves its cursor. Nothing, while it has too many pictures to draw."""
        if cursor.unseen >= protocol.MOST_UNSEEN:
            return []
        news: list[Reply | str] = []
        if cursor.run != self._run:
            cursor.__init__(run=self._run, unseen=cursor.unseen)  # type: ignore[misc]
            news.append(self._hello(seat))
        if cursor.status != self._status:
            cursor.status = self._status
            news.append(self._status if seat.role is Role.EXPERIMENTER else _without_reasons(self._status))
        if seat.role is Role.EXPERIMENTER and (people := self.people()) != cursor.people:
            cursor.people = people
            news.append(people)
        if cursor.told != self._failure:
            cursor.told = self._failure
            news.append(error(self._failure if seat.role is Role.EXPERIMENTER else STOPPED))
        view = self._views.get(seat.agent_id)
        if view is not None and view.seq != cursor.seq:
            cursor.unseen += 1
            cursor.seq, cursor.objects, text = view.since(cursor.seq, cursor.objects)
            news.append(text)
        now, why = self.world.current_nr_ticks, self._failed.get(seat.agent_id or "")
        if why and seat.role is Role.PLAYER and cursor.failed != now:
            cursor.failed = now
            news.append({"type": "failed", "text": why})
        return [*news, *self._chat.news(seat, cursor.chat)]

    def _hello(self, seat: Seat) -> Reply:
        width, height = self.world.shape
        settings, spec = self.world.vis_settings, self.world.core.spec
        bodies = [b for a, b in self.world.registered_agents.items() if seat.agent_id in (a, None)]
        return {
            "type": "hello",
            "protocol": protocol.VERSION,
            "session": self.id,
            "run": self._run,
            "world": self.name,
            "role": seat.role.value,
            "agent": seat.agent_id,
            "task": spec.description.description,
            "time_limit": spec.time_limit,
            "width": width,
            "height": height,
            "background": {
                "color": str(settings.get("vis_bg_clr") or "#C2C2C2"),
                "image": self.media.address(settings.get("vis_bg_img")),
            },
            "keys": self._keys_of(seat.agent_id) if seat.role is Role.PLAYER else {},
            "words": {name: in_words(name) for body in bodies for name in body.action_set},
            "command": self.command if seat.role is Role.EXPERIMENTER else "",
        }

    def people(self) -> Reply:
        """The links and who is there, for experimenters."""
        links = [
            {"role": seat.role.value, "agent": seat.agent_id, "path": seat.path, "pages": seat.pages}
            for seat in self.links
        ]
        return {"type": "people", "links": links}

    def all_rooms(self) -> list[dict[str, Any]]:
        """All rooms, and what was said there last, for experimenters."""
        return [
            {"room": r.number, "kind": r.kind, "name": r.name, "members": [*r.members], "messages": [*r.last]}
            for r in self._chat.rooms
        ]

    @property
    def status(self) -> Reply:
        """What time does, and how far the goals are."""
        return self._status

    def _status_now(self) -> Reply:
        return {
            "type": "status",
            "playing": self.running,
            "tick_duration": float(self.world.tick_duration),
            "state": self.state,
            "goals": goals_of(self.world),
            "earned": dict(self._earned),
            "failing": [*self._failing.values()],
        }


def _without_reasons(status: Reply) -> Reply:
    """A status without what only experimenters are told."""
    return {**status, "failing": [{**each, "why": ""} for each in status["failing"]]}


def seats_of(world: GridWorld) -> list[Seat]:
    """An experimenter, a watcher of everything, for each person's agent a player, for each other agent a watcher."""
    return [
        Seat(Role.EXPERIMENTER),
        Seat(Role.WATCHER),
        *itertools.starmap(_seat_for, world.registered_agents.items()),
    ]


def _seat_for(agent_id: str, body: AgentBody) -> Seat:
    return Seat(Role.PLAYER if body.is_human_agent else Role.WATCHER, agent_id)


def perceived(world: GridWorld, agent_id: str | None) -> dict[str, Any]:
    """The properties of what an agent perceives, by id; None: of all there is."""
    if agent_id is None:
        found = world.world_state.as_dict()
    elif agent_id in world.registered_agents:
        found = _newest(world, world.brains[agent_id]).as_dict()
    else:
        return {}
    found.pop("World", None)
    return found


def _newest(world: GridWorld, brain: AgentBrain) -> State:
    """What an agent knows after the last tick.

    A brain that filters its observations itself is not asked to do so more often than once in a tick: of it this is what it
    knew when it decided last.
    """
    if type(brain).filter_observations not in (
        AgentBrain.filter_observations,
        HumanAgentBrain.filter_observations,
    ):
        return brain.state
    brain.perceive(world)
    return brain.filter_observations(brain.state)


def _unused(name: str, taken: Iterable[str]) -> str:
    used = {*taken}
    names = itertools.chain([name], (f"{name}_{i}" for i in itertools.count(1)))
    return next(each for each in names if each not in used)


def _in_words(failed: Exception) -> str:
    notes = "; ".join(getattr(failed, "__notes__", []))
    return f"{type(failed).__name__}: {failed}" + (f" ({notes})" if notes else "")
