"""Programs that another process compiles: interpreted until then, and the same bytes throughout."""

import functools
import time

import numpy as np
import pytest

from gridarium.beliefs.places.particles.memory import LOOPS
from gridarium.compiled import background
from gridarium.compiled.background import Compilable
from gridarium.engine import World, compiling_in_background
from gridarium.engine.single_world import SingleWorld
from gridarium.worlds import Spec
from tests.compiled import background_rules as rules

ROOM = functools.partial(
    Spec.build,
    shape=(5, 6),
    objects=["Floor", "Wall", "Exit"],
    fields={"world": [{"name": "kept", "type": "int"}]},
    actions=["MOVE_FORWARD", "TURN_LEFT"],
    reset="empty",
    transitions=["move_agent", "turn_agent", rules.count],
    rewards=[rules.prize],
    observation={"name": "fully_transparent", "area": ((-2, 0), (-1, 1))},
)


@pytest.fixture
def nothing_cached(tmp_path, monkeypatch):
    monkeypatch.setenv("GRIDARIUM_CACHE_DIR", str(tmp_path))


@pytest.fixture(autouse=True)
def no_delay(monkeypatch):
    monkeypatch.setattr(background, "LOAD_DELAY", 0.0)
    monkeypatch.setattr(background, "START_DELAY", 0.0)


def played(single, actions):
    """All that comes of some actions, and whether the rules ran compiled in the end."""
    for action in actions:
        arrays, reward, terminated, truncated = single.step(action)
        yield single.state, {name: a.tobytes() for name, a in arrays.items()}, reward, terminated, truncated


@pytest.mark.slow
@pytest.mark.usefixtures("nothing_cached")
def test_a_world_begins_interpreted_and_changes_over(capfd):
    actions = np.random.default_rng(0).integers(2, size=60).tolist()
    plain = SingleWorld(World(ROOM(), compiled=False).composed)
    plain.reset(3)
    expected = list(played(plain, actions))
    composed = World(ROOM(name="Aside")).composed
    with compiling_in_background():
        single = SingleWorld(composed)
        single.reset(3)
        assert not composed.ready
        seen = list(played(single, actions[:20]))
        assert not composed.ready  # it takes seconds, these steps took milliseconds
        assert composed.compiled  # waits
        seen += played(single, actions[20:])
    assert composed.ready
    assert single._kernel != single._run_by_runner
    assert "compiling Aside meanwhile; interpreted until then" in capfd.readouterr().err
    for (mine, *rest), (theirs, *others) in zip(seen, expected, strict=True):
        assert mine.identical(theirs)
        assert rest == others
    again = World(ROOM(name="Aside")).composed  # cached, so that nothing is compiled, here or elsewhere
    with compiling_in_background():
        assert again.prepare() is not None
    assert capfd.readouterr().err == ""


class Finishing:
    """A process that has ended when it is asked for the second time."""

    def __init__(self, work):
        self.ended, self.asked = self, 0

    def poll(self):
        self.asked += 1
        return self.asked > 1

    def join(self):
        pass


@pytest.mark.usefixtures("nothing_cached")
@pytest.mark.parametrize(
    ("uses", "quiet", "said"),
    [
        (1, False, "Tested ran interpreted to the end"),
        (3, False, "Tested runs compiled from now on"),
        (3, True, ""),
    ],
)
def test_it_is_told_when_the_compiled_program_takes_over_or_that_it_did_not(
    monkeypatch, capsys, uses, quiet, said
):
    monkeypatch.setattr(background, "_Process", Finishing)
    tested = Compilable("Tested", lambda: None, lambda: len)
    with compiling_in_background(quiet=quiet):
        for _ in range(uses):
            tested.get()
    told = capsys.readouterr().err.splitlines()
    assert (said in told[1] and len(told) == 2) if said else not told


@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.usefixtures("nothing_cached")
def test_rules_that_another_process_cannot_import_are_compiled_at_once(capfd):
    spec = ROOM(name="Here", rewards=[lambda state, action, next_state: 2.0])
    with compiling_in_background():
        assert World(spec).composed.prepare() is not None
    assert "compiling Here ..." in capfd.readouterr().err


@pytest.mark.exhaustive
@pytest.mark.usefixtures("nothing_cached")
def test_what_cannot_be_compiled_is_told_by_this_process():
    composed = World(ROOM(name="Refused", rewards=[rules.unfit])).composed
    with compiling_in_background():
        assert composed.prepare() is None
        with pytest.warns(UserWarning, match=r"Refused runs interpreted(.|\n)*background_rules.py, line \d+"):
            assert not composed.compiled
        assert composed.prepare() is None


@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.usefixtures("nothing_cached")
def test_globals_that_change_meanwhile_are_followed(monkeypatch):
    composed = World(ROOM(name="Changing")).composed
    with compiling_in_background():
        single = SingleWorld(composed)
        single.reset(0)
        assert single.step(0)[1] == 1.5
        monkeypatch.setattr(rules, "PRIZE", 4.0)
        assert single.step(0)[1] == 4.0
        assert composed.compiled
        assert single.step(0)[1] == 4.0
        single.reset()  # does not find anything stale


def test_where_nothing_can_be_kept_there_is_no_other_process(monkeypatch):
    monkeypatch.setenv("GRIDARIUM_CACHE_DIR", "/proc/nowhere")
    found = Compilable("here", load_cached=lambda: pytest.fail("asked"), find=lambda: "entry")
    with compiling_in_background():
        assert found.get() == "entry"


@pytest.mark.usefixtures("nothing_cached")
def test_a_process_that_ends_is_noticed():
    found = Compilable("there", load_cached=lambda: None, find=lambda: "entry", elsewhere=rules.wait_a_little)
    with compiling_in_background():
        assert found.get() is None
        end = time.monotonic() + 60
        while found.get() is None and time.monotonic() < end:
            time.sleep(0.01)
    assert found.get() == "entry"


@pytest.mark.usefixtures("nothing_cached")
def test_a_process_starts_after_a_while_and_looks_for_a_cached_program_once(monkeypatch, capfd):
    now, looked, started = [100.0], [], []
    monkeypatch.setattr(background, "LOAD_DELAY", 0.3)
    monkeypatch.setattr(background, "START_DELAY", 1.0)
    monkeypatch.setattr(background.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(background, "_Process", lambda work: started.append(now[0]) or Endless())
    found = Compilable(
        "late", load_cached=lambda: looked.append(now[0]), find=lambda: pytest.fail("compiled")
    )
    with compiling_in_background():
        for now[0] in (100.0, 100.5, 100.9, 101.1, 102.0):
            assert found.get() is None
    assert looked == [100.5] and started == [101.1]
    assert "compiling late meanwhile" in capfd.readouterr().err
    silent = Compilable("silent", load_cached=lambda: None, find=lambda: pytest.fail("compiled"))
    with compiling_in_background(quiet=True):
        for now[0] in (200.0, 202.0):
            assert silent.get() is None
    assert started[-1] == 202.0 and capfd.readouterr().err == ""


class Endless:
    """A process that does not end."""

    def __init__(self):
        self.ended = self

    def poll(self):
        return False


def test_the_particle_filter_is_compiled_once():
    assert LOOPS.get() is LOOPS.get() is not None
