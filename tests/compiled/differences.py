"""Where compiled code does not do what Python does: small rules, with what each gives interpreted and compiled.

`test_differences` runs all of them; the table in docs/what-a-rule-may-use.md is written from them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Difference:
    """A rule, what it shows, and what it gives in a state whose agent stands in row 1.

    Attributes:
        compiled: None where compiled code raises; the world then runs that one step interpreted.
        since: the version of Python from which on they differ.
    """

    remark: str
    rule: Callable[..., Any]
    interpreted: Any
    compiled: Any
    since: tuple[int, int]


DIFFERENCES: list[Difference] = []


def gives(remark: str, interpreted: Any, compiled: Any, since: tuple[int, int] = (3, 11)) -> Any:
    """The rule below gives one thing interpreted and another compiled."""

    def add(rule: Any) -> Any:
        DIFFERENCES.append(Difference(remark, rule, interpreted, compiled, since))
        return rule

    return add


@gives("Whole numbers have 64 bits; what does not fit becomes some other number.", 1 << 63, -(1 << 63))
def wrapped(state):
    return (state.agent.position.y + 1) * 2**62


@gives("Truth values from an array are added as whole numbers; numpy's own are joined by `or`.", 1, 2)
def both_rare(state):
    rare = state.rng.random(2) < 2.0
    return int(rare[0] + rare[1])


@gives("The same for what `rng.choice` gives several of.", 1, 3)
def all_chosen(state):
    chosen = state.rng.choice((True, True), size=3)
    return int(chosen[0] + chosen[1] + chosen[2])


@gives(
    "From Python 3.12 on, `sum` makes up for what is lost in adding floats.", 1.0, 0.9999999999999999, (3, 12)
)
def tenths(state):
    return sum(0.1 * state.agent.position.y for _ in range(10))


@gives("A whole number to a negative power is refused.", 0.5, None)
def half(state):
    return 2 ** (-state.agent.position.y)


@gives("Division by zero is an error for items of arrays too; numpy warns, and gives something.", 0, None)
def shared(state):
    none = state.rng.integers(1, size=2)
    return int(1 // none[0])
