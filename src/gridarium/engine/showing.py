"""What notebooks show of worlds and runs: pictures and tables, as HTML."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gridarium.draw.elements import escaped
from gridarium.draw.notebook import image, picture
from gridarium.rules.registry import summary
from gridarium.world.showing import code, table
from gridarium.worlds import DescriptionError, Spec

if TYPE_CHECKING:
    from gridarium.engine.run import Run
    from gridarium.engine.world import World
    from gridarium.world.state import State

FRAMES, THUMBNAIL = 6, 192
"""How many pictures of a run are shown, and how large they are, in pixels."""
MOST_STEPS = 2000
"""A longer episode is not played to its end for the sake of its pictures."""


def of_world(world: World) -> str:
    """A world's name, a picture of how an episode begins, and its rules."""
    from gridarium.engine.world import World

    spec = world.spec
    state = World(spec, compiled=False).reset(0)
    about = spec.description.description
    actions = ", ".join(action.name for action in spec.actions)
    return "".join(
        [
            f"<h4>{escaped(spec.name)}</h4>",
            f"<p>{code(about)}</p>" if about else "",
            f"<p>{image(picture(state), f'{spec.name}: how an episode begins')}</p>",
            table(("", "rule", "what it does"), _rules(spec)),
            f"<p>Actions: {escaped(actions)}. Time limit: {spec.time_limit or 'none'}.</p>",
        ]
    )


def of_run(run: Run) -> str:
    """A run's extent, and pictures of the first episode of its first world.

    There are no pictures where the recorded description cannot be run any more, or only with code of one's own that
    this process has not recorded it with.
    """
    parts = [f"<h4>Run of {escaped(run.name)}</h4>"]
    facts = [
        ("steps", str(run.steps)),
        ("worlds", str(run.worlds)),
        ("agents", str(run.agents)),
        ("episodes of the first world", str(len(run.episodes()))),
        ("states that a replay is checked against", str(run.hashes.size)),
        ("recorded by Gridarium", run.library or "unknown"),
    ]
    if len(run.rewards):
        parts.append(table((), [*facts, ("reward, all worlds", f"{run.rewards[-1].sum():g}")]))
    else:
        parts.append(table((), facts))
    try:
        shown = "".join(
            f'<figure style="display:inline-block;margin:4px">{image(picture(state, THUMBNAIL), caption)}'
            f"<figcaption>{escaped(caption)}</figcaption></figure>"
            for caption, state in _frames(run.episodes()[0])
        )
    except DescriptionError:
        shown = ""
    return "".join(parts) + (f"<p>{shown}</p>" if shown else "")


def _frames(episode: Run) -> Iterator[tuple[str, State]]:
    """Some states of an episode, evenly spread, the first and the last among them."""
    last = min(episode.steps, MOST_STEPS)
    wanted = {round(i * last / (FRAMES - 1)) for i in range(FRAMES)}
    moments = episode.replay(verify=False, compiled=False)
    for moment in itertools.takewhile(lambda m: m.step <= last, moments):
        if moment.step in wanted:
            yield f"step {moment.step}", moment.state()


def _rules(spec: Spec) -> Iterator[tuple[str, str, str]]:
    """Where each rule of a world stands, how it was written, and what it does."""
    described = spec.description
    listed = [
        *((("reset", described.reset, spec.reset),) if described.reset is not None else ()),
        *(("transition", e, t.rule) for e, t in zip(described.transitions, spec.transitions, strict=True)),
        *(("reward", e, rule) for e, rule in zip(described.rewards, spec.rewards, strict=True)),
        *(
            ("termination", e, rule)
            for e, rule in zip(described.terminations, spec.terminations, strict=True)
        ),
        ("observation", described.observation, spec.observation),
    ]
    for place, entry, rule in listed:
        written = entry.plain()
        given = [] if isinstance(written, str) else [f"{k}={v}" for k, v in written.items() if k != "name"]
        yield place, f"{entry.name}({', '.join(given)})" if given else entry.name, summary(rule)
