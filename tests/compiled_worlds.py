"""Parameters of tests that run a world both ways."""

import pytest

INTERPRETED_AND_COMPILED = [
    pytest.param(False, id="interpreted"),
    pytest.param(True, id="compiled", marks=[pytest.mark.slow, pytest.mark.exhaustive]),
]
"""Whether a world is compiled, for fixtures and tests. `make test` runs it interpreted; what compares the two says that compiled it does the same."""
