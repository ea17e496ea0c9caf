"""Objects: kinds are short declarations, objects are values."""

from __future__ import annotations

import copy
import enum
import functools
import itertools
import pickle
from typing import Any

import pytest

from gridarium.compiled.data_types.primitives import trusted
from gridarium.world import (
    Ball,
    Beacon,
    Box,
    Color,
    Door,
    Exit,
    Floor,
    Goal,
    GridObject,
    Hidden,
    Key,
    Lava,
    MovingObstacle,
    NoneGridObject,
    State,
    Telepod,
    Vocabulary,
    Wall,
    grid_object_registry,
)
from tests.compiled.compiling import compiled_for, places_of, state_at

RED, BLUE = Color.RED, Color.BLUE
OPEN, CLOSED, LOCKED = Door.Status


class Ice(GridObject, register=False):
    """Declared as the documentation says."""

    class Status(enum.IntEnum):
        SMOOTH = 0
        BROKEN = 1

    glyph = "~"
    blocks_movement = {Status.BROKEN}  # type: ignore[assignment]


class Opal(GridObject):
    color = BLUE
    glyph = "g"
    holdable = True


class Chest(GridObject, register=False):
    class Status(enum.IntEnum):
        SHUT = 0
        AJAR = 1

    colored = contains = True


class Gate(Door, register=False):
    glyph = "g"


EVERY = [
    *(kind() for kind in (NoneGridObject, Hidden, Floor, Wall, MovingObstacle, Lava, Opal)),
    *(kind(RED) for kind in (Exit, Key, Telepod, Beacon, Ball, Goal)),
    *(Door(status, RED) for status in Door.Status),
    *(Ice(status) for status in Ice.Status),
    *(Box(Key(RED)), Box(Floor()), Chest(Chest.Status.AJAR, BLUE, Key(RED)), Gate(LOCKED, RED)),
]


class TestBuiltIn:
    def test_gridverses_kinds_keep_their_numbers(self) -> None:
        kinds = (NoneGridObject, Hidden, Floor, Wall, Exit, Door, Key, MovingObstacle, Box, Telepod, Beacon)
        assert [k.number for k in kinds] == list(range(11))
        assert {k.number for k in (Lava, Ball, Goal)} == {None}

    def test_what_they_block(self) -> None:
        blocking = {repr(t) for t in EVERY if t.blocks_movement}
        opaque = {repr(t) for t in EVERY if t.blocks_vision}
        held = {repr(t) for t in EVERY if t.holdable}
        doors = {
            f"{kind}(Status.{s}, Color.RED)" for kind, s in itertools.product(["Door"], ["CLOSED", "LOCKED"])
        }
        gate = {"Gate(Status.LOCKED, Color.RED)"}
        boxes = {"Box(Key(Color.RED))", "Box(Floor())"}
        assert blocking == {"Wall()", "Ball(Color.RED)", "Ice(Status.BROKEN)", *doors, *gate, *boxes}
        assert opaque == {"Wall()", "NoneGridObject()", "Hidden()", *doors, *gate}
        assert held == {"Key(Color.RED)", "Ball(Color.RED)", "Opal()"}

    def test_what_a_state_can_show(self) -> None:
        assert {type(t) for t in EVERY if not t.can_be_represented_in_state()} == {Hidden, Box}

    def test_doors_say_whether_they_are_open_and_locked(self) -> None:
        assert [(d.is_open, d.is_locked) for d in (Door(s, RED) for s in Door.Status)] == [
            (True, False),
            (False, False),
            (False, True),
        ]
        assert Door(1, RED).state is CLOSED
        assert Door(state=LOCKED, color=RED).state_index == 2


class TestValues:
    def test_equality_covers_kind_status_color_and_content(self) -> None:
        for (i, a), (j, b) in itertools.product(enumerate(EVERY), repeat=2):
            assert (a == b) == (i == j), (a, b)
        assert len({*EVERY, *copy.deepcopy(EVERY)}) == len(EVERY)
        assert Floor() != 2
        assert Floor() != None  # noqa: E711

    def test_they_are_copied_and_pickled(self) -> None:
        for thing in EVERY:
            assert copy.copy(thing) is copy.deepcopy(thing) is thing
            assert pickle.loads(pickle.dumps(thing)) == thing

    @pytest.mark.parametrize("name", ["status", "color", "content", "energy", "state"])
    def test_they_cannot_be_changed(self, name: str) -> None:
        door = Door(OPEN, RED)
        with pytest.raises(
            AttributeError, match=rf"\({name} cannot be set\); assign a new one: grid\[p\] = Door"
        ):
            setattr(door, name, LOCKED)
        assert door == Door(OPEN, RED)

    def test_they_show_how_they_are_made(self) -> None:
        assert (
            repr(Chest(Chest.Status.AJAR, BLUE, Key(RED))) == "Chest(Status.AJAR, Color.BLUE, Key(Color.RED))"
        )
        assert repr(Exit()) == "Exit(Color.NONE)"


class TestContents:
    def test_what_holds_nothing_holds_no_object(self) -> None:
        for thing in EVERY:
            holds = isinstance(thing, Box | Chest)
            assert isinstance(thing.content, NoneGridObject) == (not holds)
        assert Box(Key(RED)).content == Key(RED)
        assert NoneGridObject().content == NoneGridObject() == Floor().content.content

    def test_a_box_that_nobody_has_filled_yet(self) -> None:
        vocabulary = Vocabulary([Box])
        empty = vocabulary.decode(vocabulary.number_of(Box))
        assert isinstance(empty.content, NoneGridObject)
        assert vocabulary.encode(empty) < 1 << 32
        assert vocabulary.decode(vocabulary.encode(empty)) == empty
        assert pickle.loads(pickle.dumps(empty)) == empty != Box(Floor())


class TestConstructors:
    @pytest.mark.parametrize(
        ("make", "message"),
        [
            (lambda: Floor(RED), r"Floor\(\) got \(Color.RED,\)"),
            (lambda: Key(RED, RED), r"Key\(color\) got"),
            (lambda: Key(RED, color=RED), r"Key\(color\) got"),
            (lambda: Key(colour=RED), r"Key\(color\) got"),
            (lambda: Door(color=RED), "Door needs a status: OPEN, CLOSED, LOCKED"),
            (lambda: Box(), "Box needs a content"),
            (lambda: Key("red"), "Key: color must be a Color, not 'red'"),
        ],
    )
    def test_wrong_arguments(self, make: Any, message: str) -> None:
        with pytest.raises(TypeError, match=message):
            make()

    def test_unknown_status(self) -> None:
        with pytest.raises(ValueError, match="7 is not a valid"):
            Door(7, RED)

    @pytest.mark.parametrize("content", [NoneGridObject(), Hidden(), Box(Floor()), "a key"])
    def test_what_a_box_cannot_contain(self, content: Any) -> None:
        with pytest.raises(ValueError, match="Box cannot contain"):
            Box(content)


class TestDeclarations:
    def test_a_kind_gets_what_it_does_not_say_from_its_base(self) -> None:
        assert Gate.flags == Door.flags
        assert Gate(OPEN, RED).is_open
        assert isinstance(Gate(OPEN, RED), Door)
        assert Opal().color == BLUE
        assert Ice.parameters() == ("status",)
        assert Ice.num_states() == 2

    def test_it_is_registered_unless_it_asks_not_to_be(self) -> None:
        assert grid_object_registry["Opal"] is Opal
        assert "Chest" not in grid_object_registry
        assert (
            list(grid_object_registry)[:3]
            == grid_object_registry.names()[:3]
            == ["NoneGridObject", "Hidden", "Floor"]
        )

    @pytest.mark.parametrize(
        ("body", "message"),
        [
            ({"glyph": "##"}, "Odd.glyph is one character, got '##'"),
            (
                {"status_glyphs": "xo"},
                "Odd.status_glyphs is a visible character for each of its 1 statuses, got 'xo'",
            ),
            ({"status_glyphs": "+"}, "Odd.status_glyphs is"),
            ({"glyph": 3}, "Odd.glyph is one character, got 3"),
            (
                {"glyph": "+"},
                r"Odd.glyph cannot be '\+': agents and walls are drawn with \^ v < > \| - \+ in maps; it is any",
            ),
            ({"glyph": "-"}, "Odd.glyph cannot be '-'"),
            ({"glyph": "v"}, "Odd.glyph cannot be 'v'"),
            ({"glyph": " "}, "Odd.glyph cannot be ' '"),
            ({"glyph": "木"}, "Odd.glyph cannot be '木': .* one column wide"),
            ({"color": "red"}, "Odd.color must be a Color, got 'red'"),
            ({"holdable": "yes"}, "Odd.holdable is True, False or a set of its statuses, not 'yes'"),
            ({"blocks_vision": {1}}, "Odd.blocks_vision is True, False or a set of its statuses"),
            (
                {"Status": enum.IntEnum("Status", ["A", "B"])},
                r"Odd.Status must be numbered 0, 1, 2, .*not \[1, 2\]",
            ),
            ({"Status": enum.IntEnum("Status", {f"S{i}": i for i in range(17)})}, "at most 16"),
            ({"number": 5}, "Odd.number: each world numbers its objects itself"),
        ],
    )
    def test_what_a_declaration_cannot_say(self, body: dict[str, Any], message: str) -> None:
        with pytest.raises(TypeError, match=message):
            type("Odd", (GridObject,), {"__module__": __name__, **body})
        assert "Odd" not in grid_object_registry

    @pytest.mark.parametrize("status", [enum.Enum("Status", {"LOW": 0, "HIGH": 1}), 3, Ice(0)])
    def test_statuses_are_whole_numbers(self, status: object) -> None:
        """A plain enum's members equal no number, as which they would be compared in compiled rules."""
        with pytest.raises(TypeError, match=r"Lamp.Status is made with `class Status\(enum.IntEnum\):`, not"):
            type("Lamp", (GridObject,), {"Status": status, "blocks_vision": {1}}, register=False)

    @pytest.mark.parametrize("name", ["status", "state", "state_index", "content"])
    def test_what_all_objects_have_cannot_mean_something_else(self, name: str) -> None:
        with pytest.raises(TypeError, match=f"Odd.{name} is reserved: every object has a {name}"):
            type("Odd", (GridObject,), {name: property(lambda self: 3)}, register=False)

    @pytest.mark.parametrize("name", ["blocks_movement", "color"])
    def test_what_is_declared_cannot_be_computed(self, name: str) -> None:
        with pytest.raises(TypeError, match=f"Odd.{name} (is|must be) "):
            type("Odd", (GridObject,), {name: property(lambda self: True)}, register=False)


class TestRegistry:
    def test_a_kind_defined_again_at_its_place_replaces_the_former_one(self) -> None:
        first = type("Moss", (GridObject,), {"__module__": "cell"})
        second = type("Moss", (GridObject,), {"__module__": "cell"})
        assert first is not second
        assert grid_object_registry["Moss"] is second

    def test_two_kinds_of_one_name_are_told_apart_by_their_modules(self) -> None:
        here = type("Fern", (GridObject,), {"__module__": "a.b"})
        there = type("Fern", (GridObject,), {"__module__": "c"})
        with pytest.raises(
            ValueError, match="several objects are called Fern: write one of a.b:Fern, c:Fern"
        ):
            grid_object_registry.from_name("Fern")
        assert grid_object_registry.from_name("a.b:Fern") is here
        assert grid_object_registry.from_name("c:Fern") is there
        assert grid_object_registry.from_name("Fern", preferred="a.") is here

    def test_unknown_names_are_answered_with_the_known_ones(self) -> None:
        with pytest.raises(ValueError, match="no object 'Doer'; there are NoneGridObject, Hidden, Floor"):
            grid_object_registry.from_name("Doer")


# interpreted and compiled

WORDS = Vocabulary([Wall, Door, Key, Box, Ice, Opal, Chest, Gate, Ball], [RED, BLUE])
CLOSED_GATE = functools.partial(Gate, CLOSED)
RED_KEY = functools.partial(Key, color=RED)
LATER = Box(Opal())


@trusted
def making(places, status, *, vocabulary):  # type: ignore[no-untyped-def]
    grid = state_at(places, vocabulary).grid
    color = grid[0, 0].color
    grid[0, 1] = Door(status, color)
    grid[0, 2] = Door(Door.Status.LOCKED, RED)
    grid[0, 3] = Gate(state=status, color=color)
    grid[1, 0] = Ice(status % 2)
    grid[1, 1] = Opal()
    grid[1, 2] = Chest(status % 2, color, grid[0, 0])
    grid[1, 3] = Chest(Chest.Status.AJAR, content=Wall())
    grid[2, 0] = Box(grid[0, 1])
    grid[2, 1] = Box(Door(Door.Status.OPEN, color))
    grid[2, 2] = CLOSED_GATE(color)
    grid[2, 3] = RED_KEY() if status == 1 else LATER
    grid[3, 0] = Key()
    grid[3, 1] = Ball(BLUE)
    grid[3, 2] = Box(grid[2, 2]).content
    grid[3, 3] = Floor() if isinstance(grid[2, 3], Key | Opal) else Wall()
    return 0


def test_compiled_objects_are_the_same() -> None:
    compiled = compiled_for(WORDS, making, vocabulary=WORDS)
    for status, first in itertools.product(range(3), (Key(BLUE), Ball(RED), Opal())):
        mine = State.blank((4, 4), WORDS)
        mine.grid[0, 0] = first
        its = mine.copy()
        making(places_of(mine), status, vocabulary=WORDS)
        compiled(places_of(its), status)
        assert mine.grid.objects == its.grid.objects
        assert mine.identical(its)


@trusted
def made_badly(places, status, *, vocabulary):  # type: ignore[no-untyped-def]
    grid = state_at(places, vocabulary).grid
    if status > 1:
        grid[0, 0] = Ice(status)
    if status == 0:
        grid[0, 0] = Box(grid[1, 1])
    if status == 1:
        grid[0, 0] = Box(state_at(places, vocabulary).agent.grid_object)
    if status == -1:
        grid[0, 0] = Chest(status, RED, Wall())
    return 0


def test_compiled_objects_are_refused_for_the_same_reasons() -> None:
    compiled = compiled_for(WORDS, made_badly, vocabulary=WORDS)
    for status in (-1, 0, 1, 2):
        state = State.blank((2, 2), WORDS)
        state.grid[1, 1] = Box(Wall())
        for run in (functools.partial(made_badly, vocabulary=WORDS), compiled):
            with pytest.raises((ValueError, RuntimeError)):
                run(places_of(state), status)
            assert state.grid[0, 0] == Floor()
