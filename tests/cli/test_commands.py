"""The `gridarium` command, as somebody at a terminal meets it."""

import json
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from gridarium.cli import COMMANDS, main
from gridarium.worlds import catalogue

WORLD = """\
name: Hall
shape: [4, 5]
objects: [Wall, Floor, Exit]
reset: empty
transitions: [move_agent, turn_agent]
rewards: [reach_exit]
terminations: [reach_exit]
"""


def gridarium(*arguments, fails=False):
    done = CliRunner().invoke(main, [str(a) for a in arguments])
    assert done.exit_code == (1 if fails else 0), done.output
    assert not done.exception or isinstance(done.exception, SystemExit), done.exception
    return done.output


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return tmp_path


def written(place, text):
    place.write_text(textwrap.dedent(text))
    return place


EMPTY = [
    (("run", ""), "WORLD"),
    (("play", ""), "WORLD"),
    (("explain", " "), "WORLD"),
    (("beliefs", ""), "WORLD"),
    (("serve", ""), "WORLD"),
    (("replay", ""), "FILE"),
    (("episodes", ""), "FOLDER"),
    (("gallery", ""), "OUT"),
    (("ghost", ""), "LAYOUT"),
    (("vision", "show", ""), "OUT"),
    (("run", "Empty-4x4", "-p", ""), "--policy"),
    (("run", "Empty-4x4", "-p", "random", "-p", ""), "--policy"),
    (("run", "Empty-4x4", "--gif", ""), "--gif"),
    (("run", "Empty-4x4", "--record", ""), "--record"),
    (("ghost", "--film", ""), "--film"),
]


@pytest.mark.parametrize(("arguments", "which"), EMPTY)
def test_an_empty_argument_is_refused_by_its_name_and_nothing_is_written(folder, arguments, which) -> None:
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 2
    assert "Usage: " in done.output and which in done.output and "it is empty" in done.output
    assert not list(folder.iterdir())


def test_what_an_empty_text_was_given_to_does_not_hide_other_mistakes(folder) -> None:
    done = CliRunner().invoke(main, ["run", "--nonsense", ""])
    assert done.exit_code == 2 and "No such option" in done.output
    assert CliRunner().invoke(main, ["run", "--help"]).exit_code == 0


class TestList:
    def test_it_lists_all_worlds(self) -> None:
        told = gridarium("list", "--all")
        assert "KeyDoor-9x9" in told and "Fetch the key" in told

    def test_families_are_a_line_each_with_their_worlds(self) -> None:
        told = [" ".join(line.split()) for line in gridarium("list").splitlines()]
        assert any(line.startswith("KeyDoor 5x5, 7x7, 9x9 1 Fetch the key") for line in told)
        assert any(line.startswith("MultiRoom N2, N4, N6 1") for line in told)
        assert any(line.startswith("Unlock 6x11 1") for line in told)
        assert any(line.startswith(f"{len(catalogue.names())} worlds.") for line in told)
        narrow = gridarium("list", "9x9")
        assert "KeyDoor " in narrow and "5x5" not in narrow

    def test_a_word_narrows_it_down(self) -> None:
        rows = json.loads(gridarium("list", "teleport", "--json"))
        assert [row["name"] for row in rows] == ["Teleport-5x5", "Teleport-7x7"]
        assert {row["family"] for row in rows} == {"Teleport"}
        assert rows[0]["shape"] == [5, 5] and rows[0]["agents"] == 1
        (blokus,) = [line for line in gridarium("list", "Blokus").splitlines() if line.startswith("Blokus")]
        assert " 2, 4 " in blokus
        assert "no world has 'zebra'" in gridarium("list", "zebra", fails=True)

    def test_all_of_several_words_must_match(self) -> None:
        names = [row["name"] for row in json.loads(gridarium("list", "key", "DOOR", "--json"))]
        assert "KeyDoor-5x5" in names and "Unlock" in names and "Teleport-5x5" not in names
        assert "no world has 'key' and 'zebra'" in gridarium("list", "key", "zebra", fails=True)

    def test_one_world_is_counted_in_the_singular(self) -> None:
        assert "\n1 world. Look at one with" in gridarium("list", "ghost")


class TestRun:
    def test_results_are_a_table(self) -> None:
        told = gridarium("run", "Empty-4x4", "-p", "random", "-p", "scripted", "-n", 4, "--interpreted")
        assert "Empty-4x4, 4 episodes" in told
        scripted = next(line for line in told.splitlines() if line.startswith("scripted"))
        assert "100 % (51 to 100)" in scripted

    def test_where_what_agents_win_others_lose_it_points_to_matches(self) -> None:
        told = gridarium("run", "TicTacToe", "-n", 3, "--interpreted")
        assert "their returns add up to 0 in all episodes): gridarium match compares them" in told
        assert "gridarium match" not in gridarium("run", "TicTacToe", "-n", 1, "--interpreted")
        assert "gridarium match" not in gridarium("run", "Empty-4x4", "-n", 3, "--interpreted")

    def test_results_can_be_json_and_repeat(self) -> None:
        command = ("run", "Empty-4x4", "-n", 3, "--seed", 5, "--json", "--interpreted")
        first = json.loads(gridarium(*command))
        assert first == json.loads(gridarium(*command))
        assert [e["seed"] for e in first["policies"]["random"]["episodes"]] == [5, 6, 7]

    def test_of_several_policies_it_says_whose_episodes_are_filmed_and_saved(self, folder: Path) -> None:
        pytest.importorskip("PIL")
        command = ("run", "Empty-4x4", "-n", 2, "--interpreted", "--gif", "a.gif", "--save", "a.run")
        told = gridarium(*command, "-p", "scripted", "-p", "random")
        assert "frames of scripted (not of random)" in told
        assert "wrote a.run: 2 episodes of scripted (not of random); gridarium replay a.run shows" in told
        assert " of " not in gridarium(*command).partition("wrote")[2]
        assert "the first one is filmed" in " ".join(gridarium("run", "--help").split())
        quiet = CliRunner().invoke(main, [*map(str, command), "--json"])
        assert json.loads(quiet.stdout)["world"] == "Empty-4x4" and "wrote a.gif" in quiet.stderr

    def test_a_policy_in_a_file(self, folder: Path) -> None:
        written(folder / "spinning.py", """\
            def spin(actions):
                return actions[4]
            """)  # fmt: skip
        for policy in ("spinning:spin", "spinning.py:spin"):
            told = gridarium("run", "Empty-4x4", "-p", policy, "-n", 2, "--max-ticks", 9, "--interpreted")
            assert "9.0 ± 0.0" in told

    @pytest.mark.parametrize(
        ("text", "reason"),
        [("def act(:", "SyntaxError: invalid syntax (hasty.py, line 1)"), ("import not_there", ":1)")],
    )
    @pytest.mark.parametrize("policy", ["hasty.py:act", "hasty:act"])
    def test_a_policy_that_cannot_be_imported_is_told_in_a_line(
        self, folder: Path, text: str, reason: str, policy: str
    ) -> None:
        written(folder / "hasty.py", text)
        told = gridarium("run", "Empty-4x4", "-p", policy, fails=True)
        assert re.search(
            r"^Error: hasty(.py)? cannot be imported: .*" + re.escape(reason) + "$", told.strip(), re.M
        )

    def test_the_first_episode_can_be_an_animated_picture(self, folder: Path) -> None:
        image = pytest.importorskip("PIL.Image")
        gridarium(
            "run", "Empty-4x4", "-p", "scripted", "-n", 2, "--interpreted", "--gif", "walk.gif", "--tile", 8
        )
        with image.open(folder / "walk.gif") as picture:
            assert picture.size == (32, 32) and picture.n_frames > 1

    def test_without_pillow_it_says_what_to_install(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(sys.modules, "PIL", None)
        told = gridarium("run", "Empty-4x4", "--gif", "walk.gif", fails=True)
        assert "install gridarium[pictures]" in told

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (("Emty-4x4",), "did you mean 'Empty-4x4'"),
            (("nowhere.yaml",), "there is no file nowhere.yaml"),
            (("Empty-4x4", "--save", "no/such/folder/x.run"), "there is no folder no/such/folder"),
            (("Empty-4x4", "--gif", "no/such/folder/x.gif"), "there is no folder no/such/folder"),
            (("Empty-4x4", "--save", "."), ". is a folder"),
            (("nowhere.py",), "there is no file nowhere.py"),
            (("Empty-4x4", "-p", "clever"), "pomcp, module:name or file.py:name, not 'clever'"),
            (("Empty-4x4", "-p", "no_such_module:f"), "there is no module no_such_module"),
            (("Empty-4x4", "-p", "math:cosine"), "math has no function or class 'cosine'"),
            (("Empty-4x4", "--gif", "walk.avi", "--interpreted"), "ends in .gif"),
        ],
    )
    def test_what_is_wrong_is_said(self, folder: Path, arguments: tuple[str, ...], message: str) -> None:
        assert message in gridarium("run", *arguments, fails=True)

    def test_no_output_replaces_a_file_that_people_write(self, folder: Path) -> None:
        world = written(folder / "mine.yaml", "name: Mine\n")
        told = gridarium("run", "Empty-4x4", "--save", world.name, "--interpreted", fails=True)
        assert "mine.yaml is there already, and is written by people: choose another name" in told
        assert world.read_text() == "name: Mine\n"

    def test_without_a_limit_episodes_last_as_long_as_the_world_says(self) -> None:
        still = (
            "-p",
            f"{Path(__file__).with_name('few_policies.py')}:waiting",
            "-n",
            1,
            "--interpreted",
            "--json",
        )

        def length(*arguments):
            return json.loads(gridarium("run", *arguments, *still))["policies"][still[1]]["episodes"][0][
                "length"
            ]

        assert length("DoorKey-8x8") == 640
        assert length("DoorKey-8x8", "--max-ticks", 9) == 9
        assert length("KeyDoor-5x5") == 500

    @pytest.mark.parametrize(
        ("policy", "lines"),
        [
            (
                "asking",
                ["Error: TypeError: policy asking: asks for future;", "policy few_policies.py:asking"],
            ),
            ("nothing", ["TypeError: a policy chose None;", "policy few_policies.py:nothing, seed 4"]),
            ("unheard_of", ["ValueError: action 77 of agent 0", "policy few_policies.py:unheard_of, seed 4"]),
            ("raising", ["ValueError: boo", "few_policies.py:raising, seed 4, ", 'raise ValueError("boo")']),
        ],
    )
    def test_a_policy_that_is_no_good_is_told_in_a_few_lines(
        self, monkeypatch: pytest.MonkeyPatch, policy: str, lines: list[str]
    ) -> None:
        monkeypatch.chdir(Path(__file__).parent)
        monkeypatch.setattr(sys, "path", list(sys.path))
        arguments = ("-p", f"few_policies.py:{policy}", "-n", 1, "--seed", 4, "--interpreted")
        told = gridarium("run", "Empty-4x4", *arguments, fails=True)
        assert all(line in told for line in lines) and len(told.splitlines()) <= 4

    def test_a_broken_world_file_is_refused_with_its_lines(self, folder: Path) -> None:
        place = written(folder / "hall.yaml", WORLD.replace("reach_exit]", "reach_exitt]", 1))
        assert "hall.yaml:6" in gridarium("run", place, fails=True)


class TestExplain:
    def test_it_shows_the_rules_the_spaces_the_actions_and_the_objects(self) -> None:
        told = gridarium("explain", "KeyDoor-5x5")
        for part in (
            "def transition(state, action",
            "uint8[7 x 7 x 3]",
            "PICK_N_DROP",
            "status 0 OPEN",
            "YELLOW",
        ):
            assert part in told

    def test_the_name_has_a_line_of_its_own(self) -> None:
        assert gridarium("explain", "Empty-4x4").startswith("Empty-4x4\nReach the exit")

    def test_only_the_code_is_python(self) -> None:
        compile(gridarium("explain", "KeyDoor-5x5", "--code"), "page", "exec")

    def test_several_agents_are_told_apart(self) -> None:
        told = gridarium("explain", "TwoAgents-Helper-8x8")
        assert "only helper" in told and "turn order" in told

    def test_actions_with_arguments_are_a_line_each_and_long_arrays_none(self) -> None:
        assert (
            "Invalid value for '--seed'"
            in CliRunner().invoke(main, ["explain", "Go-9x9", "--seed", "-1"]).output
        )
        told = gridarium("explain", "Go-9x9")
        assert "0 to 80  PLACE(at: cells)" in told and re.search(r"^81 +PASS", told, re.M)
        assert "passes=0" in told and "seen=" not in told
        assert "0 to 191  MOVE(direction: 0 to 2, at: cells)" in gridarium("explain", "Breakthrough")

    def test_things_durations_players_and_illegal_actions_are_shown(self, folder: Path) -> None:
        yard = """
            objects: [Floor, Block]
            shape: [4, 4]
            things: {capacity: 4, kinds: [Block], carried: 2, placed: [{name: Block, at: [1, 2]}]}
            fields: {thing: [{name: weight, type: int}], world: [{name: mood, type: int, words: [calm, wild]}]}
            actions: [PICK_UP, {name: BAKE, declare: true, duration: 3}]
            agents: [{name: ann, body: false}, {name: bob, body: false}]
            illegal: attempt
            transitions: [pick_up_thing]
        """
        told = gridarium("explain", written(folder / "yard.yaml", yard))
        shown = re.sub(" +", " ", told)
        for part in (
            "1 BAKE takes 3 ticks",
            "thing weight int 0",
            "world mood int 0 calm, wild",
            "capacity 4",
            "an agent carries up to 2",
            "kinds in maps Block",
            "placed Block at [1, 2]",
            "agents ann (no body), bob (no body)",
            "illegal actions attempt",
        ):
            assert part in shown
        assert "illegal actions" not in gridarium("explain", "KeyDoor-5x5")

    def test_actions_are_told_in_the_words_of_the_world(self) -> None:
        told = gridarium("explain", "Kitchen-CrampedRoom")
        assert "serve it" in told and "door" not in told

    @pytest.mark.parametrize(
        "family", ["Sokoban", "Kitchen", "Warehouse", "Foraging", "Pursuit", "Taxi", "CollectBlocks"]
    )
    def test_worlds_say_how_they_differ_from_their_originals(self, family: str) -> None:
        told = " ".join(gridarium("explain", family).split())
        assert f"Differences from the source: {catalogue.description(family).differences}" in told

    def test_numbers_without_bounds_are_any_integer(self) -> None:
        told = gridarium("explain", "Taxi-5x5")
        assert "any integer" in told and "e+18" not in told
        told = gridarium("explain", "CollectBlocks-9x9-2ag")
        assert "any integer" in told and "e+18" not in told and "36854775807" not in told


class TestCheck:
    @pytest.mark.slow
    def test_a_good_world_is_the_same_interpreted_and_compiled(self, folder: Path) -> None:
        told = gridarium("check", written(folder / "hall.yaml", WORLD), "--worlds", 4, "--ticks", 50)
        assert "Hall, 4 x 5, 1 agent, 8 actions" in told
        assert "the same, bit for bit (200 steps" in told
        assert "Hall: solved in 3 ticks for 5 of 5 seeds" in told

    @pytest.mark.slow
    def test_worlds_are_checked_with_other_parameters(self, folder: Path) -> None:
        place = written(folder / "hall.yaml", WORLD)
        told = gridarium("check", place, "--worlds", 2, "--ticks", 5, "--set", "shape=4x6")
        assert "Hall, 4 x 6, 1 agent" in told and "the same, bit for bit" in told
        assert "did you mean 'shape'?" in gridarium("check", place, "--set", "sharpe=4x6", fails=True)

    def test_without_a_world_there_is_nothing_to_give_parameters_to(self, folder: Path) -> None:
        place = written(folder / "ruleless.py", "number = 1\n")
        told = gridarium("check", place, "--set", "shape=4x6", fails=True)
        assert "makes no world, which --set could give parameters to" in told

    def test_rules_of_ones_own_are_found_beside_the_file(self, folder: Path) -> None:
        written(folder / "drifting.py", """\
            from gridarium.rules.transition_functions import transition_function_registry

            @transition_function_registry.register
            def drift(state, action):
                print(action)
            """)  # fmt: skip
        place = written(folder / "windy.yaml", WORLD.replace("turn_agent]", "'drifting:drift']"))
        told = gridarium("check", place, "--worlds", 2, "--ticks", 2, fails=True)
        assert "print works interpreted only" in told

    def test_rules_that_others_are_given_are_tried_too(self, folder: Path) -> None:
        written(folder / "seeing.py", """\
            from gridarium.rules.visibility_functions import visibility_function_registry

            @visibility_function_registry.register
            def keen(grid, position):
                return grid.mask(True)
            """)  # fmt: skip
        view = "{name: from_visibility, area: [[-1, 0], [0, 0]], visibility_function: 'seeing:keen'}"
        place = written(folder / "seen.yaml", f"{WORLD}observation: {view}\n")
        told = gridarium("check", place, "--worlds", 2, "--ticks", 2)
        assert "visibility keen: in order" in told and told.endswith("result      in order\n")

    def test_a_worlds_own_sensors_are_tried_too(self, folder: Path) -> None:
        written(folder / "sensing.py", """\
            from gridarium.rules.sensors import sensor_registry

            @sensor_registry.register(outcomes=2)
            def bell(state, measurement, *, share: float = 0.5) -> float:
                return share
            """)  # fmt: skip
        place = written(folder / "sensed.yaml", f"{WORLD}sensors: ['sensing:bell']\n")
        assert "sensor bell: in order" in gridarium("check", place, "--worlds", 2, "--ticks", 2)
        place = written(folder / "wrong.yaml", f"{WORLD}sensors: [{{name: 'sensing:bell', share: 0.4}}]\n")
        told = gridarium("check", place, "--worlds", 2, "--ticks", 2, fails=True)
        assert "the probabilities of its outcomes add up to 0.8, not to 1" in told

    def test_a_rule_that_raises_is_told_with_its_line(self, folder: Path) -> None:
        written(folder / "failing.py", """\
            from functools import partial
            from gridarium.worlds import Spec

            def fail(state, action):
                print(end="")
                left = 1 // (state.tick - 3)

            world = Spec.build(
                shape=(4, 4), objects=["Floor", "Wall", "Exit"], reset="empty", transitions=[fail],
                rewards=["reach_exit"],
            )
            """)  # fmt: skip
        told = gridarium("check", folder / "failing.py", "--worlds", 2, "--ticks", 5, fails=True)
        assert "ZeroDivisionError" in told and "failing.py:6" in told and "Traceback" not in told
        lines = [line.strip() for line in told.splitlines()]
        place = next(i for i, line in enumerate(lines) if re.match(r"rule fail, .*failing.py:6$", line))
        assert lines[place + 1] == "left = 1 // (state.tick - 3)"
        assert lines.count(lines[place + 1]) == 1  # told once, though it is raised in several checks
        assert lines[-1] == "result      FAILED, 2 problems"  # print cannot be compiled

    def test_a_kind_that_the_world_lacks_is_told_first_and_once(self, folder: Path) -> None:
        written(folder / "building.py", """\
            from gridarium.rules.transition_functions import transition_function_registry
            from gridarium.world import Beacon, Color, Position

            @transition_function_registry.register
            def build(state, action):
                state.grid[Position(1, 2)] = Beacon(Color.RED)
            """)  # fmt: skip
        place = written(folder / "site.yaml", WORLD.replace("turn_agent]", "'building:build']"))
        told = gridarium("check", place, "--worlds", 2, "--ticks", 2, fails=True)
        assert told.count("Beacon is not among this world's objects") == 1
        assert told.index("Beacon is not among") < told.index("runs interpreted")
        assert told.endswith("result      FAILED, 1 problem\n")

    def test_rules_and_objects_without_a_world(self, folder: Path) -> None:
        place = written(folder / "sulking.py", """\
            from gridarium.rules.reward_functions import reward_function_registry
            from gridarium.rules.terminating_functions import terminating_function_registry
            from gridarium.world import Floor, GridObject

            class Pebble(GridObject):
                glyph = "p"

            @reward_function_registry.register
            def meddle(state, action, next_state):
                next_state.grid[0, 0] = Floor()
                return 0.0

            @terminating_function_registry.register
            def late(state, action, next_state, *, ticks: int):
                return state.tick >= ticks
            """)  # fmt: skip
        told = gridarium("check", place, fails=True)
        assert "object      Pebble: in order" in told
        assert "rule        sulking.py:9: reward rule 'meddle': it changed its inputs; " in told
        assert "terminating late needs ticks" in told

    def test_rules_that_need_what_a_world_declares_are_not_tried_without_it(self, folder: Path) -> None:
        place = written(folder / "painting.py", """\
            from gridarium.rules.legal_functions import legal_function_registry
            from gridarium.rules.terminating_functions import terminating_function_registry
            from gridarium.rules.transition_functions import transition_function_registry
            from gridarium.world import Floor

            @transition_function_registry.register
            def paint(state, action):
                state.grid[action.at] = Floor()

            @legal_function_registry.register
            def may_paint(state, action):
                return state.tick > 99 or bool(state.last == 0)

            @terminating_function_registry.register
            def rarely_over(state, action, next_state):
                return state.tick == 99 and bool(state.agent.marks)
            """)  # fmt: skip
        told = gridarium("check", place)
        assert (
            "transition rule 'paint': it needs an action with the argument 'at'; check a world that uses it"
            in told
        )
        assert "legal rule 'may_paint': it needs the field 'last'" in told
        assert "terminating rule 'rarely_over': it needs the field 'marks'" in told
        assert told.count("not tried: ") == 3
        assert told.endswith("result      in order, 3 rules not tried\n")

    def test_all_lines_that_cannot_be_compiled_are_told(self, folder: Path) -> None:
        place = written(folder / "many_mistakes.py", """\
            from gridarium.rules.transition_functions import transition_function_registry

            @transition_function_registry.register
            def muddle(state, action):
                seen = {}
                seen[state.tick] = [action]
            """)  # fmt: skip
        told = gridarium("check", place, fails=True).splitlines()
        assert told[0].endswith("many_mistakes.py:4: transition rule 'muddle': it cannot be compiled:")
        assert "line 5): a dict cannot be built" in told[1] and "line 6): a list cannot be built" in told[2]

    def test_a_file_that_cannot_be_imported_is_told_with_its_line(self, folder: Path) -> None:
        told = gridarium(
            "check", written(folder / "half_written.py", "first = 1\nsecond = frist\n"), fails=True
        )
        assert "half_written.py cannot be imported: NameError: name 'frist' is not defined" in told
        assert "half_written.py:2)" in told and "Traceback" not in told

    def test_a_file_without_worlds(self, folder: Path) -> None:
        assert "makes no world" in gridarium("check", written(folder / "empty_file.py", ""), fails=True)
        assert "neither .yaml nor .py" in gridarium("check", written(folder / "a.txt", ""), fails=True)


class TestCache:
    def test_it_shows_its_place_and_can_be_cleared(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("GRIDARIUM_CACHE_DIR", str(folder / "programs"))
        assert f"{folder / 'programs'}" in gridarium("cache")
        (folder / "programs").mkdir(mode=0o700, exist_ok=True)
        (folder / "programs" / f"{'0' * 40}.bin").write_bytes(b"a program")
        assert "programs  1" in gridarium("cache")
        assert "removed 1 program from" in gridarium("cache", "--clear")
        assert "programs  0" in gridarium("cache")

    def test_a_folder_that_cannot_be_used_is_explained(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (folder / "file").write_text("")
        monkeypatch.setenv("GRIDARIUM_CACHE_DIR", str(folder / "file"))
        assert "not used" in gridarium("cache")


def commands() -> Iterator[tuple[str, click.Command]]:
    for name in COMMANDS:
        command = main.get_command(click.Context(main), name)
        assert command is not None
        yield name, command
        if isinstance(command, click.Group):
            yield from command.commands.items()


def test_the_help_of_options_says_what_they_are_of_and_that_of_commands_is_not_cut_off() -> None:
    for name, command in commands():
        for option in command.params:
            text = getattr(option, "help", None) or ""
            assert not text.startswith(("Of ", "At ", "How many.", "How many;")), (name, option.name, text)
        if isinstance(command, click.Group):
            assert "..." not in gridarium(name, "--help").partition("Commands:")[2]


def test_the_example_of_the_schema_is_shown_line_by_line() -> None:
    told = gridarium("schema", "--help")
    assert "\n  gridarium schema > world.schema.json\n" in told and "\b" not in told and r"\b" not in told


def test_the_schema_is_json() -> None:
    assert json.loads(gridarium("schema"))["properties"]["transitions"]


@pytest.mark.slow
def test_the_demo_shows_the_world_the_table_and_the_pictures(folder: Path) -> None:
    told = gridarium("demo", "--into", folder / "pictures")
    assert "pick up / drop" in " ".join(told.split()) and "What to try next" in told
    assert "planner (scripted)" in told and "100 % (84 to 100)" in told
    assert sorted(p.name for p in (folder / "pictures").iterdir()) == [
        "keydoor-end.png", "keydoor-start.png", "keydoor.gif",
    ]  # fmt: skip


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys; from gridarium.cli import main\n"
        "try: main(['--help'])\nexcept SystemExit: pass\n"
        "heavy = {'numba', 'gymnasium', 'PIL', 'yaml', 'pydantic', 'rich'} & set(sys.modules); assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)


def test_parameters_of_a_world_are_set_on_the_command_line(folder) -> None:
    given = ("--set", "shape=4x7", "--set", "time_limit=2", "--set", "reach_exit.reward_on=3")
    page = gridarium(
        "explain", "Empty-4x4", "--code", "--set", "reach_exit.reward_on=7.5", "--set", "time_limit=9"
    )
    assert "params[0] = 9  (time_limit)" in page and "= 7.5  (reach_exit.reward_on)" in page
    written(folder / "hall.yaml", WORLD)
    played = json.loads(
        gridarium(
            "run",
            "hall.yaml",
            "-n",
            2,
            "--json",
            "--interpreted",
            "--set",
            "shape=4x9",
            "--set",
            "time_limit = 2",
        )
    )
    assert {e["length"] for e in played["policies"]["random"]["episodes"]} == {2}
    page = gridarium("explain", "Empty-4x4", *given)
    assert "#######" in page and "########" not in page
    assert "parameters" in page and "reach_exit.reward_on" in " ".join(page.split())


def test_the_size_of_a_family_is_set_on_the_command_line() -> None:
    page = gridarium("explain", "DoorKey", "--code", "--set", "size=9")
    assert "params[0] = 810  (time_limit)" in page
    page = gridarium("explain", "DoorKey", "--code", "--set", "size=5x9", "--set", "time_limit=7")
    assert "params[0] = 7  (time_limit)" in page
    refused = gridarium("explain", "DoorKey", "--set", "size=3", fails=True)
    assert "DoorKey with size=3" in refused and "16 x 16" in refused


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("shape",), "'shape' is not of the form NAME=VALUE"),
        (("=3",), "'=3' is not of the form NAME=VALUE"),
        (("time_limit=[1",), "'time_limit=[1': "),
        (("time_limit=3", "time_limit=4"), "time_limit is given twice"),
    ],
)
def test_what_is_no_parameter_is_refused_as_usage(given, message) -> None:
    options = [part for text in given for part in ("--set", text)]
    done = CliRunner().invoke(main, ["explain", "Empty-4x4", *options])
    assert done.exit_code == 2 and message in " ".join(done.output.split())


def test_unknown_parameters_are_refused_with_those_that_there_are() -> None:
    text = gridarium("explain", "Empty-4x4", "--set", "sharpe=4x4", "--set", "compiled=false", fails=True)
    assert "there is no parameter 'sharpe'; did you mean 'shape'? known: shape, time_limit" in text
    assert "there is no parameter 'compiled'; known: " in text
