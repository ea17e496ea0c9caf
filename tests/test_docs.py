"""The examples in the documentation run, and README shows the example file as it is."""

import inspect
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from gridarium.cli import main
from gridarium.draw import shapes
from gridarium.live.actions import action as live_actions
from gridarium.worlds import loads, spec
from gridarium.worlds.resolving.binding import REGISTRIES

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
SHEETS = sorted((ROOT / "docs" / "worlds").glob("*.md"))
"""Of worlds; tests/worlds/test_world_sheets.py runs their examples."""
TOUR = ROOT / "docs" / "from-rule-to-replay.md"
APART = ("what-a-rule-may-use.md", TOUR.name)
COMPILING = {
    "agents.md", "beliefs.md", "brains.md", "games.md", "games-and-matches.md", "getting-started.md", "ghost.md", "live.md",
    "live-worlds.md", "playing.md", "recording.md", "teaching.md", "vision.md",
}  # fmt: skip
"""Pages that compile for long; what they show is tested elsewhere, too."""
RUN = [
    pytest.param(p, id=p.name, marks=[pytest.mark.exhaustive] if p.name in COMPILING else [])
    for p in PAGES
    if p.name not in APART and "```python" in p.read_text()
]


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(), re.M | re.S)


@pytest.fixture
def registries(monkeypatch):
    """The registries as a reader finds them: what other tests have registered is set aside. Rules of the library that pages import stay."""
    monkeypatch.setattr(live_actions, "_named", _of_library(live_actions._named))
    before = [(registry, registry._functions, registry._scopes) for registry in REGISTRIES.values()]
    for registry, *_ in before:
        monkeypatch.setattr(registry, "_functions", _of_library(registry._functions))
        monkeypatch.setattr(registry, "_scopes", dict(registry._scopes))
    yield
    for registry, functions, scopes in before:
        own = _of_library(registry._functions)
        functions.update(own)
        scopes.update({name: registry._scopes[name] for name in own})


def _of_library(functions):
    return {n: f for n, f in functions.items() if f.__module__.startswith("gridarium.")}


@pytest.mark.slow
@pytest.mark.usefixtures("registries")
@pytest.mark.parametrize("page", RUN)
def test_python_examples_run(page, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["page"])
    scope = {"__name__": "documentation"}
    for number, code in enumerate(blocks(page, "python")):
        name = f"{page.name}, example {number}"
        monkeypatch.setitem(
            sys.modules["linecache"].cache, name, (len(code), None, code.splitlines(True), name)
        )
        exec(compile(code, name, "exec"), scope)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_world_files_are_in_order(page):
    for text in blocks(page, "yaml"):
        if "transitions:" in text and not re.search(r"coins:|\[coins\]|jumping:|yard_rules:", text):
            spec(loads(text, source=page.name))


@pytest.mark.parametrize("page", [*PAGES, *SHEETS], ids=lambda p: p.name)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()):
        assert target.startswith("https://") or (page.parent / target).exists(), target


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=lambda p: p.name)
def test_clones_are_installed_editable(page):
    """Otherwise pip replaces the editable installation of `make setup` by a copy, without a word."""
    assert not re.findall(r"pip install '?\.\S*", page.read_text())


def test_every_extra_is_described():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    page = (ROOT / "docs" / "getting-started.md").read_text()
    assert not [extra for extra in extras if f"`{extra}`" not in page and extra != "dev"]


def test_every_shape_and_color_of_drawings_is_described():
    page = (ROOT / "docs" / "looking.md").read_text()
    for shape in shapes.SHAPES:
        assert f"`{shape.__name__}{_signature(shape)}`" in page
    assert not [color for color in (*shapes.ROLES, *shapes.SCENERY) if f'`"{color}"`' not in page]


def _signature(shape):
    parameters = inspect.signature(shape).parameters.values()
    given = [p.name if p.default is p.empty else f"{p.name}={p.default!r}" for p in parameters]
    return f"({', '.join(given)})".replace("'", '"').replace(repr(1 / 7), "1/7")


def test_readme_shows_the_example_as_it_is():
    shown = re.search(
        r"<!-- examples/own_world.py -->\n```python\n(.*?)^```$",
        (ROOT / "README.md").read_text(),
        re.M | re.S,
    )
    assert shown[1] == (ROOT / "examples" / "own_world.py").read_text()


def test_every_command_is_described():
    page = (ROOT / "docs" / "command-line.md").read_text()
    for name in main.lazy_commands:
        assert f"`gridarium {name}" in page
        assert CliRunner().invoke(main, [name, "--help"]).exit_code == 0


@pytest.mark.exhaustive
def test_the_tour_from_a_rule_to_a_replay(tmp_path):
    """In a process of its own: its modules are imported from the folder."""
    page = TOUR.read_text()
    for name, code in re.findall(r"^<!-- (\S+) -->\n```\w+\n(.*?)^```$", page, re.M | re.S):
        (tmp_path / name).write_text(code)
    commands = [line.split()[1:] for line in re.findall(r"^    (gridarium .+)$", page, re.M)]
    assert len(commands) == 6
    told = ""
    for command in commands:
        done = subprocess.run(
            [sys.executable, "-m", "gridarium", *command],
            check=False,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
        told += done.stdout
    assert "interpreted and compiled the same" in told
    assert "replay exactly" in told
    returns = {policy: float(mean) for policy, mean in re.findall(r"^(\S+) +(-?[\d.]+) ±", told, re.M)}
    assert returns["random"] < 0 < returns["scripted"] + 0.1 < returns["dry_feet.py:careful"]
    assert (tmp_path / "yard.gif").stat().st_size > 1000 and "<html" in (tmp_path / "yard.html").read_text()
