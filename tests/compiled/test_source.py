"""From functions to their source and back: lambdas, closures, cells of a notebook, files edited meanwhile."""

from __future__ import annotations
import __future__

import ast
import functools
import importlib.util
import inspect
import linecache
import math
import os
import types
from pathlib import Path
from typing import Any

import pytest
from _pytest.assertion.rewrite import rewrite_asserts

from gridarium.compiled.source_pass import source
from gridarium.compiled.source_pass.source import CHANGED, Unsupported, define, read_unit, signature_of
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

    def test_async_functions_are_refused(self) -> None:
        async def later(x: int) -> int:
            return x

        with pytest.raises(Unsupported, match="it is async"):
            read_unit(later)

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

    def test_cells_are_compiled_with_the_future_statements_of_earlier_ones(self) -> None:
        flags = __future__.annotations.compiler_flag
        assert text(executed_as_file("def typed(x: int):\n    return x\n", flags)["typed"]).endswith(
            "return x"
        )

    def test_lambdas_are_told_apart_although_python_compiles_a_part_of_them_only(self) -> None:
        several = executed_as_file(
            "several = [lambda a: a if True else 1, lambda a: 1 if True else a, lambda a: (lambda a: -a) if 1 else a]"
        )
        assert [text(f).split("return ")[1] for f in several["several"]] == [
            "a if True else 1", "1 if True else a", "(lambda a: -a) if 1 else a",
        ]  # fmt: skip

    def test_lambdas_without_columns_are_not_said_to_have_changed(self) -> None:
        rule = executed_as_file("rule, other = lambda a: a, lambda a: a")["rule"]
        rule.__code__ = rule.__code__.replace(co_linetable=b"")
        with pytest.raises(Unsupported, match="cannot be told apart from another lambda's"):
            read_unit(rule)

    @pytest.mark.parametrize("body", ["return x + __TAX", "return self.__k", "return max(y for y in x.__k)"])
    def test_names_that_python_changes_within_a_class_are_refused(self, body: str) -> None:
        methods = executed_as_file(f"class _Shop:\n    def rule(self, x):\n        {body}\n")
        with pytest.raises(Unsupported, match=r"line 3\): in a class, Python reads __(TAX|k) as _Shop__"):
            read_unit(methods["_Shop"].rule)
        read_unit(executed_as_file(f"def rule(self, x):\n    {body}\n")["rule"])


def executed_as_file(cell: str, flags: int = 0, *, rewritten: bool = False) -> dict[str, Any]:
    """Execute a text, which is the content of the same file each time; pytest may have rewritten its asserts."""
    linecache.cache["<cell>"] = (len(cell), None, cell.splitlines(keepends=True), "<cell>")
    tree, scope = ast.parse(cell), {"__name__": "somebodys_rules"}
    if rewritten:
        rewrite_asserts(tree, cell.encode())
    exec(compile(tree, "<cell>", "exec", flags, dont_inherit=True), scope)
    return scope


def test_a_signature_that_is_set_by_hand_does_not_decide_defaults() -> None:
    def helper(a: int, k: int = 1) -> int:
        return a + k

    helper.__signature__ = inspect.signature(lambda a, k=5: a)  # type: ignore[attr-defined]
    assert signature_of(helper).parameters["k"].default == 1
    assert signature_of(functools.partial(helper, k=2)).parameters["k"].default == 2


RULE = "def rule(x):\n"


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

    @pytest.mark.parametrize(
        ("before", "later"),
        [
            (f"{RULE}    if x:\n        x = 1\n        x += 2\n    return x\n", f"{RULE}    if x:\n        x = 1\n    x += 2\n    return x\n"),
            ("rule = [\n    lambda x: 1,\n    lambda x: 2,\n][0]\n", "rule = [\n    lambda x: 2,\n    lambda x: 1,\n][0]\n"),
            ("rule = [lambda x: x + 1, lambda x: x + 2][0]\n", "rule = [lambda x: x + 2, lambda x: x + 1][0]\n"),
            (f"{RULE}    return 1 if (x > 2 and x > 4) or x == 0 else 2\n", f"{RULE}    return 1 if x > 2 and (x > 4 or x == 0) else 2\n"),
            (f"{RULE}    return x in (1, 2)\n", f"{RULE}    return x in (True, 2.0)\n"),
            (f"{RULE}    return x * 0.0\n", f"{RULE}    return x * -0.0\n"),
            (f"if 1:\n {RULE}  return 1\nelse:\n {RULE}  return 2\n", f"if 1:\n {RULE}  return 2\nelse:\n {RULE}  return 1\n"),
            (f"class A:\n {RULE}  return 1\nclass B:\n {RULE}  return 1\nrule = A.rule\n", f"class B:\n {RULE}  return 1\nclass A:\n {RULE}  return 1\n"),
            (f"{RULE}    assert x > 1\n", f"{RULE}    assert x > 2\n"),
        ],
    )  # fmt: skip
    def test_what_differs_in_one_place_only_is_noticed(self, before: str, later: str) -> None:
        for rewritten in (False, True):
            rule = executed_as_file(before, rewritten=rewritten)["rule"]
            read_unit(rule)
            executed_as_file(later)
            with pytest.raises(Unsupported, match=CHANGED):
                read_unit(rule)

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


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "folder", ["rules", "world", "compiled/data_types", "engine/step", "engine/observe", "agents"]
)
def test_functions_of_the_library_are_read_alone_as_within_their_files(folder):
    count = 0
    for file in sorted((source.LIBRARY / folder).rglob("*.py")):
        text = file.read_text()
        lines = text.splitlines(keepends=True)
        for code in code_within(compile(text, file, "exec")):
            within = [f for f in source._functions(text) if source._stands_there(f, code)]
            alone = [f for f in source._functions_alone(lines, code) if source._stands_there(f, code)]
            if code.co_name[0] != "<" and within and alone:
                assert dumped(alone) == dumped(within), (file, code.co_name)
                count += 1
    assert count >= 30


def code_within(code):
    yield code
    for part in code.co_consts:
        if isinstance(part, types.CodeType):
            yield from code_within(part)


def dumped(trees):
    return [ast.dump(tree, include_attributes=True) for tree in trees]
