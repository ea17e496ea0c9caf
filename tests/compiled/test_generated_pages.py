"""Which rule a line of a generated page calls, and where that is written."""

import functools
import linecache

from gridarium.compiled.data_types.value_class import generated
from gridarium.compiled.source_pass.generated_pages import is_page, rule_called, source_location


def first(state):
    return state


@functools.lru_cache
def second(state):
    return state


class Third:
    def __call__(self, state):
        return state


def line_of(text: str) -> int:
    return next(i for i, line in enumerate(linecache.getlines(__file__), 1) if line.startswith(text))


def test_the_rule_in_a_line_is_found_below_its_parameters() -> None:
    text = "def page(state):\n    check(first(state, area(1)), 'first')\n    total = other(state)\n"
    page = generated("test", text, first=first)
    filename, bound = page.__code__.co_filename, functools.partial(functools.partial(first, a=1), b=2)
    assert is_page(filename) and not is_page(__file__)
    assert rule_called(filename, 2, {"first": bound, "second": second}) is first
    assert rule_called(filename, 3, {"first": bound}) is None
    assert rule_called(filename, 99, {"first": bound}) is None


def test_places_are_those_of_the_def() -> None:
    assert source_location(first) == (__file__, line_of("def first"))
    assert source_location(second.__wrapped__) == (__file__, line_of("def second"))
    assert source_location(Third()) == (__file__, line_of("class Third") + 1)
    assert source_location(lambda state: state) is not None
    assert source_location(len) is None
    scope: dict[str, object] = {}
    exec("\ndef made(state):\n    return state\n", scope)
    assert source_location(scope["made"]) == ("<string>", 2)
