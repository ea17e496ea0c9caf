"""Messages between pages and servers as JSON. No web code."""

from __future__ import annotations

from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

Reply = dict[str, Any]

M = TypeVar("M")


class RequestError(Exception):
    """A message that cannot be handled; its text says why."""


class StrictMessage(BaseModel):
    """A message from a page: nothing is converted, and nothing may be in it that is not declared."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Pause(StrictMessage):
    """Stop time."""

    type: Literal["pause"]


class Step(StrictMessage):
    """One tick, and pause."""

    type: Literal["step"]


def read_message(adapter: TypeAdapter[M], text: str | bytes, largest: int) -> M:
    """Return the message in a text.

    Raises:
        RequestError: it is longer than `largest` bytes, not JSON, or not a message.
    """
    if len(text) > largest:
        raise RequestError(f"a message has at most {largest} bytes, this one has {len(text)}")
    try:
        return adapter.validate_json(text)
    except ValidationError as error:
        raise RequestError(f"this message is not understood: {first_error(error)}") from None


def first_error(error: ValidationError) -> str:
    """Return what was wrong first, and where, without repeating what was sent."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{f'{place}: ' if place else ''}{first['msg']}"


def notice(text: str) -> Reply:
    """A reply that says what else has changed."""
    return {"type": "notice", "text": text}


def error(text: str) -> Reply:
    """A reply that says what went wrong."""
    return {"type": "error", "text": text}
