"""For all tests of live worlds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gridarium.live.actions import action as registered


@pytest.fixture(autouse=True)
def _named_again() -> Iterator[None]:
    """Gives names of actions back to the classes that had them; those that a test has defined are forgotten."""
    names = dict(registered._named)
    yield
    registered._named.clear()
    registered._named.update(names)
    registered._versions[0] += 1
