"""The rules of a second audit, 1,492 of them. `make fuzz` runs them before it writes rules of its own."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from tests.compiled.audit import second, test_audit
from tests.compiled.audit.test_audit import RULES


def cases(*beginnings: str) -> list[Any]:
    """The functions of the audit; those that differed when it was made may do so until they are repaired."""
    reasons = {name: reason for reason, names in second.DIFFERING.items() for name in names.split()}
    found = [n for n, f in vars(second).items() if n.startswith(beginnings) and callable(f)]
    marks = {n: pytest.mark.xfail(reason=reasons[n], strict=False) for n in found if n in reasons}
    return [pytest.param(second, n, id=n, marks=marks.get(n, ())) for n in found]


@pytest.mark.parametrize(("module", "name"), cases(*RULES))
def test_its_rules(module: ModuleType, name: str) -> None:
    test_audit.test_a_rule_gives_the_same_bytes_or_is_refused(module, name)


@pytest.mark.parametrize(("module", "name"), cases("f_"))
def test_its_expressions(module: ModuleType, name: str) -> None:
    test_audit.test_an_expression_gives_the_same_number_or_is_refused(module, name)
