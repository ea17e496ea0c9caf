"""Recordings: what was done is done again, bit for bit, or the difference is named."""

import copy
import dataclasses
import hashlib
import io
import json
import pickle
import tracemalloc
import warnings
import zipfile

import numpy as np
import pytest

from gridarium.engine import Autoreset, Recorder, ReplayError, Run, Start, World
from gridarium.engine.runs.start import check_states, hashes
from gridarium.engine.single_world import SingleWorld
from gridarium.world import Action, Exit, Floor, Position, Wall
from gridarium.world.agent import ACTIVE, Y
from gridarium.world.state import KEY, TICK
from gridarium.worlds import Description, DescriptionError, Spec, catalogue
from tests.engine import worlds as w
from tests.engine.worlds import (
    DIVERSE,
    arena,
    assert_same,
    catalogue_world,
    everything,
    random_actions,
    troubled_world,
)

N = 5


@pytest.fixture(scope="module")
def world() -> World:
    return catalogue_world("DynamicObstacles-5x5", compiled=False)


def recorded(world, steps=40, *, every=10, seed=3, n=N, mode=Autoreset.NEXT_STEP, threads=None):
    """A recorder after some steps, and what happened in each."""
    recorder = Recorder(world.batch(n, autoreset=mode, threads=threads), every=every)
    recorder.reset(seed)
    history = [everything(recorder.driven)]
    for chosen in random_actions(world, steps, n):
        if mode is Autoreset.DISABLED and recorder.driven.ended.any():
            recorder.reset(mask=recorder.driven.ended)
        history.append(everything(recorder.driven, recorder.step(chosen)))
    return recorder, history


@pytest.fixture(scope="module")
def run(world) -> Run:
    return recorded(world)[0].run()


# replaying


@pytest.mark.sampled(3)
@pytest.mark.parametrize("mode", list(Autoreset))
def test_a_replay_passes_through_the_same_moments(world, mode):
    recorder, history = recorded(world, mode=mode)
    moments = list(recorder.run().replay(compiled=False))
    assert moments[0].result is None
    stepped = [moment for moment in moments if moment.result is not None]
    assert [moment.step for moment in stepped] == list(range(1, 41))
    for moment, was in zip(stepped, history[1:], strict=True):
        for name in ("rewards", "terminated", "truncated", "ticks", "results"):
            assert getattr(moment.result, name).tobytes() == was[name].tobytes()
        for name, array in moment.observations.items():
            assert array.tobytes() == was[name].tobytes()


def test_a_replay_shows_the_states_as_they_were(world):
    recorder, history = recorded(world)
    for moment, was in zip(recorder.run().replay(compiled=False), history, strict=True):
        for i in range(N):
            parts = [was[name][i].tobytes() for name in ("cells", "layers", "data", "bodies")]
            assert moment.state(i).tobytes() == b"".join(parts)


@pytest.mark.parametrize("name", DIVERSE)
@pytest.mark.exhaustive
def test_what_is_recorded_compiled_on_several_threads_is_the_same_interpreted_on_one(name):
    fast, plain = catalogue_world(name), catalogue_world(name, compiled=False)
    assert fast.composed.compiled
    run = recorded(fast, 60, n=70, threads=2)[0].run()
    for i in (0, 40, 69):
        verdict = run.world(i).verify(plain)
        assert verdict, verdict
    assert run.verify(fast, threads=1)
    assert recorded(plain, 40, n=3)[0].run().verify(fast)


def test_resets_and_masks_in_between_are_recorded(world):
    recorder, _ = recorded(world)
    recorder.reset(mask=np.array([True, False, True, False, False]))
    for chosen in random_actions(world, 9, N, seed=1):
        recorder.step(chosen)
    recorder.reset([1, None, 2, None, 3], mask=np.array([True, True, False, False, True]))
    recorder.reset()
    for chosen in random_actions(world, 9, N, seed=2):
        recorder.step(chosen)
    end = everything(recorder.driven)
    run = recorder.run()
    assert run.steps == 58
    moments = list(run.replay(compiled=False))
    assert len(moments) == 58 + 4
    assert [m.step for m in moments if m.result is None] == [0, 40, 49, 49]
    replayed = run.replay(compiled=False)
    *_, last = replayed
    assert all(last.state(i).tobytes() == recorder.driven.state(i).tobytes() for i in range(N))
    assert_same(end, everything(recorder.driven))


def test_a_run_may_start_from_a_snapshot(world):
    first, _ = recorded(world, 20)
    snapshot = first.driven.snapshot()
    recorder = Recorder(world.batch(N), every=7)
    recorder.restore(snapshot)
    for chosen in random_actions(world, 20, N, seed=1):
        recorder.step(chosen)
        first.step(chosen)
    assert recorder.run().verify(compiled=False)
    assert_same(everything(recorder.driven), everything(first.driven))
    assert first.run().verify(compiled=False)


def test_a_run_may_start_in_the_middle_of_an_episode(world):
    batch = world.batch(N)
    batch.reset(0)
    for chosen in random_actions(world, 5, N):
        batch.step(chosen)
    recorder = Recorder(batch)
    for chosen in random_actions(world, 20, N, seed=1):
        recorder.step(chosen)
    run = recorder.run()
    assert run.starts[0].states is not None
    assert run.verify(compiled=False)
    assert [part.verify(compiled=False).same for part in run.episodes(2)] == [True] * len(run.episodes(2))


def test_a_run_may_start_where_an_agent_that_has_left_is_outside():
    def leaves(state, action):
        if state.agent.number == 0:
            state.agent.active, state.agent.position = False, Position(-1, -1)

    spec = Spec.build(
        name="Left",
        shape=(5, 5),
        objects=[Floor, Wall, Exit],
        agents=2,
        actions=["WAIT"],
        reset="empty",
        transitions=[leaves],
    )
    world = World(spec, compiled=False)
    batch = world.batch(1)
    batch.reset(0)
    batch.step([[0, 0]])
    recorder = Recorder(batch)
    recorder.step([[0, 0]])
    assert recorder.run().verify(world)


@pytest.mark.parametrize("y", [-(1 << 63), -(1 << 30), 1 << 30, (1 << 63) - 1])
def test_an_agent_that_has_left_is_not_infinitely_far_away(y):
    world = w.arena((0, 0), (1, 0))
    batch = world.batch(1)
    batch.reset(0)
    states = batch.snapshot()
    states.agent_rows[0, 0, ACTIVE] = 0
    check_states(states, world.composed)
    states.agent_rows[0, 0, Y] = y
    with pytest.raises(ValueError, match="an agent's pose, a clock or a turn is invalid in Arena"):
        check_states(states, world.composed)


def test_states_that_are_put_in_are_recorded(world):
    recorder, _ = recorded(world, 10)
    state = recorder.driven.state(1)
    state.agent.position = state.agent.position + (state.agent.position - state.agent.position)
    state.data[KEY] = 77
    recorder.set_state(-1, state)
    for chosen in random_actions(world, 10, N, seed=1):
        recorder.step(chosen)
    run = recorder.run()
    assert run.verify(compiled=False)
    assert run.world(N - 1).verify(compiled=False)


def test_an_episode_goes_on_in_states_that_are_put_in(world, tmp_path):
    recorder = Recorder(world.batch(1, autoreset=Autoreset.DISABLED))
    recorder.reset(1)
    moved = world.reset(1)
    recorder.set_state(0, moved, goes_on=True)
    for i, chosen in enumerate(random_actions(world, 6, 1)):
        if i == 3:
            recorder.reset(2)
        recorder.step(chosen)
        if i in (1, 4):
            moved = recorder.driven.state(0)
            moved.data[KEY] = i
            recorder.set_state(0, moved, goes_on=True)
    recorder.run().save(tmp_path / "a.run")
    run = Run.load(tmp_path / "a.run")
    assert run.verify(world)
    first, second = run.episodes()
    assert (first.steps, second.steps) == (3, 3)
    assert first.verify(world) and second.verify(world)
    assert [int(one.state().data[KEY]) == 4 for one in second.replay(world)] == [False, False, True, True]
    assert [one.step for one in first.replay(world)] == [0, 1, 2, 3]


def test_episodes_that_follow_a_state_of_another_world_are_that_worlds():
    world = troubled_world(compiled=False, time_limit=4)
    recorder = Recorder(world.batch(2), every=1)
    recorder.reset([1, 2])
    for step in range(14):
        if step == 2:
            recorder.set_state(0, recorder.driven.state(1), goes_on=True)
        recorder.step([0, 0])
    run = recorder.run()
    assert run.verify(world)
    assert len(run.episodes(0)) == 3
    assert all(episode.verify(world) for episode in run.episodes(0))


def test_one_may_look_at_the_run_and_go_on(world):
    recorder, _ = recorded(world, 15)
    first = recorder.run()
    for chosen in random_actions(world, 15, N, seed=1):
        recorder.step(chosen)
    second = recorder.run()
    assert (first.steps, second.steps) == (15, 30)
    assert first.checked.tolist() == [0, 10, 15]
    assert second.checked.tolist() == [0, 10, 20, 30]
    assert first.verify(compiled=False)
    assert second.verify(compiled=False)


def test_one_world_is_recorded_as_easily():
    world = catalogue_world("KeyDoor-7x7", compiled=False)
    for given in (world, SingleWorld(world.composed), SingleWorld(world.composed, shared=True)):
        recorder = Recorder(given, every=4)
        for episode in range(3):
            recorder.reset(8 if episode == 0 else None)
            for action in random_actions(world, 10, 1, seed=episode)[:, 0]:
                observation, reward, _, _ = recorder.step(int(action))
                assert observation.keys() == {"grid", "agent_id_grid", "item"}
                assert type(reward) is float
        run = recorder.run()
        assert (run.worlds, run.steps, len(run.episodes())) == (1, 30, 3)
        assert run.verify(compiled=False)
        *_, last = run.replay(compiled=False)
        assert last.state().identical(recorder.driven.state)


def test_several_agents_are_recorded():
    world = catalogue_world("TwoAgents-Helper-8x8", compiled=False)
    for given in (world, world.batch(1)):
        recorder = Recorder(given)
        recorder.reset(0)
        for chosen in random_actions(world, 20, 1):
            recorder.step(chosen if given is not world else chosen[0])
        run = recorder.run()
        assert run.actions.shape == (20, 1, 2)
        assert run.verify(compiled=False)


def test_actions_take_one_byte_each(run):
    assert run.actions.dtype == np.uint8
    assert run.actions.shape == (40, N, 1)


def test_a_hash_is_one_of_the_bytes_of_a_state(world):
    batch = world.batch(3)
    batch.reset(0)
    found = hashes(batch.snapshot().arrays())
    for i in range(3):
        digest = hashlib.blake2b(batch.state(i).tobytes(), digest_size=8).digest()
        assert int(found[i]) == int.from_bytes(digest, "little")


# parts


@pytest.mark.sampled(3)
@pytest.mark.parametrize("mode", list(Autoreset))
def test_each_episode_is_a_run_of_its_own(world, mode):
    recorder, history = recorded(world, 60, every=1, mode=mode)
    if mode is Autoreset.DISABLED:
        for chosen in random_actions(world, 40, N, seed=1):
            if recorder.driven.ended.any():
                recorder.reset(mask=recorder.driven.ended)
            recorder.step(chosen)
    run = recorder.run()
    for i in (0, 3):
        episodes = run.episodes(i)
        assert len(episodes) > 1
        assert [part.starts[0].episodes[0] for part in episodes] == list(range(len(episodes)))
        for part in episodes:
            assert (part.worlds, part.starts[0].at, part.autoreset) == (1, 0, Autoreset.DISABLED)
            verdict = part.verify(world)
            assert verdict, verdict
            assert len(part.checked) >= part.steps
        for part in episodes[:-1]:
            *_, last = part.replay(world)
            assert last.batch.ended[0], "it ends where the episode ends"
        if mode is not Autoreset.DISABLED:
            lost = len(episodes) - 1 if mode is Autoreset.NEXT_STEP else 0
            assert sum(part.steps for part in episodes) == run.steps - lost
    assert history


def test_there_is_no_run_of_a_world_that_is_not_there(run):
    for i in (N, -1):
        with pytest.raises(IndexError, match="there are 5 worlds"):
            run.world(i)


# differences


def with_action(run, step, world, action):
    actions = run.actions.copy()
    actions[step, world] = action
    return dataclasses.replace(run, actions=actions)


def test_a_difference_is_named_by_step_and_world(world):
    run = recorded(world, every=1)[0].run()
    moved = int(np.flatnonzero(run.actions[20:, 3, 0] != 4)[0]) + 20
    other = with_action(run, moved, 3, 4)
    verdict = other.verify(world)
    assert not verdict
    assert (verdict.step, verdict.world) == (moved + 1, 3)
    assert f"the states differ after {moved + 1} steps (they were the same after {moved}): world 3" in str(
        verdict
    )
    with pytest.raises(ReplayError, match="world 3") as caught:
        list(other.replay(world))
    assert (caught.value.step, caught.value.world) == (moved + 1, 3)
    assert len(list(other.replay(world, verify=False))) == 41


def test_a_difference_is_seen_at_the_next_check(run, world):
    seen = [with_action(run, step, 3, 4).verify(world).step for step in (18, 38)]
    assert seen == [20, 40]


def test_changed_rewards_are_noticed_though_the_states_are_the_same(run):
    data = dict(run.description)
    data["rewards"] = [{"name": "living_reward", "reward": -2.0}]
    other = World(Description.from_dict(data), compiled=False)
    verdict = run.verify(other)
    assert not verdict
    assert "the rewards differ after 10 steps" in verdict.text
    assert "the world's description differs from the recorded one: rewards" in verdict.text
    assert verdict.changed == ("rewards",)


def test_a_changed_description_is_mentioned_though_all_is_the_same(run):
    data = dict(run.description) | {"description": "Another text.", "aliases": []}
    other = World(Description.from_dict(data), compiled=False)
    verdict = run.verify(other)
    assert verdict
    assert verdict.changed == ("aliases", "description")


def test_a_recording_of_a_catalogue_world_that_has_changed_says_so(run, monkeypatch):
    old = dataclasses.replace(run, description=dict(run.description) | {"source": "an older catalogue"})
    verdict = old.verify(compiled=False)
    assert verdict, "the recorded description is what is run"
    assert "the catalogue's description differs from the recorded one: source" in verdict.text
    assert "changed" not in run.verify(compiled=False).text


def test_changed_rules_are_mentioned(run):
    verdict = dataclasses.replace(run, program="of another day", library="0.0.1").verify(compiled=False)
    assert verdict
    assert "Gridarium 0.0.1 then" in verdict.text


def test_a_rule_that_raises_in_a_replay_is_a_difference():
    world = troubled_world(compiled=False)
    recorder = Recorder(world.batch(3))
    recorder.reset(0)
    for chosen in random_actions(world, 5, 3):
        recorder.step(chosen)
    run = recorder.run()
    data = world.spec.description.to_dict()
    data["transitions"] = [*data["transitions"], "tests.engine.worlds:always_wrong"]
    other = World(Description.from_dict(data), compiled=False, allow_imports=True)
    verdict = run.verify(other)
    assert not verdict
    assert "step 1 raises ArithmeticError: always (in world 0 of 3" in verdict.text
    assert verdict.step == 1


def test_a_world_of_another_kind_is_refused(run):
    with pytest.raises(ValueError, match="is 2; the run was recorded with 1"):
        run.verify(catalogue_world("TwoAgents-Empty-8x8", compiled=False))
    verdict = run.verify(catalogue_world("KeyDoor-7x7", compiled=False))
    assert not verdict
    assert "shape" in verdict.changed


# steps that fail


def test_a_failing_step_is_not_recorded_but_what_came_of_it_is():
    world = troubled_world(compiled=False)
    recorder = Recorder(world.batch(4), every=3)
    recorder.reset(0)
    chosen = random_actions(world, 12, 4)
    for step in range(12):
        if step == 6:
            state = recorder.driven.state(2)
            state.trouble = w.ZERO
            recorder.set_state(2, state)
            with pytest.raises(ZeroDivisionError):
                recorder.step(chosen[step])
            with pytest.raises(ValueError, match="action 9"):
                recorder.step([0, 0, 0, 9])
            state.trouble = 0
            recorder.set_state(2, state)
        recorder.step(chosen[step])
    run = recorder.run()
    assert run.steps == 12
    assert run.verify(world)
    *_, last = run.replay(world)
    assert last.state(2).identical(recorder.driven.state(2))


@pytest.mark.parametrize("recorded_first", [False, True])
@pytest.mark.parametrize("change", ["step", "reset"])
def test_ctrl_c_between_a_step_and_its_recording_is_noticed(change, recorded_first, world, monkeypatch):
    recorder, chosen = recorded(world, 3)[0], random_actions(world, 5, N)
    builder, name = recorder._builder, "step" if change == "step" else "start"
    record = getattr(builder, name)

    def interrupted(*given):
        if recorded_first:
            record(*given)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(builder, name, interrupted)
        with pytest.raises(KeyboardInterrupt):
            recorder.step(chosen[0]) if change == "step" else recorder.reset(7)
    for actions in chosen:
        recorder.step(actions)
    assert recorder.run().verify(world)


@pytest.mark.exhaustive
@pytest.mark.parametrize("single", [False, True])
def test_a_step_that_stands_is_recorded_where_its_warning_is_an_error(single):
    world = troubled_world(compiled=True)
    recorder = Recorder(world if single else world.batch(3), every=2)
    recorder.reset(0)
    batch = recorder.driven.batch if single else recorder.driven
    actions = 0 if single else [0, 0, 0]
    for _ in range(2):
        recorder.step(actions)
    state = batch.state(0)
    state.trouble = w.OVERFLOW
    recorder.set_state(0, state)
    with warnings.catch_warnings(), pytest.raises(RuntimeWarning, match="not interpreted"):
        warnings.simplefilter("error", RuntimeWarning)
        recorder.step(actions)
    assert batch.ticks.tolist() == [3] * batch.n
    state = batch.state(0)
    state.trouble = 0
    recorder.set_state(0, state)
    recorder.step(actions)
    assert recorder.run().verify(compiled=False)


def test_bad_actions_leave_no_trace_in_the_recording(world):
    recorder, _ = recorded(world, 3)
    for wrong in ([9] * N, [0.0] * N, [0]):
        with pytest.raises((ValueError, TypeError)):
            recorder.step(wrong)
    run = recorder.run()
    assert (run.steps, len(run.starts)) == (3, 1)
    assert run.verify(world)


def test_a_failing_reset_is_recorded_for_the_others():
    world = troubled_world(compiled=False, odds=4)
    recorder = Recorder(world.batch(30))
    with pytest.raises(RuntimeError, match="no room"):
        recorder.reset(0)
    for seed in range(1, 40):
        try:
            recorder.reset(seed * 1000, mask=recorder.driven.episodes < 0)
        except RuntimeError:
            continue
        break
    assert (recorder.driven.episodes == 0).all()
    for chosen in random_actions(world, 5, 30):
        recorder.step(chosen)
    assert recorder.run().verify(world)


# files


@pytest.fixture
def file(run, tmp_path):
    path = tmp_path / "night.run"
    run.save(path)
    return path


def test_a_run_is_read_as_it_was_written(run, file, world):
    again = Run.load(file)
    for field in dataclasses.fields(Run):
        mine, its = getattr(run, field.name), getattr(again, field.name)
        if isinstance(mine, np.ndarray):
            assert (mine.dtype, mine.tobytes(), mine.shape) == (its.dtype, its.tobytes(), its.shape)
        elif field.name == "starts":
            assert [start_bytes(s) for s in mine] == [start_bytes(s) for s in its]
        elif field.name == "spec":
            assert mine is not None and its is None
        else:
            assert mine == its
    assert again.verify(world)
    assert again.name == "DynamicObstacles-5x5"
    assert repr(again) == "<Run of DynamicObstacles-5x5: 40 steps of 5 worlds>"


def start_bytes(start: Start):
    arrays = () if start.states is None else start.states.arrays()
    return (start.at, *(a.tobytes() for a in (start.worlds, start.keys, start.episodes, *arrays)))


def test_the_same_run_gives_the_same_file(run, file, tmp_path):
    run.save(str(tmp_path / "again.run"))
    assert (tmp_path / "again.run").read_bytes() == file.read_bytes()
    Run.load(file).save(tmp_path / "third.run")
    assert (tmp_path / "third.run").read_bytes() == file.read_bytes()


def test_starts_in_states_and_empty_runs_survive_a_file(world, tmp_path):
    recorder = Recorder(world.batch(2))
    recorder.reset(0)
    recorder.set_state(1, world.reset(99))
    for steps in (0, 5):
        for chosen in random_actions(world, steps, 2):
            recorder.step(chosen)
        run = recorder.run()
        run.save(tmp_path / "a.run")
        again = Run.load(tmp_path / "a.run")
        assert again.steps == steps
        assert again.verify(world)
        assert again.world(1).verify(world)


@pytest.mark.parametrize(("column", "number"), [(0, 99), (0, -1), (0, 0), (1, 0x7F), (4, 77)])
def test_a_table_of_things_that_cannot_be_is_refused(tmp_path, column, number):
    things = catalogue_world("CollectBlocks-9x9-2ag", compiled=False)
    recorder = Recorder(SingleWorld(things.composed))
    recorder.reset(1)
    recorder.set_state(0, things.reset(3))
    recorder.step([0, 0])
    recorder.run().save(tmp_path / "a.run")
    with zipfile.ZipFile(tmp_path / "a.run") as archive:
        data = np.load(io.BytesIO(archive.read("data.npy")))
    data[0, things.spec.vocabulary.things_start + column] = number
    run = Run.load(rewritten(tmp_path / "a.run", {"data.npy": data}))
    with pytest.raises(ValueError, match=r"(the table of things is invalid|does not represent an object)"):
        for _ in run.replay(things, verify=False):
            pass


def test_a_file_takes_little_room(tmp_path):
    run = recorded(catalogue_world("KeyDoor-7x7", compiled=False), 200, every=100, n=5)[0].run()
    run.save(tmp_path / "a.run")
    assert (tmp_path / "a.run").stat().st_size < 4500, "half a byte for each action, and 4 KB"


def test_a_failed_save_leaves_the_old_file(run, file, monkeypatch):
    before = file.read_bytes()
    broken = dataclasses.replace(run, description={"name": object()})
    with pytest.raises(TypeError):
        broken.save(file)
    assert file.read_bytes() == before
    assert [p.name for p in file.parent.iterdir()] == [file.name]


def test_a_file_that_is_not_there_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError):
        Run.load(tmp_path / "nothing.run")


@pytest.mark.parametrize("share", [0.0, 0.001, 0.2, 0.5, 0.9, 0.999])
def test_a_file_that_was_cut_off_is_refused(file, share):
    data = file.read_bytes()
    file.write_bytes(data[: int(share * len(data))])
    with pytest.raises(ValueError, match="not a Gridarium run, or is damaged"):
        Run.load(file)


def test_a_damaged_file_is_refused(file):
    data = bytearray(file.read_bytes())
    refused = 0
    for place in range(40, len(data) - 40, max(1, len(data) // 60)):
        spoilt = bytearray(data)
        spoilt[place] ^= 0x55
        file.write_bytes(spoilt)
        try:
            Run.load(file)
        except ValueError as error:
            refused += 1
            assert str(file) in str(error)
    assert refused > 40


@pytest.mark.parametrize(
    "content", [b"", b"\x00" * 50, b"PK\x03\x04 nonsense", b'{"format": "gridarium run"}', b"\x80\x04."]
)
def test_something_else_is_refused(tmp_path, content):
    (tmp_path / "a.run").write_bytes(content)
    with pytest.raises(ValueError, match=r"a\.run is not a Gridarium run"):
        Run.load(tmp_path / "a.run")


def damaged(data: bytes, rng: np.random.Generator) -> bytes:
    """Bytes that were cut, flipped, overwritten, taken out or put in somewhere."""
    place, length = int(rng.integers(len(data))), int(rng.integers(1, 40))
    noise = rng.bytes(length)
    ways = (
        data[:place],
        data[:place] + bytes([data[place] ^ 1 << int(rng.integers(8))]) + data[place + 1 :],
        data[:place] + noise + data[place + length :],
        data[:place] + data[place + length :],
        data[:place] + noise + data[place:],
    )
    return ways[int(rng.integers(len(ways)))]


@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_damaged_is_read_or_refused(file, seed):
    rng, whole = np.random.default_rng(seed), file.read_bytes()
    refused = 0
    for _ in range(100):
        file.write_bytes(damaged(whole, rng))
        try:
            Run.load(file)
        except ValueError as error:
            refused += 1
            assert str(file) in str(error)
    assert refused > 50


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_damaged_inside_the_archive_is_read_or_refused(file, seed):
    rng, whole = np.random.default_rng(seed), file.read_bytes()
    with zipfile.ZipFile(file) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    refused = 0
    for name in [*parts] * 12:
        file.write_bytes(whole)
        try:
            Run.load(rewritten(file, {name: damaged(parts[name], rng)}))
        except ValueError as error:
            refused += 1
            assert str(file) in str(error)
    assert refused > 30


def test_what_unpacks_to_more_than_it_says_is_refused(file):
    data = bytearray(rewritten(file, {"actions.npy": b"\x00" * (1 << 24)}, zipfile.ZIP_DEFLATED).read_bytes())
    size = (1 << 24).to_bytes(4, "little")
    assert data.count(size) == 2
    file.write_bytes(data.replace(size, (4000).to_bytes(4, "little")))
    tracemalloc.start()
    with pytest.raises(ValueError, match="not a Gridarium run, or is damaged: Bad CRC-32"):
        Run.load(file, max_bytes=1 << 20)
    assert tracemalloc.get_traced_memory()[1] < 1 << 20
    tracemalloc.stop()


def test_a_part_that_is_compressed_in_another_way_is_refused(file):
    with pytest.raises(ValueError, match="compressed in another way"):
        Run.load(rewritten(file, {}, zipfile.ZIP_BZIP2))


def test_another_archive_is_refused(tmp_path):
    np.savez(tmp_path / "a.npz", actions=np.zeros(3))
    with pytest.raises(ValueError, match=r"there is no run\.json in it"):
        Run.load(tmp_path / "a.npz")


def rewritten(file, changes, compression=zipfile.ZIP_STORED):
    """The file with some of its parts replaced: bytes, arrays, or the changed keys of the header."""
    with zipfile.ZipFile(file) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    for name, change in changes.items():
        if change is None:
            del parts[name]
        elif isinstance(change, np.ndarray):
            data = io.BytesIO()
            np.lib.format.write_array(data, change, allow_pickle=True)
            parts[name] = data.getvalue()
        elif isinstance(change, dict):
            parts[name] = json.dumps(json.loads(parts[name]) | change).encode()
        else:
            parts[name] = change
    with zipfile.ZipFile(file, "w", compression) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return file


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            {"run.json": {"version": 2, "library": "9.9"}},
            r"a newer Gridarium \(9\.9\) wrote it, in format 2; this one",
        ),
        ({"run.json": {"version": "one"}}, "its format has an invalid version: 'one'"),
        ({"run.json": {"format": "something else"}}, "does not identify it as a run"),
        ({"run.json": b"[1, 2]"}, "does not identify it as a run"),
        ({"run.json": b"{"}, "cannot be read"),
        ({"run.json": b"[" * 100_000}, "nested too deeply"),
        ({"run.json": {"autoreset": "NEVER"}}, "NEVER"),
        ({"run.json": {"description": 3}}, "damaged"),
        ({"actions.npy": None}, r"actions\.npy"),
        ({"actions.npy": np.zeros((40, N, 1))}, "actions holds float64, not u1 u2"),
        ({"actions.npy": np.zeros((40, N), np.uint8)}, "actions has 2 dimensions"),
        ({"actions.npy": np.zeros((40, N + 1, 1), np.uint8)}, r"has shape \(5, 5\); worlds is 6"),
        ({"actions.npy": np.array([[[print]]], object)}, "an array holds object"),
        ({"actions.npy": b"\x80\x04\x95"}, "cannot be read"),
        ({"checked.npy": np.full(5, 41)}, "checked holds numbers outside 0 to 40"),
        ({"begun.npy": np.array([[3, N]])}, "begun holds numbers outside 0 to 4"),
        ({"starts.npy": np.array([[0, 7, 0]])}, "starts name more worlds than there are"),
        ({"starts.npy": np.array([[0, N, 1]])}, "damaged"),
        ({"starts.npy": np.array([[0, -1, 0]])}, "starts name more worlds"),
        ({"starts.npy": np.array([[0, N, 2]])}, "an episode goes on that has not begun"),
        ({"starts.npy": np.array([[0, N, 3]])}, "starts holds numbers outside 0 to 2"),
        ({"start_worlds.npy": np.arange(1, N + 1)}, "start_worlds holds numbers outside 0 to 4"),
        ({"start_episodes.npy": np.arange(-1, N - 1)}, "start_episodes holds numbers outside"),
        ({"rewards.npy": np.zeros((3, N, 1))}, "as many sums of rewards as checks"),
    ],
)
def test_a_file_with_a_wrong_part_is_refused(file, changes, words):
    with pytest.raises(ValueError, match=words) as caught:
        Run.load(rewritten(file, changes))
    assert str(file) in str(caught.value)


def test_a_world_that_never_begins_has_no_episodes(file):
    run = Run.load(rewritten(file, {"start_worlds.npy": np.array([*range(N - 1), 0])}))
    assert run.episodes(N - 1) == [] and run.episodes(1)


def test_a_file_that_claims_to_be_huge_is_refused(file):
    with pytest.raises(ValueError, match=r"more than the allowed 1000 \(max_bytes\)"):
        Run.load(file, max_bytes=1000)
    header = np.lib.format.header_data_from_array_1_0(np.zeros((1, 1, 1), np.uint8)) | {
        "shape": (10**9, 10**9, 1)
    }
    data = io.BytesIO()
    np.lib.format.write_array_header_1_0(data, header)
    with pytest.raises(ValueError, match="cannot be read"):
        Run.load(rewritten(file, {"actions.npy": data.getvalue() + b"\x00" * 200}))


def test_wrong_actions_in_a_file_are_found_in_the_replay(file, world):
    run = Run.load(rewritten(file, {"actions.npy": np.full((40, N, 1), 200, np.uint8)}))
    verdict = run.verify(world)
    assert not verdict
    assert "step 1 raises ValueError: action 200 of agent 0 in world 0" in verdict.text


@pytest.mark.parametrize(
    ("part", "index", "number"),
    [
        ("cells", (0, 1, 1), 62),
        ("cells", (0, 1, 1), 1 << 30),
        ("bodies", (1, 0, 0), 5),
        ("bodies", (1, 0, 1), -1),
        ("bodies", (1, 0, 2), 4),
        ("bodies", (1, 0, 3), 1 << 40),
        ("bodies", (1, 0, 4), 2),
        ("data", (0, TICK), -5),
        ("data", (0, 5), 3),
    ],
)
def test_impossible_states_in_a_file_are_refused(world, tmp_path, part, index, number):
    batch = world.batch(2)
    batch.reset(0)
    Recorder(batch).run().save(tmp_path / "a.run")
    arrays = dict(zip(("cells", "layers", "data", "bodies"), batch.snapshot().arrays(), strict=True))
    arrays[part][index] = number
    run = Run.load(rewritten(tmp_path / "a.run", {f"{part}.npy": arrays[part]}))
    with pytest.raises(ValueError, match="(of|in) DynamicObstacles-5x5"):
        list(run.replay(world))


def test_a_description_in_a_file_is_checked_before_it_is_used(file):
    run = Run.load(rewritten(file, {"run.json": {"description": {"name": "x", "objects": 3}}}))
    with pytest.raises(DescriptionError):
        run.replay()


def test_nothing_is_imported_by_a_recording_unless_one_allows_it(file, tmp_path, monkeypatch):
    (tmp_path / "innocent_module.py").write_text("raise SystemExit('executed')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    data = catalogue.description("DynamicObstacles-5x5").to_dict() | {"rewards": ["innocent_module:rule"]}
    run = Run.load(rewritten(file, {"run.json": {"description": data}}))
    for call in (run.replay, run.verify):
        with pytest.raises(DescriptionError, match="allow_imports=True"):
            call()
    with pytest.raises(SystemExit, match="executed"):
        run.replay(allow_imports=True)


def test_rules_of_ones_own_are_replayed_when_one_allows_it_or_gives_the_world(tmp_path):
    world = troubled_world(compiled=False)
    recorder = Recorder(world)
    recorder.reset(0)
    recorder.step(0)
    recorder.run().save(tmp_path / "own.run")
    run = Run.load(tmp_path / "own.run")
    with pytest.raises(DescriptionError, match=r"tests\.engine\.worlds:troubled_start is refused"):
        run.replay(compiled=False)
    assert run.verify(compiled=False, allow_imports=True)
    assert run.verify(world)


@pytest.mark.parametrize("part", [lambda run: run, lambda run: run.world(0), lambda run: run.episodes()[0]])
def test_who_recorded_rules_of_ones_own_replays_them_without_more_ado(part):
    world = troubled_world(compiled=False)
    recorder = Recorder(world)
    recorder.reset(0)
    recorder.step(0)
    run = part(recorder.run())
    assert run.verify(compiled=False)
    assert run.make_world(compiled=False).spec is world.spec
    elsewhere = pickle.loads(pickle.dumps(run))
    with pytest.raises(DescriptionError, match=r"troubled_start is refused"):
        elsewhere.verify(compiled=False)


def test_rules_without_a_name_are_replayed_when_one_gives_the_world():
    def drift(state, action, *, rng):
        if rng.random() < 0.5:
            state.agent.position = state.agent.position

    world = arena((0, 0), transitions=["move_agent", drift])
    recorder = Recorder(world)
    recorder.reset(0)
    recorder.step(0)
    assert recorder.run().verify(world)


def test_states_are_hashed_every_so_many_steps_at_least_one(world):
    with pytest.raises(ValueError, match="how often states are hashed is at least 1, got 0"):
        Recorder(world, every=0)


def test_a_recorder_before_the_first_reset(world):
    recorder = Recorder(world.batch(2))
    with pytest.raises(RuntimeError, match="reset the batch"):
        recorder.step([0, 0])
    run = recorder.run()
    assert (run.steps, run.starts) == (0, ())


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda recorder: pickle.loads(pickle.dumps(recorder))])
def test_a_copied_recorder_records_what_it_steps(copied) -> None:
    recorder = Recorder(SingleWorld(World("Empty-8x8", compiled=False).composed))
    recorder.reset(3)
    recorder.step(0)
    twin = copied(recorder)
    twin.step(1)
    assert twin.run().verify(compiled=False)
    assert (len(twin.run().actions), len(recorder.run().actions)) == (2, 1)


def test_a_reset_that_is_refused_is_not_recorded_whatever_failed_before():
    def fail(state, action):
        if state.agent.number == 0 and state.tick == 0 and action == Action.TURN_LEFT:
            raise ValueError("no")

    described = Spec.build(
        name="Failing", shape=(2, 2), objects=[Floor], actions=["WAIT", "TURN_LEFT"], reset="blank", transitions=[fail],
    )  # fmt: skip
    batch = World(described, compiled=False).batch(2, threads=1)
    recorder = Recorder(batch)
    recorder.reset(0)
    with pytest.raises(ValueError, match="no"):
        recorder.step([1, 0])
    with pytest.raises(ValueError, match="seed"):
        recorder.reset(-1)
    recorder.step([0, 0])
    recorder.run().verify(compiled=False)
