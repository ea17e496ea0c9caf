"""What is drawn of a live world: the objects that somebody perceives, and what has changed since they were last sent."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gridarium.draw.svg.document import symbol
from gridarium.live.objects.agent_body import FACINGS
from gridarium.world import GridObject
from gridarium.world.vocabulary import Vocabulary

SVG = "http://www.w3.org/2000/svg"
SHOWN_ELSEWHERE = frozenset(
    (
        *("name", "obj_id", "location", "class_inheritance", "visualization", "carried_by"),
        *("isAgent", "is_human_agent", "team", "teams", "action_set", "sense_capability", "is_carrying", "key_action_map"),
        *("is_blocked_by_action", "current_action", "current_action_args", "current_action_duration"),
        *("facing", "holding", "kind", "current_action_started_at_tick", "img_name", "subtiles", "subtile_loc"),
    )
)  # fmt: skip
LONGEST_VALUE = 200
MOST_VALUES = 20
COLOR = re.compile(r"#[0-9a-fA-F]{3,8}")
GREY = "#808080"
PICTURES = frozenset((".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg"))


class Media:
    """The pictures of a folder; nothing outside of it is one.

    Args:
        folder: None for no pictures.
        vocabulary: of the core, whose pictures objects of worlds of the catalogue have.
    """

    def __init__(self, folder: str | Path | None, vocabulary: Vocabulary | None = None) -> None:
        kinds, colors = ({}, {}) if vocabulary is None else (vocabulary.kinds, vocabulary.colors)
        self._kinds = {kind.__name__: kind for kind in kinds.values()}
        self._colors = {color.name: color for color in colors.values()}
        self._folder = None if folder is None else Path(folder).resolve()

    def find(self, name: str) -> Path | None:
        """The file of a picture; None if there is none of this name in the folder."""
        if self._folder is None or "\0" in name:
            return None
        found = (self._folder / name.removeprefix("/")).resolve()
        inside = found.is_relative_to(self._folder) and found.suffix.lower() in PICTURES
        return found if inside and found.is_file() else None

    def address(self, name: object) -> str | None:
        """The address of a picture, relative to that of a page; None if there is none."""
        if not isinstance(name, str) or (found := self.find(name)) is None or self._folder is None:
            return None
        return f"media/{found.relative_to(self._folder).as_posix()}"

    def core_address(self, properties: Mapping[str, Any]) -> str | None:
        """The address of the picture of an object of the core, by its kind, status and color; None if it has none."""
        name = ".".join(str(properties.get(key, "")) for key in ("kind", "status", "color"))
        return None if self._core_object(name) is None else f"core/{name}.svg"

    def core_picture(self, name: str) -> str | None:
        """The picture of an object of the core, as SVG; None if there is no such object."""
        made = self._core_object(name.removesuffix(".svg"))
        return None if made is None else f'<svg xmlns="{SVG}" viewBox="0 0 1 1">{symbol(made)}</svg>'

    def _core_object(self, name: str) -> GridObject | None:
        kind, _, rest = name.partition(".")
        status, _, color = rest.partition(".")
        made, paint = self._kinds.get(kind), self._colors.get(color)
        if made is None or paint is None or "content" in made.parameters():
            return None
        statuses = {"": None} if made.Status is None else made.Status.__members__
        if status not in statuses:
            return None
        parts = {"status": statuses[status], "color": paint}
        return made(**{name: parts[name] for name in made.parameters()})


def looks(properties: Mapping[str, Any], media: Media) -> dict[str, Any]:
    """How an object looks, of its properties (`protocol.Looks`)."""
    visual = properties.get("visualization") or {}
    classes = properties.get("class_inheritance") or ("EnvObject",)
    color = visual.get("colour")
    found = {
        "id": str(properties.get("obj_id", "")),
        "name": str(properties.get("name", "")),
        "type": str(classes[0]),
        "shape": _whole(visual.get("shape"), 0),
        "size": _number(visual.get("size"), 1.0),
        "color": color if isinstance(color, str) and COLOR.fullmatch(color) else GREY,
    }
    opacity = _number(visual.get("opacity"), 1.0)
    if opacity != 1:
        found["opacity"] = opacity
    image = media.address(properties.get("img_name") or visual.get("shape")) or media.core_address(properties)
    if image is not None:
        found["image"] = image
    return found


def drawn(
    properties: Mapping[str, Any], media: Media, labels: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """What a page needs to draw an object and to tell about it, of its properties (`protocol.DrawnObject`).

    Args:
        properties: of the object.
        media: the pictures that may be shown.
        labels: those of agents by their ids.
    """
    visual = properties.get("visualization") or {}
    x, y = properties["location"]
    found = looks(properties, media) | {"x": int(x), "y": int(y), "depth": _whole(visual.get("depth"), 80)}
    if visual.get("visualize_from_center") is False:
        found["corner"] = True
    tiles, tile = properties.get("subtiles"), properties.get("subtile_loc")
    if isinstance(tiles, list | tuple) and isinstance(tile, list | tuple) and len(tiles) == len(tile) == 2:
        found["subtiles"] = [_whole(number, 1) for number in (*tiles, *tile)]
    further = ((str(name), value) for name, value in properties.items() if name not in SHOWN_ELSEWHERE)
    more = {name: value_text(value) for name, value in further if value is not None}
    if more:
        found["more"] = dict([*more.items()][:MOST_VALUES])
    if properties.get("isAgent") is True:
        label = (labels or {}).get(found["id"], "")
        found["agent"] = _agent(properties, visual, media) | {"label": label}
    return found


def _agent(properties: Mapping[str, Any], visual: Mapping[str, Any], media: Media) -> dict[str, Any]:
    facing = properties.get("facing")
    return {
        "human": properties.get("is_human_agent") is True,
        "team": str(properties.get("team", "")),
        "teams": [str(team) for team in properties.get("teams") or ()],
        "busy": properties.get("is_blocked_by_action") is True,
        "mark": visual.get("show_busy") is True,
        "action": _text_or_none(properties.get("current_action")),
        "carrying": [looks(carried, media) for carried in properties.get("is_carrying") or ()]
        + _held(properties, media),
    } | ({"turns": FACINGS.index(facing)} if facing in FACINGS else {})


def _held(properties: Mapping[str, Any], media: Media) -> list[dict[str, Any]]:
    """What an agent of a world of the catalogue holds, in which it is no object of its own."""
    held = properties.get("holding")
    return [looks({"name": held["kind"], **held}, media)] if isinstance(held, Mapping) else []


def value_text(value: object) -> str:
    """A property as a text of limited length."""
    if isinstance(value, str):
        text = value
    elif isinstance(value, bool):
        text = "yes" if value else "no"
    elif isinstance(value, float):
        text = f"{value:.4g}"
    else:
        text = str(value)
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 1]}…"


def _text_or_none(value: object) -> str | None:
    return None if value is None else value_text(value)


def _number(value: object, default: float) -> float:
    usable = isinstance(value, int | float) and math.isfinite(value)
    return float(value) if usable else default  # type: ignore[arg-type]


def _whole(value: object, default: int) -> int:
    return int(_number(value, default))


Objects = dict[str, dict[str, Any]]
"""What is drawn, by id. Neither the mapping nor what is in it changes."""
NOTHING: Objects = {}


class View:
    """What one agent perceives, or all there is, as it is sent to pages.

    One thread calls `update`; others may call `since` meanwhile.

    Args:
        media: the pictures that may be shown.
        labels: those of agents by their ids; others may be added.
    """

    def __init__(self, media: Media, labels: Mapping[str, str] | None = None) -> None:
        self._media, self._labels = media, {} if labels is None else labels
        self._properties: dict[str, Mapping[str, Any]] = {}
        self._now: tuple[int, int, Objects, dict[int, str]] = (0, -1, NOTHING, {})

    @property
    def seq(self) -> int:
        """Counts the times that it was updated."""
        return self._now[0]

    @property
    def objects(self) -> Objects:
        """What is drawn now."""
        return self._now[2]

    def update(self, perceived: Mapping[str, Mapping[str, Any]], tick: int) -> None:
        """Take what is perceived now: properties by id. Those whose dict is the same as before have not changed."""
        seq, _, before, _ = self._now
        known = self._properties
        now: Objects = {}
        for key, properties in perceived.items():
            if known.get(key) is properties and key in before:
                now[key] = before[key]
            elif not properties.get("is_invisible"):
                made = drawn(properties, self._media, self._labels)
                same = before.get(key)
                now[key] = same if same == made else made
        self._properties = dict(perceived)
        self._now = (seq + 1, tick, now, {})

    def since(self, seq: int, before: Objects) -> tuple[int, Objects, str]:
        """What has changed since a page got it.

        Args:
            seq: of what the page has.
            before: what it has.

        Returns:
            What it has then, as in the arguments; and the message (`protocol.PictureUpdate`) as JSON.
        """
        now, tick, objects, texts = self._now
        text = texts.get(seq)
        if text is None:
            changed = [made for key, made in objects.items() if before.get(key) is not made]
            gone = [key for key in before if key not in objects]
            message = {"type": "picture", "tick": tick, "changed": changed, "gone": gone}
            text = texts[seq] = json.dumps(message, separators=(",", ":"))
        return now, objects, text
