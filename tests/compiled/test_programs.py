"""Random programs, and those that once went wrong: the same bytes interpreted and compiled, or refused.

`make fuzz` runs many more. What it finds is moved to `programs`, under a name that says what went wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.compiled.fuzz.running import BAD, Search, Trier

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.py"))
SEEDS, AT_ONCE = range(3), 25
REFUSED = frozenset(("numpy_constants", "numpy_math"))
"""Features that are always refused, and so tell nothing here."""


@pytest.fixture(scope="module")
def trier() -> Iterator[Trier]:
    with Trier() as trier:
        yield trier


@pytest.fixture(scope="module")
def search(trier: Trier) -> Search:
    search = Search(trier, REFUSED)
    for number in SEEDS:
        if search.finding is None:
            search.run(number, AT_ONCE)
    return search


@pytest.mark.slow
def test_random_programs_give_the_same_bytes_or_are_refused(search: Search) -> None:
    assert search.finding is None, "\n".join([search.finding[1].detail, search.finding[0].text])


@pytest.mark.slow
def test_most_random_programs_are_compiled_and_run(search: Search) -> None:
    counts = search.counts
    assert search.compiled > 0.6, search.refusals.most_common(5)
    assert counts["raised"] + counts["again"] < 0.5 * counts["cases"], counts


@pytest.mark.slow
@pytest.mark.sampled(3)
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_a_program_that_went_wrong_gives_the_same_bytes_or_is_refused(path: Path, trier: Trier) -> None:
    trial = trier.ask(path.read_text())
    assert trial.verdict not in BAD, trial.detail
