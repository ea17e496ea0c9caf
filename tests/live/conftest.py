"""For all tests of live worlds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gridarium.live.actions import action as registered


@pytest.fixture(autouse=True)
def _named_again(request: pytest.FixtureRequest) -> Iterator[None]:
    """Gives names of actions back to the classes that had them; those that a test or the module of other tests has defined are forgotten."""
    names = dict(registered._named)
    others = [
        n
        for n, c in names.items()
        if c.__module__.startswith("tests.") and c.__module__ != request.module.__name__
    ]
    for name in others:
        del registered._named[name]
    yield
    registered._named.clear()
    registered._named.update(names)
    registered._versions[0] += 1
