"""`check_rule` is content with good rules and says what is wrong with others."""

import functools
from pathlib import Path

import pytest

from gridarium.engine import World
from gridarium.rules.observation_functions import partially_occluded
from gridarium.testing import NeedsWorld, NotConforming, check_rule
from gridarium.world import Area, Exit, Floor, Vocabulary, Wall
from tests.testing import broken

WORDS = Vocabulary([Floor, Wall, Exit])


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("rule", "kind"),
    [(broken.melt, "transition"), (functools.partial(broken.prize, reward=2.0), "reward"), ("empty", "reset"),
     ("move_agent", "transition"), ("reach_exit", "terminating"), ("raytracing", "visibility"),
     (functools.partial(partially_occluded, area=Area((-2, 0), (-1, 1))), "observation")],
)  # fmt: skip
def test_good_rules_pass(rule, kind):
    check_rule(rule, kind, vocabulary=WORDS, count=4)


def test_a_field_that_a_given_vocabulary_lacks_is_a_mistake():
    def remembering(state, action, next_state):
        return float(state.last)

    with pytest.raises(NeedsWorld, match="it needs the field 'last'"):
        check_rule(remembering, "reward", compiled=False)
    with pytest.raises(NotConforming, match="raised in every call") as refused:
        check_rule(remembering, "reward", vocabulary=WORDS, compiled=False)
    assert not isinstance(refused.value, NeedsWorld)


def test_a_rule_is_tried_on_the_states_of_a_world():
    world = World(broken.room(), compiled=False)
    check_rule("move_agent", "transition", world=world, count=4, compiled=False)
    check_rule("empty", "reset", world=world, count=4, compiled=False)
    seen = set()

    def watching(state, action, next_state):
        seen.add(state.tick)
        return 0.0

    check_rule(watching, "reward", world=world, count=4, compiled=False)
    assert {0, 3, 6} <= seen


@pytest.mark.parametrize(
    ("rule", "kind", "words"),
    [
        (broken.forgetful, "transition", r"lacks a leading parameter.*\(state, action"),
        (broken.prize, "reward", "bind reward"),
        (broken.meddling, "reward", "it changed its inputs"),
        (broken.counting, "reward", "two calls with equal inputs differ: 1.0 and 2.0"),
        (
            broken.whimsical,
            "reset",
            r"two calls with equal inputs differ in cells\[1\]\[2\]: Wall\(\) and Floor\(\);",
        ),
        (broken.talkative, "transition", "return None, not True"),
        (broken.wordy, "reward", "a finite number, not 'well done'"),
        (broken.endless, "reward", "a finite number, not inf"),
        (broken.undecided, "terminating", "True or False, not 0.5"),
        (broken.nameless, "reward", "a reward must be a finite number, not nan"),
        (broken.silent, "reward", r"a finite number, not None \(is a `return` missing\?\)"),
        (
            broken.hopeless,
            "transition",
            r"it raised in every call.*KeyError: 'gone'\nrule hopeless, .*broken\.py:\d+",
        ),
        (broken.undecided, "observation", "bind action, next_state"),
        (broken.growing, "observation", "different sizes"),
        (broken.narrow, "visibility", r"a mask must be bool\[5, 6\], not bool\[1, 1\]"),
        (broken.choosy, "transition", "with a numpy Generator it raised TypeError"),
        ("move_agent", "movement", "a rule's kind must be one of reset"),
    ],
)
def test_what_is_wrong_is_said(rule, kind, words):
    broken.counter["calls"] = 0
    with pytest.raises(NotConforming, match=words):
        check_rule(rule, kind, vocabulary=WORDS, count=3, compiled=False)


def test_a_rule_that_cannot_be_compiled_is_told_with_the_reason():
    check_rule(broken.listing, "reward", vocabulary=WORDS, count=2, compiled=False)
    with pytest.raises(NotConforming, match=r"cannot be compiled:\n.*broken\.py.*a list cannot be built"):
        check_rule(broken.listing, "reward", vocabulary=WORDS, count=2)


def test_messages_begin_with_the_place_and_the_name_of_the_rule(monkeypatch):
    line = broken.meddling.__code__.co_firstlineno
    for folder, shown in ((Path(broken.__file__).parent, "broken.py"), (Path("/"), None)):
        monkeypatch.chdir(folder)
        with pytest.raises(NotConforming) as caught:
            check_rule(broken.meddling, "reward", vocabulary=WORDS, count=2)
        place = f"{shown or broken.__file__.lstrip('/')}:{line}"
        assert str(caught.value).startswith(
            f"{place}: reward rule 'meddling': it changed its inputs; action "
        )
    with pytest.raises(NotConforming) as caught:
        check_rule(
            functools.partial(broken.wordy_about, kinds=(Wall, Exit), far=2), "reward", vocabulary=WORDS
        )
    assert ": reward rule 'wordy_about' (kinds=[Wall, Exit], far=2): a reward must be" in str(caught.value)


def test_all_that_cannot_be_compiled_is_told():
    with pytest.raises(NotConforming) as caught:
        check_rule(broken.listing_twice, "reward", vocabulary=WORDS, count=2)
    first, *reasons = str(caught.value).splitlines()
    assert first.endswith("reward rule 'listing_twice': it cannot be compiled:")
    assert ["a dict cannot be built" in reasons[0], "a list cannot be built" in reasons[1]] == [True, True]


def test_what_another_rule_of_the_world_raises_is_not_told_of_this_one():
    world = World(broken.room(transitions=(broken.hopeless,)), compiled=False)
    check_rule(broken.melt, "transition", world=world, count=2, compiled=False)
    with pytest.raises(KeyError, match="gone"):
        check_rule(broken.hopeless, "transition", world=world, count=2, compiled=False)


def test_the_first_case_in_which_interpreted_and_compiled_differ_is_told():
    with pytest.raises(
        AssertionError,
        match=r"two_faced': the results differ between interpreted and compiled; [\s\S]*interpreted[\s\S]*1\.[\s\S]*compiled[\s\S]*2\.",
    ):
        check_rule(broken.two_faced, "reward", vocabulary=WORDS, count=2)
