"""The notebooks of the course run from top to bottom, and are kept without outputs."""

import ast
import json
import linecache
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent.parent / "examples" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
REPRESENTATIONS = ("_repr_png_", "_repr_svg_", "_repr_html_")


def cells(path, kind):
    document = json.loads(path.read_text(encoding="utf-8"))
    return [cell for cell in document["cells"] if cell["cell_type"] == kind]


def run(path, number, source, scope):
    """Run a cell, and show what its last line gives, as a notebook does."""
    name = f"{path.name}, cell {number}"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    tree, shown = ast.parse(source), None
    if isinstance(tree.body[-1], ast.Expr):
        shown = ast.Expression(tree.body.pop().value)
    exec(compile(tree, name, "exec"), scope)
    if shown is not None:
        value = eval(compile(shown, name, "eval"), scope)
        for representation in REPRESENTATIONS:
            getattr(value, representation, lambda: None)()


@pytest.mark.slow
@pytest.mark.sampled(4)
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path, monkeypatch):
    pytest.importorskip("matplotlib").use("Agg")
    import matplotlib.pyplot as plt

    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    scope = {"__name__": "notebook"}
    try:
        for number, cell in enumerate(cells(path, "code")):
            run(path, number, "".join(cell["source"]), scope)
    finally:
        plt.close("all")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_without_outputs(path):
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells(path, "code"))
    assert path.stat().st_size < 20_000


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_has_a_title_and_exercises(path):
    text = ["".join(cell["source"]) for cell in cells(path, "markdown")]
    assert text[0].startswith(f"# {path.stem[0]}. ") and any("**Exercise 1.**" in part for part in text)
