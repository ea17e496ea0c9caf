"""Replays: what happened in a world, as data that a page draws and a file holds.

A replay is a mapping {"format", "version", "header", "symbols", "frames"} of plain data. `gridarium.view.replay.frames` says what
a frame is, `gridarium.view.replay.symbols` what a symbol is. The live viewer sends the same things piece by piece.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from gridarium.draw.boards import LINE_WIDTH
from gridarium.draw.drawings import figure_in
from gridarium.draw.themes import THEMES
from gridarium.engine import Run, World
from gridarium.rules.results import TEXTS
from gridarium.view.replay.frames import Frame, FrameEncoder
from gridarium.view.replay.steps import replay_steps
from gridarium.view.replay.symbols import SymbolTable, agent_pictures, palette
from gridarium.world import Observation, State
from gridarium.world.actions import in_words

FORMAT, VERSION = "gridarium replay", 1
MOST_FRAMES = 20_000
KEY_EVERY = 100
"""Every so many frames one is full, so that a page can begin anywhere."""


class ReplayBuilder:
    """Makes a replay: `add` one state after another.

    Args:
        world: whose states they are.
        views: whether what agents perceive is recorded too, so that the page can shade what they do not see.
        most: how many frames are kept; further ones are counted and left out.
        title: of the replay, or of each of its episodes; the world's name unless given.

    Example:
        >>> world = World("KeyDoor-9x9")
        >>> builder = ReplayBuilder(world)
        >>> state = world.reset(seed=1)
        >>> builder.add(state)
        >>> state, reward, terminal = world.step(state, world.actions[0])
        >>> builder.add(state, actions=[0], rewards=reward, terminated=terminal)
    """

    def __init__(
        self,
        world: World,
        *,
        views: bool = True,
        most: int = MOST_FRAMES,
        title: str | Sequence[str] | None = None,
    ) -> None:
        if most < 1:
            raise ValueError(f"a replay has one or more frames, got {most}")
        self._world, self._views, self._most = world, views, most
        self._titles = [world.name] if title is None else [title] if isinstance(title, str) else [*title]
        self._symbols = SymbolTable()
        self._coder = FrameEncoder(self._symbols, world)
        self._frames: list[Frame] = []
        self.left_out = 0

    def __len__(self) -> int:
        return len(self._frames)

    @property
    def full(self) -> bool:
        """Whether no further frames are kept."""
        return len(self._frames) >= self._most

    def add(
        self,
        state: State,
        *,
        actions: Iterable[Any] | None = None,
        rewards: Any = None,
        terminated: Any = False,
        truncated: bool = False,
        views: Sequence[Observation | None] | None = None,
        text: str = "",
    ) -> None:
        """Add a frame.

        Args:
            state: what is shown.
            actions: what each agent did to get there (`Action` or index); None where an episode begins.
            rewards: what each agent got for it: a number or one for each.
            terminated: whether the rules have ended the episode, in all or for each agent.
            truncated: whether a time limit has.
            views: what each agent perceives; asked of the world unless given.
            text: a remark that is shown with the frame.
        """
        if self.full:
            self.left_out += 1
            return
        if views is None:
            views = all_views(self._world, state) if self._views else ()
        frame = self._coder.frame(
            state,
            actions=actions,
            rewards=rewards,
            terminated=terminated,
            truncated=truncated,
            views=views,
            text=text,
        )
        self._frames.append(self._coder.full() if len(self._frames) % KEY_EVERY == 0 else frame)

    def data(self) -> dict[str, Any]:
        """All frames so far, as plain data for JSON."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "header": header(self._world) | self._title() | {"left_out": self.left_out},
            "symbols": self._symbols.since(0),
            "frames": self._frames,
        }

    def _title(self) -> dict[str, Any]:
        """The title of a page, and those of its episodes where these have their own."""
        title = self._titles[0] if len(self._titles) == 1 else self._world.name
        return {"title": title} | ({"titles": self._titles} if len(self._titles) > 1 else {})

    def json(self) -> str:
        """The replay as JSON text."""
        return json.dumps(self.data(), allow_nan=False, ensure_ascii=False, separators=(",", ":"))


def header(world: World) -> dict[str, Any]:
    """Return what all frames of a world have in common; actions by index, or without their arguments if they take some."""
    spec, agents = world.spec, world.spec.agents
    height, width = world.composed.shape
    headings = spec.vocabulary.headings
    figure = None if headings else figure_in(spec.vocabulary.kinds.values())
    return {
        "name": world.name,
        "description": spec.description.description,
        "height": height,
        "width": width,
        "line": LINE_WIDTH if spec.vocabulary.board == "cells" else 0,
        "headings": headings,
        "themes": {name: palette(theme) for name, theme in THEMES.items()},
        "agents": [
            {
                "name": _name(spec.agent_names[i], i, agents, has_body=spec.vocabulary.has_body(i)),
                "body": spec.vocabulary.has_body(i),
                **agent_pictures(i, numbered=agents > 1, figure=figure),
            }
            for i in range(agents)
        ],
        "actions": [action.name for action in world.actions.listed],
        "words": [in_words(action).capitalize() for action in world.actions.listed],
        "results": {str(int(code)): text for code, text in TEXTS.items()},
    }


def _name(name: str, number: int, agents: int, *, has_body: bool) -> str:
    """An agent's name for people, with its number where it has a picture, since that is what this shows."""
    if name == f"agent_{number}":
        return "Agent" if agents == 1 else f"Agent {number}"
    words = name.replace("_", " ").capitalize()
    return f"{words} ({number})" if agents > 1 and has_body else words


def all_views(world: World, state: State) -> list[Observation | None]:
    """Return the observation of each agent; None for those that are gone."""
    return [world.observe(state, i) if agent.active else None for i, agent in enumerate(state.agents)]


def replay_of_run(
    run: Run,
    *,
    world: World | None = None,
    index: int = 0,
    first: int = 0,
    last: int | None = None,
    views: bool = True,
    most: int = MOST_FRAMES,
    title: str | Sequence[str] | None = None,
) -> ReplayBuilder:
    """The replay of a recorded run, or of some of its episodes.

    Args:
        run: the recording, which is replayed.
        world: that of the recording; by default made from the recorded description, which then may not import code.
        index: which of the run's worlds.
        first: the first episode, counted from 0.
        last: the last episode; None for all that follow.
        views: whether to record what agents perceive.
        most: how many frames are kept.
        title: of the replay, or of each of its episodes; the world's name unless given.

    Raises:
        DescriptionError: the recorded description is not valid (any more), or imports code.
        Exception: as for `replay_steps`.
    """
    given = world or run.make_world()
    builder = ReplayBuilder(given, views=views, most=most, title=title)
    for step in replay_steps(run, given, index=index, first=first, last=last):
        builder.add(**vars(step))
    return builder
