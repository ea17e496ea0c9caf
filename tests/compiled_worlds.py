"""Parameters for fixtures of worlds that tests run both ways."""

import pytest

INTERPRETED_AND_COMPILED = [
    pytest.param(False, id="interpreted"),
    pytest.param(True, id="compiled", marks=pytest.mark.exhaustive),
]
"""Whether a world is compiled. `make test` runs it interpreted; what compares the two says that compiled it does the same."""
