"""The messages between a page and a server: JSON, each with a `type`. No web code.

From the page, see the classes below, and `Pause` and `Step`, which live worlds have, too. To the page:

    hello    protocol, session, header, policies, keys, asking, shared, command: once, at first; `asking` has the actions that
             take arguments, in words; `shared` is whether people can play several agents; the command starts such a server
    status   playing, speed, seed, again, policies, me: whenever one of them changes
    sync     seq, frame, symbols, history: all there is to show, at first and after a jump
    frame    seq, frame, symbols: the next frame, what has changed; only new symbols
    choice   what people are to choose, see `gridarium.view.server.choosing`: whenever it changes, where actions take
             arguments, agents take turns, or legal rules say what is possible
    state    state: the whole state, when it was asked for
    notice   text: what else has changed by what was asked for
    error    text: why a message was refused, or what went wrong in the world
    busy     the tick under way takes long: a policy thinks
    alive    nothing new for a while
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from gridarium.view.web.messages import Pause, Step, StrictMessage, read_message

VERSION = 1
"""Changes when a message changes its meaning; kinds of messages and entries that are added do not change it."""
LARGEST = 1 << 20
"""The longest message from a page, in bytes."""
SLOWEST, FASTEST = 0.25, 60.0
"""Ticks a second."""


class Play(StrictMessage):
    """Let time go on."""

    type: Literal["play"]


class Back(StrictMessage):
    """Undo one tick, and pause."""

    type: Literal["back"]


class Speed(StrictMessage):
    """Sets the number of ticks per second."""

    type: Literal["speed"]
    value: Annotated[float, Field(ge=SLOWEST, le=FASTEST, allow_inf_nan=False)]


class Reset(StrictMessage):
    """Begin the episode of a seed; without one, that of the present seed once more."""

    type: Literal["reset"]
    seed: Annotated[int, Field(ge=0, lt=1 << 53)] | None = None


class Again(StrictMessage):
    """Sets whether the next episode begins by itself at the end of one."""

    type: Literal["again"]
    value: bool


class ChoosePolicy(StrictMessage):
    """Sets the policy of an agent; `beside` is whether people go on playing other agents as well."""

    type: Literal["policy"]
    agent: Annotated[int, Field(ge=0)]
    name: str
    beside: bool = False


class Act(StrictMessage):
    """The action of the agent that is played from the keyboard; one tick follows."""

    type: Literal["act"]
    action: str


class Click(StrictMessage):
    """A click on a cell, by its row and column: it chooses the next argument of an action."""

    type: Literal["click"]
    y: Annotated[int, Field(ge=0)]
    x: Annotated[int, Field(ge=0)]


class Enter(StrictMessage):
    """An action, or a part of it, as text: PLACE(2, 3), PLACE or 2 3; or the text of an option."""

    type: Literal["enter"]
    text: Annotated[str, Field(max_length=200)]


class Cancel(StrictMessage):
    """Take back the part of an action that was chosen last."""

    type: Literal["cancel"]


class GetState(StrictMessage):
    """Ask for the whole state."""

    type: Literal["state"]


class SetState(StrictMessage):
    """Replace the present state, and pause; `gridarium.world.text_form.json` says what it looks like."""

    type: Literal["set_state"]
    state: dict[str, Any]


Message = (
    Play
    | Pause
    | Step
    | Back
    | Speed
    | Reset
    | Again
    | ChoosePolicy
    | Act
    | Click
    | Enter
    | Cancel
    | GetState
    | SetState
)
AT_ONCE = (Pause, Speed, Again)
"""Requests that can be handled during a tick, since they only affect what follows it."""
_ADAPTER: TypeAdapter[Message] = TypeAdapter(Annotated[Message, Field(discriminator="type")])


def read(text: str | bytes) -> Message:
    """The message in a text.

    Raises:
        RequestError: it is too long, not JSON, or not a message.
    """
    return read_message(_ADAPTER, text, LARGEST)
