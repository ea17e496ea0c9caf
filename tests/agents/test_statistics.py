import math

import pytest
from scipy import stats

from gridarium.agents import statistics


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 5, 6, 10, 30, 1000])
def test_students_quantile_is_right_to_four_digits(freedom: int) -> None:
    assert statistics.student_quantile(freedom) == pytest.approx(stats.t.ppf(0.975, freedom), rel=2e-4)


def test_a_mean_has_students_interval() -> None:
    numbers = [1.0, 2.0, 4.0, 8.0, 3.0, 2.5]
    found = statistics.mean(numbers)
    expected = stats.t.interval(0.95, 5, loc=sum(numbers) / 6, scale=stats.sem(numbers))
    assert (found.low, found.high) == pytest.approx(expected, rel=1e-3)
    assert found.text() == "3.42 ± 2.58"


def test_one_number_has_no_interval() -> None:
    found = statistics.mean([3.0])
    assert found.text() == "3.00" and math.isnan(found.low)
    assert found.plain() == {"mean": 3.0, "low": None, "high": None}


@pytest.mark.parametrize(("hits", "count"), [(0, 20), (20, 20), (7, 20), (1, 1)])
def test_a_share_has_wilsons_interval(hits: int, count: int) -> None:
    found = statistics.proportion(hits, count)
    expected = stats.binomtest(hits, count).proportion_ci(method="wilson")
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-9)
    assert found.percent().startswith(f"{100 * hits / count:.0f} % (")
