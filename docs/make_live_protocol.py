"""Writes docs/live-protocol.md from the classes of the messages: `python -m docs.make_live_protocol`."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pydantic import BaseModel, TypeAdapter

from gridarium.live import GridWorld
from gridarium.view.live_server import protocol
from gridarium.view.live_server.http_api import HttpApi, openapi
from gridarium.view.live_server.session import LiveSession

PAGE = Path(__file__).parent / "live-protocol.md"
HEAD = f"""# The protocol of live worlds

The pages that `gridarium live` serves ([live worlds in the browser](live-in-the-browser.md)) talk to the server by the messages
below, and so may any other program. This page is made from the classes of the messages
(`src/gridarium/view/live_server/protocol.py`), against which tests check all that is sent.

- A page connects to the WebSocket `session` below its link: `ws://127.0.0.1:8000/p/TOKEN/session`. The link says who it is;
  no message does. Another Host or Origin than the server's own is refused.
- Messages are JSON in text frames, each with a `type`. Those to the server have at most {protocol.LARGEST} bytes, and what is
  not declared below is refused with `error`: other types, other entries, numbers as texts. Those of the server may get
  further entries in the future: ignore what you do not know.
- `protocol` in `hello` is the version, now {protocol.VERSION}. It changes when a message changes its meaning.
- A page answers each `picture` with `seen`. While {protocol.MOST_UNSEEN} pictures are not answered, nothing new is sent; then what is
  newest is. So a slow page misses pictures, but nothing that they show, and no queue grows.
- Positions are x to the right and y down, from 0 at the upper left. Texts are texts, never markup.
"""
OVER_HTTP = """
## Over HTTP, for scripts

These need the header `Authorization: Bearer TOKEN` with the token of the experimenter's link, the part after `/p/`. The server
describes them at `/openapi.json` in OpenAPI 3.1, and shows that at `/api/`. Bodies and answers are JSON.

| request | what it does | body | answer |
| --- | --- | --- | --- |
"""


def page() -> str:
    """The page."""
    received = [*protocol.SENDERS]
    parts = [HEAD, "\n## From a page\n"]
    parts += [_message(model, f"From {protocol.SENDERS[model]}.") for model in received]
    parts.append("\n## To a page\n")
    parts += [_message(model) for model in protocol.SENT]
    parts.append("\n## Parts of messages\n")
    parts += [_part(name, schema) for name, schema in _parts(protocol.SENT).items()]
    parts.append(OVER_HTTP + "".join(_requests()))
    return "".join(parts)


def _requests() -> Iterable[str]:
    api = HttpApi(LiveSession(GridWorld((1, 1), compiled=False)), lambda: None)  # type: ignore[arg-type, return-value]
    described = openapi(api.endpoints)
    for each in api.endpoints:
        body = "" if each.takes is None else _names(each.takes)
        yield f"| `{each.method} {each.path}` | {each.summary} | {body} | {_names(each.gives)} |\n"
    assert {each.path for each in api.endpoints} == {*described["paths"]}


def _names(model: type[BaseModel]) -> str:
    return ", ".join(f"`{name}`" for name in model.model_fields)


def _message(model: type[BaseModel], further: str = "") -> str:
    schema = model.model_json_schema()
    kind = schema["properties"]["type"]["const"]
    text = " ".join(inspect.getdoc(model).split())  # type: ignore[union-attr]
    return f"\n### `{kind}`\n\n{text} {further}".rstrip() + "\n" + _table(schema)


def _part(name: str, schema: dict[str, Any]) -> str:
    return f"\n### {name}\n\n{' '.join(schema.get('description', '').split())}\n{_table(schema)}"


def _parts(models: Iterable[type[BaseModel]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for model in models:
        found |= TypeAdapter(model).json_schema().get("$defs", {})
    return dict(sorted(found.items()))


def _table(schema: dict[str, Any]) -> str:
    rows = []
    for name, field in schema.get("properties", {}).items():
        if name == "type" and "const" in field:
            continue
        optional = "" if name in schema.get("required", ()) else " (optional)"
        said = " ".join(filter(None, (field.get("description", ""), _limits(field))))
        rows.append(f"| `{name}`{optional} | {_type(field)} | {said} |\n")
    return "\n| entry | type | |\n| --- | --- | --- |\n" + "".join(rows) if rows else ""


def _type(field: dict[str, Any]) -> str:
    if "$ref" in field:
        name = field["$ref"].rsplit("/", 1)[-1]
        return f"[{name}](#{re.sub(r'[^a-z]', '', name.lower())})"
    if "anyOf" in field:
        return " or ".join(_type(each) for each in field["anyOf"])
    if "enum" in field:
        return ", ".join(f"`{value}`" for value in field["enum"])
    kind = field.get("type", "anything")
    if kind == "array":
        return f"list of {_type(field['items'])}"
    if kind == "object":
        return f"object: text to {_type(field['additionalProperties'])}"
    return {"string": "text", "integer": "whole number", "boolean": "true or false", "null": "null"}.get(
        kind, kind
    )


def _limits(field: dict[str, Any]) -> str:
    if "maxLength" in field:
        return f"{field.get('minLength', 0)} to {field['maxLength']} characters."
    if "maxItems" in field:
        return f"{field.get('minItems', 0)} to {field['maxItems']} of them."
    if "maximum" in field:
        return f"{field['minimum']:g} to {field['maximum']:g}."
    return ""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
