"""Settings for all tests: no deadlines (something may compile first), the same examples in CI, more of them in
`make test-all`, a cache of their own, and windows that nobody sees."""

import gc
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("local", deadline=None, max_examples=25)
settings.register_profile("ci", deadline=None, max_examples=25, derandomize=True)
settings.register_profile("thorough", deadline=None, max_examples=200)
settings.load_profile("ci" if os.environ.get("CI") else "local")

CACHE = Path(__file__).parent.parent / ".pytest_cache" / "gridarium"
os.environ.setdefault("GRIDARIUM_CACHE_DIR", str(CACHE))
os.environ.setdefault("SDL_VIDEODRIVER", "dummy")


MUCH = 3_000_000
"""So many objects that may be garbage are collected: less than a gigabyte."""

gc.disable()


@pytest.fixture(autouse=True, scope="module")
def _garbage_is_collected_when_there_is_much() -> None:
    """Collections take long, since compiling makes many objects: they are rare, and leave out what earlier modules have compiled."""
    if gc.get_count()[0] > MUCH:
        gc.collect()
        gc.freeze()


@pytest.fixture
def keyboard() -> Iterator[None]:
    """Ctrl-C interrupts, also where the tests were started in the background, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def optimised(monkeypatch: pytest.MonkeyPatch) -> None:
    """LLVM optimises programs, also with `NUMBA_OPT=0`; what numba's standard pipeline makes without is not cached."""
    from numba.core import config

    monkeypatch.setattr(config, "OPT", type(config.OPT)(3))


@pytest.fixture
def old_garbage_left_alone() -> None:
    """For tests that collect garbage themselves: only what they have made."""
    gc.freeze()


def pytest_sessionfinish() -> None:
    """Collections at the end, for exceptions that nobody saw, leave out what has been compiled."""
    gc.freeze()


class _Backwards(pytest.Dir):
    """A folder whose last file is read first."""

    def collect(self) -> list[pytest.Item | pytest.Collector]:
        return [*super().collect()][::-1]


def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Dir | None:
    """Every second of several processes reads the files backwards: each file's asserts are rewritten by one of them."""
    number = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
    return _Backwards.from_parent(parent, path=path) if int(number) % 2 else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests are in the order of their files; of those marked `sampled(n)`, `make test` runs every n-th case, `make test-all` all."""
    items.sort(key=lambda item: item.path)
    seen: dict[str, int] = {}
    for item in items:
        marker = item.get_closest_marker("sampled")
        if marker is not None:
            test = item.nodeid.partition("[")[0]
            seen[test] = number = seen.get(test, -1) + 1
            if number % marker.args[0]:
                item.add_marker(pytest.mark.exhaustive)
