"""YAML: what is read, where it stands, and what is refused."""

import contextlib
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridarium.worlds import DescriptionError
from gridarium.worlds.files import yaml_io

scalars = st.none() | st.booleans() | st.integers(-(1 << 62), 1 << 62) | st.text(max_size=12)
scalars |= st.floats(allow_nan=False, allow_infinity=False)
plain = st.recursive(
    scalars,
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(st.text(max_size=5), parts, max_size=3),
    max_leaves=12,
)


def refusal(text: str) -> str:
    with pytest.raises(DescriptionError) as caught:
        yaml_io.read_text(text, source="file.yaml")
    return str(caught.value)


@given(plain)
def test_what_is_written_is_read_back(data: object) -> None:
    printable = re.compile(r"[^\t\n\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd]|\ufeff")
    if printable.search(repr(data).encode().decode("unicode-escape", "replace")) is None:
        assert yaml_io.read_text(yaml_io.dump(data)).data == data


def test_scalars_are_those_of_yaml_1_2() -> None:
    text = (
        "{a: yes, b: on, c: 1e-3, d: 12:30, e: 2001-01-01, f: ~, g: 0o7, h: TRUE, i: -.5, j: +3, k: 'true'}"
    )
    assert yaml_io.read_text(text).data == {
        "a": "yes", "b": "on", "c": 0.001, "d": "12:30", "e": "2001-01-01", "f": None,
        "g": "0o7", "h": True, "i": -0.5, "j": 3, "k": "true",
    }  # fmt: skip


def test_every_key_and_item_has_its_line() -> None:
    document = yaml_io.read_text("a: 1\nb:\n  - x\n  - c: 3\n\n    d: 4\n")
    assert document.lines["a",] == 1
    assert document.lines["b",] == 2
    assert document.lines["b", 0] == 3
    assert document.lines["b", 1, "d"] == 6


def test_an_anchor_may_be_used_again() -> None:
    assert yaml_io.read_text("a: &limit 640\nb: *limit\n").data == {"a": 640, "b": 640}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name: !!python/object/apply:os.system [x]\n", "file.yaml:1: the tag tag:yaml.org,2002:python/object/apply:os.system is not allowed"),
        ("a: 1\nb: !own x\n", "file.yaml:2: the tag !own is not allowed"),
        ("a: !!int '3'\n", "file.yaml:1: the tag tag:yaml.org,2002:int is not allowed"),
        ("a: 1\nb: 2\na: 3\n", "file.yaml:3: the key 'a' appears twice, first on line 1"),
        ("a: &a [*a]\n", "file.yaml:1: an alias that contains itself"),
        ("a: 1\n1: 2\n", "file.yaml:2: a key must be a string"),
        ("[a]: 2\n", "file.yaml:1: a key must be a string"),
        ("a: 1\n---\nb: 2\n", "file.yaml:2: expected a single document"),
        ("a: .nan\n", "file.yaml:1: .nan is not a finite number"),
        ("a:\n  - 1e999\n", "file.yaml:2: 1e999 is not a finite number"),
        ("a: 9223372036854775808\n", "file.yaml:1: the number 9223372036854775808 is too large"),
        ("a: x\n\x07b: 2\n", "file.yaml:2: the character '\\x07' is not allowed"),
        ("", "file.yaml: empty, or cut off before its first key"),
        ("# only a comment\n", "file.yaml: empty, or cut off before its first key"),
    ],
)  # fmt: skip
def test_bad_yaml_is_refused_with_its_line(text: str, message: str) -> None:
    assert refusal(text).startswith(message)


def test_truncated_yaml_names_the_line_where_it_ends() -> None:
    assert refusal("a: 1\nb: {c: 1, d\n").startswith("file.yaml:3: while parsing a flow mapping")
    assert refusal("a: 'x\n").startswith(
        "file.yaml:2: while scanning a quoted scalar found unexpected end of stream"
    )


@pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "? ", "[{a: "])
def test_deep_nesting_is_refused(opening: str) -> None:
    assert re.match(
        r"file.yaml:1: (nested deeper than 24 levels|while parsing|mapping values)", refusal(opening * 5000)
    )


def test_anchors_that_explode_are_refused() -> None:
    rows = ["a0: &a0 [" + "lol, " * 8 + "lol]"]
    rows += [f"a{i}: &a{i} [" + f"*a{i - 1}, " * 5 + f"*a{i - 1}]" for i in range(1, 9)]
    assert "entries once aliases are followed" in refusal("\n".join(rows))


def test_a_flood_of_aliases_is_refused() -> None:
    assert refusal("a: &a 1\nb: [" + "*a, " * 65 + "]\n") == "file.yaml:2: more than 64 aliases"


def test_long_files_are_refused_without_being_read(tmp_path: Path) -> None:
    path = tmp_path / "long.yaml"
    path.write_text("a: 1\n" * (1 << 18))
    with pytest.raises(DescriptionError, match="longer than 256 KiB"):
        yaml_io.read_file(path)
    assert refusal("#" * (1 << 19)) == "file.yaml: longer than 256 KiB"


def test_files_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "picture.yaml"
    path.write_bytes(b"a: 1\nb: \xff\xfe\n")
    with pytest.raises(DescriptionError, match=r"picture.yaml:2: not UTF-8 text"):
        yaml_io.read_file(path)
    with pytest.raises(DescriptionError, match=r"cannot be read: Is a directory"):
        yaml_io.read_file(tmp_path)
    with pytest.raises(FileNotFoundError):
        yaml_io.read_file(tmp_path / "none.yaml")


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(DescriptionError):
        yaml_io.read_text(text)
