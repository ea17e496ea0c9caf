"""Replays: whatever has happened can be drawn from header, symbols and frames."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridarium.draw.visibility import seen_cells
from gridarium.engine import Autoreset, Recorder, World
from gridarium.view import ReplayBuilder, replay_of_run
from gridarium.view.replay.frames import seen_bits
from gridarium.view.replay.replay_data import KEY_EVERY
from gridarium.view.replay.symbols import in_words
from gridarium.world import Box, Color, Door, Floor, GridObject, Key, Position, State
from gridarium.worlds import Description


@pytest.fixture(scope="module")
def world() -> World:
    return World("KeyDoor-5x5", compiled=False)


@pytest.fixture(scope="module")
def pair() -> World:
    return World("TwoAgents-Helper-8x8", compiled=False)


def decoded(replay):
    """All frames as full ones, as the page makes them."""
    scene, scenes = {}, []
    for frame in replay["frames"]:
        scene = scene | {k: v for k, v in frame.items() if k != "cells"}
        if "cells" in frame:
            scene["grid"] = list(scene["grid"])
            for place, symbol in frame["cells"]:
                scene["grid"][place] = symbol
        scenes.append(scene)
    return scenes


def walked(world: World, actions, seed=1):
    """A replay of some actions, and the states."""
    builder, states = ReplayBuilder(world), [world.reset(seed)]
    builder.add(states[0])
    for chosen in actions:
        state, rewards, terminated = world.step(states[-1], chosen)
        builder.add(
            state, actions=np.atleast_1d(chosen).tolist(), rewards=rewards, terminated=np.all(terminated)
        )
        states.append(state)
    return builder, states


@pytest.mark.exhaustive
@given(st.lists(st.integers(0, 5), max_size=30), st.integers(0, 5))
def test_frames_say_what_the_states_are(world: World, actions, seed) -> None:
    builder, states = walked(world, [world.actions[a] for a in actions], seed)
    replay = json.loads(builder.json())
    names = [symbol["name"] for symbol in replay["symbols"]]
    for scene, state in zip(decoded(replay), states, strict=True):
        assert [names[i] for i in scene["grid"]] == [
            in_words(thing) for row in state.grid.objects for thing in row
        ]
        y, x, turns, held, active, busy = scene["agents"][0]
        assert (y, x) == state.agent.position.yx and turns == state.agent.orientation.quarter_turns
        assert held == -1 or names[held] == in_words(state.agent.grid_object)
        assert (active, busy) == (1, 0) and scene["tick"] == state.tick
        seen = seen_cells(state, world.observe(state))
        bits = [int(digit, 16) >> (3 - k) & 1 for digit in scene["seen"][0] for k in range(4)]
        assert bits[: seen.size] == seen.ravel().tolist()


def test_actions_have_words_for_the_page() -> None:
    words = ReplayBuilder(World("DoorKey-5x5", compiled=False)).data()["header"]["words"]
    assert words == ["Turn left", "Turn right", "Move forward", "Pick up / drop", "Actuate"]


def test_frames_say_what_was_done_and_what_came_of_it(world: World) -> None:
    builder, states = walked(world, [world.actions[0]] * 3)
    first, *others = decoded(builder.data())
    assert (first["actions"], first["results"], first["rewards"], first["returns"]) == (
        None,
        None,
        None,
        [0.0],
    )
    returns = 0.0
    for scene, state in zip(others, states[1:], strict=True):
        returns += scene["rewards"][0]
        assert scene["actions"] == [0] and scene["results"] == [state.agent.result]
        assert scene["returns"] == [pytest.approx(returns)]
    assert str(others[-1]["results"][0]) in builder.data()["header"]["results"]


def test_several_agents_have_rows_of_their_own(pair: World) -> None:
    builder, _ = walked(pair, [[pair.actions[0], pair.actions[1]]] * 2)
    scene = decoded(builder.data())[-1]
    assert len(scene["agents"]) == len(scene["seen"]) == len(scene["returns"]) == 2
    assert scene["actions"] == [0, 1] and scene["terminated"] == [False, False]
    pictures = builder.data()["header"]["agents"]
    assert [agent["name"] for agent in pictures] == ["Helper (0)", "Traveller (1)"]
    assert pictures[0]["light"]["labels"][0] != pictures[1]["light"]["labels"][0] != ""


def test_a_frame_is_small_when_little_has_changed(world: World) -> None:
    builder, _ = walked(world, [world.actions[4]] * 20)
    first, *others = builder.data()["frames"]
    assert "grid" in first
    assert not any({"grid", "cells", "fields", "episode", "truncated"} & frame.keys() for frame in others)


def test_one_can_begin_anywhere(world: World) -> None:
    builder, _ = walked(world, [world.actions[4]] * (2 * KEY_EVERY))
    frames = builder.data()["frames"]
    for i in (0, KEY_EVERY, 2 * KEY_EVERY):
        assert frames[i] == decoded(builder.data())[i]


def test_a_film_has_an_end(world: World) -> None:
    builder = ReplayBuilder(world, most=3)
    for _ in range(5):
        builder.add(world.reset(0))
    assert len(builder) == 3 and builder.full and builder.left_out == 2
    assert builder.data()["header"]["left_out"] == 2
    with pytest.raises(ValueError, match="one or more frames"):
        ReplayBuilder(world, most=0)


@pytest.mark.parametrize("reward", [np.nan, np.inf, -np.inf])
def test_numbers_that_json_lacks_are_null(world: World, reward: float) -> None:
    builder = ReplayBuilder(world)
    builder.add(world.reset(0))
    builder.add(world.reset(0), actions=[0], rewards=reward)
    assert decoded(json.loads(builder.json()))[-1]["rewards"] == [None]


def test_a_remark_is_part_of_its_frame_only(world: World) -> None:
    builder = ReplayBuilder(world, views=False)
    for text in ("look", ""):
        builder.add(world.reset(0), text=text)
    assert [scene["text"] for scene in decoded(builder.data())] == ["look", ""]
    assert decoded(builder.data())[0]["seen"] == []


def test_declared_numbers_and_walls_on_edges_are_filmed() -> None:
    world = World("TaxiTown-5x5", compiled=False)
    builder = ReplayBuilder(world)
    state = world.reset(0)
    builder.add(state)
    scene = decoded(builder.data())[0]
    layer = state.layers[state.vocabulary.edge_layer].ravel()
    assert dict(map(tuple, scene["walls"])) == {i: int(n) for i, n in enumerate(layer) if n & 3}
    assert scene["walls"]


def test_declared_whole_numbers_are_exact_in_a_page() -> None:
    values = {"small": 2**53, "large": 2**53 + 1}
    fields = [{"name": name, "type": "int", "default": value} for name, value in values.items()]
    given = World("Empty-4x4").spec.description.to_dict()
    given |= {"fields": {"world": fields, "agent": fields}}
    world = World(Description.from_dict(given), compiled=False)
    builder = ReplayBuilder(world)
    builder.add(world.reset(0))
    shown = {"small": 2**53, "large": "9007199254740993"}
    assert builder.data()["frames"][0]["fields"] == [shown, shown]


def test_objects_have_words_and_pictures(world: World) -> None:
    class Sign(GridObject):
        glyph = "&"

    things = {
        Floor(): "Floor",
        Door(Door.Status.LOCKED, Color.YELLOW): "Door, locked, yellow",
        Box(Key(Color.RED)): "Box with Key, red",
        Sign(): "Sign",
    }
    state = State.blank((1, len(things)))
    builder = ReplayBuilder(world, views=False)
    for x, thing in enumerate(things):
        state.grid[Position(0, x)] = thing
    builder.add(state)
    symbols = builder.data()["symbols"]
    assert [s["name"] for s in symbols] == list(things.values())
    for symbol in symbols:
        assert symbol["light"] != symbol["dark"] and symbol["light"].startswith("<")
        assert "&<" not in symbol["light"]


def test_seen_bits_begin_with_the_first_cell(world: World) -> None:
    state = world.reset(0)
    seen = seen_cells(state, world.observe(state)).ravel()
    number = int(seen_bits(state, world.observe(state)), 16)
    padded = -(-seen.size // 8) * 8
    assert [number >> (padded - 1 - i) & 1 for i in range(seen.size)] == seen.tolist()


@pytest.fixture(scope="module")
def run(world: World):
    recorder = Recorder(world.batch(3, autoreset=Autoreset.SAME_STEP))
    recorder.reset(seed=4)
    rng = np.random.default_rng(0)
    for _ in range(400):
        recorder.step(rng.integers(len(world.actions), size=3))
    return recorder.run()


class TestRuns:
    @pytest.mark.exhaustive
    def test_a_run_is_filmed_episode_by_episode(self, world: World, run) -> None:
        scenes = decoded(replay_of_run(run, world=world, index=1).data())
        begins = [i for i, scene in enumerate(scenes) if scene["actions"] is None]
        parts = run.episodes(1)
        assert len(begins) == len(parts) > 1
        assert [scenes[i]["episode"] for i in begins] == list(range(len(parts)))
        ends = [i - 1 for i in begins[1:]]
        assert all(scenes[i]["truncated"] or all(scenes[i]["terminated"]) for i in ends)
        assert all(scenes[i]["tick"] == part.steps for i, part in zip(ends, parts, strict=False))

    @pytest.mark.exhaustive
    def test_the_film_shows_what_the_batch_did(self, world: World, run) -> None:
        (*_, moment) = run.replay(world)
        scene = decoded(replay_of_run(run, world=world, index=2).data())[-1]
        state = moment.state(2)
        if scene["tick"]:
            assert tuple(scene["agents"][0][:2]) == state.agent.position.yx

    def test_some_episodes_can_be_chosen(self, world: World, run) -> None:
        scenes = decoded(replay_of_run(run, world=world, index=1, first=1, last=1).data())
        assert {scene["episode"] for scene in scenes} == {1}
        assert len(scenes) == run.episodes(1)[1].steps + 1

    def test_a_world_that_is_not_there_is_named(self, world: World, run) -> None:
        with pytest.raises(IndexError, match="there are 3 worlds, got 3"):
            replay_of_run(run, world=world, index=3)
