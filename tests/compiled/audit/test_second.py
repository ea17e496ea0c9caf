"""Of the second audit's rules that differed once, one or two for each cause; `make fuzz` runs all of them."""

from __future__ import annotations

import pytest

from tests.compiled.audit import second_audit_rules, test_audit
from tests.compiled.compiling import compiled_for
from tests.compiled.fuzz.world import WORDS

pytestmark = pytest.mark.slow

RULES = """
    T_color_plus T_color_in_tuple T_color_yielded T_tint_in_value T_text_collision T_twice_in_item T_order_enumerate
    T_far_add T_rng_uniform_ints_large T_orientation_helper_action T_grid_thing_word T_array_items T_mask_cells
    T_field_int_of_float_tuple
"""
EXPRESSIONS = """
    f_value_iadd f_value_contains f_counts_len f_swapped_unpacked f_longer_unpacked_one f_float_of_negative
    f_helper_returns_mixed_float f_divmod_mixed f_none_plus f_none_shift f_none_same_large f_none_plus_mixed
    f_call_keyword_by_place f_property_changing f_prefixed_globals f_shadow_any_bool f_value_same_int_float
    f_value_same_tuple_nan f_value_same_tuple_mixed f_in_nan f_tuple_subclass_len f_tuple_subclass_item
"""


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", RULES.split())
def test_rules(name: str) -> None:
    test_audit.test_a_rule_gives_the_same_bytes_or_is_refused(second_audit_rules, name)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", EXPRESSIONS.split())
def test_expressions(name: str) -> None:
    test_audit.test_an_expression_gives_the_same_number_or_is_refused(second_audit_rules, name)


@pytest.mark.parametrize("name", ["f_none_plus", "f_none_loop_plus", "f_none_pair", "f_none_pair_item"])
def test_what_may_be_none_can_be_computed_with(name: str) -> None:
    function = getattr(second_audit_rules, name)
    assert compiled_for(WORDS, function)(3, 4, 0.5, 1.5, True) == function(3, 4, 0.5, 1.5, True)
