"""Where compiled code raises and Python does not: small rules, with what each gives interpreted.

`test_differences` runs all of them; the table in docs/what-a-rule-may-use.md is written from them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gridarium.world import Position


@dataclass(frozen=True)
class Difference:
    """A rule, what it shows, and what it gives in a state whose agent stands in row 1.

    Compiled code raises there; the world then runs that one step interpreted.
    """

    remark: str
    rule: Callable[..., Any]
    interpreted: Any


DIFFERENCES: list[Difference] = []


def gives(remark: str, interpreted: Any) -> Any:
    """The rule below gives something interpreted, and raises compiled."""

    def add(rule: Any) -> Any:
        DIFFERENCES.append(Difference(remark, rule, interpreted))
        return rule

    return add


@gives("Whole numbers have 64 bits.", 1 << 63)
def too_large(state):
    return (state.agent.position.y + 1) * 2**62


@gives("Also in between: the quotient here is 2**63.", 0)
def large_in_between(state):
    return (-(2**62) - 2**62 * state.agent.position.y) % -1


@gives("Shifting by 64 bits or more.", 0)
def long_shift(state):
    return 0 << (64 * state.agent.position.y)


@gives("A coordinate of 2**31 or more.", 2147483649)
def far_away(state):
    return (Position(1, 1) + Position(2**31 * state.agent.position.y, 1)).y


@gives("A whole number to a negative power.", 0.5)
def half(state):
    return 2 ** (-state.agent.position.y)


@gives("Dividing whole numbers beyond 2**53, which floats do not hold exactly.", 4503599627370496.0)
def large_quotient(state):
    return (2**53 * state.agent.position.y + 1) / 2


@gives("Comparing a whole number beyond 2**53 with a float that is as large.", False)
def large_and_equal(state):
    return 2**53 * state.agent.position.y + 1 == float(2**53)


@gives("A whole number beyond 2**53 that shares a variable with floats.", 9007199254740993)
def large_or_float(state):
    count = 2**53 * state.agent.position.y + 1
    return count if state.tick == 0 else 0.5


def added(x, y):
    return x + y


@gives(
    "The float 2**53 as an argument of a function (here x + y), which could be such a number.",
    9007199254740992.0,
)
def large_argument(state):
    return added(2.0**53 * state.agent.position.y, 0.5)
