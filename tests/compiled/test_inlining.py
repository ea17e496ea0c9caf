"""Functions that would add much to a program by their copies are called, others are inlined."""

import pytest

llvm = pytest.importorskip("llvmlite.ir")

from gridarium.compiled.numba_backend import inlining  # noqa: E402

NUMBER = llvm.IntType(64)


def function(module, name, length, called=(), times=1):
    """A function to be inlined of some length, which calls others some times each."""
    made = llvm.Function(module, llvm.FunctionType(NUMBER, [NUMBER]), name)
    made.attributes.add("alwaysinline")
    builder = llvm.IRBuilder(made.append_basic_block())
    value = made.args[0]
    for other in called:
        for _ in range(times):
            value = builder.call(other, [value])
    for _ in range(length):
        value = builder.add(value, made.args[0])
    builder.ret(value)
    return made


def outlined(module):
    """The names of the functions that are not inlined, after inlining was limited."""
    inlining.limit_inlining(module)
    for made in module.functions:
        assert ("noinline" in made.attributes) != ("alwaysinline" in made.attributes) or not made.blocks
    return [made.name for made in module.functions if "noinline" in made.attributes]


def test_a_large_function_that_is_called_often_is_not_inlined():
    module = llvm.Module()
    large = function(module, "large", inlining.LARGE)
    function(module, "run", 1, [large], times=inlining.MOST // inlining.LARGE + 2)
    assert outlined(module) == ["large"]


def test_few_copies_are_inlined():
    module = llvm.Module()
    large = function(module, "large", inlining.LARGE)
    function(module, "run", 1, [large], times=2)
    assert outlined(module) == []


def test_small_functions_are_inlined_however_often_they_are_called():
    module = llvm.Module()
    small = function(module, "small", inlining.LARGE // 2)
    function(module, "run", 1, [small], times=200)
    assert outlined(module) == []


def test_copies_within_copies_count_and_what_adds_most_goes_first():
    module = llvm.Module()
    inner = function(module, "inner", inlining.LARGE)
    outer = function(module, "outer", 200, [inner], times=3)
    function(module, "run", 1, [outer], times=9)
    assert outlined(module) == ["outer"]  # then there are three copies of the other


def test_functions_of_other_modules_are_left_alone():
    module = llvm.Module()
    elsewhere = llvm.Function(module, llvm.FunctionType(NUMBER, [NUMBER]), "elsewhere")
    function(module, "run", 1, [elsewhere], times=100)
    assert outlined(module) == [] and not elsewhere.attributes
