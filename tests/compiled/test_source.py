"""From functions to their source and back: lambdas, closures, cells of a notebook, files edited meanwhile."""

from __future__ import annotations

import ast
import functools
import importlib.util
import linecache
import math
import os
from pathlib import Path
from typing import Any

import pytest

from gridarium.compiled.source_pass.source import CHANGED, Unsupported, define, read_unit
from tests.compiled.compiling import both, compiled


def decorated(*_: Any) -> Any:
    return lambda function: function


@decorated(lambda q: q)
@decorated(1)
def ordinary(a: int, *, b: int = 1) -> float:
    """A docstring."""
    return math.sqrt(a) + b


def make_adder(n: int) -> Any:
    def add(x: int) -> int:
        return x + n

    return add


SEVERAL = [lambda x: x + 1, lambda x: x - 1, lambda y: y * 2, lambda: 7]
NESTED = lambda x: lambda y: y  # noqa: E731
SPREAD = functools.partial(
    lambda x, *, step: x + step + 1,
    step=2,
)
CHOICE = (lambda x: x if x > 3 else -x), 5


def text(function: Any) -> str:
    return ast.unparse(read_unit(function).node)


class TestReading:
    def test_decorators_annotations_docstring_and_defaults_are_left_out(self) -> None:
        assert text(ordinary) == "def ordinary(a, b):\n    return math.sqrt(a) + b"

    def test_lines_are_those_of_the_file(self) -> None:
        unit = read_unit(ordinary)
        assert Path(unit.filename) == Path(__file__)
        line = Path(__file__).read_text().splitlines()[unit.node.body[0].lineno - 1]
        assert line == "    return math.sqrt(a) + b"

    def test_lambdas_in_one_line_are_told_apart(self) -> None:
        assert [text(f).split("return ")[1] for f in SEVERAL] == ["x + 1", "x - 1", "y * 2", "7"]
        assert text(NESTED).endswith("return lambda y: y")
        assert text(SPREAD.func).endswith("return x + step + 1")
        assert text(CHOICE[0]).endswith("return x if x > 3 else -x")

    def test_closures_see_their_own_values(self) -> None:
        for n in (3, 4):
            unit = read_unit(make_adder(n))
            assert unit.scope["n"] == n
            assert unit.scope["math"] is math
            assert unit.scope["len"] is len
            assert {"n", "math", "len"} <= set(unit.scope)
            assert len(unit.scope) == len(list(unit.scope))
        with pytest.raises(KeyError):
            unit.scope["nobody"]

    def test_stars_are_refused(self) -> None:
        def stars(*args: int) -> int:
            return len(args)

        with pytest.raises(Unsupported, match=r"takes \*args or \*\*kwargs"):
            read_unit(stars)
        with pytest.raises(Unsupported, match=r"takes \*args or \*\*kwargs"):
            read_unit(lambda **named: len(named))

    def test_text_without_a_file_cannot_be_read(self) -> None:
        scope: dict[str, Any] = {}
        exec("def typed(x):\n    return x\n", scope)
        with pytest.raises(Unsupported, match=r"typed \(<string>, line 1\): its source cannot be read"):
            read_unit(scope["typed"])

    def test_a_cell_of_a_notebook_can_be_read(self) -> None:
        for body in ("x + 1", "x + 2"):
            cell = f"import math\ndef typed(x):\n    return {body}\nother = lambda x: math.floor({body})\n"
            filename = f"<cell {body}>"
            linecache.cache[filename] = (len(cell), None, cell.splitlines(keepends=True), filename)
            scope: dict[str, Any] = {}
            tree = ast.parse(cell)
            for statement in tree.body:  # as IPython does, which matters for the bytecode
                exec(compile(ast.Module([statement], []), filename, "exec"), scope)
            assert text(scope["typed"]).endswith(f"return {body}")
            assert compiled(scope["typed"])(5) == scope["typed"](5)
            assert compiled(scope["other"])(-5) == scope["other"](-5)


class TestFilesEditedMeanwhile:
    """What is compiled is what was imported, or nothing."""

    @pytest.mark.parametrize(
        "later",
        [
            "def rule(x):\n    return x - 1\n",
            "# a line more\ndef rule(x):\n    return x + 1\n",
            "def rule(x):\n    return x + 2\n",
            "def other(x):\n    return x + 1\n",
            "def rule(x:\n",
            "",
        ],
    )
    def test_it_is_noticed(self, tmp_path: Path, later: str) -> None:
        path = tmp_path / "edited.py"
        path.write_text("def rule(x):\n    return x + 1\n")
        module = self.load(path)
        assert compiled(module.rule)(3) == 4
        path.write_text(later)
        os.utime(path, (1, 1))
        linecache.checkcache(str(path))
        with pytest.raises(Unsupported) as caught:
            read_unit(module.rule)
        assert caught.value.reason in (CHANGED, "its source cannot be read")
        assert (caught.value.filename, caught.value.line, caught.value.function) == (str(path), 1, "rule")

    def test_what_is_the_same_is_still_read(self, tmp_path: Path) -> None:
        path = tmp_path / "edited.py"
        path.write_text("def rule(x):\n    return x + 1\n\ndef other(x):\n    return x\n")
        module = self.load(path)
        path.write_text("def rule(x):\n    return x + 1\n\ndef other(x):\n    return -x\n")
        os.utime(path, (1, 1))
        assert text(module.rule) == "def rule(x):\n    return x + 1"

    def load(self, path: Path) -> Any:
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module


class TestDefining:
    def test_a_function_is_named_apart_from_what_it_calls(self) -> None:
        unit = read_unit(ordinary)
        again = define(unit, unit.node, {"ordinary": 3, "math": math})
        assert again.__name__ == "_ordinary"
        assert again(4, 1) == 3.0
        assert again.__code__.co_filename == __file__

    def test_an_error_names_function_file_line_and_reason(self) -> None:
        error = Unsupported("no", "/a/b.py", 12, "rule")
        assert str(error) == "rule (/a/b.py, line 12): no"


def test_what_is_read_compiles() -> None:
    assert both(ordinary, 16) == 5.0
    assert both(ordinary, 16, b=3) == 7.0
    for n in (3, 4):
        assert both(make_adder(n), 5) == 5 + n
    for function in SEVERAL[:3]:
        both(function, 5)
    assert compiled(SPREAD)(4) == SPREAD(4) == 7
    assert [compiled(CHOICE[0])(x) for x in (2, 5)] == [-2, 5]
