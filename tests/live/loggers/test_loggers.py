"""Loggers: what is written where, and when."""

import csv

import pytest

from gridarium.live.brains import AgentBrain
from gridarium.live.builder import WorldBuilder
from gridarium.live.goals import LimitedTimeGoal, WorldGoal
from gridarium.live.loggers import (
    GridWorldLogger,
    GridWorldLoggerV2,
    LogActions,
    LogDuration,
    LogIdleAgents,
    MessageLogger,
)
from gridarium.live.messages import Message


class Ticks(GridWorldLogger):
    def log(self, grid_world, agent_data):
        return {"now": grid_world.current_nr_ticks}


class Growing(GridWorldLogger):
    """Logs another column each tick, of another type."""

    def log(self, grid_world, agent_data):
        tick = grid_world.current_nr_ticks
        return {f"c{tick}": [1, 2.5, "a; b\nc", {"x": [1]}][tick], "value": [1, 2.5, None, "text"][tick]}


class Worker(AgentBrain):
    """Moves east in even ticks, and says so to everybody."""

    def filter_observations(self, state):
        return state

    def decide_on_action(self, state):
        tick = state["World"]["nr_ticks"]
        self.send_message(Message(f"tick {tick}", from_id=self.agent_id))
        self.send_message(Message({"tick": tick}, from_id=self.agent_id, to_id=self.agent_id))
        return ("MoveEast", {}) if tick % 2 == 0 else (None, {})


def run(tmp_path, *loggers, ticks=4, agents=0, goals=None, **arguments):
    """Run a world with loggers; the rows of each as dicts."""
    builder = WorldBuilder((9, 3), simulation_goal=goals or ticks, tick_duration=0)
    for i in range(agents):
        builder.add_agent((0, i), Worker, f"agent {i}")
    for logger in loggers:
        builder.add_logger(logger, save_path=tmp_path, **arguments)
    world = builder.get_world(compiled=False)
    world.run()
    return [rows(logger.path) for logger in world.loggers]


def rows(path, delimiter=";"):
    if path is None:
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter=delimiter))


def ticks(logged):
    return [int(row["tick_nr"]) for row in logged]


@pytest.mark.parametrize(
    ("strategy", "logged"),
    [
        (1, [0, 1, 2, 3, 4]),
        (2, [0, 2, 4]),
        (3, [0, 3]),
        (GridWorldLogger.LOG_ON_FIRST_TICK, [0]),
        (GridWorldLogger.LOG_ON_LAST_TICK, [4]),
        (GridWorldLogger.LOG_ON_GOAL_REACHED, [2, 4]),
    ],
)
def test_a_strategy_says_when_to_log(tmp_path, strategy, logged):
    (found,) = run(tmp_path, Ticks, goals=[2, 4], log_strategy=strategy)
    assert ticks(found) == logged
    assert {row["world_id"] for row in found} == {"world_1"}


def test_a_goal_that_holds_from_the_beginning_is_logged():
    class Given(WorldGoal):
        def goal_reached(self, grid_world):
            return True

    logger = Ticks(log_strategy=GridWorldLogger.LOG_ON_GOAL_REACHED)
    goal = Given()
    assert logger._is_due(0, False, [(goal, True)])
    assert not logger._is_due(1, False, [(goal, True), (LimitedTimeGoal(3), False)])


def test_each_world_has_its_folder_and_each_file_the_name_of_its_logger(tmp_path):
    builder = WorldBuilder((3, 3), simulation_goal=1, tick_duration=0)
    builder.add_logger(Ticks, save_path=tmp_path)
    builder.add_logger(Ticks, save_path=tmp_path, file_name="mine", delimiter=",", file_extension=".csv")
    for world in builder.worlds(2, compiled=False):
        world.run()
    names = sorted(str(p.relative_to(tmp_path)).rpartition("_")[0] for p in tmp_path.rglob("*.csv"))
    assert [n.partition("_20")[0] for n in names] == [
        "world_1/Ticks",
        "world_1/mine",
        "world_2/Ticks",
        "world_2/mine",
    ]
    assert rows(next(tmp_path.glob("world_1/mine*")), ",")[0]["now"] == "0"


def test_a_file_is_never_overwritten(tmp_path):
    for _ in range(2):
        run(tmp_path, Ticks)
    assert len(list(tmp_path.rglob("*.csv"))) == 2


def test_by_default_logs_go_to_the_current_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    world = WorldBuilder((3, 3), simulation_goal=1, tick_duration=0)
    world.add_logger(LogDuration)
    made = world.get_world(compiled=False)
    assert made.loggers[0].path is None
    assert not list(tmp_path.iterdir())
    made.run()
    assert made.loggers[0].path.resolve().parent == tmp_path / "logs" / "world_1"


def test_columns_may_be_added_later_on(tmp_path):
    (found,) = run(tmp_path, Growing, ticks=3)
    assert list(found[0]) == ["world_id", "tick_nr", "c0", "value", "c1", "c2", "c3"]
    assert [row["c2"] for row in found] == ["", "", "a; b\nc", ""]
    assert found[3]["c3"] == '{"x": [1]}'


def test_columns_may_be_added_after_rows_were_written(tmp_path, monkeypatch):
    monkeypatch.setattr("gridarium.live.loggers.grid_world_logger.MOST_ROWS_KEPT", 1)
    (found,) = run(tmp_path, Growing, ticks=3)
    assert [(row["c0"], row["c1"], row["c2"]) for row in found] == [
        ("1", "", ""),
        ("", "2.5", ""),
        ("", "", "a; b\nc"),
        ("", "", ""),
    ]


@pytest.mark.parametrize("kept", [1, 1000])
def test_parquet_has_typed_columns(tmp_path, monkeypatch, kept):
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr("gridarium.live.loggers.grid_world_logger.MOST_ROWS_KEPT", kept)
    builder = WorldBuilder((3, 3), simulation_goal=3, tick_duration=0)
    builder.add_logger(Growing, save_path=tmp_path, file_extension=".parquet")
    builder.add_logger(Ticks, save_path=tmp_path, file_extension=".parquet")
    world = builder.get_world(compiled=False)
    world.run()
    growing, plain = (parquet.read_table(logger.path).to_pydict() for logger in world.loggers)
    assert plain == {"world_id": ["world_1"] * 4, "tick_nr": [0, 1, 2, 3], "now": [0, 1, 2, 3]}
    assert growing["c0"] == [1, None, None, None]
    assert growing["c1"] == [None, 2.5, None, None]
    assert growing["value"] in (["1", "2.5", None, "text"], ["1.0", "2.5", None, "text"])


def test_loggers_with_a_world_state_get_the_state_of_the_whole_world(tmp_path):
    class WithState(GridWorldLoggerV2):
        def log(self, world_state, agent_data, grid_world):
            return {"things": len(world_state.get_with_property("is_thing") or [])}

    builder = WorldBuilder((3, 3), simulation_goal=1, tick_duration=0)
    builder.add_multiple_objects([(0, 0), (1, 0)], "thing", custom_properties={"is_thing": True})
    builder.add_logger(WithState, save_path=tmp_path)
    world = builder.get_world(compiled=False)
    world.run()
    assert rows(world.loggers[0].path)[0]["things"] == "2"


def test_actions_are_logged_with_the_tick_in_which_they_began(tmp_path):
    (found,) = run(tmp_path, LogActions, agents=2)
    moves = {(row["agent_id"], int(row["started_at_tick"])) for row in found if row["action"] == "MoveEast"}
    assert moves == {(agent, tick) for agent in ("agent_0", "agent_1") for tick in (0, 2)}
    assert len(found) == 2 * 5
    assert [row["started_at_tick"] for row in found[:3]] == ["", "", "0"]


def test_idle_agents_are_logged_each_tick(tmp_path):
    (found,) = run(tmp_path, LogIdleAgents, agents=1)
    assert [row["is_idle"] for row in found] == ["True", "False", "True", "False", "True"]


def test_the_duration_is_logged_once(tmp_path):
    (found,) = run(tmp_path, LogDuration, ticks=7)
    assert [row["nr_ticks"] for row in found] == ["7"]


def test_all_messages_are_logged(tmp_path):
    (found,) = run(tmp_path, MessageLogger, agents=2, ticks=3)
    sent = sorted((row["sent_at_tick"], row["from_id"], row["to_id"], row["content"]) for row in found)
    pairs = [("agent_0", "agent_1"), ("agent_1", "agent_0")]
    expected = [(str(t), a, b, f"tick {t}") for t in range(3) for a, b in pairs]
    expected += [(str(t), a, a, f'{{"tick": {t}}}') for t in range(3) for a, _ in pairs]
    assert sent == sorted(expected)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"log_strategy": 0}, "log_strategy"),
        ({"log_strategy": "sometimes"}, "log_strategy"),
        ({"file_extension": ".xlsx"}, "file_extension"),
        ({"delimiter": ";;"}, "delimiter"),
        ({"file_name": "../x"}, "file_name"),
        ({"unknown": 1}, "unknown"),
    ],
)
def test_arguments_that_are_not_possible_are_refused_at_once(arguments, said):
    with pytest.raises(ValueError, match=said):
        WorldBuilder((3, 3)).add_logger(Ticks, **arguments)


def test_what_is_not_a_logger_is_refused():
    with pytest.raises(ValueError, match="logger_class: a class of GridWorldLogger is expected"):
        WorldBuilder((3, 3)).add_logger(dict)


def test_rows_that_are_no_rows_are_an_error(tmp_path):
    class Odd(GridWorldLogger):
        def log(self, grid_world, agent_data):
            return 3

    with pytest.raises(TypeError, match="a row is a dict"):
        Odd(save_path=tmp_path).record(WorldBuilder((3, 3)).get_world(compiled=False), {})


def test_a_world_that_begins_again_has_another_file(tmp_path):
    builder = WorldBuilder((3, 3), simulation_goal=2, tick_duration=0)
    builder.add_agent((0, 0), Worker, "A")
    for logger in (Ticks, MessageLogger):
        builder.add_logger(logger, save_path=tmp_path)
    world = builder.get_world(compiled=False)
    paths = []
    for _ in range(2):
        world.reset()
        world.run()
        world.step()  # of a world that is done: nothing is logged twice
        paths += [logger.path for logger in world.loggers]
        assert [ticks(rows(logger.path)) for logger in world.loggers] == [[0, 1, 2], [1, 2]]
    assert len(set(paths)) == 4


def test_what_was_logged_is_written_when_a_run_ends_before_the_world_is_done(tmp_path):
    builder = WorldBuilder((9, 3), tick_duration=0)
    builder.add_logger(Ticks, save_path=tmp_path)
    world = builder.get_world(compiled=False)
    world.run(max_ticks=3)
    assert not world.is_done
    assert [row["now"] for row in rows(world.loggers[0].path)] == ["0", "1", "2"]


def test_a_world_that_is_left_writes_all_rows(tmp_path):
    builder = WorldBuilder((4, 4), tick_duration=0)
    builder.add_agent((1, 1), AgentBrain, "Ann")
    builder.add_logger(Ticks, save_path=tmp_path)
    with pytest.raises(KeyError), builder.get_world(compiled=False) as world:
        for _ in range(3):
            world.step()
        raise KeyError
    assert world.loggers[0].path.read_text().splitlines()[1:] == [f"world_1;{i};{i}" for i in range(3)]
