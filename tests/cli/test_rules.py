"""`gridarium rules`, and the bodies of rules in `gridarium explain`."""

import ast
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from gridarium.cli.commands.rules import KINDS, _list
from gridarium.worlds.resolving.binding import REGISTRIES
from gridarium.worlds.rule_reference import entries
from tests.cli.test_commands import gridarium


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")


def test_all_kinds_can_be_asked_for() -> None:
    assert tuple(registry.kind for registry in REGISTRIES.values()) == KINDS


def test_it_lists_rules_with_parameters_and_a_sentence() -> None:
    told = gridarium("rules")
    for kind in KINDS:
        assert f"{kind} rule " in told
    line = next(line for line in told.splitlines() if line.startswith("getting_closer "))
    assert "reward_closer=1.0" in line and "distance" in line


def test_a_kind_or_a_word_narrows_it_down() -> None:
    assert {row["kind"] for row in json.loads(gridarium("rules", "--kind", "reward", "--json"))} == {"reward"}
    rows = json.loads(gridarium("rules", "door", "-k", "transition", "--json"))
    assert [row["name"] for row in rows] == ["actuate_door", "toggle_door", "use_doors"]
    assert "Look at one with: gridarium rules actuate_door" in gridarium("rules", "door", "-k", "transition")


def test_one_rule_is_shown_whole() -> None:
    told = gridarium("rules", "crossing")
    for part in (
        "reset rule crossing",
        "Rivers across",
        "num_rivers: at least 1",
        "LavaCrossing-9x9",
        "Baisero",
    ):
        assert part in told
    assert "needed" in told and "reset_functions/crossing.py:" in told
    assert "default False" in gridarium("rules", "dynamic_obstacles")


def test_square_brackets_are_not_markup(capsys: pytest.CaptureFixture[str]) -> None:
    assert "tuple[int, int]" in gridarium("rules", "rooms", "-k", "reset")
    _list([replace(entries()[0], summary="It fills [height, width].")])
    assert "It fills [height, width]." in capsys.readouterr().out


def test_rules_of_several_kinds_may_have_one_name() -> None:
    told = gridarium("rules", "teleport")
    assert "reset rule teleport" in told and "transition rule teleport" in told
    assert "transition rule" not in gridarium("rules", "teleport", "-k", "reset")


def test_an_unknown_name_is_told_with_what_is_near() -> None:
    told = gridarium("rules", "zlip", fails=True)
    assert "no rule has 'zlip' in its name, description or source; did you mean slip?" in told
    assert "a rule of your own is shown with own.py:RULE" in gridarium("rules", "own.py", fails=True)


def test_rules_are_found_by_their_source() -> None:
    told = gridarium("rules", "MiniGrid", "--json")
    assert {"fetch", "keydoor"} <= {row["name"] for row in json.loads(told)}


def test_the_bodies_of_a_worlds_rules_are_shown_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    assert "def move_agent(" not in gridarium("explain", "FourByThree")
    told = gridarium("explain", "FourByThree", "--full")
    assert told.count("def move_agent(") == told.count("def slip(") == 1
    assert "transition slip " in told
    assert re.search(r"^# .*transition_functions\.py:\d+$", told, re.M)


def test_the_page_with_bodies_is_python() -> None:
    page = ast.parse(gridarium("explain", "Empty-4x4", "--code", "--full"))
    names = [node.name for node in page.body if isinstance(node, ast.FunctionDef)]
    assert names.index("transition") < names.index("empty") < names.index("move_agent")


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("Door", ("object Door", "blocks the way", "status 0 OPEN", "in maps", "DoorKey-5x5")),
        ("MOVE_LEFT", ("action MOVE_LEFT", "KeyDoor-5x5")),
        ("compact", ("representation compact", "numbered without gaps", "worlds")),
        ("rgb", ("representation rgb", "none in the catalogue")),
    ],
)
def test_objects_actions_and_representations_are_shown(name: str, parts: tuple[str, ...]) -> None:
    told = gridarium("rules", name)
    for part in parts:
        assert part in told
    (data,) = json.loads(gridarium("rules", name, "--json"))
    assert (data["kind"], data["name"]) == tuple(parts[0].split())
    assert not {row["kind"] for row in json.loads(gridarium("rules", "door", "--json"))} & {"object"}


def test_a_rule_of_ones_own_is_shown_with_its_signature_and_docstring(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own_gusts.py").write_text(
        'def gust(state, action, *, strength=2):\n    """Blow agents away.\n\n    Hard.\n    """\n'
    )
    for given in ("own_gusts:gust", "own_gusts.py:gust"):
        told = gridarium("rules", given)
        assert told == "gust(state, action, *, strength=2)\n\nBlow agents away.\n\nHard.\n"
    (data,) = json.loads(gridarium("rules", "own_gusts:gust", "--json"))
    assert data["signature"] == "gust(state, action, *, strength=2)"
    assert "own_gusts has no rule 'calm'" in gridarium("rules", "own_gusts:calm", fails=True)
    assert "there is no module own_calms here" in gridarium("rules", "own_calms:gust", fails=True)
