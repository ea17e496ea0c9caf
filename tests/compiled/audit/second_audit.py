"""The rules of a second audit, 1,492 of them. `make fuzz` runs them before it writes rules of its own."""

from __future__ import annotations

from types import ModuleType

import pytest

from tests.compiled.audit import second_audit_rules, test_audit
from tests.compiled.audit.test_audit import RULES, cases


@pytest.mark.parametrize(("module", "name"), cases(second_audit_rules, *RULES))
def test_its_rules(module: ModuleType, name: str) -> None:
    test_audit.test_a_rule_gives_the_same_bytes_or_is_refused(module, name)


@pytest.mark.parametrize(("module", "name"), cases(second_audit_rules, "f_"))
def test_its_expressions(module: ModuleType, name: str) -> None:
    test_audit.test_an_expression_gives_the_same_number_or_is_refused(module, name)
