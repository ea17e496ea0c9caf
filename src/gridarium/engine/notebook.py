"""HTML representations of worlds and runs for notebooks: pictures and tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from gridarium.draw.notebook import image, picture
from gridarium.draw.svg.elements import escaped
from gridarium.rules.registry import summary
from gridarium.world.notebook import code, table
from gridarium.world.state import State
from gridarium.worlds import Spec

FRAMES, THUMBNAIL = 6, 192
"""The number of pictures of a run, and their size in pixels."""


def of_world(spec: Spec, state: State) -> str:
    """A world's name, a picture of an initial state, and its rules."""
    about = spec.description.description
    actions = ", ".join(action.name for action in spec.actions.listed)
    return "".join(
        [
            f"<h4>{escaped(spec.name)}</h4>",
            f"<p>{code(about)}</p>" if about else "",
            f"<p>{image(picture(state), f'{spec.name}: how an episode begins')}</p>",
            table(("", "rule", "what it does"), _rules(spec)),
            f"<p>Actions: {escaped(actions)}. Time limit: {spec.time_limit or 'none'}.</p>",
        ]
    )


def of_run(name: str, facts: Mapping[str, str], states: Callable[[int], Mapping[int, State]]) -> str:
    """A run's length, and some of its states by step; `states` is called with their number."""
    shown = "".join(
        f'<figure style="display:inline-block;margin:4px">{image(picture(state, THUMBNAIL), f"step {step}")}'
        f"<figcaption>step {step}</figcaption></figure>"
        for step, state in states(FRAMES).items()
    )
    parts = [f"<h4>Run of {escaped(name)}</h4>", table((), list(facts.items()))]
    return "".join(parts) + (f"<p>{shown}</p>" if shown else "")


def _rules(spec: Spec) -> Iterator[tuple[str, str, str]]:
    """Each rule of a world: its place in the description, its entry, and its summary."""
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
    for path, entry, rule in listed:
        written = entry.plain()
        given = [] if isinstance(written, str) else [f"{k}={v}" for k, v in written.items() if k != "name"]
        yield path, f"{entry.name}({', '.join(given)})" if given else entry.name, summary(rule)
