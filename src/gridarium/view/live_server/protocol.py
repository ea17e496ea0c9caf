"""The messages between the pages of a live world and its server: JSON, each with a `type`. No web code.

`docs/live-protocol.md` is made from this file.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from gridarium.view.web.messages import Pause, Step, StrictMessage, read_message

VERSION = 1
"""Changes when a message changes its meaning; kinds of messages and entries that are added do not change it."""
LARGEST = 16_384
"""The longest message from a page, in bytes."""
LONGEST_TEXT = 2000
"""The longest text that a person says, in characters."""
MOST_KEYS = 8
"""The number of keys in a message, and of those that wait for the next tick."""
MOST_UNSEEN = 4
"""The number of pictures that a page may not have drawn yet."""
SHORTEST, LONGEST = 0.02, 60.0
"""Of a tick, in seconds."""
EVERYBODY, PEOPLE, EXPERIMENTERS = "everybody", "players and experimenters", "experimenters"

Coordinate = Annotated[int, Field(ge=0, lt=1 << 31)]
Number = Annotated[int, Field(ge=0, lt=1 << 53)]
Text = Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT)]
Seconds = Annotated[float, Field(ge=SHORTEST, le=LONGEST, allow_inf_nan=False)]


# what pages say


class Keys(StrictMessage):
    """Keys that were pressed, as in JavaScript's `KeyboardEvent.key`; those without an action are refused. The last one counts."""

    type: Literal["keys"]
    keys: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=24)]], Field(min_length=1, max_length=MOST_KEYS)
    ]


class ClickCell(StrictMessage):
    """A click on a cell: a step there, or else the only possible action.

    `menu` comes back if several are possible, and before anything is removed or done to another agent.
    """

    type: Literal["click"]
    x: Coordinate
    y: Coordinate


class AskMenu(StrictMessage):
    """Which actions are possible on what is in a cell? `menu` comes back."""

    type: Literal["menu"]
    x: Coordinate
    y: Coordinate


class Choose(StrictMessage):
    """Do what an option of a menu says. Only the newest menu of a page can be chosen from."""

    type: Literal["choose"]
    menu: Number
    option: Number


class Say(StrictMessage):
    """Say something in a room, or to an agent with whom there need be no room yet: one of the two is given.

    The sender is whose link it is.
    """

    type: Literal["say"]
    text: Text
    room: Number | None = None
    to: Annotated[str, Field(min_length=1, max_length=200)] | None = None


class Read(StrictMessage):
    """The messages of a room up to this index have been read."""

    type: Literal["read"]
    room: Number
    index: Number


class Seen(StrictMessage):
    """A picture was drawn. A page with too many that it has not drawn gets nothing new until it says so: then the newest."""

    type: Literal["seen"]


class StartRun(StrictMessage):
    """Let time go on."""

    type: Literal["start"]


class Stop(StrictMessage):
    """End the run; only a reset can follow."""

    type: Literal["stop"]


class SetSpeed(StrictMessage):
    """Set the seconds from tick to tick."""

    type: Literal["speed"]
    tick_duration: Seconds


class ResetRun(StrictMessage):
    """Begin again, paused; with another seed if one is given."""

    type: Literal["reset"]
    seed: Number | None = None


Message = (
    Keys
    | ClickCell
    | AskMenu
    | Choose
    | Say
    | Read
    | Seen
    | StartRun
    | Pause
    | Step
    | Stop
    | SetSpeed
    | ResetRun
)
Control = StartRun | Pause | Step | Stop | SetSpeed | ResetRun
Deed = Keys | ClickCell | AskMenu | Choose
SENDERS: dict[type[StrictMessage], str] = {
    Keys: "players", ClickCell: "players", AskMenu: "players", Choose: "players",
    Say: PEOPLE, Read: EVERYBODY, Seen: EVERYBODY,
    StartRun: EXPERIMENTERS, Pause: EXPERIMENTERS, Step: EXPERIMENTERS, Stop: EXPERIMENTERS, SetSpeed: EXPERIMENTERS,
    ResetRun: EXPERIMENTERS,
}  # fmt: skip
"""Who may send what."""
_ADAPTER: TypeAdapter[Message] = TypeAdapter(Annotated[Message, Field(discriminator="type")])


def read(text: str | bytes) -> Message:
    """The message in a text.

    Raises:
        RequestError: it is too long, not JSON, or not a message.
    """
    return read_message(_ADAPTER, text, LARGEST)


# what the server says


class Sent(BaseModel):
    """What the server sends. Tests check what is sent against these classes; the server itself makes plain data."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Looks(Sent):
    """How an object is drawn."""

    id: str
    name: str
    type: Annotated[str, Field(description="The name of its class; of an agent, of its brain.")]
    shape: Annotated[int, Field(description="0: square, 1: triangle, 2: circle.")]
    size: Annotated[float, Field(description="1: as large as a cell.")]
    color: Annotated[str, Field(description="#rrggbb.")]
    opacity: float = 1.0
    image: Annotated[str | None, Field(description="The address of a picture that is drawn instead.")] = None


class AgentLooks(Sent):
    """What is shown of an agent besides."""

    human: bool = False
    label: Annotated[str, Field(description="One or a few characters that no other agent has.")] = ""
    team: Annotated[str, Field(description="Its first team.")] = ""
    teams: list[str] = []
    busy: Annotated[bool, Field(description="Whether it is busy with an action.")] = False
    mark: Annotated[bool, Field(description="Whether it is to be marked when it is busy.")] = False
    action: Annotated[str | None, Field(description="Its action, or its last one.")] = None
    carrying: list[Looks] = []
    turns: Annotated[
        int | None, Field(description="Quarter turns clockwise, where agents face somewhere; 0: it faces up.")
    ] = None


class DrawnObject(Looks):
    """An object or agent."""

    x: int
    y: int
    depth: Annotated[int, Field(description="What has a higher one is drawn over what has a lower one.")]
    corner: Annotated[
        bool, Field(description="Whether it is drawn from the corner of its cell, not from the centre.")
    ] = False
    subtiles: Annotated[
        list[int] | None, Field(description="Columns, rows, column, row: the part of the cell it is in.")
    ] = None
    more: Annotated[dict[str, str], Field(description="Its further properties, as texts.")] = {}
    agent: AgentLooks | None = None


class Background(Sent):
    """What is under everything."""

    color: str
    image: str | None = None


class Hello(Sent):
    """Once, at first; and again after a reset. All else that follows is new then."""

    type: Literal["hello"]
    protocol: int
    session: Annotated[str, Field(description="Tells runs of the server apart.")]
    run: Annotated[int, Field(description="Counts the resets.")]
    world: str
    role: Literal["experimenter", "player", "watcher"]
    agent: Annotated[str | None, Field(description="Whose view it is; None for everything.")]
    task: Annotated[
        str, Field(description="What is to be done, as far as the world says it; otherwise empty.")
    ]
    time_limit: Annotated[
        int | None, Field(description="The tick in which it ends; None if it has no such limit.")
    ]
    width: int
    height: int
    background: Background
    keys: Annotated[dict[str, str], Field(description="Of a player: the actions of keys.")]
    words: Annotated[dict[str, str], Field(description="The actions of one's agent, or of all, in words.")]
    command: Annotated[
        str, Field(description="Of an experimenter: what starts such a server; otherwise empty.")
    ]


class GoalProgress(Sent):
    """A goal, and how much of it is reached."""

    name: str
    progress: Annotated[float | None, Field(description="0 to 1; None if it is not known.")]
    done: bool


class FailingAgent(Sent):
    """An agent whose brain or action has raised an error, after which the world went on without it."""

    agent: str
    tick: Annotated[int, Field(description="When it first did, or when it was removed.")]
    removed: Annotated[bool, Field(description="Otherwise it does nothing whenever that happens.")]
    why: Annotated[str, Field(description="To experimenters: the error; otherwise empty.")]


class RunStatus(Sent):
    """Whenever something of it changes."""

    type: Literal["status"]
    playing: bool
    tick_duration: float
    state: Annotated[
        Literal["running", "paused", "done", "stopped", "failed"],
        Field(
            description="done: the goals are reached; failed: after an error, which experimenters are told."
        ),
    ]
    goals: list[GoalProgress]
    earned: Annotated[
        dict[str, float], Field(description="The rewards of agents so far, in worlds of the catalogue.")
    ]
    failing: list[FailingAgent]


class Link(Sent):
    """A link, and whether somebody uses it."""

    role: Literal["experimenter", "player", "watcher"]
    agent: str | None
    path: Annotated[str, Field(description="The address of the page, from the root of the server.")]
    pages: Annotated[int, Field(description="How many pages are open.")]


class People(Sent):
    """To experimenters: the links, and who is there, whenever it changes."""

    type: Literal["people"]
    links: list[Link]


class PictureUpdate(Sent):
    """What the agent perceives, of experimenters everything: what has changed since the last picture.

    A page says with `seen` that it has drawn one. A page that is slow gets the newest one, with all that has changed
    meanwhile, not each one in between.
    """

    type: Literal["picture"]
    tick: int
    changed: Annotated[list[DrawnObject], Field(description="What is new or different, whole.")]
    gone: Annotated[list[str], Field(description="The ids of what is not perceived any more.")]


class Room(Sent):
    """A room for messages."""

    room: int
    kind: Literal["global", "team", "private"]
    name: Annotated[str, Field(description="Of a private room: who else is in it.")]
    unread: int
    read_only: Annotated[str, Field(description="Why one cannot write there; empty if one can.")]


class Rooms(Sent):
    """The rooms of an agent, of experimenters all; and to whom one can write. Whenever something of it changes."""

    type: Literal["rooms"]
    rooms: list[Room]
    people: Annotated[list[str], Field(description="The agents that one knows of.")]
    me: Annotated[str, Field(description="As whom one writes.")]


class Said(Sent):
    """A message of an agent."""

    index: Annotated[int, Field(description="In its room, from 0.")]
    sender: str
    text: str
    tick: int


class Messages(Sent):
    """What has been said in a room, from where the page has it. Of many messages, the last ones."""

    type: Literal["messages"]
    room: int
    messages: list[Said]


class MenuOption(Sent):
    """An action."""

    text: str


class Menu(Sent):
    """What is possible in a cell, when it was asked for."""

    type: Literal["menu"]
    menu: Annotated[int, Field(description="Its number, for `choose`.")]
    x: int
    y: int
    options: list[MenuOption]


class Failed(Sent):
    """To a player: why what the agent did in the last tick has failed."""

    type: Literal["failed"]
    text: str


class Notice(Sent):
    """What has happened otherwise."""

    type: Literal["notice"]
    text: str


class Error(Sent):
    """Why a message was refused, or to experimenters, what went wrong in the world."""

    type: Literal["error"]
    text: str
    said: Annotated[str | None, Field(description="What one wanted to say, if that is what was refused.")] = (
        None
    )


class Busy(Sent):
    """The tick under way takes long."""

    type: Literal["busy"]


class Alive(Sent):
    """Nothing new for a while."""

    type: Literal["alive"]


SENT = (Hello, RunStatus, People, PictureUpdate, Rooms, Messages, Menu, Failed, Notice, Error, Busy, Alive)
"""All that the server sends."""
