"""Modules of users' own beside a world's file."""

import importlib
import sys
import textwrap
from pathlib import Path

import pytest

from gridarium import World
from gridarium.worlds import Description, DescriptionError, load
from gridarium.worlds.resolving.importing import import_from_folder

RULES = """\
    from gridarium.rules.transition_functions import transition_function_registry

    @transition_function_registry.register(name={name!r})
    def stay(state, action): ...
    """


@pytest.fixture(autouse=True)
def tidy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))


def written(folder: Path, module: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / f"{module}.py").write_text(textwrap.dedent(RULES).format(name=str(folder)))
    place = folder / "hall.yaml"
    place.write_text(
        f"shape: [3, 4]\nobjects: [Floor, Wall, Exit]\nreset: empty\ntransitions: ['{module}:stay']\n"
    )
    return place


def test_they_are_found_from_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = written(tmp_path / "mine", "rules_beside_a_file")
    monkeypatch.chdir("/")
    world = World(place, compiled=False, allow_imports=True)
    assert world.spec.transitions[0].rule.func is sys.modules["rules_beside_a_file"].stay
    assert load(place, allow_imports=True) == world.spec.description


def test_a_mapping_with_leave_needs_none_for_its_parameters(tmp_path: Path) -> None:
    written(tmp_path, "rules_of_a_mapping")
    sys.path.insert(0, str(tmp_path))
    world: dict[str, object] = {"shape": [3, 4], "objects": ["Floor", "Wall", "Exit"], "reset": "empty"}
    world["transitions"] = ["rules_of_a_mapping:stay"]
    for given in (world, Description.from_dict(world)):
        made = World(given, compiled=False, allow_imports=True, time_limit=5)
        made.batch(1).set_parameters({"time_limit": 3})
        assert World(made.spec, compiled=False, time_limit=4).spec.time_limit == 4
    with pytest.raises(DescriptionError, match="allow_imports=True"):
        World(Description.from_dict(world), compiled=False)


def test_what_was_loaded_with_leave_needs_none_again(tmp_path: Path) -> None:
    described = load(written(tmp_path / "mine", "rules_loaded_once"), allow_imports=True)
    assert World(described, compiled=False).spec.description == described
    with pytest.raises(DescriptionError, match="may not import code unless"):
        World(type(described).from_dict(described.to_dict()), compiled=False)


def test_without_leave_nothing_is_imported(tmp_path: Path) -> None:
    place, before = written(tmp_path / "mine", "rules_not_to_be_run"), list(sys.path)
    with pytest.raises(DescriptionError, match="may not import code unless"):
        load(place)
    assert "rules_not_to_be_run" not in sys.modules and sys.path == before


def test_another_module_of_that_name_is_never_taken_for_it(tmp_path: Path) -> None:
    first = written(tmp_path / "first", "rules_of_one_name")
    second = written(tmp_path / "second", "rules_of_one_name")
    load(first, allow_imports=True)
    with pytest.raises(DescriptionError, match=r"there is another module rules_of_one_name, .*first"):
        load(second, allow_imports=True)


def test_a_module_that_cannot_be_imported_is_told_once_and_tried_once(tmp_path: Path) -> None:
    place, tries = written(tmp_path / "mine", "rules_that_fail"), tmp_path / "tries"
    (place.parent / "rules_that_fail.py").write_text(
        f"with open({str(tries)!r}, 'a') as file:\n    file.write('tried')\nmissing_name\n"
    )
    more = "rewards: ['rules_that_fail:a', 'rules_that_fail:b', no_such_reward]\n"
    place.write_text(place.read_text() + more)
    with pytest.raises(DescriptionError) as caught:
        load(place, allow_imports=True)
    first, second = caught.value.problems
    reason = "NameError: name 'missing_name' is not defined"
    assert first.message == (
        f"rules_that_fail cannot be imported: {reason} ({place.parent / 'rules_that_fail.py'}:3) (mentioned 3 times)"
    )
    assert first.line == 4 and "unknown reward function 'no_such_reward'" in second.message
    assert tries.read_text() == "tried"


@pytest.mark.parametrize("order", [0, 1])
def test_what_an_imported_module_registers_has_its_plain_name_in_the_whole_file(
    tmp_path: Path, order: int
) -> None:
    place = written(tmp_path / "mine", f"rules_of_order_{order}")
    entries = [f"rules_of_order_{order}:stay", f"second_{order}"]
    module = place.parent / f"rules_of_order_{order}.py"
    second = f"@transition_function_registry.register\ndef second_{order}(state, action): ...\n"
    module.write_text(f"{module.read_text()}\n{second}")
    listed = ", ".join(f"'{name}'" for name in (entries[::-1] if order else entries))
    place.write_text(place.read_text().replace(f"'{entries[0]}'", listed))
    world = load(place, allow_imports=True)
    assert {entry.name for entry in world.transitions} == set(entries)


def test_packages_and_modules_from_elsewhere_are_as_ever(tmp_path: Path) -> None:
    package = tmp_path / "package_beside_a_file"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "part.py").write_text("HERE = 1\n")
    importlib.invalidate_caches()
    assert import_from_folder("package_beside_a_file.part", tmp_path).HERE == 1
    assert import_from_folder("json", tmp_path) is sys.modules["json"]


def test_what_listed_modules_define_needs_no_prefix(tmp_path: Path) -> None:
    place = tmp_path / "hall.yaml"
    (tmp_path / "rules_of_a_hall.py").write_text(
        "from gridarium.rules.transition_functions import transition_function_registry\n"
        "from gridarium.world import GridObject\n"
        "class HallExit(GridObject): pass\n"
        "@transition_function_registry.register\n"
        "def stay_in_hall(state, action): ...\n"
    )
    place.write_text(
        "modules: [rules_of_a_hall]\nshape: [3, 4]\nobjects: [Floor, Wall, Exit, HallExit]\nreset: empty\n"
        "transitions: [stay_in_hall]\n"
    )
    with pytest.raises(DescriptionError, match="rules_of_a_hall is refused: a description may not import"):
        load(place)
    world = World(place, compiled=False, allow_imports=True)
    module = sys.modules["rules_of_a_hall"]
    assert world.spec.transitions[0].rule.func is module.stay_in_hall
    assert module.HallExit in world.spec.vocabulary.kinds.values()


def test_a_listed_module_that_is_missing_is_told(tmp_path: Path) -> None:
    place = written(tmp_path / "mine", "rules_listed")
    place.write_text("modules: [no_such_module]\n" + place.read_text())
    with pytest.raises(DescriptionError, match=r"modules\[0\].*no_such_module cannot be imported"):
        load(place, allow_imports=True)


@pytest.mark.parametrize(
    ("allowed", "reason"), [(True, "cannot be imported: TypeError"), (False, "is refused")]
)
def test_names_that_a_module_would_bring_are_not_called_wrong(
    tmp_path: Path, allowed: bool, reason: str
) -> None:
    place = written(tmp_path / "mine", "rules_listed_too")
    (place.parent / "module_with_a_mistake.py").write_text("1 + ''\n")
    place.write_text(
        f"modules: [module_with_a_mistake]\n{place.read_text()}rewards: [own_reward, {{name: overlap, object_type: Own}}]\n"
    )
    with pytest.raises(DescriptionError) as caught:
        load(place, allow_imports=allowed)
    (problem,) = caught.value.problems
    assert problem.path == ("modules", 0) and reason in problem.message
