"""Vocabularies: which numbers stand for what, whatever was imported first."""

from __future__ import annotations

import copy
import enum
import pickle
import subprocess
import sys
import textwrap
from typing import Any

import pytest

from gridarium.world import (
    Box,
    Color,
    Door,
    Exit,
    Field,
    Floor,
    GridObject,
    Hidden,
    Key,
    Lava,
    NoneGridObject,
    Vocabulary,
    Wall,
)
from gridarium.world.vocabulary import everything

MAROON = Color("MAROON_OF_TESTS", rgb=(100, 10, 10))


class Fire(GridObject, register=False):
    glyph = "f"


class Lamp(GridObject, register=False):
    class Status(enum.IntEnum):
        OFF = 0
        ON = 1

    colored = True
    blocks_vision = {Status.OFF}  # type: ignore[assignment]


def numbers(vocabulary: Vocabulary) -> dict[str, int]:
    return {kind.__name__: number for number, kind in vocabulary.kinds.items()}


class TestNumbers:
    def test_gridverses_kinds_keep_theirs_and_others_follow_in_the_order_of_the_description(self) -> None:
        vocabulary = Vocabulary([Lamp, Door, Fire, Wall, Lava])
        own = {"Lamp": 11, "Fire": 12, "Lava": 13}
        assert numbers(vocabulary) == {
            "NoneGridObject": 0,
            "Hidden": 1,
            "Floor": 2,
            "Wall": 3,
            "Door": 5,
            **own,
        }

    def test_nothing_hidden_and_floor_are_always_known(self) -> None:
        assert list(Vocabulary([]).kinds.values()) == [NoneGridObject, Hidden, Floor]

    def test_colors_likewise(self) -> None:
        vocabulary = Vocabulary([], [MAROON, Color.YELLOW, Color.ORANGE])
        assert {c.name: n for n, c in vocabulary.colors.items()} == {
            "NONE": 0,
            "YELLOW": 4,
            "MAROON_OF_TESTS": 5,
            "ORANGE": 6,
        }

    def test_they_do_not_depend_on_what_was_imported_first(self, tmp_path: Any) -> None:
        for name in ("Frog", "Toad"):
            text = f"from gridarium.world import GridObject\nclass {name}(GridObject): pass\n"
            (tmp_path / f"{name.lower()}.py").write_text(text)
        program = """
            import {}, {}
            from frog import Frog
            from toad import Toad
            from gridarium.compiled.cache.fingerprint import fingerprint
            from gridarium.world import Vocabulary
            words = Vocabulary([Toad, Frog])
            print(words.kinds, fingerprint(words))
        """
        printed = {
            subprocess.run(
                [sys.executable, "-c", textwrap.dedent(program.format(*order))],
                check=True,
                capture_output=True,
                text=True,
                cwd=tmp_path,
            ).stdout
            for order in (("frog", "toad"), ("toad", "frog"))
        }
        assert len(printed) == 1

    def test_only_so_many_fit(self) -> None:
        kinds = [type(f"Kind{i}", (GridObject,), {}, register=False) for i in range(53)]
        assert len(Vocabulary(kinds[:52]).kinds) == 55
        with pytest.raises(ValueError, match="a world knows at most 63 kinds of objects, got 56"):
            Vocabulary(kinds)
        colors = [Color(f"COLOR_{i}_OF_TESTS", rgb=(i, i, i)) for i in range(59)]
        assert len(Vocabulary([], colors[:58]).colors) == 59
        with pytest.raises(ValueError, match="a world knows at most 63 colors, got 60"):
            Vocabulary([], colors)

    def test_everything_is_never_too_much(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from gridarium.world.objects import grid_object_registry

        many = {f"Kind{i}": [type(f"Kind{i}", (GridObject,), {}, register=False)] for i in range(80)}
        monkeypatch.setattr(grid_object_registry, "_kinds", grid_object_registry._kinds | many)
        known = numbers(everything())
        assert {"Floor", "Lava", "Kind79"} <= known.keys()
        assert "Kind0" not in known


class TestNames:
    def test_two_objects_of_one_name(self) -> None:
        other = type("Door", (GridObject,), {}, register=False)
        with pytest.raises(ValueError, match="two objects are called Door; rename one of them"):
            Vocabulary([Door, other])

    def test_a_kind_given_twice_counts_once(self) -> None:
        assert Vocabulary([Wall, Wall, Floor]) == Vocabulary([Floor, Wall])

    @pytest.mark.parametrize("name", ["position", "active", "grid_object", "front", "agent_row", "action"])
    def test_an_agent_has_some_names_already(self, name: str) -> None:
        with pytest.raises(
            ValueError, match=f"the field '{name}' needs another name: an agent has a {name} already"
        ):
            Vocabulary([], agent_fields=[Field(name, "int")])

    @pytest.mark.parametrize("name", ["grid", "agent", "tick", "rng", "copy", "cells"])
    def test_a_state_has_some_names_already(self, name: str) -> None:
        with pytest.raises(
            ValueError, match=f"the field '{name}' needs another name: a state has a {name} already"
        ):
            Vocabulary([], world_fields=[Field(name, "int")])

    def test_a_kind_and_things_share_no_names(self) -> None:
        gem, tag = (
            type(name, (GridObject,), {member: 3}, register=False)
            for name, member in (("Gem", "weight"), ("Tag", "carrier"))
        )
        weight = Field("weight", "float")
        Vocabulary([gem, tag], cell_fields=[weight])
        with pytest.raises(ValueError, match="field 'weight' of things needs another name: Gem has a weight"):
            Vocabulary([gem], thing_fields=[weight], thing_capacity=1)
        with pytest.raises(ValueError, match="'carrier' of Tag needs another name: a thing has a carrier"):
            Vocabulary([tag], thing_capacity=1)

    def test_each_has_its_own(self) -> None:
        Vocabulary(
            [], world_fields=[Field("position")], agent_fields=[Field("tick")], cell_fields=[Field("grid")]
        )

    def test_a_field_declared_twice(self) -> None:
        with pytest.raises(ValueError, match="a field is declared twice among heat, heat"):
            Vocabulary([], cell_fields=[Field("heat"), Field("heat", "int")])

    @pytest.mark.parametrize("name", ["_secret", "two words", "3d", "", "class"])
    def test_a_field_has_a_word_for_a_name(self, name: str) -> None:
        with pytest.raises(ValueError, match="a field's name is a word such as energy"):
            Field(name)

    def test_a_field_has_one_of_three_types(self) -> None:
        with pytest.raises(ValueError, match="field heat: type is bool, int or float, not 'str'"):
            Field("heat", "str")  # type: ignore[arg-type]

    @pytest.mark.parametrize(
        ("kind", "default"), [("int", 1.5), ("int", 1 << 63), ("bool", 2), ("float", "0"), ("int", None)]
    )
    def test_a_field_has_a_default_of_its_type(self, kind: Any, default: Any) -> None:
        with pytest.raises(
            ValueError, match=f"field heat: its default must be of type {kind}, not {default!r}"
        ):
            Field("heat", kind, default)


class TestWords:
    WORDS = Vocabulary([Wall, Exit, Door, Key, Box, Lamp], [Color.RED, MAROON])

    def things(self) -> list[GridObject]:
        colored = [k(c) for k in (Exit, Key) for c in self.WORDS.colors.values()]
        doors = [k(s, c) for k in (Door, Lamp) for s in k.Status for c in self.WORDS.colors.values()]
        plain = [Floor(), Wall(), *colored, *doors]
        return [NoneGridObject(), Hidden(), *plain, *(Box(thing) for thing in plain)]

    def test_an_object_comes_back_as_it_was(self) -> None:
        things = self.things()
        words = [self.WORDS.encode(thing) for thing in things]
        assert [self.WORDS.decode(word) for word in words] == things
        assert len(set(words)) == len(things)
        assert all(0 <= word < 1 << 63 for word in words)
        assert self.WORDS.decode(words[5]) is self.WORDS.decode(words[5])

    def test_what_the_world_does_not_know_is_refused_with_what_it_knows(self) -> None:
        with pytest.raises(
            ValueError, match=r"Lava is not among this world's objects \(NoneGridObject, Hidden, Floor"
        ):
            self.WORDS.encode(Lava())
        with pytest.raises(
            ValueError, match=r"BLUE is not among this world's colors \(NONE, RED, MAROON_OF_TESTS\)"
        ):
            self.WORDS.encode(Key(Color.BLUE))
        with pytest.raises(ValueError, match="Fire is not among"):
            self.WORDS.encode(Box(Fire()))
        with pytest.raises(TypeError, match="a cell holds a GridObject, not 'wall'"):
            self.WORDS.encode("wall")  # type: ignore[arg-type]
        for word in (255, 3 | 200 << 16):
            with pytest.raises(ValueError, match=f"{word:#x} does not represent an object of this world"):
                self.WORDS.decode(word)

    def test_masks_count_kinds_that_inherit(self) -> None:
        gate = type("Gate", (Door,), {}, register=False)
        vocabulary = Vocabulary([Door, gate, Wall])
        assert vocabulary.mask_of((Door,)) == 1 << 5 | 1 << 11
        assert vocabulary.mask_of((gate, Wall)) == 1 << 11 | 1 << 3
        assert vocabulary.mask_of((Lava,)) == 0

    def test_layers_are_there_only_where_they_are_used(self) -> None:
        plain, full = (
            Vocabulary([Wall]),
            Vocabulary([Box], edges=True, cell_fields=[Field("heat"), Field("wet")]),
        )
        assert (plain.layers, plain.content_layer, plain.edge_layer) == (0, -1, -1)
        assert (full.layers, full.content_layer, full.edge_layer, full.first_cell_field) == (4, 0, 1, 2)
        assert Vocabulary([Wall], edges=True).edge_layer == 0


class TestEquality:
    def test_it_covers_what_rules_can_tell_apart(self) -> None:
        def lamp(**body: Any) -> type[GridObject]:
            return type(
                "Lamp", (GridObject,), {"__module__": "m", "__qualname__": "Lamp", **body}, register=False
            )

        vocabulary = Vocabulary([lamp()])
        assert vocabulary == Vocabulary([lamp(glyph="L", drawing=((0, 0),))])
        assert hash(vocabulary) == hash(Vocabulary([lamp(glyph="L")]))
        others = [
            Vocabulary([lamp(holdable=True)]),
            Vocabulary([lamp(colored=True)]),
            Vocabulary([lamp(in_state=False)]),
            Vocabulary([lamp(color=Color.RED)], [Color.RED]),
            Vocabulary([lamp()], [Color.RED]),
            Vocabulary([lamp()], edges=True),
            Vocabulary([lamp()], agent_fields=[Field("energy")]),
            Vocabulary([lamp()], agent_fields=[Field("energy", "int")]),
            Vocabulary([lamp()], agent_fields=[Field("energy", default=1)]),
            Vocabulary([lamp()], world_fields=[Field("energy")]),
            Vocabulary([lamp(__module__="n")]),
        ]
        assert len({vocabulary, *others}) == 1 + len(others)
        assert vocabulary != None  # noqa: E711

    def test_copies_are_equal(self) -> None:
        vocabulary = Vocabulary([Wall, Lamp], [MAROON], agent_fields=[Field("energy", "int", 3)], edges=True)
        assert pickle.loads(pickle.dumps(vocabulary)) == vocabulary
        assert copy.copy(vocabulary) is copy.deepcopy(vocabulary) is vocabulary
        assert (
            repr(vocabulary)
            == "Vocabulary(NoneGridObject, Hidden, Floor, Wall, Lamp; NONE, MAROON_OF_TESTS; energy)"
        )
