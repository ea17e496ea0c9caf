"""What notebooks show of states, worlds, runs and rules."""

import base64
import re
from functools import partial
from xml.etree import ElementTree

import numpy as np
import pytest

from gridarium import World
from gridarium.engine import Recorder, Run, notebook
from gridarium.rules.registry import FunctionRegistry, summary
from gridarium.rules.transition_functions import transition_function_registry
from gridarium.world import Observation, State
from gridarium.world.notebook import code, table
from tests.draw.scenes import RICH, two_rooms


@pytest.fixture(scope="module")
def world() -> World:
    return World("KeyDoor-5x5", compiled=False)


@pytest.fixture(scope="module")
def run(world: World) -> Run:
    recorder = Recorder(world.batch(2))
    recorder.reset(seed=1)
    for actions in np.random.default_rng(0).integers(len(world.actions), size=(23, 2)):
        recorder.step(actions)
    return recorder.run()


def images(page: str) -> list[ElementTree.Element]:
    found = re.findall(r'src="data:image/svg\+xml;base64,([^"]+)"', page)
    return [ElementTree.fromstring(base64.b64decode(data)) for data in found]


def test_states_observations_and_grids_are_pictures() -> None:
    state = two_rooms()
    for thing, title in (
        (state, "State of 2 x 4 cells, tick 0"),
        (Observation(state.grid, state.agent), "Observation of 2 x 4 cells"),
        (state.grid, "Grid of 2 x 4 cells"),
    ):
        root = ElementTree.fromstring(thing._repr_svg_())
        assert root.findtext("{http://www.w3.org/2000/svg}title") == title
    assert "Agent" not in state.grid._repr_svg_()


def test_large_worlds_fit_the_page() -> None:
    for side in (3, 60, 200):
        root = ElementTree.fromstring(State.blank((side, 2), RICH)._repr_svg_())
        assert int(root.get("height")) == side * max(8, min(32, 640 // side))


def test_a_world_shows_how_it_begins_and_its_rules(world: World) -> None:
    page = world._repr_html_()
    (image,) = images(page)
    assert image.get("viewBox") == "0 0 5 5"
    for part in ("KeyDoor-5x5", "pickndrop", "reward_on=5.0", "MOVE_FORWARD", "Time limit: none"):
        assert part in page
    for rule in (*world.spec.rewards, *world.spec.terminations):
        assert code(summary(rule)) in page


def test_a_run_shows_what_happened(run: Run) -> None:
    page = run._repr_html_()
    assert len(images(page)) == notebook.FRAMES
    assert [int(n) for n in re.findall(r">step (\d+)<", page)] == sorted(
        {round(i * 23 / 5) for i in range(6)}
    )
    assert ">23<" in page and "Run of KeyDoor-5x5" in page


def test_a_run_whose_world_cannot_be_made_has_no_pictures(run: Run) -> None:
    broken = Run(
        **run.__getstate__()
        | {"description": {"name": "<b>", "objects": ["Floor"], "transitions": ["own:rule"]}}
    )
    page = broken._repr_html_()
    assert not images(page) and "<b>" not in page and "&lt;b&gt;" in page


def test_rules_are_a_table() -> None:
    page = transition_function_registry._repr_html_()
    for name in transition_function_registry:
        assert f">{name}<" in page
    own = FunctionRegistry("own", ("state",))

    @own.register
    def rule(state, *, shout: str = "<&>"):
        """What it does.

        And more.
        """

    page = own._repr_html_()
    assert "What it does." in page and "And more" not in page
    assert "shout: str = &#x27;&lt;&amp;&gt;&#x27;" in page
    assert summary(partial(rule, shout="")) == "What it does." and summary(len.__call__) != ""


def test_a_table_shows_markup_as_it_is_written() -> None:
    page = table(("<a>",), [("<b>",)], "<c>")
    assert not re.search("<[abc]>", page)
    assert "<thead>" not in table((), [("x",)])


def test_what_is_code_is_shown_as_code() -> None:
    assert "what <code>a &lt; b</code> says, `" in table((), [("what `a < b` says, `",)])


def test_pictures_have_a_text_for_those_who_cannot_see_them(world: World) -> None:
    state = two_rooms()
    for thing, said in (
        (state, "State of 2 x 4 cells, tick 0. Agent 0 at 0 1, facing left, holds Key(YELLOW)."),
        (Observation(state.grid, state.agent), "Observation of 2 x 4 cells. Agent at 0 1"),
        (state.grid, "Grid of 2 x 4 cells. Door(LOCKED, YELLOW) at 0 0"),
        (world, "KeyDoor-5x5: how an episode begins"),
    ):
        page = thing._repr_html_()
        assert f'<img alt="{said}' in page and len(images(page)) == 1
