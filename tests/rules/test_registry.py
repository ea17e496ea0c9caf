import functools
import subprocess
import sys

import pytest

from gridarium.rules.observation_functions import observation_function_registry
from gridarium.rules.registry import FunctionRegistry
from gridarium.rules.reset_functions import reset_function_registry
from gridarium.rules.reward_functions import overlap, reward_function_registry
from gridarium.rules.sensors import sensor_registry
from gridarium.rules.transition_functions import move_agent, transition_function_registry
from gridarium.world import Area, Wall


@pytest.fixture
def registry():
    return FunctionRegistry("transition", ("state", "action"))


def stay(state, action):
    pass


def drift(state, action, *, probability, times=1, rng=None):
    pass


class TestRegistering:
    def test_a_function_is_registered_under_its_own_name_and_given_back(self, registry):
        assert registry.register(stay) is stay
        assert registry["stay"] is stay
        assert registry.names() == ["stay"] == list(registry.keys()) == list(registry)
        assert "stay" in registry and "jump" not in registry and len(registry) == 1

    def test_another_name_may_be_chosen(self, registry):
        registry.register(stay, name="wait")
        assert registry.names() == ["wait"]

    def test_it_is_a_decorator_with_and_without_arguments(self, registry):
        @registry.register
        def first(state, action):
            pass

        @registry.register(name="second", scope="world")
        def other(state, action):
            pass

        assert registry["first"] is first and registry["second"] is other

    def test_a_taken_name_is_refused(self, registry):
        registry.register(stay)
        with pytest.raises(ValueError, match="a transition rule stay already"):
            registry.register(drift, name="stay")

    def test_a_function_defined_again_at_the_same_place_replaces_the_former(self, registry):
        for _ in range(2):

            @registry.register
            def again(state, action):
                pass

            assert registry["again"] is again

    def test_a_partial_needs_a_name(self, registry):
        bound = functools.partial(drift, probability=0.5)
        with pytest.raises(ValueError, match="needs `name=`"):
            registry.register(bound)
        assert registry.register(bound, name="drift") is bound

    @pytest.mark.parametrize("name", [3, "", "two words", "module:rule"])
    def test_a_name_is_one_word(self, registry, name):
        with pytest.raises((TypeError, ValueError), match="a transition rule's name must be"):
            registry.register(stay, name=name)
        assert not len(registry)

    def test_names_of_leading_parameters_are_free(self, registry):
        registry.register(lambda s, a: None, name="short")
        assert registry.parameters("short") == {}

    def test_it_shows_its_rules(self, registry):
        registry.register(stay)
        assert repr(registry) == "<transition rules: stay>"


class TestSignatures:
    @pytest.mark.parametrize(
        ("function", "reason"),
        [
            (lambda state: None, "lacks a leading parameter"),
            (lambda state, *, action: None, "lacks a leading parameter"),
            (lambda state, rng: None, "lacks a leading parameter"),
            (lambda *args: None, "lacks a leading parameter"),
            (lambda state, action, *more: None, "takes \\* or \\*\\*"),
            (lambda state, action, **more: None, "takes \\* or \\*\\*"),
            (lambda state, action, k, /: None, "cannot be given by keyword"),
            ("move", "must be a function, not 'move'"),
            (max, "is not known; write a function that calls it as a transition rule"),
            (lambda state, action: (yield), "does nothing when it is called, since it has a yield"),
        ],
    )
    def test_what_breaks_the_protocol_is_refused(self, registry, function, reason):
        with pytest.raises(TypeError, match=reason):
            registry.register(function, name="broken")

    def test_the_protocol_is_told(self, registry):
        with pytest.raises(TypeError, match=r"a transition rule takes \(state, action, \*, .*rng optional"):
            registry.check_signature(lambda state: None)

    def test_parameters_are_those_beyond_the_protocol(self, registry):
        assert list(registry.parameters(drift)) == ["probability", "times"]
        assert registry.parameters(drift)["times"].default == 1
        registry.register(drift)
        assert list(registry.parameters("drift")) == ["probability", "times"]

    def test_some_rules_take_random_numbers(self, registry):
        assert registry.takes_rng(drift) and not registry.takes_rng(stay)
        assert registry.takes_rng(functools.partial(drift, probability=0.5))


class TestScopes:
    def test_rules_are_for_agents_unless_they_say_otherwise(self, registry):
        registry.register(stay)
        registry.register(drift, scope="world")
        assert registry.scope_of("stay") == registry.scope_of(stay) == "agent"
        assert registry.scope_of("drift") == "world"
        assert registry.scope_of(functools.partial(drift, probability=1)) == "world"

    def test_an_unregistered_rule_is_for_agents(self, registry):
        assert registry.scope_of(drift) == "agent"

    def test_a_rule_made_of_others_has_their_scope(self, registry):
        def both(state, action, *, transition_functions):
            pass

        registry.register(both, scope="inner")
        registry.register(drift, scope="world")
        assert registry.scope_of(functools.partial(both, transition_functions=(stay,))) == "agent"
        assert registry.scope_of(functools.partial(both, transition_functions=(drift,))) == "world"
        with pytest.raises(ValueError, match="mixes"):
            registry.scope_of(functools.partial(both, transition_functions=(stay, drift)))

    def test_other_scopes_are_refused(self, registry):
        with pytest.raises(ValueError, match="no scope 'galaxy'"):
            registry.register(stay, scope="galaxy")
        with pytest.raises(ValueError, match="only transition rules"):
            FunctionRegistry("reward", ("state",)).register(stay, scope="world")


class TestFactory:
    @pytest.fixture(autouse=True)
    def known(self, registry):
        registry.register(drift)
        registry.register(stay)

    def test_it_binds_parameters(self, registry):
        bound = registry.factory("drift", probability=0.5)
        assert bound.func is drift and bound.keywords == {"probability": 0.5}

    def test_an_unknown_name_is_refused_with_near_ones(self, registry):
        with pytest.raises(ValueError, match="no transition rule 'drfit'; did you mean drift"):
            registry.factory("drfit")
        with pytest.raises(ValueError, match="there are drift, stay"):
            registry.factory("teleport_home")

    def test_asking_for_an_unknown_name_tells_near_ones(self, registry):
        with pytest.raises(KeyError, match="no transition rule 'drfit'; did you mean drift"):
            registry["drfit"]
        assert registry.get("drfit") is None

    def test_an_unknown_parameter_is_refused_with_the_list(self, registry):
        with pytest.raises(ValueError, match="no parameter speed; it has: probability, times=1"):
            registry.factory("drift", probability=0.5, speed=3)
        with pytest.raises(ValueError, match="no parameter rng"):
            registry.factory("drift", probability=0.5, rng=None)

    def test_a_missing_parameter_is_refused_with_the_list(self, registry):
        with pytest.raises(ValueError, match="drift needs probability; its parameters: probability, times=1"):
            registry.factory("drift", times=2)


@pytest.mark.parametrize(
    ("kind", "name"),
    [("reward", "pick_up_target"), ("transition", "move_past_agents"), ("reset", "from_map")],
)
def test_all_built_in_rules_are_there_from_the_start(kind, name):
    script = (
        f"from gridarium.rules.{kind}_functions import {kind}_function_registry as r; print('{name}' in r)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, text=True)
    assert done.stdout.strip() == "True"


@pytest.mark.parametrize(
    ("registry", "name", "parameters", "wanted"),
    [
        (
            sensor_registry,
            "color",
            {"colors": ("NONE", "RED")},
            "colors takes colors, as Color.RED, not text",
        ),
        (
            reward_function_registry,
            "overlap",
            {"object_type": "Lava"},
            "object_type takes kinds of objects, as Wall, not text",
        ),
        (
            reward_function_registry,
            "getting_closer",
            {"distance_function": "manhattan", "object_type": Wall},
            r"distance_function takes a function of two positions, as distance_function_factory\('manhattan'\), not text",
        ),
        (
            observation_function_registry,
            "partially_occluded",
            {"area": [[-1, 0], [-1, 1]]},
            r"area takes an area, as Area\(\(-6, 0\), \(-3, 3\)\)",
        ),
        (
            observation_function_registry,
            "from_visibility",
            {"area": Area((-1, 0), (-1, 1)), "visibility_function": "raytracing"},
            r"visibility_function takes rules, as factory\(name\) gives them, not text",
        ),
        (
            transition_function_registry,
            "chain",
            {"transition_functions": (move_agent, "turn_agent")},
            "transition_functions takes rules",
        ),
        (
            reward_function_registry,
            "reduce",
            {"reward_functions": (overlap,), "reduction": "sum"},
            "reduction takes a function of several values, as sum, not text",
        ),
        (reward_function_registry, "living_reward", {"reward": "-1"}, "reward takes a number, not text"),
        (reset_function_registry, "empty", {"random_agent": "yes"}, "random_agent takes True or False"),
        (reset_function_registry, "rooms", {"layout": "2x2"}, "layout takes two whole numbers"),
    ],
)
def test_text_is_not_what_names_stand_for_in_files(registry, name, parameters, wanted) -> None:
    with pytest.raises(ValueError, match=wanted):
        registry.factory(name, **parameters)
