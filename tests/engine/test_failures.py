"""A rule that raises in one world of many: the exception as interpreted, and no other world is any the worse."""

import signal
import sys
from pathlib import Path

import numpy as np
import pytest

from gridarium.engine import Autoreset, Recorder, World
from gridarium.engine.single_world import SingleWorld
from gridarium.world import Position
from tests.engine import worlds as w
from tests.engine.worlds import assert_same, everything, random_actions, troubled_world

EXPECTED = {
    w.VALUE: (ValueError, "troubled", "rule troubled, "),
    w.ZERO: (ZeroDivisionError, "share", "rule troubled (in share), "),
    w.OUTSIDE: (IndexError, "troubled", "rule troubled, "),
    w.REWARD: (KeyError, "troubled_reward", "rule troubled_reward, "),
    w.TERMINATION: (OverflowError, "troubled_end", "rule troubled_end, "),
    w.OBSERVATION: (LookupError, "troubled_view", "rule troubled_view, "),
    w.EXIT: (SystemExit, "troubled", "rule troubled, "),
    w.CLOSED: (GeneratorExit, "troubled", "rule troubled, "),
    w.PRESSED: (KeyboardInterrupt, "troubled", "rule troubled, "),
    w.OWN: (w.Stop, "troubled", "rule troubled, "),
}
SIZES = ((820, 411), (8192, 4711))


@pytest.fixture(scope="module")
def world() -> World:
    world = troubled_world(compiled=True)
    assert world.composed.compiled
    return world


def make_trouble(batch, i, kind):
    """World `i` will fail in its next tick."""
    state = batch.state(i)
    state.trouble = kind
    batch.set_state(i, state)
    return state


def interpreted_error(state, action):
    """What the same step raises when it is run as plain Python, alone."""
    with pytest.raises(BaseException) as caught:
        troubled_world(compiled=False).step(state, action)
    return caught.value


def started(world, n, **options):
    batch = world.batch(n, **options)
    batch.reset(0)
    for chosen in random_actions(world, 3, n):
        batch.step(chosen)
    return batch


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(("n", "e"), SIZES)
@pytest.mark.parametrize("kind", EXPECTED)
@pytest.mark.sampled(2)
def test_a_failing_world_fails_alone(world, n, e, kind, threads):
    chosen = random_actions(world, 1, n, seed=1)[0]
    batch, fine = started(world, n, threads=threads), started(world, n, threads=1)
    troubled = make_trouble(batch, e, kind)
    error, rule, noted = EXPECTED[kind]

    with pytest.raises(error) as caught:
        batch.step(chosen)

    alone = interpreted_error(troubled, chosen[e])
    assert type(caught.value) is type(alone)
    assert str(caught.value) == str(alone)
    notes = "\n".join(caught.value.__notes__)
    assert f"in world {e} of {n} (Troubled), tick 3" in notes
    line = next(
        i for i, text in enumerate(Path(w.__file__).read_text().splitlines(), 1) if f"def {rule}(" in text
    )
    place = notes[notes.index(noted) + len(noted) :]
    assert place.startswith(f"{w.__file__}:")
    assert 0 < int(place.rpartition(":")[2]) - line < 20

    fine.step(chosen)
    others = np.arange(n) != e
    assert_same(everything(batch), everything(fine), worlds=others)
    assert batch.state(e).identical(troubled), "the failing world is not as before the step"

    with pytest.raises(error):
        batch.step(chosen)
    fine.step(chosen)
    batch.set_state(e, fine.state(e))
    for chosen in random_actions(world, 10, n, seed=2):
        assert_same(everything(batch, batch.step(chosen)), everything(fine, fine.step(chosen)))
    batch.close()
    fine.close()


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("failing", [(0, 819), (410, 411), (5, 700), (31, 32, 33, 600)])
def test_of_several_failing_worlds_the_first_is_reported_and_all_stay(world, failing, threads):
    n = 820
    chosen = random_actions(world, 1, n, seed=1)[0]
    batch, fine = started(world, n, threads=threads), started(world, n, threads=1)
    states = {e: make_trouble(batch, e, 1 + k % 3) for k, e in enumerate(failing)}
    with pytest.raises(ValueError, match="trouble at tick 3") as caught:
        batch.step(chosen)
    notes = "\n".join(caught.value.__notes__)
    assert f"in world {failing[0]} of {n}" in notes
    assert f"in other worlds as well: {', '.join(map(str, failing[1:]))}" in notes
    fine.step(chosen)
    assert_same(everything(batch), everything(fine), worlds=np.setdiff1d(np.arange(n), failing))
    for e, state in states.items():
        assert batch.state(e).identical(state)
    batch.close()


@pytest.mark.parametrize("threads", [1, 2])
def test_every_world_may_fail(world, threads):
    batch = world.batch(100, threads=threads)
    batch.reset(0)
    for e in range(100):
        make_trouble(batch, e, w.VALUE)
    before = everything(batch)
    with pytest.raises(ValueError, match="trouble") as caught:
        batch.step(np.zeros(100, int))
    assert "and 91 more" in caught.value.__notes__[-1]
    assert_same(before, everything(batch))
    batch.close()


def as_interpreted(world, n, troubles, chosen, threads, error):
    """A compiled batch in which worlds are in trouble after a step, which is that of an interpreted one."""
    plain = started(troubled_world(compiled=False), n)
    batch = started(world, n, threads=threads)
    for e, kind in troubles.items():
        make_trouble(plain, e, kind)
        make_trouble(batch, e, kind)
    with pytest.raises(error) as expected:
        plain.step(chosen)
    with (
        pytest.warns(RuntimeWarning, match="a rule raises compiled, but not interpreted"),
        pytest.raises(error) as caught,
    ):
        batch.step(chosen)
    assert (type(caught.value), str(caught.value)) == (type(expected.value), str(expected.value))
    assert caught.value.__notes__ == expected.value.__notes__
    assert batch.failed == plain.failed
    assert_same(everything(batch), everything(plain))
    return batch


@pytest.mark.sampled(4)
@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize(
    "troubles",
    [
        {1: w.VALUE, 3: w.OVERFLOW},
        {1: w.OVERFLOW, 3: w.VALUE},
        {0: w.OVERFLOW, 1: w.ZERO, 2: w.OVERFLOW, 5: w.EXIT, 6: w.OVERFLOW, 63: w.OUTSIDE},
        {e: w.OVERFLOW if e % 2 else w.OBSERVATION for e in range(64)},
    ],
    ids=["before", "after", "several", "all"],
)
def test_a_step_that_only_overflows_compiled_stands_beside_one_that_fails(world, troubles, threads):
    chosen = random_actions(world, 1, 64, seed=1)[0]
    batch = as_interpreted(world, 64, troubles, chosen, threads, BaseException)
    assert batch.failed == [e for e, kind in troubles.items() if kind != w.OVERFLOW]
    assert all(batch.ticks[e] == (4 if kind == w.OVERFLOW else 3) for e, kind in troubles.items())
    batch.close()


def test_a_step_that_only_overflows_compiled_is_no_failure(world):
    plain, batch = started(troubled_world(compiled=False), 4), started(world, 4)
    for e in (1, 3):
        make_trouble(plain, e, w.OVERFLOW)
        make_trouble(batch, e, w.OVERFLOW)
    with pytest.warns(RuntimeWarning, match="not interpreted") as warned:
        result = batch.step([0] * 4)
    assert ["world 1 of 4" in str(warned[0].message), "world 3 of 4" in str(warned[1].message)] == [True] * 2
    assert_same(everything(batch, result), everything(plain, plain.step([0] * 4)))
    assert batch.failed == []


def test_a_warning_that_is_an_error_hides_no_exception(world):
    batch = started(world, 4)
    make_trouble(batch, 1, w.OVERFLOW)
    make_trouble(batch, 3, w.VALUE)
    with pytest.raises(ValueError, match="trouble at tick 3") as caught:
        batch.step([0] * 4)
    assert isinstance(caught.value.__context__, RuntimeWarning)
    assert batch.failed == [3]


def test_one_world_whose_rules_were_compiled_meanwhile_raises_the_exception_of_the_rule(monkeypatch):
    composed = troubled_world(compiled=True).composed
    answers = [None, None, None, composed.prepare()]  # ready after a step that still ran interpreted
    single = SingleWorld(composed)
    with monkeypatch.context() as patch:
        patch.setattr(composed, "prepare", lambda: answers.pop(0))
        single.reset(0)
        single.step(0)
    assert not answers
    state = single.state
    state.trouble = w.VALUE
    single.state = state
    with pytest.raises(ValueError, match="trouble at tick 1, agent at"):
        single.step(0)


@pytest.mark.parametrize("compiled", [True, False])
def test_one_world_fails_in_the_same_words(compiled):
    world = troubled_world(compiled=compiled)
    state = world.reset(1)
    state.trouble = w.ZERO
    before = state.tobytes()
    with pytest.raises(ZeroDivisionError) as caught:
        world.step(state, 0)
    assert state.tobytes() == before
    assert "in world 0 of 1 (Troubled), tick 0" in caught.value.__notes__

    single = SingleWorld(world.composed)
    single.reset(1)
    single.state = state
    for _ in range(2):
        with pytest.raises(ZeroDivisionError) as again:
            single.step(0)
        assert again.value.__notes__ == caught.value.__notes__
        assert single.state.identical(state)
    state.trouble = 0
    single.state = state
    single.step(0)


def failing_seeds(world: World, episode: int) -> tuple[list[int], list[int]]:
    """Seeds for which the reset of an episode fails, and others for which none up to it does."""
    failing, fine = [], []
    for seed in range(200):
        try:
            state = world.reset(seed)
        except RuntimeError:
            if episode == 0:
                failing.append(seed)
            continue
        try:
            world.next_episode(state)
            fine.append(seed)
        except RuntimeError:
            if episode == 1:
                failing.append(seed)
    return failing, fine


@pytest.fixture(scope="module")
def fussy() -> World:
    """A world in which every tenth reset fails."""
    return troubled_world(compiled=True, odds=10)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_reset_that_fails_leaves_its_world_as_it_was(fussy, threads):
    failing, fine = failing_seeds(fussy, 0)
    batch = fussy.batch(64, threads=threads)
    batch.reset([fine[i % len(fine)] for i in range(64)])
    seeds = [fine[(i + 1) % len(fine)] for i in range(64)]
    before = everything(batch)
    seeds[50] = failing[0]
    with pytest.raises(RuntimeError, match="no room in episode 0") as caught:
        batch.reset(seeds)
    notes = "\n".join(caught.value.__notes__)
    assert "in world 50 of 64 (Troubled), beginning an episode" in notes
    assert "rule troubled_start, " in notes
    after = everything(batch)
    assert_same(before, after, worlds=[50])
    for i in (0, 49, 51, 63):
        assert batch.state(i).identical(fussy.reset(seeds[i]))
    batch.step(np.zeros(64, int))
    batch.close()


def test_a_world_that_never_began_cannot_be_stepped(fussy):
    failing, fine = failing_seeds(fussy, 0)
    batch = fussy.batch(2)
    with pytest.raises(RuntimeError, match="no room"):
        batch.reset([fine[0], failing[0]])
    with pytest.raises(RuntimeError, match="reset the batch before stepping it"):
        batch.step([0, 0])
    batch.reset(fine[:2])
    batch.step([0, 0])


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("mode", list(Autoreset))
def test_an_automatic_reset_that_fails_leaves_its_world_before_the_step(fussy, mode, threads):
    n, e, limit = 80, 41, 7
    failing, fine = failing_seeds(fussy, 1)
    seeds = [fine[i % len(fine)] for i in range(n)]
    batch, other = (fussy.batch(n, threads=t, autoreset=mode) for t in (threads, 1))
    batch.reset([*seeds[:e], failing[0], *seeds[e + 1 :]])
    other.reset(seeds)
    turn = np.full(n, 1)
    for _ in range(limit - (mode is Autoreset.SAME_STEP)):
        batch.step(turn)
        other.step(turn)
    before = batch.state(e)
    others = np.arange(n) != e
    if mode is Autoreset.DISABLED:
        with pytest.raises(RuntimeError, match="no room in episode 1"):
            batch.reset(mask=~others)
        assert batch.state(e).identical(before)
        return
    with pytest.raises(RuntimeError, match="no room in episode 1") as caught:
        batch.step(turn)
    assert f"in world {e} of {n} (Troubled), tick {before.tick}" in caught.value.__notes__
    other.step(turn)
    assert batch.state(e).identical(before)
    assert_same(everything(batch), everything(other), worlds=others)
    batch.reset([1] * n, mask=~others) if 1 in fine else batch.reset([fine[0]] * n, mask=~others)
    assert_same(everything(batch, batch.step(turn)), everything(other, other.step(turn)), worlds=others)
    batch.close()


@pytest.mark.parametrize("kind", [w.VALUE, w.EXIT, w.CLOSED, w.PRESSED, w.OWN])
def test_interpreted_a_failing_world_fails_alone_too(kind):
    plain = troubled_world(compiled=False)
    chosen = random_actions(plain, 1, 5, seed=1)[0]
    batch, fine = started(plain, 5), started(plain, 5)
    troubled = make_trouble(batch, 2, kind)
    with pytest.raises(EXPECTED[kind][0]) as caught:
        batch.step(chosen)
    assert "in world 2 of 5 (Troubled), tick 3" in caught.value.__notes__
    assert batch.failed == [2]
    fine.step(chosen)
    assert_same(everything(batch), everything(fine), worlds=np.arange(5) != 2)
    assert batch.state(2).identical(troubled)


@pytest.mark.parametrize("compiled", [True, False])
def test_one_world_alone_is_as_before_whatever_a_rule_raises(compiled):
    single = SingleWorld(troubled_world(compiled=compiled).composed)
    single.reset(0)
    for kind in (w.EXIT, w.CLOSED, w.PRESSED, w.OWN):
        state = single.state
        state.trouble = kind
        single.state = state
        with pytest.raises(EXPECTED[kind][0]):
            single.step(0)
        assert single.state.identical(state)


def pressing(at: int, press):
    """Five worlds that run interpreted, with a rule that spoils the world and then presses a key, once."""
    presses = iter([False] * at + [True] + [False] * 100)

    def pressed(state, action):
        state.agent.position = Position(0, 0)
        if next(presses):
            press()

    return w.arena((1, 1), transitions=["move_agent", pressed], terminations=[]).batch(5, threads=1)


@pytest.mark.usefixtures("keyboard")
def test_a_keypress_in_the_middle_of_a_rule_stops_at_once_and_leaves_that_world_as_it_was():
    batch = pressing(7, lambda: signal.raise_signal(signal.SIGINT))
    batch.reset(0)
    batch.step([2] * 5)
    before = batch.state(2)
    with pytest.raises(KeyboardInterrupt):
        batch.step([2] * 5)
    assert batch.failed == []
    assert batch.state(2).identical(before)
    assert batch.ticks.tolist() == [2, 2, 1, 1, 1]
    batch.step([2] * 5)


def test_an_alarm_between_two_steps_is_nobodys_failure(monkeypatch):
    batch = troubled_world(compiled=True).batch(3)
    batch.reset(0)
    run = batch.composed.run

    def rings(*given):
        run(*given)
        raise TimeoutError("as the handler of a signal may")

    monkeypatch.setattr(batch.composed, "run", rings)
    with pytest.raises(TimeoutError):
        batch.step([0, 0, 0])
    assert batch.failed == []
    assert batch.ticks.tolist() == [1, 1, 1]


@pytest.mark.usefixtures("keyboard")
def test_what_is_recorded_goes_on_from_where_a_keypress_left_the_worlds():
    for press in (lambda: signal.raise_signal(signal.SIGINT), sys.exit):
        recorder = Recorder(pressing(7, press))
        recorder.reset(0)
        recorder.step([2] * 5)
        with pytest.raises((KeyboardInterrupt, SystemExit)):
            recorder.step([2] * 5)
        recorder.step([0] * 5)
        assert recorder.run().verify(compiled=False)


def test_an_observation_rule_that_fails_outside_a_step_changes_nothing(world):
    batch = world.batch(30)
    batch.reset(0)
    make_trouble(batch, 7, w.OBSERVATION)
    before = everything(batch)
    with pytest.raises(LookupError, match="nothing to see") as caught:
        batch.observe()
    assert "in world 7 of 30 (Troubled), tick 0" in caught.value.__notes__
    assert_same(before, everything(batch))
    batch.close()


@pytest.mark.parametrize(
    ("actions", "error", "words"),
    [
        ([0, 1, 3], ValueError, "action 3 of agent 0 in world 2 is not among its 3 actions: 0 "),
        ([0, -1, 2], ValueError, "action -1 of agent 0 in world 1"),
        (np.array([2**63, 0, 0], np.uint64), ValueError, "in world 0"),
        ([0.0, 1.0, 2.0], TypeError, "whole numbers"),
        ([np.nan, 0, 0], TypeError, "whole numbers"),
        ([True, False, True], TypeError, "whole numbers"),
        (["0", "1", "2"], TypeError, "whole numbers"),
        ([None, 0, 0], TypeError, "whole numbers"),
        ([0, 1], ValueError, r"shape \(3,\), got \(2,\)"),
        ([[0, 1], [0, 1], [0, 1]], ValueError, r"got \(3, 2\)"),
        (0, ValueError, r"got \(\)"),
        ([], TypeError, "whole numbers"),
    ],
)
@pytest.mark.parametrize("compiled", [True, False])
def test_actions_that_are_none_change_nothing(compiled, actions, error, words):
    batch = troubled_world(compiled=compiled).batch(3)
    batch.reset(0)
    batch.step([0, 1, 2])
    before = everything(batch)
    with pytest.raises(error, match=words):
        batch.step(actions)
    assert_same(before, everything(batch))
    batch.step([2, 1, 0])


def test_an_action_that_another_agent_has_is_refused():
    world = w.catalogue_world("TwoAgents-Helper-8x8", compiled=False)
    batch = world.batch(2)
    batch.reset(0)
    before = everything(batch)
    with pytest.raises(ValueError, match="action 4 of agent 1 in world 1"):
        batch.step([[4, 2], [4, 4]])
    assert_same(before, everything(batch))
