"""Memory: small states, nothing written beside them, no growth."""

import functools
import gc
import os
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from gridarium.engine import Autoreset
from gridarium.engine.threads import memory as memory_module
from gridarium.worlds import catalogue
from tests.engine.worlds import TWO_OF_DIVERSE, catalogue_world, random_actions

KIB = 1024


@pytest.mark.parametrize("name", [n for n in catalogue.names() if "9x9" in n and n != "Go-9x9"])
def test_a_world_of_9_by_9_cells_takes_less_than_1_kib(name):
    """Go remembers all positions of a game."""
    state = catalogue_world(name, compiled=False).reset(0)
    assert len(state.tobytes()) < KIB


def test_a_batch_takes_little_more_than_its_states():
    world = catalogue_world("KeyDoor-9x9", compiled=False)
    batch = world.batch(1000)
    held = {id(a): a.nbytes for a in vars(batch.memory).values() if isinstance(a, np.ndarray)}
    assert sum(held.values()) < 1000 * KIB


class Padded:
    """numpy, with untouchable bytes before and after every array that it makes."""

    PAD, MARK = 4096, 0xA5

    def __init__(self):
        self.made = []

    def __getattr__(self, name):
        return getattr(np, name)

    def empty(self, shape, dtype):
        size = int(np.prod(shape)) * np.dtype(dtype).itemsize
        raw = np.full(size + 2 * self.PAD, self.MARK, np.uint8)
        self.made.append(raw)
        return raw[self.PAD : self.PAD + size].view(dtype).reshape(shape)

    def zeros(self, shape, dtype):
        return self.full(shape, 0, dtype)

    def full(self, shape, number, dtype):
        array = self.empty(shape, dtype)
        array[...] = number
        return array

    def block(self, forms):
        """In place of an `ArrayBlock`, whose arrays lie side by side."""
        return SimpleNamespace(arrays=[self.empty(*form) for form in forms])

    def is_intact(self):
        return all(
            (raw[: self.PAD] == self.MARK).all() and (raw[-self.PAD :] == self.MARK).all()
            for raw in self.made
        )


@pytest.mark.parametrize("mode", list(Autoreset))
@pytest.mark.parametrize("name", TWO_OF_DIVERSE)
def test_compiled_code_writes_nothing_beside_its_arrays(name, mode, monkeypatch):
    world = catalogue_world(name)
    padded = Padded()
    monkeypatch.setattr(memory_module, "np", padded)
    monkeypatch.setattr(memory_module, "ArrayBlock", padded.block)
    batch = world.batch(70, threads=2, autoreset=mode)
    batch.reset(0)
    for step, chosen in enumerate(random_actions(world, 60, 70)):
        if mode is Autoreset.DISABLED and batch.ended.any():
            batch.reset(mask=batch.ended)
        batch.step(chosen)
        if step % 10 == 9:
            batch.reset(mask=np.arange(70) % 3 == 0)
            assert padded.is_intact()
            del padded.made[40:]
    batch.close()


def resident_bytes() -> int:
    """How much memory this process holds."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.usefixtures("old_garbage_left_alone")
def test_memory_does_not_grow_with_the_steps(threads):
    """A million steps with automatic resets each; `gridarium bench --only memory` takes ten."""
    world = catalogue_world("DynamicObstacles-5x5")
    n = 1000
    batch = world.batch(n, threads=threads)
    batch.reset(0)
    actions = random_actions(world, 50, n)
    run = functools.partial(_laps, batch, actions)
    run(200)
    gc.collect()
    before = resident_bytes()
    run(1000)
    gc.collect()
    grown = resident_bytes() - before
    assert grown < 2 * KIB * KIB, f"{grown / KIB:.0f} KiB in a million steps"
    batch.close()


def _laps(batch, actions, steps):
    for step in range(steps):
        batch.step(actions[step % len(actions)])


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.usefixtures("old_garbage_left_alone")
def test_memory_does_not_grow_with_batches_that_come_and_go():
    world = catalogue_world("DynamicObstacles-5x5")
    actions = random_actions(world, 1, 2000)[0]

    def come_and_go(times):
        for _ in range(times):
            batch = world.batch(2000, threads=2)
            batch.reset(0)
            batch.step(actions)
            batch.close()

    come_and_go(20)
    gc.collect()
    before = resident_bytes()
    come_and_go(60)
    gc.collect()
    assert resident_bytes() - before < 8 * KIB * KIB


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.usefixtures("old_garbage_left_alone")
def test_memory_does_not_grow_with_failures_or_single_steps():
    world = catalogue_world("DynamicObstacles-5x5")
    state = world.reset(0)

    def step(times):
        now = state
        for i in range(times):
            now = world.next_episode(now) if now.data[5] else world.step(now, i % 6)[0]
            with pytest.raises(ValueError, match="action 99"):
                world.step(now, 99)

    step(300)
    gc.collect()
    before = resident_bytes()
    step(3000)
    gc.collect()
    assert resident_bytes() - before < 2 * KIB * KIB
