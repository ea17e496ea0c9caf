"""What scripts send over HTTP, and what comes back."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from gridarium.view.live_server.protocol import GoalProgress, Link, Number, Said, Seconds, Text
from gridarium.view.web.messages import StrictMessage


class ResetPost(StrictMessage):
    """How to begin again."""

    seed: Annotated[Number | None, Field(description="Of the run; None: the same as before.")] = None


class SpeedPost(StrictMessage):
    """How fast time goes."""

    tick_duration: Annotated[Seconds, Field(description="In seconds.")]


class ChatPost(StrictMessage):
    """Something to say."""

    text: Text
    to: Annotated[str | None, Field(description="The id of an agent; None: all agents.")] = None


class _Given(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Done(_Given):
    """It was done."""

    state: Annotated[str, Field(description="running, paused, done, stopped or failed.")]
    tick: int


class Failure(_Given):
    """Why it was not done."""

    error: str


class AgentInfo(_Given):
    """An agent."""

    agent_id: str
    human: bool
    teams: list[str]


class WorldInfo(_Given):
    """A world at a time."""

    world: str
    tick: int
    tick_duration: Annotated[float, Field(description="In seconds.")]
    state: Annotated[str, Field(description="running, paused, done, stopped or failed.")]
    failure: Annotated[str, Field(description="The error after which it failed; otherwise empty.")]
    width: int
    height: int
    goals: list[GoalProgress]
    agents: list[AgentInfo]


class PropertiesInfo(_Given):
    """The properties of objects and agents, by id."""

    tick: int
    objects: dict[str, dict[str, Any]]


class RoomInfo(_Given):
    """A room, and what was said there last."""

    room: int
    kind: str
    name: str
    members: list[str]
    messages: list[Said]


class MessagesInfo(_Given):
    """All rooms."""

    rooms: list[RoomInfo]


class LinkInfo(_Given):
    """All links."""

    links: list[Link]
