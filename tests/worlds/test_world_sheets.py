"""The sheets of the worlds: they are up to date, and their examples run."""

import functools
import re

import gymnasium
import pytest

import gridarium.env
from docs.make_world_sheets import FOLDER, INDEX, pages
from gridarium.worlds import catalogue

sheets = functools.cache(pages)
"""Made once, by the tests: it takes seconds."""


def test_the_pages_are_up_to_date() -> None:
    written = {file.stem: file.read_text() for file in FOLDER.iterdir()}
    assert written == sheets(), "run: python -m docs.make_world_sheets"


def test_every_family_has_a_page_that_the_index_leads_to() -> None:
    assert set(sheets()) == {INDEX, *catalogue.families()}
    for name in catalogue.families():
        assert f"({name}.md)" in sheets()[INDEX]
        assert all(f"`gridarium/{member}-v0`" in sheets()[name] for member in catalogue.family(name).members)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", catalogue.families())
def test_every_example_runs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pettingzoo_env = pytest.importorskip("gridarium.env.pettingzoo_env")
    monkeypatch.setattr(gymnasium, "make", functools.partial(gymnasium.make, compiled=False))
    interpreted = functools.partial(pettingzoo_env.parallel_env, compiled=False)
    monkeypatch.setattr(gridarium.env, "parallel_env", interpreted, raising=False)
    [code] = re.findall(r"^```python\n(.*?)^```$", sheets()[name], re.M | re.S)
    scope: dict[str, object] = {}
    exec(compile(code, f"{name}.md", "exec"), scope)
    assert f'{name}{"" if "parallel_env" in scope else "-v0"}"' in code


def test_worlds_that_differ_in_numbers_share_their_tables() -> None:
    assert "num_rivers = 1 / 2" in sheets()["Crossing"]
    assert "horizon = 250.0 / 360.0 / 640.0 / 2560.0" in sheets()["DoorKey"]
    assert "truncated after 250 / 360 / 640 / 2560 ticks" in sheets()["DoorKey"]
    assert (
        "## Memory-5x5 and Memory-9x9\n" in sheets()["Memory"] and "## Memory-13x13\n" in sheets()["Memory"]
    )


def test_a_page_says_which_agents_have_an_action() -> None:
    assert re.search(r"`PICK_N_DROP` \| .* \| only helper \|", sheets()["TwoAgents-Helper"])
    assert "`turn_order` | `cycle`" in sheets()["TwoAgents-Helper"]
