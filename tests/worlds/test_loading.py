"""Finding worlds: files, texts, the catalogue."""

from pathlib import Path

import pytest

from gridarium.worlds import DescriptionError, catalogue, find, load, loads
from tests.worlds.test_description import WORLD


def test_a_file_is_read_and_a_text_too(tmp_path: Path) -> None:
    path = tmp_path / "small.yaml"
    path.write_text(WORLD)
    assert load(path) == load(str(path)) == load(WORLD) == loads(WORLD)
    assert load(path).origin.source == str(path)


def test_a_world_without_a_name_is_called_as_its_file(tmp_path: Path) -> None:
    path = tmp_path / "my_world.2.yaml"
    path.write_text(WORLD.replace("name: Small\n", ""))
    assert load(path).name == "my_world.2"
    odd = tmp_path / "my world.yaml"
    odd.write_text(WORLD.replace("name: Small\n", ""))
    assert load(odd).name == "unnamed"


def test_errors_name_the_file(tmp_path: Path) -> None:
    path = tmp_path / "small.yaml"
    path.write_text(WORLD.replace("  - reach_exit\n", "  - reach_exti\n"))
    with pytest.raises(DescriptionError) as caught:
        load(path)
    assert str(caught.value).startswith(f"{path}:10: rewards[0].name: unknown reward function 'reach_exti'")


def test_loading_checks_every_name() -> None:
    with pytest.raises(DescriptionError, match="unknown reset function"):
        loads(WORLD.replace("reset: empty", "reset: emty"))


def test_a_world_is_found_by_name_alias_id_or_file(tmp_path: Path) -> None:
    wanted = catalogue.description("KeyDoor-9x9")
    path = tmp_path / "a.yaml"
    path.write_text(wanted.to_yaml())
    names = [
        "KeyDoor-9x9",
        "gridarium/KeyDoor-9x9-v0",
        "KeyDoor-9x9-v0",
        "GV-Keydoor-9x9-v0",
        str(path),
        path,
    ]
    assert [find(name) for name in names] == [wanted] * 6
    plain = tmp_path / "without_ending"
    plain.write_text(wanted.to_yaml())
    assert find(str(plain)) == wanted


def test_unknown_worlds_are_refused_with_the_nearest() -> None:
    with pytest.raises(ValueError, match="no world 'KeyDor-9x9'; did you mean 'KeyDoor-9x9'"):
        find("KeyDor-9x9")
    with pytest.raises(ValueError, match="did you mean 'Empty-8x8'"):
        catalogue.description("Emty-8x8")
    with pytest.raises(FileNotFoundError):
        find("no_such_file.yaml")
    with pytest.raises(ValueError, match="no world"):
        find("../catalogue/KeyDoor-9x9")
